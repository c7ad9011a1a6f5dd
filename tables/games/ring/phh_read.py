"""Reading Poker Hand History text: rules, table and events of each hand in it, played as it is read.

What PHH has and the rulebook does not (straddles, unequal antes, boards run twice, other variants) is refused
with the reason, and so is any text that is no PHH: never another error than a `SabotError`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Any, Final

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes import cards
from shoes.cards import COVERED
from tables.games import reading
from tables.games.base import Detail, Terms
from tables.games.ring.phh import PLAYED
from tables.games.ring.phh_sheet import Sheet, units
from tables.games.ring.play import PLAYER, open
from tables.games.ring.rules import Rules, read_rules
from tables.games.ring.state import Draft, State
from tables.games.ring.variants import VARIANTS

LONGEST: Final = 2_000_000
MOST_HANDS: Final = 10_000
_BYTE_ORDER_MARK: Final = "\ufeff"
_SAID: Final = 120


@dataclass(frozen=True, slots=True)
class Loaded:
    """One hand: its game, rules and terms, and the events that play it to `state`, which is complete."""

    game: str
    rules: Rules
    terms: Terms
    events: tuple[dict[str, Any], ...]
    state: State = field(repr=False)


def hands_of(text: str) -> list[Mapping[str, Any]]:
    """The hands a text holds: one, or one a table (`[1]`, `[2]` …). Raises `Refused` (`phh_unreadable`)."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise _unreadable("el texto es demasiado largo", "the text is too long")
    try:
        data = tomllib.loads(text.removeprefix(_BYTE_ORDER_MARK), parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, InvalidOperation) as error:
        said = "".join(one if one.isprintable() else "?" for one in str(error)[:_SAID])
        raise _unreadable(f"no es TOML ({said})", f"it is not TOML ({said})") from None
    tables: list[Mapping[str, Any]] = [hand for hand in data.values() if isinstance(hand, dict)]
    hands = [hand for hand in tables if "variant" in hand]
    if "variant" in data:
        if hands:
            raise _unreadable(
                "hay manos fuera y dentro de tablas como [1]: ponga cada una en la suya",
                "hands lie outside and inside tables such as [1]: give each one its own",
            )
        return [data]
    if not hands or len(tables) != len(data):
        raise _unreadable("no dice qué variante es", "it does not say which variant it is")
    if len(tables) > MOST_HANDS:
        raise _unreadable(f"tiene más de {MOST_HANDS} manos", f"it has more than {MOST_HANDS} hands")
    return tables


def load(text: str, rules: Mapping[str, Any] | None = None) -> Loaded:
    """The one hand of a text; `rules` replace what PHH says nothing of (rake, odd chip, proportions)."""
    found = hands_of(text)
    if len(found) != 1:
        raise _unreadable("tiene más de una mano", "it has more than one hand")
    return read(found[0], rules)


def read(data: Mapping[str, Any], rules: Mapping[str, Any] | None = None) -> Loaded:
    """A hand from its PHH fields, played to its end. Raises a `SabotError` that says what is wrong:
    `detail["action"]` is the number of the action it met.
    """
    if "variant" not in data:
        raise _unreadable("no dice qué variante es", "it does not say which variant it is")
    code = data["variant"]
    if not isinstance(code, str) or code not in PLAYED:
        known = ", ".join(PLAYED)
        raise Refused(
            Text(
                f"variante «{reading.shown(code)}»: se leen {known}",
                f"variant “{reading.shown(code)}”: read are {known}",
            ),
            code="phh_unsupported",
            field="variant",
        )
    game, structure = PLAYED[code]
    given: dict[str, Any] = {"rake_basis_points": 0, "blind_is_a_bet": False, "free_stakes": True}
    read_as = read_rules(game, {**given, **(rules or {}), "structure": structure})
    sheet = Sheet(data)
    stacks = sheet.amounts("starting_stacks")
    order = _order(sheet, game)
    terms = _terms(sheet, read_as, order)
    reader = _Reader(open(read_as, terms), order, sheet.exponent)
    reader.begin(stacks)
    for number, action in enumerate(sheet.actions, start=1):
        try:
            reader.take(action)
        except Refused as refusal:
            refusal.detail.setdefault("action", number)
            raise
    state = reader.end()
    return Loaded(game, read_as, terms, state.log, state)


def _order(sheet: Sheet, game: str) -> list[int]:
    """The seat of each player in PHH's order; stated seats are kept where they stand clockwise."""
    many = sheet.players
    seats = sheet.data.get("seats")
    if isinstance(seats, list) and len(seats) == many and all(type(seat) is int for seat in seats):
        first = seats.index(min(seats)) if seats else 0
        clockwise = seats[first:] + seats[:first]
        ascending = all(a < b for a, b in pairwise(clockwise))
        most = VARIANTS[game].seats_max
        if (
            ascending
            and clockwise[0] >= 1
            and clockwise[-1] <= most
            and (VARIANTS[game].has_button or not first)
        ):
            return seats
    return list(range(1, many + 1))


def _terms(sheet: Sheet, rules: Rules, order: list[int]) -> Terms:
    limits: dict[str, tuple[int, int]] = {}
    antes = sheet.amounts("antes") if "antes" in sheet.data else [0] * len(order)
    if len(set(antes)) != 1:
        raise RuleViolation(
            "GEN-04",
            Text("el ante es igual para todos", "the ante is the same for all"),
            code="phh_antes",
            field="antes",
        )
    if antes[0]:
        limits["ante"] = (antes[0], antes[0])
    if rules.variant.has_button:
        limits["blind"] = _blinds(sheet)
    else:
        limits["bring_in"] = _pair(sheet.amount("bring_in"), sheet.amount("small_bet"), "bring_in")
    if rules.structure == "fixed_limit":
        limits["bet"] = _pair(sheet.amount("small_bet"), sheet.amount("big_bet"), "small_bet")
    elif sheet.amount("min_bet") != limits["blind"][1]:
        raise RuleViolation(
            "PR-13",
            Text("la apuesta mínima es la ciega grande", "the least bet is the big blind"),
            code="phh_min_bet",
            field="min_bet",
        )
    stated = sheet.data.get("seat_count")
    count = stated if type(stated) is int and max(order) <= stated <= rules.seats_max else max(order)
    return Terms(count, Detail.FULL, sheet.chip, limits, None, sheet.exponent)


def _blinds(sheet: Sheet) -> tuple[int, int]:
    blinds = sheet.amounts("blinds_or_straddles")
    if any(blinds[2:]):
        raise RuleViolation(
            "PR-11",
            Text("hay dos ciegas; no se juega con otras", "there are two blinds; no others are played"),
            code="phh_straddle",
            field="blinds_or_straddles",
        )
    return _pair(blinds[0], blinds[1], "blinds_or_straddles")


def _pair(low: int, high: int, field: str) -> tuple[int, int]:
    if not 0 < low <= high:
        raise reading.bad_type(field, Text("dos importes, el menor primero", "two amounts, the lesser first"))
    return low, high


class _Reader:
    """Plays the actions one by one; cards wait until they are due, hands until they may be shown."""

    def __init__(self, state: State, order: list[int], exponent: int) -> None:
        self.state, self.order, self.exponent = state, order, exponent
        self.own: dict[int, list[str]] = {seat: [] for seat in order}
        self.board: list[str] = []
        self.shows: dict[int, dict[str, Any]] = {}

    def begin(self, stacks: list[int]) -> None:
        for seat, amount in zip(self.order, stacks, strict=True):
            self.play({"e": "chips", "seat": seat, "amount": amount})
        if self.state.rules.variant.has_button:
            self.play({"e": "button", "seat": self.order[-1]})
        self.play({"e": "close"})

    def play(self, event: Mapping[str, Any]) -> None:
        self.state = PLAYER.play(self.state, dict(event))

    def take(self, words: list[str]) -> None:
        match words:
            case []:
                return
            case ["d", "dh", player, dealt]:
                self.own[self.seat(player)] += _cards(dealt)
            case ["d", "db", dealt]:
                self.board += _cards(dealt)
            case [player, "sm", *turned]:
                self._show(self.seat(player), turned)
            case [player, "f" | "cc" | "pb" as what]:
                self._decide(self.seat(player), what)
            case [player, "cbr", amount]:
                do = "raise" if self.state.level else "bet"
                total = units(amount, self.exponent, "actions")
                self.play({"e": "choice", "seat": self.seat(player), "do": do, "amount": total})
            case _:
                raise _bad_action(" ".join(words))
        self._deal()

    def seat(self, player: str) -> int:
        digits = player[1:]
        if player[:1] == "p" and digits.isascii() and digits.isdigit() and len(digits) <= 2:
            place = int(digits)
            if 1 <= place <= len(self.order):
                return self.order[place - 1]
        raise _bad_action(player)

    def _decide(self, seat: int, what: str) -> None:
        draft = Draft(self.state)
        if what == "cc" and draft.phase != "betting" and draft.able == [seat]:
            # Nobody is left to bet against: PHH writes the check, no turn is due.
            return
        do = {"f": "fold", "pb": "bring_in"}.get(what)
        if do is None:
            mine = draft.bet.get(seat, 0)
            do = "call" if draft.queue and seat in draft.live and draft.level > mine else "check"
        self.play({"e": "choice", "seat": seat, "do": do})

    def _show(self, seat: int, turned: list[str]) -> None:
        if len(turned) > 1:
            raise _bad_action("sm " + " ".join(turned))
        if not turned:
            self.shows[seat] = {"e": "choice", "seat": seat, "do": "muck"}
        elif turned == ["-"]:
            self.shows[seat] = {"e": "show", "seat": seat}
        else:
            self.shows[seat] = {"e": "show", "seat": seat, "cards": _cards(turned[0])}

    def _deal(self) -> None:
        """Cards that are due and known, then hands that may be turned over now."""
        while True:
            draft = Draft(self.state)
            due = draft.pending[0] if draft.phase == "dealing" else None
            if due is not None and due.to == "burn" and self.board:
                self.play({"e": "card", "to": "burn", "card": COVERED})
            elif due is not None and due.to == "board" and self.board:
                self.play({"e": "card", "to": "board", "card": self.board.pop(0)})
            elif due is not None and due.to == "seat" and self.own[due.seat]:
                self.play({"e": "card", "to": "seat", "seat": due.seat, "card": self.own[due.seat].pop(0)})
            else:
                break
        if Draft(self.state).phase == "showdown":
            for event in self.shows.values():
                if not self.state.complete:
                    self._turn_over(event)
            self.shows = {}

    def _turn_over(self, event: dict[str, Any]) -> None:
        draft = Draft(self.state)
        if event["seat"] in draft.shown:
            return
        if "cards" in event:
            # PHH shows all a player holds; only the closed ones are turned over. What was shown before the
            # last closed card came lacks that one, which is known from its dealing.
            seat = event["seat"]
            named = [one for one in event["cards"] if one not in draft.open_cards(seat)]
            named += [one for one in draft.closed_cards(seat) if one not in named and one != COVERED]
            event = {**event, "cards": named}
        elif event["e"] == "show" and COVERED in draft.own[event["seat"]]:
            place = self.order.index(event["seat"]) + 1
            raise Refused(
                Text(
                    f"«sm -»: no consta qué cartas tiene p{place}; escríbalas, o «sm» si no mostró",
                    f"“sm -”: the cards of p{place} are not told; write them, or “sm” if it mucked",
                ),
                code="phh_action",
                field="actions",
            )
        self.play(event)

    def end(self) -> State:
        """The complete hand; hands PHH leaves to be shown are shown if their cards are known."""
        draft = Draft(self.state)
        if draft.phase == "showdown":
            for seat in draft.live:
                if seat not in draft.shown and COVERED not in draft.own[seat] and not self.state.complete:
                    self.play({"e": "show", "seat": seat})
        if not self.state.complete or self.board or any(self.own.values()):
            raise Refused(
                Text(
                    "la mano no termina: faltan o sobran acciones",
                    "the hand does not end: actions are missing or left over",
                ),
                code="phh_incomplete",
                field="actions",
            )
        return self.state


def _cards(text: str) -> list[str]:
    if len(text) % 2 or not 2 <= len(text) <= 20:
        raise _bad_action(text)
    return list(_each(text))


def _each(text: str) -> Iterator[str]:
    for place in range(0, len(text), 2):
        one = text[place : place + 2]
        yield COVERED if one == COVERED else cards.parse(one, field="actions")


def _bad_action(text: str) -> Refused:
    said = reading.shown(text)
    return Refused(
        Text(f"acción «{said}» desconocida", f"unknown action “{said}”"), code="phh_action", field="actions"
    )


def _unreadable(spanish: str, english: str) -> Refused:
    return Refused(
        Text(f"no se lee como PHH: {spanish}", f"it cannot be read as PHH: {english}"), code="phh_unreadable"
    )
