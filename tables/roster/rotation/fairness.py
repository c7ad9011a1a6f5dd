"""The fairness ledger: who has worked more or less than their share, carried from night to night. Pure sums.

A share is by time present: of all minutes worked, as many as somebody was there. What lies above is a
credit (+), below a debt (-); over everybody a night adds up to nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tables.roster.rotation.problem import Credit

WEIGHT = 100
"""The weight of an ordinary table in hundredths."""


@dataclass(frozen=True, slots=True)
class Worked:
    """Minutes somebody worked in a pit; `weight` in hundredths: how hard the table is (150: by half)."""

    person: str
    minutes: int
    pit: str = ""
    weight: int = WEIGHT

    @property
    def weighed(self) -> int:
        """Minutes by weight, halves to even: the sum of many is not carried off to one side."""
        return round(self.minutes * self.weight / WEIGHT)


def shares(total: int, present: Mapping[str, int]) -> dict[str, int]:
    """`total` minutes over everybody by minutes present: whole minutes whose sum is `total`.

    What does not divide goes to the largest remainders, in the order of `present` where they are alike.
    Nobody present: everyone's share is 0.
    """
    everyone = sum(present.values())
    if not everyone:
        return dict.fromkeys(present, 0)
    found = {person: total * minutes // everyone for person, minutes in present.items()}
    rest = total - sum(found.values())
    for person in sorted(present, key=lambda one: -(total * present[one] % everyone))[:rest]:
        found[person] += 1
    return found


def carried(
    credits: Mapping[str, Credit], worked: Iterable[Worked], present: Mapping[str, int]
) -> dict[str, Credit]:
    """The ledger after a night: past credits, and what each worked above their share, in all and by pit.

    `present` are minutes by person; whoever worked is in it. Whoever was away keeps their credit as it was.
    """
    by_pit: dict[str, Counter[str]] = {}
    for turn in worked:
        by_pit.setdefault(turn.pit, Counter())[turn.person] += turn.weighed
    everybody = dict.fromkeys([*credits, *present])
    above = {pit: _above(done, present) for pit, done in sorted(by_pit.items())}
    found = {}
    for person in everybody:
        before = credits.get(person, Credit())
        pits = Counter(before.pits)
        for pit, minutes in above.items():
            pits[pit] += minutes.get(person, 0)
        gained = sum(minutes.get(person, 0) for minutes in above.values())
        kept = {pit: minutes for pit, minutes in sorted(pits.items()) if minutes}
        found[person] = Credit(before.minutes + gained, kept)
    return found


def _above(done: Mapping[str, int], present: Mapping[str, int]) -> dict[str, int]:
    share = shares(sum(done.values()), present)
    return {person: done.get(person, 0) - minutes for person, minutes in share.items()}
