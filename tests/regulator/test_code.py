"""Whose code settles the rounds again: what a pinned key signed, or the reader's own, never a stranger's."""

from __future__ import annotations

import shutil

import pytest

from audits.bundles import making, parts, verify_bundle
from tests.regulator.tampering import forge, insider

pytestmark = pytest.mark.rule("REC-06")

SETTLE = "code/tables/games/baccarat/settle.py"


@pytest.fixture
def mark(tmp_path):
    return tmp_path / "rastro"


@pytest.fixture
def hostile(bundle, mark, monkeypatch):
    """A bundle whose game leaves a mark where it is run, and a verifier without its second line of defence:
    nothing but not running it can keep the mark away."""
    lines = verify_bundle.ENGINE.replace("sys.addaudithook(refuse)\n", "").replace("(0, 0)", "(9**9, 9**9)")
    assert lines.count("addaudithook") == 0
    monkeypatch.setattr(verify_bundle, "ENGINE", lines)
    attack = f"\nopen({str(mark)!r}, 'w').close()\n".encode()
    return bundle.change(SETTLE, lambda data: data + attack)


def test_a_strangers_code_is_not_run_without_a_key(hostile, mark):
    code, said = forge(hostile).verify(pinned=False)
    assert code == 3, said
    assert "nadie dijo de quién es el código que vino en el paquete, y no se ejecuta" in said
    assert "--key" in said and "--games CARPETA" in said
    assert not mark.exists()


def test_nor_with_the_true_key_which_did_not_sign_it(hostile, mark):
    code, said = forge(hostile).verify()
    assert code == 1
    assert "lo firmó otro" in said and "no se ejecuta código del paquete" in said
    assert not mark.exists()


def test_nor_under_the_houses_keys_with_a_manifest_that_somebody_else_signed(hostile, mark):
    code, said = hostile.rehash().verify()
    assert code == 1
    assert "FALLA: manifest.sig" in said
    assert not mark.exists()


def test_nor_when_the_signed_manifest_tells_of_other_bytes(hostile, mark):
    code, said = hostile.verify()
    assert code == 1
    assert f"FALLA: {SETTLE}" in said
    assert not mark.exists()


def test_only_what_the_pinned_key_signed_is_run(hostile, mark):
    """The other side: the same code, signed by the very house, does run. So the tests above do see it."""
    code, said = insider(hostile)
    assert code == 0, said
    assert mark.exists()


def test_code_beside_the_signed_manifest_is_not_run(bundle, mark, monkeypatch):
    """A module of Python's own name that is in the zip and in no manifest: it would be found first."""
    monkeypatch.setattr(
        verify_bundle, "ENGINE", verify_bundle.ENGINE.replace("sys.addaudithook(refuse)\n", "")
    )
    bundle.files["code/dataclasses.py"] = f"open({str(mark)!r}, 'w').close()\n".encode()
    code, said = bundle.verify()
    assert code == 1
    assert "code/dataclasses.py: no está en el manifiesto" in said
    assert "6 liquidados de nuevo" in said
    assert not mark.exists()


# ---- the reader's own copy


@pytest.fixture
def own(tmp_path):
    """The rules as the inspector has them, from a version that AJ knows."""
    folder = tmp_path / "propias"
    for name, path in parts.sources().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / name)
    return folder


@pytest.mark.parametrize("place", ["", "tables/games"])
def test_ones_own_rules_settle_rounds_of_anybody(bundle, own, place):
    code, said = bundle.verify("--games", str(own / place), pinned=False)
    assert code == 3, said  # whose it is nobody said
    assert "SIN PROBAR: keys.json" in said and "1 punto(s)" in said
    assert "6 liquidados de nuevo" in said
    assert f"huella {making.code_version()['games_sha256'][:32]}; con ellas" in said


def test_with_key_and_own_rules_all_is_proven(bundle, own):
    code, said = bundle.verify("--games", str(own))
    assert code == 0, said


def test_a_strangers_code_is_not_run_where_there_are_ones_own(hostile, own, mark):
    code, said = insider(hostile, "--games", str(own))
    assert code == 3, said
    assert f"1 archivos de las reglas no son como los suyos: {SETTLE}" in said
    assert "6 liquidados de nuevo" in said
    assert not mark.exists()


def test_rules_that_the_house_made_pay_otherwise_are_found_by_ones_own(bundle, own):
    """The house altered its rules and what its rounds say; the reader's own rules say it as it was."""

    def alter(rows):
        rows[0]["settlement"]["announcement"]["es"] = "otra cosa"

    bundle.change(SETTLE, lambda data: data + b"\n# otra version\n").change_rows("rounds/rounds.jsonl", alter)
    code, said = insider(bundle, "--games", str(own))
    assert code == 1
    assert "liquidado de nuevo da otra cosa: announcement" in said


@pytest.mark.parametrize("place", ["nada", "."])
def test_a_folder_without_rules(bundle, tmp_path, place):
    code, said = bundle.verify("--games", str(tmp_path / place))
    assert code == 2
    assert "no tiene tables/games" in said or "no se puede leer" in said


def test_rounds_that_were_not_to_be_settled_are_left_without_proof(bundle):
    code, said = bundle.verify("--no-rounds")
    assert code == 3
    assert "SIN PROBAR: rounds/rounds.jsonl: los pases no se liquidaron de nuevo, como se pidió" in said


# ---- the second line


def test_rules_of_a_game_altered_in_the_copy(bundle):
    """By the house itself, signed: rounds come out otherwise, or the fingerprint is another."""
    bundle.change("code/tables/games/baccarat/__init__.py", lambda data: data + b"\nraise SystemExit(3)\n")
    code, said = insider(bundle)
    assert code == 1
    assert "dejaron de responder" in said


@pytest.mark.parametrize("when", ["at import", "when asked"])
def test_code_of_a_bundle_can_not_write_or_call_out(bundle, tmp_path, when):
    left = tmp_path / "rastro"
    attack = f"""
def _attack():
    import os, socket, subprocess
    met = []
    for tried in (
        lambda: open({str(left)!r}, "w"),
        lambda: os.open({str(left)!r}, os.O_CREAT | os.O_WRONLY),
        lambda: os.mkdir({str(left)!r}),
        lambda: os.system("touch {left}"),
        lambda: subprocess.run(["touch", {str(left)!r}]),
        lambda: socket.create_connection(("127.0.0.1", 5432)),
    ):
        try:
            tried()
            met.append("done")
        except BaseException as error:
            met.append(type(error).__name__)
    return met
"""
    act = "_met = _attack()" if when == "at import" else "_met = None"
    attack += f"""
{act}
_settle = settle
def settle(state):
    raise ValueError("met " + " ".join(_met or _attack()))
"""
    bundle.change("code/tables/games/baccarat/settle.py", lambda data: data + attack.encode())
    code, said = insider(bundle)
    assert code == 1
    assert "met " + " ".join(["PermissionError"] * 6) in said
    assert not left.exists()
