"""The reports the floor registers: the day, a session, rounds, results of a span, box counts."""

from audits.reports.registry import register
from tables.reports.day import DayReport, SessionReport
from tables.reports.disputes import DisputesReport
from tables.reports.operating import OperatingReport
from tables.reports.results import BoxCountsReport, ResultsReport
from tables.reports.rounds import RoundRegister
from tables.reports.shift import HourReport, ShiftReport

for _report in (
    DayReport,
    SessionReport,
    RoundRegister,
    ResultsReport,
    OperatingReport,
    BoxCountsReport,
    DisputesReport,
    ShiftReport,
    HourReport,
):
    register(_report)
