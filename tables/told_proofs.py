"""The floor's rows against the trail: whatever is stored has its event, and says what the event says.

A chain proves that its events are whole; it does not prove that a row is what an event told, nor that
a stream cut short together with its head was longer. Each proof here is one statement, set-based; its
checks are named by the column they hold (REC-06).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino
from tables.games import registry
from tables.holding import QUEUEING
from tables.models import Assignment

SHOE_LABEL = "'S-' || lpad({0}.number::text, greatest(6, length({0}.number::text)), '0')"

_SETTLED = f"""
WITH told AS MATERIALIZED {told("tables.round.settled")},
opened AS MATERIALIZED {told("tables.round.opened")},
paid AS (
    SELECT round_id, jsonb_agg(
               jsonb_build_array(seat, spot, hand, stake, returned, commission) ORDER BY "order") AS payouts
    FROM tables_bet WHERE casino_id = %(casino)s GROUP BY round_id
)
SELECT 'round:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        event="t.id = r.event_id",
        row="r.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(r.id, t.subject_id)) = 1",
        session="t.stream = 'session:' || r.session_id",
        number="(t.data ->> 'round')::int = r.number",
        game="t.data ->> 'game' = s.game",
        rules="(t.data ->> 'rules')::bigint = r.rules_id",
        limits="(t.data ->> 'limits')::bigint = r.limits_id",
        detail="t.data ->> 'detail' = r.detail",
        shoe="t.data ->> 'shoe' = coalesce(" + SHOE_LABEL.format("h") + ", '')",
        log="t.data -> 'log' = r.log",
        outcome="t.data -> 'outcome' = r.settlement -> 'outcome'",
        winner="t.data -> 'outcome' ->> 'winner' = r.winner",
        totals="t.data -> 'totals' = r.settlement -> 'totals'",
        carry="t.data -> 'carry' IS NOT DISTINCT FROM r.settlement -> 'carry'",
        staked="(t.data -> 'totals' ->> 'staked')::bigint = r.staked",
        returned="(t.data -> 'totals' ->> 'returned')::bigint = r.returned",
        commission="(t.data -> 'totals' ->> 'commission')::bigint = r.commission",
        announcement="t.data ->> 'announcement_es' = r.settlement -> 'announcement' ->> 'es'"
        " AND t.data ->> 'announcement_en' = r.settlement -> 'announcement' ->> 'en'",
        bets="t.data -> 'payouts' = coalesce(p.payouts, '[]'::jsonb)",
        settled_at="t.occurred = r.settled_at",
        opened_at="coalesce(o.occurred, t.occurred) = r.opened_at",
        logged_by="coalesce(o.actor_id, t.actor_id) = r.logged_by_id",
        source="coalesce(t.data ->> 'source', '') = r.source_key",
        source_digest="CASE WHEN t.data ? 'source_digest' THEN t.data ->> 'source_digest' = r.source_digest"
        " ELSE t.data ? 'source' OR r.source_digest = '' END",
        recorded_at="NOT t.data ? 'recorded_at' OR (t.data ->> 'recorded_at')::timestamptz = r.recorded_at",
        dealer="r.dealer_id IS NULL OR d.id IS NOT NULL",
    )
} AS wrong
FROM (SELECT * FROM tables_round WHERE casino_id = %(casino)s
      AND (state = 'settled' OR settlement IS NOT NULL OR event_id IS NOT NULL)) r
FULL JOIN told t ON t.subject_id = r.id
LEFT JOIN opened o ON o.subject_id = r.id
LEFT JOIN tables_tablesession s ON s.id = r.session_id
LEFT JOIN shoes_shoe h ON h.id = r.shoe_id
LEFT JOIN paid p ON p.round_id = r.id
LEFT JOIN LATERAL (
    SELECT a.id FROM tables_assignment a
    WHERE a.session_id = r.session_id AND a.staff_id = r.dealer_id AND a.post = ANY (%(dealing)s)
      AND tstzrange(lower(a.during), upper(a.during) + %(queueing)s) @> r.opened_at LIMIT 1
) d ON true
"""  # noqa: S608

# What a round hands on is what the next one at its table begins with, and nothing but that is so begun.
_HANDED_ON = f"""
WITH round AS MATERIALIZED (
    SELECT r.id, r.log, r.settlement -> 'carry' AS carry, r.session_id, r.number
    FROM tables_round r JOIN tables_tablesession s ON s.id = r.session_id
    WHERE r.casino_id = %(casino)s AND r.state <> 'void' AND r.source_key = '' AND s.game = %(game)s
), pair AS (
    SELECT id, log, coalesce(lag(carry) OVER (PARTITION BY session_id ORDER BY number), '[]'::jsonb) AS due
    FROM round
)
SELECT 'round:' || id AS place, {
    wrong(
        handed_on="due = coalesce((SELECT jsonb_agg(line - 'at' - 'by' ORDER BY nth)"
        " FROM jsonb_array_elements(log) WITH ORDINALITY l (line, nth)"
        " WHERE line ->> 'e' = ANY (%(carried)s)), '[]'::jsonb)"
    )
} AS wrong
FROM pair WHERE due <> '[]'::jsonb OR log @> ANY (%(begun)s::jsonb[])
"""  # noqa: S608

# A round given up (a misdeal) has no settlement; a reversal names the event it takes back.
_VOIDED = f"""
WITH told AS MATERIALIZED {told("tables.round.voided")}
SELECT 'round:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        void_event="t.id = r.void_event_id",
        state="r.state = 'void'",
        void_once="count(*) OVER (PARTITION BY coalesce(r.id, t.subject_id)) = 1",
        void_session="t.stream = 'session:' || r.session_id",
        void_number="(t.data ->> 'round')::int = r.number",
        reversed="(t.data ? 'reverses') = (r.settlement IS NOT NULL)",
        reverses="NOT t.data ? 'reverses' OR (t.data -> 'reverses' ->> 'seq')::bigint = e.seq",
        void_figures="NOT t.data ? 'reverses' OR ((t.data ->> 'staked')::bigint,"
        " (t.data ->> 'returned')::bigint,"
        " (t.data ->> 'commission')::bigint) = (r.staked, r.returned, r.commission)",
        void_log="t.data ? 'reverses' OR t.data -> 'log' = r.log",
        void_at="t.data ? 'reverses' OR t.occurred = r.settled_at",
    )
} AS wrong
FROM (SELECT * FROM tables_round
      WHERE casino_id = %(casino)s AND (state = 'void' OR void_event_id IS NOT NULL)) r
FULL JOIN told t ON t.subject_id = r.id
LEFT JOIN audits_event e ON e.id = r.event_id
"""  # noqa: S608

# Rounds not settled whole in one act: the log in progress is what its events told, step by step.
_PLAYED = f"""
WITH opened AS MATERIALIZED {told("tables.round.opened")},
step AS (
    SELECT t.subject_id, jsonb_agg(line ORDER BY t.seq, nth) AS log
    FROM {told("tables.round.opened", "tables.round.played")} t,
         jsonb_array_elements(t.data -> 'log') WITH ORDINALITY AS line (line, nth)
    GROUP BY 1
)
SELECT 'round:' || coalesce(r.id, t.subject_id) AS place, {
    wrong(
        opened="t.id IS NOT NULL AND t.stream = 'session:' || r.session_id",
        opened_row="r.id IS NOT NULL",
        opened_number="(t.data ->> 'round')::int = r.number",
        opened_log="p.log = r.log",
        opened_at="t.occurred = r.opened_at",
        logged_by="t.actor_id = r.logged_by_id",
        dealer="r.state <> 'open' OR r.dealer_id IS NULL OR EXISTS (SELECT FROM tables_assignment a"
        " WHERE a.session_id = r.session_id AND a.staff_id = r.dealer_id AND a.post = ANY (%(dealing)s)"
        " AND tstzrange(lower(a.during), upper(a.during) + %(queueing)s) @> r.opened_at)",
    )
} AS wrong
FROM (SELECT * FROM tables_round r WHERE casino_id = %(casino)s
      AND (settlement IS NULL OR EXISTS (SELECT FROM opened o WHERE o.subject_id = r.id))) r
FULL JOIN opened t ON t.subject_id = r.id
LEFT JOIN step p ON p.subject_id = r.id
"""  # noqa: S608

# The latest act at a table is on its own stream; but chips found, tips, a pool's tables are told elsewhere.
_LAST_AT = (
    "EXISTS (SELECT FROM audits_event e JOIN audits_stream z ON z.id = e.stream_id"
    " WHERE e.casino_id = s.casino_id AND z.casino_id = s.casino_id AND {} AND e.occurred = s.last_at)"
)
# GEN-08: what stops an open table is on its row (`frozen`): it does not play because that was wiped out.
_SESSIONS = f"""
WITH opened AS MATERIALIZED {told("tables.session.opened")},
closed AS MATERIALIZED {told("tables.session.closed")},
dropped AS MATERIALIZED {told("tables.session.drop_recorded")},
reconciled AS MATERIALIZED {told("tables.session.reconciled")},
loaded AS (
    SELECT DISTINCT ON (subject_id) subject_id, data ->> 'shoe' AS shoe
    FROM {told("tables.session.opened", "tables.session.shoe_loaded", "tables.session.reshuffled")} t
    ORDER BY subject_id, seq DESC
),
stepped AS (
    SELECT DISTINCT ON (subject_id) subject_id, coalesce(data ->> 'state', 'open') AS state
    FROM {
    told(
        "tables.session.opened",
        "tables.session.play_began",
        "tables.session.paused",
        "tables.session.resumed",
        "tables.session.last_round_called",
        "tables.session.reopened",
    )
} t
    ORDER BY subject_id, seq DESC
),
played AS (
    SELECT session_id, count(*) AS rounds, max(number) AS last FROM tables_round
    WHERE casino_id = %(casino)s AND state <> 'open' GROUP BY 1
)
SELECT 'session:' || coalesce(s.id, t.subject_id) AS place, {
    wrong(
        opened="t.id IS NOT NULL AND t.stream = 'session:' || s.id",
        row="s.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(s.id, t.subject_id)) = 1",
        label="EXISTS (SELECT FROM tables_historicaltable b WHERE b.id = s.table_id AND b.seats = s.seats"
        " AND b.detail = s.detail AND b.game = s.game"
        " AND t.subject_label = b.name || ' · ' || to_char(y.date, 'YYYY-MM-DD') || ' · ' || s.number)",
        day="y.casino_id = s.casino_id",
        game="t.data ->> 'game' = s.game",
        rules="(t.data ->> 'rules')::bigint = s.rules_id",
        limits="(t.data ->> 'limits')::bigint = s.limits_id",
        shoe="l.shoe = coalesce(" + SHOE_LABEL.format("h") + ", '')",
        opened_at="t.occurred = s.opened_at",
        opened_by="t.actor_id = s.opened_by_id",
        opening="(t.data ->> 'opening')::bigint = s.opening",
        state="(c.id IS NOT NULL) = (s.state IN ('closed', 'counted', 'reconciled'))",
        step="s.closed_at IS NOT NULL OR a.state = s.state",
        closed_at="c.occurred IS NOT DISTINCT FROM s.closed_at",
        closed_by="c.actor_id IS NOT DISTINCT FROM s.closed_by_id",
        closing="(c.data ->> 'closing')::bigint IS NOT DISTINCT FROM s.closing",
        totals="c.id IS NULL OR ((c.data ->> 'rounds')::int = s.rounds_settled"
        " AND (NOT c.data ? 'staked' OR ((c.data ->> 'staked')::bigint, (c.data ->> 'returned')::bigint,"
        " (c.data ->> 'commission')::bigint) = (s.staked, s.returned, s.commission)))",
        totals_when_counted="NOT coalesce(g.data ? 'staked', false) OR ((g.data ->> 'staked')::bigint,"
        " (g.data ->> 'returned')::bigint, (g.data ->> 'commission')::bigint)"
        " = (s.staked, s.returned, s.commission)",
        drop="(coalesce(g.data, c.data) ->> 'drop')::bigint IS NOT DISTINCT FROM s.drop",
        result="(coalesce(g.data, c.data) ->> 'result')::bigint IS NOT DISTINCT FROM s.result",
        unexplained="(coalesce(g.data, c.data) ->> 'unexplained')::bigint IS NOT DISTINCT FROM s.unexplained",
        deduction="(g.data ->> 'deduction')::bigint IS NOT DISTINCT FROM s.deduction",
        counted="(s.drop IS NOT NULL) = (s.state IN ('counted', 'reconciled'))",
        lines="s.result IS NULL OR coalesce(NOT g.data ? 'boxes', true)"
        " OR s.result = s.closing + s.credits + s.drop - s.opening - s.fills - s.progressive"
        " + coalesce((g.data ->> 'boxed')::bigint, 0)",
        reconciled="(k.id IS NOT NULL) = (s.state = 'reconciled')"
        " AND k.occurred IS NOT DISTINCT FROM s.reconciled_at",
        reconciled_by="k.actor_id IS NOT DISTINCT FROM s.reconciled_by_id"
        " AND (k.data -> 'with' ->> 'id')::bigint IS NOT DISTINCT FROM s.reconciled_with_id",
        frozen_by="s.frozen_by_id IS NULL OR EXISTS (SELECT FROM audits_incident i"
        " JOIN tables_historicaltable b ON b.id = s.table_id AND b.name = i.table_label"
        " WHERE i.id = s.frozen_by_id AND i.freezes)",
        frozen="s.frozen_by_id IS NOT NULL OR s.closed_at IS NOT NULL"
        " OR NOT EXISTS (SELECT FROM audits_incident i"
        " JOIN tables_table b ON b.id = s.table_id AND b.name = i.table_label"
        " WHERE i.casino_id = s.casino_id AND i.freezes AND i.state = 'open')",
        last_at=_LAST_AT.format("z.name = 'session:' || s.id")
        + " OR "
        + _LAST_AT.format("(z.name IN ('orphans', 'tips') OR z.name LIKE 'pool:%%')"),
        last_round="(coalesce(p.rounds, 0), coalesce(p.last, 0)) = (s.last_round, s.last_round)",
    )
} AS wrong
FROM (SELECT * FROM tables_tablesession WHERE casino_id = %(casino)s) s
FULL JOIN opened t ON t.subject_id = s.id
LEFT JOIN closed c ON c.subject_id = s.id
LEFT JOIN dropped g ON g.subject_id = s.id
LEFT JOIN reconciled k ON k.subject_id = s.id
LEFT JOIN loaded l ON l.subject_id = s.id
LEFT JOIN stepped a ON a.subject_id = s.id
LEFT JOIN casino_gamingday y ON y.id = s.day_id
LEFT JOIN shoes_shoe h ON h.id = s.shoe_id
LEFT JOIN played p ON p.session_id = s.id
"""  # noqa: S608

# Who counted: at the opening by their post, at the closing by the name they had.
_COUNTS = f"""
WITH told AS MATERIALIZED {told("tables.session.opened", "tables.session.closed")}
SELECT 'session:' || coalesce(n.session_id, t.subject_id) || ' (' || coalesce(n.moment, t.moment) || ')'
           AS place,
{
    wrong(
        event="t.id IS NOT NULL",
        row="n.id IS NOT NULL",
        chips="t.data -> 'chips' = n.chips",
        total="(t.data ->> n.moment)::bigint = n.total",
        sum="n.total = (SELECT coalesce(sum(chip::bigint * many::bigint), 0)"
        " FROM jsonb_each_text(n.chips) c (chip, many))",
        counted_at="t.occurred = n.counted_at",
        counted_by="CASE n.moment WHEN 'opening' THEN t.crew @> jsonb_build_array(n.counted_by_id)"
        " ELSE EXISTS (SELECT FROM tables_historicalstaff f WHERE f.id = n.counted_by_id"
        " AND f.name = t.data ->> 'counted_by') END",
        witnessed_by="CASE n.moment WHEN 'opening' THEN t.crew @> jsonb_build_array(n.witnessed_by_id)"
        " ELSE EXISTS (SELECT FROM tables_historicalstaff f WHERE f.id = n.witnessed_by_id"
        " AND f.name = t.data ->> 'witnessed_by') END",
    )
} AS wrong
FROM (SELECT * FROM tables_chipcount WHERE casino_id = %(casino)s) n
FULL JOIN (
    SELECT *, CASE action WHEN 'tables.session.opened' THEN 'opening' ELSE 'closing' END AS moment,
           jsonb_path_query_array(
               data, '$.crew[*] ? (@.post != "payer" && @.post != "support_dealer").staff') AS crew
    FROM told
) t ON t.subject_id = n.session_id AND t.moment = n.moment
"""  # noqa: S608

# A turn begins where the trail says so, and ends where the next one at its post begins or the table closes.
_CREW = f"""
WITH told AS MATERIALIZED {told("tables.session.opened", "tables.session.crew_changed")},
begun AS (
    SELECT t.subject_id AS session_id, t.occurred, (one ->> 'staff')::bigint AS staff_id,
           one ->> 'post' AS post
    FROM told t, jsonb_array_elements(t.data -> 'crew') one WHERE t.action = 'tables.session.opened'
    UNION ALL
    SELECT subject_id, occurred, (data ->> 'staff_id')::bigint, data ->> 'post'
    FROM told WHERE action = 'tables.session.crew_changed'
),
turn AS (
    SELECT a.*, s.closed_at,
           lead(lower(a.during)) OVER (PARTITION BY a.session_id, a.post ORDER BY lower(a.during)) AS next
    FROM tables_assignment a JOIN tables_tablesession s ON s.id = a.session_id WHERE a.casino_id = %(casino)s
)
SELECT 'session:' || coalesce(a.session_id, b.session_id) || ' (' || coalesce(a.post, b.post) || ' '
       || coalesce(a.staff_id, b.staff_id) || ')' AS place, {
    wrong(
        event="b.session_id IS NOT NULL",
        row="a.id IS NOT NULL",
        end="CASE WHEN a.post IN ('payer', 'support_dealer')"
        " THEN upper(a.during) IS NOT DISTINCT FROM a.closed_at"
        " OR EXISTS (SELECT FROM begun n WHERE n.session_id = a.session_id AND n.post = a.post"
        " AND n.occurred = upper(a.during))"
        " ELSE upper(a.during) IS NOT DISTINCT FROM coalesce(a.next, a.closed_at) END",
    )
} AS wrong
FROM turn a
FULL JOIN begun b ON (b.session_id, b.post, b.staff_id, b.occurred)
    = (a.session_id, a.post, a.staff_id, lower(a.during))
"""  # noqa: S608

_RULES = f"""
WITH told AS MATERIALIZED {told("tables.rules.published", "tables.rules.forced")}
SELECT 'rules:' || coalesce(v.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(v.id, t.subject_id)) = 1",
        game="t.subject_label = v.game",
        version="(t.data ->> 'version')::int = v.version",
        params="t.data -> 'params' = v.params",
        betting_plan="t.data ->> 'betting_plan' = v.betting_plan",
        confirmed="(coalesce(t.data ->> 'confirmed_by', ''), coalesce(t.data ->> 'confirmation', ''))"
        " = (v.confirmed_by, v.confirmation)",
        forced="coalesce(t.data ->> 'forced', '') = v.forced"
        " AND (t.action = 'tables.rules.forced') = (v.forced <> '')",
        effective_from="(t.data ->> 'effective_from')::timestamptz = v.effective_from",
        reason="btrim(t.data ->> 'reason') = v.reason",
        published_by="t.actor_id = v.published_by_id",
    )
} AS wrong
FROM (SELECT * FROM tables_gamerules WHERE casino_id = %(casino)s) v
FULL JOIN told t ON t.subject_id = v.id
"""  # noqa: S608

_LIMITS = f"""
WITH told AS MATERIALIZED {told("tables.limits.published")}
SELECT 'limits:' || coalesce(v.table_id, t.subject_id) || ' v'
       || coalesce(v.version::text, t.data ->> 'version') AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY t.subject_id, t.data ->> 'version') = 1 OR t.id IS NULL",
        chip="(t.data ->> 'chip')::bigint = v.chip",
        spots="t.data -> 'spots' = v.spots",
        differential="(t.data ->> 'differential')::bigint IS NOT DISTINCT FROM v.differential",
        effective_from="(t.data ->> 'effective_from')::timestamptz = v.effective_from",
        reason="btrim(t.data ->> 'reason') = v.reason",
        published_by="t.actor_id = v.published_by_id",
    )
} AS wrong
FROM (SELECT * FROM tables_betlimits WHERE casino_id = %(casino)s) v
FULL JOIN told t ON t.subject_id = v.table_id AND (t.data ->> 'version')::int = v.version
"""  # noqa: S608

# Places and people change; the row is what was said of it last.
_TABLES = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("tables.table.set")} t ORDER BY subject_id, seq DESC
)
SELECT 'table:' || coalesce(v.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        name="t.subject_label = v.name",
        set="(t.data ->> 'game', (t.data ->> 'seats')::int, t.data ->> 'detail',"
        " (t.data ->> 'active')::boolean)"
        " = (v.game, v.seats, v.detail, v.active)",
        pit="EXISTS (SELECT FROM tables_historicalpit p WHERE p.id = v.pit_id AND p.name = t.data ->> 'pit')",
    )
} AS wrong
FROM (SELECT * FROM tables_table WHERE casino_id = %(casino)s) v FULL JOIN told t ON t.subject_id = v.id
"""  # noqa: S608

# Whose login it is says whose signature it is (GEN-10); events of before told it to the history alone.
_STAFF = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) *
    FROM {told("tables.staff.registered", "tables.staff.changed")} t ORDER BY subject_id, seq DESC
)
SELECT 'staff:' || coalesce(v.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="v.id IS NOT NULL",
        name="t.subject_label = v.name",
        set="(t.data ->> 'number', t.data ->> 'licence', (t.data ->> 'licence_expires')::date,"
        " (t.data ->> 'supervises')::boolean, (t.data ->> 'active')::boolean)"
        " = (v.number, v.licence, v.licence_expires, v.supervises, v.active)",
        games="t.data -> 'games' = to_jsonb(v.games)",
        login="v.user_id IS NOT DISTINCT FROM CASE WHEN t.data ? 'login' THEN (t.data ->> 'login')::bigint"
        " ELSE (SELECT h.user_id FROM tables_historicalstaff h WHERE h.id = v.id"
        " ORDER BY h.history_id DESC LIMIT 1) END",
    )
} AS wrong
FROM (SELECT * FROM tables_staff WHERE casino_id = %(casino)s) v FULL JOIN told t ON t.subject_id = v.id
"""  # noqa: S608


def told_faults(casino: Casino) -> Iterator[Fault]:
    """Rounds, sessions, counts, turns, rules, limits, tables and staff that are not what the trail tells."""
    for query in (_SESSIONS, _COUNTS, _CREW, _RULES, _LIMITS, _TABLES, _STAFF):
        yield from differing(query, casino)
    for game in registry.GAMES.values():
        if game.carried:
            begun = [json.dumps([{"e": kind}]) for kind in game.carried]
            yield from differing(_HANDED_ON, casino, game=game.code, carried=list(game.carried), begun=begun)
    for query in (_SETTLED, _VOIDED, _PLAYED):
        yield from differing(query, casino, queueing=QUEUEING, dealing=list(Assignment.DEALING))
