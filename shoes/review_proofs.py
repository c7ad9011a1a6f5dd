"""The proof of the discard holder: each opening and closing is what its shoe's stream tells (CARD-40)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

_REVIEWS = f"""
WITH opened AS MATERIALIZED {told("shoes.discard.opened")},
closed AS MATERIALIZED {told("shoes.discard.closed")}
SELECT 'shoe:' || coalesce(v.shoe_id, t.subject_id) || ', ' || coalesce(v.round_label, t.data ->> 'round')
    AS place, {
    wrong(
        row="v.id IS NOT NULL",
        opened="t.id IS NOT NULL AND t.stream = 'shoe:' || v.shoe_id",
        opened_at="t.occurred = v.opened_at",
        opened_by="t.actor_id = v.opened_by_id",
        asked="(t.data ->> 'round', t.data ->> 'asked_by', t.data ->> 'why')"
        " = (v.round_label, v.asked_by, v.why)",
        authorised_by="(t.data -> 'authorised_by' ->> 'id')::bigint = v.authorised_by_id",
        expected="(t.data ->> 'expected')::int = v.expected",
        incident="EXISTS (SELECT FROM audits_incident i WHERE i.id = v.incident_id"
        " AND i.kind = 'cards.review' AND i.subject_id = v.shoe_id AND i.opened_at = v.opened_at"
        " AND i.table_label = v.table_label)",
        closed="(c.id IS NOT NULL) = (v.closed_at IS NOT NULL)",
        closed_by="c.actor_id IS NOT DISTINCT FROM v.closed_by_id",
        found="coalesce(c.data ->> 'found', '') = v.found",
        counted="(c.data ->> 'counted')::int IS NOT DISTINCT FROM v.cards_counted",
    )
} AS wrong
FROM (SELECT * FROM shoes_discardreview WHERE casino_id = %(casino)s) v
FULL JOIN opened t ON (t.data ->> 'review')::bigint = v.id
LEFT JOIN closed c ON (c.data ->> 'review')::bigint = v.id
"""  # noqa: S608


def review_faults(casino: Casino) -> Iterator[Fault]:
    """Reviews that differ from their events, or lack one of the two."""
    yield from differing(_REVIEWS, casino)
