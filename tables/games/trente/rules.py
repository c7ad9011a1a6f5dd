"""The rules of Treinta y Cuarenta as data, with the rulebook's defaults.

One version of these is stored as JSON with each table's `GameRules`. The Bolivian list of bets, the
payouts, the refait and the insurance are lost (TYC-04, TYC-08 to TYC-12): here they are French, and the
operator confirms them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.money import Rounding, round_to
from casino.kernel.words import Text
from tables.games import reading, staking
from tables.games.base import Detail, Draw, Edge, Terms
from tables.games.paying import ratio, read_ratio
from tables.games.trente import exact

GAME = "trente.classic"
NAME = Text("Treinta y Cuarenta", "Trente et Quarante")

CHANCES: Mapping[str, Text] = MappingProxyType(
    {
        "black": Text("Negra", "Black"),
        "red": Text("Roja", "Red"),
        "colour": Text("Color", "Colour"),
        "inverse": Text("Inverso", "Inverse"),
    }
)
"""TYC-04: the four chances."""

OPPOSITE = {"black": "red", "red": "black", "colour": "inverse", "inverse": "colour"}

INSURED: Mapping[str, str] = MappingProxyType({f"insurance_{chance}": chance for chance in CHANCES})
"""The spot of each insurance, and the chance whose stake it insures (TYC-12)."""

INSURANCE = {chance: spot for spot, chance in INSURED.items()}

SPOTS: Mapping[str, Text] = MappingProxyType(
    {
        **CHANCES,
        "insurance_black": Text("Seguro de Negra", "Insurance on Black"),
        "insurance_red": Text("Seguro de Roja", "Insurance on Red"),
        "insurance_colour": Text("Seguro de Color", "Insurance on Colour"),
        "insurance_inverse": Text("Seguro de Inverso", "Insurance on Inverse"),
    }
)
HANDS: Mapping[str, Text] = MappingProxyType(
    {"negra": Text("Fila negra", "Black row"), "roja": Text("Fila roja", "Red row")}
)

DECKS_ALLOWED = (6, 7, 8)
"""CARD-07."""

HALF, PRISON, EITHER = "half", "prison", "half_or_prison"
POLICIES = (HALF, PRISON, EITHER)
"""TYC-11: what happens to an uninsured stake on a refait; with the last the player chooses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One version of the rules.

    `bets`: the chances taken. `even_chance_pays`: `"N:M"`, stake returned besides. The insurance costs
    `insurance_basis_points` of the stake, up to the smallest chip (GEN-09), from a stake of
    `insurance_min_stake_units` units of the currency on.

    Not options, though the book has them to be confirmed: that the lower row wins and the first card decides
    colour (TYC-08, TYC-09), that other equalities are void (TYC-10) and that a refait leaves half (TYC-11):
    with other figures it is another game, with other words for each choice and payout.
    """

    game: str = GAME
    seats: int = 10
    seats_max: int = 20
    decks: int = 6
    bets: tuple[str, ...] = tuple(CHANCES)
    even_chance_pays: str = "1:1"
    refait_policy: str = EITHER
    insurance_basis_points: int = 100
    insurance_min_stake_units: int = 10

    def to_json(self) -> dict[str, Any]:
        return {key: list(self.bets) if key == "bets" else getattr(self, key) for key in _KEYS}


_KEYS = tuple(Rules.__dataclass_fields__)
_DEFAULT = Rules()


def default_rules() -> Rules:
    """The rulebook's rules, before an operator changes anything."""
    return _DEFAULT


def read_rules(data: object) -> Rules:
    """Rules from their stored form; absent keys take the rulebook's default.

    Raises `Refused` or `RuleViolation` naming the field: CARD-07 decks, TYC-04 bets, TYC-11 the refait.
    """
    stored = reading.mapping(data, "rules")
    reading.known_keys(stored, _KEYS, "rules")
    given = {**_DEFAULT.to_json(), **stored}
    if given["game"] != GAME:
        raise Refused(
            Text(f"estas reglas no son de {GAME}", f"these rules are not those of {GAME}"),
            code="wrong_game",
            field="game",
        )
    seats_max = reading.integer(given["seats_max"], "seats_max", 1, _DEFAULT.seats_max)
    return Rules(
        seats=reading.integer(given["seats"], "seats", 1, seats_max),
        seats_max=seats_max,
        decks=_decks(given["decks"]),
        bets=_bets(given["bets"]),
        even_chance_pays=read_ratio(given["even_chance_pays"], "even_chance_pays"),
        refait_policy=_policy(given["refait_policy"]),
        insurance_basis_points=reading.integer(
            given["insurance_basis_points"], "insurance_basis_points", 1, 10_000
        ),
        insurance_min_stake_units=reading.integer(
            given["insurance_min_stake_units"], "insurance_min_stake_units", 0, 1_000_000
        ),
    )


def _decks(value: object) -> int:
    decks = reading.integer(value, "decks", 1)
    if decks not in DECKS_ALLOWED:
        raise RuleViolation(
            "CARD-07",
            Text(
                f"se juega con 6 a 8 barajas, no con {decks}", f"it is played with 6 to 8 decks, not {decks}"
            ),
            code="bad_decks",
            field="decks",
        )
    return decks


def _bets(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise reading.bad_type("bets", Text("una lista de suertes", "a list of chances"))
    chances = [reading.shown(chance) if not isinstance(chance, str) else chance for chance in value]
    for chance in chances:
        if chance not in CHANCES or chances.count(chance) > 1:
            known = ", ".join(CHANCES)
            raise RuleViolation(
                "TYC-04",
                Text(
                    f"«{reading.shown(chance)}»: las suertes son {known}, una vez cada una",
                    f"“{reading.shown(chance)}”: the chances are {known}, each once",
                ),
                code="unknown_spot",
                field="bets",
            )
    return tuple(chance for chance in CHANCES if chance in chances)


def _policy(value: object) -> str:
    if not isinstance(value, str) or value not in POLICIES:
        known = ", ".join(POLICIES)
        raise RuleViolation(
            "TYC-11",
            Text(
                f"ante el refait se juega {known}; no «{reading.shown(value)}»",
                f"on a refait one of {known} is played; not “{reading.shown(value)}”",
            ),
            code="bad_policy",
            field="refait_policy",
            detail={"allowed": list(POLICIES)},
        )
    return value


def premium(rules: Rules, terms: Terms, stake: int) -> int:
    """What insuring a stake costs, up to the smallest chip (TYC-12, GEN-09)."""
    return round_to(Fraction(stake * rules.insurance_basis_points, 10_000), terms.chip, Rounding.UP).amount


def least_insured(rules: Rules, terms: Terms) -> int:
    """The least stake that may be insured, smallest units (TYC-12)."""
    return rules.insurance_min_stake_units * int(10**terms.exponent)


def require_playable(rules: Rules, terms: Terms) -> None:
    """Refuse terms under which no round could be played: seats, and limits no bet meets (GEN-04)."""
    staking.require_positions(terms, rules.seats_max, "TYC-03")
    if terms.detail is not Detail.FULL:
        return
    staking.require_known_limits(terms, SPOTS)
    offered = [chance for chance in rules.bets if chance in terms.limits]
    gap = terms.differential
    if not offered or (gap is not None and any(staking.least(terms, chance) > gap for chance in offered)):
        raise RuleViolation(
            "GEN-04",
            Text(
                "los términos de la mesa no dejan apostar: revise límites de las suertes y diferencial",
                "the table's terms leave no bet: review the limits of the chances and the differential",
            ),
            code="unplayable_limits",
            field="limits",
        )


_HALF_NOTE = Text(
    "retirando la mitad en el refait; dejarla en prisión cuesta algo más",
    "taking half back on a refait; leaving it in prison costs a little more",
)
_PRISON_NOTE = Text("dejando todo en prisión en el refait", "leaving all in prison on a refait")
_INSURED_NOTE = Text(
    "de la apuesta asegurada y su prima juntas, antes de redondear la prima",
    "of the insured stake and its premium together, before the premium is rounded",
)


def quick_edges(rules: Rules) -> tuple[Edge, ...]:
    """The house's edge on every bet, exact, with the refait taken by half: the player's best play.

    In prison a stake is worth a little less than half (`exact.prisoner`), so the edge is never smaller.
    """
    half = Fraction(1, 2)
    return tuple(edge for decks in DECKS_ALLOWED for edge in _edges(rules, decks, half, _HALF_NOTE))


def edges(rules: Rules, draw: Draw | None = None, rounds: int = 0) -> tuple[Edge, ...]:
    """The house's edge on every bet under the refait policy, counted exactly for 6, 7 and 8 decks."""
    if rules.refait_policy != PRISON:
        return quick_edges(rules)
    found: list[Edge] = []
    for decks in DECKS_ALLOWED:
        found += _edges(rules, decks, exact.prisoner(decks), _PRISON_NOTE)
    return tuple(found)


def _edges(rules: Rules, decks: int, kept: Fraction, note: Text) -> list[Edge]:
    """`kept`: what a refait leaves of an uninsured stake. Both rows win alike often, as do both colours."""
    pays = ratio(rules.even_chance_pays)
    # With even money the winning and losing halves cancel out, and equalities need no counting.
    short = Fraction(0) if pays == 1 else (1 - exact.EQUAL[decks]) / 2 * (1 - pays)
    cost = Fraction(rules.insurance_basis_points, 10_000)
    plain, insured = short + exact.refait(decks) * (1 - kept), (short + cost) / (1 + cost)
    found = [Edge(bet, SPOTS[bet], float(plain) * 100, "exact", decks, note=note) for bet in rules.bets]
    for bet in rules.bets:
        spot = INSURANCE[bet]
        found.append(Edge(spot, SPOTS[spot], float(insured) * 100, "exact", decks, note=_INSURED_NOTE))
    return found
