"""Who stands with whom, and for how long: croupiers, supervisors and players in pairs.

A pair is together while both are at one table at once. Time concentrated on one pair is what collusion looks
like from afar: a share of a person's whole time above the asked one is flagged, once it is long enough to
mean anything. It accuses nobody; it says where to look.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection

from casino.kernel import clock
from casino.models import Casino

SHARE, LEAST_MINUTES = 50, 120
"""Flagged from this percentage of the first one's time on, and from this many minutes together on."""

# Every place somebody had at a table within the span, cut to it: croupiers, supervisors, known players.
_PLACES = """
place AS (
    SELECT CASE WHEN a.post = 'supervisor' THEN 'supervisor' ELSE 'croupier' END AS kind,
           a.staff_id AS who, f.name, a.session_id, a.during * span.whole AS during
    FROM tables_assignment a JOIN tables_staff f ON f.id = a.staff_id, span
    WHERE a.casino_id = %(casino)s AND a.during && span.whole
    UNION ALL
    SELECT 'player', t.guest_id, g.name, t.session_id, t.during * span.whole
    FROM tables_seattaking t JOIN tables_guest g ON g.id = t.guest_id, span
    WHERE t.casino_id = %(casino)s AND t.during && span.whole
)"""

_PAIRS = f"""
WITH span AS (SELECT tstzrange(%(first)s, %(after)s) AS whole),
{_PLACES},
pair AS (
    SELECT x.who, x.name, y.who AS other, y.name AS other_name, x.session_id,
           x.during * y.during AS both_there
    FROM place x JOIN place y ON y.session_id = x.session_id AND y.during && x.during
    WHERE x.kind = %(kind)s AND y.kind = %(other)s
),
played AS (
    SELECT p.who, p.other, count(*) AS rounds
    FROM pair p JOIN tables_round r ON r.session_id = p.session_id AND r.state = 'settled'
        AND p.both_there @> r.opened_at AND (%(kind)s <> 'croupier' OR r.dealer_id = p.who)
    GROUP BY 1, 2
),
whole AS (SELECT who, sum(upper(during) - lower(during)) AS total FROM place WHERE kind = %(kind)s GROUP BY 1)
SELECT p.who, p.name, p.other, p.other_name, count(DISTINCT p.session_id),
       floor(extract(epoch FROM sum(upper(both_there) - lower(both_there))) / 60)::int AS minutes,
       coalesce(max(d.rounds), 0),
       floor(extract(epoch FROM max(w.total)) / 60)::int,
       floor(10000 * extract(epoch FROM sum(upper(both_there) - lower(both_there)))
             / nullif(extract(epoch FROM max(w.total)), 0))::int,
       array_agg(DISTINCT p.session_id)
FROM pair p JOIN whole w ON w.who = p.who LEFT JOIN played d ON d.who = p.who AND d.other = p.other
GROUP BY 1, 2, 3, 4
ORDER BY minutes DESC, p.name, p.other_name
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Pair:
    """Two at one table: how many `sessions` (`at`: which), whole `minutes` and settled `rounds` together, the
    first one's minutes in the span, and the share of it in basis points. A croupier's rounds are those they
    dealt.
    """

    who: int
    name: str
    other: int
    other_name: str
    sessions: int
    minutes: int
    rounds: int
    whole: int
    share: int
    at: list[int]

    def concentrated(self, share: int = SHARE) -> bool:
        """Whether the pair is worth a look: at least `share` per cent, and long enough."""
        return self.minutes >= LEAST_MINUTES and self.share >= share * 100


PAIRS: tuple[tuple[str, str], ...] = (
    ("croupier", "supervisor"),
    ("croupier", "player"),
    ("supervisor", "player"),
)
"""The pairs that are compared; the share is of the first one's time."""


def pairs(
    casino: Casino, kinds: tuple[str, str], first: dt.date, last: dt.date, now: dt.datetime
) -> Iterator[Pair]:
    """Pairs of two kinds over gaming days, both included, until `now` for turns that go on; longest first."""
    if kinds not in PAIRS:
        raise LookupError(kinds)
    start = clock.day_bounds(first, casino.zone, casino.cutoff)[0]
    after = min(now, clock.day_bounds(last, casino.zone, casino.cutoff)[1])
    if after <= start:
        return
    values: dict[str, Any] = {
        "casino": casino.pk,
        "first": start,
        "after": after,
        "kind": kinds[0],
        "other": kinds[1],
    }
    with connection.cursor() as cursor:
        cursor.execute(_PAIRS, values)
        for row in cursor.fetchall():
            yield Pair(*row)
