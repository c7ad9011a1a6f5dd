"""The four words every game speaks, and the types they exchange.

    open(rules, terms)  -> State        immutable
    play(state, event)  -> State        or a SabotError; the state given is untouched
    prompts(state)      -> (Prompt, …)  what may or must be done next, and which rule says so
    settle(state)       -> Settlement   payouts in the order they are made, announcement, notes

A round is its log of events (docs: the round log). A game is pure: no clock, no randomness, no
database, no files. Amounts are integers in the currency's smallest unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from casino.kernel.words import Text
from tables.games.terms import MOST_ON_A_SPOT as MOST_ON_A_SPOT
from tables.games.terms import MOST_SEATS as MOST_SEATS
from tables.games.terms import Detail as Detail
from tables.games.terms import Terms as Terms
from tables.games.terms import refuse_detail as refuse_detail

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One thing that may be done now.

    `kind`: the kind of event it asks for (bet, close, card, choice, result …), or settle. `to`: the
    hand a card goes to (a shared hand's name, or "seat"); `seat` and `hand`: whose. `options`: the
    spots, seats, winners or decisions to choose from. `text` says what to do, `why` gives the
    figures, `rule` the id behind them (empty where no rule of the book speaks).

    `events` are events `play` accepts now, ready to send: one for each thing offered, with the least
    amount where one is due (of insurance the usual half), and without `card` where any card that can
    come may be put in. Only settle offers none.
    """

    kind: str
    to: str = ""
    options: tuple[str, ...] = ()
    seat: int = 0
    hand: int = 0
    events: tuple[Event, ...] = ()
    text: Text = field(kw_only=True)
    why: Text = field(kw_only=True)
    rule: str = field(kw_only=True, default="")

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "to": self.to,
            "options": list(self.options),
            "seat": self.seat,
            "hand": self.hand,
            "events": [dict(event) for event in self.events],
            "text": self.text.as_dict(),
            "why": self.why.as_dict(),
            "rule": self.rule,
        }


class Bet(NamedTuple):
    """What one seat has on one spot, smallest units; `hand` where a seat plays several."""

    seat: int
    spot: str
    amount: int
    hand: int = 0


class Payout(NamedTuple):
    """What happens to one bet, in the order it is done (`order` from 1).

    `returned` goes back to the seat, stake included; `won` = `returned` - `stake`, negative when
    lost. `commission` is what the house keeps as commission, and `rounding` the part of it that
    rounding added (whole units above the exact commission's floor; negative under a policy that
    rounds down). `breakage` is what rounding the prize kept back, commission apart. `pays` and
    `row` are the pay table's words; `act` is collect, pay or push.
    """

    order: int
    seat: int
    spot: str
    hand: int
    stake: int
    returned: int
    won: int
    commission: int
    rounding: int
    pays: str
    row: str
    rule: str
    words: Text
    act: str
    breakage: int = 0

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "words": self.words.as_dict()}


@dataclass(frozen=True, slots=True)
class Totals:
    """The round in sums, smallest units. `house_result` = staked - returned, commission included."""

    staked: int = 0
    returned: int = 0
    commission: int = 0
    rounding: int = 0
    breakage: int = 0
    house_result: int = 0

    def to_json(self) -> dict[str, int]:
        return {
            "staked": self.staked,
            "returned": self.returned,
            "commission": self.commission,
            "rounding": self.rounding,
            "breakage": self.breakage,
            "house_result": self.house_result,
        }


@dataclass(frozen=True, slots=True)
class Note:
    """Something the settlement has to say beside the money."""

    code: str
    text: Text
    rule: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "text": self.text.as_dict(), "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand as it lies: a shared one by its `name`, or a player's by `seat` and `hand`.

    `cards` in the order they came, `shoes.cards.COVERED` where nobody has seen one. `worth` says what
    the hand comes to ("17", "black jack", "par de ochos"), None while that means nothing. `verdict`:
    win, lose or push, or nothing yet.
    """

    name: str = ""
    seat: int = 0
    hand: int = 0
    cards: tuple[str, ...] = ()
    worth: Text | None = None
    verdict: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "seat": self.seat,
            "hand": self.hand,
            "cards": list(self.cards),
            "worth": self.worth.as_dict() if self.worth else None,
            "verdict": self.verdict,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Hand:
        worth = data["worth"]
        cards = tuple(data["cards"])
        return cls(
            data["name"], data["seat"], data["hand"], cards, Text(**worth) if worth else None, data["verdict"]
        )


class Outcome(Protocol):
    """How a round ended: `winner` is a short code (12 letters) for registers and roads."""

    @property
    def winner(self) -> str: ...
    @property
    def hands(self) -> tuple[Hand, ...]: ...
    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Ended:
    """The outcome of most games: a winner, the hands, and figures of the game's own (JSON values)."""

    winner: str
    hands: tuple[Hand, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        hands = [hand.to_json() for hand in self.hands]
        return {"winner": self.winner, "hands": hands, "facts": dict(self.facts)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ended:
        return cls(data["winner"], tuple(Hand.from_json(hand) for hand in data["hands"]), data["facts"])


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who is paid what, in which order, announced how; and what the table's detail left unchecked.

    `carry`: events the next round of the session begins with (a stake in prison, a commission owed).
    """

    payouts: tuple[Payout, ...]
    totals: Totals
    announcement: Text
    outcome: Outcome
    notes: tuple[Note, ...] = ()
    unchecked: tuple[Text, ...] = ()
    carry: tuple[Event, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON-safe form stored with the round and compared by replay."""
        told = {
            "payouts": [payout.to_json() for payout in self.payouts],
            "totals": self.totals.to_json(),
            "announcement": self.announcement.as_dict(),
            "outcome": self.outcome.to_json(),
            "notes": [note.to_json() for note in self.notes],
            "unchecked": [text.as_dict() for text in self.unchecked],
        }
        # Absent where nothing is carried: rounds stored before games could carry replay alike.
        return {**told, "carry": [dict(event) for event in self.carry]} if self.carry else told


class Draw(Protocol):
    """Where a simulation's chance comes from (`random.Random` will do); a game has none of its own."""

    def shuffle(self, cards: list[Any], /) -> None: ...
    def randrange(self, stop: int, /) -> int: ...
    def random(self) -> float: ...


class Rules(Protocol):
    """What every game's rules have; the rest is the game's own."""

    @property
    def game(self) -> str: ...
    @property
    def decks(self) -> int: ...
    @property
    def seats(self) -> int: ...
    @property
    def seats_max(self) -> int: ...
    def to_json(self) -> dict[str, Any]: ...


class State(Protocol):
    """What every game's state has; the rest is the game's own.

    `bets`: what lies on the layout, one entry a seat, spot and hand. `closed`: no initial bet is
    taken any more. `complete`: the round can be settled.
    """

    @property
    def terms(self) -> Terms: ...
    @property
    def bets(self) -> tuple[Bet, ...]: ...
    @property
    def closed(self) -> bool: ...
    @property
    def log(self) -> tuple[dict[str, Any], ...]: ...
    @property
    def complete(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Edge:
    """The house's edge on one bet: `percent` of the initial stake, negative when it favours the player.

    `method` is exact or simulated; of a simulation `margin` is half the 95 % confidence interval, in
    the same percent, and `rounds` how many were played. `decks` for which it holds (0: any). `note`
    says under which play of the player it holds.
    """

    bet: str
    words: Text
    percent: float
    method: str
    decks: int = 0
    margin: float = 0.0
    rounds: int = 0
    note: Text | None = None

    @property
    def favours_player(self) -> bool:
        """Whether even the upper end of what is known lies below zero."""
        return self.percent + self.margin < 0


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the floor uses it. `play_all` is a loop of `play`, faster.

    `spots`, `hands` (the shared ones), `choices` (the decisions' `do`) and `winners` map the codes used
    in events and outcomes to words; `events` the kinds of event `play` knows. `least_cards` is the
    fewest a round takes from the shoe, for tables that log only results. `bank`: who pays, the house,
    a player or the ring. `reshuffles`: the whole pack is shuffled again after each round. `deck_type`
    is empty for a game without cards. `carried`: the kinds of event a settlement may hand on to the next
    round of its session, which begins with them. `layout`: the spots that take bets and
    have limits, in the order the felt has them (empty: all of `spots`).

    `voids`: words of the ends that give every bet back, as `winners` but neither announced nor tallied.
    `hands_on(state)`: every hand as it lies now. `read_outcome`: an outcome from its stored form.
    `edges(rules, draw, rounds)`: the house's edge on every bet, by counting where that is possible
    and else from `rounds` rounds dealt with `draw`. `quick_edges(rules)`: those of them that are exact
    and take a second at most: what GEN-06 is checked with before rules are published.
    The functions take this game's own rules and states, made by `read_rules` and `open`.
    """

    code: str
    name: Text
    family: str
    deck_type: str
    spots: Mapping[str, Text]
    hands: Mapping[str, Text]
    default_rules: Callable[[], Any]
    read_rules: Callable[[object], Any]
    open: Callable[[Any, Terms], Any]
    play: Callable[[Any, Any], Any]
    play_all: Callable[[Any, Iterable[Any]], Any]
    prompts: Callable[[Any], tuple[Prompt, ...]]
    settle: Callable[[Any], Settlement]
    events: tuple[str, ...]
    hands_on: Callable[[Any], tuple[Hand, ...]]
    edges: Callable[[Any, Draw, int], tuple[Edge, ...]]
    quick_edges: Callable[[Any], tuple[Edge, ...]] = lambda rules: ()
    read_outcome: Callable[[Mapping[str, Any]], Outcome] = Ended.from_json
    choices: Mapping[str, Text] = field(default_factory=dict)
    winners: Mapping[str, Text] = field(default_factory=dict)
    voids: Mapping[str, Text] = field(default_factory=dict)
    layout: tuple[str, ...] = ()
    least_cards: int = 0
    bank: str = "house"
    reshuffles: bool = False
    carried: tuple[str, ...] = ()

    @property
    def ends(self) -> Mapping[str, Text]:
        """Every code a settled round can have as its winner."""
        return {**self.winners, **self.voids}
