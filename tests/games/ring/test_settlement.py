"""What a hand settles to: payouts in words, the house's deduction, showdown, and each level of detail."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables.games.base import Detail
from tables.games.ring.state import Draft
from tests.games.ring.building import GAME, Hand, button, card, do, opened, seats, show
from tests.games.walking import check_settled

RAKE = {"rake_basis_points": 400}
BOARD = "Ks Kd 8c 2h 5s"


def money(rules: Any = None, **changes: Any) -> Any:
    """Blinds 50.00 and 100.00, chips of 0.50, 4 % up to 0.50."""
    given: dict[str, Any] = {"chip": 50, "exponent": 2, "limits": {"blind": (5_000, 10_000)}, **changes}
    return opened(rules={**RAKE, **(rules or {})}, **given)


@pytest.mark.rule("PR-02")
@pytest.mark.rule("PR-07")
@pytest.mark.rule("PR-08")
def test_every_pot_is_told_with_hand_and_deduction() -> None:
    """A puts 100.00 all in, B and C 300.00. Main pot 300.00, side pot 400.00; 4 % of 700.00 is 28.00, of
    which 12.00 and 16.00.
    """
    own = {1: "Kc 8d", 2: "As Ah", 3: "Qs Qd"}
    hand = Hand(money(), {1: 10_000, 2: 30_000, 3: 90_000}, own, BOARD, 3)
    hand.acts("3 raise 30000", "1 call", "2 call").showdown()
    settlement = hand.settle()
    told = [(p.seat, p.stake, p.returned, p.commission, p.act, p.row, p.rule) for p in settlement.payouts]
    assert told == [
        (3, 30_000, 0, 0, "collect", "pot_lost", "PR-02"),
        (2, 30_000, 38_400, 1_600, "pay", "pot_won", "PR-09"),
        (1, 10_000, 28_800, 1_200, "pay", "pot_won", "PR-09"),
    ]
    lost, side, main = (payout.words for payout in settlement.payouts)
    assert lost.es == "dos pares, reyes y reinas: pierde 300,00"
    assert main.es == (
        "pozo principal con full de reyes con ochos: 288,00; de 300,00 se dedujeron 12,00 para la casa"
    )
    assert side.en == "side pot with two pair, aces and kings: 384.00; of 400.00 the house deducted 16.00"
    assert settlement.totals.to_json() == {
        "staked": 70_000,
        "returned": 67_200,
        "commission": 2_800,
        "rounding": 0,
        "breakage": 0,
        "house_result": 2_800,
    }
    facts = settlement.outcome.to_json()["facts"]
    assert (facts["pot"], facts["rake"], facts["button"], facts["flop"]) == (70_000, 2_800, 3, True)
    assert [(pot["amount"], pot["rake"], pot["eligible"]) for pot in facts["pots"]] == [
        (30_000, 1_200, [1, 2, 3]),
        (40_000, 1_600, [2, 3]),
    ]
    assert settlement.announcement.es == (
        "asiento 2: pozo secundario de 384,00 con dos pares, ases y reyes; "
        "asiento 1: pozo principal de 288,00 con full de reyes con ochos"
    )
    assert settlement.outcome.winner == "split"


@pytest.mark.rule("PR-11")
@pytest.mark.rule("PR-15")
def test_who_remains_alone_collects_without_showing() -> None:
    """Fold to the big blind before the flop: no rake, the small blind is won, 50.00 comes back unmatched."""
    hand = Hand(money(), seats(100_000, 3), at=3).acts("3 fold", "1 fold")
    settlement = hand.settle()
    assert hand.net() == {1: -5_000, 2: 5_000}
    assert settlement.totals.commission == 0
    winner = settlement.payouts[-1]
    assert winner.words.es == "pozo sin mostrar: 100,00; le vuelven 50,00 que nadie igualó"
    assert settlement.announcement.en == "seat 2: pot of 100.00 without showing"
    assert hand.state.shown == frozenset()
    assert [(note.rule, note.text.es) for note in settlement.notes] == [
        ("PR-11", "el botón pasa al asiento 1")
    ]


@pytest.mark.rule("PR-07")
@pytest.mark.parametrize(("free", "taken"), [(True, 0), (False, 1_000)])
def test_no_flop_no_drop(free: bool, taken: int) -> None:
    """A raise to 300.00 that nobody calls: 50.00 + 100.00 and the 100.00 they matched are contested, 200.00
    comes back; 4 % of 250.00 is 10.00.
    """
    hand = Hand(money({"no_flop_no_drop": free}), seats(100_000, 3), at=3)
    hand.acts("3 raise 30000", "1 fold", "2 fold")
    assert hand.settle().totals.commission == taken


@pytest.mark.rule("GEN-09")
def test_rounding_is_told_and_borne_by_the_winners() -> None:
    """4 % of 203.00 is 8.12, up to 8.50: 38 centavos of rounding."""
    limits = {"blind": (5_000, 10_000), "ante": (50, 50)}
    hand = Hand(money(limits=limits), seats(100_000, 6), {1: "Ac Ad", 2: "Qc Qd"}, BOARD, 6)
    hand.acts("3 fold", "4 fold", "5 fold", "6 fold", "1 call", "2 check")
    for _ in range(3):
        hand.acts("1 check", "2 check")
    hand.showdown()
    totals = hand.settle().totals
    # Six antes of 0.50 and twice 100.00.
    assert (totals.staked, totals.commission, totals.rounding) == (20_300, 850, 38)


@pytest.mark.rule("PR-10")
def test_equal_hands_share_pot_and_deduction() -> None:
    """400.00 at 4 % is 16.00: 384.00 shared, 192.00 each for a stake of 200.00."""
    hand = Hand(money(), {1: 100_000, 2: 100_000, 3: 100_000}, {1: "Ac 3d", 2: "Ad 3c"}, BOARD, 3)
    hand.acts(
        "3 fold", "1 call", "2 check", "1 bet 10000", "2 call", "1 check", "2 check", "1 check", "2 check"
    )
    hand.showdown()
    settlement = hand.settle()
    assert [(p.seat, p.won, p.commission, p.row, p.rule) for p in settlement.payouts] == [
        (2, -800, 800, "pot_split", "PR-10"),
        (1, -800, 800, "pot_split", "PR-10"),
    ]
    assert settlement.announcement.es == "asientos 1 y 2: pozo de 384,00 con par de reyes"


@pytest.mark.rule("PR-10")
def test_the_odd_chip_by_high_card_is_a_declared_policy() -> None:
    """Stud: both play the same straight; 5 shared in chips of 1. Seat 2 holds the ace of spades."""
    own = {1: "Ah 3d 4d 5d 6d 7c 9c", 2: "As 3c 4c 5c 6c 7d 9h"}
    for policy, odd in (("first_left_of_button", 1), ("high_card_by_suit", 2)):
        state = opened("seven_card_stud", {"odd_chip_to": policy}, {"bring_in": (1, 2), "ante": (1, 1)})
        hand = Hand(state, {1: 3, 2: 3, 3: 1}, {**own, 3: "2c 2h Kd Qh Qs Jd 8s"})
        assert hand.turn == 2
        hand.acts("2 allin", "1 call").showdown()
        # Main pot 3 x 1, side pot 2 x 2: 1 + 2 for each and the odd chip, for a stake of 3.
        assert hand.net() == {1: int(odd == 1), 2: int(odd == 2), 3: -1}


@pytest.mark.rule("PR-06")
def test_omaha_uses_exactly_two_of_its_own() -> None:
    """Four aces in the hand are a pair; the board's four spades with one own spade are no flush."""
    own = {1: "As Ah Ad Ac", 2: "Kc Qh 3c 4c"}
    hand = Hand(opened("omaha"), seats(1000, 2), own, "Js 9s 8s 2s Qd", at=1)
    hand.acts("1 allin", "2 call").showdown()
    worth = {one.seat: one.worth.es for one in hand.settle().outcome.hands if one.seat and one.worth}
    assert worth == {1: "par de ases", 2: "par de reinas"}
    assert hand.net() == {1: 1000, 2: -1000}


@pytest.mark.rule("PR-15")
def test_two_one_or_none_of_the_own_cards_count_in_texas() -> None:
    """The board is a straight to the king and plays for both; the pot is shared."""
    own = {1: "2c 3d", 2: "4h 5h"}
    hand = Hand(opened(), seats(1000, 2), own, "9s Ts Jd Qh Kc", at=1).acts("1 allin", "2 call").showdown()
    assert hand.net() == {1: 0, 2: 0}
    assert {payout.act for payout in hand.settle().payouts} == {"push"}


@pytest.mark.rule("PR-15")
def test_covered_hands_are_named_when_shown_and_folded_ones_never() -> None:
    hand = Hand(opened(), seats(1000, 3), {}, BOARD, at=3).acts("3 fold", "1 allin", "2 call")
    hand.play(show(1, "Ac Ad")).play(show(2, "Qc Qd"))
    assert hand.state.complete
    assert hand.net() == {1: 1000, 2: -1000}
    lying = {one.seat: one.cards for one in hand.game.hands_on(hand.state) if one.seat}
    assert lying == {1: ("Ac", "Ad"), 2: ("Qc", "Qd"), 3: ("??", "??")}


@pytest.mark.rule("PR-15")
def test_a_mucked_hand_loses_and_the_other_need_not_show() -> None:
    hand = Hand(opened(), seats(1000, 2), {}, BOARD, at=1).acts("1 allin", "2 call", "1 muck")
    assert hand.state.complete and hand.net() == {1: -1000, 2: 1000}
    assert "no mostró" in hand.settle().payouts[0].words.es


@pytest.mark.rule("PR-15")
def test_the_last_to_bet_shows_first() -> None:
    hand = Hand(opened(), seats(1000, 3), {}, BOARD, at=3).acts("3 call", "1 call", "2 check")
    hand.acts("1 check", "2 bet 100", "3 call", "1 call")
    for _ in range(2):
        hand.acts("1 check", "2 check", "3 check")
    assert [p.seat for p in hand.game.prompts(hand.state) if p.kind == "show"] == [1, 2, 3]
    hand = Hand(opened(), seats(1000, 3), {}, BOARD, at=3).acts("3 call", "1 call", "2 check")
    for _ in range(2):
        hand.acts("1 check", "2 check", "3 check")
    hand.acts("1 check", "2 bet 100", "3 call", "1 call")
    assert [p.seat for p in hand.game.prompts(hand.state) if p.kind == "show"] == [2, 3, 1]


@pytest.mark.rule("PR-02")
def test_where_only_cards_are_logged_the_hand_is_won_by_hand() -> None:
    """Texas at detail `cards`: three seats, one folds on the flop; nothing of money is known."""
    game = GAME["texas"]
    events = [{"e": "in", "seat": 1}, {"e": "in", "seat": 4}, {"e": "in", "seat": 6}, button(6)]
    held = {1: ["Ac", "Ad"], 4: ["??", "??"], 6: ["Qc", "Qd"]}
    events += [card(seat, held[seat][turn]) for turn in (0, 1) for seat in (1, 4, 6)]
    state = opened(detail=Detail.CARDS)
    dealt = game.play_all(state, events)
    flop = [card("burn", "??"), card("board", "Ks"), card("board", "8d"), card("board", "5c")]
    with pytest.raises(SabotError) as caught:
        game.play_all(dealt, [*flop[:2], do(4, "fold")])
    assert caught.value.code == "choice_not_due"
    with pytest.raises(SabotError) as caught:
        game.play(dealt, do(4, "call"))
    assert caught.value.code == "detail_forbids"
    rest = [do(4, "fold"), card("board", "2h"), card("burn", "??"), card("board", "3s")]
    shown = game.play_all(dealt, [*flop, *rest, show(1, "Ac Ad"), {"e": "show", "seat": 6}])
    check_settled(game, state, shown)
    settlement = game.settle(shown)
    assert settlement.announcement.es == "asiento 1 gana con par de ases"
    assert (settlement.outcome.winner, settlement.payouts) == ("1", ())
    assert len(settlement.unchecked) == 1
    assert [note.code for note in settlement.notes] == ["button_moves", "burn_not_logged"]
    alone = game.settle(game.play_all(dealt, [do(4, "fold"), do(1, "fold")]))
    assert alone.announcement.en == "seat 6 collects without showing"


@pytest.mark.parametrize(
    ("event", "winner", "said"),
    [
        ({"winner": "4"}, "4", "gana asiento 4"),
        ({"winner": "4", "amount": 500}, "4", "gana asiento 4"),
        ({"winner": "split"}, "split", "reparten varios asientos"),
        ({"winner": "split", "seats": [6, 2]}, "split", "reparten asientos 2 y 6"),
    ],
)
def test_where_only_results_are_logged(event: dict[str, Any], winner: str, said: str) -> None:
    game, state = GAME["omaha"], opened("omaha", detail=Detail.RESULT)
    after = game.play(state, {"e": "result", **event})
    settlement = game.settle(after)
    assert (settlement.outcome.winner, settlement.announcement.es) == (winner, said)
    assert settlement.outcome.to_json()["facts"]["pot"] == event.get("amount")
    check_settled(game, state, after)


@pytest.mark.parametrize(
    "event",
    [
        {"winner": "11"},
        {"winner": "0"},
        {"winner": 4},
        {"winner": "4", "seats": [4, 5]},
        {"winner": "split", "seats": [4]},
        {"winner": "split", "seats": [4, 4]},
        {"winner": "split", "seats": [4, 11]},
        {"winner": "split", "seats": "45"},
        {"winner": "4", "amount": 0},
        {"winner": "4", "amount": 10.5},
        {"winner": "4", "pot": 10},
    ],
)
def test_results_that_cannot_be(event: dict[str, Any]) -> None:
    game, state = GAME["omaha"], opened("omaha", detail=Detail.RESULT)
    with pytest.raises(SabotError):
        game.play(state, {"e": "result", **event})


def test_notes_come_through_and_a_bring_in_nobody_answers_goes_back() -> None:
    """Seven Card Stud without ante: all fold to the bring-in, which nobody matched: no pot, no payout."""
    own = {1: "As Ad 2d", 2: "Ks Kd 2c"}
    hand = Hand(opened("seven_card_stud"), seats(1000, 2), own)
    hand.play({"e": "note", "code": "exposed_card", "card": "Qs"})
    hand.acts("2 bring_in", "1 fold")
    settlement = hand.settle()
    assert (settlement.payouts, settlement.outcome.winner) == ((), "2")
    assert settlement.notes[0].rule == "CARD-41"
    assert "vuelven 50 al asiento 2" in settlement.announcement.es
    assert Draft(hand.state).phase == "done"
    check_settled(hand.game, opened("seven_card_stud"), hand.state)
