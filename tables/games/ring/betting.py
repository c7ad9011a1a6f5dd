"""Betting: forced bets, whose turn it is, what may be done and for how much (PR-11, PR-12, PR-13, PR-17).

`options` is the one place that says what the seat in turn may do; `play` checks against it and prompts
offer from it, so that they cannot disagree. A seat's amount is always its total in the betting round.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoes.cards import FRENCH52
from tables.games.base import Detail
from tables.games.poker import ranks
from tables.games.ring.state import Draft, street_cards

BY_SUIT = {
    rank + suit: (place, "cdhs".index(suit))
    for place, rank in enumerate("23456789TJQKA")
    for suit in FRENCH52.suits
}
"""A card among all 52: by rank, equal ranks by suit, clubs below diamonds, hearts and spades. Suits break no
tie between hands (PH-23); they do for the bring-in (PR-17) and, where declared, the odd chip (PR-10)."""


def begin_hand(draft: Draft) -> None:
    """Nobody else joins; forced bets are posted; the first cards are due."""
    draft.closed = True
    seats = sorted(draft.chips)
    after = [seat for seat in seats if seat > draft.button] if draft.button else []
    draft.order = after + [seat for seat in seats if seat not in after]
    draft.own = {seat: [] for seat in draft.order}
    draft.street = 0
    if draft.detail is Detail.FULL:
        _post(draft)
    draft.pending = street_cards(draft)


def _post(draft: Draft) -> None:
    """Antes, then blinds (PR-11); a short stack posts what it has and is all in."""
    stakes = draft.stakes
    draft.put = {seat: min(stakes.ante, draft.chips[seat]) for seat in draft.order}
    draft.bet = dict.fromkeys(draft.order, 0)
    if draft.variant.has_button:
        small, big = blind_seats(draft)
        pay(draft, small, min(stakes.small_blind, draft.stack(small)))
        pay(draft, big, min(stakes.big_blind, draft.stack(big)))


def blind_seats(draft: Draft) -> tuple[int, int]:
    """Small and big blind: left of the button; between two the button posts the small one (PR-11)."""
    order = draft.order
    return (order[1], order[0]) if len(order) == 2 else (order[0], order[1])


def pay(draft: Draft, seat: int, amount: int) -> None:
    draft.put[seat] += amount
    draft.bet[seat] += amount


def advance(draft: Draft) -> None:
    """To what is due next: nothing while cards or turns are, else the next street's cards."""
    if len(draft.live) == 1:
        draft.queue, draft.pending = [], []
        return
    if not draft.queue and not draft.pending and not draft.last_street:
        draft.street += 1
        draft.pending = street_cards(draft)


def begin_betting(draft: Draft) -> None:
    """All cards of a street are out: who speaks first, at which price (PR-12, PR-17)."""
    first, stakes = draft.street == 0, draft.stakes
    blinds = first and draft.variant.has_button
    if not first:
        draft.bet = dict.fromkeys(draft.order, 0)
    draft.level = stakes.big_blind if blinds else 0
    draft.raise_size = bet_size(draft)
    draft.raises = int(blinds and draft.rules.blind_is_a_bet)
    draft.capped, draft.acted, draft.aggressor = False, {}, 0
    draft.bringing = first and not draft.variant.has_button
    place = draft.order.index(opener(draft))
    turns = draft.order[place:] + draft.order[:place]
    able = set(draft.able)
    draft.queue = [seat for seat in turns if seat in able]
    _spare(draft)
    if not draft.queue:
        draft.bringing = False
    advance(draft)


def bet_size(draft: Draft) -> int:
    """The least bet and full raise of this street (PR-13)."""
    stakes = draft.stakes
    if draft.rules.structure == "fixed_limit":
        return stakes.big_bet if draft.variant.streets[draft.street].late else stakes.small_bet
    return stakes.big_blind if draft.variant.has_button else stakes.small_bet


def opener(draft: Draft) -> int:
    """Who speaks first in this round (PR-12, PR-17)."""
    if draft.variant.has_button:
        if draft.street:
            return draft.order[0]
        # PR-12: left of the big blind; between two that is the button.
        return draft.order[draft.order.index(blind_seats(draft)[1]) + 1 - len(draft.order)]
    live = draft.live
    if draft.street == 0:
        return min(live, key=lambda seat: BY_SUIT[draft.open_cards(seat)[0]])
    return max(live, key=lambda seat: ranks.best_shown(draft.open_cards(seat)))


def _spare(draft: Draft) -> None:
    """No turn for the last player with chips once nobody has bet more: there is no one to bet against."""
    able = draft.able
    if len(draft.live) == 1 or not able:
        draft.queue = []
    elif len(able) == 1 and draft.queue:
        seat = able[0]
        if draft.bet[seat] >= max(draft.bet[other] for other in draft.live if other != seat):
            draft.spared.append(seat)
            draft.queue = []


def price(draft: Draft, seat: int) -> int:
    """The total that matches what was bet. A big blind posted short still costs the others all of it, as
    long as somebody else can pay it.
    """
    others = [other for other in draft.live if other != seat]
    if any(draft.stack(other) for other in others):
        return draft.level
    return min(draft.level, max(draft.bet[other] for other in others))


def options(draft: Draft) -> dict[str, tuple[int, int]]:
    """What the seat in turn may do, the likeliest first: (least, most) of its total in this round."""
    seat = draft.queue[0]
    mine, stack = draft.bet[seat], draft.stack(seat)
    whole = mine + stack
    may: dict[str, tuple[int, int]] = {}
    if draft.bringing:
        opening = min(draft.stakes.bring_in, stack)
        may["bring_in"] = (opening, opening)
    else:
        due = price(draft, seat)
        if due > mine:
            called = min(due, whole)
            may["call"] = (called, called)
            may["fold"] = (mine, mine)
        else:
            may["check"] = (mine, mine)
    wager = _wager(draft, seat)
    if wager is not None:
        may["raise" if draft.level else "bet"] = wager
    if (wager is not None and wager[0] <= whole <= wager[1]) or whole in may.get("call", ()):
        may["allin"] = (whole, whole)
    if not draft.bringing:
        may.setdefault("fold", (mine, mine))
    return may


def _wager(draft: Draft, seat: int) -> tuple[int, int] | None:
    """Least and most of a bet or raise, None when there can be none."""
    mine, stack = draft.bet[seat], draft.stack(seat)
    whole = mine + stack
    if whole <= draft.level or is_capped(draft) or not may_reopen(draft, seat):
        return None
    if draft.bringing and whole <= draft.stakes.bring_in:
        return None
    if not any(draft.bet[o] + draft.stack(o) > draft.level for o in draft.live if o != seat):
        return None
    least = least_raise(draft)
    if draft.rules.structure == "fixed_limit":
        most = least
    elif draft.rules.structure == "pot_limit":
        # PR-13: the pot as it would be after a call.
        most = max(least, 2 * draft.level - mine + draft.pot)
    else:
        most = whole
    return min(least, whole), min(most, whole)


def least_raise(draft: Draft) -> int:
    """What a full bet or raise goes to. After the bring-in it is completed, not raised (PR-17)."""
    if draft.bringing or (not draft.variant.has_button and not draft.street and not draft.raises):
        return draft.raise_size
    return draft.level + draft.raise_size


def is_capped(draft: Draft) -> bool:
    """Whether fixed limit allows no further raise in this round (PR-13)."""
    rules = draft.rules
    if rules.structure != "fixed_limit" or not rules.bets_max or draft.raises < rules.bets_max:
        return False
    return draft.capped or not (rules.heads_up_uncapped and len(draft.live) == 2)


def may_reopen(draft: Draft, seat: int) -> bool:
    """Whether a seat that has spoken faces a full raise since: an all-in below one does not reopen."""
    return seat not in draft.acted or draft.level - draft.acted[seat] >= draft.raise_size


def take(draft: Draft, seat: int, do: str, amount: int) -> None:
    """Carry out what `options` allows."""
    draft.queue.pop(0)
    if do == "fold":
        draft.folded.add(seat)
    elif do == "bring_in":
        pay(draft, seat, amount)
        draft.level, draft.bringing = draft.stakes.bring_in, False
        draft.acted[seat] = draft.level
    elif amount <= draft.level:
        pay(draft, seat, amount - draft.bet[seat])
        draft.acted[seat] = draft.level
    else:
        _raise(draft, seat, amount)
    _spare(draft)
    advance(draft)


def _raise(draft: Draft, seat: int, amount: int) -> None:
    if amount >= least_raise(draft):
        draft.acted = {}
    draft.raise_size = max(draft.raise_size, amount - draft.level)
    pay(draft, seat, amount - draft.bet[seat])
    draft.level, draft.bringing = amount, False
    draft.raises += 1
    if draft.rules.bets_max and draft.raises >= draft.rules.bets_max and len(draft.live) > 2:
        draft.capped = True
    draft.acted[seat] = amount
    draft.aggressor = seat
    place = draft.order.index(seat)
    able = set(draft.able)
    draft.queue = [one for one in draft.order[place + 1 :] + draft.order[:place] if one in able]


def figures(draft: Draft) -> Mapping[str, Any]:
    """What a refusal of a choice shows."""
    seat = draft.queue[0]
    return {"turn": seat, "level": draft.level, "bet": draft.bet[seat], "stack": draft.stack(seat)}
