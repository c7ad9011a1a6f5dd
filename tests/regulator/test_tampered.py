"""Every way we know to alter a bundle, by who holds the file, the database, or even the house's key: each
is found, and said where.

Expected words are of the verifier's own; what must be found is from the issue's list, never from a run.
"""

from __future__ import annotations

import copy
import hashlib
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.regulator.tampering import canonical, flip, replaced

pytestmark = pytest.mark.rule("REC-06")

EVENTS = "events/00001.jsonl"
ROUNDS = "rounds/rounds.jsonl"
MONEY = "ledger/transfers.jsonl"
REPORT = "reports/001-tables-day"
KINDS = [
    "keys.json", "seals.jsonl", "leaves.jsonl", EVENTS, MONEY, "ledger/accounts.jsonl", ROUNDS,
    "rounds/versions.jsonl", "reports/001-tables-day.csv", "reports/001-tables-day.rows.jsonl",
    "code/tables/games/baccarat/settle.py", "verify_bundle.py", "leame.txt", "manifest.sig",
]  # fmt: skip


def test_untouched_it_is_sound(bundle):
    code, said = bundle.verify()
    assert code == 0, said
    assert "ÍNTEGRO" in said
    assert "6 pases comparados con sus sucesos; 6 liquidados de nuevo" in said


def test_in_english_too(bundle):
    code, said = bundle.verify("--en")
    assert code == 0
    assert "SOUND: all that was checked holds" in said


# ---- who holds the file


@pytest.mark.parametrize("name", KINDS)
def test_one_byte_in_each_kind_of_file(bundle, name):
    code, said = bundle.change(name, flip()).verify("--no-rounds")
    assert code == 1, said
    assert f"FALLA: {name}" in said


def test_one_byte_of_the_manifest(bundle):
    code, said = bundle.change("manifest.json", replaced("Casa de pruebas", "Casa de prueb4s")).verify()
    assert code == 1
    assert "FALLA: manifest.sig" in said
    assert "no se ejecuta código" in said  # nothing of it is run then


def test_a_file_taken_out_or_put_in(bundle):
    del bundle.files["ledger/accounts.jsonl"]
    bundle.files["reports/otro.csv"] = b"x"
    code, said = bundle.verify("--no-rounds")
    assert code == 1
    assert "ledger/accounts.jsonl: falta el archivo" in said
    assert "reports/otro.csv: no está en el manifiesto" in said


def test_the_manifest_hashed_again_after_tampering_is_not_signed(bundle):
    bundle.change(MONEY, flip()).rehash()
    code, said = bundle.verify("--no-rounds")
    assert code == 1
    assert "FALLA: manifest.sig" in said


def test_signed_by_somebody_else_under_the_keys_name(bundle):
    code, said = bundle.rehash().sign(Ed25519PrivateKey.generate()).verify()
    assert code == 1
    assert "la firma no es de esa llave" in said


def test_all_made_anew_with_a_key_of_ones_own_needs_a_key_had_elsewhere(bundle, tmp_path):
    """Keys, seals and manifest of a forger agree with each other; only the key known from elsewhere tells."""
    house = bundle.rows("keys.json")[0][-1]["public_key"]
    forged = forge(bundle)
    code, said = forged.verify()
    assert code == 0
    assert "AVISO: se confía en la llave que trae el paquete" in said
    given = tmp_path / "llave.txt"
    given.write_text(house)
    code, said = forged.verify("--key", str(given))
    assert code == 1
    assert "no es de las del paquete: lo firmó otro" in said


def forge(bundle):
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    key_id = hashlib.sha256(public).hexdigest()[:16]
    code = bundle.manifest["casino"]["code"]
    document = canonical({"casino": code, "key_id": key_id, "public_key": public.hex()})
    key = {
        "key_id": key_id, "public_key": public.hex(), "since": "2026-01-01T00:00:00.000000Z", "until": None,
        "document": document.decode(), "signature": private.sign(document).hex(), "introduced_by": None,
    }  # fmt: skip
    bundle.files["keys.json"] = canonical([key])

    def signed(rows):
        for row in rows:
            told = canonical({**json.loads(row["document"]), "key_id": key_id})
            row["document"], row["signature"] = told.decode(), private.sign(told).hex()

    bundle.change_rows("seals.jsonl", signed)
    return bundle.say(key_id=key_id).rehash().sign(private)


# ---- who owns the database, or the very key: all hashes of the bundle hold, the seal does not


def insider(bundle, *options, **totals):
    return bundle.rehash(totals).sign().verify(*options)


def session_events(rows):
    return [row for row in rows if row["body"]["stream"].startswith("session:")]


def test_an_event_altered(bundle):
    def alter(rows):
        session_events(rows)[3]["body"]["actor"]["name"] = "Otro"

    code, said = insider(bundle.change_events(alter), "--no-rounds")
    assert code == 1
    assert "el suceso no da su huella" in said
    assert "session:" in said and "#4" in said  # where: its chain and number


def test_an_event_removed(bundle):
    code, said = insider(
        bundle.change_events(lambda rows: rows.remove(session_events(rows)[4])), "--no-rounds"
    )
    assert code == 1
    assert "después del n.º 4 viene el 6" in said


def test_an_event_added(bundle):
    def add(rows):
        twin = copy.deepcopy(session_events(rows)[-1])
        at = rows.index(session_events(rows)[-1])
        twin["body"]["seq"] += 1
        rows.insert(at + 1, twin)

    code, said = insider(bundle.change_events(add, chained=True), "--no-rounds")
    assert code == 1
    assert "le falta o le sobra el final" in said


@pytest.mark.parametrize("chained", [False, True])
def test_two_events_swapped(bundle, chained):
    def swap(rows):
        one, other = session_events(rows)[2:4]
        a, b = rows.index(one), rows.index(other)
        rows[a], rows[b] = other, one
        if chained:
            one["body"]["seq"], other["body"]["seq"] = other["body"]["seq"], one["body"]["seq"]

    code, said = insider(bundle.change_events(swap, chained=chained), "--no-rounds")
    assert code == 1
    assert ("la cadena fue rehecha" if chained else "falta o sobra un suceso") in said


def test_a_tail_cut_off(bundle):
    def cut(rows):
        rows.remove(session_events(rows)[-1])

    code, said = insider(bundle.change_events(cut), "--no-rounds")
    assert code == 1
    assert "le falta o le sobra el final" in said


def test_a_chain_rebuilt_whole(bundle):
    def rebuild(rows):
        session_events(rows)[0]["body"]["data"]["seats"] = 3

    code, said = insider(bundle.change_events(rebuild, chained=True), "--no-rounds")
    assert code == 1
    assert "la cadena fue rehecha" in said


def test_a_chain_left_out(bundle):
    stream = session_events(bundle.rows(EVENTS))[0]["body"]["stream"]

    def leave_out(rows):
        return [row for row in rows if row["body"]["stream"] != stream]

    code, said = insider(bundle.change_events(leave_out), "--no-rounds")
    assert code == 1
    assert "la cadena se movió en estos días y no está en el paquete" in said
    assert "nombra un suceso que no está en el paquete" in said  # its rounds and its money


def test_the_leaves_made_to_fit_a_rebuilt_chain(bundle):
    """Then it is the root that does not come out."""

    def rebuild(rows):
        session_events(rows)[0]["body"]["data"]["seats"] = 3

    bundle.change_events(rebuild, chained=True)
    heads = {row["body"]["stream"]: row["hash"] for row in bundle.rows(EVENTS)}

    def fit(rows):
        for row in rows:
            if row["stream"].startswith("session:"):
                row["head"] = heads[row["stream"]]

    code, said = insider(bundle.change_rows("leaves.jsonl", fit), "--no-rounds")
    assert code == 1
    assert "las cadenas no dan la raíz sellada el 2026-11-20" in said


def test_a_leaf_left_out(bundle):
    code, said = insider(bundle.change_rows("leaves.jsonl", lambda rows: rows[1:]), "--no-rounds")
    assert code == 1
    assert "no dan la raíz sellada" in said


def test_a_seal_signed_with_another_key(bundle):
    other = Ed25519PrivateKey.generate()

    def sign(rows):
        rows[0]["signature"] = other.sign(rows[0]["document"].encode()).hex()

    code, said = insider(bundle.change_rows("seals.jsonl", sign), "--no-rounds")
    assert code == 1
    assert "seals.jsonl:1" in said and "la firma no es de esa llave" in said


def test_a_seal_replaced_by_another_of_the_same_key(bundle):
    """The house's key signs another root for the first night: the second night's seal holds the old one."""

    def again(rows):
        document = json.loads(rows[1]["document"]) | {"previous_root": "11" * 32}
        rows[1]["document"] = canonical(document).decode()
        rows[1]["signature"] = bundle.private.sign(canonical(document)).hex()

    code, said = insider(bundle.change_rows("seals.jsonl", again), "--no-rounds")
    assert code == 1
    assert "no guarda la raíz del anterior" in said


def test_a_day_without_its_seal(bundle):
    code, said = insider(bundle.change_rows("seals.jsonl", lambda rows: rows[1:]), "--no-rounds")
    assert code == 1
    assert "no tiene sello (REC-06)" in said


def test_a_key_that_nobody_introduced(bundle):
    def lost(rows):
        rows[0][1]["introduced_by"] = None

    code, said = insider(_keys(bundle, lost), "--no-rounds")
    assert code == 1
    assert "no fue presentada por la anterior" in said


def test_a_key_introduced_by_another(bundle):
    def other(rows):
        hand = Ed25519PrivateKey.generate()
        rows[0][1]["introduced_by"] = hand.sign(rows[0][1]["document"].encode()).hex()

    code, said = insider(_keys(bundle, other), "--no-rounds")
    assert code == 1
    assert "la llave anterior no la presentó" in said


def _keys(bundle, how):
    rows = bundle.rows("keys.json")
    how(rows)
    bundle.files["keys.json"] = canonical(rows[0])
    return bundle


@pytest.mark.parametrize("which", [0, 1])
def test_a_rotated_key_is_followed_from_the_first_to_the_last(bundle, tmp_path, which):
    """The first key is enough to trust the second; the second alone does as well, it signs the last seal."""
    given = tmp_path / "llave.hex"
    given.write_text(bundle.rows("keys.json")[0][which]["public_key"] + "\n")
    code, said = bundle.verify("--key", str(given))
    assert code == 0, said
    assert "AVISO" not in said


# ---- money


def test_a_posting_altered(bundle):
    def alter(rows):
        line = rows[0]["lines"][0]
        line[1 if line[1] else 2] += 100

    code, said = insider(bundle.change_rows(MONEY, alter), "--no-rounds")
    assert code == 1
    assert f"{MONEY}:1: el asiento no suma cero" in said
    assert "no es la suma de sus apuntes" in said


def of_a_round(rows):
    return next(row for row in rows if row["kind"] == "round")


def test_a_round_posted_otherwise_in_both_columns(bundle):
    """It sums to zero and accounts are made to agree: the rules give another amount."""

    def alter(rows):
        for line in of_a_round(rows)["lines"][:2]:
            line[1 if line[1] else 2] += 100

    bundle.change_rows(MONEY, alter)
    accounts = {}
    for row in bundle.rows(MONEY):
        for account, debit, credit, _ in row["lines"]:
            sums = accounts.setdefault(account, [0, 0])
            sums[0] += debit
            sums[1] += credit
    rows = [{"account": name, "debit": d, "credit": c} for name, (d, c) in sorted(accounts.items())]
    bundle.change_rows("ledger/accounts.jsonl", lambda _: rows)
    code, said = insider(bundle, moved=bundle.manifest["totals"]["moved"] + 100)
    assert code == 1
    assert "los apuntes no son los que dan las reglas" in said


def test_a_transfer_left_out(bundle):
    code, said = insider(bundle.change_rows(MONEY, lambda rows: rows.remove(of_a_round(rows))))
    assert code == 1
    assert "los apuntes no son los que dan las reglas" in said
    assert "total «transfers»" in said


def test_a_void_that_does_not_give_back_what_was_moved(bundle):
    def alter(rows):
        back = next(row for row in rows if row["kind"] == "round_void")
        for line in back["lines"][:2]:
            line[1 if line[1] else 2] += 100

    code, said = insider(bundle.change_rows(MONEY, alter), "--no-rounds")
    assert code == 1
    assert "la anulación no devuelve lo que movió el pase" in said


# ---- rounds


def test_a_rounds_log_altered(bundle):
    def alter(rows):
        rows[0]["log"][0]["amount"] += 100

    code, said = insider(bundle.change_rows(ROUNDS, alter))
    assert code == 1
    assert f"{ROUNDS}:1" in said and "log no es lo que dice su suceso" in said


def test_a_rounds_settlement_altered(bundle):
    def alter(rows):
        rows[0]["settlement"]["announcement"]["es"] = "otra cosa"

    code, said = insider(bundle.change_rows(ROUNDS, alter))
    assert code == 1
    assert "liquidado de nuevo da otra cosa: announcement" in said


@pytest.mark.parametrize(
    ("name", "value"),
    [("winner", "x"), ("state", "void"), ("label", "Otra · 1"), ("session", 999_999), ("number", 99)],
)
def test_what_else_is_told_of_a_round(bundle, name, value):
    def alter(rows):
        rows[0][name] = value

    code, said = insider(bundle.change_rows(ROUNDS, alter), "--no-rounds")
    assert code == 1
    assert f"FALLA: {ROUNDS}:1" in said


def test_a_bet_paid_otherwise(bundle):
    def alter(rows):
        rows[0]["bets"][0]["returned"] += 100

    code, said = insider(bundle.change_rows(ROUNDS, alter), "--no-rounds")
    assert code == 1
    assert "las apuestas no son las de su suceso" in said


def test_a_round_left_out(bundle):
    code, said = insider(bundle.change_rows(ROUNDS, lambda rows: rows[1:]), "--no-rounds")
    assert code == 1
    assert "falta el pase de este suceso" in said


def test_a_void_round_shown_as_good(bundle):
    def alter(rows):
        next(row for row in rows if row["void"])["void"] = None

    code, said = insider(bundle.change_rows(ROUNDS, alter), "--no-rounds")
    assert code == 1
    assert "anula un pase que se da por bueno" in said


def test_rules_that_were_not_published(bundle):
    def alter(rows):
        rules = next(row for row in rows if row["kind"] == "rules")
        key = next(key for key, value in sorted(rules["params"].items()) if isinstance(value, int))
        rules["params"][key] += 1

    code, said = insider(bundle.change_rows("rounds/versions.jsonl", alter), "--no-rounds")
    assert code == 1
    assert "no es lo que publicó su suceso" in said


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


# ---- reports


def test_a_cell_of_the_csv_altered(bundle):
    text = bundle.files[f"{REPORT}.csv"].decode()
    assert "2026-11-20" in text
    code, said = insider(bundle.change(f"{REPORT}.csv", replaced(",100.00", ",900.00")), "--no-rounds")
    assert code == 1
    assert "el CSV no dice lo mismo que esta fila" in said


def test_a_row_added_to_the_csv(bundle):
    code, said = insider(bundle.change(f"{REPORT}.csv", lambda data: data + b"x,y\r\n"), "--no-rounds")
    assert code == 1
    assert "tiene filas de más" in said


def test_a_total_that_is_no_sum(bundle):
    """In both the rows and the CSV, so that they still agree with each other."""
    name = f"{REPORT}.rows.jsonl"

    def alter(rows):
        columns = row = None
        for each in rows:
            columns = each.get("columns", columns)
            row = each if "cells" in each else row
            for key in each.get("sums", ()):
                at = [column["key"] for column in columns].index(key)
                row["cells"][at] = "77777"
                return

    code, said = insider(bundle.change_rows(name, alter), "--no-rounds")
    assert code == 1
    assert "no es la suma de sus filas" in said


def test_a_total_of_the_manifest_altered(bundle):
    code, said = insider(bundle, "--no-rounds", moved=1)
    assert code == 1
    assert "total «moved»: dice 1" in said
