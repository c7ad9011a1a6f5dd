"""What comes next and why, on a table with more than 150 places for a chip.

The prompt to bet lists every spot that takes bets, with one ready event for each: any seat may use any spot,
so the seats are spread over them instead of repeated.
"""

from __future__ import annotations

from functools import lru_cache

from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.base import Detail, Event, Prompt
from tables.games.roulette.layout import KINDS, LAYOUT, NUMBERS, SPOTS, called
from tables.games.roulette.prison import kept
from tables.games.roulette.state import State
from tables.games.staking import least


def prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done now, the most likely first; never empty."""
    if state.number is not None:
        return (_settle(state.number, bool(kept(state))),)
    detail = state.terms.detail
    if detail is Detail.RESULT:
        return (_RESULT,)
    if detail is Detail.CARDS or state.closed:
        return (_SPIN,)
    return (*_bets(state), *_release(state), _CLOSE)


_RESULT = Prompt(
    "result",
    options=tuple(str(number) for number in NUMBERS),
    events=tuple({"e": "result", "winner": str(number)} for number in NUMBERS),
    text=Text("Anote el número anunciado", "Write down the announced number"),
    why=Text("esta mesa registra sólo el número ganador", "this table logs only the winning number"),
    rule="RUL-08",
)
_SPIN = Prompt(
    "spin",
    options=tuple(str(number) for number in NUMBERS),
    events=tuple({"e": "spin", "number": number} for number in NUMBERS),
    text=Text("Anote el número donde queda la bola", "Log the number where the ball rests"),
    why=Text("va del 0 al 36", "from 0 to 36"),
    rule="RUL-01",
)
_CLOSE = Prompt(
    "close",
    events=({"e": "close"},),
    text=Text("Cierre las apuestas: «no va más»", "Close betting: “no more bets”"),
    why=Text(
        "antes de que la bola caiga; el número sólo se anota con las apuestas cerradas",
        "before the ball drops; the number is only logged with betting closed",
    ),
    rule="RUL-05",
)


def _bets(state: State) -> tuple[Prompt, ...]:
    terms = state.terms
    limits = tuple((code, *terms.limits[code]) for code in LAYOUT if code in terms.limits)
    full = frozenset(
        (bet.seat, bet.spot)
        for bet in state.bets
        if not bet.hand and bet.amount + terms.chip > terms.limits[bet.spot][1]
    )
    begun = frozenset((bet.seat, bet.spot) for bet in state.bets if not bet.hand)
    lows = tuple(least(terms, code) for code, _, _ in limits)
    events = _offers(tuple(code for code, _, _ in limits), lows, terms.chip, terms.seats, begun, full)
    if not events:
        return ()
    return (
        Prompt(
            "bet",
            options=tuple(event["spot"] for event in events),
            events=events,
            text=Text("Anote las apuestas", "Log the bets"),
            why=_limits_in_words(limits, terms.exponent),
            rule="RUL-04",
        ),
    )


@lru_cache(maxsize=256)
def _offers(
    codes: tuple[str, ...],
    lows: tuple[int, ...],
    chip: int,
    seats: int,
    begun: frozenset[tuple[int, str]],
    full: frozenset[tuple[int, str]],
) -> tuple[Event, ...]:
    """The least bet on each spot, at the first seat in its turn that may still bet there."""
    found: list[Event] = []
    for at, (code, low) in enumerate(zip(codes, lows, strict=True)):
        for step in range(seats):
            seat = (at + step) % seats + 1
            if (seat, code) not in full:
                amount = chip if (seat, code) in begun else low
                found.append({"e": "bet", "seat": seat, "spot": code, "amount": amount})
                break
    return tuple(found)


@lru_cache(maxsize=64)
def _limits_in_words(limits: tuple[tuple[str, int, int], ...], exponent: int) -> Text:
    """The limits of each kind; where its spots differ, from the least to the most of them."""
    spanish, english = [], []
    for kind, named in KINDS.items():
        pairs = [(low, high) for code, low, high in limits if LAYOUT[code].kind == kind]
        if pairs:
            low = money_words(min(low for low, _ in pairs), exponent)
            high = money_words(max(high for _, high in pairs), exponent)
            spanish.append(f"{named.words.es} de {low.es} a {high.es}")
            english.append(f"{named.words.en} from {low.en} to {high.en}")
    return Text("; ".join(spanish), "; ".join(english))


def _release(state: State) -> tuple[Prompt, ...]:
    held = sorted({place[:2] for place in kept(state)})
    if not held:
        return ()
    names = [
        Text(f"asiento {seat}, {SPOTS[spot].es}", f"seat {seat}, {SPOTS[spot].en}") for seat, spot in held
    ]
    return (
        Prompt(
            "release",
            options=tuple(spot for _, spot in held),
            events=tuple({"e": "release", "seat": seat, "spot": spot} for seat, spot in held),
            text=Text(
                "Si un jugador retira de la prisión su parte, anótelo (opcional)",
                "If a player takes their part out of prison, log it (optional)",
            ),
            why=Text("; ".join(name.es for name in names), "; ".join(name.en for name in names)),
            rule="RUL-07",
        ),
    )


def _settle(number: int, prison: bool) -> Prompt:
    why = Text("la bola quedó en el {n}", "the ball rests on {n}").fill(n=number)
    if prison:
        why = Text(
            "{why}; lo que queda en prisión puede retirarse ahora por su parte: anótelo antes de liquidar",
            "{why}; what stays in prison may be taken back now for its part: log it before settling",
        ).fill(why=why)
    return Prompt(
        "settle",
        text=Text(
            "Anuncie «{call}» y marque el número; retire lo perdido y pague de fuera hacia dentro",
            "Announce “{call}” and mark the number; take what lost and pay from the outside in",
        ).fill(call=called(number)),
        why=why,
        rule="RUL-09",
    )
