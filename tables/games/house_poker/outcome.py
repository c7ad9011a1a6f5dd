"""How a round ended: each hand against the dealer's or the pay table, and the hands as they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from casino.kernel.words import Text
from tables.games.base import Ended, Hand
from tables.games.house_poker import course, misdeals
from tables.games.house_poker.kinds import BOARD, CATEGORY_WORDS, DEALER, Kind
from tables.games.house_poker.rules import qualifier
from tables.games.poker import ranks

if TYPE_CHECKING:
    from tables.games.house_poker.course import Round
    from tables.games.house_poker.state import Place, State

PAIR_LISTED = ranks.at_least("pair", "T")
"""Go Poker pays from a pair of tens (PH-18)."""


MISDEAL = "misdeal"
"""Of a round that nobody plays on, and of a bet that goes back for it."""

VOIDS: Mapping[str, Text] = {MISDEAL: Text("mal reparto, vuelve todo", "misdeal, all goes back")}


def winners_of(kind: Kind) -> Mapping[str, Text]:
    """The codes of a round's end, of a deal that stands."""
    if not kind.dealer:
        return {
            "paid": Text("hay manos premiadas", "there are listed hands"),
            "unpaid": Text("ninguna mano premiada", "no listed hand"),
        }
    opens = kind.unqualified_winner == "not_open"
    return {
        kind.unqualified_winner: Text("el croupier no abre", "the dealer does not open")
        if opens
        else Text("el croupier no califica", "the dealer does not qualify"),
        "dealer": Text("gana el croupier", "the dealer wins"),
        "players": Text("ganan los jugadores", "the players win"),
        "mixed": Text("unos ganan y otros no", "some win and some do not"),
        "tie": Text("empate", "tie"),
        "all_folded": Text("todos se retiraron", "all folded"),
    }


def seat_value(of: Round, seat: int) -> int | None:
    """What a seat's hand is worth, in Go Poker with the community cards; None while not all is known."""
    cards = (*of.places[seat].cards, *of.board)
    if of.places[seat].dead or of.places[seat].covered or len(cards) < of.kind.cards + of.kind.board:
        return None
    return of.kind.value(cards)


def listed(kind: Kind, value: int) -> str:
    """The row of Go Poker's table, or of the three-card ones, a value falls in."""
    category = kind.category(value)
    if kind.three:
        return category if category != "high_card" else "not_listed"
    if category == "pair":
        return "pair_tens_or_better" if value >= PAIR_LISTED else "not_listed"
    return category if category != "high_card" else "not_listed"


class Seen(NamedTuple):
    """One seat at the end: its value where the hand was seen, the row of the ANTE's table it falls in (in
    Go Poker that of the only table) and win, lose or push by the hand.
    """

    value: int | None
    row: str
    verdict: str


class Showdown(NamedTuple):
    """All hands at the end: the dealer's value, whether it opens or qualifies, and the seats."""

    house: int | None
    qualified: bool
    seats: Mapping[int, Seen]


_VERDICTS = {
    "folded": "lose",
    "player_higher": "win",
    "player_lower": "lose",
    "hands_equal": "push",
    "dealer_not_open": "win",
    "dealer_not_qualified": "win",
}


def showdown(state: State) -> Showdown:
    """A complete round's hands, each looked at once."""
    kind, house = state.kind, course.dealer_value(state)
    qualified = house is not None and house >= qualifier(state.rules)[0]
    seats = {}
    for seat, place in state.places.items():
        value = seat_value(state, seat)
        if place.dead or state.house.dead:
            seats[seat] = Seen(value, MISDEAL, "push")
            continue
        if not kind.dealer:
            row = "not_listed" if value is None else listed(kind, value)
            seats[seat] = Seen(value, row, "lose" if row == "not_listed" else "win")
            continue
        row = "folded" if place.folded else kind.unqualified
        if qualified and not place.folded:
            row = _compared(value, house)
        seats[seat] = Seen(value, row, _VERDICTS[row])
    return Showdown(house, qualified, seats)


def _compared(mine: int | None, house: int | None) -> str:
    if mine is None or house is None:
        raise AssertionError("a complete round has every hand that is compared")
    return "player_higher" if mine > house else "player_lower" if mine < house else "hands_equal"


def winner_of(state: State, shown: Showdown) -> str:
    """The code of a complete round's end."""
    if state.result:
        return state.result
    kind = state.kind
    if course.is_void(state):
        return MISDEAL
    verdicts = {seen.verdict for seen in shown.seats.values() if seen.row not in ("folded", MISDEAL)}
    if not kind.dealer:
        return "paid" if "win" in verdicts else "unpaid"
    if not verdicts:
        return "all_folded"
    if not shown.qualified:
        return kind.unqualified_winner
    if len(verdicts) > 1:
        return "mixed"
    return {"win": "players", "lose": "dealer", "push": "tie"}[verdicts.pop()]


def outcome_of(state: State, shown: Showdown) -> Ended:
    """The outcome of a complete round. `facts`: the dealer's category and whether it counts, the categories
    of the seats by number, which a progressive reads (PP-02), and the misdealt hands.
    """
    if state.result:
        return Ended(state.result)
    category = state.kind.category
    facts: dict[str, Any] = {
        "seats": {
            str(seat): category(seen.value) for seat, seen in shown.seats.items() if seen.value is not None
        }
    }
    if wrong := misdeals.found(state):
        facts[MISDEAL] = wrong
    if shown.house is not None:
        facts["dealer"], facts["qualified"] = category(shown.house), shown.qualified
    return Ended(winner_of(state, shown), hands_on(state, shown), facts)


def hands_on(state: State, shown: Showdown | None = None) -> tuple[Hand, ...]:
    """Every hand as it lies: the dealer's or the community cards first, then the seats'. With `shown`,
    how each ended.
    """
    kind = state.kind
    if state.result or not state.places:
        return ()
    shared = Hand(BOARD, cards=state.board)
    if kind.dealer:
        value = course.dealer_value(state)
        shared = Hand(DEALER, cards=state.house.cards, worth=None if value is None else kind.words(value))
    return (shared, *[_seat_hand(state, seat, place, shown) for seat, place in state.places.items()])


def _seat_hand(state: State, seat: int, place: Place, shown: Showdown | None) -> Hand:
    if place.out:
        said = _DEAD if place.dead else _FOLDED
        return Hand("", seat, 0, place.cards, said, shown.seats[seat].verdict if shown else "")
    value = shown.seats[seat].value if shown else seat_value(state, seat)
    worth = None if value is None else state.kind.words(value)
    return Hand("", seat, 0, place.cards, worth, shown.seats[seat].verdict if shown else "")


_FOLDED = Text("se retiró", "folded")
_DEAD = Text("mano muerta", "dead hand")


def announcement(state: State, shown: Showdown) -> Text:
    """What is called out."""
    kind, winner = state.kind, winner_of(state, shown)
    said = {**winners_of(kind), **VOIDS}[winner]
    if winner == "paid" and not state.result:
        paid = [(seat, seen.value) for seat, seen in shown.seats.items() if seen.verdict == "win"]
        return _paid_words(kind, [(seat, value) for seat, value in paid if value is not None])
    if state.result or shown.house is None or winner in ("all_folded", MISDEAL):
        return said
    words = kind.words(shown.house)
    if winner == kind.unqualified_winner:
        need = qualifier(state.rules)[1]
        return Text(
            f"{said.es} ({words.es}; hace falta {need.es}): se paga el ANTE",
            f"{said.en} ({words.en}; {need.en} is needed): the ANTE is paid",
        )
    return Text(f"croupier, {words.es}: {said.es}", f"dealer, {words.en}: {said.en}")


def _paid_words(kind: Kind, paid: Sequence[tuple[int, int]]) -> Text:
    """The hands a table of prizes pays, in the order they are paid: from right to left (PH-21)."""
    told = [(seat, kind.words(value)) for seat, value in sorted(paid, reverse=True)]
    return Text(
        "se paga: " + "; ".join(f"asiento {seat}, {words.es}" for seat, words in told),
        "paid: " + "; ".join(f"seat {seat}, {words.en}" for seat, words in told),
    )


def row_words(row: str) -> Text:
    """A pay table's row as a payout says it."""
    return CATEGORY_WORDS.get(row) or _ROWS[row]


_ROWS: Mapping[str, Text] = {
    "folded": _FOLDED,
    MISDEAL: Text("mal reparto", "misdeal"),
    "dealer_not_open": Text("el croupier no abre", "the dealer does not open"),
    "dealer_not_qualified": Text("el croupier no califica", "the dealer does not qualify"),
    "player_higher": Text("gana la mano", "the hand wins"),
    "hands_equal": Text("manos iguales", "equal hands"),
    "player_lower": Text("gana el croupier", "the dealer wins"),
}
