"""Boxes counted twice by independent teams, neither of which knows what the other found (FLOOR-11).

The event of the first count holds a salted SHA-256 of what was found and nothing of it; with the second
count both are told, with the salt, so that anyone may check that the first was not changed since. Equal
counts settle the box. Others open an incident, and a third team counts or two people decide.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q

from audits import incidents, trail
from audits.by import By
from audits.models import Actor
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from tables import chips as counting
from tables import closings, duties
from tables.holding import out_of_order
from tables.models import Assignment, BoxCount, BoxCounter, CountRate, DropBox, Staff
from tables.money import box_policies as policies
from tables.money import inventory
from tables.money.box_contents import Found, House, commitment, found
from tables.money.boxes import RULE, lock_box, named, require_beside, tell
from tables.money.denominations import CHIP

LEAST_TEAM = 2
MOST_TEAM = 8
_MAY_BE_COUNTED = (DropBox.State.RECEIVED, DropBox.State.COUNTED_ONCE, DropBox.State.DIFFERS)


@command(policies.COUNT_BOXES)
def record_count(
    *,
    box: DropBox,
    contents: Mapping[str, Mapping[int, int]],
    documents: Sequence[Mapping[str, Any]],
    team: Sequence[Actor],
    by: By,
) -> DropBox:
    """Record what a team found in a box: the first, the second, or the third time.

    `contents`: currency -> denomination in its smallest units -> number; `team`: who counted, two at least,
    besides whoever records. Raises `Conflict` (`box_not_here`, `box_counted`), `RuleViolation` FLOOR-11
    for the team (`team_too_small`, `same_team`, `not_a_counter`, `of_the_table`), `Refused` for a line.
    """
    box = lock_box(box, by)
    before = list(box.counts.order_by("nth"))
    _require_countable(box, before)
    nth = len(before) + 1
    _require_team(box, team, by)
    _require_after(box, before, by)
    count = found(_house(before, by), contents, documents)
    salt = secrets.token_hex(16)
    row = BoxCount.objects.create(
        casino=by.casino,
        box=box,
        nth=nth,
        contents=count.contents,
        documents=count.documents,
        rates=count.rates,
        total=count.total,
        salt=salt,
        commitment=commitment(box.pk, nth, count, salt),
        recorded_by=by.actor,
        counted_at=by.occurred_at,
    )
    people = [(person, False) for person in team] + [(by.actor, True)]
    BoxCounter.objects.bulk_create(
        BoxCounter(casino=by.casino, box=box, count=row, person=person, records=records)
        for person, records in people
    )
    _go_on(box, before, row, count, by)
    return box


def _go_on(box: DropBox, before: list[BoxCount], row: BoxCount, count: Found, by: By) -> None:
    """What a count leads to: waiting for the second, settled, or a difference two people must answer for."""
    if row.nth == 1:
        box.state = DropBox.State.COUNTED_ONCE
        box.save(update_fields=["state"])
        data = {"nth": 1, "commitment": row.commitment, "number": box.number, "team": _team(row)}
        tell("tables.box.counted_first", box, by, data)
        return
    agreeing = [old.nth for old in before if count.same_as(old.contents, old.documents)]
    counted = None
    if agreeing:
        how = DropBox.How.EQUAL if row.nth == 2 else DropBox.How.THIRD
        counted = _settle(box, row.total, how, by)
    elif row.nth == 2:
        box.state, box.incident = DropBox.State.DIFFERS, _raise_difference(box, before[0], row, by)
        box.save(update_fields=["state", "incident"])
    shown = [*before, row] if row.nth == 2 else [row]
    data = {"nth": row.nth, "number": box.number, "counts": [_told(one) for one in shown], "agrees": agreeing}
    tell("tables.box.counted", box, by, data)
    if agreeing:
        _finish(box, row, counted, by, {})


def _finish(
    box: DropBox, stands: BoxCount, counted: closings.Counted | None, by: By, told: Mapping[str, Any]
) -> None:
    """What a settled box is told with, its session's drop; and its chips, from the public to the vault."""
    about = {"number": box.number, "kind": box.kind, "amount": box.amount, "how": box.how, "nth": stands.nth}
    rules = ("FLOOR-12", "GEN-10") if box.how == DropBox.How.RESOLVED else ("FLOOR-12",)
    event = tell("tables.box.settled", box, by, {**about, **told}, rules=rules)
    if counted is not None:
        closings.tell_counted(counted, by)
    chips = counting.loaded(stands.contents.get(CHIP, {}))
    inventory.move(event, [inventory.Flow("box", inventory.PUBLIC, inventory.VAULT, chips)])


@command(policies.RESOLVE_BOXES)
def resolve(*, box: DropBox, nth: int, with_: Actor, by: By) -> DropBox:
    """Decide, by two people and with a reason, which count of a box stands whose counts differ (GEN-10).

    Neither has counted it. Raises `Conflict` `box_state`, `Refused` for a count there is not.
    """
    reason = by.need_reason()
    require_beside(by, with_, policies.RESOLVE_BOXES, policies.COUNT_BOXES)
    box = lock_box(box, by)
    duties.require_pit(by, box.session.table)
    if box.state != DropBox.State.DIFFERS:
        raise Conflict(
            Text(
                "sólo se decide una caja cuyos recuentos difieren",
                "only a box whose counts differ is decided",
            ),
            code="box_state",
            rule=RULE,
        )
    counted_by = _counted_by(box)
    for person, field in ((by.actor, ""), (with_, "second")):
        if _who(person) in counted_by:
            raise _not_fit(
                "same_team",
                f"{person.name} contó esta caja y no decide sobre ella",
                f"{person.name} counted this box and does not decide about it",
                field=field,
            )
    counts = list(box.counts.order_by("nth"))
    stands = next((count for count in counts if count.nth == nth), None)
    if stands is None:
        raise Refused(
            Text("elija cuál de los recuentos vale", "choose which of the counts stands"),
            code="no_count",
            rule=RULE,
            field="nth",
        )
    _require_after(box, counts, by)
    counted = _settle(box, stands.total, DropBox.How.RESOLVED, by)
    _finish(box, stands, counted, by, {"with": named(with_), "why": reason})
    return box


@command(policies.SET_RATES, setting=True)
def set_rate(*, currency: str, rate: int, by: By) -> CountRate:
    """What one unit of a foreign currency is worth from now on, in ten-thousandths of one of the house's;
    from no earlier instant than the clock's (GEN-03)."""
    code = currency.strip().upper()
    if len(code) != 3 or not code.isascii() or not code.isalpha() or code == by.casino.currency:
        raise Refused(
            Text(
                "escriba la moneda extranjera por sus tres letras",
                "write the foreign currency by its letters",
            ),
            code="unknown_currency",
            field="currency",
        )
    if not 0 < rate <= 10**12:
        raise Refused(
            Text("el tipo de cambio es mayor que cero", "the rate is more than zero"),
            code="bad_rate",
            field="rate",
        )
    row = CountRate.objects.create(
        casino=by.casino, currency=code, rate=rate, since=by.occurred_at, by=by.actor
    )
    trail.record(
        "tables.count_rate.set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("count_rate", row.pk, code),
        by=by,
        data={"currency": code, "rate_ten_thousandths": rate},
        rules=[RULE],
    )
    return row


def rates_at(by: By) -> dict[str, int]:
    """The rates in force at an instant, by currency."""
    rows = CountRate.objects.filter(casino=by.casino, since__lte=by.occurred_at).order_by("since", "pk")
    return dict(rows.values_list("currency", "rate"))


# ---- what a count must satisfy ----------------------------------------------------------------------


def _house(before: Sequence[BoxCount], by: By) -> House:
    """All teams of a box reckon with the same rates: those the first to need one found in force."""
    rates = rates_at(by)
    for count in reversed(before):
        rates |= count.rates
    casino = by.casino
    return House(casino.currency, casino.exponent, frozenset(casino.denominations), rates)


def _require_countable(box: DropBox, before: Sequence[BoxCount]) -> None:
    if box.state in (DropBox.State.ON_TABLE, DropBox.State.REMOVED):
        raise Conflict(
            Text(
                f"la caja {box.number} no está en la sala de recuento: recíbala primero",
                f"box {box.number} is not in the count room: receive it first",
            ),
            code="box_not_here",
            rule=RULE,
        )
    if box.state not in _MAY_BE_COUNTED or len(before) == 3:
        raise Conflict(
            Text(
                f"la caja {box.number} ya se contó las veces que se cuenta",
                f"box {box.number} is counted already, as often as it is counted",
            ),
            code="box_counted",
            rule=RULE,
        )


def _require_team(box: DropBox, team: Sequence[Actor], by: By) -> None:
    people = [*team, by.actor]
    if not LEAST_TEAM <= len(team) <= MOST_TEAM or len(set(map(_who, people))) < len(people):
        raise _not_fit(
            "team_too_small",
            f"cuentan de {LEAST_TEAM} a {MOST_TEAM} personas distintas, además de quien registra",
            f"{LEAST_TEAM} to {MOST_TEAM} different people count, besides whoever records",
        )
    earlier = _counted_by(box)
    at_table, names = _of_the_table(box)
    for person in people:
        if _who(person) in earlier:
            raise _not_fit(
                "same_team",
                f"{person.name} ya contó esta caja: el otro equipo es de otras personas",
                f"{person.name} has counted this box: the other team is of other people",
            )
        if person.kind != Actor.Kind.STAFF or not _counts(person):
            raise _not_fit(
                "not_a_counter",
                f"{person.name} no cuenta cajas: cuenta gente de caja, cumplimiento o administración",
                f"{person.name} counts no boxes: people of cage, compliance or administration do",
            )
        if person.user_id in at_table or _who(person) in names:
            raise _not_fit(
                "of_the_table",
                f"{person.name} trabajó en esa mesa y no cuenta su caja",
                f"{person.name} worked at that table and does not count its box",
            )


def _counts(person: Actor) -> bool:
    """Whether somebody may count boxes: of the cage, compliance or administration, with a login in use."""
    return person.user.is_active and bool(person.roles & set(policies.COUNTERS))


def _who(person: Actor | Staff) -> str:
    """Who somebody is: by name, since one person may have two logins, or a post and a login that nobody tied
    together."""
    return " ".join(person.name.casefold().split())


def _counted_by(box: DropBox) -> set[str]:
    return {_who(one.person) for one in BoxCounter.objects.filter(box=box).select_related("person")}


def _of_the_table(box: DropBox) -> tuple[set[int], set[str]]:
    """Logins, and names, of whoever worked at the box's table, signed its counts or was its chief."""
    session = box.session
    counts = session.counts.values_list("counted_by", "witnessed_by")
    staff = Staff.objects.filter(
        Q(pk__in=Assignment.objects.filter(session=session).values("staff"))
        | Q(pk__in={person for pair in counts for person in pair})
    )
    chiefs = Actor.objects.filter(
        pk__in=[box.put_on_by_id, box.removed_by_id, session.opened_by_id, session.closed_by_id]
    )
    crew = list(staff)
    logins = {one.user_id for one in crew if one.user_id} | {chief.user_id for chief in chiefs}
    return logins, {_who(one) for one in crew}


def _require_after(box: DropBox, before: Sequence[BoxCount], by: By) -> None:
    """A box is counted after it came, and again after it was counted before; and where that may count its
    session, after the table closed, lest the refusal tell that the counts agree."""
    closed = [box.session.closed_at] if before and box.session.closed_at else []
    assert box.received_at is not None
    earliest = max([box.received_at, *(count.counted_at for count in before), *closed])
    if by.occurred_at < earliest:
        raise out_of_order(by.casino, earliest)


def _settle(box: DropBox, amount: int, how: str, by: By) -> closings.Counted | None:
    """The box is settled; its session is counted with it where that is closed and no other box waits."""
    box.state, box.amount, box.how, box.settled_at = DropBox.State.SETTLED, amount, how, by.occurred_at
    box.save(update_fields=["state", "amount", "how", "settled_at"])
    return closings.count_out(box.session, by)


def _raise_difference(box: DropBox, first: BoxCount, second: BoxCount, by: By) -> incidents.Incident:
    label = box.session.label
    return incidents.raise_incident(
        kind=incidents.MONEY,
        summary=Text(
            f"los dos recuentos de la caja {box.number} de {label} no son iguales",
            f"the two counts of box {box.number} of {label} are not the same",
        ),
        subject=trail.Subject("session", box.session_id, label),
        rules=(RULE,),
        facts={
            "box": box.number,
            "first_count": first.total,
            "second_count": second.total,
            "difference": second.total - first.total,
        },
        by=by,
        table_label=box.session.table.name,
    )


def _team(row: BoxCount) -> list[dict[str, object]]:
    rows = BoxCounter.objects.filter(count=row).select_related("person").order_by("pk")
    return [{**named(one.person), "records": one.records} for one in rows]


def _told(row: BoxCount) -> dict[str, Any]:
    return {
        "nth": row.nth,
        "contents": row.contents,
        "documents": row.documents,
        "rates": row.rates,
        "total": row.total,
        "salt": row.salt,
        "commitment": row.commitment,
        "team": _team(row),
    }


def _not_fit(code: str, es: str, en: str, *, field: str = "team") -> RuleViolation:
    return RuleViolation(RULE, Text(es, en), code=code, field=field)


def objection(incident: incidents.Incident) -> Text | None:
    """A difference between counts is not settled while its box is not."""
    box = DropBox.objects.filter(incident=incident).exclude(state=DropBox.State.SETTLED).first()
    if box is None:
        return None
    return Text(
        f"la caja {box.number} sigue sin contar: falta el tercer recuento o la decisión de dos personas",
        f"box {box.number} is not settled: a third count or the decision of two people is missing",
    )


explain_constraint(
    "one_team_per_person_and_box",
    lambda: _not_fit(
        "same_team",
        "alguien de ese equipo ya contó esta caja",
        "somebody of that team has counted this box already",
    ),
)
