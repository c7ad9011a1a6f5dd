"""A clerk who writes down beside what happens in a store, and reports read as they are given."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from audits.by import By
from audits.reports import forms, registry
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import acts, examining, moving, store
from shoes.decks import issue_decks
from shoes.models import Deck, DestructionAct
from tests.shoes.builders import beside, registered_decks

HOUR = dt.timedelta(hours=1)
MORNING = dt.datetime(2026, 11, 20, 14, 0, tzinfo=dt.UTC)
"""Ten in the morning in La Paz; the gaming day 2026-11-20 began four hours before."""
DAY, NEXT = dt.date(2026, 11, 20), dt.date(2026, 11, 21)


def asked(casino: Casino, report: str, **given: Any) -> dict[str, Any]:
    """The parameters as a person or a program gives them, read as the report reads them."""
    return forms.read(registry.get(report).form, casino, given)


def section(casino: Casino, report: str, key: str, **given: Any) -> list[dict[str, Any]]:
    params = asked(casino, report, **given)
    found = {each.key: each for each in registry.get(report).sections(casino, params)}[key]
    rows = [dict(row) for row in found.rows()]
    assert found.count() in (None, len(rows))
    return rows


def period(first: dt.date = DAY, last: dt.date = DAY) -> dict[str, str]:
    return {"first": first.isoformat(), "last": last.isoformat()}


def spanish(value: Any) -> Any:
    return value.es if hasattr(value, "es") else value


def es(row: Mapping[str, Any], *keys: str) -> tuple[Any, ...]:
    return tuple(spanish(row[key]) for key in keys)


@dataclass
class Clerk:
    """Writes down, hour by hour, what is where: (colour, state, place) by serial number."""

    now: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    pages: list[tuple[dt.datetime, dict[str, tuple[str, str, str]]]] = field(default_factory=list)

    def note(self, at: dt.datetime, decks: list[Deck], state: str, place: str) -> None:
        for deck in decks:
            self.now[deck.serial] = (deck.back_colour, state, place)
        self.pages.append((at, dict(self.now)))


def told(casino: Casino, chief: By) -> Clerk:
    """Nine hours of a store; each act at the hour after the one before."""
    clerk = Clerk()
    chiefs = [replace(chief, occurred_at=MORNING + number * HOUR) for number in range(9)]
    red = registered_decks(casino, chiefs[0], 6)
    clerk.note(chiefs[0].occurred_at, red, "store", "depósito")
    blue = registered_decks(casino, chiefs[1], 2, back_colour="azul", batch="L-2")
    clerk.note(chiefs[1].occurred_at, blue, "store", "depósito")
    croupier = beside(chief, Role.CROUPIER).actor
    seals = {deck.serial: deck.seal for deck in red[:3]}
    issue_decks(seals=seals, place=moving.DESK, received_by=croupier, by=chiefs[2])
    clerk.note(chiefs[2].occurred_at, red[:3], "issued", moving.DESK)
    found = {"by_suit_shown": True, "backs_checked": True, "inspector": chief.actor, "witness": croupier}
    for deck in red[:2]:
        examining.inspect_deck(deck=deck, counted=52, by=chiefs[3], **found)
    examining.inspect_deck(deck=red[2], counted=51, missing=["7c"], by=chiefs[3], **found)
    clerk.note(chiefs[3].occurred_at, red[:2], "passed", moving.DESK)
    clerk.note(chiefs[3].occurred_at, [red[2]], "withdrawn", "depósito")
    store.give_back(serials=[red[0].serial], by=chiefs[4])
    clerk.note(chiefs[4].occurred_at, [red[0]], "store", "depósito")
    store.quarantine(serials=[blue[0].serial], by=chiefs[5].because("caja mojada"))
    clerk.note(chiefs[5].occurred_at, [blue[0]], "quarantine", "depósito")
    store.withdraw(serials=[blue[0].serial], with_=croupier, by=chiefs[6].because("cartas hinchadas"))
    clerk.note(chiefs[6].occurred_at, [blue[0]], "withdrawn", "depósito")
    store.cancel(serials=[blue[0].serial], by=chiefs[7])
    clerk.note(chiefs[7].occurred_at, [blue[0]], "cancelled", "depósito")
    destroyed(chiefs[8], blue[0].serial)
    clerk.note(chiefs[8].occurred_at, [blue[0]], "destroyed", "")
    return clerk


def destroyed(by: By, *serials: str) -> DestructionAct:
    witnesses = [beside(by, Role.COMPLIANCE).actor, beside(by, Role.CAGE).actor]
    return acts.destroy(serials=serials, method="trituradas", site="depósito", witnesses=witnesses, by=by)
