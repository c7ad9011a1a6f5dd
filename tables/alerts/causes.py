"""What can ask to be attended to: a cause, and the register of who watches for which."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from casino.kernel.words import Text, same
from casino.models import Casino

WARN, BAD = "warn", "bad"
LONGEST = 120
"""Characters of a key or a subject."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing to attend to, as it stands at an instant.

    `key` names it as long as it lasts, the same at every look (`crew.relief:<turn>`); `kind` is registered;
    `level` is warn, or bad where play has to stop. `table` and `session` are ids; `subject`: what it is
    about, where that is no table (a slip's number, a person).
    """

    key: str
    kind: str
    level: str
    words: Text
    rule: str = ""
    table: int | None = None
    session: int | None = None
    subject: str = ""

    def __post_init__(self) -> None:
        """What the row could not hold fails in its watch, which is left out, and not with everybody's."""
        if max(len(self.key), len(self.subject)) > LONGEST:
            raise ValueError(f"{self.kind}: key or subject is longer than {LONGEST}")


Watch = Callable[[Casino, dt.datetime], Iterable[Cause]]
_watches: dict[Watch, frozenset[str]] = {}
_kinds: dict[str, Text] = {}


def register_watch(watch: Watch, *, kinds: Collection[str] = ()) -> None:
    """Have `watch(casino, instant)` asked each minute; it yields what is to be attended to at that instant.

    `kinds`: what it watches for, so that a fault of another watch does not keep its alerts from being
    cleared.
    """
    _watches[watch] = frozenset(kinds)


def watches() -> dict[Watch, frozenset[str]]:
    """Every watch with the kinds it says it watches for."""
    return dict(_watches)


def register_kind(code: str, name: Text) -> str:
    """What a kind of cause (`subject.noun`) is called in lists; returns its code."""
    _kinds[code] = name
    return code


def kinds() -> dict[str, Text]:
    """The kinds that have a name, by code."""
    return dict(_kinds)


def kind_name(code: str) -> Text:
    """What a kind is called; its code where nobody named it."""
    return _kinds.get(code, same(code))
