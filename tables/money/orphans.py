"""The book of what nobody claimed: abandoned stakes and found chips, in an account of their own (FLOOR-16).

Entered with who found it and who saw it; given back to whoever proves it theirs, with their document and two
signatures; or, once the term is over, passed to the house by a decision of compliance, with its reason.

`players:<session>` or `players:cage` -> `orphans`, back again when returned, `orphans -> vault` when passed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from audits import days, ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Actor, Event
from audits.personal import Personal
from casino.kernel import locking, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes.signing import require_beside
from tables import chips, crew
from tables.holding import out_of_order
from tables.models import Orphan, Staff, TableSession
from tables.money import cage_policies as policies
from tables.money import drawer, inventory
from tables.money.cage_settings import cage_of
from tables.money.inventory import Flow
from tables.money.tips import hold_session

State = Orphan.State
STREAM, ACCOUNT, SERIES = "orphans", "orphans", "H"
SHOWN = 3
"""How many signs of a document are told: its last ones, never more than half of it."""


@command(policies.ENTER_ORPHAN)
def enter_orphan(
    *,
    kind: str,
    chips_found: Mapping[int, int],
    found_by: Staff,
    witness: Staff,
    by: By,
    session: TableSession | None = None,
    place: str = "",
) -> Orphan:
    """Enter an abandoned stake or found chips, at a session or at a `place` of the house.

    Raises `Refused` (`unknown_kind`, `no_chips`, `unknown_denomination`, `bad_count`, `place_missing`),
    `RuleViolation` FLOOR-16 (`same_person`), as people out of service are refused, `Conflict` (`day_closed`,
    `sent_twice`).
    """
    _require_kind(kind)
    counted = _some(by, chips_found)
    _require_people(found_by, witness)
    where = texts.line(place, "place", 120, code="place_missing", least=0 if session else 1)
    day = days.day_of(by.casino, by.occurred_at)
    held = hold_session(session, by) if session is not None else None
    made = Orphan(
        casino=by.casino,
        kind=kind,
        session=held,
        place=where,
        chips=chips.stored(counted),
        amount=chips.total(counted),
        found_by=found_by,
        witness=witness,
        entered_by=by.actor,
        found_at=by.occurred_at,
        keep_until=day.date + dt.timedelta(days=cage_of(by.casino).orphan_days),
    )
    made.year, made.number = drawer.take_number(by.casino, SERIES, by.occurred_at)
    drawer.require_told_once("tables.orphan.entered", by)
    made.save(force_insert=True)
    event = _tell(made, "tables.orphan.entered", by, {"day": str(day), **_found(made)})
    moves = [Move(made.account, ACCOUNT, made.amount, made.kind)]
    ledger.post(event=event, kind="orphan", day=day.date, moves=moves)
    return made


@command(policies.RETURN_ORPHAN)
def return_orphan(*, orphan: Orphan, claimant: str, document: str, with_: Actor, by: By) -> Orphan:
    """Give it back to whoever proves it theirs, named with their document, by two signatures (FLOOR-16).

    The document is kept whole in the book alone; the trail has it masked. Raises `Refused` (`bad_claimant`,
    `bad_document`), `RuleViolation` GEN-10 (`same_person`, `not_qualified`), `Conflict` (`orphan_closed`).
    """
    name = texts.line(claimant, "claimant", 120, code="bad_claimant")
    number = texts.line(document, "document", 40, code="bad_document", least=4)
    require_beside(by.actor, with_, policies.RETURN_ORPHAN, field="second")
    day = days.day_of(by.casino, by.occurred_at)
    held = _lock(orphan, by)
    held.claimant, held.document = name, number
    event = _close(
        held, State.RETURNED, with_, by, "tables.orphan.returned", {"day": str(day), **_given(held)}
    )
    moves = [Move(ACCOUNT, held.account, held.amount, "returned")]
    ledger.post(event=event, kind="orphan", day=day.date, moves=moves)
    return held


@command(policies.PASS_ORPHAN)
def pass_orphan(*, orphan: Orphan, with_: Actor, by: By) -> Orphan:
    """Pass it to the house once its term is over: decided by compliance, with its reason, signed by two.

    Raises `RuleViolation` FLOOR-16 (`still_kept`), GEN-10 (`same_person`, `not_qualified`), `Refused`
    (`reason_missing`), `Conflict` (`orphan_closed`).
    """
    reason = by.need_reason()
    require_beside(by.actor, with_, policies.RETURN_ORPHAN, field="second")
    day = days.day_of(by.casino, by.occurred_at)
    held = _lock(orphan, by)
    if day.date <= held.keep_until:
        raise RuleViolation(
            "FLOOR-16",
            Text(
                f"se guarda hasta el {held.keep_until:%d/%m/%Y}: pase a la casa desde el día siguiente",
                f"it is kept until {held.keep_until:%Y-%m-%d}: pass it to the house from the day after",
            ),
            {"keep_until": held.keep_until.isoformat()},
            code="still_kept",
        )
    held.reason = reason
    event = _close(held, State.PASSED, with_, by, "tables.orphan.passed", {"day": str(day)})
    ledger.post(
        event=event, kind="orphan", day=day.date, moves=[Move(ACCOUNT, drawer.VAULT, held.amount, "passed")]
    )
    flow = Flow("orphan", inventory.PUBLIC, inventory.VAULT, chips.loaded(held.chips))
    inventory.move(event, [flow])
    return held


def masked(document: str) -> str:
    """A document as it is told: its last signs, never more than half of it."""
    shown = min(SHOWN, len(document) // 2)
    return "•" * (len(document) - shown) + document[len(document) - shown :]


def _found(made: Orphan) -> dict[str, Any]:
    return {
        "kind": made.kind,
        "session": made.session.label if made.session else "",
        "session_id": made.session_id,
        "place": made.place,
        "chips": made.chips,
        "found_by": made.found_by.name,
        "found_by_id": made.found_by_id,
        "witness": made.witness.name,
        "witness_id": made.witness_id,
        "keep_until": made.keep_until.isoformat(),
    }


def _given(held: Orphan) -> dict[str, Any]:
    return {
        "claimant": Personal(held.claimant),
        "document": masked(held.document),
        "document_whole": Personal(held.document),
    }


def _some(by: By, counted: Mapping[int, int]) -> dict[int, int]:
    found = chips.checked(by.casino, counted)
    if not found:
        raise Refused(
            Text("diga cuántas fichas de cada denominación", "say how many chips of each denomination"),
            code="no_chips",
            field="chips",
        )
    return found


def _require_kind(kind: str) -> None:
    if kind not in set(Orphan.Kind.values):
        raise Refused(
            Text("elija apuesta o fichas", "choose stake or chips"), code="unknown_kind", field="kind"
        )


def _require_people(found_by: Staff, witness: Staff) -> None:
    if found_by.pk == witness.pk:
        raise RuleViolation(
            "FLOOR-16",
            Text("quien encuentra y el testigo son dos personas", "finder and witness are two people"),
            code="same_person",
            field="witness",
        )
    crew.require_in_service(found_by, "found_by")
    crew.require_in_service(witness, "witness")


def _lock(orphan: Orphan, by: By) -> Orphan:
    locking.taking(locking.Rank.SESSION)
    rows = Orphan.objects.select_for_update(of=("self",), no_key=True)
    held = rows.select_related("casino", "session__table", "session__day").get(pk=orphan.pk)
    if held.state != State.KEPT:
        raise Conflict(
            Text(
                f"{held.label} ya salió de custodia ({held.get_state_display()})",
                f"{held.label} is no longer kept",
            ),
            code="orphan_closed",
            rule="REC-07",
        )
    if by.occurred_at < held.found_at:
        raise out_of_order(by.casino, held.found_at)
    return held


def _close(held: Orphan, state: str, with_: Actor, by: By, action: str, more: Mapping[str, Any]) -> Event:
    held.state, held.closed_by, held.closed_with, held.closed_at = state, by.actor, with_, by.occurred_at
    held.save(
        update_fields=["state", "claimant", "document", "reason", "closed_by", "closed_with", "closed_at"]
    )
    return _tell(held, action, by, {**more, "with": with_.as_dict()})


def _tell(held: Orphan, action: str, by: By, more: Mapping[str, Any]) -> Event:
    return trail.record(
        action,
        stream=STREAM,
        subject=trail.Subject("orphan", held.pk, held.label),
        by=by,
        data={"amount": held.amount, **more},
        rules=["FLOOR-16"],
    )
