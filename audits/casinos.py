"""The house itself: founded once with its first administrator, its particulars changed with a reason.

What was settled under the old particulars stays settled: the zone and the cut-off change only while
no gaming day is open, the currency only while the ledger is empty, the code never (the trail names
the casino by it).
"""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from audits import people, policies, trail
from audits.by import By, by_system
from audits.models import Transfer
from casino.kernel import locking, money, texts
from casino.kernel.commands import command, explain_constraint, one_transaction
from casino.kernel.errors import Conflict, Refused
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino, GamingDay, User

JOB = "setup"
MOST_DECIMALS = 3
_CODE = re.compile(r"^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$")
_CURRENCY = re.compile(r"^[A-Z]{3}$")


@dataclass(frozen=True, slots=True)
class Particulars:
    """What a casino is told to be. `denominations` are smallest units, `cutoff` is local time."""

    name: str
    zone: str
    cutoff: dt.time
    currency: str
    denominations: Sequence[int]
    exponent: int = 2
    licence: str = ""


@dataclass(frozen=True, slots=True)
class FirstLogin:
    """The administrator every other login comes from."""

    username: str
    name: str
    password: str


def create_casino(*, code: str, particulars: Particulars, administrator: FirstLogin) -> tuple[Casino, User]:
    """Found a casino with its first administrator, in one transaction, as the system actor `setup`.

    There is nobody yet to allow it: this is for whoever holds the machine (`manage.py setup_casino`).
    Raises `Conflict` (code `casino_exists`) for a code already taken, `Refused` (code `bad_casino`)
    with the field for particulars that make no sense, and what `people.create_user` raises.
    """
    if not _CODE.fullmatch(code):
        raise _refuse(
            "code",
            "el código son hasta 20 letras minúsculas, cifras o guiones, como la-paz",
            "the code is up to 20 lower-case letters, digits or dashes, such as la-paz",
        )
    checked = _checked(particulars)
    with one_transaction():
        if Casino.objects.filter(code=code).exists():
            raise _casino_exists()
        casino = Casino.objects.create(code=code, **asdict(checked))
        by = by_system(casino, JOB)
        note("audits.casino.created", casino, by, {"code": code, **told(casino)})
        user = people.create_user(
            username=administrator.username,
            name=administrator.name,
            password=administrator.password,
            roles=[Role.ADMINISTRATOR],
            by=by,
        )
    return casino, user


@command(policies.SET_CASINO, silent_when="nothing is different", setting=True)
def set_casino(*, particulars: Particulars, by: By) -> Casino:
    """Change the particulars of the actor's casino; the event keeps what was and what is. Needs a reason.

    Raises `Conflict` (codes `days_open`, `ledger_in_use`) for what cannot change now, `Refused`
    (code `bad_casino`) for what makes no sense.
    """
    by.need_reason()
    checked = _checked(particulars)
    locking.taking(locking.Rank.CASINO)
    casino = Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)
    _refuse_untimely(casino, checked)
    before = told(casino)
    for field, value in asdict(checked).items():
        setattr(casino, field, value)
    after = told(casino)
    changed = sorted(field for field in after if after[field] != before[field])
    if changed:
        casino.save(update_fields=changed)
        note("audits.casino.set", casino, by, {f: {"before": before[f], "after": after[f]} for f in changed})
    return casino


def denominations_of(texts: Iterable[str], exponent: int) -> list[int]:
    """Chip values given as decimal strings, in smallest units. Raises `Refused` (`bad_amount`)."""
    return [money.parse(text, exponent, field="denominations") for text in texts]


def _refuse_untimely(casino: Casino, wanted: Particulars) -> None:
    moves_days = (casino.zone, casino.cutoff) != (wanted.zone, wanted.cutoff)
    if moves_days and GamingDay.objects.filter(casino=casino, state=GamingDay.State.OPEN).exists():
        raise Conflict(
            Text(
                "la zona y el corte cambian sólo sin días de juego abiertos; cierre antes los días",
                "zone and cut-off change only with no gaming day open; close the days first",
            ),
            code="days_open",
            field="zone" if casino.zone != wanted.zone else "cutoff",
        )
    revalues = (casino.currency, casino.exponent) != (wanted.currency, wanted.exponent)
    if revalues and Transfer.objects.filter(casino=casino).exists():
        raise Conflict(
            Text(
                "la moneda no cambia una vez que hay asientos; funde otro casino",
                "the currency does not change once there are ledger entries; found another casino",
            ),
            code="ledger_in_use",
            field="currency",
        )


def _checked(given: Particulars) -> Particulars:
    name = texts.line(given.name, "name", 120, code="bad_casino")
    licence = texts.line(given.licence, "licence", 60, code="bad_casino", least=0)
    if not _is_zone(given.zone):
        raise _refuse(
            "zone",
            f"no hay zona horaria «{given.zone[:40]}»; escriba por ejemplo America/La_Paz",
            f"there is no time zone “{given.zone[:40]}”; write for example America/La_Paz",
        )
    if not _CURRENCY.fullmatch(given.currency):
        raise _refuse(
            "currency",
            "la moneda son tres letras mayúsculas, como BOB",
            "the currency is three capital letters, such as BOB",
        )
    if not 0 <= given.exponent <= MOST_DECIMALS:
        raise _refuse(
            "exponent",
            f"los decimales de la moneda van de 0 a {MOST_DECIMALS}",
            f"the currency's decimals are 0 to {MOST_DECIMALS}",
        )
    chips = sorted(given.denominations)
    if not chips or chips[0] <= 0 or len(set(chips)) != len(chips):
        raise _refuse(
            "denominations",
            "indique las fichas, cada valor una vez y mayor que cero",
            "state the chips, each value once and above zero",
        )
    return Particulars(
        name=name,
        zone=given.zone,
        cutoff=given.cutoff.replace(second=0, microsecond=0, tzinfo=None),
        currency=given.currency,
        denominations=chips,
        exponent=given.exponent,
        licence=licence,
    )


def _is_zone(name: str) -> bool:
    try:
        zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return False
    return "/" in name or name == "UTC"


def told(casino: Casino) -> dict[str, Any]:
    """The particulars as an event tells them."""
    return {
        "name": casino.name,
        "licence": casino.licence,
        "zone": casino.zone,
        "cutoff": casino.cutoff.strftime("%H:%M"),
        "currency": casino.currency,
        "exponent": casino.exponent,
        "denominations": list(casino.denominations),
    }


def note(action: str, casino: Casino, by: By, data: dict[str, Any]) -> None:
    """An event about the house itself."""
    subject = trail.Subject("casino", casino.pk, casino.name)
    trail.record(action, stream=trail.SETTINGS_STREAM, subject=subject, by=by, data=data)


def _refuse(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_casino", field=field)


def _casino_exists() -> Conflict:
    return Conflict(
        Text(
            "ya hay un casino con ese código; esta orden se usa una sola vez por casino",
            "a casino with that code exists already; this command is used once per casino",
        ),
        code="casino_exists",
        field="code",
    )


# The database's own name for the unique code: two set-ups at once.
explain_constraint("casino_casino_code_key", _casino_exists)
