"""A round step by step, as it was entered: what lay on the table after each event, what the rules said next.

Played again from the stored log under the versions the round names, up to the step asked for, so that whoever
settles a dispute sees what those at the table saw (GEN-08, REC-15). The last step shows the settlement with
the rule behind each payment, and what differs from what is stored, if anything does.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from audits import incidents
from audits.incident_links import Link
from audits.models import Incident
from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from casino.models import Casino
from shoes import policies as shoe_policies
from tables import board, felt, policies, replay, storing
from tables.board import Paid
from tables.felt import Felt
from tables.games.base import Prompt, Settlement
from tables.inforce import InForce
from tables.models import Round, Table, TableSession


@dataclass(frozen=True, slots=True)
class Mark:
    """Where play stood when an incident about the round was opened. `step` 0: before anything was entered."""

    incident: Incident
    kind: Text
    step: int
    after: bool


@dataclass(frozen=True, slots=True)
class Replay:
    """What lies on the table after `step` events of the round. `refusal`: why the log plays no further."""

    step: int
    steps: int
    felt: Felt
    prompts: tuple[Prompt, ...]
    settlement: Settlement | None = None
    payouts: tuple[Paid, ...] = ()
    differs: tuple[str, ...] = ()
    refusal: Text | None = None
    done: bool = False


def replayed(round: Round, step: int | None = None) -> Replay:
    """The round after so many events: all of them when None, none when 0; more than there are is all."""
    current = storing.versions_of(round, round.session)
    steps = len(round.log)
    at = steps if step is None else max(0, min(step, steps))
    state, refusal = _played(current, round.log[:at])
    done = at == steps and round.settlement is not None
    if state is None:
        empty = felt.lay(current.game, current.terms, (), {})
        return Replay(
            at, steps, empty, (), refusal=refusal, done=done, differs=_differs(round) if done else ()
        )
    settlement, broken = _settled(current, state) if done else (None, None)
    if settlement is None:
        prompts = () if done else current.game.prompts(state)
        lying = _lying(current, state, round.log[:at], prompts)
        differs = _differs(round) if done else ()
        return Replay(at, steps, lying, prompts, refusal=broken, done=done, differs=differs)
    laid = felt.laid_of(state.bets, settlement.payouts)
    lying = felt.lay(current.game, state.terms, settlement.outcome.hands, laid)
    paid = board.paid_of(current.game, settlement.payouts)
    return Replay(at, steps, lying, (), settlement, paid, _differs(round), done=True)


def _played(current: InForce, log: Sequence[dict[str, Any]]) -> tuple[Any, Text | None]:
    try:
        return current.game.play_all(current.game.open(current.rules, current.terms), log), None
    except SabotError as refusal:
        return None, refusal.message


def _settled(current: InForce, state: Any) -> tuple[Settlement | None, Text | None]:
    try:
        return current.game.settle(state), None
    except SabotError as refusal:
        return None, refusal.message


def _lying(current: InForce, state: Any, log: Sequence[dict[str, Any]], prompts: tuple[Prompt, ...]) -> Felt:
    new = log[-1] if log and log[-1]["e"] == "card" else None
    joined = felt.joined_of(log, state.terms.exponent)
    hands, laid = current.game.hands_on(state), felt.laid_of(state.bets)
    return felt.lay(current.game, state.terms, hands, laid, prompts, new=new, joined=joined)


def _differs(round: Round) -> tuple[str, ...]:
    return tuple(str(found) for found in replay.differences([round])) if round.settlement else ()


# ---- incidents about a round ---------------------------------------------------------------------------


def marks_of(round: Round) -> list[Mark]:
    """Where play stood in the round when each incident about it was opened, the oldest first."""
    label = label_of(round)
    rows = Incident.objects.filter(casino=round.casino_id, table_label=round.session.table.name)
    return [_mark(one, round) for one in rows.order_by("opened_at", "pk") if _is_about(one, round, label)]


def mark_from(round: Round, incident: Incident) -> Mark | None:
    """The mark of an incident that says no round and leads to this one, the last before it."""
    if round_of(incident) is not None or last_before(incident) != round:
        return None
    return _mark(incident, round)


def _mark(one: Incident, round: Round) -> Mark:
    at, kind = one.opened_at, incidents.kind_name(one.kind)
    return Mark(one, kind, _step_at(round, at), _after(round, at))


def label_of(round: Round) -> str:
    """How a round is called in an incident of its discards: `tables.reviewing`."""
    return f"{round.session.label} · {round.number}"


def _is_about(incident: Incident, round: Round, label: str) -> bool:
    if incident.subject_type == "round":
        return incident.subject_id == round.pk
    told = incident.facts.get("round")
    if incident.subject_type == "session":
        return incident.subject_id == round.session_id and told == round.number
    return told == label


def _step_at(round: Round, instant: dt.datetime) -> int:
    """How many events had been entered by an instant."""
    stamps = (dt.datetime.fromisoformat(event["at"]) for event in round.log if "at" in event)
    return sum(1 for at in stamps if at <= instant)


def _after(round: Round, instant: dt.datetime) -> bool:
    """Whether the round was over by then: what is disputed is how it ended."""
    return round.settled_at is not None and round.settled_at <= instant


def round_of(incident: Incident) -> Round | None:
    """The round an incident is about, as far as what was found says so."""
    rows = Round.objects.filter(casino=incident.casino_id).select_related("session__table")
    told = incident.facts.get("round")
    if incident.subject_type == "round":
        return rows.filter(pk=incident.subject_id).first()
    if incident.subject_type == "session" and isinstance(told, int):
        return rows.filter(session=incident.subject_id, number=told).first()
    if not isinstance(told, str) or " · " not in told:
        return None
    label, _, number = told.rpartition(" · ")
    if not (number.isascii() and number.isdigit() and len(number) < 9) or not incident.table_label:
        return None
    near = rows.filter(
        session__table__name=incident.table_label, number=int(number), opened_at__lte=incident.opened_at
    )
    return next((one for one in near.order_by("-pk")[:20] if one.session.label == label), None)


def last_before(incident: Incident) -> Round | None:
    """The last round of the table an incident names that had been opened by then, in a session that was not
    over: what lay on the table, where nobody said of which round it is."""
    if not incident.table_label:
        return None
    rows = Round.objects.filter(
        casino=incident.casino_id,
        session__table__name=incident.table_label,
        opened_at__lte=incident.opened_at,
    ).exclude(session__closed_at__lt=incident.opened_at)
    return rows.select_related("session__table").order_by("-opened_at", "-pk").first()


def links_of(incident: Incident) -> Iterator[Link]:
    """From an incident: its round step by step and on the record, or the last one before it; and the discard
    holder of its table."""
    found = round_of(incident)
    named = found is not None
    found = found or last_before(incident)
    if found is not None:
        words = (
            Text("repetir el pase {n} en pantalla", "replay round {n} on screen")
            if named
            else Text(
                "repetir en pantalla el último pase antes del incidente, el {n}",
                "replay on screen the last round before the incident, {n}",
            )
        ).fill(n=found.number)
        step = _step_at(found, incident.opened_at)
        yield Link(
            words,
            "round-replay",
            (found.pk,),
            policies.READ_FLOOR,
            f"?paso={step}&incidente={incident.pk}",
            True,
        )
        words = Text(f"pase {found.number} en el registro", f"round {found.number} on the record")
        yield Link(words, "round", (found.pk,), policies.READ_FLOOR)
    if incident.state == Incident.State.OPEN and incident.table_label and _lies_open(incident):
        words = Text("descartador de la mesa", "discard holder of the table")
        yield Link(words, "table-cards", (incident.table_label,), shoe_policies.REVIEW, "#revision")


def tables_alike(casino: Casino, table_label: str) -> list[str]:
    """The tables of a house at which the game of one of them is played: rulings there are like its own."""
    games = Table.objects.filter(casino=casino, name=table_label).values("game")
    return list(Table.objects.filter(casino=casino, game__in=games).values_list("name", flat=True))


def _lies_open(incident: Incident) -> bool:
    """Whether the incident's table is open with a shoe: only there is a discard holder to look at."""
    live = TableSession.objects.filter(casino=incident.casino_id, state__in=TableSession.LIVE)
    return live.filter(table__name=incident.table_label, shoe__isnull=False).exists()
