"""How long each kind of people's data is kept: a setting by version, never less than REC-12 says."""

from __future__ import annotations

import calendar
import datetime as dt
from zoneinfo import ZoneInfo

from audits import policies, trail
from audits.by import By
from audits.models import RetentionPeriod
from audits.models.persons import LEAST_YEARS
from audits.persons.kinds import erasable, kind_of
from casino.kernel import clock, locking
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino

RULE = "REC-12"
STREAM = "people-data"
"""The one stream per casino for what is done to people's data: periods, holds, orders, pseudonyms."""
MOST_YEARS = 100


def hold_house(casino: Casino) -> Casino:
    """Lock the casino's row: periods, holds, orders and pseudonyms are written one at a time."""
    locking.taking(locking.Rank.CASINO)
    return Casino.objects.select_for_update(no_key=True).get(pk=casino.pk)


def years_of(casino: Casino, kind: str) -> int:
    """The years in force; what REC-12 says where the house set none."""
    newest = RetentionPeriod.objects.filter(casino=casino, kind=kind).order_by("-id").first()
    return newest.years if newest else LEAST_YEARS


def before(casino: Casino, years: int) -> dt.date:
    """The day before which something must have been used last to be over its period, by the house's calendar.

    Ten years on 2036-11-20: what was last used on 2026-11-19 or earlier. February 29th falls on the 28th.
    """
    today = clock.now().astimezone(ZoneInfo(casino.zone)).date()
    year = today.year - years
    return today.replace(year=year, day=min(today.day, calendar.monthrange(year, today.month)[1]))


@command(policies.SET_RETENTION, setting=True)
def set_period(*, kind: str, years: int, by: By) -> RetentionPeriod:
    """Set the years a kind is kept. Needs a reason.

    Raises `RuleViolation` REC-12 (`retention_too_short`), `Refused` (`unknown_kind`, `bad_number`),
    `Conflict` (`period_unchanged`).
    """
    reason = by.need_reason()
    found = kind_of(kind, among=erasable())
    _require_years(years)
    hold_house(by.casino)
    was = years_of(by.casino, found.code)
    if was == years:
        raise Conflict(
            Text(
                f"ese plazo ya está vigente: fije otro que {years} años, o déjelo como está",
                f"that period is in force: set another than {years} years, or leave it as it is",
            ),
            code="period_unchanged",
            rule=RULE,
            field="years",
        )
    made = RetentionPeriod.objects.create(
        casino=by.casino, kind=found.code, years=years, set_by=by.actor, set_at=by.occurred_at, reason=reason
    )
    trail.record(
        "audits.retention.set",
        stream=STREAM,
        subject=trail.Subject("retention", made.pk, found.name.es),
        by=by,
        data={"kind": found.code, "before": was, "years": years},
        rules=[RULE],
    )
    return made


def _require_years(years: int) -> None:
    """Raises `RuleViolation` REC-12 (`retention_too_short`), `Refused` (`bad_number`)."""
    if years < LEAST_YEARS:
        raise RuleViolation(
            RULE,
            Text(
                f"nada se elimina antes de {LEAST_YEARS} años: fije {LEAST_YEARS} o más",
                f"nothing is deleted before {LEAST_YEARS} years: set {LEAST_YEARS} or more",
            ),
            {"least_years": LEAST_YEARS},
            code="retention_too_short",
            field="years",
        )
    if years > MOST_YEARS:
        raise Refused(
            Text(f"fije como máximo {MOST_YEARS} años", f"set {MOST_YEARS} years at most"),
            code="bad_number",
            rule=RULE,
            field="years",
        )


explain_constraint(
    "retention_not_too_short",
    lambda: RuleViolation(
        RULE,
        Text(
            f"nada se elimina antes de {LEAST_YEARS} años: fije {LEAST_YEARS} o más",
            f"nothing is deleted before {LEAST_YEARS} years: set {LEAST_YEARS} or more",
        ),
        code="retention_too_short",
        field="years",
    ),
)
