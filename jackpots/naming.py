"""What funds, prizes and policies of a pool are called, and its parameters told in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from casino.kernel.money import readable
from casino.kernel.money import words as money_words
from casino.kernel.words import Text, same
from jackpots.actions import HANDS
from jackpots.saying import DEPARTMENTS, FUNDS, fund, percent
from jackpots.scheme import FIXED, MAIN, PERCENT, ROYALS_SHARE, SEQUENTIAL, SPLIT, Prize, Scheme

__all__ = [
    "DEPARTMENTS", "FUNDS", "KINDS", "POLICIES", "RESEED", "Line", "fund",
    "hand", "percent", "prize", "terms",
]  # fmt: skip

POLICIES = {
    SPLIT: Text(
        "los que ganan el mismo porcentaje se lo reparten por igual",
        "those who win the same percentage share it equally",
    ),
    SEQUENTIAL: Text(
        "uno tras otro, sobre el pozo como queda", "one after the other, on the meter as it stands"
    ),
    ROYALS_SHARE: Text(
        "uno tras otro; los que ganan todo el pozo se lo reparten por igual",
        "one after the other; those who win the whole meter share it equally",
    ),
}
KINDS = {
    PERCENT: Text("% del pozo", "% of the meter"),
    "times": Text("veces la apuesta", "times the bet"),
    FIXED: Text("importe fijo", "fixed amount"),
}
RESEED = {
    "reserve-house": Text("la reserva y, si no alcanza, la casa", "the reserve and, if short, the house"),
    "house": Text("la casa", "the house"),
}


def hand(code: str) -> Text:
    return HANDS.get(code, same(code))


def prize(one: Prize, exponent: int) -> Text:
    """What a hand wins."""
    if one.top:
        found = Text("todo el pozo", "the whole meter")
    elif one.kind == PERCENT:
        part = percent(one.value)
        found = Text(f"{part.es} del pozo", f"{part.en} of the meter")
    elif one.kind == FIXED:
        found = money_words(one.value, exponent)
    else:
        found = Text(f"{readable(one.value, 'es', 0)} veces la apuesta", f"{one.value:,} times the bet")
    if one.level == MAIN:
        return found
    level = fund(one.level)
    return Text(f"{found.es} ({level.es})", f"{found.en} ({level.en})")


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of the parameters, and the rule that asks for it."""

    label: Text
    value: Text
    rule: str = ""


def terms(scheme: Scheme, exponent: int) -> list[Line]:
    """Everything but the prizes, in words."""
    low, high, credit = (
        money_words(units, exponent)
        for units in (scheme.least * scheme.credit, scheme.most * scheme.credit, scheme.credit)
    )
    order = RESEED["-".join(scheme.reseed_order)]
    found = [
        Line(
            Text("Comisión, del total recaudado", "Commission, of the total collected"),
            percent(scheme.commission_bp),
            "PP-18",
        ),
        *_funds(scheme, exponent),
        Line(Text("Un crédito", "One credit"), credit, "PP-08"),
        Line(
            Text("Apuesta por posición", "Bet per position"),
            Text(
                f"{scheme.least} a {scheme.most} créditos ({low.es} a {high.es})",
                f"{scheme.least} to {scheme.most} credits ({low.en} to {high.en})",
            ),
            "PP-13",
        ),
        Line(Text("Si ganan varios", "If several win"), POLICIES[scheme.policy], "PP-17"),
        Line(Text("La base la repone", "The base comes from"), order, "PP-33"),
    ]
    if scheme.policy == SPLIT and not scheme.lower_percent_first:
        found.insert(
            -1, Line(Text("Orden", "Order"), Text("el porcentaje mayor primero", "higher percentage first"))
        )
    if scheme.round_limit is not None:
        limit = money_words(scheme.round_limit, exponent)
        found.append(
            Line(
                Text("Tope de los premios fijos de un pase", "Most the fixed prizes of a round come to"),
                limit,
            )
        )
    return found


def _funds(scheme: Scheme, exponent: int) -> Sequence[Line]:
    lines = []
    for level in scheme.levels:
        name, part, base = fund(level.code), percent(level.share_bp), money_words(level.base, exponent)
        es, en = f"{part.es} de lo que queda, base {base.es}", f"{part.en} of the rest, base {base.en}"
        if level.cap is not None:
            cap = money_words(level.cap, exponent)
            es, en = f"{es}, tope {cap.es}", f"{en}, cap {cap.en}"
        lines.append(Line(Text(f"Pozo {name.es}", f"Level {name.en}"), Text(es, en), "PP-22"))
    for one in scheme.reserves:
        name, part = fund(one.code), percent(one.share_bp)
        lines.append(
            Line(
                Text(f"Fondo {name.es}", f"Fund {name.en}"),
                Text(f"{part.es} de lo que queda", f"{part.en} of the rest"),
                "PP-21",
            )
        )
    return lines
