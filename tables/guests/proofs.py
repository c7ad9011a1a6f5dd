"""Guests, exclusions, matches, seats, absences, waits and requests against their events (REC-06).

The trail has documents masked, and commits to the whole of who they are (`audits.personal`); events of before
that are held to the newest version of the history. Of who became a pseudonym, that nothing else stands in its
place (REC-12).
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.models import Pseudonym
from audits.personal import is_told
from audits.verify import Fault, differing, told, wrong
from casino.kernel.words import Text
from casino.models import Casino
from tables.guests.admitting import identity_of
from tables.models import ExclusionMatch, Guest

_MASK = "'•••' || right({0}, least(3, length({0}) / 2))"


def _sworn(*actions: str) -> str:
    """The event that commits to who a guest or an entry is: the newest act that does, else the first time the
    nightly job did (`committing`), so that one slipped in later commits to nothing."""
    return f"""sworn AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told(*actions)} t WHERE t.data ? 'particulars'
    ORDER BY subject_id, action LIKE '%%.committed',
        CASE WHEN action LIKE '%%.committed' THEN seq ELSE -seq END
)"""  # noqa: S608


def _whole(kind: str, row: str) -> str:
    """That a row is who the trail commits to (`sworn`), unless its pseudonym `s` stands there."""
    told_whole = is_told("w.id", "w.data", "particulars", row)
    return f"s.code IS NOT NULL OR w.id IS NULL OR w.stream = '{kind}:' || w.subject_id AND {told_whole}"


_GUESTS = f"""
WITH told AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) *
    FROM {told("tables.guest.registered", "tables.guest.changed")} t ORDER BY subject_id, seq DESC
), kept AS (SELECT DISTINCT ON (id) * FROM tables_historicalguest ORDER BY id, history_id DESC),
{_sworn("tables.guest.registered", "tables.guest.changed", "tables.guest.committed")}
SELECT 'guest:' || coalesce(g.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'guest:' || g.id",
        row="g.id IS NOT NULL",
        document="(t.data ->> 'document_type', t.data ->> 'country', coalesce(s.code, t.data ->> 'number'))"
        " = (g.document_type, g.country, coalesce(s.code, " + _MASK.format("g.number") + "))"
        " AND (s.code IS NULL OR (g.name, g.number, g.note) = (s.code, s.code, ''))",
        birth_year="(t.data ->> 'birth_year')::int = extract(year FROM g.birth_date)",
        particulars=_whole("guest", "concat_ws('|', g.name, g.number, g.birth_date, g.note)"),
        history="(k.document_type, k.country, k.number, k.name, k.birth_date, k.note)"
        " = (g.document_type, g.country, g.number, g.name, g.birth_date, g.note)",
    )
} AS wrong
FROM (SELECT * FROM tables_guest WHERE casino_id = %(casino)s) g
FULL JOIN told t ON t.subject_id = g.id
LEFT JOIN kept k ON k.id = g.id
LEFT JOIN sworn w ON w.subject_id = g.id
LEFT JOIN audits_pseudonym s ON s.casino_id = g.casino_id AND s.kind = 'guest' AND s.subject_id = g.id
"""  # noqa: S608

# Every version a record had is one that an act told: nobody is made another person in the past.
_VERSIONS = f"""
WITH told AS MATERIALIZED {told("tables.guest.registered", "tables.guest.changed", "tables.guest.committed")}
SELECT 'guest:' || h.id || ' (version ' || h.history_id || ')' AS place, {
    wrong(
        version="s.code IS NOT NULL OR EXISTS (SELECT FROM told t WHERE t.subject_id = h.id"
        " AND CASE WHEN t.data ? 'particulars' THEN "
        + is_told("t.id", "t.data", "particulars", "concat_ws('|', h.name, h.number, h.birth_date, h.note)")
        + " ELSE (t.data ->> 'number', (t.data ->> 'birth_year')::int) = ("
        + _MASK.format("h.number")
        + ", extract(year FROM h.birth_date)) END)",
    )
} AS wrong
FROM tables_historicalguest h
LEFT JOIN audits_pseudonym s ON s.casino_id = h.casino_id AND s.kind = 'guest' AND s.subject_id = h.id
WHERE h.casino_id = %(casino)s
"""  # noqa: S608

_EXCLUSIONS = f"""
WITH told AS MATERIALIZED {told("tables.exclusion.recorded")},
{_sworn("tables.exclusion.recorded", "tables.exclusion.committed")}
SELECT 'exclusion:' || coalesce(x.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'exclusion:' || x.id",
        row="x.id IS NOT NULL",
        kind="t.data ->> 'kind' = x.kind",
        document="(t.data ->> 'document_type', t.data ->> 'country') = (x.document_type, x.country)"
        " AND CASE WHEN t.data ->> 'number' = '' THEN x.number = ''"
        " ELSE x.number = s.code OR s.code IS NULL AND t.data ->> 'number' = "
        + _MASK.format("x.number")
        + " END"
        " AND (s.code IS NULL OR x.name IN ('', s.code))",
        birth_year="(t.data ->> 'birth_year')::int IS NOT DISTINCT FROM extract(year FROM x.birth_date)::int",
        particulars=_whole("exclusion", "concat_ws('|', x.name, x.number, coalesce(x.birth_date::text, ''))"),
        since="(t.data ->> 'since')::date = x.since",
        until="(t.data ->> 'until')::date IS NOT DISTINCT FROM x.until",
        source="t.data ->> 'source' = x.source",
        recorded="(t.actor_id, t.occurred) = (x.recorded_by_id, x.recorded_at)",
    )
} AS wrong
FROM (SELECT * FROM tables_exclusion WHERE casino_id = %(casino)s) x
FULL JOIN told t ON t.subject_id = x.id
LEFT JOIN sworn w ON w.subject_id = x.id
LEFT JOIN audits_pseudonym s ON s.casino_id = x.casino_id AND s.kind = 'exclusion' AND s.subject_id = x.id
"""  # noqa: S608

_ENDS = f"""
WITH told AS MATERIALIZED {told("tables.exclusion.ended")}
SELECT 'exclusion:' || coalesce(n.exclusion_id, t.subject_id) || ' (end)' AS place, {
    wrong(
        end_event="t.id IS NOT NULL",
        end_row="n.id IS NOT NULL",
        ended="(t.actor_id, t.occurred, (t.data ->> 'second_id')::bigint) = (n.by_id, n.at, n.second_id)",
        reason="btrim(t.data ->> 'reason') = n.reason",
    )
} AS wrong
FROM (SELECT * FROM tables_exclusionend WHERE casino_id = %(casino)s) n
FULL JOIN told t ON (t.data ->> 'end')::bigint = n.id
"""  # noqa: S608

_MATCHES = f"""
WITH found AS MATERIALIZED (
    SELECT t.*, line FROM {told("tables.guest.turned_away", "tables.guest.recognised")} t,
        jsonb_array_elements(t.data -> 'matches') line WHERE NOT (line ->> 'again')::boolean
), decided AS MATERIALIZED {told("tables.guest.match_decided")}
SELECT 'match:' || coalesce(m.id, (t.line ->> 'match')::bigint) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.subject_id = m.guest_id",
        row="m.id IS NOT NULL",
        found="(t.line ->> 'how', (t.line ->> 'score')::int, (t.line ->> 'exclusion')::bigint)"
        " IS NOT DISTINCT FROM (m.how, m.score::int, m.exclusion_id)",
        where="(t.data ->> 'where', left(t.data ->> 'place', 60)) = (m.where, m.place)",
        found_by="(t.actor_id, t.occurred) = (m.found_by_id, m.found_at)",
        state="coalesce(d.data ->> 'outcome', t.line ->> 'state') = m.state",
        decided="CASE WHEN d.id IS NULL THEN (m.decided_at, m.decided_by_id, m.decided_with_id) IS NULL"
        " AND (m.evidence, m.reason) = ('', '')"
        " ELSE (d.actor_id, d.occurred, (d.data ->> 'second_id')::bigint, d.data ->> 'evidence',"
        " btrim(d.data ->> 'reason'))"
        " = (m.decided_by_id, m.decided_at, m.decided_with_id, m.evidence, m.reason) END",
    )
} AS wrong
FROM (SELECT * FROM tables_exclusionmatch WHERE casino_id = %(casino)s) m
FULL JOIN found t ON (t.line ->> 'match')::bigint = m.id
LEFT JOIN decided d ON (d.data ->> 'match')::bigint = m.id
"""  # noqa: S608

# Every end of a seat says which absence and which request ended with it.
_LEFT = f"""
left_seat AS MATERIALIZED (
    SELECT t.occurred, t.data, (coalesce(t.data ->> 'left', t.data ->> 'taking'))::bigint AS taking
    FROM {told("tables.session.seat_left", "tables.session.seat_lost", "tables.session.seat_changed")} t
    UNION ALL
    SELECT t.occurred, line, (line ->> 'taking')::bigint
    FROM {told("tables.session.seats_emptied")} t, jsonb_array_elements(t.data -> 'left') line
)"""  # noqa: S608

_SEATS = f"""
WITH told AS MATERIALIZED {told("tables.session.seat_taken", "tables.session.seat_changed")}, {_LEFT}
SELECT 'seat taken:' || coalesce(s.id, (t.data ->> 'taking')::bigint) AS place, {
    wrong(
        event="t.id IS NOT NULL AND t.stream = 'session:' || s.session_id",
        row="s.id IS NOT NULL",
        seat="(t.data ->> 'seat')::int = s.seat",
        player="(t.data ->> 'player', (t.data ->> 'guest')::bigint)"
        " IS NOT DISTINCT FROM (s.alias, s.guest_id)",
        since="(t.actor_id, t.occurred) = (s.taken_by_id, lower(s.during))",
        round="((t.data ->> 'after_round')::int, (t.data ->> 'mid_round')::boolean,"
        " (t.data ->> 'mid_shoe')::boolean) = (s.after_round, s.mid_round, s.mid_shoe)",
        moved_from="coalesce(t.data ->> 'left', t.data ->> 'from')::bigint"
        " IS NOT DISTINCT FROM s.moved_from_id",
        entry="(t.data ->> 'entry')::bigint IS NOT DISTINCT FROM s.entry_id",
        left_at="(e.taking IS NOT NULL) = (upper(s.during) IS NOT NULL)"
        " AND (e.taking IS NULL OR upper(s.during) ="
        " greatest(e.occurred, lower(s.during) + interval '1 microsecond'))",
    )
} AS wrong
FROM (SELECT * FROM tables_seattaking WHERE casino_id = %(casino)s) s
FULL JOIN told t ON (t.data ->> 'taking')::bigint = s.id
LEFT JOIN left_seat e ON e.taking = s.id
"""  # noqa: S608

_AWAY = f"""
WITH told AS MATERIALIZED {told("tables.session.seat_away")}, {_LEFT},
over AS (
    SELECT occurred, (data ->> 'mark')::bigint AS mark FROM {told("tables.session.seat_back")} t
    UNION ALL SELECT occurred, (data ->> 'mark')::bigint FROM left_seat WHERE data ->> 'mark' IS NOT NULL
)
SELECT 'away:' || coalesce(a.id, (t.data ->> 'mark')::bigint) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="a.id IS NOT NULL",
        taking="((t.data ->> 'taking')::bigint, (t.data ->> 'keeps_chips')::boolean)"
        " = (a.taking_id, a.keeps_chips)",
        since="(t.actor_id, t.occurred) = (a.marked_by_id, lower(a.during))",
        until="(o.mark IS NOT NULL) = (upper(a.during) IS NOT NULL) AND (o.mark IS NULL OR upper(a.during) ="
        " greatest(o.occurred, lower(a.during) + interval '1 microsecond'))",
    )
} AS wrong
FROM (SELECT * FROM tables_awaymark WHERE casino_id = %(casino)s) a
FULL JOIN told t ON (t.data ->> 'mark')::bigint = a.id
LEFT JOIN over o ON o.mark = a.id
"""  # noqa: S608

_WAITS = f"""
WITH added AS MATERIALIZED {told("tables.waiting.added")},
called AS MATERIALIZED {told("tables.waiting.called")},
ended AS MATERIALIZED {told("tables.waiting.ended")},
seated AS (
    SELECT (data ->> 'entry')::bigint AS entry, max(occurred) AS occurred, count(*) AS people
    FROM {told("tables.session.seat_taken")} t WHERE data ->> 'entry' IS NOT NULL GROUP BY 1
)
SELECT 'waiting:' || coalesce(w.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="w.id IS NOT NULL",
        who="(t.subject_label, (t.data ->> 'guest')::bigint, (t.data ->> 'party_size')::int)"
        " IS NOT DISTINCT FROM (w.alias, w.guest_id, w.party_size::int)",
        list="CASE WHEN w.table_id IS NULL THEN w.game ELSE b.name END = t.data ->> 'list'",
        since="t.occurred = w.since",
        called="c.occurred IS NOT DISTINCT FROM w.called_at",
        state="w.state = CASE WHEN e.id IS NOT NULL THEN e.data ->> 'outcome'"
        " WHEN s.people >= w.party_size THEN 'seated' WHEN c.id IS NOT NULL THEN 'called' ELSE 'waiting' END",
        ended="w.ended_at IS NOT DISTINCT FROM coalesce(e.occurred, CASE WHEN s.people >= w.party_size"
        " THEN s.occurred END)",
    )
} AS wrong
FROM (SELECT * FROM tables_waitingentry WHERE casino_id = %(casino)s) w
FULL JOIN added t ON t.subject_id = w.id
LEFT JOIN called c ON c.subject_id = w.id
LEFT JOIN ended e ON e.subject_id = w.id
LEFT JOIN seated s ON s.entry = w.id
LEFT JOIN LATERAL (
    SELECT h.name FROM tables_historicaltable h
    WHERE h.id = w.table_id AND h.name = t.data ->> 'list' AND h.game = w.game LIMIT 1
) b ON true
"""  # noqa: S608

_REQUESTS = f"""
WITH asked AS MATERIALIZED {told("tables.session.change_asked")}, {_LEFT},
over AS (
    SELECT occurred, (data ->> 'request')::bigint AS request, 'withdrawn' AS state
    FROM {told("tables.session.change_withdrawn")} t
    UNION ALL SELECT occurred, (data ->> 'request')::bigint, 'withdrawn' FROM left_seat
        WHERE data ->> 'request' IS NOT NULL
    UNION ALL SELECT occurred, (data ->> 'honoured')::bigint, 'honoured' FROM left_seat
        WHERE data ->> 'honoured' IS NOT NULL
)
SELECT 'change:' || coalesce(r.id, (t.data ->> 'request')::bigint) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="r.id IS NOT NULL",
        asked="((t.data ->> 'taking')::bigint, (t.data ->> 'wanted_table')::bigint,"
        " (t.data ->> 'wanted_seat')::int) IS NOT DISTINCT FROM (r.taking_id, r.table_id, r.seat::int)",
        since="t.occurred = r.since",
        state="coalesce(o.state, 'open') = r.state",
        ended="CASE WHEN o.request IS NULL THEN r.ended_at IS NULL"
        " ELSE r.ended_at = greatest(o.occurred, r.since) END",
    )
} AS wrong
FROM (SELECT * FROM tables_changerequest WHERE casino_id = %(casino)s) r
FULL JOIN asked t ON (t.data ->> 'request')::bigint = r.id
LEFT JOIN over o ON o.request = r.id
"""  # noqa: S608


_ADMISSION = f"""
WITH told AS MATERIALIZED (SELECT * FROM {told("tables.admission.set")} t ORDER BY seq DESC LIMIT 1)
SELECT 'admission' AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="s.id IS NOT NULL",
        identify="(t.data ->> 'identify')::boolean = s.identify",
    )
} AS wrong
FROM (SELECT * FROM tables_guestsettings WHERE casino_id = %(casino)s) s
FULL JOIN told t ON true
"""  # noqa: S608


def guest_faults(casino: Casino) -> Iterator[Fault]:
    """Guests, exclusions, matches, seats, absences, waits and requests, and whether all identify themselves,
    that are not what the trail tells."""
    for query in (
        _GUESTS,
        _VERSIONS,
        _EXCLUSIONS,
        _ENDS,
        _MATCHES,
        _SEATS,
        _AWAY,
        _WAITS,
        _REQUESTS,
        _ADMISSION,
    ):
        yield from differing(query, casino)
    yield from _identities(casino)


def _identities(casino: Casino) -> Iterator[Fault]:
    """Matches that say another person was compared than their guest ever was: a clearance holds for the
    particulars it was given for, and who was turned away is who was compared."""
    likely = list(ExclusionMatch.objects.filter(casino=casino))
    versions: dict[int, set[str]] = {}
    for version in Guest.history.filter(id__in={match.guest_id for match in likely}):
        versions.setdefault(version.id, set()).add(identity_of(version))
    nobody = {
        pseudonym.subject_id: pseudonym.code
        for pseudonym in Pseudonym.objects.filter(casino=casino, kind="guest", subject_id__in=versions)
    }
    for match in likely:
        known = {nobody[match.guest_id]} if match.guest_id in nobody else versions.get(match.guest_id, ())
        if match.identity not in known:
            yield Fault(
                "trail_differs",
                f"match:{match.pk}",
                Text(
                    "lo comparado no es de ninguna versión de la ficha del jugador: identity",
                    "what was compared is of no version of the player's record: identity",
                ),
            )
