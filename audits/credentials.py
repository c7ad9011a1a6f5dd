"""What the trail says of how somebody signs in: enough to notice a change, nothing to sign in with.

A stored password is a salted hash; the trail has its SHA-256. Whoever reads the trail learns nothing of the
password by it, as the salt (22 random signs) stands in the row alone; whoever puts another hash in the row
without the event is found (`audits.login_proofs`, REC-06, GEN-10).
"""

from __future__ import annotations

import hashlib

from django.contrib.auth.hashers import get_hasher, identify_hasher, is_password_usable

from casino.kernel import clock
from casino.models import User


def digest(user: User) -> str:
    """What the trail says of the password as it is stored."""
    return hashlib.sha256(user.password.encode()).hexdigest()


def commitment(user: User) -> dict[str, object]:
    """All of a login that no other event tells: when it came, its language, password, ended sessions."""
    return {
        "created": clock.stamp(user.created),
        "language": user.language,
        "password": digest(user),
        "sessions_ended": user.sessions_ended,
    }


def outdated(user: User) -> bool:
    """Whether a hash made today would be another kind than the stored one, or a stronger one."""
    if not is_password_usable(user.password):
        return False
    preferred = get_hasher()
    stored = identify_hasher(user.password)
    return stored.algorithm != preferred.algorithm or preferred.must_update(user.password)
