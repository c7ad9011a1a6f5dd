"""An evening with a plan of posts, made by the write functions: two tables of Mini, five croupiers.

    evening = an_evening(house)
    plan = evening.drafted()

18:00 is `NIGHT` on the wall of the house; slots are of 20 minutes unless a test says otherwise.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables import people
from tables.models import Assignment, PlannedTurn, RotationPlan, Staff, TableSession
from tables.roster.rota import applying, asking, carrying_out, drafting
from tests.builders import NIGHT, House
from tests.kept import kept
from tests.roster.people import came, plan

MINUTE = dt.timedelta(minutes=1)
SLOT = 20 * MINUTE


@dataclass
class Evening:
    house: House
    dealers: list[Staff]
    sessions: list[TableSession]

    def drafted(self, at: dt.datetime = NIGHT + MINUTE, **about: Any) -> RotationPlan:
        """A draft of four hours from `NIGHT`, by the pit boss."""
        asked = {"starts": NIGHT, "ends": NIGHT + 12 * SLOT, "slot_minutes": 20, "solver": "greedy", **about}
        return drafting.draft_plan(by=self.house.by(Role.PIT_BOSS, at), **asked)

    def applied(self, at: dt.datetime = NIGHT + MINUTE, **about: Any) -> RotationPlan:
        made = self.drafted(at, **about)
        return applying.apply_plan(plan=made, by=self.house.by(Role.PIT_BOSS, at))

    def planned(self, at: dt.datetime) -> dict[str, int]:
        """By table, who should deal at an instant by the plans in force."""
        rows = PlannedTurn.objects.filter(casino=self.house.casino, in_force__contains=at)
        return dict(rows.values_list("table__name", "staff_id"))

    def dealing(self) -> dict[str, int]:
        """By table, who really deals now."""
        rows = Assignment.objects.filter(casino=self.house.casino, during__endswith=None)
        return dict(rows.exclude(post="supervisor").values_list("session__table__name", "staff_id"))


@kept
def an_evening(house: House) -> Evening:
    """Croupiers 1 and 2 open the tables at 18:00; all five are on a shift from 17:50 to 23:00."""
    dealers = [*house.dealers, house.person(), house.person()]
    for person in dealers:
        plan(house, person, "20 17:50", "20 23:00")
    for person in dealers:
        came(house, person, "20 17:50")
    sessions = [house.open_table(dealer=0, supervisor=0), house.open_table(dealer=1, supervisor=1)]
    return Evening(house, dealers, sessions)


def refusal(call: object, **given: object) -> SabotError:
    with pytest.raises(SabotError) as caught:
        call(**given)  # type: ignore[operator]
    return caught.value


def carry(evening: Evening, at: dt.datetime) -> carrying_out.Carried:
    due = asking.due_reliefs(evening.house.casino, at, asking.AHEAD)
    by = evening.house.by(Role.SUPERVISOR, at)
    return carrying_out.carry_out(turns=[one.turn for one in due], by=by)


def changed(evening: Evening, person: Staff, **about: object) -> None:
    """A person's particulars, changed by the administrator."""
    given = {
        name: getattr(person, name) for name in ("number", "name", "licence", "licence_expires", "games")
    }
    by = evening.house.by(Role.ADMINISTRATOR, reason="corrección de la ficha")
    people.set_staff(staff=person, by=by, **{**given, **about})  # type: ignore[arg-type]
