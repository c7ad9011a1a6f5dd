"""The floor as a login may see it: tiles out of one look, with the alerts kept of each table."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q

from audits.by import name_of
from casino.kernel import permissions
from casino.kernel.words import Text
from casino.models import Casino, User
from tables import duties, felt, policies
from tables.alerts.causes import Cause
from tables.games import registry
from tables.models import Alert as Kept
from tables.models import Pit, Table
from tables.money import box_seeing
from tables.overview import standing, sums
from tables.overview.shown import Alert, Floor, Money, Tile
from tables.overview.sight import Sight, look, rounds_in_progress, tallies
from tables.queries import POST_NAMES
from tables.roster.rota.asking import next_reliefs
from tables.seeing import seen_among


@dataclass(frozen=True, slots=True)
class Chosen:
    """What of the floor a screen asks for: pits by id (none: all), those first in the list, only alerts."""

    pits: Collection[int] = ()
    first: Collection[int] = ()
    alerts_only: bool = False


ALL = Chosen()
SOON = dt.timedelta(minutes=30)
"""So long before its time the plan's next relief is on the tile."""


def floor(user: User, instant: dt.datetime, chosen: Chosen = ALL) -> Floor:
    """The floor as `user` may see it at `instant` (UTC)."""
    if not permissions.may(user, policies.READ_FLOOR):
        return Floor((), user.casino.gaming_day(instant), 0, 0, None, 0, 0)
    sight = look(user.casino, instant)
    kept, general = _kept(user.casino, {table.pk for table in sight.tables})
    tiles = _tiles(user, sight, kept)
    reads_money = permissions.may(user, policies.READ_MONEY)
    money = sums.money_of(sight.casino, sight.today) if reads_money else None
    summed = _summed(sight, tiles, tuple(_general(alert) for alert in general), money)
    return replace(summed, pits=_by_pit(tiles, chosen), uncounted=sums.uncounted(user))


def _tiles(user: User, sight: Sight, kept: Mapping[int, Sequence[Kept]]) -> list[Tile]:
    busy = rounds_in_progress(sight.casino)
    won = tallies([session for session in sight.sessions.values() if session.live])
    seen = seen_among(user, sight.sessions.values())
    coming = next_reliefs(sight.casino, sight.instant, SOON, sight.dealing())
    theirs = duties.pits_of(user)
    reads_money = permissions.may(user, policies.READ_MONEY)
    found = []
    for table in sight.tables:
        tile = _tile(sight, table, busy, won)
        alerts = tuple(_alerts(standing.causes(sight, table), kept.get(table.pk, ())))
        may_look = tile.session is not None and tile.session.pk in seen
        mine = not theirs or table.pit_id in theirs
        tile = replace(tile, alerts=alerts, may_look=may_look, theirs=mine, relief=coming.get(table.pk))
        if box_seeing.blind(user):
            tile = replace(tile, house=sums.on_bets(tile.session, blind=True))
        found.append(tile if reads_money else replace(tile, house=None, result=None))
    return found


def _tile(sight: Sight, table: Table, busy: Mapping[int, int], won: Mapping[int, Mapping[str, int]]) -> Tile:
    session = sight.session_of(table)
    limits = sight.limits.get(table.pk)
    common: dict[str, Any] = {
        "table": table,
        "game": table.game,
        "limits": felt.main_limits(registry.game(table.game), limits.spots) if limits is not None else None,
        "waiting": sight.waiting.get(table.pk, 0),
    }
    if session is None or not session.live:
        told = session if session is not None and session.day.date == sight.today else None
        return Tile(
            session=told,
            house=sums.on_bets(told),
            result=told.result if told else None,
            closed_at=told.closed_at if told else None,
            round=told.rounds_settled if told else 0,
            **common,
        )
    dealer, held = sight.dealer_of(session), sight.posts.get(session.pk, ())
    minutes = sight.minutes_of(dealer) if dealer else 0
    return Tile(
        session=session,
        dealer=dealer.staff.name if dealer else "",
        dealer_post=POST_NAMES[dealer.post if dealer else "dealer"],
        dealer_minutes=minutes,
        minutes_left=sight.most_minutes - minutes,
        supervisor=next((turn.staff.name for turn in held if turn.post == "supervisor"), ""),
        round=busy.get(session.pk, session.last_round),
        in_progress=session.pk in busy,
        house=sums.on_bets(session),
        tally=won.get(session.pk, {}),
        shoe=session.shoe,
        seated=sight.seated.get(session.pk, 0),
        slips=sight.slips.get(session.pk, (0, 0)),
        bank=sight.banks.get(session.pk),
        **common,
    )


def _kept(casino: Casino, shown: Collection[int]) -> tuple[dict[int, list[Kept]], list[Kept]]:
    """The alerts that wait or last, by table; and those of no table that is shown: one taken out of service
    still has its box counted late.
    """
    by_table: dict[int, list[Kept]] = defaultdict(list)
    general: list[Kept] = []
    rows = Kept.objects.filter(Q(acknowledged_at=None) | Q(cleared_at=None), casino=casino)
    for alert in rows.select_related("acknowledged_by", "table").order_by("raised_at", "pk"):
        if alert.table_id is not None and alert.table_id in shown:
            by_table[alert.table_id].append(alert)
        else:
            general.append(alert)
    return by_table, general


def _alerts(causes: Iterable[Cause], kept: Sequence[Kept]) -> Iterable[Alert]:
    """What stands now, each with its kept row; then what is kept of other subjects, or is over already."""
    rows = {alert.key: alert for alert in kept if not alert.over}
    for cause in causes:
        row = rows.pop(cause.key, None)
        now = Alert(cause.level, cause.words, cause.rule)
        if row is not None:
            now = replace(now, pk=row.pk, since=row.raised_at, seen_by=_who(row))
        yield now
    last = [alert for alert in kept if alert.over or alert.key in rows]
    for alert in sorted(last, key=lambda one: (one.over, one.level != "bad")):
        told = _told(alert)
        if told.over and told.seen_by:
            continue  # acknowledged, and gone since the last look
        yield told


def _general(alert: Kept) -> Alert:
    """One of no table on the floor, with what it is about."""
    return replace(_told(alert), about=alert.table.name if alert.table else alert.subject)


def _told(alert: Kept) -> Alert:
    """A kept alert as it is shown: one of a kind that a look tells of, and did not, is over by now."""
    return Alert(
        "warn" if alert.over or alert.kind in standing.KINDS else alert.level,
        Text(alert.words_es, alert.words_en),
        alert.rule,
        pk=alert.pk,
        since=alert.raised_at,
        seen_by=_who(alert),
        over=alert.over or alert.kind in standing.KINDS,
        about=alert.subject,
    )


def _who(alert: Kept) -> str:
    return name_of(alert.acknowledged_by).es if alert.acknowledged_by is not None else ""


def _by_pit(tiles: Sequence[Tile], chosen: Chosen) -> tuple[tuple[Pit, tuple[Tile, ...]], ...]:
    """The tiles asked for, by pit; the pits of `first` before the others."""
    pits: dict[int, tuple[Pit, list[Tile]]] = {}
    for tile in tiles:
        if chosen.pits and tile.table.pit_id not in chosen.pits:
            continue
        if chosen.alerts_only and not tile.alerts:
            continue
        pits.setdefault(tile.table.pit_id, (tile.table.pit, []))[1].append(tile)
    ordered = sorted(pits.values(), key=lambda found: found[0].pk not in chosen.first)
    return tuple((pit, tuple(found)) for pit, found in ordered)


def _summed(sight: Sight, tiles: Sequence[Tile], general: tuple[Alert, ...], money: Money | None) -> Floor:
    alerts = [alert.level for tile in tiles for alert in tile.alerts if alert.waits]
    alerts += [alert.level for alert in general if alert.waits]
    return Floor(
        pits=(),
        day=sight.today,
        open=sum(tile.open for tile in tiles),
        tables=len(tiles),
        money=money,
        warnings=alerts.count("warn"),
        stops=alerts.count("bad"),
        general=tuple(alert for alert in general if not (alert.over and alert.seen_by)),
        all_pits=tuple({tile.table.pit_id: tile.table.pit for tile in tiles}.values()),
    )
