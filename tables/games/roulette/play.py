"""Playing a spin: bets, stakes in prison, no more bets, the number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import Detail, Terms, refuse_detail
from tables.games.playing import Player
from tables.games.roulette.layout import EVEN_CHANCES, LAYOUT, SPOTS
from tables.games.roulette.prison import MOST_TIMES, kept
from tables.games.roulette.rules import Rules, seated
from tables.games.roulette.state import Draft, State
from tables.games.staking import require_chips, seat_of

_BET_KEYS = frozenset({"e", "seat", "spot", "amount", "at", "by"})


def bet(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas", "bets"))
    if len(event) != 4:
        reading.known_keys(event, _BET_KEYS)
    if draft.closed:
        raise _closed()
    seat = seat_of(event.get("seat"), draft.terms, "RUL-10")
    spot = event.get("spot")
    if not isinstance(spot, str) or spot not in LAYOUT:
        raise _unknown_spot(spot)
    if spot not in draft.terms.limits:
        raise RuleViolation(
            "RUL-04",
            Text(
                f"esta mesa no toma {SPOTS[LAYOUT[spot].kind].es}: no tiene límites para {SPOTS[spot].es}",
                f"this table takes no {SPOTS[LAYOUT[spot].kind].en}: it has no limits for {SPOTS[spot].en}",
            ),
            code="spot_not_offered",
            field="spot",
        )
    amount = reading.integer(event.get("amount"), "amount", 1)
    require_chips(amount, draft.terms)
    place = (seat, str(spot), 0)
    total = draft.stakes.get(place, 0) + amount
    low, high = draft.terms.limits[spot]
    if not low <= total <= high:
        raise _outside_limits(draft, spot, total)
    draft.stakes[place] = total
    return {"e": "bet", "seat": seat, "spot": str(spot), "amount": amount}


def _outside_limits(draft: Draft, spot: str, total: int) -> RuleViolation:
    """The refusal with the limits of the bet's kind, or of the spot where it has its own (RUL-04)."""
    terms, kind = draft.terms, LAYOUT[spot].kind
    low, high = terms.limits[spot]
    shared = terms.limits.get(kind) == (low, high)
    fewest, most = money_words(low, terms.exponent), money_words(high, terms.exponent)
    figures = {"spot": spot, "kind": kind, "total": total, "min": low, "max": high}
    text = (_TOO_MUCH if total > high else _TOO_LITTLE).fill(
        total=money_words(total, terms.exponent),
        spot=SPOTS[spot],
        of=SPOTS[kind] if shared else _OF_ITS_OWN,
        low=fewest,
        high=most,
    )
    code = "above_maximum" if total > high else "below_minimum"
    return RuleViolation("RUL-04", text, figures, code=code, field="amount")


_TOO_MUCH = Text(
    "{total} a {spot} supera el máximo. {of}: de {low} a {high} por casilla y asiento",
    "{total} on {spot} is above the maximum. {of}: {low} to {high} for each spot and seat",
)
_TOO_LITTLE = Text(
    "{total} a {spot} no llega al mínimo. {of}: de {low} a {high} por casilla y asiento",
    "{total} on {spot} is below the minimum. {of}: {low} to {high} for each spot and seat",
)
_OF_ITS_OWN = Text("Límites propios de esta casilla", "Limits of this spot's own")


def _closed() -> RuleViolation:
    return RuleViolation(
        "RUL-05",
        Text(
            "no va más: ninguna apuesta se pone, se mueve ni se retira",
            "no more bets: no bet is placed, moved or taken back",
        ),
        code="bets_closed",
    )


def _unknown_spot(spot: object) -> RuleViolation:
    if isinstance(spot, str) and spot in SPOTS:
        text = Text(
            f"«{spot}» es una clase de apuesta: diga la casilla, por ejemplo n17 o s17_20",
            f"“{spot}” is a kind of bet: say the spot, for example n17 or s17_20",
        )
    else:
        shown = reading.shown(spot)
        text = Text(
            f"el paño no tiene la casilla «{shown}»: n17 es un pleno, s17_20 un caballo, c17 un cuadro, l13"
            " una seisena, d1 una docena, k2 una columna, red el rojo",
            f"the layout has no spot “{shown}”: n17 is straight up, s17_20 a split, c17 a corner, l13 a"
            " six line, d1 a dozen, k2 a column, red the red",
        )
    return RuleViolation("RUL-02", text, code="unknown_spot", field="spot")


_PRISON_KEYS = frozenset({"e", "seat", "spot", "amount", "times", "at", "by"})


def prison(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A stake that zero put in prison before this spin (RUL-07): noted before any bet is placed.

    Taken in whatever the rules in force say of zero and of chips: it went to prison under those of its own
    spin, which may since have been replaced (GEN-03).
    """
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas en prisión", "stakes in prison"))
    reading.known_keys(event, _PRISON_KEYS)
    if draft.closed or any(hand == 0 for _, _, hand in draft.stakes) or draft.released:
        raise RuleViolation(
            "RUL-07",
            Text(
                "las apuestas en prisión se anotan antes que las de esta tirada",
                "stakes in prison are noted before the bets of this spin",
            ),
            code="prison_too_late",
        )
    seat = seat_of(event.get("seat"), draft.terms, "RUL-10")
    spot = event.get("spot")
    if not isinstance(spot, str) or spot not in EVEN_CHANCES:
        shown = reading.shown(spot)
        raise RuleViolation(
            "RUL-06",
            Text(
                f"«{shown}» no es una suerte sencilla: sólo éstas van a prisión",
                f"“{shown}” is no even chance: only those go to prison",
            ),
            code="no_prison",
            field="spot",
        )
    times = reading.integer(event.get("times"), "times", 1, MOST_TIMES)
    amount = reading.integer(event.get("amount"), "amount", 1)
    place = (seat, str(spot), times)
    if place in draft.stakes:
        raise _prison_given(seat, str(spot))
    draft.stakes[place] = amount
    return {"e": "prison", "seat": seat, "spot": str(spot), "amount": amount, "times": times}


def _prison_given(seat: int, spot: str) -> RuleViolation:
    return RuleViolation(
        "RUL-07",
        Text(
            f"lo que el asiento {seat} tiene en prisión a {SPOTS[spot].es} ya está anotado",
            f"what seat {seat} has in prison on {SPOTS[spot].en} is noted already",
        ),
        code="prison_given",
        field="spot",
    )


_RELEASE_KEYS = frozenset({"e", "seat", "spot", "at", "by"})


def release(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A player takes what is in prison for the part that is theirs (RUL-07): before no more bets, or right
    after the number that puts it there.
    """
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas en prisión", "stakes in prison"))
    reading.known_keys(event, _RELEASE_KEYS)
    if draft.closed and draft.number is None:
        raise _closed()
    seat = seat_of(event.get("seat"), draft.terms, "RUL-10")
    spot = event.get("spot")
    held = {place for place in kept(draft) if place[:2] == (seat, spot)}
    if not isinstance(spot, str) or not held:
        raise RuleViolation(
            "RUL-07",
            Text(
                f"el asiento {seat} no tiene nada en prisión en «{reading.shown(spot)}»",
                f"seat {seat} has nothing in prison on “{reading.shown(spot)}”",
            ),
            code="nothing_in_prison",
            field="spot",
        )
    (draft.released if draft.number is None else draft.yielded).update(held)
    return {"e": "release", "seat": seat, "spot": str(spot)}


_CLOSE_KEYS = frozenset({"e", "at", "by"})


def close(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """No more bets; a spin with no bets at all is a spin too."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("cierre de apuestas", "closing of bets"))
    reading.known_keys(event, _CLOSE_KEYS)
    if draft.closed:
        raise RuleViolation(
            "RUL-05", Text("las apuestas ya están cerradas", "betting is closed already"), code="bets_closed"
        )
    draft.closed = True
    return {"e": "close"}


_SPIN_KEYS = frozenset({"e", "number", "at", "by"})


def spin(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The number where the ball rests: it ends the round (RUL-01)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("tiradas (anote el resultado)", "spins (log the result)"))
    reading.known_keys(event, _SPIN_KEYS)
    if draft.number is not None:
        raise _spun()
    if draft.detail is Detail.FULL and not draft.closed:
        raise RuleViolation(
            "RUL-05",
            Text(
                "cierre las apuestas («no va más») antes de anotar el número",
                "close betting (“no more bets”) before logging the number",
            ),
            code="bets_open",
        )
    number = event.get("number")
    if type(number) is not int:
        raise reading.bad_type("number", Text("un número de 0 a 36", "a number from 0 to 36"))
    draft.number = _on_the_wheel(number, number, "number")
    return {"e": "spin", "number": number}


def _spun() -> RuleViolation:
    return RuleViolation(
        "RUL-01",
        Text(
            "el número ya está anotado; para corregirlo anule ese registro",
            "the number is in; to correct it undo that entry",
        ),
        code="number_given",
    )


def _on_the_wheel(number: int, said: object, field: str) -> int:
    if not 0 <= number <= 36:
        raise RuleViolation(
            "RUL-01",
            Text(
                f"la rueda no tiene el {reading.shown(said)}: va del 0 al 36",
                f"the wheel has no {reading.shown(said)}: it goes from 0 to 36",
            ),
            code="no_such_number",
            field=field,
        )
    return number


_RESULT_KEYS = frozenset({"e", "winner", "at", "by"})


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The announced number, as a word: `17` (RUL-08)."""
    if draft.detail is not Detail.RESULT:
        raise refuse_detail(
            draft.detail,
            Text("resultados anunciados (anote la tirada)", "announced result (log the spin)"),
        )
    reading.known_keys(event, _RESULT_KEYS)
    if draft.number is not None:
        raise _spun()
    winner = event.get("winner")
    if not isinstance(winner, str) or not (winner.isascii() and winner.isdigit()) or len(winner) > 9:
        raise reading.bad_type("winner", Text("el número, por ejemplo “17”", "the number, for example “17”"))
    draft.number = _on_the_wheel(int(winner), winner, "winner")
    return {"e": "result", "winner": str(draft.number)}


def cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> RuleViolation | None:
    """Bets stand once betting is closed, and it opens again only while no number was ever logged: who has
    seen one would choose which bets stand (RUL-05).
    """
    kind = entry["e"]
    if kind == "prison":
        return RuleViolation("RUL-07", _CARRIED, code="undo_carried", field="of")
    if kind not in ("bet", "release", "close"):
        return None
    if kind == "release" and _after_a_spin(draft, entry):
        return None
    if any(logged["e"] == "spin" for logged in draft.log):
        return RuleViolation("RUL-05", _BETS_STAND, code="undo_too_late", field="of")
    if draft.closed and kind != "close":
        return RuleViolation("RUL-05", _REOPEN_FIRST, code="undo_too_late", field="of")
    return None


def _after_a_spin(draft: Draft, entry: Mapping[str, Any]) -> bool:
    for logged in draft.log:
        if logged is entry:
            return False
        if logged["e"] == "spin":
            return True
    return False


_CARRIED = Text(
    "lo que está en prisión viene de la tirada anterior: anule aquel pase",
    "what is in prison comes from the spin before: void that round",
)
_BETS_STAND = Text(
    "ya salió el número: las apuestas quedan como están; si el pase no vale, abandónelo con su motivo",
    "the number is out: the bets stand; if the round is not valid, abandon it with its reason",
)
_REOPEN_FIRST = Text(
    "las apuestas están cerradas: anule antes el cierre, que se puede mientras no haya salido el número",
    "betting is closed: undo the closing first, which can be done while no number is out",
)


def open(rules: Rules, terms: Terms) -> State:
    """A spin with nothing on the layout. Raises `RuleViolation` when the terms cannot be played."""
    return State(rules, seated(rules, terms))


PLAYER: Player[State, Draft] = Player(
    thaw=Draft,
    freeze=Draft.freeze,
    blank=lambda draft: Draft(State(draft.rules, draft.terms)),
    acts={
        "prison": prison,
        "release": release,
        "bet": bet,
        "close": close,
        "spin": spin,
        "result": result,
    },
    cannot_undo=cannot_undo,
)
