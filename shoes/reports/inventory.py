"""Every deck of the house and where it was at an instant, and the stock as the sum of its movements."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet

from audits import policies as audit_policies
from audits.reports.registry import EVENTS, Cell, Column, EventsOf, Kind, Report, Section
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import Deck, DeckMove
from shoes.reports import words
from shoes.reports.forms import InventoryForm, instant_of
from shoes.whereabouts import newest_at

State = Deck.State
PRESENT = [state for state in State if state != State.DESTROYED]

STOCK = [
    Column("deck_type", Text("Tipo de baraja", "Type of deck")),
    Column("back_colour", Text("Color", "Colour")),
    Column("received", Text("Recibidas", "Received"), Kind.INT),
    Column("destroyed", Text("Destruidas", "Destroyed"), Kind.INT),
    Column("present", Text("Existencia", "In the house"), Kind.INT),
    Column(State.STORE, Text("En depósito", "In store"), Kind.INT),
    Column(State.ISSUED, Text("Entregadas", "Issued"), Kind.INT),
    Column(State.PASSED, Text("Aptas", "Passed"), Kind.INT),
    Column(State.IN_SHOE, Text("En sabots", "In shoes"), Kind.INT),
    Column(State.RETURNED, Text("Por contar", "To be counted"), Kind.INT),
    Column(State.QUARANTINE, Text("En cuarentena", "Quarantine"), Kind.INT),
    Column(State.HELD, Text("Retenidas", "Held"), Kind.INT),
    Column(State.WITHDRAWN, Text("Retiradas", "Withdrawn"), Kind.INT),
    Column(State.CANCELLED, Text("Anuladas", "Cancelled"), Kind.INT),
]
DECKS = [
    Column("serial", Text("Serie", "Serial number")),
    Column("deck_type", Text("Tipo", "Type")),
    Column("maker", Text("Fabricante", "Maker")),
    Column("batch", Text("Lote", "Lot")),
    Column("back", Text("Reverso", "Back")),
    Column("homologation", Text("Homolog. AJ", "AJ ref.")),
    Column("seal", Text("Precinto", "Seal")),
    Column("state", Text("Estado", "State")),
    Column("place", Text("Lugar", "Place")),
    Column("shoe", Text("Sabot", "Shoe")),
    Column("incident", Text("Incidente", "Incident")),
    Column("last_move", Text("Último movimiento", "Latest move")),
    Column("moved_at", Text("Cuándo", "When"), Kind.INSTANT),
    Column("moved_by", Text("Por", "By")),
]


class Inventory(Report):
    """As of an instant: what the moves up to then say, whatever happened since (CARD-04).

    Decks that were destroyed are in its sums; they are listed only if asked for.
    """

    identifier = "shoes.inventory"
    title = Text("Inventario de barajas", "Inventory of decks")
    rules = ("CARD-01", "CARD-02", "CARD-04")
    act = audit_policies.MAKE_REPORTS
    form = InventoryForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        at, batch = instant_of(casino, params), params.get("batch")
        moves = DeckMove.objects.filter(casino=casino, at__lte=at)
        standing = latest_moves(casino, at)
        if batch:
            moves, standing = moves.filter(deck__batch=batch), standing.filter(deck__batch=batch)
        state = params.get("state")
        listed = standing.filter(state=state) if state else standing.exclude(state=State.DESTROYED)
        counts: list[dict[str, Any]] = []

        def stock() -> list[dict[str, Any]]:
            counts[:] = stock_rows(moves, standing)
            return counts

        return [
            Section(
                "stock",
                Text("Existencia por tipo y color", "Stock by type and colour"),
                STOCK,
                stock,
                totals=lambda: _total(counts),
            ),
            Section("decks", Text("Barajas", "Decks"), DECKS, lambda: _deck_rows(listed), listed.count),
        ]

    def particulars(self, casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Cell]]:
        said: list[tuple[Text, Cell]] = [(Text("Situación al", "As of"), instant_of(casino, params))]
        if params.get("end_of"):
            said.append((Text("Fin del día de juego", "End of gaming day"), params["end_of"]))
        return [*said, *super().particulars(casino, {**params, "at": None, "end_of": None})]

    def file_stem(self, params: Mapping[str, Any]) -> str:
        if params.get("at"):
            return f"shoes-inventory-{params['at']:%Y-%m-%d-%H%M}Z"
        return f"shoes-inventory-{params['end_of']}"


def latest_moves(casino: Casino, at: dt.datetime) -> QuerySet[DeckMove]:
    """The latest move of each deck up to an instant, which says where it was then; by serial number."""
    return newest_at(casino, at).order_by("deck__serial")


def stock_rows(moves: QuerySet[DeckMove], standing: QuerySet[DeckMove]) -> list[dict[str, Any]]:
    """By type and colour: what came in less what was destroyed, and in which state the rest is."""
    kinds = ("deck__deck_type", "deck__back_colour")
    flows = (
        moves.order_by()
        .values(*kinds)
        .annotate(
            received=Count("pk", filter=Q(kind=DeckMove.Kind.RECEIVED)),
            destroyed=Count("pk", filter=Q(kind=DeckMove.Kind.DESTROYED)),
        )
    )
    states: dict[tuple[str, str], Counter[str]] = {}
    for deck_type, colour, state, number in (
        standing.order_by().values_list(*kinds, "state").annotate(number=Count("pk"))
    ):
        states.setdefault((deck_type, colour), Counter())[state] = number
    return [
        {
            "deck_type": words.deck_type(flow["deck__deck_type"]),
            "back_colour": flow["deck__back_colour"],
            "received": flow["received"],
            "destroyed": flow["destroyed"],
            "present": flow["received"] - flow["destroyed"],
            **{
                state: states.get((flow["deck__deck_type"], flow["deck__back_colour"]), Counter())[state]
                for state in PRESENT
            },
            EVENTS: _moves_of(moves, flow["deck__deck_type"], flow["deck__back_colour"]),
        }
        for flow in flows.order_by(*kinds)
    ]


def _moves_of(moves: QuerySet[DeckMove], deck_type: str, colour: str) -> Callable[[], EventsOf]:
    """Every move of the decks of a type and colour: the stock is their sum (CARD-04)."""

    def found() -> EventsOf:
        kind = moves.filter(deck__deck_type=deck_type, deck__back_colour=colour)
        return EventsOf(ids=tuple(kind.order_by("event").values_list("event", flat=True).distinct()))

    return found


def _total(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    numbers = [column.key for column in STOCK if column.kind is Kind.INT]
    return {
        "deck_type": Text("Total", "Total"),
        **{key: sum(row[key] for row in rows) for key in numbers},
    }


def _deck_rows(standing: QuerySet[DeckMove]) -> Iterator[dict[str, Any]]:
    states, kinds = words.labels(State), words.labels(DeckMove.Kind)
    for move in standing.select_related("deck", "shoe", "incident", "by").iterator(chunk_size=1000):
        deck = move.deck
        yield {
            "serial": deck.serial,
            "deck_type": words.deck_type(deck.deck_type),
            "maker": deck.maker,
            "batch": deck.batch,
            "back": f"{deck.back_design}, {deck.back_colour}",
            "homologation": deck.homologation,
            "seal": move.seal,
            "state": states[move.state],
            "place": words.place(move.place, move.state),
            "shoe": words.label(move.shoe) if move.state == State.IN_SHOE else "",
            "incident": words.label(move.incident),
            "last_move": kinds[move.kind],
            "moved_at": move.at,
            "moved_by": move.by.name,
            EVENTS: EventsOf(ids=(move.event_id,)),
        }
