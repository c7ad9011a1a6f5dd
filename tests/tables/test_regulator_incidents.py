"""The regulator's cases of irregularities (area `incidents`), through the engines and the incident form.

What goes back to its owner was never posted: chips of a round that is given up stay with whom they are.
REG-012, 013, 016 and 017 are with their games' own tests.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from audits import ledger
from audits.incidents import resolve_incident
from audits.models import Event, Incident
from casino.kernel.errors import RuleViolation, SabotError
from casino.kernel.permissions import Role
from tables import inforce, rounds, sessions
from tables.disputes import open_dispute
from tables.games import registry
from tables.models import Bet, Round, TableSession
from tests.builders import BOB, NATURAL, NIGHT, House
from tests.games.blackjack import building as bj
from tests.games.house_poker import building as hp
from tests.games.ring import building as ring
from tests.tables.every_game import a_table, open_session, seeded, shuffled

MINUTE = dt.timedelta(minutes=1)


def opened(house: House, code: str) -> TableSession:
    game = registry.game(code)
    return open_session(house, a_table(house, game), game, shuffled(game, seeded(7)))


def play(house: House, session: TableSession, events: Sequence[dict[str, Any]], number: int = 1) -> Round:
    by = house.by(Role.PIT_BOSS, NIGHT + MINUTE * number)
    return rounds.play(session=session, number=number, step=0, events=list(events), by=by)


def decide(house: House, session: TableSession, claims: str, resolution: str, rule: str) -> Incident:
    """The irregularity on the dispute form, decided by two under a rule (GEN-08)."""
    at = NIGHT + 30 * MINUTE
    incident = open_dispute(session=session, claims=claims, by=house.by(Role.SUPERVISOR, at))
    return resolve_incident(
        incident=incident,
        resolution=resolution,
        rule_applied=rule,
        with_=house.users[Role.SUPERVISOR].actor,
        by=house.by(Role.PIT_BOSS, at),
    )


def give_up(house: House, session: TableSession, number: int, why: str) -> Round:
    current = Round.objects.get(session=session, number=number)
    by = house.by(Role.PIT_BOSS, NIGHT + 31 * MINUTE, why)
    return rounds.abandon(session=session, number=number, step=len(current.log), by=by)


def cards_out(log: Sequence[dict[str, Any]]) -> int:
    """How many cards had left the pack."""
    return sum(event["e"] == "card" for event in log)


def put_down(log: Sequence[dict[str, Any]]) -> Counter[int]:
    """What each seat put down by a log, in bolivianos."""
    found: Counter[int] = Counter()
    for event in log:
        if event["e"] == "bet":
            found[event["seat"]] += event["amount"] // BOB
    return found


def told_void(round: Round) -> dict[str, Any]:
    """What the trail keeps of a round that was given up."""
    event = Event.objects.get(action="tables.round.voided", subject_id=round.pk)
    data: dict[str, Any] = json.loads(bytes(event.body))["data"]
    return data


@pytest.mark.rule("CARD-41")
@pytest.mark.parametrize("dealer_stands", [False, True])
def test_reg_008_a_card_drawn_by_mistake_is_the_next_hands_or_burned(dealer_stands: bool) -> None:
    """REG-008: 6h exposed after all have two cards; seat 2 refuses it and gets no other; the dealer uses
    it, or it is burned where he stands."""
    dealt = bj.deal({1: "9h 8d", 2: "Ts 3c"}, "Td" if dealer_stands else "7c")
    state = bj.after(bj.table(), bj.bet(1, 1_000), bj.bet(2, 1_000), bj.CLOSE, *dealt, bj.do(1, "stand"))
    state = bj.after(state, bj.do(2, "stand"))  # he refuses it
    with pytest.raises(RuleViolation):
        bj.after(state, bj.to(2, "6h"))
    if dealer_stands:
        # 10 + 7 = 17: he stands, nobody can use it.
        state = bj.after(state, bj.dealer("7s"), {"e": "note", "code": "exposed_card", "card": "6h"})
        settlement = bj.CLASSIC.settle(state)
        assert ("exposed_card", "CARD-41") in [(note.code, note.rule) for note in settlement.notes]
    else:
        # 7 + 6 = 13, and then 5: 18.
        state = bj.after(state, bj.dealer("6h"), bj.dealer("5d"))
        settlement = bj.CLASSIC.settle(state)
    dealer = next(hand for hand in settlement.outcome.hands if hand.name == "dealer")
    assert " ".join(dealer.cards) == ("Td 7s" if dealer_stands else "7c 6h 5d")
    # Seat 2 has 13 and no further card: it loses to 17 and to 18.
    assert next(p for p in settlement.payouts if p.seat == 2).returned == 0


@pytest.mark.rule("CARD-38")
def test_reg_010_a_shoe_at_its_end_does_not_void_the_round(house: House) -> None:
    """REG-010: the round in progress is finished, not void. The house's shoes keep cards behind the stop
    card for it (CARD-38), so that none runs out in mid-round; no other round is opened before the cards are
    changed."""
    session = house.open_table()
    by = house.by(Role.PIT_BOSS, NIGHT + MINUTE)
    rounds.play(session=session, number=1, step=0, events=NATURAL[:2], by=by)
    sessions.see_stop_card(session=session, by=by)
    rounds.play(session=session, number=1, step=2, events=NATURAL[2:], by=by)
    assert rounds.settle(session=session, number=1, step=4, by=by).state == Round.State.SETTLED
    with pytest.raises(SabotError) as stopped:
        house.log(session, NATURAL, at=NIGHT + 2 * MINUTE)
    assert stopped.value.rule == "CARD-38"


@pytest.mark.rule("GEN-08")
def test_reg_011_a_card_exposed_in_the_deal_of_three_card_poker_voids_the_round(house: House) -> None:
    """REG-011: S1 ante 20 and pair plus 10, S2 ante 50; a card is exposed: void, 30 and 50 go back."""
    session = opened(house, "poker.three_card")
    tray = ledger.balance(house.casino, f"tray:{session.pk}")
    bets = [hp.bet(1, "ante", 20 * BOB), hp.bet(1, "pair_plus", 10 * BOB), hp.bet(2, "ante", 50 * BOB)]
    play(house, session, [*bets, hp.CLOSE, hp.to_seat(1), hp.to_seat(2, "Ks")])
    incident = decide(
        house, session, "carta descubierta al repartir", "pase nulo, todo vuelve a su dueño", "CARD-41"
    )
    assert "K♠" in incident.facts["in_view"]["es"]
    void = give_up(house, session, 1, f"{incident.label}: carta descubierta al repartir")
    assert (void.state, Bet.objects.filter(round=void).count()) == (Round.State.VOID, 0)
    assert ledger.balance(house.casino, f"tray:{session.pk}") == tray
    told = told_void(void)
    assert put_down(told["log"]) == {1: 30, 2: 50}
    assert cards_out(told["log"]) == 2
    assert incident.label in told["reason"]


@pytest.mark.rule("GEN-08")
def test_reg_018_a_defective_deck_returns_the_running_pot_and_leaves_the_hand_before(house: House) -> None:
    """REG-018: A 40, B 40, C 25 in the pot when the deck is found defective: each takes back their own; the
    hand paid before stands. (A player who knew and forfeits their part is not representable.)"""
    session = opened(house, "poker.texas")
    seats = [ring.chips(seat, amount * BOB) for seat, amount in ((1, 500), (2, 500), (3, 500))]
    paid = [
        *seats,
        ring.button(1),
        ring.CLOSE,
        *[ring.card(seat, "??") for _ in (1, 2) for seat in (2, 3, 1)],
    ]
    house.log(session, [*paid, ring.do(1, "fold"), ring.do(2, "fold")], at=NIGHT + MINUTE)
    seats = [ring.chips(seat, amount * BOB) for seat, amount in ((1, 500), (2, 500), (3, 25))]
    deal = [ring.card(seat, "??") for _ in (1, 2) for seat in (2, 3, 1)]
    acts = [ring.do(1, "raise", 40 * BOB), ring.do(2, "call"), ring.do(3, "allin")]
    before = ledger.balance(house.casino, f"kitty:{session.pk}")
    running = play(house, session, [*seats, ring.button(1), ring.CLOSE, *deal, *acts], number=2)
    game = registry.game("poker.texas")
    put = game.play_all(game.open(*_terms(session)), running.log).put
    assert {seat: amount // BOB for seat, amount in dict(put).items()} == {1: 40, 2: 40, 3: 25}
    incident = decide(house, session, "la baraja tiene dos dieces de diamantes", "mano nula", "CARD-42")
    void = give_up(house, session, 2, incident.label)
    assert void.state == Round.State.VOID
    assert Round.objects.get(session=session, number=1).state == Round.State.SETTLED
    assert ledger.balance(house.casino, f"kitty:{session.pk}") == before  # no rake of it
    assert told_void(void)["log"] == running.log


def _terms(session: TableSession) -> tuple[Any, Any]:
    current, _ = inforce.for_new_round(session, NIGHT + 2 * MINUTE, session.detail)
    return current.rules, current.terms


@pytest.mark.rule("GEN-08")
def test_reg_019_a_dealer_with_four_cards_voids_the_round_and_a_sixth_at_a_seat_is_refused(
    house: House,
) -> None:
    """REG-019: with four cards at the dealer every ante goes back; a sixth card of S1 is refused when it is
    logged."""
    session = opened(house, "poker.caribbean")
    tray = ledger.balance(house.casino, f"tray:{session.pk}")
    bets = [hp.bet(1, "ante", 10 * BOB), hp.bet(2, "ante", 10 * BOB)]
    dealt = hp.deal({1: hp.COVERED5, 2: hp.COVERED5}, hp.COVERED5)
    # Case 1: whose cards are counted wrong shows when the sixth is logged.
    with pytest.raises(RuleViolation):
        play(house, session, [*bets, hp.CLOSE, *dealt, hp.to_seat(1)])
    # Case 2: the dealer has four.
    play(house, session, [*bets, hp.CLOSE, *dealt[:-1]])
    incident = decide(house, session, "la banca tiene cuatro cartas", "reparto nulo", "GEN-08")
    void = give_up(house, session, 1, incident.label)
    log = told_void(void)["log"]
    assert (put_down(log), cards_out(log)) == ({1: 10, 2: 10}, 14)
    assert ledger.balance(house.casino, f"tray:{session.pk}") == tray
