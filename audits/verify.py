"""The proofs: every chain walked, every transfer summed. Used by commands, nightly job and tests alike.

A proof yields `Fault`s; nothing wrong means nothing yielded. Rooms above add their own (running
totals against postings, cards against composition) with `register_proof()`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, F, Q, Sum

from audits import guardbook
from audits.models import Actor, Event, Posting, Stream, Transfer
from audits.trail import VERSION, chain_hash
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken thing: where it is and what is wrong with it."""

    code: str
    where: str
    words: Text


Proof = Callable[[Casino], Iterable[Fault]]
_proofs: dict[str, Proof] = {}


def register_proof(name: str, proof: Proof) -> None:
    """Add a room's own proof to `verify_ledger` and the nightly job."""
    _proofs[name] = proof


def trail_faults(casino: Casino) -> Iterator[Fault]:
    """Walk each chain of a casino; per chain only the first broken event is told."""
    yield from guard_faults(OWN_GUARDS)
    for stream in Stream.objects.filter(casino=casino).select_related("casino").order_by("name"):
        fault = _first_fault(stream)
        if fault is not None:
            yield fault


def guard_faults() -> Iterator[Fault]:
    """Triggers, constraints and functions that are not those the migrations made (`audits.guardbook`)."""
    for difference in guardbook.differences():
        yield Fault(f"guard_{difference.what}", difference.where, difference.words)


def _first_fault(stream: Stream) -> Fault | None:
    previous, expected = bytes(32), 1
    for event in stream.events.order_by("seq").iterator(chunk_size=2000):
        problem = _event_problem(stream, event, expected, previous)
        if problem is not None:
            return Fault("event_broken", f"{stream.name} #{event.seq} (id {event.pk})", problem)
        previous, expected = bytes(event.hash), expected + 1
    if (stream.head_seq, bytes(stream.head_hash)) != (expected - 1, previous):
        return Fault(
            "tail_cut",
            f"{stream.name} #{expected}",
            Text(
                f"la cadena termina en {expected - 1} pero su cabeza dice {stream.head_seq}: falta el final",
                f"the chain ends at {expected - 1} but its head says {stream.head_seq}: its tail is gone",
            ),
        )
    return None


def _event_problem(stream: Stream, event: Event, expected: int, previous: bytes) -> Text | None:
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
        told = json.loads(body)
    except ValueError:
        return Text("su contenido no es JSON", "its content is not JSON")
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
    wrong = [name for name, value in columns.items() if told.get(name) != value]
    if told.get("actor", {}).get("id") != event.actor_id:
        wrong.append("actor")
    if event.casino_id != stream.casino_id:
        wrong.append("casino")
    if wrong:
        return Text(
            f"sus columnas no coinciden con su contenido: {', '.join(wrong)}",
            f"its columns do not match its content: {', '.join(wrong)}",
        )
    return None


def ledger_faults(casino: Casino) -> Iterator[Fault]:
    """Transfers that do not sum to zero, lost or gained a line, or name another casino's event."""
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
    strays = Transfer.objects.filter(casino=casino).exclude(event__casino=F("casino")).order_by("pk")
    for stray in strays.iterator():
        yield Fault(
            "transfer_stray",
            f"transfer {stray.pk}",
            Text("nombra un evento de otro casino", "names another casino's event"),
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
