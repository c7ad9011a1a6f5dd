"""A house with a desk, chips in its vault and a table in play, made by the write functions alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from audits.by import By, by_system, by_user
from audits.people import create_user
from casino.kernel.permissions import Role
from casino.models import User
from tables.models import CageDesk, Slip, TableSession
from tables.money import chip_entries, desks, slips
from tests.builders import BOB, NIGHT, PASSWORD, House

LATER = NIGHT + dt.timedelta(minutes=30)
FILL = {25 * BOB: 40, 100 * BOB: 10}
"""40 x 25 + 10 x 100 = BOB 2.000."""
FILL_TOTAL = 2_000 * BOB
BOUGHT = {25 * BOB: 1_000, 100 * BOB: 1_000, 500 * BOB: 200, 1_000 * BOB: 50}
"""25.000 + 100.000 + 100.000 + 50.000 = BOB 275.000."""
NOON = NIGHT - dt.timedelta(hours=6)


def a_desk(house: House, number: int = 1) -> CageDesk:
    by = house.by(Role.ADMINISTRATOR, reason="apertura de la caja")
    return desks.set_desk(number=number, name=f"Caja {number}", by=by)


def another(house: House, role: Role) -> User:
    """One more person of a role."""
    count = User.objects.filter(casino=house.casino).count()
    return create_user(
        username=f"{house.casino.code}-{role.value}-{count}",
        name=f"Otra persona {role.value} {count}",
        password=PASSWORD,
        roles=[role],
        by=by_system(house.casino, "pruebas"),
    )


def stocked(house: House, chips: Mapping[int, int] = BOUGHT) -> None:
    """Chips bought into the vault: the house keeps an inventory from here on."""
    chip_entries.receive_chips(
        chips=chips,
        supplier="Fábrica",
        document="Factura 100",
        with_=house.users[Role.CAGE].actor,
        by=house.by(Role.COMPLIANCE, NOON),
    )


@dataclass
class Counter:
    """Slips of one table, each step by the login of its role."""

    house: House
    session: TableSession
    desk: CageDesk

    def ask(
        self,
        kind: str = "fill",
        chips: Mapping[int, int] = FILL,
        at: dt.datetime = LATER,
        by: By | None = None,
    ) -> Slip:
        return slips.request_slip(
            session=self.session,
            kind=kind,
            chips=chips,
            desk=self.desk,
            by=by or self.house.by(Role.SUPERVISOR, at),
        )

    def issue(self, slip: Slip, at: dt.datetime = LATER, by: By | None = None) -> Slip:
        return slips.issue_slip(slip=slip, runner="Ana Portadora", by=by or self.house.by(Role.CAGE, at))

    def verify(
        self,
        slip: Slip,
        chips: Mapping[int, int] = FILL,
        at: dt.datetime = LATER,
        by: By | None = None,
        dealer: int = 0,
    ) -> Slip:
        by = by or self.house.by(Role.PIT_BOSS, at)
        return slips.verify_slip(slip=slip, chips=chips, dealer=self.house.dealers[dealer], by=by)

    def issued(self, kind: str = "fill", chips: Mapping[int, int] = FILL) -> Slip:
        return self.issue(self.ask(kind, chips))

    def done(self, kind: str = "fill", chips: Mapping[int, int] = FILL) -> Slip:
        return self.verify(self.issued(kind, chips), chips)

    def void(self, slip: Slip, at: dt.datetime = LATER, reason: str = "se pidió por error") -> Slip:
        by = by_user(self.house.users[Role.SUPERVISOR], occurred_at=at, reason=reason)
        return slips.void_slip(slip=slip, with_=self.house.users[Role.CAGE].actor, by=by)


def a_counter(house: House, **about: object) -> Counter:
    """A table in play and a desk, in a house that keeps no inventory of chips."""
    return Counter(house, house.open_table(**about), a_desk(house))  # type: ignore[arg-type]
