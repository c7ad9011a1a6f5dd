"""The rules of a ring game as data, with the rulebook's defaults: betting structure, rake, odd chips.

One version is stored as JSON with each table's `GameRules`. What a table decides (blinds, antes, sizes of
bets) is in its terms: `stakes.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.money import Rounding
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import Draw, Edge
from tables.games.ring.variants import VARIANTS, Variant

STRUCTURES: Final = ("no_limit", "pot_limit", "fixed_limit")
ROUNDINGS: Final = (Rounding.UP, Rounding.DOWN, Rounding.NEAREST)
ODD_CHIP: Final = ("first_left_of_button", "high_card_by_suit")
RAKE_FROM: Final = ("proportional", "main_first")
BURN_LOG: Final = ("prompt", "required", "off")
NO_CAP: Final = "none"
PLAYERS_MIN: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One version of the rules of one ring game.

    `structure` PR-13. Rake (PR-07): basis points of what was contested, rounded by `rake_rounding` to
    `rake_unit`, at most `rake_cap` a round (`none`: no cap), nothing from pots up to `rake_free_up_to`
    nor, with `no_flop_no_drop`, from a hand that ended before the second round of cards. These three
    are decimal strings in the currency. `rake_from`: how it is spread over main and side pots.
    `odd_chip_to`: PR-10. `bets_max`: bets and raises of a fixed-limit round (0: no cap); the big blind is
    one of them if `blind_is_a_bet`; with two players left there is no cap if `heads_up_uncapped`.
    `burn_log`: burned cards are asked for, required, or left out (PR-14). With `free_stakes` a table's
    blinds and fixed bets need not keep the proportions of PR-11 and PR-13.
    """

    game: str
    seats: int
    seats_max: int
    decks: int = 1
    structure: str = "no_limit"
    rake_basis_points: int = 400
    rake_rounding: Rounding = Rounding.UP
    rake_unit: str = "0.50"
    rake_cap: str = NO_CAP
    rake_free_up_to: str = "0"
    no_flop_no_drop: bool = True
    rake_from: str = "proportional"
    odd_chip_to: str = "first_left_of_button"
    bets_max: int = 4
    blind_is_a_bet: bool = True
    heads_up_uncapped: bool = True
    burn_log: str = "prompt"
    small_blind_percent_of_big: int = 50
    fixed_early_big_blinds: int = 1
    fixed_late_big_blinds: int = 2
    free_stakes: bool = False

    @property
    def variant(self) -> Variant:
        return VARIANTS[self.game]

    def to_json(self) -> dict[str, Any]:
        return {key: _plain(getattr(self, key)) for key in _KEYS}


_KEYS = tuple(Rules.__dataclass_fields__)


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Rounding) else value


@lru_cache(maxsize=8)
def default_rules(game: str) -> Rules:
    most = VARIANTS[game].seats_max
    return Rules(game=game, seats=most, seats_max=most)


def read_rules(game: str, data: object) -> Rules:
    """Rules from their stored form; absent keys take the rulebook's default.

    Raises `Refused` or `RuleViolation` naming the field: PR-16 seats and decks, PR-13 structure, PR-07
    rake, PR-10 odd chip, PR-14 burned cards.
    """
    default = default_rules(game)
    given = reading.mapping(data, "rules")
    reading.known_keys(given, _KEYS, "rules")
    given = {**default.to_json(), **given}
    if given["game"] != game:
        raise Refused(
            Text(f"estas reglas no son de {game}", f"these rules are not those of {game}"),
            code="wrong_game",
            field="game",
        )
    seats_max = _seats(given["seats_max"], "seats_max", default.seats_max)
    return Rules(
        game=game,
        seats=_seats(given["seats"], "seats", seats_max),
        seats_max=seats_max,
        decks=_one_deck(given["decks"]),
        structure=_of("PR-13", given, "structure", STRUCTURES),
        rake_basis_points=reading.integer(given["rake_basis_points"], "rake_basis_points", 0, 10_000),
        rake_rounding=Rounding(_of("PR-07", given, "rake_rounding", tuple(map(str, ROUNDINGS)))),
        rake_unit=_amount(given, "rake_unit", positive=True),
        rake_cap=NO_CAP if given["rake_cap"] == NO_CAP else _amount(given, "rake_cap"),
        rake_free_up_to=_amount(given, "rake_free_up_to"),
        no_flop_no_drop=_flag(given, "no_flop_no_drop"),
        rake_from=_of("PR-07", given, "rake_from", RAKE_FROM),
        odd_chip_to=_of("PR-10", given, "odd_chip_to", ODD_CHIP),
        bets_max=reading.integer(given["bets_max"], "bets_max", 0, 20),
        blind_is_a_bet=_flag(given, "blind_is_a_bet"),
        heads_up_uncapped=_flag(given, "heads_up_uncapped"),
        burn_log=_of("PR-14", given, "burn_log", BURN_LOG),
        free_stakes=_flag(given, "free_stakes"),
        **_proportions(given),
    )


def _proportions(given: Mapping[str, Any]) -> dict[str, int]:
    """PR-11 and PR-13: what small blind and fixed bets are to the big blind."""
    late = reading.integer(given["fixed_late_big_blinds"], "fixed_late_big_blinds", 1, 100)
    return {
        "small_blind_percent_of_big": reading.integer(
            given["small_blind_percent_of_big"], "small_blind_percent_of_big", 1, 100
        ),
        "fixed_early_big_blinds": reading.integer(
            given["fixed_early_big_blinds"], "fixed_early_big_blinds", 1, late
        ),
        "fixed_late_big_blinds": late,
    }


def _seats(value: object, field: str, most: int) -> int:
    seats = reading.integer(value, field, 1)
    if not PLAYERS_MIN <= seats <= most:
        raise RuleViolation(
            "PR-16",
            Text(
                f"de {PLAYERS_MIN} a {most} asientos; se pidieron {seats}",
                f"{PLAYERS_MIN} to {most} seats; {seats} asked",
            ),
            code="too_many_seats" if seats > most else "too_few_seats",
            field=field,
        )
    return seats


def _one_deck(value: object) -> int:
    """PR-16 counts the hands one pack of 52 gives; equal cards would void the hand (CARD-42)."""
    decks = reading.integer(value, "decks", 1)
    if decks != 1:
        raise RuleViolation(
            "PR-16",
            Text(
                f"se juega con una baraja de 52, no con {decks}",
                f"it is played with one deck of 52, not {decks}",
            ),
            code="bad_decks",
            field="decks",
        )
    return decks


def _of(rule: str, given: Mapping[str, Any], field: str, allowed: tuple[str, ...]) -> str:
    try:
        return reading.one_of(given[field], field, allowed)
    except Refused as refusal:
        refusal.rule = rule
        raise


def _flag(given: Mapping[str, Any], field: str) -> bool:
    value = given[field]
    if not isinstance(value, bool):
        raise reading.bad_type(field, Text("verdadero o falso", "true or false"))
    return value


_DECIMAL = re.compile(r"\d{1,9}(?:\.\d{1,8})?", re.ASCII)


def _amount(given: Mapping[str, Any], field: str, positive: bool = False) -> str:
    value = given[field]
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value) or (positive and not Fraction(value)):
        raise Refused(
            Text(
                f"«{field}» es un importe decimal como 0.50 (PR-07)",
                f"“{field}” is a decimal amount such as 0.50 (PR-07)",
            ),
            code="bad_amount",
            rule="PR-07",
            field=field,
        )
    return value


def edges(rules: Rules, draw: Draw | None = None, rounds: int = 0) -> tuple[Edge, ...]:
    """What the house keeps of a contested pot: the rate, before rounding and cap (PR-01, PR-07)."""
    note = Text(
        "la casa no apuesta: es su porcentaje del pozo, antes de redondeo y tope",
        "the house does not bet: this is its share of the pot, before rounding and cap",
    )
    percent = rules.rake_basis_points / 100
    return (Edge("pot", Text("Pozo", "Pot"), percent, "exact", rules.decks, note=note),)
