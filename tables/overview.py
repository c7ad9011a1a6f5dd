"""The floor: every table at a glance and the day in figures, in a fixed number of queries.

Nothing here decides anything; what a screen shows as an alert is the flag a rule asks for.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Count, F, Q, Sum

from audits.models import Incident
from casino.kernel import permissions, rulebook
from casino.kernel.words import Text
from casino.models import Casino, User
from shoes.counting import keeps_stop_card
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables import crew, felt, keys, policies
from tables.discards import gathered_too_many
from tables.games import registry
from tables.models import Assignment, BetLimits, GameRules, Pit, Round, Table, TableSession
from tables.queries import POST_NAMES
from tables.seeing import seen_among

MOST_SIDES = 6
"""A game that can end in more ways has no tally on the floor."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Something to attend at a table. `level`: warn, or bad where play has to stop."""

    level: str
    text: Text
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the floor. Amounts in smallest units, minutes whole, instants UTC.

    `house`: what the bets left so far, None where they are not logged; `result`: the counted result, None
    until its drop is counted. Both None for whoever may not read money. `may_look`: whether who asks may
    read this session.
    """

    table: Table
    game: str
    session: TableSession | None
    limits: tuple[int, int] | None
    dealer: str = ""
    dealer_post: Text = POST_NAMES["dealer"]
    dealer_minutes: int = 0
    supervisor: str = ""
    round: int = 0
    in_progress: bool = False
    house: int | None = None
    result: int | None = None
    tally: Mapping[str, int] = field(default_factory=dict)
    shoe: Shoe | None = None
    closed_at: dt.datetime | None = None
    may_look: bool = False
    alerts: tuple[Alert, ...] = ()

    @property
    def open(self) -> bool:
        return self.session is not None and self.session.live

    @property
    def level(self) -> str:
        """The worst of its alerts: bad, warn, open or closed."""
        levels = {alert.level for alert in self.alerts}
        return "bad" if "bad" in levels else "warn" if "warn" in levels else "open" if self.open else "closed"

    @property
    def ended(self) -> tuple[tuple[str, str, int], ...]:
        """How often each side won, as code, sign and number; none where a game can end in many ways."""
        game = registry.game(self.game)
        if not self.tally or len(game.winners) > MOST_SIDES:
            return ()
        return tuple((code, keys.sign_of(game, code), self.tally.get(code, 0)) for code in game.winners)

    @property
    def used(self) -> int:
        """Cards gone from the shoe."""
        return self.shoe.total - self.shoe.remaining if self.shoe else 0


@dataclass(frozen=True, slots=True)
class Money:
    """The day's money, smallest units, over all its sessions: the same sums as the day's report.

    `staked` and `house` (staked less returned) over those of house games that log bets, None without any:
    what players win of one another is not the house's to net; `result`
    (FLOOR-12) over the `counted` ones of `sessions`, None without any, and so `drop`.
    """

    staked: int | None
    house: int | None
    result: int | None
    drop: int | None
    counted: int
    sessions: int


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A closed session whose drop is not recorded yet: it holds its day (REC-08, FLOOR-12)."""

    pk: int
    label: str


@dataclass(frozen=True, slots=True)
class Floor:
    """The floor: its pits with their tiles, and the day in figures (None for who may not read money)."""

    pits: tuple[tuple[Pit, tuple[Tile, ...]], ...]
    day: dt.date
    open: int
    tables: int
    money: Money | None
    warnings: int
    stops: int
    uncounted: tuple[Uncounted, ...] = ()


def floor(user: User, instant: dt.datetime) -> Floor:
    """The floor as `user` may see it at `instant` (UTC)."""
    casino = user.casino
    tables = list(
        Table.objects.restrict(user, policies.READ_FLOOR)
        .filter(Q(active=True) | Q(sessions__state__in=TableSession.LIVE))
        .select_related("pit")
        .order_by("pit__position", "pit__name", "name")
        .distinct()
    )
    sessions = _last_sessions(casino)
    posts = _posts(casino)
    busy = _rounds_in_progress(casino)
    limits = _limits_in_force(casino, instant)
    ruled = _games_with_rules(casino, instant)
    stopped = _stopped(casino)
    tallies = _tallies([session for session in sessions.values() if session.live])
    today = casino.gaming_day(instant)
    seen, reads_money = seen_among(user, sessions.values()), permissions.may(user, policies.READ_MONEY)
    pits: dict[int, tuple[Pit, list[Tile]]] = {}
    for table in tables:
        session = sessions.get(table.pk)
        held = posts.get(session.pk, []) if session else []
        tile = _tile(
            table, session, held, limits.get(table.pk), busy, tallies, instant, today, ruled, stopped
        )
        tile = replace(tile, may_look=session is not None and session.pk in seen)
        if not reads_money:
            tile = replace(tile, house=None, result=None)
        pits.setdefault(table.pit_id, (table.pit, []))[1].append(tile)
    shown = tuple((pit, tuple(tiles)) for pit, tiles in pits.values())
    summed = _summed(today, shown, _money(casino, today) if reads_money else None)
    return replace(summed, uncounted=_uncounted(user))


def _tile(
    table: Table,
    session: TableSession | None,
    held: Sequence[Assignment],
    limits: BetLimits | None,
    busy: Mapping[int, int],
    tallies: Mapping[int, Mapping[str, int]],
    instant: dt.datetime,
    today: dt.date,
    ruled: Set[str],
    stopped: Mapping[str, str],
) -> Tile:
    common: dict[str, Any] = {"table": table, "game": table.game, "limits": _range(table.game, limits)}
    if session is None or not session.live:
        told = session if session is not None and session.day.date == today else None
        return Tile(
            session=told,
            house=_on_bets(told),
            result=told.result if told else None,
            closed_at=told.closed_at if told else None,
            round=told.rounds_settled if told else 0,
            alerts=tuple(_unready(table, limits, ruled)),
            **common,
        )
    dealer = next((a for a in held if a.post in Assignment.DEALING), None)
    minutes = int((instant - dealer.during.lower).total_seconds() // 60) if dealer else 0
    return Tile(
        session=session,
        dealer=dealer.staff.name if dealer else "",
        dealer_post=POST_NAMES[dealer.post if dealer else "dealer"],
        dealer_minutes=minutes,
        supervisor=next((a.staff.name for a in held if a.post == "supervisor"), ""),
        round=busy.get(session.pk, session.last_round),
        in_progress=session.pk in busy,
        house=_on_bets(session),
        tally=tallies.get(session.pk, {}),
        shoe=session.shoe,
        alerts=(
            *_frozen(stopped.get(table.name)),
            *_of_cards(session),
            *_alerts(session, held, minutes if dealer else None, today),
        ),
        **common,
    )


_NO_RULES = Text("sin reglas publicadas", "no rules published")
_NO_LIMITS = Text("sin límites publicados", "no limits published")


def _unready(table: Table, limits: BetLimits | None, ruled: Set[str]) -> Iterable[Alert]:
    """What keeps a closed table from being opened: GEN-03, GEN-04."""
    if table.game not in ruled:
        yield Alert("warn", _NO_RULES, "GEN-03")
    if limits is None:
        yield Alert("warn", _NO_LIMITS, "GEN-04")


def _frozen(incident: str | None) -> Iterable[Alert]:
    if incident:
        words = Text("detenida por {incident}", "stopped by {incident}").fill(incident=incident)
        yield Alert("bad", words, "GEN-08")


def _of_cards(session: TableSession) -> Iterable[Alert]:
    """CARD-38 and the like, where no other round may be opened; CARD-34."""
    shoe = session.shoe
    if not registry.game(session.game).deck_type:
        return
    if shoe is None or shoe.state != Shoe.State.IN_PLAY:
        words = Text("falta el sabot: no se abre otro pase", "no shoe: no round may be opened")
        yield Alert("bad", words, procedure_of(session.game).stop_rule)
        return
    most, rule = gathered_too_many(shoe)
    if most:
        words = Text("el descartador reúne {n} cartas", "the discard holder has {n} cards")
        yield Alert("warn", words.fill(n=shoe.discarded), rule)
    if shoe.stop_reached and keeps_stop_card(shoe):
        words = Text("salió la detención: ponga otro sabot", "the stop card came out: load another shoe")
        yield Alert("bad", words, procedure_of(session.game).stop_rule)


def _alerts(
    session: TableSession, held: Sequence[Assignment], minutes: int | None, today: dt.date
) -> Iterable[Alert]:
    """What FLOOR-02, FLOOR-03 and REC-08 flag at an open table, the gravest first."""
    most = rulebook.rule("FLOOR-03").params["max_minutes_on_table"]
    if minutes is not None and minutes > most:
        yield Alert(
            "warn",
            Text("relevo vencido hace {n} min", "relief overdue by {n} min").fill(n=minutes - most),
            "FLOOR-03",
        )
    lacking = crew.missing(session.game, [assignment.post for assignment in held])
    if lacking:
        names = sorted({post: POST_NAMES[post] for post in lacking}.items())
        yield Alert(
            "warn",
            Text(
                "falta " + ", ".join(_counted(text.es, lacking.count(post)) for post, text in names),
                "missing " + ", ".join(_counted(text.en, lacking.count(post)) for post, text in names),
            ),
            "FLOOR-02",
        )
    if session.day.date < today:
        yield Alert(
            "warn",
            Text("sigue abierta desde ayer: retiene el día", "open since yesterday: it holds the day"),
            "REC-08",
        )


def _counted(name: str, times: int) -> str:
    return f"{times} × {name}" if times > 1 else name


def _last_sessions(casino: Casino) -> dict[int, TableSession]:
    """Each table's open session, or else its latest."""
    rows = (
        TableSession.objects.filter(casino=casino)
        .select_related("shoe", "day", "table")
        .order_by("table_id", F("closed_at").desc(nulls_first=True), "-id")  # live before ended
        .distinct("table_id")
    )
    return {session.table_id: session for session in rows}


def _posts(casino: Casino) -> dict[int, list[Assignment]]:
    found: dict[int, list[Assignment]] = defaultdict(list)
    rows = (
        Assignment.objects.filter(casino=casino, during__endswith=None).select_related("staff").order_by("pk")
    )
    for assignment in rows:
        found[assignment.session_id].append(assignment)
    return found


def _stopped(casino: Casino) -> dict[str, str]:
    """The oldest open incident that stops each table, by its name (GEN-08)."""
    rows = Incident.objects.filter(casino=casino, state=Incident.State.OPEN, freezes=True)
    return {found.table_label: found.label for found in rows.order_by("-opened_at", "-id")}


def _rounds_in_progress(casino: Casino) -> dict[int, int]:
    rows = Round.objects.filter(casino=casino, state=Round.State.OPEN)
    return dict(rows.values_list("session_id", "number"))


def _limits_in_force(casino: Casino, instant: dt.datetime) -> dict[int, BetLimits]:
    rows = (
        BetLimits.objects.filter(casino=casino, effective_from__lte=instant)
        .order_by("table_id", "-effective_from", "-version")
        .distinct("table_id")
    )
    return {limits.table_id: limits for limits in rows}


def _games_with_rules(casino: Casino, instant: dt.datetime) -> Set[str]:
    rows = GameRules.objects.filter(casino=casino, effective_from__lte=instant)
    return set(rows.order_by().values_list("game", flat=True).distinct())


def _tallies(sessions: Sequence[TableSession]) -> dict[int, dict[str, int]]:
    """How often each side won, by session."""
    found: dict[int, dict[str, int]] = defaultdict(dict)
    rows = (
        Round.objects.filter(session__in=[s.pk for s in sessions], state=Round.State.SETTLED)
        .values_list("session_id", "winner")
        .annotate(n=Count("pk"))
        .order_by()
    )
    for session, winner, number in rows:
        found[session][winner] = number
    return found


def _range(game: str, limits: BetLimits | None) -> tuple[int, int] | None:
    """The main bet's limits; side bets have their own."""
    return felt.main_limits(registry.game(game), limits.spots) if limits is not None else None


def _summed(today: dt.date, pits: tuple[tuple[Pit, tuple[Tile, ...]], ...], money: Money | None) -> Floor:
    tiles = [tile for _, found in pits for tile in found]
    alerts = [alert.level for tile in tiles for alert in tile.alerts]
    return Floor(
        pits=pits,
        day=today,
        open=sum(tile.open for tile in tiles),
        tables=len(tiles),
        money=money,
        warnings=alerts.count("warn"),
        stops=alerts.count("bad"),
    )


def _on_bets(session: TableSession | None) -> int | None:
    return session.house_result if session is not None and session.detail == "full" else None


def _money(casino: Casino, today: dt.date) -> Money:
    house = [game.code for game in registry.GAMES.values() if game.bank == "house"]
    bets = Q(detail="full", game__in=house)
    sums = TableSession.objects.filter(casino=casino, day__date=today).aggregate(
        all_staked=Sum("staked", filter=bets),
        all_returned=Sum("returned", filter=bets),
        all_result=Sum("result"),
        all_drop=Sum("drop"),
        counted=Count("result"),
        sessions=Count("pk"),
    )
    staked, returned = sums["all_staked"], sums["all_returned"]
    return Money(
        staked=staked,
        house=None if staked is None else staked - returned,
        result=sums["all_result"],
        drop=sums["all_drop"],
        counted=sums["counted"],
        sessions=sums["sessions"],
    )


def _uncounted(user: User) -> tuple[Uncounted, ...]:
    """Closed sessions that wait for their drop, whatever their day, for whoever may record it."""
    if not permissions.may(user, policies.RECORD_DROP):
        return ()
    rows = TableSession.objects.restrict(user, policies.RECORD_DROP)
    waiting = rows.filter(state=TableSession.State.CLOSED, drop=None).select_related("table", "day")
    return tuple(Uncounted(session.pk, session.label) for session in waiting.order_by("closed_at", "pk"))
