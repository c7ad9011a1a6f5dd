"""What comes next and why: the guided screen and the croupier's checklist.

Each prompt offers only what `play` accepts at this moment; both ask the same rules, so they cannot
disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from casino.kernel.words import Text
from shoes import cards as pack
from shoes.cards import COVERED, FRENCH52
from tables.games.base import Detail, Prompt
from tables.games.blackjack import deciding, inviting, turns
from tables.games.blackjack import hands as values
from tables.games.blackjack.ending import ending_of
from tables.games.blackjack.forbids import is_split_ace, named
from tables.games.blackjack.saying import announcement
from tables.games.blackjack.state import BETS, BUST, DEAL, DECIDE, PAID, SHOW, Draft, State
from tables.games.blackjack.struck import BEFORE_PLAY
from tables.games.blackjack.variants import MAY, WINNERS

Found = tuple[Prompt, ...]


def prompts(state: State) -> Found:
    """What may be done now, the most likely first; never empty."""
    if state.complete:
        return (_settle(state),)
    if state.terms.detail is Detail.RESULT:
        return (_RESULT,)
    draft = Draft(state)
    if state.stage == BETS:
        return (
            (*inviting.bets(draft), *inviting.closing(draft))
            if state.terms.detail is Detail.FULL
            else inviting.seats(draft)
        )
    if state.stage == DEAL:
        return (_deal(draft),)
    offers = _insurance(draft) if turns.insurance_open(draft) else ()
    if state.stage == DECIDE:
        return (*offers, *_peek(draft), *_decision(draft))
    return (*offers, _show(draft) if state.stage == SHOW else _dealer(draft))


_RESULT = Prompt(
    "result",
    options=tuple(WINNERS),
    events=tuple({"e": "result", "winner": winner} for winner in WINNERS),
    text=Text("Anote la puntuación anunciada del croupier", "Write down the dealer's announced total"),
    why=Text("esta mesa registra sólo el resultado", "this table logs the result only"),
    rule="BJ-30",
)


def _deal(draft: Draft) -> Prompt:
    due = turns.next_of_deal(draft.dealt, len(draft.hands))
    if due.dealer:
        hole = draft.dealt > 2 * len(draft.hands)
        event = {"e": "card", "to": "dealer"}
        if hole:
            text = Text("Tome la segunda carta, tapada", "Take the second card, covered")
        else:
            text = Text("Tome la primera carta del croupier", "Take the dealer's first card")
        return Prompt(
            "card",
            "dealer",
            events=(event, {**event, "card": COVERED}) if hole else (event,),
            text=text,
            why=inviting.DEAL_ORDER,
            rule="BJ-46" if hole else "BJ-10",
        )
    hand = draft.hands[due.place]
    return Prompt(
        "card",
        "seat",
        seat=hand.seat,
        hand=hand.hand,
        events=({"e": "card", "to": "seat", "seat": hand.seat, "hand": hand.hand},),
        text=Text("Reparta una carta {whose}", "Deal a card {whose}").fill(
            whose=named(hand, "a la", "to the")
        ),
        why=inviting.DEAL_ORDER,
        rule="BJ-10",
    )


def _insurance(draft: Draft) -> Found:
    """BJ-19, BJ-20: what can still be answered, hand by hand."""
    events: dict[str, list[dict[str, Any]]] = {"BJ-19": [], "BJ-20": []}
    for place, hand in enumerate(draft.hands):
        for do in BEFORE_PLAY:
            if deciding.cannot(draft, place, do) is not None:
                continue
            event: dict[str, Any] = {"e": "choice", "seat": hand.seat, "hand": hand.hand, "do": do}
            if do == "insurance" and draft.detail is Detail.FULL:
                least, most = deciding.insurance_bounds(draft, hand)
                if least > most:
                    continue
                event["amount"] = most  # what is usual; less may be typed
            events["BJ-19" if "even" in do else "BJ-20"].append(event)
    return tuple(
        Prompt(
            "choice",
            options=tuple(dict.fromkeys(event["do"] for event in found)),
            events=tuple(found),
            text=_OFFER[rule],
            why=_OFFER_WHY[rule],
            rule=rule,
        )
        for rule, found in events.items()
        if found
    )


_OFFER = {
    "BJ-19": Text("Ofrezca el pago a la par a los black jack", "Offer even money to the blackjacks"),
    "BJ-20": Text("Proponga el seguro a todos los jugadores", "Propose insurance to all players"),
}
_OFFER_WHY = {
    "BJ-19": Text(
        "el croupier muestra un as; quien no responde espera la mano del croupier",
        "the dealer shows an ace; whoever does not answer waits for the dealer's hand",
    ),
    "BJ-20": Text(
        "el croupier muestra un as; con la tercera carta, o al mirar la tapada, se cierra el seguro",
        "the dealer shows an ace; the third card, or the look at the covered one, closes insurance",
    ),
}


def _peek(draft: Draft) -> Found:
    """BJ-46: the hole card turned over if it makes black jack; going on says that it does not."""
    if not turns.may_peek(draft):
        return ()
    up, known = draft.dealer
    wanted = [
        card
        for card in (FRENCH52.cards if known == COVERED else (known,))
        if values.is_blackjack((up, card)) and (known != COVERED or _left(draft, card))
    ]
    if not wanted:
        return ()
    return (
        Prompt(
            "show",
            "dealer",
            options=tuple(wanted),
            events=tuple({"e": "show", "to": "dealer", "cards": [card]} for card in wanted),
            text=Text(
                "Mire la carta tapada: si hay black jack, muéstrela",
                "Look at the covered card: if there is blackjack, show it",
            ),
            why=Text(
                "el croupier mira antes de jugar; si nadie la muestra, no hay black jack",
                "the dealer looks before play; if it is not shown, there is no blackjack",
            ),
            rule="BJ-46",
        ),
    )


def _left(draft: Draft, card: str) -> bool:
    seen = draft.dealer.count(card) + sum(hand.cards.count(card) for hand in draft.hands)
    return seen < draft.rules.decks


def _decision(draft: Draft) -> Found:
    """The decision of the hand in turn, and the card it may simply be given."""
    hand, place = draft.current, draft.turn
    allowed = [do for do in deciding.IN_TURN if deciding.cannot(draft, place, do) is None]
    why = Text("tiene {total}; el croupier muestra {up}", "has {total}; the dealer shows {up}").fill(
        total=values.worth(hand.cards, hand.split_from) or Text("", ""), up=pack.name(draft.dealer[0])
    )
    target: dict[str, Any] = {"seat": hand.seat, "hand": hand.hand}
    ask = Text("Pregunte {whose}", "Ask {whose}").fill(whose=named(hand, "a la", "the"))
    give = Text("Dé una carta {whose}", "Give a card {whose}").fill(whose=named(hand, "a la", "to the"))
    card = Prompt(
        "card",
        "seat",
        **target,
        events=({"e": "card", "to": "seat", **target},),
        text=_first(draft, give),
        why=why,
        rule=_card_rule(draft),
    )
    if not allowed:
        return (card,)
    choice = Prompt(
        "choice",
        "seat",
        options=tuple(allowed),
        **target,
        events=tuple({"e": "choice", **target, "do": do} for do in allowed),
        text=_first(draft, ask),
        why=_with_options(why, allowed),
        rule="BJ-13",
    )
    return (choice, card) if "hit" in allowed else (choice,)


def _with_options(why: Text, allowed: list[str]) -> Text:
    return Text("{why}; puede {may}", "{why}; it may {may}").fill(why=why, may=listed(allowed))


def listed(allowed: Sequence[str]) -> Text:
    """Decisions as a croupier asks for them: «pedir carta, plantarse o doblar»."""
    says = [MAY[do] for do in allowed]
    last = says[-1]
    if len(says) == 1:
        return last
    return Text(
        f"{', '.join(one.es for one in says[:-1])} o {last.es}",
        f"{', '.join(one.en for one in says[:-1])} or {last.en}",
    )


def _card_rule(draft: Draft) -> str:
    hand = draft.current
    if hand.doubled:
        return "BJ-27"
    if len(hand.cards) == 1:
        return "BJ-25" if is_split_ace(hand) else "BJ-24"
    return "BJ-13"


def _first(draft: Draft | State, then: Text) -> Text:
    """What has to be done on the layout before going on: a black jack paid, a bust taken."""
    last = next((entry for entry in reversed(draft.log) if entry["e"] != "note"), None)
    if last is None or last["e"] != "card":
        return then
    if not draft.peeked and all(len(hand.cards) == 2 and not hand.split_from for hand in draft.hands):
        paid = [hand.seat for hand in draft.hands if hand.status == PAID]
        if paid:
            return PAY_NOW.fill(seats=", ".join(map(str, paid)), then=then)
    if last["to"] == "seat":
        for hand in draft.hands:
            if hand.status == BUST and (hand.seat, hand.hand) == (last["seat"], last["hand"]):
                return TAKE_NOW.fill(whose=named(hand, "de la", "of the"), then=then)
    return then


PAY_NOW = Text(
    "Pague ya el black jack y recoja sus cartas, asiento {seats} (BJ-16). {then}",
    "Pay the blackjack now and collect its cards, seat {seats} (BJ-16). {then}",
)
TAKE_NOW = Text(
    "Retire ya la apuesta y las cartas {whose}, que se pasó (BJ-15). {then}",
    "Take the bet and cards {whose} now, which is bust (BJ-15). {then}",
)


def _show(draft: Draft) -> Prompt:
    known = draft.dealer[1]
    return Prompt(
        "show",
        "dealer",
        events=({"e": "show", "to": "dealer", "cards": [known]},),
        text=_first(draft, Text("Muestre la carta tapada", "Turn over the covered card")),
        why=Text(
            "los jugadores terminaron, o hay black jack", "the players have finished, or there is blackjack"
        ),
        rule="BJ-46",
    )


def _dealer(draft: Draft) -> Prompt:
    total = values.points(draft.dealer)
    soft = Text("", "")
    if values.is_soft(draft.dealer):
        soft = Text(" con el as como 11", " with the ace as 11")
    also = Text("", "")
    if draft.rules.dealer_hits_soft_17:
        also = Text(" (17 blando pide)", " (soft 17 draws)")
    return Prompt(
        "card",
        "dealer",
        events=({"e": "card", "to": "dealer"},),
        text=_first(draft, Text("Tome una carta para el croupier", "Take a card for the dealer")),
        why=Text(
            f"el croupier tiene {total}{soft.es}: toma con 16 o menos y se planta con 17 o más{also.es}",
            f"the dealer has {total}{soft.en}: draws on 16 or less and stands on 17 or more{also.en}",
        ),
        rule="BJ-18",
    )


def _settle(state: State) -> Prompt:
    call = announcement(ending_of(state))
    announce = Text("Anuncie «{call}»", "Announce “{call}”").fill(call=call)
    if not state.result and ending_of(state).points is None:
        announce = Text("Ninguna mano espera la suya", "No hand waits for yours")
    text = Text(
        "{announce}; retire las perdedoras y pague las ganadoras de derecha a izquierda; después recoja"
        " las cartas en igual orden, las suyas al final",
        "{announce}; take the losing bets and pay the winners from right to left; then gather the"
        " cards in the same order, your own last",
    ).fill(announce=announce)
    why = Text(
        "las cartas van cara abajo al descartador (BJ-31); después cada jugador retira sus fichas (BJ-32)",
        "the cards go face down to the discard holder (BJ-31) and players take their chips only then (BJ-32)",
    )
    return Prompt("settle", text=_first(state, text), why=why, rule="BJ-30")
