"""What a person types at a table, read into events of the round log. Pure; one grammar for every game.

    9d  kh 10d  7o       cards: each goes where the prompt says; `*` is one dealt face down
    p9d  3 9d  3.2 9d    a card that went to a shared hand, to seat 3, to the second hand of seat 3
    b 3 500              seat 3 stakes 500 on Banca: spot, seat, amount; `b 3.2 500` for its second hand
    3 500                the same where only one spot can be meant; also chips or a bank that are asked for
    pl  3 pl  su 500     a decision by its first letters, of the seat whose turn it is or of seat 3, with an
                         amount, or with cards (`ca 9d 4c`); `2` is the second decision on the list
    1 2 4   3x2          the seats that play, where no bets are logged; seat 3 with two hands
    r 3  bo 3  j 3       seat 3 deals, has the button, plays
    mal 3 6              an irregularity (`tables.irregular`): seat 3 was dealt 6 cards
    17                   the number, seat or winner that is asked for; `p 6 2` a result with both totals

The words are the first letters of the game's own (`tables.keys`), and the prompts say which of these
readings is meant; whether the event is allowed is for the rules to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from casino.kernel import money
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from shoes import cards
from shoes.cards import COVERED, DECK_TYPES
from tables import card_words, irregular, keys, misread, offers
from tables.games.base import Detail, Game, Prompt

LONGEST = 60

# Only the digits 0 to 9 count: other scripts have digits that Python reads as numbers.
_SEAT = re.compile(r"(\d{1,2})(?:\.(\d))?", re.ASCII)
_PLAYS = re.compile(r"(\d{1,2})(?:x(\d))?", re.ASCII | re.IGNORECASE)
_JOINED = re.compile(r"([^\W\d_]+) ?(\d{1,2})", re.ASCII)
_OF_A_SEAT = re.compile(r"(r|bo) ?(\d{1,2})", re.ASCII | re.IGNORECASE)
_RESULT = re.compile(r"([^\W\d_]+|[0-9]{1,3})((?: [^\W\d_]+)*)((?: ?[0-9])*)")
_BETTING = ("bet", "in", "close")

Events = list[dict[str, Any]]


def events(typed: str, game: Game, state: Any, language: str | None = None) -> Events:
    """The events `typed` stands for at `state`; amounts, written as in `language`, in smallest units.

    Raises `Refused` (codes `unknown_card`, `bad_amount`, `ambiguous`, `not_understood`) when it cannot
    be read.
    """
    reader = Reader(game, state, language)
    if len(typed) > LONGEST:
        raise reader.not_understood(typed)
    return reader.read(" ".join(typed.split()))


class Reader:
    """One line read at one state."""

    def __init__(self, game: Game, state: Any, language: str | None) -> None:
        self.game, self.state, self.language = game, state, language
        self.prompts: Sequence[Prompt] = game.prompts(state)
        self.deck = DECK_TYPES.get(game.deck_type)
        self.first = self.prompts[0]

    def read(self, text: str) -> Events:
        tokens = text.split()
        if tokens and (read := irregular.events(tokens, self.game)):
            return read
        if (found := _OF_A_SEAT.fullmatch(text)) and (kind := _kind_of(found[1], self.game)):
            return [{"e": kind, "seat": int(found[2])}]
        if self.state.terms.detail is Detail.RESULT:
            readers = [self._result, self._values]
        elif self.first.kind in ("card", "show"):
            readers = [
                self._bank_offer,
                self._cards,
                self._aimed,
                self._seats,
                self._decision,
                self._bet,
                self._values,
            ]
        else:
            readers = [
                self._bank_offer,
                self._seats,
                self._decision,
                self._aimed,
                self._bet,
                self._values,
                self._cards,
            ]
        for reader in readers:
            read = reader(tokens)
            if read:
                return read
        raise self._unread(text)

    def _bank_offer(self, tokens: Sequence[str]) -> Events | None:
        """`of 2 500`: seat 2 offers 500 for the bank; without the amount, the least that may be offered."""
        if tokens[0].lower() not in offers.BANK_OFFER or len(tokens) not in (2, 3):
            return None
        event = next((e for e in self._offered("offer") if str(e["seat"]) == tokens[1]), None)
        return [self._filled(event, tokens[2:])] if event else None

    # ---- cards ---------------------------------------------------------------------------------

    def faces(self, tokens: Sequence[str]) -> list[str] | None:
        """The cards in the words, or None where any of them is something else."""
        if self.deck is None or not tokens:
            return None
        whole = " ".join(tokens)
        try:
            return [cards.parse(whole, self.deck)]
        except Refused:
            found = [face for token in tokens for face in card_words.run_together(token, self.deck) or [""]]
        return found if all(found) else None

    def _cards(self, tokens: Sequence[str]) -> Events | None:
        faces = self.faces(tokens)
        if faces is None:
            return None
        if self.first.kind == "show":
            return [{**self._offered("show")[0], "cards": faces}]
        read: Events = []
        state = self.state
        for face in faces:
            step = self._dealt(state, face)
            read += step
            try:
                state = self.game.play_all(state, step)
            except SabotError:
                break  # whoever plays it hears why
        return read

    def _dealt(self, state: Any, face: str) -> Events:
        """One card to where it is due at `state`, after the close of betting that it says."""
        due = card_words.due(self.game.prompts(state))
        if due is not None and due.get("card") == COVERED != face:
            # What can only lie covered is burned: the card that was read came after it.
            return [due, *self._dealt(self.game.play(state, due), face)]
        if due is not None:
            return [{**due, "card": face}]
        if state.closed or not any(p.kind in _BETTING for p in self.game.prompts(state)):
            return [{"e": "card", **self._likely(state), "card": face}]
        # Dealing the first card says that betting is over: no key of its own for it.
        close = {"e": "close"}
        try:
            due = card_words.due(self.game.prompts(self.game.play(state, close)))
        except SabotError:
            due = None
        return [close, {**(due or {"e": "card", **self._likely(state)}), "card": face}]

    def _likely(self, state: Any) -> dict[str, Any]:
        """Where a card that is not due was most likely put, so that the refusal speaks of that hand."""
        lying = [hand for hand in self.game.hands_on(state) if not hand.seat]
        if lying:
            return {"to": min(lying, key=lambda hand: len(hand.cards)).name}
        return {"to": next(iter(self.game.hands), "seat")}

    def _aimed(self, tokens: Sequence[str]) -> Events | None:
        """Cards that name their hand: `p9d`, or `3 9d` and `3.2 9d`."""
        seat = _SEAT.fullmatch(tokens[0])
        if seat and (faces := self.faces(tokens[1:])):
            return self._to_seat(int(seat[1]), int(seat[2]) - 1 if seat[2] else None, faces)
        if self.deck is None:
            return None
        if len(tokens) > 1 and tokens[0].isalpha() and (faces := self.faces(tokens[1:])):
            return self._to_hand(tokens[0], faces)
        text = "".join(tokens) if len(tokens) < 3 else ""
        for end in range(1, min(len(text) - 1, 12)):
            faces = card_words.run_together(text[end:], self.deck)
            if faces and text[:end].isalpha() and (read := self._to_hand(text[:end], faces)):
                return read
        return None

    def _to_hand(self, word: str, faces: list[str]) -> Events | None:
        """Cards to a shared hand, dealt or turned over."""
        hands = keys.found(word, self.game.hands)
        if len(hands) != 1:
            return None
        shows = [event for event in self._offered("show") if event.get("to") == hands[0]]
        if shows:
            return [{**shows[0], "cards": faces}]
        return [{"e": "card", "to": hands[0], "card": face} for face in faces]

    def _to_seat(self, seat: int, hand: int | None, faces: list[str]) -> Events:
        at = {"seat": seat} if hand is None else {"seat": seat, "hand": hand}
        shows = [e for e in self._offered("show") if _is_of(e, at)]
        if shows:
            return [{**shows[0], "cards": faces}]
        offered = next((e for e in self._offered("card") if _is_of(e, at)), {"e": "card", "to": "seat"})
        return [{**offered, **at, "card": face} for face in faces]

    # ---- decisions -----------------------------------------------------------------------------

    def _decision(self, tokens: Sequence[str]) -> Events | None:
        asked = self._offered("choice")
        if not asked and not self.game.choices:
            return None
        if len(tokens) == 1 and self.first.kind == "choice" and _PLAYS.fullmatch(tokens[0]):
            place = int(tokens[0]) - 1 if tokens[0].isdigit() else -1
            return [dict(asked[place])] if 0 <= place < len(asked) else None
        seat = _SEAT.fullmatch(tokens[0])
        rest = tokens[1:] if seat else tokens
        if not rest or not rest[0][:1].isalpha():
            return None
        at: dict[str, Any] = {"seat": int(seat[1])} if seat else {}
        if seat and seat[2]:
            at["hand"] = int(seat[2]) - 1
        fitting = [event for event in asked if _is_of(event, at)]
        event = self._chosen(rest[0], fitting or asked, at)
        if not event:
            return None
        alike = [one for one in fitting if one["do"] == event["do"] and one.get("spot")]
        if alike and len(rest) > 1:
            spots = keys.found(rest[1], self.game.spots, [one["spot"] for one in alike])
            if len(spots) == 1:
                return [self._filled(next(one for one in alike if one["spot"] == spots[0]), rest[2:])]
        return [self._filled(event, rest[1:])]

    def _chosen(self, word: str, asked: Sequence[Mapping[str, Any]], at: Mapping[str, Any]) -> dict[str, Any]:
        """The decision a word names: one that is offered, else one of the game's for the rules to refuse."""
        offered = list(dict.fromkeys(str(event["do"]) for event in asked))
        known = keys.found(word, self.game.choices, offered)
        if len(known) > 1:
            raise self._ambiguous(word, known, self.game.choices)
        if known:
            return next({**event, **at} for event in asked if event["do"] == known[0])
        known = keys.found(word, self.game.choices)
        if len(known) != 1 or not (asked or at):
            return {}
        whose = {key: asked[0][key] for key in ("seat", "hand") if asked and key in asked[0]}
        return {"e": "choice", **whose, **at, "do": known[0]}

    def _filled(self, event: dict[str, Any], rest: Sequence[str]) -> dict[str, Any]:
        """The decision with the amount or the cards typed after it."""
        if not rest:
            return event
        faces = self.faces(rest)
        if faces is not None:
            return {**event, "cards": faces}
        if len(rest) > 1:
            raise self.not_understood(" ".join(rest))
        return {**event, "amount": self._amount(rest[0])}

    # ---- seats and bets ------------------------------------------------------------------------

    def _seats(self, tokens: Sequence[str]) -> Events | None:
        word = offers.SEATS["in"]
        if tokens[0].lower() == word:
            tokens = tokens[1:]
        elif self.first.kind != "in":
            return None  # a number is something else that is asked for first
        if not tokens or not self._offered("in"):
            return None
        found = [_PLAYS.fullmatch(token) for token in tokens]
        if not all(found):
            return None
        return [
            {"e": "in", "seat": int(one[1]), **({"hands": int(one[2])} if one[2] else {})}
            for one in found
            if one
        ]

    def _bet(self, tokens: Sequence[str]) -> Events | None:
        if len(tokens) == 2 and (joined := _JOINED.fullmatch(tokens[0])):
            tokens = [joined[1], joined[2], tokens[1]]
        if len(tokens) == 2 and (seat := _SEAT.fullmatch(tokens[0])):
            return [self._stake(seat, tokens[1])]
        if len(tokens) != 3 or not (seat := _SEAT.fullmatch(tokens[1])):
            return None
        spots = keys.found(tokens[0], keys.bettable(self.game))
        if len(spots) > 1:
            raise self._ambiguous(tokens[0], spots, keys.bettable(self.game))
        if not spots:
            return None
        event = {"e": "bet", "seat": int(seat[1]), "spot": spots[0]}
        return [{**self._with_hand(event, seat), "amount": self._amount(tokens[2])}]

    def _stake(self, seat: re.Match[str], text: str) -> dict[str, Any]:
        """A seat and an amount alone: the one thing that takes them now."""
        at = {"seat": int(seat[1])}
        taking = [
            dict(event)
            for prompt in self.prompts
            for event in prompt.events
            if "amount" in event and event["e"] != "choice" and _is_of(event, at)
        ]
        spots = list(dict.fromkeys(str(event.get("spot", "")) for event in taking))
        if not taking:
            spots = [spot for spot in keys.bettable(self.game) if spot in self.state.terms.limits]
            taking = [{"e": "bet", **at, "spot": spots[0]}] if len(spots) == 1 else []
        if not taking:
            raise self.not_understood(f"{seat[0]} {text}")
        if len(spots) > 1:
            raise self._ambiguous(f"{seat[0]} {text}", spots, keys.bettable(self.game))
        return {**self._with_hand(taking[0], seat), "amount": self._amount(text)}

    def _with_hand(self, event: dict[str, Any], seat: re.Match[str]) -> dict[str, Any]:
        if seat[2]:
            return {**event, "hand": int(seat[2]) - 1}
        alike = [e for e in self._offered(event["e"]) if _is_of(e, event, ("seat", "spot"))]
        return {**event, "hand": alike[0]["hand"]} if alike and alike[0].get("hand") else event

    def _amount(self, text: str) -> int:
        amount = money.typed(text, self.language, self.state.terms.exponent, field="amount")
        if amount < 1:
            raise Refused(
                Text(f"«{text}»: un importe es de más de 0", f"“{text}”: an amount is of more than 0"),
                code="bad_amount",
                field="amount",
            )
        return amount

    # ---- results and whatever else is asked for ------------------------------------------------

    def _result(self, tokens: Sequence[str]) -> Events | None:
        """The winner and, where two hands play, both totals, its own first: `p 6 2`, `b71`, `e 6`.

        What else a result tells follows by its word: `n c`, the black row and colour.
        """
        found = _RESULT.fullmatch(" ".join(tokens))
        winners = keys.found(found[1], self.game.winners) if found else []
        if not found or not winners:
            return None
        if len(winners) > 1:
            raise self._ambiguous(found[1], winners, self.game.winners)
        event: dict[str, Any] = {"e": "result", "winner": winners[0]}
        told = [e for e in self._offered("result") if e["winner"] == winners[0]] or [event]
        more, totals = found[2].split(), [int(digit) for digit in found[3] if digit != " "]
        for word in more:
            told = [e for e in told if offers.says(self.game, e, word)]
        if not told or (more and len(told) > 1):
            return None
        if len(told) == 1:
            event = told[0]
        if totals:
            return self._with_totals(event, totals)
        return [event]

    def _with_totals(self, event: dict[str, Any], totals: list[int]) -> Events | None:
        hands, winner = list(self.game.hands), event["winner"]
        if len(hands) != 2 or not set(hands) <= set(self.game.winners):
            return None
        if len(totals) == 1 and winner not in hands:
            totals = totals * 2
        if len(totals) != 2:
            return None
        order = hands if winner != hands[1] else hands[::-1]
        return [{**event, **dict(zip(order, totals, strict=True))}]

    def _values(self, tokens: Sequence[str]) -> Events | None:
        """An event that is offered, told by its own value: a number that came, a seat, a winner."""
        typed = " ".join(tokens)
        fitting = [
            dict(event)
            for prompt in self.prompts
            for event in prompt.events
            if event["e"] not in ("bet", "card", "choice")
            and offers.is_whole(event)
            and typed.lower() in offers.words_for(self.game, event)
        ]
        return fitting[:1] or None

    # ---- refusals ------------------------------------------------------------------------------

    def _offered(self, kind: str) -> list[dict[str, Any]]:
        return [dict(e) for prompt in self.prompts for e in prompt.events if e["e"] == kind]

    def _unread(self, text: str) -> Refused:
        """What is neither: a card mistyped where it can be one, else examples of what is read."""
        words = [*keys.bettable(self.game).items(), *self.game.hands.items(), *self.game.choices.items()]
        begins = {key[:1] for key in keys.of(dict(words)).values()}
        logs_cards = self.state.terms.detail is not Detail.RESULT
        if logs_cards and self.deck and " " not in text and text[:1].lower() not in begins:
            try:
                cards.parse(text, self.deck)
            except Refused as refusal:
                return refusal
        return self.not_understood(text)

    def _ambiguous(self, word: str, codes: Sequence[str], words: Mapping[str, Text]) -> Refused:
        return misread.ambiguous(word, codes, words)

    def not_understood(self, typed: str) -> Refused:
        return misread.not_understood(typed, offers.examples(self.game, self.state))


def _kind_of(word: str, game: Game) -> str:
    """The kind of event a word before a seat stands for, where the game has it."""
    return next(
        (kind for kind, own in offers.SEATS.items() if own == word.lower() and kind in game.events), ""
    )


def _is_of(event: Mapping[str, Any], at: Mapping[str, Any], names: Sequence[str] = ("seat", "hand")) -> bool:
    return all(event.get(name, 0) == at[name] for name in names if name in at)
