"""A report with everything a cell can hold, also what an unfriendly person would put in one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django import forms

from audits import policies
from audits.models import Stream
from audits.reports import Column, DayForm, Kind, Report, Section
from casino.kernel.words import Text

COLUMNS = [
    Column("who", Text("Croupier", "Dealer")),
    Column("opened", Text("Apertura", "Opened"), Kind.INSTANT),
    Column("day", Text("Día", "Day"), Kind.DAY),
    Column("rounds", Text("Pases", "Rounds"), Kind.INT),
    Column("result", Text("Resultado", "Result"), Kind.MONEY),
    Column("hold", Text("Retención", "Hold"), Kind.PERCENT),
]
OPENED = dt.datetime(2026, 11, 30, 2, 30, 5, tzinfo=dt.UTC)  # 22:30:05 of the 29th in La Paz
DAY = dt.date(2026, 11, 29)
NAMES = [
    "Íñigo Núñez",
    "=1+1",
    "+591 70000000",
    "-5",
    "@SUM(A1)",
    "\tx",
    "\rx",
    'di "jo", así',
    "http://x.bo",
]
ROWS = [
    {"who": name, "opened": OPENED, "day": DAY, "rounds": 37 + i, "result": -123456 + i, "hold": 125}
    for i, name in enumerate(NAMES)
] + [{"who": None, "opened": None, "day": None, "rounds": None, "result": None, "hold": None}]
TOTALS = {"who": Text("Total", "Total"), "rounds": sum(37 + i for i in range(9)), "result": 0, "hold": -50}
# One more digit than a spreadsheet keeps exactly: 16 digits.
HUGE = 9_007_199_254_740_991


class SampleForm(DayForm):
    rows = forms.IntegerField(label="Filas", min_value=0, required=False)


class Sample(Report):
    identifier = "audits.sample"
    title = Text("Muestra del día", "Day sample")
    rules = ("REC-08",)
    act = policies.READ_TRAIL
    form = SampleForm

    def columns(self, params):
        return COLUMNS

    def rows(self, casino, params):
        if params["rows"] is None:
            yield from ROWS
        else:
            for i in range(params["rows"]):
                yield {**ROWS[0], "rounds": i}

    def count(self, casino, params):
        return len(ROWS) if params["rows"] is None else params["rows"]

    def totals(self, casino, params):
        return TOTALS


class Blocks(Report):
    """Two tables; `between` is run after the first row of the first."""

    identifier = "audits.blocks"
    title = Text("Bloques", "Blocks")
    act = policies.READ_TRAIL
    between: Callable[[], None] = staticmethod(lambda: None)

    def sections(self, casino, params):
        column = [Column("streams", Text("Cadenas", "Streams"), "int")]

        def first():
            yield {"streams": Stream.objects.count()}
            self.between()
            yield {"streams": Stream.objects.count()}

        return [
            Section("a", Text("=Antes", "=Before"), column, first),
            Section("b", Text("Después", "After"), column, lambda: [{"streams": Stream.objects.count()}]),
        ]


class Broken(Report):
    identifier = "audits.broken"
    title = Text("Roto", "Broken")
    act = policies.READ_TRAIL

    def columns(self, params):
        return COLUMNS[:1]

    def rows(self, casino, params):
        yield {"who": "uno"}
        raise ValueError("secret detail")
