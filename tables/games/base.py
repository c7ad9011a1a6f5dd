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
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.games import reading

Event = Mapping[str, Any]
MOST_SEATS = 99
MOST_ON_A_SPOT = 100_000_000_000
"""Largest limit of a spot, 10^11 smallest units: what keeps every sum exact in JSON (below 2^53 - 1).

The widest round of Punto y Banca has 14 seats with three spots each, so at most 4.2 x 10^12 staked.
At most one of Punto, Banca and Tie pays, and no payout is above 999:1, so prizes and commissions come
to at most 14 x 999 x 10^11 = 1.4 x 10^15, and what goes back to 1.4 x 10^15 + 4.2 x 10^12. A session
takes no further round once a total has passed `tables.rounds.FULL_SESSION`, 10^15: so none ends above
2.5 x 10^15, less than a third of 2^53.
"""


class Detail(StrEnum):
    """How much of a round the table writes down."""

    RESULT = "result"
    CARDS = "cards"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Terms:
    """What the table adds to the rules of its game.

    `seats`: positions at this table. `chip`: smallest chip, smallest units (GEN-07).
    `limits`: spot -> (minimum, maximum) in smallest units (GEN-04); a spot that is absent takes no
    bets. `differential`: largest gap between opposed totals, or None. `exponent`: decimals of the
    currency, for words only.
    """

    seats: int
    detail: Detail
    chip: int
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    differential: int | None = None
    exponent: int = 2

    def to_json(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "detail": str(self.detail),
            "chip": self.chip,
            "limits": {spot: [low, high] for spot, (low, high) in self.limits.items()},
            "differential": self.differential,
            "exponent": self.exponent,
        }

    @classmethod
    def from_json(cls, data: object) -> Terms:
        """Terms from their stored form. Raises `Refused` naming the field."""
        given = reading.mapping(data, "terms")
        reading.known_keys(given, _TERMS_KEYS, "terms")
        limits: dict[str, tuple[int, int]] = {}
        for spot, pair in reading.mapping(given.get("limits", {}), "limits").items():
            if not isinstance(spot, str) or not isinstance(pair, list | tuple) or len(pair) != 2:
                raise reading.bad_type("limits", Text("lugar: [mínimo, máximo]", "spot: [minimum, maximum]"))
            low = reading.integer(pair[0], "limits", 1, MOST_ON_A_SPOT)
            limits[spot] = (low, reading.integer(pair[1], "limits", low, MOST_ON_A_SPOT))
        gap = given.get("differential")
        return cls(
            seats=reading.integer(given.get("seats"), "seats", 1, MOST_SEATS),
            detail=Detail(reading.one_of(given.get("detail"), "detail", tuple(Detail))),
            chip=reading.integer(given.get("chip"), "chip", 1),
            limits=limits,
            differential=None if gap is None else reading.integer(gap, "differential", 1),
            exponent=reading.integer(given.get("exponent", 2), "exponent", 0, 8),
        )


_TERMS_KEYS = frozenset({"seats", "detail", "chip", "limits", "differential", "exponent"})


@dataclass(frozen=True, slots=True)
class Prompt:
    """One thing that may be done now.

    `kind`: deal, bet, close, card, result or settle. `to`: the hand a card goes to. `options`: the
    spots, seats or winners to choose from. `text` says what to do, `why` gives the figures, `rule`
    the id behind them (empty where no rule of the book speaks).
    """

    kind: str
    to: str = ""
    options: tuple[str, ...] = ()
    text: Text = field(kw_only=True)
    why: Text = field(kw_only=True)
    rule: str = field(kw_only=True, default="")

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "to": self.to,
            "options": list(self.options),
            "text": self.text.as_dict(),
            "why": self.why.as_dict(),
            "rule": self.rule,
        }


class Bet(NamedTuple):
    """What one seat has on one spot, smallest units."""

    seat: int
    spot: str
    amount: int


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
class Outcome:
    """How two shared hands ended. Totals and `natural` are None where the table does not log them."""

    winner: str
    punto: int | None
    banca: int | None
    natural: bool | None
    punto_cards: tuple[str, ...] = ()
    banca_cards: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "punto": self.punto,
            "banca": self.banca,
            "natural": self.natural,
            "punto_cards": list(self.punto_cards),
            "banca_cards": list(self.banca_cards),
        }


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who is paid what, in which order, announced how; and what the table's detail left unchecked."""

    payouts: tuple[Payout, ...]
    totals: Totals
    announcement: Text
    outcome: Outcome
    notes: tuple[Note, ...] = ()
    unchecked: tuple[Text, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON-safe form stored with the round and compared by replay."""
        return {
            "payouts": [payout.to_json() for payout in self.payouts],
            "totals": self.totals.to_json(),
            "announcement": self.announcement.as_dict(),
            "outcome": self.outcome.to_json(),
            "notes": [note.to_json() for note in self.notes],
            "unchecked": [text.as_dict() for text in self.unchecked],
        }


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
    """What every game's state has; the rest is the game's own."""

    @property
    def terms(self) -> Terms: ...
    @property
    def log(self) -> tuple[dict[str, Any], ...]: ...
    @property
    def complete(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the floor uses it. `play_all` is a loop of `play`, faster.

    `spots` and `hands` map the names used in events to words; `least_cards` is the fewest a round
    takes from the shoe, for tables that log only results; `events` the kinds of event `play` knows.
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
    least_cards: int = 0


_LOGGED = {
    Detail.RESULT: Text("registra sólo el resultado anunciado", "only the announced result is logged"),
    Detail.CARDS: Text("registran sólo las cartas", "only the cards are logged"),
    Detail.FULL: Text("registran apuestas y cartas", "bets and cards are logged"),
}


def refuse_detail(detail: Detail, what: Text) -> Refused:
    """The refusal of an event the table's level of detail has no place for."""
    return Refused(
        Text(
            f"en esta mesa se {_LOGGED[detail].es}: no se anotan {what.es}",
            f"at this table {_LOGGED[detail].en}: it takes no {what.en}",
        ),
        code="detail_forbids",
        field="e",
        detail={"detail": str(detail)},
    )
