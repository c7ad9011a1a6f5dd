"""Where decks are and were, read off their moves: stock by kind, all at an instant, the life of one."""

from __future__ import annotations

import calendar
import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import overload
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from casino.kernel import rulebook
from casino.kernel.words import Text
from casino.models import Casino
from shoes import saying
from shoes.models import Deck, DeckMove, Shoe, StockCount, StockLevel

State = Deck.State
Kind = DeckMove.Kind


# ---- stock ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StockLine:
    """The decks of a kind and colour.

    `sealed`: in the store in closed boxes, fit to be issued; `usable`: those and the whole ones in the store
    that only need a new seal. `by_state`: all the house ever had, destroyed ones too.
    """

    deck_type: str
    back_colour: str
    sealed: int
    usable: int
    by_state: dict[str, int]
    least: int

    @property
    def low(self) -> bool:
        return self.usable < self.least


def stock(casino: Casino) -> list[StockLine]:
    """What the house has of each kind and colour, and of those it should have, in order of both."""
    states: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    sealed: Counter[tuple[str, str]] = Counter()
    counted = Deck.objects.filter(casino=casino).order_by().values_list("deck_type", "back_colour", "state")
    for deck_type, colour, state, number, closed in counted.annotate(
        number=Count("pk"), closed=Count("pk", filter=~Q(seal=""))
    ):
        states[deck_type, colour][state] += number
        if state == State.STORE:
            sealed[deck_type, colour] += closed
    levels = StockLevel.objects.filter(casino=casino, least__gt=0)
    least = {(level.deck_type, level.back_colour): level.least for level in levels}
    return [
        StockLine(*kind, sealed[kind], states[kind][State.STORE], dict(states[kind]), least.get(kind, 0))
        for kind in sorted({*states, *least})
    ]


def stored_at(casino: Casino, at: dt.datetime) -> dict[tuple[str, str], int]:
    """How many decks of each kind and colour lay in the store at an instant, by the moves."""
    lying = newest_at(casino, at).filter(state=State.STORE).order_by()
    found = lying.values_list("deck__deck_type", "deck__back_colour").annotate(Count("pk"))
    return {(deck_type, colour): number for deck_type, colour, number in found}


@dataclass(frozen=True, slots=True)
class CountDue:
    """When the store is to be counted (CARD-02). `due`: by when, None for a house that never had a deck."""

    last: StockCount | None
    due: dt.datetime | None
    overdue: bool


def counts_due(casino: Casino, now: dt.datetime) -> CountDue:
    """The store is counted at least every three months: since its last count, or else its first deck."""
    last = StockCount.objects.filter(casino=casino).order_by("-at", "-pk").first()
    first = DeckMove.objects.filter(casino=casino).order_by("at").values_list("at", flat=True).first()
    since = last.at if last else first
    if since is None:
        return CountDue(None, None, overdue=False)
    months: int = rulebook.rule("CARD-02").params["stock_count_max_months"]
    due = _months_later(since.astimezone(ZoneInfo(casino.zone)), months)
    return CountDue(last, due.astimezone(dt.UTC), overdue=now > due)


def _months_later(instant: dt.datetime, months: int) -> dt.datetime:
    """The same day of a later month, or its last day where it has no such day."""
    year, month = divmod(instant.month - 1 + months, 12)
    year, month = instant.year + year, month + 1
    day = min(instant.day, calendar.monthrange(year, month)[1])
    return instant.replace(year=year, month=month, day=day)


# ---- where, when ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a deck was at an instant: the move that had taken it there, and the shoe it was inside."""

    deck: Deck
    move: DeckMove
    shoe: Shoe | None

    @property
    def words(self) -> Text:
        return lying(self.move)


class Found:
    """Decks and where they were, in order of serial number: counted, sliced and walked as a query set is, so
    that a page reads its own rows alone."""

    def __init__(self, rows: QuerySet[DeckMove]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Whereabouts]:
        return map(_whereabouts, self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Whereabouts: ...
    @overload
    def __getitem__(self, at: slice) -> list[Whereabouts]: ...
    def __getitem__(self, at: int | slice) -> Whereabouts | list[Whereabouts]:
        found = self._rows[at]
        return _whereabouts(found) if isinstance(found, DeckMove) else [_whereabouts(row) for row in found]

    def count(self) -> int:
        return self._rows.count()


def _whereabouts(row: DeckMove) -> Whereabouts:
    return Whereabouts(row.deck, row, row.shoe if row.state == State.IN_SHOE else None)


def where_at(casino: Casino, at: dt.datetime, *, place: str = "", serial: str = "") -> Found:
    """Where every deck the house had was at an instant; one query.

    `place`: only those at this table or at the desk; `serial`: only this deck, also if it was destroyed by
    then, which the answer for all leaves out: those are nowhere.
    """
    rows = newest_at(casino, at)
    rows = rows.filter(deck__serial=serial) if serial else rows.exclude(state=State.DESTROYED)
    if place:
        rows = rows.filter(place=place)
    related = ("deck", "shoe", "by", "second", "incident", "act")
    return Found(rows.select_related(*related).order_by("deck__serial"))


def newest_at(casino: Casino, at: dt.datetime) -> QuerySet[DeckMove]:
    """The last move of each deck that had happened at an instant: the one whose next had not."""
    following = DeckMove.objects.filter(deck=OuterRef("deck"), seq=OuterRef("seq") + 1, at__lte=at)
    return DeckMove.objects.filter(~Exists(following), casino=casino, at__lte=at)


@dataclass(frozen=True, slots=True)
class Told:
    """A move of a deck and its sentence."""

    move: DeckMove
    words: Text


def timeline(deck: Deck) -> list[Told]:
    """Everything that moved a deck, newest last."""
    moves = deck.moves.select_related("shoe", "by", "second", "incident", "act", "event").order_by("seq")
    return [Told(move, moved(move)) for move in moves]


def lying(move: DeckMove) -> Text:
    """Where a deck lay once a move was made."""
    shoe = move.shoe.label if move.shoe else ""
    if move.state == State.DESTROYED:
        return Text(f"destruida, {move.act}", f"destroyed, {move.act}")
    if move.state == State.IN_SHOE:
        at = Text(f" en {move.place}", f" at {move.place}") if move.place else Text("", "")
        return Text(f"en el sabot {shoe}{at.es}", f"in shoe {shoe}{at.en}")
    if not move.place:
        return Text("en el depósito", "in the store")
    return Text("en {place}", "at {place}").fill(place=saying.place(move.place))


def moved(move: DeckMove) -> Text:
    """What a move was, in a sentence."""
    values = {
        "place": saying.place(move.place or "—"),
        "shoe": move.shoe.label if move.shoe else "—",
        "seal": move.seal or "—",
        "incident": move.incident.label if move.incident else "—",
        "act": move.act.label if move.act else "—",
        "second": move.second.name if move.second else "—",
    }
    words = _WENT_BACK if (move.kind, move.state) == (Kind.ENDED, State.STORE) else _MOVED[Kind(move.kind)]
    return words.fill(**values)


# As it was before closing counts (`shoes/migrations/0006_decks_of_before.py`).
_WENT_BACK = Text("terminó {shoe} y volvió al depósito", "{shoe} ended and it went back to the store")


_MOVED: dict[Kind, Text] = {
    Kind.RECEIVED: Text(
        "se recibió, con {second}; precinto {seal}", "was received, with {second}; seal {seal}"
    ),
    Kind.ISSUED: Text("se entregó a {second} para {place}", "was issued to {second} for {place}"),
    Kind.PASSED: Text("pasó la inspección en {place}", "passed its inspection at {place}"),
    Kind.JOINED: Text("entró al sabot {shoe}", "joined shoe {shoe}"),
    Kind.PLAYED: Text("entró en juego en {place}, en {shoe}", "went into play at {place}, in {shoe}"),
    Kind.RENEWED: Text("se baraja otra vez, como {shoe}", "is shuffled again, as {shoe}"),
    Kind.REMOVED: Text("salió de {shoe}", "left {shoe}"),
    Kind.ENDED: Text(
        "terminó {shoe}; espera su recuento de cierre", "{shoe} ended; it waits for its closing count"
    ),
    Kind.COUNTED: Text(
        "se contó al cierre de {shoe} y volvió al depósito; precinto {seal}",
        "was counted at the close of {shoe} and went back to the store; seal {seal}",
    ),
    Kind.GIVEN_BACK: Text("volvió sin usar al depósito", "came back to the store unused"),
    Kind.SEALED: Text(
        "se precintó otra vez, con {second}: {seal}", "was sealed again, with {second}: {seal}"
    ),
    Kind.QUARANTINED: Text("se puso en cuarentena", "was put in quarantine"),
    Kind.HELD: Text("quedó retenida por {incident}", "was held for {incident}"),
    Kind.RELEASED: Text(
        "se liberó de la investigación, con {second}; queda retirada",
        "was released from the investigation, with {second}; it stays withdrawn",
    ),
    Kind.WITHDRAWN: Text("se retiró; incidente {incident}", "was withdrawn; incident {incident}"),
    Kind.CANCELLED: Text("se anuló", "was cancelled"),
    Kind.DESTROYED: Text("se destruyó según {act}", "was destroyed by {act}"),
}
