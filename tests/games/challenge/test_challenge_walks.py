"""What holds for every pass of Challenge 21, however it goes and whatever is thrown at it; and its edges."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.errors import SabotError
from shoes.cards import FRENCH52
from tables.games import blackjack
from tables.games.base import Detail
from tables.games.challenge.edges import player_of, table_of
from tests.games.challenge.building import GAME, PER_HAND, bets, start
from tests.games.fuzzing import fuzz
from tests.games.trente.mangling import JSON, mangled
from tests.games.walking import check_settled, started, walk

VARIANTS: list[dict[str, Any]] = [
    {},
    PER_HAND,
    {"immediate_pay": "not_ace", "splits_max": 1, "surrender": False, "blackjack_pays": "6:5"},
    {**PER_HAND, "double_totals": "9_10_11", "split_pair_by": "rank", "surrender_loss_percent": 33},
]


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("detail", list(Detail))
def test_walks(rules: dict[str, Any], detail: Detail) -> None:
    state = started(GAME, detail, rules, seats=3)
    for seed in range(120):
        ended = walk(GAME, state, random.Random(seed), check=seed % 5 == 0)
        check_settled(GAME, state, ended)
        settlement = GAME.settle(ended)
        assert sorted((p.seat, p.spot, p.stake, p.hand) for p in settlement.payouts) == sorted(ended.bets)
        assert bool(settlement.unchecked) == (detail is not Detail.FULL)


@pytest.mark.parametrize("rules", VARIANTS)
def test_walks_against_an_ace(rules: dict[str, Any]) -> None:
    """Rounds in which insurance and even money are offered, with many pairs and black jacks."""
    opened = start(rules=rules, seats=2)
    placed = GAME.play_all(opened, [*bets(1, 1000, 1500, 2000), *bets(2, 3000, 1000), {"e": "close"}])
    bases = ["As"] if placed.rules.shared else ["As", "6d", "Ah"]
    names = ("dealer", "dealer2", "dealer3")
    for seed in range(120):
        chance = random.Random(seed)
        first, second = chance.choice(["Ac", "Kc", "8c"]), chance.choice(["Kd", "8d", "Ad"])
        deal: list[dict[str, Any]] = [{"e": "card", "to": "seat", "seat": s, "card": first} for s in (1, 2)]
        deal += [{"e": "card", "to": n, "card": base} for n, base in zip(names, bases, strict=False)]
        deal += [{"e": "card", "to": "seat", "seat": s, "card": second} for s in (1, 2)]
        ended = walk(GAME, GAME.play_all(placed, deal), chance, check=seed % 5 == 0)
        check_settled(GAME, opened, ended)


GOOD = {
    "e": st.sampled_from(["bet", "close", "card", "choice", "in", "result", "undo", "note"]),
    "seat": st.integers(-1, 4),
    "spot": st.sampled_from(list(GAME.spots)),
    "amount": st.sampled_from([-1, 0, 100, 500, 1000, 1050, 10**12]),
    "to": st.sampled_from(["seat", "dealer", "dealer2", "dealer3", "dealer4"]),
    "hand": st.integers(-1, 3),
    "hands": st.integers(-1, 4),
    "card": st.sampled_from([*FRENCH52.cards, "v5", "??"]),
    "do": st.sampled_from([*GAME.choices, "leave"]),
    "winner": st.sampled_from(list(GAME.winners)),
    "of": st.integers(-1, 20),
    "why": st.text(max_size=8),
    "code": st.sampled_from(["exposed_card", "x", "X"]),
    "at": JSON,
    "by": JSON,
}


@st.composite
def anywhere(draw: st.DrawFn) -> Any:
    """A state somewhere along a walk."""
    detail = draw(st.sampled_from(list(Detail)))
    state = started(GAME, detail, draw(st.sampled_from(VARIANTS)), seats=2)
    ended = walk(GAME, state, random.Random(draw(st.integers(0, 400))), check=False)
    return GAME.play_all(state, ended.log[: draw(st.integers(0, len(ended.log)))])


@settings(max_examples=500, deadline=None)
@given(anywhere(), mangled(GOOD))
def test_no_event_raises_anything_but_a_refusal(state: Any, event: Any) -> None:
    before = repr(state)
    try:
        played = GAME.play(state, event)
    except SabotError as refusal:
        assert refusal.code and refusal.message.es and refusal.message.en
    else:
        assert len(played.log) == len(state.log) + 1
        assert GAME.prompts(played)
        assert GAME.play_all(GAME.open(state.rules, state.terms), played.log) == played
    assert repr(state) == before


def _by_the_engine(rules: Any, ranks: Iterator[int]) -> tuple[float, ...]:
    """The same strategy and cards through `play` and `settle`, three bets of 10,00."""
    state = start(rules=rules.to_json(), seats=1, chip=1)
    state = GAME.play_all(state, [*bets(1, 1000, 1000, 1000), {"e": "close"}])
    suits: dict[int, int] = {}
    while not state.complete:
        offered = [prompt.options for prompt in GAME.prompts(state)]
        if ("even_money", "no_even_money") in offered and table_of(rules).takes_even:
            state = GAME.play(state, {"e": "choice", "seat": 1, "do": "even_money"})
            continue
        prompt = GAME.prompts(state)[-1]
        if prompt.kind == "choice":
            event: dict[str, Any] = {"e": "choice", "seat": 1, "hand": prompt.hand, "do": _decision(state)}
        else:
            rank = next(ranks)
            suits[rank] = suits.get(rank, -1) + 1
            card = "A23456789TJQK"[rank] + "shdc"[suits[rank] % 4]
            event = {**prompt.events[0], "card": card}
        state = GAME.play(state, event)
    won = {"first": 0, "second": 0, "third": 0}
    for paid in GAME.settle(state).payouts:
        won[paid.spot] += paid.won
    return tuple(amount / 1000 for amount in won.values())


def _decision(state: Any) -> str:
    hand = state.hands[state.turn]
    points = ["_A23456789T".find(card[0]) if card[0] not in "JQK" else 10 for card in hand.cards]
    ups = tuple(["_A23456789T".find(h[0][0]) if h[0][0] not in "JQK" else 10 for h in state.dealer])
    split = len(state.hands) > 1
    alike = hand.cards[0][0] == hand.cards[1][0] or points[0] == points[1]
    if state.rules.split_pair_by == "rank":
        alike = hand.cards[0][0] == hand.cards[1][0]
    pair = points[0] if alike and len(points) == 2 and not split else 0
    ups = ups[:1] if state.rules.shared else tuple(sorted(ups))
    options = table_of(state.rules).options(sum(points), 1 in points, len(points), split, pair, ups)
    return max(options, key=lambda name: options[name])


@pytest.mark.parametrize("rules", VARIANTS)
def test_the_short_path_of_the_simulation_wins_what_the_engine_pays(rules: dict[str, Any]) -> None:
    read = GAME.read_rules(rules)
    play = player_of(read)
    for seed in range(200):
        ranks = [rank for rank in range(13) for _ in range(24)]
        random.Random(seed).shuffle(ranks)
        short, engine = iter(ranks), iter(ranks)
        assert play(lambda ranks=short: next(ranks)) == pytest.approx(_by_the_engine(read, engine))


@pytest.mark.rule("GEN-06")
@pytest.mark.rule("BJ-21")
@pytest.mark.parametrize("rules", [{}, PER_HAND], ids=["shared", "per_hand"])
def test_edges(rules: dict[str, Any]) -> None:
    read = GAME.read_rules(rules)
    quick = {edge.bet: edge for edge in GAME.quick_edges(read)}
    # Six decks, an ace out: 96 of 311 unseen cards make the insurance win 2 to 1.
    assert quick["insurance_first"].percent == pytest.approx(100 * (215 - 2 * 96) / 311)
    assert quick["first"].percent > 0
    played = [e for e in GAME.edges(read, random.Random(5), 30_000) if e.method == "simulated"]
    assert [e.bet for e in played] == ["first", "second", "third"]
    for edge in played:
        assert edge.rounds == 30_000 and 0.9 < edge.margin < 1.4
        # The endless shoe differs from six decks by less than a quarter of a point.
        assert abs(edge.percent - quick["first"].percent) < 1.5 * edge.margin + 0.25
    generous = GAME.quick_edges(GAME.read_rules({**rules, "win_pays": "5:4"}))
    assert any(edge.favours_player for edge in generous)


@pytest.mark.rule("BJ-43")
def test_one_decision_for_three_dealer_hands_costs_the_player() -> None:
    """With a base for each hand the player decides once against three: no bet can earn more so."""
    shared, each = (
        next(e.percent for e in GAME.quick_edges(GAME.read_rules(rules)) if e.bet == "first")
        for rules in ({}, PER_HAND)
    )
    assert shared < each


def test_one_bet_fares_as_in_the_simple_game() -> None:
    """With the shared base each bet is Black Jack: another implementation counts the same edge."""
    classic = next(game for game in blackjack.GAMES if game.code == "blackjack.classic")
    for rules in (
        {"splits_max": 1},
        {"splits_max": 0, "double_totals": "9_10_11"},
        {"splits_max": 1, "blackjack_pays": "6:5", "double_after_split": False},
        {"splits_max": 1, "immediate_pay": "not_ace", "split_pair_by": "rank"},
    ):
        simple = next(e for e in classic.quick_edges(classic.read_rules(rules)) if e.bet == "main")
        ours = next(e for e in GAME.quick_edges(GAME.read_rules(rules)) if e.bet == "first")
        assert ours.percent == pytest.approx(simple.percent, abs=1e-9)


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("rules", [{}, PER_HAND], ids=["shared", "per_hand"])
def test_wrong_events_at_every_step(rules: dict[str, Any], detail: Detail) -> None:
    state = started(GAME, detail, rules, seats=2)
    assert sum(fuzz(GAME, state, seed) for seed in range(15)) > 100
