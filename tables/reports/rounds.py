"""The register of rounds: every round of a span of days, with its cards, outcome and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from audits import policies as audit_policies
from audits.reports.forms import PeriodForm
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report
from casino.kernel import rulebook
from casino.kernel.words import Text
from casino.models import Casino
from tables import telling
from tables.games import registry
from tables.models import Round, Table

_STATES = {
    Round.State.SETTLED.value: Text("liquidado", "settled"),
    Round.State.VOID.value: Text("anulado", "void"),
    Round.State.OPEN.value: Text("en curso", "in progress"),
}


class RegisterForm(PeriodForm):
    table = forms.ModelChoiceField(
        label=_("Mesa"), queryset=Table.objects.none(), required=False, empty_label=_("todas")
    )

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        self.fields["table"].queryset = Table.objects.filter(casino=casino)  # type: ignore[attr-defined]


class RoundRegister(Report):
    identifier = "tables.rounds"
    title = Text("Registro de pases", "Register of rounds")
    rules = ("REC-05", "GEN-03", "BAC-19")
    act = audit_policies.MAKE_REPORTS
    form = RegisterForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("day", Text("Día de juego", "Gaming day"), Kind.DAY),
            Column("table", Text("Mesa", "Table")),
            Column("session", Text("Sesión", "Session"), Kind.INT),
            Column("round", Text("Pase", "Round"), Kind.INT),
            Column("settled_at", Text("Liquidado", "Settled"), Kind.INSTANT),
            Column("game", Text("Juego", "Game")),
            Column("rules", Text("Reglas", "Rules")),
            Column("shoe", Text("Sabot", "Shoe")),
            Column("dealer", Text("Croupier", "Dealer")),
            Column("punto_cards", Text("Cartas de punto", "Punto's cards")),
            Column("banca_cards", Text("Cartas de banca", "Banca's cards")),
            Column("punto", Text("Punto", "Punto"), Kind.INT),
            Column("banca", Text("Banca", "Banca"), Kind.INT),
            Column("winner", Text("Gana", "Winner")),
            Column("hands", Text("Manos", "Hands")),
            Column("staked", Text("Apostado", "Staked"), Kind.MONEY),
            Column("returned", Text("Devuelto", "Returned"), Kind.MONEY),
            Column("commission", Text("Comisión", "Commission"), Kind.MONEY),
            Column("house", Text("Neto de la casa", "House net"), Kind.MONEY),
            Column("deduction", Text("Deducción", "Deduction"), Kind.MONEY),
            Column("state", Text("Estado", "State")),
            Column("event", Text("Evento", "Event")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        related = ("session__table", "session__day", "rules", "shoe", "dealer", "event__stream")
        chosen = self._chosen(casino, params).select_related(*related)
        ordered = chosen.order_by("session__day__date", "session__table__name", "session__number", "number")
        for round in ordered.iterator(chunk_size=1000):
            yield _row(round)

    def identity(self, params: Mapping[str, Any]) -> Sequence[str]:
        return ("day", "table", "session", "round")

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return self._chosen(casino, params).count()

    def _chosen(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[Round]:
        span = (params["first"], params["last"])
        rounds = Round.objects.filter(casino=casino, session__day__date__range=span)
        table = params.get("table")
        return rounds.filter(session__table=table) if table else rounds


def _row(round: Round) -> dict[str, Any]:
    outcome = (round.settlement or {}).get("outcome", {})
    game = registry.game(round.session.game)
    house = game.bank == "house"
    return {
        "day": round.session.day.date,
        "table": round.session.table.name,
        "session": round.session.number,
        "round": round.number,
        "settled_at": round.settled_at,
        "game": rulebook.game(round.session.game).name,
        "rules": f"v{round.rules.version}",
        "shoe": round.shoe.label if round.shoe else "",
        "dealer": round.dealer.name if round.dealer else "",
        "punto_cards": " ".join(outcome.get("punto_cards", ())),
        "banca_cards": " ".join(outcome.get("banca_cards", ())),
        "punto": outcome.get("punto"),
        "banca": outcome.get("banca"),
        "winner": game.ends.get(round.winner, Text("", "")),
        "hands": telling.hands_of(game, outcome),
        "staked": round.staked,
        "returned": round.returned,
        "commission": round.commission if house else None,
        "house": round.house_result if house else None,
        "deduction": None if house else round.commission,
        "state": _STATES[round.state],
        "event": f"{round.event.stream.name}#{round.event.seq}" if round.event else "",
        EVENTS: EventsOf(subject=("round", round.pk)),
    }
