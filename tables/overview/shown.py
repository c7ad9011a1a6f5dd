"""What a screen of the floor is given: tiles with their alerts, the day's sums."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from casino.kernel.words import Text
from shoes.models import Shoe
from tables import keys, life
from tables.games import registry
from tables.models import Pit, PlannedTurn, Table, TableSession
from tables.queries import POST_NAMES

MOST_SIDES = 6
"""A game that can end in more ways has no tally on the floor."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Something to attend to. `level`: warn, or bad where play has to stop.

    `pk`: its kept row, None until the watch has seen it; `seen_by`: who acknowledged it though it lasts;
    `over`: its cause went away, nobody acknowledged it yet.
    """

    level: str
    text: Text
    rule: str = ""
    pk: int | None = None
    since: dt.datetime | None = None
    seen_by: str = ""
    over: bool = False
    about: str = ""

    @property
    def waits(self) -> bool:
        """Whether somebody still has to attend to it; what stops play always does."""
        return not self.seen_by or self.level == "bad"


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the floor. Amounts in smallest units, minutes whole, instants UTC.

    `house`: what the bets left so far, None where they are not logged; `result`: the counted result, None
    until its drop is counted. Both None for whoever may not read money. `may_look`: whether who asks may
    read this session; `theirs`: whether they may write at this table (its pit is theirs, or they have none).
    `minutes_left`: until the dealer is to be relieved (FLOOR-03), negative when overdue. `relief`: the
    turn of whoever takes the cards next by the plan, None where none is near. `slips`: open fills and
    credits. `bank`: how a player's bank stands.
    """

    table: Table
    game: str
    session: TableSession | None
    limits: tuple[int, int] | None
    dealer: str = ""
    dealer_post: Text = POST_NAMES["dealer"]
    dealer_minutes: int = 0
    minutes_left: int = 0
    relief: PlannedTurn | None = None
    supervisor: str = ""
    round: int = 0
    in_progress: bool = False
    house: int | None = None
    result: int | None = None
    tally: Mapping[str, int] = field(default_factory=dict)
    shoe: Shoe | None = None
    closed_at: dt.datetime | None = None
    may_look: bool = False
    theirs: bool = True
    seated: int = 0
    waiting: int = 0
    slips: tuple[int, int] = (0, 0)
    bank: Text | None = None
    alerts: tuple[Alert, ...] = ()

    @property
    def open(self) -> bool:
        return self.session is not None and self.session.live

    @property
    def state(self) -> Text | None:
        """What state its session is in, where that is not simply open or closed."""
        if self.session is None or not self.open or self.session.state == TableSession.State.OPEN:
            return None
        return life.NAMES[self.session.state]

    @property
    def level(self) -> str:
        """The worst of its alerts that wait: bad, warn, open or closed."""
        levels = {alert.level for alert in self.alerts if alert.waits}
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
    (FLOOR-12) over the `counted` ones of `sessions` at house games, None without any, and so `drop`;
    `deduction` over the counted others, never netted with it (FLOOR-13).
    """

    staked: int | None
    house: int | None
    result: int | None
    drop: int | None
    counted: int
    sessions: int
    deduction: int | None = None


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A closed session whose drop is not recorded yet: it holds its day (REC-08, FLOOR-12)."""

    pk: int
    label: str


@dataclass(frozen=True, slots=True)
class Floor:
    """The floor: its pits with their tiles, and the day in figures (None for who may not read money).

    `pits` are those shown, `all_pits` those there are; `open` to `stops` are over the whole floor, whatever
    is shown. `general`: alerts of no table in particular.
    """

    pits: tuple[tuple[Pit, tuple[Tile, ...]], ...]
    day: dt.date
    open: int
    tables: int
    money: Money | None
    warnings: int
    stops: int
    uncounted: tuple[Uncounted, ...] = ()
    general: tuple[Alert, ...] = ()
    all_pits: tuple[Pit, ...] = ()
