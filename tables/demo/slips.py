"""The demonstration's chips: desks, chips and plaques bought; and fills and credits of tonight.

slips.stock(house, at)              before any table opens
slips.evening(house, now)           once the tables of tonight are in play
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from tables.demo.filings import CHIP_MAKER
from tables.demo.house import BOB, House, recorded_at
from tables.models import Assignment, CageDesk, CageTransfer, ChipSet, Slip, TableSession
from tables.money import chip_entries, chip_sets, desks, slips, transfers

CHIPS = {BOB * value: 12_000 for value in (1, 5, 25, 100, 500, 1_000)}
PLAQUES = {BOB * 5_000: 300}
FILL = {BOB * 25: 40, BOB * 100: 30, BOB * 500: 10}
"""40 x 25 + 30 x 100 + 10 x 500 = BOB 9.000."""
CREDIT = {BOB * 1_000: 5}


def stock(house: House, at: dt.datetime) -> None:
    """Desks and sets as settings of `at`; chips bought for the vault, and some of them given to the desks."""
    with recorded_at(at):
        _settings(house, at)
    chip_entries.receive_chips(
        chips={**CHIPS, **PLAQUES},
        supplier=CHIP_MAKER,
        document="Factura 2208 y acta de ingreso",
        serials=" ".join(f"PL-{number:04d}" for number in range(1, sum(PLAQUES.values()) + 1)),
        with_=house.users["compliance"].actor,
        by=house.by("cage", at),
    )
    for desk in CageDesk.objects.filter(casino=house.casino).order_by("number"):
        supply(house, desk, {**dict.fromkeys(CHIPS, 800), **dict.fromkeys(PLAQUES, 40)}, at)


def _settings(house: House, at: dt.datetime) -> None:
    by = house.by("admin", at, "puesta en marcha de la demostración")
    for number, name in ((1, "Caja central"), (2, "Caja VIP")):
        desks.set_desk(number=number, name=name, by=by)
    chip_sets.set_chip_set(
        name="Fichas de la casa",
        kind=ChipSet.Kind.CHIP,
        marks="canto de ocho marcas, escudo de la casa",
        denominations=list(CHIPS),
        by=by,
    )
    chip_sets.set_chip_set(
        name="Placas", kind=ChipSet.Kind.PLAQUE, marks="numeradas", denominations=list(PLAQUES), by=by
    )


def supply(house: House, desk: CageDesk, chips: Mapping[int, int], at: dt.datetime) -> None:
    """Chips of the vault for a desk: the cage asks, the pit boss accepts what was counted."""
    asked = transfers.request_transfer(
        desk=desk,
        direction=CageTransfer.Direction.TO_CAGE,
        chips_moved=chips,
        cash={},
        by=house.by("cage", at),
    )
    transfers.accept_transfer(transfer=asked, by=house.by("pitboss", at))


def evening(house: House, now: dt.datetime) -> None:
    """A fill done and one of each step: asked for, on its way, void; and a credit."""
    desk = desks.desk_of(house.casino, 1)
    _done(house, desk, "PB-01", Slip.Kind.FILL, FILL, now)
    _done(house, desk, "BJ-01", Slip.Kind.CREDIT, CREDIT, now)
    _done(house, desk, "PB-04", Slip.Kind.FILL, {BOB * 5_000: 4}, now)
    spoilt = _asked(house, desk, "PB-03", Slip.Kind.FILL, FILL, now)
    slips.void_slip(
        slip=spoilt,
        with_=house.users["cage"].actor,
        by=house.by("supervisor", now, "se pidió para otra mesa"),
    )
    _issued(house, desk, "PB-02", Slip.Kind.FILL, FILL, now)
    _asked(house, desk, "TC-01", Slip.Kind.FILL, {BOB * 100: 50}, now)


def _asked(
    house: House, desk: CageDesk, table: str, kind: Slip.Kind, chips: Mapping[int, int], at: dt.datetime
) -> Slip:
    session = TableSession.objects.get(table=house.tables[table], state__in=TableSession.LIVE)
    by = house.by("supervisor", max(at, session.last_at))
    return slips.request_slip(session=session, kind=kind, chips=chips, desk=desk, by=by)


def _issued(
    house: House, desk: CageDesk, table: str, kind: Slip.Kind, chips: Mapping[int, int], at: dt.datetime
) -> Slip:
    slip = _asked(house, desk, table, kind, chips, at)
    by = house.by("cage", max(at, slip.session.last_at))
    return slips.issue_slip(slip=slip, runner="Wálter Mercado, seguridad", by=by)


def _done(
    house: House, desk: CageDesk, table: str, kind: Slip.Kind, chips: Mapping[int, int], at: dt.datetime
) -> Slip:
    slip = _issued(house, desk, table, kind, chips, at)
    dealing = Assignment.objects.get(session=slip.session, post__in=Assignment.DEALING, during__endswith=None)
    by = house.by("pitboss", max(at, slip.session.last_at))
    return slips.verify_slip(slip=slip, chips=chips, dealer=dealing.staff, by=by)
