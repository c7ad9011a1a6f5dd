"""The demonstration's own figures of the floor, a plan of limits for the Mini tables, a table that pauses.

life.evening(house, now)          once the tables of tonight are in play
"""

from __future__ import annotations

import datetime as dt

from tables import floor_settings, pausing, planning, plans
from tables.demo.house import BOB, CHIP, House, recorded_at
from tables.models import TableSession
from tables.plan_windows import Limits, Window

GAME = "baccarat.mini"
WEEKDAYS, WEEKEND = (0, 1, 2, 3, 6), (4, 5)
NIGHT = (dt.time(20), dt.time(4))
"""From eight to four of the next morning, as one window."""

PAUSED = ("TC-01", "cambio de paño")


def evening(house: House, now: dt.datetime) -> None:
    """Figures set, a plan in force with its limits published, and a table paused between two rounds."""
    with recorded_at(now):
        floor_settings.set_floor(
            figures={"minimum_operation": ["baccarat", "blackjack"]},
            by=house.by("admin", now, "categorías que la licencia obliga a abrir cada día"),
        )
        plans.publish_plan(
            game=GAME,
            windows=[
                Window(WEEKDAYS, *NIGHT, _limits(25, 2_000)),
                Window(WEEKEND, *NIGHT, _limits(50, 5_000)),
            ],
            otherwise=_limits(25, 1_000),
            by=house.by("pitboss", now, "mínimos más altos las noches de viernes y sábado"),
        )
        planning.apply_all(house.casino.pk)
    name, why = PAUSED
    session = TableSession.objects.filter(
        casino=house.casino, table__name=name, state=TableSession.State.OPEN
    ).first()
    if session is not None:
        pausing.pause(session=session, by=house.by("supervisor", now, why))


def _limits(low: int, high: int) -> Limits:
    """Of the main bets in whole bolivianos; the tie has a tenth, as at the tables' own."""
    main, tie = (low * BOB, high * BOB), (max(CHIP, low * BOB // 10), high * BOB // 10)
    return Limits(CHIP, {"punto": main, "banca": main, "tie": (tie[0] // CHIP * CHIP, tie[1])})
