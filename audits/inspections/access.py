"""An inspector's access: a code for one person and a time, given and revoked by the house (REC-11, GEN-09).

The login is made with the first code of a credential, holds the role of the inspector alone, and has no
password: without a code whose time runs, nobody is signed in by it (`standing`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from typing import NamedTuple

from audits import people, trail
from audits.by import By
from audits.inspections import codes, policies
from audits.models import AccessTerms, Actor, InspectorAccess
from casino.kernel import clock, locking, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino, User

RULES = ("REC-11",)
DEFAULT_HOURS, LONGEST_HOURS = 8, 24
MOST_HOURS = 7 * 24
"""What no house sets its limit beyond: a code is for a visit, not for a job."""
MOST_ENTRIES = 10
_CREDENTIAL = re.compile(r"[A-Z0-9][A-Z0-9.\-/]{1,19}")

State = InspectorAccess.State


class Terms(NamedTuple):
    """How long a code lasts unless said otherwise, and at most; in hours."""

    default: int
    longest: int


class Given(NamedTuple):
    """An access just given, and its code, which is shown this once."""

    access: InspectorAccess
    code: str


def terms_of(casino: Casino) -> Terms:
    """The terms in force."""
    found = AccessTerms.objects.filter(casino=casino).order_by("-pk").first()
    return Terms(found.default_hours, found.longest_hours) if found else Terms(DEFAULT_HOURS, LONGEST_HOURS)


@command(policies.SET_TERMS, setting=True)
def set_terms(*, default_hours: int, longest_hours: int, by: By) -> AccessTerms:
    """Say how long codes last from now on. Needs a reason. Raises `Refused` (`bad_hours`)."""
    by.need_reason()
    _lock_house(by)
    if not 1 <= longest_hours <= MOST_HOURS:
        raise _refuse(
            "bad_hours", "longest_hours", f"entre 1 y {MOST_HOURS} horas", f"from 1 to {MOST_HOURS} hours"
        )
    if not 1 <= default_hours <= longest_hours:
        raise _refuse("bad_hours", "default_hours", "no más que el máximo", "no more than the maximum")
    before = terms_of(by.casino)
    made = AccessTerms.objects.create(
        casino=by.casino,
        default_hours=default_hours,
        longest_hours=longest_hours,
        set_by=by.actor,
        set_at=by.occurred_at,
    )
    trail.record(
        "audits.access.terms_set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("access_terms", made.pk, by.casino.name),
        by=by,
        data={"before": list(before), "default_hours": default_hours, "longest_hours": longest_hours},
        rules=RULES,
    )
    return made


@command(policies.GIVE_ACCESS, setting=True)
def give_access(
    *,
    name: str,
    credential: str,
    by: By,
    valid_from: dt.datetime | None = None,
    hours: int | None = None,
    entries: int = 1,
) -> Given:
    """Give an inspector a code from an instant (now) for some hours (the house's default).

    `credential`: the number of the AJ's card, one person for good. `entries`: how often the code opens.
    Raises `Refused` (`bad_inspector`, `bad_credential`, `bad_hours`, `bad_entries`, `bad_start`), `Conflict`
    (`access_standing`, `login_shut_off`, `credential_of_another`).
    """
    _lock_house(by)
    name = texts.line(name, "name", 120, code="bad_inspector", rule="REC-11")
    credential = checked_credential(credential)
    since, until = _window(by, valid_from, hours)
    if not 1 <= entries <= MOST_ENTRIES:
        raise _refuse(
            "bad_entries", "entries", f"de 1 a {MOST_ENTRIES} entradas", f"1 to {MOST_ENTRIES} entries"
        )
    actor = _inspector(name, credential, by)
    _require_none_standing(actor, since, until)
    secret = codes.new_secret()
    access = InspectorAccess.objects.create(
        casino=by.casino, user=actor.user, credential=credential, selector=_free_selector(),
        secret=codes.hashed(secret), valid_from=since, valid_until=until, entries_allowed=entries,
        given_by=by.actor, given_at=by.occurred_at,
    )  # fmt: skip
    tell("audits.access.given", access, actor, by, _terms_told(access))
    return Given(access, codes.shown(access.selector, secret))


def _terms_told(access: InspectorAccess) -> dict[str, object]:
    return {
        "credential": access.credential,
        "selector": access.selector,
        # Of the salted hash: enough to notice that another code was put there (`credentials`).
        "secret": hashlib.sha256(access.secret.encode()).hexdigest(),
        "valid_from": clock.stamp(access.valid_from),
        "valid_until": clock.stamp(access.valid_until),
        "entries": access.entries_allowed,
    }


@command(policies.GIVE_ACCESS, setting=True)
def revoke_access(*, access: InspectorAccess, by: By) -> InspectorAccess:
    """End an access now, with all that is signed in by it. Needs a reason. Raises `Conflict`
    (`access_revoked`)."""
    by.need_reason()
    found = lock(access)
    if found.state == State.REVOKED:
        raise Conflict(
            Text(
                "ese acceso ya está revocado; si el inspector vuelve, dele otro código",
                "that access is revoked already; if the inspector comes again, give another code",
            ),
            code="access_revoked",
            rule="REC-11",
        )
    user = found.user
    people.end_sessions(user)
    user.save(update_fields=["sessions_ended"])
    found.state, found.revoked_at, found.revoked_by = State.REVOKED, by.occurred_at, by.actor
    found.save(update_fields=["state", "revoked_at", "revoked_by"])
    tell("audits.access.revoked", found, user.actor, by, {"sessions_ended": user.sessions_ended})
    return found


def lock(access: InspectorAccess) -> InspectorAccess:
    """An access as it stands, locked, and its login after it."""
    locking.taking(locking.Rank.SESSION)
    rows = InspectorAccess.objects.select_for_update(of=("self",), no_key=True)
    found = rows.get(pk=access.pk)
    found.user = User.objects.select_for_update(of=("self",), no_key=True).get(pk=found.user_id)
    return found


def tell(action: str, access: InspectorAccess, actor: Actor, by: By, data: dict[str, object]) -> None:
    """An event of the inspector's own stream."""
    trail.record(
        action,
        stream=f"person:{actor.pk}",
        subject=trail.Subject("inspector_access", access.pk, actor.name),
        by=by,
        data=data,
        rules=RULES,
    )


def checked_credential(typed: str) -> str:
    """A credential as it is kept. Raises `Refused` (`bad_credential`)."""
    found = typed.strip().upper()
    if not _CREDENTIAL.fullmatch(found):
        raise _refuse(
            "bad_credential",
            "credential",
            "escriba el número de la credencial de la AJ tal como es: letras, cifras, punto, guion, barra",
            "write the number of the AJ's card as it stands there: letters, digits, dot, dash or slash",
        )
    return found


def username_of(casino: Casino, credential: str) -> str:
    return f"{people.CODE_LOGIN}{casino.code}:{credential}".lower()


def _lock_house(by: By) -> None:
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(of=("self",), no_key=True).get(pk=by.casino.pk)


def _window(by: By, valid_from: dt.datetime | None, hours: int | None) -> tuple[dt.datetime, dt.datetime]:
    terms = terms_of(by.casino)
    lasts = terms.default if hours is None else hours
    if not 1 <= lasts <= terms.longest:
        raise _refuse(
            "bad_hours", "hours", f"de 1 a {terms.longest} horas", f"from 1 to {terms.longest} hours"
        )
    since = max(valid_from or by.occurred_at, by.occurred_at)
    if since > by.occurred_at + dt.timedelta(days=7):
        raise _refuse(
            "bad_start", "valid_from", "a lo más siete días adelante", "seven days ahead at the most"
        )
    return since, since + dt.timedelta(hours=lasts)


def _inspector(name: str, credential: str, by: By) -> Actor:
    """Who acts under a credential, made the first time; never another person's name."""
    username = username_of(by.casino, credential)
    found = User.objects.select_related("actor").filter(username=username).first()
    if found is None:
        user = User(casino=by.casino, username=username, name=name, role_codes=[Role.INSPECTOR.value])
        user.set_unusable_password()
        return people.enrol(user, Actor.Kind.STAFF, by)
    if found.name != name:
        raise Conflict(
            Text(
                f"la credencial {credential} es de {found.name}; revise el nombre y el número",
                f"card {credential} is {found.name}'s; check the name and the number",
            ),
            code="credential_of_another",
            rule="REC-11",
            field="name",
        )
    if not found.is_active:
        raise Conflict(
            Text(
                f"el usuario de {found.name} está desactivado; que administración lo active",
                f"the login of {found.name} is shut off; have the administrator activate it",
            ),
            code="login_shut_off",
            rule="REC-11",
            field="credential",
        )
    return found.actor


def _require_none_standing(actor: Actor, since: dt.datetime, until: dt.datetime) -> None:
    others = InspectorAccess.objects.filter(user=actor.user_id, valid_from__lt=until, valid_until__gt=since)
    if others.exclude(state=State.REVOKED).exists():
        raise _standing()


def _standing() -> SabotError:
    return Conflict(
        Text(
            "este inspector ya tiene un código para esas horas; revóquelo antes de dar otro",
            "this inspector has a code for those hours already; revoke it before you give another",
        ),
        code="access_standing",
        rule="REC-11",
        field="credential",
    )


explain_constraint("one_access_at_a_time", _standing)


def _free_selector() -> str:
    while InspectorAccess.objects.filter(selector=(found := codes.new_selector())).exists():
        pass
    return found


def _refuse(code: str, field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code=code, rule="REC-11", field=field)
