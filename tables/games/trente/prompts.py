"""What comes next and why: the guided screen. Each prompt offers only what `play` accepts now."""

from __future__ import annotations

from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import staking
from tables.games.base import MOST_ON_A_SPOT, Detail, Prompt
from tables.games.trente import betting
from tables.games.trente.dealing import CHOICES, WINNERS, why_due
from tables.games.trente.rules import CHANCES, INSURANCE, PRISON, SPOTS, least_insured, premium
from tables.games.trente.settle import announcement, result_of
from tables.games.trente.state import Place, State, caught, due_row, points, waiting


def prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done now, the most likely first; never empty."""
    if state.complete:
        return (_settle(state),)
    if state.terms.detail is Detail.RESULT:
        return (_RESULT,)
    if state.terms.detail is Detail.FULL and not state.closed:
        return (*_bets(state), *_insurance(state), *_close(state))
    negra, roja = points(state.negra), points(state.roja)
    to = due_row(negra, roja)
    if to:
        text = _CARD_WORDS[to]
        return (
            Prompt(
                "card",
                to,
                events=({"e": "card", "to": to},),
                text=text,
                why=why_due(negra, roja),
                rule="TYC-05",
            ),
        )
    return tuple(
        _choice(state, place)
        for place in waiting(state.rules, state.stakes, dict(state.choices), negra, roja)
    )


_CARD_WORDS = {
    "negra": Text("Reparta una carta a la fila negra", "Deal a card to the black row"),
    "roja": Text("Reparta una carta a la fila roja", "Deal a card to the red row"),
}

_RESULT = Prompt(
    "result",
    options=tuple(WINNERS),
    events=(
        *(
            {"e": "result", "winner": winner, "chance": chance}
            for winner in ("black", "red")
            for chance in ("colour", "inverse")
        ),
        {"e": "result", "winner": "tie"},
        {"e": "result", "winner": "refait"},
    ),
    text=Text("Anote el resultado anunciado", "Write down the announced result"),
    why=Text(
        "esta mesa registra sólo el resultado: fila ganadora con color o inverso, empate o refait",
        "this table logs the result only: the winning row with colour or inverse, a tie or a refait",
    ),
    rule="TYC-13",
)


def _bets(state: State) -> tuple[Prompt, ...]:
    terms, stakes = state.terms, state.stakes
    events: list[dict[str, Any]] = []
    spots: list[str] = []
    say: list[Text] = []
    for spot in state.rules.bets:
        if spot not in terms.limits:
            continue
        found = [e for seat in range(1, terms.seats + 1) if (e := _least_bet(state, stakes, seat, spot))]
        if found:
            events += found
            spots.append(spot)
            low, high = (money_words(limit, terms.exponent) for limit in terms.limits[spot])
            say.append(
                Text("{spot} de {low} a {high}", "{spot} from {low} to {high}").fill(
                    spot=SPOTS[spot], low=low, high=high
                )
            )
    if not events:
        return ()
    why = Text("; ".join(text.es for text in say), "; ".join(text.en for text in say))
    text = Text("Invite al juego y anote las apuestas", "Invite play and log the bets")
    return (Prompt("bet", options=tuple(spots), events=tuple(events), text=text, why=why, rule="TYC-03"),)


def _least_bet(state: State, stakes: dict[Place, int], seat: int, spot: str) -> dict[str, Any] | None:
    """The least the seat can still place on a chance, if anything."""
    terms, rules = state.terms, state.rules
    placed = stakes.get((seat, spot, 0), 0)
    amount = terms.chip if placed else staking.least(terms, spot)
    if placed + amount > min(terms.limits[spot][1], MOST_ON_A_SPOT):
        return None
    insured = INSURANCE[spot]
    if (seat, insured, 0) in stakes and premium(rules, terms, placed + amount) > terms.limits[insured][1]:
        return None
    if terms.differential is not None and abs(betting.gap(stakes, spot) + amount) > terms.differential:
        return None
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def _insurance(state: State) -> tuple[Prompt, ...]:
    """Each stake that can be insured, with its premium (TYC-12)."""
    terms, rules, stakes = state.terms, state.rules, state.stakes
    events: list[dict[str, Any]] = []
    for (seat, chance, hand), stake in stakes.items():
        spot = INSURANCE.get(chance, "")
        if hand or spot not in terms.limits or stake < least_insured(rules, terms):
            continue
        low, high = terms.limits[spot]
        due = betting.due_premium(rules, terms, stakes, seat, chance)
        if due and low <= premium(rules, terms, stake) <= min(high, MOST_ON_A_SPOT):
            events.append({"e": "bet", "seat": seat, "spot": spot, "amount": due})
    if not events:
        return ()
    return (
        Prompt(
            "bet",
            options=tuple(dict.fromkeys(event["spot"] for event in events)),
            events=tuple(events),
            text=Text("Anote las primas de seguro (opcional)", "Log the insurance premiums (optional)"),
            why=Text(
                "la prima se paga al apostar y se pierde siempre; con refait la apuesta queda libre",
                "the premium is paid with the bet and always lost; on a refait the stake is free",
            ),
            rule="TYC-12",
        ),
    )


def _close(state: State) -> tuple[Prompt, ...]:
    obstacle: RuleViolation | None = betting.cannot_close(state.rules, state.terms, state.stakes)
    if obstacle is not None:
        return ()
    return (
        Prompt(
            "close",
            events=({"e": "close"},),
            text=Text("Cierre las apuestas: «no va más»", "Close betting: “no more bets”"),
            why=Text(
                "toda apuesta se coloca antes de repartir carta alguna",
                "every bet is placed before any card is dealt",
            ),
            rule="TYC-03",
        ),
    )


def _choice(state: State, place: Place) -> Prompt:
    seat, spot, hand = place
    chosen: dict[str, Any] = {"e": "choice", "seat": seat, "spot": spot}
    if hand:
        chosen["hand"] = hand
    amount = money_words(state.stakes[place], state.terms.exponent)
    return Prompt(
        "choice",
        options=tuple(CHOICES),
        seat=seat,
        hand=hand,
        events=tuple({**chosen, "do": do} for do in CHOICES),
        text=Text(
            "Refait: pregunte al asiento {seat} por sus {amount} a {spot}: mitad o prisión",
            "Refait: ask seat {seat} about {amount} on {spot}: half or prison",
        ).fill(seat=seat, amount=amount, spot=CHANCES[spot]),
        why=_AGAIN if hand else _ONCE,
        rule="TYC-11",
    )


_ONCE = Text(
    "ambas filas suman 31: retira la mitad o deja todo en prisión",
    "both rows total 31: half is taken back or all is left in prison",
)
_AGAIN = Text(
    "otro refait vuelve a dividir: se pierde la mitad de lo preso, y del resto vuelve la mitad o sigue preso",
    "another refait halves again: half of what is in prison is lost, of the rest half goes back or all stays",
)


def _settle(state: State) -> Prompt:
    call = announcement(result_of(state))
    text = Text(
        "Anuncie «{call}»; retire lo perdido, pague lo ganado y descarte las cartas",
        "Announce “{call}”; take what lost, pay what won and discard the cards",
    ).fill(call=call)
    if state.result is not None:
        why = Text("el resultado está anotado", "the result is written down")
    else:
        why = why_due(points(state.negra), points(state.roja))
        if _may_take_half(state):
            why = _HALF_STILL.fill(why=why)
    return Prompt("settle", text=text, why=why, rule="TYC-14")


def _may_take_half(state: State) -> bool:
    """Whether something stays in prison of which half may still be taken back, though nobody asks."""
    chosen = dict(state.choices)
    ended = result_of(state).winner
    if ended == "tie":
        return any(bet.hand and (bet.seat, bet.spot, bet.hand) not in chosen for bet in state.bets)
    asked = ended == "refait" and state.rules.refait_policy == PRISON
    return asked and any(place not in chosen for place in caught(state.stakes))


_HALF_STILL = Text(
    "{why}; quien no seguirá jugando retira ahora la mitad de lo que tiene en prisión: anótelo antes",
    "{why}; whoever will not play on takes half of what is in prison now: log it first",
)
