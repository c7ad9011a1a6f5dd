"""Bets, the close of betting, and who deals: everything before the first card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.baccarat.rules import SPOTS, Box, unknown_spot
from tables.games.baccarat.state import Draft
from tables.games.base import MOST_ON_A_SPOT, Detail, refuse_detail


def seat_of(draft: Draft, value: object) -> int:
    seats = draft.terms.seats
    if type(value) is not int:
        raise reading.bad_type("seat", Text("el número de un asiento", "a seat number"))
    if not 1 <= value <= seats:
        raise RuleViolation(
            draft.rules.modality.seats_rule,
            Text(
                f"no hay asiento {reading.shown(value)}: esta mesa tiene del 1 al {seats}",
                f"there is no seat {reading.shown(value)}: this table has 1 to {seats}",
            ),
            code="no_such_seat",
            field="seat",
        )
    return value


_BET_KEYS = frozenset({"e", "seat", "spot", "amount", "at", "by"})


def bet(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas", "bets"))
    if len(event) != 4:
        # Four keys of which all four below are there leave no room for an unknown one.
        reading.known_keys(event, _BET_KEYS)
    if draft.closed:
        raise RuleViolation(
            "BAC-11",
            Text("no va más: las apuestas están cerradas", "no more bets: betting is closed"),
            code="bets_closed",
        )
    seat = seat_of(draft, event.get("seat"))
    spot = event.get("spot")
    if not isinstance(spot, str) or spot not in SPOTS:
        raise unknown_spot(spot)
    box = draft.boxes.get(spot)
    if box is None:
        raise RuleViolation(
            "BAC-06",
            Text(
                f"esta mesa no toma apuestas a {SPOTS[spot].es}",
                f"this table takes no bets on {SPOTS[spot].en}",
            ),
            code="spot_not_offered",
            field="spot",
        )
    amount = reading.integer(event.get("amount"), "amount", 1)
    stakes, place = draft.stakes, (seat, spot)
    total = stakes.get(place, 0) + amount
    if amount % draft.terms.chip or total % box.step or not box.low <= total <= box.high:
        raise _bad_stake(draft, box, spot, amount, total)
    if draft.terms.differential is not None and spot != "tie":
        _check_differential(draft, spot, amount)
    stakes[place] = total
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def _bad_stake(draft: Draft, box: Box, spot: str, amount: int, total: int) -> RuleViolation:
    """GEN-07 the smallest chip, GEN-09 a policy of exact payouts, GEN-04 the limits."""
    terms = draft.terms
    low, high = terms.limits[spot]
    high = min(high, MOST_ON_A_SPOT)
    figures = {"spot": spot, "total": total, "min": low, "max": high, "chip": terms.chip}

    def say(units: int) -> Text:
        return money_words(units, terms.exponent)

    if amount % terms.chip:
        text = Text(
            "{amount} no se forma con fichas: la menor es de {chip}",
            "{amount} cannot be made of chips: the smallest is {chip}",
        ).fill(amount=say(amount), chip=say(terms.chip))
        return RuleViolation("GEN-07", text, figures, code="not_in_chips", field="amount")
    spot_name = SPOTS[spot]
    if total > high or (total > box.high and total % box.step == 0):
        text = Text(
            "{total} a {spot} supera el máximo de {high}", "{total} on {spot} is above the maximum of {high}"
        ).fill(total=say(total), spot=spot_name, high=say(high))
        return RuleViolation("GEN-04", text, figures, code="above_maximum", field="amount")
    if total < low:
        text = Text(
            "{total} a {spot} no llega al mínimo de {low}", "{total} on {spot} is below the minimum of {low}"
        ).fill(total=say(total), spot=spot_name, low=say(low))
        return RuleViolation("GEN-04", text, figures, code="below_minimum", field="amount")
    text = Text(
        "{total} a {spot} no se paga exacto con la ficha menor: apueste múltiplos de {step}",
        "{total} on {spot} cannot be paid exactly in the smallest chip: bet multiples of {step}",
    ).fill(total=say(total), spot=spot_name, step=say(box.step))
    return RuleViolation("GEN-09", text, figures, code="inexact_amount", field="amount")


def gap(stakes: Mapping[tuple[int, str], int]) -> int:
    """All on punto less all on banca."""
    total = 0
    for (_, spot), amount in stakes.items():
        if spot == "punto":
            total += amount
        elif spot == "banca":
            total -= amount
    return total


def _check_differential(draft: Draft, spot: str, amount: int) -> None:
    """The table's limit on the gap between both sides, part of the limits it displays (GEN-04)."""
    limit = draft.terms.differential
    if limit is None:
        return
    after = gap(draft.stakes) + (amount if spot == "punto" else -amount)
    if abs(after) > limit:
        text = Text(
            "la diferencia entre punto y banca sería {gap} y la mesa admite {limit}",
            "the gap between punto and banca would be {gap} and the table takes {limit}",
        ).fill(
            gap=money_words(abs(after), draft.terms.exponent), limit=money_words(limit, draft.terms.exponent)
        )
        raise RuleViolation(
            "GEN-04",
            text,
            {"difference_after": abs(after), "differential": limit},
            code="differential_exceeded",
            field="amount",
        )


_CLOSE_KEYS = frozenset({"e", "at", "by"})


def close(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("cierre de apuestas", "closing of bets"))
    reading.known_keys(event, _CLOSE_KEYS)
    if draft.closed:
        raise RuleViolation(
            "BAC-11",
            Text("las apuestas ya están cerradas", "betting is closed already"),
            code="bets_closed",
        )
    obstacle = cannot_close(draft.stakes, draft.dealing_seat)
    if obstacle is not None:
        raise obstacle
    draft.closed = True
    return {"e": "close"}


def cannot_close(stakes: Mapping[tuple[int, str], int], dealing_seat: int | None) -> RuleViolation | None:
    """What the layout lacks before betting may close: BAC-07 and BAC-09."""
    for seat, spot in stakes:
        if spot == "tie" and not _on_a_hand(stakes, seat):
            return RuleViolation(
                "BAC-07",
                Text(
                    f"el asiento {seat} apostó al Empate y no a Punto ni Banca: agregue una o anule"
                    " ese Empate",
                    f"seat {seat} bet on Tie with no bet on Punto or Banca: add one or undo the Tie",
                ),
                {"seat": seat},
                code="lone_tie_bet",
                field="seat",
            )
    if dealing_seat is not None and not _on_a_hand(stakes, dealing_seat):
        return RuleViolation(
            "BAC-09",
            Text(
                f"el asiento {dealing_seat} reparte y no apostó a Punto ni a Banca: debe apostar",
                f"seat {dealing_seat} deals and has no bet on Punto or Banca: it must bet",
            ),
            {"seat": dealing_seat},
            code="dealer_must_bet",
            field="seat",
        )
    return None


def _on_a_hand(stakes: Mapping[tuple[int, str], int], seat: int) -> bool:
    return (seat, "punto") in stakes or (seat, "banca") in stakes


def cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> RuleViolation | None:
    """What keeps an entry made before the cards from being struck out: nothing but open betting.

    A bet stands once betting is closed, and betting opens again only while no card was ever logged, a
    struck one included: whoever has seen a card would choose which bets stand. BAC-20: after the
    announcement the losing bets are taken and the winning ones paid, every one of them.
    """
    kind = entry["e"]
    if kind == "owed":
        return RuleViolation("BAC-22", _CARRIED, code="undo_carried", field="of")
    if kind == "close" or (kind == "bet" and draft.closed):
        if any(logged["e"] == "card" for logged in draft.log):
            return RuleViolation("BAC-20", _BETS_STAND, code="undo_too_late", field="of")
        return (
            RuleViolation("BAC-11", _REOPEN_FIRST, code="undo_too_late", field="of")
            if kind == "bet"
            else None
        )
    if kind == "deal" and draft.started:
        return RuleViolation("BAC-09", _DEALER_STANDS, code="undo_too_late", field="of")
    if kind == "deal" and draft.closed:
        return RuleViolation("BAC-11", _REOPEN_FIRST, code="undo_too_late", field="of")
    return None


_CARRIED = Text(
    "lo adeudado viene del pase anterior: anule aquel pase",
    "what is owed comes from the round before: void that one",
)
_BETS_STAND = Text(
    "ya salieron cartas: las apuestas quedan como están y se cobran o se pagan tras el anuncio; si el pase"
    " no vale, abandónelo con su motivo",
    "cards are out: the bets stand and are taken or paid after the announcement; if the round is not valid,"
    " abandon it with its reason",
)
_REOPEN_FIRST = Text(
    "las apuestas están cerradas: anule antes el cierre, que se puede mientras no haya salido ninguna carta",
    "betting is closed: undo the closing first, which can be done while no card is out",
)
_DEALER_STANDS = Text(
    "ya hay cartas o resultado: quién reparte queda como está; anule antes lo posterior o abandone el pase",
    "cards or the result are in: who deals stands; undo the later entries first or abandon the round",
)

_DEAL_KEYS = frozenset({"e", "seat", "at", "by"})


def deal(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    reading.known_keys(event, _DEAL_KEYS)
    kind = draft.rules.modality
    if kind.dealer != "player":
        raise RuleViolation(
            kind.dealer_rule,
            Text(
                f"en {kind.name.es} reparte el croupier de la casa, no un jugador",
                f"in {kind.name.en} the house dealer deals, not a player",
            ),
            code="house_deals",
        )
    if draft.closed or draft.started:
        raise RuleViolation(
            "BAC-09",
            Text(
                "quién reparte se anota antes de cerrar las apuestas y de la primera carta",
                "who deals is noted before betting closes and before the first card",
            ),
            code="deal_too_late",
        )
    if draft.dealing_seat is not None:
        raise RuleViolation(
            "BAC-09",
            Text(
                f"ya reparte el asiento {draft.dealing_seat}; para cambiarlo anule ese registro",
                f"seat {draft.dealing_seat} deals already; to change it undo that entry",
            ),
            code="deal_given",
            field="seat",
        )
    draft.dealing_seat = seat_of(draft, event.get("seat"))
    return {"e": "deal", "seat": draft.dealing_seat}
