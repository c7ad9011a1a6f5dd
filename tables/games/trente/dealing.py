"""The cards of both rows, what players do with a refait, or the result a table announced instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from shoes import cards
from tables.games import reading, staking
from tables.games.announcing import require_announced
from tables.games.base import Detail, refuse_detail
from tables.games.trente.exact import STOP, TOP, pack_of
from tables.games.trente.rules import CHANCES, HALF, HANDS, PRISON, SPOTS
from tables.games.trente.state import POINTS, Draft, Place, Result, caught, due_row

WINNERS: Mapping[str, Text] = {
    "black": CHANCES["black"],
    "red": CHANCES["red"],
    "tie": Text("Empate", "Tie"),
    "refait": Text("Refait", "Refait"),
}
CHOICES: Mapping[str, Text] = {
    HALF: Text("Retira la mitad", "Takes half back"),
    PRISON: Text("Deja todo en prisión", "Leaves all in prison"),
}

_CARD_KEYS = frozenset({"e", "to", "card", "at", "by"})


def card(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The next card of the shoe, to the black row until it is worth 31, then to the red one (TYC-05)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    if len(event) != 3:
        # Three keys of which all three below are there leave no room for an unknown one.
        reading.known_keys(event, _CARD_KEYS)
    if draft.detail is Detail.FULL and not draft.closed:
        raise RuleViolation(
            "TYC-03",
            Text("cierre las apuestas antes de la primera carta", "close betting before the first card"),
            code="bets_open",
        )
    to = event.get("to")
    if not isinstance(to, str) or to not in HANDS:
        to = reading.one_of(to, "to", tuple(HANDS))
    dealt = cards.parse(event.get("card"))
    if to != due_row(draft.negra_points, draft.roja_points):
        raise _wrong_row(draft, to)
    _require_in_pack(draft, dealt)
    if to == "negra":
        if not draft.negra and cards.is_value_card(dealt):
            raise RuleViolation("TYC-09", _FIRST_NEEDS_SUIT, code="card_without_suit", field="card")
        draft.negra.append(dealt)
        draft.negra_points += POINTS[dealt]
    else:
        draft.roja.append(dealt)
        draft.roja_points += POINTS[dealt]
    return {"e": "card", "to": str(to), "card": dealt}


_FIRST_NEEDS_SUIT = Text(
    "la primera carta de la fila negra decide color o inverso: anótela con su palo",
    "the first card of the black row decides colour or inverse: log it with its suit",
)


def _require_in_pack(draft: Draft, dealt: str) -> None:
    """CARD-42 within one round: with many aces a row holds more cards than the pack has of one kind."""
    out, decks = draft.negra + draft.roja, draft.rules.decks
    if len(out) < decks:
        return
    value = POINTS[dealt]
    alike = sum(1 for other in out if POINTS[other] == value)
    suited = not cards.is_value_card(dealt)
    if alike >= pack_of(decks)[value - 1] or (suited and out.count(dealt) >= decks):
        name = cards.name(dealt)
        raise RuleViolation(
            "CARD-42",
            Text(
                f"{name.es} ya salió tantas veces como hay en {decks} barajas: revise la carta",
                f"{name.en} came as often as {decks} decks hold it: check the card",
            ),
            {"card": dealt, "decks": decks},
            code="card_too_often",
            field="card",
        )


def why_due(negra: int, roja: int) -> Text:
    """Why the next card goes where it goes, with the figures (TYC-05)."""
    if negra < STOP:
        return Text(
            f"la fila negra tiene {negra}: sigue hasta 31 o más",
            f"the black row has {negra}: it goes on to 31 or more",
        )
    if roja < STOP:
        return Text(
            f"la fila negra terminó con {negra}; la roja tiene {roja} y sigue hasta 31 o más",
            f"the black row ended on {negra}; the red one has {roja} and goes on to 31 or more",
        )
    return Text(
        f"ambas filas están completas: negra {negra}, roja {roja}",
        f"both rows are complete: black {negra}, red {roja}",
    )


def _wrong_row(draft: Draft, to: str) -> RuleViolation:
    negra, roja = draft.negra_points, draft.roja_points
    due = due_row(negra, roja)
    if due:
        say = Text(
            "esta carta no va a la {to} sino a la {due}: {why}",
            "this card goes not to the {to} but the {due}: {why}",
        )
    else:
        say = Text("no va carta a la {to}: {why}", "no card goes to the {to}: {why}")
    text = say.fill(to=_ROW[to], due=_ROW.get(due, ""), why=why_due(negra, roja))
    figures = {"to": to, "due": due, "negra": negra, "roja": roja}
    return RuleViolation("TYC-05", text, figures, code="card_not_due", field="to")


_ROW = {"negra": Text("fila negra", "black row"), "roja": Text("fila roja", "red row")}

_CHOICE_KEYS = frozenset({"e", "seat", "spot", "hand", "do", "at", "by"})


def choice(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """What a player does with one stake on a refait (TYC-11): half back, or all in prison.

    `spot` names the stake; `hand` is 0 for what was bet in this round and else how many refaits it stood.
    Where the policy is prison, and after an equality for a stake that stays in prison, taking half back is
    still possible and never asked for: so ends what no further round will decide.
    """
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("decisiones sobre apuestas", "decisions on bets"))
    reading.known_keys(event, _CHOICE_KEYS)
    seat = staking.seat_of(event.get("seat"), draft.terms, "TYC-03")
    spot = reading.one_of(event.get("spot"), "spot", tuple(SPOTS))
    hand = reading.integer(event.get("hand", 0), "hand", 0, 99)
    do = reading.one_of(event.get("do"), "do", tuple(CHOICES))
    place = (seat, spot, hand)
    if place not in draft.stakes:
        raise _no_such_bet(place)
    _require_choice(draft, place, do)
    if place in draft.choices:
        raise RuleViolation(
            "TYC-11",
            Text(
                "ya eligió; para cambiarlo anule ese registro",
                "the choice is made; to change it undo that entry",
            ),
            code="choice_made",
            field="seat",
        )
    draft.choices[place] = do
    chosen: dict[str, Any] = {"e": "choice", "seat": seat, "spot": spot, "do": do}
    return {**chosen, "hand": hand} if hand else chosen


def _require_choice(draft: Draft, place: Place, do: str) -> None:
    """TYC-11, TYC-12: the stake is one a refait catches, or one in prison that an equality keeps there."""
    negra, roja = draft.negra_points, draft.roja_points
    refait = negra == roja == STOP
    kept = negra == roja > STOP and place[2] > 0
    if not refait and not kept:
        raise _no_choice(_NO_REFAIT, "no_refait")
    if refait and draft.rules.refait_policy == HALF:
        raise _no_choice(_POLICY_DECIDES, "policy_decides")
    if place not in caught(draft.stakes):
        amount = money_words(draft.stakes[place], draft.terms.exponent)
        text = Text(
            f"la apuesta asegurada y su prima no eligen: {amount.es} quedan como dice el seguro",
            f"an insured bet and its premium choose nothing: {amount.en} goes as the insurance says",
        )
        raise RuleViolation("TYC-12", text, code="insured", field="spot")
    if do == PRISON and (kept or draft.rules.refait_policy == PRISON):
        raise _no_choice(_IN_PRISON_ANYWAY, "policy_decides")


_POLICY_DECIDES = Text(
    "en esta mesa no se elige: el refait devuelve la mitad a todos",
    "at this table nothing is chosen: a refait returns half to all",
)
_IN_PRISON_ANYWAY = Text(
    "queda en prisión sin anotarlo: sólo se anota el retiro de la mitad",
    "it stays in prison without being logged: only taking half back is",
)
_NO_REFAIT = Text(
    "sólo se elige con refait, es decir con ambas filas en 31, o tras un empate lo que ya está en prisión",
    "a choice is made on a refait, both rows on 31, or after a tie on what is in prison already",
)


def _no_choice(text: Text, code: str) -> RuleViolation:
    return RuleViolation("TYC-11", text, code=code)


def _no_such_bet(place: Place) -> RuleViolation:
    text = Text(
        f"el asiento {place[0]} no tiene esa apuesta a {SPOTS[place[1]].es}",
        f"seat {place[0]} has no such bet on {SPOTS[place[1]].en}",
    )
    return RuleViolation("TYC-11", text, code="no_such_bet", field="spot")


_RESULT_KEYS = frozenset({"e", "winner", "chance", "negra", "roja", "at", "by"})


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """An announced outcome (TYC-13): the winning row with colour or inverse, a tie or a refait."""
    require_announced(draft.detail, draft.result is not None, "TYC-13")
    reading.known_keys(event, _RESULT_KEYS)
    winner = reading.one_of(event.get("winner"), "winner", tuple(WINNERS))
    chance = _chance(event.get("chance"), winner)
    clean: dict[str, Any] = {"e": "result", "winner": winner}
    if chance:
        clean["chance"] = chance
    negra, roja = event.get("negra"), event.get("roja")
    if negra is not None or roja is not None:
        negra, roja = _total(negra, "negra"), _total(roja, "roja")
        if winner_of(negra, roja) != winner:
            raise RuleViolation(
                "TYC-08",
                Text(
                    f"con negra {negra} y roja {roja} no puede ser «{WINNERS[winner].es}»: gana la menor",
                    f"with black {negra} and red {roja} it cannot be “{WINNERS[winner].en}”: the lower wins",
                ),
                {"winner": winner, "negra": negra, "roja": roja},
                code="result_mismatch",
                field="winner",
            )
        clean |= {"negra": negra, "roja": roja}
    draft.result = Result(winner, chance, negra, roja)
    return clean


def _chance(value: object, winner: str) -> str:
    if winner in ("black", "red"):
        return reading.one_of(value, "chance", ("colour", "inverse"))
    if value is not None:
        raise RuleViolation(
            "TYC-10",
            Text(
                "con ambas filas iguales no gana color ni inverso",
                "with equal rows neither colour nor inverse wins",
            ),
            code="result_mismatch",
            field="chance",
        )
    return ""


def _total(value: object, field: str) -> int:
    """TYC-07: a finished row is worth 31 to 40."""
    total = reading.integer(value, field, 0)
    if not STOP <= total <= TOP:
        raise RuleViolation(
            "TYC-07",
            Text(
                f"una fila terminada vale de 31 a 40, no {total}: revise el reparto",
                f"a finished row is worth 31 to 40, not {total}: check the deal",
            ),
            code="row_out_of_range",
            field=field,
        )
    return total


def winner_of(negra: int, roja: int) -> str:
    """TYC-08 the lower row, TYC-10 equality, TYC-11 the refait."""
    if negra == roja:
        return "refait" if negra == STOP else "tie"
    return "black" if negra < roja else "red"


def chance_of(first: str, winner: str) -> str:
    """Colour when the very first card is of the winning row's colour, else inverse (TYC-09)."""
    if winner not in ("black", "red"):
        return ""
    return "colour" if cards.FRENCH52.suits[first[1]].red == (winner == "red") else "inverse"
