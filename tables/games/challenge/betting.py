"""Before the first card: bets, the seats in play, the close of betting, and what stands from then on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation, SabotError
from casino.kernel.words import Text
from tables.games import reading, staking
from tables.games.base import Detail, refuse_detail
from tables.games.blackjack.betting import (
    BETS_STAND,
    CHOICE_STANDS,
    NO_MORE,
    OFFER_STANDS,
    REOPEN_FIRST,
    free_seat,
)
from tables.games.blackjack.struck import MONEY_RULES
from tables.games.challenge import turns
from tables.games.challenge.rules import BET_SPOTS, BETS, INSURANCE
from tables.games.challenge.state import BETS as BETTING
from tables.games.challenge.state import BLACKJACK, Draft, PlayerHand

_BET_KEYS = frozenset({"e", "seat", "spot", "amount", "at", "by"})


def bet(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Chips on one of a player's three spots (BJ-07, BJ-09)."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas", "bets"))
    reading.known_keys(event, _BET_KEYS)
    if draft.closed:
        raise RuleViolation("BJ-07", NO_MORE, code="bets_closed")
    seat = staking.seat_of(event.get("seat"), draft.terms, "BJ-04")
    spot = _spot(draft, event.get("spot"))
    amount = reading.integer(event.get("amount"), "amount", 1)
    staking.require_chips(amount, draft.terms)
    place = (seat, spot, 0)
    total = draft.stakes.get(place, 0) + amount
    staking.require_limits(total, draft.terms, spot, BETS[spot])
    draft.stakes[place] = total
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}


def _spot(draft: Draft, value: object) -> str:
    """BJ-44: no other bet exists; insurance is taken by a choice (BJ-20)."""
    if isinstance(value, str) and value in INSURANCE:
        raise RuleViolation(
            "BJ-20",
            Text(
                "el seguro no se apuesta antes: se toma con una decisión si el croupier muestra un as",
                "insurance is not bet beforehand: it is taken by a choice when the dealer shows an ace",
            ),
            code="insurance_by_choice",
            field="spot",
        )
    if not isinstance(value, str) or value not in BETS:
        known = ", ".join(BETS)
        raise RuleViolation(
            "BJ-44",
            Text(
                f"la apuesta «{reading.shown(value)}» no existe en este juego; las hay: {known}",
                f"the bet “{reading.shown(value)}” does not exist in this game; there are: {known}",
            ),
            code="unknown_spot",
            field="spot",
        )
    if value not in draft.terms.limits:
        raise RuleViolation(
            "GEN-04",
            Text(f"esta mesa no toma {BETS[value].es}", f"this table takes no {BETS[value].en}"),
            code="spot_not_offered",
            field="spot",
        )
    return value


def sit(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A seat that plays, where no bets are logged; `hands`: against how many dealer hands (BJ-09)."""
    seat = free_seat(event, draft.terms, draft.seated, draft.stage != BETTING)
    count = reading.integer(event.get("hands", 3), "hands", 0)
    if count not in (2, 3):
        raise RuleViolation("BJ-09", _TWO_OR_THREE, code="wrong_number_of_bets", field="hands")
    draft.seated[seat] = count
    return {"e": "in", "seat": seat, "hands": count}


_TWO_OR_THREE = Text("cada jugador hace 2 apuestas o 3", "each player makes 2 bets or 3")
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
    players = []
    for seat in sorted({seat for seat, _, _ in draft.stakes}):
        bets = tuple(draft.stakes.get((seat, spot, 0), 0) for spot in BET_SPOTS)
        players.append(PlayerHand(seat, 0, 3 if bets[2] else 2, bets))
    turns.begin(draft, players)
    return {"e": "close"}


def cannot_close(stakes: Mapping[tuple[int, str, int], int]) -> RuleViolation | None:
    """What the layout lacks before betting may close: a bet at all (BJ-07), two of each player (BJ-09)."""
    if not stakes:
        return RuleViolation(
            "BJ-07",
            Text(
                "nadie apostó: sin apuestas no se reparte", "nobody has bet: without bets no cards are dealt"
            ),
            code="no_bets",
        )
    for seat in {seat for seat, _, _ in stakes}:
        for spot in ("first", "second"):
            if (seat, spot, 0) not in stakes:
                return RuleViolation(
                    "BJ-09",
                    Text(
                        f"al asiento {seat} le falta la {BETS[spot].es}: son 2 como mínimo",
                        f"seat {seat} lacks the {BETS[spot].en}: 2 are the least",
                    ),
                    {"seat": seat, "spot": spot},
                    code="bet_missing",
                    field="seat",
                )
    return None


def cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> SabotError | None:
    """What keeps an entry from being struck out.

    Bets stand from the first card on, struck ones included: whoever has seen a card would choose which
    bets stand (BJ-07). So do decisions about money once a later card is out.
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
        if any(logged["e"] == "card" for logged in draft.log[place + 1 :]):
            return RuleViolation(MONEY_RULES[entry["do"]], CHOICE_STANDS, code="undo_too_late", field="of")
    if kind == "card" and entry["to"] != "seat" and _reopens_the_offer(draft):
        return RuleViolation("BJ-20", OFFER_STANDS, code="undo_too_late", field="of")
    return None


def _reopens_the_offer(draft: Draft) -> bool:
    """Whether without the one card a dealer hand has taken insurance or even money would be open again: all
    players have black jack, and somebody has not answered (BJ-19, BJ-20)."""
    taken = sum(max(len(cards) - 1, 0) for cards in draft.dealer)
    return (
        taken == 1
        and all(hand.status == BLACKJACK for hand in draft.hands)
        and any(turns.may_answer(draft, hand) for hand in draft.hands)
    )
