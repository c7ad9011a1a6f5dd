"""Reports: one registry, several formats, one figure for everyone (REC-15).

A room describes its reports as small classes and registers them at start-up; nothing else about
a report (files, progress, downloads, the trail) is the room's business.
"""

from audits.reports.forms import DayForm, PeriodForm, ReportForm
from audits.reports.registry import (
    EVENTS,
    Column,
    EventsOf,
    Kind,
    Named,
    Report,
    Row,
    Section,
    Served,
    events_named,
    get,
    register,
    registered,
)

__all__ = [
    "EVENTS",
    "Column",
    "DayForm",
    "EventsOf",
    "Kind",
    "Named",
    "PeriodForm",
    "Report",
    "ReportForm",
    "Row",
    "Section",
    "Served",
    "events_named",
    "get",
    "register",
    "registered",
]
