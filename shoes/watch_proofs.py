"""The proof of the watch: each alert is what the stream of its shoe tells, and none was taken away."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

# The chance is told in three digits.
_ALERTS = f"""
WITH raised AS MATERIALIZED {told("shoes.shoe.alert_raised")}
SELECT 'shoe:' || coalesce(a.shoe_id, t.subject_id) || ', ' || coalesce(a.detector, t.data ->> 'detector')
    AS place, {
    wrong(
        row="a.id IS NOT NULL",
        raised="t.id IS NOT NULL AND t.stream = 'shoe:' || a.shoe_id",
        at="t.occurred = a.at",
        words="t.data ->> 'words_es' = a.words_es AND t.data ->> 'words_en' = a.words_en",
        facts="t.data -> 'facts' = a.facts",
        p="abs((t.data ->> 'p')::float8 - a.p) <= 0.005 * a.p",
        incident="(t.data ->> 'incident_id')::bigint IS NOT DISTINCT FROM a.incident_id",
    )
} AS wrong
FROM (SELECT * FROM shoes_shoealert WHERE casino_id = %(casino)s) a
FULL JOIN raised t ON t.subject_id = a.shoe_id AND t.data ->> 'detector' = a.detector
"""  # noqa: S608


def alert_faults(casino: Casino) -> Iterator[Fault]:
    """Alerts that differ from their events, or lack one of the two."""
    yield from differing(_ALERTS, casino)
