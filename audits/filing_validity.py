"""From when to when an approval may be valid, and what can be a deadline: dates a person types (REC-09).

A year typed wrong must not leave an approval valid for a century, nor one that was valid before it was asked
for. The bounds are the house's practice; the AJ text says none.
"""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from audits.by import By
from audits.models import Filing
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino

MOST_YEARS_AHEAD = 5
"""How long after its presentation an approval may begin."""
MOST_YEARS = 20
"""How long it may be valid."""
MOST_DAYS_DUE = 3 * 366
ANSWER = "respuesta de la AJ"
"""What is awaited by the date given as a filing is presented."""


def require(casino: Casino, filing: Filing, since: dt.date, until: dt.date | None) -> None:
    """Raises `Refused` (`bad_validity`) for dates in the wrong order or out of all proportion."""
    assert filing.presented_at is not None
    asked = filing.presented_at.astimezone(ZoneInfo(casino.zone)).date()
    # The gaming day of an early morning is the day before.
    earliest = min(asked, casino.gaming_day(filing.presented_at))
    if since < earliest:
        raise _bad(
            "valid_from",
            f"no rige desde antes de presentarse el {earliest:%d/%m/%Y}: revise la fecha",
            f"it is not valid from before it was presented on {earliest:%Y-%m-%d}: look at the date",
        )
    if since > asked + dt.timedelta(days=366 * MOST_YEARS_AHEAD):
        raise _bad(
            "valid_from",
            f"empieza más de {MOST_YEARS_AHEAD} años después de presentarse: revise el año",
            f"it begins more than {MOST_YEARS_AHEAD} years after it was presented: look at the year",
        )
    if until is None:
        return
    if until < since:
        raise _bad(
            "valid_until", "la vigencia termina antes de empezar", "the validity ends before it begins"
        )
    if until > since + dt.timedelta(days=366 * MOST_YEARS):
        raise _bad(
            "valid_until",
            f"dura más de {MOST_YEARS} años: revise el año, o déjelo vacío si no tiene plazo",
            f"it lasts more than {MOST_YEARS} years: look at the year, or leave it empty if it has no end",
        )


def require_due(due: dt.date | None, by: By, field: str = "due_on") -> None:
    """Raises `Refused` (`bad_due`) for a deadline that is over already, or years ahead."""
    if due is None:
        return
    today = by.occurred_at.astimezone(ZoneInfo(by.casino.zone)).date()
    if not today <= due <= today + dt.timedelta(days=MOST_DAYS_DUE):
        raise Refused(
            Text(
                f"el plazo va desde hoy, {today:%d/%m/%Y}, hasta tres años después: revise la fecha",
                f"a deadline is from today, {today:%Y-%m-%d}, to three years later: look at the date",
            ),
            code="bad_due",
            rule="REC-09",
            field=field,
        )


def due_told(filing: Filing) -> dict[str, Any]:
    """Its deadline as an event tells it."""
    return {"due_on": None if filing.due_on is None else str(filing.due_on), "due_for": filing.due_for}


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_validity", rule="REC-09", field=field)
