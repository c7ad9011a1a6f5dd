"""Altered keys, and a house made anew whole: found by the seals and keys that others kept; the command."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from audits.models import Event, Seal, SealKey, SealLeaf
from audits.sealing import checking, keeping, keys, merkle, publishing
from audits.sealing.reading import leaves_of
from casino.kernel.canonical import canonical
from casino.kernel.permissions import Role
from tests.audits.conftest import House
from tests.audits.seal_tampering import (
    DAY,
    Guards,
    delete,
    event,
    found,
    rebuild,
    reword,
    undone,
)

pytestmark = [pytest.mark.rule("REC-06"), pytest.mark.usefixtures("key_folder")]


# ---- keys -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"public_key": bytes(32)}, "seal_key_altered"),
        ({"document": b"{}"}, "seal_key_altered"),
        ({"introduced_by": bytes(64)}, "seal_key_not_introduced"),
        ({"signature": bytes(64)}, "seal_key_unsigned"),
        ({"previous_id": None, "introduced_by": None}, "seal_key_altered"),
        ({"lost": True, "introduced_by": None}, "seal_key_altered"),
    ],
)
def test_a_key_is_altered(
    house: House, nights: list[Seal], past_the_guards: Guards, change: dict[str, Any], code: str
) -> None:
    new = keeping.rotate_key(by=house.by())
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE audits_sealkey DROP CONSTRAINT seal_key_introduced_or_answered_for")
        cursor.execute("DROP INDEX one_first_seal_key")
        SealKey.objects.filter(pk=new.pk).update(**change)
    codes = {f.code for f in checking.seal_faults(house.casino) if f.where == f"key {new.key_id}"}
    assert code in codes


def test_a_key_is_gone_from_the_middle(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    middle = keeping.rotate_key(by=house.by())
    last = keeping.rotate_key(by=house.by())
    with undone(), past_the_guards():
        delete("sealkey", middle.pk)
        codes = {f.code for f in checking.seal_faults(house.casino) if f.where == f"key {last.key_id}"}
    assert "seal_key_out_of_order" in codes


def test_a_key_in_place_of_a_lost_one_is_told_and_no_fault(house: House, nights: list[Seal]) -> None:
    second = house.person("cumple", Role.COMPLIANCE)
    new = keeping.replace_lost_key(second=second.actor, by=house.by(reason="disco perdido"))
    assert found(house) == {}
    assert new.key_id in checking.notes(house.casino)[0].es


# ---- what others kept -------------------------------------------------------------------------------------


def forge(house: House, nights: list[Seal], past_the_guards: Guards) -> None:
    """Everything made anew by somebody who has the database and the key: event, chain, leaves, roots, seals
    and what the trail tells of them."""
    with past_the_guards():
        reword("a", 2, b'"event":1', b'"event":7')
        rebuild("a", since=2)
        previous = bytes(32)
        for seal in Seal.objects.order_by("day__date").select_related("key", "day"):
            for leaf in SealLeaf.objects.filter(seal=seal):
                SealLeaf.objects.filter(pk=leaf.pk).update(hash=event(leaf.name, leaf.seq).hash)
            root = merkle.root([merkle.leaf(*leaf) for leaf in leaves_of(seal)])
            said = json.loads(bytes(seal.document)) | {"root": root.hex(), "previous_root": previous.hex()}
            document = canonical(said)
            signature = keys.sign_with(seal.key, document)
            Seal.objects.filter(pk=seal.pk).update(
                root=root, previous_root=previous, document=document, signature=signature
            )
            told = Event.objects.filter(action="audits.day.sealed", subject_id=seal.day_id).get()
            body = json.loads(bytes(told.body))
            body["data"] |= {
                "root": root.hex(), "previous_root": previous.hex(), "signature": signature.hex(),
            }  # fmt: skip
            Event.objects.filter(pk=told.pk).update(body=canonical(body))
            rebuild("days")
            previous = root


def test_all_made_anew_with_the_key_is_found_by_what_others_kept(
    house: House, nights: list[Seal], past_the_guards: Guards, tmp_path: Path
) -> None:
    kept = json.dumps(publishing.whole_file(house.casino, Seal.objects.order_by("day__date")))
    scanned = publishing.qr_text(nights[1])
    forge(house, nights, past_the_guards)
    assert found(house) == {}
    seals, known = publishing.read(kept)
    assert found(house, against=seals, known=known) == {
        f"published {day}": "published_differs" for day in DAY[:3]
    }
    seals, known = publishing.read(scanned)
    assert found(house, against=seals, known=known) == {f"published {DAY[1]}": "published_differs"}


def test_what_others_kept_agrees_with_an_untouched_house(house: House, nights: list[Seal]) -> None:
    seals, known = publishing.read(json.dumps(publishing.whole_file(house.casino, nights)))
    assert found(house, against=seals, known=known) == {}


def test_a_published_seal_or_key_the_database_lacks(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    seals, known = publishing.read(json.dumps(publishing.whole_file(house.casino, nights)))
    with past_the_guards():
        SealLeaf.objects.filter(seal=nights[2]).delete()
        Seal.objects.filter(pk=nights[2].pk).delete()
    said = found(house, against=seals, known=known)
    assert said[f"published {DAY[2]}"] == "published_missing"
    stranger = publishing.PublishedKey("illimani", "0" * 16, "11" * 32)
    assert found(house, known=[stranger])[f"key {'0' * 16}"] == "published_key_missing"


def test_a_kept_file_that_was_altered_itself(house: House, nights: list[Seal]) -> None:
    told = publishing.seal_file(nights[0])
    told["document"] = told["document"].replace('"leaves":', '"leaves": ')
    seals, known = publishing.read(json.dumps(told))
    assert found(house, against=seals, known=known) == {f"published {DAY[0]}": "published_unsigned"}


# ---- the command ------------------------------------------------------------------------------------------


def verify(*arguments: str) -> tuple[str, str, int]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("verify_trail", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), err.getvalue() + str(error), error.returncode
    return out.getvalue(), err.getvalue(), 0


def test_the_command_says_all_is_well_or_what_is_not(
    house: House, nights: list[Seal], past_the_guards: Guards
) -> None:
    out, err, code = verify("--seals")
    assert (code, err) == (0, "")
    assert "illimani: sellos íntegros, 3 sellos" in out
    with past_the_guards():
        reword("a", 4, b'"event":0', b'"event":7')
        rebuild("a", since=4)
    out, err, code = verify("--seals", "--casino", "illimani")
    assert code == 1
    assert "illimani: a #4–5: no son los eventos que selló el día 2026-11-03" in err
    out, _, code = verify("--seals", "--json")
    (told,) = json.loads(out)
    assert code == 1
    assert [(f["code"], f["where"]) for f in told["faults"]] == [("chain_rebuilt", "a #4–5")]
    assert (told["casino"], told["seals"]) == ("illimani", 3)


def test_the_command_reads_what_others_kept(
    house: House, nights: list[Seal], past_the_guards: Guards, tmp_path: Path
) -> None:
    kept = tmp_path / "guardado.txt"
    kept.write_text("\n".join(publishing.qr_text(seal) for seal in nights), encoding="utf-8")
    assert verify("--against", str(kept))[2] == 0
    forge(house, nights, past_the_guards)
    _, err, code = verify("--against", str(kept))
    assert code == 1
    assert "published 2026-11-02" in err
    kept.write_text("nada", encoding="utf-8")
    assert "no se puede leer" in verify("--against", str(kept))[1]
    kept.write_bytes(b"\xff\xfe\x00")
    assert verify("--against", str(kept))[2] == 1
    assert verify("--against", str(tmp_path / "falta.json"))[2] == 1
    kept.write_text(publishing.qr_text(nights[0]).replace("illimani", "otro"), encoding="utf-8")
    assert "otro casino: otro" in verify("--against", str(kept))[1]


def test_a_kept_file_that_is_compared_with_nothing_is_no_agreement(
    house: House, nights: list[Seal], founder: Callable[[str], House], tmp_path: Path
) -> None:
    founder("sajama")
    kept = tmp_path / "guardado.txt"
    kept.write_text(publishing.qr_text(nights[0]), encoding="utf-8")
    _, err, code = verify("--against", str(kept), "--casino", "sajama")
    assert code == 1
    assert "no se comparó nada" in err
    assert "no hay casino" in verify("--seals", "--casino", "nadie")[1]


def test_the_plain_command_is_as_before(house: House, nights: list[Seal]) -> None:
    out, _, code = verify()
    assert (code, "auditoría íntegra" in out) == (0, True)
    assert "--json va con --seals" in verify("--json")[1]
