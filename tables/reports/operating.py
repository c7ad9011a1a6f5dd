"""The operating report that is prepared for the AJ each month without anybody ordering it (REC-10).

Results by day and month, house games and the deductions of others apart, then the same span by table. The
Bolivian format is not stated; this is what the house knows of its month.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from audits import policies as audit_policies
from audits.reports.forms import PeriodForm
from audits.reports.registry import Report, Section
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import TableSession
from tables.reports import day
from tables.reports.results import ResultsReport


class OperatingReport(Report):
    """A span of days, by default a month: results, tables, outcomes."""

    identifier = "tables.operating"
    title = Text("Reporte operativo", "Operating report")
    rules = ("REC-10", "REC-05", "FLOOR-12", "FLOOR-13", "FLOOR-14")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm
    owed = "REC-10"

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        span = TableSession.objects.filter(casino=casino, day__date__range=(params["first"], params["last"]))
        results = [replace(part, identity=("period",)) for part in ResultsReport().sections(casino, params)]
        by_table = [part for part in day.sections_of(span) if part.key in ("tables", "outcomes")]
        return [*results, *by_table]
