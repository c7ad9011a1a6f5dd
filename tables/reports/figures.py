"""The figures of sessions, tables and croupiers, summed in the database, in smallest units.

Result is FLOOR-12 (closing + credits + drop - opening - fills), known once the drop is counted; hold is
result over drop. A total over sessions of which one is not counted yet says how many are missing.

Where players pay one another (a bank of theirs, a ring) the house has its deduction and no stake: that
is a figure of its own, never netted with what house games won or lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from audits.reports import resting
from audits.reports.registry import EVENTS, Column, EventsOf, Kind
from casino.kernel import rulebook
from casino.kernel.words import Text
from tables import life
from tables.games import registry
from tables.games.base import Detail
from tables.models import Assignment, Round, TableSession
from tables.reports import behind
from tables.results import hold_basis_points, veiled

SUMMED = (
    *("rounds", "staked", "commission", "house", "deduction"),
    *("opening", "closing", "drop", "result", "unexplained"),
)
OF_ALL = frozenset({"rounds", "deduction", "opening", "closing"})
"""What is added up over all games; the rest only over those of the house, where there are both."""

WITH_BETS = Q(detail=Detail.FULL.value)
"""Rounds whose bets were logged; of the others stakes and commission are unknown."""

FIGURES = [
    Column("rounds", Text("Pases", "Rounds"), Kind.INT),
    Column("staked", Text("Apostado", "Staked"), Kind.MONEY),
    Column("commission", Text("Comisión", "Commission"), Kind.MONEY),
    Column("house", Text("Neto por apuestas", "Net on bets"), Kind.MONEY),
    Column("deduction", Text("Deducción", "Deduction"), Kind.MONEY),
    Column("drop", Text("Caja (drop)", "Drop"), Kind.MONEY),
    Column("result", Text("Resultado", "Result"), Kind.MONEY),
    Column("hold", Text("Retención", "Hold"), Kind.PERCENT),
    Column("unexplained", Text("Diferencia", "Difference"), Kind.MONEY),
]


def house_games() -> list[str]:
    """The games in which the house pays."""
    return [game.code for game in registry.GAMES.values() if game.bank == "house"]


RECONCILED, NOT_RECONCILED = Text("conciliado", "reconciled"), Text("sin conciliar", "not reconciled")


def standing(session: TableSession) -> Text:
    """Whether two signed a session's result (REC-08). "Provisional" is said of days that are not sealed."""
    return RECONCILED if session.state == TableSession.State.RECONCILED else NOT_RECONCILED


def _deduction(session: TableSession, bank: str, logged: bool) -> int | None:
    """What the house earns where players pay one another: what was entered, or recorded by rounds; kept back
    until its box is counted (FLOOR-11, FLOOR-14)."""
    if bank == "house" or veiled(session, blind=True):
        return None
    if session.deduction is not None:
        return session.deduction
    return session.commission if logged else None


def session_rows(sessions: QuerySet[TableSession]) -> Iterator[dict[str, Any]]:
    """One row per session, in order of table and number."""
    ordered = sessions.select_related("table", "day", "shoe").order_by("table__name", "day__date", "number")
    for session in ordered.iterator(chunk_size=500):
        logged = session.detail == Detail.FULL  # other tables log no bets: their stakes are unknown, not zero
        bank = registry.game(session.game).bank
        bets = logged and bank == "house"
        yield {
            "session": session.label,
            "table": session.table.name,
            "game": rulebook.game(session.game).name,
            "state": life.NAMES[session.state],
            "standing": standing(session),
            "opened_at": session.opened_at,
            "closed_at": session.closed_at,
            "rounds": session.rounds_settled,
            "staked": session.staked if bets else None,
            "commission": session.commission if bets else None,
            "house": session.house_result if bets else None,
            "deduction": _deduction(session, bank, logged),
            "bank": bank,
            "opening": session.opening,
            "closing": session.closing,
            "fills": session.fills,
            "progressive": session.progressive,
            "credits": session.credits,
            "drop": session.drop,
            "result": session.result,
            "hold": hold_basis_points(session.result, session.drop) if bank == "house" else None,
            "unexplained": session.unexplained,
            EVENTS: EventsOf(streams=(session.stream,)),
        }


def summed(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Rows added up; an unknown figure stays out of its sum, and `uncounted` tells how many did.

    Of house games and others together, drop and result are those of the house games.
    """
    total: dict[str, Any] = dict.fromkeys(SUMMED)
    uncounted, given = 0, list(rows)
    mixed = len({row["bank"] == "house" for row in given}) > 1
    for row in given:
        uncounted += row["drop"] is None
        for key in SUMMED:
            if row[key] is not None and (key in OF_ALL or not mixed or row["bank"] == "house"):
                total[key] = (total[key] or 0) + row[key]
    counted_result, counted_drop = total["result"], total["drop"]
    return {
        **total,
        "hold": hold_basis_points(counted_result, counted_drop),
        "uncounted": uncounted,
        "mixed": mixed,
    }


def table_rows(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Session rows added up by table."""
    for name, group in _by(rows, "table"):
        yield {"table": name, "game": group[0]["game"], **_together(group)}


def game_rows(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Session rows added up by game."""
    for game, group in _by(rows, "game"):
        yield {"game": game, "tables": len({row["table"] for row in group}), **_together(group)}


def _by(rows: Iterable[dict[str, Any]], key: str) -> list[tuple[Any, list[dict[str, Any]]]]:
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return sorted(groups.items(), key=lambda group: str(group[0]))


def _together(group: list[dict[str, Any]]) -> dict[str, Any]:
    return {"sessions": len(group), **summed(group), EVENTS: resting.merged(row[EVENTS] for row in group)}


def croupier_rows(sessions: QuerySet[TableSession]) -> Iterator[dict[str, Any]]:
    """What was dealt by each croupier: rounds, stakes, commission and what the bets left the house.

    A count belongs to a table, so a croupier has no drop or result of their own.
    """
    house = Q(session__game__in=house_games())
    to_count = Q(session__result=None)  # FLOOR-11: their box is expected to hold it
    settled = Round.objects.filter(session__in=sessions, state=Round.State.SETTLED)
    rounds = (
        settled.values("dealer_id", "dealer__name", "dealer__number")
        .annotate(
            rounds=Count("pk"),
            tables=Count("session__table", distinct=True),
            all_staked=Sum("staked", filter=WITH_BETS & house),
            all_commission=Sum("commission", filter=WITH_BETS & house),
            house=Sum(F("staked") - F("returned"), filter=WITH_BETS & house),
            deduction=Sum("commission", filter=WITH_BETS & ~house & ~to_count),
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
            "deduction": row["deduction"],
            EVENTS: behind.of_dealer(sessions, settled, row["dealer_id"]),
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


FEW_OUTCOMES = 6
"""A game that can end in no more ways tells those that never came, too."""


def outcome_rows(sessions: QuerySet[TableSession]) -> Iterator[dict[str, Any]]:
    """How often each round ended how, by table and game, over settled rounds; void rounds told apart."""
    ended = Round.objects.filter(session__in=sessions, state__in=(Round.State.SETTLED, Round.State.VOID))
    counted = (
        ended.values_list("session__table__name", "session__game", "state", "winner")
        .annotate(n=Count("pk"))
        .order_by("session__table__name", "session__game")
    )
    found: dict[tuple[str, str], dict[str, int]] = {}
    for table, code, state, winner, number in counted:
        key = winner if state == Round.State.SETTLED else VOID
        tally = found.setdefault((table, code), {})
        tally[key] = tally.get(key, 0) + number
    for (table, code), tally in found.items():
        game, name = registry.game(code), rulebook.game(code).name
        few = len(game.winners) <= FEW_OUTCOMES
        for winner, words in {**game.ends, VOID: _VOID_WORDS}.items():
            if winner in tally or (few and winner not in game.voids):
                yield {
                    "table": table,
                    "game": name,
                    "outcome": words,
                    "winner": winner,
                    "rounds": tally.get(winner, 0),
                    EVENTS: behind.of_rounds(ended, **_ended_so(table, code, winner, tally)),
                }


def _ended_so(table: str, code: str, winner: str, tally: dict[str, int]) -> dict[str, Any]:
    """The rounds that ended in one way; where none did, all of them, which is what says so."""
    at = {"session__table__name": table, "session__game": code}
    if winner not in tally:
        return at
    if winner == VOID:
        return {**at, "state": Round.State.VOID}
    return {**at, "state": Round.State.SETTLED, "winner": winner}


VOID = "void"
_VOID_WORDS = Text("Anulados", "Void")
