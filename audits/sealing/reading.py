"""Reading seals: the leaves one stands on, the seal of a day, the key in use; and holding them to write."""

from __future__ import annotations

import datetime as dt

from django.db import connection

from audits.models import Seal, SealKey
from casino.kernel import locking
from casino.models import Casino

_LEAVES = """
SELECT DISTINCT ON (l.stream_id) l.name, l.seq, l.hash
FROM audits_sealleaf l JOIN audits_seal s ON s.id = l.seal_id JOIN casino_gamingday d ON d.id = s.day_id
WHERE s.casino_id = %s AND d.date <= %s
ORDER BY l.stream_id, d.date DESC
"""

SEALS = 0x5345414C
"""The first key of the lock that stands for a casino's seals; the second is the casino."""

Leaf = tuple[str, int, bytes]
"""A chain as a seal found it: its name, its number of events, the hash of the last."""


def leaves_of(seal: Seal) -> list[Leaf]:
    """Every leaf of a seal's tree in its order, by the stream's name bytewise: each chain as the latest
    seal up to this one noted it."""
    with connection.cursor() as cursor:
        cursor.execute(_LEAVES, [seal.casino_id, seal.day.date])
        found = [(str(name), int(seq), bytes(head)) for name, seq, head in cursor.fetchall()]
    return sorted(found, key=in_order)


def in_order(leaf: Leaf) -> bytes:
    """What leaves are sorted by."""
    return leaf[0].encode()


def seal_of(casino: Casino, date: dt.date) -> Seal | None:
    """The seal of a gaming day, None while it has none."""
    return Seal.objects.select_related("day", "key", "casino").filter(casino=casino, day__date=date).first()


def hold(casino: Casino) -> None:
    """Have the seals and keys of a house to oneself until the transaction ends: one seals, or changes the
    key, at a time, and whoever does waits for nobody at the tables."""
    locking.taking(locking.Rank.CASINO)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s::int)", [SEALS, casino.pk])


def latest_seal(casino: Casino) -> Seal | None:
    """The last seal of a house."""
    rows = Seal.objects.select_related("day", "key", "casino").filter(casino=casino)
    return rows.order_by("-day__date").first()


def key_in_use(casino: Casino) -> SealKey | None:
    """The key that signs now."""
    return SealKey.objects.filter(casino=casino, until=None).first()
