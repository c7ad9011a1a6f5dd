"""What may be done at a table now, as buttons and as the words that do the same by keyboard.

Every button stands for a word of the one grammar (`tables.typed`): a finger and a key say the same.
Cards and stakes have pads of their own; here is everything else that the prompts offer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from casino.kernel import money
from casino.kernel.words import Text, same
from shoes.cards import COVERED, DECK_TYPES, DeckType
from tables import irregular, keys, telling
from tables.games.base import Detail, Game, Prompt

SEATS: Mapping[str, str] = {"deal": "r", "in": "j", "button": "bo", "bank": "ba", "collect": "co"}
"""The word before the seat in what is told of a seat alone: `r 3`, reparte el asiento 3."""

BANK_OFFER = ("of", "oferta", "offer")
"""The words before the seat that offers for the bank: `of 2`, the least there is, or `of 2 500`."""

_QUIET = ("e", "at", "by", "hand")


@dataclass(frozen=True, slots=True)
class Offer:
    """One button: its words, what it types, and what may be added (an amount, cards)."""

    words: Text
    typed: str
    place: int = 0
    amount: int | None = None
    cards: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Buttons of one kind; `brief` ones are many and short (seats, numbers). `beside`: they may be pressed
    too, but are not what comes next.
    """

    kind: str
    text: Text
    rule: str
    offers: tuple[Offer, ...]
    beside: bool = False

    @property
    def brief(self) -> bool:
        return len(self.offers) > 8

    @property
    def aside(self) -> bool:
        """Whether they are out of the way until asked for."""
        return self.beside and len(self.offers) > 3


def is_whole(event: Mapping[str, Any]) -> bool:
    """Whether an offered event can be sent as it stands: no card is left open."""
    if event["e"] == "card":
        return "card" in event
    return COVERED not in event.get("cards", ())


def groups(game: Game, state: Any, prompts: tuple[Prompt, ...]) -> tuple[Group, ...]:
    """The buttons for everything the prompts offer but bets and open cards.

    Those of the first prompt, and what else is for its seat, stand first; what may be done besides follows,
    one group for each kind of thing.
    """
    first, made = prompts[0], dict[tuple[str, bool], list[tuple[Prompt, Offer]]]()
    number = 0
    for prompt in prompts:
        if prompt.kind in game.carried:
            continue  # handed on by the round before, not entered by anyone
        own = prompt is first or (prompt.seat, prompt.hand) == (first.seat, first.hand) != (0, 0)
        for event in prompt.events:
            if _has_pad(event):
                continue
            # A number names a decision only while decisions come first: elsewhere it is a seat.
            number += event["e"] == "choice"
            place = number if first.kind == event["e"] == "choice" else 0
            offer = _offer(game, event, prompt, own, place, state.terms.exponent)
            made.setdefault((prompt.kind, own), []).append((prompt, offer))
    return tuple(
        Group(kind, _heading(offered), offered[0][0].rule, tuple(offer for _, offer in offered), not own)
        for (kind, own), offered in sorted(made.items(), key=lambda entry: not entry[0][1])
    )


def _heading(offered: list[tuple[Prompt, Offer]]) -> Text:
    """What the prompt says; of several prompts, that they may be answered too."""
    return offered[0][0].text if len({id(prompt) for prompt, _ in offered}) == 1 else _ALSO


_ALSO = Text("También puede", "Also possible")


def _has_pad(event: Mapping[str, Any]) -> bool:
    """Whether it is entered on the pad of cards or of stakes, or by Enter."""
    if event["e"] == "card":
        return not is_whole(event)
    return event["e"] in ("bet", "close") or (event["e"] in ("chips", "bank") and "amount" in event)


def _offer(
    game: Game, event: Mapping[str, Any], prompt: Prompt, own: bool, place: int, exponent: int
) -> Offer:
    cards = len(event["cards"]) if COVERED in event.get("cards", ()) else 0
    if event["e"] == "choice":
        whose = "" if own and prompt.seat else _whose(event)
        return _decision(game, event, prompt, whose, place, exponent, cards)
    if event["e"] == "in":
        typed = _plays(event) if own else f"{SEATS['in']} {_plays(event)}"
        return Offer(same(_plays(event).replace("x", " × ")), typed)
    if event["e"] == "show":
        typed = _whose_hand(game, event) if cards else words_for(game, event)[0]
        return Offer(_shown(game, event, exponent, cards), typed, cards=cards)
    if event["e"] == "card":
        return Offer(Text("Tapada", "Covered"), "*")
    if event["e"] == "spin":
        return Offer(same(str(event["number"])), str(event["number"]))
    words = _result(game, event) or telling.words_of(game, event, exponent)
    if event["e"] == "offer" and "amount" in event:
        return Offer(words, f"{BANK_OFFER[0]} {event['seat']}", amount=event["amount"])
    return Offer(words, words_for(game, event)[0], cards=cards)


def _shown(game: Game, event: Mapping[str, Any], exponent: int, cards: int) -> Text:
    if cards:
        return telling.words_of(game, {**event, "cards": []}, exponent)
    faces = same(telling.cards_of(game, event["cards"]))
    if "seat" not in event:
        return faces
    return Text("{who}: {cards}", "{who}: {cards}").fill(who=_seat_words(event), cards=faces)


def _decision(
    game: Game, event: Mapping[str, Any], prompt: Prompt, whose: str, place: int, exponent: int, cards: int
) -> Offer:
    """`whose`: the seat to be named, empty where it is the one whose turn it is."""
    do, amount = str(event["do"]), event.get("amount")
    words = game.choices.get(do, same(do))
    typed = keys.of(game.choices).get(do, do)
    if whose:
        words = Text("{who} · {what}", "{who} · {what}").fill(who=_seat_words(event), what=words)
        typed = f"{whose} {typed}"
    if event.get("spot") in game.spots:
        spot = game.spots[event["spot"]]
        words = Text("{what} · {spot}", "{what} · {spot}").fill(what=words, spot=spot)
        typed += f" {keys.of(game.spots)[event['spot']]}"
    if amount is not None:
        words = Text("{what} {amount}", "{what} {amount}").fill(
            what=words, amount=Text(_short(amount, "es", exponent), _short(amount, "en", exponent))
        )
        alike = [e for e in prompt.events if (e.get("do"), _whose(e)) == (do, _whose(event))]
        typed += f" {money.plain(amount, exponent)}" if len(alike) > 1 else ""
    return Offer(words, typed, place, amount, cards)


def _short(amount: int, language: str, exponent: int) -> str:
    said = money.readable(amount, language, exponent)
    return said[: -exponent - 1] if exponent and amount % 10**exponent == 0 else said


def _seat_words(event: Mapping[str, Any]) -> Text:
    whose = _whose(event)
    return Text("Asiento {seat}", "Seat {seat}").fill(seat=whose)


def _whose(event: Mapping[str, Any]) -> str:
    """The seat as it is typed, with its hand where that is not the first: `3`, `3.2`."""
    seat, hand = event.get("seat", 0), event.get("hand") or 0
    return f"{seat}.{hand + 1}" if hand else str(seat) if seat else ""


def _whose_hand(game: Game, event: Mapping[str, Any]) -> str:
    """The seat, or the key of the shared hand, that cards are turned over at."""
    return _whose(event) or keys.of(game.hands).get(str(event.get("to")), "")


def _plays(event: Mapping[str, Any]) -> str:
    hands = event.get("hands", 1)
    return f"{event['seat']}x{hands}" if hands != 1 else str(event["seat"])


def _result(game: Game, event: Mapping[str, Any]) -> Text | None:
    """An announced result by its words: the winner, and what else it tells."""
    if event["e"] != "result":
        return None
    told = [words for key, value in event.items() if key != "e" and (words := _words_of(game, key, value))]
    return (
        Text(", ".join(words.es for words in told), ", ".join(words.en for words in told)) if told else None
    )


def _words_of(game: Game, key: str, value: object) -> Text | None:
    if key == "winner":
        return game.winners.get(str(value))
    return game.spots.get(str(value)) if isinstance(value, str) else None


def says(game: Game, event: Mapping[str, Any], word: str) -> bool:
    """Whether a word names one of the values of an event, its winner apart."""
    told = {str(v): text for k, v in event.items() if k != "winner" and (text := _words_of(game, k, v))}
    return bool(keys.found(word, told))


def words_for(game: Game, event: Mapping[str, Any]) -> list[str]:
    """What may be typed for an event told by its own values, the shortest first."""
    kind, seat = str(event["e"]), event.get("seat")
    values = [(key, event[key]) for key in event if key not in _QUIET]
    if kind == "show":
        return [f"{_whose_hand(game, event)} {''.join(event['cards'])}".lower()]
    if kind == "result":
        return [" ".join(_word(game, key, value) for key, value in values)]
    if kind == "card":
        return ["*"] if seat is None else [f"{_whose(event)} *", "*"]
    if [key for key, _ in values] == ["seat"]:
        word = SEATS.get(kind, kind)
        return [f"{word} {seat}", f"{word}{seat}"]
    said = [_word(game, key, value) for key, value in values if not isinstance(value, list | tuple | dict)]
    whole = " ".join([kind, *said]).lower()
    return [said[0].lower(), whole] if len(said) == 1 else [whole]


def _word(game: Game, key: str, value: object) -> str:
    if key == "winner":
        return keys.of(game.winners).get(str(value), str(value))
    if isinstance(value, str) and value in game.spots:
        return keys.of(keys.bettable(game)).get(str(value), str(value))
    return str(value)


# ---- examples and help ----------------------------------------------------------------------------


def sample_cards(deck: DeckType) -> tuple[str, str, str]:
    """Three cards as people type them, for examples: `9d`, `kh`, `10c`."""
    pips = [rank for rank in deck.ranks if rank.isdigit()]
    suits, court = list(deck.suits), list(deck.ranks)[-1]
    return (pips[-1] + suits[2], (court + suits[1]).lower(), pips[0] + suits[3])


def examples(game: Game, state: Any) -> list[str]:
    """What could be typed now, three at most."""
    found: list[str] = []
    deck = DECK_TYPES.get(game.deck_type)
    prompts = game.prompts(state)
    for prompt in prompts:
        for event in prompt.events[:1]:
            if event["e"] == "bank" and "amount" in event:
                continue  # Sabot keeps that bank apart (`tables.bank`): it is never typed
            if event["e"] == "in" and prompts[0].kind != "in":
                found.append(f"{SEATS['in']} {_plays(event)}")  # a number alone is something else
            else:
                found += _examples_of(game, event, deck)
    may_close = any(event["e"] == "close" for prompt in prompts for event in prompt.events)
    if state.terms.detail is Detail.FULL and may_close and deck and "card" in game.events:
        found.append(sample_cards(deck)[0])
    return list(dict.fromkeys(found))[:3]


def _examples_of(game: Game, event: Mapping[str, Any], deck: DeckType | None) -> list[str]:
    if event["e"] == "card" and deck:
        return list(sample_cards(deck)[:2])
    if event["e"] == "bet":
        spots = keys.of(keys.bettable(game))
        return [f"{spots[event['spot']]} {event['seat']} 500"]
    if event["e"] == "choice":
        return [keys.of(game.choices).get(event["do"], event["do"])]
    if event["e"] == "in":
        return [_plays(event)]
    if event["e"] == "result":
        # Where the winner is not all there is to tell, the word of the whole result.
        return _results(game)[:2] if set(event) <= {"e", "winner"} else words_for(game, event)[:1]
    if "amount" in event:
        return [f"{event.get('seat', 1)} 500"]
    return [] if event["e"] in ("close", "show") else words_for(game, event)[:1]


def _results(game: Game) -> list[str]:
    short = keys.of(game.winners)
    if len(game.hands) == 2 and set(game.hands) <= set(game.winners):
        others = [code for code in game.winners if code not in game.hands]
        return [f"{short[code]} 6 2" for code in game.hands] + [f"{short[code]} 6" for code in others]
    return list(short.values())


def help_of(game: Game, detail: Detail, seats: int) -> tuple[tuple[str, Text], ...]:
    """The grammar for one game at one level of detail: what is typed and what it means."""
    lines: list[tuple[str, Text]] = []
    deck = DECK_TYPES.get(game.deck_type)
    if detail is Detail.RESULT:
        return tuple((typed, _result_words(game, typed)) for typed in _results(game)[:4])
    if deck and "card" in game.events:
        suits = " ".join(f"{letter} {_suit(deck, letter)}" for letter in deck.suits)
        lines.append(
            (
                sample_cards(deck)[0],
                Text("carta: valor y palo ({s})", "card: rank and suit ({s})").fill(s=suits),
            )
        )
        if game.hands:
            name, key = next(iter(game.hands.items()))[1], next(iter(keys.of(game.hands).values()))
            lines.append(
                (
                    key + sample_cards(deck)[0],
                    Text("carta que fue a {h}", "card that went to {h}").fill(h=name),
                )
            )
    spots = keys.bettable(game) if "bet" in game.events else {}
    if detail is Detail.FULL and spots:
        spot, words = list(spots.items())[min(17, len(spots) - 1) if len(spots) > keys.MANY else 0]
        meaning = Text("asiento 3: 500 a {spot}, y Enter", "seat 3: 500 on {spot}, and Enter").fill(
            spot=words
        )
        lines.append((f"{keys.of(spots)[spot]} 3 500", meaning))
        if len(spots) > keys.MANY:
            lines += _other_kinds(spots)
        else:
            lines += [(keys.of(spots)[code], words) for code, words in list(spots.items())[1:]]
    elif detail is Detail.FULL and "chips" in game.events:
        lines.append(("3 500", Text("el asiento 3 tiene 500", "seat 3 has 500")))
    if detail is Detail.CARDS and "in" in game.events:
        lines.append(("1 3", Text("juegan los asientos 1 y 3", "seats 1 and 3 play")))
    if game.choices:
        code, words = next(iter(game.choices.items()))
        key = keys.of(game.choices)[code]
        lines.append(
            (f"{key} · 1", Text("decisión: sus letras o su número", "decision: its letters or number"))
        )
        lines.append((f"3 {key}", Text("decisión del asiento 3", "decision of seat 3")))
    if "spin" in game.events:
        lines.append(("17", Text("el número que salió", "the number that came")))
    return (*lines, *irregular.help_of(game))


def _other_kinds(spots: Mapping[str, Text]) -> list[tuple[str, Text]]:
    """Of a layout with many spots, how one between numbers is typed, and one of each kind with a word."""
    short, seen = keys.of(spots), set[str]()
    lines: list[tuple[str, Text]] = []
    for code, words in spots.items():
        kind = keys.kind_of(words.es)
        named = not short[code][:1].isdigit()
        if kind not in seen and (named or ("-" in short[code] and not any("-" in line for line, _ in lines))):
            seen.add(kind)
            lines.append((short[code], words))
    return lines


def _suit(deck: DeckType, letter: str) -> str:
    suit = deck.suits[letter]
    return suit.name.es if suit.sign == letter else suit.sign


def _result_words(game: Game, typed: str) -> Text:
    short = keys.of(game.winners)
    winner = next(code for code, key in short.items() if key == typed.split()[0])
    return Text("resultado: {w}", "result: {w}").fill(w=game.winners[winner])
