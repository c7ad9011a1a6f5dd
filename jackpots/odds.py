"""What a scheme is worth, told before it is approved (PP-23): counted, not simulated, in exact fractions.

Each seat is counted alone: where several win in one round they share what one would be paid, which by these
figures is a little too much. Amounts are smallest units, of one bet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from types import MappingProxyType

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from jackpots.maths import D
from jackpots.scheme import COMMISSION, FIXED, MAIN, PERCENT, WHOLE_BP, Prize, Scheme
from tables.games.house_poker.kinds import CARIBBEAN, DRAW, GO
from tables.games.house_poker.simulate import DRAW_STRATEGY
from tables.games.reading import shown

ALLOWED_GAMES = (DRAW.code, CARIBBEAN.code, GO.code)
"""The modalities a pool may join (PP-05)."""

DEALS = comb(52, 5)
DEALT: Mapping[str, int] = MappingProxyType(
    {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912,
        "two_pair": 123_552,
        "pair": 1_098_240,
        "high_card": 1_302_540,
    }
)
"""Of the 2,598,960 hands of five cards, how many are which."""

CHANGES = comb(47, 2)
DRAWN: Mapping[int, Mapping[str, int]] = MappingProxyType(
    {
        1: MappingProxyType(
            {
                "royal_flush": 20_608,
                "straight_flush": 183_264,
                "four_of_a_kind": 1_937_520,
                "full_house": 19_202_976,
                "flush": 28_325_696,
                "straight": 32_174_976,
                "three_of_a_kind": 103_248_288,
                "two_pair": 269_013_888,
                "pair": 1_322_520_240,
                "high_card": 1_032_848_304,
            }
        ),
        2: MappingProxyType(
            {
                "royal_flush": 31_192,
                "straight_flush": 205_008,
                "four_of_a_kind": 4_264_416,
                "full_house": 28_613_520,
                "flush": 30_247_088,
                "straight": 36_719_928,
                "three_of_a_kind": 152_998_848,
                "two_pair": 351_341_568,
                "pair": 1_359_315_120,
                "high_card": 845_739_072,
            }
        ),
    }
)
"""The same after changing up to one or two cards as `DRAW_STRATEGY` does, each hand with every card that
may come: of 2,598,960 x 1,081. Counting takes half a minute (`tests/jackpots/counting.py` counts again).
"""


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely a seat is to hold each hand at the end, and under which play that was counted."""

    by_hand: Mapping[str, Fraction]
    note: Text

    def of(self, hand: str) -> Fraction:
        return self.by_hand.get(hand, Fraction(0))


_FIVE = Text("contadas las 2.598.960 manos de cinco cartas", "all 2,598,960 hands of five cards were counted")
_GO = Text(
    "{counted}: las tres propias con las dos comunitarias, se retiren o no apuestas",
    "{counted}: the three own with the two community cards, bets withdrawn or not",
).fill(counted=_FIVE)
_DRAW = Text(
    "{counted}, con cada cambio de hasta {cards}; el jugador no piensa en el pozo: {strategy}",
    "{counted}, with every change of up to {cards}; the player does not mind the pool: {strategy}",
)
_UNCHANGED = Text("{counted}, sin cambios", "{counted}, none changed").fill(counted=_FIVE)


def chances(game: str, cards_changed: int = 2) -> Chances:
    """Of a modality; `cards_changed`: how many its rules let the player of Draw Poker change.

    Raises `RuleViolation` (PP-05) for any other game.
    """
    if game not in ALLOWED_GAMES:
        words = Text(
            f"la variante progresiva no se admite en «{shown(game)}»",
            f"the progressive variant is not allowed on “{shown(game)}”",
        )
        raise RuleViolation("PP-05", words, code="game_not_allowed", field="game")
    if game == DRAW.code and cards_changed:
        note = _DRAW.fill(counted=_FIVE, cards=cards_changed, strategy=DRAW_STRATEGY)
        return _counted(DRAWN[cards_changed], DEALS * CHANGES, note)
    note = {DRAW.code: _UNCHANGED, CARIBBEAN.code: _FIVE, GO.code: _GO}[game]
    return _counted(DEALT, DEALS, note)


def _counted(hands: Mapping[str, int], total: int, note: Text) -> Chances:
    return Chances({hand: Fraction(number, total) for hand, number in hands.items()}, note)


def together(parts: Sequence[tuple[Chances, int]]) -> Chances:
    """Of a pool with tables of several modalities: `parts` are their chances and how many bets of each."""
    total = sum(bets for _, bets in parts)
    hands = {hand for one, _ in parts for hand in one.by_hand}
    return Chances(
        {hand: sum((bets * one.of(hand) for one, bets in parts), Fraction(0)) / total for hand in hands},
        _once([one.note for one, _ in parts]),
    )


def _once(notes: Sequence[Text]) -> Text:
    """Notes one after the other; what all of them begin with is said by the first."""
    more = [Text(n.es.removeprefix(_FIVE.es), n.en.removeprefix(_FIVE.en)) for n in notes[1:]]
    told = [notes[0], *(Text(n.es.lstrip(",: "), n.en.lstrip(",: ")) for n in more if n.es)]
    return Text("; ".join(note.es for note in told), "; ".join(note.en for note in told))


# ---- what a bet brings and wins ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PrizeWorth:
    """A prize: its chance, bets from one to the next on average (None: never), and what it is on average of
    one bet while its level shows its base.
    """

    prize: Prize
    chance: Fraction
    once_in: Fraction | None
    mean: Fraction


@dataclass(frozen=True, slots=True)
class LevelWorth:
    """A level, by bet on average: what comes in, what fixed and multiple prizes take, what a restart at its
    base takes of reserve and house. `life`: bets from one top prize to the next, None without one.
    `balance`: the meter at which percentages take as much as is left to come in, and it grows no further by
    itself; None where no lesser percentage is paid. Below zero the level pays more than it takes in.
    """

    code: str
    contribution: Fraction
    valued: Fraction
    restart: Fraction
    life: Fraction | None
    balance: Fraction | None

    @property
    def growth(self) -> Fraction:
        """What comes in less fixed and multiple prizes: below zero, base, reserve and house pay them."""
        return self.contribution - self.valued


@dataclass(frozen=True, slots=True)
class Worth:
    """A scheme, by one bet of `stake`: `contributions` by fund with the commission, and what goes back to the
    player at the base, as a part of the stake. `break_even`: what the main level must show for a bet to be
    worth its stake, the others at their base; None where nothing of the main level is a percentage.
    """

    stake: int
    contributions: Mapping[str, Fraction]
    prizes: tuple[PrizeWorth, ...]
    levels: tuple[LevelWorth, ...]
    returned: Fraction
    break_even: Fraction | None
    note: Text

    @property
    def commission(self) -> Fraction:
        return self.contributions[COMMISSION]


def worth(scheme: Scheme, odds: Chances, stake: int | None = None) -> Worth:
    """Everything that is told of a scheme before it is approved; `stake`: the least bet unless given."""
    bet = scheme.credit * scheme.least if stake is None else stake
    base = bases(scheme)
    contributions = {code: Fraction(bet * rate, D) for code, rate in scheme.rates}
    return Worth(
        stake=bet,
        contributions=contributions,
        prizes=tuple(_prize(scheme, prize, odds, base, bet) for prize in scheme.prizes),
        levels=tuple(_level(scheme, level.code, odds, bet, contributions) for level in scheme.levels),
        returned=returned(scheme, odds, base, bet),
        break_even=break_even(scheme, odds, bet),
        note=odds.note,
    )


def bases(scheme: Scheme) -> dict[str, int]:
    """What each level shows when it begins."""
    return {level.code: level.base for level in scheme.levels}


def returned(scheme: Scheme, odds: Chances, meters: Mapping[str, int | Fraction], stake: int) -> Fraction:
    """What goes back to the player of a bet, as a part of it, while the levels show `meters`."""
    means = (_mean(scheme, prize, odds, meters, stake) for prize in scheme.prizes)
    return sum(means, Fraction(0)) / stake


def break_even(
    scheme: Scheme,
    odds: Chances,
    stake: int,
    level: str = MAIN,
    meters: Mapping[str, int | Fraction] | None = None,
) -> Fraction | None:
    """What a level must show for a bet to be worth its stake, the others showing `meters` (their bases unless
    given). Zero where the bet is worth it whatever is shown; None where the level pays no percentage.
    """
    others = {**(bases(scheme) if meters is None else meters), level: 0}
    slope = sum((_share(prize) * odds.of(prize.hand) for prize in _of(scheme, level)), Fraction(0))
    if not slope:
        return None
    missing = stake * (1 - returned(scheme, odds, others, stake))
    return max(missing / slope, Fraction(0))


def _of(scheme: Scheme, level: str) -> list[Prize]:
    return [prize for prize in scheme.prizes if prize.level == level]


def _share(prize: Prize) -> Fraction:
    """What part of its meter a prize is; none of it where it is fixed or a multiple."""
    return Fraction(prize.value if prize.kind == PERCENT else 0, WHOLE_BP)


def _valued(scheme: Scheme, prize: Prize, stake: int) -> int:
    """What a fixed or multiple prize is, alone in its round."""
    if prize.kind == PERCENT:
        return 0
    amount = prize.value if prize.kind == FIXED else prize.value * stake
    return amount if scheme.round_limit is None else min(amount, scheme.round_limit)


def _mean(
    scheme: Scheme, prize: Prize, odds: Chances, meters: Mapping[str, int | Fraction], stake: int
) -> Fraction:
    return odds.of(prize.hand) * (_share(prize) * meters[prize.level] + _valued(scheme, prize, stake))


def _prize(scheme: Scheme, prize: Prize, odds: Chances, base: Mapping[str, int], stake: int) -> PrizeWorth:
    chance = odds.of(prize.hand)
    return PrizeWorth(prize, chance, 1 / chance if chance else None, _mean(scheme, prize, odds, base, stake))


def _level(
    scheme: Scheme, code: str, odds: Chances, stake: int, contributions: Mapping[str, Fraction]
) -> LevelWorth:
    prizes = _of(scheme, code)
    top = sum((odds.of(prize.hand) for prize in prizes if prize.top), Fraction(0))
    valued = sum((odds.of(prize.hand) * _valued(scheme, prize, stake) for prize in prizes), Fraction(0))
    lesser = sum((odds.of(one.hand) * _share(one) for one in prizes if not one.top), Fraction(0))
    return LevelWorth(
        code=code,
        contribution=contributions[code],
        valued=valued,
        restart=top * scheme.level(code).base,
        life=1 / top if top else None,
        balance=(contributions[code] - valued) / lesser if lesser else None,
    )
