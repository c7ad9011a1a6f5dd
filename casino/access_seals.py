"""Addresses of the seals of the gaming days, as `casino/access_table.py` writes them.

Public keys are for everybody: who checks a seal has no login here.
"""

from __future__ import annotations

SEALS: dict[str, dict[str, str]] = {
    "api:seals": {"GET": "audits.report.read"},
    "api:seal": {"GET": "audits.report.read"},
    "api:seal-keys": {"GET": "audits.report.read"},
    "day": {"GET": "audits.report.read"},
    "day-seal-file": {"GET": "audits.report.read"},
    "seal-keys-file": {"GET": "public"},
}
