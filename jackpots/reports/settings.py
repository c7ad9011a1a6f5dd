"""By which parameters each pool ran within a span: the section of the tables' report that the AJ is told of
beside the tables (PP-06, PP-23, PP-30)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django.db.models import Q, QuerySet

from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Row, Section
from casino.kernel.words import Text
from jackpots import naming, scheme
from jackpots.models import PoolVersion

_COLUMNS = [
    Column("pool", Text("Pozo", "Pool")),
    Column("version", Text("Versión", "Version"), Kind.INT),
    Column("since", Text("Desde", "From"), Kind.INSTANT),
    Column("until", Text("Hasta", "To"), Kind.INSTANT),
    Column("filing", Text("Aprobación de la AJ", "Approval by the AJ")),
    Column("what", Text("Parámetro", "Parameter")),
    Column("value", Text("Valor", "Value")),
    Column("rule", Text("Regla", "Rule")),
]


def section(pools: Any, begin: dt.datetime, after: dt.datetime) -> Section:
    """The versions of these pools that were in force at some time from `begin` to before `after`."""
    alive = Q(begun_at__lt=after) & (Q(ended_at=None) | Q(ended_at__gt=begin))
    found = PoolVersion.objects.filter(alive, pool__in=pools)
    title = Text("Configuración de cada pozo", "Configuration of each pool")
    return Section("settings", title, _COLUMNS, lambda: _rows(found))


def _rows(versions: QuerySet[PoolVersion]) -> Iterator[Row]:
    joined = versions.select_related("pool__casino", "filing").prefetch_related("approvals")
    for version in joined.order_by("pool__name", "pool_id", "number"):
        about = {
            "pool": version.pool.name,
            "version": version.number,
            "since": version.begun_at,
            "until": version.ended_at,
            "filing": version.filing.label if version.filing else "",
            EVENTS: _behind(version),
        }
        for line in naming.terms(scheme.read(version.params), version.pool.casino.exponent):
            yield {**about, "what": line.label, "value": line.value, "rule": line.rule}


def _behind(version: PoolVersion) -> tuple[EventsOf, ...]:
    """The version drafted, approved by two departments and begun, and the filing that allows it."""
    drafted = EventsOf(streams=(version.pool.stream,), actions=("jackpots.version.drafted",))
    begun = EventsOf(streams=(version.pool.stream,), actions=("jackpots.version.begun",))
    approved = EventsOf(ids=tuple(one.event_id for one in version.approvals.all()))
    filed = (EventsOf(streams=(f"filing:{version.filing_id}",)),) if version.filing_id else ()
    return drafted.at(version.drafted_at), approved, begun.between(version.begun_at, version.begun_at), *filed
