"""What the cards ask of the floor above them, which they may not import: the floor registers at start-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from audits.models import Incident
from casino.models import Casino


@dataclass(frozen=True, slots=True)
class Played:
    """Rounds played with a shoe at one session (`PB-01 · 2026-11-29 · 1`), first and last number."""

    session: str
    shoe: str
    first: int
    last: int

    def as_dict(self) -> dict[str, object]:
        return {"session": self.session, "shoe": self.shoe, "first": self.first, "last": self.last}


Freeze = Callable[[Incident], None]


class Floor(Protocol):
    def table_names(self, casino: Casino, game: str = "") -> list[str]:
        """Tables in service, those of a game if one is named, in order of name."""
        ...

    def hold_table(self, casino: Casino, table_label: str) -> Freeze:
        """Lock the open session of a table, if any, before any shoe or deck is locked; what is returned
        stops the table for an incident (GEN-08)."""
        ...

    def is_open(self, casino: Casino, table_label: str) -> bool:
        """Whether a table is in play now, asked after `hold_table`."""
        ...

    def rounds_with(self, shoe_ids: Sequence[int]) -> list[Played]:
        """The rounds played with these shoes, in the order they were played."""
        ...

    def round_ids(self, shoe_id: int) -> list[int]:
        """The numbers under which the trail tells of the rounds played with a shoe (subject `round`)."""
        ...


_floors: list[Floor] = []


def register(floor: Floor) -> None:
    """The floor makes itself known, once, at start-up."""
    _floors[:] = [floor]


def floor() -> Floor:
    """The floor above. Raises `LookupError` where none registered."""
    if not _floors:
        raise LookupError("no floor registered with the cards")
    return _floors[0]
