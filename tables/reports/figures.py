"""The figures of sessions, tables and croupiers, summed in the database, in smallest units.

Result is FLOOR-12 (closing + drop - opening), known once the drop is counted; hold is result over
drop. A total over sessions of which one is not counted yet says how many are missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from audits.reports.registry import Column, Kind
from casino.kernel import rulebook
from casino.kernel.words import Text
from tables.games.base import Detail
from tables.models import Assignment, Round, TableSession

SUMMED = ("rounds", "staked", "commission", "house", "opening", "closing", "drop", "result", "unexplained")

WITH_BETS = Q(detail=Detail.FULL.value)
"""Rounds whose bets were logged; of the others stakes and commission are unknown."""

FIGURES = [
    Column("rounds", Text("Pases", "Rounds"), Kind.INT),
    Column("staked", Text("Apostado", "Staked"), Kind.MONEY),
    Column("commission", Text("Comisión", "Commission"), Kind.MONEY),
    Column("house", Text("Neto por apuestas", "Net on bets"), Kind.MONEY),
    Column("drop", Text("Caja (drop)", "Drop"), Kind.MONEY),
    Column("result", Text("Resultado", "Result"), Kind.MONEY),
    Column("hold", Text("Retención", "Hold"), Kind.PERCENT),
    Column("unexplained", Text("Diferencia", "Difference"), Kind.MONEY),
]


def hold_basis_points(result: int | None, drop: int | None) -> int | None:
    """Result over drop in basis points, rounded to the nearest; None without a drop (FLOOR-12)."""
    if result is None or not drop:
        return None
    size = (abs(result) * 20_000 + drop) // (2 * drop)
    return size if result >= 0 else -size


def session_rows(sessions: QuerySet[TableSession]) -> Iterator[dict[str, Any]]:
    """One row per session, in order of table and number."""
    ordered = sessions.select_related("table", "day", "shoe").order_by("table__name", "day__date", "number")
    for session in ordered.iterator(chunk_size=500):
        bets = session.detail == Detail.FULL  # other tables log no bets: their stakes are unknown, not zero
        yield {
            "session": session.label,
            "table": session.table.name,
            "game": rulebook.game(session.game).name,
            "state": _STATES[session.state],
            "opened_at": session.opened_at,
            "closed_at": session.closed_at,
            "rounds": session.rounds_settled,
            "staked": session.staked if bets else None,
            "commission": session.commission if bets else None,
            "house": session.house_result if bets else None,
            "opening": session.opening,
            "closing": session.closing,
            "drop": session.drop,
            "result": session.result,
            "hold": hold_basis_points(session.result, session.drop),
            "unexplained": session.unexplained,
        }


def summed(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Rows added up; an unknown figure stays out of its sum, and `uncounted` tells how many did."""
    total: dict[str, Any] = dict.fromkeys(SUMMED)
    uncounted = 0
    for row in rows:
        uncounted += row["drop"] is None
        for key in SUMMED:
            if row[key] is not None:
                total[key] = (total[key] or 0) + row[key]
    counted_result, counted_drop = total["result"], total["drop"]
    return {**total, "hold": hold_basis_points(counted_result, counted_drop), "uncounted": uncounted}


def table_rows(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Session rows added up by table."""
    by_table: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_table.setdefault(row["table"], []).append(row)
    for name, group in sorted(by_table.items()):
        yield {"table": name, "game": group[0]["game"], "sessions": len(group), **summed(group)}


def croupier_rows(sessions: QuerySet[TableSession]) -> Iterator[dict[str, Any]]:
    """What was dealt by each croupier: rounds, stakes, commission and what the bets left the house.

    A count belongs to a table, so a croupier has no drop or result of their own.
    """
    rounds = (
        Round.objects.filter(session__in=sessions, state=Round.State.SETTLED)
        .values("dealer_id", "dealer__name", "dealer__number")
        .annotate(
            rounds=Count("pk"),
            tables=Count("session__table", distinct=True),
            all_staked=Sum("staked", filter=WITH_BETS),
            all_commission=Sum("commission", filter=WITH_BETS),
            house=Sum(F("staked") - F("returned"), filter=WITH_BETS),
        )
        .order_by("dealer__name", "dealer_id")
    )
    minutes = _minutes(sessions)
    for row in rounds:
        yield {
            "croupier": row["dealer__name"] or Text("sin asignar", "unassigned"),
            "number": row["dealer__number"] or "",
            "tables": row["tables"],
            "minutes": minutes.get(row["dealer_id"]),
            "rounds": row["rounds"],
            "staked": row["all_staked"],
            "commission": row["all_commission"],
            "house": row["house"],
        }


def _minutes(sessions: QuerySet[TableSession]) -> dict[int, int]:
    """Whole minutes each person spent dealing, over turns that have ended."""
    turns = Assignment.objects.filter(
        session__in=sessions, post__in=Assignment.DEALING, during__endswith__isnull=False
    ).values_list("staff_id", "during")
    total: dict[int, int] = {}
    for staff_id, during in turns:
        total[staff_id] = total.get(staff_id, 0) + int((during.upper - during.lower).total_seconds())
    return {staff_id: seconds // 60 for staff_id, seconds in total.items()}


def outcome_rows(sessions: QuerySet[TableSession]) -> Iterator[dict[str, Any]]:
    """How often each hand won, by table, over settled rounds; void rounds told apart."""
    counted = (
        Round.objects.filter(session__in=sessions)
        .values(table=F("session__table__name"))
        .annotate(
            banca=Count("pk", filter=Q(state="settled", winner="banca")),
            punto=Count("pk", filter=Q(state="settled", winner="punto")),
            tie=Count("pk", filter=Q(state="settled", winner="tie")),
            void=Count("pk", filter=Q(state="void")),
        )
        .order_by("table")
    )
    yield from (dict(row) for row in counted)


_STATES = {
    TableSession.State.OPEN.value: Text("abierta", "open"),
    TableSession.State.CLOSED.value: Text("cerrada", "closed"),
}
