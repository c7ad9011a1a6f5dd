"""Reports of the cage: taxes by day and in all, receipts, tips, the book of what nobody claimed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from audits import policies as audit_policies
from audits.persons.naming import PEOPLE
from audits.reports.forms import PeriodForm
from audits.reports.registry import (
    EVENTS,
    Cell,
    Column,
    EventsOf,
    Kind,
    Named,
    Report,
    Section,
    in_both,
    register,
)
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import CageOperation, Orphan, TableSession, TipDistribution, TipEntry
from tables.money import orphans, tax_figures, taxes
from tables.money.tax_words import BASES, ESTIMATED, FINAL
from tables.reports import behind

_DAY = Column("day", Text("Día de juego", "Gaming day"), Kind.DAY)
_INPUTS = [
    Column("sold_cage", Text("Venta de fichas en caja", "Chips sold at the cage"), Kind.MONEY),
    Column("sold_tables", Text("Venta de fichas en mesa", "Chips sold at tables"), Kind.MONEY),
    Column("redeemed", Text("Canje", "Redeemed"), Kind.MONEY),
    Column("prizes", Text("Premios en dinero", "Prizes in money"), Kind.MONEY),
    Column("deductions", Text("Deducciones", "Deductions"), Kind.MONEY),
    Column("withheld", Text("IPJ retenido", "IPJ withheld"), Kind.MONEY),
]
_IJ = [
    Column(
        f"{part}_{base}",
        Text(f"{words.es}: {BASES[base].es}", f"{words.en}: {BASES[base].en}"),
        Kind.MONEY,
    )
    for base in BASES
    for part, words in (("base", Text("Base", "Base")), ("tax", Text("IJ", "IJ")))
]
_FIGURE = [
    Column("what", Text("Concepto", "Item")),
    Column("amount", Text("Importe", "Amount"), Kind.MONEY),
    Column("note", Text("Nota", "Note")),
]


@register
class TaxReport(Report):
    """IPJ and IJ of a span, both bases (REC-02); estimated until the operator chose one in writing."""

    identifier = "tables.taxes"
    title = Text("Impuestos: IPJ e IJ", "Taxes: IPJ and IJ")
    rules = ("REC-01", "REC-02", "REC-03", "REC-04", "REC-05")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        first, last = params["first"], params["last"]
        return [
            Section(
                "taxes", Text("Impuestos del período", "Taxes of the span"), _FIGURE,
                lambda: _tax_rows(casino, tax_figures.of_span(casino, first, last)),
            ),
            Section(
                "days", Text("Por día de juego", "By gaming day"), [_DAY, *_INPUTS, *_IJ],
                lambda: _day_rows(casino, params),
            ),
        ]  # fmt: skip

    def particulars(self, casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Cell]]:
        figures = tax_figures.of_span(casino, params["first"], params["last"])
        standing: list[tuple[Text, Cell]] = [(Text("Estado", "State"), FINAL if figures.final else ESTIMATED)]
        if figures.document:
            standing.append((Text("Documento de la base", "Document of the base"), figures.document))
        if figures.uncounted:
            standing.append((Text("Sesiones sin contar", "Sessions not counted"), figures.uncounted))
        if figures.exceptions:
            standing.append((Text("Incidentes abiertos", "Open incidents"), figures.exceptions))
        return [*super().particulars(casino, params), *standing]


def _tax_rows(casino: Casino, figures: tax_figures.Figures) -> Iterator[dict[str, Any]]:
    span = (figures.first, figures.last)
    whole, sales = _behind(casino, *span), _behind(casino, *span, of=_SOLD)
    drops = _behind(casino, *span, of=_AT_TABLES)
    for row in _ipj_rows(figures):
        yield {**row, EVENTS: sales}
    yield {
        "what": Text("IPJ de las fichas vendidas en mesa", "IPJ of chips sold at tables"),
        "amount": figures.due_at_tables,
        "note": Text("calculado, no retenido", "computed, not withheld"),
        EVENTS: drops,
    }
    for row in _ij_rows(figures):
        yield {**row, EVENTS: whole}


def _ipj_rows(figures: tax_figures.Figures) -> Iterator[dict[str, Any]]:
    yield {"what": Text("IPJ retenido", "IPJ withheld"), "amount": figures.inputs.withheld}
    for es, en, amount in (
        ("IPJ: Tesoro, 70 %", "IPJ: Treasury, 70 %", figures.ipj.treasury),
        ("IPJ: departamento, 15 %", "IPJ: department, 15 %", figures.ipj.department),
        ("IPJ: municipio, 15 %", "IPJ: municipality, 15 %", figures.ipj.municipality),
    ):
        yield {"what": Text(es, en), "amount": amount}


def _ij_rows(figures: tax_figures.Figures) -> Iterator[dict[str, Any]]:
    chosen = figures.chosen or figures.provision_base
    for base, words in BASES.items():
        of = figures.ij[base]
        yield {"what": Text(f"Base del IJ: {words.es}", f"Base of the IJ: {words.en}"), "amount": of.base}
        note = Text("elegida", "chosen") if figures.chosen else Text("provisión", "provision")
        yield {
            "what": Text(f"IJ 30 %: {words.es}", f"IJ 30 %: {words.en}"),
            "amount": of.tax,
            "note": note if base == chosen else None,
        }


def _day_rows(casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for day, inputs in tax_figures.inputs_by_day(casino, params["first"], params["last"]).items():
        row: dict[str, Any] = {"day": day, EVENTS: _behind(casino, day, day)}
        for column in _INPUTS:
            row[column.key] = getattr(inputs, column.key)
        for base in BASES:
            of = taxes.ij(inputs, base)
            row |= {f"base_{base}": of.base, f"tax_{base}": of.tax}
        yield row


_SOLD, _AT_TABLES = "sold", "tables"


def _behind(casino: Casino, first: dt.date, last: dt.date, *, of: str = "") -> Callable[[], Named]:
    """What taxes of a span rest on: the receipts of the cage, and what the tables' boxes held."""

    def found() -> Named:
        receipts = _receipts(casino, {"first": first, "last": last}).order_by("pk")
        if of == _SOLD:
            receipts = receipts.filter(kind=CageOperation.Kind.SALE)
        sessions = TableSession.objects.filter(casino=casino, day__date__range=(first, last))
        told = EventsOf(subject=("receipt", tuple(receipts.values_list("pk", flat=True))))
        held = sessions.order_by("pk").values_list("pk", flat=True)
        counted = [EventsOf(streams=behind.streams(held), actions=behind.BOXES)] if held else []
        return {_SOLD: [told], _AT_TABLES: counted}.get(of, [told, *counted])

    return found


FLAGGED = Text("desde USD 3.000 en el día", "USD 3,000 or more in the day")


@register
class ReceiptReport(Report):
    """Every receipt of a span, voids with their sign."""

    identifier = "tables.receipts"
    title = Text("Recibos de caja", "Cage receipts")
    rules = ("REC-03", "REC-05", "REC-07", "REC-13")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("receipt", Text("Recibo", "Receipt")),
            _DAY,
            Column("at", Text("Cuándo", "When"), Kind.INSTANT),
            Column("desk", Text("Ventanilla", "Desk")),
            Column("kind", Text("Clase", "Kind")),
            Column("amount", Text("Importe", "Amount"), Kind.MONEY),
            Column("tax", Text("IPJ", "IPJ"), Kind.MONEY),
            Column("means", Text("Medio de pago", "Means of payment")),
            Column("customer", Text("Cliente", "Customer")),
            Column("document", Text("Documento", "Document")),
            Column("flagged", Text("Umbral de efectivo", "Cash threshold")),
            Column("made_by", Text("Cajero", "Cashier")),
            Column("reverses", Text("Anula", "Voids")),
            Column("approved_by", Text("Aprobó", "Approved")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for row in _receipts(casino, params).iterator(chunk_size=500):
            sign = 1 if row.reverses is None else -1
            yield {
                "receipt": row.label,
                "day": row.day.date,
                "at": row.at,
                "desk": row.desk.name,
                "kind": in_both(CageOperation.Kind(row.kind).label),
                "amount": sign * row.amount,
                "tax": sign * row.tax,
                "means": in_both(CageOperation.Means(row.means).label),
                "customer": row.customer,
                "document": orphans.masked(row.document),
                "flagged": FLAGGED if row.flagged else None,
                "made_by": row.made_by.name,
                "reverses": row.reverses.label if row.reverses else None,
                "approved_by": row.approved_by.name if row.approved_by else None,
                PEOPLE: (("receipt", row.pk),) if row.customer or row.document else (),
                EVENTS: EventsOf(ids=(row.event_id,)),
            }

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int | None:
        return int(_receipts(casino, params).count())


def _receipts(casino: Casino, params: Mapping[str, Any]) -> Any:
    rows = CageOperation.objects.filter(casino=casino, day__date__range=(params["first"], params["last"]))
    people = ("day", "desk", "made_by", "approved_by", "reverses")
    return rows.select_related(*people).order_by("at", "pk")


@register
class TipReport(Report):
    """Who got what of the approved tips of a span."""

    identifier = "tables.tips"
    title = Text("Reparto de propinas", "Tips shared out")
    rules = ("FLOOR-06", "GEN-10")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            _DAY,
            Column("name", Text("Persona", "Person")),
            Column("number", Text("Legajo", "Number")),
            Column("minutes", Text("Minutos", "Minutes"), Kind.INT),
            Column("amount", Text("Importe", "Amount"), Kind.MONEY),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        approved = TipDistribution.objects.filter(
            casino=casino,
            state=TipDistribution.State.APPROVED,
            day__date__range=(params["first"], params["last"]),
        )
        for shared in approved.select_related("day").order_by("day__date"):
            entries = TipEntry.objects.filter(day=shared.day_id).order_by("event")
            rests = (
                EventsOf(subject=("tips", shared.pk)),
                EventsOf(ids=tuple(entries.values_list("event", flat=True))),
            )
            for line in shared.lines:
                yield {
                    "day": shared.day.date,
                    "name": line["name"],
                    "number": line["number"],
                    "minutes": line["seconds"] // 60,
                    "amount": line["amount"],
                    EVENTS: rests,
                }


@register
class OrphanReport(Report):
    """The book of what nobody claimed, entries found in a span (FLOOR-16); documents masked."""

    identifier = "tables.orphans"
    title = Text("Libro de fichas sin dueño", "Book of unclaimed chips")
    rules = ("FLOOR-16",)
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("entry", Text("Asiento", "Entry")),
            Column("found_at", Text("Hallado", "Found"), Kind.INSTANT),
            Column("kind", Text("Clase", "Kind")),
            Column("where", Text("Dónde", "Where")),
            Column("amount", Text("Importe", "Amount"), Kind.MONEY),
            Column("found_by", Text("Encontró", "Found by")),
            Column("witness", Text("Testigo", "Witness")),
            Column("keep_until", Text("Se guarda hasta", "Kept until"), Kind.DATE),
            Column("state", Text("Estado", "State")),
            Column("claimant", Text("Se devolvió a", "Given back to")),
            Column("document", Text("Documento", "Document")),
            Column("closed_at", Text("Salió de custodia", "No longer kept"), Kind.INSTANT),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        first, last = params["first"], params["last"]
        rows = Orphan.objects.filter(casino=casino).select_related(
            "session__table", "session__day", "found_by", "witness", "casino"
        )
        for row in rows.order_by("found_at", "pk").iterator(chunk_size=500):
            if not first <= casino.gaming_day(row.found_at) <= last:
                continue
            yield {
                "entry": row.label,
                "found_at": row.found_at,
                "kind": in_both(Orphan.Kind(row.kind).label),
                "where": " ".join(filter(None, [row.session.label if row.session else "", row.place])),
                "amount": row.amount,
                "found_by": row.found_by.name,
                "witness": row.witness.name,
                "keep_until": row.keep_until,
                "state": in_both(Orphan.State(row.state).label),
                "claimant": row.claimant or None,
                "document": orphans.masked(row.document) or None,
                "closed_at": row.closed_at,
                PEOPLE: (("orphan", row.pk),) if row.claimant else (),
                EVENTS: EventsOf(subject=("orphan", row.pk)),
            }
