"""What comes next and why: the guided screen and the croupier's checklist.

Each prompt offers only what `play` accepts at this moment; both ask the same rules, so they cannot
disagree.
"""

from __future__ import annotations

from typing import Any

from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from shoes import cards as pack
from tables.games import staking
from tables.games.base import MOST_ON_A_SPOT, Detail, Prompt
from tables.games.blackjack import hands as values
from tables.games.blackjack.forbids import named
from tables.games.blackjack.prompts import PAY_NOW, TAKE_NOW, listed
from tables.games.challenge import betting, deciding, ending, turns
from tables.games.challenge.dealing import due_words
from tables.games.challenge.rules import BETS, CALLS, HAND_NAMES, HANDS, INSURANCE_SPOTS
from tables.games.challenge.state import BETS as BETTING
from tables.games.challenge.state import BUST, DEAL, DECIDE, Draft, PlayerHand, State


def prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done now, the most likely first; never empty."""
    if state.complete:
        return (_settle(state),)
    if state.terms.detail is Detail.RESULT:
        return (_result(state),)
    if state.stage == BETTING:
        if state.terms.detail is Detail.FULL:
            return (*_bets(state), *_close(state))
        return (*_seats(state), *_first_card(state))
    if state.stage == DEAL:
        return (_deal(state),)
    draft = Draft(state)
    offers = tuple(_offers(draft)) if turns.insurance_open(state) else ()
    if state.stage == DECIDE:
        return (*offers, _turn(draft))
    return (*offers, _round(state))


def _result(state: State) -> Prompt:
    number = len(state.results) + 1
    return Prompt(
        "result",
        HAND_NAMES[number - 1],
        options=tuple(CALLS),
        events=tuple({"e": "result", "winner": call} for call in CALLS),
        text=Text(f"Anote lo anunciado en la ronda {number}", f"Write down what round {number} announced"),
        why=Text(
            "esta mesa registra sólo el resultado: la mano del croupier en cada una de las tres rondas",
            "this table logs the result only: the dealer's hand in each of the three rounds",
        ),
        rule="BJ-39",
    )


def _bets(state: State) -> tuple[Prompt, ...]:
    terms, placed = state.terms, {(bet.seat, bet.spot): bet.amount for bet in state.bets}
    events: list[dict[str, Any]] = []
    say: list[Text] = []
    for spot in BETS:
        if spot not in terms.limits:
            continue
        low, high = terms.limits[spot]
        found = [
            {"e": "bet", "seat": seat, "spot": spot, "amount": amount}
            for seat in range(1, terms.seats + 1)
            if (amount := terms.chip if (seat, spot) in placed else staking.least(terms, spot))
            + placed.get((seat, spot), 0)
            <= min(high, MOST_ON_A_SPOT)
        ]
        events += found
        if found:
            least, most = money_words(low, terms.exponent), money_words(high, terms.exponent)
            say.append(
                Text("{spot} de {low} a {high}", "{spot} from {low} to {high}").fill(
                    spot=BETS[spot], low=least, high=most
                )
            )
    if not events:
        return ()
    return (
        Prompt(
            "bet",
            options=tuple(dict.fromkeys(event["spot"] for event in events)),
            events=tuple(events),
            text=Text(
                "Anote las apuestas: 2 por jugador, y una tercera si quiere",
                "Log the bets: 2 a player, and a third if wanted",
            ),
            why=Text("; ".join(text.es for text in say), "; ".join(text.en for text in say)),
            rule="BJ-09",
        ),
    )


def _close(state: State) -> tuple[Prompt, ...]:
    if betting.cannot_close({(bet.seat, bet.spot, 0): bet.amount for bet in state.bets}) is not None:
        return ()
    return (
        Prompt(
            "close",
            events=({"e": "close"},),
            text=Text("Cierre las apuestas: «no va más»", "Close betting: “no more bets”"),
            why=Text(
                "la primera carta sólo sale con las apuestas cerradas",
                "the first card is dealt only when betting is closed",
            ),
            rule="BJ-07",
        ),
    )


def _seats(state: State) -> tuple[Prompt, ...]:
    seated = dict(state.seated)
    free = tuple(seat for seat in range(1, state.terms.seats + 1) if seat not in seated)
    if not free:
        return ()
    return (
        Prompt(
            "in",
            options=tuple(map(str, free)),
            events=tuple({"e": "in", "seat": seat, "hands": count} for seat in free for count in (2, 3)),
            text=Text(
                "Anote los asientos que juegan, con 2 apuestas o 3",
                "Note the seats that play, with 2 bets or 3",
            ),
            why=Text(
                "cada apuesta juega contra una mano del croupier", "each bet plays against one dealer hand"
            ),
            rule="BJ-09",
        ),
    )


def _first_card(state: State) -> tuple[Prompt, ...]:
    if not state.seated:
        return ()
    seat = min(seat for seat, _ in state.seated)
    return (
        Prompt(
            "card",
            "seat",
            seat=seat,
            events=({"e": "card", "to": "seat", "seat": seat},),
            text=Text(f"Reparta la primera carta al asiento {seat}", f"Deal the first card to seat {seat}"),
            why=_ORDER,
            rule="BJ-10",
        ),
    )


_ORDER = Text(
    "una carta a cada mano, la primera del croupier y una segunda a cada mano",
    "one card to each hand, the dealer's first, and a second to each hand",
)


def _deal(state: State) -> Prompt:
    due = turns.next_of_deal(state)
    text = Text("Carta para {whose}", "Card for {whose}").fill(whose=due_words(Draft(state)))
    if due.dealer:
        to = HAND_NAMES[due.place]
        why = _BASE if state.rules.shared else _BASES
        return Prompt("card", to, events=({"e": "card", "to": to},), text=text, why=why, rule="BJ-11")
    hand = state.hands[due.place]
    event = {"e": "card", "to": "seat", "seat": hand.seat, "hand": hand.hand}
    return Prompt("card", "seat", seat=hand.seat, events=(event,), text=text, why=_ORDER, rule="BJ-10")


_BASE = Text("es la base de las tres rondas", "it is the base of the three rounds")
_BASES = Text("cada mano del croupier tiene su carta base", "each dealer hand has its own base card")


def _offers(draft: Draft) -> list[Prompt]:
    """Insurance and even money, to every hand that has not answered (BJ-19, BJ-20, BJ-22)."""
    found = []
    for place, hand in enumerate(draft.hands):
        even = [
            _chosen(hand, do)
            for do in ("even_money", "no_even_money")
            if deciding.cannot(draft, place, do) is None
        ]
        if even:
            found.append(_offer(hand, even, _EVEN, _EVEN_WHY, "BJ-19"))
        insurance = _insurance_events(draft, hand)
        if deciding.cannot(draft, place, "no_insurance") is None:
            insurance.append(_chosen(hand, "no_insurance"))
        if insurance:
            found.append(_offer(hand, insurance, _INSURE, _INSURE_WHY, "BJ-22"))
    return found


def _chosen(hand: PlayerHand, do: str) -> dict[str, Any]:
    return {"e": "choice", "seat": hand.seat, "hand": hand.hand, "do": do}


def _insurance_events(draft: Draft, hand: PlayerHand) -> list[dict[str, Any]]:
    events = []
    for number, spot in enumerate(INSURANCE_SPOTS[: hand.rounds]):
        if deciding.no_insurance_against(draft, hand, number) is not None:
            continue
        event = {**_chosen(hand, "insurance"), "spot": spot}
        if draft.detail is Detail.FULL:
            low, high = deciding.insurance_bounds(draft, hand, number)
            if low > high:
                continue
            event["amount"] = high  # what is usual; less may be typed
        events.append(event)
    return events


def _offer(hand: PlayerHand, events: list[dict[str, Any]], text: Text, why: Text, rule: str) -> Prompt:
    return Prompt(
        "choice",
        options=tuple(dict.fromkeys(event["do"] for event in events)),
        seat=hand.seat,
        hand=hand.hand,
        events=tuple(events),
        text=text.fill(seat=hand.seat),
        why=why,
        rule=rule,
    )


_EVEN = Text("Ofrezca al asiento {seat} cobrar a la par", "Offer even money to seat {seat}")
_EVEN_WHY = Text(
    "tiene black jack y el croupier muestra un as: cobra 1 a 1 ahora o espera",
    "it has blackjack and the dealer shows an ace: paid 1 to 1 now, or it waits",
)
_INSURE = Text(
    "Ofrezca el seguro al asiento {seat}: que diga contra qué mano",
    "Offer insurance to seat {seat}: against which hand",
)
_INSURE_WHY = Text(
    "el croupier muestra un as; hasta la mitad de cada apuesta, antes de la tercera carta",
    "the dealer shows an ace; up to half of each bet, before the third card",
)


def _turn(draft: Draft) -> Prompt:
    hand = draft.current
    whose = named(hand)
    if len(hand.cards) < 2 or draft.asked:
        event = {"e": "card", "to": "seat", "seat": hand.seat, "hand": hand.hand}
        why = _DOUBLED if hand.doubled else _ASKED if draft.asked else _SPLIT
        text = _first(draft, Text("Carta para {whose}", "Card for {whose}").fill(whose=whose))
        rule = "BJ-27" if hand.doubled else "BJ-13"
        return Prompt(
            "card", "seat", seat=hand.seat, hand=hand.hand, events=(event,), text=text, why=why, rule=rule
        )
    options = tuple(do for do in deciding.IN_TURN if deciding.cannot(draft, draft.turn, do) is None)
    worth = values.worth(hand.cards, hand.split_from) or Text("", "")
    text = Text("Pregunte a {whose} ({worth})", "Ask {whose} ({worth})").fill(whose=whose, worth=worth)
    return Prompt(
        "choice",
        options=options,
        seat=hand.seat,
        hand=hand.hand,
        events=tuple(_chosen(hand, do) for do in options),
        text=_first(draft, text),
        why=Text(
            "puede {may}; vale para todas sus apuestas; el croupier muestra {shown}",
            "it may {may}; it holds for all its bets; the dealer shows {shown}",
        ).fill(may=listed(options), shown=_bases(draft, hand)),
        rule="BJ-43" if len(options) > 2 else "BJ-13",
    )


_DOUBLED = Text("dobló: una sola carta más", "it doubled: one more card only")
_ASKED = Text("pidió carta", "it asked for a card")
_SPLIT = Text("separó: cada carta recibe otra", "it split: each card takes another")


def _round(state: State) -> Prompt:
    """A card to the dealer hand of the round, after what closes the rounds before it (BJ-39)."""
    number, cards = state.round, state.dealer[state.round]
    to = HAND_NAMES[number]
    text = Text(f"Ronda {number + 1}: carta a la {{hand}}", f"Round {number + 1}: card to the {{hand}}").fill(
        hand=HANDS[to]
    )
    if number and len(cards) < 2:
        text = Text("{closed} {then}", "{closed} {then}").fill(closed=_closed(state, number), then=text)
    total = values.points(cards)
    why = Text(
        f"tiene {total}: pide con 16 o menos y se planta con 17 o más",
        f"it has {total}: the dealer draws on 16 or less and stands on 17 or more",
    )
    rule = "BJ-18"
    if len(cards) < 2:
        rule, why = (
            "BJ-39",
            Text(
                "las tres rondas van en orden; cada mano parte de su carta base",
                "the three rounds go in order; each hand starts from its base card",
            ),
        )
    said = _first(state, text)
    return Prompt("card", to, events=({"e": "card", "to": to},), text=said, why=why, rule=rule)


def _bases(draft: Draft, hand: PlayerHand) -> Text:
    """The cards the dealer shows to a hand's bets."""
    names = [pack.name(draft.dealer[number][0]) for number in range(1 if draft.rules.shared else hand.rounds)]
    return Text(", ".join(name.es for name in names), ", ".join(name.en for name in names))


def _first(of: Draft | State, then: Text) -> Text:
    """What has to be done on the layout before going on: black jacks paid, a bust taken (BJ-15, BJ-16)."""
    last = next((entry for entry in reversed(of.log) if entry["e"] != "note"), None)
    if last is None or last["e"] != "card" or last["to"] != "seat":
        return then
    if all(len(hand.cards) == 2 and not hand.split_from for hand in of.hands):
        paid = [
            hand.seat
            for hand in of.hands
            if any(ending.paid_at_once(of, hand, number) for number in range(hand.rounds))
        ]
        return PAY_NOW.fill(seats=", ".join(map(str, paid)), then=then) if paid else then
    for hand in of.hands:
        if hand.status == BUST and (hand.seat, hand.hand) == (last["seat"], last["hand"]):
            return TAKE_NOW.fill(whose=named(hand, "de la", "of the"), then=then)
    return then


def _closed(state: State, number: int) -> Text:
    """What the dealer does at the end of a round before the next."""
    call = ending.called(ending.ending_of(state.dealer[number - 1]))
    return Text(
        f"Ronda {number}: anuncie «{call.es}», cobre y pague de derecha a izquierda y retire cara abajo sólo"
        " las cartas posteriores a la primera.",
        f"Round {number}: announce “{call.en}”, collect and pay from right to left and remove face down only"
        " the cards after the first.",
    )


def _settle(state: State) -> Prompt:
    call = ending.announcement(ending.endings(state))
    text = Text(
        "Anuncie «{call}»; cobre, pague y junte las cartas de derecha a izquierda",
        "Announce “{call}”; collect, pay and gather the cards from right to left",
    ).fill(call=call)
    return Prompt(
        "settle",
        text=_first(state, text),
        why=Text(
            "acabó la tercera ronda: primero las manos de los jugadores, por último la del croupier",
            "the third round is over: the players' hands first, the dealer's last",
        ),
        rule="BJ-42",
    )
