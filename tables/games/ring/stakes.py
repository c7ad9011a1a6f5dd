"""What a table plays for, read from its limits: blinds, ante, bring-in, sizes of bets, buy-in.

Limits are pairs. `blind`: small and big blind (PR-11). `ante`: twice the same amount; absent, none.
`bring_in`: the bring-in and the small bet it may be completed to (PR-17). `bet`: small and big bet of fixed
limit (PR-13), for stud also the least bet of the other structures; absent, from the big blind, or the
bring-in's small bet and its double. `buy_in`: least and most chips to sit down with; a hand may begin with
any stack. `pot` is where payouts are made and takes no limits.
"""

from __future__ import annotations

from dataclasses import dataclass

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.base import Detail, Terms
from tables.games.ring.rules import Rules
from tables.games.ring.variants import SPOTS, spots_of
from tables.games.staking import require_chips, require_known_limits, require_positions


@dataclass(frozen=True, slots=True)
class Stakes:
    """Smallest units; 0 where the game or table has none."""

    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    bring_in: int = 0
    small_bet: int = 0
    big_bet: int = 0
    buy_in: int = 0


def stakes_of(rules: Rules, terms: Terms) -> Stakes:
    """The stakes of a table. Raises `RuleViolation` when it cannot be played so: PR-16 seats, GEN-04 a
    limit that is missing or unknown, GEN-07 amounts that are no chips, PR-11, PR-13 and PR-17 proportions.
    """
    require_positions(terms, rules.seats_max, "PR-16")
    if terms.seats < 2:
        raise RuleViolation(
            "PR-16",
            Text("una mesa de círculo tiene al menos 2 asientos", "a ring table has at least 2 seats"),
            code="too_few_seats",
            field="seats",
        )
    if terms.detail is not Detail.FULL:
        return Stakes()
    known = {spot: name for spot, name in spots_of(rules.game).items() if spot != "pot"}
    require_known_limits(terms, known)
    for spot, pair in terms.limits.items():
        if spot != "buy_in":
            for amount in pair:
                require_chips(amount, terms, "limits")
    buy_in = terms.limits.get("buy_in", (0, 0))[0]
    found = _with_blinds(rules, terms) if rules.variant.has_button else _with_bring_in(terms)
    return Stakes(*found[:2], _ante(terms), *found[2:], buy_in=-(-buy_in // terms.chip) * terms.chip)


def _with_blinds(rules: Rules, terms: Terms) -> tuple[int, int, int, int, int]:
    small, big = _required(terms, "blind")
    if not rules.free_stakes and small * 100 != big * rules.small_blind_percent_of_big:
        percent = rules.small_blind_percent_of_big
        raise _unplayable(
            "PR-11",
            terms,
            small,
            Text(
                f"la ciega pequeña es el {percent} % de la grande",
                f"the small blind is {percent} % of the big",
            ),
        )
    bets = (big * rules.fixed_early_big_blinds, big * rules.fixed_late_big_blinds)
    given = terms.limits.get("bet", bets)
    if not rules.free_stakes and given != bets:
        early, late = rules.fixed_early_big_blinds, rules.fixed_late_big_blinds
        raise _unplayable(
            "PR-13",
            terms,
            given[0],
            Text(
                f"el límite fijo apuesta {early} y después {late} ciegas grandes",
                f"fixed limit bets {early} and later {late} big blinds",
            ),
        )
    return small, big, 0, *given


def _with_bring_in(terms: Terms) -> tuple[int, int, int, int, int]:
    bring_in, small_bet = _required(terms, "bring_in")
    bets = terms.limits.get("bet", (small_bet, 2 * small_bet))
    if bring_in >= small_bet:
        raise _unplayable(
            "PR-17",
            terms,
            bring_in,
            Text("la entrada es menor que la apuesta pequeña", "the bring-in is below the small bet"),
        )
    if bets[0] != small_bet:
        raise _unplayable(
            "PR-13",
            terms,
            bets[0],
            Text(
                "la apuesta pequeña es una sola, la de la entrada",
                "there is one small bet, the one the bring-in names",
            ),
        )
    return 0, 0, bring_in, *bets


def _ante(terms: Terms) -> int:
    low, high = terms.limits.get("ante", (0, 0))
    if low != high:
        raise _unplayable(
            "GEN-04",
            terms,
            low,
            Text(
                "el ante es uno solo: mínimo y máximo iguales", "there is one ante: minimum and maximum equal"
            ),
        )
    return low


def _required(terms: Terms, spot: str) -> tuple[int, int]:
    pair = terms.limits.get(spot)
    if pair is None:
        name = SPOTS[spot]
        raise RuleViolation(
            "GEN-04",
            Text(
                f"faltan los importes de «{name.es}» en los límites de la mesa",
                f"the amounts of “{name.en}” are missing from the table's limits",
            ),
            code="limits_missing",
            field="limits",
        )
    return pair


def _unplayable(rule: str, terms: Terms, amount: int, why: Text) -> RuleViolation:
    said = money_words(amount, terms.exponent)
    text = Text("{amount} no puede ser: {why}", "{amount} cannot be: {why}").fill(amount=said, why=why)
    return RuleViolation(rule, text, {"amount": amount}, code="unplayable_limits", field="limits")
