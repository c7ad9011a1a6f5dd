"""Whether an inspector who came in by a code may still be here: asked at every request, page or API.

What a browser or a token holds is never believed for longer than the code's own time, and a code revoked ends
both at once. Logins with a password are none of this.
"""

from __future__ import annotations

import datetime as dt

from audits.models import InspectorAccess
from audits.people import CODE_LOGIN
from casino.kernel import clock
from casino.models import User


def access_of(user: User) -> InspectorAccess | None:
    """The access by which a login is in: the one entered last."""
    entered = InspectorAccess.objects.filter(user=user, entries__gt=0)
    return entered.order_by("-last_entry_at", "-pk").first()


def ends_at(user: User) -> dt.datetime | None:
    """When the time of a login entered by a code is over; None for every other login."""
    if not user.username.startswith(CODE_LOGIN):
        return None
    access = access_of(user)
    return access.valid_until if access else None


def is_over(user: User) -> bool:
    """Whether a login entered by a code is out: its time over, or its code revoked."""
    if not user.username.startswith(CODE_LOGIN):
        return False
    access = access_of(user)
    if access is None or access.state == InspectorAccess.State.REVOKED:
        return True
    return not access.valid_from <= clock.now() < access.valid_until
