"""Minimum operation: the categories of games a house must run each day, and which did not yet (FLOOR-17).

Off until the house names its categories (`FloorSettings.minimum_operation`). It warns and forbids nothing.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino
from tables.floor_settings import family_name, settings_of
from tables.games import registry
from tables.models import TableSession

RULE = "FLOOR-17"
WARN_BEFORE = dt.timedelta(hours=3)
"""How long before the day ends what lacks is said as a warning: time enough to open a table."""


@dataclass(frozen=True, slots=True)
class Minimum:
    """What a gaming day owes: the categories asked for, those that did not run, and how long is left."""

    asked: tuple[str, ...]
    lacking: tuple[str, ...]
    left: dt.timedelta

    @property
    def pressing(self) -> bool:
        """Whether the day is about to end, or has ended, without one."""
        return bool(self.lacking) and self.left <= WARN_BEFORE

    @property
    def words(self) -> Text:
        """What is lacking and what to do, or that nothing is."""
        if not self.asked:
            return Text("no se vigila", "not watched")
        if not self.lacking:
            return Text("todas las categorías abrieron", "every category ran")
        names = [family_name(code) for code in self.lacking]
        es, en = ", ".join(name.es for name in names), ", ".join(name.en for name in names)
        if self.left <= dt.timedelta(0):
            return Text(f"no abrieron: {es}", f"did not run: {en}")
        return Text(
            f"aún no abrieron: {es}; abra una mesa antes del cierre del día",
            f"did not run yet: {en}; open a table before the day ends",
        )


def minimum_operation(casino: Casino, day: dt.date, instant: dt.datetime | None = None) -> Minimum:
    """What the gaming day `day` owes at `instant` (now when None).

    A category ran once one of its tables was opened to play that day. Two queries.
    """
    asked = tuple(settings_of(casino).minimum_operation)
    _, end = clock.day_bounds(day, casino.zone, casino.cutoff)
    left = end - (instant or clock.now())
    if not asked:
        return Minimum((), (), left)
    opened = (
        TableSession.objects.filter(casino=casino, day__date=day)
        .exclude(state=TableSession.State.OPENING)
        .values_list("game", flat=True)
        .distinct()
    )
    ran = {registry.game(game).family for game in opened}
    return Minimum(asked, tuple(code for code in asked if code not in ran), left)
