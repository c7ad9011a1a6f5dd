"""The prizes hit within a span of gaming days: before, paid, after, whose money, who verified (PP-31)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import Count, QuerySet, Sum

from audits import policies as audit_policies
from audits.persons.naming import PEOPLE
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Row, Section
from casino.kernel.words import Text
from casino.models import Casino
from jackpots.actions import FORMS, HANDS
from jackpots.models import Prize
from jackpots.naming import fund
from jackpots.reports.forms import PoolPeriodForm, pools_of

STATES: Mapping[str, Text] = {
    Prize.State.PENDING.value: Text("por verificar", "to be verified"),
    Prize.State.VERIFIED.value: Text("verificado", "verified"),
    Prize.State.PAID.value: Text("pagado", "paid"),
    Prize.State.REJECTED.value: Text("no confirmado", "not confirmed"),
}
_POOL = Column("pool", Text("Pozo", "Pool"))
_HAND = Column("hand", Text("Mano", "Hand"))
_AMOUNT = Column("amount", Text("Premio", "Prize"), Kind.MONEY)
_SOURCES = [
    Column("players", Text("De los jugadores", "Players' money"), Kind.MONEY),
    Column("base", Text("De la base", "Of the base"), Kind.MONEY),
    Column("reserve", Text("De la reserva", "Of the reserve"), Kind.MONEY),
    Column("house", Text("De la casa", "Of the house"), Kind.MONEY),
]
_PRIZES = [
    Column("label", Text("Premio n.º", "Prize no.")),
    _POOL,
    Column("at", Text("Cuándo", "When"), Kind.INSTANT),
    Column("table", Text("Mesa", "Table")),
    Column("round", Text("Pase", "Round"), Kind.INT),
    Column("seat", Text("Posición", "Position"), Kind.INT),
    _HAND,
    Column("level", Text("Nivel", "Level")),
    Column("before", Text("Había", "Before"), Kind.MONEY),
    _AMOUNT,
    Column("after", Text("Quedó", "After"), Kind.MONEY),
    *_SOURCES,
    Column("state", Text("Estado", "State")),
    Column("checked", Text("Verificaron", "Verified by")),
    Column("denied", Text("No confirmaron", "Not confirmed by")),
    Column("winner", Text("Ganador", "Winner")),
    Column("paid_at", Text("Pagado", "Paid"), Kind.INSTANT),
    Column("form", Text("Cómo", "How")),
    Column("paid_by", Text("Pagó", "Paid by")),
]
_BY_HAND = [
    _POOL,
    _HAND,
    Column("state", Text("Estado", "State")),
    Column("prizes", Text("Premios", "Prizes"), Kind.INT),
    _AMOUNT,
]


class PrizesReport(Report):
    """Each prize, and how many of each hand."""

    identifier = "jackpots.prizes"
    title = Text("Premios de los pozos progresivos", "Prizes of progressive pools")
    rules = ("PP-02", "PP-14", "PP-17", "PP-31")
    act = audit_policies.MAKE_REPORTS
    form = PoolPeriodForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        days = (params["first"], params["last"])
        rows = Prize.objects.filter(
            casino=casino, pool__in=pools_of(casino, params), session__day__date__range=days
        )
        return [
            Section(
                "prizes",
                self.title,
                _PRIZES,
                lambda: _prize_rows(rows),
                rows.count,
                totals=lambda: _totals(rows),
            ),
            Section("hands", Text("Por mano", "By hand"), _BY_HAND, lambda: _hand_rows(rows)),
        ]


def _prize_rows(rows: QuerySet[Prize]) -> Iterator[Row]:
    joined = rows.select_related("pool", "session__table", "round", "paid_by")
    for prize in joined.prefetch_related("checks__actor").order_by("year", "number"):
        yield {
            "label": prize.label,
            "pool": prize.pool.name,
            "at": prize.hit_at,
            "table": prize.session.table.name,
            "round": prize.round.number,
            "seat": prize.seat,
            "hand": HANDS[prize.hand],
            "level": fund(prize.level),
            "before": prize.before,
            "amount": prize.amount,
            "after": prize.after,
            **{name: getattr(prize, name) for name in ("players", "base", "reserve", "house")},
            "state": STATES[prize.state],
            "checked": _names(prize, holds=True),
            "denied": _names(prize, holds=False),
            "winner": prize.winner,
            "paid_at": prize.paid_at,
            "form": FORMS.get(prize.form, ""),
            "paid_by": prize.paid_by.name if prize.paid_by else "",
            PEOPLE: (("prize", prize.pk),) if prize.winner else (),
            EVENTS: of_prizes([(prize.pk, prize.hit_event_id)]),
        }


def of_prizes(prizes: Iterable[tuple[int, int]]) -> tuple[EventsOf, ...]:
    """The hit of each prize, and what was found, decided and paid; by its number and its hit's."""
    told = list(prizes)
    hits = EventsOf(ids=tuple(hit for _pk, hit in told))
    return hits, EventsOf(subject=("prize", tuple(pk for pk, _hit in told)))


def _names(prize: Prize, *, holds: bool) -> str:
    """Who found that it agrees, or that it does not."""
    return ", ".join(check.actor.name for check in prize.checks.all() if check.holds is holds)


def _totals(rows: QuerySet[Prize]) -> Row:
    """Of what stands: a prize that was not confirmed went back to its pool."""
    standing = rows.exclude(state=Prize.State.REJECTED)
    keys = ("amount", "players", "base", "reserve", "house")
    sums = standing.aggregate(**{f"sum_{key}": Sum(key, default=0) for key in keys})
    return {
        "label": Text("Total sin los no confirmados", "Total without those not confirmed"),
        **{key: sums[f"sum_{key}"] for key in keys},
    }


def _hand_rows(rows: QuerySet[Prize]) -> Iterator[Row]:
    told = rows.values_list("pool__name", "hand", "state").annotate(number=Count("pk"), total=Sum("amount"))
    for pool, hand, state, number, total in told.order_by("pool__name", "hand", "state"):
        behind = rows.filter(pool__name=pool, hand=hand, state=state).order_by("pk")
        yield {
            "pool": pool,
            "hand": HANDS[hand],
            "state": STATES[state],
            "prizes": number,
            "amount": total,
            EVENTS: partial(_behind, behind),
        }


def _behind(prizes: QuerySet[Prize]) -> tuple[EventsOf, ...]:
    return of_prizes(prizes.values_list("pk", "hit_event"))
