"""The online templates: presets and their stakes, the American hole card, charlie and the other options."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import RuleViolation
from tests.games.blackjack.building import (
    ONLINE,
    after,
    bet,
    dealer,
    do,
    paid,
    refusal,
    round_of,
    settled,
    show,
    table,
    to,
)

AMERICAN: dict[str, Any] = {"hole_card": "american", "surrender": "late"}


def online(cards: str, up: str, *events: Any, rules: Any = None, second: str = "") -> Any:
    hands: dict[Any, str] = {1: cards, **({(1, 1): second} if second else {})}
    return round_of(hands, up, *events, game=ONLINE, rules=AMERICAN if rules is None else rules)


@pytest.mark.rule("BJ-45")
@pytest.mark.parametrize(
    ("preset", "low", "high", "hands"),
    [
        ("M1", 10, 500, 1),
        ("M3", 10, 500, 3),
        ("S1", 100, 15_000, 1),
        ("S3", 100, 15_000, 3),
        ("Video", 100, 15_000, 3),
        ("Clasico", 200, 15_000, 3),
    ],
)
def test_each_preset_has_its_stakes_and_hands(preset: str, low: int, high: int, hands: int) -> None:
    state = table(ONLINE, rules={"preset": preset}, chip=10, limits={"main": (1, 10_000_000)})
    assert state.boxes["main"] == (low, high)
    assert after(state, bet(1, low)).bets[0].amount == low and after(state, bet(1, high)).bets
    for amount in (low - 10, high + 10):
        if amount:
            assert refusal(state, bet(1, amount)).rule == "BJ-45"
    for hand in range(hands):
        state = after(state, bet(1, low, hand=hand))
    more = refusal(state, bet(1, low, hand=hands))
    assert (more.rule, more.code) == ("BJ-45", "too_many_hands")


@pytest.mark.rule("BJ-45")
def test_limits_of_the_table_must_meet_the_presets_and_may_be_narrower() -> None:
    with pytest.raises(RuleViolation) as caught:
        table(ONLINE, rules={"preset": "M1"}, limits={"main": (1000, 5000)})
    assert (caught.value.rule, caught.value.code) == ("BJ-45", "outside_preset")
    narrow = table(ONLINE, limits={"main": (500, 1000)})
    assert refusal(narrow, bet(1, 1100)).rule == "GEN-04"
    # A currency without decimals: 0.10 to 5 units leaves 1 to 5.
    whole = table(ONLINE, rules={"preset": "M1"}, chip=1, exponent=0, limits={"main": (1, 1000)})
    assert whole.boxes["main"] == (1, 5)


@pytest.mark.rule("BJ-45")
def test_one_person_and_no_table_of_seven() -> None:
    with pytest.raises(RuleViolation):
        table(ONLINE, seats=2)


@pytest.mark.rule("BJ-46")
def test_american_deal_has_a_second_dealer_card_covered_or_known() -> None:
    state = online("9h 7c", "7h ??")
    assert state.dealer == ("7h", "??") and state.stage == "decide"
    assert ONLINE.hands_on(state)[0].worth is None
    state = after(state, do(1, "stand"))
    assert state.stage == "show"
    early = refusal(state, dealer("9d"))
    assert (early.rule, early.code) == ("BJ-46", "card_not_due")
    assert not after(state, show("9d")).complete
    known = after(online("9h 7c", "7h 9d"), do(1, "stand"))
    wrong = refusal(known, show("8d"))
    assert (wrong.rule, wrong.code) == ("BJ-46", "other_card")
    assert after(known, show("9d"), dealer("Kc")).complete
    for event in (show("9d"), show("Kd")):
        assert refusal(online("9h 7c", "7h ??"), event).rule == "BJ-46"
    assert refusal(online("9h 7c", "7h", rules={}), show("9d")).code == "nothing_to_show"


@pytest.mark.rule("BJ-46")
@pytest.mark.parametrize(("up", "hole"), [("Ah", "Kd"), ("Th", "Ad")])
def test_the_peek_ends_the_round_on_black_jack_and_takes_all_but_ties(up: str, hole: str) -> None:
    for dealt in (
        online("9h 9c", f"{up} ??", second="As Kc"),
        online("9h 9c", f"{up} {hole}", second="As Kc"),
    ):
        state = after(dealt, show(hole))
        assert state.complete
        assert {h: (p.row, p.returned) for (_, h), p in paid(state).items()} == {
            0: ("dealer_blackjack", 0),
            1: ("blackjack_both", 1000),
        }
        assert paid(state)[1, 0].rule == "BJ-46"
    known = online("9h 9c", f"{up} {hole}")
    for event in (do(1, "hit"), do(1, "stand"), to(1, "2c")):
        assert refusal(known, event).rule == "BJ-46"
    not_it = refusal(online("9h 9c", f"{up} ??"), show("9d"))
    assert (not_it.rule, not_it.code) == ("BJ-46", "show_too_early")


@pytest.mark.rule("BJ-46")
def test_insurance_is_answered_before_the_peek() -> None:
    insured = after(online("9h 9c", "Ah ??"), do(1, "insurance", amount=500))
    assert paid(after(insured, show("Kd")), "insurance")[1, 0].returned == 1500
    played = after(insured, do(1, "stand"), show("9d"))
    gone_on = after(online("9h 9c", "Ah ??", second="9s 9d"), do(1, "stand"))
    assert refusal(gone_on, do(1, "insurance", 1, amount=500)).code == "offer_over"
    assert paid(played, "insurance")[1, 0].returned == 0
    assert paid(after(online("9h 9c", "Ah Kd"), do(1, "insurance", amount=500), show("Kd")), "insurance")


@pytest.mark.rule("BJ-46")
def test_a_black_jack_found_late_takes_the_original_bets_and_is_flagged() -> None:
    state = online("8h 8c", "Ah ??", do(1, "split"), to(1, "3d"), do(1, "double"), to(1, "9s"))
    state = after(state, to(1, "Kc", 1), do(1, "stand", 1), show("Kd"))
    assert {h: p.returned for (_, h), p in paid(state).items()} == {0: 1000, 1: 1000}
    assert [n.rule for n in settled(state).notes if n.code == "missed_peek"] == ["BJ-46"]


@pytest.mark.rule("BJ-48")
def test_late_surrender_is_after_the_peek_even_against_an_ace() -> None:
    state = online("9h 7c", "Ah ??", do(1, "surrender"), show("9d"))
    payout = paid(state)[1, 0]
    assert (payout.returned, payout.pays) == (500, "lose_half")
    assert refusal(online("2h 3c", "9h ??", to(1, "4c")), do(1, "surrender")).rule == "BJ-48"
    assert refusal(online("9h 7c", "9h", rules={}), do(1, "surrender")).rule == "BJ-48"


@pytest.mark.rule("BJ-48")
def test_dealer_hits_soft_17_where_the_variant_says_so() -> None:
    rules = {"dealer_hits_soft_17": True}
    state = online("9h 9c", "6h", do(1, "stand"), dealer("Ah"), rules=rules)
    assert not state.complete and after(state, dealer("4d")).complete
    assert "17 blando pide" in ONLINE.prompts(state)[0].why.es
    assert online("9h 9c", "6h", do(1, "stand"), dealer("Ah"), rules={}).complete


@pytest.mark.rule("BJ-48")
def test_no_double_on_black_jack() -> None:
    assert refusal(online("As Kd", "9h ??", second="9h 9c"), do(1, "double")).rule == "BJ-13"


@pytest.mark.rule("BJ-47")
def test_seven_cards_win_where_the_option_is_on() -> None:
    draws = [to(1, card) for card in ("2c", "2d", "3h", "3c", "3d")]
    on = online("As 2s", "Th", *draws, rules={"charlie_cards": 7})
    assert on.complete and (paid(on)[1, 0].row, paid(on)[1, 0].returned) == ("charlie", 2000)
    off = online("As 2s", "Th", *draws, rules={})
    assert off.stage == "decide"
    beaten = after(off, do(1, "stand"), dealer("Kc"))
    assert paid(beaten)[1, 0].row == "total_lower"
    # A player beside it: the dealer's black jack does not touch the seven cards.
    both = online("As 2s", "Th", *draws, do(1, "stand", 1), rules={"charlie_cards": 7}, second="9h 9c")
    end = after(both, dealer("Ad"))
    assert {h: p.returned for (_, h), p in paid(end).items()} == {0: 2000, 1: 0}


@pytest.mark.rule("CARD-42")
def test_a_single_deck_has_each_card_once() -> None:
    state = round_of({1: "As Kd"}, "9h", game=ONLINE, rules={"decks": 1, "preset": "S1"})
    assert refusal(state, dealer("Kd")).rule in ("CARD-42", "BJ-30")
    covered = online("9h 7c", "7h ??", do(1, "stand"), rules={**AMERICAN, "decks": 1})
    assert refusal(covered, show("9h")).rule == "CARD-42"
