"""What comes next and why: what the croupier is told, and the events that can be logged now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from shoes.cards import COVERED, sign
from tables.games.base import Detail, Prompt
from tables.games.house_poker import course
from tables.games.house_poker.betting import cannot_close
from tables.games.house_poker.dealing import of_hand, rule_of, to_hand
from tables.games.house_poker.deciding import times_the_ante
from tables.games.house_poker.kinds import BOARD, CHOICE_WORDS, DEALER, SPOT_WORDS
from tables.games.house_poker.outcome import announcement, showdown, winners_of
from tables.games.house_poker.rules import DrawRules, GoRules, multiple, qualifier
from tables.games.house_poker.state import Place, State


def prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done now, the most likely first; never empty."""
    due = course.due(state)
    return _SAY[due.phase](state, due)


def _bets_or_seats(state: State, due: course.Due) -> tuple[Prompt, ...]:
    if state.detail is Detail.CARDS:
        return _seats(state)
    return (*_bets(state), *_close(state))


def _seats(state: State) -> tuple[Prompt, ...]:
    free = [seat for seat in range(1, state.terms.seats + 1) if seat not in state.places]
    if not free:
        return ()
    return (
        Prompt(
            "in",
            options=tuple(map(str, free)),
            events=tuple({"e": "in", "seat": seat} for seat in free),
            text=Text("Anote los asientos que juegan", "Log the seats that play"),
            why=Text(
                "esta mesa registra cartas y decisiones, no apuestas",
                "this table logs cards and decisions, not bets",
            ),
            rule=state.kind.first_rule,
        ),
    )


def _bets(state: State) -> tuple[Prompt, ...]:
    events = {spot: list(_least_bets(state, spot)) for spot in state.boxes}
    open_spots = tuple(spot for spot in events if events[spot])
    if not open_spots:
        return ()
    say = [_range_words(state, spot) for spot in open_spots]
    return (
        Prompt(
            "bet",
            options=open_spots,
            events=tuple(event for spot in open_spots for event in events[spot]),
            text=Text("Anote las apuestas", "Log the bets"),
            why=Text("; ".join(t.es for t in say), "; ".join(t.en for t in say)),
            rule=state.kind.first_rule,
        ),
    )


def _range_words(state: State, spot: str) -> Text:
    low, high = (money_words(units, state.terms.exponent) for units in state.boxes[spot])
    words = SPOT_WORDS[spot]
    return Text(f"{words.es} de {low.es} a {high.es}", f"{words.en} from {low.en} to {high.en}")


def _least_bets(state: State, spot: str) -> Iterable[dict[str, Any]]:
    """The least that each seat can still place on the spot; of equal bets, what the first is (PH-18)."""
    low, high = state.boxes[spot]
    stakes, first = state.stakes, state.kind.first
    equal = isinstance(state.rules, GoRules)
    others = [other for other in state.boxes if other != first]
    for seat in range(1, state.terms.seats + 1):
        total = stakes.get((seat, spot), 0)
        least = state.terms.chip if total else low
        if equal and spot != first:
            least = stakes.get((seat, first), 0) - total
        elif equal and any((seat, other) in stakes for other in others):
            continue
        if least > 0 and total + least <= high:
            yield {"e": "bet", "seat": seat, "spot": spot, "amount": least}


def _close(state: State) -> tuple[Prompt, ...]:
    if cannot_close(state.rules, state.kind, state.stakes) is not None:
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
            rule=state.kind.first_rule,
        ),
    )


def _card(state: State, due: course.Due) -> tuple[Prompt, ...]:
    kind, seat = state.kind, due.seats[0] if due.seats else 0
    event: dict[str, Any] = {"e": "card", "to": due.to}
    if seat:
        event["seat"] = seat
    # A community card is logged as it is turned over; any other may lie covered.
    events = (event,) if due.to == BOARD else (event, {**event, "card": COVERED})
    text, why = _card_words(state, due, seat)
    card = Prompt("card", due.to, seat=seat, events=events, text=text, why=why, rule=rule_of(kind, due.phase))
    untouched = not any(place.cards for place in state.places.values())
    return (card, *_seats(state)) if state.detail is Detail.CARDS and untouched else (card,)


def _card_words(state: State, due: course.Due, seat: int) -> tuple[Text, Text]:
    kind = state.kind
    whose = to_hand(due.to, seat)
    if due.phase == course.COMMUNITY:
        text = Text("Descubra una carta comunitaria", "Turn over a community card")
        why = Text(
            f"van {len(state.board)} de {kind.board} y todos decidieron",
            f"{len(state.board)} of {kind.board} are out and all have decided",
        )
        return text, why
    text = Text(f"Reparta una carta {whose.es}", f"Deal a card {whose.en}")
    if due.phase == course.DEAL:
        held = len(state.house.cards if due.to == DEALER else state.places[seat].cards)
        return text, Text(
            f"una a la vez desde la izquierda de la banca; tiene {held} de {kind.cards}",
            f"one at a time from the left of the bank; it has {held} of {kind.cards}",
        )
    return text, Text(
        "repone de a una, desde la izquierda de la banca, las cartas cambiadas; las demás no se tocan",
        "replaces the changed cards one at a time from the left of the bank; the others are not touched",
    )


def _decide(state: State, due: course.Due) -> tuple[Prompt, ...]:
    return tuple(_decision(state, seat) for seat in due.seats)


def _decision(state: State, seat: int) -> Prompt:
    place, open_ = state.places[seat], course.options(state, seat)
    events: list[dict[str, Any]] = []
    for do in open_:
        if do == "change":
            events += _changes(state, seat, place)
        elif do == state.kind.raising and state.detail is Detail.FULL:
            due = state.stakes[seat, state.kind.first] * multiple(state.rules)
            events.append({"e": "choice", "seat": seat, "do": do, "amount": due})
        else:
            events.append({"e": "choice", "seat": seat, "do": do})
    ways = Text(
        " o ".join(CHOICE_WORDS[do].es for do in open_), " or ".join(CHOICE_WORDS[do].en for do in open_)
    )
    changing = "change" in open_
    return Prompt(
        "choice",
        "seat",
        options=open_,
        seat=seat,
        events=tuple(events),
        text=Text(f"Asiento {seat}: {ways.es}", f"Seat {seat}: {ways.en}"),
        why=_why_decide(state, seat, changing),
        rule="PH-06" if changing else state.kind.decide_rule,
    )


def _changes(state: State, seat: int, place: Place) -> Iterable[dict[str, Any]]:
    """Every change of cards a seat may make (PH-06)."""
    base = {"e": "choice", "seat": seat, "do": "change"}
    most = state.rules.change_max_cards if isinstance(state.rules, DrawRules) else 0
    faces = [card for card in place.cards if card != COVERED]
    for number in range(1, min(most, len(faces)) + 1):
        for named in combinations(faces, number):
            yield {**base, "cards": list(named)}
    for count in range(1, min(most, place.covered) + 1):
        yield {**base, "count": count}


def _why_decide(state: State, seat: int, changing: bool) -> Text:
    rules, kind = state.rules, state.kind
    if isinstance(rules, GoRules):
        spot = SPOT_WORDS[kind.spots[len(state.board)]]
        return Text(
            f"antes de la carta comunitaria puede retirar la {spot.es}",
            f"before the community card the {spot.en} may be withdrawn",
        )
    if changing and isinstance(rules, DrawRules):
        most = rules.change_max_cards
        return Text(
            f"con el BET puesto puede cambiar hasta {most} cartas, cerradas frente al ANTE",
            f"with the BET placed up to {most} cards may be changed, closed in front of the ANTE",
        )
    words = SPOT_WORDS[kind.raising]
    times = multiple(rules)
    said = times_the_ante(times)
    if state.detail is not Detail.FULL:
        return Text(f"el {words.es} es {said.es}", f"the {words.en} is {said.en}")
    due = money_words(state.stakes[seat, kind.first] * times, state.terms.exponent)
    return Text(
        f"el {words.es} es exactamente {said.es}: {due.es}; retirarse pierde el ANTE",
        f"the {words.en} is exactly {said.en}: {due.en}; folding loses the ANTE",
    )


def _show(state: State, due: course.Due) -> tuple[Prompt, ...]:
    found = []
    for seat in due.seats or (0,):
        place = state.places[seat] if seat else state.house
        who: dict[str, Any] = {"seat": seat} if seat else {"to": DEALER}
        whose = of_hand("seat" if seat else DEALER, seat)
        found.append(
            Prompt(
                "show",
                "seat" if seat else DEALER,
                seat=seat,
                events=({"e": "show", **who, "cards": [COVERED] * place.covered},),
                text=Text(f"Descubra la mano {whose.es}", f"Turn over the hand {whose.en}"),
                why=_why_show(seat),
                rule=state.kind.order_rule if seat else rule_of(state.kind, due.phase),
            )
        )
    return tuple(found)


def _why_show(seat: int) -> Text:
    if seat:
        return Text("su mano se compara o se paga por tabla", "the hand is compared or paid by a table")
    return Text(
        "todos decidieron y terminó el cambio de cartas",
        "all have decided and the change of cards is complete",
    )


def _dealer_change(state: State, due: course.Due) -> tuple[Prompt, ...]:
    must = course.dealer_discards(state)
    signs = " ".join(map(sign, must))
    need = qualifier(state.rules)[1]
    return (
        Prompt(
            "choice",
            DEALER,
            options=("change",),
            events=({"e": "choice", "to": DEALER, "do": "change", "cards": list(must)},),
            text=Text(f"El croupier cambia {signs}", f"The dealer changes {signs}"),
            why=Text(
                f"su mano no abre (hace falta {need.es}) y la regla declarada manda cambiar las más bajas",
                f"the hand does not open ({need.en} is needed) and the declared rule changes the lowest",
            ),
            rule="PH-14",
        ),
    )


def _result(state: State, due: course.Due) -> tuple[Prompt, ...]:
    codes = tuple(winners_of(state.kind))
    return (
        Prompt(
            "result",
            options=codes,
            events=tuple({"e": "result", "winner": code} for code in codes),
            text=Text("Anote el resultado anunciado", "Write down the announced result"),
            why=Text("esta mesa registra sólo el resultado", "this table logs the result only"),
            rule=state.kind.compare_rule,
        ),
    )


def _settle(state: State, due: course.Due) -> tuple[Prompt, ...]:
    call = announcement(state, showdown(state))
    return (
        Prompt(
            "settle",
            text=Text(
                f"Anuncie «{call.es}»; liquide de derecha a izquierda",
                f"Announce “{call.en}”; settle from right to left",
            ),
            why=Text(
                "al liquidar cada apuesta recoja las cartas de ese jugador al descartador",
                "as each bet is settled collect that player's cards into the discard holder",
            ),
            rule="PH-21",
        ),
    )


_SAY: dict[str, Callable[[State, course.Due], tuple[Prompt, ...]]] = {
    course.BETS: _bets_or_seats,
    course.DEAL: _card,
    course.DECIDE: _decide,
    course.REPLACE: _card,
    course.REVEAL: _show,
    course.DEALER_CHANGE: _dealer_change,
    course.DEALER_REPLACE: _card,
    course.COMMUNITY: _card,
    course.SHOW: _show,
    course.RESULT: _result,
    course.COMPLETE: _settle,
}
