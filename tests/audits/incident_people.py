"""Who reports, settles and sends notices in the tests of incidents, and how they do it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from audits import incidents, notices, trail
from audits.by import By, by_user
from audits.models import Incident
from audits.verify import Fault, trail_faults
from casino.kernel.commands import one_transaction
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import User
from tests.kept import kept

if TYPE_CHECKING:
    from tests.audits.conftest import House

# Half past ten in the evening in La Paz, which is four hours behind UTC.
SEEN = dt.datetime(2026, 11, 21, 2, 30, tzinfo=dt.UTC)
FAULT = "test.fault"
SUMMARY = Text("falta el 7♣ en la baraja B-12", "the 7♣ of deck B-12 is missing")
DECK = trail.Subject("deck", 12, "B-12")


@dataclass
class People:
    house: House
    chief: User
    pit: User
    compliance: User

    def by(self, user: User, at: dt.datetime = SEEN) -> By:
        return by_user(user, occurred_at=at)


@kept
def the_people(house: House) -> People:
    return People(
        house,
        house.person("jefa", Role.SUPERVISOR),
        house.person("sala", Role.PIT_BOSS),
        house.person("cumple", Role.COMPLIANCE),
    )


def found_by(people: People, **about: Any) -> Incident:
    """An incident as a room opens one, inside a transaction of its own."""
    given: dict[str, Any] = {
        "kind": FAULT, "summary": SUMMARY, "subject": DECK, "rules": ["CARD-42"],
        "facts": {"missing": ["7c"], "withdrawn": ["B-12"]}, "table_label": "PB-03", "freezes": True,
        "by": people.by(people.chief), **about,
    }  # fmt: skip
    with one_transaction():
        return incidents.raise_incident(**given)


def settle(people: People, incident: Incident, **about: Any) -> Incident:
    given: dict[str, Any] = {
        "resolution": "la baraja se repuso y se repitió la inspección", "rule_applied": "CARD-12",
        "with_": people.pit.actor, "by": people.by(people.chief, SEEN + dt.timedelta(hours=1)), **about,
    }  # fmt: skip
    return incidents.resolve_incident(incident=incident, **given)


def trail_of(people: People) -> list[Fault]:
    """What `verify_trail` finds; the guards have tests of their own."""
    return [fault for fault in trail_faults(people.house.casino) if not fault.code.startswith("guard")]


def refusal_of(act: Callable[[], object]) -> SabotError:
    with pytest.raises(SabotError) as refusal:
        act()
    return refusal.value


def report(people: People, user: User | None = None, **about: Any) -> Incident:
    given = {"kind": incidents.DISPUTE, "summary": "dos jugadores reclaman el mismo pago", **about}
    return incidents.report_incident(**given, by=people.by(user or people.chief))


TEXT = "Aviso terminado.\n\nAna Quispe, Cumplimiento"


def send(people: People, incident: Incident, hours: int = 2, reference: str = "CITE 17/2026") -> Incident:
    by = people.by(people.compliance, SEEN + dt.timedelta(hours=hours))
    return notices.send_notice(incident=incident, reference=reference, by=by)


def edit(people: People, incident: Incident, text: str = TEXT) -> Incident:
    return notices.edit_notice(incident=incident, text=text, by=people.by(people.compliance))
