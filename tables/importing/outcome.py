"""What a run comes to: counts, examples, the shoes of the file that cannot exist, the report."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO, Any

from audits.reports.formats.guard import safe
from shoes import cards
from shoes.points import points_of
from tables.games.baccarat.rules import DECKS_ALLOWED
from tables.importing.judging import Kind, Verdict

MOST_DECKS = max(DECKS_ALLOWED)

_LIMITS = [0] * 10
for _card, _number in cards.composition(cards.FRENCH52, MOST_DECKS).items():
    _LIMITS[points_of(_card)] += _number

REPORT_HEADING = ("line", "kind", "rule", "reason_es", "reason_en")


@dataclass
class Outcome:
    """Counts of a run. `counts` by kind, `codes` and `rules` of what was refused; `examples` the
    first few verdicts of each kind that has something to say."""

    most_examples: int = 5
    counts: Counter[Kind] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    examples: dict[Kind, list[Verdict]] = field(default_factory=dict)
    _values: dict[str, list[int]] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        self.counts[verdict.kind] += 1
        if verdict.kind is Kind.REFUSED:
            self.codes[verdict.code] += 1
            self.rules[verdict.rule or "-"] += 1
        if verdict.words is not None:
            shown = self.examples.setdefault(verdict.kind, [])
            if len(shown) < self.most_examples:
                shown.append(verdict)
        if verdict.shoe and verdict.drawn:
            seen = self._values.setdefault(verdict.shoe, [0] * 10)
            for card in verdict.drawn:
                seen[points_of(card)] += 1

    @property
    def rows(self) -> int:
        return self.counts.total()

    @property
    def imported(self) -> int:
        return self.counts[Kind.SOUND] + self.counts[Kind.LEFTOVER]

    @property
    def turned_away(self) -> int:
        """Rows that are not in the session and should make somebody look."""
        return self.counts[Kind.REFUSED] + self.counts[Kind.CONFLICT]

    def impossible_shoes(self) -> dict[str, dict[int, int]]:
        """Shoes of the file that counted more of a value than eight decks hold (CARD-42):
        shoe -> value -> how many came out."""
        found: dict[str, dict[int, int]] = {}
        for shoe, seen in self._values.items():
            over = {value: came for value, came in enumerate(seen) if came > _LIMITS[value]}
            if over:
                found[shoe] = over
        return found

    def as_data(self) -> dict[str, Any]:
        """For the summary event: integers and words only."""
        return {
            "imported": self.imported,
            "leftovers_ignored": self.counts[Kind.LEFTOVER],
            "refused": self.counts[Kind.REFUSED],
            "already": self.counts[Kind.ALREADY],
            "conflicts": self.counts[Kind.CONFLICT],
            "refused_by_rule": dict(sorted(self.rules.items())),
            "refused_by_code": dict(sorted(self.codes.items())),
            "impossible_shoes": len(self.impossible_shoes()),
        }


class Report:
    """The report file: one line per row that has something to say."""

    def __init__(self, file: IO[str]) -> None:
        self._out = csv.writer(file)
        self._out.writerow(REPORT_HEADING)

    def add(self, verdicts: Iterable[Verdict]) -> None:
        self._out.writerows(
            (v.line, v.kind.value, v.rule, safe(v.words.es), safe(v.words.en))
            for v in verdicts
            if v.words is not None
        )
