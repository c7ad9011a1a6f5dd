"""Coming in by a code: credential and code together, few attempts, every one of them on the trail (REC-11).

Attempts are counted before anything is looked at, per credential and per address, as for passwords
(`audits.sign_in`); and on the access itself, which locks. Who does not know the code learns nothing of it:
whatever is wrong reads alike and takes as long.
"""

from __future__ import annotations

import datetime as dt
import hmac
from zoneinfo import ZoneInfo

from django.http import HttpRequest

from audits import people
from audits.by import By, by_system, by_user
from audits.inspections import access as accesses
from audits.inspections import codes, policies
from audits.models import Actor, InspectorAccess
from audits.sign_in import BadCredentials, address_of, count_attempt
from casino.kernel import clock
from casino.kernel.commands import command
from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from casino.models import FailedSignIns, User

JOB = "inspector-codes"
MOST_ATTEMPTS = 5
"""Wrong ones on an access before it locks for good."""
MOST_FROM_ADDRESS = 20
"""From one address within the window of `audits.sign_in`, whatever was typed."""
_COUNTED_AS = people.CODE_LOGIN

_WRONG = Text("la credencial o el código no son correctos", "the card number or the code is not right")
_ENDED: dict[str, Text] = {
    "revoked": Text(
        "este código fue revocado; pida otro a la casa", "this code was revoked; ask the house for another"
    ),
    "locked": Text(
        "este código se bloqueó por intentos fallidos; pida otro a la casa",
        "this code locked after failed attempts; ask the house for another",
    ),
    "spent": Text(
        "este código ya se usó; pida otro a la casa", "this code was used already; ask the house for another"
    ),
    "shut_off": Text("este usuario está desactivado", "this login is shut off"),
}


class CodeEnded(SabotError):
    """The right code, which opens no more or not yet (401)."""

    status = 401
    default_code = "code_ended"


def enter(*, request: HttpRequest, credential: str, code: str, way: str) -> tuple[User, dt.datetime]:
    """The inspector whom credential and code belong to, and until when; the entry is on the trail.

    `way` is `page` or `token`. What was signed in by an earlier entry ends with it. Raises `BadCredentials`,
    `CodeEnded`, `TooMany`.
    """
    credential, address = credential.strip().upper()[:20], address_of(request)
    count_attempt(_COUNTED_AS, address, most=MOST_FROM_ADDRESS)
    counted = f"{_COUNTED_AS}{credential}"
    count_attempt(counted, address)
    read = codes.read(code)
    selector, secret = read or ("", code[:60])
    found = InspectorAccess.objects.select_related("casino", "user").filter(selector=selector).first()
    if found is None:
        codes.waste(secret)
        raise BadCredentials(_WRONG, field="code")
    by = by_system(found.casino, JOB)
    why, until = try_code(access=found, credential=credential, secret=secret, address=address, way=way, by=by)
    if why:
        raise _refusal(why, found)
    FailedSignIns.objects.filter(username=counted, address=address).delete()
    user = User.objects.select_related("actor", "casino").get(pk=found.user_id)
    people.note_sign_in(by=by_user(user), address=address, way=way)
    return user, until


@command(policies.KNOCK, setting=True)
def try_code(
    *, access: InspectorAccess, credential: str, secret: str, address: str, way: str, by: By
) -> tuple[str, dt.datetime]:
    """Try a code on its access and keep what came of it; why it does not open, empty where it does.

    It answers instead of raising, so that a wrong attempt is counted and not rolled back.
    """
    found = accesses.lock(access)
    actor = found.user.actor
    right = codes.matches(secret, found.secret)
    right &= hmac.compare_digest(credential.encode(), found.credential.encode())
    why = _closed(found, by) if right else "wrong"
    if why:
        _refuse(found, actor, why, address, way, by)
    else:
        _admit(found, actor, address, way, by)
    return why, found.valid_until


def _closed(access: InspectorAccess, by: By) -> str:
    """Why the right code does not open now."""
    if access.state != InspectorAccess.State.GIVEN:
        return str(access.state)
    if not access.user.is_active:
        return "shut_off"
    if by.occurred_at < access.valid_from:
        return "early"
    if by.occurred_at >= access.valid_until:
        return "over"
    return "spent" if access.entries >= access.entries_allowed else ""


def _refuse(access: InspectorAccess, actor: Actor, why: str, address: str, way: str, by: By) -> None:
    given = access.state == InspectorAccess.State.GIVEN
    if why == "wrong" and given:
        access.attempts += 1
        if access.attempts >= MOST_ATTEMPTS:
            access.state, access.locked_at = InspectorAccess.State.LOCKED, by.occurred_at
        access.save(update_fields=["attempts", "state", "locked_at"])
    data = {"why": why, "attempts": access.attempts, "address": address, "way": way}
    accesses.tell("audits.access.refused", access, actor, by, data)
    if why == "wrong" and given and access.state == InspectorAccess.State.LOCKED:
        accesses.tell("audits.access.locked", access, actor, by, {"attempts": access.attempts})


def _admit(access: InspectorAccess, actor: Actor, address: str, way: str, by: By) -> None:
    people.end_sessions(access.user)
    access.user.save(update_fields=["sessions_ended"])
    access.entries += 1
    access.last_entry_at = by.occurred_at
    access.save(update_fields=["entries", "last_entry_at"])
    data = {
        "entry": access.entries,
        "address": address,
        "way": way,
        "until": clock.stamp(access.valid_until),
        "sessions_ended": access.user.sessions_ended,
    }
    accesses.tell("audits.access.entered", access, actor, by, data)


def _refusal(why: str, access: InspectorAccess) -> SabotError:
    if why == "wrong":
        return BadCredentials(_WRONG, field="code")
    if why in _ENDED:
        return CodeEnded(_ENDED[why], code=f"code_{why}", rule="REC-11", field="code")
    zone = ZoneInfo(access.casino.zone)
    since, until = access.valid_from.astimezone(zone), access.valid_until.astimezone(zone)
    words = {
        "early": Text(
            f"este código vale desde el {since:%d/%m/%Y %H:%M}",
            f"this code is valid from {since:%Y-%m-%d %H:%M}",
        ),
        "over": Text(
            f"este código terminó el {until:%d/%m/%Y %H:%M}; pida otro a la casa",
            f"this code ended on {until:%Y-%m-%d %H:%M}; ask the house for another",
        ),
    }
    return CodeEnded(words[why], code=f"code_{why}", rule="REC-11", field="code")
