"""Who signs in how, and what the house is: logins and the casino's own row against the trail (REC-06).

A password put into the row by SQL would let one sign as another; so each event that gives one commits to the
hash as it is stored (`credentials`). Logins and casinos older than that are committed to once, by the nightly
job: a second such event, or one after another that told a password, is a fault itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

_PASSWORDS = (
    "audits.user.created",
    "audits.user.password_set",
    "audits.user.hash_renewed",
    "audits.user.committed",
)
_ENDINGS = (
    "audits.user.created",
    "audits.user.committed",
    "audits.user.activated",
    "audits.user.deactivated",
)

_CREDENTIALS = f"""
WITH sworn AS MATERIALIZED (SELECT * FROM {told(*_PASSWORDS)} t WHERE t.data ? 'password'),
newest AS (
    SELECT DISTINCT ON (subject_id) subject_id, data ->> 'password' AS password
    FROM sworn ORDER BY subject_id, seq DESC
), made AS (
    SELECT DISTINCT ON (subject_id) * FROM sworn WHERE data ? 'created' ORDER BY subject_id, seq
), again AS (
    SELECT subject_id FROM (
        SELECT subject_id, action, row_number() OVER (PARTITION BY subject_id ORDER BY seq) AS nth FROM sworn
    ) n WHERE nth > 1 AND action = 'audits.user.committed' GROUP BY 1
), ended AS (
    SELECT actor, max(times) AS times FROM (
        SELECT subject_id AS actor, (data ->> 'sessions_ended')::int AS times
        FROM {told(*_ENDINGS)} t
        UNION ALL SELECT substr(stream, 8)::bigint, (data ->> 'sessions_ended')::int
        FROM {told("audits.access.revoked", "audits.access.entered")} e WHERE stream LIKE 'person:%%'
    ) told WHERE times IS NOT NULL GROUP BY 1
)
SELECT 'login:' || a.username AS place, {
    wrong(
        digest="n.password IS NULL OR n.password = encode(sha256(convert_to(a.password, 'UTF8')), 'hex')",
        job_has_none="a.kind <> 'system' OR a.password = '!'",
        committed_once="r.subject_id IS NULL",
        created="m.id IS NULL OR (m.data ->> 'created')::timestamptz = a.created",
        language="m.id IS NULL OR m.data ->> 'language' = a.language",
        sessions_ended="e.times IS NULL OR e.times = a.sessions_ended",
    )
} AS wrong, encode(sha256(convert_to(row_to_json(a)::text, 'UTF8')), 'hex') AS seen
FROM (SELECT a.id, a.kind, u.username, u.password, u.created, u.language, u.sessions_ended
      FROM audits_actor a JOIN casino_user u ON u.id = a.user_id WHERE a.casino_id = %(casino)s) a
LEFT JOIN newest n ON n.subject_id = a.id
LEFT JOIN made m ON m.subject_id = a.id
LEFT JOIN again r ON r.subject_id = a.id
LEFT JOIN ended e ON e.actor = a.id
"""  # noqa: S608

# A login nobody acts by is nobody's: a row put in beside those the trail tells of.
_STRAYS = """
SELECT 'login:' || u.username AS place, ARRAY['actor'] AS wrong
FROM casino_user u WHERE u.casino_id = %(casino)s AND NOT EXISTS (
    SELECT 1 FROM audits_actor a WHERE a.user_id = u.id AND a.casino_id = u.casino_id)
"""

# Each particular as it was founded with, or as the newest change of it says.
_HOUSE = f"""
WITH said AS MATERIALIZED (
    SELECT DISTINCT ON (f.key) f.key,
           CASE WHEN t.action = 'audits.casino.set' THEN f.value -> 'after' ELSE f.value END AS value
    FROM {told("audits.casino.created", "audits.casino.committed", "audits.casino.set")} t,
         jsonb_each(t.data - 'reason') f
    ORDER BY f.key, t.seq DESC
), told AS (SELECT jsonb_object_agg(key, value) AS data FROM said)
SELECT 'casino:' || c.code AS place, {
    wrong(
        code="NOT t.data ? 'code' OR t.data ->> 'code' = c.code",
        name="NOT t.data ? 'name' OR t.data ->> 'name' = c.name",
        licence="NOT t.data ? 'licence' OR t.data ->> 'licence' = c.licence",
        zone="NOT t.data ? 'zone' OR t.data ->> 'zone' = c.zone",
        cutoff="NOT t.data ? 'cutoff' OR (t.data ->> 'cutoff')::time = c.cutoff",
        currency="NOT t.data ? 'currency' OR t.data ->> 'currency' = c.currency",
        exponent="NOT t.data ? 'exponent' OR (t.data ->> 'exponent')::int = c.exponent",
        denominations="NOT t.data ? 'denominations' OR t.data -> 'denominations' = to_jsonb(c.denominations)",
    )
} AS wrong
FROM casino_casino c CROSS JOIN told t WHERE c.id = %(casino)s AND t.data IS NOT NULL
"""  # noqa: S608


def login_faults(casino: Casino) -> Iterator[Fault]:
    """Logins whose password, language or ended sessions are not what the trail commits to, and particulars of
    the house that are not those it was given."""
    yield from differing(_CREDENTIALS, casino, seen="seen")
    for query in (_STRAYS, _HOUSE):
        yield from differing(query, casino)
