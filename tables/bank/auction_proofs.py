"""The proofs of auctions: rows against the trail, numbers without gaps, seeds as announced; and each closed
one judged again from its act by `verify_act`, which shares nothing with the code that held it.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, missing_numbers, told, wrong
from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from casino.models import Casino
from tables.bank import acts, verify_act
from tables.bank.auctions import SERIES
from tables.models import Auction

_LABEL = "'SUB-' || a.year || '-' || lpad(a.number::text, greatest(5, length(a.number::text)), '0')"

_AUCTIONS = f"""
WITH opened AS MATERIALIZED {told("tables.auction.opened")},
closed AS MATERIALIZED {told("tables.auction.awarded", "tables.auction.forced", "tables.auction.deserted")},
bids AS (
    SELECT DISTINCT ON (auction) auction, closes_at, count(*) OVER (PARTITION BY auction) AS number FROM (
        SELECT (t.data ->> 'auction')::bigint AS auction, t.data ->> 'closes_at' AS closes_at, t.seq
        FROM {told("tables.auction.bid", "tables.auction.bid_sealed")} t) b
    ORDER BY auction, seq DESC
)
SELECT 'auction:' || coalesce(a.id, (t.data ->> 'auction')::bigint) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'session:' || a.session_id",
        row="a.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(a.id, (t.data ->> 'auction')::bigint)) = 1",
        label=f"t.data ->> 'label' = {_LABEL}",
        year="a.year = extract(year FROM t.occurred AT TIME ZONE k.zone)",
        form="t.data ->> 'form' = a.form",
        passage="(t.data ->> 'passage')::bigint = a.passage_id",
        figures="((t.data ->> 'minimum')::bigint, (t.data ->> 'increment')::bigint,"
        " (t.data ->> 'most')::bigint, (t.data ->> 'chip')::bigint)"
        " = (a.minimum, a.increment, a.most, a.chip)",
        extension="((t.data ->> 'window_s')::int, (t.data ->> 'extension_s')::int)"
        " = (a.window_s::int, a.extension_s::int)",
        seed_hash="t.data ->> 'seed_hash' = a.seed_hash",
        opened_at="t.occurred = a.opened_at",
        closes_at="coalesce(n.closes_at, t.data ->> 'closes_at')::timestamptz = a.closes_at",
        last_bid="a.last_bid = coalesce(n.number, 0)",
        places="(SELECT jsonb_agg(x ORDER BY x ->> 'taking') FROM jsonb_array_elements(t.data -> 'places') x)"
        " IS NOT DISTINCT FROM (SELECT jsonb_agg(jsonb_build_object('seat', s.seat, 'player', s.alias,"
        " 'taking', s.taking_id, 'out', s.rule, 'why_es', s.why_es, 'why_en', s.why_en)"
        " ORDER BY s.taking_id::text) FROM tables_auctionseat s"
        " WHERE s.auction_id = a.id AND s.casino_id = a.casino_id)",
        state="a.state = CASE WHEN c.id IS NULL THEN 'open' WHEN c.action = 'tables.auction.awarded'"
        " THEN 'awarded' ELSE 'deserted' END",
        closed_at="c.occurred IS NOT DISTINCT FROM a.closed_at",
        seed="coalesce(c.data ->> 'seed', '') = a.seed",
        winner="(c.data ->> 'winning_bid')::int IS NOT DISTINCT FROM w.number",
        bank="CASE c.action WHEN 'tables.auction.awarded' THEN (c.data ->> 'bank')::bigint END"
        " IS NOT DISTINCT FROM a.bank_id",
    )
} AS wrong
FROM (SELECT * FROM tables_auction WHERE casino_id = %(casino)s) a
FULL JOIN opened t ON (t.data ->> 'auction')::bigint = a.id
LEFT JOIN closed c ON (c.data ->> 'auction')::bigint = a.id
LEFT JOIN bids n ON n.auction = a.id LEFT JOIN tables_bid w ON w.id = a.winner_id AND w.auction_id = a.id
LEFT JOIN casino_casino k ON k.id = a.casino_id
"""  # noqa: S608

# A sealed bid tells its amount once the auction closed, and its seal at once.
_BIDS = f"""
WITH told AS MATERIALIZED {told("tables.auction.bid", "tables.auction.bid_sealed")},
unsealed AS MATERIALIZED (
    SELECT (t.data ->> 'auction')::bigint AS auction, (line ->> 0)::int AS number, line
    FROM {told("tables.auction.awarded")} t, jsonb_array_elements(t.data -> 'opened') line
)
SELECT 'auction:' || coalesce(b.auction_id, (t.data ->> 'auction')::bigint) || ' (bid '
       || coalesce(b.number::text, t.data ->> 'bid') || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'session:' || a.session_id",
        row="b.id IS NOT NULL",
        number="((t.data ->> 'auction')::bigint, (t.data ->> 'bid')::int) = (b.auction_id, b.number)",
        who="((t.data ->> 'taking')::bigint, (t.data ->> 'seat')::int) = (b.taking_id, b.seat::int)",
        amount="CASE WHEN b.seal = '' THEN (t.data ->> 'amount')::bigint = b.amount"
        " ELSE t.data ->> 'seal' = b.seal AND b.seal ="
        " encode(sha256(convert_to(b.nonce || ':' || b.amount, 'UTF8')), 'hex') END",
        unsealed="b.seal = '' OR a.state = 'open'"
        " OR u.line = jsonb_build_array(b.number, b.seat, b.amount, b.nonce)",
        together="(t.data ->> 'together')::int IS NOT DISTINCT FROM f.number"
        " AND (b.together_id IS NULL) = (f.id IS NULL)",
        nonce="(b.seal = '') = (b.nonce = '')",
        noted="(t.actor_id, t.occurred) = (b.noted_by_id, b.at)",
    )
} AS wrong
FROM (SELECT * FROM tables_bid WHERE casino_id = %(casino)s) b
FULL JOIN told t ON t.id = b.event_id
LEFT JOIN tables_auction a ON a.id = b.auction_id
LEFT JOIN tables_bid f ON f.id = b.together_id AND f.auction_id = b.auction_id
LEFT JOIN unsealed u ON u.auction = b.auction_id AND u.number = b.number
"""  # noqa: S608

_SIGNATURES = f"""
WITH told AS MATERIALIZED {told("tables.auction.signed")}
SELECT 'auction:' || coalesce(s.auction_id, (t.data ->> 'auction')::bigint) || ' (signature '
       || coalesce(s.id::text, '-') || ')' AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'session:' || a.session_id",
        row="s.id IS NOT NULL",
        auction="(t.data ->> 'auction')::bigint = s.auction_id",
        digest="t.data ->> 'digest' = s.digest",
        signed="(t.actor_id, t.occurred) = (s.actor_id, s.at)",
    )
} AS wrong
FROM (SELECT * FROM tables_auctionsignature WHERE casino_id = %(casino)s) s
FULL JOIN told t ON t.id = s.event_id LEFT JOIN tables_auction a ON a.id = s.auction_id
"""  # noqa: S608

# The seed that is kept back is the one whose hash was published, and the one that was revealed.
_SEEDS = f"""
SELECT 'auction:' || a.id || ' (seed)' AS place, {
    wrong(
        announced="encode(sha256(CASE WHEN s.seed ~ '^[0-9a-f]{64}$' THEN decode(s.seed, 'hex') END), 'hex')"
        " = a.seed_hash",
        revealed="a.state = 'open' OR a.seed = s.seed",
        house="s.casino_id = a.casino_id",
    )
} AS wrong
FROM tables_auction a LEFT JOIN tables_auctionsecret s ON s.auction_id = a.id
WHERE a.casino_id = %(casino)s
"""  # noqa: S608


def auction_faults(casino: Casino) -> Iterator[Fault]:
    """Auctions, bids, signatures and seeds that are not what the trail tells; gaps in the numbers; acts that
    do not hold."""
    for query in (_AUCTIONS, _BIDS, _SIGNATURES, _SEEDS):
        yield from differing(query, casino)
    kept = Auction.objects.filter(casino=casino)
    yield from missing_numbers(casino, SERIES, kept, code="auction_numbers", of=Text("subastas", "auctions"))
    yield from _judged_again(casino)


def _judged_again(casino: Casino) -> Iterator[Fault]:
    """The first thing that does not hold in the act of each closed auction, winner and signatures
    included."""
    closed = Auction.objects.filter(casino=casino).exclude(state=Auction.State.OPEN).order_by("pk")
    for auction in acts.for_act(closed):
        try:
            for _said in verify_act.verify(acts.act_of(auction)):
                pass
        except verify_act.Fault as fault:
            yield Fault("act_does_not_hold", auction.label, Text(fault.es, fault.en))
        except (SabotError, AttributeError, LookupError, TypeError, ValueError) as error:
            said = str(error) or type(error).__name__
            words = Text(f"no se puede levantar el acta: {said}", f"no act can be drawn up: {said}")
            yield Fault("act_does_not_hold", auction.label, words)
