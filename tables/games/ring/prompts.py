"""What comes next and why: seats, cards, whose turn it is with every amount, hands to show.

Each prompt offers only what `play` accepts at this moment; both ask the same rules.
"""

from __future__ import annotations

from typing import Any

from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from shoes.cards import COVERED
from tables.games.base import MOST_ON_A_SPOT, Detail, Prompt
from tables.games.ring import betting
from tables.games.ring.choosing import may_muck
from tables.games.ring.dealing import may_show, where
from tables.games.ring.defects import announce as announce_defect
from tables.games.ring.defects import brought
from tables.games.ring.outcome import division, strengths, told
from tables.games.ring.seating import cannot_begin
from tables.games.ring.settle import announce, announce_cards
from tables.games.ring.state import Draft, State

_USUAL = 40
"""Big blinds, or small bets, a player usually sits down with: only what a prompt offers."""


def prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done now, the most likely first; never empty."""
    draft = Draft(state)
    match draft.phase:
        case "waiting":
            return (_result(draft),)
        case "joining":
            return (*_joining(draft), *_begin(draft))
        case "dealing":
            return (_card(draft), *_folds(draft), *_shows(draft))
        case "betting":
            return (_turn(draft),)
        case "showdown":
            return (*_shows(draft), *_mucks(draft), *_folds(draft))
    return (_settle(draft),)


def _result(draft: Draft) -> Prompt:
    winners = (*(str(seat) for seat in range(1, draft.terms.seats + 1)), "split")
    return Prompt(
        "result",
        options=winners,
        events=tuple({"e": "result", "winner": winner} for winner in winners),
        text=Text("Anote quién ganó", "Write down who won"),
        why=Text(
            "esta mesa registra sólo el resultado: el asiento que ganó, o reparto",
            "this table logs the result only: the seat that won, or a split",
        ),
        rule="PR-02",
    )


def _joining(draft: Draft) -> tuple[Prompt, ...]:
    free = [seat for seat in range(1, draft.terms.seats + 1) if seat not in draft.chips]
    if not free:
        return ()
    if draft.detail is Detail.FULL:
        # Any stack may be played; the one offered is the buy-in, or what is usual without one.
        usual = _USUAL * (draft.stakes.big_blind or draft.stakes.small_bet)
        chip = draft.terms.chip
        least = draft.stakes.buy_in or min(usual, MOST_ON_A_SPOT // chip * chip)
        events: tuple[dict[str, Any], ...] = tuple(
            {"e": "chips", "seat": seat, "amount": least} for seat in free
        )
        text = Text("Anote las fichas de cada asiento que juega", "Log the chips of each seat that plays")
    else:
        events = tuple({"e": "in", "seat": seat} for seat in free)
        text = Text("Anote los asientos que juegan", "Log the seats that play")
    why = Text(
        f"se reparte a quien está anotado: de 2 a {draft.terms.seats}",
        f"whoever is logged is dealt in: 2 to {draft.terms.seats}",
    )
    kind = "chips" if draft.detail is Detail.FULL else "in"
    options = tuple(str(seat) for seat in free)
    return (Prompt(kind, options=options, events=events, text=text, why=why, rule="PR-16"),)


def _begin(draft: Draft) -> tuple[Prompt, ...]:
    if draft.variant.has_button and not draft.button and len(draft.chips) > 1:
        seats = sorted(draft.chips)
        return (
            Prompt(
                "button",
                options=tuple(map(str, seats)),
                events=tuple({"e": "button", "seat": seat} for seat in seats),
                text=Text("Anote quién tiene el botón", "Log who has the button"),
                why=Text(
                    "avanza un puesto en sentido horario tras cada mano; a su izquierda van las ciegas",
                    "it moves one place clockwise after each hand; the blinds are on its left",
                ),
                rule="PR-11",
            ),
        )
    if cannot_begin(draft) is not None:
        return ()
    if draft.detail is Detail.CARDS:
        first = Draft(draft.freeze())
        betting.begin_hand(first)
        return (_card(first),)
    return (
        Prompt(
            "close",
            events=({"e": "close"},),
            text=Text(
                "Cierre los asientos y haga poner lo obligado", "Close the seats and have forced bets put in"
            ),
            why=_forced(draft),
            rule="PR-11" if draft.variant.has_button else "PR-17",
        ),
    )


def _forced(draft: Draft) -> Text:
    """Who puts in what: antes and blinds now (PR-11), the bring-in once the open cards are out (PR-17)."""
    stakes, say = draft.stakes, _say(draft)
    parts = [brought(draft)] if draft.dead else []
    if stakes.ante:
        parts.append(Text("ante de {a} cada uno", "ante of {a} each").fill(a=say(stakes.ante)))
    if stakes.big_blind:
        begun = Draft(draft.freeze())
        betting.begin_hand(begun)
        small, big = betting.blind_seats(begun)
        blinds = Text(
            "ciega pequeña de {s} el asiento {small}; ciega grande de {b} el asiento {big}",
            "small blind of {s} seat {small}; big blind of {b} seat {big}",
        )
        parts.append(blinds.fill(s=say(begun.bet[small]), b=say(begun.bet[big]), small=small, big=big))
    if stakes.bring_in:
        bring_in = Text(
            "la entrada de {b} se pone con las cartas abiertas",
            "the bring-in of {b} comes with the open cards",
        )
        parts.append(bring_in.fill(b=say(stakes.bring_in)))
    return Text("; ".join(one.es for one in parts), "; ".join(one.en for one in parts))


def _card(draft: Draft) -> Prompt:
    due = draft.pending[0]
    street = draft.variant.streets[draft.street].name
    why = Text(f"ronda: {street.es}", f"round: {street.en}")
    if due.to == "burn":
        event = {"e": "card", "to": "burn", "card": COVERED}
        text = Text("Queme una carta", "Burn a card")
        return Prompt("card", "burn", events=(event,), text=text, why=why, rule="PR-14")
    if due.to == "board":
        text = Text("Abra una carta comunitaria", "Open a community card")
        event = {"e": "card", "to": "board"}
        return Prompt("card", "board", events=(event,), text=text, why=why, rule=draft.variant.cards_rule)
    how = Text("abierta", "open") if due.is_open else Text("cerrada", "closed")
    text = Text(f"Reparta una carta {how.es} {where(due).es}", f"Deal a card {where(due).en}, {how.en}")
    return Prompt(
        "card",
        "seat",
        seat=due.seat,
        events=({"e": "card", "to": "seat", "seat": due.seat},),
        text=text,
        why=why,
        rule=draft.variant.cards_rule,
    )


_WORDS = {
    "fold": Text("se retira", "fold"),
    "check": Text("pasa", "check"),
    "call": Text("iguala hasta {low}", "call to {low}"),
    "bet": Text("apuesta {low}", "bet {low}"),
    "raise": Text("sube a {low}", "raise to {low}"),
    "allin": Text("apuesta todo, hasta {low}", "go all in, to {low}"),
    "bring_in": Text("pone la entrada de {low}", "bring it in for {low}"),
}
_SPANS = {
    "bet": Text("apuesta de {low} a {high}", "bet {low} to {high}"),
    "raise": Text("sube a un total entre {low} y {high}", "raise to {low} to {high} in all"),
}
"""What the seat in turn may do, with its total in this round."""


def _turn(draft: Draft) -> Prompt:
    seat, say = draft.queue[0], _say(draft)
    events: list[dict[str, Any]] = []
    said = []
    for do, (low, high) in betting.options(draft).items():
        event: dict[str, Any] = {"e": "choice", "seat": seat, "do": do}
        if do not in ("fold", "check"):
            event["amount"] = low
        words = _SPANS[do] if high > low else _WORDS[do]
        said.append(words.fill(low=say(low), high=say(high)))
        events.append(event)
    pot = say(draft.pot)
    why = Text("; ".join(one.es for one in said), "; ".join(one.en for one in said))
    text = Text("Habla el asiento {seat}; el pozo tiene {pot}", "Seat {seat} to act; the pot has {pot}")
    return Prompt(
        "choice",
        options=tuple(event["do"] for event in events),
        seat=seat,
        events=tuple(events),
        text=text.fill(seat=seat, pot=pot),
        why=why,
        rule=draft.variant.turn_rule,
    )


def _folds(draft: Draft) -> tuple[Prompt, ...]:
    """Where no bets are logged, who withdrew, between the rounds of cards."""
    if draft.detail is not Detail.CARDS or not (draft.phase == "showdown" or draft.between_streets):
        return ()
    seats = [seat for seat in draft.live if seat not in draft.shown]
    if not seats:
        return ()
    return (
        Prompt(
            "choice",
            options=("fold",),
            events=tuple({"e": "choice", "seat": seat, "do": "fold"} for seat in seats),
            text=Text("Anote quién se retiró", "Log who folded"),
            why=Text(
                "si todos menos uno se retiran, éste cobra", "if all but one fold, that player collects"
            ),
            rule="PR-02",
        ),
    )


def _shows(draft: Draft) -> tuple[Prompt, ...]:
    if not may_show(draft):
        return ()
    return tuple(
        Prompt(
            "show",
            "seat",
            seat=seat,
            events=({"e": "show", "seat": seat, "cards": draft.closed_cards(seat)},),
            text=Text(f"Muestra el asiento {seat}", f"Seat {seat} shows"),
            why=_FIRST_TO_SHOW[draft.variant.has_button],
            rule=draft.variant.show_rule,
        )
        for seat in showing_order(draft)
        if seat not in draft.shown
    )


_FIRST_TO_SHOW = {
    True: Text(
        "muestra primero quien apostó último; si nadie, desde la izquierda del botón",
        "whoever bet last shows first; if nobody did, from the left of the button",
    ),
    False: Text(
        "muestra primero quien apostó último; si nadie, la mejor mano abierta",
        "whoever bet last shows first; if nobody did, the best open hand",
    ),
}


def showing_order(draft: Draft) -> list[int]:
    """Who shows first: the last aggressor, else whoever speaks first in the round; clockwise."""
    live = draft.live
    place = draft.order.index(draft.aggressor or betting.opener(draft))
    turned = draft.order[place:] + draft.order[:place]
    return [seat for seat in turned if seat in live]


def _mucks(draft: Draft) -> tuple[Prompt, ...]:
    seats = [s for s in showing_order(draft) if s not in draft.shown and may_muck(draft, s)]
    if not seats:
        return ()
    return (
        Prompt(
            "choice",
            options=("muck",),
            events=tuple({"e": "choice", "seat": seat, "do": "muck"} for seat in seats),
            text=Text("O tira su mano sin mostrar", "Or mucks without showing"),
            why=Text("quien no muestra renuncia a los pozos", "whoever does not show gives up the pots"),
            rule=draft.variant.show_rule,
        ),
    )


def _settle(draft: Draft) -> Prompt:
    text = Text("Cierre la mano", "Close the hand")
    if draft.defective:
        text = Text("Anuncie «{call}»", "Announce “{call}”").fill(call=announce_defect(draft))
    elif draft.detail is not Detail.RESULT:
        worth = strengths(draft)
        bets = draft.detail is Detail.FULL
        call = announce(draft, division(draft, worth), told(worth)) if bets else announce_cards(worth)
        text = Text("Anuncie «{call}»; entregue los pozos", "Announce “{call}”; push the pots").fill(
            call=call
        )
    why = Text("la mano está completa", "the hand is complete")
    return Prompt("settle", text=text, why=why, rule="PR-02")


def _say(draft: Draft) -> Any:
    return lambda units: money_words(units, draft.terms.exponent)
