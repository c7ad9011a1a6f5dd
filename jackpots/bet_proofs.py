"""The proofs of what players have in pools: bets, prizes, credits, draws, each as its events tell."""

from __future__ import annotations

from collections.abc import Iterator

from audits.personal import is_told, is_told_whole, pseudonym_of
from audits.verify import Fault, differing, missing_numbers, told, wrong, year_label
from casino.kernel.words import Text
from casino.models import Casino
from jackpots import complementary, lots
from jackpots.awards import SERIES
from jackpots.models import Complementary, Prize
from tables.money.orphans import SHOWN

# A bet is placed, then cancelled, given back, or counted with its round, and void with it. What counted tells
# it twice: on its round's event and on the pool's own.
_BETS = f"""
WITH placed AS MATERIALIZED {told("jackpots.bet.placed")},
cancelled AS MATERIALIZED {told("jackpots.bet.cancelled")},
returned AS MATERIALIZED (
    SELECT (b ->> 0)::bigint AS bet FROM {told("jackpots.bet.returned")} t,
    LATERAL jsonb_array_elements(t.data -> 'bets') b
), settled AS MATERIALIZED (
    SELECT t.subject_id AS round_id, (t.data -> 'pool' ->> 'pool')::bigint AS pool_id,
           (t.data -> 'pool' ->> 'version')::bigint AS version, b
    FROM {told("tables.round.settled")} t, LATERAL jsonb_array_elements(t.data -> 'pool' -> 'bets') b
    WHERE t.data ? 'pool'
), counted AS MATERIALIZED (
    SELECT (t.data ->> 'round_id')::bigint AS round_id, t.subject_id AS pool_id, b
    FROM {told("jackpots.pool.contributed")} t, LATERAL jsonb_array_elements(t.data -> 'bets') b
), voided AS MATERIALIZED (
    SELECT (t.data ->> 'round_id')::bigint AS round_id, (b ->> 2)::bigint AS serial, t.subject_id AS pool_id
    FROM {told("jackpots.pool.uncontributed")} t, LATERAL jsonb_array_elements(t.data -> 'bets') b
), kept AS (
    SELECT b.*, y.date AS session_day, n.id AS session FROM jackpots_bet b
    JOIN tables_tablesession n ON n.id = b.session_id JOIN casino_gamingday y ON y.id = n.day_id
    WHERE b.casino_id = %(casino)s
)
SELECT 'progressive bet:' || coalesce(b.id::text, 'event ' || coalesce(p.id::text, 'of round '
    || s.round_id)) AS place, {
    wrong(
        event="p.id IS NOT NULL AND p.stream = 'session:' || b.session_id",
        row="b.id IS NOT NULL",
        placed="((p.data ->> 'pool')::bigint, (p.data ->> 'round')::int, (p.data ->> 'seat')::int)"
        " = (b.pool_id, b.number, b.seat::int)",
        amount="(p.data ->> 'amount')::bigint = b.amount",
        noted="(p.actor_id, p.occurred) = (b.noted_by_id, b.placed_at)",
        state="b.state = CASE WHEN c.id IS NOT NULL THEN 'cancelled' WHEN r.bet IS NOT NULL THEN 'returned'"
        " WHEN v.serial IS NOT NULL THEN 'void' WHEN s.round_id IS NOT NULL THEN 'counted' ELSE 'placed' END",
        counted="CASE WHEN s.round_id IS NULL THEN b.round_id IS NULL AND b.serial IS NULL"
        " ELSE (s.pool_id, s.version, (s.b ->> 1)::bigint, (s.b ->> 2)::bigint, (s.b ->> 3)::bigint)"
        " = (b.pool_id, b.version_id, b.amount, b.serial, b.total) END",
        pool="k.b IS NOT DISTINCT FROM s.b AND k.pool_id IS NOT DISTINCT FROM s.pool_id",
        round="x.id IS NULL OR (x.session_id, x.number) = (b.session_id, b.number)",
        day="b.day IS NULL OR b.day = b.session_day",
    )
} AS wrong
FROM kept b FULL JOIN placed p ON p.id = b.placed_event_id
FULL JOIN settled s ON s.round_id = b.round_id AND (s.b ->> 0)::int = b.seat
LEFT JOIN counted k ON k.round_id = s.round_id AND k.b ->> 0 = s.b ->> 0
LEFT JOIN voided v ON v.round_id = b.round_id AND v.serial = b.serial AND v.pool_id = b.pool_id
LEFT JOIN cancelled c ON (c.data ->> 'bet')::bigint = b.id LEFT JOIN returned r ON r.bet = b.id
LEFT JOIN tables_round x ON x.id = b.round_id
"""  # noqa: S608

_LABEL = "'PR-' || p.year || '-' || lpad(p.number::text, greatest(5, length(p.number::text)), '0')"
_MASKED = (
    f"repeat('•', length(p.document) - least({SHOWN}, length(p.document) / 2))"
    f" || right(p.document, least({SHOWN}, length(p.document) / 2))"
)
_NOBODY = pseudonym_of("prize", "p.id")
_PRIZES = f"""
WITH hit AS MATERIALIZED {told("jackpots.prize.hit")},
step AS MATERIALIZED {told("jackpots.prize.verified", "jackpots.prize.rejected", "jackpots.prize.paid")},
named AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) *
    FROM {told("jackpots.prize.checked", "jackpots.prize.verified", "jackpots.prize.paid")} t
    ORDER BY subject_id, seq DESC
), last AS (SELECT DISTINCT ON (subject_id) * FROM step ORDER BY subject_id, seq DESC),
decided AS (
    SELECT DISTINCT ON (subject_id) *
        FROM step WHERE action <> 'jackpots.prize.paid' ORDER BY subject_id, seq DESC
), paid AS (SELECT * FROM step WHERE action = 'jackpots.prize.paid')
SELECT 'prize:' || coalesce(p.id::text, 'event ' || h.id) AS place, {
    wrong(
        event="h.id IS NOT NULL AND h.stream = 'pool:' || p.pool_id AND h.subject_id = p.pool_id",
        row="p.id IS NOT NULL",
        number="(h.data ->> 'label', (h.data ->> 'year')::int, (h.data ->> 'number')::int)"
        " = (" + _LABEL + ", p.year::int, p.number)",
        order="((h.data ->> 'order')::int, (h.data ->> 'version')::bigint) = (p.order, p.version_id)",
        bet="((h.data ->> 'bet')::bigint, (h.data ->> 'round_id')::bigint, (h.data ->> 'session')::bigint,"
        " (h.data ->> 'seat')::int) = (p.bet_id, p.round_id, p.session_id, p.seat::int)",
        alias="h.data ->> 'player' = p.alias",
        hand="(h.data ->> 'level', h.data ->> 'hand', (h.data ->> 'top')::boolean) = (p.level, p.hand,"
        " p.top)",
        amount="((h.data ->> 'before')::bigint, (h.data ->> 'amount')::bigint, (h.data ->> 'after')::bigint)"
        " = (p.before, p.amount, p.after)",
        source="h.data -> 'from' = jsonb_build_object("
        "'players', p.players, 'base', p.base, 'reserve', p.reserve, 'house', p.house)"
        " AND h.data -> 'reseed' = jsonb_build_object('reserve', p.reseed_reserve, 'house', p.reseed_house)",
        noted="(h.actor_id, h.occurred) = (p.noted_by_id, p.hit_at)",
        state="p.state = coalesce(split_part(l.action, '.', 3), 'pending')",
        decided="d.occurred IS NOT DISTINCT FROM p.decided_at",
        paid="(y.occurred, y.actor_id, coalesce(y.data ->> 'form', '')) IS NOT DISTINCT FROM"
        " (p.paid_at, p.paid_by_id, p.form::text)",
        desk="(y.data ->> 'desk')::int IS NOT DISTINCT FROM"
        " (SELECT k.number::int FROM tables_cagedesk k WHERE k.id = p.desk_id)",
        winner=f"CASE WHEN {_NOBODY} IS NULL OR coalesce(n.data ->> 'winner', '') = '' THEN "
        + is_told("n.id", "n.data", "winner", "p.winner")
        + f" ELSE p.winner = {_NOBODY} END",
        document=f"CASE WHEN {_NOBODY} IS NULL OR coalesce(n.data ->> 'document', '') = ''"
        f" THEN coalesce(n.data ->> 'document', '') = {_MASKED} AND (n.id IS NULL OR "
        + is_told_whole("n", "document", "p.document")
        + f") ELSE p.document = {_NOBODY} END",
    )
} AS wrong
FROM (SELECT * FROM jackpots_prize WHERE casino_id = %(casino)s) p FULL JOIN hit h ON h.id = p.hit_event_id
LEFT JOIN last l ON l.subject_id = p.id LEFT JOIN decided d ON d.subject_id = p.id
LEFT JOIN paid y ON y.subject_id = p.id LEFT JOIN named n ON n.subject_id = p.id
"""  # noqa: S608

# Two people may be told by one event: who acted, and who signed beside.
_CHECKS = f"""
WITH told AS MATERIALIZED (
    SELECT t.*, w.actor FROM {
    told("jackpots.prize.checked", "jackpots.prize.verified", "jackpots.prize.rejected")
} t,
    LATERAL (SELECT t.actor_id AS actor UNION SELECT (t.data -> 'with' ->> 'id')::bigint
             WHERE t.action = 'jackpots.prize.rejected') w
)
SELECT 'prize:' || coalesce(k.prize_id, t.subject_id) || ' (check ' || coalesce(k.id::text, '-')
    || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.subject_id = k.prize_id",
        row="k.id IS NOT NULL",
        holds="(t.data ->> 'holds')::boolean = k.holds",
        at="t.occurred = k.at",
    )
} AS wrong
FROM (SELECT * FROM jackpots_prizecheck WHERE casino_id = %(casino)s) k
FULL JOIN told t ON t.id = k.event_id AND t.actor = k.actor_id
"""  # noqa: S608

_CREDITS = f"""
WITH told AS MATERIALIZED {
    told(
        "jackpots.credits.bought",
        "jackpots.credits.returned",
        "jackpots.credits.promoted",
        "jackpots.credits.expired",
    )
}
SELECT 'credits:' || coalesce('session ' || m.session_id, t.stream) || ' (move '
    || coalesce(m.id::text, '-') || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'session:' || m.session_id",
        row="m.id IS NOT NULL",
        kind="m.kind = CASE t.action WHEN 'jackpots.credits.bought' THEN 'bought'"
        " WHEN 'jackpots.credits.returned' THEN 'returned' WHEN 'jackpots.credits.expired' THEN 'expired'"
        " ELSE 'promotion' END",
        seat="((t.data ->> 'seat')::int, t.data ->> 'player') = (m.seat::int, coalesce(k.alias, ''))",
        taking="NOT t.data ? 'taking' OR (t.data ->> 'taking')::bigint IS NOT DISTINCT FROM m.taking_id",
        amount="(t.data ->> 'amount')::bigint = m.amount",
        noted="(t.actor_id, t.occurred) = (m.noted_by_id, m.at)",
    )
} AS wrong
FROM (SELECT * FROM jackpots_creditmove WHERE casino_id = %(casino)s) m FULL JOIN told t ON t.id = m.event_id
LEFT JOIN tables_seattaking k ON k.id = m.taking_id
"""  # noqa: S608

_UNTIL = """to_char(d.until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_DRAWS = f"""
WITH announced AS MATERIALIZED {told("jackpots.complementary.announced")},
over AS MATERIALIZED {told("jackpots.complementary.drawn", "jackpots.complementary.called_off")},
paid AS MATERIALIZED {told("jackpots.complementary.paid")}
SELECT 'draw:' || coalesce(d.id, a.subject_id) AS place, {
    wrong(
        event="a.id IS NOT NULL AND a.stream = 'pool:' || d.pool_id",
        row="d.id IS NOT NULL",
        number="((a.data ->> 'number')::int, a.data ->> 'name') = (d.number, d.name)",
        filing="a.data ->> 'filing' = (SELECT "
        + year_label("AJ", "f")
        + " FROM audits_filing f WHERE f.id = d.filing_id)",
        terms="(a.data ->> 'form', (a.data ->> 'amount')::bigint, (a.data ->> 'since')::bigint)"
        " = (d.form, d.amount, d.since) AND a.data ->> 'until' = " + _UNTIL,
        seed_hash="a.data ->> 'seed_hash' = d.seed_hash",
        hidden="encode(sha256(decode(d.secret, 'hex')), 'hex') = d.seed_hash",
        announced="(a.actor_id, a.occurred) = (d.announced_by_id, d.announced_at)",
        state="d.state = CASE WHEN y.id IS NOT NULL THEN 'paid' ELSE coalesce(split_part(o.action, '.', 3),"
        " 'announced') END",
        drawn="(o.id, o.occurred) IS NOT DISTINCT FROM (d.event_id, d.drawn_at)"
        " AND coalesce(o.data ->> 'seed', '') = d.seed AND coalesce(o.data ->> 'digest', '') = d.digest",
        winner="(o.data ->> 'bet')::bigint IS NOT DISTINCT FROM d.winner_id",
        places="coalesce(o.data -> 'bets', '[]') = coalesce((SELECT jsonb_agg(b.serial ORDER BY b.serial)"
        " FROM jackpots_complementaryplace l JOIN jackpots_bet b ON b.id = l.bet_id WHERE l.draw_id ="
        " d.id), '[]')",
        paid="(y.id, y.occurred, y.actor_id) IS NOT DISTINCT FROM (d.paid_event_id, d.paid_at, d.paid_by_id)",
    )
} AS wrong
FROM (SELECT * FROM jackpots_complementary WHERE casino_id = %(casino)s) d
FULL JOIN announced a ON a.subject_id = d.id LEFT JOIN over o ON o.subject_id = d.id
LEFT JOIN paid y ON y.subject_id = d.id
"""  # noqa: S608

QUERIES = (_BETS, _PRIZES, _CHECKS, _CREDITS, _DRAWS)


def told_faults(casino: Casino) -> Iterator[Fault]:
    """What players have in pools that is not what the trail tells; gaps in prizes' numbers; draws whose
    winner does not come of their seed."""
    for query in QUERIES:
        yield from differing(query, casino)
    yield from missing_numbers(
        casino,
        SERIES,
        Prize.objects.filter(casino=casino),
        code="prize_numbers",
        of=Text("premios", "prizes"),
    )
    over = Complementary.objects.filter(casino=casino, drawn_at__isnull=False).select_related(
        "pool", "winner"
    )
    for draw in over.order_by("pk"):
        listed = ", ".join(lots.faults(complementary.record_of(draw)))
        if listed:
            words = Text(
                f"el sorteo no sale de sus datos: {listed}", f"the draw does not come of its data: {listed}"
            )
            yield Fault("draw_differs", f"draw:{draw.pk}", words)
