"""A table's result explained line by line, each with what it comes from (FLOOR-12)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from casino.kernel.words import Text, same
from tables import results
from tables.models import ChipCount, DropBox, Slip, TableSession


@dataclass(frozen=True, slots=True)
class Source:
    """One thing a line comes from: `kind` is count, slip or box."""

    kind: str
    id: int
    label: Text
    amount: int


@dataclass(frozen=True, slots=True)
class Line:
    """`sign` is how the amount enters the result; `amount` is None while it is not known. Smallest units."""

    code: str
    words: Text
    sign: int
    amount: int | None
    sources: tuple[Source, ...]

    @property
    def signed(self) -> int | None:
        return None if self.amount is None else self.sign * self.amount


@dataclass(frozen=True, slots=True)
class Statement:
    """The lines add up to `result`. `income` is the house's: elsewhere than at a house game the deduction
    alone. `recorded` by the rounds and `boxed`, what deduction boxes held, are compared (FLOOR-14).
    `shows_rounds`: whether what the rounds come to may stand beside the lines yet (FLOOR-11).
    """

    lines: tuple[Line, ...]
    result: int | None
    of_house: bool
    income: int | None
    recorded: int | None
    boxed: int | None
    hold_basis_points: int | None
    reconciled: bool
    shows_rounds: bool

    @property
    def difference(self) -> int | None:
        """Counted in the deduction boxes beyond what rounds recorded, with its sign (FLOOR-14)."""
        return None if self.boxed is None or self.recorded is None else self.boxed - self.recorded


def of(session: TableSession, *, blind: bool = False) -> Statement:
    """The statement of a session as far as it is known. What boxes held is shown once the session is
    counted, and not before (FLOOR-11); `blind`: nor what rounds recorded (`results.veiled`)."""
    counts = {count.moment: count for count in session.counts.all()}
    boxes = list(session.boxes.order_by("pk"))
    counted = session.result is not None
    lines = (
        _counted(
            "closing", Text("Cierre", "Closing"), 1, counts.get(ChipCount.Moment.CLOSING), session.closing
        ),
        _slips("credits", Text("Retiros", "Credits"), session, Slip.Kind.CREDIT, session.credits),
        _boxed("drop", Text("Caja (drop)", "Drop"), boxes, DropBox.Kind.DROP, session.drop, counted),
        *_deduction(boxes, counted),
        _counted(
            "opening", Text("Apertura", "Opening"), -1, counts.get(ChipCount.Moment.OPENING), session.opening
        ),
        _slips("fills", Text("Reposiciones", "Fills"), session, Slip.Kind.FILL, session.fills),
        *_progressive(session),
    )
    house = results.of_house(session)
    boxed = _sum(boxes, DropBox.Kind.DEDUCTION)
    return Statement(
        lines=lines,
        result=session.result,
        of_house=house,
        income=results.income(session),
        recorded=session.commission
        if not house and session.detail == "full" and not results.veiled(session, blind=blind)
        else None,
        boxed=boxed if counted else None,
        hold_basis_points=results.hold_basis_points(session.result, session.drop) if house else None,
        reconciled=session.state == TableSession.State.RECONCILED,
        shows_rounds=session.live or counted,
    )


def _counted(code: str, words: Text, sign: int, count: ChipCount | None, amount: int | None) -> Line:
    signed = Text("conteo firmado por dos", "count signed by two")
    sources = () if count is None else (Source("count", count.pk, signed, count.total),)
    return Line(code, words, sign, amount, sources)


def _slips(code: str, words: Text, session: TableSession, kind: str, amount: int) -> Line:
    slips = Slip.objects.filter(session=session, kind=kind, state=Slip.State.VERIFIED).order_by("pk")
    sources = tuple(Source("slip", slip.pk, same(slip.label), slip.total) for slip in slips)
    return Line(code, words, 1 if kind == Slip.Kind.CREDIT else -1, amount, sources)


def _boxed(
    code: str, words: Text, boxes: Iterable[DropBox], kind: str, amount: int | None, counted: bool
) -> Line:
    sources = tuple(
        Source("box", box.pk, Text(f"caja {box.number}", f"box {box.number}"), box.amount or 0)
        for box in boxes
        if counted and box.kind == kind
    )
    return Line(code, words, 1, amount, sources)


def _deduction(boxes: list[DropBox], counted: bool) -> tuple[Line, ...]:
    """Chips of the deduction lie in a box beside the float: they are counted in like it."""
    kind = DropBox.Kind.DEDUCTION
    if not any(box.kind == kind for box in boxes):
        return ()
    words = Text("Caja de deducciones", "Deduction box")
    return (_boxed("deduction", words, boxes, kind, _sum(boxes, kind) if counted else None, counted),)


def _progressive(session: TableSession) -> tuple[Line, ...]:
    """Chips in the tray that are owed to a pool (PP-28): told where there are any."""
    if not session.progressive:
        return ()
    words = Text("Fichas del progresivo", "Progressive chips")
    return (Line("progressive", words, -1, session.progressive, ()),)


def _sum(boxes: Iterable[DropBox], kind: str) -> int | None:
    amounts = [box.amount or 0 for box in boxes if box.kind == kind]
    return sum(amounts) if amounts else None
