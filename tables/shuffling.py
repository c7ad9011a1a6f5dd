"""The shuffle between two rounds of house poker (CARD-21): asked for, noted once, never required."""

from __future__ import annotations

from audits import trail
from audits.by import By
from audits.models import Event
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes.procedures import procedure_of
from tables import freezing, packs, policies, storing
from tables.holding import lock_session, move_on
from tables.models import Round, TableSession

SHUFFLED = "tables.session.shuffled"
HAND, MACHINE = "hand", "machine"
WAYS = {HAND: Text("a mano", "by hand"), MACHINE: Text("con una máquina", "with a machine")}


@command(policies.LOG_ROUND)
def note_shuffle(*, session: TableSession, kind: str, machine: str = "", by: By) -> TableSession:
    """The dealer shuffled after the last round: by `hand`, or with a `machine`, which is named (CARD-18).

    Raises `Refused` (`unknown_way`, `bad_machine`), `RuleViolation` CARD-18 (`machine_not_named`) and
    `Conflict`: `no_shoe`, `no_shuffle` where no rule asks for one, `round_open`, `no_round`,
    `shuffled_already`, `table_frozen`.
    """
    held = lock_session(session, by)
    session = held.session
    freezing.require_free(session)
    if held.shoe is None:
        raise packs.no_shoe()
    rule = procedure_of(held.shoe.game, held.shoe.method).shuffles_after_each_round
    if not rule:
        raise _refusal("no_shuffle", "en este juego no se baraja entre pases", "this game is not shuffled so")
    number = _machine(kind, machine)
    if storing.under_way(held.last_round_open) is not None:
        raise _refusal("round_open", "el pase está en curso", "the round is in progress", rule)
    last = Round.objects.filter(session=session, number=session.last_round).first()
    if last is None:
        raise _refusal("no_round", "todavía no hubo ningún pase", "there was no round yet", rule)
    if noted(last):
        raise _refusal(
            "shuffled_already", "ya se anotó el barajado de este pase", "this shuffle is noted already", rule
        )
    move_on(session, by)
    session.save(update_fields=["last_at"])
    trail.record(
        SHUFFLED,
        stream=held.shoe.stream,
        subject=trail.Subject("round", last.pk, f"{session.label} · {last.number}"),
        by=by,
        data={"shoe": held.shoe.label, "way": kind, "machine": number, "session": session.label},
        rules=[rule, *(["CARD-18"] if kind == MACHINE else [])],
    )
    return session


def noted(last: Round) -> bool:
    """Whether the shuffle after a round is on record."""
    told = Event.objects.filter(casino=last.casino_id, subject_type="round", subject_id=last.pk)
    return told.filter(action=SHUFFLED).exists()


def due(session: TableSession) -> str:
    """The rule that asks for a shuffle now, before the next round; none where none does, or it is noted."""
    if session.shoe is None or not session.last_round:
        return ""
    rule = procedure_of(session.shoe.game, session.shoe.method).shuffles_after_each_round
    if not rule:
        return ""
    last = Round.objects.filter(session=session, number=session.last_round).first()
    return "" if last is None or noted(last) else rule


def _machine(kind: str, machine: str) -> str:
    if kind not in WAYS:
        raise Refused(
            Text("elija cómo se barajó", "choose how it was shuffled"), code="unknown_way", field="kind"
        )
    if kind == HAND:
        return ""
    if not texts.says_something(machine):
        raise RuleViolation(
            "CARD-18",
            Text("anote el número de la máquina", "note the number of the machine"),
            code="machine_not_named",
            field="machine",
        )
    return texts.line(machine, "machine", 20, code="bad_machine", rule="CARD-18")


def _refusal(code: str, es: str, en: str, rule: str = "") -> Conflict:
    return Conflict(Text(es, en), code=code, rule=rule)
