"""What the forms of the cards share: scanned lists, cards typed one by one, the second person's signature.

A scanner types a code and Enter, so a list is a box of lines; the page's script shows it as one small box and
a list that grows, and the form works without it.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from audits.models import Actor
from audits.pages.answers import user_of
from audits.sign_in import vouch
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import User
from casino.problems import TooMany
from shoes import labels, policies

MOST_LINES = 1_200


def scanned(request: HttpRequest, field: str = "serials") -> list[str]:
    """Serial numbers, one a line, as labels bear them or as typed; boxes that were ticked count as lines."""
    lines = "\n".join(request.POST.getlist(field)).splitlines()[:MOST_LINES]
    return [labels.serial(line) for line in lines if line.strip()]


def with_seals(request: HttpRequest, field: str = "serials") -> list[tuple[str, str]]:
    """Each line's serial number and, after it, the seal of its box; "" where none was written."""
    lines = (line.split(maxsplit=1) for line in request.POST.get(field, "").splitlines()[:MOST_LINES])
    return [(labels.serial(line[0]), line[1] if line[1:] else "") for line in lines if line]


def pairs(request: HttpRequest, field: str = "serials") -> dict[str, str]:
    """A serial number and the seal read on its box: on one line, or one after the other as scanned.

    Refuses beside the field: `seal_not_read`, `serial_repeated`.
    """
    read: list[tuple[str, str]] = []
    waiting = ""
    for line in filter(None, map(str.strip, request.POST.get(field, "").splitlines()[:MOST_LINES])):
        if waiting:
            read.append((waiting, line))
            waiting = ""
        elif len(words := line.split(maxsplit=1)) == 2:
            read.append((words[0], words[1]))
        else:
            waiting = line
    if waiting:
        raise Refused(
            Text(
                f"lea serie y precinto de cada baraja: quedó sola «{waiting[:40]}»",
                f"read serial number and seal of each deck: “{waiting[:40]}” was left alone",
            ),
            code="seal_not_read",
            field=field,
            rule="CARD-03",
        )
    return _each_once([(labels.serial(serial), seal) for serial, seal in read], field)


def _each_once(read: list[tuple[str, str]], field: str) -> dict[str, str]:
    seals = dict(read)
    if len(seals) < len(read):
        twice = next(serial for serial in seals if [one for one, _ in read].count(serial) > 1)[:40]
        raise Refused(
            Text(f"la serie {twice} está dos veces", f"serial number {twice} is there twice"),
            code="serial_repeated",
            field=field,
            rule="CARD-01",
        )
    return seals


def cards(request: HttpRequest, field: str) -> list[str]:
    """Cards typed or scanned one after the other: `9d kh`."""
    return request.POST.get(field, "").replace(",", " ").split()


def second_login(request: HttpRequest, field: str = "second") -> User:
    """The second person's own login, by name and password on this screen (GEN-10). Refuses beside the field.

    Called before the write, so that a wrong password is counted and not rolled back with it.
    """
    if not request.POST.get(field, "").strip():
        raise Refused(
            Text(
                "falta quien firma con usted: su usuario y su contraseña",
                "somebody signs beside you: their user name and password",
            ),
            code="second_missing",
            field=field,
            rule="GEN-10",
        )
    try:
        return vouch(
            request=request,
            username=request.POST.get(field, ""),
            password=request.POST.get(f"{field}_password", ""),
            field=field,
            casino=user_of(request).casino,
        )
    except TooMany as refusal:
        refusal.field = field
        raise


def second_person(request: HttpRequest, field: str = "second") -> Actor:
    """Who signs beside the person at the page."""
    actor: Actor = second_login(request, field).actor
    return actor


def hands(request: HttpRequest) -> QuerySet[Any]:
    """People whose hands may be on cards; which two may sign is for the write function to say."""
    rows = Actor.objects.filter(
        casino=user_of(request).casino_id, kind=Actor.Kind.STAFF, user__is_active=True
    )
    roles = [role.value for role in policies.HANDS_ON_CARDS]
    return rows.filter(user__role_codes__overlap=roles).order_by("name")
