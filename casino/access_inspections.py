"""The part of the access table (`casino/access_table.py`) about the AJ's inspector: his code and his visits.

What he writes is his own record; every other write of the house is closed to him (REC-11).
"""

from __future__ import annotations

_GIVE, _READ, _OPEN = "audits.access.give", "audits.inspection.read", "audits.inspection.open"
_INSPECT, _ANSWER, _INCIDENT = (
    "audits.inspection.inspect",
    "audits.inspection.answer",
    "audits.incident.report",
)

INSPECTIONS: dict[str, dict[str, str]] = {
    # ---- API ----
    "api:inspection-token": {"POST": "public"},  # comes in by a code, as `token` by a password
    "api:inspector-accesses": {"GET": _GIVE},
    "api:inspector-access-revoke": {"POST": _GIVE},
    "api:visit-tables": {"GET": _READ},
    "api:visit-targets": {"GET": _READ},
    "api:visits": {"GET": _READ, "POST": _OPEN},
    "api:visit": {"GET": _READ},
    "api:visit-close": {"POST": _OPEN},
    "api:visit-draws": {"POST": _INSPECT},
    "api:visit-draw": {"GET": _READ},
    "api:visit-draw-word": {"POST": _INSPECT},
    "api:visit-counts": {"POST": _INSPECT},
    "api:visit-count-answer": {"POST": _ANSWER},
    "api:visit-count-incident": {"POST": _INCIDENT},
    # ---- pages ----
    "inspection-door": {"GET": "public", "POST": "public"},
    "visits": {"GET": _READ, "POST": _OPEN},
    "inspector-accesses": {"GET": _GIVE, "POST": _GIVE},
    "inspector-access-terms": {"POST": "audits.access.set_terms"},
    "inspector-access-revoke": {"POST": _GIVE},
    "visit": {"GET": _READ},
    "visit-close": {"POST": _OPEN},
    "visit-draw": {"POST": _INSPECT},
    "visit-draw-record": {"GET": _READ},
    "visit-draw-word": {"POST": _INSPECT},
    "visit-count": {"GET": _INSPECT, "POST": _INSPECT},
    "visit-count-answer": {"POST": _ANSWER},
    "visit-count-incident": {"POST": _INCIDENT},
    "visit-act": {"GET": _READ},
}
