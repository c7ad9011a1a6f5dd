"""Disputes stop a table with its cards in view; how they were settled is found again by rule, kind and
words."""

from __future__ import annotations

import datetime as dt

import pytest

from audits import rulings
from audits.incidents import DISPUTE, OTHER, note_incident, report_incident, resolve_incident
from audits.models import Incident
from casino.kernel.errors import Conflict, NotAllowed, Refused, RuleViolation
from casino.kernel.permissions import Role
from tables import rounds
from tables.disputes import open_dispute
from tables.models import TableSession
from tables.told_proofs import told_faults
from tests.builders import NATURAL, NIGHT, House, a_house

LATER = NIGHT + dt.timedelta(minutes=10)


@pytest.fixture
def playing(house: House) -> TableSession:
    """A table with a round under way: 9 of spades to the punto, 5 of clubs to the banca."""
    session = house.open_table()
    by = house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(minutes=1))
    rounds.play(session=session, number=1, step=0, events=NATURAL[:2], by=by)
    return session


def settle(house: House, incident: Incident, resolution: str, rule: str = "GEN-08") -> Incident:
    return resolve_incident(
        incident=incident,
        resolution=resolution,
        rule_applied=rule,
        with_=house.users[Role.SUPERVISOR].actor,
        by=house.by(Role.PIT_BOSS, LATER),
    )


def ruling(
    house: House, summary: str, resolution: str, rule: str = "GEN-08", kind: str = DISPUTE
) -> Incident:
    by = house.by(Role.PIT_BOSS)
    return settle(house, report_incident(kind=kind, summary=summary, by=by), resolution, rule)


@pytest.mark.rule("GEN-08")
def test_a_dispute_freezes_the_round_with_its_cards_in_view_until_a_chief_decides(
    house: House, playing: TableSession
) -> None:
    by = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=2))
    incident = open_dispute(session=playing, claims="dice que no había cerrado apuestas", seat=3, by=by)
    assert (incident.kind, incident.freezes, incident.table_label) == (DISPUTE, True, playing.table.name)
    assert incident.facts["round"] == 1
    assert incident.facts["seat"] == 3
    assert incident.facts["in_view"]["es"] == "9♦ a Punto; 5♣ a Banca"
    assert incident.facts["state_of_round"]["es"] == "en curso"
    for step in ("play", "settle"):
        with pytest.raises(Conflict) as stopped:
            _go_on(house, playing, step)
        assert (stopped.value.code, stopped.value.rule) == ("table_frozen", "GEN-08")
    with pytest.raises(Conflict) as again:
        open_dispute(session=playing, claims="otra", by=by)
    assert again.value.code == "table_frozen"
    # Two of compliance would not do: a chief decides, naming the rule.
    settle(house, incident, "las apuestas estaban cerradas: el pase sigue", "BAC-11")
    rounds.play(session=playing, number=1, step=2, events=NATURAL[2:], by=house.by(Role.PIT_BOSS, LATER))
    assert (
        rounds.settle(session=playing, number=1, step=4, by=house.by(Role.PIT_BOSS, LATER)).winner == "punto"
    )
    assert list(told_faults(house.casino)) == []


def _go_on(house: House, session: TableSession, step: str) -> None:
    by = house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(minutes=3))
    if step == "play":
        rounds.play(session=session, number=1, step=2, events=NATURAL[2:3], by=by)
    else:
        rounds.settle(session=session, number=1, step=2, by=by)


def test_a_dispute_names_a_seat_of_the_table_says_what_and_is_a_chiefs(
    house: House, playing: TableSession
) -> None:
    by = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=2))
    with pytest.raises(Refused) as seat:
        open_dispute(session=playing, claims="algo", seat=8, by=by)
    assert (seat.value.code, seat.value.field) == ("no_such_seat", "seat")
    with pytest.raises(Refused) as silent:
        open_dispute(session=playing, claims=" ", by=by)
    assert silent.value.field == "claims"
    with pytest.raises(NotAllowed):
        open_dispute(session=playing, claims="algo", by=house.by(Role.COMPLIANCE))


@pytest.mark.rule("GEN-08")
def test_a_dispute_is_not_settled_without_a_rule_of_the_book(house: House, playing: TableSession) -> None:
    by = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=2))
    incident = open_dispute(session=playing, claims="carta mal repartida", by=by)
    with pytest.raises(Refused) as unknown:
        settle(house, incident, "se repite", "BAC-99")
    assert (unknown.value.code, unknown.value.field) == ("unknown_rule", "rule_applied")
    with pytest.raises(RuleViolation):
        resolve_incident(
            incident=incident, resolution="x", rule_applied="GEN-08", with_=house.users[Role.PIT_BOSS].actor,
            by=house.by(Role.PIT_BOSS, LATER),
        )  # fmt: skip


@pytest.fixture
def library(house: House) -> dict[str, Incident]:
    return {
        "card": ruling(
            house, "el croupier descubrió una carta al repartir", "la carta descubierta se quema", "CARD-41"
        ),
        "bet": ruling(house, "apuesta puesta después del cierre", "la apuesta tardía no vale y se devuelve"),
        "fall": ruling(house, "un cliente se cayó en el pasillo", "lo atendió enfermería", "GEN-10", OTHER),
    }


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, {"card", "bet", "fall"}),
        ({"rule": "card-41"}, {"card"}),
        ({"kind": DISPUTE}, {"card", "bet"}),
        ({"words": "cartas descubiertas"}, {"card"}),  # another number than what is written
        ({"words": "apuestas tardías"}, {"bet"}),
        ({"words": "apuesta -tardía"}, set()),
        ({"words": "enfermería", "kind": DISPUTE}, set()),
        ({"words": "nurse"}, {"fall"}),  # a note, in English, another form of the word
        ({"words": "%' OR 1=1 --"}, set()),
        ({"rule": "GEN-08", "words": "quema"}, {"card"}),
    ],
)
def test_rulings_are_found_by_rule_kind_and_the_words_as_people_say_them(
    house: House, library: dict[str, Incident], asked: dict[str, str], found: set[str]
) -> None:
    note_incident(incident=library["fall"], text="both nurses were called", by=house.by(Role.PIT_BOSS, LATER))
    report_incident(kind=DISPUTE, summary="carta descubierta, aún abierto", by=house.by(Role.PIT_BOSS))
    ruling(a_house(), "carta descubierta en otra casa", "la carta se quema", "CARD-41")
    assert set(rulings.search(house.casino, **asked)) == {library[name] for name in found}


def test_what_is_like_an_incident_comes_by_rule_then_kind_and_never_by_words_alone(
    house: House, library: dict[str, Incident]
) -> None:
    words_alone = ruling(house, "carta marcada sobre la mesa", "se cambia la baraja", "CARD-41", OTHER)
    by = house.by(Role.PIT_BOSS)
    incident = report_incident(kind=DISPUTE, summary="se descubrió una carta", by=by)
    found = rulings.like(incident)
    # GEN-08 applied and of its kind; of its kind. What shares words alone is another matter.
    assert found == [library["bet"], library["card"]]
    assert rulings.of_rule(house.casino, "CARD-41") == [words_alone, library["card"]]
