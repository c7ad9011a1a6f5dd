"""The log of shoes: each from its first step to its closing count, every step with its time and signer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from audits import policies as audit_policies
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Section
from casino.kernel import rulebook
from casino.kernel.words import Text
from casino.models import Casino
from shoes import ordering, queries
from shoes.floor import floor
from shoes.models import DeckInspection, Shoe, ShoeAlert, ShoeStep
from shoes.procedures import procedure_of
from shoes.reports import words
from shoes.reports.forms import LogForm, span_of

_SHOE = Column("shoe", Text("Sabot", "Shoe"))
_GAME = Column("game", Text("Juego", "Game"))

PREPARED = [
    _SHOE,
    _GAME,
    Column("method", Text("Método", "Method")),
    Column("device", Text("Equipo", "Device")),
    Column("decks", Text("Barajas", "Decks")),
    Column("renews", Text("Sigue a", "Follows")),
    Column("started_at", Text("Empezado", "Started"), Kind.INSTANT),
    Column("started_by", Text("Por", "By")),
    Column("ready_at", Text("Listo", "Ready"), Kind.INSTANT),
    Column("state", Text("Estado", "State")),
]
PLAYED = [
    _SHOE,
    Column("table", Text("Mesa", "Table")),
    Column("played_at", Text("En juego desde", "In play from"), Kind.INSTANT),
    Column("ended_at", Text("Terminado", "Ended"), Kind.INSTANT),
    Column("total", Text("Cartas", "Cards"), Kind.INT),
    Column("dealt", Text("Repartidas", "Dealt"), Kind.INT),
    Column("burned", Text("Quemadas", "Burned"), Kind.INT),
    Column("remaining", Text("Restantes", "Remaining"), Kind.INT),
    Column("count", Text("Conteo", "Count")),
    Column("stop_at", Text("Detención sobre", "Stop card over"), Kind.INT),
    Column("stop", Text("Detención", "Stop card")),
    Column("why", Text("Motivo", "Reason")),
    Column("counted_at", Text("Recuento de cierre", "Closing count"), Kind.INSTANT),
    Column("counted_by", Text("Contaron", "Counted by")),
]
STEPS = [
    _SHOE,
    Column("number", Text("N.º", "No."), Kind.INT),
    Column("step", Text("Paso", "Step")),
    Column("given", Text("Se anotó", "Noted")),
    Column("signed_by", Text("Firmó", "Signed by")),
    Column("at", Text("Cuándo", "When"), Kind.INSTANT),
    Column("minutes", Text("Minutos", "Minutes"), Kind.INT),
]
ALERTS = [
    _SHOE,
    Column("at", Text("Cuándo", "When"), Kind.INSTANT),
    Column("words", Text("Aviso", "Alert")),
    Column("incident", Text("Incidente", "Incident")),
]
_COMPLETE, _AT_MOST = Text("completo", "complete"), Text("incompleto", "incomplete")


class ShoeLog(Report):
    """The shoes that were prepared or in play at some time of the days asked for."""

    identifier = "shoes.log"
    title = Text("Libro de sabots", "Log of shoes")
    rules = ("CARD-14", "CARD-42", "CARD-43", "CARD-46")
    act = audit_policies.MAKE_REPORTS
    form = LogForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        shoes = _chosen(casino, params)
        steps = ShoeStep.objects.filter(shoe__in=shoes).order_by("shoe__number", "seq")
        alerts = ShoeAlert.objects.filter(shoe__in=shoes).order_by("shoe__number", "at", "pk")
        return [
            Section(
                "shoes", Text("Preparación", "Preparation"), PREPARED, lambda: _prepared(shoes), shoes.count
            ),
            Section("played", Text("Juego y cierre", "Play and close"), PLAYED, lambda: _played(shoes)),
            Section(
                "steps", Text("Pasos firmados", "Steps signed"), STEPS, lambda: _steps(steps), steps.count
            ),
            Section("alerts", Text("Avisos", "Alerts"), ALERTS, lambda: _alerts(alerts), alerts.count),
        ]


def _chosen(casino: Casino, params: Mapping[str, Any]) -> QuerySet[Shoe]:
    first, after = span_of(casino, params)
    alive = Q(started_at__lt=after) & (Q(ended_at=None) | Q(ended_at__gte=first))
    shoes = Shoe.objects.filter(alive, casino=casino).order_by("number")
    return shoes.filter(played_table=params["table"]) if params.get("table") else shoes


def _prepared(shoes: QuerySet[Shoe]) -> Iterator[dict[str, Any]]:
    states = words.labels(Shoe.State)
    steps = ShoeStep.objects.order_by("seq")
    related = shoes.select_related("started_by", "renews").prefetch_related(Prefetch("steps", steps))
    for shoe in related.iterator(chunk_size=200):
        yield {
            "shoe": shoe.label,
            "game": rulebook.game(shoe.game).name,
            "method": _method(shoe),
            "device": shoe.device,
            "decks": ", ".join(_serials(shoe)),
            "renews": words.label(shoe.renews),
            "started_at": shoe.started_at,
            "started_by": shoe.started_by.name,
            "ready_at": shoe.ready_at,
            "state": states[shoe.state],
            EVENTS: EventsOf(streams=(shoe.stream,)),
        }


def _serials(shoe: Shoe) -> list[str]:
    """The decks it was made of, as its steps say; those taken out before play are left out."""
    inside: set[str] = set()
    for step in shoe.steps.all():
        inside.update(step.data.get("serials", ()))
        inside.difference_update(step.data.get("removed", ()))
    return sorted(inside)


def _method(shoe: Shoe) -> Text:
    procedure = procedure_of(shoe.game, shoe.method)
    return next(method.words for method in procedure.methods if method.code == shoe.method)


def _played(shoes: QuerySet[Shoe]) -> Iterator[dict[str, Any]]:
    closing = DeckInspection.objects.filter(moment=DeckInspection.Moment.CLOSING)
    signed = closing.select_related("inspector", "witness").order_by("pk")
    put_in_play = shoes.exclude(played_at=None)
    for shoe in put_in_play.prefetch_related(Prefetch("inspections", signed)).iterator(chunk_size=200):
        people = [
            name for each in shoe.inspections.all() for name in (each.inspector.name, each.witness.name)
        ]
        yield {
            "shoe": shoe.label,
            "table": shoe.played_table,
            "played_at": shoe.played_at,
            "ended_at": shoe.ended_at,
            "total": shoe.total,
            "dealt": shoe.dealt + shoe.discarded,
            "burned": shoe.burned,
            "remaining": shoe.remaining,
            "count": _COMPLETE if shoe.count_complete else _AT_MOST,
            "stop_at": shoe.stop_at or None,
            "stop": Text("a la vista", "seen") if shoe.stop_reached else words.NOTHING,
            "why": shoe.end_reason,
            "counted_at": shoe.counted_at,
            "counted_by": ", ".join(dict.fromkeys(people)),
            EVENTS: partial(_of_play, shoe),
        }


def _of_play(shoe: Shoe) -> tuple[EventsOf, ...]:
    """The shoe's own chain, and each round whose cards came out of it, by the table's chain."""
    rounds = tuple(floor().round_ids(shoe.pk))
    return EventsOf(streams=(shoe.stream,)), EventsOf(subject=("round", rounds))


def _steps(steps: QuerySet[ShoeStep]) -> Iterator[dict[str, Any]]:
    before: ShoeStep | None = None
    for step in steps.select_related("shoe", "signed_by").iterator(chunk_size=1000):
        shoe = step.shoe
        since = before.at if before is not None and before.shoe_id == shoe.pk else shoe.started_at
        asked = _asked(step)
        yield {
            "shoe": shoe.label,
            "number": step.seq,
            "step": asked.words if asked else step.step,
            "given": _given(queries.signature_of(step, asked)) if asked else "",
            "signed_by": step.signed_by.name,
            "at": step.at,
            "minutes": int((step.at - since).total_seconds()) // 60,
            EVENTS: EventsOf(streams=(shoe.stream,)).at(step.at),
        }
        before = step


def _asked(done: ShoeStep) -> ordering.Step | None:
    """The step of the game's procedure that was done; None for one that it no longer has."""
    procedure = procedure_of(done.shoe.game, done.shoe.method)
    if done.step == ordering.REMOVE:
        return procedure.removal
    return next((step for step in procedure.steps if step.code == done.step), None)


def _given(signature: queries.Signature) -> Text:
    """What was noted with a step: `Posición: 120; Cortó: el asiento 2`."""
    said = [(label, answer) for label, answer in signature.told]
    return Text(
        "; ".join(f"{label.es}: {answer.es}" for label, answer in said),
        "; ".join(f"{label.en}: {answer.en}" for label, answer in said),
    )


def _alerts(alerts: QuerySet[ShoeAlert]) -> Iterator[dict[str, Any]]:
    for alert in alerts.select_related("shoe", "incident").iterator(chunk_size=1000):
        yield {
            "shoe": alert.shoe.label,
            "at": alert.at,
            "words": Text(alert.words_es, alert.words_en),
            "incident": words.label(alert.incident),
            EVENTS: EventsOf(streams=(alert.shoe.stream,)).at(alert.at),
        }
