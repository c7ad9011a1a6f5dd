"""What is kept only for a while and is no record of anything: answers to repeat, expired logins.

Records are never swept (REC-12). An answer is kept well past any time a tablet might still be sending
its queue again; after that the same key would be a new request.
"""

from __future__ import annotations

import datetime as dt

from django.contrib.sessions.models import Session
from knox.models import AuthToken

from casino.kernel import clock
from casino.models import IdempotencyRecord

KEEP_ANSWERS = dt.timedelta(days=30)


def sweep() -> dict[str, int]:
    """Delete what has served its time; how many rows of each kind."""
    now = clock.now()
    return {
        "answers": IdempotencyRecord.objects.filter(created__lt=now - KEEP_ANSWERS).delete()[0],
        "tokens": AuthToken.objects.filter(expiry__lt=now).delete()[0],
        "sessions": Session.objects.filter(expire_date__lt=now).delete()[0],
    }
