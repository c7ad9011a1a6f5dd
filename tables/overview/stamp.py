"""Whether anything happened in a house since a screen was made: one small query, for screens that ask
again."""

from __future__ import annotations

import datetime as dt

from casino.kernel.statements import select
from casino.models import Casino

# Every write leaves an event (REC-06). The sum, not the newest: an event whose transaction took its number
# earlier may be seen later than a newer one. Limits and rules come into force by themselves, at any second.
_STAMP = """
SELECT coalesce(sum(id), 0)::text, coalesce(max(id), 0)::text,
    (SELECT count(*) FROM tables_betlimits
     WHERE casino_id = %(casino)s::bigint AND effective_from <= %(instant)s::timestamptz)::text,
    (SELECT count(*) FROM tables_gamerules
     WHERE casino_id = %(casino)s::bigint AND effective_from <= %(instant)s::timestamptz)::text
FROM (
    SELECT id FROM audits_event WHERE casino_id = %(casino)s::bigint ORDER BY id DESC LIMIT 64
) newest
"""


def stamp(casino: Casino, instant: dt.datetime) -> str:
    """Other text after every write of the house, once limits or rules come into force, and every minute:
    minutes at a table are shown whole."""
    found = select(_STAMP, {"casino": casino.pk, "instant": instant})
    assert found is not None
    return ".".join([str(int(instant.timestamp()) // 60), *found])
