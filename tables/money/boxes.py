"""Drop boxes on their way: put on a table, taken off by two with a seal, brought to the count room.

A box is at one table, or waits to be counted, at one time; the database holds it to that. Every act is an
event of the session's stream whose subject is the box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audits import days, incidents, trail
from audits.by import By
from audits.models import Actor, Event
from casino.kernel import locking, permissions, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, NotFound, Refused, RuleViolation
from casino.kernel.words import Text
from tables import closings, duties, results
from tables.holding import QUEUEING, move_on, out_of_order
from tables.models import DropBox, TableSession
from tables.money import box_policies as policies

RULE = "FLOOR-11"
SEAL = incidents.register_kind(
    "money.box_seal",
    Text("caja con otro precinto", "box with another seal"),
    rules=(RULE,),
    notice=False,
)


@command(policies.MOVE_BOXES)
def put_on(*, session: TableSession, number: str, by: By, kind: str = DropBox.Kind.DROP) -> DropBox:
    """Put a box on a live table. `number`: as painted on it; `kind`: drop or deduction.

    Raises `Conflict` (`session_closed`, `box_in_use`, `box_on_table`), `Refused` for a kind the game has not.
    """
    number, kind = _number(number), _kind(session, kind)
    session = lock(session, by)
    duties.require_pit(by, session.table)
    if not session.live:
        raise Conflict(
            Text("la mesa está cerrada: no se le pone caja", "the table is closed: no box is put on it"),
            code="session_closed",
            rule=RULE,
        )
    box = DropBox.objects.create(
        casino=by.casino,
        session=session,
        number=number,
        kind=kind,
        put_on_at=by.occurred_at,
        put_on_by=by.actor,
    )
    tell("tables.box.put_on", box, by, {"number": number, "kind": kind})
    return box


@command(policies.MOVE_BOXES)
def remove(*, box: DropBox, seal: str, with_: Actor, by: By) -> DropBox:
    """Take a box off its table, sealed, before a second person (GEN-10).

    Raises `Conflict` (`box_state`), `RuleViolation` for the second signature, `Refused` for the seal.
    """
    seal = _seal(seal)
    require_beside(by, with_)
    box = lock_box(box, by)
    duties.require_pit(by, box.session.table)
    _require_state(box, DropBox.State.ON_TABLE)
    box.state = DropBox.State.REMOVED
    _removed(box, seal, with_, by)
    box.save(update_fields=["state", "removed_at", "removed_by", "removed_with", "seal"])
    _tell_removed(box, with_, by)
    return box


@command(policies.MOVE_BOXES)
def remove_unregistered(
    *, session: TableSession, number: str, seal: str, with_: Actor, by: By, kind: str = DropBox.Kind.DROP
) -> DropBox:
    """Register a box as it is taken off: one that lay at the table and nobody had noted.

    Also once the table is closed, but for a deduction box: the float was counted with its chips by then.
    """
    number, kind, seal = _number(number), _kind(session, kind), _seal(seal)
    require_beside(by, with_)
    session = lock(session, by)
    duties.require_pit(by, session.table)
    if session.state not in (*TableSession.LIVE, TableSession.State.CLOSED) or (
        kind == DropBox.Kind.DEDUCTION and not session.live
    ):
        raise Conflict(
            Text(
                f"{session.label} ya se contó: esa caja se informa como incidente",
                f"{session.label} is counted already: report that box as an incident",
            ),
            code="box_too_late",
            rule=RULE,
        )
    box = DropBox(casino=by.casino, session=session, number=number, kind=kind, state=DropBox.State.REMOVED)
    _removed(box, seal, with_, by)
    box.save(force_insert=True)
    _tell_removed(box, with_, by)
    return box


def _removed(box: DropBox, seal: str, with_: Actor, by: By) -> None:
    box.removed_at, box.removed_by, box.removed_with, box.seal = by.occurred_at, by.actor, with_, seal


def _tell_removed(box: DropBox, with_: Actor, by: By) -> None:
    registered = box.put_on_at is not None
    data = {
        "number": box.number,
        "kind": box.kind,
        "seal": box.seal,
        "with": named(with_),
        "registered": registered,
    }
    tell("tables.box.removed", box, by, data, rules=("GEN-10",))


@command(policies.COUNT_BOXES)
def receive(*, box: DropBox, seal: str, by: By) -> DropBox:
    """Receive a box in the count room, its seal read off again.

    Another seal than the one put on it opens an incident; the box is counted all the same.
    """
    seal = _seal(seal)
    box = lock_box(box, by)
    _require_state(box, DropBox.State.REMOVED)
    assert box.removed_at is not None
    if by.occurred_at < box.removed_at:
        raise out_of_order(by.casino, box.removed_at)
    box.state = DropBox.State.RECEIVED
    box.received_at, box.received_by, box.seal_found = by.occurred_at, by.actor, seal
    box.save(update_fields=["state", "received_at", "received_by", "seal_found"])
    if seal != box.seal:
        _raise_seal(box, by)
    tell(
        "tables.box.received",
        box,
        by,
        {"number": box.number, "seal": seal, "seal_put_on": box.seal, "seal_whole": seal == box.seal},
    )
    return box


def _raise_seal(box: DropBox, by: By) -> None:
    incidents.raise_incident(
        kind=SEAL,
        summary=Text(
            f"la caja {box.number} de {box.session.label} llegó con el precinto {box.seal_found};"
            f" se retiró con {box.seal}",
            f"box {box.number} of {box.session.label} came with seal {box.seal_found};"
            f" it was taken off with {box.seal}",
        ),
        subject=trail.Subject("session", box.session_id, box.session.label),
        rules=(RULE,),
        facts={"box": box.number, "seal_put_on": box.seal, "seal_found": box.seal_found},
        by=by,
        table_label=box.session.table.name,
    )


@command(policies.DECLARE_NO_BOX)
def declare_no_box(*, session: TableSession, with_: Actor, by: By) -> TableSession:
    """Say, by two, that a closed table had no drop box, or none after those counted; it is counted with what
    they held, zero without any (FLOOR-11).

    Raises `Conflict` where one is to be counted (`box_known`), where another of its boxes waits
    (`box_waits`), while it is open (`session_open`) or counted already (`drop_recorded`).
    """
    require_beside(by, with_, policies.DECLARE_NO_BOX)
    session = lock(session, by)
    duties.require_pit(by, session.table)
    if session.live:
        raise Conflict(
            Text("la mesa sigue abierta", "the table is still open"), code="session_open", rule=RULE
        )
    if session.state != TableSession.State.CLOSED:
        raise Conflict(
            Text("esta sesión ya está contada", "this session is counted already"),
            code="drop_recorded",
            rule=RULE,
        )
    if session.boxes.filter(kind=DropBox.Kind.DROP).exclude(state=DropBox.State.SETTLED).exists():
        raise Conflict(
            Text(
                "esta mesa tiene una caja sin contar: cuéntela en la sala de recuento",
                "this table has a box that is not counted: count it in the count room",
            ),
            code="box_known",
            rule=RULE,
        )
    counted = closings.count_out(session, by, without_box=True)
    if counted is None:
        raise Conflict(
            Text("cuente primero la caja de deducciones", "count the deduction box first"),
            code="box_waits",
            rule=RULE,
        )
    closings.tell_counted(counted, by, without_box=named(with_))
    return session


# ---- what the acts of boxes share -------------------------------------------------------------------


def lock(session: TableSession, by: By) -> TableSession:
    """The session locked, live or ended, its day open. Refuses an instant before what is recorded on it."""
    days.require_open(session.day)
    locking.taking(locking.Rank.SESSION)
    found = (
        TableSession.objects.select_for_update(of=("self",), no_key=True)
        .select_related("table", "day", "casino")
        .filter(pk=session.pk, casino=by.casino)
        .first()
    )
    if found is None:
        raise NotFound(Text("no existe esa sesión", "there is no such session"), code="no_session")
    earliest = max(found.last_at - QUEUEING, found.opened_at) if found.live else found.closed_at
    assert earliest is not None
    if by.occurred_at < earliest:
        raise out_of_order(by.casino, earliest)
    if found.live:
        move_on(found, by)
        found.save(update_fields=["last_at"])
    return found


def lock_box(box: DropBox, by: By) -> DropBox:
    """The box locked after its session, with that session. For acts away from the table no instant of the
    table's is asked: a box of an earlier shift is counted while it plays on."""
    days.require_open(box.session.day)
    locking.taking(locking.Rank.SESSION)
    session = (
        TableSession.objects.select_for_update(of=("self",), no_key=True)
        .select_related("table", "day", "casino")
        .get(pk=box.session_id)
    )
    found = DropBox.objects.select_for_update(of=("self",), no_key=True).get(pk=box.pk)
    found.session = session
    begun = found.put_on_at or session.opened_at
    if by.occurred_at < begun:
        raise out_of_order(by.casino, begun)
    return found


def tell(action: str, box: DropBox, by: By, data: Mapping[str, Any], *, rules: Sequence[str] = ()) -> Event:
    """An event of the session's stream about one of its boxes."""
    subject = trail.Subject("drop_box", box.pk, f"{box.number} · {box.session.label}")
    return trail.record(
        action, stream=box.session.stream, subject=subject, by=by, data=data, rules=[RULE, *rules]
    )


def named(person: Actor) -> dict[str, object]:
    """Somebody as an event names them."""
    return {"id": person.pk, "name": person.name}


def require_beside(by: By, with_: Actor, *acts: str) -> None:
    """GEN-10: the second signature is another person's, of the floor's chiefs or the cage."""
    if with_.pk == by.actor.pk:
        raise RuleViolation(
            "GEN-10",
            Text("la segunda firma es de otra persona", "the second signature is another person's"),
            code="same_person",
            field="second",
        )
    wanted = acts or (policies.MOVE_BOXES, policies.COUNT_BOXES)
    if not any(permissions.may(with_, act) for act in wanted):
        raise RuleViolation(
            "GEN-10",
            Text(
                f"{with_.name} no puede firmar a su lado; firme con alguien que pueda "
                + " o ".join(permissions.words(act).es for act in wanted),
                f"{with_.name} may not sign beside you; sign with someone who may "
                + " or ".join(permissions.words(act).en for act in wanted),
            ),
            code="signer_not_allowed",
            field="second",
        )


def _require_state(box: DropBox, wanted: str) -> None:
    if box.state == wanted:
        return
    raise Conflict(
        Text(
            f"la caja {box.number} está «{DropBox.State(box.state).label}»: ya se hizo o falta un paso",
            f"box {box.number} is at «{box.state}»: this is done already, or a step before it is missing",
        ),
        code="box_state",
        rule=RULE,
    )


def _number(typed: str) -> str:
    return texts.line(typed, "number", 20, code="bad_box", rule=RULE).upper()


def _seal(typed: str) -> str:
    return texts.line(typed, "seal", 40, code="bad_seal", rule=RULE).upper()


def _kind(session: TableSession, kind: str) -> str:
    if kind not in DropBox.Kind.values:
        raise Refused(Text("elija la clase de caja", "choose the kind of box"), code="bad_box", field="kind")
    if kind == DropBox.Kind.DEDUCTION and results.of_house(session):
        raise Refused(
            Text(
                "sólo las mesas de círculo o con banco de jugador tienen caja de deducciones",
                "only ring tables and player banks have a deduction box",
            ),
            code="no_deduction",
            rule="FLOOR-14",
            field="kind",
        )
    return str(kind)


explain_constraint(
    "one_use_of_a_box_at_a_time",
    lambda: Conflict(
        Text(
            "esa caja está en otra mesa o espera su recuento; use otra",
            "that box is at another table or waits to be counted; use another",
        ),
        code="box_in_use",
        rule=RULE,
        field="number",
    ),
)
explain_constraint(
    "one_box_of_a_kind_on_the_table",
    lambda: Conflict(
        Text(
            "la mesa ya tiene una caja de esa clase; retírela antes de poner otra",
            "the table has a box of that kind already; take it off before putting another on",
        ),
        code="box_on_table",
        rule=RULE,
        field="number",
    ),
)
