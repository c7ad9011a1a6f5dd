"""What a person types at a table, read into events of the round log. Pure.

    9d  kh  10d      a card; it goes to the hand whose turn it is
    p9d              a card that went to Punto, whoever's turn it is (`b9d`: to Banca)
    b 3 500          seat 3 stakes 500 on Banca (`p` Punto, `e` Empate)
    r 3              seat 3 deals (where a player does)
    p 6 2   b 7 1    the announced result: winner, its total, the other's; `e 6` a tie (detail `result`)

One grammar for keyboard and touch pad; whether the event is allowed is for the rules to say.
"""

from __future__ import annotations

import re
from typing import Any

from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from shoes import cards
from tables.games import reading
from tables.games.base import Detail

LONGEST = 60
_SIDES = {"p": "punto", "b": "banca", "e": "tie"}
# Only the digits 0 to 9 and the letters a to z count: other scripts have digits that Python reads as numbers.
_LIKE = re.IGNORECASE | re.ASCII
_AIMED = re.compile(r"([pb])((?:10|[2-9atjqk])\S)", _LIKE)
_BET = re.compile(r"([pbe]) ?(\d{1,2}) (\S+)", _LIKE)
_RESULT = re.compile(r"([pbe])(?: ?(\d))?(?: ?(\d))?", _LIKE)
_DEAL = re.compile(r"r ?(\d{1,2})", _LIKE)


def events(typed: str, state: Any, language: str | None = None) -> list[dict[str, Any]]:
    """The events `typed` stands for at `state`; amounts, written as in `language`, in smallest units.

    Raises `Refused` (codes `unknown_card`, `bad_amount`, `not_understood`) when it cannot be read.
    """
    if len(typed) > LONGEST:
        raise not_understood(typed, state)
    text = " ".join(typed.split())
    detail = state.terms.detail
    if found := _DEAL.fullmatch(text):
        return [{"e": "deal", "seat": int(found[1])}]
    if detail is Detail.RESULT:
        return [_result(text, state)]
    if found := _BET.fullmatch(text):
        amount = _stake(found[3], state, language)
        return [{"e": "bet", "seat": int(found[2]), "spot": _SIDES[found[1].lower()], "amount": amount}]
    return _card(text, state)


def _stake(text: str, state: Any, language: str | None) -> int:
    amount = money.typed(text, language, state.terms.exponent, field="amount")
    if amount < 1:
        raise Refused(
            Text(f"«{text}»: una apuesta es de más de 0", f"“{text}”: a bet is of more than 0"),
            code="bad_amount",
            field="amount",
        )
    return amount


def _card(text: str, state: Any) -> list[dict[str, Any]]:
    aimed = _AIMED.fullmatch(text)
    if not aimed and (text[:1].lower() in _SIDES or " " in text.rstrip("shdcSHDC♠♥♦♣").rstrip()):
        raise not_understood(text, state)
    card = cards.parse(aimed[2] if aimed else text)
    to = _SIDES[aimed[1].lower()] if aimed else state.next_hand or _last_hand(state)
    dealt = [{"e": "card", "to": to, "card": card}]
    # Dealing the first card says that betting is over: no key of its own for it.
    opens = state.terms.detail is Detail.FULL and not state.closed
    return [{"e": "close"}, *dealt] if opens else dealt


def _last_hand(state: Any) -> str:
    """Where a card that is not due was most likely put, so that the refusal speaks of that hand."""
    return "punto" if len(state.punto) < 3 and len(state.banca) < 3 else "banca"


def _result(text: str, state: Any) -> dict[str, Any]:
    found = _RESULT.fullmatch(text)
    if not found:
        raise not_understood(text, state)
    winner = _SIDES[found[1].lower()]
    event: dict[str, Any] = {"e": "result", "winner": winner}
    if found[2] is None:
        return event
    own = int(found[2])
    if found[3] is None and winner != "tie":
        raise not_understood(text, state)
    other = int(found[3]) if found[3] is not None else own
    event["punto"], event["banca"] = (other, own) if winner == "banca" else (own, other)
    return event


def on_enter(state: Any) -> str:
    """What Enter on an empty line does now: `settle` or `close`.

    Refuses while cards are due, and to close what nobody bet on: a second Enter at a settlement would
    open the next round with betting closed.
    """
    if state.complete:
        return "settle"
    if state.terms.detail is Detail.FULL and not state.closed:
        if not state.bets:
            raise Refused(
                Text(
                    "no hay apuestas que cerrar: anote apuestas o escriba la primera carta",
                    "there are no bets to close: log bets or type the first card",
                ),
                code="nothing_to_close",
                field="typed",
            )
        return "close"
    raise Refused(
        Text("al pase le falta: {what}", "the round still needs: {what}").fill(what=_due(state)),
        code="round_incomplete",
        field="typed",
    )


def _due(state: Any) -> Text:
    if state.terms.detail is Detail.RESULT:
        return Text("el resultado anunciado", "the announced result")
    names = {
        "punto": Text("carta al punto", "a card to punto"),
        "banca": Text("carta a la banca", "a card to banca"),
    }
    return names[state.next_hand]


def not_understood(typed: str, state: Any) -> Refused:
    """The refusal of what cannot be read: the word as typed, and examples for the table's detail."""
    examples = {
        Detail.RESULT: Text("p 6 2, b 7 1 o e 6", "p 6 2, b 7 1 or e 6"),
        Detail.CARDS: Text("9d, kh o 10c", "9d, kh or 10c"),
        Detail.FULL: Text("b 3 500 o 9d", "b 3 500 or 9d"),
    }
    return Refused(
        Text(
            "«{typed}» no se entiende; escriba por ejemplo {how}",
            "“{typed}” is not understood; type for example {how}",
        ).fill(typed=reading.shown(typed), how=examples[state.terms.detail]),
        code="not_understood",
        field="typed",
    )
