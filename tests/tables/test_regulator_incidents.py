"""The regulator's cases of irregularities (area `incidents`), through the engines and the incident form.

What goes back to its owner was never posted: chips of a round that is given up stay with whom they are.
REG-012, REG-013 and the replaced card of REG-016 are with their games' own tests.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from audits import ledger
from audits.by import By
from audits.incidents import resolve_incident
from audits.models import Event, Incident
from casino.kernel.errors import RuleViolation, SabotError
from casino.kernel.permissions import Role
from shoes import counting
from shoes.models import Shoe
from tables import cards_out, carrying, replay, reshuffling, rounds, sessions, shoe_proofs
from tables.disputes import open_dispute
from tables.games import registry
from tables.models import Bet, Round, TableSession
from tests.builders import BOB, NIGHT, House
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


@pytest.mark.rule("CARD-39")
@pytest.mark.rule("CARD-42")
def test_reg_010_a_shoe_that_runs_out_does_not_void_the_round(house: House) -> None:
    """REG-010: the cards run out, the discards of the round before (9h 8d Td 7s) are shuffled and cut, and
    the round is finished: 5h 6d 9h are 20, the dealer's 6c Td 8d 24. That the shoe is empty is brought about
    by cards burned by mistake; the count holds at every step, and no other round is opened."""
    session = opened(house, "blackjack.classic")
    bet = bj.bet(1, 10 * BOB)
    first = [bet, bj.CLOSE, *bj.deal({1: "9h 8d"}, "Td"), bj.do(1, "stand"), bj.dealer("7s")]
    house.log(session, first, at=NIGHT + MINUTE)
    last = play(house, session, [bet, bj.CLOSE, *bj.deal({1: "5h 6d"}, "6c")], number=2)
    lost = [{"e": "note", "code": "exposed_card", "card": card} for card in rest_of(session)]
    by = house.by(Role.PIT_BOSS, NIGHT + 3 * MINUTE)
    last = rounds.play(session=session, number=2, step=len(last.log), events=lost, by=by)
    assert shoe_of(session).remaining == 0
    refuses(lambda: next_card(session, last, bj.to(1, "9h"), by), "impossible_card", "CARD-42")
    refuses(lambda: reshuffling.return_discards(session=session, by=by), "stop_card_unseen", "CARD-39")
    sessions.see_stop_card(session=session, by=by)
    reshuffling.return_discards(session=session, by=by)
    assert (shoe_of(session).remaining, shoe_of(session).discarded) == (4, 0)
    assert not list(shoe_proofs.count_faults(house.casino))
    for event in (bj.to(1, "9h"), bj.do(1, "stand"), bj.dealer("Td"), bj.dealer("8d")):
        last = next_card(session, last, event, by)
    done = rounds.settle(session=session, number=2, step=len(last.log), by=by)
    assert [(b.stake // BOB, b.returned // BOB) for b in Bet.objects.filter(round=done)] == [(10, 20)]
    shoe = shoe_of(session)
    assert (shoe.remaining, shoe.dealt, shoe.discarded) == (1, 0, 6)
    assert shoe.burned + 6 + 1 == shoe.total
    assert not list(shoe_proofs.count_faults(house.casino))
    refuses(lambda: house.log(session, first, at=NIGHT + 4 * MINUTE), "shoe_finished", "CARD-39")


def shoe_of(session: TableSession) -> Shoe:
    return Shoe.objects.get(pk=session.shoe_id)


def rest_of(session: TableSession) -> list[str]:
    """As many cards as the shoe still holds, each as often as it may."""
    shoe = shoe_of(session)
    inside = Counter(counting.left(counting.count_of(shoe)))
    return list(inside.elements())[: shoe.remaining]


def next_card(session: TableSession, round: Round, event: dict[str, Any], by: By) -> Round:
    return rounds.play(session=session, number=round.number, step=len(round.log), events=[event], by=by)


def refuses(act: Callable[[], object], code: str, rule: str) -> None:
    with pytest.raises(SabotError) as refused:
        act()
    assert (refused.value.code, refused.value.rule) == (code, rule)


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
    assert cards_out.cards_out(told["log"]).dealt == 2
    assert incident.label in told["reason"]


@pytest.mark.rule("GEN-08")
@pytest.mark.parametrize("exposed", [{1: "Ks"}, {2: "Ks"}, {4: "Ks", 9: "7h"}])
def test_reg_016_a_misdeal_of_texas_voids_the_hand_and_every_stake_goes_back(
    house: House, exposed: dict[int, str]
) -> None:
    """REG-016: nine players; the first card dealt is exposed, or the second, or the fourth and the ninth: a
    misdeal. The blinds of seats 1 and 2, 10 and 20, go back; the next hand has the same stacks."""
    session = opened(house, "poker.texas")
    stacks = [ring.chips(seat, 500 * BOB) for seat in range(1, 10)]
    dealt = [ring.card(nth, exposed.get(nth, "??")) for nth in range(1, max(exposed) + 1)]
    tray = ledger.balance(house.casino, f"tray:{session.pk}")
    play(house, session, [*stacks, ring.button(9), ring.CLOSE, *dealt])
    incident = decide(house, session, "carta descubierta por el croupier", "mano nula", "GEN-08")
    void = give_up(house, session, 1, f"{incident.label}: carta descubierta al repartir")
    assert (void.state, Bet.objects.filter(round=void).count()) == (Round.State.VOID, 0)
    told = told_void(void)
    assert incident.label in told["reason"]
    out = cards_out.cards_out(told["log"])
    assert (out.dealt, out.faces) == (len(dealt), tuple(exposed.values()))
    # Everybody folds to the big blind: the 10 of it that are matched and the small blind are its pot.
    folds = [ring.do(seat, "fold") for seat in (*range(3, 10), 1)]
    anew = [ring.card(seat, "??") for _ in (1, 2) for seat in range(1, 10)]
    next_ = house.log(session, [*stacks, ring.button(9), ring.CLOSE, *anew, *folds], at=NIGHT + 40 * MINUTE)
    bets = Bet.objects.filter(round=next_)
    assert {bet.seat: (bet.stake // BOB, bet.returned // BOB) for bet in bets} == {1: (10, 0), 2: (10, 20)}
    session.refresh_from_db()
    assert (session.staked, session.returned) == (20 * BOB, 20 * BOB)  # of the void hand nothing
    assert ledger.balance(house.casino, f"tray:{session.pk}") == tray
    assert not list(shoe_proofs.count_faults(house.casino))


DEAL = [ring.card(seat, "??") for _ in (1, 2) for seat in (2, 3, 1)]


def dealt_in(*stacks: int) -> list[dict[str, Any]]:
    """Seats 1, 2 and 3 with their chips, the button at seat 1, and two cards each."""
    seats = [ring.chips(seat, amount * BOB) for seat, amount in enumerate(stacks, start=1)]
    return [*seats, ring.button(1), ring.CLOSE, *DEAL]


HAND_12 = [
    *dealt_in(500, 500, 25),
    ring.do(1, "raise", 40 * BOB),
    ring.do(2, "call"),
    ring.do(3, "allin"),
]
"""A 40, B 40, C 25 in the pot."""
FORFEITED = {"e": "forfeited", "seat": 3, "amount": 25 * BOB}


def board(*cards: str) -> list[dict[str, Any]]:
    return [ring.card("burn", "??"), *(ring.card("board", card) for card in cards)]


TWO_TENS = [
    *dealt_in(2_000, 2_000, 2_000),
    ring.do(1, "raise", 600 * BOB),
    ring.do(2, "call"),
    ring.do(3, "call"),
    *board("2c", "7h", "9s"),
    ring.do(2, "bet", 1_200 * BOB),
    ring.do(3, "fold"),
    ring.do(1, "call"),
    *board("Jc"),
    *(ring.do(2, "check"), ring.do(1, "check")),
    *board("4h"),
    *(ring.do(2, "check"), ring.do(1, "check")),
]
"""Before the flop 600 each; after it 1.200 of seats 1 and 2, seat 3 folds: 1.800, 1.800 and 600."""


@pytest.mark.rule("GEN-08")
@pytest.mark.rule("CARD-42")
def test_reg_017_two_identical_cards_at_the_showdown_return_every_contribution(house: House) -> None:
    """REG-017: seat 2 turns over two tens of diamonds of the one deck: the hand is void, 1.800, 1.800 and the
    600 of who folded go back, and no rake is taken of the 4.200."""
    session = opened(house, "poker.texas")
    kitty = ledger.balance(house.casino, f"kitty:{session.pk}")
    last = play(house, session, TWO_TENS)
    by = house.by(Role.PIT_BOSS, NIGHT + 3 * MINUTE)
    refuses(lambda: next_card(session, last, ring.show(2, "Td Td"), by), "impossible_card", "CARD-42")
    decide(house, session, "el asiento 2 muestra dos dieces de diamantes", "mano nula", "CARD-42")
    void = end(house, session, 1, {"e": "defective"})
    bets = list(Bet.objects.filter(round=void))
    assert {bet.seat: bet.returned // BOB for bet in bets} == {1: 1_800, 2: 1_800, 3: 600}
    assert {bet.commission for bet in bets} == {0}
    assert ledger.balance(house.casino, f"kitty:{session.pk}") == kitty  # no rake of it
    assert void.winner == "defective"
    carrying.require_nothing_pending(session)  # nobody knew: nothing is forfeited
    assert not list(replay.differences([void]))


@pytest.mark.rule("GEN-08")
@pytest.mark.rule("CARD-42")
def test_reg_018_a_defective_deck_returns_the_running_pot_and_leaves_the_hand_before(house: House) -> None:
    """REG-018: A 40, B 40, C 25 in the pot when the deck is found defective: each takes back their own; the
    hand paid before stands."""
    session = opened(house, "poker.texas")
    house.log(session, [*dealt_in(500, 500, 500), ring.do(1, "fold"), ring.do(2, "fold")], at=NIGHT + MINUTE)
    before = ledger.balance(house.casino, f"kitty:{session.pk}")
    play(house, session, HAND_12, number=2)
    decide(house, session, "la baraja tiene dos dieces de diamantes", "mano nula", "CARD-42")
    done = end(house, session, 2, {"e": "defective"})
    assert {bet.seat: bet.returned // BOB for bet in Bet.objects.filter(round=done)} == {1: 40, 2: 40, 3: 25}
    assert Round.objects.get(session=session, number=1).state == Round.State.SETTLED
    assert ledger.balance(house.casino, f"kitty:{session.pk}") == before  # no rake of it
    assert not list(replay.differences([done]))


@pytest.mark.rule("GEN-08")
def test_reg_018_who_knew_of_the_deck_forfeits_their_part_to_the_next_pot(house: House) -> None:
    """REG-018: C knew: returned 0, and 25 to the next pot. Blinds of 10 and 20: A and B fold, C's 20 meet 10,
    so that the next pot is 10 + 10 + 25 = 45. Until then the table does not close."""
    session = opened(house, "poker.texas")
    play(house, session, HAND_12)
    void = end(house, session, 1, {"e": "defective", "knew": [3]})
    assert {bet.seat: bet.returned // BOB for bet in Bet.objects.filter(round=void)} == {1: 40, 2: 40, 3: 0}
    with pytest.raises(SabotError) as waiting:
        carrying.require_nothing_pending(session)
    assert waiting.value.code == "carry_pending"
    late = house.by(Role.PIT_BOSS, NIGHT + 45 * MINUTE)
    with pytest.raises(SabotError) as by_hand:
        rounds.play(session=session, number=2, step=0, events=[FORFEITED], by=late)
    assert by_hand.value.code == "carried_event"
    acts = [ring.do(1, "fold"), ring.do(2, "fold")]
    next_ = house.log(session, [*dealt_in(460, 460, 500), *acts], at=NIGHT + 50 * MINUTE)
    assert (next_.log[0]["e"], next_.log[0]["seat"], next_.log[0]["amount"]) == ("forfeited", 3, 25 * BOB)
    bets = list(Bet.objects.filter(round=next_))
    assert sum(bet.returned + bet.commission for bet in bets) == 45 * BOB
    # Over both hands what the players put in is what they took and the house's deduction.
    session.refresh_from_db()
    assert session.staked == session.returned + session.commission
    carrying.require_nothing_pending(session)
    assert not list(replay.differences([void, next_]))


def end(house: House, session: TableSession, number: int, event: dict[str, Any]) -> Round:
    """One more event of the round in progress, and its settlement."""
    by = house.by(Role.PIT_BOSS, NIGHT + 40 * MINUTE)
    at = len(Round.objects.get(session=session, number=number).log)
    played = rounds.play(session=session, number=number, step=at, events=[event], by=by)
    return rounds.settle(session=session, number=number, step=len(played.log), by=by)


@pytest.mark.rule("GEN-08")
def test_reg_019_a_sixth_card_at_a_seat_kills_that_hand_only(house: House) -> None:
    """REG-019, case 1: S1 (ante 10) has six cards: a dead hand, 10 go back. S2 (ante 10, BET 20) plays on
    and loses 30 with kings to aces."""
    session = opened(house, "poker.caribbean")
    tray = ledger.balance(house.casino, f"tray:{session.pk}")
    bets = [hp.bet(1, "ante", 10 * BOB), hp.bet(2, "ante", 10 * BOB)]
    dealt = hp.deal({1: hp.COVERED5, 2: hp.HAND_1}, hp.COVERED5)
    play(house, session, [*bets, hp.CLOSE, *dealt])
    decide(house, session, "el asiento 1 tiene seis cartas", "mano muerta, su ANTE vuelve", "GEN-08")
    rest = [hp.misdeal(1, 6), hp.choice(2, "bet"), hp.show_dealer("As Ah 4h 3s 2c")]
    by = house.by(Role.PIT_BOSS, NIGHT + 40 * MINUTE)
    at = len(Round.objects.get(session=session, number=1).log)
    found = rounds.play(session=session, number=1, step=at, events=rest, by=by)
    assert not list(shoe_proofs.count_faults(house.casino))
    done = rounds.settle(session=session, number=1, step=len(found.log), by=by)
    won = {(bet.seat, bet.spot): (bet.returned - bet.stake) // BOB for bet in Bet.objects.filter(round=done)}
    assert won == {(1, "ante"): 0, (2, "ante"): -10, (2, "bet"): -20}
    assert ledger.balance(house.casino, f"tray:{session.pk}") == tray + 30 * BOB
    assert cards_out.cards_out(done.log).dealt == 16  # five each, and the sixth
    assert not list(replay.differences([done]))


@pytest.mark.rule("GEN-08")
def test_reg_019_four_cards_at_the_dealer_give_every_bet_back_and_the_hands_count_for_a_progressive(
    house: House,
) -> None:
    """REG-019, case 2: all antes go back, the round is on record, and S2's kings can be read from it."""
    session = opened(house, "poker.caribbean")
    tray = ledger.balance(house.casino, f"tray:{session.pk}")
    bets = [hp.bet(1, "ante", 10 * BOB), hp.bet(2, "ante", 10 * BOB)]
    dealt = hp.deal({1: hp.COVERED5, 2: hp.COVERED5}, hp.COVERED5)
    rest = [hp.dealer_has(4), hp.show(2, hp.HAND_1)]
    done = house.log(session, [*bets, hp.CLOSE, *dealt, *rest], at=NIGHT + MINUTE)
    assert (done.state, done.winner) == (Round.State.SETTLED, "misdeal")
    returned = {bet.seat: bet.returned // BOB for bet in Bet.objects.filter(round=done)}
    assert returned == {1: 10, 2: 10}
    assert ledger.balance(house.casino, f"tray:{session.pk}") == tray
    assert done.settlement is not None
    facts = done.settlement["outcome"]["facts"]
    assert facts == {"seats": {"2": "pair"}, "misdeal": {"dealer": 4}}
