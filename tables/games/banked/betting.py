"""The bank, the bets against it, and the close: everything before the first card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.banked.rules import SPOTS, least_bank, most_bank
from tables.games.banked.state import Draft
from tables.games.base import Detail, refuse_detail
from tables.games.staking import require_chips, require_limits, seat_of

_BANK_KEYS = frozenset({"e", "seat", "amount", "won", "at", "by"})


def bank(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Who holds the bank and what is in it; said again with more, it grows (BANK-14).

    `won`: how much of it earlier rounds won, where that is known. The table's maximum binds what is put in.
    """
    if draft.detail is not Detail.FULL:
        what = Text("importes del banco (anote quién reparte)", "amounts of the bank (log who deals)")
        raise refuse_detail(draft.detail, what)
    reading.known_keys(event, _BANK_KEYS)
    seat = _holder(draft, event)
    amount = reading.integer(event.get("amount"), "amount", 1)
    won = reading.integer(event.get("won", 0), "won", 0, amount)
    _require_bank(draft, amount, won)
    draft.banker, draft.bank = seat, amount
    return {"e": "bank", "seat": seat, "amount": amount, **({"won": won} if won else {})}


def _holder(draft: Draft, event: Mapping[str, Any]) -> int:
    """The seat that holds the bank, checked: before the close, one only, not one that plays on punto."""
    if draft.closed or draft.punto or draft.result is not None:
        raise RuleViolation(
            "BANK-01",
            Text(
                "el banco se anota antes de cerrar las apuestas y de la primera carta",
                "the bank is noted before betting closes and before the first card",
            ),
            code="bank_too_late",
        )
    seat = seat_of(event.get("seat"), draft.terms, "BAC-05")
    if draft.banker and (seat != draft.banker or draft.detail is not Detail.FULL):
        raise RuleViolation(
            "BANK-01",
            Text(
                f"el banco ya es del asiento {draft.banker}; para cambiarlo anule ese registro",
                f"seat {draft.banker} holds the bank already; to change it undo that entry",
            ),
            code="bank_given",
            field="seat",
        )
    if seat in draft.stakes or seat in draft.seated:
        raise _banker_on_punto(seat)
    return seat


_DEAL_KEYS = frozenset({"e", "seat", "at", "by"})


def deal(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Who deals, and so holds the bank (BAC-09), where no amounts are logged."""
    if draft.detail is Detail.FULL:
        what = Text(
            "repartos sueltos (anote el banco y su importe)", "deal alone (log the bank and its amount)"
        )
        raise refuse_detail(draft.detail, what)
    reading.known_keys(event, _DEAL_KEYS)
    draft.banker = _holder(draft, event)
    return {"e": "deal", "seat": draft.banker}


def _require_bank(draft: Draft, amount: int, won: int) -> None:
    terms = draft.terms
    require_chips(amount, terms)
    low, high = least_bank(terms), most_bank(terms)
    say = money_words(amount, terms.exponent)
    if amount < low:
        fewest = money_words(low, terms.exponent)
        raise RuleViolation(
            "BANK-02",
            Text(
                f"un banco de {say.es} no llega al mínimo de {fewest.es}",
                f"a bank of {say.en} is below the minimum of {fewest.en}",
            ),
            {"amount": amount, "min": low},
            code="bank_below_minimum",
            field="amount",
        )
    if amount - won > high:
        raise above_most(amount, high, terms.exponent)
    if draft.bank and amount <= draft.bank:
        raise _not_raised(draft, amount)


def above_most(amount: int, most: int, exponent: int) -> RuleViolation:
    """A bank above the table's maximum (GEN-04)."""
    say, high = money_words(amount, exponent), money_words(most, exponent)
    return RuleViolation(
        "GEN-04",
        Text(
            f"un banco de {say.es} supera el máximo de {high.es}",
            f"a bank of {say.en} is above the maximum of {high.en}",
        ),
        {"amount": amount, "max": most},
        code="above_maximum",
        field="amount",
    )


def _not_raised(draft: Draft, amount: int) -> RuleViolation:
    there = money_words(draft.bank, draft.terms.exponent)
    return RuleViolation(
        "BANK-14",
        Text(
            f"el banco tiene {there.es}: se puede ampliar, no bajar; si se anotó mal, anule el registro",
            f"the bank holds {there.en}: it may be raised, not lowered; if logged wrong, undo the entry",
        ),
        {"amount": amount, "bank": draft.bank},
        code="bank_lowered",
        field="amount",
    )


def _banker_on_punto(seat: int) -> RuleViolation:
    return RuleViolation(
        "BAC-09",
        Text(
            f"el asiento {seat} tiene el banco: siempre apuesta a Banca, no al Punto",
            f"seat {seat} holds the bank: it always bets on Banca, not on Punto",
        ),
        {"seat": seat},
        code="banker_on_punto",
        field="seat",
    )


_BET_KEYS = frozenset({"e", "seat", "spot", "amount", "at", "by"})


def bet(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A bet on punto: at most what the bank holds (BANK-16); reaching it is «hacer banco»."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas", "bets"))
    reading.known_keys(event, _BET_KEYS)
    if draft.closed:
        raise RuleViolation(
            "BAC-11",
            Text("no va más: las apuestas están cerradas", "no more bets: betting is closed"),
            code="bets_closed",
        )
    spot = event.get("spot")
    if spot != "punto" or type(spot) is not str:
        raise _not_a_bet(spot)
    if not draft.banker:
        raise _no_bank()
    seat = seat_of(event.get("seat"), draft.terms, "BAC-05")
    if seat == draft.banker:
        raise _banker_on_punto(seat)
    amount = reading.integer(event.get("amount"), "amount", 1)
    require_chips(amount, draft.terms)
    total = draft.stakes.get(seat, 0) + amount
    if total > draft.bank:
        raise _above_bank(draft, total)
    require_limits(total, draft.terms, "punto", SPOTS["punto"])
    draft.stakes[seat] = total
    return {"e": "bet", "seat": seat, "spot": "punto", "amount": amount}


def _not_a_bet(spot: object) -> RuleViolation:
    if spot == "tie":
        text = Text("en Baccarat no hay apuesta al Empate", "in Baccarat there is no bet on Tie")
        return RuleViolation("BAC-08", text, code="no_tie_bet", field="spot")
    if spot == "bank":
        text = Text(
            "lo del banquero es el banco: se anota con el suceso «bank»",
            "the banker's stake is the bank: log it with the event “bank”",
        )
        return RuleViolation("BANK-01", text, code="bank_is_not_a_bet", field="spot")
    text = Text(
        f"no hay casillero «{reading.shown(spot)}»: contra el banco se apuesta al «punto»",
        f"there is no box “{reading.shown(spot)}”: against the bank one bets on “punto”",
    )
    return RuleViolation("BAC-06", text, code="unknown_spot", field="spot")


def _no_bank() -> RuleViolation:
    return RuleViolation(
        "BANK-01",
        Text(
            "nadie tiene el banco: anote primero quién lo toma y con cuánto",
            "nobody holds the bank: log first who takes it and with how much",
        ),
        code="no_bank",
    )


def _above_bank(draft: Draft, total: int) -> RuleViolation:
    say, there = money_words(total, draft.terms.exponent), money_words(draft.bank, draft.terms.exponent)
    return RuleViolation(
        "BANK-16",
        Text(
            f"{say.es} al Punto supera lo que hay en el banco: con {there.es} se hace banco",
            f"{say.en} on Punto is above what the bank holds, {there.en}: with that much one goes banco",
        ),
        {"total": total, "bank": draft.bank},
        code="above_bank",
        field="amount",
    )


_CLOSE_KEYS = frozenset({"e", "at", "by"})


def close(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("cierre de apuestas", "closing of bets"))
    reading.known_keys(event, _CLOSE_KEYS)
    if draft.closed:
        raise RuleViolation(
            "BAC-11", Text("las apuestas ya están cerradas", "betting is closed already"), code="bets_closed"
        )
    if not draft.banker:
        raise _no_bank()
    if not draft.stakes:
        raise nobody_on_punto()
    _cover(draft)
    draft.closed = True
    return {"e": "close"}


def nobody_on_punto() -> RuleViolation:
    return RuleViolation(
        "BAC-16",
        Text(
            "nadie juega al Punto: sin apuesta contra el banco no hay pase",
            "nobody plays on Punto: without a bet against the bank there is no round",
        ),
        code="nobody_on_punto",
    )


def from_the_right(banker: int, seats: int) -> list[int]:
    """The seats from the banker's right on, the banker left out.

    Seat 1 is first on the dealer's left and the numbers go clockwise, so the right hand of a player is
    the next lower number (BANK-24: to the right, counter-clockwise).
    """
    return [(banker - 1 - step) % seats + 1 for step in range(1, seats)]


def _cover(draft: Draft) -> None:
    """BANK-27: the bank covers bets in order from the banker's right; the rest goes back at once."""
    left, covered, back = draft.bank, {}, []
    for seat in from_the_right(draft.banker, draft.terms.seats):
        staked = draft.stakes.get(seat, 0)
        taken = min(staked, left)
        left -= taken
        if taken:
            covered[seat] = taken
        if staked > taken:
            back.append((seat, staked - taken))
    draft.stakes, draft.uncovered = covered, tuple(back)


_IN_KEYS = frozenset({"e", "seat", "at", "by"})


def join(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A seat plays on punto, where no bets are logged."""
    if draft.detail is not Detail.CARDS:
        raise refuse_detail(draft.detail, Text("asientos sin apuesta", "seats without a bet"))
    reading.known_keys(event, _IN_KEYS)
    if draft.punto:
        raise RuleViolation(
            "BAC-11",
            Text("ya salieron cartas: quién juega queda como está", "cards are out: who plays stands"),
            code="in_too_late",
        )
    if not draft.banker:
        raise _no_bank()
    seat = seat_of(event.get("seat"), draft.terms, "BAC-05")
    if seat == draft.banker:
        raise _banker_on_punto(seat)
    if seat in draft.seated:
        raise RuleViolation(
            "BAC-05",
            Text(f"el asiento {seat} ya juega", f"seat {seat} plays already"),
            code="already_in",
            field="seat",
        )
    draft.seated.append(seat)
    return {"e": "in", "seat": seat}


def cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> RuleViolation | None:
    """Bank and bets stand once betting is closed, and betting opens again only while no card was ever
    logged (BAC-20): whoever has seen a card would choose which bets stand.
    """
    kind = entry["e"]
    if kind in ("close", "bet", "bank", "deal", "in") and any(logged["e"] == "card" for logged in draft.log):
        return RuleViolation("BAC-20", _BETS_STAND, code="undo_too_late", field="of")
    if kind in ("bet", "bank") and draft.closed:
        return RuleViolation("BAC-11", _REOPEN_FIRST, code="undo_too_late", field="of")
    return None


_BETS_STAND = Text(
    "ya salieron cartas: banco y apuestas quedan como están; si el pase no vale, abandónelo con su motivo",
    "cards are out: bank and bets stand; if the round is not valid, abandon it with its reason",
)
_REOPEN_FIRST = Text(
    "las apuestas están cerradas: anule antes el cierre, que se puede mientras no haya salido ninguna carta",
    "betting is closed: undo the closing first, which can be done while no card is out",
)
