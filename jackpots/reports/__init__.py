"""The reports pools register: their statement, their prizes, the tables that feed them."""

from audits.reports.registry import register
from jackpots.reports.prizes import PrizesReport
from jackpots.reports.statement import StatementReport
from jackpots.reports.tables import PoolTablesReport

for _report in (StatementReport, PrizesReport, PoolTablesReport):
    register(_report)
