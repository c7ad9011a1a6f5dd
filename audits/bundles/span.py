"""What a bundle covers: gaming days that are all sealed, the chains that moved in them, how far each goes.

Chains go up to the seal `through`, the last one when the bundle was asked for: a row about an old day may
rest on what was corrected since. A day without its seal cannot be proven, so no bundle is made of it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from audits.models import Seal, SealKey, SealLeaf, Stream
from audits.sealing.reading import Leaf, leaves_of
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino, GamingDay

MOST_NAMED = 5
MOST_EVENTS_TOGETHER = 20_000


@dataclass(slots=True)
class Span:
    """The days, the seals that matter, and `heads`: each sealed chain's events and last hash at `through`.

    `covered` are the chains that go into the bundle: those that moved, and those that rows rest on.
    """

    casino: Casino
    days: list[Seal]
    base: Seal | None
    through: Seal
    heads: dict[str, tuple[int, bytes]]
    ids: dict[str, int]
    covered: set[str] = field(default_factory=set)

    @property
    def first(self) -> dt.date:
        return self.days[0].day.date

    @property
    def last(self) -> dt.date:
        return self.days[-1].day.date

    def cover(self, names: Iterable[str]) -> None:
        """Chains a seal knows and that are there: of one deleted the verifier says it is missing."""
        self.covered.update(name for name in names if name in self.heads and name in self.ids)

    def chunks(self) -> Iterator[tuple[list[int], list[int]]]:
        """The covered chains in the order of the bundle, by id with how far each goes, some at a time."""
        ids: list[int] = []
        ends: list[int] = []
        for name in sorted(self.covered, key=str.encode):
            ids.append(self.ids[name])
            ends.append(self.heads[name][0])
            if sum(ends) >= MOST_EVENTS_TOGETHER:
                yield ids, ends
                ids, ends = [], []
        if ids:
            yield ids, ends

    def leaves(self) -> Iterator[tuple[str, Leaf]]:
        """What is needed to make the roots again: all leaves before the span, then what moved each day."""
        known: dict[str, int] = {}
        if self.base is not None:
            for leaf in leaves_of(self.base):
                known[leaf[0]] = leaf[1]
                yield str(self.base), leaf
        for seal in self.days:
            moved = SealLeaf.objects.filter(seal=seal).values_list("name", "seq", "hash")
            for name, seq, head in sorted(moved, key=lambda leaf: leaf[0].encode()):
                known[name] = seq
                yield str(seal), (name, seq, bytes(head))
        if self.through.pk != self.days[-1].pk:
            for name, seq, head in leaves_of(self.through):
                if known.get(name) != seq:
                    yield str(self.through), (name, seq, head)


def of(casino: Casino, first: dt.date, last: dt.date, through: dt.date) -> Span:
    """The span of those gaming days. Raises `Refused` (code `days_not_sealed`, REC-06) unless all of it
    is sealed, (`no_days`) where nothing happened in it.
    """
    happened = GamingDay.objects.filter(casino=casino, date__range=(first, last)).order_by("date")
    _refuse_unsealed([day.date for day in happened.filter(seal=None)])
    seals = Seal.objects.filter(casino=casino).select_related("day", "key", "casino")
    days = list(seals.filter(day__date__range=(first, last)).order_by("day__date"))
    if not days:
        raise Refused(
            Text(
                f"no hay días de juego del {first} al {last}",
                f"there are no gaming days from {first} to {last}",
            ),
            code="no_days",
            field="first",
        )
    end = seals.filter(day__date=through).first() or days[-1]
    span = Span(
        casino=casino,
        days=days,
        base=seals.filter(day__date__lt=days[0].day.date).order_by("-day__date").first(),
        through=end if end.day.date >= days[-1].day.date else days[-1],
        heads={},
        ids=dict(Stream.objects.filter(casino=casino).values_list("name", "id")),
    )
    span.heads = {name: (seq, head) for name, seq, head in leaves_of(span.through)}
    span.cover(SealLeaf.objects.filter(seal__in=days).values_list("name", flat=True).distinct())
    return span


def _refuse_unsealed(days: list[dt.date]) -> None:
    if not days:
        return
    named = ", ".join(map(str, days[:MOST_NAMED])) + (" …" if len(days) > MOST_NAMED else "")
    raise Refused(
        Text(
            f"sin sello: {named}. Sin él nada de esos días se puede probar: ciérrelos, espere a que se sellen"
            " (o corra manage.py seal_days) y pida el paquete otra vez, o pida sólo los días sellados",
            f"without a seal: {named}. Nothing of those days can be proven without it: close them, wait until"
            " they are sealed (or run manage.py seal_days) and ask for the bundle again, or ask only for"
            " days that are sealed",
        ),
        code="days_not_sealed",
        rule="REC-06",
        field="last",
    )


def seals_up_to(span: Span) -> list[Seal]:
    """Every seal of the house up to `through`, oldest first: each holds the root of the one before."""
    seals = Seal.objects.filter(casino=span.casino, day__date__lte=span.through.day.date)
    return list(seals.order_by("day__date"))


def keys_of(casino: Casino) -> list[SealKey]:
    """Every key the house signed with, each after the one that introduced it."""
    return list(SealKey.objects.filter(casino=casino).order_by("since", "id"))
