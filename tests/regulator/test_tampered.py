"""Every way we know to alter the chains of a bundle, by who holds the file, the database, or even the house's
key: each is found, and said where. The money, the rounds and the reports of it: test_tampered_figures.py.

Expected words are of the verifier's own; what must be found is from the issue's list, never from a run.
"""

from __future__ import annotations

import copy
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.regulator.tampering import canonical, flip, insider, replaced

pytestmark = pytest.mark.rule("REC-06")

EVENTS = "events/00001.jsonl"
MONEY = "ledger/transfers.jsonl"
KINDS = [
    "keys.json", "seals.jsonl", "leaves.jsonl", EVENTS, MONEY, "ledger/accounts.jsonl", "rounds/rounds.jsonl",
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
    assert "SOUND: all of it is proven" in said


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


# ---- who owns the database, or the very key: all hashes of the bundle hold, the seal does not


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


@pytest.mark.parametrize("again", [False, True])
def test_chains_out_of_order_or_one_of_them_twice(bundle, again):
    """The first chain after the last one; `again`: it stands in its place as well."""
    first = bundle.rows(EVENTS)[0]["body"]["stream"]

    def move(rows):
        chain = [row for row in rows if row["body"]["stream"] == first]
        return [*(rows if again else rows[len(chain) :]), *copy.deepcopy(chain)]

    code, said = insider(bundle.change_events(move), "--no-rounds")
    assert code == 1
    assert "las cadenas no están en orden" in said


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
