"""The reports the floor registers: the day, a session, the register of rounds."""

from audits.reports.registry import register
from tables.reports.day import DayReport, SessionReport
from tables.reports.rounds import RoundRegister

for _report in (DayReport, SessionReport, RoundRegister):
    register(_report)
