"""Decisions: insurance and even money when the dealer shows an ace, then each hand's in its turn.

What forbids a decision is said once, here: `play` refuses by it and prompts offer by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation, SabotError
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import Detail, refuse_detail
from tables.games.blackjack import forbids, turns
from tables.games.blackjack import hands as values
from tables.games.blackjack.betting import outside
from tables.games.blackjack.dealing import place_of
from tables.games.blackjack.forbids import is_split_ace, named, refusal
from tables.games.blackjack.rules import EARLY, LATE, OFF
from tables.games.blackjack.state import (
    BETS,
    DEAL,
    DECIDE,
    DONE,
    EVEN,
    SHOW,
    STANDS,
    SURRENDERED,
    Draft,
    PlayerHand,
)
from tables.games.blackjack.struck import BEFORE_PLAY
from tables.games.blackjack.variants import CHOICES
from tables.games.staking import seat_of

IN_TURN = ("hit", "stand", "double", "split", "surrender")

_KEYS = frozenset({"e", "seat", "hand", "do", "amount", "at", "by"})


def choice(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A player's decision. `amount` belongs to insurance; a double's or a split's, if given, must equal
    the bet."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("decisiones", "decisions"))
    reading.known_keys(event, _KEYS)
    do = reading.one_of(event.get("do"), "do", CHOICES)
    seat = seat_of(event.get("seat"), draft.terms, "BJ-04")
    if draft.stage in (BETS, DEAL):
        raise RuleViolation("BJ-10", _DEAL_FIRST, code="deal_unfinished")
    place = place_of(draft, seat, event.get("hand"))
    obstacle = cannot(draft, place, do)
    if obstacle is not None:
        raise obstacle
    amount = _amount(draft, draft.hands[place], do, event)
    clean = {"e": "choice", "seat": seat, "hand": draft.hands[place].hand, "do": do}
    if amount:
        clean["amount"] = amount
    if do in BEFORE_PLAY:
        _answer(draft, place, do, amount)
    else:
        if turns.may_peek(draft):
            # Insurance is over when the dealer looks; without a hole card, at the third card (BJ-20).
            draft.offered = draft.peeked = True
        _decide(draft, place, do)
    turns.move_on(draft)
    return clean


_DEAL_FIRST = Text(
    "primero termina el reparto: dos cartas a cada mano y la del croupier",
    "the deal ends first: two cards to each hand and the dealer's",
)


def cannot(draft: Draft, place: int, do: str) -> SabotError | None:
    """Why a hand may not take a decision now; None when it may."""
    hand = draft.hands[place]
    if do in ("insurance", "no_insurance"):
        return _no_insurance(draft, hand)
    if do in BEFORE_PLAY:
        return _no_even_money(draft, hand)
    if draft.stage != DECIDE or place != draft.turn:
        return _not_in_turn(draft, hand, do)
    if len(hand.cards) < 2 or draft.asked:
        return RuleViolation(
            "BJ-13",
            Text("{whose} espera su carta", "{whose} waits for its card").fill(whose=named(hand)),
            code="card_due",
            field="do",
        )
    check = _CHECKS.get(do)
    return check(draft, hand) if check else None


def _not_in_turn(draft: Draft, hand: PlayerHand, do: str) -> RuleViolation:
    if draft.stage == SHOW and not hand.status:
        return refusal(
            "BJ-46",
            "show_first",
            Text(
                "el croupier tiene black jack: nadie decide más",
                "the dealer has blackjack: nobody decides any more",
            ),
        )
    at_21 = forbids.no_hit_at_21(hand) if do == "hit" else None
    if at_21 is not None:
        return at_21
    if hand.status:
        say = Text("{whose} ya terminó: no decide más", "{whose} has finished: it decides no more")
        return refusal("BJ-13", "hand_finished", say.fill(whose=named(hand)))
    say = Text("no es el turno de {whose}: decide {other}", "it is not the turn of {whose}: {other} decides")
    return refusal("BJ-13", "not_your_turn", say.fill(whose=named(hand), other=named(draft.current)))


def _no_hit(draft: Draft, hand: PlayerHand) -> RuleViolation | None:
    if is_split_ace(hand):
        return refusal("BJ-25", "split_ace", _ONE_CARD)
    return None


_ONE_CARD = Text("un as separado recibe una sola carta", "a split ace takes one card only")


def _no_double(draft: Draft, hand: PlayerHand) -> RuleViolation | None:
    if is_split_ace(hand):
        return refusal("BJ-25", "split_ace", _ONE_CARD)
    return forbids.no_double(draft.rules, hand)


def _no_split(draft: Draft, hand: PlayerHand) -> RuleViolation | None:
    rules = draft.rules
    refused = forbids.no_pair(rules, hand)
    if refused is None and is_split_ace(hand) and not rules.resplit_aces:
        say = Text("los ases se separan una sola vez", "aces are split once only")
        return refusal("BJ-25", "split_ace", say)
    return refused or forbids.too_many_splits(turns.splits_of(draft, hand), rules.splits_max)


def _no_surrender(draft: Draft, hand: PlayerHand) -> RuleViolation | None:
    kind = draft.rules.surrender
    if kind == OFF:
        return refusal(
            "BJ-48" if draft.rules.variant.online else "BJ-29",
            "no_surrender",
            forbids.NO_SURRENDER,
        )
    if len(hand.cards) != 2 or hand.split_from:
        return refusal("BJ-48" if kind == LATE else "BJ-29", "not_two_cards", forbids.TWO_CARDS_ONLY)
    if kind == EARLY and values.is_ace(draft.dealer[0]):
        return refusal("BJ-28", "dealer_ace", forbids.NOT_AGAINST_ACE)
    return None


_CHECKS = {"hit": _no_hit, "double": _no_double, "split": _no_split, "surrender": _no_surrender}


def _offer_closed(draft: Draft, what: Text, rule: str) -> RuleViolation | None:
    """Insurance and even money: with an ace up, before the third card (BJ-19, BJ-20)."""
    if not values.is_ace(draft.dealer[0]):
        say = Text(
            "{what} se ofrece sólo si el croupier muestra un as",
            "{what} is offered only when the dealer shows an ace",
        )
        return refusal(rule, "no_ace", say.fill(what=what))
    if draft.offered or draft.stage == DONE:
        say = Text(
            "{what} se pide antes de la tercera carta: ya pasó",
            "{what} is taken before the third card: too late",
        )
        return refusal(rule, "offer_over", say.fill(what=what))
    return None


def _answered(hand: PlayerHand, rule: str, *answers: str) -> RuleViolation | None:
    """Whether one of these answers was given already, under the `rule` of the one asked for."""
    if hand.answer not in answers:
        return None
    say = Text("{whose} ya respondió: {answer}", "{whose} has answered: {answer}")
    return RuleViolation(
        rule, say.fill(whose=named(hand), answer=CHOICES[hand.answer]), code="already_answered", field="do"
    )


_INSURANCE = Text("el seguro", "insurance")
_EVEN_MONEY = Text("el pago a la par", "even money")


def _no_insurance(draft: Draft, hand: PlayerHand) -> SabotError | None:
    if not draft.rules.insurance:
        say = Text("en esta mesa no hay seguro", "there is no insurance at this table")
        return refusal("BJ-20", "not_offered", say)
    if hand.hand != hand.origin:
        return refusal("BJ-21", "split_hand", NOT_ON_A_SPLIT)
    return _offer_closed(draft, _INSURANCE, "BJ-20") or _answered(hand, "BJ-20", *BEFORE_PLAY)


NOT_ON_A_SPLIT = Text(
    "el seguro es de la apuesta inicial: una mano que salió de separar no se asegura",
    "insurance is on the initial bet: a hand made by a split is not insured",
)


def _no_even_money(draft: Draft, hand: PlayerHand) -> SabotError | None:
    if not draft.rules.even_money:
        say = Text("en esta mesa no hay pago a la par", "there is no even money at this table")
        return refusal("BJ-19", "not_offered", say)
    if not values.is_blackjack(hand.cards, hand.split_from):
        say = Text("el pago a la par es de un black jack", "even money is for a blackjack")
        return refusal("BJ-19", "no_blackjack", say)
    # Whoever declined insurance with all the others is still asked about the black jack.
    asked = _answered(hand, "BJ-19", *(answer for answer in BEFORE_PLAY if answer != "no_insurance"))
    return _offer_closed(draft, _EVEN_MONEY, "BJ-19") or asked


def insurance_bounds(draft: Draft, hand: PlayerHand) -> tuple[int, int]:
    """Least and most insurance of a hand: up to its share of the initial bet, in whole chips (BJ-21,
    GEN-07), within the table's own limits if it has any (GEN-04)."""
    chip = draft.terms.chip
    low, high = draft.boxes["insurance"]
    most = hand.first * draft.rules.insurance_percent // 100 // chip * chip
    return low, min(high, most)


def _amount(draft: Draft, hand: PlayerHand, do: str, event: Mapping[str, Any]) -> int:
    """The chips a decision puts down, 0 for none."""
    if "amount" not in event and (do != "insurance" or draft.detail is not Detail.FULL):
        return 0
    if do not in ("insurance", "double", "split"):
        reading.known_keys(event, _KEYS - {"amount"})
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("importes", "amounts"))
    amount = reading.integer(event.get("amount"), "amount", 1)
    if do != "insurance":
        if amount != hand.first:
            raise RuleViolation(
                "BJ-27" if do == "double" else "BJ-24",
                Text(
                    "la segunda apuesta es igual a la primera: {first}",
                    "the second bet equals the first: {first}",
                ).fill(first=money_words(hand.first, draft.terms.exponent)),
                {"amount": amount, "due": hand.first},
                code="unequal_bet",
                field="amount",
            )
        return amount
    forbids.require_insurable(draft.terms, amount, hand.first, draft.rules.insurance_percent)
    if not draft.boxes["insurance"][0] <= amount <= draft.boxes["insurance"][1]:
        raise outside(draft, "insurance", amount)
    return amount


def _answer(draft: Draft, place: int, do: str, amount: int) -> None:
    hand = draft.hands[place]
    status = EVEN if do == "even_money" else hand.status
    draft.hands[place] = hand._replace(answer=do, status=status)
    if amount:
        draft.stakes[hand.seat, "insurance", hand.hand] = amount


def _decide(draft: Draft, place: int, do: str) -> None:
    hand, full = draft.hands[place], draft.detail is Detail.FULL
    if do == "hit":
        draft.asked = True
    elif do == "stand":
        draft.hands[place] = hand._replace(status=STANDS)
    elif do == "surrender":
        draft.hands[place] = hand._replace(status=SURRENDERED)
    elif do == "double":
        draft.hands[place] = hand._replace(doubled=True)
        draft.asked = True
        if full:
            draft.stakes[hand.seat, "main", hand.hand] += hand.first
    else:
        _split(draft, place, full)


def _split(draft: Draft, place: int, full: bool) -> None:
    """Two hands of one; the new one takes the next free number and is played right after."""
    hand = draft.hands[place]
    first, second = hand.cards
    number = max(other.hand for other in draft.hands if other.seat == hand.seat) + 1
    opening = hand.opening or hand.cards
    draft.hands[place] = hand._replace(cards=(first,), split_from=first, opening=opening)
    draft.hands.insert(place + 1, PlayerHand(hand.seat, number, hand.origin, hand.first, (second,), second))
    if full:
        draft.stakes[hand.seat, "main", number] = hand.first
