"""The demonstration evening: one night that is over and waits for the nightly job, tables in play now."""

from __future__ import annotations

import datetime as dt

from audits import incidents
from casino.kernel import clock
from shoes.procedures import procedure_of
from tables import chips, closings, openings, queries, rounds, sessions
from tables.crew import dealing_post
from tables.demo import (
    alerts,
    bank,
    boxes,
    cage,
    card_room,
    inspection,
    life,
    rooms,
    roster,
    rotation,
    seating,
    slips,
)
from tables.demo.house import BOB, CUTOFF, PLANS, ZONE, House, build
from tables.demo.night import Dealing
from tables.demo.packs import Store
from tables.games import registry
from tables.models import Staff, Table, TableSession
from tables.money import differences, floats
from tables.results import of_house

FLOAT = {
    BOB * value: number
    for value, number in ((1, 200), (5, 200), (25, 400), (100, 300), (500, 120), (1_000, 60), (5_000, 10))
}
"""BOB 211.200 in chips: 200 + 1.000 + 10.000 + 30.000 + 60.000 + 60.000 + 50.000. A table whose usual float
is larger begins with so many more chips of 1.000 (FLOOR-09)."""
TO_USUAL = 1_000 * BOB

ROUNDS_NOW = {
    "PB-01": 34, "PB-02": 42, "PB-03": 38, "PB-04": 27, "PB-05": 45, "BJ-01": 11, "BJ-02": 9, "RU-01": 20,
    "TC-01": 12, "CP-01": 12, "TX-01": 14,
}  # fmt: skip
"""The tables in play, and how many rounds each has had."""
IN_PROGRESS = ("PB-02", "BJ-01")
MINUTES_APART = 2.5
RELIEVED_AGO = {
    "PB-01": 34, "PB-02": 12, "PB-03": 22, "PB-04": 47, "BJ-01": 18, "BJ-02": 41, "RU-01": 8, "TC-01": 27,
    "CP-01": 15, "TX-01": 30,
}  # fmt: skip
"""Minutes since the last relief; at PB-05 it is overdue, which the floor shows (FLOOR-03)."""
HELPERS = {"PB-01": 2, "PB-04": 1, "TC-01": 2}
"""Payers and support dealers. PB-04 lacks its second payer, which the floor shows (FLOOR-02)."""


def make(now: dt.datetime | None = None) -> House:
    """Make the demo casino as of `now` (UTC). Some ten seconds; refused where one exists."""
    now = now or clock.now()
    today, _ = clock.day_bounds(clock.gaming_day(now, ZONE, CUTOFF), ZONE, CUTOFF)
    yesterday = today - dt.timedelta(hours=10)  # eight in the evening
    house = build(founded=yesterday - dt.timedelta(hours=3))
    store = Store(house, decks_wanted=_decks_wanted(), at=yesterday - dt.timedelta(hours=2))
    card_room.set_up(house, store, yesterday - dt.timedelta(minutes=100))
    boxes.hire(house, yesterday - dt.timedelta(minutes=100))
    bank.lay_table(house, yesterday - dt.timedelta(hours=2))
    rooms.lay(house, yesterday - dt.timedelta(hours=2))
    slips.stock(house, yesterday - dt.timedelta(minutes=95))
    cage.begin(house, yesterday - dt.timedelta(minutes=90))
    _last_night(house, store, "PB-01", yesterday, seed=11, count=58, drop=42_000, short=0)
    _last_night(
        house, store, "PB-06", yesterday + dt.timedelta(minutes=20), seed=23, count=44, drop=18_500, short=25
    )
    card_room.count_shoes(house, yesterday + dt.timedelta(hours=5))
    # Within the day that is on, unless it has hardly begun: then the tables are those of a long night.
    began = max(today + dt.timedelta(minutes=1), now - dt.timedelta(hours=2, minutes=30))
    began = min(began, now - dt.timedelta(minutes=45))
    _one_closed_today(house, store, began, now)
    for place, name in enumerate(name for name in ROUNDS_NOW if name in house.tables):
        _in_play(house, store, name, began, now, seed=100 + place, count=ROUNDS_NOW[name])
    store.prepare("baccarat.punto_banca", "SB-20", began, 31)
    store.prepare("baccarat.mini", "SB-21", began, 32, up_to="cut")
    bank.evening(house, store, now, _float(house.tables[bank.NAME], now))
    _around_the_tables(house, now)
    return house


def _around_the_tables(house: House, now: dt.datetime) -> None:
    """What else goes on in the house that evening: money, people, plans, alerts."""
    seating.furnish(house, now)
    slips.evening(house, now)
    cage.evening(house, now)
    roster.furnish(house, now)
    rotation.furnish(house, now)
    life.evening(house, now)
    rooms.evening(house, now)
    alerts.evening(house, now)
    inspection.evening(house, now)


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
            fresh = store.prepare(session.game, f"SB-{40 + seed}", instant, seed + 1, place=name)
            sessions.load_shoe(
                session=session, shoe=fresh.shoe, by=house.by("supervisor", instant, "cambio de sabot")
            )
            dealing.change_pack(fresh)
    _void_one(house, session, at + dt.timedelta(minutes=4 + MINUTES_APART * count))
    closing = at + dt.timedelta(minutes=10 + MINUTES_APART * count)
    closed = _close(house, session, closing, drop * BOB, short * BOB)
    counted = closing + dt.timedelta(minutes=40)
    boxes.counted_out(house, closed, drop * BOB, counted)
    for incident in differences.open_about(house.casino.pk, [closed.pk]):
        incidents.resolve_incident(
            incident=incident,
            resolution="Se revisaron los pases: falta una ficha que nadie encontró; queda como faltante.",
            rule_applied="FLOOR-05",
            with_=house.by("supervisor", counted).actor,
            by=house.by("compliance", counted + dt.timedelta(minutes=30)),
        )


def _one_closed_today(house: House, store: Store, began: dt.datetime, now: dt.datetime) -> None:
    """A table that was open for a while today and is closed, its drop still to be counted."""
    session, dealing = _open(house, store, "PB-06", began, seed=57)
    step = (now - began) / 40
    for place in range(12):
        dealing.deal(began + step * (place + 1))
    closed = _close(house, session, began + step * 14, 6_000 * BOB, 0)
    boxes.waiting(house, closed, 6_000 * BOB, began + step * 15)


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
    if name in IN_PROGRESS:
        dealing.begin(began + step * (count + 1))


def _open(house: House, store: Store, name: str, at: dt.datetime, seed: int) -> tuple[TableSession, Dealing]:
    table = house.tables[name]
    place = _place(name)
    prepared = at - dt.timedelta(minutes=30)
    has_cards = bool(registry.game(table.game).deck_type)
    box = f"SB-{seed}"
    pack = store.prepare(table.game, box, prepared, seed, place=name) if has_cards else None
    dealer, supervisor = _croupiers(house)[place], _supervisors(house)[place]
    by = house.by("supervisor" if place % 2 == 0 else "supervisor2", at)
    session = openings.open_session(
        table=table,
        shoe=pack.shoe if pack else None,
        chips_counted=_float(table, at),
        dealer=dealer,
        supervisor=supervisor,
        payers=_helpers(house, name),
        by=by,
    )
    boxes.put_on(house, session, at)
    if not of_house(session):
        boxes.put_on(house, session, at, kind="deduction")
    logs_as = "tablet1" if table.detail == "cards" else "pitboss"
    return session, Dealing(house, session, pack, seed, logs_as)


def _float(table: Table, at: dt.datetime) -> dict[int, int]:
    """What a table opens on: the chips it closed on the last time (FLOOR-05); the first time the house's
    usual float, so that none is flagged."""
    last = queries.previous_closing(table)
    if last is not None:
        return chips.loaded(last.chips)
    lacking = (floats.usual_now(table, at) or 0) - sum(chip * many for chip, many in FLOAT.items())
    return FLOAT | {TO_USUAL: FLOAT[TO_USUAL] + max(0, -(-lacking // TO_USUAL))}


def _relieve(house: House, session: TableSession, at: dt.datetime) -> None:
    relief = _croupiers(house)[len(PLANS) + _place(session.table.name)]
    post = dealing_post(session.game)
    sessions.relieve(session=session, staff=relief, post=post, by=house.by("supervisor", at))


def _close(house: House, session: TableSession, at: dt.datetime, drop: int, short: int) -> TableSession:
    """Count what the rounds and the drop explain, `short` less; the table opens on it the next time."""
    session.refresh_from_db()
    place = _place(session.table.name)
    value = session.opening + session.house_result - drop - short
    return closings.close_session(
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
    """A count of a given value: the usual float with what it won or lost, in the largest chips."""
    counted, off = dict(FLOAT), value - chips.total(FLOAT)
    for denomination in sorted(FLOAT, reverse=True):
        moved = max(-counted[denomination], int(off / denomination))
        counted[denomination] += moved
        off -= moved * denomination
    assert off == 0
    return counted


def _place(name: str) -> int:
    return next(n for n, plan in enumerate(PLANS) if plan.name == name)


def _decks_wanted() -> int:
    """What the shoes and packs of the night take: one a table in play, and seven more of six decks."""
    used = [plan.game for plan in PLANS if plan.name in ROUNDS_NOW and registry.game(plan.game).deck_type]
    return sum(procedure_of(game).decks_default for game in used) + 7 * 6


def _helpers(house: House, name: str) -> list[Staff]:
    """Payers or support dealers, the last of the croupiers, each at one table."""
    free = _croupiers(house)[2 * len(PLANS) :]
    before = sum(many for other, many in HELPERS.items() if other < name)
    return free[before : before + HELPERS.get(name, 0)]


def _croupiers(house: House) -> list[Staff]:
    return [person for person in house.staff.values() if not person.supervises]


def _supervisors(house: House) -> list[Staff]:
    return [person for person in house.staff.values() if person.supervises]
