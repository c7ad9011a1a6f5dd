"""Chances and the house's edge, against independent counts and published figures."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from tables.games.base import Detail
from tables.games.blackjack import pairs
from tables.games.blackjack.dealer import OUTCOMES, distribution
from tables.games.blackjack.edges import edges, insurance_edge, quick_edges
from tables.games.blackjack.hands import POINTS, is_pair
from tables.games.blackjack.simulate import player_of
from tables.games.blackjack.strategy import strategy_for
from tests.games.blackjack.building import (
    CLASSIC,
    ONLINE,
    PERFECT,
    after,
    bet,
    game_of,
    settled,
    table,
)


def brute_force(up: str, decks: int, hits_soft_17: bool) -> dict[str, Fraction]:
    """The dealer's outcomes by walking every ordered run of ranks, written without the package's code."""
    left = dict.fromkeys("A23456789TJQK", 4 * decks)
    left[up] -= 1
    chances: dict[str, Fraction] = dict.fromkeys(OUTCOMES, Fraction(0))

    def value(cards: str) -> tuple[int, bool]:
        low = sum(1 if rank == "A" else 10 if rank in "TJQK" else int(rank) for rank in cards)
        return (low + 10, True) if "A" in cards and low + 10 <= 21 else (low, False)

    def walk(cards: str, ways: int, of: int) -> None:
        total, soft = value(cards)
        if len(cards) > 1 and (total > 17 or (total == 17 and not (soft and hits_soft_17))):
            end = "bust" if total > 21 else "blackjack" if len(cards) == 2 and total == 21 else str(total)
            chances[end] += Fraction(ways, of)
            return
        # The four ten-point ranks are alike: one walk stands for all of them.
        unseen = sum(left.values())
        for ranks in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "TJQK"):
            count = sum(left[rank] for rank in ranks)
            if not count:
                continue
            taken = next(rank for rank in ranks if left[rank])
            left[taken] -= 1
            walk(cards + ranks[0], ways * count, of * unseen)
            left[taken] += 1

    walk(up, 1, 1)
    return chances


@pytest.mark.rule("BJ-17")
@pytest.mark.rule("BJ-18")
@pytest.mark.parametrize(
    ("up", "decks", "soft"),
    [
        ("A", 6, False),
        ("A", 1, True),
        ("6", 6, False),
        ("6", 6, True),
        ("7", 8, False),
        ("T", 6, False),
        ("K", 1, False),
        ("9", 2, True),
        ("2", 1, False),
    ],
)
def test_the_dealers_outcomes_agree_with_a_brute_force_count(up: str, decks: int, soft: bool) -> None:
    rank = {"A": 1, "T": 10, "K": 10}.get(up) or int(up)
    counted = distribution(rank, decks, soft)
    assert dict(counted) == brute_force(up, decks, soft)
    assert sum(counted.values()) == 1


@pytest.mark.rule("BJ-18")
@pytest.mark.parametrize(
    ("up", "published"),
    [
        (1, (0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.313726, 0.11654)),
        (2, (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0, 0.352973)),
        (6, (0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0, 0.420823)),
        (8, (0.130857, 0.362989, 0.129445, 0.0682898, 0.0697914, 0, 0.238627)),
    ],
)
def test_the_dealers_outcomes_agree_with_published_figures(up: int, published: tuple[float, ...]) -> None:
    """wizardofodds.com, blackjack appendix 2B: one deck, soft 17 stands, before any peek."""
    counted = distribution(up, 1)
    for outcome, figure in zip(OUTCOMES, published, strict=True):
        assert float(counted[outcome]) == pytest.approx(figure, abs=1e-6)


@pytest.mark.rule("BJ-46")
def test_the_dealers_outcomes_after_the_peek_agree_with_published_figures() -> None:
    """wizardofodds.com, blackjack appendix 2A: two decks, soft 17 stands, no black jack under the card."""
    published = {
        1: (0.186367, 0.189883, 0.188851, 0.190272, 0.076531, 0.168096),
        10: (0.122412, 0.1216, 0.122524, 0.36387, 0.038449, 0.231144),
    }
    for up, figures in published.items():
        counted = distribution(up, 2)
        for outcome, figure in zip(("17", "18", "19", "20", "21", "bust"), figures, strict=True):
            assert float(counted[outcome] / (1 - counted["blackjack"])) == pytest.approx(figure, abs=1e-6)


def test_the_edge_of_the_main_bet_is_near_the_published_one() -> None:
    """wizardofodds.com, appendix 9: six decks, soft 17 draws, no hole card, all bets lost to a black jack,
    four hands, aces once with one card, double after a split: 0.72705 %. An endless shoe gives a little more.
    """
    rules = ONLINE.read_rules({"dealer_hits_soft_17": True})
    counted = next(e for e in quick_edges(rules) if e.bet == "main")
    assert 0.72705 < counted.percent < 0.72705 + 0.2
    without = ONLINE.read_rules({"dealer_hits_soft_17": True, "double_after_split": False})
    counted = next(e for e in quick_edges(without) if e.bet == "main")
    assert 0.86975 < counted.percent < 0.86975 + 0.2


@pytest.mark.rule("BJ-38")
@pytest.mark.parametrize(
    ("decks", "letter", "percent"), [(6, "a", 6.11), (8, "a", 4.10), (6, "b", 5.79), (8, "b", 3.37)]
)
def test_perfect_pairs_edges_of_the_book(decks: int, letter: str, percent: float) -> None:
    """rulebook/paytables.toml, blackjack.perfect_pairs.a and .b."""
    rules = PERFECT.read_rules({"perfect_pairs_pays": letter})
    assert round(float(pairs.edge(decks, rules.perfect_pairs_pays)) * 100, 2) == percent
    if decks == 6:
        assert round(next(e.percent for e in quick_edges(rules) if e.bet == "perfect_pairs"), 2) == percent


@pytest.mark.rule("BJ-21")
def test_insurance_edge_is_counted() -> None:
    """Six decks, the ace known: 96 tens in 311 cards; (215 - 2 x 96)/311 = 23/311."""
    assert insurance_edge(6, "2:1") == Fraction(23, 311)
    assert insurance_edge(1, "2:1") == Fraction(35 - 32, 51)
    quick = [e for e in quick_edges(CLASSIC.default_rules()) if e.bet == "insurance"]
    assert [(e.decks, e.method) for e in quick] == [(6, "exact")]
    assert any(e.favours_player for e in quick_edges(CLASSIC.read_rules({"insurance_pays": "3:1"})))


@pytest.mark.rule("GEN-06")
def test_no_option_hides_the_edge_of_the_main_bet() -> None:
    """What goes to a dealer's black jack is the table's rule (DEA-004); the edge is counted under each.

    Losing only the original bet gives the player back what having no hole card costs, 0.11 % as published.
    """
    options = [
        {"dealer_blackjack_takes": takes, "split_21_pushes": pushes}
        for takes in ("all", "original")
        for pushes in (False, True)
    ]
    for given in options:
        generous = quick_edges(CLASSIC.read_rules({**given, "blackjack_pays": "100:1"}))
        assert [e.bet for e in generous if e.favours_player] == ["main"]
    found = [
        next(e.percent for e in quick_edges(CLASSIC.read_rules({"surrender": "off", **g})) if e.bet == "main")
        for g in options
    ]
    book, pushes, original, both = found
    assert 0.09 < book - original < 0.12
    # A two-card 21 after a split against black jack is rare: some hundredths of a percent.
    assert 0 < book - pushes < 0.03 and 0 < original - both < 0.03


@pytest.mark.rule("GEN-06")
def test_main_bet_edges_tell_generous_rules_from_the_books() -> None:
    def main(game: Any, rules: Any) -> Any:
        return next(e for e in quick_edges(game.read_rules(rules)) if e.bet == "main")

    book = main(CLASSIC, {})
    assert 0 < book.percent < 1 and not book.favours_player and book.note
    assert main(CLASSIC, {"blackjack_pays": "2:1"}).favours_player
    assert main(CLASSIC, {"win_pays": "21:20"}).favours_player
    worse = {"surrender": "off", "double_totals": "9_10_11", "double_after_split": False, "splits_max": 0}
    assert main(CLASSIC, worse).percent > main(CLASSIC, {"surrender": "off"}).percent > book.percent
    assert main(CLASSIC, {"blackjack_pays": "6:5"}).percent > book.percent + 1
    # Hitting soft 17 costs the player about a fifth of a percent, seven cards give about that back.
    online = {"hole_card": "american"}
    gain = main(ONLINE, {**online, "dealer_hits_soft_17": True}).percent - main(ONLINE, online).percent
    assert 0.15 < gain < 0.25
    assert main(ONLINE, {**online, "charlie_cards": 7}).percent < main(ONLINE, online).percent
    # No hole card costs the player about a tenth of a percent (published: 0.11).
    cost = main(ONLINE, {}).percent - main(ONLINE, online).percent
    assert 0.08 < cost < 0.14


@pytest.mark.parametrize(
    ("first", "second", "up", "move"),
    [
        ("8", "8", "T", "surrender"),
        ("8", "8", "6", "split"),
        ("A", "A", "6", "split"),
        ("T", "T", "6", "stand"),
        ("5", "6", "6", "double"),
        ("A", "7", "9", "hit"),
        ("A", "7", "6", "double"),
        ("T", "6", "T", "surrender"),
        ("T", "6", "7", "hit"),
        ("T", "2", "4", "stand"),
        ("T", "2", "2", "hit"),
        ("5", "5", "5", "double"),
        ("9", "9", "7", "stand"),
        ("9", "9", "9", "split"),
    ],
)
def test_the_strategy_is_the_published_one(first: str, second: str, up: str, move: str) -> None:
    """The textbook play where no hole card is taken; 8-8 against a ten surrenders rather than split."""
    points = {"A": 1, "T": 10}
    one, two, shown = (points.get(rank) or int(rank) for rank in (first, second, up))
    table_of = strategy_for(CLASSIC.default_rules())
    pair = one if first == second else 0
    assert table_of.move(one + two, 1 in (one, two), 2, pair, True, False, shown) == move


RANKS = "A23456789TJQK"
VARIANTS: list[tuple[Any, dict[str, Any]]] = [
    (CLASSIC, {}),
    (CLASSIC, {"immediate_pay": "not_ace", "dealer_blackjack_takes": "original", "surrender": "off"}),
    (
        CLASSIC,
        {
            "split_pair_by": "rank",
            "double_totals": "9_10_11",
            "double_after_split": False,
            "blackjack_pays": "6:5",
        },
    ),
    (CLASSIC, {"splits_max": 1, "split_21_pushes": True, "surrender_loss_percent": 25, "win_pays": "9:10"}),
    (ONLINE, {"hole_card": "american", "surrender": "late", "decks": 2}),
    (
        ONLINE,
        {"hole_card": "american", "dealer_hits_soft_17": True, "resplit_aces": True, "charlie_cards": 7},
    ),
    (ONLINE, {"decks": 1, "surrender": "early"}),
]


def played_by_the_engine(game: Any, rules: Any, ranks: list[int]) -> int:
    """The same cards through `play` and `settle`, along the same strategy; stake 200.00 in cents."""
    table_of = strategy_for(rules)
    state = table(game, Detail.FULL, rules.to_json(), chip=1, limits={"main": (1, 10**9)}, exponent=4)
    state = after(state, bet(1, 20_000), {"e": "close"})
    suits = dict.fromkeys(RANKS, 0)

    def next_card() -> str:
        rank = RANKS[ranks.pop()]
        suits[rank] += 1
        return rank + "shdc"[suits[rank] % 4]

    def play(event: dict[str, Any]) -> None:
        nonlocal state
        state = game_of(state).play(state, event)

    while not state.complete:
        if state.stage == "decide" and len(state.hands[state.turn].cards) > 1 and not state.asked:
            hand = state.hands[state.turn]
            low = sum(POINTS[card] for card in hand.cards)
            pair = 0
            if len(hand.cards) == 2 and is_pair(*hand.cards, rules.split_pair_by):
                pair = POINTS[hand.cards[0]]
            splits = sum(1 for other in state.hands) - 1
            aces = bool(hand.split_from) and hand.split_from[0] == "A"
            may_split = splits < rules.splits_max and (not aces or rules.resplit_aces)
            what = table_of.move(
                low,
                any(c[0] == "A" for c in hand.cards),
                len(hand.cards),
                pair,
                may_split,
                bool(hand.split_from),
                POINTS[state.dealer[0]],
            )
            play({"e": "choice", "seat": 1, "hand": hand.hand, "do": what})
        elif state.stage == "show":
            play({"e": "show", "to": "dealer", "cards": [state.dealer[1]]})
        else:
            if (
                state.stage in ("decide", "dealer", "show")
                and not state.offered
                and table_of.takes_even_money()
            ):
                hand = state.hands[0]
                if hand.status == "blackjack" and state.dealer[0][0] == "A" and not hand.answer:
                    play({"e": "choice", "seat": 1, "do": "even_money"})
                    continue
            (prompt, *_) = [p for p in game_of(state).prompts(state) if p.kind == "card"]
            event = dict(prompt.events[0])
            play({**event, "card": next_card()})
    return sum(payout.won for payout in settled(state).payouts)


@pytest.mark.parametrize(("game", "given"), VARIANTS)
def test_the_short_path_plays_as_the_rules_do(game: Any, given: dict[str, Any]) -> None:
    """The same cards give the same money, round after round."""
    rules = game.read_rules(given)
    chance, play = random.Random(7), player_of(rules)
    seen = set()
    for _ in range(400):
        ranks = [rank for rank in range(13) for _ in range(4 * rules.decks)]
        chance.shuffle(ranks)
        # Few enough of a rank for the shoe, many enough for splits and black jacks.
        ranks += [chance.choice((0, 7, 9, 9, rank)) for rank in ranks[:2]] if rules.decks > 2 else []
        fast = play(list(ranks).pop)
        engine = played_by_the_engine(game, rules, list(ranks))
        assert round(fast * 20_000) == engine, ranks[-12:]
        seen.add(fast)
    assert len(seen) > 5


def test_simulated_edges_carry_their_margin_and_come_from_the_draw_given() -> None:
    rules = CLASSIC.default_rules()
    first, again = (edges(rules, random.Random(3), 4000)[-1] for _ in range(2))
    assert first == again
    assert (first.bet, first.method, first.rounds, first.decks) == ("main", "simulated", 4000, 6)
    assert 1.0 < first.margin < 5.0
    counted = next(e for e in quick_edges(rules) if e.bet == "main")
    assert abs(first.percent - counted.percent) < 2 * first.margin
    assert edges(rules, random.Random(3), 0) == quick_edges(rules)
