"""The part of the access table (`casino/access_table.py`) about people's data and the coverage of rules."""

from __future__ import annotations

PEOPLE_DATA: dict[str, dict[str, str]] = {
    # ---- API ----
    "api:retention-periods": {"GET": "audits.people_data.read", "POST": "audits.retention.set"},
    "api:legal-holds": {"GET": "audits.people_data.read", "POST": "audits.hold.put"},
    "api:legal-hold-lift": {"POST": "audits.hold.lift"},
    "api:erasure-orders": {"GET": "audits.people_data.read", "POST": "audits.erasure.order"},
    "api:person-looks": {"GET": "audits.look.read"},
    "api:refusals": {"GET": "audits.coverage.read"},
    # ---- pages ----
    "coverage": {"GET": "audits.coverage.read"},
    "people-looks": {"GET": "audits.look.read"},
    "people-data": {"GET": "audits.people_data.read"},
    "people-data-period": {"POST": "audits.retention.set"},
    "people-data-hold": {"POST": "audits.hold.put"},
    "people-data-lift": {"POST": "audits.hold.lift"},
    "people-data-order": {"POST": "audits.erasure.order"},
}
