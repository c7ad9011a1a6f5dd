"""A house that ran the version before: its decks get their moves out of what was told of them (CARD-04).

The records of that version are made from today's: what it did not keep is taken away again, in the rows and
in the events.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import pytest

from audits.by import By
from audits.models import Event
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import queries
from shoes.closing import count_shoe
from shoes.decks import issue_decks
from shoes.examining import inspect_deck
from shoes.models import Deck, Shoe
from shoes.shoes import end_shoe
from shoes.store import give_back, reseal
from shoes.whereabouts import timeline
from tests.shoes import builders
from tests.shoes.test_guards import run

CARRY_OVER = importlib.import_module("shoes.migrations.0006_decks_of_before").CARRY_OVER

NOT_YET_TOLD = {
    "shoes.deck.registered": "seals homologation declared",
    "shoes.deck.passed": "foreign damaged suit_order moment shoe incident",
    "shoes.deck.withdrawn": "foreign suit_order moment shoe incident",
    "shoes.shoe.started": "method",
    "shoes.shoe.put_in_play": "serials",
}
_BODY = "convert_from(body, 'UTF8')::jsonb"


def as_before() -> None:
    """The records as the version before left them: no moves or seals, decks of an ended shoe in the store."""
    run("SET CONSTRAINTS ALL IMMEDIATE")
    run("SET LOCAL session_replication_role = replica")
    run("DELETE FROM shoes_deckmove")
    run("DELETE FROM audits_event WHERE action = 'shoes.deck.issued'")
    for action, keys in NOT_YET_TOLD.items():
        for key in keys.split():
            less = f"({_BODY} #- ARRAY['data', '{key}'])::text"
            run(f"UPDATE audits_event SET body = convert_to({less}, 'UTF8') WHERE action = %s", action)
    run("UPDATE shoes_deck SET move_count = 0, seal = '', place = '', homologation = ''")
    run("UPDATE shoes_deck SET state = 'store' WHERE state = 'returned'")
    run("UPDATE shoes_shoe SET played_table = '', method = ''")
    run("SET LOCAL session_replication_role = origin")


def moves_of(deck: Deck) -> list[tuple[str, str, str, str]]:
    return list(deck.moves.order_by("seq").values_list("kind", "was", "state", "place"))


RECEIVED = ("received", "", "store", "")
PASSED = ("passed", "store", "passed", "inspección")
JOINED = ("joined", "passed", "in_shoe", "inspección")
PLAYED = ("played", "in_shoe", "in_shoe", "PB-01")
WITHDRAWN = ("withdrawn", "store", "withdrawn", "")
ENDED = ("ended", "in_shoe", "store", "")


class Before:
    """A house of the version before, carried over: a deck of each kind there was."""

    def __init__(self, casino: Casino, chief: By) -> None:
        self.casino, self.chief = casino, chief
        self.croupier = builders.beside(chief, Role.CROUPIER).actor
        self.ended = end_shoe(shoe=builders.shoe_in_play(casino, chief, decks=6), reason="fin", by=chief)
        self.inside = builders.shoe_in_play(casino, chief, decks=6)
        (self.sealed,) = builders.registered_decks(casino, chief, 1)
        (self.fit,) = builders.inspected_decks(casino, chief, 1)
        (self.worn,) = builders.issued_decks(casino, chief, 1)
        self.inspect(self.worn, ["2h"])
        self.used = self.ended.moves.order_by("pk")[0].deck
        as_before()
        run(CARRY_OVER)

    def inspect(self, deck: Deck, damaged: Sequence[str] = ()) -> None:
        inspect_deck(
            deck=deck, counted=52, by_suit_shown=True, backs_checked=True, inspector=self.chief.actor,
            witness=self.croupier, by=self.chief, damaged=damaged,
        )  # fmt: skip


@pytest.fixture
def before(casino: Casino, chief: By) -> Before:
    return Before(casino, chief)


@pytest.mark.rule("CARD-04")
def test_each_deck_has_the_moves_its_events_told_of_and_the_proofs_agree(before: Before) -> None:
    assert moves_of(before.sealed) == [RECEIVED]
    assert moves_of(before.fit) == [RECEIVED, PASSED]
    assert moves_of(before.worn) == [RECEIVED, WITHDRAWN]
    assert moves_of(before.used) == [RECEIVED, PASSED, JOINED, PLAYED, ENDED]
    deck = before.inside.decks.order_by("pk")[0]
    assert moves_of(deck) == [RECEIVED, PASSED, JOINED, PLAYED]
    assert (deck.place, deck.moves.order_by("-seq")[0].shoe) == ("PB-01", before.inside)
    assert Shoe.objects.get(pk=before.ended.pk).played_table == "PB-01"
    for move in deck.moves.all():
        told = Event.objects.get(pk=move.event_id)
        assert (move.by_id, move.at) == (told.actor_id, told.occurred)
    assert timeline(before.used)[-1].words.es == f"terminó {before.ended.label} y volvió al depósito"
    assert builders.faults(before.casino) == []


@pytest.mark.rule("CARD-03", "CARD-43")
def test_what_came_over_goes_on_as_every_deck_does(before: Before, casino: Casino, chief: By) -> None:
    user = chief.actor.user
    assert not queries.shoes_to_count(user).exists()
    with pytest.raises(Conflict) as refusal:
        count_shoe(shoe=before.ended, found={}, inspector=chief.actor, witness=before.croupier, by=chief)
    assert refusal.value.code == "nothing_to_count"
    serial = before.used.serial
    with pytest.raises(RuleViolation) as unsealed:
        issue_decks(seals={serial: serial}, place="inspección", received_by=before.croupier, by=chief)
    assert unsealed.value.code == "seal_broken"
    reseal(seals={serial: "W-1"}, with_=builders.beside(chief, Role.COMPLIANCE).actor, by=chief)
    issue_decks(seals={serial: "W-1"}, place="inspección", received_by=before.croupier, by=chief)
    before.inspect(before.used)
    give_back(serials=[serial, before.fit.serial], by=chief)
    end_shoe(shoe=before.inside, reason="fin", by=chief)
    assert list(queries.shoes_to_count(user)) == [before.inside]
    builders.counted(before.inside, chief)
    assert builders.faults(casino) == []


def test_decks_that_have_their_moves_are_left_alone(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    moves = [moves_of(deck) for deck in shoe.decks.order_by("pk")]
    run(CARRY_OVER)
    assert [moves_of(deck) for deck in shoe.decks.order_by("pk")] == moves
    assert builders.faults(casino) == []
