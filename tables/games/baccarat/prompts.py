"""What comes next and why: the guided screen and the croupier's checklist (BAC-18).

Each prompt offers only what `play` accepts at this moment; both ask the same rules, so they cannot
disagree.
"""

from __future__ import annotations

from typing import Any

from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.baccarat import betting, draws, marking
from tables.games.baccarat.dealing import WINNERS
from tables.games.baccarat.rules import MARKED, SPOTS
from tables.games.baccarat.settle import announcement, outcome_of
from tables.games.baccarat.state import State
from tables.games.base import Detail, Prompt


def prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done now, the most likely first; never empty."""
    if state.complete:
        return (_settle(state),)
    dealer = _who_deals(state)
    if state.terms.detail is Detail.RESULT:
        return (_RESULT, *dealer)
    if state.terms.detail is Detail.CARDS or state.closed:
        return (_card(state), *dealer, *_collect(state))
    return (*_bets(state), *_close(state), *dealer, *_collect(state))


def _collect(state: State) -> tuple[Prompt, ...]:
    """Optional: a seat that leaves, or the end of the shoe, has its marked commission collected."""
    marked = state.rules.commission_collection == MARKED
    if state.terms.detail is not Detail.FULL or not (marked or state.owed):
        return ()
    places = [(bet.seat, bet.spot) for bet in state.bets] if marked else []
    seats = [
        seat
        for seat in range(1, state.terms.seats + 1)
        if seat not in state.collecting and marking.may_collect(seat, state.owed, places)
    ]
    if not seats:
        return ()
    return (
        Prompt(
            "collect",
            options=tuple(map(str, seats)),
            events=tuple({"e": "collect", "seat": seat} for seat in seats),
            text=Text(
                "Si un asiento se va o acaba el sabot, cobre su comisión tras este pase",
                "If a seat leaves or the shoe ends, collect its commission after this round",
            ),
            why=Text("debe comisión marcada de Banca", "marked commission on Banca is owed"),
            rule=marking.RULE,
        ),
    )


_RESULT = Prompt(
    "result",
    options=WINNERS,
    events=tuple({"e": "result", "winner": winner} for winner in WINNERS),
    text=Text("Anote el resultado anunciado", "Write down the announced result"),
    why=Text(
        "esta mesa registra sólo el resultado: ganador y, si se anunciaron, ambos puntajes",
        "this table logs the result only: the winner and, if announced, both totals",
    ),
    rule="BAC-19",
)


def _who_deals(state: State) -> tuple[Prompt, ...]:
    """Optional: naming the dealing player lets BAC-09 and BAC-23 be checked."""
    if state.rules.dealer != "player" or state.dealing_seat is not None or state.closed or state.punto:
        return ()
    return (
        Prompt(
            "deal",
            options=tuple(str(seat) for seat in range(1, state.terms.seats + 1)),
            events=tuple({"e": "deal", "seat": seat} for seat in range(1, state.terms.seats + 1)),
            text=Text("Anote qué asiento reparte (opcional)", "Note which seat deals (optional)"),
            why=Text(
                "quien reparte debe apostar a Punto o a Banca y pasa el sabot si pierde la banca",
                "the dealing player must bet on Punto or Banca and passes the shoe when banca loses",
            ),
            rule="BAC-09",
        ),
    )


def _bets(state: State) -> tuple[Prompt, ...]:
    events = {spot: _least_bets(state, spot) for spot in SPOTS}
    open_spots = tuple(spot for spot in SPOTS if events[spot])
    if not open_spots:
        return ()
    say = [
        Text("{spot} de {low} a {high}", "{spot} from {low} to {high}").fill(
            spot=SPOTS[spot],
            low=money_words(state.terms.limits[spot][0], state.terms.exponent),
            high=money_words(state.terms.limits[spot][1], state.terms.exponent),
        )
        for spot in open_spots
    ]
    return (
        Prompt(
            "bet",
            options=open_spots,
            events=tuple(event for spot in open_spots for event in events[spot]),
            text=Text("Anote las apuestas", "Log the bets"),
            why=Text("; ".join(t.es for t in say), "; ".join(t.en for t in say)),
            rule="GEN-04",
        ),
    )


def _least_bets(state: State, spot: str) -> list[dict[str, Any]]:
    """The least that each seat can still place on the spot."""
    box = state.boxes.get(spot)
    if box is None:
        return []
    placed = {bet.seat: bet.amount for bet in state.bets if bet.spot == spot}
    found: list[dict[str, Any]] = []
    for seat in range(1, state.terms.seats + 1):
        total = placed.get(seat, 0)
        least = box.step if total else box.low
        if total + least <= box.high and _gap_allows(state, spot, least):
            found.append({"e": "bet", "seat": seat, "spot": spot, "amount": least})
    return found


def _gap_allows(state: State, spot: str, amount: int) -> bool:
    limit = state.terms.differential
    if limit is None or spot == "tie":
        return True
    gap = betting.gap({(bet.seat, bet.spot): bet.amount for bet in state.bets})
    after = gap + (amount if spot == "punto" else -amount)
    return abs(after) <= limit


def _close(state: State) -> tuple[Prompt, ...]:
    stakes = {(bet.seat, bet.spot): bet.amount for bet in state.bets}
    if betting.cannot_close(stakes, state.dealing_seat) is not None:
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
            rule="BAC-11",
        ),
    )


_CARD_WORDS = {
    ("punto", False): Text("Reparta una carta al punto", "Deal a card to punto"),
    ("banca", False): Text("Reparta una carta a la banca", "Deal a card to banca"),
    ("punto", True): Text("Punto pide carta", "Punto draws a card"),
    ("banca", True): Text("Banca pide carta", "Banca draws a card"),
}


def _card(state: State) -> Prompt:
    answer = draws.because(state.punto_values, state.banca_values)
    third = len(state.punto) + len(state.banca) >= 4
    return Prompt(
        "card",
        answer.to,
        events=({"e": "card", "to": answer.to},),
        text=_CARD_WORDS[answer.to, third],
        why=answer.why,
        rule=answer.rule,
    )


def _settle(state: State) -> Prompt:
    call = announcement(outcome_of(state))
    text = Text(
        "Anuncie «{call}»; cobre las perdedoras, pague las ganadoras y descarte las cartas",
        "Announce “{call}”; take the losing bets, pay the winners and discard the cards",
    ).fill(call=call)
    if state.result is not None:
        why = Text("el resultado está anotado", "the result is written down")
        return Prompt("settle", text=text, why=why, rule="BAC-20")
    answer = draws.because(state.punto_values, state.banca_values)
    return Prompt("settle", text=text, why=answer.why, rule=answer.rule)
