"""The report on the plan of posts: planned and worked by person, how much as planned, and the ledger."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db import connection

from audits import policies as audit_policies
from audits.reports import EVENTS, Column, EventsOf, Kind, Named, PeriodForm, Report, register
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import Assignment
from tables.reports import behind

_TOTAL = Text("Total", "Total")
_SUMMED = ("planned", "worked", "as_planned", "apart", "credit")

# Planned turns count with their part in force, turns held until now where they go on. What was worked as
# planned is the time in which both were at one table.
_LINES = """
WITH span AS (SELECT tstzrange(%(first)s, %(after)s) AS whole),
planned AS (
    SELECT t.staff_id, t.table_id, t.in_force * span.whole AS during FROM tables_plannedturn t, span
    WHERE t.casino_id = %(casino)s AND t.in_force && span.whole
),
worked AS (
    SELECT a.staff_id, s.table_id, a.during * span.whole AS during
    FROM tables_assignment a JOIN tables_tablesession s ON s.id = a.session_id, span
    WHERE a.casino_id = %(casino)s AND a.during && span.whole AND a.post <> 'supervisor'
),
minutes AS (
    SELECT staff_id, extract(epoch FROM upper(during) - lower(during)) / 60 AS planned,
           0 AS worked, 0 AS both_ways
    FROM planned
    UNION ALL
    SELECT staff_id, 0, extract(epoch FROM upper(during) - lower(during)) / 60, 0 FROM worked
    UNION ALL
    SELECT p.staff_id, 0, 0, extract(epoch FROM upper(p.during * w.during) - lower(p.during * w.during)) / 60
    FROM planned p JOIN worked w USING (staff_id, table_id) WHERE p.during && w.during
),
credit AS (
    SELECT staff_id, sum(credit) AS credit FROM tables_fairnessentry
    WHERE casino_id = %(casino)s AND day BETWEEN %(first_day)s AND %(last_day)s GROUP BY 1
)
SELECT f.id, f.number, f.name,
       round(coalesce(sum(m.planned), 0))::int, round(coalesce(sum(m.worked), 0))::int,
       round(coalesce(sum(m.both_ways), 0))::int, coalesce(max(c.credit), 0)::int
FROM tables_staff f LEFT JOIN minutes m ON m.staff_id = f.id LEFT JOIN credit c ON c.staff_id = f.id
WHERE f.casino_id = %(casino)s AND (m.staff_id IS NOT NULL OR c.staff_id IS NOT NULL)
GROUP BY f.id ORDER BY f.name, f.number
"""


class RotationReport(Report):
    """Planned against real minutes at tables, and the credit of the ledger, by person; over gaming days."""

    identifier = "tables.rotation"
    title = Text("Rotación: previsto y cumplido", "Rotation: planned and worked")
    rules = ("FLOOR-01", "FLOOR-03")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("number", Text("Legajo", "Number")),
            Column("name", Text("Nombre", "Name")),
            Column("planned", Text("Minutos previstos", "Planned minutes"), Kind.INT),
            Column("worked", Text("Minutos en mesa", "Minutes at tables"), Kind.INT),
            Column("as_planned", Text("De ellos, según el plan", "Of these, as planned"), Kind.INT),
            Column("apart", Text("Cumplido menos previsto", "Worked less planned"), Kind.INT),
            Column("credit", Text("Sobre su parte", "Above the share"), Kind.INT),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        first, last = params["first"], params["last"]
        start = clock.day_bounds(first, casino.zone, casino.cutoff)[0]
        after = max(start, min(clock.now(), clock.day_bounds(last, casino.zone, casino.cutoff)[1]))
        values = {"casino": casino.pk, "first": start, "after": after, "first_day": first, "last_day": last}
        with connection.cursor() as cursor:
            cursor.execute(_LINES, values)
            for pk, number, name, planned, worked, both, credit in cursor.fetchall():
                yield {
                    "number": number,
                    "name": name,
                    "planned": planned,
                    "worked": worked,
                    "as_planned": both,
                    "apart": worked - planned,
                    "credit": credit,
                    EVENTS: _behind(casino, pk, (first, last), (start, after)),
                }

    def totals(self, casino: Casino, params: Mapping[str, Any]) -> dict[str, Any]:
        lines = list(self.rows(casino, params))
        return {"name": _TOTAL, **{key: sum(line[key] for line in lines) for key in _SUMMED}}


def _behind(
    casino: Casino, staff: int, days: tuple[dt.date, dt.date], span: tuple[dt.datetime, dt.datetime]
) -> Callable[[], Named]:
    """The plans of the days, and the posts somebody really had at tables within them."""

    def found() -> Named:
        whole = (days[1] - days[0]).days + 1
        rosters = [f"roster:{days[0] + dt.timedelta(days=n)}" for n in range(whole)]
        planned = EventsOf(streams=tuple(rosters))
        turns = Assignment.objects.filter(casino=casino, staff=staff, during__overlap=span)
        stood = behind.streams(turns.order_by("session").values_list("session", flat=True).distinct())
        return [planned, EventsOf(streams=stood, actions=behind.CREW)] if stood else planned

    return found


register(RotationReport)
