"""The chip sets of the house: which denominations are chips, which plaques, and how they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Q

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import locking, money, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import ChipSet, ChipStock
from tables.money import policies


@command(policies.SET_MONEY, setting=True)
def set_chip_set(
    *,
    name: str,
    denominations: Sequence[int],
    by: By,
    kind: str = ChipSet.Kind.CHIP,
    marks: str = "",
    active: bool = True,
    chip_set: ChipSet | None = None,
) -> ChipSet:
    """Enter a set of chips, or change `chip_set`; denominations in smallest units. Needs a reason.

    Raises `Refused` (`bad_chip_set`, `unknown_denomination`, `reason_missing`), `Conflict`
    (`chip_set_exists`; `denomination_taken` by another set in use; `chips_in_use` for a denomination given up
    while there are chips of it).
    """
    name = texts.line(name, "name", 60, code="bad_chip_set")
    if kind not in ChipSet.Kind.values:
        raise _bad("kind", "elija fichas o placas", "choose chips or plaques")
    values = _denominations(by.casino, denominations)
    _lock_sets(by.casino)
    others = ChipSet.objects.filter(casino=by.casino).exclude(pk=chip_set.pk if chip_set else 0)
    if others.filter(name=name).exists():
        raise _exists()
    if active:
        _require_free(by.casino, others.filter(active=True, denominations__overlap=values), values)
    if chip_set is not None and chip_set.active:
        _require_none_left(by.casino, set(chip_set.denominations) - set(values if active else ()))
    made = chip_set or ChipSet(casino=by.casino)
    made.name, made.kind, made.active = name, kind, active
    made.marks = texts.line(marks, "marks", 200, code="bad_chip_set", least=0)
    made.denominations = values
    save_version(made, by=by)
    trail.record(
        "tables.chip_set.set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("chip_set", made.pk, made.name),
        by=by,
        data={"kind": kind, "marks": made.marks, "denominations": values, "active": active},
    )
    return made


def sets_by_denomination(casino: Casino) -> dict[int, ChipSet]:
    """The set in use that each denomination is of."""
    rows = ChipSet.objects.filter(casino=casino, active=True)
    return {value: chip_set for chip_set in rows for value in chip_set.denominations}


def _lock_sets(casino: Casino) -> None:
    """One change of sets at a time, so that a denomination is never in two."""
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=casino.pk)


def _denominations(casino: Casino, given: Sequence[int]) -> list[int]:
    values = sorted(set(given))
    if not values:
        raise _bad("denominations", "elija al menos una denominación", "choose at least one denomination")
    unknown = [value for value in values if value not in casino.denominations]
    if unknown:
        shown = money.words(unknown[0], casino.exponent)
        raise Refused(
            Text(
                f"el casino no tiene fichas de {shown.es}: agréguela primero a sus denominaciones",
                f"the casino has no chips of {shown.en}: add it to its denominations first",
            ),
            code="unknown_denomination",
            field="denominations",
        )
    return values


def _require_free(casino: Casino, sharing: Iterable[ChipSet], values: Sequence[int]) -> None:
    for other in sharing:
        value = min(set(other.denominations) & set(values))
        shown = money.words(value, casino.exponent)
        raise Conflict(
            Text(
                f"{shown.es} ya es de «{other.name}»: retírela de ese juego primero",
                f"{shown.en} is of “{other.name}” already: take it out of that set first",
            ),
            code="denomination_taken",
            field="denominations",
        )


def _require_none_left(casino: Casino, given_up: set[int]) -> None:
    """Chips that are somewhere in the house stay in a set that says what they look like."""
    held = Q(place="vault") | Q(place__startswith="cage:") | Q(place__startswith="tray:")
    left = ChipStock.objects.filter(held, casino=casino, denomination__in=given_up).exclude(number=0).first()
    if left is not None:
        shown = money.words(left.denomination, casino.exponent)
        raise Conflict(
            Text(
                f"aún hay fichas de {shown.es} en la casa: délas de baja antes",
                f"there are chips of {shown.en} in the house still: retire them first",
            ),
            code="chips_in_use",
            field="denominations",
        )


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_chip_set", field=field)


def _exists() -> Conflict:
    return Conflict(
        Text("ya hay un juego de fichas con ese nombre", "there is a chip set of that name already"),
        code="chip_set_exists",
        field="name",
    )


explain_constraint("one_chip_set_per_name", _exists)
