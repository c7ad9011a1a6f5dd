"""The Plan de Apuestas and pay tables of a game, and cards: drafted from figures, in force once approved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest

from audits import filing_demands, filings
from audits.evidence_proofs import evidence_faults
from audits.filing_kinds import about_house
from audits.models import Event, Filing, FilingDemand
from casino.kernel import clock
from casino.kernel.permissions import Role
from shoes import homologation
from shoes.models import Deck
from tables import plan_filings, settings
from tables.alerts import filing_watch
from tables.games import registry
from tables.models import GameRules
from tests.builders import CONFIRMED, NIGHT, House
from tests.tables.refusing import refused

MINI = registry.game("baccarat.mini")
DAY = dt.date(2026, 11, 20)
PARAMS: dict[str, Any] = {"tie_pays": "9:1"}


@pytest.fixture(autouse=True)
def standing() -> Iterator[None]:
    with clock.standing_at(NIGHT):
        yield


def demand(house: House, *kinds: str, wanted: bool = True) -> None:
    for kind in kinds or plan_filings.KINDS:
        by = house.by(Role.COMPLIANCE, reason="así lo pide el Plan de Apuestas")
        filing_demands.set_demand(kind=kind, demanded=wanted, by=by)


def publish(house: House, params: dict[str, Any] = PARAMS) -> GameRules:
    by = house.by(Role.ADMINISTRATOR, reason="prueba")
    return settings.publish_rules(game=MINI.code, params=params, betting_plan="PA-7", by=by, **CONFIRMED)


def draft(house: House, kind: str = plan_filings.BETTING_PLAN, params: dict[str, Any] = PARAMS) -> Filing:
    return plan_filings.draft(kind=kind, game=MINI.code, params=params, by=house.by(Role.PIT_BOSS))


def approve(house: House, filing: Filing, **about: Any) -> Filing:
    filings.present_filing(filing=filing, by=house.by(Role.COMPLIANCE))
    return filings.decide_filing(
        filing=filing, approved=True, reference="RA/9", by=house.by(Role.ADMINISTRATOR), **about
    )


def stated(params: dict[str, Any] = PARAMS) -> dict[str, Any]:
    return MINI.read_rules(params).to_json()


@pytest.mark.rule("GEN-05", "REC-09")
def test_rules_are_not_published_before_the_aj_approved_these_very_figures(house: House) -> None:
    publish(house)  # nobody asks for it yet
    demand(house)
    with refused("not_approved", "GEN-05") as refusal:
        publish(house)
    assert refusal.value.detail == {"filing": "betting_plan", "filing_id": None}
    assert "Plan de Apuestas del juego" in refusal.value.message.es
    asked = draft(house)
    with refused("not_approved", "GEN-05") as refusal:
        publish(house)
    assert f"{asked.label} está en borrador" in refusal.value.message.es
    approve(house, asked)
    with refused("not_approved", "GEN-05") as refusal:
        publish(house)
    assert refusal.value.detail["filing"] == "pay_tables"
    approve(house, draft(house, plan_filings.PAY_TABLES))
    assert publish(house).version == 2
    # Another figure is another plan: the approval is not for it.
    with refused("not_approved", "GEN-05"):
        publish(house, {"tie_pays": "8:1"})


@pytest.mark.rule("GEN-05")
def test_the_filing_says_its_figures_in_words_and_their_digest(house: House) -> None:
    asked = draft(house)
    digest = plan_filings.digest_of(plan_filings.BETTING_PLAN, MINI, stated())
    assert "Empate paga: 9:1" in asked.text and digest in asked.text
    assert "Comisión sobre el premio de banca, en %: 5,00" in asked.text
    assert "baccarat.mini" not in asked.text  # the game is called by its name
    assert (asked.facts["game"], asked.facts["digest"]) == (MINI.code, digest)
    assert asked.facts["says"]["tie_pays"] == "9:1"
    pays = draft(house, plan_filings.PAY_TABLES)
    assert "baccarat.tie" in pays.text and "9:1" in pays.text
    assert pays.facts["says"]["baccarat.tie"] == {"tie": "9:1"}
    assert pays.facts["digest"] != digest


def test_what_cannot_be_asked_for(house: House) -> None:
    with refused("unknown_filing", ""):
        draft(house, "pool_equipment")
    with pytest.raises(Exception, match="tie_pays"):
        draft(house, params={"tie_pays": "mucho"})
    house_itself = about_house(house.casino)
    with refused("facts_missing", "GEN-05"):  # it is drafted from its figures, not by hand
        filings.draft_filing(
            kind="betting_plan", subject=house_itself, text="x", by=house.by(Role.COMPLIANCE)
        )


@pytest.mark.rule("GEN-05", "REC-09")
def test_a_table_is_not_opened_once_its_approval_is_gone(house: House) -> None:
    publish(house)
    demand(house, plan_filings.BETTING_PLAN)
    table = house.table()
    rules = GameRules.in_force(house.casino, MINI.code, NIGHT)
    assert rules is not None
    with refused("not_approved", "GEN-05"):
        house.open_table(table)
    given = approve(house, draft(house, params=rules.params), valid_until=DAY)
    assert house.open_table(table).live
    other = house.table()
    filings.revoke_filing(
        filing=given, document="RA/10", by=house.by(Role.COMPLIANCE, reason="faltaba una firma")
    )
    with refused("not_approved", "GEN-05") as refusal:
        house.open_table(other, dealer=1, supervisor=1)
    assert "fue revocado" in refusal.value.message.es


@pytest.mark.rule("REC-09")
def test_an_approval_that_lapsed_is_an_alert_and_no_approval(house: House) -> None:
    house.table()
    rules = GameRules.in_force(house.casino, MINI.code, NIGHT)
    assert rules is not None
    assert list(filing_watch.watch(house.casino, NIGHT)) == []
    demand(house, plan_filings.BETTING_PLAN)
    assert [one.kind for one in filing_watch.watch(house.casino, NIGHT)] == ["filing.lacking"]
    approve(house, draft(house, params=rules.params), valid_until=DAY + dt.timedelta(days=15))
    soon = list(filing_watch.watch(house.casino, NIGHT))
    assert [(one.kind, one.level) for one in soon] == [("filing.due", "warn")]
    gone = list(filing_watch.watch(house.casino, NIGHT + dt.timedelta(days=16)))
    assert [(one.kind, one.level) for one in gone] == [("filing.due", "bad"), ("filing.lacking", "bad")]


@pytest.mark.rule("REC-09")
def test_what_a_house_asks_for_is_told_with_its_reason_and_not_what_the_aj_asks_for(house: House) -> None:
    assert filing_demands.demanded(house.casino, *plan_filings.KINDS) == set()
    assert filing_demands.demanded(house.casino, "pool_equipment") == {"pool_equipment"}
    demand(house, plan_filings.PAY_TABLES)
    demand(house, plan_filings.PAY_TABLES)  # it is so already
    assert FilingDemand.objects.count() == 1
    demand(house, plan_filings.PAY_TABLES, wanted=False)
    actions = list(Event.objects.filter(action__startswith="audits.filing.").values_list("action", flat=True))
    assert actions == ["audits.filing.demanded", "audits.filing.released"]
    assert filing_demands.demanded(house.casino, *plan_filings.KINDS) == set()
    assert list(evidence_faults(house.casino)) == []
    by = house.by(Role.ADMINISTRATOR, reason="x")
    with refused("always_demanded", "PP-04"):
        filing_demands.set_demand(kind="pool_equipment", demanded=False, by=by)
    with refused("unknown_filing", ""):
        filing_demands.set_demand(kind="poema", demanded=True, by=by)
    with refused("reason_missing", ""):
        filing_demands.set_demand(kind="betting_plan", demanded=True, by=house.by(Role.ADMINISTRATOR))
    with pytest.raises(Exception, match="no"):
        filing_demands.set_demand(kind="betting_plan", demanded=True, by=house.by(Role.PIT_BOSS, reason="x"))


@pytest.mark.rule("REC-09")
def test_cards_of_a_maker_nobody_homologated_are_not_received(house: House) -> None:
    house.ready_shoe()  # nobody asks for it yet
    demand(house, homologation.MATERIALS)
    maker = Deck.objects.filter(casino=house.casino).values_list("maker", flat=True).first()
    assert maker is not None
    with refused("not_approved", "REC-09") as refusal:
        homologation.require(house.casino, maker, "french52", DAY)
    assert refusal.value.field == "maker" and "homologación de barajas" in refusal.value.message.es
    asked = homologation.draft(maker=f" {maker.upper()} ", deck_type="french52", by=house.by(Role.COMPLIANCE))
    with refused("not_approved", "REC-09"):
        homologation.require(house.casino, maker, "french52", DAY)
    filings.present_filing(filing=asked, by=house.by(Role.COMPLIANCE))
    filings.decide_filing(filing=asked, approved=True, reference="RA/3", by=house.by(Role.ADMINISTRATOR))
    homologation.require(house.casino, maker, "french52", DAY)
    with refused("not_approved", "REC-09"):
        homologation.require(house.casino, maker, "other", DAY)
