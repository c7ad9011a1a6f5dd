"""Which deck was where, when: told by the moves in one query, and held against a book kept beside them."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import replace
from typing import Any

import pytest

from audits.by import By
from audits.models import Incident
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import moving, whereabouts
from shoes.acts import destroy
from shoes.closing import count_shoe
from shoes.decks import issue_decks
from shoes.examining import inspect_deck
from shoes.models import Deck
from shoes.shoes import add_decks, end_shoe, put_in_play, start_shoe
from shoes.store import cancel, give_back, hold, quarantine, reseal
from tests.shoes import builders

START = dt.datetime(2026, 11, 20, 14, 0, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)


class Book:
    """Where each deck is, written down by hand at each act; `pages`: as the book stood at each instant."""

    def __init__(self) -> None:
        self.now: dict[str, tuple[str, str]] = {}
        self.pages: list[tuple[dt.datetime, dict[str, tuple[str, str]]]] = []

    def write(self, at: dt.datetime, serials: list[str], state: str, place: str = "") -> None:
        self.now = {**self.now, **dict.fromkeys(serials, (state, place))}
        self.pages.append((at, self.now))


class Told:
    """A chief who acts a minute later each time, and the book kept beside."""

    def __init__(self, casino: Casino, chief: By) -> None:
        self.casino, self.chief, self.book = casino, chief, Book()
        self.at, self.seals = START, 0

    def by(self, reason: str = "prueba") -> By:
        self.at += MINUTE
        return replace(self.chief, occurred_at=self.at, reason=reason)

    def receive(self, count: int) -> list[str]:
        decks = builders.registered_decks(self.casino, self.by(), count)
        return self.wrote([deck.serial for deck in decks], "store")

    def issue(self, serials: list[str], place: str) -> list[str]:
        decks = Deck.objects.filter(casino=self.casino, serial__in=serials)
        second = builders.beside(self.chief, Role.CROUPIER).actor
        issue_decks(
            seals={deck.serial: deck.seal for deck in decks}, place=place, received_by=second, by=self.by()
        )
        return self.wrote(serials, "issued", place)

    def inspect(self, serial: str, place: str, **found: Any) -> None:
        given = {"counted": 52, "by_suit_shown": True, "backs_checked": True, **found}
        inspect_deck(
            deck=Deck.objects.get(casino=self.casino, serial=serial),
            inspector=self.chief.actor,
            witness=builders.beside(self.chief, Role.CROUPIER).actor,
            by=self.by(),
            **given,
        )
        self.wrote([serial], *(("withdrawn", "") if found else ("passed", place)))

    def seal(self, serial: str) -> None:
        self.seals += 1
        second = builders.beside(self.chief, Role.COMPLIANCE).actor
        reseal(seals={serial: f"W-{self.seals}"}, with_=second, by=self.by())
        self.wrote([serial], "store")

    def wrote(self, serials: list[str], state: str, place: str = "") -> list[str]:
        self.book.write(self.at, serials, state, place)
        return serials


def found(casino: Casino, at: dt.datetime, **asked: str) -> dict[str, tuple[str, str]]:
    rows = whereabouts.where_at(casino, at, **asked)
    return {row.deck.serial: (row.move.state, row.move.place) for row in rows}


@pytest.fixture
def told(casino: Casino, chief: By) -> Told:
    return Told(casino, chief)


def a_shoes_life(told: Told, table: str) -> None:
    """Six decks from the store to a table's shoe, played, ended and counted: one of them short."""
    serials = told.issue(told.receive(6), moving.DESK)
    for serial in serials:
        told.inspect(serial, moving.DESK)
    shoe = start_shoe(game="baccarat.mini", decks_wanted=6, by=told.by())
    shoe = add_decks(shoe=shoe, serials=serials, by=told.by())
    told.wrote(serials, "in_shoe", moving.DESK)
    for step, data in builders.STEPS:
        shoe = builders.signed(shoe, step, data, told.by())
    put_in_play(shoe=shoe, table_label=table, game=shoe.game, by=told.by())
    told.wrote(serials, "in_shoe", table)
    end_shoe(shoe=shoe, reason="fin", by=told.by())
    told.wrote(serials, "returned", table)
    whole = {"counted": 52, "by_suit_shown": True, "backs_checked": True}
    counts: dict[str, dict[str, Any]] = {serial: {**whole, "seal": f"Q-{serial}"} for serial in serials}
    counts[serials[0]] = {**whole, "counted": 51, "missing": ["7c"]}
    witness = builders.beside(told.chief, Role.CROUPIER).actor
    count_shoe(shoe=shoe, found=counts, inspector=told.chief.actor, witness=witness, by=told.by())
    told.wrote(serials[1:], "store")
    told.wrote(serials[:1], "withdrawn")


@pytest.mark.rule("CARD-04")
def test_every_deck_at_every_instant_is_where_the_book_says(told: Told, casino: Casino) -> None:
    a_shoes_life(told, "PB-01")
    a_shoes_life(told, "PB-02")
    for at, page in dict(told.book.pages).items():  # of two lines at one instant the later
        assert found(casino, at) == found(casino, at + MINUTE - dt.timedelta(microseconds=1)) == page
    assert found(casino, START) == {}
    assert builders.faults(casino) == []


POSSIBLE: dict[str, tuple[str, ...]] = {
    "store": ("issue", "issue", "issue", "aside", "out"),
    "issued": ("inspect", "inspect", "back", "aside"),
    "passed": ("inspect", "back", "back", "aside", "hold"),
    "quarantine": ("inspect", "inspect", "out"),
    "withdrawn": ("hold", "cancel"),
    "cancelled": ("hold",),
    "held": (),
}
"""What the house may do with a deck, by the rules: a seal that was opened is replaced before it is issued."""


def walk_on(told: Told, act: str, serial: str, incident: Incident, chance: random.Random) -> None:
    """One act on a deck, and its line in the book."""
    match act:
        case "issue":
            if not Deck.objects.get(casino=told.casino, serial=serial).seal:
                told.seal(serial)
            told.issue([serial], moving.DESK)
        case "inspect":
            told.inspect(serial, moving.DESK, **chance.choice([{}, {}, {}, {"damaged": ["2h"]}]))
        case "back":
            give_back(serials=[serial], by=told.by())
            told.wrote([serial], "store")
        case "aside":
            quarantine(serials=[serial], by=told.by())
            told.wrote([serial], "quarantine")
        case "out":
            builders.withdrawn([serial], by=told.by())
            told.wrote([serial], "withdrawn")
        case "hold":
            boss = builders.beside(told.chief, Role.PIT_BOSS).actor
            hold(serials=[serial], incident=incident, by=replace(told.by(), actor=boss))
            told.wrote([serial], "held")
        case "cancel":
            cancel(serials=[serial], by=told.by())
            told.wrote([serial], "cancelled")


@pytest.mark.rule("CARD-04")
@pytest.mark.parametrize("seed", range(3))
def test_decks_moved_at_random_are_where_the_book_says(
    told: Told, casino: Casino, chief: By, seed: int
) -> None:
    """A walk of forty acts; the book follows the rules of the house, not the code."""
    chance = random.Random(seed)
    incident = builders.an_incident(replace(chief, occurred_at=START))
    told.receive(8)
    for _ in range(40):
        serial = chance.choice(sorted(told.book.now))
        possible = POSSIBLE[told.book.now[serial][0]]
        if possible:
            walk_on(told, chance.choice(possible), serial, incident, chance)
    assert len(told.book.pages) > 20
    for at, page in told.book.pages:
        assert found(casino, at) == page
        lying = sum(1 for state, _ in page.values() if state == "store")
        assert sum(whereabouts.stored_at(casino, at).values()) == lying
    by_state: dict[str, int] = {}
    for state, _ in told.book.now.values():
        by_state[state] = by_state.get(state, 0) + 1
    assert whereabouts.stock(casino)[0].by_state == by_state
    assert builders.faults(casino) == []


def test_one_place_or_one_deck_is_asked_for(told: Told, casino: Casino) -> None:
    a_shoes_life(told, "PB-01")
    playing = next(at for at, page in told.book.pages if ("in_shoe", "PB-01") in page.values())
    serials = sorted(told.book.now)
    assert sorted(found(casino, playing, place="PB-01")) == serials
    assert found(casino, playing, place=moving.DESK) == {}
    assert found(casino, playing, serial=serials[2]) == {serials[2]: ("in_shoe", "PB-01")}
    assert found(casino, playing, serial=serials[2], place="PB-02") == {}
    assert found(casino, playing, serial="ZZ") == {}
    row = whereabouts.where_at(casino, playing, serial=serials[0])[0]
    assert row.shoe is not None
    assert row.words.es == f"en el sabot {row.shoe.label} en PB-01"
    after = whereabouts.where_at(casino, told.at, serial=serials[0])[0]
    assert (after.shoe, after.words.es) == (None, "en el depósito")


def test_a_destroyed_deck_is_nowhere_and_its_act_is_told_to_whoever_asks_for_it(
    told: Told, casino: Casino, chief: By
) -> None:
    (serial,) = told.receive(1)
    (other,) = told.receive(1)
    builders.withdrawn([serial], by=told.by())
    cancel(serials=[serial], by=told.by())
    witnesses = [builders.beside(chief, role).actor for role in (Role.CROUPIER, Role.COMPLIANCE)]
    act = destroy(serials=[serial], method="triturada", site="depósito", witnesses=witnesses, by=told.by())
    assert sorted(found(casino, told.at - MINUTE)) == [serial, other]
    assert sorted(found(casino, told.at)) == [other]
    (row,) = whereabouts.where_at(casino, told.at, serial=serial)
    assert (row.move.act, row.words.es) == (act, f"destruida, {act.label}")


def test_another_house_sees_nothing(told: Told) -> None:
    told.receive(2)
    assert not whereabouts.where_at(builders.a_casino(), told.at)


@pytest.mark.rule("CARD-04")
def test_the_answer_is_one_query(told: Told, casino: Casino, django_assert_num_queries: Any) -> None:
    a_shoes_life(told, "PB-01")
    for asked in ({}, {"place": "PB-01"}, {"serial": sorted(told.book.now)[0]}):
        with django_assert_num_queries(1):
            for row in whereabouts.where_at(casino, told.at, **asked):
                assert row.deck.serial and row.move.by.name and row.words.es
    with django_assert_num_queries(1):
        whereabouts.stored_at(casino, told.at)
    with django_assert_num_queries(2):
        whereabouts.stock(casino)


def test_a_page_reads_no_other_rows_than_its_own(
    told: Told, casino: Casino, django_assert_num_queries: Any
) -> None:
    serials = told.receive(7)
    told.issue(serials[:3], moving.DESK)
    everywhere = whereabouts.where_at(casino, told.at)
    with django_assert_num_queries(2) as asked:
        assert everywhere.count() == 7
        assert [row.deck.serial for row in everywhere[2:4]] == sorted(serials)[2:4]
    assert "LIMIT 2 OFFSET 2" in asked.captured_queries[1]["sql"]
    assert [row.words.es for row in everywhere[2:4]] == [f"en {moving.DESK}", "en el depósito"]


def test_the_life_of_a_deck_is_told_in_sentences_newest_last(told: Told, casino: Casino) -> None:
    a_shoes_life(told, "PB-01")
    deck = Deck.objects.get(casino=casino, serial=sorted(told.book.now)[1])
    shoe = deck.moves.get(kind="joined").shoe
    assert shoe is not None
    assert [line.words.es for line in whereabouts.timeline(deck)] == [
        f"se recibió, con Segunda firma, compliance; precinto {deck.serial}",
        "se entregó a Segunda firma, croupier para inspección",
        "pasó la inspección en inspección",
        f"entró al sabot {shoe.label}",
        f"entró en juego en PB-01, en {shoe.label}",
        f"terminó {shoe.label}; espera su recuento de cierre",
        f"se contó al cierre de {shoe.label} y volvió al depósito; precinto Q-{deck.serial}",
    ]
    assert [line.move.seq for line in whereabouts.timeline(deck)] == list(range(1, 8))


def test_every_kind_of_move_has_its_sentence_in_both_languages() -> None:
    assert set(whereabouts._MOVED) == set(whereabouts.Kind)
    assert all(words.es and words.en for words in whereabouts._MOVED.values())
