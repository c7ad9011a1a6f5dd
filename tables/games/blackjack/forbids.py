"""What every form of the game forbids, with its refusal, against one dealer hand or three.

Black Jack and Challenge 21 have states of their own; what both hold true is said here once, of the few
figures both know.
"""

from __future__ import annotations

from typing import Any, Protocol

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from shoes.cards import COVERED
from tables.games import reading
from tables.games.base import Detail, Terms
from tables.games.blackjack import hands as values
from tables.games.staking import require_chips


class Held(Protocol):
    """What is asked of a player's hand."""

    @property
    def seat(self) -> int: ...
    @property
    def hand(self) -> int: ...
    @property
    def cards(self) -> tuple[str, ...]: ...
    @property
    def split_from(self) -> str: ...


class Options(Protocol):
    """What is asked of the rules."""

    @property
    def double_totals(self) -> str: ...
    @property
    def double_after_split(self) -> bool: ...
    @property
    def split_pair_by(self) -> str: ...


def named(hand: Held, spanish: str = "la", english: str = "the") -> Text:
    """A hand in words: its seat, and from the second on its number, counted from 1 as people do."""
    if not hand.hand:
        return Text(f"{spanish} mano del asiento {hand.seat}", f"{english} hand of seat {hand.seat}")
    # A numbered hand has no article in English: to hand 1, not to the hand 1.
    before = english.removesuffix("the")
    return Text(
        f"{spanish} mano {hand.hand + 1} del asiento {hand.seat}",
        f"{before}hand {hand.hand + 1} of seat {hand.seat}",
    )


def refusal(rule: str, code: str, say: Text, field: str = "do") -> RuleViolation:
    return RuleViolation(rule, say, code=code, field=field)


def require_deal(detail: Detail, seated: dict[int, int]) -> None:
    """BJ-07: no card before betting is closed, or before a seat is noted where no bets are logged."""
    if detail is Detail.FULL:
        say = Text("cierre las apuestas antes de la primera carta", "close betting before the first card")
        raise RuleViolation("BJ-07", say, code="bets_open")
    if not seated:
        say = Text("anote antes los asientos que juegan", "note the seats that play first")
        raise RuleViolation("BJ-07", say, code="no_bets")


def require_face_up(card: object) -> None:
    """BJ-12."""
    if isinstance(card, str) and card == COVERED:
        say = Text(
            "todas las cartas se reparten descubiertas: anote qué carta es",
            "all cards are dealt face up: say which card it is",
        )
        raise RuleViolation("BJ-12", say, code="covered_card", field="card")


def require_fewer(card: str, seen: int, decks: int, field: str = "card") -> None:
    """CARD-42: no card shows more often than there are decks."""
    if seen >= decks:
        raise RuleViolation(
            "CARD-42",
            Text(
                f"{card} ya salió {seen} veces y hay {decks} barajas: revise lo anotado;"
                " si es así, detenga la mesa",
                f"{card} came out {seen} times already and there are {decks} decks:"
                " check what was logged; if so, stop the table",
            ),
            {"card": card, "seen": seen, "decks": decks},
            code="card_too_often",
            field=field,
        )


def no_such_hand(seat: int, hand: object, plays: bool) -> RuleViolation:
    """BJ-13: the seat has other hands, or none."""
    if plays:
        say = Text(
            f"el asiento {seat} no tiene la mano {reading.shown(hand)} en este pase",
            f"seat {seat} has no hand {reading.shown(hand)} in this round",
        )
        return refusal("BJ-13", "no_such_hand", say, "hand")
    say = Text(f"el asiento {seat} no juega este pase", f"seat {seat} does not play this round")
    return refusal("BJ-13", "no_such_hand", say, "seat")


def no_card_for(hand: Held, doubled: bool, finished: bool, otherwise: tuple[str, Text]) -> RuleViolation:
    """Why a hand gets no card after the first deal (BJ-13, BJ-14, BJ-25, BJ-27), or what else forbids it."""
    total = values.points(hand.cards) if len(hand.cards) > 1 else 0
    rule, say = otherwise
    if total >= values.TWENTY_ONE:
        rule = "BJ-14"
        say = Text(
            f"{{whose}} suma {total}: con 21 o más no se entrega carta",
            f"{{whose}} totals {total}: at 21 or more no card is given",
        )
    elif doubled and total:
        rule, say = "BJ-27", Text("{whose} dobló: una sola carta más", "{whose} doubled: one more card only")
    elif is_split_ace(hand) and total:
        rule = "BJ-25"
        say = Text("{whose} es un as separado: una sola carta", "{whose} is a split ace: one card")
    elif finished:
        rule, say = "BJ-13", Text("{whose} ya terminó: no pide más", "{whose} has finished: it draws no more")
    figures: dict[str, Any] = {"seat": hand.seat, "hand": hand.hand, "points": total}
    return RuleViolation(rule, say.fill(whose=named(hand)), figures, code="card_not_due", field="seat")


def require_insurable(terms: Terms, amount: int, bet: int, percent: int) -> None:
    """GEN-07, BJ-21: insurance is in chips, and at most its share of the initial bet."""
    require_chips(amount, terms)
    most = bet * percent // 100
    if amount > most:
        say = money_words(most // terms.chip * terms.chip, terms.exponent)
        raise RuleViolation(
            "BJ-21",
            Text(
                f"el seguro no pasa del {percent} % de la apuesta: {say.es} como mucho",
                f"insurance is at most {percent} % of the bet: {say.en} at most",
            ),
            {"amount": amount, "max": most},
            code="insurance_too_high",
            field="amount",
        )


NOT_ITS_TURN = ("BJ-13", Text("no es el turno de {whose}", "it is not the turn of {whose}"))


def no_hit_at_21(hand: Held) -> RuleViolation | None:
    """BJ-14, said to whoever asks for a card out of turn."""
    total = values.points(hand.cards) if len(hand.cards) > 1 else 0
    if total < values.TWENTY_ONE:
        return None
    say = Text(
        f"{{whose}} suma {total}: con 21 o más no se entrega carta",
        f"{{whose}} totals {total}: at 21 or more no card is given",
    )
    return refusal("BJ-14", "card_not_due", say.fill(whose=named(hand)))


def is_split_ace(hand: Held) -> bool:
    """Whether the hand is an ace of a split pair, which takes one card only (BJ-25)."""
    return hand.split_from != "" and values.is_ace(hand.split_from)


def no_double(rules: Options, hand: Held) -> RuleViolation | None:
    """BJ-27: on the first two cards, after a split and on which totals the rules say."""
    if len(hand.cards) != 2:
        say = Text("se dobla sólo con las dos primeras cartas", "a double is on the first two cards only")
        return refusal("BJ-27", "not_two_cards", say)
    if hand.split_from and not rules.double_after_split:
        say = Text("aquí no se dobla después de separar", "here there is no double after a split")
        return refusal("BJ-27", "double_after_split", say)
    total = values.points(hand.cards)
    if rules.double_totals != "any" and total not in (9, 10, 11):
        say = Text(
            f"aquí se dobla con 9, 10 u 11; la mano tiene {total}",
            f"here 9, 10 or 11 may be doubled; the hand has {total}",
        )
        return refusal("BJ-27", "double_totals", say)
    return None


def no_pair(rules: Options, hand: Held) -> RuleViolation | None:
    """BJ-24: two cards that pair, as the rules pair them."""
    if len(hand.cards) != 2:
        say = Text("se separa sólo con las dos primeras cartas", "a split is on the first two cards only")
        return refusal("BJ-24", "not_two_cards", say)
    first, second = hand.cards
    if values.is_pair(first, second, rules.split_pair_by):
        return None
    by = Text("igual rango", "the same rank") if rules.split_pair_by == values.BY_RANK else _VALUE
    say = Text(f"{first} y {second} no forman par de {by.es}", f"{first} and {second} are no pair of {by.en}")
    return refusal("BJ-24", "not_a_pair", say)


_VALUE = Text("igual valor", "equal value")


def too_many_splits(splits: int, most: int) -> RuleViolation | None:
    """BJ-23."""
    if splits < most:
        return None
    if not most:
        return refusal("BJ-23", "too_many_splits", _NO_SPLITS)
    times = ("vez", "split") if most == 1 else ("veces", "splits")
    say = Text(
        f"se separa como mucho {most} {times[0]}: {most + 1} manos",
        f"at most {most} {times[1]}: {most + 1} hands",
    )
    return refusal("BJ-23", "too_many_splits", say)


_NO_SPLITS = Text("en esta mesa no se separa", "there is no splitting at this table")
TWO_CARDS_ONLY = Text(
    "el retiro se ejerce con las dos primeras cartas", "surrender is exercised on the first two cards"
)
NOT_AGAINST_ACE = Text(
    "no hay retiro si el croupier muestra un as", "no surrender when the dealer shows an ace"
)
NO_SURRENDER = Text("en esta mesa no hay retiro", "there is no surrender at this table")
