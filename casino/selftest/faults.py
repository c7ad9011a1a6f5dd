"""What a fault is, and the book of them: each module `on_*` enters its own by `@fault`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from casino.kernel.words import Text
from casino.selftest.catching import Promise

Inject = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Fault:
    """`given` makes ready, by the write functions, what the fault needs; what it returns `inject` is given.

    `promised` is the control that must catch it. `leaves`: what a refusal puts on record, where it is meant
    to; else nothing of what was refused may be there.
    """

    code: str
    name: Text
    hand: Text
    promised: Promise
    inject: Inject
    given: Callable[[], Any] | None = None
    leaves: Text | None = None


_book: dict[str, Fault] = {}


def fault(
    code: str,
    es: str,
    en: str,
    *,
    hand: Text,
    caught: Promise,
    given: Callable[[], Any] | None = None,
    leaves: Text | None = None,
) -> Callable[[Inject], Inject]:
    """Enter the function below as a fault of this code (`<subject>.<what>`)."""

    def enter(inject: Inject) -> Inject:
        if code in _book:
            raise ValueError(f"fault {code} is entered twice")
        _book[code] = Fault(code, Text(es, en), hand, caught, inject, given, leaves)
        return inject

    return enter


def book() -> dict[str, Fault]:
    """Every fault there is, in the order of the subjects."""
    from casino.selftest.subjects import ORDER  # stands on this module

    places = {subject: place for place, subject in enumerate(ORDER)}
    return dict(sorted(_book.items(), key=lambda item: places[item[0].partition(".")[0]]))


def chosen(wanted: Iterable[str]) -> tuple[list[Fault], list[str]]:
    """The faults of the codes or subjects wanted (all, if none is), and the words that name none."""
    known, asked = book(), list(wanted)
    if not asked:
        return list(known.values()), []
    found = [one for code, one in known.items() if any(_is(code, word) for word in asked)]
    return found, [word for word in asked if not any(_is(code, word) for code in known)]


def _is(code: str, word: str) -> bool:
    return code == word or code.startswith(f"{word}.")
