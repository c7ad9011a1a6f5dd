"""What a check before opening a table says: in order, to look at, or forbidden, with its rule. Words only.

The checks themselves: `tables.preflight`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audits.by import By
from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from shoes.models import Shoe
from tables.models import Staff, Table, TableSession


class Level(StrEnum):
    GREEN = "green"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing asked before opening. `words`: what was found and, where it is not in order, what to do."""

    code: str
    title: Text
    level: Level
    words: Text
    rule: str = ""
    refusal: SabotError | None = None

    @property
    def red(self) -> bool:
        return self.level is Level.RED


@dataclass(frozen=True, slots=True)
class Crew:
    """Who is to stand there."""

    dealer: Staff
    supervisor: Staff
    payers: Sequence[Staff] = ()

    @property
    def people(self) -> list[Staff]:
        return [self.dealer, self.supervisor, *self.payers]


@dataclass(frozen=True, slots=True)
class Opening:
    """A table about to be opened at an instant, as far as it is known.

    `by`: who opens it; `final`: nothing is chosen later, what is not stated is missing.
    """

    table: Table
    instant: dt.datetime
    crew: Crew | None = None
    shoe: Shoe | None = None
    chips: Mapping[int, int] | None = None
    by: By | None = None
    final: bool = False

    @property
    def date(self) -> dt.date:
        return self.table.casino.gaming_day(self.instant)

    @property
    def draft(self) -> TableSession:
        """The session it would be, as the rules in force are asked."""
        table = self.table
        return TableSession(
            casino=table.casino, table=table, game=table.game, seats=table.seats, detail=table.detail
        )


Ask = Callable[[Opening], Iterable[Check]]
_registered: list[Ask] = []


def register_check(ask: Ask) -> None:
    """Have `ask(opening)` asked too: pools, funds and others say what they know."""
    if ask not in _registered:
        _registered.append(ask)


def registered() -> tuple[Ask, ...]:
    return tuple(_registered)


def green(code: str, title: Text, words: Text, rule: str = "") -> Check:
    return Check(code, title, Level.GREEN, words, rule)


def amber(code: str, title: Text, words: Text, rule: str = "") -> Check:
    return Check(code, title, Level.AMBER, words, rule)


def red(code: str, title: Text, refusal: SabotError) -> Check:
    """What the act refuses: its words and its rule."""
    return Check(code, title, Level.RED, refusal.message, refusal.rule, refusal)


def asked(code: str, title: Text, fine: Text, rule: str, *acts: Callable[[], object]) -> Check:
    """Green where none of the acts refuses, else red with the first refusal."""
    try:
        for act in acts:
            act()
    except SabotError as refusal:
        return red(code, title, refusal)
    return green(code, title, fine, rule)
