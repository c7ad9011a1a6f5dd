"""Tips: taken out of each table's box and counted, pooled by gaming day, shared by hours and posts.

A tip is the players' to give and the staff's to keep: it never passes through the float (FLOOR-06: tips
exchanged for other chips leave its value as it was). `players:<session> -> tips:<session>`, and once two
people approved who gets what, `tips:<session> -> tips:paid`. Nobody approves their own share alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Sum

from audits import days, ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Actor
from casino.kernel import locking
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, NotFound, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes.signing import require_beside
from tables import chips, duties
from tables.holding import lock_session, move_on, out_of_order
from tables.models import Assignment, Staff, TableSession, TipDistribution, TipEntry, TipHandover
from tables.money import cage_policies as policies
from tables.money import drawer
from tables.money.cage_settings import cage_of, points_of
from tables.money.tip_shares import Turn, shares, weights
from tables.noting import note

State = TipDistribution.State
STREAM, PAID = "tips", "tips:paid"


@command(policies.ENTER_TIPS)
def enter_tips(*, session: TableSession, chips_counted: Mapping[int, int], by: By) -> TipEntry:
    """Chips taken out of a table's tip box, by denomination, for the pool of its gaming day.

    Raises `Refused` (`no_chips`, `unknown_denomination`, `bad_count`, `occurred_out_of_order`), `Conflict`
    (`day_closed`; `tips_shared` once the day's tips were given out).
    """
    counted = chips.checked(by.casino, chips_counted)
    amount = chips.total(counted)
    if not amount:
        raise Refused(
            Text("diga cuántas fichas de cada denominación", "say how many chips of each denomination"),
            code="no_chips",
            field="chips",
        )
    day = days.require_open(session.day)
    held = hold_session(session, by)
    drawer.require_once(TipEntry.objects.filter(session=held), by)
    _draft_of(day)
    made = TipEntry(
        pk=drawer.next_id(TipEntry),
        casino=by.casino,
        session=held,
        day=day,
        chips=chips.stored(counted),
        amount=amount,
        entered_by=by.actor,
        at=by.occurred_at,
    )
    data = {"entry": made.pk, "amount": amount, "chips": made.chips, "day": str(day)}
    made.event = note("tables.tips.entered", held, by, data, ["FLOOR-06"])
    made.save(force_insert=True)
    moves = [Move(f"players:{held.pk}", f"tips:{held.pk}", amount, "tips")]
    ledger.post(event=made.event, kind="tips", day=day.date, moves=moves)
    return made


def hold_session(session: TableSession, by: By) -> TableSession:
    """A session locked, in play or over: what is entered of it lies after what was recorded there."""
    known = TableSession.objects.filter(pk=session.pk, casino=by.casino).first()
    if known is None:
        raise NotFound(Text("no existe esa sesión", "there is no such session"), code="no_session")
    if known.live:
        held = lock_session(known, by).session
        move_on(held, by)
        held.save(update_fields=["last_at"])
        return held
    locking.taking(locking.Rank.SESSION)
    rows = TableSession.objects.select_for_update(of=("self",), no_key=True)
    ended = rows.select_related("table", "day", "casino").get(pk=known.pk)
    duties.require_pit(by, ended.table)
    if ended.closed_at is not None and by.occurred_at < ended.closed_at:
        raise out_of_order(by.casino, ended.closed_at)
    return ended


@command(policies.ENTER_TIPS)
def draft_tips(*, day: GamingDay, by: By) -> TipDistribution:
    """Work out who gets what of a day's tips; may be drafted anew until it is approved.

    Raises `Conflict`: `sessions_open` (hours are not known yet), `no_tips`, `nobody_worked`, `tips_shared`.
    """
    day = days.require_open(day)
    locking.taking(locking.Rank.SESSION)
    found = _draft_of(day)
    _require_over(day)
    total = pool(day)
    if not total:
        raise Conflict(
            Text("ese día no tiene propinas registradas", "that day has no tips on record"),
            code="no_tips",
            field="day",
        )
    points = points_of(cage_of(by.casino))
    lines = _lines(day, total, points)
    if not lines:
        raise Conflict(
            Text(
                "nadie trabajó en un puesto con puntos: revise los puntos por puesto",
                "nobody worked at a post with points: check the points by post",
            ),
            code="nobody_worked",
            field="day",
        )
    made = found or TipDistribution(casino=by.casino, day=day)
    made.total, made.points, made.lines = total, points, lines
    made.drafted_by, made.drafted_at = by.actor, by.occurred_at
    made.save()
    _tell("tables.tips.drafted", made, by, {"points": points, "lines": lines})
    return made


@command(policies.APPROVE_TIPS)
def approve_tips(*, distribution: TipDistribution, with_: Actor, by: By) -> TipDistribution:
    """Two people approve who gets what, and it is given out; at least one of them has no share (GEN-10).

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`, `own_share`), `Conflict` (`tips_shared`,
    `sessions_open`; `draft_stale` where tips or hours came since), `Refused` (`occurred_out_of_order`).
    """
    require_beside(by.actor, with_, policies.APPROVE_TIPS, field="second")
    day = days.day_of(by.casino, by.occurred_at)
    locking.taking(locking.Rank.SESSION)
    rows = TipDistribution.objects.select_for_update(of=("self",), no_key=True)
    held = rows.select_related("day", "casino").get(pk=distribution.pk)
    if held.state != State.DRAFT:
        raise _shared_already()
    drawer.require_after(held.drafted_at, by)
    _require_over(held.day)
    if (pool(held.day), _lines(held.day, held.total, held.points)) != (held.total, held.lines):
        raise Conflict(
            Text(
                "hay propinas u horas posteriores al borrador: prepárelo de nuevo",
                "tips or hours came after the draft: draft it anew",
            ),
            code="draft_stale",
        )
    _require_disinterested(held, by.actor, with_)
    held.state, held.approved_by, held.approved_with = State.APPROVED, by.actor, with_
    held.approved_at = by.occurred_at
    held.save(update_fields=["state", "approved_by", "approved_with", "approved_at"])
    event = _tell(
        "tables.tips.approved", held, by, {"with": with_.as_dict(), "lines": held.lines, "paid_on": str(day)}
    )
    ledger.post(event=event, kind="tips_paid", day=day.date, moves=moves_of(held))
    return held


def pool(day: GamingDay) -> int:
    """What a day's tips come to, in smallest units."""
    return int(TipEntry.objects.filter(day=day).aggregate(sum=Sum("amount", default=0))["sum"])


def moves_of(held: TipDistribution) -> list[Move]:
    """Each table's tips, given out."""
    sums = TipEntry.objects.filter(day=held.day_id).values("session").annotate(sum=Sum("amount"))
    return [Move(f"tips:{row['session']}", PAID, row["sum"], "tips_paid") for row in sums.order_by("session")]


def shares_of(staff: Staff) -> Iterator[dict[str, Any]]:
    """What somebody was given of each approved day, newest first: {day, seconds, amount, received};
    `received`: when it was put into their hand, None until then."""
    rows = TipDistribution.objects.filter(
        casino=staff.casino_id, state=State.APPROVED, lines__contains=[{"staff": staff.pk}]
    )
    hands = TipHandover.objects.filter(staff=staff).values_list("distribution", "at")
    received = dict(hands)
    for row in rows.select_related("day").order_by("-day__date"):
        (line,) = (line for line in row.lines if line["staff"] == staff.pk)
        about = {"seconds": line["seconds"], "amount": line["amount"], "received": received.get(row.pk)}
        yield {"day": row.day.date, **about}


def _lines(day: GamingDay, total: int, points: Mapping[str, int]) -> list[dict[str, Any]]:
    worked = weights(_turns(day), points)
    if not worked:
        return []
    given = shares(total, {staff: weight.points for staff, weight in worked.items()})
    people = Staff.objects.in_bulk(list(worked))
    return [
        {
            "staff": staff,
            "name": people[staff].name,
            "number": people[staff].number,
            "seconds": weight.seconds,
            "weight": weight.points,
            "amount": given[staff],
        }
        for staff, weight in worked.items()
    ]


def _turns(day: GamingDay) -> Iterator[Turn]:
    """The ended turns at every post of the day's sessions."""
    rows = Assignment.objects.filter(session__day=day, during__endswith__isnull=False)
    for staff, post, during in rows.values_list("staff_id", "post", "during").order_by("pk"):
        yield Turn(staff, post, int((during.upper - during.lower).total_seconds()))


def _require_over(day: GamingDay) -> None:
    live = TableSession.objects.filter(day=day, state__in=TableSession.LIVE).select_related("table", "day")
    first = live.order_by("pk").first()
    if first is not None:
        raise Conflict(
            Text(
                f"{first.label} sigue abierta: se reparte cuando todas las mesas del día cerraron",
                f"{first.label} is still open: tips are shared once every table of the day is closed",
            ),
            code="sessions_open",
            field="day",
        )


def _draft_of(day: GamingDay) -> TipDistribution | None:
    """The day's draft, locked; refuses a day whose tips were given out."""
    found = TipDistribution.objects.select_for_update(no_key=True).filter(day=day).first()
    if found is not None and found.state == State.APPROVED:
        raise _shared_already()
    return found


def _require_disinterested(held: TipDistribution, *signers: Actor) -> None:
    sharing = {line["staff"] for line in held.lines}
    theirs = Staff.objects.filter(user__in=[signer.user_id for signer in signers], pk__in=sharing)
    if theirs.count() == len(signers):
        raise RuleViolation(
            "GEN-10",
            Text(
                "quienes firman reciben propinas de este reparto: firme con alguien que no tenga parte",
                "both signers share in these tips: sign with somebody who has no part in them",
            ),
            code="own_share",
            field="second",
        )


def _tell(action: str, held: TipDistribution, by: By, more: Mapping[str, Any]) -> Any:
    return trail.record(
        action,
        stream=STREAM,
        subject=trail.Subject("tips", held.pk, str(held.day)),
        by=by,
        data={"day": str(held.day), "total": held.total, **more},
        rules=["GEN-10"],
    )


def _shared_already() -> Conflict:
    return Conflict(
        Text(
            "las propinas de ese día ya se repartieron: regístrelas en una sesión de otro día",
            "that day's tips were given out already: enter them at a session of another day",
        ),
        code="tips_shared",
        rule="REC-07",
    )


explain_constraint("tables_tipdistribution_day_id_key", lambda: Conflict(
    Text("otra persona preparó el reparto: revíselo", "another person drafted it: look at theirs"),
    code="tips_drafted",
))  # fmt: skip
