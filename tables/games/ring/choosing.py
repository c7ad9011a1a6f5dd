"""A player's decision, checked against the turn and what may be done now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import Detail, refuse_detail
from tables.games.ring import betting
from tables.games.ring.betting import advance
from tables.games.ring.dealing import require_live
from tables.games.ring.pots import pots, unmatched
from tables.games.ring.state import Draft, street_cards
from tables.games.ring.variants import CHOICES
from tables.games.staking import require_chips, seat_of

_KEYS = frozenset({"e", "seat", "do", "amount", "at", "by"})
_NO_AMOUNT = ("fold", "check", "muck")


def choice(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Fold, check, call, bet, raise, all in, bring in, or muck. `amount`: the seat's total this round."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("decisiones", "decisions"))
    do = reading.one_of(event.get("do"), "do", tuple(CHOICES))
    reading.known_keys(event, _KEYS - {"amount"} if do in _NO_AMOUNT else _KEYS)
    seat = seat_of(event.get("seat"), draft.terms, "PR-16")
    if do == "muck":
        return _muck(draft, seat)
    if draft.detail is Detail.CARDS:
        return _fold_unlogged(draft, seat, do)
    _require_turn(draft, seat)
    may = betting.options(draft)
    if do not in may:
        raise _cannot(draft, seat, do)
    amount = _amount(draft, do, event.get("amount"), *may[do])
    betting.take(draft, seat, do, amount)
    clean: dict[str, Any] = {"e": "choice", "seat": seat, "do": do}
    return clean if do in _NO_AMOUNT else {**clean, "amount": amount}


def _require_turn(draft: Draft, seat: int) -> None:
    rule = draft.variant.turn_rule
    if not draft.queue:
        raise RuleViolation(
            rule,
            Text("ahora nadie habla: siga con las cartas", "nobody is to speak now: go on with the cards"),
            code="choice_not_due",
        )
    turn = draft.queue[0]
    if seat != turn:
        out = seat not in draft.chips or seat in draft.folded
        all_in = not out and not draft.stack(seat)
        why = (
            Text("ya no está en la mano; ", "is out of the hand; ")
            if out
            else Text("ya apostó todo; ", "is all in; ")
            if all_in
            else Text("", "")
        )
        text = Text(
            f"el asiento {seat} {why.es}le toca al asiento {turn}",
            f"seat {seat} {why.en}seat {turn} is to act",
        )
        if not why.es:
            text = Text(f"le toca al asiento {turn}, no al {seat}", f"seat {turn} is to act, not {seat}")
        raise RuleViolation(rule, text, betting.figures(draft), code="not_your_turn", field="seat")


def _fold_unlogged(draft: Draft, seat: int, do: str) -> dict[str, Any]:
    """Where no bets are logged folds come between the rounds of cards, in any order."""
    if do != "fold":
        raise refuse_detail(draft.detail, Text("apuestas, sólo retiros", "bets, only folds"))
    if not (draft.phase == "showdown" or (draft.phase == "dealing" and draft.between_streets)):
        raise RuleViolation(
            draft.variant.cards_rule,
            Text(
                "los retiros se anotan con las cartas de la ronda completas",
                "folds are logged when the round's cards are all out",
            ),
            code="choice_not_due",
        )
    require_live(draft, seat)
    draft.folded.add(seat)
    if draft.pending:
        draft.pending = street_cards(draft)
    advance(draft)
    return {"e": "choice", "seat": seat, "do": "fold"}


def _muck(draft: Draft, seat: int) -> dict[str, Any]:
    """PR-15: who does not show gives up every pot. The last one who can win a pot cannot give it up."""
    if draft.phase != "showdown":
        raise RuleViolation(
            draft.variant.show_rule,
            Text("sólo se tira la mano al mostrar las cartas", "a hand is mucked only at the showdown"),
            code="muck_not_due",
        )
    require_live(draft, seat)
    if not may_muck(draft, seat):
        raise RuleViolation(
            "PR-02",
            Text(
                f"el asiento {seat} es el único que queda para un pozo: debe mostrar o cobrarlo",
                f"seat {seat} is the only one left for a pot: it shows or collects it",
            ),
            code="last_for_a_pot",
            field="seat",
        )
    draft.mucked.add(seat)
    draft.folded.add(seat)
    return {"e": "choice", "seat": seat, "do": "muck"}


def may_muck(draft: Draft, seat: int) -> bool:
    """Whether every pot still has somebody else to win it."""
    if draft.detail is not Detail.FULL:
        return len(draft.live) > 1
    top, back = unmatched(draft.put)
    put = {one: amount - (back if one == top else 0) for one, amount in draft.put.items()}
    formed = pots(put, [one for one in draft.order if one not in draft.folded or one in draft.mucked])
    live = set(draft.live)
    return all(live.intersection(pot.eligible) != {seat} for pot in formed)


def _amount(draft: Draft, do: str, value: object, low: int, high: int) -> int:
    if do in _NO_AMOUNT:
        return low
    if value is None and do in ("call", "allin", "bring_in"):
        return low
    amount = reading.integer(value, "amount", 1)
    if low <= amount <= high:
        if amount != low:
            require_chips(amount, draft.terms)
        return amount
    raise _bad_amount(draft, do, amount, low, high)


def _bad_amount(draft: Draft, do: str, amount: int, low: int, high: int) -> RuleViolation:
    """GEN-07 more than the chips there are; PR-13 outside what the structure allows."""
    seat = draft.queue[0]
    whole = draft.bet[seat] + draft.stack(seat)
    figures = {**betting.figures(draft), "amount": amount, "min": low, "max": high}

    def say(units: int) -> Text:
        return money_words(units, draft.terms.exponent)

    if amount > whole:
        text = Text(
            "{amount} es más de lo que tiene el asiento: como mucho {whole} en esta ronda",
            "{amount} is more than the seat has: at most {whole} in this round",
        ).fill(amount=say(amount), whole=say(whole))
        return RuleViolation("GEN-07", text, figures, code="above_stack", field="amount")
    if amount < low:
        text = Text(
            "{amount} no alcanza: aquí es como mínimo {low}",
            "{amount} is not enough: here it is at least {low}",
        ).fill(amount=say(amount), low=say(low))
        return RuleViolation("PR-13", text, figures, code="below_minimum", field="amount")
    text = Text(
        "{amount} supera lo que permite la versión: como mucho {high}",
        "{amount} is above what the structure allows: at most {high}",
    ).fill(amount=say(amount), high=say(high))
    return RuleViolation("PR-13", text, figures, code="above_maximum", field="amount")


def _cannot(draft: Draft, seat: int, do: str) -> RuleViolation:
    """Why this decision is not among what may be done (PR-13, PR-17)."""
    level, mine = draft.level, draft.bet[seat]
    whole = mine + draft.stack(seat)
    rule = "PR-13"
    if draft.bringing:
        rule = "PR-17"
        why = Text(
            "la carta más baja abre: pone la entrada o la apuesta completa",
            "the lowest card opens: it brings it in or completes the bet",
        )
    elif do == "bring_in":
        rule, why = "PR-17", Text("la entrada ya está o no la hay", "the bring-in is posted or there is none")
    elif do == "check":
        due = money_words(betting.price(draft, seat) - mine, draft.terms.exponent)
        why = Text(
            f"hay una apuesta: iguale {due.es}, suba o retírese",
            f"there is a bet: call {due.en}, raise or fold",
        )
    elif do == "call":
        why = Text("no hay qué igualar", "there is nothing to call")
    elif do == "bet" and level:
        why = Text("ya hay apuesta: sería una subida", "there is a bet already: it would be a raise")
    elif do == "raise" and not level:
        why = Text("nadie apostó: sería una apuesta", "nobody has bet: it would be a bet")
    else:
        why = _no_raise(draft, seat, whole)
    text = Text("el asiento {seat} no puede: {why}", "seat {seat} cannot: {why}").fill(seat=seat, why=why)
    return RuleViolation(rule, text, betting.figures(draft), code="choice_not_allowed", field="do")


def _no_raise(draft: Draft, seat: int, whole: int) -> Text:
    if whole <= draft.level:
        return Text("no tiene más que para igualar", "it has no more than to call")
    if betting.is_capped(draft):
        most = draft.rules.bets_max
        return Text(f"la ronda ya tiene sus {most} apuestas", f"the round has its {most} bets already")
    if not betting.may_reopen(draft, seat):
        return Text(
            "ya habló y lo que siguió fue un todo menor que una subida: no se reabre la apuesta",
            "it has spoken and what followed was an all-in below a raise: betting is not reopened",
        )
    if draft.rules.structure != "no_limit" and whole > draft.level:
        return Text(
            "todo sería más de lo que permite la versión", "all in is above what the structure allows"
        )
    return Text("todos los demás apostaron todo", "all the others are all in")
