"""The cards of a round, one by one, or the result a table announced instead of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes import cards
from tables.games import reading
from tables.games.announcing import require_announced
from tables.games.baccarat import draws
from tables.games.baccarat.rules import SPOTS
from tables.games.baccarat.state import Draft, Result
from tables.games.base import Detail, refuse_detail

WINNERS = ("punto", "banca", "tie")

_CARD_KEYS = frozenset({"e", "to", "card", "at", "by"})


def card(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The next card of the shoe. CARD-42 within one round needs no check: six cards at most leave a
    shoe of six decks or more, so no card can be dealt more often than there are decks.
    """
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    if len(event) != 3:
        # Three keys of which all three below are there leave no room for an unknown one.
        reading.known_keys(event, _CARD_KEYS)
    if draft.detail is Detail.FULL and not draft.closed:
        raise RuleViolation(
            "BAC-11",
            Text("cierre las apuestas antes de la primera carta", "close betting before the first card"),
            code="bets_open",
        )
    to = event.get("to")
    if not isinstance(to, str) or to not in ("punto", "banca"):
        reading.one_of(to, "to", ("punto", "banca"))
        raise AssertionError("one_of refuses")
    dealt = cards.parse(event.get("card"))
    if to != draws.next_hand(draft.punto_values, draft.banca_values):
        raise _wrong_hand(draft.punto_values, draft.banca_values, to)
    if to == "punto":
        draft.punto.append(dealt)
        draft.punto_values.append(draws.VALUES[dealt])
    else:
        draft.banca.append(dealt)
        draft.banca_values.append(draws.VALUES[dealt])
    return {"e": "card", "to": str(to), "card": dealt}


def _wrong_hand(punto: list[int], banca: list[int], to: str) -> RuleViolation:
    """BAC-11 to BAC-15: the rule this card breaks, with the figures and what is due instead."""
    answer = draws.because(punto, banca)
    due, rule, why = answer.to, answer.rule, answer.why
    if to == "punto" and len(punto) == 3:
        rule = "BAC-11"
        why = Text("el punto ya tiene tres cartas; {why}", "punto has three cards already; {why}").fill(
            why=why
        )
    elif to == "punto" and len(punto) == 2 and len(banca) >= 2 and rule in ("BAC-14", "BAC-15"):
        rule = "BAC-13"
        why = Text("{stands}; {why}", "{stands}; {why}").fill(stands=draws.punto_stands(punto), why=why)
    say = _NOT_DUE if due else _NOTHING_DUE
    figures: dict[str, Any] = {
        "to": to,
        "due": due,
        "punto": draws.points(punto),
        "banca": draws.points(banca),
    }
    return RuleViolation(
        rule,
        say.fill(to=HAND_TO[to], due=HAND_TO.get(due, ""), why=why),
        figures,
        code="card_not_due",
        field="to",
    )


HAND_TO = {"punto": Text("al punto", "to punto"), "banca": Text("a la banca", "to banca")}
_NOT_DUE = Text("esta carta no va {to}, va {due}: {why}", "this card does not go {to} but {due}: {why}")
_NOTHING_DUE = Text("no va carta {to}: {why}", "no card goes {to}: {why}")

_RESULT_KEYS = frozenset({"e", "winner", "punto", "banca", "at", "by"})


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """An announced outcome (BAC-19). Every pair of totals 0 to 9 can come up, so only their
    agreement with the winner can be checked.
    """
    require_announced(draft.detail, draft.result is not None, "BAC-19")
    reading.known_keys(event, _RESULT_KEYS)
    draft.result = announced = read_result(event)
    if announced.punto is None:
        return {"e": "result", "winner": announced.winner}
    return {"e": "result", **asdict(announced)}


def read_result(event: Mapping[str, Any]) -> Result:
    """The winner, and both totals if they were said: they must agree (BAC-01)."""
    winner = reading.one_of(event.get("winner"), "winner", WINNERS)
    punto, banca = event.get("punto"), event.get("banca")
    if punto is None and banca is None:
        return Result(winner)
    punto, banca = reading.integer(punto, "punto", 0, 9), reading.integer(banca, "banca", 0, 9)
    if winner != winner_of(punto, banca):
        raise RuleViolation(
            "BAC-01",
            Text(
                f"con punto {punto} y banca {banca} no puede ser «{SPOTS[winner].es}»",
                f"with punto {punto} and banca {banca} it cannot be “{SPOTS[winner].en}”",
            ),
            {"winner": winner, "punto": punto, "banca": banca},
            code="result_mismatch",
            field="winner",
        )
    return Result(winner, punto, banca)


def winner_of(punto: int, banca: int) -> str:
    """The hand nearer nine (BAC-01)."""
    if punto == banca:
        return "tie"
    return "punto" if punto > banca else "banca"
