"""Decisions: insurance and even money when the dealer shows an ace, then each hand's in its turn.

Each is taken once for the hand and holds for all its live bets (BJ-43), but insurance, which names the
dealer hand it is against (BJ-22). What forbids a decision is said once, here: `play` refuses by it and
prompts offer by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation, SabotError
from casino.kernel.words import Text
from tables.games import reading, staking
from tables.games.base import MOST_ON_A_SPOT, Detail, refuse_detail
from tables.games.blackjack import forbids
from tables.games.blackjack import hands as values
from tables.games.blackjack.deciding import NOT_ON_A_SPLIT
from tables.games.blackjack.forbids import named, refusal
from tables.games.blackjack.variants import CHOICES
from tables.games.challenge import turns
from tables.games.challenge.dealing import place_of
from tables.games.challenge.rules import BET_SPOTS, HAND_NAMES, HANDS, INSURANCE_SPOTS, SPOTS
from tables.games.challenge.state import BETS, DEAL, DECIDE, STANDS, SURRENDERED, Draft, PlayerHand

IN_TURN = ("hit", "stand", "double", "split", "surrender")
_KEYS = frozenset({"e", "seat", "hand", "do", "at", "by"})


def choice(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A player's decision. `spot` (against which dealer hand) and `amount` belong to insurance."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("decisiones", "decisions"))
    do = reading.one_of(event.get("do"), "do", tuple(CHOICES))
    reading.known_keys(event, _KEYS | {"spot", "amount"} if do == "insurance" else _KEYS)
    seat = staking.seat_of(event.get("seat"), draft.terms, "BJ-04")
    if draft.stage in (BETS, DEAL):
        raise refusal("BJ-10", "deal_unfinished", _DEAL_FIRST)
    place = place_of(draft, seat, event.get("hand"))
    hand = draft.hands[place]
    clean: dict[str, Any] = {"e": "choice", "seat": seat, "hand": hand.hand, "do": do}
    if do == "insurance":
        clean |= _insure(draft, place, event)
    else:
        obstacle = cannot(draft, place, do)
        if obstacle is not None:
            raise obstacle
        if do in IN_TURN:
            _decide(draft, place, do)
        elif do == "no_insurance":
            draft.hands[place] = hand._replace(declined=True)
        else:
            draft.hands[place] = hand._replace(even="yes" if do == "even_money" else "no")
    turns.move_on(draft)
    return clean


_DEAL_FIRST = Text(
    "primero termina el reparto: dos cartas a cada mano y las del croupier",
    "the deal ends first: two cards to each hand and the dealer's",
)


def cannot(draft: Draft, place: int, do: str) -> SabotError | None:
    """Why a hand may not take a decision now (insurance apart); None when it may."""
    hand = draft.hands[place]
    if do == "no_insurance":
        return _not_insurable(hand) or _no_offer(draft, hand, _INSURANCE, "BJ-20") or _declined(hand)
    if do in ("even_money", "no_even_money"):
        return _no_even_money(draft, hand)
    if draft.stage != DECIDE or place != draft.turn:
        return _not_in_turn(draft, hand, do)
    if len(hand.cards) < 2 or draft.asked:
        say = Text("{whose} espera su carta", "{whose} waits for its card")
        return refusal("BJ-13", "card_due", say.fill(whose=named(hand)))
    check = _CHECKS.get(do)
    return check(draft, hand) if check else None


def _not_in_turn(draft: Draft, hand: PlayerHand, do: str) -> RuleViolation:
    if any(len(cards) > 1 for cards in draft.dealer):
        return refusal("BJ-41", "rounds_begun", _WAIT_FOR_THE_THIRD)
    at_21 = forbids.no_hit_at_21(hand) if do == "hit" else None
    if at_21 is not None:
        return at_21
    if hand.status:
        say = Text("{whose} ya terminó: no decide más", "{whose} has finished: it decides no more")
        return refusal("BJ-13", "hand_finished", say.fill(whose=named(hand)))
    say = Text("no es el turno de {whose}: decide {other}", "it is not the turn of {whose}: {other} decides")
    return refusal("BJ-13", "not_your_turn", say.fill(whose=named(hand), other=named(draft.current)))


_WAIT_FOR_THE_THIRD = Text(
    "comenzada la primera ronda nadie decide ni se retira: se espera hasta que termine la tercera",
    "once the first round has begun nobody decides or leaves: all wait until the third is over",
)


def _no_double(draft: Draft, hand: PlayerHand) -> RuleViolation | None:
    return forbids.no_double(draft.rules, hand)


def _no_split(draft: Draft, hand: PlayerHand) -> RuleViolation | None:
    splits = turns.splits_of(draft, hand.seat)
    return forbids.no_pair(draft.rules, hand) or forbids.too_many_splits(splits, draft.rules.splits_max)


def _no_surrender(draft: Draft, hand: PlayerHand) -> RuleViolation | None:
    if not draft.rules.surrender:
        return refusal("BJ-29", "no_surrender", forbids.NO_SURRENDER)
    if len(hand.cards) != 2 or hand.split_from:
        return refusal("BJ-29", "not_two_cards", forbids.TWO_CARDS_ONLY)
    if any(turns.base_is_ace(draft, number) for number in range(hand.rounds)):
        return refusal("BJ-28", "dealer_ace", forbids.NOT_AGAINST_ACE)
    return None


_CHECKS = {"double": _no_double, "split": _no_split, "surrender": _no_surrender}
_INSURANCE = Text("el seguro", "insurance")
_EVEN_MONEY = Text("el pago a la par", "even money")


def _no_offer(draft: Draft, hand: PlayerHand, what: Text, rule: str) -> RuleViolation | None:
    """Insurance and even money: with an ace as first card, before the third card (BJ-19, BJ-20)."""
    if not any(turns.base_is_ace(draft, number) for number in range(hand.rounds)):
        say = Text(
            "{what} se ofrece sólo si el croupier muestra un as",
            "{what} is offered only when the dealer shows an ace",
        )
        return refusal(rule, "no_ace", say.fill(what=what))
    if not turns.insurance_open(draft):
        say = Text(
            "{what} se pide antes de la tercera carta: ya pasó",
            "{what} is taken before the third card: too late",
        )
        return refusal(rule, "offer_over", say.fill(what=what))
    return None


def _not_insurable(hand: PlayerHand) -> RuleViolation | None:
    """BJ-21: insurance is on an initial bet."""
    return refusal("BJ-21", "split_hand", NOT_ON_A_SPLIT) if hand.hand else None


def _declined(hand: PlayerHand) -> RuleViolation | None:
    if hand.declined or hand.insured or hand.even == "yes":
        say = Text("{whose} ya respondió al seguro", "{whose} has answered on insurance")
        return RuleViolation("BJ-20", say.fill(whose=named(hand)), code="already_answered", field="do")
    return None


def _no_even_money(draft: Draft, hand: PlayerHand) -> SabotError | None:
    if not values.is_blackjack(hand.cards, hand.split_from):
        say = Text("el pago a la par es de un black jack", "even money is for a blackjack")
        return refusal("BJ-19", "no_blackjack", say)
    refused = _no_offer(draft, hand, _EVEN_MONEY, "BJ-19")
    if refused is None and (hand.even or hand.insured):
        say = Text("{whose} ya respondió", "{whose} has answered")
        return RuleViolation("BJ-19", say.fill(whose=named(hand)), code="already_answered", field="do")
    return refused


def no_insurance_against(draft: Draft, hand: PlayerHand, number: int) -> SabotError | None:
    """Why a hand may not be insured against a dealer hand (BJ-20, BJ-22)."""
    refused = _not_insurable(hand) or _no_offer(draft, hand, _INSURANCE, "BJ-20")
    if refused is not None:
        return refused
    name = HANDS[HAND_NAMES[number]]
    if number >= hand.rounds:
        say = Text("{whose} no apostó contra la {name}", "{whose} has no bet against the {name}")
        return refusal("BJ-22", "no_such_bet", say.fill(whose=named(hand), name=name), "spot")
    if not turns.base_is_ace(draft, number):
        say = Text("la {name} no muestra un as", "the {name} shows no ace")
        return refusal("BJ-20", "no_ace", say.fill(name=name), "spot")
    if hand.declined or number in hand.insured or hand.even == "yes":
        say = Text("{whose} ya respondió al seguro contra la {name}", "{whose} has answered on the {name}")
        return RuleViolation(
            "BJ-20", say.fill(whose=named(hand), name=name), code="already_answered", field="spot"
        )
    return None


def insurance_bounds(draft: Draft, hand: PlayerHand, number: int) -> tuple[int, int]:
    """Least and most insurance: up to its share of the bet it insures, in whole chips (BJ-21, GEN-07),
    within the table's own limits if it has any (GEN-04)."""
    chip = draft.terms.chip
    low, high = draft.terms.limits.get(INSURANCE_SPOTS[number], (1, MOST_ON_A_SPOT))
    most = hand.bets[number] * draft.rules.insurance_percent // 100 // chip * chip
    return -(-low // chip) * chip, min(high // chip * chip, most)


def _insure(draft: Draft, place: int, event: Mapping[str, Any]) -> dict[str, Any]:
    """Insurance against the dealer hand that the player names (BJ-22)."""
    hand, spot = draft.hands[place], event.get("spot")
    if not isinstance(spot, str) or spot not in INSURANCE_SPOTS:
        known = ", ".join(INSURANCE_SPOTS)
        say = Text(
            f"diga contra qué mano del croupier se asegura («spot»: {known})",
            f"say against which dealer hand it is (“spot”: {known})",
        )
        raise refusal("BJ-22", "hand_not_named", say, "spot")
    number = INSURANCE_SPOTS.index(spot)
    obstacle = no_insurance_against(draft, hand, number)
    if obstacle is not None:
        raise obstacle
    clean: dict[str, Any] = {"spot": spot}
    if draft.detail is Detail.FULL:
        amount = reading.integer(event.get("amount"), "amount", 1)
        _check_amount(draft, hand, number, amount)
        draft.stakes[hand.seat, spot, hand.hand] = amount
        clean["amount"] = amount
    elif "amount" in event:
        raise refuse_detail(draft.detail, Text("importes", "amounts"))
    draft.hands[place] = hand._replace(insured=(*hand.insured, number))
    return clean


def _check_amount(draft: Draft, hand: PlayerHand, number: int, amount: int) -> None:
    forbids.require_insurable(draft.terms, amount, hand.bets[number], draft.rules.insurance_percent)
    spot = INSURANCE_SPOTS[number]
    if spot in draft.terms.limits:
        staking.require_limits(amount, draft.terms, spot, SPOTS[spot])


def _decide(draft: Draft, place: int, do: str) -> None:
    hand = draft.hands[place]
    if do == "hit":
        draft.asked = True
    elif do == "stand":
        draft.hands[place] = hand._replace(status=STANDS)
    elif do == "surrender":
        draft.hands[place] = hand._replace(status=SURRENDERED)
    elif do == "double":
        draft.hands[place] = hand._replace(doubled=True)
        draft.asked = True
        _add_bets(draft, hand, hand.hand)
    else:
        _split(draft, place)


def _add_bets(draft: Draft, hand: PlayerHand, number: int) -> None:
    """As much again on each live bet (BJ-43), of the same hand or of the new one."""
    if draft.detail is not Detail.FULL:
        return
    for spot, amount in zip(BET_SPOTS[: hand.rounds], hand.bets, strict=False):
        at = (hand.seat, spot, number)
        draft.stakes[at] = draft.stakes.get(at, 0) + amount


def _split(draft: Draft, place: int) -> None:
    """Two hands of one; the new one takes the next free number and is played right after."""
    hand = draft.hands[place]
    first, second = hand.cards
    number = max(other.hand for other in draft.hands if other.seat == hand.seat) + 1
    draft.hands[place] = hand._replace(cards=(first,), split_from=first)
    draft.hands.insert(place + 1, PlayerHand(hand.seat, number, hand.rounds, hand.bets, (second,), second))
    _add_bets(draft, hand, number)
