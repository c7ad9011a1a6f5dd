"""Addresses, methods and the act each demands: data, read by `casino/access.py`.

One row per URL name. A method that is not written is not offered (405); HEAD and OPTIONS go with
GET. `PUBLIC` needs no login; `SIGNED_IN` any login of the house.
"""

from __future__ import annotations

from casino.access_audits import AUDITS
from casino.access_bank import BANK
from casino.access_cage import CAGE
from casino.access_cards import CARDS
from casino.access_floor import FLOOR
from casino.access_guests import GUESTS
from casino.access_inspections import INSPECTIONS
from casino.access_people import PEOPLE_DATA
from casino.access_pools import POOLS
from casino.access_pools_pages import POOL_PAGES
from casino.access_seals import SEALS
from casino.access_settings import SETTINGS

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
    # ---- pages: the house ----
    "login": {"GET": PUBLIC, "POST": PUBLIC},
    "logout": {"POST": PUBLIC},
    "theme": {"POST": PUBLIC},
    "rules": {"GET": SIGNED_IN},
    "rule": {"GET": SIGNED_IN},
    # ---- by subject, each in its own file ----
    **AUDITS,
    **PEOPLE_DATA,
    **SEALS,
    **INSPECTIONS,
    **CARDS,
    **FLOOR,
    **GUESTS,
    **SETTINGS,
    **CAGE,
    **BANK,
    **POOLS,
    **POOL_PAGES,
}
