"""The proofs: every chain walked, every transfer summed. Used by commands, nightly job and tests alike.

A proof yields `Fault`s; nothing wrong means nothing yielded. Rooms above add their own:
`register_proof()` for sums (running totals against postings, cards against composition),
`register_trail_proof()` for rows against the events that tell of them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import DataError, connection, transaction
from django.db.models import Count, F, Q, QuerySet, Sum

from audits import guardbook
from audits.models import Actor, Event, Posting, Stream, Transfer
from audits.trail import VERSION, chain_hash
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino, NumberSeries


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken thing: where it is and what is wrong with it. `seen`: a digest of what stands there now,
    where the proof has one, so that a second change of the same place is told from the first."""

    code: str
    where: str
    words: Text
    seen: str = ""


Proof = Callable[[Casino], Iterable[Fault]]
_proofs: dict[str, Proof] = {}
_trail_proofs: dict[str, Proof] = {}


def register_proof(name: str, proof: Proof) -> None:
    """Add a room's own proof to `verify_ledger` and the nightly job."""
    _proofs[name] = proof


def register_trail_proof(name: str, proof: Proof) -> None:
    """Add a room's proof that its rows are what the trail tells to `verify_trail` and the nightly job."""
    _trail_proofs[name] = proof


def trail_faults(casino: Casino, *, every: bool = False) -> Iterator[Fault]:
    """Walk each chain of a casino, then hold the rows against the events: a chain cut short with its head,
    or gone whole, is missed by its rows.

    Per chain only the first broken event is told, or `every` one: after one that is known, what is altered
    later is news.
    """
    yield from guard_faults()
    actors = {actor.pk: actor.as_dict() for actor in Actor.objects.filter(casino=casino)}
    for stream in Stream.objects.filter(casino=casino).select_related("casino").order_by("name"):
        found = _chain_faults(stream, actors)
        yield from found if every else islice(found, 1)
    yield from differing(_LOGINS, casino)
    yield from differing(_DAYS, casino)
    for name in sorted(_trail_proofs):
        yield from _trail_proofs[name](casino)


def told(*actions: str) -> str:
    """The events of these actions in a casino, as SQL for a `WITH … AS MATERIALIZED`: their columns, the
    name of their `stream`, their `data` as jsonb. The query takes the parameter `casino`.
    """
    names = ", ".join(f"'{action}'" for action in actions)
    return (
        "(SELECT e.id, e.seq, st.name AS stream, e.actor_id, e.occurred, e.action, e.subject_id,"  # noqa: S608
        " e.subject_label, convert_from(e.body, 'UTF8')::jsonb -> 'data' AS data"
        " FROM audits_event e JOIN audits_stream st ON st.id = e.stream_id"
        f" WHERE e.casino_id = %(casino)s AND e.action IN ({names}))"
    )


def wrong(**checks: str) -> str:
    """The select list of a proof for `differing()`: the names of the checks that do not hold (or whose
    outcome is unknown), as an array. Keep the rows where it is not empty.
    """
    cases = ", ".join(f"CASE WHEN ({check}) IS NOT TRUE THEN '{name}' END" for name, check in checks.items())
    return f"array_remove(ARRAY[{cases}]::text[], NULL)"


def year_label(prefix: str, alias: str) -> str:
    """What people call the numbered row `alias` (`INC-2026-0009`), as SQL for `wrong()`."""
    number = f"{alias}.number::text"
    return f"'{prefix}-' || {alias}.year || '-' || lpad({number}, greatest(4, length({number})), '0')"


def missing_numbers(
    casino: Casino, series: str, kept: QuerySet[Any], *, code: str, of: Text
) -> Iterator[Fault]:
    """One fault for each year whose `kept` rows are not numbered from 1 to the last number given (REC-06)."""
    last = dict(NumberSeries.objects.filter(casino=casino, series=series).values_list("year", "last"))
    held: defaultdict[int, set[int]] = defaultdict(set)
    for year, number in kept.order_by().values_list("year", "number"):
        held[year].add(number)
    for year in sorted({*last, *held}):
        off = sorted(set(range(1, last.get(year, 0) + 1)) ^ held[year])
        if off:
            listed = ", ".join(map(str, off[:20]))
            words = Text(
                "los números de {of} no son corridos: {listed}", "the numbers of {of} have gaps: {listed}"
            )
            yield Fault(code, str(year), words.fill(of=of, listed=listed))


def differing(
    query: str, casino: Casino, code: str = "trail_differs", *, seen: str = "''", **values: Any
) -> Iterator[Fault]:
    """One fault for each row (where, names of what is wrong) of a query that has any; `seen`: its column with
    a digest of what stands there.

    One statement, so that it sees one moment also while the house is at work.
    """
    text = f"SELECT place, wrong, {seen} FROM ({query}) found WHERE wrong <> '{{}}' ORDER BY place"  # noqa: S608
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(text, {"casino": casino.pk, **values})
            found = cursor.fetchall()
    except DataError as error:  # a body that is no JSON; the walk of its chain names it
        said = str(error).splitlines()[0]
        yield Fault("unreadable", code, Text(f"no se pudo comparar: {said}", f"could not compare: {said}"))
        return
    for place, names, digest in found:
        listed = ", ".join(names)
        yield Fault(
            code,
            place,
            Text(
                f"lo guardado no es lo que dice la auditoría: {listed}",
                f"what is stored is not what the trail tells: {listed}",
            ),
            digest,
        )


def guard_faults() -> Iterator[Fault]:
    """Triggers, constraints and functions that are not those the migrations made (`audits.guardbook`)."""
    for difference in guardbook.differences():
        yield Fault(f"guard_{difference.what}", difference.where, difference.words)


def _chain_faults(stream: Stream, actors: Mapping[int, object]) -> Iterator[Fault]:
    previous, expected = bytes(32), 1
    for event in stream.events.order_by("seq").iterator(chunk_size=2000):
        problem = _event_problem(stream, event, expected, previous, actors)
        if problem is not None:
            yield Fault("event_broken", f"{stream.name} #{event.seq} (id {event.pk})", problem)
        previous, expected = bytes(event.hash), event.seq + 1
    if (stream.head_seq, bytes(stream.head_hash)) != (expected - 1, previous):
        yield Fault(
            "tail_cut",
            f"{stream.name} #{expected}",
            Text(
                f"la cadena termina en {expected - 1} pero su cabeza dice {stream.head_seq}: falta el final",
                f"the chain ends at {expected - 1} but its head says {stream.head_seq}: its tail is gone",
            ),
        )


def _event_problem(
    stream: Stream, event: Event, expected: int, previous: bytes, actors: Mapping[int, object]
) -> Text | None:
    if event.seq != expected:
        return Text(f"falta el evento {expected}", f"event {expected} is missing")
    body = bytes(event.body)
    if bytes(event.previous_hash) != previous:
        return Text("no encadena con el anterior", "it does not chain to the one before")
    if chain_hash(previous, body) != bytes(event.hash):
        return Text(
            "su contenido no corresponde a su huella: fue alterado",
            "its content does not match its hash: it was altered",
        )
    try:
        said = json.loads(body)
    except ValueError:
        return Text("su contenido no es JSON", "its content is not JSON")
    if not isinstance(said, dict):
        return Text("su contenido no es un evento", "its content is no event")
    columns = {
        "v": VERSION,
        "casino": stream.casino.code,
        "stream": stream.name,
        "seq": event.seq,
        "action": event.action,
        "occurred": clock.stamp(event.occurred),
        "recorded": clock.stamp(event.recorded),
        "request": str(event.request),
        "rules": event.rules,
        "subject": {"type": event.subject_type, "id": event.subject_id, "label": event.subject_label},
    }
    wrong = [name for name, value in columns.items() if said.get(name) != value]
    if said.get("actor") != actors.get(event.actor_id):
        wrong.append("actor")
    if event.casino_id != stream.casino_id:
        wrong.append("casino")
    if wrong:
        return Text(
            f"sus columnas no coinciden con su contenido: {', '.join(wrong)}",
            f"its columns do not match its content: {', '.join(wrong)}",
        )
    return None


# Who may do what: a login has the roles it was given last. Jobs are none of anybody's to change.
_LOGINS = f"""
WITH given AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) *, coalesce(data -> 'after', data -> 'roles') AS roles
    FROM {told("audits.user.created", "audits.user.roles_set")} t ORDER BY subject_id, seq DESC
), switched AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) *
    FROM {told("audits.user.activated", "audits.user.deactivated")} t ORDER BY subject_id, seq DESC
), born AS (
    SELECT DISTINCT ON (subject_id) * FROM {told("audits.user.created")} t ORDER BY subject_id, seq
)
SELECT 'login:' || coalesce(a.username, t.subject_id::text) AS place, {
    wrong(
        row="a.id IS NOT NULL",
        event="t.id IS NOT NULL OR a.kind = 'system'",
        roles="CASE a.kind WHEN 'system' THEN a.role_codes = '{system}'"
        " ELSE t.roles = to_jsonb(a.role_codes) END",
        active="a.is_active = coalesce(s.action = 'audits.user.activated', true)",
        name="a.login_name = a.name",
        username="b.id IS NULL OR b.data ->> 'username' = a.username",
        casino="a.login_casino = a.casino_id",
    )
} AS wrong
FROM (SELECT a.*, u.username, u.role_codes, u.is_active, u.name AS login_name, u.casino_id AS login_casino
      FROM audits_actor a JOIN casino_user u ON u.id = a.user_id WHERE a.casino_id = %(casino)s) a
FULL JOIN given t ON t.subject_id = a.id
LEFT JOIN switched s ON s.subject_id = a.id
LEFT JOIN born b ON b.subject_id = a.id
"""  # noqa: S608
_DAYS = f"""
WITH closed AS MATERIALIZED {told("audits.day.closed")},
looked AS (
    SELECT DISTINCT ON (subject_id) * FROM {told("audits.day.closed", "audits.day.held")} t
    ORDER BY subject_id, seq DESC
)
SELECT 'day:' || coalesce(d.id, t.subject_id) AS place, {
    wrong(
        event="(t.id IS NOT NULL) = (d.state = 'closed') AND d.state IN ('open', 'closed')",
        once="count(*) OVER (PARTITION BY coalesce(d.id, t.subject_id)) = 1",
        date="t.id IS NULL OR t.data ->> 'day' = to_char(d.date, 'YYYY-MM-DD')",
        closed_at="t.occurred IS NOT DISTINCT FROM d.closed_at",
        held_by="coalesce(h.data -> 'held_by', '[]') = d.held_by",
        checked_at="NOT coalesce(t.data ? 'checked_at', false)"
        " OR (t.data ->> 'checked_at')::timestamptz = d.checked_at",
    )
} AS wrong
FROM (SELECT * FROM casino_gamingday WHERE casino_id = %(casino)s) d
FULL JOIN closed t ON t.subject_id = d.id
LEFT JOIN looked h ON h.subject_id = d.id
"""  # noqa: S608


def ledger_faults(casino: Casino) -> Iterator[Fault]:
    """Transfers that do not sum to zero, lost or gained a line, or are not as their event is."""
    yield from guard_faults()
    unbalanced = (
        Transfer.objects.filter(casino=casino)
        .annotate(
            found=Count("postings"),
            off=Sum("postings__debit", default=0) - Sum("postings__credit", default=0),
        )
        .filter(~Q(off=0) | Q(found__lt=2) | ~Q(found=F("lines")))
        .order_by("pk")
    )
    for transfer in unbalanced.iterator():
        yield Fault(
            "transfer_unbalanced",
            f"transfer {transfer.pk}",
            Text(
                f"el asiento {transfer.pk} no cuadra: sobra {transfer.off} y tiene {transfer.found} apuntes"
                f" de {transfer.lines}",
                f"transfer {transfer.pk} does not balance: {transfer.off} over, with {transfer.found} lines"
                f" of {transfer.lines}",
            ),
        )
    strays = Transfer.objects.filter(casino=casino).exclude(
        event__casino=F("casino"), event__occurred=F("occurred")
    )
    strays = strays.order_by("pk")
    for stray in strays.iterator():
        yield Fault(
            "transfer_stray",
            f"transfer {stray.pk}",
            Text(
                "nombra un evento de otro casino o de otra hora", "names an event of another casino or time"
            ),
        )
    foreign = Posting.objects.filter(casino=casino).exclude(
        transfer__casino=F("casino"), account__casino=F("casino")
    )
    for posting in foreign.order_by("pk").iterator():
        yield Fault("posting_stray", f"posting {posting.pk}", Text("mezcla casinos", "mixes casinos"))
    for name in sorted(_proofs):
        yield from _proofs[name](casino)


def balances(casino: Casino) -> dict[str, int]:
    """Every account's balance in smallest units, summed in the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.code, coalesce(sum(p.debit - p.credit), 0) FROM audits_account a"
            " LEFT JOIN audits_posting p ON p.account_id = a.id WHERE a.casino_id = %s"
            " GROUP BY a.code ORDER BY a.code",
            [casino.pk],
        )
        return {code: int(total) for code, total in cursor.fetchall()}
