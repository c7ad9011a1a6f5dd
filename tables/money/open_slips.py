"""What a slip that is neither verified nor void holds up: the close of its table, and its gaming day."""

from __future__ import annotations

from collections.abc import Iterator

from audits.days import Holding
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import GamingDay
from tables.models import Slip, TableSession

RULE = "FLOOR-07"


def require_none(session: TableSession) -> None:
    """A table closes once every chip asked for is on it or back (FLOOR-07). Raises `slip_open`."""
    slip = Slip.objects.filter(session=session, state__in=Slip.OPEN).order_by("pk").first()
    if slip is not None:
        raise Conflict(
            Text(
                f"{slip.label} sigue sin verificar: verifíquelo o anúlelo antes de cerrar la mesa",
                f"{slip.label} is still to be verified: verify or void it before closing the table",
            ),
            code="slip_open",
            rule=RULE,
            detail={"slip": slip.label, "slip_id": slip.pk},
        )


def holds_day(day: GamingDay) -> Iterator[Holding]:
    """Slips of the day's sessions that are neither verified nor void."""
    for slip in Slip.objects.filter(session__day=day, state__in=Slip.OPEN).order_by("pk"):
        words = Text(f"{slip.label} sigue sin verificar", f"{slip.label} is still to be verified")
        yield Holding("slip_open", words, RULE)
