"""Chips come into the house and leave it for good: by a document that two departments sign.

A house whose chips were received keeps an inventory from then on (`tables.money.inventory`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audits import days, trail
from audits.by import By
from audits.models import Actor
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables import chips as counting
from tables.models import ChipEntry, ChipSet
from tables.money import chip_homologation, inventory, policies, signing
from tables.money.chip_sets import sets_by_denomination
from tables.money.inventory import OUTSIDE, VAULT, Flow

STREAM = "chips"
"""The stream of a casino's chips: entries and counts."""
LONGEST_SERIALS = 4000

Kind = ChipEntry.Kind


@command(policies.ENTER_CHIPS)
def receive_chips(
    *, chips: Mapping[int, int], supplier: str, document: str, with_: Actor, by: By, serials: str = ""
) -> ChipEntry:
    """Chips received into the vault (denomination -> number), signed by two departments (GEN-10).

    `serials` of plaques, which have one each. Raises `Refused` (`unknown_denomination`, `bad_count`,
    `no_chips`, `bad_entry`, `serials_missing`), `RuleViolation` GEN-10 (`same_person`, `not_qualified`,
    `same_department`), REC-09 (`not_approved`: `tables.money.chip_homologation`), `Conflict` (`day_closed`).
    """
    day = by.casino.gaming_day(by.occurred_at)
    maker = texts.line(supplier, "supplier", 120, code="bad_entry")
    chip_homologation.require(by.casino, maker, counting.checked(by.casino, chips), day)
    return _enter(Kind.RECEIVED, chips, supplier, document, serials, with_, by)


@command(policies.ENTER_CHIPS)
def retire_chips(
    *,
    kind: str,
    chips: Mapping[int, int],
    destination: str,
    document: str,
    with_: Actor,
    by: By,
    serials: str = "",
) -> ChipEntry:
    """Chips of the vault withdrawn from the house or destroyed (`kind`), signed by two departments (GEN-10).

    Raises as `receive_chips`, and `Conflict` (`not_enough_chips`) for more than the vault has.
    """
    if kind not in (Kind.WITHDRAWN, Kind.DESTROYED):
        raise _bad("kind", "diga si se retiran o se destruyen", "say whether they are withdrawn or destroyed")
    inventory.require(by.casino, VAULT, counting.checked(by.casino, chips))
    return _enter(Kind(kind), chips, destination, document, serials, with_, by)


def _enter(
    kind: ChipEntry.Kind,
    chips: Mapping[int, int],
    party: str,
    document: str,
    serials: str,
    with_: Actor,
    by: By,
) -> ChipEntry:
    signing.require_two_departments(by.actor, with_, policies.SIGN_FOR_CHIPS, field="second")
    counted = require_some(counting.checked(by.casino, chips))
    entry = ChipEntry(
        casino=by.casino,
        kind=kind,
        chips=counting.stored(counted),
        total=counting.total(counted),
        supplier=texts.line(party, "supplier", 120, code="bad_entry"),
        document=texts.line(document, "document", 120, code="bad_entry"),
        serials=_serials(serials, counted, by),
        signed_by=by.actor,
        signed_with=with_,
        at=by.occurred_at,
    )
    days.day_of(by.casino, by.occurred_at)
    entry.event = trail.record(
        "tables.chips.entered",
        stream=STREAM,
        subject=trail.Subject("casino", by.casino.pk, by.casino.name),
        by=by,
        data=_told(entry),
        rules=["GEN-10"],
    )
    entry.save(force_insert=True)
    source, target = (OUTSIDE, VAULT) if kind == Kind.RECEIVED else (VAULT, OUTSIDE)
    inventory.move(entry.event, [Flow(kind.value, source, target, counted)])
    return entry


def _told(entry: ChipEntry) -> dict[str, Any]:
    return {
        "entry": str(entry.kind),
        "chips": entry.chips,
        "total": entry.total,
        "supplier": entry.supplier,
        "document": entry.document,
        "serials": entry.serials,
        "with": entry.signed_with.as_dict(),
    }


def require_some(counted: dict[int, int]) -> dict[int, int]:
    """The count, or a refusal when it has no chip in it (`no_chips`)."""
    if not counted:
        raise Refused(
            Text("indique cuántas fichas y de qué denominación", "give how many chips of which denomination"),
            code="no_chips",
            field="chips",
        )
    return counted


def _serials(given: str, counted: Mapping[int, int], by: By) -> str:
    """The serial numbers as written, one per plaque."""
    known = sets_by_denomination(by.casino)
    plaques = sum(
        number
        for value, number in counted.items()
        if value in known and known[value].kind == ChipSet.Kind.PLAQUE
    )
    said = " ".join(given.replace(",", " ").replace(";", " ").split())
    if len(said) > LONGEST_SERIALS:
        raise _bad("serials", f"tiene como máximo {LONGEST_SERIALS} caracteres", "it is too long")
    listed = said.split()
    if len(set(listed)) != len(listed) or (plaques and len(listed) != plaques):
        raise Refused(
            Text(
                f"anote el número de serie de cada placa, una vez cada uno: son {plaques}",
                f"enter the serial number of each plaque, each once: there are {plaques}",
            ),
            code="serials_missing",
            field="serials",
        )
    return said


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_entry", field=field)
