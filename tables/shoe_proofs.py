"""What every shoe counts, told again from its steps and its rounds (CARD-42).

It stands here, above the shoes, because only the floor knows which cards its rounds brought out.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from django.db import DataError, connection, transaction

from audits.verify import Fault, told
from casino.kernel import ids
from casino.kernel.words import Text
from casino.models import Casino
from shoes.ordering import REMOVE
from tables import cards_out
from tables.discards import RETURNED, SHUFFLED
from tables.games import corrections, registry
from tables.games.base import Detail
from tables.told_proofs import SHOE_LABEL

# One row per shoe. A card stands unless an undo strikes its event out; the cards of a round never
# played went back into the count, those exposed in it too (`tables.rounds.void`); so did those of a
# round that is over, where the pack is shuffled again after each. A covered card is out like any other;
# which faces were named later, `_NAMED_LATER` tells. What a machine that serves as shoe was given back is
# inside it again: of the rounds up to then only the cards burned count. Of the steps, those since a deck last
# left the pack and its preparation began again.
_RETURNED = f"""
returned AS MATERIALIZED (
    SELECT t.subject_id AS session_id, h.id AS shoe_id, max((t.data ->> 'round')::int) AS through
    FROM {told(RETURNED, SHUFFLED)} t
    JOIN shoes_shoe h ON h.casino_id = %(casino)s AND t.data ->> 'shoe' = {SHOE_LABEL.format("h")}
    GROUP BY 1, 2
)"""  # noqa: S608
_SHOES = f"""
WITH {_RETURNED}, back AS MATERIALIZED (
    SELECT subject_id FROM {told("tables.round.voided")} t WHERE (data ->> 'cards_back')::int > 0
), step AS MATERIALIZED (
    SELECT p.shoe_id, p.data FROM shoes_shoestep p
    WHERE p.casino_id = %(casino)s AND NOT EXISTS (
        SELECT FROM shoes_shoestep x WHERE x.shoe_id = p.shoe_id AND x.step = %(remove)s AND x.seq >= p.seq)
), round AS MATERIALIZED (
    SELECT r.id, r.shoe_id, r.log, r.state = 'open' AS lying,
           b.subject_id IS NULL AND (r.state = 'open' OR s.game <> ALL (%(reshuffling)s)) AS came_out,
           r.detail = %(result)s AND r.settlement IS NOT NULL AS unseen, s.game,
           g.through IS NOT NULL AND r.number <= g.through AS inside
    FROM tables_round r JOIN tables_tablesession s ON s.id = r.session_id
    LEFT JOIN back b ON b.subject_id = r.id
    LEFT JOIN returned g ON g.session_id = r.session_id AND g.shoe_id = r.shoe_id
    WHERE r.casino_id = %(casino)s AND r.shoe_id IS NOT NULL
), line AS (
    SELECT r.id, r.shoe_id, r.lying, r.came_out, r.inside, nth, line ->> 'e' AS e, line ->> 'card' AS card,
           line ->> 'code' AS code
    FROM round r, jsonb_array_elements(r.log) WITH ORDINALITY AS l (line, nth)
    WHERE line ? 'card'
), undone AS (
    SELECT r.id, (line ->> 'of')::bigint AS nth FROM round r, jsonb_array_elements(r.log) AS l (line)
    WHERE r.log @> '[{{"e": "undo"}}]' AND line ->> 'e' = 'undo'
), card AS (
    SELECT shoe_id, card, e = 'note' AS burned, lying FROM line
    WHERE (id, nth) NOT IN (SELECT id, nth FROM undone)
      AND came_out AND ((e = 'card' AND NOT inside) OR (e = 'note' AND code = ANY (%(errors)s)))
    UNION ALL
    SELECT shoe_id, jsonb_array_elements_text(data -> 'known'), NULL, false FROM step WHERE data ? 'known'
), dealt AS (
    SELECT shoe_id, count(*) FILTER (WHERE NOT burned AND lying) AS dealt,
           count(*) FILTER (WHERE NOT burned AND NOT lying) AS discarded,
           count(*) FILTER (WHERE burned) AS burned, bool_or(NOT burned AND card LIKE 'v%%') AS by_value
    FROM card GROUP BY 1
), faces AS (
    SELECT shoe_id, jsonb_object_agg(card, many) AS seen
    FROM (SELECT shoe_id, card, count(*) AS many FROM card WHERE card <> '??' GROUP BY 1, 2) each
    GROUP BY 1
), unseen AS (
    SELECT shoe_id, jsonb_object_agg(game, rounds) AS games
    FROM (SELECT shoe_id, game, count(*) AS rounds FROM round
          WHERE unseen AND came_out AND NOT inside GROUP BY 1, 2) each
    GROUP BY 1
), prepared AS (
    SELECT shoe_id, sum((data ->> 'out')::int) AS burned, max((data ->> 'stop_card_from_end')::int) AS stop_at
    FROM step GROUP BY 1
)
SELECT h.id, h.number, h.played_at IS NOT NULL, h.stop_marked, h.remaining,
       jsonb_build_object('seen', h.seen, 'dealt', h.dealt, 'burned', h.burned, 'discarded', h.discarded,
           'count_complete', h.count_complete, 'stop_at', h.stop_at, 'stop_reached', h.stop_reached),
       coalesce(f.seen, '{{}}'::jsonb), coalesce(d.dealt, 0),
       coalesce(d.burned, 0) + coalesce(p.burned, 0), coalesce(d.discarded, 0), coalesce(d.by_value, false),
       coalesce(u.games, '{{}}'::jsonb), coalesce(p.stop_at, 0),
       EXISTS (SELECT FROM line l WHERE l.shoe_id = h.id AND l.card LIKE 'v%%')
           OR EXISTS (SELECT FROM round r WHERE r.shoe_id = h.id AND r.unseen)
FROM shoes_shoe h
LEFT JOIN dealt d ON d.shoe_id = h.id LEFT JOIN faces f ON f.shoe_id = h.id
LEFT JOIN unseen u ON u.shoe_id = h.id LEFT JOIN prepared p ON p.shoe_id = h.id
WHERE h.casino_id = %(casino)s ORDER BY h.id
"""  # noqa: S608


_NAMED_LATER = f"""
WITH {_RETURNED}
SELECT r.shoe_id, r.log FROM tables_round r JOIN tables_tablesession s ON s.id = r.session_id
WHERE r.casino_id = %(casino)s AND r.shoe_id IS NOT NULL AND r.log @> '[{{"e": "card", "card": "??"}}]'
  AND (r.state = 'open' OR s.game <> ALL (%(reshuffling)s))
  AND NOT EXISTS (SELECT FROM {told("tables.round.voided")} t
                  WHERE t.subject_id = r.id AND (data ->> 'cards_back')::int > 0)
  AND NOT EXISTS (SELECT FROM returned g
                  WHERE g.session_id = r.session_id AND g.shoe_id = r.shoe_id AND r.number <= g.through)
ORDER BY r.id
"""  # noqa: S608


# A hand found with another number of cards than were logged lies there as it was found, until its round is
# over: only games that shuffle the whole pack after each round have an event of it.
_MISDEALT = """
SELECT shoe_id, log FROM tables_round
WHERE casino_id = %(casino)s AND shoe_id IS NOT NULL AND state = 'open' AND log @> '[{"e": "misdeal"}]'
"""


def count_faults(casino: Casino) -> Iterator[Fault]:
    """Shoes whose counts are not what their burns and their rounds brought out."""
    values: dict[str, Any] = {
        "casino": casino.pk,
        "result": Detail.RESULT.value,
        "remove": REMOVE,
        "errors": sorted(corrections.CARD_ERRORS),
        "reshuffling": [code for code, game in registry.GAMES.items() if game.reshuffles],
    }
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_SHOES, values)
            rows = cursor.fetchall()
            cursor.execute(_NAMED_LATER, values)
            later = _faces(cursor.fetchall())
            cursor.execute(_MISDEALT, values)
            more = {shoe: _beyond_logged(_json(log)) for shoe, log in cursor.fetchall()}
    except DataError as error:
        said = str(error).splitlines()[0]
        yield Fault("unreadable", "shoes", Text(f"no se pudo contar: {said}", f"could not count: {said}"))
        return
    for shoe, number, *row in rows:
        for name, stored, counted in _differences(later[shoe], more.get(shoe, 0), *row):
            yield Fault(
                "count_differs",
                ids.shoe_label(number),
                Text(
                    f"{name} dice {stored} y sus pasos y pases dan {counted}",
                    f"{name} says {stored} where its steps and rounds give {counted}",
                ),
            )


def _faces(rows: list[tuple[int, Any]]) -> defaultdict[int, Counter[str]]:
    """The faces of covered cards that were named later, by shoe."""
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for shoe, log in rows:
        found[shoe].update(cards_out.named_later(cards_out.standing(_json(log))))
    return found


def _beyond_logged(log: Any) -> int:
    """How many cards a log brought out beyond those it names one by one, fewer below 0."""
    named = sum(event["e"] == "card" for event in cards_out.standing(log))
    return cards_out.cards_out(log).dealt - named


def _differences(
    later: Counter[str],
    more: int,
    was_played: bool,
    stop_marked: bool,
    remaining: int,
    row: Any,
    seen: Any,
    dealt: int,
    burned: int,
    discarded: int,
    by_value: bool,
    games: Any,
    stop_at: int,
    ever_incomplete: bool,
) -> Iterator[tuple[str, Any, Any]]:
    stored, seen, games = (_json(value) for value in (row, seen, games))
    # At detail `result` nobody names the cards: at least the game's fewest came out.
    unseen = sum(registry.game(game).least_cards * rounds for game, rounds in games.items())
    # Once a card came out that nobody named in full, the count stays incomplete, also if it went back.
    complete = not (by_value or games) and (not ever_incomplete or stored["count_complete"])
    counted = {
        "seen": dict(Counter(seen) + later),
        "dealt": dealt + more,
        "burned": burned,
        "discarded": discarded + unseen,
        "count_complete": complete,
        "stop_at": stop_at,
        "stop_reached": was_played and (stop_marked or remaining <= stop_at),
    }
    for name, value in counted.items():
        if stored[name] != value:
            yield name, stored[name], value


def _json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
