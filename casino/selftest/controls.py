"""The controls of the night, by the names people run them under, and what each names of what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from audits import closing, verify
from audits.by import by_system
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.models import Casino
from casino.selftest import sealed
from jackpots import catching_up, proving
from jackpots.models import Difference, Proof
from tables import replay
from tables.models import Round


@dataclass(frozen=True, slots=True)
class Found:
    """One thing a control found: a code, where it is, what it said."""

    code: str
    where: str
    said: str


Control = Callable[[Casino], Iterable[Found]]


def _trail(casino: Casino) -> Iterator[Found]:
    for fault in verify.trail_faults(casino):
        yield Found(fault.code, fault.where, fault.words.es)


def _seals(casino: Casino) -> Iterator[Found]:
    for fault in sealed.faults(casino):
        yield Found(fault.code, fault.where, fault.words.es)


def _ledger(casino: Casino) -> Iterator[Found]:
    for fault in verify.ledger_faults(casino):
        yield Found(fault.code, fault.where, fault.words.es)


def _pools(casino: Casino) -> Iterator[Found]:
    """As the job does: the nights that are due, oldest first; besides, the day that is on."""
    today = casino.gaming_day(clock.now())
    nights = [*catching_up.due_nights(casino), *((pool, today) for pool in proving.concerned(casino, today))]
    for pool, day in nights:
        try:
            proof = proving.prove(pool=pool, day=day, by=by_system(casino, catching_up.JOB))
        except SabotError as refusal:
            yield Found(refusal.code, pool.name, refusal.message.es)
            continue
        if proof.state == Proof.State.DIFFERENT:
            for one in Difference.objects.filter(pool=pool, day=day).order_by("pk"):
                yield Found(one.code, one.place, proving.in_words(one, casino.exponent).es)


def _close(casino: Casino) -> Iterator[Found]:
    """The day that is over closes, or says what holds it."""
    for outcome in closing.close_due_days(casino=casino):
        if outcome.held is not None:
            for item in outcome.held.held_by:
                yield Found(item["code"], str(outcome.held), item["es"])


def _replay(casino: Casino) -> Iterator[Found]:
    rounds = (
        Round.objects.filter(casino=casino, settlement__isnull=False)
        .select_related("session__table", "session__day", "session__casino")
        .prefetch_related("bets")
        .order_by("pk")
    )
    for one in replay.differences(rounds):
        yield Found(one.what, f"round:{one.round.pk}", str(one))


CONTROLS: dict[str, Control] = {
    "verify_trail": _trail,
    **({sealed.CONTROL: _seals} if sealed.THERE else {}),
    "verify_ledger": _ledger,
    "replay": _replay,
    "reconcile_pools": _pools,
    "close_days": _close,
}
"""In the order of the night; those that write (a proof, a closed day) come last."""
