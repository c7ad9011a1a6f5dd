"""Two people sign an export, then it is delivered; never one twice, nor who asked alone (GEN-10)."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.db import IntegrityError, transaction

from audits import export_signing, exports, tasks, verify
from audits.by import by_user
from audits.models import Event, ExportDelivery, ExportSignature
from audits.reports import registry
from casino.kernel import clock
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role

from .exporting import actions, ask
from .sample import Sample

RECEIPT = "ab" * 32


@pytest.fixture(autouse=True)
def reports(monkeypatch):
    monkeypatch.setattr(registry, "_reports", {})
    monkeypatch.setattr(tasks.produce_export, "delay", lambda _id: None)
    registry.register(Sample)


@pytest.fixture
def carla(house):
    return house.person("carla", Role.COMPLIANCE)


@pytest.fixture
def boss(house):
    return house.person("jefe", Role.PIT_BOSS)


@pytest.fixture
def export(house, carla, files):
    return exports.produce(ask(house, carla, format="pdf").pk)


def sign(house, user, export):
    return export_signing.sign_export(export=export, by=by_user(user))


def deliver(house, user, export, **changes):
    given = {"recipient": "AJ, Dirección de Fiscalización", "how": "portal", "reference": "AJ-R-2026-0117"}
    return export_signing.deliver_export(export=export, **(given | changes), by=by_user(user))


@pytest.mark.rule("GEN-10")
def test_two_sign_and_it_is_delivered(house, carla, boss, export):
    assert sign(house, carla, export).place == 1  # who asked answers for what they prepared
    assert sign(house, boss, export).place == 2
    delivery = deliver(house, carla, export, receipt_name="constancia.pdf", receipt_sha256=RECEIPT.upper())
    assert (delivery.receipt_sha256, delivery.delivered_by) == (RECEIPT, carla.actor)
    assert actions(export) == ["requested", "finished", "signed", "signed", "delivered"]
    event = Event.objects.get(action="audits.export.delivered")
    told = json.loads(bytes(event.body))["data"]
    assert (told["sha256"], told["reference"], told["receipt_sha256"]) == (
        export.sha256, "AJ-R-2026-0117", RECEIPT,
    )  # fmt: skip
    assert list(verify.trail_faults(house.casino)) == []


@pytest.mark.rule("GEN-10")
def test_nobody_signs_twice(house, carla, boss, export):
    sign(house, boss, export)
    with pytest.raises(RuleViolation) as caught:
        sign(house, boss, export)
    assert (caught.value.rule, caught.value.code) == ("GEN-10", "same_person")


@pytest.mark.rule("GEN-10")
def test_who_asked_does_not_approve(house, carla, boss, export):
    sign(house, boss, export)
    with pytest.raises(RuleViolation) as caught:
        sign(house, carla, export)
    assert (caught.value.rule, caught.value.code) == ("GEN-10", "requester_signs_second")
    other = house.person("dora", Role.ADMINISTRATOR)
    assert sign(house, other, export).place == 2


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize("signed", [0, 1])
def test_it_is_not_delivered_before_two_signed(house, carla, boss, export, signed):
    if signed:
        sign(house, boss, export)
    with pytest.raises(RuleViolation) as caught:
        deliver(house, carla, export)
    assert (caught.value.code, str(2 - signed) in caught.value.say("es")) == ("signatures_missing", True)


def test_a_third_signature_is_one_too_many(house, carla, boss, export):
    sign(house, carla, export)
    sign(house, boss, export)
    with pytest.raises(Conflict) as caught:
        sign(house, house.person("dora", Role.ADMINISTRATOR), export)
    assert caught.value.code == "export_signed"


@pytest.mark.rule("REC-06")
def test_once_delivered_nothing_changes(house, carla, boss, export):
    sign(house, carla, export)
    sign(house, boss, export)
    deliver(house, carla, export)
    for act in (lambda: deliver(house, carla, export), lambda: sign(house, boss, export)):
        with pytest.raises(Conflict) as caught:
            act()
        assert caught.value.code == "export_delivered"
    for model in (ExportDelivery, ExportSignature):
        for row in model.objects.all():
            with pytest.raises(IntegrityError), transaction.atomic():
                row.save()
            with pytest.raises(IntegrityError), transaction.atomic():
                row.delete()


@pytest.mark.rule("GEN-10")
def test_the_database_itself_refuses_what_the_code_does(house, carla, boss, export):
    def signature(signer, place, **changes):
        given = {"sha256": export.sha256, "signed_at": clock.now()} | changes
        return ExportSignature(export=export, signer=signer.actor, place=place, **given)

    def delivery():
        return ExportDelivery(
            export=export, recipient="AJ", how="portal", reference="1",
            delivered_by=carla.actor, delivered_at=clock.now(),
        )  # fmt: skip

    for wrong in (delivery(), signature(boss, 2), signature(boss, 1, sha256="0" * 64)):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong.save()
    signature(boss, 1).save()
    for wrong in (delivery(), signature(boss, 2), signature(carla, 2)):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong.save()


@pytest.mark.rule("REC-06")
def test_a_file_that_was_altered_is_neither_signed_nor_delivered(house, carla, boss, export):
    path = exports.path_of(export)
    data = path.read_bytes()
    path.write_bytes(data + b" ")
    with pytest.raises(Conflict) as caught:
        sign(house, boss, export)
    assert caught.value.code == "export_changed"
    path.write_bytes(data)
    sign(house, carla, export)
    sign(house, boss, export)
    path.write_bytes(data[:-1])
    with pytest.raises(Conflict):
        deliver(house, carla, export)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"recipient": "  "}, "recipient"),
        ({"recipient": "AJ\u202e"}, "recipient"),
        ({"how": "paloma"}, "how"),
        ({"reference": ""}, "reference"),
        ({"receipt_sha256": "xyz"}, "receipt_sha256"),
    ],
)
def test_a_delivery_that_says_nothing_is_refused_beside_its_field(house, carla, boss, export, changes, field):
    sign(house, carla, export)
    sign(house, boss, export)
    with pytest.raises(Refused) as caught:
        deliver(house, carla, export, **changes)
    assert (caught.value.code, caught.value.field) == ("bad_delivery", field)
    assert not ExportDelivery.objects.exists()


def test_who_may_not_does_not(house, carla, boss, export, founder):
    for user in (house.person("caja", Role.CAGE), house.person("inspector", Role.INSPECTOR)):
        with pytest.raises(NotAllowed):
            sign(house, user, export)
    sign(house, carla, export)
    sign(house, boss, export)
    with pytest.raises(NotAllowed):
        deliver(house, boss, export)
    other = founder("tunari")
    with pytest.raises(NotFound):
        sign(other, other.person("otra", Role.COMPLIANCE), export)


def test_steps_stated_out_of_order_are_refused(house, carla, boss, export):
    sign(house, carla, export)
    early = by_user(boss, occurred_at=clock.now() - dt.timedelta(hours=2))
    with pytest.raises(Refused) as caught:
        export_signing.sign_export(export=export, by=early)
    assert caught.value.code == "occurred_out_of_order"


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE audits_exportsignature SET signer_id = {other} WHERE place = 2",
        "DELETE FROM audits_exportsignature WHERE place = 2",
        "UPDATE audits_exportdelivery SET reference = 'otra'",
        "DELETE FROM audits_exportdelivery",
        "UPDATE audits_export SET rows_sha256 = repeat('0', 64)",
        "UPDATE audits_export SET manifest = 'x'",
        "UPDATE audits_export SET state = 'cancelled'",
    ],
)
def test_the_proof_finds_what_somebody_changed_behind_the_guards(
    house, carla, boss, export, past_the_guards, change
):
    from django.db import connection

    sign(house, carla, export)
    sign(house, boss, export)
    deliver(house, carla, export)
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute(change.format(other=house.admin.actor.pk))
    assert [fault.where for fault in verify.trail_faults(house.casino)] != []
