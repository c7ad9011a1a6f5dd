"""The proof of seals and keys: each row is what the trail tells of it, each event has its row."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

_SEALS = f"""
WITH sealed AS MATERIALIZED {told("audits.day.sealed")}
SELECT 'seal:' || coalesce(to_char(d.date, 'YYYY-MM-DD'), t.subject_label) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'days'",
        row="s.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(s.day_id, t.subject_id)) = 1",
        day="t.data ->> 'day' = to_char(d.date, 'YYYY-MM-DD')",
        root="t.data ->> 'root' = encode(s.root, 'hex')",
        previous_root="t.data ->> 'previous_root' = encode(s.previous_root, 'hex')",
        leaves="(t.data ->> 'leaves')::bigint = s.leaves",
        signature="t.data ->> 'signature' = encode(s.signature, 'hex')",
        key="t.data ->> 'key_id' = k.key_id",
        sealed_at="t.occurred = s.sealed_at",
    )
} AS wrong
FROM (SELECT * FROM audits_seal WHERE casino_id = %(casino)s) s
FULL JOIN sealed t ON t.subject_id = s.day_id
LEFT JOIN casino_gamingday d ON d.id = coalesce(s.day_id, t.subject_id)
LEFT JOIN audits_sealkey k ON k.id = s.key_id
"""  # noqa: S608
_KEYS = f"""
WITH made AS MATERIALIZED {
    told("audits.seal_key.introduced", "audits.seal_key.rotated", "audits.seal_key.replaced")
}
SELECT 'seal_key:' || coalesce(k.key_id, t.subject_label) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'settings'",
        row="k.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(k.id, t.subject_id)) = 1",
        public_key="t.data ->> 'public_key' = encode(k.public_key, 'hex')",
        previous="t.data ->> 'previous_key_id' = coalesce(p.key_id, '')",
        since="(t.data ->> 'since')::timestamptz = k.since",
        until="k.until IS NOT DISTINCT FROM n.since",
        how="(split_part(t.action, '.', 3) = 'replaced') = k.lost",
        people="t.actor_id = k.made_by_id AND t.data ->> 'second' = coalesce(a.name, '')"
        " AND (k.seconded_by_id IS NULL OR a.id IS NOT NULL) AND (NOT t.data ? 'second_id'"
        " OR (t.data ->> 'second_id')::bigint IS NOT DISTINCT FROM k.seconded_by_id)",
        reason="coalesce(t.data ->> 'reason', '') = k.reason",
    )
} AS wrong
FROM (SELECT * FROM audits_sealkey WHERE casino_id = %(casino)s) k
FULL JOIN made t ON t.subject_id = k.id
LEFT JOIN audits_sealkey p ON p.id = k.previous_id
LEFT JOIN audits_sealkey n ON n.previous_id = k.id
LEFT JOIN audits_actor a ON a.id = k.seconded_by_id
"""  # noqa: S608


def told_faults(casino: Casino) -> Iterator[Fault]:
    """Seals and keys that are not what the trail tells."""
    yield from differing(_SEALS, casino, code="seal_differs")
    yield from differing(_KEYS, casino, code="seal_key_differs")
