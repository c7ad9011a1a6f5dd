"""What can still be in a shoe: every card that comes out must be able to (CARD-42).

The first half is pure: a `Count` and what happens to it. The second half stores it for the room
above: each function takes a `Shoe` row the caller has locked FOR UPDATE in its own transaction,
changes its counters, and writes them with one UPDATE. Those functions put nothing on the trail: the
caller's event tells of the cards.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import connection

from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.statements import Write, together
from casino.kernel.words import Text
from shoes import cards as catalogue
from shoes.models import Shoe
from shoes.points import points_of
from shoes.procedures import procedure_of

CONSERVATION = "CARD-42"


@dataclass(frozen=True, slots=True)
class Count:
    """Where the cards of a pack are; `seen` holds how often each known face (or value) came out.

    `complete` is false once a card came out that nobody named in full: then `remaining` is the most
    there can be. `dealt` lie on the table, `discarded` in the discard holder. A covered card is out like
    any other, its face unseen until it is shown, as those burned face down.
    """

    deck_type: str
    decks: int
    seen: Mapping[str, int]
    dealt: int
    burned: int
    discarded: int
    remaining: int
    stop_at: int
    stop_marked: bool
    complete: bool

    @property
    def total(self) -> int:
        return self.dealt + self.burned + self.discarded + self.remaining

    @property
    def out(self) -> int:
        return self.dealt + self.burned + self.discarded

    @property
    def stop_reached(self) -> bool:
        """Whether the stop card is in view: somebody saw it, or no card before it is left."""
        return self.stop_marked or self.remaining <= self.stop_at


def take(count: Count, cards: Sequence[str]) -> Count:
    """The count after canonical `cards` were dealt, some of them covered perhaps.

    Raises `RuleViolation` CARD-42 (code `impossible_card`, field `card`) for a card the shoe cannot
    hold any more; the message says which and the figures.
    """
    seen = _see(count, cards)
    return replace(
        count,
        seen=seen,
        dealt=count.dealt + len(cards),
        remaining=count.remaining - len(cards),
        complete=count.complete and not any(map(catalogue.is_value_card, cards)),
    )


def show(count: Count, faces: Sequence[str]) -> Count:
    """The count after covered cards on the table were turned over: their `faces` are seen.

    Raises `RuleViolation` CARD-42 (code `impossible_card`) as `take` does.
    """
    return replace(count, seen=_faces(count, faces))


def hide(count: Count, faces: Sequence[str]) -> Count:
    """The count with cards covered again whose showing was struck out.

    Raises `Refused` (code `card_not_dealt`) for a face that was not seen.
    """
    return replace(count, seen=_unsee(count, faces))


def reshuffled(count: Count) -> Count:
    """The whole pack again, every card in it: shuffled after a round of a game that deals anew each time."""
    return replace(count, seen={}, dealt=0, burned=0, discarded=0, remaining=count.total, complete=True)


def returned(count: Count, burned: Sequence[str]) -> Count:
    """The count after the discard holder was emptied into a machine that serves as shoe (CARD-34): its cards
    can come again, so of those seen only the faces `burned` are still known to be out."""
    if count.dealt:
        raise ValueError("cards still lie on the table")
    return shuffled_in(count, burned)


def shuffled_in(count: Count, out: Sequence[str]) -> Count:
    """The count after the discards went back into a shoe, as where it ran out in the middle of a round: what
    is known to be `out` are the faces on the table and those burned."""
    return replace(
        count,
        seen=dict(Counter(out)),
        discarded=0,
        remaining=count.remaining + count.discarded,
        complete=not any(map(catalogue.is_value_card, out)),
    )


def take_unseen(count: Count, number: int) -> Count:
    """The count after at least `number` cards were dealt that nobody named."""
    _check_left(count, number)
    return replace(count, dealt=count.dealt + number, remaining=count.remaining - number, complete=False)


def burn(count: Count, *, known: Sequence[str], out: int) -> Count:
    """The count after `out` cards left for the burn, of which the faces `known` were seen."""
    if len(known) > out:
        raise ValueError("more faces than cards")
    _check_left(count, out)
    return replace(count, seen=_see(count, known), burned=count.burned + out, remaining=count.remaining - out)


def collect(count: Count) -> Count:
    """The count after the cards on the table went into the discard holder."""
    return replace(count, dealt=0, discarded=count.discarded + count.dealt)


def put_back(count: Count, cards: Sequence[str]) -> Count:
    """The count without `cards`, which were logged by mistake in the round in progress.

    Raises `Refused` (code `card_not_dealt`) for a card that was not dealt.
    """
    seen = _unsee(count, cards)
    if len(cards) > count.dealt:
        raise _not_dealt(count, cards[-1])
    return replace(count, seen=seen, dealt=count.dealt - len(cards), remaining=count.remaining + len(cards))


def unplay(count: Count, *, known: Sequence[str], out: int) -> Count:
    """The count without a round of `out` cards, of which `known` were seen, that was logged and
    collected but never played. Raises `Refused` (code `card_not_dealt`) for cards not discarded."""
    if not len(known) <= out <= count.discarded:
        raise ValueError("a round takes back no more cards than lie discarded")
    lying = replace(count, dealt=count.dealt + out, discarded=count.discarded - out)
    back = put_back(lying, known)
    unseen = out - len(known)
    return replace(back, dealt=back.dealt - unseen, remaining=back.remaining + unseen)


def unburn(count: Count, cards: Sequence[str]) -> Count:
    """The count without `cards`, whose burn was logged by mistake; the real cards never moved.

    Raises `Refused` (code `card_not_dealt`) for a card that was not burned.
    """
    if len(cards) > count.burned:
        raise _not_dealt(count, cards[-1])
    back = put_back(replace(count, dealt=count.dealt + len(cards)), cards)
    return replace(back, burned=count.burned - len(cards))


def left(count: Count) -> dict[str, int]:
    """How many of each card may still be inside (the most, where the count is not complete)."""
    return {
        card: held - count.seen.get(card, 0)
        for card, held in catalogue.composition(count.deck_type, count.decks).items()
    }


def _see(count: Count, cards: Iterable[str]) -> dict[str, int]:
    cards = list(cards)
    _check_left(count, len(cards), cards)
    return _faces(count, cards)


def _faces(count: Count, cards: Iterable[str]) -> dict[str, int]:
    faces = [card for card in cards if card != catalogue.COVERED]
    kind = catalogue.deck_type(count.deck_type)
    seen = dict(count.seen)
    for card in faces:
        seen[card] = seen.get(card, 0) + 1
        if not catalogue.is_value_card(card):
            held = count.decks if kind.holds(card) else 0
            if seen[card] > held:
                raise _impossible(count, card, seen[card], held)
    if any(map(catalogue.is_value_card, seen)):
        _check_values(count, seen, faces)
    return seen


def _unsee(count: Count, cards: Iterable[str]) -> dict[str, int]:
    seen = dict(count.seen)
    for card in cards:
        if card == catalogue.COVERED:
            continue
        if seen.get(card, 0) < 1:
            raise _not_dealt(count, card)
        seen[card] -= 1
        if not seen[card]:
            del seen[card]
    return seen


def _check_values(count: Count, seen: Mapping[str, int], cards: Iterable[str]) -> None:
    # A card of which only the value is known could be any of its suits, so the value's own total
    # is all it can be held against.
    held, came = [0] * 10, [0] * 10
    for card, number in catalogue.composition(count.deck_type, count.decks).items():
        held[points_of(card)] += number
    for card, number in seen.items():
        came[points_of(card)] += number
    for card in cards:
        value = points_of(card)
        if came[value] > held[value]:
            raise _impossible(count, f"v{value}", came[value], held[value])


def _check_left(count: Count, number: int, cards: Sequence[str] = ()) -> None:
    if number < 0:
        raise ValueError("cards do not come out backwards")
    if number > count.remaining:
        raise RuleViolation(
            CONSERVATION,
            Text(
                f"salen {number} cartas y según el conteo quedan {count.remaining} de {count.total}; revise"
                " o, si el sabot se acabó, devuélvale los descartes barajados y cortados",
                f"{number} cards come out; by the count {count.remaining} of {count.total} are left; check"
                " or, if the shoe ran out, give it back the discards shuffled and cut",
            ),
            {"cards": list(cards), "number": number, "remaining": count.remaining, "total": count.total},
            code="impossible_card",
            field="card",
        )


def _impossible(count: Count, card: str, nth: int, held: int) -> RuleViolation:
    name = catalogue.name(card, catalogue.deck_type(count.deck_type))
    return RuleViolation(
        CONSERVATION,
        Text(
            f"«{name.es}» saldría por {nth}.ª vez y en {_decks(count, 'baraja')} hay {held};"
            " revise la carta leída",
            f"“{name.en}” would come out for time no. {nth} and {_decks(count, 'deck')} hold {held};"
            " check the card read",
        ),
        {"card": card, "would_be": nth, "held": held, "decks": count.decks, "remaining": count.remaining},
        code="impossible_card",
        field="card",
    )


def _decks(count: Count, word: str) -> str:
    return f"{count.decks} {word}{'s' if count.decks > 1 else ''}"


def _not_dealt(count: Count, card: str) -> Refused:
    name = catalogue.name(card, catalogue.deck_type(count.deck_type))
    return Refused(
        Text(f"«{name.es}» no salió del sabot", f"“{name.en}” did not come out of the shoe"),
        code="card_not_dealt",
        field="card",
        rule=CONSERVATION,
    )


# ---- stored ---------------------------------------------------------------------------------------

COUNTERS = [
    "seen",
    "dealt",
    "burned",
    "discarded",
    "remaining",
    "count_complete",
    "stop_at",
    "stop_marked",
    "stop_reached",
]


def count_of(shoe: Shoe) -> Count:
    """The count a shoe's row holds."""
    return Count(
        deck_type=shoe.deck_type,
        decks=shoe.decks_wanted,
        seen=shoe.seen,
        dealt=shoe.dealt,
        burned=shoe.burned,
        discarded=shoe.discarded,
        remaining=shoe.remaining,
        stop_at=shoe.stop_at,
        stop_marked=shoe.stop_marked,
        complete=shoe.count_complete,
    )


def apply(shoe: Shoe, count: Count) -> None:
    """Put a count on the row in memory."""
    shoe.seen = dict(count.seen)
    shoe.dealt, shoe.burned, shoe.discarded = count.dealt, count.burned, count.discarded
    shoe.remaining, shoe.count_complete = count.remaining, count.complete
    shoe.stop_at, shoe.stop_marked, shoe.stop_reached = count.stop_at, count.stop_marked, count.stop_reached


def change(shoe: Shoe, count: Count) -> Count:
    """The new `count` of a shoe in play, made of `count_of(shoe)`; stored by one UPDATE.

    `shoe` is locked by the caller. Raises `Conflict` (code `shoe_not_in_play`).
    """
    _require_in_play(shoe)
    return _store(shoe, count)


def end_round(count: Count, *, reshuffles: bool) -> Count:
    """The count after a round: its cards in the discard holder, or the whole pack shuffled again."""
    return reshuffled(count) if reshuffles else collect(count)


def discard(shoe: Shoe, *, reshuffles: bool = False) -> Count:
    """The round is over: the cards on the table go into the discard holder, or back into the pack."""
    return _store(shoe, end_round(count_of(shoe), reshuffles=reshuffles))


def require_round_may_start(shoe: Shoe) -> None:
    """Raise `Conflict` unless a round may be opened with this shoe.

    Codes: `shoe_not_in_play`, `shoe_finished` (the stop card was seen: CARD-38, CARD-39, CARD-20).
    """
    _require_in_play(shoe)
    if shoe.stop_reached and not keeps_stop_card(shoe):
        raise Conflict(
            Text(
                f"{shoe.label} quedó sin cartas; devuélvale las del descartador o ponga otro",
                f"{shoe.label} is out of cards; give it back those of the discard holder or use another",
            ),
            code="shoe_finished",
            rule=procedure_of(shoe.game, shoe.method).holder_rule or procedure_of(shoe.game).stop_rule,
        )
    if shoe.stop_reached:
        raise Conflict(
            Text(
                f"apareció la carta de detención de {shoe.label}; ponga otro sabot para abrir un pase",
                f"the stop card of {shoe.label} has appeared; put in another shoe to open a round",
            ),
            code="shoe_finished",
            rule=procedure_of(shoe.game).stop_rule,
        )


def keeps_stop_card(shoe: Shoe) -> bool:
    """Whether a stop card lies in the pack; none does in a machine, or in one dealt from the hand."""
    return shoe.stop_at > 0


def _require_in_play(shoe: Shoe) -> None:
    if shoe.state != Shoe.State.IN_PLAY:
        raise not_in_play(shoe)


def not_in_play(shoe: Shoe) -> Conflict:
    return Conflict(
        Text(f"el sabot {shoe.label} no está en juego", f"shoe {shoe.label} is not in play"),
        code="shoe_not_in_play",
    )


def _store(shoe: Shoe, count: Count) -> Count:
    if not connection.in_atomic_block:
        raise RuntimeError("cards come out inside the transaction of the act that tells of them")
    together([entry(shoe, count)])
    return count


def entry(shoe: Shoe, count: Count) -> Write:
    """A count put on the row in memory, and the UPDATE that stores it, as a part of a larger statement."""
    apply(shoe, count)
    values = {name: getattr(shoe, name) for name in COUNTERS}
    return Write(_ENTRY, {**values, "seen": json.dumps(shoe.seen), "id": shoe.pk})


_ENTRY = """
shoe AS (
    UPDATE shoes_shoe SET seen = %(seen)s::jsonb, dealt = %(dealt)s::smallint, burned = %(burned)s::smallint,
        discarded = %(discarded)s::smallint, remaining = %(remaining)s::smallint,
        count_complete = %(count_complete)s::boolean, stop_at = %(stop_at)s::smallint,
        stop_marked = %(stop_marked)s::boolean, stop_reached = %(stop_reached)s::boolean
    WHERE id = %(id)s::bigint
)"""
