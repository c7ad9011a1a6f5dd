"""Whose turn it is to answer for the bank of a table: the pure order over its seats as they are on record."""

from __future__ import annotations

import datetime as dt

from casino.kernel.words import Text
from tables.bank.figures import figures_of
from tables.bank.order import Place, Sitting, order
from tables.bank.persons import is_away, same_persons, seated_now
from tables.guests.priorities import seniority
from tables.models import Bank, BankPassage, TableSession

Step = BankPassage.Step


def sittings_of(session: TableSession, instant: dt.datetime) -> list[Sitting]:
    """Who sits at a table, with what BANK-20 and BANK-22 ask of them."""
    return [
        Sitting(one.taking.pk, one.seat, one.taking.alias, one.lost_at, one.away_since)
        for one in seniority(session, instant)
    ]


def places_in(session: TableSession, passage: BankPassage, instant: dt.datetime) -> list[Place]:
    """Everybody the bank is offered to in this step of its passage, in order; nobody in an auction."""
    if passage.step == Step.ROTATION:
        return rotation(session, passage, instant)
    if passage.step != Step.RETAKE or barred(session, instant) & {passage.left.holder_id}:
        return []
    left = seated_now(passage.left.holder)
    if left is None:
        return []
    return [Place(1, left.pk, left.seat, left.alias, is_away(left, instant), (("BANK-09", RETAKES),))]


def rotation(session: TableSession, passage: BankPassage, instant: dt.datetime) -> list[Place]:
    """The order round the table from who left the bank, who is not asked."""
    rules = figures_of(session, instant).rules
    return order(
        sittings_of(session, instant),
        left=passage.left.holder.seat,
        seats=session.seats,
        to_right=rules.rotation == "right",
        shoe_since=shoe_since(session),
        without=same_persons(session, {passage.left.holder_id}) | barred(session, instant),
    )


def due(session: TableSession, passage: BankPassage, instant: dt.datetime) -> Place | None:
    """Whoever has not answered yet in this step and comes first, as the table stands: an act that waited for
    its lock may state an instant before somebody left."""
    instant = max(instant, session.last_at)
    answers = passage.answers.filter(step=passage.step).values_list("taking", flat=True)
    answered = same_persons(session, set(answers))
    return next(
        (place for place in places_in(session, passage, instant) if place.taking not in answered), None
    )


def barred(session: TableSession, instant: dt.datetime) -> frozenset[int]:
    """Who passed a bank in this shoe and may not bank again in it, if the house has that rule (BANK-28)."""
    if not figures_of(session, instant).rules.retired_banker_barred_same_shoe:
        return frozenset()
    passed = Bank.objects.filter(session=session, ending=Bank.Ending.PASSED)
    since = shoe_since(session)
    if since is not None:
        passed = passed.filter(ended_at__gte=since)
    return same_persons(session, set(passed.values_list("holder", flat=True)))


def shoe_since(session: TableSession) -> dt.datetime | None:
    """When the shoe in play was put on the table; None without one."""
    return None if session.shoe is None else session.shoe.played_at


RETAKES = Text(
    "nadie más lo quiso: puede retomarlo quien lo dejó", "nobody else wanted it: who left it may retake it"
)
