"""Before the first card: bets, the seats in play, the close of betting, and what stands from then on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation, SabotError
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import Detail, Terms, refuse_detail
from tables.games.blackjack import struck, turns
from tables.games.blackjack.state import BETS, Draft, PlayerHand
from tables.games.blackjack.struck import MONEY_RULES
from tables.games.blackjack.variants import SPOTS, spots_of
from tables.games.staking import require_chips, seat_of

_BET_KEYS = frozenset({"e", "seat", "spot", "amount", "hand", "at", "by"})


def bet(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Chips on a spot of a hand (BJ-07). Perfect Pairs may come first: its main bet is asked at the close."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas", "bets"))
    reading.known_keys(event, _BET_KEYS)
    if draft.closed:
        raise RuleViolation("BJ-07", NO_MORE, code="bets_closed")
    seat = seat_of(event.get("seat"), draft.terms, "BJ-04")
    spot = _spot(draft, event.get("spot"))
    hand = hand_number(draft, event.get("hand", 0))
    if spot == "main" and hand and (seat, "main", hand - 1) not in draft.stakes:
        raise RuleViolation(
            "BJ-03",
            Text(
                f"el asiento {seat} apuesta primero a su mano {hand - 1}: las manos van en orden",
                f"seat {seat} bets on its hand {hand - 1} first: hands go in order",
            ),
            {"seat": seat, "hand": hand},
            code="hand_skipped",
            field="hand",
        )
    amount = reading.integer(event.get("amount"), "amount", 1)
    require_chips(amount, draft.terms)
    place = (seat, spot, hand)
    total = draft.stakes.get(place, 0) + amount
    low, high = draft.boxes[spot]
    if not low <= total <= high:
        raise outside(draft, spot, total)
    draft.stakes[place] = total
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount, "hand": hand}


NO_MORE = Text(
    "no va más: después de la primera carta no se acepta apuesta inicial",
    "no more bets: after the first card no initial bet is accepted",
)


def outside(draft: Draft, spot: str, total: int) -> RuleViolation:
    """A total outside the limits in force: the table's (GEN-04), or the preset's narrower ones (BJ-45)."""
    low, high = draft.boxes[spot]
    say, least, most = (money_words(units, draft.terms.exponent) for units in (total, low, high))
    rule = "GEN-04"
    if draft.rules.preset and spot == "main":
        table = draft.terms.limits["main"]
        if table[0] <= total <= table[1]:
            rule = "BJ-45"
    above = total > high
    bound = Text(f"el máximo es {most.es}", f"the maximum is {most.en}")
    if not above:
        bound = Text(f"el mínimo es {least.es}", f"the minimum is {least.en}")
    return RuleViolation(
        rule,
        Text("{total} a {spot}: {bound}", "{total} on {spot}: {bound}").fill(
            total=say, spot=SPOTS[spot], bound=bound
        ),
        {"spot": spot, "total": total, "min": low, "max": high},
        code="above_maximum" if above else "below_minimum",
        field="amount",
    )


def _spot(draft: Draft, value: object) -> str:
    """A spot bets are put on. BJ-44: no other side bet exists; insurance is taken by a choice (BJ-20)."""
    spots = spots_of(draft.rules.game)
    if not isinstance(value, str) or value not in spots:
        known = ", ".join(spot for spot in spots if spot != "insurance")
        raise RuleViolation(
            "BJ-44",
            Text(
                f"la apuesta «{reading.shown(value)}» no existe en este juego; las hay: {known}",
                f"the bet “{reading.shown(value)}” does not exist in this game; there are: {known}",
            ),
            code="unknown_spot",
            field="spot",
        )
    if value == "insurance":
        raise RuleViolation("BJ-20", _BY_CHOICE, code="insurance_by_choice", field="spot")
    if value not in draft.boxes:
        raise RuleViolation(
            "GEN-04",
            Text(f"esta mesa no toma {SPOTS[value].es}", f"this table takes no {SPOTS[value].en}"),
            code="spot_not_offered",
            field="spot",
        )
    return str(value)


_BY_CHOICE = Text(
    "el seguro no se apuesta antes: se toma con una decisión cuando el croupier muestra un as",
    "insurance is not bet beforehand: it is taken by a choice when the dealer shows an ace",
)


def hand_number(draft: Draft, value: object) -> int:
    """The number of an initial hand, from 0 (BJ-03; online the preset's hands, BJ-45)."""
    if type(value) is not int:
        raise reading.bad_type("hand", Text("el número de una mano", "a hand number"))
    most = draft.rules.hands_per_player
    if not 0 <= value < most:
        raise RuleViolation(
            draft.rules.variant.hands_rule,
            Text(
                f"cada jugador juega como mucho {most} manos, numeradas desde 0",
                f"each player plays at most {most} hands, numbered from 0",
            ),
            code="too_many_hands",
            field="hand",
        )
    return value


_IN_KEYS = frozenset({"e", "seat", "hands", "at", "by"})


def free_seat(event: Mapping[str, Any], terms: Terms, seated: Mapping[int, int], begun: bool) -> int:
    """The seat an `in` event names, where no bets are logged and no card is out (BJ-04, BJ-07)."""
    if terms.detail is not Detail.CARDS:
        raise refuse_detail(terms.detail, Text("asientos sin apuesta", "seats without a bet"))
    reading.known_keys(event, _IN_KEYS)
    if begun:
        raise RuleViolation("BJ-07", _TOO_LATE, code="bets_closed")
    seat = seat_of(event.get("seat"), terms, "BJ-04")
    if seat in seated:
        raise RuleViolation(
            "BJ-04",
            Text(f"el asiento {seat} ya juega", f"seat {seat} plays already"),
            code="seat_in",
            field="seat",
        )
    return seat


def sit(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A seat that plays, where no bets are logged, with one hand or more (BJ-03; online BJ-45)."""
    seat = free_seat(event, draft.terms, draft.seated, draft.stage != BETS)
    hands, most = event.get("hands", 1), draft.rules.hands_per_player
    if type(hands) is not int:
        raise reading.bad_type("hands", Text("un número de manos", "a number of hands"))
    if not 1 <= hands <= most:
        raise RuleViolation(
            draft.rules.variant.hands_rule,
            Text(
                f"cada jugador juega de 1 a {most} manos; se recibió {reading.shown(hands)}",
                f"each player plays 1 to {most} hands; got {reading.shown(hands)}",
            )
            if most > 1
            else Text("aquí cada jugador juega una sola mano", "here each player plays one hand only"),
            code="too_many_hands",
            field="hands",
        )
    draft.seated[seat] = hands
    return {"e": "in", "seat": seat, "hands": hands}


_TOO_LATE = Text(
    "ya salió la primera carta: los asientos se anotan antes",
    "the first card is out: seats are noted before it",
)

_CLOSE_KEYS = frozenset({"e", "at", "by"})


def close(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("cierre de apuestas", "closing of bets"))
    reading.known_keys(event, _CLOSE_KEYS)
    if draft.closed:
        raise RuleViolation(
            "BJ-07", Text("las apuestas ya están cerradas", "betting is closed already"), code="bets_closed"
        )
    obstacle = cannot_close(draft.stakes)
    if obstacle is not None:
        raise obstacle
    draft.closed = True
    mains = sorted((seat, hand) for seat, spot, hand in draft.stakes if spot == "main")
    turns.begin(
        draft, [PlayerHand(seat, hand, hand, draft.stakes[seat, "main", hand]) for seat, hand in mains]
    )
    return {"e": "close"}


def cannot_close(stakes: Mapping[tuple[int, str, int], int]) -> RuleViolation | None:
    """What the layout lacks before betting may close: a bet at all (BJ-07), the main bet of a Perfect
    Pairs (BJ-08)."""
    if not stakes:
        return RuleViolation(
            "BJ-07",
            Text(
                "nadie apostó: sin apuestas no se reparte",
                "nobody has bet: without bets no cards are dealt",
            ),
            code="no_bets",
        )
    for seat, spot, hand in stakes:
        if spot == "perfect_pairs" and (seat, "main", hand) not in stakes:
            return RuleViolation(
                "BJ-08",
                Text(
                    f"el asiento {seat} tiene Perfect Pairs sin apuesta inicial en la mano {hand}:"
                    " agréguela o anule esa Perfect Pairs",
                    f"seat {seat} has Perfect Pairs without a main bet on hand {hand}:"
                    " add it or undo that Perfect Pairs",
                ),
                {"seat": seat, "hand": hand},
                code="lone_perfect_pairs",
                field="seat",
            )
    return None


def cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> SabotError | None:
    """What keeps an entry from being struck out.

    Bets and their close stand from the first card on, struck ones included: whoever has seen a card would
    choose which bets stand (BJ-07). So do decisions about money once a later card is out.
    """
    kind = entry["e"]
    if kind in ("bet", "close", "in"):
        if any(logged["e"] == "card" for logged in draft.log):
            return RuleViolation("BJ-07", BETS_STAND, code="undo_too_late", field="of")
        if kind == "bet" and draft.closed:
            return RuleViolation("BJ-07", REOPEN_FIRST, code="undo_too_late", field="of")
        return None
    if kind == "choice" and draft.detail is Detail.FULL and entry["do"] in MONEY_RULES:
        place = next(place for place, logged in enumerate(draft.log) if logged is entry)
        if any(logged["e"] in ("card", "show") for logged in draft.log[place + 1 :]):
            return RuleViolation(MONEY_RULES[entry["do"]], CHOICE_STANDS, code="undo_too_late", field="of")
    if draft.dealer and len(draft.dealer) > 1 and struck.reopens_the_offer(draft, entry):
        return RuleViolation("BJ-20", OFFER_STANDS, code="undo_too_late", field="of")
    return None


BETS_STAND = Text(
    "ya salieron cartas: las apuestas quedan como están; si el pase no vale, abandónelo con su motivo",
    "cards are out: the bets stand; if the round is not valid, abandon it with its reason",
)
REOPEN_FIRST = Text(
    "las apuestas están cerradas: anule antes el cierre, que se puede mientras no haya salido ninguna carta",
    "betting is closed: undo the closing first, which can be done while no card is out",
)
OFFER_STANDS = Text(
    "sin esa carta el seguro y el pago a la par volverían a ofrecerse con la carta ya vista: queda como está;"
    " si se leyó mal, abandone el pase con su motivo",
    "without that card insurance and even money would be offered again with the card seen: it stands; if it"
    " was misread, abandon the round with its reason",
)
CHOICE_STANDS = Text(
    "después de esa decisión salió otra carta: la decisión y su dinero quedan como están",
    "another card came out after that decision: the decision and its money stand",
)
