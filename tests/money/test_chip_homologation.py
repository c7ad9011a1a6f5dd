"""Chips and plaques of a maker nobody homologated do not enter the vault, where the house asks for it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits import filing_demands, filings
from audits.models import Filing
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.permissions import Role
from tables.models import ChipEntry
from tables.money import chip_entries, chip_homologation, chip_sets
from tests.builders import BOB, NIGHT, House, a_house
from tests.money.slip_builders import NOON

pytestmark = pytest.mark.rule("REC-09")
PLAQUE = 1_000 * BOB
DAY = dt.timedelta(days=1)


@pytest.fixture
def house(db: None) -> House:
    """One that asks for it, with plaques of a thousand."""
    house = a_house()
    chip_sets.set_chip_set(
        name="Placas", kind="plaque", denominations=[PLAQUE], by=house.by(Role.ADMINISTRATOR, reason="x")
    )
    by = house.by(Role.COMPLIANCE, reason="lo pide la licencia")
    filing_demands.set_demand(kind=chip_homologation.CHIP_MATERIALS, demanded=True, by=by)
    return house


def receive(house: House, at: dt.datetime = NIGHT, supplier: str = "Fábrica Ñ", **more: Any) -> ChipEntry:
    return chip_entries.receive_chips(
        **{"chips": {25 * BOB: 10}, **more},
        supplier=supplier,
        document="F-1",
        with_=house.users[Role.CAGE].actor,
        by=house.by(Role.COMPLIANCE, at),
    )


def homologated(house: House, chip_kind: str = "chip", until: dt.date | None = None) -> Filing:
    asked = chip_homologation.draft(
        maker=" FÁBRICA  ñ", chip_kind=chip_kind, by=house.by(Role.PIT_BOSS, NOON - DAY)
    )
    filings.present_filing(filing=asked, by=house.by(Role.COMPLIANCE, NOON - DAY))
    return filings.decide_filing(
        filing=asked,
        approved=True,
        reference="RA/4",
        valid_until=until,
        by=house.by(Role.COMPLIANCE, NOON - DAY),
    )


def lacking(house: House, **more: Any) -> RuleViolation:
    with pytest.raises(RuleViolation) as caught:
        receive(house, **more)
    assert (caught.value.code, caught.value.rule, caught.value.field) == (
        "not_approved",
        "REC-09",
        "supplier",
    )
    assert not ChipEntry.objects.filter(document="F-1").exists()
    return caught.value


def test_chips_enter_once_their_maker_is_approved(house: House) -> None:
    refusal = lacking(house)
    assert (
        "homologación de fichas y placas" in refusal.message.es and "redacte el trámite" in refusal.message.es
    )
    homologated(house)
    assert receive(house).total == 250 * BOB
    with pytest.raises(RuleViolation, match="falta"):
        receive(house, supplier="Otra fábrica")


def test_plaques_are_asked_for_apart(house: House) -> None:
    homologated(house)
    plaques = {"chips": {25 * BOB: 1, PLAQUE: 1}, "serials": "P-1"}
    lacking(house, **plaques)
    homologated(house, "plaque")
    assert receive(house, **plaques).total == 1_025 * BOB


def test_an_approval_that_ended_or_was_revoked_is_named(house: House) -> None:
    today = house.casino.gaming_day(NIGHT)
    found = homologated(house, until=today - DAY)
    assert f"{found.label} está aprobado y no rige hoy" in lacking(house).message.es
    found = homologated(house, until=today)
    by = house.by(Role.COMPLIANCE, reason="la AJ la revocó")
    filings.revoke_filing(filing=found, document="RA/5", by=by)
    assert f"{found.label} está revocado" in lacking(house).message.es


def test_what_leaves_needs_none_and_a_house_that_does_not_ask_receives(house: House) -> None:
    homologated(house)
    receive(house)
    by = house.by(Role.COMPLIANCE, reason="ya no")
    filing_demands.set_demand(kind=chip_homologation.CHIP_MATERIALS, demanded=False, by=by)
    assert receive(house, supplier="Otra").supplier == "Otra"


def test_a_draft_says_what_it_is_for(house: House) -> None:
    by = house.by(Role.PIT_BOSS)
    made = chip_homologation.draft(maker=" Fábrica Ñ ", chip_kind="plaque", by=by, text="adjunto muestras")
    assert made.facts == {"maker": "Fábrica Ñ", "chip_kind": "plaque"}
    assert made.text.startswith("Se pide homologar las placas de Fábrica Ñ") and "muestras" in made.text
    for wrong, code in (({"maker": " "}, "bad_entry"), ({"chip_kind": "card"}, "unknown_chip_kind")):
        with pytest.raises(Refused) as caught:
            chip_homologation.draft(**{"maker": "x", "chip_kind": "chip", **wrong}, by=by)
        assert caught.value.code == code
