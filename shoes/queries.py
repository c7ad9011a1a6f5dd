"""What screens and other rooms read of the cards."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from casino.kernel.words import Text
from casino.models import User
from shoes import policies
from shoes.models import Deck, Shoe
from shoes.procedures import procedure_of
from shoes.saying import said
from shoes.shoes import MOVES, pack_of
from shoes.steps import Field


@dataclass(frozen=True, slots=True)
class Signature:
    """Who did a step, when, and what they gave: each field's label with its answer, in the step's order."""

    name: str
    at: dt.datetime
    data: dict[str, Any]
    told: tuple[tuple[Text, Text], ...] = ()


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """One step as the checklist shows it. `status`: done, now or later; a step that may be done
    again is `done` with `again` true."""

    step: str
    words: Text
    rules: tuple[str, ...]
    status: str
    again: bool
    fields: tuple[Field, ...]
    signatures: tuple[Signature, ...]


def checklist(shoe: Shoe) -> list[ChecklistLine]:
    """Every step of a shoe's preparation in order, with who signed it."""
    procedure = procedure_of(shoe.game)
    taken = list(shoe.steps.select_related("signed_by").order_by("seq"))
    allowed = (
        procedure.next_steps(pack_of(shoe), [step.step for step in taken])
        if "step" in MOVES[shoe.state]
        else ()
    )
    lines = []
    for step in procedure.steps:
        signatures = tuple(
            Signature(done.signed_by.name, done.at, done.data, _told(step.kind.fields, done.data))
            for done in taken
            if done.step == step.code
        )
        expected = bool(allowed) and step is allowed[0]
        status = "now" if expected else "done" if signatures else "later"
        again = status == "done" and step in allowed
        lines.append(
            ChecklistLine(step.code, step.words, step.rules, status, again, step.kind.fields, signatures)
        )
    return lines


def _told(fields: tuple[Field, ...], data: dict[str, Any]) -> tuple[tuple[Text, Text], ...]:
    given = ((field, data.get(field.name)) for field in fields)
    return tuple((field.words, said(field, value)) for field, value in given if value not in (None, "", []))


def ready_shoes(user: User, game: str) -> QuerySet[Shoe]:
    """Shoes of the user's casino ready for a game, oldest first."""
    return (
        Shoe.objects.restrict(user, policies.READ)
        .filter(state=Shoe.State.READY, game=game)
        .order_by("ready_at", "pk")
    )


def shoes_in_preparation(user: User) -> QuerySet[Shoe]:
    """Shoes begun and not yet in play, the ready ones among them."""
    states = [Shoe.State.ASSEMBLING, Shoe.State.SHUFFLED, Shoe.State.CUT, Shoe.State.LOADED, Shoe.State.READY]
    return Shoe.objects.restrict(user, policies.READ).filter(state__in=states).order_by("number")


def shoe_in_play(user: User, table_label: str) -> Shoe | None:
    """The shoe in play at a table."""
    return (
        Shoe.objects.restrict(user, policies.READ)
        .filter(state=Shoe.State.IN_PLAY, table_label=table_label)
        .first()
    )


def decks_in_stock(user: User) -> QuerySet[Deck]:
    """Decks in the store: to be inspected, or fit for a shoe."""
    states = [Deck.State.STORE, Deck.State.PASSED]
    return Deck.objects.restrict(user, policies.READ).filter(state__in=states).order_by("serial")


def fit_decks(user: User) -> QuerySet[Deck]:
    """Decks that may join a shoe now."""
    return Deck.objects.restrict(user, policies.READ).filter(state=Deck.State.PASSED).order_by("serial")
