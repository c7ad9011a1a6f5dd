"""Addresses, methods and the act each demands: data, read by `casino/access.py`.

One row per URL name. A method that is not written is not offered (405); HEAD and OPTIONS go with
GET. `PUBLIC` needs no login; `SIGNED_IN` any login of the house.
"""

from __future__ import annotations

PUBLIC = "public"
SIGNED_IN = "audits.session.sign_in"

URLS: dict[str, dict[str, str]] = {
    # ---- the house ----
    "set_language": {"POST": PUBLIC},
    "health": {"GET": PUBLIC},
    "schema": {"GET": SIGNED_IN},
    # ---- API: coming and going ----
    "api:token": {"POST": PUBLIC},
    "api:logout": {"POST": SIGNED_IN},
    "api:me": {"GET": SIGNED_IN},
    # ---- API: audits ----
    "api:events": {"GET": "audits.trail.read"},
    "api:days": {"GET": "audits.report.read"},
    "api:users": {"GET": "audits.user.manage", "POST": "audits.user.manage"},
    "api:user": {"GET": "audits.user.manage"},
    "api:user-roles": {"POST": "audits.user.manage"},
    "api:user-activate": {"POST": "audits.user.manage"},
    "api:user-deactivate": {"POST": "audits.user.manage"},
    "api:user-password": {"POST": "audits.user.manage"},
}
