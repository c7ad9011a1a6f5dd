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
    "api:actors": {"GET": "tables.staff.read"},
    "api:days": {"GET": "audits.report.read"},
    "api:reports": {"GET": "audits.report.read"},
    "api:exports": {"GET": "audits.report.read", "POST": "audits.report.make"},
    "api:export": {"GET": "audits.report.read"},
    "api:export-file": {"GET": "audits.report.read"},
    "api:users": {"GET": "audits.user.manage", "POST": "audits.user.manage"},
    "api:user": {"GET": "audits.user.manage"},
    "api:user-roles": {"POST": "audits.user.manage"},
    "api:user-activate": {"POST": "audits.user.manage"},
    "api:user-deactivate": {"POST": "audits.user.manage"},
    "api:user-password": {"POST": "audits.user.manage"},
    # ---- API: shoes ----
    "api:decks": {"GET": "shoes.shoe.read", "POST": "shoes.deck.register"},
    "api:deck": {"GET": "shoes.shoe.read"},
    "api:deck-inspections": {"POST": "shoes.deck.inspect"},
    "api:inspections": {"GET": "shoes.shoe.read"},
    "api:shoes": {"GET": "shoes.shoe.read", "POST": "shoes.shoe.prepare"},
    "api:shoe": {"GET": "shoes.shoe.read"},
    "api:shoe-steps": {"POST": "shoes.shoe.prepare"},
    "api:shoe-end": {"POST": "shoes.shoe.end"},
    # ---- API: the floor's settings ----
    "api:games": {"GET": "tables.floor.read"},
    "api:pits": {"GET": "tables.floor.read", "POST": "tables.settings.set"},
    "api:pit-change": {"POST": "tables.settings.set"},
    "api:tables": {"GET": "tables.floor.read", "POST": "tables.settings.set"},
    "api:table": {"GET": "tables.floor.read"},
    "api:table-change": {"POST": "tables.settings.set"},
    "api:table-limits": {"POST": "tables.limits.set"},
    "api:limits": {"GET": "tables.floor.read"},
    "api:rules": {"GET": "tables.floor.read", "POST": "tables.rules.publish"},
    "api:staff": {"GET": "tables.staff.read", "POST": "tables.staff.manage"},
    "api:staff-one": {"GET": "tables.staff.read"},
    "api:staff-change": {"POST": "tables.staff.manage"},
    # ---- API: sessions and rounds ----
    "api:table-sessions": {"POST": "tables.session.open"},
    "api:sessions": {"GET": "tables.floor.read"},
    "api:session": {"GET": "tables.floor.read"},
    "api:session-close": {"POST": "tables.session.close"},
    "api:session-drop": {"POST": "tables.session.record_drop"},
    "api:session-reliefs": {"POST": "tables.session.assign"},
    "api:session-shoe": {"POST": "tables.session.load_shoe"},
    "api:session-stop-card": {"POST": "tables.round.log"},
    "api:session-rounds": {"POST": "tables.round.log"},
    "api:round-current": {"GET": "tables.floor.read"},
    "api:round-events": {"POST": "tables.round.log"},
    "api:round-settle": {"POST": "tables.round.log"},
    "api:round-abandon": {"POST": "tables.round.log"},
    "api:rounds": {"GET": "tables.floor.read"},
    "api:round": {"GET": "tables.floor.read"},
    "api:round-void": {"POST": "tables.round.void"},
    # ---- pages ----
}
