"""Chains walked by the database: every hash made again, every link followed, in a few statements.

`verify_trail` walks event by event and reads what each says; this only asks whether the bytes are those
that were hashed, fast enough for every night and for millions of events. `after_seal` walks what was
written since the last seal, from the heads that seal noted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction

from audits.verify import Fault
from casino.kernel.words import Text
from casino.models import Casino

WORK_MEMORY = "128MB"
"""Of one statement: a million events are sorted by chain without a detour over the disk."""

_NOTHING = "decode(repeat('00', 32), 'hex')"
# The latest leaf of each chain: what the last seal stands on.
_LATEST = """(
    SELECT DISTINCT ON (l.stream_id) l.stream_id, l.name, l.seq, l.hash, d.date
    FROM audits_sealleaf l JOIN audits_seal s ON s.id = l.seal_id JOIN casino_gamingday d ON d.id = s.day_id
    WHERE s.casino_id = %(casino)s ORDER BY l.stream_id, d.date DESC
)"""
_ANCHOR = f"""anchor AS MATERIALIZED (
    SELECT st.id, st.name, st.head_seq, st.head_hash,
        CASE WHEN %(after)s THEN coalesce(l.seq, 0) ELSE 0 END AS seq,
        CASE WHEN %(after)s THEN coalesce(l.hash, {_NOTHING}) ELSE {_NOTHING} END AS hash
    FROM audits_stream st LEFT JOIN {_LATEST} l ON l.stream_id = st.id WHERE st.casino_id = %(casino)s
)"""  # noqa: S608
# Chain by chain along its index, so that nothing is sorted and no body kept.
_LINKS = f"""
WITH {_ANCHOR}
SELECT DISTINCT ON (a.id) a.name, e.seq, e.next, e.chained, e.whole
FROM anchor a, LATERAL (
    SELECT seq, seq - 1 = coalesce(lag(seq) OVER w, a.seq) AS next,
        previous_hash = coalesce(lag(hash) OVER w, a.hash) AS chained,
        sha256(previous_hash || body) = hash AS whole
    FROM audits_event WHERE stream_id = a.id AND seq > a.seq WINDOW w AS (ORDER BY seq)
) e
WHERE (e.next AND e.chained AND e.whole) IS NOT TRUE ORDER BY a.id, e.seq
"""  # noqa: S608
_HEADS = f"""
WITH {_ANCHOR}
SELECT a.name, a.head_seq, coalesce(e.seq, 0) FROM anchor a
LEFT JOIN LATERAL (
    SELECT seq, hash FROM audits_event WHERE stream_id = a.id ORDER BY seq DESC LIMIT 1
) e ON true
WHERE (a.head_seq, a.head_hash) <> (coalesce(e.seq, 0), coalesce(e.hash, {_NOTHING})) ORDER BY a.name
"""  # noqa: S608
_STRAYS = """
SELECT e.stream_id, min(e.seq), max(e.seq) FROM audits_event e
WHERE e.casino_id = %(casino)s AND NOT EXISTS (
    SELECT FROM audits_stream st WHERE st.id = e.stream_id AND st.casino_id = e.casino_id)
GROUP BY e.stream_id ORDER BY e.stream_id
"""
_REACHED = f"""
SELECT l.name, l.seq, l.date FROM {_LATEST} l
LEFT JOIN audits_stream st ON st.id = l.stream_id AND st.name = l.name AND st.casino_id = %(casino)s
LEFT JOIN audits_event e ON e.stream_id = st.id AND e.seq = l.seq
WHERE (e.hash = l.hash AND st.head_seq >= l.seq) IS NOT TRUE ORDER BY l.name
"""  # noqa: S608


def unsound(casino: Casino) -> Iterator[Fault]:
    """What forbids a seal: the last seal's heads are not there any more, or what came since is not whole."""
    for name, seq, date in rows(_REACHED, casino=casino.pk):
        yield Fault(
            "sealed_head_gone",
            f"{name} #{seq}",
            Text(
                f"no es el evento que selló el día {date}",
                f"it is not the event that the seal of {date} noted",
            ),
        )
    yield from broken(casino, after_seal=True)


def broken(casino: Casino, *, after_seal: bool = False) -> Iterator[Fault]:
    """The first broken event of each chain, and heads that are not the last event's."""
    values = {"casino": casino.pk, "after": after_seal}
    found = set()
    for name, seq, follows, chained, whole in rows(_LINKS, **values):
        found.add(name)
        yield Fault("event_broken", f"{name} #{seq}", _problem(seq, follows, chained, whole))
    for name, head, last in rows(_HEADS, **values):
        if name not in found:
            yield Fault("tail_cut", f"{name} #{last + 1}", _head_off(head, last))
    for stream, first, last in rows(_STRAYS, casino=casino.pk) if not after_seal else ():
        yield Fault(
            "stream_gone",
            f"stream {stream}",
            Text(
                f"falta la cadena de los eventos {first} a {last}",
                f"the chain of the events {first} to {last} is missing",
            ),
        )


def rows(query: str, **values: Any) -> list[tuple[Any, ...]]:
    """The rows of a long query, with memory enough to sort and no time spent on compiling it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('work_mem', %s, true), set_config('jit', 'off', true)", [WORK_MEMORY]
        )
        cursor.execute(query, values)
        return list(cursor.fetchall())


def _problem(seq: int, follows: bool, chained: bool, whole: bool) -> Text:
    if not follows:
        return Text(f"faltan eventos antes del {seq}", f"events before {seq} are missing")
    if not whole:
        return Text(
            "su contenido no corresponde a su huella: fue alterado",
            "its content does not match its hash: it was altered",
        )
    return Text(
        "no encadena con el anterior: se alteró, se cambió de lugar o se rehízo desde aquí",
        "it does not chain to the one before: altered, moved, or made anew from here",
    )


def _head_off(head: int, last: int) -> Text:
    if head == last:
        return Text(
            "la cabeza de la cadena no es la huella de su último evento",
            "the head of the chain is not the hash of its last event",
        )
    return Text(
        f"la cadena termina en {last} pero su cabeza dice {head}: falta el final",
        f"the chain ends at {last} but its head says {head}: its tail is gone",
    )
