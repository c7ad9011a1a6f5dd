"""Who has the bank, who plays with how much, each one's bet in turn, and offers to buy the bank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import Detail, refuse_detail
from tables.games.siete.rules import SPOTS
from tables.games.siete.state import Draft, Offer
from tables.games.siete.turns import due
from tables.games.staking import least, require_chips, require_limits, seat_of

_DEAL_KEYS = frozenset({"e", "seat", "at", "by"})


def deal(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Who has the bank and deals: by lot the first time, then as the last hand left it (SYM-02)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("quién tiene la banca", "who has the bank"))
    reading.known_keys(event, _DEAL_KEYS)
    seat = seat_of(event.get("seat"), draft.terms, "SYM-03")
    if draft.banker:
        raise RuleViolation(
            "SYM-02",
            Text(
                f"la banca ya es del asiento {draft.banker}; para cambiarla anule ese registro",
                f"seat {draft.banker} has the bank already; to change it undo that entry",
            ),
            code="bank_given",
            field="seat",
        )
    draft.banker = seat
    return {"e": "deal", "seat": seat}


def _joining(draft: Draft, event: Mapping[str, Any]) -> int:
    """The seat that sits down to this hand; the same checks with chips and without."""
    seat = seat_of(event.get("seat"), draft.terms, "SYM-03")
    if not draft.banker:
        raise RuleViolation(
            "SYM-02",
            Text("anote primero quién tiene la banca", "note first who has the bank"),
            code="no_bank",
        )
    if draft.hands:
        raise RuleViolation(
            "SYM-04",
            Text("ya salieron cartas: quién juega queda como está", "cards are out: who plays stands"),
            code="in_too_late",
        )
    if seat in draft.chips or seat in draft.seated:
        raise RuleViolation(
            "SYM-03",
            Text(f"el asiento {seat} ya juega", f"seat {seat} plays already"),
            code="already_in",
            field="seat",
        )
    return seat


_CHIPS_KEYS = frozenset({"e", "seat", "amount", "at", "by"})


def chips(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """What a seat has before the hand, and that it plays; the banker's seat too."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("puntos de los jugadores", "players' points"))
    reading.known_keys(event, _CHIPS_KEYS)
    seat = _joining(draft, event)
    amount = reading.integer(event.get("amount"), "amount", 1)
    require_chips(amount, draft.terms)
    low = least(draft.terms, "main")
    if seat != draft.banker and amount < low:
        has, needs = money_words(amount, draft.terms.exponent), money_words(low, draft.terms.exponent)
        raise RuleViolation(
            "GEN-04",
            Text(
                f"con {has.es} el asiento {seat} no llega a la apuesta mínima, {needs.es}",
                f"with {has.en} seat {seat} cannot make the least bet, {needs.en}",
            ),
            code="below_minimum",
            field="amount",
        )
    draft.chips[seat] = amount
    return {"e": "chips", "seat": seat, "amount": amount}


_IN_KEYS = frozenset({"e", "seat", "at", "by"})


def join(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A seat plays, where no bets are logged."""
    if draft.detail is not Detail.CARDS:
        raise refuse_detail(draft.detail, Text("asientos sin puntos", "seats without points"))
    reading.known_keys(event, _IN_KEYS)
    seat = _joining(draft, event)
    if seat == draft.banker:
        raise RuleViolation(
            "SYM-05",
            Text(
                f"el asiento {seat} tiene la banca: juega al final y sin apostar",
                f"seat {seat} has the bank: it plays last and without betting",
            ),
            code="banker_plays_last",
            field="seat",
        )
    draft.seated.append(seat)
    return {"e": "in", "seat": seat}


_BET_KEYS = frozenset({"e", "seat", "spot", "amount", "at", "by"})


def bet(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A player's bet, in turn, within the limits and what the player has (SYM-04)."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("apuestas", "bets"))
    reading.known_keys(event, _BET_KEYS)
    spot = event.get("spot")
    if spot != "main":
        raise RuleViolation(
            "SYM-04",
            Text(
                f"no hay lugar «{reading.shown(spot)}»: se apuesta a la propia mano («main»)",
                f"there is no spot “{reading.shown(spot)}”: one bets on one's own hand (“main”)",
            ),
            code="unknown_spot",
            field="spot",
        )
    seat = seat_of(event.get("seat"), draft.terms, "SYM-03")
    amount = reading.integer(event.get("amount"), "amount", 1)
    turn = due(draft)
    if (turn.kind, turn.seat) != ("bet", seat):
        raise _not_your_bet(draft, seat, turn.seat if turn.kind == "bet" else 0)
    require_chips(amount, draft.terms)
    require_limits(amount, draft.terms, "main", SPOTS["main"])
    most = most_bet(draft, seat)
    if amount > most:
        raise _cannot_afford(draft, seat, most)
    draft.stakes[seat] = amount
    return {"e": "bet", "seat": seat, "spot": "main", "amount": amount}


def most_bet(draft: Draft, seat: int) -> int:
    """What a seat may bet in all: what it has, and twice its offer must be left (SYM-09)."""
    return draft.chips[seat] - backing(draft, seat)


def backing(draft: Draft, seat: int) -> int:
    """What a seat must keep after losing its bets, for its last offer not to exceed its share of that.

    Nothing once the offers are answered.
    """
    if draft.sale:
        return 0
    offered = max((offer.amount for offer in draft.offers if offer.seat == seat), default=0)
    percent = draft.rules.offer_max_percent_of_rest
    return -(-offered * 100 // percent) if offered else 0


def _not_your_bet(draft: Draft, seat: int, turn: int) -> RuleViolation:
    if seat == draft.banker:
        text = Text("la banca no apuesta", "the bank does not bet")
        return RuleViolation("SYM-05", text, code="banker_bets", field="seat")
    if seat in draft.stakes:
        text = Text(f"el asiento {seat} ya apostó", f"seat {seat} has bet already")
    elif turn:
        text = Text(
            f"es el turno del asiento {turn}, no del {seat}", f"it is seat {turn}'s turn, not {seat}'s"
        )
    else:
        text = Text(
            "cada jugador apuesta en su turno, después de recibir su carta",
            "each player bets in turn, after getting a card",
        )
    return RuleViolation("SYM-04", text, code="not_your_turn", field="seat")


def _cannot_afford(draft: Draft, seat: int, most: int) -> RuleViolation:
    left = money_words(max(most, 0), draft.terms.exponent)
    if backing(draft, seat):
        return RuleViolation(
            "SYM-09",
            Text(
                f"con su oferta por la banca el asiento {seat} puede apostar {left.es} como mucho",
                f"with its offer for the bank seat {seat} may bet {left.en} at most",
            ),
            {"most": most},
            code="bet_against_offer",
            field="amount",
        )
    return RuleViolation(
        "GEN-07",
        Text(f"el asiento {seat} sólo tiene {left.es}", f"seat {seat} has only {left.en}"),
        {"most": most},
        code="not_enough_points",
        field="amount",
    )


_OFFER_KEYS = frozenset({"e", "seat", "amount", "at", "by"})


def offer(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """An offer to buy the bank (SYM-08): above the last, within half of what losing would leave (SYM-09)."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("ofertas por la banca", "offers for the bank"))
    reading.known_keys(event, _OFFER_KEYS)
    seat = seat_of(event.get("seat"), draft.terms, "SYM-03")
    amount = reading.integer(event.get("amount"), "amount", 1)
    if not may_offer_now(draft, seat):
        raise _offer_out_of_time(draft, seat)
    require_chips(amount, draft.terms)
    last = draft.offers[-1].amount if draft.offers else 0
    if amount <= last:
        said = money_words(last, draft.terms.exponent)
        raise RuleViolation(
            "SYM-09",
            Text(f"ya se ofrecieron {said.es}: supérelos", f"{said.en} was offered: offer more"),
            {"last": last},
            code="offer_too_low",
            field="amount",
        )
    most = most_offer(draft, seat)
    if amount > most:
        said = money_words(most, draft.terms.exponent)
        raise RuleViolation(
            "SYM-09",
            Text(
                f"el asiento {seat} puede ofrecer hasta {said.es}: su parte de lo que le quedaría al perder",
                f"seat {seat} may offer up to {said.en}: its share of what losing would leave it",
            ),
            {"most": most},
            code="offer_too_high",
            field="amount",
        )
    draft.offers.append(Offer(seat, amount))
    return {"e": "offer", "seat": seat, "amount": amount}


def may_offer_now(draft: Draft, seat: int) -> bool:
    """SYM-08: before the hand, or after one's bet while the players still play, by the table's rules."""
    if seat == draft.banker or seat not in draft.chips:
        return False
    if draft.rules.offer_time == "before_hand":
        return not draft.hands and not draft.sale
    turn = due(draft)
    return seat in draft.stakes and turn.kind in ("bet", "choice", "card") and turn.seat > 0


def most_offer(draft: Draft, seat: int) -> int:
    """Half (by the rules) of what the seat keeps when it loses: its bets, or the least bet before them."""
    hands = sum(1 for at, _ in draft.hands if at == seat)
    staked = draft.stakes.get(seat, 0) * hands if seat in draft.stakes else least(draft.terms, "main")
    rest = max(0, draft.chips[seat] - staked)
    most = rest * draft.rules.offer_max_percent_of_rest // 100
    return most // draft.terms.chip * draft.terms.chip


def _offer_out_of_time(draft: Draft, seat: int) -> RuleViolation:
    if seat == draft.banker:
        text = Text("quien tiene la banca no la compra", "who has the bank does not buy it")
    elif seat not in draft.chips:
        text = Text(f"el asiento {seat} no juega esta mano", f"seat {seat} does not play this hand")
    elif draft.sale:
        text = Text("la banca ya contestó las ofertas", "the bank has answered the offers already")
    elif draft.rules.offer_time == "before_hand":
        text = Text("las ofertas se hacen antes de la mano", "offers are made before the hand")
    else:
        text = Text(
            "las ofertas se hacen después de apostar y antes de que juegue la banca",
            "offers are made after betting and before the bank plays",
        )
    return RuleViolation("SYM-08", text, code="no_offer_now", field="seat")
