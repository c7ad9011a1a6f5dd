"""Which tables feed a pool, and since when (PP-05, PP-06); with the notice of the configuration drafted."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from audits import filings
from audits.by import By
from audits.models import Filing
from casino.kernel import locking, rulebook
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from jackpots import filings as asked
from jackpots import policies, pools
from jackpots.holding import GAMES, hold_pool
from jackpots.models import Bet, Pool, PoolTable, SeatCredits
from tables.games.base import Detail
from tables.holding import move_on, out_of_order
from tables.models import Table, TableSession


@command(policies.SET_POOL, setting=True)
def link_table(*, pool: Pool, table: Table, by: By) -> PoolTable:
    """A table feeds the pool from now on; the notice to the AJ is drafted (PP-06). Needs a reason.

    Raises `RuleViolation` PP-05 (`not_a_pool_game`), `Conflict` (`table_linked`, `table_in_play`,
    `not_logged_in_full`, `pool_retired`).
    """
    by.need_reason()
    sessions = _hold_table(table)
    held = hold_pool(pool.pk)
    if held.pool.state == Pool.State.RETIRED:
        raise Conflict(
            Text(f"{held.pool.name} está retirado", f"{held.pool.name} is retired"),
            code="pool_retired",
            rule="PP-32",
        )
    _require_fit(table)
    _note_on(sessions, by)
    made = PoolTable.objects.create(
        casino=by.casino,
        pool=held.pool,
        table=table,
        during=DateTimeTZRange(by.occurred_at, None),
    )
    notice = _draft_notice(held.pool, by)
    data = {"table": table.name, "table_id": table.pk, "game": table.game, "notice": notice.label}
    pools.tell("jackpots.table.linked", held.pool, by, data, ["PP-05", "PP-06"])
    return made


@command(policies.SET_POOL, setting=True)
def unlink_table(*, member: PoolTable, by: By) -> PoolTable:
    """A table feeds the pool no more. Needs a reason. Raises `Conflict` (`credits_left`, `not_linked`)."""
    by.need_reason()
    sessions = _hold_table(member.table)
    held = hold_pool(member.pool_id)
    found = PoolTable.objects.select_related("table").get(pk=member.pk)
    if found.during.upper is not None:
        raise Conflict(
            Text("esa mesa ya no alimenta el pozo", "that table feeds the pool no more"),
            code="not_linked",
            rule="PP-06",
        )
    live = TableSession.objects.filter(table=found.table, state__in=TableSession.LIVE)
    waiting = Bet.objects.filter(session__in=live, state=Bet.State.PLACED)
    left = SeatCredits.objects.filter(session__in=live, amount__gt=0)
    if waiting.exists() or left.exists():
        raise Conflict(
            Text(
                "la mesa tiene créditos o apuestas del progresivo: devuélvalos o juegue el pase antes",
                "the table has progressive credits or bets: return them or play the round first",
            ),
            code="credits_left",
            rule="PP-09",
        )
    if by.occurred_at <= found.during.lower:
        raise out_of_order(by.casino, found.during.lower)
    _note_on(sessions, by)
    found.during = DateTimeTZRange(found.during.lower, by.occurred_at)
    found.save(update_fields=["during"])
    notice = _draft_notice(held.pool, by)
    data = {"table": found.table.name, "table_id": found.table_id, "notice": notice.label}
    pools.tell("jackpots.table.unlinked", held.pool, by, data, ["PP-06"])
    return found


def unreported(pool: Pool) -> bool:
    """Whether its present tables are not those last reported to the AJ (PP-06)."""
    told = Filing.objects.filter(
        casino_id=pool.casino_id,
        kind=asked.TABLES,
        subject_type="pool",
        subject_id=pool.pk,
        state__in=(Filing.State.PRESENTED, Filing.State.APPROVED),
    )
    newest = told.order_by("-pk").first()
    return (newest.facts.get("tables") if newest else []) != _tables_now(pool)


def notice_facts(pool: Pool) -> dict[str, list[list[str]]]:
    """What a notice says of its present tables, so that it is known to be reported."""
    return {"tables": _tables_now(pool)}


def _tables_now(pool: Pool) -> list[list[str]]:
    now = pool.members.filter(during__endswith=None).select_related("table")
    return [[one.table.name, one.table.game] for one in now.order_by("table__name")]


def require_unlinked(table: Table, game: str, detail: str) -> None:
    """Raises `Conflict` (`table_linked`): a table that feeds a pool keeps its game and logs its bets."""
    if game == table.game and detail == Detail.FULL:
        return
    member = PoolTable.objects.filter(table=table, during__endswith=None).select_related("pool").first()
    if member is not None and (game not in GAMES or detail != Detail.FULL):
        raise Conflict(
            Text(
                f"{table.name} alimenta {member.pool.name}: desconéctela del pozo antes de cambiar su juego o"
                " lo que anota",
                f"{table.name} feeds {member.pool.name}: unlink it from the pool before changing its game or"
                " what it logs",
            ),
            code="table_linked",
            rule="PP-05",
            field="game",
        )


def _hold_table(table: Table) -> list[TableSession]:
    """Its open session, if any, so that no bet is placed or settled meanwhile."""
    locking.taking(locking.Rank.SESSION)
    live = TableSession.objects.filter(table=table, state__in=TableSession.LIVE)
    return list(live.select_for_update(of=("self",), no_key=True))


def _note_on(sessions: list[TableSession], by: By) -> None:
    """Nothing is said to have happened at the table before it was linked or unlinked, from now on."""
    for session in sessions:
        move_on(session, by)
        session.save(update_fields=["last_at"])


def _require_fit(table: Table) -> None:
    if table.game not in GAMES:
        raise RuleViolation(
            "PP-05",
            Text(
                f"{table.name} es de otro juego: el progresivo es de Draw Poker, Caribbean Poker y Go Poker",
                f"{table.name} plays another game: the progressive is for Draw, Caribbean and Go Poker",
            ),
            code="not_a_pool_game",
            field="table",
        )
    if table.detail != "full":
        raise Conflict(
            Text(
                f"{table.name} no anota las apuestas: póngala en detalle completo antes",
                f"{table.name} does not log bets: set it to full detail first",
            ),
            code="not_logged_in_full",
            rule="PP-02",
            field="table",
        )


def _draft_notice(pool: Pool, by: By) -> Filing:
    tables = _tables_now(pool)
    listed = ", ".join(f"{name} ({rulebook.game(game).name.es})" for name, game in tables) or "ninguna"
    at = by.occurred_at.astimezone(ZoneInfo(by.casino.zone))
    return filings.drafted(
        kind=asked.TABLES,
        subject=asked.about_pool(pool),
        text=f"Mesas conectadas al pozo «{pool.name}» desde el {at:%d/%m/%Y} a las {at:%H:%M}: {listed}.",
        by=by,
        facts=notice_facts(pool),
    )


def _linked() -> Conflict:
    return Conflict(
        Text(
            "esa mesa ya alimenta un pozo: desconéctela antes",
            "that table feeds a pool already: unlink it first",
        ),
        code="table_linked",
        rule="PP-06",
        field="table",
    )


explain_constraint("one_pool_per_table", _linked)
