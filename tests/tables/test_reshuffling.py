"""The same cards again at the same table: shuffled for another shoe, given back to a machine, or changed."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from audits.models import Event
from audits.verify import ledger_faults, trail_faults
from casino.kernel import rulebook
from casino.kernel.permissions import Role
from shoes.changing import report_fault
from shoes.models import Deck, Shoe
from shoes.procedures import MACHINE_SHOE, procedure_of
from shoes.shoes import add_decks, start_shoe
from tables import inforce, openings, reshuffling, rounds, sessions, shuffling
from tables.cards_out import cards_out
from tables.games import registry
from tables.games.base import Detail
from tables.models import Round, TableSession
from tests.builders import FLOAT, NATURAL, House, cards
from tests.shoes import builders
from tests.shoes.builders import STEPS, signed
from tests.tables import every_game
from tests.tables.refusing import refused
from tests.tables.test_every_game import Play

SIX_DECKS = 6 * 52
BLACK_JACK = "blackjack.classic"


def now(session: TableSession) -> Shoe:
    return Shoe.objects.get(pk=session.shoe_id)


def sound(house: House) -> bool:
    return not [*trail_faults(house.casino), *ledger_faults(house.casino)]


def conserved(shoe: Shoe, total: int) -> bool:
    """CARD-42: dealt, burned, discarded and remaining are the whole pack."""
    return shoe.dealt + shoe.burned + shoe.discarded + shoe.remaining == shoe.total == total


def told(action: str) -> tuple[dict[str, Any], list[str]]:
    event = Event.objects.filter(action=action).latest("pk")
    return json.loads(bytes(event.body))["data"], event.rules


# ---- shuffled for another shoe ----------------------------------------------------------------------


@pytest.mark.rule("CARD-42")
def test_the_cards_add_up_at_every_step_of_a_round_and_after_a_reshuffle(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    # 3 burned by the preparation; each of the four cards goes from the shoe to the table.
    for step, event in enumerate(NATURAL):
        rounds.play(session=session, number=1, step=step, events=[event], by=by)
        shoe = now(session)
        assert (shoe.dealt, shoe.burned, shoe.discarded, shoe.remaining) == (step + 1, 3, 0, 308 - step)
        assert conserved(shoe, SIX_DECKS)
    rounds.settle(session=session, number=1, step=4, by=by)
    shoe = now(session)
    assert (shoe.dealt, shoe.burned, shoe.discarded, shoe.remaining) == (0, 3, 4, 305)
    again = reshuffling.reshuffle(session=session, by=house.by(Role.SUPERVISOR, reason="se pidió barajar"))
    assert (again.dealt, again.burned, again.discarded, again.remaining) == (0, 0, 0, SIX_DECKS)
    assert conserved(again, SIX_DECKS) and conserved(Shoe.objects.get(pk=shoe.pk), SIX_DECKS)
    assert sound(house)


@pytest.mark.rule("CARD-38", "CARD-20")
def test_after_the_stop_card_the_same_cards_are_prepared_again_and_loaded(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    old = now(session)
    sessions.see_stop_card(session=session, by=house.by(Role.PIT_BOSS))
    chief = house.by(Role.SUPERVISOR)
    new = reshuffling.reshuffle(session=session, by=chief)  # the stop card is reason enough
    session.refresh_from_db()
    assert session.shoe_id is None and reshuffling.being_shuffled(session) == new
    with refused("no_shoe", "CARD-38"):
        house.log(session, NATURAL)
    with refused("shoe_not_ready"):
        sessions.load_shoe(session=session, shoe=new, by=chief)
    assert sound(house)
    for code, data in STEPS:
        if code != "show":  # the same cards
            new = signed(new, code, data, house.by(Role.PIT_BOSS))
    other = house.open_table(dealer=1, supervisor=1)
    with refused("shoe_elsewhere", "CARD-04"):
        sessions.load_shoe(session=other, shoe=new, by=house.by(Role.SUPERVISOR, reason="al revés"))
    sessions.load_shoe(session=session, shoe=new, by=chief)
    session.refresh_from_db()
    assert reshuffling.being_shuffled(session) is None
    assert (now(session), now(session).renews, now(session).remaining) == (new, old, 309)
    assert house.log(session, NATURAL).shoe == new
    assert {deck.place for deck in new.decks.all()} == {session.table.name}
    # A fault found in the end is tied to the rounds of both shoes (CARD-43).
    incident = report_fault(shoe=now(session), fault="marked", cards=["9d"], words="una uña", by=chief)
    assert incident is not None
    assert [(span["shoe"], span["first"], span["last"]) for span in incident.facts["rounds"]] == [
        (old.label, 1, 1), (new.label, 2, 2),
    ]  # fmt: skip
    assert sound(house)


def test_a_table_may_close_while_its_cards_are_shuffled(house: House) -> None:
    session = house.open_table()
    reshuffling.reshuffle(session=session, by=house.by(Role.SUPERVISOR, reason="última vuelta"))
    assert house.close(session, FLOAT).shoe_id is None
    assert sound(house)


def test_cards_are_shuffled_again_between_rounds_and_for_a_reason(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    with refused("reason_missing"):
        reshuffling.reshuffle(session=session, by=by)
    rounds.play(session=session, number=1, step=0, events=NATURAL[:1], by=by)
    because = house.by(Role.SUPERVISOR, reason="lo pidieron")
    with refused("round_open"):
        reshuffling.reshuffle(session=session, by=because)
    with refused("not_allowed"):
        reshuffling.reshuffle(session=session, by=house.by(Role.DEVICE))
    assert now(session).state == "in_play"


@pytest.mark.rule("CARD-20")
def test_a_pack_dealt_from_the_hand_has_no_stop_card_to_shuffle_at(house: House) -> None:
    play = Play(house, registry.game("poker.caribbean"), Detail.CARDS, seed=3)
    because = house.by(Role.SUPERVISOR, reason="se pidió")
    with refused("no_stop_card", "CARD-20"):
        reshuffling.reshuffle(session=play.session, by=because)
    with refused("no_machine", "CARD-40"):
        reshuffling.return_discards(session=play.session, by=play.by)


@pytest.mark.rule("CARD-13")
def test_a_change_of_cards_at_poker_is_presented_again(house: House) -> None:
    play = Play(house, registry.game("poker.caribbean"), Detail.CARDS, seed=3)
    play.whole()
    by = house.by(Role.PIT_BOSS)
    shoe = start_shoe(game="poker.caribbean", by=by)
    decks = builders.inspected_decks(house.casino, by, 1)
    shoe = add_decks(shoe=shoe, serials=[decks[0].serial], by=by)
    with refused("step_out_of_order", "CARD-10"):
        signed(shoe, "shuffle", {"kind": "suggested"}, by)
    other = every_game.prepared(house, "poker.caribbean", play.pack)
    assert other.steps.filter(step="show").exists()
    sessions.load_shoe(
        session=play.session, shoe=other, by=house.by(Role.SUPERVISOR, reason="cartas gastadas")
    )
    data, rules = told("tables.session.shoe_loaded")
    assert data["shoe"] == other.label and "CARD-13" in rules


# ---- a machine that serves as shoe ------------------------------------------------------------------


class Machine:
    """An open Black Jack table that deals from a machine."""

    def __init__(self, house: House, seed: int = 5) -> None:
        self.house, self.chance = house, random.Random(seed)
        self.game = registry.game(BLACK_JACK)
        self.pack = every_game.shuffled(self.game, self.chance)[1:]  # one is burned face down
        self.by = house.by(Role.PIT_BOSS)
        self.session = openings.open_session(
            table=every_game.a_table(house, self.game, Detail.CARDS),
            shoe=self._prepared(),
            chips_counted=FLOAT,
            dealer=house.person(games=[BLACK_JACK]),
            supervisor=house.person(games=[BLACK_JACK], supervises=True),
            by=house.by(Role.SUPERVISOR),
        )

    def _prepared(self) -> Shoe:
        shoe = start_shoe(game=BLACK_JACK, method=MACHINE_SHOE, by=self.by)
        decks = builders.inspected_decks(self.house.casino, self.by, 6)
        shoe = add_decks(shoe=shoe, serials=[deck.serial for deck in decks], by=self.by)
        answers: dict[str, dict[str, Any]] = {
            "shuffle": {"kind": "double"},
            "check": {"sequences": "none"},
            "cut": {"declined": [], "cut_by": 1, "position": 120},
            "load": {"machine": "BM-3", "empty_shown": True, "cut_card_aside": True},
            "burn": {"burned": 1},
        }
        for step in procedure_of(BLACK_JACK, MACHINE_SHOE).steps[1:]:
            shoe = signed(shoe, step.code, answers.get(step.code, {}), self.by)
        return shoe

    def events(self) -> list[dict[str, Any]]:
        current, _ = inforce.for_new_round(self.session, self.by.occurred_at, self.session.detail)
        opened = self.game.open(current.rules, current.terms)
        log = every_game.walked(self.game, opened, self.pack, self.chance)
        del self.pack[: len(every_game.named(log))]
        return log

    def whole(self, *before: dict[str, Any]) -> Round:
        events = [*before, *self.events()]
        return rounds.log(session=self.session, number=None, events=events, by=self.by)

    def returned(self) -> Shoe:
        reshuffling.return_discards(session=self.session, by=self.by)
        return now(self.session)


@pytest.mark.rule("CARD-33", "CARD-34", "CARD-42")
def test_discards_go_back_into_the_machine_and_can_come_again(house: House) -> None:
    at = Machine(house)
    first = at.whole()
    out = cards_out(first.log).dealt
    shoe = now(at.session)
    assert (shoe.burned, shoe.discarded, shoe.remaining) == (1, out, SIX_DECKS - 1 - out)
    shoe = at.returned()
    assert (shoe.burned, shoe.discarded, shoe.remaining, shoe.seen) == (1, 0, SIX_DECKS - 1, {})
    assert conserved(shoe, SIX_DECKS) and sound(house)
    data, rules = told("tables.session.discards_returned")
    assert (data["gathered"], data["round"], data["flagged"]) == (out, 1, False)
    assert rules == ["CARD-33", "CARD-34"]
    # The very cards of the first round are dealt once more: in six decks they could not come seven times.
    for _ in range(6):
        events = [{k: v for k, v in event.items() if k not in ("at", "by")} for event in first.log]
        rounds.log(session=at.session, number=None, events=events, by=at.by)
        at.returned()
    assert conserved(now(at.session), SIX_DECKS) and sound(house)


@pytest.mark.rule("CARD-41", "CARD-42")
def test_a_card_burned_by_mistake_stays_out_of_the_machine(house: House) -> None:
    at = Machine(house)
    card = at.pack.pop(0)
    exposed = {"e": "note", "code": "exposed_card", "card": card, "text": "a la vista al extraerla"}
    logged = at.whole(exposed)
    shoe = at.returned()
    assert (shoe.burned, shoe.discarded, shoe.remaining) == (2, 0, SIX_DECKS - 2)
    assert shoe.seen == {card: 1} and logged.number == 1
    assert sound(house)


@pytest.mark.rule("CARD-34")
def test_more_than_two_decks_in_the_holder_is_flagged_not_refused(house: House) -> None:
    most = rulebook.rule("CARD-34").params["discard_max_cards"]
    at = Machine(house)
    while now(at.session).discarded <= most:
        at.whole()
    gathered = now(at.session).discarded
    at.whole()  # nothing is refused
    assert now(at.session).discarded > gathered > 104
    peak = now(at.session).discarded
    at.returned()
    data, _ = told("tables.session.discards_returned")
    assert (data["gathered"], data["most"], data["flagged"]) == (peak, 104, True)
    assert sound(house)


@pytest.mark.rule("CARD-42", "REC-07")
@pytest.mark.parametrize("came_out", [True, False])
def test_a_void_after_the_return_takes_no_card_twice(house: House, came_out: bool) -> None:
    at = Machine(house)
    first = at.whole()
    at.returned()
    rounds.void(
        round=first,
        approved_by=house.users[Role.SUPERVISOR].actor,
        cards_came_out=came_out,
        by=house.by(Role.PIT_BOSS, reason="corrección"),
    )
    shoe = now(at.session)
    assert (shoe.discarded, shoe.remaining) == (0, SIX_DECKS - 1)
    second = at.whole()
    assert now(at.session).discarded == cards_out(second.log).dealt
    assert sound(house)


@pytest.mark.rule("CARD-33", "CARD-34")
def test_a_machine_has_no_stop_card_and_is_filled_between_rounds(house: House) -> None:
    at = Machine(house)
    with refused("discards_empty", "CARD-34"):
        reshuffling.return_discards(session=at.session, by=at.by)
    with refused("no_stop_card", "CARD-33"):
        sessions.see_stop_card(session=at.session, by=at.by)
    with refused("no_stop_card", "CARD-33"):
        reshuffling.reshuffle(session=at.session, by=house.by(Role.SUPERVISOR, reason="se pidió"))
    at.whole()
    rounds.play(session=at.session, number=2, step=0, events=at.events()[:1], by=at.by)
    with refused("round_open"):
        reshuffling.return_discards(session=at.session, by=at.by)


@pytest.mark.rule("CARD-40")
def test_a_shoe_that_is_no_machine_gets_nothing_back(house: House) -> None:
    session = house.open_table()
    house.log(session, cards("2h 3h 4h", "4s Ks Th"))
    with refused("no_machine", "CARD-40"):
        reshuffling.return_discards(session=session, by=house.by(Role.PIT_BOSS))
    assert now(session).discarded == 6


# ---- between the rounds of house poker --------------------------------------------------------------


@pytest.mark.rule("CARD-21", "CARD-18")
def test_the_shuffle_after_a_round_of_house_poker_is_noted_once(house: House) -> None:
    play = Play(house, registry.game("poker.caribbean"), Detail.CARDS, seed=3)
    session, by = play.session, play.by
    assert shuffling.due(play._fresh()) == ""
    with refused("no_round", "CARD-21"):
        shuffling.note_shuffle(session=session, kind="hand", by=by)
    first = play.whole()
    assert shuffling.due(play._fresh()) == "CARD-21"
    with refused("machine_not_named", "CARD-18"):
        shuffling.note_shuffle(session=session, kind="machine", by=by)
    with refused("unknown_way"):
        shuffling.note_shuffle(session=session, kind="feet", by=by)
    shuffling.note_shuffle(session=session, kind="machine", machine="BM-7", by=by)
    event = Event.objects.get(action="tables.session.shuffled")
    assert (event.subject_type, event.subject_id, event.actor) == ("round", first.pk, by.actor)
    assert event.stream.name == f"shoe:{session.shoe_id}" and event.rules == ["CARD-21", "CARD-18"]
    with refused("shuffled_already", "CARD-21"):
        shuffling.note_shuffle(session=session, kind="hand", by=by)
    assert shuffling.due(play._fresh()) == ""
    play.whole()  # asked for, not required
    assert shuffling.due(play._fresh()) == "CARD-21" and sound(house)


def test_no_other_game_is_shuffled_between_rounds(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    session.refresh_from_db()
    assert shuffling.due(session) == ""
    with refused("no_shuffle"):
        shuffling.note_shuffle(session=session, kind="hand", by=house.by(Role.PIT_BOSS))


@pytest.mark.rule("GEN-08")
def test_a_stopped_table_leaves_its_cards_where_they_are(house: House) -> None:
    at = Machine(house)
    at.whole()
    report_fault(shoe=now(at.session), fault="extra", cards=["9d"], words="de más", by=at.by)
    with refused("table_frozen", "GEN-08"):
        reshuffling.return_discards(session=at.session, by=at.by)
    session = house.open_table()
    report_fault(shoe=now(session), fault="extra", cards=["9d"], words="de más", by=at.by)
    with refused("table_frozen", "GEN-08"):
        reshuffling.reshuffle(session=session, by=house.by(Role.SUPERVISOR, reason="se pidió"))
    assert not Deck.objects.filter(state="held").exists()
