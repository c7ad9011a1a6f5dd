"""A hand dealt the wrong number of cards: a seat's is dead, the dealer's voids the whole deal.

    misdeal {seat, count}           the hand of a seat: its bets go back, it takes no further part
    misdeal {to: dealer, count}     every bet goes back; the players' hands may still be shown (PP-02)

`count` is how many cards lie there, where the log may say otherwise: the cards of the pack are counted by it
(CARD-42). The Bolivian text has no rule of wrong counts; the operator's is applied under GEN-08. It is an
event of its own, and no note, since notes change nothing and those of stored rounds never will.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import Detail, refuse_detail
from tables.games.house_poker import course
from tables.games.house_poker.betting import only_hand
from tables.games.house_poker.kinds import DEALER, Kind
from tables.games.house_poker.state import Draft, Place
from tables.games.staking import seat_of

RULE = "GEN-08"
PACK = 52

_KEYS = frozenset({"e", "to", "seat", "hand", "count", "at", "by"})


def misdeal(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A hand found with a wrong number of cards, at any moment from the first card on."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _KEYS)
    seat = _whose(draft, event)
    if course.due(draft).phase == course.BETS or not _dealt(draft):
        raise _refused(Text("todavía no se repartió ninguna carta", "no card is dealt yet"), "not_in_play")
    place = draft.places.get(seat) if seat else draft.house
    if place is None:
        raise _refused(Text(f"el asiento {seat} no juega", f"seat {seat} does not play"), "not_in_play")
    _may_be_misdealt(place, seat)
    known = len(place.cards) - place.covered
    elsewhere = _dealt(draft) - len(place.cards)
    count = reading.integer(event.get("count"), "count", known, PACK - elsewhere)
    if count == draft.kind.cards == len(place.cards):
        raise _refused(
            Text(
                f"{count} cartas son las que lleva esa mano: no está mal repartida",
                f"{count} cards are what that hand has: it is not misdealt",
            ),
            "count_is_right",
            "count",
        )
    wrong = place._replace(found=count)
    if not seat:
        draft.house = wrong
        return {"e": "misdeal", "to": DEALER, "count": count}
    draft.places[seat] = wrong
    return {"e": "misdeal", "seat": seat, "count": count}


def _whose(draft: Draft, event: Mapping[str, Any]) -> int:
    """The seat, 0 for the dealer."""
    to = reading.one_of(event.get("to", "seat"), "to", _hands_of(draft.kind))
    if to == DEALER and event.get("seat") is None:
        return 0
    only_hand(event, draft.kind)
    return seat_of(event.get("seat"), draft.terms, draft.kind.seats_rule)


def _hands_of(kind: Kind) -> tuple[str, ...]:
    return ("seat", DEALER) if kind.dealer else ("seat",)


def _dealt(draft: Draft) -> int:
    """How many cards of the pack are out, by the log and by what was found."""
    places = (*draft.places.values(), draft.house)
    lying = sum(len(place.cards) if place.found is None else place.found for place in places)
    return lying + sum(place.discarded for place in places) + len(draft.board)


def _may_be_misdealt(place: Place, seat: int) -> None:
    if place.dead:
        raise _refused(
            Text(
                "esa mano ya está anotada como mal repartida; para corregirla anule ese registro",
                "that hand is noted as misdealt already; to correct it undo that entry",
            ),
            "dead_hand",
        )
    if place.folded:
        raise _refused(
            Text(
                f"el asiento {seat} se retiró y sus cartas están en el descarte: ya no se cuentan",
                f"seat {seat} folded and its cards are among the discards: they are not counted any more",
            ),
            "folded_hand",
        )


def refuse_dead(place: Place, seat: int) -> None:
    """Nothing more is done with a hand that was misdealt."""
    if place.dead:
        whose = (
            Text(f"del asiento {seat}", f"of seat {seat}") if seat else Text("del croupier", "of the dealer")
        )
        text = Text(
            "la mano {whose} está muerta por mal reparto: sus apuestas vuelven y no juega",
            "the hand {whose} is dead, misdealt: its bets go back and it does not play",
        )
        raise _refused(text.fill(whose=whose), "dead_hand")


def _refused(text: Text, code: str, field: str = "seat") -> RuleViolation:
    return RuleViolation(RULE, text, code=code, field=field)


def found(of: course.Round) -> dict[str, int]:
    """The hands that were misdealt and how many cards each had: `{"1": 6}`, `{"dealer": 4}`."""
    told = {str(seat): place.found for seat, place in of.places.items() if place.found is not None}
    if of.house.found is not None:
        told[DEALER] = of.house.found
    return told


def words(whose: str, count: int) -> Text:
    """«mano del asiento 1, muerta: 6 cartas»."""
    if whose == DEALER:
        return Text(
            f"el croupier tiene {count} cartas: reparto nulo, vuelven todas las apuestas",
            f"the dealer has {count} cards: the deal is void, all bets go back",
        )
    return Text(
        f"el asiento {whose} tiene {count} cartas: mano muerta, vuelven sus apuestas",
        f"seat {whose} has {count} cards: a dead hand, its bets go back",
    )
