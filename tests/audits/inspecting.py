"""Who inspects in the tests, what there is to count, and how it is done."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from django.test import RequestFactory

from audits.by import By, by_user
from audits.inspections import access, counting, drawing, entering, subjects, visits
from audits.inspections.counting import Counted, record_count
from audits.inspections.subjects import Countable, Expected, Spot, Target, Unit
from audits.models import Event, Inspection, InspectionCount, InspectionDraw
from audits.trail import Subject
from audits.verify import Fault, trail_faults
from casino.kernel import clock
from casino.kernel.errors import NotFound, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text, same
from casino.models import Casino, User

if TYPE_CHECKING:
    from tests.audits.conftest import House

ARRIVES = dt.datetime(2026, 11, 21, 0, 0, tzinfo=dt.UTC)
"""Eight in the evening in La Paz, within gaming day 2026-11-20."""
NAME, CARD = "Rosa Mamani", "AJ-0117"


@dataclass
class Floor:
    """Tables a test says there are, and what the house expects at them."""

    spots: list[Spot] = field(default_factory=list)
    expected: dict[int, int] = field(default_factory=dict)

    def tables(self, casino: Casino) -> list[Spot]:
        return self.spots

    def targets(self, casino: Casino) -> list[Target]:
        return [Target(spot.id, spot.label, spot.id, spot.label) for spot in self.spots if spot.open]

    def expect(self, id: int, aside: int | None, by: By) -> Expected:
        spot = next((spot for spot in self.spots if spot.id == id), None)
        if spot is None:
            raise NotFound(Text("no existe", "there is none"), code="no_session")
        about = Subject("session", 100 + id, f"{spot.label} · 1")
        return Expected(
            about, self.expected[id] - (aside or 0), same("libro"), table=spot.id, table_label=spot.label
        )

    def countables(self) -> dict[str, Countable]:
        chips = Countable(
            "test.float", Text("fondo", "float"), Unit.CHIPS, self.targets, self.expect, same("x")
        )
        cards = Countable("test.pack", Text("mazo", "pack"), Unit.CARDS, self.targets, self.expect)
        return {one.code: one for one in (chips, cards)}


def a_floor(monkeypatch: object, tables: int = 5) -> Floor:
    """A floor of open tables (the first two closed when there are more than three), nothing else counted."""
    floor = Floor(
        [Spot(n, f"PB-{n:02d}", tables <= 3 or n > 2) for n in range(1, tables + 1)],
        dict.fromkeys(range(1, tables + 1), 2_250_000),
    )
    monkeypatch.setattr(subjects, "_tables", [floor.tables])  # type: ignore[attr-defined]
    monkeypatch.setattr(subjects, "_countables", floor.countables())  # type: ignore[attr-defined]
    return floor


def given(house: House, *, at: dt.datetime = ARRIVES, **about: object) -> access.Given:
    """A code from `at` on, as the administrator gives it."""
    particulars = {"name": NAME, "credential": CARD, **about}
    with clock.standing_at(at):
        return access.give_access(**particulars, by=house.by())  # type: ignore[arg-type]


def enter(
    code: str, *, card: str = CARD, at: dt.datetime = ARRIVES, address: str = "10.0.0.7", way: str = "page"
) -> User:
    request = RequestFactory().post("/inspeccion/", REMOTE_ADDR=address)
    with clock.standing_at(at):
        return entering.enter(request=request, credential=card, code=code, way=way)[0]


def inspector_of(house: House) -> User:
    """An inspector who came in."""
    return enter(given(house).code)


def by(user: User, reason: str = "", at: dt.datetime | None = None) -> By:
    return by_user(user, occurred_at=at, reason=reason)


def a_visit(house: House, inspector: User) -> Inspection:
    with clock.standing_at(ARRIVES):
        return visits.open_inspection(by=by(inspector))


def count(
    inspector: User,
    visit: Inspection,
    table: int = 3,
    *,
    pieces: Mapping[int, int] | None = None,
    reason: str = "",
    at: dt.datetime = ARRIVES,
    aside: int | None = None,
) -> InspectionCount:
    counted = Counted(pieces={10_000: 225} if pieces is None else pieces, aside=aside)
    with clock.standing_at(at):
        return record_count(
            inspection=visit, kind="test.float", target=table, counted=counted, by=by(inspector, reason)
        )


def trail_of(house: House) -> list[Fault]:
    """What `verify_trail` finds; the guards have tests of their own."""
    return [fault for fault in trail_faults(house.casino) if not fault.code.startswith("guard")]


def chief(house: House) -> User:
    return house.person("jefa", Role.SUPERVISOR)


def refusal_of(act: Callable[[], object]) -> SabotError:
    """The refusal an act meets when the inspector has just come."""
    with pytest.raises(SabotError) as caught, clock.standing_at(ARRIVES):
        act()
    return caught.value


def announce(
    visit: Inspection, user: User, *, reason: str = "", at: dt.datetime = ARRIVES, **about: Any
) -> Any:
    with clock.standing_at(at):
        return drawing.announce_draw(inspection=visit, by=by(user, reason), **{"wanted": 2, **about})


def say(row: InspectionDraw, user: User, word: str = "quirquincho") -> InspectionDraw:
    with clock.standing_at(ARRIVES):
        return drawing.draw_tables(draw_row=row, word=word, by=by(user))


def answer(count: InspectionCount, user: User, **about: Any) -> Any:
    with clock.standing_at(ARRIVES):
        return counting.answer_count(count=count, by=by(user), **{"agrees": True, **about})


def last(action: str) -> dict[str, Any]:
    event = Event.objects.filter(action=action).latest("pk")
    return dict(json.loads(bytes(event.body))["data"])
