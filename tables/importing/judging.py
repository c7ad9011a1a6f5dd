"""What the rules say of one row: sound, sound with a leftover, or refused, by which rule and why.

A row lists the cards of both hands and what was announced. The cards are dealt again to the game's
engine in the order of the felt (BAC-11). A third card the engine has no place for is a leftover when
the announcement does not count it, and a forbidden card when it does (BAC-12 to BAC-15); a third
card the engine waits for and the row lacks is a missing one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from casino.kernel.errors import Refused, RuleViolation, SabotError
from casino.kernel.words import Text
from shoes import cards
from shoes.points import points_of
from tables.games.baccarat.outcome import TwoHands
from tables.games.base import Event, Game, Terms
from tables.importing.columns import HANDS, Columns

LONGEST_NUMBER = 20


class Kind(StrEnum):
    """What became of a row. The first three are said by the rules, the others by what is stored."""

    SOUND = "sound"
    LEFTOVER = "leftover"
    REFUSED = "refused"
    ALREADY = "already"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A row judged. `events`: its round log; `words` and `rule` where there is something to say;
    `drawn`: the cards the rules let out, for counting shoes. `code` tells refusals apart."""

    line: int
    kind: Kind
    key: str
    digest: str
    shoe: str
    events: tuple[Event, ...] = ()
    drawn: tuple[str, ...] = ()
    words: Text | None = None
    rule: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Bench:
    """What rows are judged by: a game, its rules in force, the terms (detail `cards`), the columns."""

    game: Game
    rules: Any
    terms: Terms
    columns: Columns


@dataclass(frozen=True, slots=True)
class Listed:
    """What a row says, read but not judged. Totals and winner are None where the file has none."""

    punto: tuple[str, ...]
    banca: tuple[str, ...]
    totals: tuple[int | None, int | None]
    winner: str | None
    shoe: str
    number: str

    @property
    def digest(self) -> str:
        """SHA-256 of what the row means, however it was written."""
        told = [self.punto, self.banca, self.totals, self.winner, self.shoe, self.number]
        return hashlib.sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()


def judge(bench: Bench, line: int, cells: Sequence[str] | None) -> Verdict:
    """The verdict on one row; its `key` is filled in by who knows the source. Never raises."""
    try:
        listed = read(bench.columns, cells)
    except SabotError as refusal:
        return Verdict(
            line, Kind.REFUSED, "", "", "", words=refusal.message, rule=refusal.rule, code=refusal.code
        )
    key = f"{listed.shoe}:{listed.number}" if bench.columns.numbered else ""
    try:
        events, drawn, leftovers = _dealt(bench, listed)
    except SabotError as refusal:
        return Verdict(
            line, Kind.REFUSED, key, listed.digest, listed.shoe,
            words=refusal.message, rule=refusal.rule, code=refusal.code,
        )  # fmt: skip
    kind, words, rule = Kind.SOUND, None, ""
    if leftovers:
        kind, words, rule = Kind.LEFTOVER, _ignored(leftovers), leftovers[0][2].rule
    return Verdict(line, kind, key, listed.digest, listed.shoe, events, drawn, words, rule)


def read(columns: Columns, cells: Sequence[str] | None) -> Listed:
    """A row in terms of the game. Raises `Refused` naming the cell that cannot be read."""
    if cells is None:
        raise _unreadable(
            "la línea no es CSV: unas comillas no cierran", "the line is no CSV: quotes do not close"
        )
    if len(cells) != columns.width:
        raise _unreadable(
            f"la línea tiene {len(cells)} celdas y el encabezado {columns.width}",
            f"the line has {len(cells)} cells and the heading {columns.width}",
            code="ragged_row",
        )
    hands = {
        hand: [_card(columns.pick(cells, f"{hand}{place}"), hand, place) for place in (1, 2, 3)]
        for hand in HANDS
    }
    return Listed(
        punto=tuple(card for card in hands["punto"] if card),
        banca=tuple(card for card in hands["banca"] if card),
        totals=(_total(columns, cells, "punto"), _total(columns, cells, "banca")),
        winner=_winner(columns.pick(cells, "outcome")) if columns.has("outcome") else None,
        shoe=_number(columns.pick(cells, "shoe"), columns.has("shoe")),
        number=_number(columns.pick(cells, "round"), columns.has("round")),
    )


Leftover = tuple[str, str, SabotError]  # hand, card, what the engine says of it


def _dealt(bench: Bench, listed: Listed) -> tuple[tuple[Event, ...], tuple[str, ...], list[Leftover]]:
    hands = {"punto": listed.punto, "banca": listed.banca}
    events = [_event(hand, hands[hand][place]) for place in (0, 1) for hand in HANDS]
    state = bench.game.play_all(bench.game.open(bench.rules, bench.terms), events)
    leftovers: list[Leftover] = []
    for hand in HANDS:
        for card in hands[hand][2:]:
            event = _event(hand, card)
            try:
                state = bench.game.play(state, event)
                events.append(event)
            except RuleViolation as refusal:
                leftovers.append((hand, card, refusal))
    try:
        outcome = bench.game.settle(state).outcome
        assert isinstance(outcome, TwoHands)
    except SabotError as refusal:
        raise RuleViolation(refusal.rule, refusal.message, code="card_missing") from refusal
    _compare(bench, listed, events, outcome, leftovers)
    return tuple(events), tuple(event["card"] for event in events), leftovers


def _compare(
    bench: Bench, listed: Listed, events: Sequence[Event], outcome: TwoHands, leftovers: Sequence[Leftover]
) -> None:
    """The announcement against the cards. A total that is off by one third card breaks the rule of
    that card; any other breaks BAC-10; a winner the totals do not give breaks BAC-19.
    """
    for hand, told, due in zip(HANDS, listed.totals, (outcome.punto, outcome.banca), strict=True):
        if told is None or told == due:
            continue
        assert due is not None
        for beside, card, refusal in leftovers:
            if beside == hand and told == (due + points_of(card)) % 10:
                raise _counted(hand, card, told, refusal)
        for at, event in enumerate(events[4:], start=4):
            if event["to"] == hand and told == (due - points_of(event["card"])) % 10:
                raise _left_out(bench, events[:at], event, told)
        raise RuleViolation(
            "BAC-10",
            Text(
                f"anunció {hand} {told} y sus cartas suman {due}",
                f"it announced {hand} {told} and its cards make {due}",
            ),
            code="total_differs",
        )
    if leftovers and None in listed.totals:
        hand, card, refusal = leftovers[0]
        raise RuleViolation(
            refusal.rule,
            _UNKNOWN_IF_COUNTED.fill(card=_shown(card), why=refusal.message),
            code="card_forbidden",
        )
    if listed.winner is not None and listed.winner != outcome.winner:
        raise RuleViolation(
            "BAC-19",
            _OTHER_WINNER.fill(
                told=_WINNERS[listed.winner],
                due=_WINNERS[outcome.winner],
                punto=outcome.punto,
                banca=outcome.banca,
            ),
            code="outcome_differs",
        )


def _counted(hand: str, card: str, told: int, refusal: SabotError) -> RuleViolation:
    return RuleViolation(
        refusal.rule,
        _COUNTED.fill(card=_shown(card), hand=hand, told=told, why=refusal.message),
        code="card_forbidden",
    )


def _left_out(bench: Bench, before: Sequence[Event], event: Event, told: int) -> RuleViolation:
    """The engine's own reason why the card had to be drawn."""
    state = bench.game.play_all(bench.game.open(bench.rules, bench.terms), before)
    due = bench.game.prompts(state)[0]
    return RuleViolation(
        due.rule,
        _LEFT_OUT.fill(card=_shown(event["card"]), hand=event["to"], told=told, why=due.why),
        code="card_left_out",
    )


_LEFT_OUT = Text(
    "lista una tercera carta {card} de {hand} y no la contó (total {told}), pero había que pedirla: {why}",
    "it lists a third card {card} of {hand} and did not count it (total {told}), but it was due: {why}",
)
_COUNTED = Text(
    "contó una tercera carta {card} de {hand} (total {told}) que no correspondía: {why}",
    "it counted a third card {card} of {hand} (total {told}) that was not due: {why}",
)
_UNKNOWN_IF_COUNTED = Text(
    "lista una carta {card} de más y, sin totales, no se sabe si la contó: {why}",
    "it lists a card {card} too many and, without totals, nobody knows if it counted: {why}",
)
_OTHER_WINNER = Text(
    "anunció «{told}» y por las cartas es «{due}» (punto {punto}, banca {banca})",
    "it announced “{told}” and by the cards it is “{due}” (punto {punto}, banca {banca})",
)


def _ignored(leftovers: Sequence[Leftover]) -> Text:
    spanish = [f"{_shown(card)} de {hand}" for hand, card, _ in leftovers]
    english = [f"{_shown(card)} of {hand}" for hand, card, _ in leftovers]
    return Text(
        f"carta listada que no se repartió, se ignora: {', '.join(spanish)}",
        f"card listed but not drawn, ignored: {', '.join(english)}",
    )


def _event(hand: str, card: str) -> dict[str, str]:
    return {"e": "card", "to": hand, "card": card}


def _shown(card: str) -> str:
    return cards.sign(card)


def _card(text: str, hand: str, place: int) -> str:
    """`v7` for a value 0 to 9, the card for `9d`; empty for a third card that was not drawn."""
    if not text and place == 3:
        return ""
    if len(text) == 1 and text in "0123456789":
        return f"v{text}"
    try:
        return cards.parse(text)
    except Refused:
        shown = _printable(text)
        raise _unreadable(
            f"carta {place} de {hand}: «{shown}» no es un valor de 0 a 9 ni una carta como 9d",
            f"card {place} of {hand}: “{shown}” is no value from 0 to 9 nor a card such as 9d",
            code="unknown_card",
        ) from None


def _total(columns: Columns, cells: Sequence[str], hand: str) -> int | None:
    if not columns.has(f"{hand}_total"):
        return None
    text = columns.pick(cells, f"{hand}_total")
    if len(text) != 1 or text not in "0123456789":
        raise _unreadable(
            f"total de {hand}: «{_printable(text)}» no es un número de 0 a 9",
            f"total of {hand}: “{_printable(text)}” is no number from 0 to 9",
            code="bad_total",
        )
    return int(text)


_WINNERS = {
    "punto": Text("gana punto", "punto wins"),
    "banca": Text("gana banca", "banca wins"),
    "tie": Text("empate", "tie"),
}
_WINNER_WORDS = {
    "punto": ("punto", "player", "jugador", "p"),
    "banca": ("banca", "banker", "bank", "banco", "b"),
    "tie": ("tie", "empate", "egalite", "t", "e"),
}
_TOLD = {word: winner for winner, words in _WINNER_WORDS.items() for word in words}


def _winner(text: str) -> str:
    for word in text.lower().split()[:3]:
        if word in _TOLD:
            return _TOLD[word]
    raise _unreadable(
        f"resultado «{_printable(text)}»: escriba punto, banca o empate",
        f"result “{_printable(text)}”: write punto, banca or tie",
        code="bad_outcome",
    )


def _number(text: str, wanted: bool) -> str:
    if not wanted:
        return ""
    if not 0 < len(text) <= LONGEST_NUMBER or not text.isprintable() or ":" in text:
        raise _unreadable(
            "falta el número de sabot o de pase, o es demasiado largo",
            "the shoe's or round's number is missing or too long",
            code="bad_number",
        )
    return text


def _printable(text: str) -> str:
    shown = "".join(char if char.isprintable() else "?" for char in text[:12])
    return shown + ("…" if len(text) > 12 else "")


def _unreadable(es: str, en: str, code: str = "bad_row") -> Refused:
    return Refused(Text(es, en), code=code)
