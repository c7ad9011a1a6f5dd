"""The discard holder opened to settle a disputed play, and closed again (CARD-40)."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits import incident_facts, incidents
from audits.models import Event, Incident
from audits.verify import trail_faults
from casino.kernel.permissions import Role
from shoes import reviews as shoe_reviews
from shoes.models import Deck, DiscardReview, Shoe
from shoes.review_proofs import review_faults
from tables import reviewing, rounds, sessions, shuffling
from tables.games import registry
from tables.games.base import Detail
from tables.models import Round, TableSession
from tests.builders import NATURAL, NIGHT, House
from tests.tables.refusing import refused
from tests.tables.test_every_game import Play

LATER = NIGHT + dt.timedelta(minutes=2)


def open_review(house: House, session: TableSession, **changes: Any) -> DiscardReview:
    given: dict[str, Any] = {
        "number": 1,
        "asked_by": "asiento 3",
        "why": "dice que la banca tenía seis",
        "authorised_by": house.users[Role.PIT_BOSS].actor,
        "by": house.by(Role.SUPERVISOR),
        **changes,
    }
    return reviewing.open_review(session=session, **given)


def close_review(house: House, review: DiscardReview, counted: int, **changes: Any) -> DiscardReview:
    given: dict[str, Any] = {"found": "la banca tenía siete", "by": house.by(Role.SUPERVISOR), **changes}
    return reviewing.close_review(review=review, cards_counted=counted, **given)


def resolve(house: House, incident: Incident) -> None:
    incidents.resolve_incident(
        incident=incident,
        resolution="se mantiene el pago",
        rule_applied="CARD-40",
        with_=house.users[Role.PIT_BOSS].actor,
        by=house.by(Role.SUPERVISOR, LATER),
    )


@pytest.mark.rule("CARD-40", "GEN-08")
def test_a_disputed_play_is_looked_at_with_an_incident_and_the_table_waits(house: House) -> None:
    session = house.open_table()
    for _ in range(2):
        house.log(session, NATURAL)
    review = open_review(house, session)
    # Two rounds of four cards lie in the holder.
    assert (review.expected, review.round_label) == (8, f"{session.label} · 1")
    assert (review.incident.kind, review.incident.freezes) == ("cards.review", True)
    assert review.incident.notice_due is None
    with refused("table_frozen", "GEN-08"):
        house.log(session, NATURAL)
    with refused("incident_still_open"):
        resolve(house, review.incident)
    assert not {"found", "counted"} & set(shoe_reviews.findings(review.incident))
    close_review(house, review, 8)
    review.refresh_from_db()
    said = {name.es: value.es for name, value in incident_facts.of(review.incident)}
    assert (said["qué se encontró"], said["contadas"]) == ("la banca tenía siete", "8")
    assert (review.cards_counted, review.found) == (8, "la banca tenía siete")
    with refused("table_frozen"):
        house.log(session, NATURAL)
    resolve(house, review.incident)
    assert house.log(session, NATURAL, at=LATER).number == 3
    assert Shoe.objects.get(pk=session.shoe_id).discarded == 12
    assert Incident.objects.count() == 1 and not [*trail_faults(house.casino)]


@pytest.mark.rule("CARD-40")
def test_the_trail_says_who_asked_who_authorised_and_what_was_found(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    close_review(house, open_review(house, session), 4)

    def told(action: str) -> dict[str, Any]:
        return json.loads(bytes(Event.objects.get(action=action).body))["data"]

    opened, closed = told("shoes.discard.opened"), told("shoes.discard.closed")
    assert opened["asked_by"] == "asiento 3"
    assert opened["authorised_by"]["id"] == house.users[Role.PIT_BOSS].actor.pk
    assert (closed["counted"], closed["expected"], closed["found"]) == (4, 4, "la banca tenía siete")


@pytest.mark.rule("CARD-42", "CARD-40")
@pytest.mark.parametrize("counted", [3, 5])
def test_other_than_the_cards_there_were_is_an_irregularity(house: House, counted: int) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    review = close_review(house, open_review(house, session), counted)
    assert review.irregularity is not None
    assert (review.irregularity.kind, review.irregularity.freezes) == ("cards.fault", True)
    assert "CARD-42" in review.irregularity.rules and review.irregularity.notice_due is not None
    resolve(house, review.incident)
    with refused("table_frozen", "GEN-08") as refusal:
        house.log(session, NATURAL, at=LATER)
    assert refusal.value.detail["incident"] == review.irregularity.label
    sessions.load_shoe(
        session=session, shoe=house.ready_shoe(), by=house.by(Role.SUPERVISOR, LATER, "cartas en duda")
    )
    assert Deck.objects.filter(incident=review.irregularity, state="held").count() == 6


@pytest.mark.rule("GEN-10")
def test_two_chiefs_open_it(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    with refused("same_person", "GEN-10"):
        open_review(house, session, authorised_by=house.users[Role.SUPERVISOR].actor)
    with refused("not_qualified", "GEN-10"):
        open_review(house, session, authorised_by=house.users[Role.CAGE].actor)
    with refused("not_allowed"):
        open_review(house, session, by=house.by(Role.CROUPIER))
    assert not DiscardReview.objects.exists() and not Incident.objects.exists()


@pytest.mark.rule("CARD-40")
def test_it_is_opened_for_a_settled_round_whose_cards_lie_there(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    with refused("no_round"):
        open_review(house, session)
    rounds.play(session=session, number=1, step=0, events=NATURAL, by=by)
    with refused("round_open", "CARD-40"):
        open_review(house, session)
    rounds.abandon(session=session, number=1, step=4, by=house.by(Role.PIT_BOSS, reason="mal repartida"))
    with refused("round_not_settled", "CARD-40"):
        open_review(house, session)
    house.log(session, NATURAL)
    for missing in ({"asked_by": " "}, {"why": ""}):
        with refused("bad_name" if "asked_by" in missing else "bad_text", "CARD-40"):
            open_review(house, session, number=2, **missing)
    sessions.load_shoe(
        session=session, shoe=house.ready_shoe(), by=house.by(Role.SUPERVISOR, reason="cambio de cartas")
    )
    with refused("cards_gone", "CARD-40"):
        open_review(house, session, number=2)


@pytest.mark.rule("CARD-40")
def test_it_is_open_once_and_closed_once(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    review = open_review(house, session)
    with refused("review_open", "CARD-40"):
        open_review(house, session)
    with refused("bad_text", "CARD-40"):
        close_review(house, review, 4, found=" ")
    with refused("bad_count", "CARD-40"):
        close_review(house, review, -1)
    close_review(house, review, 4)
    with refused("review_closed", "CARD-40"):
        close_review(house, review, 4)
    with pytest.raises(IntegrityError), transaction.atomic():
        DiscardReview.objects.filter(pk=review.pk).update(cards_counted=5)


@pytest.mark.rule("CARD-40", "CARD-21")
def test_house_poker_is_looked_at_before_the_next_shuffle(house: House) -> None:
    """The pack counts as whole again once its round is over; the cards of the last one lie in the holder."""
    play = Play(house, registry.game("poker.caribbean"), Detail.CARDS, seed=3)
    first, last = play.whole(), play.whole()
    session = play._fresh()
    dealt = sum(1 for event in last.log if event["e"] == "card")
    with refused("cards_gone", "CARD-40"):
        open_review(house, session, number=first.number)
    review = open_review(house, session, number=last.number)
    assert review.expected == dealt > 0
    close_review(house, review, dealt)
    resolve(house, review.incident)
    shuffling.note_shuffle(session=session, kind="hand", by=house.by(Role.PIT_BOSS, LATER))
    with refused("cards_gone", "CARD-40"):
        open_review(house, session, number=last.number, by=house.by(Role.SUPERVISOR, LATER))


def test_nothing_but_a_shoe_in_play_has_a_holder(house: House) -> None:
    with refused("shoe_not_in_play"):
        shoe_reviews.open_review(
            shoe=house.ready_shoe(),
            round_label="PB-01",
            asked_by="asiento 1",
            why="por mirar",
            authorised_by=house.users[Role.PIT_BOSS].actor,
            by=house.by(Role.SUPERVISOR),
        )
    session = house.open_table()
    house.log(session, NATURAL)
    Shoe.objects.filter(pk=session.shoe_id).update(discarded=0, burned=7)
    with refused("discards_empty", "CARD-40"):
        open_review(house, session)
    assert Round.objects.count() == 1


@pytest.mark.rule("CARD-40", "REC-06")
@pytest.mark.parametrize(
    ("doctored", "named"),
    [
        ("asked_by = 'nadie'", "asked"),
        ("expected = 7", "expected"),
        ("cards_counted = 7", "counted"),
        ("found = 'nada'", "found"),
        ("closed_at = NULL, closed_by_id = NULL, cards_counted = NULL, found = ''", "closed"),
    ],
)
def test_a_doctored_review_is_found(house: House, doctored: str, named: str) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    close_review(house, open_review(house, session), 4)
    assert not [*review_faults(house.casino)]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(f"UPDATE shoes_discardreview SET {doctored}")
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert any(named in fault.words.es for fault in review_faults(house.casino))
