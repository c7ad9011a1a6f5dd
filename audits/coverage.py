"""How each rule is kept, and what shows it: where it lives in the code, which tests prove it, and what
happened within a period: how often it was applied, refused, and decided on by a person with a reason; and by
whom.

Applied: the events that cite it. Refused: `audits.refusals`. With a reason: the events that cite it and give
one: whoever goes beyond what the house asks, corrects, or decides what a rule leaves to a person, must state
it.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Count, Q

from audits.by import name_of
from audits.models import Actor, Event, Refusal
from audits.models.refusals import MOST_A_MINUTE
from casino import tracing
from casino.kernel import rulebook
from casino.kernel.words import Text
from casino.models import Casino

SHOWN_PEOPLE = 5

SHOW: Mapping[str, Text] = {
    "unenforced": Text("que nada cumple todavía", "that nothing keeps yet"),
    "waiting": Text("en espera, con motivo", "waiting, with a reason"),
    "untested": Text("sin prueba automática", "without an automatic test"),
    "never_applied": Text("que no se aplicaron en el período", "not applied in the period"),
    "never_refused": Text("que impiden y nada impidieron", "that refuse and refused nothing"),
    "refused": Text("que impidieron algo", "that refused something"),
    "reasoned": Text("decididas con motivo por una persona", "decided by a person with a reason"),
}
"""What a list of rules may be narrowed to."""


@dataclass
class Evidence:
    """What happened under one rule in a period. `or_more`: somebody met the bound of a minute."""

    applied: int = 0
    reasoned: int = 0
    refused: int = 0
    or_more: bool = False
    refused_to: Counter[int] = field(default_factory=Counter)
    reasoned_by: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True)
class Covered:
    """One rule with where it lives and what happened under it."""

    rule: rulebook.Rule
    trace: tracing.Trace
    evidence: Evidence

    @property
    def state(self) -> Text:
        return tracing.STATES[self.trace.state]

    @property
    def enforced(self) -> Text:
        return rulebook.ENFORCED[self.rule.enforce]


_EVENTS = """
SELECT r.rule, e.actor_id, count(*), count(*) FILTER (WHERE
    CASE WHEN position('"reason":"'::bytea IN e.body) > 0
         THEN coalesce(convert_from(e.body, 'UTF8')::jsonb -> 'data' ->> 'reason', '') <> '' ELSE false END)
FROM audits_event e, unnest(e.rules) r (rule)
WHERE e.casino_id = %(casino)s AND e.occurred >= %(start)s AND e.occurred < %(end)s
    AND e.recorded >= %(start)s::timestamptz - interval '1 hour'
  AND (%(rule)s = '' OR r.rule = %(rule)s)
GROUP BY 1, 2
"""


def evidence(casino: Casino, start: dt.datetime, end: dt.datetime, rule: str = "") -> Mapping[str, Evidence]:
    """What happened under each rule, or one, from `start` until `end`; where nothing did, it is not there."""
    found: defaultdict[str, Evidence] = defaultdict(Evidence)
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS, {"casino": casino.pk, "start": start, "end": end, "rule": rule})
        for name, actor, applied, reasoned in cursor.fetchall():
            found[name].applied += applied
            found[name].reasoned += reasoned
            if reasoned:
                found[name].reasoned_by[actor] += reasoned
    refused = Refusal.objects.filter(casino=casino, at__gte=start, at__lt=end).order_by()
    if rule:
        refused = refused.filter(rule=rule)
    counted = refused.values("rule", "actor_id").annotate(
        n=Count("id"), full=Count("id", Q(nth=MOST_A_MINUTE))
    )
    for row in counted:
        one = found[row["rule"]]
        one.refused += row["n"]
        one.refused_to[row["actor_id"]] += row["n"]
        one.or_more = one.or_more or bool(row["full"])
    return found


def covered(
    casino: Casino,
    start: dt.datetime,
    end: dt.datetime,
    *,
    source: str = "",
    enforce: str = "",
    show: str = "",
) -> Iterator[Covered]:
    """The rules of the book in its order, narrowed by source, treatment and `SHOW`."""
    happened = evidence(casino, start, end)
    for entry in rulebook.rules().values():
        one = Covered(entry, tracing.trace(entry.id), happened.get(entry.id, Evidence()))
        if source in ("", entry.source) and enforce in ("", entry.enforce) and (not show or _is(one, show)):
            yield one


def _is(one: Covered, show: str) -> bool:
    state, what = one.trace.state, one.evidence
    return {
        "unenforced": not one.trace.code,
        "waiting": state == "waiting",
        "untested": not one.trace.tests,
        "never_applied": not what.applied,
        "never_refused": one.rule.enforce == "refuse" and not what.refused,
        "refused": bool(what.refused),
        "reasoned": bool(what.reasoned),
    }.get(show, True)


def names(counted: Mapping[int, int], casino: Casino) -> Text:
    """`Ana Rojas (3), Luis Paz (1)`: the most frequent first, the rest as a number."""
    return _words(counted, _actors(casino, counted))


def _actors(casino: Casino, ids: Mapping[int, int]) -> dict[int, Text]:
    return {one.pk: name_of(one) for one in Actor.objects.filter(casino=casino, pk__in=ids)}


def _words(counted: Mapping[int, int], actors: Mapping[int, Text]) -> Text:
    ranked = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    first, rest = ranked[:SHOWN_PEOPLE], len(ranked) - SHOWN_PEOPLE
    said = [
        ", ".join(f"{actors[pk].say(language)} ({times})" for pk, times in first if pk in actors)
        for language in ("es", "en")
    ]
    if rest > 0:
        return Text(f"{said[0]} y {rest} más", f"{said[1]} and {rest} more")
    return Text(*said)


def named(rows: list[Covered], casino: Casino) -> list[tuple[Covered, Text, Text]]:
    """The rules with who was refused and who decided, the people looked up once."""
    everyone: Counter[int] = Counter()
    for one in rows:
        everyone += one.evidence.refused_to + one.evidence.reasoned_by
    actors = _actors(casino, everyone)
    return [
        (one, _words(one.evidence.refused_to, actors), _words(one.evidence.reasoned_by, actors))
        for one in rows
    ]


def latest(
    casino: Casino, rule: str, since: dt.datetime, most: int = 12
) -> tuple[list[Event], list[Refusal]]:
    """The newest events and refusals under one rule."""
    events = Event.objects.filter(casino=casino, recorded__gte=since, rules__contains=[rule])
    events = events.select_related("actor", "stream")
    refusals = Refusal.objects.filter(casino=casino, rule=rule, at__gte=since).select_related("actor")
    return list(events.order_by("-recorded", "-id")[:most]), list(refusals.order_by("-id")[:most])
