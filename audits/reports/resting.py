"""From a figure to the events it rests on: what rows name, found on the trail (REC-06, REC-15).

The page of events behind a row, the regulator's bundle and the exports all ask here, so that they can
not find different events for one row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from audits.models import Event, Stream, Transfer
from audits.reports.registry import EventsOf
from casino.models import Casino


def events(casino: Casino, named: Iterable[EventsOf]) -> QuerySet[Event]:
    """The casino's events that any of `named` means, each once, in the order they were recorded.

    None named, none found.
    """
    found = Event.objects.filter(casino=casino)
    alternatives = [_meant(casino, one) for one in merged(named)]
    if not alternatives:
        return found.none()
    return found.filter(reduce(or_, alternatives)).order_by("recorded", "id")


def merged(named: Iterable[EventsOf]) -> list[EventsOf]:
    """The same events in as few words as may be: alternatives alike but for one list are one.

    A total over a thousand rows is asked of the database as one thing, not as a thousand.
    """
    lists: dict[tuple[str, EventsOf], dict[object, None]] = {}
    for one in named:
        name, key, items = _apart(one)
        lists.setdefault((name, key), {}).update(dict.fromkeys(items))
    return [_together(name, key, tuple(items)) for (name, key), items in lists.items()]


_ANY = "*"


def _apart(one: EventsOf) -> tuple[str, EventsOf, tuple[object, ...]]:
    """The list of `one` that others alike may be added to: its name, the rest, and the list."""
    if one.ids is not None:
        return "ids", replace(one, ids=()), one.ids
    if one.seqs:
        return "seqs", replace(one, seqs=()), one.seqs
    if one.subject:
        kind, numbers = one.subject
        items = (numbers,) if isinstance(numbers, int) else numbers
        return "subject", replace(one, subject=(kind, ())), items
    if one.accounts:
        return "accounts", replace(one, accounts=(_ANY,)), one.accounts
    return "streams", replace(one, streams=(_ANY,)), one.streams


def _together(name: str, rest: EventsOf, items: tuple[object, ...]) -> EventsOf:
    if name == "subject":
        assert rest.subject is not None
        return replace(rest, subject=(rest.subject[0], items))  # type: ignore[arg-type]
    if name == "streams" and not items:  # told apart by its actions alone
        return replace(rest, streams=())
    return replace(rest, **{name: items})  # type: ignore[arg-type]


def _meant(casino: Casino, one: EventsOf) -> Q:
    meant = Q()
    if one.ids is not None:
        meant &= Q(pk__in=one.ids)
    if one.streams:
        # By number, not through a join: the trail is indexed by its chains.
        known = Stream.objects.filter(casino=casino, name__in=one.streams)
        meant &= Q(stream__in=list(known.values_list("pk", flat=True)))
    if one.subject:
        kind, numbers = one.subject
        meant &= Q(subject_type=kind)
        meant &= Q(subject_id=numbers) if isinstance(numbers, int) else Q(subject_id__in=numbers)
    if one.actions:
        meant &= Q(action__in=one.actions)
    if one.rules:
        meant &= Q(rules__overlap=list(one.rules))
    if one.since:
        meant &= Q(occurred__gte=one.since)
    if one.until:
        meant &= Q(occurred__lt=one.until)
    if one.seqs:
        meant &= Q(seq__in=one.seqs)
    if one.accounts:
        moved = Transfer.objects.filter(casino=casino, postings__account__code__in=one.accounts)
        moved = moved.filter(day__range=one.days) if one.days else moved
        meant &= Q(pk__in=moved.order_by().values("event"))
    return meant
