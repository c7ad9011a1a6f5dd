"""The order of the deal, whose turn it is, and which card may go where."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.base import Detail
from tests.games.blackjack.building import (
    CLASSIC,
    CLOSE,
    ONLINE,
    after,
    bet,
    come_in,
    deal,
    dealer,
    do,
    refusal,
    round_of,
    settled,
    table,
    to,
)


@pytest.mark.rule("BJ-10")
def test_one_card_each_the_dealers_first_and_the_second_to_each_hand() -> None:
    state = after(table(), bet(1, 1000), bet(3, 1000), CLOSE)
    order = [to(1, "2h"), to(3, "3h"), dealer("4h"), to(1, "5h"), to(3, "6h")]
    for place, event in enumerate(order):
        for wrong in order:
            same_place = {k: v for k, v in wrong.items() if k != "card"} == {
                k: v for k, v in event.items() if k != "card"
            }
            if not same_place:
                refused = refusal(state, wrong)
                assert (refused.rule, refused.code, refused.detail["dealt"]) == ("BJ-10", "deal_order", place)
        assert refusal(state, do(1, "stand")).rule == "BJ-10"
        state = after(state, event)
    assert state.stage == "decide"


@pytest.mark.rule("BJ-10")
def test_no_second_dealer_card_until_the_players_finish() -> None:
    state = round_of({1: "9h 7c", 2: "5h 5d"}, "7h")
    assert refusal(state, dealer("9d")).rule == "BJ-10"
    state = after(state, do(1, "stand"))
    assert refusal(state, dealer("9d")).rule == "BJ-10"
    assert after(state, do(2, "stand"), dealer("9d")).dealer == ("7h", "9d")


@pytest.mark.rule("BJ-12")
def test_no_card_is_dealt_covered() -> None:
    state = after(table(), bet(1, 1000), CLOSE)
    refused = refusal(state, to(1, "??"))
    assert (refused.rule, refused.code) == ("BJ-12", "covered_card")
    shown = after(state, to(1, "9h"))
    assert refusal(shown, dealer("??")).rule == "BJ-12"


@pytest.mark.rule("BJ-13")
def test_hands_play_in_order_of_seats_and_one_by_one() -> None:
    state = round_of({2: "9h 7c", (2, 1): "5h 6d", 4: "2h 3d"}, "7h")
    for event in (to(4, "2c"), do(4, "stand"), to(2, "2c", 1), do(2, "stand", 1)):
        refused = refusal(state, event)
        assert (refused.rule, refused.code) == (
            "BJ-13",
            "not_your_turn" if event["e"] == "choice" else "card_not_due",
        )
    state = after(state, do(2, "stand"), to(2, "2c", 1))
    assert state.hands[state.turn][:2] == (2, 1)
    finished = refusal(after(state, do(2, "stand", 1)), do(2, "hit"))
    assert (finished.rule, finished.code) == ("BJ-13", "hand_finished")


@pytest.mark.rule("BJ-13")
def test_a_card_in_turn_is_a_hit_with_or_without_the_choice() -> None:
    state = round_of({1: "2h 3d", 2: "9h 9d"}, "7h")
    silent, told = after(state, to(1, "4c")), after(state, do(1, "hit"), to(1, "4c"))
    assert silent.hands == told.hands and (silent.turn, silent.stage) == (told.turn, told.stage)
    waiting = after(state, do(1, "hit"))
    for what in ("stand", "hit", "double", "surrender", "split"):
        refused = refusal(waiting, do(1, what))
        assert (refused.rule, refused.code) == ("BJ-13", "card_due")
    unnumbered = {"e": "card", "to": "seat", "seat": 1, "card": "4c"}
    assert after(state, unnumbered).log[-1] == to(1, "4c")


@pytest.mark.rule("BJ-14")
@pytest.mark.parametrize(
    ("hands", "events"),
    [
        ({1: "As Kd", 2: "9h 9d"}, []),
        ({1: "9s 9d", 2: "9h 9c"}, [to(1, "3c")]),
        ({1: "9s 9d", 2: "9h 9c"}, [to(1, "Kc")]),
    ],
)
def test_no_card_at_21_or_more(hands: Any, events: Any) -> None:
    state = round_of(hands, "7h", *events)
    assert state.turn == 1
    for event in (to(1, "2c"), do(1, "hit")):
        refused = refusal(state, event)
        assert (refused.rule, refused.code) == ("BJ-14", "card_not_due")


@pytest.mark.rule("BJ-13")
def test_seats_and_hands_that_do_not_play_get_nothing() -> None:
    state = round_of({1: "9h 7c", 2: "5h 5d"}, "7h")
    for event in (to(3, "2c"), do(3, "hit"), to(1, "2c", 1), do(2, "stand", 4)):
        refused = refusal(state, event)
        assert (refused.rule, refused.code) == ("BJ-13", "no_such_hand")


@pytest.mark.rule("BJ-18")
@pytest.mark.parametrize(
    ("drawn", "total", "rule"),
    [
        (["9d", "Kd"], "bust", "BJ-33"),
        (["Td"], "17", "BJ-18"),
        (["2d", "8d"], "17", "BJ-18"),
        (["3d", "As"], "21", "BJ-18"),
    ],
)
def test_dealer_draws_to_16_and_takes_no_card_from_17(drawn: list[str], total: str, rule: str) -> None:
    state = round_of({1: "9h 9c", 2: "9s 9d"}, "7h", do(1, "stand"), do(2, "stand"))
    for card in drawn:
        assert not state.complete
        with pytest.raises(Exception, match="pase no está completo"):
            CLASSIC.settle(state)
        state = after(state, dealer(card))
    assert settled(state).outcome.winner == total
    refused = refusal(state, dealer("2h"))
    assert (refused.rule, refused.code) == (rule, "card_not_due")


@pytest.mark.rule("BJ-17")
def test_dealers_soft_17_stands() -> None:
    state = round_of({1: "9h 9c", 2: "9s 9d"}, "6h", do(1, "stand"), do(2, "stand"), dealer("Ah"))
    assert settled(state).outcome.winner == "17"
    assert refusal(state, dealer("2h")).rule == "BJ-17"
    soft_16 = round_of({1: "9h 9c", 2: "9s 9d"}, "5h", do(1, "stand"), do(2, "stand"), dealer("Ah"))
    assert not soft_16.complete
    # 5 + ace + king: the ace falls back to 1, 16 draws again.
    assert not after(soft_16, dealer("Kh")).complete


@pytest.mark.rule("BJ-30")
@pytest.mark.rule("BJ-15")
def test_dealer_takes_no_card_when_no_hand_waits() -> None:
    """All bust, surrendered or paid at once: nothing to compare, so no dealer's hand (BJ-30)."""
    state = round_of({1: "9h 7c", 2: "As Kd", 3: "9d 7d"}, "7h", to(1, "Kc"), do(3, "surrender"))
    assert state.complete and settled(state).outcome.winner == "no_draw"
    assert refusal(state, dealer("9s")).rule == "BJ-30"
    assert "dealer_not_needed" in [note.code for note in settled(state).notes]


@pytest.mark.rule("BJ-16")
def test_a_waiting_black_jack_has_the_dealer_complete_the_hand() -> None:
    state = round_of({1: "As Kd", 2: "9h 7c"}, "Th", to(2, "Kc"))
    assert not state.complete
    assert not after(state, dealer("5d")).complete
    assert settled(after(state, dealer("5d"), dealer("Kh"))).outcome.winner == "bust"


@pytest.mark.rule("BJ-21")
def test_with_nothing_but_insurance_the_second_card_decides() -> None:
    state = round_of({1: "9h 7c", 2: "9d 7d"}, "Ah", do(1, "insurance", amount=500), to(1, "Kc"), to(2, "Qc"))
    assert not state.complete
    without = after(state, dealer("5d"))
    assert settled(without).outcome.winner == "no_draw"
    assert settled(after(state, dealer("Kd"))).outcome.winner == "blackjack"


@pytest.mark.rule("CARD-42")
def test_no_card_more_often_than_there_are_decks() -> None:
    six = dict.fromkeys((1, 2, 3), "9h 9h")
    state = round_of(six, "7h")
    refused = refusal(state, to(1, "9h"))
    assert (refused.rule, refused.code, refused.detail["seen"]) == ("CARD-42", "card_too_often", 6)
    single = after(table(ONLINE, rules={"decks": 1}), bet(1, 1000), CLOSE, to(1, "As"))
    assert refusal(single, dealer("As")).rule == "CARD-42"
    again = after(state, {"e": "undo", "of": len(state.log), "why": "era el nueve de picas"})
    assert after(again, to(3, "9s")).hands[2].cards == ("9h", "9s")


def test_at_detail_cards_the_same_order_holds_without_bets() -> None:
    state = after(table(detail=Detail.CARDS), come_in(4), come_in(2, 2))
    state = after(state, *deal({2: "2h 3h", (2, 1): "5h 5d", 4: "9h 9d"}, "7h"))
    assert refusal(state, do(4, "stand")).rule == "BJ-13"
    state = after(
        state, do(2, "stand"), do(2, "split", 1), to(2, "6d", 1), do(2, "double", 1), to(2, "9c", 1)
    )
    assert [h.hand for h in state.hands] == [0, 1, 2, 0]
    state = after(state, to(2, "Kd", 2), do(2, "stand", 2), do(4, "stand"), dealer("Kc"))
    settlement = settled(state)
    assert settlement.payouts == () and settlement.unchecked
    verdicts = {(h.seat, h.hand): h.verdict for h in settlement.outcome.hands if h.seat}
    # Dealer 17: 5 loses, 5+6+9=20 wins, 5+K=15 loses, 18 wins.
    assert verdicts == {(2, 0): "lose", (2, 1): "win", (2, 2): "lose", (4, 0): "win"}
    assert refusal(after(table(detail=Detail.CARDS), come_in(1)), do(1, "stand")).rule == "BJ-10"


@pytest.mark.parametrize("winner", ["17", "18", "19", "20", "21", "blackjack", "bust", "no_draw"])
@pytest.mark.rule("BJ-30")
def test_at_detail_result_the_announced_total_is_all(winner: str) -> None:
    opened = table(detail=Detail.RESULT)
    state = after(opened, {"e": "result", "winner": winner})
    settlement = settled(state)
    assert (settlement.outcome.winner, settlement.payouts) == (winner, ())
    assert len(settlement.unchecked) == 2
    assert refusal(state, {"e": "result", "winner": "17"}).code == "result_given"
    for wrong in ("16", "22", "", None, 17):
        assert refusal(opened, {"e": "result", "winner": wrong}).field == "winner"
    assert not after(state, {"e": "undo", "of": 1, "why": "mal leído"}).complete
