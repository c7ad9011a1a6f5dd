"""What a scheme is worth before it is approved: counts against formulas, figures checked by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel.errors import RuleViolation
from jackpots import odds
from jackpots.odds import CHANGES, DEALS, DEALT, DRAWN
from jackpots.scheme import CLASSIC, HANDS, Level, Prize, Reserve, Scheme
from shoes.cards import FRENCH52
from tables.games import registry
from tables.games.house_poker.simulate import changes
from tables.games.poker import ranks
from tests.jackpots import counting

FIVE = odds.chances("poker.caribbean")


def scheme(**about: Any) -> Scheme:
    """Commission 10 %, of the rest four fifths to the pool, bets of 5,00, base 10 000,00."""
    usual: dict[str, Any] = {
        "commission_bp": 1000,
        "levels": (Level("main", 8000, 1_000_000),),
        "reserves": (Reserve("reserve", 2000),),
        "credit": 500,
        "least": 1,
        "most": 1,
    }
    return Scheme(**(usual | about))


# ---- hands ---------------------------------------------------------------------------------------------


def test_the_hands_dealt_are_what_formulas_say() -> None:
    straights, flushes = 10 * 4**5, 4 * comb(13, 5)
    assert {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 13 * 48,
        "full_house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "flush": flushes - 40,
        "straight": straights - 40,
        "three_of_a_kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
        "two_pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
        "pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
        "high_card": (comb(13, 5) - 10) * (4**5 - 4),
    } == DEALT
    assert sum(DEALT.values()) == DEALS == 2_598_960
    assert set(DEALT) == set(ranks.CATEGORIES) == {*HANDS, "high_card"}


@pytest.mark.parametrize("most", [1, 2])
def test_every_hand_drawn_is_counted_once(most: int) -> None:
    assert sum(DRAWN[most].values()) == DEALS * CHANGES
    assert set(DRAWN[most]) == set(ranks.CATEGORIES)
    # Nobody breaks what is paid, so a change can only add to it.
    for hand in ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"):
        assert DRAWN[most][hand] > DEALT[hand] * CHANGES


@pytest.mark.parametrize(
    "hand",
    [
        "As Ks Qs Js 2h",
        "7s 7h 7d 2c 9s",
        "8s 8h 3d 3c Ks",
        "8s 8h 3d 4c Ks",
        "2s 5h 9d Jc Ks",
        "Ah Th 7h 5h 3h",
    ],
)
@pytest.mark.parametrize("most", [1, 2])
def test_a_change_is_counted_as_every_card_that_may_come(hand: str, most: int) -> None:
    """Against the 47 or 1,081 ways written out; one card's stand for 23 each."""
    cards = hand.split()
    out = changes(cards, most)
    kept = [card for card in cards if card not in out]
    rest = [card for card in FRENCH52.cards if card not in cards]
    found = [counting.category([*kept, *new]) for new in combinations(rest, len(out))]
    counted = counting.after_change(cards, out)
    for kind in ranks.CATEGORIES:
        assert counted[kind] * len(found) == found.count(kind) * CHANGES


def test_hands_drawn_by_chance_come_as_often_as_counted() -> None:
    """Ten thousand deals, each kind within five times its usual spread."""
    chance, times, seen = random.Random(11), 10_000, dict.fromkeys(ranks.CATEGORIES, 0)
    for _ in range(times):
        cards = chance.sample(FRENCH52.cards, 7)
        out = changes(cards[:5], 2)
        kept = [card for card in cards[:5] if card not in out]
        seen[counting.category([*kept, *cards[5 : 5 + len(out)]])] += 1
    for kind, number in seen.items():
        likely = DRAWN[2][kind] / (DEALS * CHANGES)
        assert abs(number - times * likely) <= 5 * sqrt(times * likely * (1 - likely)) + 1


@pytest.mark.rule("PP-05")
@pytest.mark.parametrize("game", sorted(set(registry.GAMES) | {"poker.nobody", ""}))
def test_only_three_modalities_have_a_pool(game: str) -> None:
    if game in ("poker.draw", "poker.caribbean", "poker.go"):
        assert sum(odds.chances(game).by_hand.values()) == 1
        return
    with pytest.raises(RuleViolation) as caught:
        odds.chances(game)
    assert (caught.value.rule, caught.value.code, caught.value.field) == ("PP-05", "game_not_allowed", "game")


def test_what_is_supposed_is_said() -> None:
    assert odds.chances("poker.go").by_hand == FIVE.by_hand == odds.chances("poker.draw", 0).by_hand
    notes = [odds.chances(game).note for game in odds.ALLOWED_GAMES] + [odds.chances("poker.draw", 0).note]
    assert len({note.es for note in notes}) == len({note.en for note in notes}) == 4
    assert "{" not in "".join(note.es + note.en for note in notes)
    assert odds.chances("poker.draw").of("royal_flush") > FIVE.of("royal_flush")
    assert FIVE.of("five_of_a_kind") == 0


def test_modalities_together_weigh_by_their_bets() -> None:
    """Three bets at Caribbean's tables for each at Draw's."""
    drawn = odds.chances("poker.draw")
    both = odds.together([(FIVE, 3), (drawn, 1)])
    assert both.of("flush") == (3 * FIVE.of("flush") + drawn.of("flush")) / 4
    assert sum(both.by_hand.values()) == 1
    # What was counted is said once, whatever the modalities; then what each adds to it.
    every = odds.together([(odds.chances(game), 1) for game in odds.ALLOWED_GAMES]).note
    assert every.es.count("2.598.960") == every.en.count("2,598,960") == 1
    assert "con cada cambio de hasta 2" in every.es and "dos comunitarias" in every.es


# ---- figures -------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-16")
@pytest.mark.rule("PP-23")
def test_the_classic_scheme_by_hand() -> None:
    """Of 2,598,960 bets of one: 624 x 500 + 3,744 x 100 + 5,108 x 50 = 941,800 go back as multiples. For all
    2,598,960 to go back 4 royals and 36 tenths, 7,6 meters, must come to 1,657,160: 218,047.37 each.

    A bet of 5,00 brings 0,50, 3,60 and 0,90; multiples take 5,00 x 941,800 / 2,598,960 = 1,81 of the 3,60.
    """
    found = odds.worth(scheme(), FIVE)
    assert found.stake == 500 and found.commission == 50
    assert found.contributions == {"commission": 50, "main": 360, "reserve": 90}
    assert found.break_even == 500 * Fraction(1_657_160 * 10, 76)
    assert round(float(found.break_even) / 500, 2) == 218_047.37
    assert found.returned == Fraction(941_800 * 500 + 4 * 1_000_000 + 36 * 100_000, DEALS * 500)
    royal, straight = found.prizes[:2]
    assert royal.once_in == 649_740 and royal.mean == Fraction(1_000_000, 649_740)
    assert straight.once_in == Fraction(DEALS, 36)
    (main,) = found.levels
    assert main.life == 649_740 and main.restart == royal.mean
    assert main.valued == Fraction(941_800 * 500, DEALS) and main.growth == 360 - main.valued > 0
    assert main.balance == main.growth / Fraction(36, 10 * DEALS)
    assert sum(prize.mean for prize in found.prizes) == found.returned * found.stake


@pytest.mark.rule("PP-23")
def test_a_scheme_that_pays_more_than_it_takes_in_shows_it() -> None:
    """Half commission: 2,00 of 5,00 to the pool, of which Draw Poker's multiples want more."""
    found = odds.worth(scheme(commission_bp=5000), odds.chances("poker.draw"))
    (main,) = found.levels
    assert main.contribution == 200 and main.growth < 0
    assert main.balance is not None and main.balance < 0


def test_a_pool_that_is_worth_it_whatever_it_shows() -> None:
    prizes = (Prize("royal_flush", "percent", 10_000), Prize("pair", "times", 3))
    found = odds.worth(scheme(prizes=prizes), FIVE)
    assert found.break_even == 0 and found.returned > 1 and found.levels[0].balance is None


def test_no_percentage_no_break_even_and_no_life() -> None:
    found = odds.worth(scheme(prizes=(Prize("royal_flush", "fixed", 5_000_000),), round_limit=1_000), FIVE)
    assert found.break_even is None and found.levels[0].life is None and found.levels[0].restart == 0
    assert found.prizes[0].mean == Fraction(1_000 * 4, DEALS)
    never = odds.worth(scheme(), odds.Chances({}, FIVE.note))
    assert never.prizes[0].once_in is None and never.returned == 0


@pytest.mark.rule("PP-22")
def test_levels_are_told_apart() -> None:
    """The small level, of 30 % of what is left, restarts at 50,00 with each of 36 straight flushes."""
    two = scheme(
        levels=(Level("main", 5000, 1_000_000), Level("mini", 3000, 5_000)),
        prizes=(Prize("royal_flush", "percent", 10_000), Prize("straight_flush", "percent", 10_000, "mini")),
    )
    main, mini = odds.worth(two, FIVE).levels
    assert main.contribution == 225 and mini.contribution == 135
    assert main.life == 649_740 and mini.life == Fraction(DEALS, 36)
    assert mini.restart == Fraction(36 * 5_000, DEALS)
    alone = odds.break_even(two, FIVE, 500, "main", {"mini": 0})
    assert alone == Fraction(500 * DEALS, 4) and odds.break_even(two, FIVE, 500) == alone - 9 * 5_000
    assert odds.break_even(two, FIVE, 500, "mini") == Fraction(500 * DEALS - 4 * 1_000_000, 36)


@given(
    st.integers(1, 10_000),
    st.integers(1, 999),
    st.integers(0, 500),
    st.integers(0, 10**9),
    st.sampled_from(odds.ALLOWED_GAMES),
)
@pytest.mark.rule("PP-23")
def test_at_the_break_even_a_bet_is_worth_its_stake(
    stake: int, tenth: int, times: int, base: int, game: str
) -> None:
    prizes = (*CLASSIC[:1], Prize("straight_flush", "percent", tenth), Prize("flush", "times", times + 1))
    of, chances = scheme(prizes=prizes, levels=(Level("main", 8000, base),)), odds.chances(game)
    even = odds.break_even(of, chances, stake)
    assert even is not None
    back = odds.returned(of, chances, {"main": even}, stake)
    assert back == 1 or (even == 0 and back > 1)
    assert sum(odds.worth(of, chances, stake).contributions.values()) == stake
