"""The meters the AJ's inspector reads off the displays, against what the pool's book holds (REC-11)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from audits.by import By
from audits.inspections.subjects import Countable, Expected, Target, Unit, register_countable
from audits.trail import Subject
from casino.kernel import locking
from casino.kernel.errors import NotFound
from casino.kernel.words import Text
from casino.models import Casino
from jackpots.models import Fund, Pool
from jackpots.naming import fund as fund_name

_BASIS = Text(
    "lo que el pozo tiene en ese nivel: de los jugadores más la base de la casa",
    "what the pool holds at that level: the players' and the house's base",
)


def meters(casino: Casino) -> Sequence[Target]:
    """Every level that a display shows."""
    return [Target(fund.pk, _label(fund)) for fund in _shown(casino).order_by("pool__name", "pk")]


def expected_meter(fund_id: int, aside: int | None, by: By) -> Expected:
    """What a level's meter should show now. Raises `NotFound`."""
    found = _shown(by.casino).filter(pk=fund_id).first()
    if found is None:
        raise NotFound(
            Text("ese medidor no se muestra ahora", "that meter is not shown now"),
            code="no_meter",
            field="target",
        )
    locking.taking(locking.Rank.POOL)
    pool = Pool.objects.select_for_update(of=("self",), no_key=True).get(pk=found.pool_id)
    found.refresh_from_db()
    return Expected(
        Subject("fund", found.pk, _label(found)),
        found.shown,
        _BASIS,
        {"players": found.players, "base": found.base, "bets": pool.bets},
    )


def _shown(casino: Casino) -> QuerySet[Fund]:
    off = (Pool.State.DRAFT, Pool.State.RETIRED)
    rows = Fund.objects.filter(casino=casino, reserve=False).exclude(pool__state__in=off)
    return rows.select_related("pool")


def _label(fund: Fund) -> str:
    return f"{fund.pool.name}, {fund_name(fund.code).es}"[:120]


def register() -> None:
    register_countable(
        Countable(
            "jackpots.meter",
            Text("medidor del pozo", "the pool's meter"),
            Unit.MONEY,
            meters,
            expected_meter,
        )
    )
