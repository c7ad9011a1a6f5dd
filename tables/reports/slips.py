"""Reports of chips: fills and credits of a gaming day, their numbers checked; where chips were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Max, Min, Q, QuerySet, Sum

from audits import policies as audit_policies
from audits.reports.forms import DayForm
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Row, Section, register
from casino.kernel import clock, ids
from casino.kernel.words import Text
from casino.models import Casino, NumberSeries
from tables.models import ChipEntry, ChipMove, ChipStockCount, Slip
from tables.money import inventory
from tables.money.saying import KINDS, STATES, differs_by

_CHIP = Column("denomination", Text("Ficha", "Chip"), Kind.MONEY)
_NUMBER = Column("number", Text("Cantidad", "Number"), Kind.INT)
_VALUE = Column("value", Text("Valor", "Value"), Kind.MONEY)
_KIND = Column("kind", Text("Clase", "Kind"))
_PLACE = Column("place", Text("Lugar", "Place"))
_AT = Column("at", Text("Cuándo", "When"), Kind.INSTANT)


class SlipsReport(Report):
    """Every fill and credit of a gaming day, by number; their chips; and that no number is missing."""

    identifier = "tables.slips"
    title = Text("Reposiciones y retiros", "Fills and credits")
    rules = ("FLOOR-06", "FLOOR-07", "FLOOR-08")
    act = audit_policies.MAKE_REPORTS
    form = DayForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        rows = Slip.objects.filter(casino=casino, session__day__date=params["day"])
        return [
            Section(
                "slips",
                Text("Comprobantes", "Slips"),
                _SLIP,
                lambda: _slip_rows(rows),
                rows.count,
                totals=lambda: _totals(rows),
            ),
            Section(
                "chips",
                Text("Por ficha", "By chip"),
                [_KIND, _CHIP, _NUMBER, _VALUE],
                lambda: _chip_rows(rows),
            ),
            Section("numbers", Text("Números", "Numbers"), _NUMBERS, lambda: _number_rows(casino, rows)),
        ]


_SLIP = [
    Column("label", Text("Comprobante", "Slip")),
    _KIND,
    Column("table", Text("Mesa", "Table")),
    Column("requested_at", Text("Pedido", "Asked for"), Kind.INSTANT),
    Column("verified_at", Text("Verificado", "Verified"), Kind.INSTANT),
    Column("desk", Text("Ventanilla", "Desk")),
    Column("total", Text("Total", "Total"), Kind.MONEY),
    Column("state", Text("Estado", "State")),
    Column("requested_by", Text("Pidió", "Asked for by")),
    Column("issued_by", Text("Caja", "Cage")),
    Column("runner", Text("Portador", "Runner")),
    Column("dealer", Text("Croupier", "Dealer")),
    Column("verified_by", Text("Verificó", "Verified by")),
    Column("voided", Text("Anulación", "Voiding")),
]
_NUMBERS = [
    _KIND,
    Column("year", Text("Año", "Year"), Kind.INT),
    Column("first", Text("Primero del día", "First of the day")),
    Column("last", Text("Último del día", "Last of the day")),
    Column("count", Text("Del día", "Of the day"), Kind.INT),
    Column("given", Text("Último dado en el año", "Last given in the year"), Kind.INT),
    Column("missing", Text("Faltan", "Missing")),
]
_PEOPLE = ("requested_by", "issued_by", "verified_by", "dealer", "voided_by", "voided_with")


def _slip_rows(rows: QuerySet[Slip]) -> Iterator[Row]:
    for slip in rows.select_related("session__table", "desk", *_PEOPLE).order_by("kind", "year", "number"):
        names = {name: getattr(getattr(slip, name), "name", "") for name in _PEOPLE}
        yield {
            "label": slip.label,
            "kind": KINDS[slip.kind],
            "table": slip.session.table.name,
            "requested_at": slip.requested_at,
            "verified_at": slip.verified_at,
            "desk": slip.desk.name,
            "total": slip.total,
            "state": STATES[slip.state],
            "runner": slip.runner,
            **{name: names[name] for name in ("requested_by", "issued_by", "dealer", "verified_by")},
            "voided": f"{slip.void_reason} ({names['voided_by']}, {names['voided_with']})"
            if slip.state == Slip.State.VOID
            else "",
            EVENTS: EventsOf(subject=("slip", slip.pk)),
        }


def _totals(rows: QuerySet[Slip]) -> dict[str, Any]:
    """What verified slips moved: fills less credits, which is what the tables got."""
    verified = rows.filter(state=Slip.State.VERIFIED)
    sums = {
        kind: verified.filter(kind=kind).aggregate(sum=Sum("total", default=0))["sum"]
        for kind in Slip.Kind.values
    }
    return {
        "label": Text("Verificado: reposiciones menos retiros", "Verified: fills less credits"),
        "total": sums["fill"] - sums["credit"],
        EVENTS: _verified(verified.values_list("pk", flat=True)),
    }


def _verified(pks: Iterable[int]) -> EventsOf:
    return EventsOf(subject=("slip", tuple(pks)), actions=("tables.slip.verified",))


def _chip_rows(rows: QuerySet[Slip]) -> Iterator[Row]:
    verified = rows.filter(state=Slip.State.VERIFIED)
    for kind in Slip.Kind.values:
        chips: Counter[int] = Counter()
        slips: defaultdict[int, list[int]] = defaultdict(list)
        for pk, stored in verified.filter(kind=kind).order_by("pk").values_list("pk", "chips"):
            for value, number in stored.items():
                chips[int(value)] += number
                slips[int(value)].append(pk)
        for value, number in sorted(chips.items(), reverse=True):
            moved = {"kind": KINDS[kind], "denomination": value, "number": number, "value": value * number}
            yield {**moved, EVENTS: _verified(slips[value])}


def _number_rows(casino: Casino, rows: QuerySet[Slip]) -> Iterator[Row]:
    """FLOOR-07: the day's first and last number of each series, and what its year lacks so far."""
    found = (
        rows.values("kind", "year").annotate(first=Min("number"), last=Max("number")).order_by("kind", "year")
    )
    for line in found:
        kind, year = line["kind"], line["year"]
        given = NumberSeries.objects.filter(casino=casino, series=kind, year=year).first()
        last = given.last if given else 0
        kept = Slip.objects.filter(casino=casino, kind=kind, year=year).values_list("number", flat=True)
        missing = sorted(set(range(1, last + 1)) - set(kept))
        of_day = rows.filter(kind=kind, year=year).order_by("pk").values_list("pk", flat=True)
        yield {
            "kind": KINDS[kind],
            "year": year,
            "first": ids.slip_label(kind, year, line["first"]),
            "last": ids.slip_label(kind, year, line["last"]),
            "count": len(of_day),
            "given": last,
            "missing": ", ".join(map(str, missing[:50])) or Text("ninguno", "none"),
            EVENTS: EventsOf(subject=("slip", tuple(of_day)), actions=("tables.slip.requested",)),
        }


class ChipInventoryReport(Report):
    """Where the house's chips were when a gaming day ended; what came in, left and was counted in it. Desks
    are told once the day is over: meanwhile somebody counts them (FLOOR-05)."""

    identifier = "tables.chip_inventory"
    title = Text("Inventario de fichas", "Chip inventory")
    rules = ("FLOOR-05", "FLOOR-06")
    act = audit_policies.MAKE_REPORTS
    form = DayForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        start, end = clock.day_bounds(params["day"], casino.zone, casino.cutoff)
        within = {"casino": casino, "at__gte": start, "at__lt": end}
        moves = ChipMove.objects.filter(casino=casino, event__occurred__lt=end)
        return [
            Section(
                "places",
                Text("Por lugar", "By place"),
                [_PLACE, _CHIP, _NUMBER, _VALUE],
                lambda: _place_rows(casino, moves, desks=end <= clock.now()),
            ),
            Section(
                "entries",
                Text("Ingresos y bajas del día", "Entries of the day"),
                _ENTRIES,
                lambda: _entry_rows(ChipEntry.objects.filter(**within)),
            ),
            Section(
                "counts",
                Text("Recuentos del día", "Counts of the day"),
                _COUNTS,
                lambda: _count_rows(casino, ChipStockCount.objects.filter(**within)),
            ),
        ]


_ENTRIES = [
    _AT,
    _KIND,
    _VALUE,
    Column("document", Text("Documento", "Document")),
    Column("party", Text("Proveedor o destino", "Supplier or destination")),
    Column("signed", Text("Firmaron", "Signed by")),
]
_COUNTS = [
    _AT,
    _PLACE,
    Column("difference", Text("Diferencia", "Difference"), Kind.MONEY),
    Column("chips", Text("Por ficha", "By chip")),
    Column("signed", Text("Contaron", "Counted by")),
    Column("incident", Text("Incidente", "Incident")),
]


def _place_rows(casino: Casino, moves: QuerySet[ChipMove], *, desks: bool) -> Iterator[Row]:
    found: Counter[tuple[str, int]] = Counter()
    for sign, end in ((1, "target"), (-1, "source")):
        sums = moves.order_by().values_list(end, "denomination").annotate(n=Sum("number"))
        for place, value, number in sums:
            found[place, value] += sign * number
    names = inventory.names_of(casino, list({place for place, _value in found}))
    for (place, value), number in sorted(found.items()):
        if number and (desks or not place.startswith("cage:")):
            yield {
                "place": inventory.place_name(place, names),
                "denomination": value,
                "number": number,
                "value": value * number,
                EVENTS: _moved(moves, place, value),
            }


def _moved(moves: QuerySet[ChipMove], place: str, value: int) -> Callable[[], EventsOf]:
    """Every move of one chip into a place or out of it; looked up when somebody asks."""

    def found() -> EventsOf:
        here = moves.filter(Q(target=place) | Q(source=place), denomination=value)
        return EventsOf(ids=tuple(here.order_by("event").values_list("event", flat=True).distinct()))

    return found


def _entry_rows(rows: QuerySet[ChipEntry]) -> Iterator[Row]:
    for entry in rows.select_related("signed_by", "signed_with").order_by("at", "pk"):
        yield {
            "at": entry.at,
            "kind": KINDS[entry.kind],
            "value": entry.total,
            "document": entry.document,
            "party": entry.supplier,
            "signed": f"{entry.signed_by.name}, {entry.signed_with.name}",
            EVENTS: EventsOf(ids=(entry.event_id,)),
        }


def _count_rows(casino: Casino, rows: QuerySet[ChipStockCount]) -> Iterator[Row]:
    for count in rows.select_related("counted_by", "counted_with", "incident").order_by("at", "pk"):
        names = inventory.names_of(casino, [count.place])
        off = {line["denomination"]: line["counted"] - line["expected"] for line in count.lines}
        yield {
            "at": count.at,
            "place": inventory.place_name(count.place, names),
            "difference": count.difference,
            "chips": differs_by({value: number for value, number in off.items() if number}, casino.exponent),
            "signed": f"{count.counted_by.name}, {count.counted_with.name}",
            "incident": count.incident.label if count.incident else "",
            EVENTS: EventsOf(ids=(count.event_id,)),
        }


for _report in (SlipsReport, ChipInventoryReport):
    register(_report)
