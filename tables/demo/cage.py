"""The demonstration's cage: capital, desks counted open, an evening of receipts, tips, an unclaimed stake.

cage.begin(house, at)           after slips.stock, before any table opens
cage.evening(house, now)        once the tables of tonight are in play
"""

from __future__ import annotations

import datetime as dt

from casino.models import GamingDay
from tables import chips
from tables.demo.house import BOB, House
from tables.models import CageDesk, TableSession
from tables.money import cage, cage_counts, funds, inventory, orphans, tips, transfers

CAPITAL = 12_000_000 * BOB
CASH = {BOB * value: number for value, number in ((200, 300), (100, 200), (50, 100), (10, 200))}
"""60.000 + 20.000 + 5.000 + 2.000 = BOB 87.000 for each desk."""
SALES = (
    {100 * BOB: 10},
    {25 * BOB: 20, 100 * BOB: 5},
    {500 * BOB: 4},
    {5 * BOB: 20, 25 * BOB: 16},
    {1_000 * BOB: 3},
    {100 * BOB: 8, 25 * BOB: 8},
)
REDEEMED = ({100 * BOB: 12}, {500 * BOB: 3, 25 * BOB: 6})
TIPS = {5 * BOB: 30, 25 * BOB: 14}


def begin(house: House, at: dt.datetime) -> None:
    """Capital in the vault, cash in the drawers, each desk counted open by the cashier and a supervisor."""
    signed = house.users["compliance"].actor
    funds.bring_capital(
        amount=CAPITAL, document="Acta de directorio 14/2026", with_=signed, by=house.by("cage", at)
    )
    for desk in CageDesk.objects.filter(casino=house.casino, active=True).order_by("number"):
        asked = transfers.request_transfer(
            desk=desk, direction="to_cage", chips_moved={}, cash=CASH, by=house.by("cage", at)
        )
        transfers.accept_transfer(transfer=asked, by=house.by("pitboss", at))
        cage_counts.count_desk(
            desk=desk,
            moment="opening",
            chips_counted=inventory.stock_of(house.casino, desk.account),
            cash=CASH,
            with_=house.users["supervisor"].actor,
            by=house.by("cage", at),
        )


def evening(house: House, now: dt.datetime) -> None:
    """Two hours at the first desk: sales, redemptions, an exchange, a void, and a transfer that waits."""
    desk = CageDesk.objects.filter(casino=house.casino, active=True).order_by("number").first()
    assert desk is not None
    began = now - dt.timedelta(minutes=len(SALES) * 9)
    for place, given in enumerate(SALES):
        at = began + dt.timedelta(minutes=place * 9)
        price = chips.total(given)
        sold = cage.sell_chips(desk=desk, price=price, chips_given=given, by=house.by("cage", at))
        if place < len(REDEEMED):
            cage.redeem_chips(desk=desk, chips_taken=REDEEMED[place], by=house.by("cage", at))
    cage.void_receipt(
        operation=sold,
        approved_by=house.users["pitboss"].actor,
        by=house.by("cage", now, "el cliente pidió otras fichas"),
    )
    cage.exchange_chips(
        desk=desk, chips_taken={100 * BOB: 5}, chips_given={500 * BOB: 1}, by=house.by("cage", now)
    )
    transfers.request_transfer(
        desk=desk, direction="to_vault", chips_moved={}, cash={200 * BOB: 20}, by=house.by("cage", now)
    )
    _tips(house, now)
    _orphan(house, now)


def _tips(house: House, now: dt.datetime) -> None:
    """Tips of the tables of the night that is over; drafted, waiting for its two signatures."""
    over = TableSession.objects.filter(casino=house.casino, closed_at__isnull=False, day__state="open")
    first = over.order_by("day__date", "pk").first()
    if first is None:
        return
    day = GamingDay.objects.get(pk=first.day_id)
    for session in over.filter(day=day).order_by("pk"):
        tips.enter_tips(session=session, chips_counted=TIPS, by=house.by("supervisor", now))
    if not TableSession.objects.filter(day=day, state__in=TableSession.LIVE).exists():
        tips.draft_tips(day=day, by=house.by("supervisor", now))


def _orphan(house: House, now: dt.datetime) -> None:
    """A stake left behind at a table in play."""
    live = TableSession.objects.filter(casino=house.casino, state=TableSession.State.OPEN)
    session = live.order_by("table__name").first()
    people = [person for person in house.staff.values() if person.active]
    chief = next(person for person in people if person.supervises)
    finder = next(person for person in people if not person.supervises)
    by = house.by("supervisor", max(now, session.last_at) if session else now)
    orphans.enter_orphan(
        kind="stake",
        chips_found={25 * BOB: 3},
        found_by=finder,
        witness=chief,
        session=session,
        place="posición 4" if session else "pasillo",
        by=by,
    )
