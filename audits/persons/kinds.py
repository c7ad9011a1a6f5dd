"""The register of what is kept of people: a room makes its own known when the house starts.

A kind is a kind of thing on the trail, too: its `code` is the `subject.type` of its events, so that what an
event tells of it by commitment (`audits.personal`) is found and erased with it.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from audits.models import Incident, Pseudonym
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino


class Kind(ABC):
    """One kind of personal data. `why`: what it is kept for, as people read it; `what`: what of a person."""

    code: ClassVar[str]
    name: ClassVar[Text]
    what: ClassVar[Text]
    why: ClassVar[Text]

    @abstractmethod
    def label(self, casino: Casino, pk: int) -> str | None:
        """What the trail and this page call one, masked; None where the house has no such."""

    @abstractmethod
    def due(self, casino: Casino, before: dt.date, only: int | None = None) -> Sequence[int]:
        """Those last used before a day of the house's calendar and not yet pseudonyms, the oldest first; of
        `only` one, whether it is."""

    @abstractmethod
    def hold(self, casino: Casino, pk: int) -> None:
        """Lock what is about to be rewritten, so that nobody uses it meanwhile (rank SESSION)."""

    @abstractmethod
    def erase(self, pseudonym: Pseudonym) -> None:
        """Put the pseudonym in place of what names somebody, in every row; its record is stored already."""


class Incidents(Kind):
    """Not personal data of its own: an incident is held so that nobody it is about is touched."""

    code = "incident"
    name = Text("incidente", "incident")
    what = Text("a quién se refiere", "whom it is about")
    why = Text("dar cuenta a la AJ", "to answer the AJ")

    def label(self, casino: Casino, pk: int) -> str | None:
        found = Incident.objects.filter(casino=casino, pk=pk).first()
        return found.label if found else None

    def due(self, casino: Casino, before: dt.date, only: int | None = None) -> Sequence[int]:
        return ()

    def hold(self, casino: Casino, pk: int) -> None:
        raise NotImplementedError("an incident is never rewritten")

    def erase(self, pseudonym: Pseudonym) -> None:
        raise NotImplementedError("an incident is never rewritten")


_kinds: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    known = _kinds.get(kind.code)
    if known is not None and type(known) is not type(kind):
        raise ValueError(f"kind {kind.code} registered twice")
    _kinds[kind.code] = kind


register(Incidents())


def holdable() -> dict[str, Kind]:
    """Every kind that may be put under a legal hold, by code."""
    return dict(sorted(_kinds.items()))


def erasable() -> dict[str, Kind]:
    """The kinds that have a period and become pseudonyms when it is over."""
    return {code: kind for code, kind in holdable().items() if not isinstance(kind, Incidents)}


def kind_of(code: str, *, among: dict[str, Kind] | None = None) -> Kind:
    """The kind of that code. Raises `Refused` (`unknown_kind`)."""
    found = (holdable() if among is None else among).get(code)
    if found is None:
        raise Refused(
            Text("elija la clase de datos de la lista", "choose the kind of data from the list"),
            code="unknown_kind",
            field="kind",
        )
    return found


def labels() -> Iterator[tuple[str, Text]]:
    for code, kind in holdable().items():
        yield code, kind.name
