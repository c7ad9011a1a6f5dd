"""The register of events as a file: every fact of a span of days, with its place in its chain and its hash.

It may have a million rows, so PostgreSQL writes them (`Section.served`). A row is told as it is stored: the
action by its registered name, not as a sentence, which depends on the house's present words.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from audits import policies
from audits.models import Event
from audits.reports import EVENTS, Column, EventsOf, Kind, PeriodForm, Report, Served, register
from audits.reports.registry import Row
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino

COLUMNS = [
    Column("stream", Text("Cadena", "Stream")),
    Column("seq", Text("Número", "Number"), Kind.INT),
    Column("occurred", Text("Ocurrido", "Occurred"), Kind.INSTANT),
    Column("recorded", Text("Registrado", "Recorded"), Kind.INSTANT),
    Column("who", Text("Quién", "Who")),
    Column("action", Text("Hecho", "Fact")),
    Column("subject", Text("Sobre", "About")),
    Column("rules", Text("Reglas", "Rules")),
    Column("reason", Text("Motivo", "Reason")),
    Column("hash", Text("Huella", "Hash")),
]


class EventsForm(PeriodForm):
    stream = forms.CharField(label=_("Cadena"), max_length=80, required=False)


@register
class EventRegister(Report):
    """Events recorded within a span of gaming days, in the order in which they were recorded."""

    identifier = "audits.events"
    title = Text("Registro de auditoría", "Register of events")
    rules = ("REC-06", "REC-07")
    act = policies.READ_TRAIL
    form = EventsForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return COLUMNS

    def identity(self, params: Mapping[str, Any]) -> Sequence[str]:
        return ("stream", "seq")

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return _asked(casino, params).count()

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        found = _asked(casino, params).select_related("stream", "actor").order_by("id")
        for event in found.iterator(chunk_size=1000):
            yield {
                "stream": event.stream.name,
                "seq": event.seq,
                "occurred": event.occurred,
                "recorded": event.recorded,
                "who": event.actor.name,
                "action": event.action,
                "subject": event.subject_label,
                "rules": ", ".join(event.rules),
                "reason": json.loads(bytes(event.body))["data"].get("reason"),
                "hash": bytes(event.hash).hex(),
                EVENTS: EventsOf(ids=(event.pk,)),
            }

    def served(self, casino: Casino, params: Mapping[str, Any], language: str) -> Served:
        start, end = _span(casino, params)
        stream = params.get("stream") or None
        return Served(_QUERY, {"casino": casino.pk, "start": start, "end": end, "stream": stream})


_QUERY = """
SELECT s.name AS stream, e.seq, e.occurred, e.recorded, a.name AS who, e.action, e.subject_label AS subject,
       array_to_string(e.rules, ', ') AS rules,
       convert_from(e.body, 'UTF8')::json -> 'data' ->> 'reason' AS reason,
       encode(e.hash, 'hex') AS hash
FROM audits_event e JOIN audits_stream s ON s.id = e.stream_id JOIN audits_actor a ON a.id = e.actor_id
WHERE e.casino_id = %(casino)s AND e.recorded >= %(start)s AND e.recorded < %(end)s
  AND (%(stream)s::text IS NULL OR s.name = %(stream)s::text)
ORDER BY e.id
"""


def _span(casino: Casino, params: Mapping[str, Any]) -> tuple[dt.datetime, dt.datetime]:
    start, _end = clock.day_bounds(params["first"], casino.zone, casino.cutoff)
    _start, end = clock.day_bounds(params["last"], casino.zone, casino.cutoff)
    return start, end


def _asked(casino: Casino, params: Mapping[str, Any]) -> QuerySet[Event]:
    start, end = _span(casino, params)
    rows = Event.objects.filter(casino=casino, recorded__gte=start, recorded__lt=end)
    return rows.filter(stream__name=params["stream"]) if params.get("stream") else rows
