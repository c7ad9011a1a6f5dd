"""Two sealed nights of a small house, the key rotated between them, and bundles made of them.

nights = two_nights()                 everything by the write functions
nights.bundle(tmp_path)               the zip a worker would make, as a path
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audits import days
from audits.bundles import making, order
from audits.bundles import span as spans
from audits.incidents import resolve_incident
from audits.models import Seal
from audits.reports import forms, get, snapshot
from audits.sealing import keeping, sealing
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import rounds
from tables.models import TableSession
from tables.money import differences
from tests.builders import BOB, FLOAT, NATURAL, NIGHT, House, a_house, bets, cards

CLOSING_HOURS = dt.timedelta(hours=5)
SEALING_HOURS = dt.timedelta(hours=14)
"""Noon in La Paz the day after: the gaming day ended at six."""
NAME = 'Íñigo "Ñato" \u202eotreblA =1+1'
"""A croupier's name with ñ, quotes, a mark that turns the line around, and a formula."""
REPORTS = ("tables.rounds", "tables.results", "tables.day")


@dataclass
class Nights:
    house: House
    days: list[str]

    def params(self, **given: Any) -> dict[str, Any]:
        asked = {"first": self.days[0], "last": self.days[-1], "reports": list(REPORTS)}
        return forms.read(order.BundleForm, self.house.casino, {**asked, **given})

    def span(self, **given: Any) -> spans.Span:
        return order._span(self.house.casino, self.params(**given))

    def bundle(self, folder: Path, name: str = "paquete.zip", **given: Any) -> Path:
        path = folder / name
        chosen = [get(report) for report in self.params(**given)["reports"]]
        with snapshot.one_moment():
            making.write(self.span(**given), chosen, "es-bo", path, lambda rows: None)
        return path


def two_nights(settings: Any, folder: Path, *, lost: bool = False) -> Nights:
    """With the key rotated between them, or replaced as lost: then the old one introduces nobody."""
    settings.KEYS_ROOT = folder / "llaves"
    house = a_house()
    dates = []
    for n in range(2):
        at = NIGHT + dt.timedelta(days=n)
        with clock.standing_at(at - dt.timedelta(hours=2)):
            if n and lost:
                by = house.by(Role.ADMINISTRATOR, clock.now(), "se perdió el archivo")
                keeping.replace_lost_key(second=house.users[Role.COMPLIANCE].actor, by=by)
            elif n:
                keeping.rotate_key(by=house.by(Role.ADMINISTRATOR, clock.now(), "cambio anual"))
            else:
                keeping.make_key(by=house.by(Role.ADMINISTRATOR, clock.now(), "primera llave"))
        dates.append(_night(house, at, n))
    return Nights(house, dates)


def _night(house: House, at: dt.datetime, n: int) -> str:
    session = house.open_table(detail="full", at=at, dealer=n)
    house.log(session, [*bets((3, "punto", 100), (4, "banca", 50), (4, "tie", 10)), *NATURAL], at=at)
    settled = house.log(
        session, [*bets((1, "banca", 115), (1, "tie", 5)), *cards("2d 3h Kc", "5c 2s")], at=at + _minutes(3)
    )
    house.log(session, [*bets((7, "punto", 25)), *cards("Kd 9h", "5d 2h")], at=at + _minutes(6))
    if n:
        rounds.void(
            round=settled,
            approved_by=house.users[Role.SUPERVISOR].actor,
            cards_came_out=True,
            by=house.by(Role.PIT_BOSS, at + _minutes(8), "pase anotado dos veces"),
        )
    closed = house.close(session, FLOAT, at=at + CLOSING_HOURS, drop=300 * BOB)
    _settled(house, closed, at + CLOSING_HOURS)
    with clock.standing_at(at + SEALING_HOURS):
        day = session.day
        days.close_day(day=day, by=house.by(Role.COMPLIANCE, clock.now()))
        day.refresh_from_db()
        assert day.state == "closed", day.held_by
        seal = sealing.seal_day(day=day, by=house.by(Role.COMPLIANCE, clock.now()))
        assert isinstance(seal, Seal)
    return str(day)


def _settled(house: House, session: TableSession, at: dt.datetime) -> None:
    """What its money differs from the rounds is reported and settled, or the night would not be sealed."""
    by = house.by(Role.PIT_BOSS, at)
    incident = differences.open_about(house.casino.pk, [session.pk]).first()
    if incident is None:
        incident = differences.open_difference(session=session, by=by)
    resolve_incident(
        incident=incident,
        resolution="Fichas que nadie vio salir.",
        rule_applied="FLOOR-05",
        with_=house.users[Role.SUPERVISOR].actor,
        by=by,
    )


def _minutes(number: int) -> dt.timedelta:
    return dt.timedelta(minutes=number)
