"""The cards, the decision on punto's third card, or the result a table announced instead of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes import cards
from tables.games import reading
from tables.games.announcing import require_announced
from tables.games.baccarat.dealing import HAND_TO, read_result
from tables.games.baccarat.draws import points
from tables.games.banked.betting import nobody_on_punto
from tables.games.banked.drawing import CHOICE, because, next_step
from tables.games.banked.rules import CHOICES, HANDS
from tables.games.banked.state import Draft
from tables.games.base import Detail, refuse_detail
from tables.games.staking import seat_of

_CARD_KEYS = frozenset({"e", "to", "card", "at", "by"})


def card(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The next card of the shoe. Six at most leave six decks or more: CARD-42 needs no check."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _CARD_KEYS)
    if draft.detail is Detail.FULL and not draft.closed:
        raise RuleViolation(
            "BAC-11",
            Text("cierre las apuestas antes de la primera carta", "close betting before the first card"),
            code="bets_open",
        )
    if draft.detail is Detail.CARDS and not draft.seated:
        raise nobody_on_punto()
    to = reading.one_of(event.get("to"), "to", tuple(HANDS))
    dealt = cards.parse(event.get("card"))
    free = draft.rules.punto_free_choice
    if to != next_step(draft.punto_values, draft.banca_values, draft.decision, free):
        raise _not_due(draft, to)
    (draft.punto if to == "punto" else draft.banca).append(dealt)
    return {"e": "card", "to": to, "card": dealt}


def _not_due(draft: Draft, to: str) -> RuleViolation:
    """BAC-11 to BAC-17: the rule this card breaks, with the figures and what is due instead."""
    punto, banca = draft.punto_values, draft.banca_values
    answer = because(punto, banca, draft.decision, draft.rules.punto_free_choice)
    rule, why = answer.rule, answer.why
    if to == "punto" and len(punto) == 3:
        rule = "BAC-11"
        why = Text("el punto ya tiene tres cartas; {why}", "punto has three cards already; {why}").fill(
            why=why
        )
    elif to == "punto" and rule == "BAC-14":
        rule = "BAC-16" if draft.decision else "BAC-17"
    due = answer.to if answer.to in HANDS else ""
    say = _NOT_DUE if due else _NOTHING_DUE
    return RuleViolation(
        rule,
        say.fill(to=HAND_TO[to], due=HAND_TO.get(due, ""), why=why),
        {"to": to, "due": answer.to, "punto": points(punto), "banca": points(banca)},
        code="card_not_due",
        field="to",
    )


_NOT_DUE = Text("esta carta no va {to}, va {due}: {why}", "this card does not go {to} but {due}: {why}")
_NOTHING_DUE = Text("no va carta {to}: {why}", "no card goes {to}: {why}")

_CHOICE_KEYS = frozenset({"e", "seat", "do", "at", "by"})


def choice(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Whether punto draws, said by whoever bet most on it (BAC-16), on the free totals (BAC-17)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("decisiones", "decisions"))
    reading.known_keys(event, _CHOICE_KEYS)
    do = reading.one_of(event.get("do"), "do", tuple(CHOICES))
    seat = seat_of(event.get("seat"), draft.terms, "BAC-05")
    free = draft.rules.punto_free_choice
    answer = because(draft.punto_values, draft.banca_values, draft.decision, free)
    if answer.to != CHOICE:
        raise _no_choice(draft, answer.rule, answer.why)
    if draft.detail is Detail.FULL and seat != decider(draft.stakes):
        first = decider(draft.stakes)
        raise RuleViolation(
            "BAC-16",
            Text(
                f"decide el asiento {first}, quien más apostó al punto (en igualdad, el primero a la"
                f" izquierda del croupier), no el {seat}",
                f"seat {first} decides, who bet most on punto (if equal, the first on the dealer's left),"
                f" not {seat}",
            ),
            {"seat": seat, "decides": first},
            code="not_the_decider",
            field="seat",
        )
    if draft.detail is Detail.CARDS and seat not in draft.seated:
        raise RuleViolation(
            "BAC-16",
            Text(
                f"el asiento {seat} no juega al punto: decide uno de los que juegan",
                f"seat {seat} does not play on punto: one of those who play decides",
            ),
            {"seat": seat},
            code="not_the_decider",
            field="seat",
        )
    draft.decision = do
    return {"e": "choice", "seat": seat, "do": do}


def decider(stakes: Mapping[int, int]) -> int:
    """Who bet most on punto; if equal, the first on the dealer's left, seat 1 on (BAC-16)."""
    return min(stakes, key=lambda seat: (-stakes[seat], seat), default=0)


def _no_choice(draft: Draft, rule: str, why: Text) -> RuleViolation:
    if len(draft.punto) == 2 and len(draft.banca) == 2 and not draft.decision and rule == "BAC-14":
        rule = "BAC-17"
    text = Text("aquí no hay nada que decidir: {why}", "there is nothing to decide here: {why}").fill(why=why)
    return RuleViolation(rule, text, {"punto": points(draft.punto_values)}, code="no_choice", field="do")


_RESULT_KEYS = frozenset({"e", "winner", "punto", "banca", "at", "by"})


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """An announced outcome (BAC-19); its totals, if said, must agree with the winner (BAC-01)."""
    require_announced(draft.detail, draft.result is not None, "BAC-19")
    reading.known_keys(event, _RESULT_KEYS)
    draft.result = announced = read_result(event)
    if announced.punto is None:
        return {"e": "result", "winner": announced.winner}
    return {"e": "result", **asdict(announced)}
