"""What commands on the floor have in common: the casino and the session a person means."""

from __future__ import annotations

from django.core.management.base import CommandError

from casino.models import Casino
from tables.models import TableSession

UNUSABLE = 2
"""Exit code of a command that was asked something it cannot do."""


def casino_of(code: str | None) -> Casino:
    """The casino of a code, or the only one there is."""
    casinos = list(Casino.objects.filter(**({"code": code} if code else {})).order_by("code"))
    if not casinos:
        raise CommandError(
            f"no hay casino con código {code}" if code else "no hay ningún casino", returncode=UNUSABLE
        )
    if len(casinos) > 1:
        codes = ", ".join(casino.code for casino in casinos)
        raise CommandError(f"hay varios casinos: indique --casino con uno de {codes}", returncode=UNUSABLE)
    return casinos[0]


def session_of(text: str, casino: Casino) -> TableSession:
    """The session named by its id, its label (`PB-01 · 2026-11-29 · 1`), or its table's open one."""
    sessions = TableSession.objects.filter(casino=casino).select_related("table", "day", "casino")
    wanted = text.strip()
    if wanted.isascii() and wanted.isdigit():
        found = sessions.filter(pk=int(wanted)).first() if len(wanted) <= 18 else None
    elif "·" in wanted:
        found = _by_label(wanted, casino)
    else:
        found = sessions.filter(table__name=wanted.upper(), state__in=TableSession.LIVE).first()
    if found is None:
        raise CommandError(
            f"no hay sesión «{wanted[:40]}»: indique su número, su rótulo o una mesa con sesión abierta",
            returncode=UNUSABLE,
        )
    return found


def _by_label(label: str, casino: Casino) -> TableSession | None:
    parts = [part.strip() for part in label.split("·")]
    sessions = TableSession.objects.filter(casino=casino, table__name=parts[0].upper())
    for session in sessions.select_related("table", "day", "casino"):
        if session.label == " · ".join(parts):
            return session
    return None
