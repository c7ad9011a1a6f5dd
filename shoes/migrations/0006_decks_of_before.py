"""Decks that were there before moves were kept get theirs, out of the events that told of them (CARD-04).

Each event of the version before (received, inspected, joined a shoe, the shoe put in play, ended) becomes
the move it was. Then a deck was inspected without having been issued, and went straight back to the store
when its shoe ended; the proofs know both (`shoes.deck_proofs`). Its seal was never entered: it is sealed
anew before two people before it is issued. Shoes that were played get the table they were played at.

The triggers that hold a move to where its deck stands are off meanwhile: the decks stand there already.
"""

from django.db import migrations, models

HAPPENED = """
    WITH told AS (
        SELECT e.id, e.casino_id, e.occurred, e.actor_id, e.action, e.subject_id,
               convert_from(e.body, 'UTF8')::jsonb -> 'data' AS data
        FROM audits_event e
        WHERE e.action IN ('shoes.deck.registered', 'shoes.deck.passed', 'shoes.deck.withdrawn',
            'shoes.shoe.decks_added', 'shoes.shoe.put_in_play', 'shoes.shoe.ended')
    ), named AS (
        SELECT t.*, d.id AS deck_id
        FROM told t CROSS JOIN LATERAL jsonb_array_elements_text(t.data -> 'serials') AS l (serial)
        JOIN shoes_deck d ON d.casino_id = t.casino_id AND d.serial = l.serial
        WHERE t.action IN ('shoes.deck.registered', 'shoes.shoe.decks_added', 'shoes.shoe.ended')
    ), happened AS (
        SELECT n.deck_id, n.id AS event_id, n.casino_id, n.occurred, n.actor_id, n.data,
               CASE n.action WHEN 'shoes.deck.registered' THEN 'received'
                   WHEN 'shoes.shoe.decks_added' THEN 'joined' ELSE 'ended' END AS kind,
               CASE n.action WHEN 'shoes.shoe.decks_added' THEN 'in_shoe' ELSE 'store' END AS state,
               CASE n.action WHEN 'shoes.shoe.decks_added' THEN 'inspección' ELSE '' END AS place,
               CASE WHEN n.action <> 'shoes.deck.registered' THEN n.subject_id END AS shoe_id,
               (n.data -> 'received_with' ->> 'id')::bigint AS second_id
        FROM named n
        UNION ALL
        SELECT t.subject_id, t.id, t.casino_id, t.occurred, t.actor_id, t.data,
               split_part(t.action, '.', 3), split_part(t.action, '.', 3),
               CASE t.action WHEN 'shoes.deck.passed' THEN 'inspección' ELSE '' END, NULL,
               CASE (t.data -> 'witness' ->> 'id')::bigint WHEN t.actor_id
                   THEN (t.data -> 'inspector' ->> 'id')::bigint
                   ELSE (t.data -> 'witness' ->> 'id')::bigint END
        FROM told t WHERE t.action IN ('shoes.deck.passed', 'shoes.deck.withdrawn')
        UNION ALL
        SELECT j.deck_id, t.id, t.casino_id, t.occurred, t.actor_id, t.data,
               'played', 'in_shoe', t.data ->> 'table', t.subject_id, NULL
        FROM told t JOIN named j ON j.subject_id = t.subject_id AND j.action = 'shoes.shoe.decks_added'
        WHERE t.action = 'shoes.shoe.put_in_play'
    )
"""

MOVES = (
    HAPPENED  # noqa: S608
    + """
    INSERT INTO shoes_deckmove (casino_id, deck_id, seq, kind, was, state, place, shoe_id, seal, by_id,
        second_id, reason, at, event_id)
    SELECT h.casino_id, h.deck_id, row_number() OVER w, h.kind, coalesce(lag(h.state) OVER w, ''), h.state,
           h.place, h.shoe_id, '', h.actor_id, h.second_id, left(coalesce(h.data ->> 'reason', ''), 500),
           max(h.occurred) OVER w, h.event_id
    FROM happened h JOIN shoes_deck d ON d.id = h.deck_id AND d.move_count = 0
    WINDOW w AS (PARTITION BY h.deck_id ORDER BY h.event_id);

    UPDATE shoes_deck d SET move_count = m.seq, place = m.place
    FROM (SELECT DISTINCT ON (deck_id) * FROM shoes_deckmove ORDER BY deck_id, seq DESC) m
    WHERE m.deck_id = d.id AND d.move_count = 0;
"""
)

SHOES = """
    UPDATE shoes_shoe s SET played_table = convert_from(e.body, 'UTF8')::jsonb -> 'data' ->> 'table'
    FROM audits_event e
    WHERE e.action = 'shoes.shoe.put_in_play' AND e.subject_id = s.id AND s.played_table = '';
"""

_TRIGGERS = (
    ("shoes_deckmove", "sabot_move_continues"),
    ("shoes_deck", "sabot_deck_moves"),
    ("shoes_shoe", "sabot_shoe_moves"),
)


def _triggers(how: str) -> str:
    return "".join(f"ALTER TABLE {table} {how} TRIGGER {name};\n" for table, name in _TRIGGERS)


_SETTLED = "SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED;"
"""What waits for the commit is checked now: until then its table cannot be altered."""

CARRY_OVER = "\n".join(
    [
        _SETTLED,
        _triggers("DISABLE"),
        MOVES,
        SHOES,
        _SETTLED,
        _triggers("ENABLE"),
    ]
)


class Migration(migrations.Migration):
    dependencies = [("shoes", "0005_order_index"), ("audits", "0005_incidents")]

    operations = [
        migrations.RunSQL(CARRY_OVER, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="deckmove",
            index=models.Index(
                fields=["casino", "seal"],
                condition=models.Q(("seal", ""), _negated=True),
                name="move_by_seal",
            ),
        ),
    ]
