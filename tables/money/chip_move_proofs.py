"""The proofs of where chips are: every move of chips told by an event or a row of the cage, each stock
the sum of its moves, no chip left on the tray of a closed table.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.models import Casino

# Which event tells of each move of chips, or which row of the cage, and what of. Whatever is no such move
# is a fault, by whatever name it goes.
_MOVES = f"""
WITH told AS MATERIALIZED {
    told(
        "tables.session.opened",
        "tables.session.closed",
        "tables.slip.verified",
        "tables.chips.entered",
        "tables.chips.counted",
        "tables.transfer.accepted",
        "tables.orphan.passed",
        "tables.box.settled",
    )
},
flow AS (
    SELECT id AS event_id, 'opening' AS kind, 'vault' AS source, 'tray:' || subject_id AS target,
           data -> 'chips' AS chips
    FROM told WHERE action = 'tables.session.opened'
    UNION ALL
    SELECT id, 'closing', 'tray:' || subject_id, 'vault', data -> 'chips'
    FROM told WHERE action = 'tables.session.closed'
    UNION ALL
    SELECT id, data ->> 'kind',
           CASE data ->> 'kind' WHEN 'fill' THEN cage ELSE tray END,
           CASE data ->> 'kind' WHEN 'fill' THEN tray ELSE cage END, data -> 'chips'
    FROM told, LATERAL (
        SELECT 'cage:' || (data ->> 'desk') AS cage, 'tray:' || (data ->> 'session') AS tray) p
    WHERE action = 'tables.slip.verified'
    UNION ALL
    SELECT id, data ->> 'entry', CASE data ->> 'entry' WHEN 'received' THEN 'outside' ELSE 'vault' END,
           CASE data ->> 'entry' WHEN 'received' THEN 'vault' ELSE 'outside' END, data -> 'chips'
    FROM told WHERE action = 'tables.chips.entered'
    UNION ALL
    SELECT r.event_id, 'cage_' || r.kind, v.source, v.target, v.chips
    FROM tables_cageoperation r JOIN tables_cagedesk k ON k.id = r.desk_id, LATERAL (VALUES
        ('public', 'cage:' || k.number, r.chips_in), ('cage:' || k.number, 'public', r.chips_out)
    ) v (source, target, chips) WHERE r.casino_id = %(casino)s
    UNION ALL
    SELECT t.id, 'transfer', CASE r.direction WHEN 'to_cage' THEN 'vault' ELSE 'cage:' || k.number END,
           CASE r.direction WHEN 'to_cage' THEN 'cage:' || k.number ELSE 'vault' END, r.chips
    FROM told t JOIN tables_cagetransfer r ON r.id = t.subject_id JOIN tables_cagedesk k ON k.id = r.desk_id
    WHERE t.action = 'tables.transfer.accepted'
    UNION ALL
    SELECT t.id, 'orphan', 'public', 'vault', r.chips
    FROM told t JOIN tables_orphan r ON r.id = t.subject_id WHERE t.action = 'tables.orphan.passed'
    UNION ALL
    SELECT t.id, 'box', 'public', 'vault', n.contents -> 'CHIP'
    FROM told t JOIN tables_boxcount n ON n.box_id = t.subject_id AND n.nth = (t.data ->> 'nth')::int
    WHERE t.action = 'tables.box.settled' AND n.contents ? 'CHIP'
),
due AS (
    SELECT event_id, kind, source, target, c.chip::bigint AS denomination, c.many::int AS number
    FROM flow, jsonb_each_text(chips) c (chip, many) WHERE c.many::int > 0
    UNION ALL
    SELECT id, 'count', CASE WHEN off > 0 THEN 'public' ELSE data ->> 'place' END,
           CASE WHEN off > 0 THEN data ->> 'place' ELSE 'public' END, denomination, abs(off)
    FROM told, jsonb_array_elements(data -> 'lines') line,
    LATERAL (SELECT (line ->> 'counted')::int - (line ->> 'expected')::int AS off,
                    (line ->> 'denomination')::bigint AS denomination) d
    WHERE action = 'tables.chips.counted' AND off <> 0
    UNION ALL
    SELECT r.event_id, 'count', CASE WHEN off.many::int > 0 THEN 'public' ELSE 'cage:' || k.number END,
           CASE WHEN off.many::int > 0 THEN 'cage:' || k.number ELSE 'public' END, off.chip::bigint,
           abs(off.many::int)
    FROM tables_cagecount r JOIN tables_cagedesk k ON k.id = r.desk_id,
    LATERAL jsonb_each_text(r.chips_off) off (chip, many)
    WHERE r.casino_id = %(casino)s AND off.many::int <> 0
),
move AS (
    SELECT id, event_id, kind, source, target, denomination, number
    FROM tables_chipmove WHERE casino_id = %(casino)s AND kind <> 'public'
)
SELECT 'event ' || event_id || ' (' || kind || ' ' || denomination || ')' AS place,
       {wrong(event="due.kind IS NOT NULL", row="m.id IS NOT NULL")} AS wrong
FROM due FULL JOIN move m USING (event_id, kind, source, target, denomination, number)
"""  # noqa: S608

# What the close of a table leaves with the public: of its own tray, once for each chip. How many, the tray
# tells, which is empty then.
_LEFT = """
SELECT 'move ' || m.id || ' (public ' || m.denomination || ')' AS place,
       CASE WHEN (e.action = 'tables.session.closed' AND 'tray:' || e.subject_id = m.tray
                  AND count(*) OVER (PARTITION BY m.event_id, m.denomination) = 1) IS TRUE
            THEN '{}' ELSE ARRAY['event'] END AS wrong
FROM (SELECT *, CASE 'public' WHEN source THEN target WHEN target THEN source END AS tray
      FROM tables_chipmove WHERE casino_id = %(casino)s AND kind = 'public') m
LEFT JOIN audits_event e ON e.id = m.event_id AND e.casino_id = m.casino_id
"""

# Once a table is closed every chip that came to its tray is in the vault again, or with the public.
_TRAYS = f"""
SELECT 'tray:' || s.id || ' (' || k.denomination || ')' AS place, {wrong(left="k.number = 0")} AS wrong
FROM tables_tablesession s JOIN tables_chipstock k ON k.casino_id = s.casino_id AND k.place = 'tray:' || s.id
WHERE s.casino_id = %(casino)s AND s.closed_at IS NOT NULL
"""  # noqa: S608

_STOCKS = f"""
WITH gone AS (
    SELECT place, denomination, sum(number) AS number FROM (
        SELECT source AS place, denomination, -number AS number
        FROM tables_chipmove WHERE casino_id = %(casino)s
        UNION ALL SELECT target, denomination, number FROM tables_chipmove WHERE casino_id = %(casino)s
    ) m GROUP BY 1, 2
)
SELECT coalesce(k.place, g.place) || ' (' || coalesce(k.denomination, g.denomination) || ')' AS place,
       {wrong(stock="coalesce(k.number, 0) = coalesce(g.number, 0)")} AS wrong
FROM (SELECT * FROM tables_chipstock WHERE casino_id = %(casino)s) k
FULL JOIN gone g USING (place, denomination)
"""  # noqa: S608


def move_faults(casino: Casino) -> Iterator[Fault]:
    """Moves nobody tells of, moves that lack, stocks that are not their sum."""
    for query in (_MOVES, _LEFT, _TRAYS, _STOCKS):
        yield from differing(query, casino)
