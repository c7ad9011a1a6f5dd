"""What screens and other rooms read of the cards."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from casino.kernel.words import Text
from casino.models import User
from shoes import ordering, policies
from shoes.closing import awaiting_count
from shoes.models import Deck, Shoe, ShoeAlert, ShoeStep
from shoes.ordering import Step
from shoes.procedures import procedure_of
from shoes.saying import remarks, said
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
    rule: Step
    """The step of the procedure: who may sign it, what it asks when."""


def checklist(shoe: Shoe) -> list[ChecklistLine]:
    """Every step of a shoe's preparation in order, with who signed it since it last began.

    Decks taken out show as steps of their own, before it.
    """
    procedure = procedure_of(shoe.game, shoe.method)
    taken = list(shoe.steps.select_related("signed_by").order_by("seq"))
    told = [(step.step, step.data) for step in taken]
    still, renewed = procedure.since_restart(told), ordering.is_renewed(told)
    allowed = (
        procedure.next_steps(pack_of(shoe), still, renewed=renewed) if "step" in MOVES[shoe.state] else ()
    )
    began = max((at + 1 for at, step in enumerate(taken) if step.step == ordering.REMOVE), default=0)
    before, since = taken[:began], taken[began:]
    removed = tuple(signature_of(step, procedure.removal) for step in before if step.step == ordering.REMOVE)
    lines = [_line(procedure.removal, "done", removed, again=False)] if removed else []
    for step in procedure.steps:
        if renewed and step.new_cards_only:
            continue
        signatures = tuple(signature_of(done, step) for done in since if done.step == step.code)
        expected = bool(allowed) and step is allowed[0]
        counts = step.code in still
        status = "now" if expected else "done" if counts else "later"
        lines.append(_line(step, status, signatures, again=status == "done" and step in allowed))
    return lines


def _line(step: Step, status: str, signatures: tuple[Signature, ...], *, again: bool) -> ChecklistLine:
    return ChecklistLine(step.code, step.words, step.rules, status, again, step.kind.fields, signatures, step)


def signature_of(done: ShoeStep, step: Step) -> Signature:
    """Who did a step and when, with what they gave in words; `step` is what the procedure asked."""
    noted = ((Text("Observación", "Remark"), words) for words in remarks(done.data))
    told = (*_told(step.kind.fields, done.data), *noted)
    return Signature(done.signed_by.name, done.at, done.data, told)


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


def fit_decks(user: User) -> QuerySet[Deck]:
    """Decks that may join a shoe now."""
    return Deck.objects.restrict(user, policies.READ).filter(state=Deck.State.PASSED).order_by("serial")


def decks_to_inspect(user: User) -> QuerySet[Deck]:
    """Decks delivered and not examined yet, and those set aside to be examined again; by where they lie."""
    states = [Deck.State.ISSUED, Deck.State.QUARANTINE]
    rows = Deck.objects.restrict(user, policies.READ).filter(state__in=states)
    return rows.order_by("state", "place", "serial")


def shoes_to_count(user: User) -> QuerySet[Shoe]:
    """Ended shoes whose decks wait for their closing count (CARD-43), the first to end first."""
    waiting = awaiting_count().filter(shoe=OuterRef("pk"))
    return Shoe.objects.restrict(user, policies.READ).filter(Exists(waiting)).order_by("ended_at", "pk")


def alerts(user: User) -> QuerySet[ShoeAlert]:
    """What the detectors noticed, newest first."""
    rows = ShoeAlert.objects.restrict(user, policies.READ)
    return rows.select_related("shoe", "incident").order_by("-at", "-pk")
