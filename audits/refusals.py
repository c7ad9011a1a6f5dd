"""What a rule refused, put on record after everything was rolled back: who, where, which rule, when.

Cheap (one statement), never in the way (what fails here is logged and the answer stands), and bounded: of one
person, rule and code at most `MOST_A_MINUTE` rows a minute; the last of them stands for all that came after
it.
"""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError, connection, transaction

from audits.models import Actor
from audits.models.refusals import MOST_A_MINUTE
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.place import here

log = logging.getLogger(__name__)

_INSERT = """
INSERT INTO audits_refusal (casino_id, at, minute, nth, actor_id, rule, code, field, place, method, about)
SELECT %(casino)s, %(at)s, %(minute)s, said + 1, %(actor)s, %(rule)s, %(code)s, %(field)s, %(place)s,
%(method)s,
       %(about)s
FROM (SELECT count(*) AS said FROM audits_refusal
      WHERE (casino_id, actor_id, rule, code, minute) = (%(casino)s, %(actor)s, %(rule)s, %(code)s,
      %(minute)s)) n
WHERE said < %(most)s
ON CONFLICT DO NOTHING
"""


def keep(actor: Any, refusal: SabotError, act: str) -> None:
    """Keep one refusal. Never raises for what the database says."""
    if connection.needs_rollback:  # somebody else's transaction is lost; nothing can be written in it
        log.warning("refusal %s of %s not kept: its transaction is broken", refusal.code, refusal.rule)
        return
    place, at = here(), clock.now()
    minute = at.replace(second=0, microsecond=0)
    if actor.kind == Actor.Kind.SYSTEM:  # what a job tries again each minute is told by the hour
        minute = minute.replace(minute=0)
    values = {
        "casino": actor.casino_id,
        "at": at,
        "minute": minute,
        "actor": actor.pk,
        "rule": refusal.rule[:12],
        "code": refusal.code[:60],
        "field": refusal.field[:60],
        "place": (place.name or act)[:80],
        "method": place.method[:8],
        "about": place.about[:120],
        "most": MOST_A_MINUTE,
    }
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_INSERT, values)
    except DatabaseError:
        log.exception("refusal %s of %s not kept", refusal.code, refusal.rule)
