"""Before the first card: the ANTEs or equal bets, the seats in play, the close of betting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import MOST_ON_A_SPOT, Detail, Terms, refuse_detail
from tables.games.house_poker.kinds import SPOT_WORDS, Kind
from tables.games.house_poker.rules import GoRules, Rules, multiple, spots_of
from tables.games.house_poker.state import Draft, Place
from tables.games.staking import (
    require_chips,
    require_known_limits,
    require_limits,
    require_positions,
    seat_of,
)

Boxes = Mapping[str, tuple[int, int]]


def layout(rules: Rules, kind: Kind, terms: Terms) -> Boxes:
    """Least and most of each spot a seat bets on before the cards, in whole chips.

    Bets that follow from the first (BET, PLAY, the other equal bets) have no limits of their own unless
    the table gives them some; then the first keeps within what they allow. Raises `RuleViolation`: too
    many seats, limits of an unknown spot or that nothing meets (GEN-04).
    """
    require_positions(terms, rules.seats_max, kind.seats_rule)
    if terms.detail is not Detail.FULL:
        return {}
    spots = spots_of(rules, kind)
    require_known_limits(terms, {spot: SPOT_WORDS[spot] for spot in kind.spots})
    if kind.first not in terms.limits:
        raise _unplayable(kind)
    low, high = _range(terms, kind.first)
    high = min(high, MOST_ON_A_SPOT // max(multiple(rules), 1))
    for spot in spots:
        if spot in terms.limits and spot != kind.first and spot not in kind.sides:
            times = multiple(rules) if spot == kind.raising else 1
            least, most = _range(terms, spot)
            low, high = max(low, -(-least // times)), min(high, most // times)
    low, high = -(-low // terms.chip) * terms.chip, high // terms.chip * terms.chip
    if low > high:
        raise _unplayable(kind)
    boxes = {kind.first: (low, high)}
    if isinstance(rules, GoRules):
        boxes = dict.fromkeys(spots, (low, high))
    boxes.update({spot: _range(terms, spot) for spot in kind.sides if spot in terms.limits})
    return boxes


def _range(terms: Terms, spot: str) -> tuple[int, int]:
    low, high = terms.limits[spot]
    return -(-low // terms.chip) * terms.chip, min(high, MOST_ON_A_SPOT) // terms.chip * terms.chip


def _unplayable(kind: Kind) -> RuleViolation:
    first = SPOT_WORDS[kind.first]
    return RuleViolation(
        "GEN-04",
        Text(
            f"faltan límites de {first.es} que cumplan también las apuestas que le siguen",
            f"limits of {first.en} are missing that the bets following it meet too",
        ),
        code="unplayable_limits",
        field="limits",
    )


_BET_KEYS = frozenset({"e", "seat", "spot", "amount", "hand", "at", "by"})


def bet(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Chips on a marked space: ANTE (PH-02), one of the equal bets (PH-18), Pair Plus (PH-20)."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas", "bets"))
    reading.known_keys(event, _BET_KEYS)
    if draft.closed:
        raise RuleViolation(draft.kind.first_rule, _NO_MORE, code="bets_closed")
    seat = seat_of(event.get("seat"), draft.terms, draft.kind.seats_rule)
    only_hand(event, draft.kind)
    spot = _spot(draft, event.get("spot"))
    amount = reading.integer(event.get("amount"), "amount", 1)
    require_chips(amount, draft.terms)
    total = draft.stakes.get((seat, spot), 0) + amount
    if isinstance(draft.rules, GoRules):
        obstacle = _unequal(draft, seat, spot, total)
        if obstacle is not None:
            raise obstacle
    _within(draft, spot, total)
    draft.stakes[seat, spot] = total
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


_NO_MORE = Text(
    "no va más: las apuestas se ponen antes de repartir y ya están cerradas",
    "no more bets: they are placed before dealing and betting is closed",
)


def only_hand(event: Mapping[str, Any], kind: Kind) -> None:
    """A seat has one hand, number 0."""
    hand = event.get("hand", 0)
    if type(hand) is not int or hand != 0:
        raise RuleViolation(
            kind.deal_rule,
            Text("cada asiento juega una sola mano, la 0", "each seat plays a single hand, number 0"),
            code="one_hand",
            field="hand",
        )


def _spot(draft: Draft, value: object) -> str:
    """A spot bets are put on before the cards. GEN-07: what is on no marked space is no bet."""
    kind = draft.kind
    spots = spots_of(draft.rules, kind)
    if not isinstance(value, str) or value not in spots:
        known = ", ".join(spot for spot in spots if spot != kind.raising)
        raise RuleViolation(
            "GEN-07",
            Text(
                f"no hay espacio marcado «{reading.shown(value)}»; los hay de {known}",
                f"there is no marked space “{reading.shown(value)}”; there are {known}",
            ),
            code="unknown_spot",
            field="spot",
        )
    words = SPOT_WORDS[value]
    if value == kind.raising:
        raise RuleViolation(
            kind.decide_rule,
            Text(
                f"el {words.es} se pone al decidir, después de ver las cartas: use la decisión «{value}»",
                f"the {words.en} is placed on deciding, after seeing the cards: use the choice “{value}”",
            ),
            code="bet_by_choice",
            field="spot",
        )
    if value not in draft.boxes:
        raise RuleViolation(
            "GEN-04",
            Text(f"esta mesa no toma {words.es}", f"this table takes no {words.en}"),
            code="spot_not_offered",
            field="spot",
        )
    return str(value)


def _unequal(draft: Draft, seat: int, spot: str, total: int) -> RuleViolation | None:
    """PH-18: the bets of a seat are equal, so the first is settled before the others are placed."""
    spots = list(draft.boxes)
    place = spots.index(spot)
    first = draft.stakes.get((seat, spots[0]))
    later = any((seat, other) in draft.stakes for other in spots[1:])
    if (place == 0 and not later) or (place and total == first):
        return None
    if first is None:
        text = Text(
            f"ponga primero la {SPOT_WORDS[spots[0]].es} del asiento {seat}: todas son iguales a ella",
            f"place seat {seat}'s {SPOT_WORDS[spots[0]].en} first: all are equal to it",
        )
    else:
        said = money_words(first, draft.terms.exponent)
        text = Text(
            f"las apuestas del asiento {seat} deben ser iguales, de {said.es} cada una",
            f"seat {seat}'s bets must be equal, {said.en} each",
        )
    return RuleViolation("PH-18", text, {"seat": seat, "first": first}, code="bets_not_equal", field="amount")


def _within(draft: Draft, spot: str, total: int) -> None:
    """GEN-04, counting what follows from an ANTE: a BET the table could not take must not come up."""
    low, high = draft.boxes[spot]
    if low <= total <= high:
        return
    require_limits(total, draft.terms, spot, SPOT_WORDS[spot])
    say, least, most = (money_words(units, draft.terms.exponent) for units in (total, low, high))
    raise RuleViolation(
        "GEN-04",
        Text(
            f"{say.es} a {SPOT_WORDS[spot].es}: ponga de {least.es} a {most.es}, para que la apuesta que le"
            " sigue quede en sus límites",
            f"{say.en} on {SPOT_WORDS[spot].en}: place {least.en} to {most.en}, so that the bet that follows"
            " it is within its limits",
        ),
        {"spot": spot, "total": total, "min": low, "max": high},
        code="above_maximum" if total > high else "below_minimum",
        field="amount",
    )


_IN_KEYS = frozenset({"e", "seat", "hands", "at", "by"})


def sit(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A seat that plays, where no bets are logged."""
    if draft.detail is not Detail.CARDS:
        raise refuse_detail(draft.detail, Text("asientos sin apuesta", "seats without a bet"))
    reading.known_keys(event, _IN_KEYS)
    if any(place.cards for place in draft.places.values()):
        raise RuleViolation(draft.kind.first_rule, _NO_MORE, code="bets_closed")
    seat = seat_of(event.get("seat"), draft.terms, draft.kind.seats_rule)
    hands = event.get("hands", 1)
    only_hand({"hand": hands - 1 if type(hands) is int else hands}, draft.kind)
    if seat in draft.places:
        raise RuleViolation(
            draft.kind.seats_rule,
            Text(f"el asiento {seat} ya juega", f"seat {seat} plays already"),
            code="seat_in",
            field="seat",
        )
    draft.places[seat] = Place()
    draft.places = dict(sorted(draft.places.items()))
    return {"e": "in", "seat": seat}


_CLOSE_KEYS = frozenset({"e", "at", "by"})


def close(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("cierre de apuestas", "closing of bets"))
    reading.known_keys(event, _CLOSE_KEYS)
    if draft.closed:
        raise RuleViolation(
            draft.kind.first_rule,
            Text("las apuestas ya están cerradas", "betting is closed already"),
            code="bets_closed",
        )
    obstacle = cannot_close(draft.rules, draft.kind, draft.stakes)
    if obstacle is not None:
        raise obstacle
    draft.closed = True
    draft.places = {seat: Place() for seat in sorted({seat for seat, _ in draft.stakes})}
    return {"e": "close"}


def cannot_close(rules: Rules, kind: Kind, stakes: Mapping[tuple[int, str], int]) -> RuleViolation | None:
    """What the layout lacks before cards may be dealt: an ANTE (PH-02), equal bets (PH-18)."""
    first = SPOT_WORDS[kind.first]
    if not stakes:
        return RuleViolation(
            kind.first_rule,
            Text(
                f"nadie puso {first.es}: no hay a quién repartir",
                f"nobody placed {first.en}: none to deal to",
            ),
            code="no_bets",
        )
    needed = spots_of(rules, kind) if isinstance(rules, GoRules) else (kind.first,)
    for seat in sorted({seat for seat, _ in stakes}):
        for spot in needed:
            if (seat, spot) not in stakes:
                words = SPOT_WORDS[spot]
                return RuleViolation(
                    kind.first_rule,
                    Text(
                        f"al asiento {seat} le falta {words.es}: agréguela o anule las demás",
                        f"seat {seat} lacks {words.en}: add it or undo the others",
                    ),
                    {"seat": seat, "spot": spot},
                    code="bet_missing",
                    field="seat",
                )
    return None


def cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> RuleViolation | None:
    """Bets stand once a card was ever logged, a struck one included: whoever has seen a card would
    choose which bets stand. Closed betting opens again before that.
    """
    if entry["e"] == "close" or (entry["e"] == "bet" and draft.closed):
        if any(logged["e"] == "card" for logged in draft.log):
            return RuleViolation(draft.kind.first_rule, _BETS_STAND, code="undo_too_late", field="of")
        return (
            RuleViolation(draft.kind.first_rule, _REOPEN_FIRST, code="undo_too_late", field="of")
            if entry["e"] == "bet"
            else None
        )
    return None


_BETS_STAND = Text(
    "ya salieron cartas: las apuestas quedan como están; si el pase no vale, abandónelo con su motivo",
    "cards are out: the bets stand; if the round is not valid, abandon it with its reason",
)
_REOPEN_FIRST = Text(
    "las apuestas están cerradas: anule antes el cierre, que se puede mientras no haya salido ninguna carta",
    "betting is closed: undo the closing first, which can be done while no card is out",
)
