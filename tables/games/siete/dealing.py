"""The cards, the decisions, the result a table announced instead of them, and what may be undone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from shoes import cards
from shoes.cards import deck_type
from tables.games import reading
from tables.games.announcing import require_announced
from tables.games.base import Detail, refuse_detail
from tables.games.siete.betting import most_bet
from tables.games.siete.points import DECK, VALUES, is_court
from tables.games.siete.rules import CHOICES, WINNERS
from tables.games.siete.state import Draft, Due, Place
from tables.games.siete.turns import due, first_card
from tables.games.staking import least, seat_of

_CARD_KEYS = frozenset({"e", "to", "seat", "hand", "card", "at", "by"})


def card(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The next card, to a player's hand or to the bank's (`banca`); each is in the pack once (CARD-42)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _CARD_KEYS)
    to = reading.one_of(event.get("to"), "to", ("seat", "banca"))
    seat = hand = 0
    if to == "seat":
        seat = seat_of(event.get("seat"), draft.terms, "SYM-03")
        hand = reading.integer(event.get("hand", 0), "hand", 0, 99)
    elif "seat" in event or "hand" in event:
        raise Refused(
            Text("la carta de la banca no lleva asiento ni mano", "the bank's card has no seat and no hand"),
            code="unknown_key",
            field="seat",
        )
    dealt = _parsed(event.get("card"))
    if next_card(draft) != Due("card", seat, hand):
        raise _not_due(draft)
    if dealt in seen(draft):
        name = cards.name(dealt, deck_type(DECK))
        raise RuleViolation(
            "CARD-42",
            Text(
                f"el {name.es} ya salió y la baraja tiene uno solo",
                f"the {name.en} is out already and the pack has one",
            ),
            {"card": dealt},
            code="card_twice",
            field="card",
        )
    draft.drawing = None
    if to == "banca":
        draft.banca.append(dealt)
        return {"e": "card", "to": to, "card": dealt}
    draft.hands.setdefault((seat, hand), []).append(dealt)
    return {"e": "card", "to": to, "seat": seat, **({"hand": hand} if hand else {}), "card": dealt}


def _parsed(value: object) -> str:
    dealt = cards.parse(value, deck_type(DECK))
    if dealt not in VALUES:
        raise RuleViolation(
            "SYM-01",
            Text(
                "escriba la carta con su palo: hay una sola de cada una",
                "write the card with its suit: there is only one of each",
            ),
            code="unknown_card",
            field="card",
        )
    return dealt


def seen(draft: Draft) -> set[str]:
    """Every card on the table."""
    return {*draft.banca, *(card for lying in draft.hands.values() for card in lying)}


def next_card(draft: Draft) -> Due | None:
    """Whose card is due; before the first one, whose it would be."""
    turn = due(draft)
    return first_card(draft) if turn.kind == "join" else turn


def _not_due(draft: Draft) -> RuleViolation:
    turn = next_card(draft)
    if turn is None:
        rule = "SYM-03"
        why = Text("faltan la banca o un jugador al menos", "the bank or at least one player is missing")
    elif turn.kind == "card":
        rule = "SYM-04" if draft.drawing else "SYM-03"
        why = Text(f"va {_to(turn).es}", f"it goes {_to(turn).en}")
    else:
        rule = _RULE_OF.get(turn.kind, "SYM-04")
        why = _WAITS[turn.kind].fill(seat=turn.seat or draft.banker)
    return RuleViolation(
        rule,
        Text("esta carta no corresponde: {why}", "this card is not due: {why}").fill(why=why),
        code="card_not_due",
        field="to",
    )


def _to(turn: Due) -> Text:
    if not turn.seat:
        return Text("a la banca", "to the bank")
    if turn.hand:
        n = turn.hand + 1
        return Text(f"al asiento {turn.seat}, mano {n}", f"to seat {turn.seat}, hand {n}")
    return Text(f"al asiento {turn.seat}", f"to seat {turn.seat}")


_RULE_OF = {"bank": "SYM-02", "sale": "SYM-08", "settle": "SYM-05"}
_WAITS = {
    "bank": Text("falta anotar quién tiene la banca", "who has the bank is not noted yet"),
    "bet": Text("el asiento {seat} debe apostar", "seat {seat} has to bet"),
    "choice": Text("decide el asiento {seat}", "seat {seat} decides"),
    "sale": Text("la banca contesta la última oferta", "the bank answers the last offer"),
    "settle": Text("la mano terminó", "the hand is over"),
}

_CHOICE_KEYS = frozenset({"e", "seat", "hand", "do", "at", "by"})


def choice(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A decision: a player's or the bank's to draw or stand, a split, the banker's answer to an offer."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("decisiones", "decisions"))
    reading.known_keys(event, _CHOICE_KEYS)
    do = reading.one_of(event.get("do"), "do", tuple(CHOICES))
    seat = seat_of(event.get("seat"), draft.terms, "SYM-03")
    hand = reading.integer(event.get("hand", 0), "hand", 0, 99)
    turn = due(draft)
    decider = turn.seat or draft.banker
    if turn.kind not in ("choice", "sale") or (seat, hand) != (decider, turn.hand):
        raise _not_deciding(turn, decider)
    if do not in _allowed(turn):
        raise _wrong_choice(turn, do)
    place = (turn.seat, turn.hand)
    if do == "draw":
        require_cards_left(draft)
        draft.drawing = place
    elif do == "stand":
        draft.stood.add(place)
    elif do == "split":
        _split(draft, place)
    else:
        _answer(draft, do)
    return {"e": "choice", "seat": seat, **({"hand": hand} if hand else {}), "do": do}


def _answer(draft: Draft, do: str) -> None:
    """SYM-08: the banker's answer. Before the hand a sold bank changes at once, with its price."""
    if do == "sell" and not draft.hands:
        obstacle = cannot_sell(draft)
        if obstacle is not None:
            raise obstacle
        buyer, price = draft.offers[-1]
        draft.seller, draft.banker = draft.banker, buyer
        draft.chips[draft.seller] += price
        draft.chips[buyer] -= price
    draft.sale = do


def cannot_sell(draft: Draft) -> RuleViolation | None:
    """Nobody would be left to play against the buyer."""
    if draft.hands:
        return None
    buyer, price = draft.offers[-1]
    low = least(draft.terms, "main")
    after = {**draft.chips, draft.banker: draft.chips[draft.banker] + price}
    if any(points >= low for seat, points in after.items() if seat != buyer):
        return None
    text = Text(
        "si vende la banca nadie llega a la apuesta mínima contra ella: conserve la banca o espere a otro",
        "if the bank is sold nobody can make the least bet against it: keep it or wait for another player",
    )
    return RuleViolation("SYM-08", text, code="nobody_left_to_play", field="do")


def _allowed(turn: Due) -> tuple[str, ...]:
    if turn.kind == "sale":
        return ("sell", "keep")
    return ("draw", "stand", "split") if turn.seat else ("draw", "stand")


def _not_deciding(turn: Due, decider: int) -> RuleViolation:
    if turn.kind in ("choice", "sale"):
        n = turn.hand + 1
        why = Text(f"decide el asiento {decider}, mano {n}", f"seat {decider} decides, hand {n}")
    elif turn.kind == "card":
        why = Text(f"falta una carta {_to(turn).es}", f"a card is due {_to(turn).en}")
    elif turn.kind == "join":
        why = Text("todavía no hay cartas", "there are no cards yet")
    else:
        why = _WAITS[turn.kind].fill(seat=decider)
    rule = {"sale": "SYM-08", "settle": "SYM-05", "bank": "SYM-02", "join": "SYM-03"}.get(turn.kind, "SYM-04")
    text = Text("no le toca decidir: {why}", "it is not theirs to decide: {why}").fill(why=why)
    return RuleViolation(rule, text, code="not_your_turn", field="seat")


def _wrong_choice(turn: Due, do: str) -> RuleViolation:
    allowed = _allowed(turn)
    listed_es = ", ".join(CHOICES[one].es for one in allowed)
    listed_en = ", ".join(CHOICES[one].en for one in allowed)
    rule = "SYM-08" if turn.kind == "sale" or do in ("sell", "keep") else "SYM-05"
    return RuleViolation(
        rule,
        Text(f"aquí no cabe «{CHOICES[do].es}»: {listed_es}", f"no “{CHOICES[do].en}” here: {listed_en}"),
        code="choice_not_open",
        field="do",
    )


def require_cards_left(draft: Draft) -> None:
    """Refuse drawing from a pack that is all on the table (CARD-42)."""
    if len(seen(draft)) >= len(VALUES):
        raise RuleViolation(
            "CARD-42",
            Text("no quedan cartas: sólo cabe plantarse", "no cards are left: one can only stand"),
            code="no_cards_left",
            field="do",
        )


def cannot_split(draft: Draft, place: Place) -> RuleViolation | None:
    """SYM-10: an option; two court cards, and points for as much on the second hand."""
    seat = place[0]
    if not draft.rules.split_court_cards:
        text = Text("en esta mesa no se abre", "at this table hands are not split")
        return RuleViolation("SYM-10", text, code="no_splitting", field="do")
    lying = draft.hands[place]
    if len(lying) != 2 or not all(is_court(card) for card in lying):
        text = Text("sólo se abre con dos figuras", "only two court cards are split")
        return RuleViolation("SYM-10", text, code="not_two_courts", field="do")
    if draft.detail is Detail.FULL:
        hands = 1 + sum(1 for at, _ in draft.hands if at == seat)
        needed = draft.stakes[seat] * hands
        if needed > most_bet(draft, seat):
            each = money_words(draft.stakes[seat], draft.terms.exponent)
            text = Text(
                f"el asiento {seat} no tiene otros {each.es} para la mano que abre",
                f"seat {seat} has not another {each.en} for the hand it opens",
            )
            return RuleViolation("SYM-10", text, code="not_enough_points", field="do")
    return None


def _split(draft: Draft, place: Place) -> None:
    obstacle = cannot_split(draft, place)
    if obstacle is not None:
        raise obstacle
    seat = place[0]
    hands = sum(1 for at, _ in draft.hands if at == seat)
    draft.hands[seat, hands] = [draft.hands[place].pop()]


_RESULT_KEYS = frozenset({"e", "winner", "at", "by"})


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """What was announced: the bank took all bets, paid all, or some of each (SYM-06)."""
    require_announced(draft.detail, bool(draft.result), "SYM-06")
    reading.known_keys(event, _RESULT_KEYS)
    draft.result = reading.one_of(event.get("winner"), "winner", tuple(WINNERS))
    return {"e": "result", "winner": draft.result}


def cannot_undo(draft: Draft, entry: Mapping[str, Any]) -> RuleViolation | None:
    """A bet, an offer and who plays stand once a card has come after (SYM-04): whoever saw it would choose
    again."""
    if entry["e"] not in ("bet", "offer", "chips", "in"):
        return None
    for later in reversed(draft.log):
        if later is entry:
            return None
        if later["e"] == "card":
            break
    return RuleViolation(
        "SYM-04",
        Text(
            "ya salieron cartas: lo apostado y lo ofrecido quedan como están; si la mano no vale, abandónela",
            "cards came after it: what was bet and offered stands; if the hand is not valid, abandon it",
        ),
        code="undo_too_late",
        field="of",
    )
