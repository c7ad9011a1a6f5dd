"""Alerts as kept: raised once a cause, cleared when it is over, acknowledged once by somebody with a reason.

Rows of alerts are locked by id with the rank of the slip series. Each act is an event of the stream `alerts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from audits import trail
from audits.by import By, name_of
from audits.models import Event
from casino.kernel import clock, locking, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
from casino.kernel.statements import select
from casino.kernel.words import Text
from tables import duties
from tables.alerts import policies
from tables.alerts.causes import Cause
from tables.holding import out_of_order
from tables.models import Alert

STREAM = "alerts"

_INSERT = """
INSERT INTO tables_alert (casino_id, key, kind, level, words_es, words_en, rule, table_id, session_id,
subject,
    raised_at, reason)
VALUES (%(casino)s::bigint, %(key)s::text, %(kind)s::text, %(level)s::text, %(es)s::text, %(en)s::text,
    %(rule)s::text, %(table)s::bigint, %(session)s::bigint, %(subject)s::text, %(at)s::timestamptz, '')
ON CONFLICT DO NOTHING RETURNING id
"""


def raise_now(causes: Iterable[Cause], by: By) -> list[Alert]:
    """Raise alerts inside a command, after its row locks and before its own event; those of causes that have
    one already are left out."""
    raised = store(causes, by)
    tell_raised(raised, by)
    return raised


def store(causes: Iterable[Cause], by: By) -> list[Alert]:
    """The first half of `raise_now`, for a command that raises an incident between both: their rows."""
    locking.taking(locking.Rank.SLIP_SERIES)
    made = [pk for cause in causes if (pk := _insert(cause, by)) is not None]
    return list(Alert.objects.filter(pk__in=made).select_related("table").order_by("pk")) if made else []


def tell_raised(raised: Iterable[Alert], by: By) -> None:
    """The second half of `raise_now`: the events of what was stored."""
    for alert in raised:
        told = {"key": alert.key, "kind": alert.kind, "level": alert.level, "rule": alert.rule}
        where = {"table": alert.table_id, "session": alert.session_id, "about": alert.subject}
        tell(alert, "tables.alert.raised", by, told | where)


def _insert(cause: Cause, by: By) -> int | None:
    """The row of an alert, by its id; None where its cause has one."""
    made = select(
        _INSERT,
        {
            "casino": by.casino.pk,
            "key": cause.key,
            "kind": cause.kind,
            "level": cause.level,
            "es": cause.words.es,
            "en": cause.words.en,
            "rule": cause.rule,
            "table": cause.table,
            "session": cause.session,
            "subject": cause.subject,
            "at": by.occurred_at,
        },
    )
    return None if made is None else int(made[0])


def clear(alert: Alert, by: By) -> None:
    """Note inside a command that the cause of a locked alert went away; it stays until acknowledged."""
    alert.cleared_at = max(by.occurred_at, alert.raised_at)
    alert.save(update_fields=["cleared_at"])
    tell(alert, "tables.alert.cleared", by, {"cleared_at": clock.stamp(alert.cleared_at)})


@command(policies.ACKNOWLEDGE)
def acknowledge(*, alerts: Sequence[Alert], by: By) -> list[Alert]:
    """Take alerts off the floor, with the reason of `by`: what was done about them.

    Raises `Refused` (`reason_missing`, `no_alerts`, `occurred_out_of_order`), `Conflict`
    (`alert_acknowledged`, with who was first) and, for a table of a pit that is not theirs, `NotAllowed`.
    """
    if not texts.says_something(by.reason):
        raise Refused(
            Text(
                "diga qué se hizo: el aviso queda atendido con su motivo",
                "say what was done: an alert is acknowledged with its reason",
            ),
            code="reason_missing",
            field="reason",
        )
    if not alerts:
        raise Refused(
            Text("elija al menos un aviso", "choose at least one alert"), code="no_alerts", field="alert"
        )
    locking.taking(locking.Rank.SLIP_SERIES)
    locked = Alert.objects.select_for_update(of=("self",), no_key=True).filter(
        pk__in=[alert.pk for alert in alerts], casino=by.casino
    )
    found = list(locked.order_by("pk"))  # alone: what is joined would be as it stood before the wait
    for alert in found:
        _require_waiting(alert, by)
        alert.acknowledged_at, alert.acknowledged_by = by.occurred_at, by.actor
        alert.reason = by.reason.strip()
        alert.save(update_fields=["acknowledged_at", "acknowledged_by", "reason"])
        tell(alert, "tables.alert.acknowledged", by, {"over": alert.over})
    return found


def _require_waiting(alert: Alert, by: By) -> None:
    if alert.acknowledged_by_id is not None and alert.acknowledged_by is not None:
        who = name_of(alert.acknowledged_by)
        raise Conflict(
            Text(f"ese aviso ya lo atendió {who.es}", f"that alert was acknowledged by {who.en} already"),
            code="alert_acknowledged",
            detail={"by": alert.acknowledged_by.name},
        )
    if alert.table is not None:
        duties.require_pit(by, alert.table)
    if by.occurred_at < alert.raised_at:
        raise out_of_order(by.casino, alert.raised_at)


def words_of(alert: Alert) -> Text:
    """What is to be attended to, in both languages."""
    return Text(alert.words_es, alert.words_en)


def label_of(alert: Alert) -> str:
    """Where it is: its table, or what it is about."""
    return alert.table.name if alert.table is not None else alert.subject or alert.kind


def tell(alert: Alert, action: str, by: By, data: Mapping[str, Any]) -> Event:
    """An event of the stream of alerts."""
    return trail.record(
        action,
        stream=STREAM,
        subject=trail.Subject("alert", alert.pk, label_of(alert)),
        by=by,
        data={"words_es": alert.words_es, "words_en": alert.words_en, **data},
        rules=[alert.rule] if alert.rule else [],
    )
