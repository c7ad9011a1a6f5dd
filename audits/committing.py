"""What was recorded before the trail committed to it, committed to once: from then on no change is unseen.

Done each night before the days are closed (`closing`), for whoever has no such event yet; nothing the second
time. What was changed before that night, nobody can tell.
"""

from __future__ import annotations

import datetime as dt

from django.db import connection

from audits import casinos, closing, credentials, policies, trail
from audits.by import By, by_system
from audits.models import Event
from audits.verify import told
from casino.kernel.commands import command
from casino.models import Casino, User

LOGIN = "audits.user.committed"
HOUSE = "audits.casino.committed"

_UNTOLD = f"""
SELECT u.id FROM casino_user u JOIN audits_actor a ON a.user_id = u.id
WHERE a.casino_id = %(casino)s AND NOT EXISTS (
    SELECT 1 FROM {
    told("audits.user.created", "audits.user.password_set", "audits.user.hash_renewed", LOGIN)
} t
    WHERE t.subject_id = a.id AND t.data ? 'password')
ORDER BY u.id
"""  # noqa: S608


@command(policies.CLOSE_DAY, silent_when="the trail commits to every login and to the house already")
def commit(*, by: By) -> int:
    """Commit to the logins and the house of which no event tells all; how many events that took."""
    waiting = _untold(by.casino)
    users = User.objects.filter(pk__in=waiting).order_by("pk")
    held = list(users.select_related("actor").select_for_update(of=("self",), no_key=True))
    # Asked again once they are held: somebody may have had a new password meanwhile, which was told.
    waiting = _untold(by.casino) if held else []
    for user in held:
        if user.pk in waiting:
            tell(user, by)
    founded = Event.objects.filter(casino=by.casino, action__in=("audits.casino.created", HOUSE))
    if founded.exists():
        return len(waiting)
    casinos.note(HOUSE, by.casino, by, {"code": by.casino.code, **casinos.told(by.casino)})
    return len(waiting) + 1


def _untold(casino: Casino) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(_UNTOLD, {"casino": casino.pk})
        return [pk for (pk,) in cursor.fetchall()]


def tell(user: User, by: By) -> None:
    """The event that commits to a login; within a command."""
    trail.record(
        LOGIN,
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("actor", user.actor.pk, user.actor.name),
        by=by,
        data={"username": user.username, **credentials.commitment(user)},
        rules=["REC-06"],
    )


def prepare(casino: Casino, instant: dt.datetime) -> None:
    """Before the days of a casino are closed."""
    commit(by=by_system(Casino.objects.get(pk=casino.pk), closing.JOB))


closing.register_preparation(prepare)
