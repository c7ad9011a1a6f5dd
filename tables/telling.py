"""The events of a round as lines people read, on the round's own page and on the trail alike.

Whatever a log holds is told: an event of a kind or with a key nobody foresaw is told by its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from casino.kernel import money
from casino.kernel.words import Text, same
from shoes import cards
from shoes.cards import COVERED, DECK_TYPES, FRENCH52
from tables.games.base import Game, Hand

Event = Mapping[str, Any]

BURN = "burn"


def words_of(game: Game, event: Event, exponent: int) -> Text:
    """One event of a round's log. `exponent`: of the currency its amounts are in."""
    teller = _TELLERS.get(event["e"])
    try:
        return teller(game, event, exponent) if teller else _as_it_is(game, event, exponent)
    except (KeyError, TypeError, ValueError, IndexError):
        return _as_it_is(game, event, exponent)


def told(game: Game, log: Sequence[Event], exponent: int) -> Text:
    """Several events in one line, in their order."""
    lines = [words_of(game, event, exponent) for event in log]
    return Text("; ".join(line.es for line in lines), "; ".join(line.en for line in lines))


def who(event: Event) -> Text:
    """The seat an event is about, with its hand where that is not the first."""
    if not event.get("hand"):
        return Text("asiento {seat}", "seat {seat}").fill(seat=event["seat"])
    return Text("asiento {seat}, mano {hand}", "seat {seat}, hand {hand}").fill(
        seat=event["seat"], hand=event["hand"] + 1
    )


def cards_of(game: Game, faces: Sequence[str]) -> str:
    """Cards for a narrow place: `9♦ K♥`."""
    deck = DECK_TYPES.get(game.deck_type, FRENCH52)
    return " ".join(cards.sign(face, deck) for face in faces)


def hands_of(game: Game, outcome: Mapping[str, Any]) -> Text:
    """Every hand of a stored outcome in one line: `Punto 9d Kh (9); Banca 6s 4c (0)`, `3.2: Ah 8d (19)`."""
    try:
        hands = game.read_outcome(outcome).hands if outcome else ()
    except (KeyError, TypeError):
        return Text("", "")
    lines = [_hand(game, hand) for hand in hands if hand.cards or hand.worth]
    return Text("; ".join(line.es for line in lines), "; ".join(line.en for line in lines))


def _hand(game: Game, hand: Hand) -> Text:
    whose = game.hands.get(hand.name, same(hand.name))
    if hand.seat:
        whose = same(f"{hand.seat}.{hand.hand + 1}:" if hand.hand else f"{hand.seat}:")
    said = _and(whose, same(" ".join(hand.cards))) if hand.cards else whose
    return _and(said, Text("({worth})", "({worth})").fill(worth=hand.worth)) if hand.worth else said


def _card(game: Game, event: Event, exponent: int) -> Text:
    if event["to"] == BURN and BURN not in game.hands:
        if event["card"] == COVERED:
            return Text("carta quemada, tapada", "card burned, face down")
        return Text("carta quemada: {card}", "card burned: {card}").fill(card=cards_of(game, [event["card"]]))
    to = who(event) if event["to"] == "seat" else game.hands[event["to"]]
    return Text("{card} a {hand}", "{card} to {hand}").fill(card=cards_of(game, [event["card"]]), hand=to)


def _prison(game: Game, event: Event, exponent: int) -> Text:
    return Text("{who}: {amount} a {spot}, en prisión", "{who}: {amount} on {spot}, in prison").fill(
        who=who({"seat": event["seat"]}),
        amount=money.words(event["amount"], exponent),
        spot=game.spots.get(event["spot"], same(str(event["spot"]))),
    )


def _bet(game: Game, event: Event, exponent: int) -> Text:
    return Text("{who}: {amount} a {spot}", "{who}: {amount} on {spot}").fill(
        who=who(event),
        amount=money.words(event["amount"], exponent),
        spot=game.spots.get(event["spot"], same(str(event["spot"]))),
    )


def _choice(game: Game, event: Event, exponent: int) -> Text:
    said = Text("{who}: {what}", "{who}: {what}").fill(who=who(event), what=_decision(game, str(event["do"])))
    if "amount" in event:
        said = _and(said, money.words(event["amount"], exponent))
    if event.get("cards"):
        said = _and(said, same(cards_of(game, event["cards"])))
    return said


def _decision(game: Game, code: str) -> Text:
    words = game.choices.get(code, same(code))
    return Text(_lower(words.es), _lower(words.en))


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _and(said: Text, more: Text) -> Text:
    return Text("{said} {more}", "{said} {more}").fill(said=said, more=more)


def _in(game: Game, event: Event, exponent: int) -> Text:
    hands = event.get("hands", 1)
    if isinstance(hands, int) and hands > 1:
        return Text("juega el asiento {seat}, {n} manos", "seat {seat} plays, {n} hands").fill(
            seat=event["seat"], n=hands
        )
    return Text("juega el asiento {seat}", "seat {seat} plays").fill(seat=event["seat"])


def _show(game: Game, event: Event, exponent: int) -> Text:
    to = who(event) if "seat" in event else game.hands[event["to"]]
    if not event.get("cards"):
        return Text("{to} muestra", "{to} shows").fill(to=to)
    return Text("{to} muestra {cards}", "{to} shows {cards}").fill(
        to=to, cards=cards_of(game, event["cards"])
    )


def _chips(game: Game, event: Event, exponent: int) -> Text:
    return Text("{who}: tiene {amount}", "{who}: has {amount}").fill(
        who=who(event), amount=money.words(event["amount"], exponent)
    )


def _bank(game: Game, event: Event, exponent: int) -> Text:
    return Text("{who}: banca con {amount}", "{who}: banks with {amount}").fill(
        who=who(event), amount=money.words(event["amount"], exponent)
    )


def _undo(game: Game, event: Event, exponent: int) -> Text:
    return Text("anulado el {of}: {why}", "entry {of} undone: {why}").fill(of=event["of"], why=event["why"])


def _result(game: Game, event: Event, exponent: int) -> Text:
    winner = game.winners.get(event["winner"], same(str(event["winner"])))
    totals = [str(event[name]) for name in game.hands if isinstance(event.get(name), int)]
    said = Text("resultado anunciado: {winner}", "announced result: {winner}").fill(winner=winner)
    return _and(said, same("–".join(totals))) if totals else said


def _spin(game: Game, event: Event, exponent: int) -> Text:
    return Text("salió el {number}", "the number is {number}").fill(number=event["number"])


def _note(game: Game, event: Event, exponent: int) -> Text:
    return Text("nota {code}", "note {code}").fill(code=event.get("code", ""))


def _misdeal(game: Game, event: Event, exponent: int) -> Text:
    to = who(event) if "seat" in event else game.hands[event["to"]]
    return Text("mal reparto, {to}: {n} cartas", "misdeal, {to}: {n} cards").fill(to=to, n=event["count"])


def _defective(game: Game, event: Event, exponent: int) -> Text:
    said = Text("baraja defectuosa", "defective deck")
    if not event.get("knew"):
        return said
    seats = ", ".join(map(str, event["knew"]))
    return Text("{said}; sabían: {seats}", "{said}; knew: {seats}").fill(said=said, seats=seats)


def _forfeited(game: Game, event: Event, exponent: int) -> Text:
    return Text("{who}: {amount} perdidas al pozo", "{who}: {amount} lost to the pot").fill(
        who=who(event), amount=money.words(event["amount"], exponent)
    )


def _seat(words: Text) -> Callable[[Game, Event, int], Text]:
    return lambda game, event, exponent: words.fill(seat=event["seat"])


def _close(game: Game, event: Event, exponent: int) -> Text:
    return Text("no va más", "no more bets")


_TELLERS: Mapping[str, Callable[[Game, Event, int], Text]] = {
    "bet": _bet,
    "prison": _prison,
    "in": _in,
    "close": _close,
    "card": _card,
    "choice": _choice,
    "show": _show,
    "chips": _chips,
    "bank": _bank,
    "deal": _seat(Text("reparte el asiento {seat}", "seat {seat} deals")),
    "button": _seat(Text("botón en el asiento {seat}", "button at seat {seat}")),
    "collect": _seat(Text("el asiento {seat} paga su comisión", "seat {seat} pays its commission")),
    "spin": _spin,
    "result": _result,
    "misdeal": _misdeal,
    "defective": _defective,
    "forfeited": _forfeited,
    "undo": _undo,
    "note": _note,
}

_KINDS = {
    "prison": Text("en prisión", "in prison"),
    "offer": Text("oferta por la banca", "offer for the bank"),
    "owed": Text("debe de antes", "owes from before"),
}
_QUIET = frozenset({"e", "at", "by", "seat", "hand"})


def _as_it_is(game: Game, event: Event, exponent: int) -> Text:
    """An event told by its own keys: who, what kind, and its values, amounts as money."""
    kind = str(event.get("e", "?"))
    parts = [_KINDS.get(kind, same(kind))]
    parts += [_value(game, key, event[key], exponent) for key in event if key not in _QUIET]
    said = Text(" ".join(p.es for p in parts), " ".join(p.en for p in parts))
    if type(event.get("seat")) is int:
        said = Text("{who}: {said}", "{who}: {said}").fill(who=_who_safely(event), said=said)
    return said


def _who_safely(event: Event) -> Text:
    hand = event.get("hand")
    return who({"seat": event["seat"], "hand": hand if type(hand) is int else 0})


def _value(game: Game, key: str, value: Any, exponent: int) -> Text:
    if key in ("amount", "rounding", "price") and type(value) is int:
        return money.words(value, exponent)
    if isinstance(value, str):
        for words in (game.spots, game.choices, game.winners, game.hands):
            if value in words:
                return words[value]
    if isinstance(value, list | tuple):
        return same(" ".join(str(item) for item in value))
    return same(str(value))
