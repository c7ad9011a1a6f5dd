"""The act of destruction (CARD-45): which decks, where, how and before whom; to be signed by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Prefetch

from audits import policies as audit_policies
from audits.reports.registry import EVENTS, Cell, Column, EventsOf, Kind, Report, Section
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import Deck, DeckInspection, DeckMove, DestructionAct
from shoes.reports import words
from shoes.reports.forms import ActForm

SIGNING_LINES = 4
"""Room for a signature by hand."""

DECKS = [
    Column("serial", Text("Serie", "Serial number")),
    Column("deck_type", Text("Tipo", "Type")),
    Column("maker", Text("Fabricante", "Maker")),
    Column("batch", Text("Lote", "Lot")),
    Column("back", Text("Reverso", "Back")),
    Column("homologation", Text("Homolog. AJ", "AJ ref.")),
    Column("received_at", Text("Recibida", "Received"), Kind.INSTANT),
    Column("inspected_at", Text("Última inspección", "Last inspection"), Kind.INSTANT),
    Column("counted", Text("Cartas", "Cards"), Kind.INT),
    Column("why", Text("Retirada por", "Withdrawn for")),
    Column("incident", Text("Incidente", "Incident")),
]
SIGNATURES = [
    Column("role", Text("Calidad", "Capacity")),
    Column("name", Text("Nombre", "Name")),
    Column("identity", Text("C. I.", "Identity card")),
    Column("signature", Text("Firma", "Signature")),
]


class Destruction(Report):
    identifier = "shoes.destruction"
    title = Text("Acta de destrucción de barajas", "Act of destruction of decks")
    rules = ("CARD-45", "GEN-10")
    act = audit_policies.MAKE_REPORTS
    form = ActForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        act = params["act"]
        return [
            Section(
                "decks",
                Text("Barajas destruidas", "Decks destroyed"),
                DECKS,
                lambda: _deck_rows(act),
                act.moves.count,
                totals=lambda: {"serial": Text("Total", "Total"), "deck_type": _number(act)},
            ),
            Section(
                "signatures",
                Text("Firmas", "Signatures"),
                SIGNATURES,
                lambda: _signature_rows(act),
                lambda: 3,
                lines=SIGNING_LINES,
            ),
        ]

    def particulars(self, casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Cell]]:
        act: DestructionAct = params["act"]
        witnesses = f"{act.first_witness.name}, {act.second_witness.name}"
        return [
            (Text("Acta", "Act"), act.label),
            (Text("Fecha y hora", "Date and time"), act.at),
            (Text("Lugar", "Place"), act.site),
            (Text("Modo de destrucción", "Method"), act.method),
            (Text("Barajas", "Decks"), _number(act)),
            (Text("Destruyó", "Destroyed by"), act.executed_by.name),
            (Text("Testigos", "Witnesses"), witnesses),
        ]

    def file_stem(self, params: Mapping[str, Any]) -> str:
        return f"shoes-destruction-{params['act'].label}"


def _number(act: DestructionAct) -> Text:
    number = act.moves.count()
    return Text("{n} barajas", "{n} decks").fill(n=number) if number != 1 else Text("1 baraja", "1 deck")


def _deck_rows(act: DestructionAct) -> Iterator[dict[str, Any]]:
    moves = DeckMove.objects.select_related("incident").order_by("seq")
    inspections = DeckInspection.objects.order_by("at", "pk")
    destroyed = Deck.objects.filter(moves__act=act).order_by("serial")
    with_past = destroyed.prefetch_related(Prefetch("moves", moves))
    for deck in with_past.prefetch_related(Prefetch("inspections", inspections)).iterator(chunk_size=200):
        yield _row(deck)


def _row(deck: Deck) -> dict[str, Any]:
    past, examined = list(deck.moves.all()), list(deck.inspections.all())
    last = examined[-1] if examined else None
    held_up = [move.incident for move in past if move.incident is not None]
    return {
        "serial": deck.serial,
        "deck_type": words.deck_type(deck.deck_type),
        "maker": deck.maker,
        "batch": deck.batch,
        "back": f"{deck.back_design}, {deck.back_colour}",
        "homologation": deck.homologation,
        "received_at": past[0].at,
        "inspected_at": last.at if last else None,
        "counted": last.counted if last else None,
        "why": _why(deck, past, examined),
        "incident": ", ".join(dict.fromkeys(incident.label for incident in held_up)),
        EVENTS: (
            EventsOf(ids=tuple(move.event_id for move in past)),
            *(EventsOf(subject=("deck", deck.pk)).at(one.at) for one in examined),
        ),
    }


def _why(deck: Deck, past: Sequence[DeckMove], examined: Sequence[DeckInspection]) -> Cell:
    """What was found in it, or the reason given when it was last withdrawn."""
    faulty = [inspection for inspection in examined if not inspection.passed]
    if faulty and (found := words.faults(faulty[-1], deck)).es:
        return found
    reasons = [move.reason for move in past if move.state == Deck.State.WITHDRAWN and move.reason]
    return reasons[-1] if reasons else ""


def _signature_rows(act: DestructionAct) -> list[dict[str, Any]]:
    witness = Text("Testigo", "Witness")
    signers = [
        (Text("Destruyó", "Destroyed them"), act.executed_by),
        (witness, act.first_witness),
        (witness, act.second_witness),
    ]
    told = EventsOf(subject=("destruction_act", act.pk))
    return [{"role": role, "name": actor.name, EVENTS: told} for role, actor in signers]
