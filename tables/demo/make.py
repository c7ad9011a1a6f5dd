"""The demonstration evening: one night that is over and waits for the nightly job, tables in play now."""

from __future__ import annotations

import datetime as dt

from casino.kernel import clock
from tables import rounds, sessions
from tables.crew import dealing_post
from tables.demo.house import BOB, CUTOFF, PLANS, ZONE, House, build
from tables.demo.night import Dealing
from tables.demo.packs import Pack, Store
from tables.models import Staff, TableSession

FLOAT = {
    BOB * value: number
    for value, number in ((1, 200), (5, 200), (25, 400), (100, 300), (500, 120), (1_000, 60), (5_000, 10))
}
"""BOB 231.200 in chips."""

OPEN_NOW = ("PB-01", "PB-02", "PB-03", "PB-04", "PB-05")
ROUNDS_NOW = (34, 42, 38, 27, 45)
MINUTES_APART = 2.5
RELIEVED_AGO = {"PB-01": 34, "PB-02": 12, "PB-03": 22, "PB-04": 47}
"""Minutes since the last relief; at PB-05 it is overdue, which the floor shows (FLOOR-03)."""
PAYERS = {"PB-01": (12, 13), "PB-04": (14,)}
"""Places among the croupiers. PB-04 lacks its second payer, which the floor shows (FLOOR-02)."""


def make(now: dt.datetime | None = None) -> House:
    """Make the demo casino as of `now` (UTC). Some ten seconds; refused where one exists."""
    now = now or clock.now()
    today, _ = clock.day_bounds(clock.gaming_day(now, ZONE, CUTOFF), ZONE, CUTOFF)
    yesterday = today - dt.timedelta(hours=10)  # eight in the evening
    house = build(founded=yesterday - dt.timedelta(hours=3))
    store = Store(house, shoes_wanted=len(OPEN_NOW) + 6, at=yesterday - dt.timedelta(hours=2))
    _last_night(house, store, "PB-01", yesterday, seed=11, count=58, drop=42_000, short=0)
    _last_night(
        house, store, "PB-06", yesterday + dt.timedelta(minutes=20), seed=23, count=44, drop=18_500, short=25
    )
    # Within the day that is on, unless it has hardly begun: then the tables are those of a long night.
    began = max(today + dt.timedelta(minutes=1), now - dt.timedelta(hours=2, minutes=30))
    began = min(began, now - dt.timedelta(minutes=45))
    _one_closed_today(house, store, began, now)
    for place, (name, count) in enumerate(zip(OPEN_NOW, ROUNDS_NOW, strict=True)):
        _in_play(house, store, name, began, now, seed=100 + place, count=count)
    store.prepare("baccarat.punto_banca", "SB-20", began, 31)
    store.prepare("baccarat.mini", "SB-21", began, 32, up_to="cut")
    return house


def _last_night(
    house: House, store: Store, name: str, at: dt.datetime, *, seed: int, count: int, drop: int, short: int
) -> None:
    """A session of yesterday, closed and its drop counted; the day itself waits for the nightly job."""
    session, dealing = _open(house, store, name, at, seed)
    for place in range(count):
        instant = at + dt.timedelta(minutes=2 + MINUTES_APART * place)
        if place == count // 2:
            _relieve(house, session, instant)
        if dealing.deal(instant) is None:
            fresh = store.prepare(session.game, f"SB-{40 + seed}", instant, seed + 1)
            sessions.load_shoe(
                session=session, shoe=fresh.shoe, by=house.by("supervisor", instant, "cambio de sabot")
            )
            dealing.change_pack(fresh)
    _void_one(house, session, at + dt.timedelta(minutes=4 + MINUTES_APART * count))
    closing = at + dt.timedelta(minutes=10 + MINUTES_APART * count)
    closed = _close(house, session, closing, drop * BOB, short * BOB)
    counted = closing + dt.timedelta(minutes=40)
    sessions.record_drop(session=closed, drop=drop * BOB, by=house.by("cage", counted))


def _one_closed_today(house: House, store: Store, began: dt.datetime, now: dt.datetime) -> None:
    """A table that was open for a while today and is closed, its drop still to be counted."""
    session, dealing = _open(house, store, "PB-06", began, seed=57)
    step = (now - began) / 40
    for place in range(12):
        dealing.deal(began + step * (place + 1))
    _close(house, session, began + step * 14, 6_000 * BOB, 0)


def _in_play(
    house: House, store: Store, name: str, began: dt.datetime, now: dt.datetime, *, seed: int, count: int
) -> None:
    session, dealing = _open(house, store, name, began, seed)
    step = (now - began) / (count + 3)
    relief = now - dt.timedelta(minutes=RELIEVED_AGO[name]) if name in RELIEVED_AGO else None
    for place in range(count):
        instant = began + step * (place + 1)
        if relief is not None and began < relief <= instant:
            _relieve(house, session, relief)
            relief = None
        dealing.deal(instant)
    if name == "PB-02":
        dealing.begin(began + step * (count + 1))


def _open(house: House, store: Store, name: str, at: dt.datetime, seed: int) -> tuple[TableSession, Dealing]:
    table = house.tables[name]
    place = _place(name)
    prepared = at - dt.timedelta(minutes=30)
    pack: Pack = store.prepare(table.game, f"SB-{seed}", prepared, seed)
    dealer, supervisor = _croupiers(house)[place], _supervisors(house)[place]
    by = house.by("supervisor" if place % 2 == 0 else "supervisor2", at)
    session = sessions.open_session(
        table=table,
        shoe=pack.shoe,
        chips_counted=FLOAT,
        dealer=dealer,
        supervisor=supervisor,
        payers=[_croupiers(house)[n] for n in PAYERS.get(name, ())],
        by=by,
    )
    logs_as = "tablet1" if table.detail == "cards" else "pitboss"
    return session, Dealing(house, session, pack, seed, logs_as)


def _relieve(house: House, session: TableSession, at: dt.datetime) -> None:
    relief = _croupiers(house)[6 + _place(session.table.name)]
    post = dealing_post(session.game)
    sessions.relieve(session=session, staff=relief, post=post, by=house.by("supervisor", at))


def _close(house: House, session: TableSession, at: dt.datetime, drop: int, short: int) -> TableSession:
    """Count what the rounds and the drop explain, `short` less."""
    session.refresh_from_db()
    place = _place(session.table.name)
    value = session.opening + session.house_result - drop - short
    return sessions.close_session(
        session=session,
        chips_counted=_chips_worth(value),
        counted_by=_croupiers(house)[place],
        witnessed_by=_supervisors(house)[place],
        by=house.by("supervisor", at),
    )


def _void_one(house: House, session: TableSession, at: dt.datetime) -> None:
    """One round of the night was logged twice and is voided by the pit boss with a supervisor."""
    last = session.rounds.order_by("-number").first()
    assert last is not None
    by = house.by("pitboss", at, "se registró dos veces el mismo pase")
    approver = house.users["supervisor"].actor
    rounds.void(round=last, approved_by=approver, cards_came_out=False, by=by)


def _chips_worth(value: int) -> dict[int, int]:
    """A count of a given value, in the fewest chips."""
    counted: dict[int, int] = {}
    for denomination in sorted(FLOAT, reverse=True):
        counted[denomination], value = divmod(value, denomination)
    assert value == 0
    return counted


def _place(name: str) -> int:
    return next(n for n, plan in enumerate(PLANS) if plan.name == name)


def _croupiers(house: House) -> list[Staff]:
    return [person for person in house.staff.values() if not person.supervises]


def _supervisors(house: House) -> list[Staff]:
    return [person for person in house.staff.values() if person.supervises]
