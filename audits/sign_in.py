"""Coming in, for pages and for the API alike: one check of the password, one limit on guessing.

Attempts are counted per user name and address before the password is looked at, in the database, so
that the limit holds over all web processes and for guesses sent at once; the right password wipes the
count. The count is no record of anything; a sign-in that works is (the trail).
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import unicodedata

from django.conf import settings
from django.contrib.auth import authenticate
from django.db import connection
from django.http import HttpRequest

from audits.by import by_user
from audits.people import note_sign_in, renew_hash
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino, FailedSignIns, User
from casino.problems import TooMany

ATTEMPTS = 5
WINDOW = dt.timedelta(minutes=15)
NO_ADDRESS = "::"  # a server on a socket file knows none


_FOR_PEOPLE = Text(
    "este usuario es de un dispositivo: entra por la API con su ficha de acceso, no por las páginas",
    "this login is a device's: it enters by the API with its token, not by the pages",
)


class BadCredentials(SabotError):
    """User name and password do not go together, or the login is shut off (401)."""

    status = 401
    default_code = "bad_credentials"


def sign_in(*, request: HttpRequest, username: str, password: str, way: str) -> User:
    """The user whom name and password belong to, with the sign-in on the trail.

    `way` is `page` or `token`. Raises as `vouch`.
    """
    user = vouch(request=request, username=username, password=password)
    if way == "page" and Role.DEVICE in user.roles:
        raise NotAllowed(_FOR_PEOPLE)
    renew_hash(user=user, password=password, by=by_user(user))
    note_sign_in(by=by_user(user), address=address_of(request), way=way)
    return user


def vouch(
    *, request: HttpRequest, username: str, password: str, field: str = "", casino: Casino | None = None
) -> User:
    """The user whom name and password belong to, who stays signed out: a second person's signature
    on somebody else's screen (GEN-10). `casino`: whose people alone may sign.

    Raises `BadCredentials`, and `TooMany` after `ATTEMPTS` wrong passwords within `WINDOW` for that
    name from that address, right or wrong.
    """
    name = unicodedata.normalize("NFC", username.strip().lower())[:60]
    address = address_of(request)
    count_attempt(name, address)
    user = authenticate(request, username=name, password=password)
    of_house = isinstance(user, User) and (casino is None or user.casino_id == casino.pk)
    if not isinstance(user, User) or not of_house or not user.roles or not hasattr(user, "actor"):
        raise BadCredentials(
            Text("el usuario o la contraseña no son correctos", "user name or password are not right"),
            field=field,
        )
    FailedSignIns.objects.filter(username=name, address=address).delete()
    return user


def address_of(request: HttpRequest) -> str:
    """Where a request comes from. A forwarded address is believed only behind a proxy of our own."""
    given = str(request.META.get("REMOTE_ADDR") or "")
    if settings.SECURE_PROXY_SSL_HEADER:
        # The last entry is the one our proxy added; those before it are the client's word.
        given = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() or given
    try:
        return str(ipaddress.ip_address(given))
    except ValueError:
        return NO_ADDRESS


def count_attempt(username: str, address: str, *, most: int = ATTEMPTS) -> None:
    """Count one more attempt, and refuse it once there were `most` within `WINDOW`."""
    now = clock.now()
    FailedSignIns.objects.filter(since__lte=now - WINDOW).delete()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO casino_failedsignins AS was (username, address, count, since)"
            " VALUES (%s, %s, 1, %s) ON CONFLICT (username, address)"
            " DO UPDATE SET count = least(was.count + 1, %s) RETURNING count, since",
            [username, address, now, most + 1],
        )
        count, since = cursor.fetchone()
    if count > most:
        raise TooMany(
            Text(
                "demasiados intentos; espere unos minutos o pida una contraseña nueva a administración",
                "too many attempts; wait some minutes or ask the administrator for a new password",
            ),
            wait_seconds=int((since + WINDOW - now).total_seconds()) + 1,
        )
