"""The notice on a table: its limits, what it pays and takes, and under which Plan de Apuestas (GEN-04).

For everybody who stands before the table, so in both languages at once, and made to be printed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import one, user_of
from casino.kernel import clock, rulebook
from casino.kernel.words import Text, same
from tables import keys, policies
from tables.games import registry
from tables.games.base import Game
from tables.models import BetLimits, GameRules, Table
from tables.pages import rules_form


@dataclass(frozen=True, slots=True)
class Notice:
    """What is posted. `spots`: words, minimum, maximum (smallest units); `told`: each figure of the rules."""

    name: Text
    spots: tuple[tuple[Text, int, int], ...]
    chip: int | None
    differential: int | None
    told: tuple[tuple[Text, Text], ...]
    rules: GameRules | None
    limits: BetLimits | None

    @property
    def since(self) -> dt.datetime | None:
        """From when both the rules and the limits are in force."""
        found = [row.effective_from for row in (self.rules, self.limits) if row is not None]
        return max(found) if len(found) == 2 else None


def notice_of(table: Table, instant: dt.datetime) -> Notice:
    """What is posted at a table at an instant: the versions a round opened then would name (GEN-03)."""
    engine = registry.game(table.game)
    rules = GameRules.in_force(table.casino, table.game, instant)
    limits = BetLimits.in_force(table, instant)
    known = keys.limited(engine)
    spots = limits.spots if limits else {}
    return Notice(
        rulebook.game(table.game).name,
        tuple((known.get(spot, same(spot)), low, high) for spot, (low, high) in _in_order(spots, known)),
        limits.chip if limits else None,
        limits.differential if limits else None,
        _posted(engine, rules.params) if rules else (),
        rules,
        limits,
    )


_OF_THE_HOUSE = frozenset({"seats", "seats_max"})
"""Figures that tell a player nothing."""


def _posted(engine: Game, params: Mapping[str, Any]) -> tuple[tuple[Text, Text], ...]:
    """Each figure of the rules in words, percentages with a comma as the limits beside them."""
    fields = rules_form.fields_of(engine, params)
    return tuple(
        (label, same(said.es.replace(".", ",")) if field.kind == "percent" else said)
        for field, (label, said) in zip(fields, rules_form.told(engine, params), strict=True)
        if field.name not in _OF_THE_HOUSE
    )


def _in_order(spots: dict[str, list[int]], known: dict[str, Text]) -> list[tuple[str, tuple[int, int]]]:
    """As the game names them, not as JSON keeps them."""
    order = [*known, *sorted(set(spots) - set(known))]
    return [(spot, (spots[spot][0], spots[spot][1])) for spot in order if spot in spots]


def show(request: HttpRequest, name: str) -> HttpResponse:
    """The notice of a table as it is in force now."""
    tables = Table.objects.restrict(user_of(request), policies.READ_FLOOR).select_related("casino")
    table = one(tables, name=name.upper())
    context = {"table": table, "notice": notice_of(table, clock.now()), "printed": clock.now()}
    return render(request, "tables/notice.html", context)
