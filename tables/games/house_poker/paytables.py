"""The pay tables of poker against the house, as the rulebook has them, and reading an operator's own.

A table is rows of `row: pays`, the first that holds deciding. In an operator's rules a table is written
as the rows that differ from the book's default, or as the name of one of the book's tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.games import reading
from tables.games.paying import read_ratio

Table = Mapping[str, str]


def _table(**rows: str) -> Table:
    return MappingProxyType(rows)


_CARIBBEAN_A = {
    "royal_flush": "100:1",
    "straight_flush": "50:1",
    "four_of_a_kind": "20:1",
    "full_house": "7:1",
    "flush": "5:1",
    "straight": "4:1",
    "three_of_a_kind": "3:1",
    "two_pair": "2:1",
    "pair": "1:1",
}
_COMPARED_ANTE = {"player_higher": "1:1", "hands_equal": "push", "player_lower": "lose"}
_UNQUALIFIED = {"dealer_not_qualified": "push", "hands_equal": "push", "player_lower": "lose"}

TABLES: Mapping[str, Table] = MappingProxyType(
    {
        "draw.ante": _table(folded="lose", dealer_not_open="1:1", **_COMPARED_ANTE),
        "draw.bet.a": _table(dealer_not_open="push", hands_equal="push", player_lower="lose", **_CARIBBEAN_A),
        "caribbean.ante": _table(folded="lose", dealer_not_qualified="1:1", **_COMPARED_ANTE),
        "caribbean.bet.a": _table(**_UNQUALIFIED, **_CARIBBEAN_A, ace_king="1:1"),
        "caribbean.bet.b": _table(
            **_UNQUALIFIED,
            **{**_CARIBBEAN_A, "full_house": "10:1", "flush": "8:1", "straight": "5:1"},
            ace_king="1:1",
        ),
        "go.main": _table(
            royal_flush="1000:1",
            straight_flush="200:1",
            four_of_a_kind="50:1",
            full_house="11:1",
            flush="8:1",
            straight="5:1",
            three_of_a_kind="3:1",
            two_pair="2:1",
            pair_tens_or_better="1:1",
            not_listed="lose",
        ),
        "three_card.ante": _table(folded="lose", dealer_not_qualified="1:1", **_COMPARED_ANTE),
        "three_card.play": _table(
            dealer_not_qualified="push", player_higher="1:1", hands_equal="push", player_lower="lose"
        ),
        "three_card.ante_bonus.a": _table(
            straight_flush="5:1", three_of_a_kind="4:1", straight="1:1", not_listed="push"
        ),
        "three_card.ante_bonus.b": _table(
            straight_flush="4:1", three_of_a_kind="3:1", straight="1:1", not_listed="push"
        ),
        "three_card.pair_plus.a": _table(
            straight_flush="40:1",
            three_of_a_kind="30:1",
            straight="6:1",
            flush="4:1",
            pair="1:1",
            not_listed="lose",
        ),
        "three_card.pair_plus.b": _table(
            straight_flush="40:1",
            three_of_a_kind="30:1",
            straight="5:1",
            flush="4:1",
            pair="1:1",
            not_listed="lose",
        ),
        "three_card.pair_plus.c": _table(
            straight_flush="40:1",
            three_of_a_kind="25:1",
            straight="6:1",
            flush="4:1",
            pair="1:1",
            not_listed="lose",
        ),
        "three_card.pair_plus.d": _table(
            straight_flush="35:1",
            three_of_a_kind="25:1",
            straight="5:1",
            flush="3:1",
            pair="1:1",
            not_listed="lose",
        ),
    }
)

_ALWAYS_LOST = ("folded", "player_lower")
_STATES = ("dealer_not_open", "dealer_not_qualified", "hands_equal")
"""Rows that may also leave the stake where it is."""


def read_table(value: object, field: str, book: str, rule: str, fixed: Mapping[str, str]) -> Table:
    """A pay table given as rows or by name; absent rows as in the book's table named `book`.

    `fixed`: rows the regulator's text settles, each with the rule that does. Raises `Refused` for a row
    that is unknown or unreadable, `RuleViolation` of `rule`, or of a fixed row's own, for a payout it may
    not have.
    """
    default = TABLES[book]
    family = book.removesuffix(".a")
    if isinstance(value, str):
        named = [name for name in TABLES if name == family or name.startswith(family + ".")]
        return TABLES[reading.one_of(value, field, named)]
    given = reading.mapping(value, field)
    reading.known_keys(given, default.keys(), field)
    rows = {row: _pays(given.get(row, pays), row, field, pays, rule) for row, pays in default.items()}
    for row, its_rule in fixed.items():
        if rows[row] != default[row]:
            raise _not_so(its_rule, field, row, (default[row],))
    return MappingProxyType(rows)


def _pays(value: object, row: str, field: str, book: str, rule: str) -> str:
    if row in _ALWAYS_LOST or row == "not_listed":
        if value != book:
            raise _not_so(rule, field, row, (book,))
        return book
    # A hand may be left without bonus; a listed hand of any other table is paid.
    may_stand = row in _STATES or field == "ante_bonus_pays"
    words = ("push", "lose") if row == "hands_equal" else ("push",) if may_stand else ()
    if isinstance(value, str) and value in words:
        return str(value)
    if isinstance(value, str) and value in ("push", "lose"):
        raise _not_so(rule, field, row, ("N:M", *words))
    return read_ratio(value, field)


def _not_so(rule: str, field: str, row: str, allowed: Collection[str]) -> RuleViolation:
    ways = ", ".join(allowed)
    return RuleViolation(
        rule,
        Text(
            f"la fila «{row}» de {field} sólo puede ser {ways}", f"row “{row}” of {field} can only be {ways}"
        ),
        {"row": row},
        code="pay_not_allowed",
        field=field,
    )
