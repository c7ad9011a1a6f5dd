"""How what a pool knows by codes is called on a page: funds, hands, amounts in credits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django import template
from django.utils.translation import get_language

from casino.kernel import money
from jackpots import naming
from jackpots.explaining import Parts
from jackpots.models import Bet, MeterReading, PoolMove
from jackpots.scheme import Scheme
from tables.money import orphans

register = template.Library()
register.filter("masked", orphans.masked)


@register.filter
def fund_name(code: str) -> str:
    return naming.fund(code).say(get_language())


@register.filter
def hand_name(code: str) -> str:
    return naming.hand(code).say(get_language())


@register.filter
def in_credits(units: int, terms: Scheme) -> int:
    """What a position's meter shows of an amount (PP-08)."""
    return units // terms.credit


@register.filter
def fraction(value: Any, decimals: int = 2) -> str:
    """An exact fraction as people read it, rounded; a dash where there is none."""
    if value is None:
        return "—"
    found = round(Fraction(value) * 10**decimals)
    return money.readable(found, get_language(), decimals)


@register.filter
def units(value: Any, exponent: int = 2) -> str:
    """A fraction of smallest units as money, with two decimals more than it has."""
    return "—" if value is None else fraction(Fraction(value) / 10**exponent, exponent + 2)


@register.filter
def whole_units(value: Any, exponent: int = 2) -> str:
    """A fraction of smallest units as money, rounded."""
    return "—" if value is None else money.readable(round(value), get_language(), exponent)


@register.filter
def as_percent(value: Any) -> str:
    """A fraction as a percentage with two decimals."""
    return "—" if value is None else f"{fraction(Fraction(value) * 100)}\N{NO-BREAK SPACE}%"


@register.filter
def move_kind(code: str) -> str:
    """Why a fund changed."""
    return str(dict(PoolMove.Kind.choices).get(code, code))


@register.filter
def others(parts: Parts, code: str) -> int:
    """What went neither to commission nor to one fund: to the other funds and the residue."""
    return parts.amount - parts.commission - parts.parts.get(code, 0)


@register.filter
def department(code: str) -> str:
    return naming.DEPARTMENTS[code].say(get_language()) if code in naming.DEPARTMENTS else code


@register.filter
def before(bet: Bet) -> int:
    """What its version had collected before a bet."""
    return (bet.total or 0) - bet.amount


@register.filter
def off(reading: MeterReading) -> int:
    """How much a meter showed more than its level held."""
    return reading.amount - reading.shown
