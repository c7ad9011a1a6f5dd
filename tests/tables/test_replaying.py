"""A round step by step: the table after each event, the settlement with its rules, where it was stopped."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from audits import incident_links, incidents, rulings
from audits.incidents import report_incident
from audits.models import Incident
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import replaying, rounds
from tables.disputes import open_dispute
from tables.models import Round, TableSession
from tests.builders import BOB, NATURAL, NIGHT, House, bets

SECOND = dt.timedelta(seconds=1)
EVENTS = [*bets((1, "punto", 100), (3, "banca", 50)), *NATURAL]
"""Two bets and the close, then punto 9d Kh, banca 5c 2s: a natural 9 against 7, punto wins."""


@pytest.fixture
def session(house: House) -> TableSession:
    return house.open_table(detail="full")


@pytest.fixture
def played(house: House, session: TableSession) -> Round:
    return house.log(session, EVENTS)


def lying(shown: replaying.Replay) -> dict[str, str]:
    return {hand.name: " ".join(card for card, _mark in hand.cards) for hand in shown.felt.hands}


def staked(shown: replaying.Replay) -> dict[str, int]:
    return {row.spot: row.total for row in shown.felt.spots if row.total}


@pytest.mark.rule("GEN-08", "REC-15")
def test_the_table_after_each_event(played: Round) -> None:
    assert (replaying.replayed(played).steps, len(EVENTS)) == (7, 7)
    before = replaying.replayed(played, 0)
    assert (before.step, lying(before), staked(before)) == (0, {"punto": "", "banca": ""}, {})
    assert before.prompts and not before.done
    assert staked(replaying.replayed(played, 1)) == {"punto": 10_000}
    assert staked(replaying.replayed(played, 2)) == {"punto": 10_000, "banca": 5_000}
    # The cards come punto, banca, punto, banca.
    assert lying(replaying.replayed(played, 4)) == {"punto": "9d", "banca": ""}
    assert lying(replaying.replayed(played, 5)) == {"punto": "9d", "banca": "5c"}
    almost = replaying.replayed(played, 6)
    assert lying(almost) == {"punto": "9d Kh", "banca": "5c"}
    assert [mark for _card, mark in almost.felt.hands[0].cards] == ["", "new"]
    assert almost.settlement is None and almost.payouts == ()


@pytest.mark.rule("REC-15")
def test_the_last_step_is_settled_again_with_the_rule_of_each_payment(played: Round) -> None:
    last = replaying.replayed(played)
    assert last.done and last.settlement is not None and last.differs == ()
    assert last.settlement.outcome.winner == "punto"
    paid = {(one.seat, one.act): (one.amount, one.rule) for one in last.payouts}
    # Punto pays even money; the losing banca is taken.
    assert paid[1, "pay"][0] == 10_000 and paid[3, "collect"][0] == 5_000
    assert all(rule for _amount, rule in paid.values())


def test_steps_beyond_either_end_are_the_ends(played: Round) -> None:
    assert replaying.replayed(played, 999).step == 7
    assert replaying.replayed(played, -5).step == 0


@pytest.mark.rule("REC-15")
def test_what_is_stored_otherwise_is_said_on_the_last_step(played: Round) -> None:
    assert played.settlement is not None
    played.settlement["announcement"] = {"es": "gana banca", "en": "banca wins"}
    assert "announcement" in replaying.replayed(played).differs[0]
    assert replaying.replayed(played, 3).differs == ()


@pytest.mark.rule("REC-15")
def test_a_log_the_rules_refuse_is_told_and_not_guessed(played: Round) -> None:
    played.log[3]["card"] = played.log[4]["card"] = "zz"
    broken = replaying.replayed(played, 4)
    assert broken.refusal is not None and broken.settlement is None
    assert replaying.replayed(played, 3).refusal is None


def dispute(house: House, session: TableSession, at: dt.datetime) -> Incident:
    return open_dispute(session=session, claims="pagaron mal", seat=3, by=house.by(Role.SUPERVISOR, at))


@pytest.mark.rule("GEN-08")
def test_a_dispute_is_marked_where_play_stood(house: House, session: TableSession) -> None:
    by = house.by(Role.PIT_BOSS, NIGHT)
    first = rounds.play(session=session, number=1, step=0, events=EVENTS[:4], by=by)
    with clock.standing_at(NIGHT + 5 * SECOND):
        found = dispute(house, session, NIGHT + 5 * SECOND)
    first.refresh_from_db()
    (mark,) = replaying.marks_of(first)
    # Two bets, the close and one card had been entered, and the round was not over.
    assert (mark.incident, mark.step, mark.after) == (found, 4, False)
    last = replaying.replayed(first)
    assert not last.done and last.settlement is None and last.prompts


@pytest.mark.rule("GEN-08")
def test_an_incident_leads_to_its_round_and_the_round_to_it(
    house: House, session: TableSession, played: Round
) -> None:
    with clock.standing_at(NIGHT + 9 * SECOND):
        found = dispute(house, session, NIGHT + 9 * SECOND)
    assert replaying.round_of(found) == played
    (mark,) = replaying.marks_of(played)
    assert (mark.incident, mark.step, mark.after) == (found, 7, True)
    links = {link.route: link for link in incident_links.links_of(found)}
    assert set(links) == {"round-replay", "round", "table-cards"}
    assert links["round-replay"].query == f"?paso=7&incidente={found.pk}" and links["round-replay"].main


@pytest.mark.rule("GEN-08")
def test_a_card_found_missing_leads_to_the_last_round_before_it(
    house: House, session: TableSession, played: Round
) -> None:
    """Told by hand, of the table alone: it says no round, and what lay there last is what is looked at."""
    by = house.by(Role.PIT_BOSS, NIGHT + 9 * SECOND)
    about = {"kind": "cards.fault", "summary": "falta el 7♣", "table_label": session.table.name}
    found = report_incident(**about, by=by)
    assert replaying.round_of(found) is None and replaying.last_before(found) == played
    links = {link.route: link for link in incident_links.links_of(found)}
    assert set(links) == {"round-replay", "round", "table-cards"}
    assert "último pase antes del incidente, el 1" in links["round-replay"].words.es
    mark = replaying.mark_from(played, found)
    assert mark is not None and (mark.incident, mark.step, mark.after) == (found, 7, True)
    browser = Client()
    browser.force_login(house.users[Role.PIT_BOSS])
    page = reverse("round-replay", args=[played.pk])
    shown = browser.get(page, {"paso": 0, "incidente": found.pk}).content.decode()
    assert f"Nota en {found.label}" in shown and "Pase 1, antes de la primera anotación: " in shown
    assert "Nota en" not in browser.get(page, {"paso": 0, "incidente": found.pk + 1}).content.decode()
    found.opened_at = played.opened_at - SECOND
    assert replaying.last_before(found) is None
    found.opened_at, found.table_label = NIGHT + 9 * SECOND, ""
    assert replaying.last_before(found) is None


def test_what_says_no_round_leads_to_none(house: House, session: TableSession, played: Round) -> None:
    odd: list[dict[str, Any]] = [
        {}, {"round": None}, {"round": "1"}, {"round": "PB · x"}, {"round": f"otra · {played.number}"},
        {"round": "· 99999999999"}, {"round": 7.5},
    ]  # fmt: skip
    for facts in odd:
        incident = Incident(
            casino=house.casino, table_label=session.table.name, subject_type="shoe", subject_id=1,
            facts=facts, opened_at=NIGHT + SECOND,
        )  # fmt: skip
        assert replaying.round_of(incident) is None
    named = Incident(
        casino=house.casino, table_label=session.table.name, subject_type="shoe", subject_id=1,
        facts={"round": replaying.label_of(played)}, opened_at=NIGHT + SECOND,
    )  # fmt: skip
    assert replaying.round_of(named) == played


@pytest.mark.rule("GEN-08")
def test_a_ruling_of_the_same_game_is_more_like_it(house: House) -> None:
    mini, roulette, other_mini = (
        house.table(),
        house.table(game="roulette.single_zero", limits={"straight": (5 * BOB, 100 * BOB)}, detail="result"),
        house.table(),
    )

    def reported(name: str, words: str, hours: int) -> Incident:
        at = NIGHT + dt.timedelta(hours=hours)
        by = house.by(Role.SUPERVISOR, at)
        return incidents.report_incident(kind=incidents.DISPUTE, summary=words, table_label=name, by=by)

    def ruled(name: str, words: str, hours: int) -> Incident:
        found, pit = reported(name, words, hours), house.users[Role.PIT_BOSS].actor
        by = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(hours=hours))
        return incidents.resolve_incident(
            incident=found, resolution="se paga", rule_applied="FLOOR-12", with_=pit, by=by
        )

    same = ruled(other_mini.name, "reclama una ficha caída", 0)
    newer = ruled(roulette.name, "reclama una ficha movida", 1)
    asked = reported(mini.name, "pagaron mal la apuesta", 2)
    assert rulings.like(asked) == [same, newer]
