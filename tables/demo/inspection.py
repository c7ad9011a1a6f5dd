"""A visit of the AJ's inspector in the demonstration: drawn, counted, answered by the house, closed.

What he counts is what the house expects at that moment, but for a chip that one table lacks: so that a
newcomer sees a count signed, and one with a difference the house objected to.
"""

from __future__ import annotations

import datetime as dt

from audits.inspections import counting, drawing, visits
from audits.inspections.counting import Counted
from audits.models import Inspection, InspectionCount
from casino.models import Casino
from tables.alerts.float_checks import expectation
from tables.demo.house import BOB, House
from tables.models import TableSession

WORD = "Illimani 6438"
WANTED = 2
MISSING = 25 * BOB
SHORT = "Falta una ficha de 25: se vuelve a contar al cierre de la mesa y se informa."
REMARKS = "Se contaron las mesas sorteadas. La casa facilitó todo lo pedido."


def evening(house: House, now: dt.datetime) -> None:
    """A visit of the last minutes before `now`: a float is counted as it is then."""
    visit = visits.open_inspection(by=house.by("inspector", now))
    announced = drawing.announce_draw(inspection=visit, wanted=WANTED, by=house.by("inspector", now))
    drawn = drawing.draw_tables(draw_row=announced, word=WORD, by=house.by("inspector", now))
    for place, (table, _name) in enumerate(drawing.drawn_tables(drawn)):
        session = _in_play(house.casino, table)
        short = MISSING if place == WANTED - 1 else 0
        _answered(house, _counted(house, visit, session, short, now), now)
    visits.close_inspection(inspection=visit, remarks=REMARKS, by=house.by("inspector", now))


def _in_play(casino: Casino, table: int) -> TableSession:
    rows = TableSession.objects.filter(casino=casino, table=table).select_related("table", "casino")
    return rows.order_by("-pk")[:1].get()


def _counted(
    house: House, visit: Inspection, session: TableSession, short: int, now: dt.datetime
) -> InspectionCount:
    _basis, amount = expectation(session, None)
    pieces = _in_chips(house.casino, amount - short)
    return counting.record_count(
        inspection=visit,
        kind="tables.float",
        target=session.pk,
        counted=Counted(pieces=pieces),
        by=house.by("inspector", now),
    )


def _in_chips(casino: Casino, amount: int) -> dict[int, int]:
    """An amount in the house's chips, the largest first."""
    pieces = {}
    for value in sorted(casino.denominations, reverse=True):
        pieces[value], amount = divmod(amount, value)
    return {value: number for value, number in pieces.items() if number}


def _answered(house: House, count: InspectionCount, now: dt.datetime) -> None:
    """Signed on his screen by a chief; what differs is objected to, in words."""
    counting.answer_count(
        count=count,
        agrees=not count.difference,
        words=SHORT if count.difference else "",
        signer=house.users["supervisor"].actor,
        by=house.by("inspector", now),
    )
