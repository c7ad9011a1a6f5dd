"""The basic strategy under given rules, and what it earns when every card drawn goes back into the shoe.

The best play by the hand's total, the pair and the dealer's up-card, found by counting with an endless shoe
(each card value always equally likely). It is the play whose edge is simulated with the real number of
decks, so that the figure says exactly which player it is about. Values are in units of the initial bet.
"""

from __future__ import annotations

from functools import lru_cache

from tables.games.blackjack.dealer import VALUES, best, stands
from tables.games.blackjack.hands import BY_RANK
from tables.games.blackjack.rules import EARLY, LATE, NOT_ACE, ORIGINAL_BET, Rules
from tables.games.paying import ratio

CHANCE = tuple((4 if value == 10 else 1) / 13 for value in VALUES)
_MANY = 3
"""Cards of a hand are told as 2 or 3 (more), unless a number of cards wins (BJ-47)."""


AS_DEALT, FIRST, ADDED = 0, 1, 2
"""Whose bet a hand has: as dealt; of the hands of a split the one with the initial bet, or one added."""


class Strategy:
    """The best play under `rules`. Hands are (total with aces as 1, has an ace, cards)."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.win = float(ratio(rules.win_pays))
        self.natural = float(ratio(rules.blackjack_pays))
        self.even = float(ratio(rules.even_money_pays))
        self.original = rules.dealer_blackjack_takes == ORIGINAL_BET
        self.surrendered = -rules.surrender_loss_percent / 100
        self._moves: dict[tuple[int, bool, int, int, bool, bool, int], str] = {}
        self._hits: dict[tuple[int, bool, int, int, bool], float] = {}
        self._splits: dict[tuple[int, int, int, int, bool], float] = {}
        self._alone: dict[tuple[int, int, int], tuple[float, float]] = {}
        self._ends = {up: self._dealer(up) for up in VALUES}
        self._stands = {(total, up): self._against(total, up) for total in range(2, 22) for up in VALUES}

    def _dealer(self, up: int) -> dict[str, float]:
        """Chances of the dealer's hand at the moment the player decides: after the peek, no black jack."""
        shares: dict[str, float] = {}
        for value, chance in zip(VALUES, CHANCE, strict=True):
            if {up, value} == {1, 10}:
                shares["blackjack"] = shares.get("blackjack", 0.0) + chance
            else:
                self._draw(up + value, 1 in (up, value), chance, shares)
        if self.rules.american:
            none = 1 - shares.pop("blackjack", 0.0)
            shares = {end: share / none for end, share in shares.items()}
        return shares

    def _draw(self, total: int, ace: bool, chance: float, shares: dict[str, float]) -> None:
        points, _ = best(total, ace)
        if points > 21 or stands(total, ace, self.rules.dealer_hits_soft_17):
            end = "bust" if points > 21 else str(points)
            shares[end] = shares.get(end, 0.0) + chance
            return
        for value, more in zip(VALUES, CHANCE, strict=True):
            self._draw(total + value, ace or value == 1, chance * more, shares)

    def _against(self, points: int, up: int) -> float:
        """What a hand of so many points that stands earns."""
        ends = self._ends[up]
        lower = sum(share for end, share in ends.items() if end.isdigit() and int(end) < points)
        higher = sum(share for end, share in ends.items() if end.isdigit() and int(end) > points)
        return self.win * (lower + ends.get("bust", 0.0)) - higher - ends.get("blackjack", 0.0)

    def _stand(self, total: int, ace: bool, up: int, whose: int) -> float:
        return self._stands[best(total, ace)[0], up] + (self._spared(up) if whose == ADDED else 0.0)

    def _spared(self, up: int) -> float:
        """How often the dealer's black jack spares a unit of bet that was added to the initial one."""
        return self._ends[up].get("blackjack", 0.0) if self.original else 0.0

    def _stand_on_21(self, up: int, whose: int) -> float:
        """A two-card 21, which after a split the dealer's black jack may leave where it is (BJ-26)."""
        stays = self.rules.split_21_pushes and (whose == FIRST or (whose == ADDED and not self.original))
        return self._stand(21, False, up, whose) + (self._ends[up].get("blackjack", 0.0) if stays else 0.0)

    def _count(self, cards: int) -> int:
        return cards if self.rules.charlie_cards else min(cards, _MANY)

    def _after(self, total: int, ace: bool, cards: int, up: int, whose: int) -> float:
        """What a hand earns that has just taken a card and may take more."""
        points, _ = best(total, ace)
        if points > 21:
            return -1.0
        if self.rules.charlie_cards and cards >= self.rules.charlie_cards:
            return self.win
        stand = self._stand(total, ace, up, whose)
        return stand if points == 21 else max(stand, self._hit(total, ace, cards, up, whose))

    def _hit(self, total: int, ace: bool, cards: int, up: int, whose: int) -> float:
        key = (total, ace, self._count(cards), up, whose == ADDED)
        known = self._hits.get(key)
        if known is None:
            known = sum(
                chance * self._after(total + value, ace or value == 1, self._count(cards + 1), up, whose)
                for value, chance in zip(VALUES, CHANCE, strict=True)
            )
            self._hits[key] = known
        return known

    def _double(self, total: int, ace: bool, up: int, whose: int) -> float:
        earned, second = 0.0, 0.0 if whose == ADDED else self._spared(up) / 2
        for value, chance in zip(VALUES, CHANCE, strict=True):
            after, soft = total + value, ace or value == 1
            earned += chance * (-1.0 if after > 21 else self._stand(after, soft, up, whose) + second)
        return 2 * earned

    def _options(self, total: int, ace: bool, cards: int, whose: int, up: int) -> dict[str, float]:
        found = {
            "stand": self._stand(total, ace, up, whose),
            "hit": self._hit(total, ace, cards, up, whose),
        }
        if cards == 2 and (self.rules.double_after_split or whose == AS_DEALT):
            points = best(total, ace)[0]
            if self.rules.double_totals == "any" or points in (9, 10, 11):
                found["double"] = self._double(total, ace, up, whose)
        return found

    def _two(self, total: int, ace: bool, whose: int, up: int) -> float:
        """What two cards of a split hand earn; 21 stands."""
        if best(total, ace)[0] == 21:
            return self._stand_on_21(up, whose)
        return max(self._options(total, ace, 2, whose, up).values())

    def split_earns(self, value: int, up: int) -> float:
        """What the hands of a split pair earn together, split again wherever the rules allow it."""
        rules = self.rules
        again = rules.splits_max - 1 if value != 1 or rules.resplit_aces else 0
        return self._hands_earn(value, up, 2, again, True)

    def _hands_earn(self, value: int, up: int, waiting: int, splits: int, first: bool) -> float:
        """`waiting` hands of one card each, `splits` left; `first`: the next one has the initial bet.

        A card of the same value splits again, where only the same rank does (BJ-24) one ten in four.
        """
        if not waiting:
            return 0.0
        key = (value, up, waiting, splits, first)
        known = self._splits.get(key)
        if known is None:
            alike = CHANCE[value - 1] if splits else 0.0
            if value == 10 and self.rules.split_pair_by == BY_RANK:
                alike /= 4
            alone, same = self._split_hand(value, up, FIRST if first else ADDED)
            known = (
                alone - alike * same + (1 - alike) * self._hands_earn(value, up, waiting - 1, splits, False)
            )
            if alike:
                known += alike * self._hands_earn(value, up, waiting + 1, splits - 1, first)
            self._splits[key] = known
        return known

    def _split_hand(self, value: int, up: int, whose: int) -> tuple[float, float]:
        """What one split card earns with any second card, and with one of the same value."""
        known = self._alone.get((value, up, whose))
        if known is None:
            each = [
                self._stand(value + second, True, up, whose)
                if value == 1 and second != 10
                else self._two(value + second, 1 in (value, second), whose, up)
                for second in VALUES
            ]
            known = sum(c * e for c, e in zip(CHANCE, each, strict=True)), each[value - 1]
            self._alone[value, up, whose] = known
        return known

    def move(
        self, total: int, ace: bool, cards: int, pair: int, may_split: bool, split: bool, up: int
    ) -> str:
        """The best decision. `pair`: the value of two cards that may be split, else 0; `may_split`: a split
        is left; `split`: the hand comes from one. Totals count aces as 1."""
        key = (total, ace, self._count(cards), pair, may_split, split, up)
        known = self._moves.get(key)
        if known is None:
            known = self._moves[key] = self._best(*key)
        return known

    def _best(
        self, total: int, ace: bool, cards: int, pair: int, may_split: bool, split: bool, up: int
    ) -> str:
        if split and pair == 1:
            # Two aces after a split: split again where allowed, else nothing (BJ-25).
            return "split" if may_split else "stand"
        options = self._options(total, ace, cards, FIRST if split else AS_DEALT, up)
        if pair and may_split:
            options["split"] = self.split_earns(pair, up)
        if self._may_surrender(cards, split, up):
            options["surrender"] = self.surrendered
        return max(options, key=lambda do: options[do])

    def _may_surrender(self, cards: int, split: bool, up: int) -> bool:
        kind = self.rules.surrender
        return cards == 2 and not split and (kind == LATE or (kind == EARLY and up != 1))

    def takes_even_money(self, tens: float = 4 / 13) -> bool:
        """Whether even money is worth more than waiting with a black jack against an ace."""
        return self.rules.even_money and self.even > self.natural * (1 - tens)

    def earns(self) -> float:
        """What the initial bet earns on the whole, with an endless shoe."""
        earned = 0.0
        for up, seen in zip(VALUES, CHANCE, strict=True):
            for first, one in zip(VALUES, CHANCE, strict=True):
                for second, two in zip(VALUES, CHANCE, strict=True):
                    earned += seen * one * two * self._dealt(first, second, up)
        return earned

    def _dealt(self, first: int, second: int, up: int) -> float:
        natural_chance = {1: 4 / 13, 10: 1 / 13}.get(up, 0.0)
        if {first, second} == {1, 10}:
            waits = up == 1 or (up == 10 and self.rules.immediate_pay != NOT_ACE)
            if up == 1 and self.takes_even_money():
                return self.even
            return self.natural * (1 - natural_chance if waits else 1.0)
        same = first == second
        if not same or first != 10 or self.rules.split_pair_by != BY_RANK:
            played = self._played(first, second, same, up)
        else:
            played = (
                self._played(first, second, True, up) / 4 + self._played(first, second, False, up) * 3 / 4
            )
        if self.rules.american and natural_chance:
            return (1 - natural_chance) * played - natural_chance
        return played

    def _played(self, first: int, second: int, pair: bool, up: int) -> float:
        total, ace = first + second, 1 in (first, second)
        options = self._options(total, ace, 2, AS_DEALT, up)
        if pair and self.rules.splits_max:
            options["split"] = self.split_earns(first, up)
        if self._may_surrender(2, False, up):
            options["surrender"] = self.surrendered
        return max(options.values())


@lru_cache(maxsize=32)
def strategy_for(rules: Rules) -> Strategy:
    """The strategy of one version of the rules, worked out once."""
    return Strategy(rules)
