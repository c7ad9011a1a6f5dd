"""Whether what a pool runs on still holds: the AJ's approvals of its equipment and of its parameters.

Without them a pool is not enabled and its commission is not in force (PP-04, PP-19, PP-23). So one that runs
is suspended as the revocation is noted, or when a job finds that an approval has lapsed, and starts again
with a new one; bets waiting go back to their meters, but a round that is played with them ends first. It is
warned of beforehand: on the pool's page, among the alerts of the floor, before a table opens.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from audits import filings
from audits.by import By, by_system
from audits.history import save_version
from audits.models import Filing
from casino.kernel import clock
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.words import Text
from casino.models import Casino
from jackpots import betting, policies
from jackpots import filings as asked
from jackpots.holding import HeldPool, hold_pool
from jackpots.models import Pool, PoolVersion
from jackpots.pools import tell_moved
from tables.alerts.causes import BAD, WARN, Cause, register_kind

JOB = "pool-approvals"
log = logging.getLogger(__name__)
WARN_DAYS = 15
"""How long before an approval ends it is warned of: the house's practice."""
APPROVAL = register_kind(
    "pool.approval",
    Text("aprobación del pozo por vencer o sin vigencia", "approval of the pool ending or gone"),
)
State = Pool.State
NEEDED = (asked.EQUIPMENT, asked.SCHEME)


@dataclass(frozen=True, slots=True)
class Said:
    """What to read of an approval, and the rule that asks for it."""

    words: Text
    rule: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What a pool lacks of the AJ's approvals on a day, by kind, and which end soon."""

    lacks: tuple[str, ...]
    ending: tuple[Filing, ...]

    @property
    def said(self) -> list[Said]:
        """What to read of it, the worst first."""
        kinds = filings.kinds()
        said = [
            Said(
                Text(
                    f"sin aprobación vigente de la AJ: {kinds[kind].name.es}",
                    f"without a valid approval of the AJ: {kinds[kind].name.en}",
                ),
                kinds[kind].rule,
            )
            for kind in self.lacks
        ]
        said += [
            Said(
                Text(
                    f"{one.label} ({kinds[one.kind].name.es}) vence el {one.valid_until:%d/%m/%Y}",
                    f"{one.label} ({kinds[one.kind].name.en}) ends on {one.valid_until:%Y-%m-%d}",
                ),
                kinds[one.kind].rule,
            )
            for one in self.ending
        ]
        return said


FINE = Standing((), ())


def standing_of(pools: Iterable[Pool], day: dt.date) -> dict[int, Standing]:
    """How pools that have parameters in force stand on a day, by their ids."""
    found = [pool for pool in pools if pool.version_id is not None and pool.state != State.RETIRED]
    if not found:
        return {}
    about = {_needed(pool, kind): pool.pk for pool in found for kind in NEEDED}
    rows = Filing.objects.filter(
        casino_id__in={pool.casino_id for pool in found},
        kind__in=NEEDED,
        state=Filing.State.APPROVED,
        subject_id__in={subject for _, _, subject in about},
        valid_from__lte=day,
    )
    valid: dict[tuple[str, str, int], Filing] = {}
    for row in rows:
        key = (row.kind, row.subject_type, row.subject_id)
        if _ends(row) >= day and (key not in valid or _ends(row) > _ends(valid[key])):
            valid[key] = row
    soon = day + dt.timedelta(days=WARN_DAYS)
    return {
        pool.pk: _standing([(kind, valid.get(_needed(pool, kind))) for kind in NEEDED], soon)
        for pool in found
    }


def _needed(pool: Pool, kind: str) -> tuple[str, str, int]:
    if kind == asked.EQUIPMENT:
        return kind, "pool", pool.pk
    assert pool.version_id is not None
    return kind, "pool_version", pool.version_id


def _ends(filing: Filing) -> dt.date:
    return filing.valid_until or dt.date.max


def _standing(held: list[tuple[str, Filing | None]], soon: dt.date) -> Standing:
    return Standing(
        tuple(kind for kind, filing in held if filing is None),
        tuple(filing for _, filing in held if filing is not None and _ends(filing) <= soon),
    )


# ---- a pool that lost one ------------------------------------------------------------------------------


@command(policies.LAPSE, setting=True, silent_when="its approvals hold, or it stands already")
def suspend_unapproved(*, pool: Pool, by: By) -> Pool:
    """Suspend a running pool one of whose approvals is no longer valid (PP-04, PP-19, PP-23). Raises
    `Conflict` (`bets_locked`): it is tried again at the next look."""
    held = hold_pool(pool.pk)
    _suspend(held, by)
    return held.pool


def _suspend(held: HeldPool, by: By) -> None:
    found = held.pool
    if found.state != State.RUNNING:
        return
    standing = standing_of([found], by.casino.gaming_day(by.occurred_at)).get(found.pk, FINE)
    if not standing.lacks:
        return
    betting.require_none_locked(found)
    reason = by.reason or "; ".join(one.words.es for one in Standing(standing.lacks, ()).said)
    found.state = State.SUSPENDED
    save_version(found, by=by.because(reason))
    tell_moved(found, State.RUNNING, None, by.because(reason))


def revoking(filing: Filing, by: By) -> Callable[[], None] | None:
    """The pool an approval is about, locked before it is revoked and suspended after."""
    pool = _pool_of(filing)
    if pool is None:
        return None
    held = hold_pool(pool)

    def stand_still() -> None:
        with suppress(Conflict):  # the job suspends it, once the round that is played has ended
            _suspend(held, by)

    return stand_still


def _pool_of(filing: Filing) -> int | None:
    theirs = {"casino_id": filing.casino_id, "pk": filing.subject_id}
    about = (filing.kind, filing.subject_type)
    if about == (asked.EQUIPMENT, "pool"):
        return Pool.objects.filter(**theirs).values_list("pk", flat=True).first()
    if about == (asked.SCHEME, "pool_version"):
        return PoolVersion.objects.filter(**theirs).values_list("pool_id", flat=True).first()
    return None


def look_at_all() -> None:
    """The job: every running pool of every house. A refusal is tried again at the next look."""
    for pool in Pool.objects.filter(state=State.RUNNING).select_related("casino").order_by("pk"):
        day = pool.casino.gaming_day(clock.now())
        if not standing_of([pool], day).get(pool.pk, FINE).lacks:
            continue
        try:
            suspend_unapproved(pool=pool, by=by_system(pool.casino, JOB))
        except SabotError as refusal:
            log.warning("pool %s: %s", pool.name, refusal)


# ---- who is told of it ---------------------------------------------------------------------------------


def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """Pools in use whose approvals end soon, or do not hold."""
    in_use = Pool.objects.filter(casino=casino, state__in=(State.RUNNING, State.STOPPED, State.SUSPENDED))
    pools = {pool.pk: pool for pool in in_use}
    for pk, standing in standing_of(pools.values(), casino.gaming_day(instant)).items():
        pool = pools[pk]
        for first in standing.said[:1]:
            level = BAD if standing.lacks and pool.state == State.RUNNING else WARN
            words = Text(f"{pool.name}: {first.words.es}", f"{pool.name}: {first.words.en}")
            yield Cause(f"pool.approval:{pk}", APPROVAL, level, words, rule=first.rule, subject=pool.name)
