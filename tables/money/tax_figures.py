"""The taxes of a day, a month or any span: what each base is computed from, kept apart (REC-05), and the
taxes.

Chips sold at the cage and redeemed there come from receipts, voids against them, by the gaming day they were
made on. Chips sold at tables are the counted drops, by the day of their session. Prizes paid in money come
from whoever pays them (`register_prizes`: the pools). No final IJ is given before the operator chose a base
in writing (REC-02).
"""

from __future__ import annotations

import calendar
import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, Sum
from django.db.models.functions import Coalesce

from casino.models import Casino
from tables import floor_settings
from tables.games import registry
from tables.models import CageOperation, TableSession
from tables.money import differences, taxes
from tables.money.taxes import Inputs, Shares, Taxed

Kind = CageOperation.Kind
Prizes = Callable[[Casino, dt.date, dt.date], Mapping[dt.date, int]]
_prizes: list[Prizes] = []


@dataclass(frozen=True, slots=True)
class Figures:
    """The taxes of a span of gaming days, in centavos.

    `ij`: both bases, by their name. `chosen`: the base the operator chose in writing and by which document;
    empty until then, and the IJ is a provision on `provision_base`. `due_at_tables`: the IPJ that chips
    sold at tables would bear, which nobody withheld. `uncounted`: sessions whose drop is not counted yet;
    `exceptions`: incidents about sessions that are open still.
    """

    first: dt.date
    last: dt.date
    inputs: Inputs
    ipj: Shares
    ij: Mapping[str, Taxed]
    due_at_tables: int
    uncounted: int
    exceptions: int
    chosen: str
    document: str
    provision_base: str

    @property
    def final(self) -> bool:
        """Whether an IJ may be called final: a base was chosen, nothing is left to be counted, no exception
        is open (REC-08)."""
        return bool(self.chosen) and not self.uncounted and not self.exceptions

    @property
    def ij_due(self) -> Taxed:
        """The IJ on the chosen base, or the provision."""
        return self.ij[self.chosen or self.provision_base]


def register_prizes(prizes: Prizes) -> None:
    """Have `prizes(casino, first, last)` asked for prizes paid in money and not in chips, by gaming day."""
    if prizes not in _prizes:
        _prizes.append(prizes)


def of_day(casino: Casino, day: dt.date) -> Figures:
    """One gaming day: its IJ is a provision, rounded by itself (`tables.money.taxes`)."""
    return of_span(casino, day, day)


def of_month(casino: Casino, year: int, month: int) -> Figures:
    """The month, which is what is declared: the IJ computed once on the month's sums."""
    return of_span(casino, dt.date(year, month, 1), dt.date(year, month, calendar.monthrange(year, month)[1]))


def of_span(casino: Casino, first: dt.date, last: dt.date) -> Figures:
    """All days from `first` to `last`, both included."""
    total = sum(inputs_by_day(casino, first, last).values(), Inputs())
    chosen = floor_settings.settings_of(casino)
    return Figures(
        first=first,
        last=last,
        inputs=total,
        ipj=taxes.distributed(total.withheld),
        ij={base: taxes.ij(total, base) for base in taxes.bases()},
        due_at_tables=taxes.ipj(total.sold_tables).tax,
        uncounted=_sessions(casino, first, last).filter(drop=None).count(),
        exceptions=differences.open_about(casino.pk, _sessions(casino, first, last).values("pk")).count(),
        chosen=chosen.ij_base,
        document=chosen.ij_document,
        provision_base=taxes.provision_base(),
    )


def inputs_by_day(casino: Casino, first: dt.date, last: dt.date) -> dict[dt.date, Inputs]:
    """What any base is computed from, by gaming day in order; days without anything are left out (REC-05)."""
    found: defaultdict[dt.date, Inputs] = defaultdict(Inputs)
    for row in _receipts(casino, first, last):
        sign = -1 if row["series"] == CageOperation.VOID_SERIES else 1
        amount, day = sign * row["amount"], row["day__date"]
        if row["kind"] == Kind.SALE:
            found[day] += Inputs(sold_cage=amount, withheld=sign * row["tax"])
        elif row["kind"] == Kind.REDEMPTION:
            found[day] += Inputs(redeemed=amount)
    # As entered (FLOOR-14), and not before a table's boxes are counted: who counts may not see it (FLOOR-11).
    ring = [game.code for game in registry.GAMES.values() if game.bank != "house"]
    sums = (
        _sessions(casino, first, last)
        .values("day__date")
        .annotate(
            drop=Sum("drop"),
            deduction=Sum(Coalesce("deduction", "commission"), filter=Q(game__in=ring, result__isnull=False)),
        )
    )
    for row in sums.order_by("day__date"):
        found[row["day__date"]] += Inputs(sold_tables=row["drop"] or 0, deductions=row["deduction"] or 0)
    for prizes in _prizes:
        for day, amount in prizes(casino, first, last).items():
            found[day] = replace(found[day], prizes=found[day].prizes + amount)
    return {day: found[day] for day in sorted(found)}


def _receipts(casino: Casino, first: dt.date, last: dt.date) -> list[dict[str, Any]]:
    rows = CageOperation.objects.filter(casino=casino, day__date__range=(first, last))
    sums = rows.order_by().values("day__date", "kind", "series")
    return [dict(row) for row in sums.annotate(amount=Sum("amount"), tax=Sum("tax"))]


def _sessions(casino: Casino, first: dt.date, last: dt.date) -> Any:
    return TableSession.objects.filter(casino=casino, day__date__range=(first, last))
