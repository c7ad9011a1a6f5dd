"""The proofs of the decks: each where its newest move says, each move as its event tells, the stock their sum
(CARD-04); acts of destruction, counts of the store, levels and devices as the trail has them (REC-06)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, missing_numbers, told, wrong, year_label
from casino.kernel.words import Text
from casino.models import Casino
from shoes.acts import SERIES
from shoes.models import DestructionAct
from shoes.moving import MOVES

_ACT, _INCIDENT = year_label("ACT", "a"), year_label("INC", "i")

# Which event tells of each kind of move.
_TELLS = """CASE m.kind
    WHEN 'received' THEN ARRAY['shoes.deck.registered']
    WHEN 'issued' THEN ARRAY['shoes.deck.issued']
    WHEN 'passed' THEN ARRAY['shoes.deck.passed']
    WHEN 'joined' THEN ARRAY['shoes.shoe.decks_added']
    WHEN 'played' THEN ARRAY['shoes.shoe.put_in_play']
    WHEN 'renewed' THEN ARRAY['shoes.shoe.renewed']
    WHEN 'removed' THEN ARRAY['shoes.shoe.deck_removed']
    WHEN 'ended' THEN ARRAY['shoes.shoe.ended']
    WHEN 'counted' THEN ARRAY['shoes.deck.passed']
    WHEN 'given_back' THEN ARRAY['shoes.deck.given_back']
    WHEN 'sealed' THEN ARRAY['shoes.deck.sealed']
    WHEN 'quarantined' THEN ARRAY['shoes.deck.quarantined']
    WHEN 'held' THEN ARRAY['shoes.deck.held', 'shoes.shoe.ended', 'shoes.shoe.deck_removed']
    WHEN 'released' THEN ARRAY['shoes.deck.released']
    WHEN 'withdrawn' THEN ARRAY['shoes.deck.withdrawn', 'shoes.deck.taken_out']
    WHEN 'cancelled' THEN ARRAY['shoes.deck.cancelled']
    WHEN 'destroyed' THEN ARRAY['shoes.deck.destroyed'] END"""

_FOLLOWS = "(m.kind = 'received' AND m.was = '' AND m.state = 'store')" + "".join(
    f" OR (m.kind = '{kind}' AND m.state = '{to}' AND m.was = ANY ('{{{','.join(allowed)}}}'::text[]))"
    for kind, (allowed, to) in MOVES.items()
)
# Before seals were entered a deck was inspected in the store, and went back there when its shoe ended
# (`shoes/migrations/0006_decks_of_before.py`).
_OF_BEFORE = """m.of_before AND (m.kind, m.was, m.state) IN (
    ('passed', 'store', 'passed'), ('ended', 'in_shoe', 'store'))"""

# A move is told by an event that names its deck: as its subject, or by serial number.
_MOVES = f"""
WITH move AS (
    SELECT m.*, d.serial, e.casino_id AS event_casino, e.action, e.occurred, e.actor_id, e.subject_type,
           e.subject_id, convert_from(e.body, 'UTF8')::jsonb -> 'data' AS data,
           coalesce(lag(m.state) OVER w, '') AS before, row_number() OVER w AS nth,
           coalesce(lag(m.at) OVER w, e.occurred) AS earlier, coalesce(lag(m.seal) OVER w, '') AS sealed,
           NOT first_value(convert_from(e.body, 'UTF8')::jsonb -> 'data') OVER w ? 'seals' AS of_before
    FROM shoes_deckmove m JOIN shoes_deck d ON d.id = m.deck_id JOIN audits_event e ON e.id = m.event_id
    WHERE m.casino_id = %(casino)s WINDOW w AS (PARTITION BY m.deck_id ORDER BY m.seq)
), placed AS (
    SELECT m.*, (
        SELECT n - 1 FROM jsonb_array_elements_text(coalesce(m.data -> 'serials', '[]'))
            WITH ORDINALITY AS l (serial, n) WHERE l.serial = m.serial LIMIT 1
    )::int AS nth_serial FROM move m
)
SELECT 'deck:' || m.serial || ', ' || m.seq AS place, {
    wrong(
        chain="m.seq = m.nth AND m.was = m.before AND m.at >= m.earlier",
        follows=f"{_FOLLOWS} OR {_OF_BEFORE}",
        casino="m.event_casino = m.casino_id",
        action=f"m.action = ANY ({_TELLS})",
        named="(m.subject_type = 'deck' AND m.subject_id = m.deck_id) OR m.nth_serial IS NOT NULL"
        " OR m.data -> 'removed' ? m.serial"
        " OR (m.of_before AND m.kind = 'played' AND NOT m.data ? 'serials')",
        at="m.at = greatest(m.occurred, m.earlier)",
        reason="m.of_before OR m.reason = coalesce(m.data ->> 'reason', '')",
        by="m.by_id = m.actor_id",
        second="m.second_id IS NULL OR m.second_id IN ((m.data -> 'received_with' ->> 'id')::bigint,"
        " (m.data -> 'received_by' ->> 'id')::bigint, (m.data -> 'with' ->> 'id')::bigint,"
        " (m.data -> 'witness' ->> 'id')::bigint, (m.data -> 'inspector' ->> 'id')::bigint)",
        seal="CASE WHEN m.kind IN ('received', 'issued', 'given_back', 'sealed')"
        " THEN m.seal = coalesce(m.data -> 'seals' ->> m.nth_serial, '')"
        " WHEN m.kind = 'counted' THEN m.seal = coalesce(m.data ->> 'seal', '')"
        " ELSE m.seal IN ('', m.sealed) END",
        place="m.kind NOT IN ('issued', 'played')"
        " OR m.place = coalesce(m.data ->> 'place', m.data ->> 'table')",
        shoe="m.subject_type <> 'shoe' OR m.shoe_id = m.subject_id",
        act="(m.kind = 'destroyed') = (m.act_id IS NOT NULL)"
        " AND (a.id IS NULL OR m.data ->> 'act' = " + _ACT + ")",
        incident="CASE WHEN m.kind IN ('held', 'withdrawn')"
        " THEN coalesce(" + _INCIDENT + ", '') = coalesce(m.data ->> 'incident', '')"
        " ELSE i.id IS NULL END",
    )
} AS wrong
FROM placed m
LEFT JOIN shoes_destructionact a ON a.id = m.act_id
LEFT JOIN audits_incident i ON i.id = m.incident_id
"""  # noqa: S608

_DECKS = f"""
WITH entered AS MATERIALIZED {told("shoes.deck.registered")}
SELECT 'deck:' || d.serial AS place, {
    wrong(
        moves="m.id IS NOT NULL AND (SELECT count(*) FROM shoes_deckmove x WHERE x.deck_id = d.id)"
        " = d.move_count",
        state="m.state = d.state",
        place="m.place = d.place",
        seal="m.seal = d.seal",
        shoe="CASE WHEN d.state = 'in_shoe' THEN d.shoe_id = m.shoe_id ELSE d.shoe_id IS NULL END",
        incident="d.incident_id IS NOT DISTINCT FROM held.incident_id",
        entered="t.id IS NOT NULL AND r.kind = 'received'",
        registered_at="t.occurred = d.registered_at",
        particulars="(t.data ->> 'maker', t.data ->> 'batch', t.data ->> 'back_design',"
        " t.data ->> 'back_colour', coalesce(t.data ->> 'homologation', ''), t.data ->> 'deck_type') ="
        " (d.maker, d.batch, d.back_design, d.back_colour, d.homologation, d.deck_type)",
    )
} AS wrong
FROM shoes_deck d
LEFT JOIN shoes_deckmove m ON m.deck_id = d.id AND m.seq = d.move_count
LEFT JOIN shoes_deckmove r ON r.deck_id = d.id AND r.seq = 1
LEFT JOIN entered t ON t.id = r.event_id
LEFT JOIN LATERAL (
    SELECT x.incident_id FROM shoes_deckmove x
    WHERE x.deck_id = d.id AND (x.incident_id IS NOT NULL OR x.kind = 'released')
    ORDER BY x.seq DESC LIMIT 1
) held ON true
WHERE d.casino_id = %(casino)s
"""  # noqa: S608

# An event of several decks moved as many as it says.
_TOLD = f"""
WITH moved AS MATERIALIZED (
    SELECT event_id, count(*) AS moves FROM shoes_deckmove WHERE casino_id = %(casino)s GROUP BY 1
), event AS MATERIALIZED {
    told(
        *(f"shoes.deck.{name}" for name in ("registered", "issued", "given_back", "sealed", "quarantined")),
        *(f"shoes.deck.{name}" for name in ("taken_out", "held", "released", "cancelled", "destroyed")),
        *(f"shoes.shoe.{name}" for name in ("decks_added", "put_in_play", "renewed", "deck_removed")),
    )
}
SELECT t.stream || ' #' || t.seq AS place, {
    wrong(
        moves="coalesce(m.moves, 0) = jsonb_array_length(coalesce(t.data -> 'removed', t.data -> 'serials'))"
        " OR (t.action = 'shoes.shoe.put_in_play' AND NOT t.data ? 'serials')",
    )
} AS wrong
FROM event t LEFT JOIN moved m ON m.event_id = t.id
"""  # noqa: S608

_ACTS = f"""
WITH signed AS MATERIALIZED {told("shoes.act.signed")}
SELECT 'act:' || coalesce({_ACT}, t.subject_label) AS place, {
    wrong(
        row="a.id IS NOT NULL",
        event="t.id IS NOT NULL AND t.subject_label = " + _ACT,
        once="count(*) OVER (PARTITION BY coalesce(a.id, t.subject_id)) = 1",
        said="(t.data ->> 'method', t.data ->> 'site') = (a.method, a.site)",
        by="t.actor_id = a.executed_by_id",
        witnesses="((t.data -> 'witnesses' -> 0 ->> 'id')::bigint,"
        " (t.data -> 'witnesses' -> 1 ->> 'id')::bigint) = (a.first_witness_id, a.second_witness_id)",
        at="t.occurred = a.at",
        decks="(SELECT jsonb_agg(s ORDER BY s) FROM jsonb_array_elements_text(t.data -> 'serials') s)"
        " = (SELECT jsonb_agg(d.serial ORDER BY d.serial) FROM shoes_deckmove m"
        " JOIN shoes_deck d ON d.id = m.deck_id WHERE m.act_id = a.id)",
    )
} AS wrong
FROM (SELECT * FROM shoes_destructionact WHERE casino_id = %(casino)s) a
FULL JOIN signed t ON t.subject_id = a.id
"""  # noqa: S608

_COUNTS = f"""
WITH counted AS MATERIALIZED {told("shoes.store.counted")}
SELECT 'stock_count:' || coalesce(c.id, t.subject_id) AS place, {
    wrong(
        row="c.id IS NOT NULL",
        event="t.id IS NOT NULL",
        once="count(*) OVER (PARTITION BY coalesce(c.id, t.subject_id)) = 1",
        lines="t.data -> 'lines' = c.lines",
        by="(t.actor_id, (t.data -> 'with' ->> 'id')::bigint) = (c.counted_by_id, c.counted_with_id)",
        at="t.occurred = c.at",
        differs="(t.data ->> 'incident' <> '') = c.differs",
        incident="t.data ->> 'incident' = coalesce(" + _INCIDENT + ", '')",
    )
} AS wrong
FROM (SELECT * FROM shoes_stockcount WHERE casino_id = %(casino)s) c
FULL JOIN counted t ON t.subject_id = c.id
LEFT JOIN audits_incident i ON i.id = c.incident_id
"""  # noqa: S608

_SETTINGS = f"""
WITH latest AS MATERIALIZED (
    SELECT DISTINCT ON (action, subject_id) * FROM {told("shoes.store.level_set", "shoes.device.set")} t
    ORDER BY action, subject_id, seq DESC
)
SELECT 'stock_level:' || l.id AS place, {
    wrong(
        event="t.id IS NOT NULL",
        least="(t.data ->> 'least')::int = l.least",
        kind="(t.data ->> 'deck_type', t.data ->> 'back_colour') = (l.deck_type, l.back_colour)",
    )
} AS wrong
FROM shoes_stocklevel l LEFT JOIN latest t ON t.action = 'shoes.store.level_set' AND t.subject_id = l.id
WHERE l.casino_id = %(casino)s
UNION ALL
SELECT 'device:' || v.number AS place, {
    wrong(
        event="t.id IS NOT NULL",
        number="t.subject_label = v.number",
        said="(t.data ->> 'kind', t.data ->> 'maker', t.data ->> 'serial', (t.data ->> 'active')::boolean)"
        " = (v.kind, v.maker, v.serial, v.active)",
    )
} AS wrong
FROM shoes_device v LEFT JOIN latest t ON t.action = 'shoes.device.set' AND t.subject_id = v.id
WHERE v.casino_id = %(casino)s
"""  # noqa: S608

# Of each kind and colour: what lies in the store is what came into it less what left it.
_STOCK = f"""
WITH lying AS (
    SELECT deck_type, back_colour, count(*) FILTER (WHERE state = 'store') AS decks
    FROM shoes_deck WHERE casino_id = %(casino)s GROUP BY 1, 2
), moved AS (
    SELECT d.deck_type, d.back_colour,
           count(*) FILTER (WHERE m.state = 'store' AND m.was <> 'store')
           - count(*) FILTER (WHERE m.state <> 'store' AND m.was = 'store') AS decks
    FROM shoes_deckmove m JOIN shoes_deck d ON d.id = m.deck_id WHERE m.casino_id = %(casino)s GROUP BY 1, 2
)
SELECT coalesce(l.deck_type, m.deck_type) || ' ' || coalesce(l.back_colour, m.back_colour) AS place, {
    wrong(stock="l.decks = m.decks")
} AS wrong
FROM lying l FULL JOIN moved m ON (m.deck_type, m.back_colour) = (l.deck_type, l.back_colour)
"""  # noqa: S608


def told_faults(casino: Casino) -> Iterator[Fault]:
    """Decks and moves that are not what their streams tell, acts, counts and settings neither."""
    for query in (_MOVES, _DECKS, _TOLD, _ACTS, _COUNTS, _SETTINGS):
        yield from differing(query, casino)
    acts = DestructionAct.objects.filter(casino=casino)
    yield from missing_numbers(casino, SERIES, acts, code="act_numbers", of=Text("acta", "acts"))


def stock_faults(casino: Casino) -> Iterator[Fault]:
    """Stock that is not the sum of its moves."""
    yield from differing(_STOCK, casino, "stock_differs")
