"""Files that mean harm, or are simply broken: words and an exit code, never a traceback or a full disk."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import warnings
import zipfile

import pytest

from audits.bundles import verify_bundle
from tests.regulator.tampering import canonical, replaced, verified

pytestmark = pytest.mark.rule("REC-06")

EVENTS = "events/00001.jsonl"
RLO = "\u202e"


def written(path, *files):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there twice
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in files:
                packed.writestr(name, data)
    return path


def unreadable(path, *options):
    code, said = verified(path, *options)
    assert code == 2, said
    assert said.startswith("NO SE PUEDE LEER"), said
    return said


# ---- no bundle at all


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04" + bytes(60), b"%PDF-1.7", bytes(5000)])
def test_no_zip(tmp_path, data):
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    unreadable(path)


def test_not_there_and_a_folder(tmp_path):
    assert "No such file" in unreadable(tmp_path / "nada.zip")
    unreadable(tmp_path)
    unreadable(tmp_path / f"nada{RLO}.zip")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_bundle_cut_off(bundle, share):
    data = bundle.path.read_bytes()
    bundle.path.write_bytes(data[: int(len(data) * share)])
    unreadable(bundle.path)


def test_a_zip_of_something_else(tmp_path):
    assert "falta el archivo" in unreadable(written(tmp_path / "x.zip", ("a.txt", b"hola")))


# ---- names and sizes


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "a/../../b",
        "C:\\x",
        "events\\1",
        f"a{RLO}b",
        "a\nb",
        "A.txt",
        "a" * 300,
        "code/",
    ],
)
def test_names_that_lead_elsewhere(bundle, name):
    bundle.files[name] = b"x"
    said = unreadable(bundle.save())
    assert "nombre de archivo no permitido" in said
    assert RLO not in said


def test_a_name_twice(bundle):
    files = [*bundle.files.items(), ("manifest.json", b"{}")]
    assert "archivo repetido: manifest.json" in unreadable(written(bundle.path, *files))


def test_a_decompression_bomb(bundle):
    bundle.files["events/00002.jsonl"] = bytes(30 * 2**20)
    assert "bomba de compresión" in unreadable(bundle.save())


def test_a_size_that_is_a_lie(bundle):
    """The directory of the zip says less than what comes out: no more than it says is taken."""
    data = bundle.save().read_bytes()
    size = len(bundle.files[EVENTS]).to_bytes(4, "little")
    at = data.rindex(EVENTS.encode()) - 46 + 24  # the size in the central directory
    assert data[at : at + 4] == size
    bundle.path.write_bytes(data[:at] + (100).to_bytes(4, "little") + data[at + 4 :])
    code, said = verified(bundle.path, "--no-rounds")
    assert code == 1
    assert f"FALLA: {EVENTS}" in said


def test_an_encrypted_file(bundle):
    data = bytearray(bundle.save().read_bytes())
    at = bytes(data).rindex(b"leame.txt") - 46 + 8
    data[at] |= 1
    bundle.path.write_bytes(bytes(data))
    assert "cifrado" in unreadable(bundle.path)


def test_a_line_without_end(bundle, monkeypatch):
    monkeypatch.setattr(verify_bundle, "LONGEST_LINE", 10_000)
    rest = bytes(random.Random(7).randbytes(300_000)).hex().encode()
    code, said = bundle.change(EVENTS, lambda data: data + rest).verify("--no-rounds")
    assert code == 1
    assert "una línea es demasiado larga" in said


# ---- JSON that reads one way here and another there


BAD_JSON = {
    "key twice": b'{"format":"x","format":"sabot.bundle/1"}',
    "NaN": b'{"format":NaN}',
    "infinity": b'{"format":-Infinity}',
    "fraction": b'{"format":1.5}',
    "exponent": b'{"format":1e5}',
    "huge": b'{"format":' + b"9" * 5000 + b"}",
    "large": b'{"format":9007199254740993}',
    "blanks": b'{ "format": "sabot.bundle/1" }',
    "order": b'{"b":1,"a":2}',
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "latin": '{"format":"ñ"}'.encode("latin-1"),
    "utf-16": '{"format":"x"}'.encode("utf-16"),
    "half a pair": b'{"format":"\\ud800"}',
    "escaped": b'{"format":"\\u0061"}',
    "mark": b'\xef\xbb\xbf{"format":"x"}',
    "list": b"[]",
    "text": b'"x"',
    "nothing": b"",
    "null": b"null",
    "another format": b'{"base":null,"casino":{},"days":[],"files":[],"first":"","format":"sabot.bundle/9",'
    b'"key_id":"","last":"","through":"","totals":{}}',
}


@pytest.mark.parametrize("name", BAD_JSON)
def test_manifests_that_are_none(bundle, name):
    bundle.files["manifest.json"] = BAD_JSON[name]
    unreadable(bundle.save())


@pytest.mark.parametrize("name", [name for name in BAD_JSON if name != "another format"])
def test_lines_that_are_none(bundle, name):
    """In a file that the house itself signed."""
    line = BAD_JSON[name].replace(b'"format"', b'"day"')
    bundle.change("leaves.jsonl", lambda data: data + line + b"\n").rehash().sign()
    code, said = bundle.verify("--no-rounds")
    assert code == 1, said
    assert f"FALLA: leaves.jsonl:{len(bundle.rows_raw('leaves.jsonl'))}" in said


@pytest.mark.parametrize("name", [name for name in BAD_JSON if name != "another format"])
def test_events_that_are_none(bundle, name):
    line = b'{"hash":"' + b"0" * 64 + b'","body":' + BAD_JSON[name] + b"}\n"
    bundle.change(EVENTS, lambda data: data + line).rehash().sign()
    code, said = bundle.verify("--no-rounds")
    assert code == 1, said
    assert f"FALLA: {EVENTS}:{len(bundle.rows_raw(EVENTS))}" in said


def test_a_key_twice_in_an_event_whose_hash_holds(bundle):
    """One reader takes the first, another the last: the bytes are the sealed ones all the same."""
    bundle.change(EVENTS, replaced('"action":', '"action":"x","action":')).rehash().sign()
    code, said = bundle.verify("--no-rounds")
    assert code == 1
    assert f"{EVENTS}:1: el JSON no está en su forma canónica" in said


# ---- what is printed


def test_names_can_not_draw_over_what_is_said(bundle):
    name = f"Casino {RLO}ÍNTEGRO\x1b[2J\x00 ñandú"
    bundle.say(casino={**bundle.manifest["casino"], "name": name}).sign()
    code, said = bundle.verify()
    assert code == 0
    assert "Casino \\u{202e}ÍNTEGRO\\u{1b}[2J\\u{0} ñandú" in said
    assert RLO not in said and "\x1b" not in said and "\x00" not in said


def test_faults_without_number_are_counted_but_not_all_said(bundle):
    bundle.change("leaves.jsonl", lambda data: b"x\n" * 5000)
    code, said = bundle.verify("--no-rounds")
    assert code == 1
    assert "más fallas, que sólo se cuentan" in said
    assert len(said.splitlines()) < 300


# ---- keys given


@pytest.mark.parametrize(
    "data", [b"", b"x" * 31, b"zz" * 32, b"-----BEGIN PUBLIC KEY-----\nAA\n", bytes(100)]
)
def test_keys_that_are_none(bundle, tmp_path, data):
    path = tmp_path / "llave"
    path.write_bytes(data)
    unreadable(bundle.path, "--key", str(path))


def test_a_key_that_is_not_there(bundle, tmp_path):
    unreadable(bundle.path, "--key", str(tmp_path / "nada"))


# ---- anything


JUNK = [
    None,
    True,
    -1,
    0,
    10**20,
    "",
    "x",
    "ñ" * 50,
    RLO,
    [],
    {},
    [[]],
    {"a": 1},
    [None] * 3,
    "2026-11-20",
    "0" * 64,
]
FILES = [
    "manifest.json", "keys.json", "seals.jsonl", "leaves.jsonl", EVENTS, "ledger/transfers.jsonl",
    "ledger/accounts.jsonl", "rounds/rounds.jsonl", "rounds/versions.jsonl",
    "reports/001-tables-day.rows.jsonl",
]  # fmt: skip


def spoiled(value, chance):
    """One place of a JSON value, or none, becomes something it should not be."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        if chance.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: spoiled(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], spoiled(value[at], chance), *value[at + 1 :]]
    return chance.choice(JUNK)


@pytest.mark.parametrize("name", FILES)
def test_any_value_of_any_file_made_into_something_else(bundle, name):
    """Signed by the house, so that nothing stops before it is read."""
    original = dict(bundle.files)
    for seed in range(8):
        chance = random.Random(f"{name} {seed}")
        bundle.files = dict(original)
        rows = original[name].splitlines()
        at = chance.randrange(len(rows))
        spoilt = spoiled(json.loads(rows[at]), chance)
        line = canonical(spoilt)
        if name == EVENTS and isinstance(spoilt, dict):
            line = b'{"hash":%b,"body":%b}' % (canonical(spoilt.get("hash")), canonical(spoilt.get("body")))
        rows[at] = line
        ending = b"" if name.endswith(".json") else b"\n"
        bundle.files[name] = b"\n".join(rows) + ending
        with contextlib.suppress(KeyError, TypeError, AttributeError):  # a manifest nobody could sign
            bundle = bundle.rehash().sign() if name != "manifest.json" else bundle.sign()
        code, said = bundle.verify("--no-rounds")
        assert code in (1, 2, 3), said
        assert "imposible (" not in said, (name, seed, said[-300:])


def test_any_value_of_an_event_in_a_chain_made_anew(bundle):
    """What who owns the database could have stored: hashes hold, the seal alone does not."""
    original = dict(bundle.files)
    for seed in range(12):
        chance = random.Random(seed)
        bundle.files = dict(original)

        def spoil(rows, chance=chance):
            row = chance.choice([row for row in rows if row["body"]["action"].startswith("tables.")])
            row["body"] = {**row["body"], **spoiled({**row["body"]}, chance)}

        with contextlib.suppress(AttributeError, KeyError, TypeError, AssertionError):
            bundle.change_events(spoil, chained=True)
        code, said = bundle.rehash().sign().verify("--no-rounds")
        assert code in (1, 3), said
        assert "imposible (" not in said, (seed, said[-300:])


def test_bytes_changed_anywhere(bundle):
    data = bundle.path.read_bytes()
    for seed in range(25):
        chance = random.Random(seed)
        at = chance.randrange(len(data))
        bundle.path.write_bytes(data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :])
        code, said = verified(bundle.path, "--no-rounds")
        assert code in (1, 2, 3)  # 3 where only a date or an attribute of the zip changed
        assert "Traceback" not in said


def test_as_a_program_it_answers_by_exit_code(bundle, tmp_path):
    """Alone, outside the checkout, with nothing of ours to import."""
    script = tmp_path / "verify_bundle.py"
    script.write_bytes(bundle.files["verify_bundle.py"])

    def run(*given):
        done = subprocess.run(
            [sys.executable, "-I", script, *given], capture_output=True, cwd=tmp_path, text=True
        )
        assert "Traceback" not in done.stdout + done.stderr
        return done.returncode

    assert run(bundle.path, "--key", bundle.house_key) == 0
    assert run(bundle.path, "--key", bundle.house_key, "--en", "--no-rounds") == 3
    assert run(bundle.path) == 3
    assert run(tmp_path / "nada.zip") == 2
    assert run() == 2
    assert run("row", bundle.path) == 2
    assert run(bundle.change(EVENTS, lambda data: data[:-1]).save()) == 1
