"""Whole hands of siete y medio: points, turns, what is paid, the next bank, and its sale."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import Refused
from shoes.cards import composition
from tables.games.base import Detail
from tables.games.siete import SIETE
from tables.games.siete.balance import row_of
from tables.games.siete.points import VALUES, halves, said
from tests.games.siete.hands import after, bank, bet, chips, choice, drawn, offer, paid, start, table, to


@pytest.mark.rule("SYM-01")
def test_dea_027_points_of_hands() -> None:
    """DEA-027: the ace is one and nothing else; four court cards are two."""
    totals = {"1o 6o Sb": ("7 y medio", 15), "Sb So Se Sc": ("2", 4), "2o 5e Cb": ("7 y medio", 15)}
    for cards, (words, total) in totals.items():
        assert halves(cards.split()) == total
        assert said(total).es == words


@pytest.mark.rule("SYM-01")
def test_the_pack_has_forty_cards_and_its_points_are_the_books() -> None:
    book = rulebook.rule("SYM-01").params
    assert len(VALUES) == sum(composition("spanish40").values()) == book["deck_cards"]
    assert [VALUES[rank + "o"] for rank in "1234567"] == [2, 4, 6, 8, 10, 12, 14]
    assert {VALUES[rank + "e"] for rank in "SCR"} == {book["court_card_half_points"]}
    # 12 court cards of a half and 4 x (1 + 2 + ... + 7): 6 + 112 points, 236 halves.
    assert sum(VALUES.values()) == 236


@pytest.mark.rule("SYM-06")
@pytest.mark.rule("SYM-07")
def test_every_pair_of_totals_falls_under_the_row_of_the_table() -> None:
    for player in range(1, 30):
        for held in range(1, 30):
            row = row_of(player, held)
            if player > 15:
                assert row == "player_bust"
            elif held == 15:
                assert row == "bank_seven_and_half"
            elif player == 15:
                assert row == "player_seven_and_half"
            elif held > 15:
                assert row == "bank_bust"
            else:
                nearer = {-1: "player_lower", 0: "equal", 1: "player_higher"}
                assert row == nearer[(player > held) - (player < held)]
    table_rows = {r["hand"]: r["pays"] for r in rulebook.paytables()["siete.main"].rows}
    pays = dict(SIETE.default_rules().pays)
    assert {hand: pays.get(hand, "lose") for hand in table_rows} == table_rows


def opening(*cards: str) -> list[dict[str, Any]]:
    """The opening deal to seats 6, 5, … and the bank last."""
    seats = [6, 5, 4, 3, 2][: len(cards) - 1]
    return [to(seat, card) for seat, card in zip([*seats, 0], cards, strict=True)]


@pytest.mark.rule("SYM-04")
@pytest.mark.rule("SYM-05")
@pytest.mark.rule("SYM-06")
def test_a_hand_with_one_of_each() -> None:
    state = after(
        table(30_000, 30_000, 30_000, 30_000),
        *opening("7o", "5o", "6o", "4o", "5e"),
        *[bet(6, 1000), *drawn(6, "3o", stand=False)],
        *[bet(5, 2000), *drawn(5, "")],
        *[bet(4, 3000), *drawn(4, "Sb")],
        *[bet(3, 4000), *drawn(3, "Cb")],
        *drawn(0, "Rb"),
    )
    settlement = SIETE.settle(state)
    # Seat 6 passes with 10; 5 has 5 and 3 has 4 and a half against 5 and a half; 4 has 6 and a half.
    assert paid(settlement) == [
        (6, "main", -1000),
        (5, "main", -2000),
        (3, "main", -4000),
        (4, "main", 3000),
        (1, "bank", 4000),
    ]
    assert [p.row for p in settlement.payouts] == [
        "player_bust",
        "player_lower",
        "player_lower",
        "player_higher",
        "bank_balance",
    ]
    assert settlement.announcement.es == "banca 5 y medio: cobra a 6, 5, 3 y paga a 4"
    assert settlement.outcome.winner == "mixed"
    assert settlement.outcome.facts["chips_after"] == [
        [1, 54_000],
        [3, 26_000],
        [4, 33_000],
        [5, 28_000],
        [6, 29_000],
    ]
    assert settlement.totals.house_result == settlement.totals.commission == 0
    assert (settlement.outcome.facts["next_bank"], settlement.outcome.facts["bank_by"]) == (1, "")
    hands = {(hand.seat, hand.name): (hand.worth.es, hand.verdict) for hand in SIETE.hands_on(state)}
    assert hands[6, ""] == ("se pasa con 10", "lose")
    assert hands[4, ""] == ("6 y medio", "win")
    assert hands[0, "banca"][0] == "5 y medio"


@pytest.mark.rule("SYM-04")
def test_whoever_passes_is_told_to_be_taken_from_at_once() -> None:
    state = after(
        table(30_000, 30_000), *opening("7o", "5o", "6o"), bet(6, 1000), *drawn(6, "7e", stand=False)
    )
    prompt = SIETE.prompts(state)[0]
    assert (prompt.kind, prompt.seat) == ("bet", 5)
    assert prompt.why.es.startswith(
        "el asiento 6 se pasó: muestra sus cartas y se retira su apuesta; de 10,00"
    )
    undone = after(state, {"e": "undo", "of": len(state.log), "why": "otra carta"})
    assert "se pasó" not in SIETE.prompts(undone)[0].why.es


@pytest.mark.rule("SYM-06")
def test_a_tie_is_the_banks_and_a_bank_that_passes_pays_all_who_stood() -> None:
    played = [*opening("6o", "5o", "6e"), bet(6, 1000), *drawn(6, ""), bet(5, 2000), *drawn(5, "")]
    tie = SIETE.settle(after(table(30_000, 30_000), *played, choice(1, "stand")))
    assert paid(tie)[:2] == [(6, "main", -1000), (5, "main", -2000)]
    assert [p.row for p in tie.payouts][:2] == ["equal", "player_lower"]
    assert tie.outcome.winner == "bank"
    bust = SIETE.settle(after(table(30_000, 30_000), *played, *drawn(0, "7o", stand=False)))
    assert paid(bust) == [(6, "main", 1000), (5, "main", 2000), (1, "bank", -3000)]
    assert bust.outcome.winner == "players"
    assert bust.announcement.es == "banca se pasa con 13: paga a 6, 5"


@pytest.mark.rule("SYM-05")
def test_the_bank_does_not_play_when_everybody_passed() -> None:
    state = after(table(30_000), *opening("7o", "5o"), bet(6, 1000), *drawn(6, "7e", stand=False))
    assert [p.kind for p in SIETE.prompts(state)] == ["settle"]
    assert paid(SIETE.settle(state)) == [(6, "main", -1000), (1, "bank", 1000)]


@pytest.mark.rule("SYM-07")
def test_seven_and_a_half_pays_double_and_takes_the_bank() -> None:
    played = [
        *opening("7o", "7e", "6o"),
        bet(6, 1000),
        *drawn(6, ""),
        bet(5, 2000),
        *drawn(5, "So", stand=False),
    ]
    settlement = SIETE.settle(after(table(30_000, 30_000), *played, choice(1, "stand")))
    assert paid(settlement) == [(6, "main", 1000), (5, "main", 4000), (1, "bank", -5000)]
    assert settlement.payouts[1].words.es == "siete y medio: 2 a 1 sobre 20,00 = 40,00"
    assert (settlement.outcome.facts["next_bank"], settlement.outcome.facts["bank_by"]) == (
        5,
        "seven_and_half",
    )
    assert ("bank_by_seven_and_half", "SYM-07") in [(n.code, n.rule) for n in settlement.notes]
    held = SIETE.settle(
        after(table(30_000, 30_000), *played, choice(1, "draw"), to(0, "1o"), choice(1, "draw"), to(0, "Se"))
    )
    # The bank has it too: it takes every bet and stays.
    assert paid(held) == [(6, "main", -1000), (5, "main", -2000), (1, "bank", 3000)]
    assert held.outcome.facts["next_bank"] == 1
    off = after(table(30_000, 30_000, rules={"takes_bank": False}), *played, choice(1, "stand"))
    assert SIETE.settle(off).outcome.facts["next_bank"] == 1


@pytest.mark.rule("SYM-07")
def test_of_two_with_seven_and_a_half_the_first_in_turn_takes_the_bank() -> None:
    played = [*opening("7o", "7e", "6o"), bet(6, 1000), *drawn(6, "Sb", stand=False)]
    state = after(
        table(30_000, 30_000), *played, bet(5, 1000), *drawn(5, "So", stand=False), choice(1, "stand")
    )
    assert SIETE.settle(state).outcome.facts["next_bank"] == 6


@pytest.mark.rule("SYM-03")
def test_one_or_two_first_cards() -> None:
    state = after(table(30_000, 30_000, rules={"initial_cards": 2}), *opening("1o", "2o", "3o"))
    assert SIETE.prompts(state)[0].seat == 6
    state = after(state, *opening("1e", "2e", "3e"))
    assert SIETE.prompts(state)[0].kind == "bet"
    assert state.hands == {(6, 0): ("1o", "1e"), (5, 0): ("2o", "2e")} and state.banca == ("3o", "3e")


@pytest.mark.rule("SYM-02")
def test_the_turn_goes_to_the_right_of_the_bank_past_vacant_seats() -> None:
    state = after(start(), bank(3), chips(3, 9000), chips(5, 9000), chips(1, 9000), chips(2, 9000))
    order = []
    for card in ("1o", "2o", "3o"):
        order.append(SIETE.prompts(state)[0].seat)
        state = after(state, to(order[-1], card))
    assert order == [2, 1, 5]
    assert SIETE.prompts(state)[0].to == "banca"


@pytest.mark.rule("SYM-08")
@pytest.mark.rule("SYM-09")
def test_an_offer_before_the_hand_is_answered_before_it_and_the_buyer_has_the_bank() -> None:
    # 60,00 points and a least bet of 10,00: half of the rest is 25,00.
    offered = after(table(6000, 30_000), offer(5, 2000), offer(6, 2500))
    for event, code in [(offer(6, 2600), "offer_too_high"), (offer(5, 2500), "offer_too_low")]:
        with pytest.raises(Refused) as refusal:
            SIETE.play(offered, event)
        assert (refusal.value.rule, refusal.value.code) == ("SYM-09", code)
    with pytest.raises(Refused) as refusal:
        SIETE.play(offered, to(6, "5o"))
    assert (refusal.value.rule, refusal.value.code) == ("SYM-08", "card_not_due")
    prompt = SIETE.prompts(offered)[0]
    assert (prompt.kind, prompt.rule, prompt.seat, prompt.options) == (
        "choice",
        "SYM-08",
        1,
        ("sell", "keep"),
    )
    sold = after(offered, choice(1, "sell"))
    # Seat 6 has the bank now: on its right are 5 and then 1, who sold it.
    hand = [to(5, "5o"), to(1, "5e"), to(0, "6o")]
    hand += [bet(5, 1000), choice(5, "stand"), bet(1, 2000), choice(1, "stand"), choice(6, "stand")]
    settlement = SIETE.settle(after(sold, *hand))
    assert paid(settlement) == [
        (6, "purchase", -2500),
        (1, "purchase", 2500),
        (5, "main", -1000),
        (1, "main", -2000),
        (6, "bank", 3000),
    ]
    facts = settlement.outcome.facts
    assert (facts["banker"], facts["next_bank"], facts["sold_for"]) == (6, 6, 2500)
    # 500,00 + 25,00 - 20,00; 300,00 - 10,00; 60,00 - 25,00 + 30,00.
    assert facts["chips_after"] == [[1, 50_500], [5, 29_000], [6, 6500]]
    assert [(note.code, note.rule) for note in settlement.notes] == [("bank_sold", "SYM-08")]
    kept = after(offered, choice(1, "keep"))
    with pytest.raises(Refused) as refusal:
        SIETE.play(kept, offer(5, 3000))
    assert (refusal.value.rule, refusal.value.code) == ("SYM-08", "no_offer_now")
    # Nothing holds back the bet of a bidder who was refused.
    dealt = after(kept, *opening("5o", "5e", "6o"), bet(6, 6000))
    assert dealt.stakes == {6: 6000} and dealt.banker == 1


@pytest.mark.rule("SYM-08")
def test_the_bank_is_not_sold_where_nobody_could_play_against_the_buyer() -> None:
    poor = after(start(), bank(1), chips(1, 500), chips(6, 3000), offer(6, 400))
    assert SIETE.prompts(poor)[0].options == ("keep",)
    with pytest.raises(Refused) as refusal:
        SIETE.play(poor, choice(1, "sell"))
    assert (refusal.value.rule, refusal.value.code) == ("SYM-08", "nobody_left_to_play")
    # With another player it is; who sold it has 9,00 and sits this hand out.
    sold = after(poor, chips(5, 2000), choice(1, "sell"), to(5, "5o"))
    assert SIETE.prompts(sold)[0].to == "banca"


@pytest.mark.rule("SYM-09")
def test_offers_fall_when_the_bank_changes_by_rule_or_has_nothing_left() -> None:
    rules = {"offer_time": "after_bet"}
    taken = after(table(30_000, 30_000, rules=rules), *opening("7o", "5e", "6o"), bet(6, 1000))
    taken = after(
        taken, *drawn(6, "So", stand=False), bet(5, 1000), offer(5, 1000), *drawn(5, ""), choice(1, "stand")
    )
    assert taken.complete
    assert "offers_void" in [note.code for note in SIETE.settle(taken).notes]
    poor = after(start(rules=rules), bank(1), chips(1, 2000), chips(6, 30_000), *opening("7o", "6o"))
    ended = [offer(6, 1000), *drawn(6, ""), choice(1, "stand")]
    broke = SIETE.settle(after(poor, bet(6, 2000), *ended))
    assert [note.code for note in broke.notes] == ["bank_by_eliminated", "offers_void"]
    assert broke.outcome.facts["next_bank"] == 0
    # With a bet of 30,00 the bank still owes 10,00.
    owes = SIETE.settle(after(poor, bet(6, 3000), *ended))
    assert "bank_short" in [note.code for note in owes.notes]


@pytest.mark.rule("SYM-08")
@pytest.mark.rule("SYM-09")
def test_offers_after_the_bet() -> None:
    rules = {"offer_time": "after_bet"}
    state = table(6000, 30_000, rules=rules)
    assert all(prompt.kind != "offer" for prompt in SIETE.prompts(state))
    state = after(state, *opening("5o", "5e", "6o"), bet(6, 2000))
    # 60,00 less the bet of 20,00 leaves 40,00: half of it is 20,00.
    with pytest.raises(Refused) as refusal:
        SIETE.play(state, offer(6, 2100))
    assert refusal.value.detail["most"] == 2000
    state = after(state, offer(6, 2000), *drawn(6, ""), bet(5, 1000), offer(5, 2100), *drawn(5, ""))
    with pytest.raises(Refused) as late:
        SIETE.play(state, offer(6, 2200))
    assert (late.value.rule, late.value.code) == ("SYM-08", "no_offer_now")
    ended = after(state, choice(1, "stand"))
    assert SIETE.prompts(ended)[0].options == ("sell", "keep")
    sold = SIETE.settle(after(ended, choice(1, "sell")))
    assert paid(sold) == [
        (6, "main", -2000),
        (5, "main", -1000),
        (1, "bank", 3000),
        (5, "purchase", -2100),
        (1, "purchase", 2100),
    ]
    assert (sold.outcome.facts["next_bank"], sold.outcome.facts["bank_by"]) == (5, "sale")
    assert sold.outcome.facts["chips_after"] == [[1, 55_100], [5, 26_900], [6, 4000]]
    kept = SIETE.settle(after(ended, choice(1, "keep")))
    assert paid(kept)[-1] == (1, "bank", 3000) and kept.outcome.facts["next_bank"] == 1


@pytest.mark.rule("SYM-10")
def test_two_court_cards_are_split_and_may_be_split_again() -> None:
    state = after(table(4000, rules={"split_court_cards": True, "initial_cards": 2}))
    state = after(state, *opening("So", "6o"), *opening("Co", "1b"), bet(6, 1000))
    assert SIETE.prompts(state)[0].options == ("draw", "stand", "split")
    assert SIETE.prompts(state)[0].text.es == "Asiento 6: ¿carta, se planta o abre?"
    state = after(state, choice(6, "split"), choice(6, "draw"), to(6, "Ro"), choice(6, "split"))
    assert state.hands == {(6, 0): ("So",), (6, 1): ("Co",), (6, 2): ("Ro",)}
    assert [tuple(b) for b in state.bets] == [
        (6, "main", 1000, 0),
        (6, "main", 1000, 1),
        (6, "main", 1000, 2),
    ]
    played = [choice(6, "draw"), to(6, "7o"), choice(6, "stand", 1), choice(6, "draw", 2), to(6, "7e", 2)]
    settlement = SIETE.settle(after(state, *played, choice(1, "stand")))
    # 7 and a half twice at 2 to 1, half a point against 7 once.
    assert sorted(p.won for p in settlement.payouts if p.spot == "main") == [-1000, 2000, 2000]
    assert settlement.totals.house_result == 0
    short = after(table(1500, rules={"split_court_cards": True, "initial_cards": 2}))
    short = after(short, *opening("So", "6o"), *opening("Co", "1b"), bet(6, 1000))
    with pytest.raises(Refused) as refusal:
        SIETE.play(short, choice(6, "split"))
    assert (refusal.value.rule, refusal.value.code) == ("SYM-10", "not_enough_points")


def test_where_only_cards_or_results_are_logged() -> None:
    cards = after(start(Detail.CARDS), bank(2), {"e": "in", "seat": 1}, to(1, "7o"), to(0, "7e"))
    cards = after(cards, choice(1, "stand"), choice(2, "stand"))
    settlement = SIETE.settle(cards)
    assert (settlement.payouts, settlement.outcome.winner) == ((), "bank")
    assert settlement.announcement.es == "banca 7: cobra a 1"
    told = SIETE.settle(after(start(Detail.RESULT), {"e": "result", "winner": "players"}))
    assert told.announcement.es == "la banca paga todas"
    assert any("SYM-04" in text.es for text in told.unchecked)
