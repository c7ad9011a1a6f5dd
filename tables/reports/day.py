"""The day's report, and one session's: rounds, drop, result, commission, hold, by table and croupier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from audits import policies as audit_policies
from audits.reports.forms import DayForm, ReportForm
from audits.reports.registry import Column, Kind, Report, Section
from audits.sealing.publishing import qr_text
from audits.sealing.reading import seal_of
from casino.kernel.words import Text, same
from casino.models import Casino, GamingDay
from tables.minimum import minimum_operation
from tables.models import TableSession
from tables.reports import figures

_TABLE = Column("table", Text("Mesa", "Table"))
_GAME = Column("game", Text("Juego", "Game"))

BY_TABLE = [
    _TABLE,
    _GAME,
    Column("sessions", Text("Sesiones", "Sessions"), Kind.INT),
    *figures.FIGURES,
    Column("uncounted", Text("Sin contar", "Uncounted"), Kind.INT),
]
BY_GAME = [
    _GAME,
    Column("tables", Text("Mesas", "Tables"), Kind.INT),
    Column("sessions", Text("Sesiones", "Sessions"), Kind.INT),
    *figures.FIGURES,
    Column("uncounted", Text("Sin contar", "Uncounted"), Kind.INT),
]
BY_SESSION = [
    Column("session", Text("Sesión", "Session")),
    Column("state", Text("Estado", "State")),
    Column("standing", Text("Resultado", "Result is")),
    Column("opened_at", Text("Apertura", "Opened"), Kind.INSTANT),
    Column("closed_at", Text("Cierre", "Closed"), Kind.INSTANT),
    Column("opening", Text("Fichas al abrir", "Opening chips"), Kind.MONEY),
    Column("closing", Text("Fichas al cerrar", "Closing chips"), Kind.MONEY),
    Column("fills", Text("Reposiciones", "Fills"), Kind.MONEY),
    Column("progressive", Text("Fichas del progresivo", "Progressive chips"), Kind.MONEY),
    Column("credits", Text("Retiros", "Credits"), Kind.MONEY),
    *figures.FIGURES,
]
BY_CROUPIER = [
    Column("croupier", Text("Croupier", "Dealer")),
    Column("number", Text("Legajo", "Number")),
    Column("tables", Text("Mesas", "Tables"), Kind.INT),
    Column("minutes", Text("Minutos (turnos terminados)", "Minutes (ended turns)"), Kind.INT),
    Column("rounds", Text("Pases", "Rounds"), Kind.INT),
    Column("staked", Text("Apostado", "Staked"), Kind.MONEY),
    Column("commission", Text("Comisión", "Commission"), Kind.MONEY),
    Column("house", Text("Neto por apuestas", "Net on bets"), Kind.MONEY),
    Column("deduction", Text("Deducción", "Deduction"), Kind.MONEY),
]
BY_OUTCOME = [
    _TABLE,
    _GAME,
    Column("outcome", Text("Resultado", "Outcome")),
    Column("rounds", Text("Pases", "Rounds"), Kind.INT),
]
TOTAL = Text("Total", "Total")
TOTAL_OF_HOUSE = Text("Total (caja y resultado: juegos de la casa)", "Total (drop and result: house games)")
"""Where tables at which players pay one another are in the report as well."""


def sections_of(sessions: QuerySet[TableSession]) -> Sequence[Section]:
    def by_session() -> list[dict[str, Any]]:
        return list(figures.session_rows(sessions))

    return [
        Section(
            "tables",
            Text("Por mesa", "By table"),
            BY_TABLE,
            lambda: figures.table_rows(by_session()),
            totals=lambda: _totals(by_session(), "table"),
            identity=("table", "game"),
        ),
        Section(
            "games",
            Text("Por juego", "By game"),
            BY_GAME,
            lambda: figures.game_rows(by_session()),
            totals=lambda: _totals(by_session(), "game"),
            identity=("game",),
        ),
        Section(
            "sessions",
            Text("Por sesión", "By session"),
            BY_SESSION,
            by_session,
            sessions.count,
            identity=("session",),
        ),
        Section(
            "croupiers",
            Text("Por croupier", "By dealer"),
            BY_CROUPIER,
            lambda: figures.croupier_rows(sessions),
            identity=("number",),
        ),
        Section(
            "outcomes",
            Text("Resultados de los pases", "Outcomes"),
            BY_OUTCOME,
            lambda: figures.outcome_rows(sessions),
            identity=("table", "game", "outcome"),
        ),
    ]


def _totals(rows: list[dict[str, Any]], key: str) -> dict[str, Any]:
    total = figures.summed(rows)
    return {key: TOTAL_OF_HOUSE if total["mixed"] else TOTAL, **total}


class DayReport(Report):
    """One gaming day of the house."""

    identifier = "tables.day"
    title = Text("Reporte del día", "Day report")
    rules = ("REC-05", "REC-06", "REC-08", "FLOOR-12", "FLOOR-13")
    act = audit_policies.MAKE_REPORTS
    form = DayForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        return sections_of(TableSession.objects.filter(casino=casino, day__date=params["day"]))

    def particulars(self, casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Any]]:
        day = GamingDay.objects.filter(casino=casino, date=params["day"]).first()
        closed = day is not None and day.state == GamingDay.State.CLOSED
        return [
            *super().particulars(casino, params),
            (
                Text("Estado del día", "State of the day"),
                Text("cerrado", "closed") if closed else Text("abierto, provisional", "open, provisional"),
            ),
            (Text("Resultados", "Results"), _standing(casino, params)),
            *_minimum(casino, params),
            (Text("Sello", "Seal"), _seal(casino, params)),
        ]

    def code(self, casino: Casino, params: Mapping[str, Any]) -> str:
        seal = seal_of(casino, params["day"])
        return qr_text(seal) if seal else ""


def _seal(casino: Casino, params: Mapping[str, Any]) -> Text:
    """The root of the day's seal as text, for who has no scanner (REC-06)."""
    seal = seal_of(casino, params["day"])
    if seal is None:
        return Text("sin sello", "not sealed")
    return same(bytes(seal.root).hex())


def _minimum(casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Any]]:
    """Whether every category the house must run did (FLOOR-17); nothing where that is not watched."""
    found = minimum_operation(casino, params["day"])
    return [(Text("Operación mínima", "Minimum operation"), found.words)] if found.asked else []


def _standing(casino: Casino, params: Mapping[str, Any]) -> Text:
    """How many results of the day are not reconciled yet (REC-08)."""
    rows = TableSession.objects.filter(casino=casino, day__date=params["day"])
    left = rows.exclude(state=TableSession.State.RECONCILED).count()
    if not left:
        return figures.RECONCILED
    return Text("{left} sin conciliar", "{left} not reconciled").fill(left=left)


class SessionForm(ReportForm):
    session = forms.ModelChoiceField(label=_("Sesión"), queryset=TableSession.objects.none())

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        chosen = TableSession.objects.filter(casino=casino).select_related("table", "day")
        self.fields["session"].queryset = chosen  # type: ignore[attr-defined]


class SessionReport(Report):
    """One session of one table."""

    identifier = "tables.session"
    title = Text("Reporte de sesión", "Session report")
    rules = ("FLOOR-10", "FLOOR-12")
    act = audit_policies.MAKE_REPORTS
    form = SessionForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        return sections_of(TableSession.objects.filter(casino=casino, pk=params["session"].pk))
