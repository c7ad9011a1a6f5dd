"""What the inspector looked at, on the trail (REC-11): each address once per gaming day.

A page that is asked for again by itself every few seconds is one look. What a person who signs in with a
password and the inspector's role reads is kept alike.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, HttpResponse

from audits import trail
from audits.by import By, by_user
from audits.inspections import policies
from audits.models import InspectorLook
from casino.access_table import PUBLIC, URLS
from casino.kernel.commands import command
from casino.kernel.permissions import Role

LONGEST_PATH = InspectorLook._meta.get_field("path").max_length or 0
_READS = {"GET": range(200, 400), "HEAD": range(200, 400), "POST": range(200, 201)}
"""What answers show something: a POST that looks somebody up answers at once, one that writes leads on."""


@command(policies.NOTE_LOOK, silent_when="he looked there already today", setting=True)
def note_look(*, path: str, by: By) -> bool:
    """Keep that the inspector looked at an address; whether it is the first time today."""
    day, path = by.casino.gaming_day(by.occurred_at), path[:LONGEST_PATH]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO audits_inspectorlook (casino_id, actor_id, day, path, at)"
            " VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (actor_id, day, path) DO NOTHING RETURNING id",
            [by.casino.pk, by.actor.pk, day, path, by.occurred_at],
        )
        row = cursor.fetchone()
    if row is None:
        return False
    trail.record(
        "audits.inspector.looked",
        stream=f"person:{by.actor.pk}",
        subject=trail.Subject("inspector_look", row[0], by.actor.name),
        by=by,
        data={"path": path, "day": str(day)},
        rules=["REC-11"],
    )
    return True


class Looks:
    """Notes what an inspector was shown; after the view, since a token is read no earlier."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if match is None or response.status_code not in _READS.get(str(request.method), ()):
            return response
        if PUBLIC in URLS.get(match.view_name, {"": PUBLIC}).values():
            return response  # the doors, and what hangs in the room for everybody
        user = request.user
        if user.is_authenticated and Role.INSPECTOR.value in user.role_codes and hasattr(user, "actor"):
            self._note(request, by_user(user))
        return response

    @staticmethod
    def _note(request: HttpRequest, by: By) -> None:
        path = request.path[:LONGEST_PATH]
        seen = InspectorLook.objects.filter(
            actor=by.actor, day=by.casino.gaming_day(by.occurred_at), path=path
        )
        if not seen.exists():
            note_look(path=path, by=by)
