"""Which events the sums of the floor's reports rest on, where a row adds up rounds, turns or boxes.

Asked only by who follows a figure to its events: a file never pays for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import QuerySet

from audits.reports.registry import EventsOf
from tables.models import Assignment, Round, TableSession

CREW = ("tables.session.opened", "tables.session.crew_changed", "tables.session.closed")
"""What says who stood where, and until when."""
BOXES = (
    *("tables.box.put_on", "tables.box.removed", "tables.box.received", "tables.box.counted_first"),
    *("tables.box.counted", "tables.box.settled", "tables.box.resolved"),
    *("tables.session.closed", "tables.session.drop_recorded", "tables.session.reconciled"),
)
"""What a drop and a result rest on: the close of the session, its boxes and their counts."""


def streams(pks: Iterable[int]) -> tuple[str, ...]:
    """The chains of sessions."""
    return tuple(f"session:{pk}" for pk in pks)


def of_rounds(rounds: QuerySet[Round], **which: Any) -> Callable[[], tuple[EventsOf, ...]]:
    """How each of the rounds ended: its settlement or its voiding, found when it is asked for."""

    def found() -> tuple[EventsOf, ...]:
        ends = rounds.order_by().filter(**which).values_list("event_id", "void_event_id")
        return (EventsOf(ids=tuple(void or event for event, void in ends if void or event)),)

    return found


def of_dealer(
    sessions: QuerySet[TableSession], rounds: QuerySet[Round], dealer: int | None
) -> Callable[[], tuple[EventsOf, ...]]:
    """The rounds somebody dealt and the turns in which they stood at these sessions."""
    dealt = of_rounds(rounds, dealer=dealer)

    def found() -> tuple[EventsOf, ...]:
        if dealer is None:
            return dealt()
        turns = Assignment.objects.filter(session__in=sessions, staff=dealer, post__in=Assignment.DEALING)
        stood = streams(turns.order_by("session").values_list("session", flat=True).distinct())
        return (*dealt(), EventsOf(streams=stood, actions=CREW)) if stood else dealt()

    return found
