"""The rules of Punto y Banca, Midi and Mini as data, with the AJ catalogue's defaults.

One version of these is stored as JSON with each table's `GameRules`; a round names the version it
was played under. Everything in it is checked here, the house's edge included, so that an engine
never meets rules that cannot be played or paid.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import Rounding, round_to
from casino.kernel.words import Text
from tables.games import declaring, reading
from tables.games.baccarat import exact
from tables.games.base import MOST_ON_A_SPOT, Detail, Draw, Edge, Terms
from tables.games.paying import ratio, read_ratio

SPOTS: Mapping[str, Text] = MappingProxyType(
    {"punto": Text("Punto", "Punto"), "banca": Text("Banca", "Banca"), "tie": Text("Empate", "Tie")}
)
HANDS: Mapping[str, Text] = MappingProxyType({"punto": SPOTS["punto"], "banca": SPOTS["banca"]})

DECKS_ALLOWED = (6, 8)
"""CARD-06."""

COMMISSION = "commission"
NO_COMMISSION = "no_commission"

DEDUCTED = "deducted"
MARKED = "marked"
"""Commission kept from the prize, or marked and collected when the seat leaves or the shoe ends."""


@dataclass(frozen=True, slots=True)
class Modality:
    """What tells the three modalities apart, and the rule that says so."""

    name: Text
    dealer: str
    dealer_rule: str
    seats: int
    seats_max: int
    seats_rule: str


MODALITIES: Mapping[str, Modality] = MappingProxyType(
    {
        "baccarat.punto_banca": Modality(
            Text("Punto y Banca", "Punto y Banca"), "player", "BAC-02", 9, 14, "BAC-05"
        ),
        "baccarat.midi": Modality(
            Text("Midi Punto y Banca", "Midi Punto y Banca"), "house", "BAC-03", 9, 9, "BAC-03"
        ),
        "baccarat.mini": Modality(
            Text("Mini Punto y Banca", "Mini Punto y Banca"), "house", "BAC-04", 7, 7, "BAC-04"
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One version of the rules of one modality.

    `seats`: positions of a new table; `seats_max`: of the largest. Commission in basis points of
    the prize on banca, rounded to the smallest chip by `commission_rounding`, kept from the prize or
    marked (`commission_collection`); prizes by
    `prize_rounding`, `down` or `exact` (GEN-09). Ratios are `"N:M"`, stake returned besides.
    `banca_six_pays` and the missing commission belong to variant `no_commission` only. `dealer`: who
    draws the cards.
    """

    game: str
    dealer: str
    seats: int
    seats_max: int
    decks: int = 6
    commission_basis_points: int = 500
    commission_rounding: Rounding = Rounding.UP
    commission_collection: str = DEDUCTED
    prize_rounding: Rounding = Rounding.DOWN
    banca_variant: str = COMMISSION
    punto_pays: str = "1:1"
    banca_pays: str = "1:1"
    banca_six_pays: str = "1:2"
    tie_pays: str = "8:1"

    @property
    def rate(self) -> int:
        """Commission that is really taken, basis points."""
        return self.commission_basis_points if self.banca_variant == COMMISSION else 0

    @property
    def modality(self) -> Modality:
        return MODALITIES[self.game]

    def to_json(self) -> dict[str, Any]:
        return {key: _plain(getattr(self, key)) for key in _KEYS}


_KEYS = tuple(Rules.__dataclass_fields__)


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Rounding) else value


@lru_cache(maxsize=8)
def default_rules(game: str) -> Rules:
    """The catalogue's rules for a modality, before an operator changes anything."""
    kind = MODALITIES[game]
    return Rules(game=game, dealer=kind.dealer, seats=kind.seats, seats_max=kind.seats_max)


def read_rules(game: str, data: object) -> Rules:
    """Rules from their stored form; keys that are absent take the catalogue's default.

    Raises `Refused` or `RuleViolation` naming the field: CARD-06 decks, BAC-02 to BAC-05 dealer and
    seats, GEN-09 a prize rounded above the pay table.
    """
    given = declaring.stored(data, game, default_rules(game).to_json())
    kind = MODALITIES[game]
    _require_dealer(given["dealer"], kind)
    roundings = tuple(Rounding)
    seats_max = declaring.seats(given["seats_max"], "seats_max", kind.seats_max, kind.seats_rule)
    return Rules(
        game=game,
        dealer=kind.dealer,
        seats=declaring.seats(given["seats"], "seats", seats_max, kind.seats_rule),
        seats_max=seats_max,
        decks=declaring.decks(given["decks"], DECKS_ALLOWED, "CARD-06"),
        commission_basis_points=reading.integer(
            given["commission_basis_points"], "commission_basis_points", 0, 10_000
        ),
        commission_rounding=Rounding(
            reading.one_of(given["commission_rounding"], "commission_rounding", roundings)
        ),
        commission_collection=reading.one_of(
            given["commission_collection"], "commission_collection", (DEDUCTED, MARKED)
        ),
        prize_rounding=_prize_rounding(given["prize_rounding"]),
        banca_variant=reading.one_of(given["banca_variant"], "banca_variant", (COMMISSION, NO_COMMISSION)),
        punto_pays=read_ratio(given["punto_pays"], "punto_pays"),
        banca_pays=read_ratio(given["banca_pays"], "banca_pays"),
        banca_six_pays=read_ratio(given["banca_six_pays"], "banca_six_pays"),
        tie_pays=read_ratio(given["tie_pays"], "tie_pays"),
    )


def _require_dealer(dealer: object, kind: Modality) -> None:
    if dealer != kind.dealer:
        reading.one_of(dealer, "dealer", ("player", "house"))
        raise RuleViolation(
            kind.dealer_rule,
            Text(
                f"en {kind.name.es} reparte {_DEALERS[kind.dealer].es}",
                f"in {kind.name.en} {_DEALERS[kind.dealer].en} deals",
            ),
            field="dealer",
        )


_DEALERS = {"player": Text("un jugador", "a player"), "house": Text("la casa", "the house")}


PRIZE_ROUNDINGS = (Rounding.DOWN, Rounding.EXACT)
"""GEN-09: prizes go down to the smallest chip, or come out exact. Upwards a small stake would be paid
more than the pay table that passed GEN-06: 1:2 on one chip would be even money."""


def _prize_rounding(value: object) -> Rounding:
    policy = Rounding(reading.one_of(value, "prize_rounding", tuple(Rounding)))
    if policy not in PRIZE_ROUNDINGS:
        raise RuleViolation(
            "GEN-09",
            Text(
                f"con redondeo «{policy}» un premio puede superar la tabla de pagos (GEN-06): elija «down»,"
                " hacia abajo a la ficha menor, o «exact», que sólo toma apuestas sin resto",
                f"with rounding “{policy}” a prize may exceed the pay table (GEN-06): choose “down”,"
                " down to the smallest chip, or “exact”, which takes only stakes that leave no rest",
            ),
            code="prize_rounded_up",
            field="prize_rounding",
        )
    return policy


def house_edges(rules: Rules, decks: int) -> exact.Edges:
    """The house's edge on each bet under these rules, before rounding (which has its own check)."""
    return exact.edges(
        decks,
        punto_pays=ratio(rules.punto_pays),
        banca_pays=ratio(rules.banca_pays),
        banca_six_pays=ratio(rules.banca_six_pays) if rules.banca_variant == NO_COMMISSION else None,
        commission=Fraction(rules.rate, 10_000),
        tie_pays=ratio(rules.tie_pays),
    )


def edges(rules: Rules, draw: Draw | None = None, rounds: int = 0) -> tuple[Edge, ...]:
    """The house's edge on every bet for each number of decks the rulebook allows, counted exactly."""
    found = []
    for decks in DECKS_ALLOWED:
        edge = house_edges(rules, decks)
        for spot, value in (("punto", edge.punto), ("banca", edge.banca), ("tie", edge.tie)):
            found.append(Edge(spot, SPOTS[spot], float(value) * 100, "exact", decks))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Box:
    """What one spot takes at a table: the least and the most in all, in steps (smallest units)."""

    low: int
    high: int
    step: int


def layout(rules: Rules, terms: Terms) -> dict[str, Box]:
    """The spots a table really offers under rules and terms.

    Raises `RuleViolation` when the table cannot be played: too many seats (BAC-03 to BAC-05), limits
    no bet can meet (GEN-04), a rounding that gives the player the edge (GEN-06).
    """
    declaring.seats(terms.seats, "seats", rules.seats_max, rules.modality.seats_rule)
    if terms.detail is not Detail.FULL:
        return {}
    boxes = {}
    for spot, (low, high) in terms.limits.items():
        if spot not in SPOTS:
            raise unknown_spot(spot, "limits")
        step = _step(rules, terms.chip, spot)
        boxes[spot] = Box(-(-low // step) * step, min(high, MOST_ON_A_SPOT) // step * step, step)
        if boxes[spot].low > boxes[spot].high:
            raise _unplayable(f"límites de {SPOTS[spot].es}", f"limits of {SPOTS[spot].en}", "limits")
    if not {"punto", "banca"} <= boxes.keys():
        raise _unplayable("límites de Punto y de Banca", "limits of Punto and of Banca", "limits")
    least = max(boxes["punto"].low, boxes["banca"].low)
    if terms.differential is not None and terms.differential < least:
        raise _unplayable("diferencial de la mesa", "table differential", "differential")
    _refuse_rounded_edge(rules, terms, boxes["banca"])
    return boxes


def unknown_spot(spot: object, field: str = "spot") -> RuleViolation:
    known = ", ".join(SPOTS)
    return RuleViolation(
        "BAC-06",
        Text(
            f"no hay casillero «{reading.shown(spot)}»; los hay de {known}",
            f"there is no box “{reading.shown(spot)}”; there are {known}",
        ),
        code="unknown_spot",
        field=field,
    )


def _unplayable(spanish: str, english: str, field: str) -> RuleViolation:
    return RuleViolation(
        "GEN-04",
        Text(
            f"con esta ficha menor ninguna apuesta cumple: {spanish}; corrija los términos de la mesa",
            f"with this smallest chip no bet can meet: {english}; correct the table's terms",
        ),
        code="unplayable_limits",
        field=field,
    )


def _step(rules: Rules, chip: int, spot: str) -> int:
    """The smallest step of a stake: the chip, or a multiple where a policy is `exact` (GEN-09)."""
    prizes = {"punto": [rules.punto_pays], "banca": [rules.banca_pays], "tie": [rules.tie_pays]}[spot]
    if spot == "banca" and rules.banca_variant == NO_COMMISSION:
        prizes = [*prizes, rules.banca_six_pays]
    factors = []
    if rules.prize_rounding is Rounding.EXACT:
        factors += [ratio(prize) for prize in prizes]
    if spot == "banca" and rules.rate and rules.commission_rounding is Rounding.EXACT:
        factors += [ratio(rules.banca_pays) * rules.rate / 10_000]
    # stake x n/d is a whole number of chips exactly when the stake is a multiple of chip x d / gcd.
    return math.lcm(
        chip, *(chip * f.denominator // math.gcd(f.numerator, chip * f.denominator) for f in factors)
    )


def _refuse_rounded_edge(rules: Rules, terms: Terms, box: Box) -> None:
    """GEN-06 again where commission is rounded in the player's favour: small stakes may escape it.

    No other rounding favours the player: prizes never go up (`PRIZE_ROUNDINGS`).
    Rounding moves a commission by less than one chip, so stakes above chip/(margin) are safe and
    only the smaller ones are tried.
    """
    if rules.rate == 0 or rules.commission_rounding in (Rounding.UP, Rounding.EXACT):
        return
    pays, rate = ratio(rules.banca_pays), Fraction(rules.rate, 10_000)
    needed = max(_needed_commission(pays, decks) for decks in DECKS_ALLOWED)
    margin = pays * rate - needed
    safe = box.high if margin <= 0 else min(box.high, math.ceil(terms.chip / margin) + box.step)
    stake = box.low
    for _ in range(_MOST_TRIED):
        if stake > safe:
            return
        if commission_on(stake * pays, rules.rate, terms.chip, rules.commission_rounding) < needed * stake:
            break
        stake += box.step
    raise RuleViolation(
        "GEN-06",
        Text(
            f"con redondeo «{rules.commission_rounding}» y esta ficha la casa pierde con algunas apuestas",
            f"with rounding “{rules.commission_rounding}” and this chip the house loses on some bets",
        ),
        code="player_edge",
        field="commission_rounding",
        detail={"stake": stake},
    )


_MOST_TRIED = 5_000


def _needed_commission(pays: Fraction, decks: int) -> Fraction:
    """The least commission per unit staked that leaves the house without a loss on banca."""
    seen = exact.counts(decks)
    return pays - Fraction(seen.punto, seen.banca)


def commission_on(prize: Fraction, basis_points: int, chip: int, policy: Rounding) -> int:
    """Commission on an exact prize, rounded to the smallest chip by policy (BAC-22, GEN-09)."""
    return round_to(prize * basis_points / 10_000, chip, policy).amount
