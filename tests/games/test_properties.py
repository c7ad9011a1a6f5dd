"""What holds for every round, however it goes and whatever is thrown at it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.errors import Conflict, SabotError
from shoes.cards import FRENCH52, VALUE_CARDS
from tables.games.base import Detail, Game
from tests.games.building import MIDI, MINI, PUNTO_BANCA, start

GAMES = (PUNTO_BANCA, MIDI, MINI)
CARDS = st.sampled_from(FRENCH52.cards + VALUE_CARDS)
VARIANTS: list[dict[str, Any]] = [
    {},
    {"decks": 8},
    {"banca_variant": "no_commission"},
    {"commission_rounding": "exact", "prize_rounding": "exact"},
    {"tie_pays": "9:1"},
    {"banca_variant": "no_commission", "prize_rounding": "exact"},
]
SEATS = 7


@st.composite
def openings(draw: st.DrawFn) -> tuple[Game, Any]:
    """A game and a round of it with nothing in it, under some rules and terms."""
    of = draw(st.sampled_from(GAMES))
    limits = {"punto": (1000, 6000), "banca": (1000, 40_000)}
    if draw(st.booleans()):
        limits["tie"] = (500, 2000)
    # `exact` with chips of 500 takes banca stakes in steps of 10.000: the limits leave some.
    return of, start(
        draw(st.sampled_from(list(Detail))),
        of=of,
        rules=draw(st.sampled_from(VARIANTS)),
        limits=limits,
        differential=draw(st.sampled_from([None, 10_000, 12_000])),
    )


def accepted(of: Game, state: Any, event: Any) -> bool:
    try:
        of.play(state, event)
    except SabotError:
        return False
    return True


def events_of(prompt: Any, draw: st.DrawFn) -> dict[str, Any]:
    """An event that does what the prompt offers, right or wrong in its amount only."""
    if prompt.kind == "card":
        return {"e": "card", "to": prompt.to, "card": draw(CARDS)}
    if prompt.kind == "result":
        return {"e": "result", "winner": draw(st.sampled_from(prompt.options))}
    if prompt.kind == "deal":
        return {"e": "deal", "seat": int(draw(st.sampled_from(prompt.options)))}
    if prompt.kind == "bet":
        return {
            "e": "bet",
            "seat": draw(st.integers(1, SEATS)),
            "spot": draw(st.sampled_from(prompt.options)),
            "amount": draw(st.sampled_from([500, 1000, 1500, 2000, 10_000, 20_000])),
        }
    assert prompt.kind == "close"
    return {"e": "close"}


def offered_bet_exists(of: Game, state: Any, spot: str) -> bool:
    return any(
        accepted(of, state, {"e": "bet", "seat": seat, "spot": spot, "amount": amount})
        for seat in range(1, SEATS + 1)
        for amount in (500, 1000, 1500, 2000, 10_000)
    )


@st.composite
def rounds(draw: st.DrawFn, *, check_prompts: bool = False) -> tuple[Game, Any, list[Any]]:
    """A round played by following prompts, with wrong bets and undos between, mostly to its end."""
    of, opened = draw(openings())
    state, tried = opened, 0
    while not state.complete and tried < 60:
        tried += 1
        prompts = of.prompts(state)
        assert prompts, "a round that is not complete always offers something"
        if check_prompts:
            check_offers(of, state, prompts, draw)
        prompt = draw(st.sampled_from(prompts))
        if state.log and draw(st.integers(0, 9)) == 0:
            event: dict[str, Any] = {"e": "undo", "of": draw(st.integers(1, len(state.log))), "why": "error"}
        else:
            event = events_of(prompt, draw)
        if accepted(of, state, event):
            state = of.play(state, event)
    return of, opened, list(state.log)


def check_offers(of: Game, state: Any, prompts: tuple[Any, ...], draw: st.DrawFn) -> None:
    for prompt in prompts:
        if prompt.kind == "bet":
            assert all(offered_bet_exists(of, state, spot) for spot in prompt.options)
            unoffered = {"punto", "banca", "tie"} - set(prompt.options)
            assert not any(offered_bet_exists(of, state, spot) for spot in unoffered)
        else:
            assert accepted(of, state, events_of(prompt, draw)), prompt


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_prompts_offer_what_play_accepts_and_are_never_empty(data: st.DataObject) -> None:
    of, opened, log = data.draw(rounds(check_prompts=True))
    final = of.play_all(opened, log)
    (prompt, *others) = of.prompts(final)
    if final.complete:
        assert prompt.kind == "settle" and not others
        assert prompt.text.es.startswith("Anuncie «" + of.settle(final).announcement.es)
    else:
        assert prompt.kind != "settle"
        with pytest.raises(Conflict):
            of.settle(final)


@settings(max_examples=150, deadline=None)
@given(rounds())
def test_a_log_played_twice_or_step_by_step_gives_the_same_state(played: tuple[Game, Any, list[Any]]) -> None:
    of, opened, log = played
    at_once, again, stepwise = of.play_all(opened, log), of.play_all(opened, log), opened
    for event in log:
        stepwise = of.play(stepwise, event)
    assert at_once == again == stepwise
    assert list(at_once.log) == log
    if at_once.complete:
        assert of.settle(at_once).to_json() == of.settle(stepwise).to_json()


@settings(max_examples=150, deadline=None)
@given(rounds())
def test_no_chip_appears_or_vanishes(played: tuple[Game, Any, list[Any]]) -> None:
    of, opened, log = played
    state = of.play_all(opened, log)
    if not state.complete:
        return
    settlement, chip = of.settle(state), state.terms.chip
    totals = settlement.totals
    assert sum(p.won for p in settlement.payouts) + totals.house_result == 0
    assert totals.staked == sum(bet.amount for bet in state.bets)
    assert totals.house_result == totals.staked - totals.returned
    assert sorted((p.seat, p.spot, p.stake, p.hand) for p in settlement.payouts) == sorted(state.bets)
    for place, payout in enumerate(settlement.payouts, start=1):
        assert payout.order == place
        assert payout.returned % chip == payout.commission % chip == 0
        assert payout.returned >= 0 and payout.won == payout.returned - payout.stake
        assert {"collect": payout.won < 0, "pay": payout.won >= 0, "push": payout.won == 0}[payout.act]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**4000, -(10**4000)])
    | st.floats()
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)
GOOD = {
    "e": st.sampled_from(["bet", "close", "card", "result", "undo", "note", "deal"]),
    "seat": st.integers(-1, 9),
    "spot": st.sampled_from(["punto", "banca", "tie"]),
    "amount": st.integers(-1, 50_000),
    "to": st.sampled_from(["punto", "banca"]),
    "card": CARDS,
    "winner": st.sampled_from(["punto", "banca", "tie"]),
    "punto": st.integers(-1, 10),
    "banca": st.integers(-1, 10),
    "of": st.integers(-1, 12),
    "why": st.text(max_size=8),
    "code": st.sampled_from(["exposed_card", "x", "X"]),
    "at": JSON,
    "by": JSON,
}
MANGLED = st.one_of(
    JSON,
    st.binary(),
    st.sets(st.integers()),
    st.dictionaries(st.one_of(st.text(max_size=4), st.integers(), st.none(), st.floats()), JSON, max_size=3),
    st.builds(
        lambda good, bad: {**good, **bad},
        st.fixed_dictionaries(
            {"e": GOOD["e"]}, optional={key: value for key, value in GOOD.items() if key != "e"}
        ),
        st.dictionaries(st.sampled_from([*sorted(GOOD), "other"]), JSON, max_size=2),
    ),
)


@settings(max_examples=600, deadline=None)
@given(rounds(), MANGLED)
def test_no_event_raises_anything_but_a_refusal(played: tuple[Game, Any, list[Any]], event: Any) -> None:
    of, opened, log = played
    state = of.play_all(opened, log)
    before, copy = repr(state), of.play_all(opened, log)
    try:
        after = of.play(state, event)
    except SabotError as refusal:
        assert refusal.code and refusal.message.es and refusal.message.en
        assert refusal.detail["position"] == len(log) + 1
        with pytest.raises(type(refusal)) as again:
            of.play_all(state, [event])
        assert (again.value.code, again.value.message) == (refusal.code, refusal.message)
    else:
        assert after == of.play_all(state, [event])
        assert len(after.log) == len(log) + 1
        assert of.prompts(after)
    assert repr(state) == before and state == copy


@settings(max_examples=150, deadline=None)
@given(rounds())
@pytest.mark.rule("BAC-20")
def test_after_the_first_card_no_undo_changes_the_bets(played: tuple[Game, Any, list[Any]]) -> None:
    of, state, log = played
    frozen = None
    for event in log:
        state = of.play(state, event)
        if frozen is None and event["e"] == "card":
            frozen = (state.bets, state.closed)
        assert frozen is None or frozen == (state.bets, state.closed)
        for position in range(1, len(state.log) + 1):
            undo = {"e": "undo", "of": position, "why": "error"}
            if frozen is not None and accepted(of, state, undo):
                assert frozen == (of.play(state, undo).bets, of.play(state, undo).closed)
