"""What comes next and why: the guided screen and the caller's checklist (BAC-18)."""

from __future__ import annotations

from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.banked.dealing import decider
from tables.games.banked.drawing import CHOICE, because
from tables.games.banked.rules import CHOICES, WINNERS, least_bank, most_bank
from tables.games.banked.settle import announced, figures
from tables.games.banked.state import State
from tables.games.base import Detail, Event, Prompt
from tables.games.staking import least


def prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done now, the most likely first; never empty."""
    detail = state.terms.detail
    if state.complete:
        return (_settle(state),)
    if detail is Detail.RESULT:
        return (_RESULT, *(() if state.banker else (_take_bank(state),)))
    if not state.banker:
        return (_take_bank(state),)
    if detail is Detail.FULL and not state.closed:
        return (*_bets(state), *_close(state), *_raise_bank(state))
    if detail is Detail.CARDS and not state.punto:
        joining = _join(state)
        return (_deal(state), *joining) if state.seated else joining
    return (_deal(state),)


_RESULT = Prompt(
    "result",
    options=tuple(WINNERS),
    events=tuple({"e": "result", "winner": winner} for winner in WINNERS),
    text=Text("Anote el resultado anunciado", "Write down the announced result"),
    why=Text(
        "esta mesa registra sólo el resultado: ganador y, si se anunciaron, ambos puntajes",
        "this table logs the result only: the winner and, if announced, both totals",
    ),
    rule="BAC-19",
)


def _take_bank(state: State) -> Prompt:
    terms = state.terms
    seats = range(1, terms.seats + 1)
    if terms.detail is not Detail.FULL:
        events: tuple[Event, ...] = tuple({"e": "deal", "seat": seat} for seat in seats)
        why = Text(
            "el banco lo tiene un jugador, que juega siempre a Banca",
            "a player holds the bank, who always plays on Banca",
        )
        return _bank_prompt(
            events, Text("Anote quién reparte: tiene el banco", "Note who deals: it holds the bank"), why
        )
    low = least_bank(terms)
    events = tuple({"e": "bank", "seat": seat, "amount": low} for seat in seats)
    why = Text("al menos {low}, el mínimo de la mesa", "at least {low}, the table's minimum").fill(
        low=money_words(low, terms.exponent)
    )
    return _bank_prompt(
        events,
        Text(
            "Anote quién toma el banco y con cuánto; anuncie «hay tanto en la banca»",
            "Note who takes the bank and with how much; announce “there is so much in the bank”",
        ),
        why,
        "BANK-17",
    )


def _bank_prompt(events: tuple[Event, ...], text: Text, why: Text, rule: str = "BANK-01") -> Prompt:
    options = tuple(str(event["seat"]) for event in events)
    return Prompt(str(events[0]["e"]), options=options, events=events, text=text, why=why, rule=rule)


def _raise_bank(state: State) -> tuple[Prompt, ...]:
    terms = state.terms
    more = state.bank + terms.chip
    if more > most_bank(terms):
        return ()
    event: Event = {"e": "bank", "seat": state.banker, "amount": more}
    why = Text("hay {bank} en la banca", "there is {bank} in the bank").fill(
        bank=money_words(state.bank, terms.exponent)
    )
    text = Text("Amplíe el banco (opcional)", "Raise the bank (optional)")
    return (_bank_prompt((event,), text, why, "BANK-14"),)


def _bets(state: State) -> tuple[Prompt, ...]:
    terms, stakes = state.terms, state.stakes
    low, high = least(terms, "punto"), min(terms.limits["punto"][1], state.bank)
    events: list[Event] = []
    for seat in range(1, terms.seats + 1):
        total = stakes.get(seat, 0)
        amount = terms.chip if total else low
        if seat != state.banker and total + amount <= high:
            events.append({"e": "bet", "seat": seat, "spot": "punto", "amount": amount})
    if not events:
        return ()
    why = Text(
        "de {low} a {high} por asiento; hay {bank} en la banca",
        "from {low} to {high} a seat; there is {bank} in the bank",
    ).fill(
        low=money_words(low, terms.exponent),
        high=money_words(high, terms.exponent),
        bank=money_words(state.bank, terms.exponent),
    )
    text = Text("Anote las apuestas al Punto", "Log the bets on Punto")
    return (Prompt("bet", options=("punto",), events=tuple(events), text=text, why=why, rule="BANK-16"),)


def _close(state: State) -> tuple[Prompt, ...]:
    if not state.stakes:
        return ()
    total = sum(state.stakes.values())
    why = Text(
        "apostado {total}, en la banca {bank}: lo que no cubra se devuelve antes de repartir",
        "bet {total}, in the bank {bank}: what it does not cover goes back before the deal",
    ).fill(total=money_words(total, state.terms.exponent), bank=money_words(state.bank, state.terms.exponent))
    return (
        Prompt(
            "close",
            events=({"e": "close"},),
            text=Text("Cierre las apuestas: «no va más»", "Close betting: “no more bets”"),
            why=why,
            rule="BANK-27",
        ),
    )


def _join(state: State) -> tuple[Prompt, ...]:
    out = [seat for seat in range(1, state.terms.seats + 1) if seat not in (state.banker, *state.seated)]
    if not out:
        return ()
    return (
        Prompt(
            "in",
            options=tuple(str(seat) for seat in out),
            events=tuple({"e": "in", "seat": seat} for seat in out),
            text=Text("Anote qué asientos juegan al Punto", "Note which seats play on Punto"),
            why=Text("uno de ellos decide la tercera carta", "one of them decides the third card"),
            rule="BAC-16",
        ),
    )


_CARD_WORDS = {
    ("punto", False): Text("Reparta una carta al punto", "Deal a card to punto"),
    ("banca", False): Text("Reparta una carta a la banca", "Deal a card to banca"),
    ("punto", True): Text("Punto pide carta", "Punto draws a card"),
    ("banca", True): Text("Banca pide carta", "Banca draws a card"),
}


def _deal(state: State) -> Prompt:
    free = state.rules.punto_free_choice
    answer = because(state.punto_values, state.banca_values, state.decision, free)
    if answer.to == CHOICE:
        return _choice(state, answer.why)
    third = len(state.punto) + len(state.banca) >= 4
    if state.uncovered and not state.punto:
        return _give_back(state, answer.to)
    return Prompt(
        "card",
        answer.to,
        events=({"e": "card", "to": answer.to},),
        text=_CARD_WORDS[answer.to, third],
        why=answer.why,
        rule=answer.rule,
    )


def _give_back(state: State, to: str) -> Prompt:
    """BANK-27: before the first card, what the bank does not cover goes back."""
    exponent = state.terms.exponent
    said = [(seat, money_words(amount, exponent)) for seat, amount in state.uncovered]
    back = Text(
        "; ".join(f"{amount.es} al asiento {seat}" for seat, amount in said),
        "; ".join(f"{amount.en} to seat {seat}" for seat, amount in said),
    )
    text = Text(
        "Devuelva {back}, que el banco no cubre; después reparta una carta al punto",
        "Give back {back}, which the bank does not cover; then deal a card to punto",
    )
    why = Text("el banco no paga más de lo que hay en él", "the bank pays no more than it holds")
    event = {"e": "card", "to": to}
    return Prompt("card", to, events=(event,), text=text.fill(back=back), why=why, rule="BANK-27")


def _choice(state: State, why: Text) -> Prompt:
    one = decider(state.stakes) if state.terms.detail is Detail.FULL else 0
    seats = (one,) if one else state.seated
    text = Text("Pregunte al asiento {seat}: ¿carta o se planta?", "Ask seat {seat}: draw or stand?").fill(
        seat=one
    )
    if not one:
        text = Text("Anote quién decidió y qué", "Note who decided, and what")
    return Prompt(
        "choice",
        options=tuple(CHOICES),
        seat=one,
        events=tuple({"e": "choice", "seat": seat, "do": do} for seat in seats for do in CHOICES),
        text=text,
        why=why,
        rule="BAC-16",
    )


_TO_DO = {
    "punto": Text(
        "Anuncie «{call}»; pague al punto con fichas del banco y descarte las cartas",
        "Announce “{call}”; pay punto with chips of the bank and discard the cards",
    ),
    "banca": Text(
        "Anuncie «{call}»; retire lo apostado al punto, aparte la deducción, ponga el resto en el banco y"
        " descarte las cartas",
        "Announce “{call}”; take the bets on punto, set the deduction apart, put the rest in the bank and"
        " discard the cards",
    ),
    "tie": Text(
        "Anuncie «{call}»; cada uno recoge su apuesta; descarte las cartas",
        "Announce “{call}”; everyone takes their bet back; discard the cards",
    ),
}


def _settle(state: State) -> Prompt:
    punto, banca, winner = figures(state)
    text = _TO_DO[winner].fill(call=announced(winner, punto, banca))
    if state.result is not None:
        why, rule = Text("el resultado está anotado", "the result is written down"), "BAC-20"
    else:
        free = state.rules.punto_free_choice
        answer = because(state.punto_values, state.banca_values, state.decision, free)
        why, rule = answer.why, answer.rule
    return Prompt("settle", text=text, why=why, rule=rule)
