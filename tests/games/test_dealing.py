"""The cards: their order, naturals, third cards, and the result a table announces instead."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from casino.kernel.errors import Refused, RuleViolation
from tables.games.baccarat.draws import next_hand, points
from tables.games.base import Detail
from tests.games.building import CLOSE, MIDI, MINI, PUNTO_BANCA, after, bet, card, dealt, settled, start


def cards_after(punto: str, banca: str) -> Any:
    return after(start(Detail.CARDS), *dealt(punto, banca))


def refused(state: Any, event: dict[str, Any]) -> Refused:
    before = repr(state)
    with pytest.raises(Refused) as refusal:
        MINI.play(state, event)
    assert repr(state) == before
    return refusal.value


@pytest.mark.rule("BAC-11")
def test_first_four_cards_alternate_from_punto() -> None:
    state = start(Detail.CARDS)
    for place, to in enumerate(("punto", "banca", "punto", "banca"), start=1):
        other = "banca" if to == "punto" else "punto"
        refusal = refused(state, card(other, "2h"))
        assert (refusal.rule, refusal.code, refusal.detail["due"]) == ("BAC-11", "card_not_due", to)
        assert refusal.detail["position"] == place
        state = MINI.play(state, card(to, "2h"))
    assert (state.punto, state.banca) == (("2h", "2h"), ("2h", "2h"))


@pytest.mark.rule("BAC-12")
@pytest.mark.parametrize(("punto", "banca"), [("8d Kh", "2c 3c"), ("2c 3c", "9d Th"), ("4d 5h", "6d 2h")])
def test_nobody_draws_after_a_natural(punto: str, banca: str) -> None:
    state = cards_after(punto, banca)
    assert state.complete
    for to in ("punto", "banca"):
        assert refused(state, card(to, "2h")).rule == "BAC-12"
    assert MINI.settle(state).outcome.natural is True


@pytest.mark.rule("BAC-12")
def test_seven_is_no_natural_and_eight_of_three_cards_is_none() -> None:
    assert MINI.settle(cards_after("7d Kh", "6c Kc")).outcome.natural is False
    assert MINI.settle(cards_after("2d 3h 3c", "7c Kc")).outcome.natural is False


@pytest.mark.rule("BAC-13")
def test_punto_draws_on_five_and_stands_on_six() -> None:
    five, six = cards_after("2d 3h", "3c 2c"), cards_after("2d 4h", "3c 2c")
    assert five.next_hand == "punto"
    skipped = refused(five, card("banca", "2h"))
    assert (skipped.rule, skipped.detail["due"], skipped.detail["punto"]) == ("BAC-13", "punto", 5)
    drawn = refused(six, card("punto", "2h"))
    assert (drawn.rule, drawn.detail["due"], drawn.detail["punto"]) == ("BAC-13", "banca", 6)
    assert "punto tiene 6" in drawn.message.es and "punto has 6" in drawn.message.en


@pytest.mark.rule("BAC-14")
def test_banca_follows_puntos_table_when_punto_stands() -> None:
    assert cards_after("2d 4h", "3c 2c").next_hand == "banca"
    stands = cards_after("2d 4h", "3c 3s")
    assert stands.complete
    refusal = refused(stands, card("banca", "2h"))
    assert (refusal.rule, refusal.detail["banca"], refusal.detail["due"]) == ("BAC-14", 6, "")
    assert refused(stands, card("punto", "2h")).rule == "BAC-13"


@pytest.mark.rule("BAC-15")
def test_banca_three_draws_against_nine_but_not_against_eight() -> None:
    stands, draws = cards_after("2d 3h 8c", "2c As"), cards_after("2d 3h 9c", "2c As")
    refusal = refused(stands, card("banca", "5h"))
    assert refusal.rule == "BAC-15"
    assert "vale 8" in refusal.message.es and "banca tiene 3" in refusal.message.es
    assert draws.next_hand == "banca"
    assert MINI.play(draws, card("banca", "5h")).complete


@pytest.mark.rule("BAC-11")
@pytest.mark.rule("BAC-01")
def test_no_hand_takes_a_fourth_card() -> None:
    waiting = cards_after("2d 3h 9c", "2c As")
    assert refused(waiting, card("punto", "5h")).rule == "BAC-11"
    done = cards_after("2d 3h 9c", "2c As 4d")
    assert refused(done, card("punto", "5h")).rule == "BAC-11"
    assert refused(done, card("banca", "5h")).rule == "BAC-15"


@pytest.mark.rule("CARD-42")
def test_six_equal_cards_can_come_from_six_decks() -> None:
    # Six aces of spades: 2 against 2, both draw. As many as there are decks, and no more can come in a round.
    outcome = settled(dealt("As As As", "As As As"), Detail.CARDS).outcome
    assert (outcome.winner, outcome.punto, outcome.banca) == ("tie", 3, 3)


def test_cards_are_kept_in_canonical_form_and_values_may_mix() -> None:
    state = after(
        start(Detail.CARDS),
        card("punto", "10d"),
        card("banca", "v7"),
        card("punto", "9♦"),
        card("banca", "kH"),
    )
    assert (state.punto, state.banca) == (("Td", "9d"), ("v7", "Kh"))
    assert state.log[0] == {"e": "card", "to": "punto", "card": "Td"}


def test_an_unknown_card_names_the_field() -> None:
    refusal = refused(start(Detail.CARDS), card("punto", "1x"))
    assert (refusal.code, refusal.field) == ("unknown_card", "card")


def test_detail_decides_which_events_there_are() -> None:
    for detail, events in {
        Detail.RESULT: [bet(1, "punto", 1000), CLOSE, card("punto", "9d")],
        Detail.CARDS: [bet(1, "punto", 1000), CLOSE, {"e": "result", "winner": "tie"}],
        Detail.FULL: [{"e": "result", "winner": "tie"}],
    }.items():
        for event in events:
            assert refused(start(detail), event).code == "detail_forbids"


@pytest.mark.rule("BAC-01")
@pytest.mark.parametrize(("punto", "banca"), list(product(range(10), repeat=2)))
def test_announced_totals_and_winner_must_agree(punto: int, banca: int) -> None:
    right = "tie" if punto == banca else "punto" if punto > banca else "banca"
    for winner in ("punto", "banca", "tie"):
        event = {"e": "result", "winner": winner, "punto": punto, "banca": banca}
        if winner == right:
            assert MINI.play(start(Detail.RESULT), event).complete
        else:
            assert refused(start(Detail.RESULT), event).code == "result_mismatch"


def test_every_pair_of_totals_can_come_up() -> None:
    """Why an announced pair cannot be refused as impossible: each is reached by some deal."""
    seen, hands = set(), [((a, b), (c, d)) for a, b, c, d in product(range(10), repeat=4)]
    while hands:
        punto, banca = hands.pop()
        to = next_hand(punto, banca)
        if not to:
            seen.add((points(punto), points(banca)))
        elif to == "punto":
            hands += [((*punto, v), banca) for v in range(10)]
        else:
            hands += [(punto, (*banca, v)) for v in range(10)]
        if len(seen) == 100:
            break
    assert len(seen) == 100


@pytest.mark.parametrize(
    ("event", "field"),
    [
        ({"winner": "casa"}, "winner"),
        ({"winner": "tie", "punto": 3}, "banca"),
        ({"winner": "tie", "banca": 3}, "punto"),
        ({"winner": "punto", "punto": 10, "banca": 3}, "punto"),
        ({"winner": "punto", "punto": 4, "banca": -1}, "banca"),
        ({"winner": "punto", "punto": True, "banca": 0}, "punto"),
        ({"winner": "punto", "score": 3}, "score"),
        ({}, "winner"),
    ],
)
def test_a_bad_result_names_the_field(event: dict[str, Any], field: str) -> None:
    assert refused(start(Detail.RESULT), {"e": "result", **event}).field == field


def test_one_result_only() -> None:
    state = after(start(Detail.RESULT), {"e": "result", "winner": "tie"})
    assert refused(state, {"e": "result", "winner": "tie"}).code == "result_given"


@pytest.mark.rule("BAC-02")
@pytest.mark.rule("BAC-03")
@pytest.mark.rule("BAC-04")
def test_a_player_deals_in_punto_y_banca_only() -> None:
    deal = {"e": "deal", "seat": 3}
    assert after(start(of=PUNTO_BANCA), deal).dealing_seat == 3
    for of, rule_id in ((MIDI, "BAC-03"), (MINI, "BAC-04")):
        with pytest.raises(RuleViolation) as refusal:
            of.play(start(of=of), deal)
        assert refusal.value.rule == rule_id


def test_who_deals_is_noted_once_and_in_time() -> None:
    deal = {"e": "deal", "seat": 3}
    state = after(start(of=PUNTO_BANCA), deal)
    assert refused(state, deal).code == "deal_given"
    dealt_already = after(start(Detail.CARDS, of=PUNTO_BANCA), card("punto", "2h"))
    assert refused(dealt_already, deal).code == "deal_too_late"
    assert refused(after(start(of=PUNTO_BANCA), CLOSE), deal).code == "deal_too_late"
    assert (
        refused(after(start(Detail.RESULT, of=PUNTO_BANCA), {"e": "result", "winner": "tie"}), deal).code
        == "deal_too_late"
    )
    assert refused(start(of=PUNTO_BANCA), {"e": "deal", "seat": 8}).rule == "BAC-05"
