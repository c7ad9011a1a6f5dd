"""Where in the house an incident leads: the round it is about, the discard holder that lies open for it.

Rooms above say so at start-up; the page of the incident shows it. An address is told by its route, so that
whoever may not go there is not led there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from audits.models import Incident
from casino.kernel.words import Text


@dataclass(frozen=True, slots=True)
class Link:
    """A place of the house: its words, its route with its arguments, and what is asked of the page.

    `act`: what whoever follows it must be allowed. `main`: the first thing to look at.
    """

    words: Text
    route: str
    args: tuple[Any, ...]
    act: str
    query: str = ""
    main: bool = False


Find = Callable[[Incident], Iterable[Link]]
_finders: list[Find] = []


def register_links(find: Find) -> None:
    """Have `find(incident)` say where an incident leads."""
    if find not in _finders:
        _finders.append(find)


def links_of(incident: Incident) -> list[Link]:
    return [link for find in _finders for link in find(incident)]
