"""What the AJ's inspector may be led to and count on the floor (REC-11): floats, and the pack of a table.

Each figure is read with its session locked, so that it is of the moment the inspector's count is recorded;
nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from audits.by import By
from audits.inspections.subjects import (
    Countable,
    Expected,
    Spot,
    Target,
    Unit,
    register_countable,
    register_tables,
)
from audits.trail import Subject
from casino.kernel import locking
from casino.kernel.errors import Conflict, NotFound
from casino.kernel.words import Text
from casino.models import Casino
from shoes.counting import count_of
from shoes.models import Shoe
from tables.alerts.float_checks import expectation
from tables.models import FloatCheck, Table, TableSession

_BASIS = {
    FloatCheck.Basis.LEDGER.value: Text(
        "según el libro: apertura, reposiciones, retiros y cada apuesta, menos lo vendido por efectivo",
        "by the ledger: opening, fills, credits and every bet, less what was sold for cash",
    ),
    FloatCheck.Basis.ESTIMATE.value: Text(
        "estimación: falta lo que nadie anota en esta mesa (apuestas, o fichas vendidas por efectivo)",
        "an estimate: it lacks what nobody notes at this table (bets, or chips sold for cash)",
    ),
}
_PACK = Text(
    "todas las cartas del mazo: las del sabot, las descartadas, las quemadas y las que están en la mesa",
    "every card of the pack: those in the shoe, discarded, burned and on the table",
)


def spots(casino: Casino) -> Sequence[Spot]:
    """The tables in service, and which of them have their float on the table now."""
    live = set(_live(casino).values_list("table_id", flat=True))
    rows = Table.objects.filter(casino=casino, active=True).order_by("name")
    return [Spot(table.pk, table.name, table.pk in live) for table in rows]


def floats(casino: Casino) -> Sequence[Target]:
    return [_target(session) for session in _live(casino)]


def packs(casino: Casino) -> Sequence[Target]:
    return [_target(session) for session in _live(casino).exclude(shoe=None)]


def expected_float(session_id: int, cash: int | None, by: By) -> Expected:
    """The float a session should hold now (FLOOR-05). Raises `NotFound`."""
    session = _held(session_id, by)
    basis, amount = expectation(session, cash)
    return Expected(
        Subject("session", session.pk, session.label),
        amount,
        _BASIS[basis],
        {"detail": session.detail, "last_round": session.last_round},
        table=session.table_id,
        table_label=session.table.name,
    )


def expected_pack(session_id: int, aside: int | None, by: By) -> Expected:
    """How many cards the pack of a session's shoe holds in all (CARD-42). Raises `NotFound`, `Conflict`."""
    session = _held(session_id, by)
    locking.taking(locking.Rank.SHOE)
    shoe = Shoe.objects.select_for_update(of=("self",), no_key=True).filter(pk=session.shoe_id or 0).first()
    if shoe is None:
        raise Conflict(
            Text(
                f"{session.label} no tiene sabot ahora: cuente su mazo cuando lo carguen",
                f"{session.label} has no shoe now: count its pack once it is loaded",
            ),
            code="no_shoe",
            rule="REC-11",
        )
    count = count_of(shoe)
    where = {"remaining": count.remaining, "discarded": count.discarded, "burned": count.burned}
    return Expected(
        Subject("shoe", shoe.pk, shoe.label),
        count.total,
        _PACK,
        {**where, "dealt": count.dealt, "session": session.label},
        table=session.table_id,
        table_label=session.table.name,
    )


def _live(casino: Casino) -> QuerySet[TableSession]:
    rows = TableSession.objects.filter(casino=casino, state__in=TableSession.LIVE)
    return rows.select_related("table", "day").order_by("table__name")


def _held(session_id: int, by: By) -> TableSession:
    locking.taking(locking.Rank.SESSION)
    rows = TableSession.objects.select_for_update(of=("self",), no_key=True).select_related(
        "table", "day", "casino"
    )
    found = rows.filter(casino=by.casino, state__in=TableSession.LIVE, pk=session_id).first()
    if found is None:
        raise NotFound(
            Text("esa mesa no está abierta ahora", "that table is not open now"),
            code="no_session",
            field="target",
        )
    return found


def _target(session: TableSession) -> Target:
    return Target(session.pk, session.label, session.table_id, session.table.name)


def register() -> None:
    register_tables(spots)
    register_countable(
        Countable(
            "tables.float",
            Text("fondo de fichas de la mesa", "the table's float of chips"),
            Unit.CHIPS,
            floats,
            expected_float,
            aside=Text(
                "Vendido por efectivo en la mesa hasta ahora, según su anotación",
                "Sold for cash at the table so far, as it has it noted",
            ),
        )
    )
    register_countable(
        Countable(
            "tables.pack", Text("cartas del mazo", "cards of the pack"), Unit.CARDS, packs, expected_pack
        )
    )
