"""Who is paid what of a pool when a round ends, from whose money, and what the meter shows after each.

Plain arithmetic over the funds as they stand, contributions of the round already in them (DEA-033). The same
winners on the same funds always come to the same awards, and each award says where every unit came from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from jackpots.scheme import FIXED, PERCENT, RESERVE, ROYALS_SHARE, SEQUENTIAL, WHOLE_BP, Prize, Scheme


@dataclass(frozen=True, slots=True)
class Meter:
    """A level as it stands: players' part and the house's base."""

    players: int
    base: int

    @property
    def shown(self) -> int:
        return self.players + self.base


@dataclass(frozen=True, slots=True)
class Funds:
    """What a pool has to pay with: its levels by code, and its first reserve (0 without one)."""

    levels: Mapping[str, Meter]
    reserve: int


@dataclass(frozen=True, slots=True)
class Winner:
    """A listed hand whose seat bet `stake` smallest units on the pool."""

    seat: int
    hand: str
    stake: int


@dataclass(frozen=True, slots=True)
class Award:
    """One prize: what the meter showed before and after, and whose money it was.

    `players`, `base`, `reserve` and `house` come to `paid`. With the last share of a top prize the level
    restarts at once (PP-33), from `reseed_reserve` and `reseed_house`, which `after` includes:
    after = before - players - base + reseed_reserve + reseed_house.
    """

    seat: int
    hand: str
    level: str
    kind: str
    before: int
    paid: int
    after: int
    players: int
    base: int
    reserve: int
    house: int
    top: bool
    reseed_reserve: int = 0
    reseed_house: int = 0


@dataclass(frozen=True, slots=True)
class _Due:
    """A winner with the prize; `amount` where the meter does not decide it."""

    winner: Winner
    prize: Prize
    amount: int = 0


_Turn = Sequence[_Due]
"""Winners who are paid together: each alone, or all who share one percentage of a meter."""


def award(scheme: Scheme, funds: Funds, winners: Sequence[Winner]) -> tuple[tuple[Award, ...], Funds]:
    """Pay a round's winners, given in paying order: from the croupier's right to the left (PP-14).

    Returns the awards in the order they were paid, which the policy decides (PP-17), and the funds after
    them. Raises `Refused` (`hand_without_prize`) for a hand the scheme does not list.
    """
    till = _Till(scheme, funds)
    paid: list[Award] = []
    for turn in _turns(scheme, _dues(scheme, winners)):
        prize = turn[0].prize
        amounts = [due.amount for due in turn]
        if prize.kind == PERCENT:
            amounts = equally(till.levels[prize.level].shown * prize.value // WHOLE_BP, len(turn))
        for place, (due, amount) in enumerate(zip(turn, amounts, strict=True), 1):
            paid.append(till.pay(due, amount, restart=prize.top and place == len(turn)))
    return tuple(paid), Funds(till.levels, till.reserve)


def equally(amount: int, number: int) -> list[int]:
    """Equal shares; what cannot be divided goes to the first, nearest the croupier's right."""
    each, rest = divmod(amount, number)
    return [each + rest, *[each] * (number - 1)]


def pro_rata(prizes: Sequence[int], limit: int) -> list[int]:
    """Prizes cut down to `limit` in proportion; units left over go to the largest broken parts, by order."""
    total = sum(prizes)
    if total <= limit:
        return list(prizes)
    cut = [prize * limit // total for prize in prizes]
    nearest = sorted(range(len(prizes)), key=lambda at: -(prizes[at] * limit % total))
    for at in nearest[: limit - sum(cut)]:
        cut[at] += 1
    return cut


# ---- in which order ------------------------------------------------------------------------------------


def _dues(scheme: Scheme, winners: Iterable[Winner]) -> list[_Due]:
    """Each winner's prize, in order, fixed and multiple ones within the round's limit."""
    dues = [_Due(winner, _prize(scheme, winner)) for winner in winners]
    valued = [at for at, due in enumerate(dues) if due.prize.kind != PERCENT]
    amounts = [_valued(dues[at]) for at in valued]
    if scheme.round_limit is not None:
        amounts = pro_rata(amounts, scheme.round_limit)
    for at, amount in zip(valued, amounts, strict=True):
        dues[at] = _Due(dues[at].winner, dues[at].prize, amount)
    return dues


def _prize(scheme: Scheme, winner: Winner) -> Prize:
    found = scheme.prize_of(winner.hand)
    if found is None:
        raise Refused(
            Text(
                f"la mano del asiento {winner.seat} no tiene premio en este pozo",
                f"the hand of seat {winner.seat} has no prize in this pool",
            ),
            code="hand_without_prize",
            rule="PP-02",
            field="hand",
            detail={"seat": winner.seat},
        )
    return found


def _valued(due: _Due) -> int:
    return due.prize.value if due.prize.kind == FIXED else due.prize.value * due.winner.stake


def _turns(scheme: Scheme, dues: Sequence[_Due]) -> list[_Turn]:
    """Who is paid when, and with whom (PP-17).

    Sequential: one by one. With royals sharing, all top winners of a level are paid at the turn of the first,
    so whoever comes between them finds the level restarted. Split: fixed and multiple prizes, then equal
    percentages of a level together, the lower before the higher unless the scheme keeps the seats' order.
    """
    if scheme.policy == SEQUENTIAL:
        return [[due] for due in dues]
    if scheme.policy == ROYALS_SHARE:
        return _together(dues, lambda at, due: due.prize.level if due.prize.top else at)
    percents = [due for due in dues if due.prize.kind == PERCENT]
    groups = _together(percents, lambda _, due: (due.prize.value, due.prize.level))
    if scheme.lower_percent_first:
        groups.sort(key=lambda turn: turn[0].prize.value)
    return [*[[due] for due in dues if due.prize.kind != PERCENT], *groups]


def _together(dues: Sequence[_Due], key: Callable[[int, _Due], Hashable]) -> list[_Turn]:
    """Dues of one key at the turn of the first of them."""
    groups: dict[Hashable, list[_Due]] = {}
    for at, due in enumerate(dues):
        groups.setdefault(key(at, due), []).append(due)
    return list(groups.values())


# ---- from whose money ----------------------------------------------------------------------------------


class _Till:
    """The funds while a round's winners are paid out of them."""

    def __init__(self, scheme: Scheme, funds: Funds) -> None:
        self.scheme = scheme
        self.levels = dict(funds.levels)
        self.reserve = funds.reserve

    def pay(self, due: _Due, amount: int, *, restart: bool) -> Award:
        """Players' part first, then base, then whoever the scheme declares (`reseed_order`)."""
        prize, meter = due.prize, self.levels[due.prize.level]
        players = min(amount, meter.players)
        base = min(amount - players, meter.base)
        reserve, house = self._lent(amount - players - base)
        left = Meter(meter.players - players, meter.base - base)
        reseed_reserve = reseed_house = 0
        if restart:
            reseed_reserve, reseed_house = self._lent(self.scheme.level(prize.level).base)
            # What the reserve gives was players' money and stays it.
            left = Meter(left.players + reseed_reserve, left.base + reseed_house)
        self.levels[prize.level] = left
        return Award(
            seat=due.winner.seat,
            hand=due.winner.hand,
            level=prize.level,
            kind=prize.kind,
            before=meter.shown,
            paid=amount,
            after=left.shown,
            players=players,
            base=base,
            reserve=reserve,
            house=house,
            top=prize.top,
            reseed_reserve=reseed_reserve,
            reseed_house=reseed_house,
        )

    def _lent(self, amount: int) -> tuple[int, int]:
        """What the reserve gives of an amount, where the scheme has it give, and what the house."""
        reserve = min(amount, self.reserve) if RESERVE in self.scheme.reseed_order else 0
        self.reserve -= reserve
        return reserve, amount - reserve
