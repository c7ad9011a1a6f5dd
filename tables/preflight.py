"""The check before a table opens: what is in order, what to look at, what forbids it, each with its rule.

One source for the list a person reads and for what opening refuses: every check calls the function that the
act calls, and `require` raises the first red one in the same words. Amber warns and forbids nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping

from audits.by import By
from casino.kernel.words import Text
from shoes.models import Shoe
from tables import preflight_checks
from tables.checking import (
    Ask,
    Check,
    Crew,
    Level,
    Opening,
    amber,
    asked,
    green,
    red,
    register_check,
    registered,
)
from tables.models import Table

__all__ = [
    "Ask", "Check", "Crew", "Level", "Opening", "amber", "asked", "check", "green", "red", "register_check",
    "require",
]  # fmt: skip


def check(
    table: Table,
    instant: dt.datetime,
    crew: Crew | None = None,
    shoe: Shoe | None = None,
    chips: Mapping[int, int] | None = None,
    by: By | None = None,
) -> tuple[Check, ...]:
    """Everything asked before `table` opens at `instant`. What is not chosen yet is asked in general: whether
    there are people, and a shoe, to choose from."""
    return tuple(_run(Opening(table, instant, crew, shoe, chips, by)))


def require(opening: Opening) -> None:
    """Raise the refusal of the first red check: what opening a table refuses."""
    for one in _run(opening):
        if one.refusal is not None:
            raise one.refusal


def require_terms(opening: Opening) -> None:
    """The same of the rules, the limits and whatever is registered: what may have changed since a table
    was prepared."""
    for ask in (preflight_checks.the_rules, preflight_checks.the_funds, *registered()):
        for one in ask(opening):
            if one.refusal is not None:
                raise one.refusal


def _run(opening: Opening) -> Iterator[Check]:
    for ask in preflight_checks.CHECKS:
        yield from ask(opening)
    for ask in registered():
        yield from ask(opening)
    if not any(getattr(ask, "pools", False) for ask in registered()):
        yield green("pools", Text("Pozos", "Pools"), Text("no hay pozos configurados", "no pools configured"))
