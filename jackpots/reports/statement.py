"""The statement of progressive pools: what each took in and gave out, and what is in it (PP-28)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audits import policies as audit_policies
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Row, Section
from casino.kernel.words import Text
from casino.models import Casino
from jackpots import saying
from jackpots.models import Pool
from jackpots.reports import figures
from jackpots.reports.figures import Flow
from jackpots.reports.forms import PoolPeriodForm, pools_of

_POOL = Column("pool", Text("Pozo", "Pool"))
_DAY = Column("day", Text("Día de juego", "Gaming day"), Kind.DAY)
_INITIAL = Column("initial", Text("Saldo inicial", "Initial balance"), Kind.MONEY)
_FLOWS = [
    _INITIAL,
    Column("collected", Text("Recaudado", "Collected"), Kind.MONEY),
    Column("commission", Text("Comisión", "Commission"), Kind.MONEY),
    Column("residue", Text("Al residuo", "To the residue"), Kind.MONEY),
    Column("contributions", Text("Incrementos", "Increments"), Kind.MONEY),
    Column("house", Text("Puesto por la casa", "Put in by the house"), Kind.MONEY),
    Column("prizes", Text("Premios", "Prizes"), Kind.MONEY),
    Column("transfers", Text("Traslados", "Transfers"), Kind.MONEY),
    Column("other", Text("Otros", "Other"), Kind.MONEY),
    Column("balance", Text("Saldo final", "Final balance"), Kind.MONEY),
]
_STANDS = [
    Column("levels", Text("Mostrado", "Shown"), Kind.MONEY),
    Column("base", Text("Base de la casa", "House's base"), Kind.MONEY),
    Column("reserve", Text("Reserva", "Reserve"), Kind.MONEY),
    Column("pending", Text("Premios sin pagar", "Prizes not paid"), Kind.MONEY),
]
_ACCOUNTS = [
    _POOL,
    Column("account", Text("Cuenta", "Account")),
    Column("code", Text("Código en el libro", "Code in the ledger")),
    Column("balance", Text("Saldo", "Balance"), Kind.MONEY),
]
_SUMMED = (*(column.key for column in (*_FLOWS, *_STANDS)),)


class StatementReport(Report):
    """Initial balance, plus increments and what the house put in, less prizes, is the final one (PP-28)."""

    identifier = "jackpots.statement"
    title = Text("Estado de los pozos progresivos", "Statement of progressive pools")
    rules = ("PP-18", "PP-21", "PP-28", "PP-33")
    act = audit_policies.MAKE_REPORTS
    form = PoolPeriodForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        pools = list(pools_of(casino, params))
        first, last = params["first"], params["last"]
        return [
            Section(
                "pools",
                Text("Pozos", "Pools"),
                [_POOL, *_FLOWS, *_STANDS],
                lambda: _pool_rows(pools, first, last),
                lambda: len(pools),
                totals=lambda: _totals(pools, first, last),
            ),
            Section(
                "days",
                Text("Por día de juego", "By gaming day"),
                [_POOL, _DAY, *_FLOWS, *_STANDS],
                lambda: _day_rows(pools, first, last),
            ),
            Section(
                "accounts",
                Text("Cuentas al cierre", "Accounts at the end"),
                _ACCOUNTS,
                lambda: _account_rows(pools, last),
            ),
        ]


def _row(flow: Flow) -> dict[str, Any]:
    return {key: getattr(flow, key) for key in _SUMMED}


def _pool_rows(pools: Sequence[Pool], first: dt.date, last: dt.date) -> Iterator[Row]:
    for pool in pools:
        flow = figures.of_span(pool, first, last)
        yield {"pool": pool.name, **_row(flow), EVENTS: _behind(pool, first, last, moved=bool(flow.days))}


def _behind(pool: Pool, first: dt.date, last: dt.date, *, moved: bool = True) -> EventsOf:
    """What moved a pool's accounts within the days; where nothing did, all that made them what they are."""
    accounts = figures.accounts_of(pool)
    if not accounts:  # nothing ever moved
        return EventsOf(streams=(pool.stream,))
    return EventsOf(accounts=accounts, days=(first if moved else dt.date.min, last))


def _totals(pools: Sequence[Pool], first: dt.date, last: dt.date) -> Row:
    rows = [_row(figures.of_span(pool, first, last)) for pool in pools]
    return {"pool": Text("Total", "Total"), **{key: sum(row[key] for row in rows) for key in _SUMMED}}


def _day_rows(pools: Sequence[Pool], first: dt.date, last: dt.date) -> Iterator[Row]:
    for pool in pools:
        for day, flow in figures.by_day(pool, first, last).items():
            yield {"pool": pool.name, "day": day, **_row(flow), EVENTS: _behind(pool, day, day)}


def _account_rows(pools: Sequence[Pool], last: dt.date) -> Iterator[Row]:
    for pool in pools:
        for code, amount in figures.balances(pool, last).items():
            told = {"pool": pool.name, "account": _account(pool, code), "code": code, "balance": amount}
            yield {**told, EVENTS: EventsOf(accounts=(code,), days=(dt.date.min, last))}


def _account(pool: Pool, code: str) -> Text:
    """What an account of a pool is called."""
    if code == pool.commission_account:
        return saying.fund("commission")
    if code == pool.house_account:
        return Text("puesto por la casa", "put in by the house")
    if code == pool.plan_account:
        return Text("salió como dice su plan aprobado", "left as its approved plan says")
    return saying.account(code.removeprefix(f"{pool.stream}:"))
