"""Where the house's chips are, by denomination: every move an append-only row, and the stock they leave.

    inventory.move(event, [Flow("fill", "cage:1", "tray:7", {2500: 20})])

Last of all in a command, after its events: the stocks it touches are locked in one statement (`Rank.CHIPS`).
A house keeps an inventory once its chips were received (`kept`); from then on nothing is given out of the
vault or a desk that is not there. One that does not has its moves recorded as well, and is refused nothing.
Trays and the public may go below zero: play changes which chips lie on a table, and only the count tells.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet, Sum

from audits.models import Event
from casino.kernel import locking, money
from casino.kernel.errors import Conflict
from casino.kernel.statements import array
from casino.kernel.words import Text
from casino.models import Casino
from tables import chips as counting
from tables.models import CageDesk, ChipEntry, ChipMove, ChipStock, DropBox, Slip, TableSession

OUTSIDE, VAULT, PUBLIC = "outside", "vault", "public"
"""The maker or the scrap; the vault; people who took chips away with them."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Chips (denomination in smallest units -> number) that go from a place to another, and as what."""

    kind: str
    source: str
    target: str
    chips: Mapping[int, int]


def tray(session: TableSession) -> str:
    """The place of a session's float."""
    return f"tray:{session.pk}"


def desk_place(number: int) -> str:
    """The place of a desk's chips."""
    return f"cage:{number}"


def kept(casino: Casino) -> bool:
    """Whether the house keeps an inventory: chips of its own were received."""
    return ChipEntry.objects.filter(casino=casino, kind=ChipEntry.Kind.RECEIVED).exists()


def stock_of(casino: Casino, place: str) -> dict[int, int]:
    """Chips at a place now: denomination -> number, none of them zero."""
    rows = ChipStock.objects.filter(casino=casino, place=place).exclude(number=0)
    return dict(rows.order_by("denomination").values_list("denomination", "number"))


def stock_at(casino: Casino, place: str, instant: dt.datetime) -> dict[int, int]:
    """Chips at a place by what had occurred up to an instant, as recorded so far; none of them zero."""
    moves = ChipMove.objects.filter(casino=casino, event__occurred__lte=instant)
    found: Counter[int] = Counter()
    for sign, end in ((1, "target"), (-1, "source")):
        rows = moves.filter(**{end: place}).order_by().values_list("denomination").annotate(n=Sum("number"))
        for value, number in rows:
            found[value] += sign * number
    return {value: number for value, number in sorted(found.items()) if number}


def stock(casino: Casino) -> dict[str, dict[int, int]]:
    """Chips at every place that has any (or lacks some), by place."""
    found: dict[str, dict[int, int]] = defaultdict(dict)
    rows = ChipStock.objects.filter(casino=casino).exclude(number=0).order_by("place", "denomination")
    for place, denomination, number in rows.values_list("place", "denomination", "number"):
        found[place][denomination] = number
    return dict(found)


def require(casino: Casino, place: str, chips: Mapping[int, int], *, but: Slip | None = None) -> None:
    """Raise `Conflict` (`not_enough_chips`) where the house keeps an inventory and the place has fewer.

    What was issued from a desk and is on its way counts as gone; `but` leaves one such slip out.
    """
    if not kept(casino):
        return
    there = Counter(stock_of(casino, place))
    on_its_way = Slip.objects.filter(casino=casino, kind=Slip.Kind.FILL, state=Slip.State.ISSUED)
    there.subtract(_of(on_its_way.exclude(pk=but.pk if but else 0), place))
    for denomination, number in sorted(chips.items(), reverse=True):
        if there[denomination] < number:
            raise _not_enough(casino, place, denomination, number, there[denomination])


def on_its_way(casino: Casino, place: str, instant: dt.datetime) -> Counter[int]:
    """Chips of fills that had left a desk by an instant and were neither verified nor void then: a count
    does not find them, though they move only once they are verified."""
    out = Slip.objects.filter(casino=casino, kind=Slip.Kind.FILL, issued_at__lte=instant)
    return _of(out.exclude(verified_at__lte=instant).exclude(voided_at__lte=instant), place)


def _of(slips: QuerySet[Slip], place: str) -> Counter[int]:
    """The chips of those of some slips that are of a desk's place."""
    found: Counter[int] = Counter()
    for slip in slips.select_related("desk"):
        if slip.desk.account == place:
            found.update(counting.loaded(slip.chips))
    return found


def move(event: Event, flows: Iterable[Flow]) -> None:
    """Record what an event moved, and bring the stocks along. The last thing a command does.

    Raises `Conflict` (`not_enough_chips`, with denomination and place) where an inventory
    is kept and the vault or a desk would give out more than it has; `ValueError` for a number below one.
    """
    rows = [
        ChipMove(
            casino_id=event.casino_id,
            event=event,
            kind=flow.kind,
            denomination=denomination,
            number=number,
            source=flow.source,
            target=flow.target,
        )
        for flow in flows
        for denomination, number in sorted(flow.chips.items())
    ]
    if any(row.number < 1 or row.source == row.target for row in rows):
        raise ValueError("chips move by whole numbers from one place to another")
    if not rows:
        return
    ChipMove.objects.bulk_create(rows)
    locking.taking(locking.Rank.CHIPS)
    left = _bring_along(event.casino_id, rows)
    given = _given_out(rows)
    short = [key for key in sorted(given, reverse=True) if left[key] < 0]
    if short and kept(event.casino):
        place, denomination = short[0]
        taken = given[short[0]]
        raise _not_enough(event.casino, place, denomination, taken, left[short[0]] + taken)


def out_of_drops(session: TableSession) -> int:
    """What the house's chips that lay in a session's drop boxes are worth, as the counts that stand say."""
    boxes = session.boxes.filter(kind=DropBox.Kind.DROP).values("pk")
    came = ChipMove.objects.filter(
        kind="box", event__subject_type="drop_box", event__subject_id__in=boxes, casino=session.casino_id
    )
    return sum(row.denomination * row.number for row in came)


def open_float(session: TableSession, counted: Mapping[int, int], event: Event) -> None:
    """The counted float leaves the vault for the tray."""
    move(event, [Flow("opening", VAULT, tray(session), counted)])


def close_float(session: TableSession, counted: Mapping[int, int], event: Event) -> None:
    """The counted float goes back to the vault; what came and is not there went to the public.

    By denomination and with its sign: more of a chip than came was brought by the public.
    """
    place = tray(session)
    net = Counter(stock_of(session.casino, place))
    net.subtract(counted)
    move(
        event,
        [
            Flow("closing", place, VAULT, counted),
            Flow("public", place, PUBLIC, {value: number for value, number in net.items() if number > 0}),
            Flow("public", PUBLIC, place, {value: -number for value, number in net.items() if number < 0}),
        ],
    )


def place_name(place: str, names: Mapping[str, str] | None = None) -> Text:
    """What a place is called; `names` says what its desks and trays are called."""
    if names and place in names:
        return Text(names[place], names[place])
    if place in _NAMES:
        return _NAMES[place]
    kind, _, which = place.partition(":")
    return Text(f"caja {which}", f"cage {which}") if kind == "cage" else Text("mesa", "table")


def names_of(casino: Casino, places: Sequence[str]) -> dict[str, str]:
    """Desks and sessions among these places, by what they are called."""
    sessions = [int(place[5:]) for place in places if place.startswith("tray:")]
    rows = TableSession.objects.filter(casino=casino, pk__in=sessions).select_related("table", "day")
    desks = CageDesk.objects.filter(casino=casino)
    return {desk.account: desk.name for desk in desks} | {tray(row): row.label for row in rows}


_NAMES = {
    OUTSIDE: Text("fuera de la casa", "outside the house"),
    VAULT: Text("bóveda", "vault"),
    PUBLIC: Text("en poder del público", "with the public"),
}


def _given_out(rows: Sequence[ChipMove]) -> Counter[tuple[str, int]]:
    """What leaves the vault and the desks, by place and denomination; a count's correction is no giving."""
    given: Counter[tuple[str, int]] = Counter()
    for row in rows:
        if row.kind != "count" and (row.source == VAULT or row.source.startswith("cage:")):
            given[row.source, row.denomination] += row.number
    return given


def _bring_along(casino_id: int, rows: Sequence[ChipMove]) -> dict[tuple[str, int], int]:
    """Add the moves to the stocks, by place and denomination in order; what is there then."""
    net: Counter[tuple[str, int]] = Counter()
    for row in rows:
        net[row.source, row.denomination] -= row.number
        net[row.target, row.denomination] += row.number
    lines = [(place, value, number) for (place, value), number in sorted(net.items())]
    with connection.cursor() as cursor:
        cursor.execute(
            _STOCKS,
            {
                "casino": casino_id,
                "places": array(line[0] for line in lines),
                "values": array(line[1] for line in lines),
                "numbers": array(line[2] for line in lines),
            },
        )
        return {(place, value): number for place, value, number in cursor.fetchall()}


_STOCKS = """
INSERT INTO tables_chipstock AS was (casino_id, place, denomination, number)
SELECT %(casino)s::bigint, place, denomination, number
FROM unnest(%(places)s::text[], %(values)s::bigint[], %(numbers)s::bigint[])
    line (place, denomination, number)
ORDER BY place, denomination
ON CONFLICT (casino_id, place, denomination) DO UPDATE SET number = was.number + EXCLUDED.number
RETURNING place, denomination, number
"""


def _not_enough(casino: Casino, place: str, denomination: int, wanted: int, there: int) -> Conflict:
    where = place_name(place, names_of(casino, [place]))
    chip = money.words(denomination, casino.exponent)
    if place.startswith("cage:"):  # who reads it counts the desk, and is not told what it has (FLOOR-05)
        return Conflict(
            Text(
                f"{where.es} no tiene {wanted} fichas de {chip.es}: traiga más de otro lugar, o recuéntela",
                f"{where.en} has not {wanted} chips of {chip.en}: bring more from another place, or count it",
            ),
            code="not_enough_chips",
            field="chips",
            detail={"place": place, "denomination": denomination, "wanted": wanted},
        )
    return Conflict(
        Text(
            f"{where.es} tiene {max(there, 0)} fichas de {chip.es} y se piden {wanted}:"
            " traiga más de otro lugar, o recuente las de ese",
            f"{where.en} has {max(there, 0)} chips of {chip.en} and {wanted} are asked for: bring more from"
            " another place, or count that one anew",
        ),
        code="not_enough_chips",
        field="chips",
        detail={"place": place, "denomination": denomination, "there": there, "wanted": wanted},
    )
