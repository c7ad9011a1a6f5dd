"""What lies on a table: the shared hands, the players' by seat, and where the chips are.

Built from what every game tells of itself (`hands_on`, its outcome's hands, spots, bets and payouts), so
that the round page and the record show any game alike. No game is known by name here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from casino.kernel import money
from casino.kernel.errors import SabotError
from casino.kernel.words import Text, same
from shoes import cards
from tables import keys
from tables.games import base
from tables.games.base import Detail, Game, Prompt, Terms

HOW_IT_LIES = {"collect": "lost", "pay": "paid", "push": "push"}
MOST_ROWS = 4
"""How many spots of the layout have a row of their own; of further ones only those that have chips."""


class Chips(NamedTuple):
    """A stake, smallest units, how it lies (laid, lost, paid, push, or part of it lost) and what it won."""

    amount: int
    how: str = "laid"
    won: int = 0


Laid = Mapping[tuple[int, str, int], Chips]
"""By seat, spot and hand."""


@dataclass(frozen=True, slots=True)
class Stake:
    """Chips on a spot, in the words of the spot; `key` is its short word."""

    spot: str
    words: Text
    key: str
    chips: Chips


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand as it lies. `cards` with a mark on the one just dealt; `due`: the next card is its, `turn`:
    it is the one of its seat's hands that is played.
    """

    name: str
    words: Text
    number: int
    cards: tuple[tuple[str, str], ...]
    worth: Text | None
    due: bool
    verdict: str = ""
    stakes: tuple[Stake, ...] = ()
    turn: bool = False

    @property
    def long(self) -> bool:
        """Whether what it comes to is told in words, not in a figure."""
        return self.worth is not None and max(len(self.worth.es), len(self.worth.en)) > 3


@dataclass(frozen=True, slots=True)
class Place:
    """A seat: its hands, stakes that belong to none of them, whether it is its turn; `joined`: with what it
    plays, where that was said before it had cards or a stake.
    """

    seat: int
    hands: tuple[Hand, ...] = ()
    stakes: tuple[Stake, ...] = ()
    turn: bool = False
    joined: Text | None = None

    @property
    def vacant(self) -> bool:
        return not self.hands and not self.stakes and self.joined is None


@dataclass(frozen=True, slots=True)
class SpotRow:
    """The stakes on one spot by seat, None where there are none."""

    spot: str
    words: Text
    cells: tuple[Chips | None, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Felt:
    """Shared `hands` in the middle; `places` by seat where players have hands of their own, else `spots`."""

    deck: str
    hands: tuple[Hand, ...]
    places: tuple[Place, ...] = ()
    spots: tuple[SpotRow, ...] = ()

    @property
    def busy(self) -> bool:
        """Whether any seat plays: vacant ones may then be narrow."""
        return any(not place.vacant for place in self.places)


def lay(
    game: Game,
    terms: Terms,
    hands: Iterable[base.Hand],
    laid: Laid,
    prompts: Sequence[Prompt] = (),
    *,
    new: Mapping[str, Any] | None = None,
    joined: Mapping[int, Text] | None = None,
) -> Felt:
    """The felt. `prompts`: what is due now, none for a round that is over; `new`: the card just dealt;
    `joined`: the seats that said they play.
    """
    lying, first = list(hands), prompts[0] if prompts else None
    due = _due(first)
    logs_cards = terms.detail is not Detail.RESULT
    seated = any(hand.seat for hand in lying) or (logs_cards and has_own_hands(game))
    shown = tuple(_shown(game, hand, due, new) for hand in _shared(game, lying, seated))
    if not seated:
        return Felt(game.deck_type, shown, spots=_rows(game, terms, laid))
    turn = (first.seat, first.hand) if first and first.seat else (0, 0)
    seats = range(1, terms.seats + 1)
    places = tuple(
        replace(_place(game, seat, lying, laid, due, new, turn), joined=(joined or {}).get(seat))
        for seat in seats
    )
    return Felt(game.deck_type, shown, places)


def laid_of(bets: Iterable[base.Bet], payouts: Iterable[Any] = ()) -> Laid:
    """Stakes as they lie, and as they ended once there are `payouts` (stored bets will do)."""
    laid = {(bet.seat, bet.spot, bet.hand): Chips(bet.amount) for bet in bets}
    for paid in payouts:
        how = HOW_IT_LIES.get(act_of(paid), "")
        if how == "lost" and paid.returned:
            how = "part"
        laid[paid.seat, paid.spot, paid.hand] = Chips(paid.stake, how, paid.won)
    return laid


def joined_of(log: Iterable[Mapping[str, Any]], exponent: int) -> dict[int, Text]:
    """The seats that play as a log in progress says it, with their chips where it tells them."""
    events = list(log)
    undone = {event["of"] for event in events if event["e"] == "undo"}
    return {
        event["seat"]: money.words(event["amount"], exponent) if "amount" in event else _PLAYS
        for at, event in enumerate(events, 1)
        if event["e"] in ("in", "chips") and at not in undone
    }


_PLAYS = Text("juega", "plays")


def act_of(paid: Any) -> str:
    """What is done with a bet: told by a payout, and of a stored bet read from its figures."""
    told: str = getattr(paid, "act", "")
    return told or ("collect" if paid.won < 0 else "pay" if paid.won else "push")


def main_limits(game: Game, limits: Mapping[str, Any]) -> tuple[int, int] | None:
    """The limits of the game's first bet that has any; side bets have their own."""
    main = next((limits[spot] for spot in game.spots if spot in limits), None)
    return (main[0], main[1]) if main else None


def _due(first: Prompt | None) -> tuple[str, int, int] | None:
    if first is None or first.kind != "card":
        return None
    return first.to, first.seat, first.hand


def _shared(game: Game, lying: Sequence[base.Hand], seated: bool) -> list[base.Hand]:
    """Shared hands as they lie; those of the game that have nothing yet where there are few."""
    there = {hand.name: hand for hand in lying if not hand.seat}
    if not game.hands or len(there) == len(game.hands):
        return list(there.values())
    named = [there.get(name, base.Hand(name)) for name in game.hands]
    return named if not seated or len(named) == 1 else list(there.values()) or named[:1]


def _shown(
    game: Game,
    hand: base.Hand,
    due: tuple[str, int, int] | None,
    new: Mapping[str, Any] | None,
    stakes: tuple[Stake, ...] = (),
    number: int = 0,
) -> Hand:
    mine = ("seat", hand.seat, hand.hand) if hand.seat else (hand.name, 0, 0)
    fresh = new is not None and _aim(new) == mine
    last = len(hand.cards) - 1
    lying = tuple((card, "new" if fresh and at == last else "") for at, card in enumerate(hand.cards))
    words = game.hands.get(hand.name, same(hand.name))
    is_due = due is not None and due[0] == mine[0] and (not hand.seat or due[1:] == mine[1:])
    return Hand(hand.name, words, number, lying, hand.worth, is_due, hand.verdict, stakes)


def _aim(card: Mapping[str, Any]) -> tuple[str, int, int]:
    to = card.get("to", "")
    return (to, card.get("seat", 0), card.get("hand", 0)) if to == "seat" else (to, 0, 0)


def _place(
    game: Game,
    seat: int,
    lying: Sequence[base.Hand],
    laid: Laid,
    due: tuple[str, int, int] | None,
    new: Mapping[str, Any] | None,
    turn: tuple[int, int],
) -> Place:
    own = [hand for hand in lying if hand.seat == seat]
    if not own and due is not None and due[:2] == ("seat", seat):
        own = [base.Hand(seat=seat, hand=due[2])]
    numbers = {hand.hand for hand in own}
    stakes: dict[int, list[Stake]] = {}
    short = keys.of(keys.bettable(game))
    for (at, spot, hand), chips in laid.items():
        if at == seat:
            stake = Stake(spot, game.spots.get(spot, same(spot)), short.get(spot, spot), chips)
            stakes.setdefault(hand if hand in numbers and len(own) > 1 else -1, []).append(stake)
    several = len(own) > 1
    hands = [
        _shown(game, hand, due, new, tuple(stakes.get(hand.hand, ())) if several else (), hand.hand + 1)
        for hand in own
    ]
    played = tuple(replace(one, turn=several and turn == (seat, one.number - 1)) for one in hands)
    return Place(seat, played, tuple(stakes.get(-1, ())), turn[0] == seat)


def _rows(game: Game, terms: Terms, laid: Laid) -> tuple[SpotRow, ...]:
    """Where the chips lie, seat by seat, as the layout has them (BAC-06); none where bets are not logged."""
    if terms.detail is not Detail.FULL:
        return ()
    order = [spot for spot in game.layout or game.spots if spot in terms.limits]
    order += [spot for spot in game.spots if spot not in order and any(key[1] == spot for key in laid)]
    always = order[:MOST_ROWS] if len(order) <= 3 * MOST_ROWS else []
    order = [spot for spot in order if spot in always or any(key[1] == spot for key in laid)]
    rows = []
    for spot in order:
        cells = tuple(_cell(laid, seat, spot) for seat in range(1, terms.seats + 1))
        total = sum(chips.amount for chips in cells if chips)
        rows.append(SpotRow(spot, game.spots[spot], cells, total))
    return tuple(rows)


def _cell(laid: Laid, seat: int, spot: str) -> Chips | None:
    there = [chips for (at, on, _hand), chips in laid.items() if (at, on) == (seat, spot)]
    if len(there) < 2:
        return there[0] if there else None
    return Chips(sum(c.amount for c in there), there[0].how, sum(c.won for c in there))


# ---- whether players have hands of their own ------------------------------------------------------

_OWN_HANDS: dict[str, bool] = {}
_PROBE = 60
"""Steps after which a game that dealt no player a card is one that deals them none."""


def has_own_hands(game: Game) -> bool:
    """Whether the game deals cards to seats: asked of the game itself, once, by dealing a round."""
    if game.code not in _OWN_HANDS:
        _OWN_HANDS[game.code] = _deals_to_seats(game)
    return _OWN_HANDS[game.code]


def _deals_to_seats(game: Game) -> bool:
    if not game.deck_type:
        return False
    try:
        rules = game.default_rules()
        pack = iter(cards.composition(game.deck_type, max(1, rules.decks)).elements())
        state = game.open(rules, Terms(rules.seats, Detail.CARDS, 1))
        for _ in range(_PROBE):
            prompts = game.prompts(state)
            if any(hand.seat for hand in game.hands_on(state)) or any(p.to == "seat" for p in prompts):
                return True
            if state.complete:
                return False
            event = dict(prompts[0].events[0])
            if event["e"] == "card":
                event.setdefault("card", next(pack))
            state = game.play(state, event)
    except (SabotError, StopIteration, IndexError):
        return False
    return False
