"""The trail: events that are lost, altered, swapped, forged or told at another time (REC-06)."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from audits.models import Event
from casino.kernel import clock
from casino.kernel.canonical import canonical
from casino.selftest import floor
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, PERSON, PROGRAM, past_the_guards, rebuild, sql
from tables import sessions

SETTINGS = "settings"


def _of(stream: str, action: str) -> Event:
    return Event.objects.filter(stream__name=stream, action=action).earliest("seq")


@fault(
    "trail.event_deleted", "un evento borrado", "an event deleted",
    hand=OWNER, caught=Night("verify_trail", "event_broken", "settings #"),
)  # fmt: skip
def event_deleted() -> None:
    past_the_guards(("DELETE FROM audits_event WHERE id = %s", [_of(SETTINGS, "audits.user.created").pk]))


@fault(
    "trail.byte_edited", "un byte de un evento editado", "a byte of an event edited",
    hand=OWNER, caught=Night("verify_trail", "event_broken", "pool:"),
)  # fmt: skip
def byte_edited() -> None:
    event = Event.objects.filter(action="jackpots.pool.contributed").earliest("seq")
    body = bytearray(event.body)
    body[len(body) // 2] ^= 1
    past_the_guards(("UPDATE audits_event SET body = %s WHERE id = %s", [bytes(body), event.pk]))


@fault(
    "trail.events_swapped", "dos eventos cambiados de lugar", "two events swapped",
    hand=OWNER, caught=Night("verify_trail", "event_broken", "session:"),
)  # fmt: skip
def events_swapped() -> None:
    stream = floor.in_play("PB-01").stream
    first, second = Event.objects.filter(stream__name=stream, seq__in=(5, 6)).order_by("seq")
    past_the_guards(
        ("UPDATE audits_event SET seq = 1000000 WHERE id = %s", [first.pk]),
        ("UPDATE audits_event SET seq = 5 WHERE id = %s", [second.pk]),
        ("UPDATE audits_event SET seq = 6 WHERE id = %s", [first.pk]),
    )


@fault(
    "trail.tail_cut", "el final de una cadena cortado", "the tail of a chain cut off",
    hand=OWNER, caught=Night("verify_trail", "tail_cut", "filing:"),
)  # fmt: skip
def tail_cut() -> None:
    past_the_guards(("DELETE FROM audits_event WHERE id = %s", [_last_of_a_filing().pk]))


@fault(
    "trail.tail_cut_with_its_head",
    "el final cortado y la cabeza movida atrás",
    "a tail cut off and its head moved back",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "filing:", says="state"),
)  # fmt: skip
def tail_cut_with_its_head() -> None:
    """No chain shows it: the filing is missed by the event that told of its presentation."""
    event = _last_of_a_filing()
    past_the_guards(
        ("DELETE FROM audits_event WHERE id = %s", [event.pk]),
        (
            "UPDATE audits_stream SET head_seq = %s, head_hash = %s WHERE id = %s",
            [event.seq - 1, bytes(event.previous_hash), event.stream_id],
        ),
    )


def _last_of_a_filing() -> Event:
    return Event.objects.filter(action="audits.filing.presented").latest("pk")


@fault(
    "trail.chain_rebuilt",
    "una cadena rehecha entera con otro contenido",
    "a chain rebuilt whole, telling otherwise",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "session:", says="opening"),
)  # fmt: skip
def chain_rebuilt() -> None:
    """Every hash made anew over a float that was never counted: the row tells of the one that was."""
    session = floor.in_play("PB-01")
    event = _of(session.stream, "tables.session.opened")
    _say_otherwise(event, lambda data: data.update(opening=data["opening"] + 100_000))
    rebuild(session.stream)


def _say_otherwise(event: Event, change: Any) -> None:
    said = json.loads(bytes(event.body))
    change(said["data"])
    past_the_guards(("UPDATE audits_event SET body = %s WHERE id = %s", [canonical(said), event.pk]))


@fault(
    "trail.stream_gone", "una cadena entera borrada", "a whole chain deleted",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "filing:", says="event"),
)  # fmt: skip
def stream_gone() -> None:
    stream = _last_of_a_filing().stream_id
    past_the_guards(
        ("DELETE FROM audits_event WHERE stream_id = %s", [stream]),
        ("DELETE FROM audits_stream WHERE id = %s", [stream]),
    )


@fault(
    "trail.author_renamed", "el autor de unos hechos con otro nombre", "an author given another name",
    hand=OWNER, caught=Night("verify_trail", "event_broken", says="actor"),
)  # fmt: skip
def author_renamed() -> None:
    past_the_guards(
        ("UPDATE audits_actor SET name = 'Otra Persona' WHERE id = %s", [floor.actor("pitboss").pk])
    )


@fault(
    "trail.event_forged", "un evento agregado sin su huella", "an event added without its hash",
    hand=PROGRAM, caught=Guard("audits_event", "sabot_event_in"),
)  # fmt: skip
def event_forged() -> None:
    sql(
        "INSERT INTO audits_event (casino_id, stream_id, seq, occurred, recorded, actor_id, action,"
        " subject_type, subject_id, subject_label, rules, request, body, previous_hash, hash)"
        " SELECT e.casino_id, e.stream_id, s.head_seq + 1, now(), now(), e.actor_id, e.action,"
        " e.subject_type, e.subject_id, e.subject_label, e.rules, gen_random_uuid(), e.body, s.head_hash,"
        " sha256(e.body)"
        " FROM audits_event e JOIN audits_stream s ON s.id = e.stream_id WHERE e.seq = s.head_seq"
        " ORDER BY e.id LIMIT 1"
    )


@fault(
    "trail.emptied", "la auditoría vaciada", "the trail emptied",
    hand=PROGRAM, caught=Guard("audits_event", "sabot_no_truncate"),
)  # fmt: skip
def emptied() -> None:
    sql("TRUNCATE audits_event CASCADE")


@fault(
    "trail.head_moved", "la cabeza de una cadena movida", "the head of a chain moved",
    hand=PROGRAM, caught=Guard("audits_stream", "sabot_stream_moves"),
)  # fmt: skip
def head_moved() -> None:
    sql("UPDATE audits_stream SET head_seq = head_seq - 1 WHERE name = %s", [SETTINGS])


@fault(
    "trail.clock_ahead", "un reloj adelantado una hora", "a clock an hour ahead",
    hand=PERSON, caught=Refused("occurred_in_future"),
)  # fmt: skip
def clock_ahead() -> None:
    _stop_card_seen_at(clock.now() + dt.timedelta(hours=1))


@fault(
    "trail.clock_back", "un reloj atrasado una hora", "a clock an hour behind",
    hand=PERSON, caught=Refused("occurred_out_of_order"),
)  # fmt: skip
def clock_back() -> None:
    _stop_card_seen_at(floor.in_play("PB-01").last_at - dt.timedelta(hours=1))


def _stop_card_seen_at(at: dt.datetime) -> None:
    sessions.see_stop_card(session=floor.in_play("PB-01"), by=floor.by("supervisor", at=at))
