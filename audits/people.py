"""Logins: made, changed and shut off by write functions, each with its event.

A person is deactivated, never deleted. Roles are words of `casino.kernel.permissions.Role`; the
`system` role belongs to jobs and is never given to a login.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from knox.models import AuthToken

from audits import credentials, policies, trail
from audits.by import JOB_LOGIN, By
from audits.models import Actor
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from casino.kernel.words import Text, same
from casino.models import User

CODE_LOGIN = "inspector:"
"""How the user name of a login begins that is entered by a code for a time (`audits.inspections`)."""


@command(policies.MANAGE_USERS, setting=True)
def create_user(
    *, username: str, name: str, password: str, roles: Iterable[Role], by: By, language: str = "es-bo"
) -> User:
    """Make a login for a person or a device of the actor's casino.

    Raises `Refused` for a taken user name, no role, a mix of device and person, a weak password.
    """
    wanted = _checked_roles(roles)
    username = texts.line(username.lower(), "username", 60, code="bad_user")
    if username.startswith((JOB_LOGIN, CODE_LOGIN)):
        raise _refuse("username", "elija un nombre de usuario", "choose a user name")
    if User.objects.filter(username=username).exists():
        raise _refuse("username", "ese nombre de usuario ya existe", "that user name is taken")
    name = texts.line(name, "name", 120, code="bad_user")
    user = User(casino=by.casino, username=username, name=name, language=language)
    user.role_codes = sorted(role.value for role in wanted)
    _set_password(user, password)
    enrol(user, Actor.Kind.DEVICE if Role.DEVICE in wanted else Actor.Kind.STAFF, by)
    return user


def enrol(user: User, kind: Actor.Kind, by: By) -> Actor:
    """Store a new login with who acts by it and its event; within a command."""
    user.save()
    actor = Actor.objects.create(casino=by.casino, user=user, kind=kind, name=user.name)
    trail.record(
        "audits.user.created",
        stream=trail.SETTINGS_STREAM,
        subject=_subject(actor),
        by=by,
        data={
            "username": user.username,
            "roles": user.role_codes,
            "kind": kind.value,
            **credentials.commitment(user),
        },
    )
    return actor


@command(policies.MANAGE_USERS, setting=True)
def set_roles(*, user: User, roles: Iterable[Role], by: By) -> User:
    """Change what a login may do; the event keeps both lists. Needs a reason."""
    by.need_reason()
    _require_no_job(user)
    _require_no_code(user)
    wanted = _checked_roles(roles)
    before, user.role_codes = user.role_codes, sorted(role.value for role in wanted)
    user.save(update_fields=["role_codes"])
    _note("audits.user.roles_set", user, by, {"before": before, "after": user.role_codes})
    return user


@command(policies.MANAGE_USERS, setting=True)
def set_active(*, user: User, active: bool, by: By) -> User:
    """Shut a login off or open it again. Needs a reason; nobody shuts themselves off.

    What it was signed in with ends with it, tokens and browsers alike, and does not come back.
    """
    by.need_reason()
    _require_no_job(user)
    if user.pk == by.actor.user_id:
        raise _refuse("user", "nadie se desactiva a sí mismo", "nobody deactivates themselves")
    user.is_active = active
    if not active:
        end_sessions(user)
    user.save(update_fields=["is_active", "sessions_ended"])
    ended: dict[str, object] = {"sessions_ended": user.sessions_ended}
    _note("audits.user.activated" if active else "audits.user.deactivated", user, by, ended)
    return user


def end_sessions(user: User) -> None:
    """End all that a login is signed in with; the caller saves `sessions_ended`."""
    user.sessions_ended += 1
    AuthToken.objects.filter(user=user).delete()


@command(policies.MANAGE_USERS, setting=True)
def set_password(*, user: User, password: str, by: By) -> User:
    """Give a login a new password. Needs a reason; the password itself is not recorded."""
    by.need_reason()
    _require_no_job(user)
    _require_no_code(user)
    _set_password(user, password)
    user.save(update_fields=["password"])
    # Sessions end by themselves; tokens given under the old password would live on.
    AuthToken.objects.filter(user=user).delete()
    _note("audits.user.password_set", user, by, {"password": credentials.digest(user)})
    return user


@command(policies.SIGN_IN, silent_when="the stored hash is what would be made today, or another by now")
def renew_hash(*, user: User, password: str, by: By) -> bool:
    """Store anew, as strongly as is done today, the password somebody has just signed in with.

    Never in passing: a hash that changes without its event is one that somebody put there (REC-06).
    """
    if not credentials.outdated(user):
        return False
    was = user.password
    user.set_password(password)
    # Nobody has been given another password meanwhile.
    if not User.objects.filter(pk=user.pk, password=was).update(password=user.password):
        user.password = was
        return False
    _note("audits.user.hash_renewed", user, by, {"password": credentials.digest(user)})
    return True


@command(policies.SIGN_IN)
def note_sign_in(*, by: By, address: str, way: str) -> None:
    """Put a sign-in on the person's stream; `way` is `page` or `token`."""
    trail.record(
        "audits.user.signed_in",
        stream=f"person:{by.actor.pk}",
        subject=_subject(by.actor),
        by=by,
        data={"address": address, "way": way},
    )


def _note(action: str, user: User, by: By, data: dict[str, object]) -> None:
    trail.record(action, stream=trail.SETTINGS_STREAM, subject=_subject(user.actor), by=by, data=data)


def _subject(actor: Actor) -> trail.Subject:
    return trail.Subject("actor", actor.pk, actor.name)


def _require_no_job(user: User) -> None:
    if user.username.startswith(JOB_LOGIN):
        raise _refuse(
            "user",
            "es un trabajo del sistema, no un usuario: no se administra",
            "that is a job of the system and no login: it is not managed",
        )


def _require_no_code(user: User) -> None:
    if user.username.startswith(CODE_LOGIN):
        raise Refused(
            Text(
                "es un inspector que entra con su código por un tiempo: sólo lee, y no tiene contraseña",
                "that is an inspector who enters with a code for a time: he only reads and has no password",
            ),
            code="bad_user",
            field="user",
            rule="REC-11",
        )


def _checked_roles(roles: Iterable[Role]) -> set[Role]:
    wanted = set(roles)
    if not wanted or Role.SYSTEM in wanted:
        raise _refuse("roles", "elija al menos una función", "choose at least one role")
    if Role.DEVICE in wanted and len(wanted) > 1:
        raise _refuse("roles", "un dispositivo no tiene otra función", "a device has no other role")
    if Role.INSPECTOR in wanted and len(wanted) > 1:
        raise Refused(
            Text(
                "el inspector de la AJ sólo lee; no puede tener otra función",
                "the AJ inspector only reads and may hold no other role",
            ),
            code="bad_user",
            field="roles",
            rule="REC-11",
        )
    return wanted


def _set_password(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(same(" ".join(error.messages)), code="bad_user", field="password") from error
    user.set_password(password)


def _refuse(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_user", field=field)
