"""Whose turn it is and for what: the order of a hand of siete y medio."""

from __future__ import annotations

from tables.games.base import Detail
from tables.games.siete.balance import bank_change, eliminated
from tables.games.siete.state import BANK, Draft, Due, State


def due(draft: Draft) -> Due:
    """What comes next. Until the first card it is joining, though a card may come once somebody plays."""
    if draft.detail is Detail.RESULT:
        return Due("settle" if draft.result else "result")
    if not draft.banker:
        return Due("bank")
    if not draft.hands:
        return Due("sale", draft.banker) if _offered_before(draft) else Due("join")
    opening = _opening(draft)
    if opening is not None:
        return opening
    turn = _players_turn(draft) or _banks_turn(draft)
    if turn is not None:
        return turn
    if draft.offers and not draft.sale and not offers_void(draft):
        return Due("sale", draft.banker)
    return Due("settle")


def _offered_before(draft: Draft) -> bool:
    """SYM-08: an offer made before the hand is answered before it; its first card waits for that."""
    return bool(draft.offers) and not draft.sale and draft.banker in draft.chips


def first_card(draft: Draft) -> Due | None:
    """Who gets the first card, None while nobody can: the bank and one player at least must be in."""
    players = draft.players
    if not players or (draft.detail is Detail.FULL and draft.banker not in draft.chips):
        return None
    return Due("card", players[0])


def _opening(draft: Draft) -> Due | None:
    """SYM-03: one or two cards to each player and to the bank, round by round."""
    # The opening ends where the bank has its cards: it is dealt last and takes no more until its turn.
    if len(draft.banca) >= draft.rules.initial_cards:
        return None
    players = draft.players
    dealt = sum([len(cards) for cards in draft.hands.values()]) + len(draft.banca)
    at = dealt % (len(players) + 1)
    return Due("card", players[at] if at < len(players) else 0)


def _players_turn(draft: Draft) -> Due | None:
    for seat in draft.players:
        if draft.detail is Detail.FULL and seat not in draft.stakes:
            return Due("bet", seat)
        hand = 0
        while (seat, hand) in draft.hands:
            if draft.drawing == (seat, hand):
                return Due("card", seat, hand)
            if not draft.is_done((seat, hand), draft.hands[seat, hand]):
                return Due("choice", seat, hand)
            hand += 1
    return None


def _banks_turn(draft: Draft) -> Due | None:
    """SYM-05: the bank plays only if a player is left who did not pass."""
    if draft.drawing == BANK:
        return Due("card")
    if draft.survivors and not draft.is_done(BANK, draft.banca):
        return Due("choice", 0)
    return None


def offers_void(draft: Draft) -> bool:
    """SYM-09: offers fall when the bank changes by rule or its holder has nothing left."""
    return bool(bank_change(draft)) or eliminated(draft)


def freeze(draft: Draft) -> State:
    return State(
        draft.rules,
        draft.terms,
        tuple(draft.log),
        draft.undone,
        draft.banker,
        draft.chips,
        tuple(draft.seated),
        tuple(draft.offers),
        draft.stakes,
        {place: tuple(cards) for place, cards in draft.hands.items()},
        tuple(draft.banca),
        frozenset(draft.stood),
        draft.drawing,
        draft.sale,
        draft.seller,
        draft.result,
        due(draft),
    )
