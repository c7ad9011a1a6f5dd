"""Whom an answer or a file names, collected while it is made, so that a look can say it (`looking`).

Whatever puts a person's name into an answer notes it here: a commitment opened for a sentence
(`audits.personal`), a row of a report under `PEOPLE`, a list of a page. Outside `collecting` nothing is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PEOPLE = "_people"
"""The key of a report's row under which it names whom it shows: `(("guest", 12),)`. Never a column."""
MOST = 100_000
"""How many one answer or file says by number; beyond it, that it named everybody of its kind and period."""


class Names:
    """People named so far, as `guest:12`; `everyone` where they are too many, or nobody can tell them."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.everyone = False

    def add(self, kind: str, pk: int) -> None:
        if len(self.found) < MOST:
            self.found.add(key(kind, pk))
        elif key(kind, pk) not in self.found:
            self.everyone = True

    def told(self) -> list[str] | None:
        """Those named, in order; None where it may have been anybody."""
        return None if self.everyone else sorted(self.found)


_names: ContextVar[Names | None] = ContextVar("sabot_names", default=None)


def key(kind: str, pk: int) -> str:
    return f"{kind}:{pk}"


@contextmanager
def collecting() -> Iterator[Names]:
    """Everybody named within, by whatever runs in it."""
    names = Names()
    token = _names.set(names)
    try:
        yield names
    finally:
        _names.reset(token)


def note(*people: tuple[str, int | None]) -> None:
    """That these are named; one without a number is nobody."""
    names = _names.get()
    if names is not None:
        for kind, pk in people:
            if pk is not None:
                names.add(kind, pk)


def note_again(told: Iterable[str] | None) -> None:
    """That what named these is repeated; None: it may have been anybody."""
    names = _names.get()
    if names is None:
        return
    if told is None:
        names.everyone = True
        return
    for one in told:
        kind, _colon, pk = one.partition(":")
        names.add(kind, int(pk))
