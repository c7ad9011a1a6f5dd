"""Decks destroyed with an act, before two witnesses (CARD-45): the only way a deck leaves the house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from audits import trail
from audits.by import By
from audits.models import Actor
from casino.kernel import locking, permissions, rulebook, texts
from casino.kernel.commands import command
from casino.kernel.errors import RuleViolation
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import NumberSeries
from shoes import actions, moving, policies, signing
from shoes.models import Deck, DeckMove, DestructionAct
from shoes.stocktaking import STREAM
from shoes.store import require_no_investigation

SERIES = "act"
OFFICE = (Role.COMPLIANCE, Role.ADMINISTRATOR)
"""One witness at least is of these: away from the floor, where the decks were used."""


@command(policies.DESTROY)
def destroy(
    *, serials: Sequence[str], method: str, site: str, witnesses: Sequence[Actor], by: By
) -> DestructionAct:
    """Destroy cancelled decks before two witnesses and sign the act, which bears the next number of its year.

    All or none: `method` says how, `site` where. Raises `RuleViolation` CARD-45 (`witnesses_wanted`,
    `witness_not_qualified`), GEN-10 (`same_person`); `Refused` (`no_decks`, `bad_act`, `serial_repeated`,
    `unknown_deck`); `Conflict` for a deck that is not cancelled or is under investigation.
    """
    said = {"method": _said(method, "method"), "site": _said(site, "site")}
    first, second = _require_witnesses(witnesses, by)
    moving.require_some(serials)
    decks = moving.lock_decks(by.casino, serials)
    moving.require_may(decks, DeckMove.Kind.DESTROYED)
    require_no_investigation(decks)
    locking.taking(locking.Rank.SLIP_SERIES)
    year = by.occurred_at.astimezone(ZoneInfo(by.casino.zone)).year
    act = DestructionAct.objects.create(
        casino=by.casino,
        year=year,
        number=NumberSeries.take(by.casino, SERIES, year),
        executed_by=by.actor,
        first_witness=first,
        second_witness=second,
        at=by.occurred_at,
        **said,
    )
    _tell(act, decks, by)
    return act


def _tell(act: DestructionAct, decks: list[Deck], by: By) -> None:
    about: dict[str, Any] = {
        "method": act.method,
        "site": act.site,
        "witnesses": [act.first_witness.as_dict(), act.second_witness.as_dict()],
    }
    rules = ["CARD-45", "GEN-10"]
    told = moving.tell(actions.DECKS_DESTROYED, decks, by=by, data={"act": act.label, **about}, rules=rules)
    trail.record(
        actions.ACT_SIGNED,
        stream=STREAM,
        subject=trail.Subject("destruction_act", act.pk, act.label),
        by=by,
        data={"count": len(decks), "serials": sorted(deck.serial for deck in decks), **about},
        rules=rules,
    )
    moving.move(decks, kind=DeckMove.Kind.DESTROYED, event=told, by=by, act=act)


def _said(text: str, field: str) -> str:
    return texts.line(text, field, 120, code="bad_act", rule="CARD-45")


def _require_witnesses(witnesses: Sequence[Actor], by: By) -> tuple[Actor, Actor]:
    """Two people of the house besides whoever destroys, one of them at least of the office."""
    wanted: int = rulebook.rule("CARD-45").params["destruction_witnesses"]
    if len(witnesses) != wanted:
        raise _refused("witnesses_wanted", f"firman {wanted} testigos", f"{wanted} witnesses sign")
    first, second = witnesses
    signing.require_different(first, second, field="second_witness")
    for person, field in ((first, "first_witness"), (second, "second_witness")):
        signing.require_different(by.actor, person, field=field)
        if person.kind != Actor.Kind.STAFF or not permissions.departments(person):
            raise _refused(
                "witness_not_qualified",
                f"{person.name} no puede ser testigo: firma una persona activa de la casa",
                f"{person.name} may not witness: an active person of the house signs",
                field,
            )
    if not (first.roles | second.roles) & set(OFFICE):
        raise _refused(
            "witness_not_qualified",
            "al menos un testigo es de cumplimiento o de administración",
            "at least one witness is of compliance or administration",
            "second_witness",
        )
    return first, second


def _refused(code: str, es: str, en: str, field: str = "witnesses") -> RuleViolation:
    return RuleViolation("CARD-45", Text(es, en), code=code, field=field)
