"""The refait: half or prison, what stands into the next round, and the insurance."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from casino.kernel.errors import RuleViolation, SabotError
from tests.games.trente.building import CLOSE, GAME, REFAIT, after, bet, choose, returns, rows, settled, start

BLACK_WINS = rows("Ks 9h 8d 4c", "Td Jc 5s 9h")
RED_WINS = rows("Ks 9h 8d 9c", "Td Jc 5s 9h")
TIE = rows("Ks 9h 8d 6c", "Td Jc 5s 8h")


def prison(seat: int, spot: str, amount: int, times: int = 1) -> dict[str, Any]:
    return {"e": "prison", "seat": seat, "spot": spot, "amount": amount, "times": times}


def only(settlement: Any) -> Any:
    (paid,) = settlement.payouts
    return paid


@pytest.mark.rule("TYC-11")
def test_each_player_chooses_for_each_bet() -> None:
    state = after(
        start(), bet(1, "black", 1000), bet(2, "red", 3000), bet(2, "inverse", 1500), CLOSE, *rows(*REFAIT)
    )
    prompts = GAME.prompts(state)
    assert [(p.kind, p.seat, p.rule) for p in prompts] == [
        ("choice", 2, "TYC-11"),
        ("choice", 2, "TYC-11"),
        ("choice", 1, "TYC-11"),
    ]
    assert all(p.options == ("half", "prison") for p in prompts)
    state = after(state, choose(2, "red", "half"), choose(1, "black", "prison"), choose(2, "inverse", "half"))
    settlement = GAME.settle(state)
    # Half of 15,00 in chips of 1,00: 8,00 is taken and 7,00 goes back (GEN-09).
    assert returns(settlement) == {(1, "black", 0): 1000, (2, "red", 0): 1500, (2, "inverse", 0): 700}
    assert settlement.totals.house_result == 1500 + 800
    assert settlement.carry == (prison(1, "black", 1000),)
    assert settlement.outcome.facts["in_prison"] == 1000
    words = {p.spot: p.words.es for p in settlement.payouts}
    assert words["red"] == "refait: se retira la mitad, 15,00; vuelven 15,00"
    assert words["black"] == "refait: en prisión para el pase siguiente, 10,00"


@pytest.mark.rule("TYC-11")
@pytest.mark.parametrize(
    ("policy", "returned", "pays"), [("half", 500, "lose_half"), ("prison", 1000, "prison")]
)
def test_a_policy_without_choice(policy: str, returned: int, pays: str) -> None:
    rules = {"refait_policy": policy}
    state = after(start(rules=rules), bet(1, "black", 1000), CLOSE, *rows(*REFAIT))
    assert state.complete
    paid = only(GAME.settle(state))
    assert (paid.returned, paid.pays, paid.row, paid.rule) == (returned, pays, "refait_31", "TYC-11")


@pytest.mark.rule("TYC-11")
@pytest.mark.parametrize(
    ("cards", "returned", "act", "left"),
    [
        (BLACK_WINS, 1000, "push", []),
        (RED_WINS, 0, "collect", []),
        (TIE, 1000, "push", [prison(1, "black", 1000)]),
        # Another refait: half of 10,00 is taken, 5,00 stays for the next round.
        (rows(*REFAIT), 500, "collect", [prison(1, "black", 500, 2)]),
    ],
    ids=["freed", "lost", "kept", "halved"],
)
def test_what_becomes_of_a_stake_in_prison(
    cards: list[Any], returned: int, act: str, left: list[Any]
) -> None:
    events: list[Any] = [prison(1, "black", 1000), CLOSE, *cards]
    if cards == rows(*REFAIT):
        events.append(choose(1, "black", "prison", 1))
    settlement = settled(*events)
    paid = only(settlement)
    assert (paid.stake, paid.returned, paid.act, paid.hand) == (1000, returned, act, 1)
    assert list(settlement.carry) == left
    assert settlement.notes[0].code == "prison_carried"


@pytest.mark.rule("TYC-11")
def test_halves_again_and_again_and_no_chip_is_lost_on_the_way() -> None:
    """10,00 bet; refait, refait, refait, then black wins: 10,00 - 5,00 - 3,00 = 2,00 comes home.

    Half of 5,00 in chips of 1,00 is 2,50, taken as 3,00 (GEN-09).
    """
    won, carried = 0, [bet(1, "black", 1000)]
    for hand, cards in ((0, REFAIT), (1, REFAIT), (2, REFAIT)):
        settlement = settled(*carried, CLOSE, *rows(*cards), choose(1, "black", "prison", hand))
        won += only(settlement).won
        carried = list(settlement.carry)
    assert carried == [prison(1, "black", 200, 3)]
    settlement = settled(*carried, CLOSE, *BLACK_WINS)
    assert won + only(settlement).won == 200 - 1000
    # A player who gives up at the second refait gets a quarter: half of the half that was left.
    quits = settled(prison(1, "black", 1000), CLOSE, *rows(*REFAIT), choose(1, "black", "half", 1))
    assert (only(quits).returned, only(quits).pays) == (200, "lose_3_of_4")
    assert quits.carry == ()
    exact = settled(prison(1, "black", 1200), CLOSE, *rows(*REFAIT), choose(1, "black", "half", 1))
    assert only(exact).returned == 300


@pytest.mark.rule("TYC-11")
def test_whoever_will_not_play_on_takes_half_of_what_is_in_prison() -> None:
    """Never asked for, but possible where no further round will decide: the last of a session."""
    tie = after(start(), prison(1, "black", 1000), CLOSE, *TIE)
    assert tie.complete and "retira ahora la mitad" in GAME.prompts(tie)[0].why.es
    ended = GAME.settle(after(tie, choose(1, "black", "half", 1)))
    assert (only(ended).returned, only(ended).rule, ended.carry) == (500, "TYC-11", ())
    policy = {"refait_policy": "prison"}
    refait = after(start(rules=policy), bet(1, "black", 1000), CLOSE, *rows(*REFAIT))
    assert refait.complete and GAME.settle(refait).carry == (prison(1, "black", 1000),)
    assert only(GAME.settle(after(refait, choose(1, "black", "half")))).returned == 500


@pytest.mark.rule("TYC-11")
def test_a_prisoner_and_a_new_bet_on_the_same_spot_are_two_stakes() -> None:
    state = after(start(), prison(1, "black", 1000), prison(1, "black", 400, 2), bet(1, "black", 2000), CLOSE)
    assert len({(b.seat, b.spot, b.hand) for b in state.bets}) == 3
    settlement = GAME.settle(after(state, *BLACK_WINS))
    assert returns(settlement) == {(1, "black", 0): 4000, (1, "black", 1): 1000, (1, "black", 2): 400}
    # No new money and no limit: 4,00 lies below the minimum of the spot.
    assert settlement.totals.house_result == -2000


@pytest.mark.rule("TYC-11")
@pytest.mark.rule("GEN-09")
@pytest.mark.parametrize("do", ["half", "prison"])
def test_one_chip_in_prison_leaves_nothing_on_another_refait(do: str) -> None:
    """Half of a chip goes up to the whole chip: nothing stays in prison and nothing goes back."""
    state = after(start(), prison(1, "black", 100), CLOSE, *rows(*REFAIT))
    settlement = GAME.settle(after(state, choose(1, "black", do, 1)))
    paid = only(settlement)
    assert paid.returned == 0 and settlement.carry == ()
    assert "1,00; no queda nada" in paid.words.es and "1.00; nothing is left" in paid.words.en


@pytest.mark.rule("TYC-11")
def test_what_is_in_prison_outlives_a_change_of_rules() -> None:
    """New rules, another smallest chip: the stake of 10,50 stands as it was; the next refait halves it."""
    changed = {"rules": {"refait_policy": "half", "bets": ["red"]}, "chip": 100}
    state = after(start(**changed), prison(1, "black", 1050), CLOSE)
    assert only(GAME.settle(after(state, *BLACK_WINS))).returned == 1050
    assert GAME.settle(after(state, *TIE)).carry == (prison(1, "black", 1050),)
    # Half of 10,50 is taken as 6,00 and half of the 4,50 left as 3,00 (GEN-09).
    again = GAME.settle(after(state, *rows(*REFAIT)))
    # What went back stands nowhere any more: the next round begins without it.
    assert only(again).returned == 150 and again.carry == () and "in_prison" not in again.outcome.facts


@pytest.mark.rule("TYC-11")
@pytest.mark.parametrize("policy", ["half", "prison", "half_or_prison"])
@pytest.mark.parametrize("end", [REFAIT, ("Ks Qs 9h 8d", "Kd Qd 9c 8c")])
@pytest.mark.parametrize("times", [1, 2])
def test_a_chip_that_went_back_is_not_in_prison_as_well(policy: str, end: Any, times: int) -> None:
    """Whatever the policy and the choice: what goes back is carried no further, what stays is carried."""
    opened = start(rules={"refait_policy": policy})
    state = after(opened, prison(1, "black", 1300, times), CLOSE, *rows(*end))
    ends = [state] if state.complete else []
    for do in ("half", "prison"):
        with suppress(SabotError):
            ends.append(after(state, choose(1, "black", do, times)))
    assert ends
    for ended in ends:
        settlement = GAME.settle(ended)
        paid = only(settlement)
        stays = "prisión" in paid.words.es
        assert [event["amount"] for event in settlement.carry] == ([paid.returned] if stays else [])


@pytest.mark.rule("TYC-12")
def test_a_wrong_premium_is_told_the_right_one_and_why() -> None:
    """1 % of 10,00 is 0,10; with chips of 1,00 that is a premium of 1,00 (GEN-09)."""
    with pytest.raises(RuleViolation) as refusal:
        after(start(), bet(1, "black", 1000), bet(1, "insurance_black", 10))
    assert "1,00 % de 10,00, hacia arriba a fichas de 1,00" in refusal.value.message.es
    assert "1.00 % of 10.00, up to whole chips of 1.00" in refusal.value.message.en


@pytest.mark.rule("TYC-11")
def test_prison_events_that_cannot_be() -> None:
    cases = [
        ({}, [prison(1, "black", 1000)], prison(1, "black", 500), "TYC-11", "prison_given"),
        ({}, [], prison(1, "insurance_black", 1000), "TYC-04", "unknown_spot"),
        ({}, [], prison(1, "black", 1000, 0), "", "out_of_range"),
        ({}, [], prison(0, "black", 1000), "TYC-03", "no_such_seat"),
        ({}, [prison(1, "black", 20_000)], bet(1, "insurance_black", 200), "TYC-12", "nothing_to_insure"),
        (
            {"refait_policy": "half"},
            [bet(1, "black", 1000), CLOSE, *rows(*REFAIT)],
            choose(1, "black", "half"),
            "TYC-11",
            "policy_decides",
        ),
        ({}, [prison(1, "black", 1000)], {"e": "undo", "of": 1, "why": "x"}, "TYC-11", "undo_carried"),
        (
            {},
            [prison(1, "black", 1000), CLOSE, *TIE],
            choose(1, "black", "prison", 1),
            "TYC-11",
            "policy_decides",
        ),
        ({}, [bet(1, "black", 1000), CLOSE, *TIE], choose(1, "black", "half"), "TYC-11", "no_refait"),
    ]
    for rules, before, wrong, rule, code in cases:
        state = after(start(rules=rules), *before)
        with pytest.raises(Exception) as refusal:
            GAME.play(state, wrong)
        assert (getattr(refusal.value, "rule", None), getattr(refusal.value, "code", None)) == (rule, code)


@pytest.mark.rule("TYC-12")
@pytest.mark.rule("GEN-09")
@pytest.mark.parametrize(
    ("stake", "premium"),
    # 1 % of 200,00; of 250,00 it is 2,50 and of 199,00 it is 1,99: both up to chips of 1,00.
    [(20_000, 200), (25_000, 300), (19_900, 200), (1000, 100)],
)
def test_the_premium_goes_up_to_whole_chips_and_is_always_lost(stake: int, premium: int) -> None:
    events = [bet(1, "black", stake), bet(1, "insurance_black", premium), CLOSE]
    state = after(start(), *events)
    for cards, back in ((BLACK_WINS, 2 * stake), (RED_WINS, 0), (TIE, stake), (rows(*REFAIT), stake)):
        settlement = GAME.settle(after(state, *cards))
        assert returns(settlement) == {(1, "black", 0): back, (1, "insurance_black", 0): 0}
        first = settlement.payouts[0]
        assert (first.spot, first.act, first.won) == ("insurance_black", "collect", -premium)


@pytest.mark.rule("TYC-12")
def test_on_a_refait_an_insured_stake_is_free_and_the_others_are_not() -> None:
    state = after(
        start(),
        bet(1, "black", 20_000),
        bet(1, "insurance_black", 200),
        bet(1, "inverse", 20_000),
        CLOSE,
        *rows(*REFAIT),
    )
    (prompt,) = GAME.prompts(state)
    assert [event["spot"] for event in prompt.events] == ["inverse", "inverse"]
    settlement = GAME.settle(after(state, choose(1, "inverse", "half")))
    assert returns(settlement) == {
        (1, "black", 0): 20_000,
        (1, "insurance_black", 0): 0,
        (1, "inverse", 0): 10_000,
    }
    rows_told = {p.spot: (p.row, p.pays, p.rule) for p in settlement.payouts}
    assert rows_told["black"] == ("refait_31", "push", "TYC-12")
    assert rows_told["insurance_black"] == ("refait_31", "free_stake", "TYC-12")
    assert rows_told["inverse"] == ("refait_31", "lose_half", "TYC-11")


@pytest.mark.rule("TYC-12")
def test_a_raised_stake_owes_the_rest_of_its_premium() -> None:
    state = after(start(), bet(1, "black", 20_000), bet(1, "insurance_black", 200), bet(1, "black", 5000))
    assert "close" not in [p.kind for p in GAME.prompts(state)]
    assert {"e": "bet", "seat": 1, "spot": "insurance_black", "amount": 100} in GAME.prompts(state)[1].events
    state = after(state, bet(1, "insurance_black", 100), CLOSE)
    assert state.stakes[1, "insurance_black", 0] == 300
    # Whoever strikes the stake out strikes its insurance first.
    with pytest.raises(Exception) as refusal:
        GAME.play(
            after(start(), bet(1, "black", 20_000), bet(1, "insurance_black", 200)),
            {"e": "undo", "of": 1, "why": "x"},
        )
    assert getattr(refusal.value, "code", "") == "undo_blocked"


@pytest.mark.rule("TYC-12")
@pytest.mark.rule("GEN-04")
def test_an_insured_stake_is_not_raised_past_the_largest_premium() -> None:
    limits = {"black": (1000, 100_000), "insurance_black": (100, 200)}
    state = after(start(limits=limits), bet(1, "black", 20_000), bet(1, "insurance_black", 200))
    assert bet(1, "black", 100) not in GAME.prompts(state)[0].events
    with pytest.raises(Exception) as refusal:
        GAME.play(state, bet(1, "black", 100))
    assert (getattr(refusal.value, "rule", ""), getattr(refusal.value, "code", "")) == (
        "GEN-04",
        "above_maximum",
    )
