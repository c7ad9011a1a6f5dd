"""The kinds of step a pack goes through: what each asks, and what the rules say of the answer.

Pure. A kind is a frozen dataclass whose fields are the rule's numbers; a game's procedure
(`shoes.procedures`) is a list of steps made of these kinds. `read()` takes what the person gave and
returns it in canonical form, or raises: `Refused` when it cannot be understood, `RuleViolation`
when the rule forbids it.

What the stored step means for the shoe is in the keys `read()` returns:
`serials` the decks that join, `stop_card_from_end` where the stop card sits, `out` how many cards
left the shoe and `known` which of them were seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from casino.kernel import texts
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes import cards
from shoes.points import points_of

DEALER = "dealer"
MOST_SERIALS = 20


@dataclass(frozen=True, slots=True)
class Pack:
    """The pack as a step sees it: its deck type, the decks in it and the decks it must have."""

    deck_type: str
    decks: int
    decks_wanted: int

    @property
    def cards(self) -> int:
        return self.decks * len(cards.deck_type(self.deck_type).cards)


@dataclass(frozen=True, slots=True)
class Field:
    """Something a step asks. `kind`: serials, choice, number, seats, cutter or card."""

    name: str
    kind: str
    words: Text
    choices: tuple[tuple[str, Text], ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A step that asks nothing: signing it says it was done."""

    fields: ClassVar[tuple[Field, ...]] = ()

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    def enough(self, pack: Pack, times: int) -> bool:
        """Whether the step, done so many times in a row, may be left behind."""
        return times >= 1


@dataclass(frozen=True, slots=True)
class AddDecks(Kind):
    """Inspected decks join the pack until it has as many as it must."""

    rule: str
    fields: ClassVar = (
        Field("serials", "serials", Text("Series de las barajas", "Serial numbers of the decks")),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        given = data.get("serials")
        if not isinstance(given, list | tuple) or not 1 <= len(given) <= MOST_SERIALS:
            raise _bad("serials", "indique las series de las barajas", "give the serial numbers of the decks")
        serials = [texts.line(serial, "serials", 40, code="bad_step_data") for serial in given]
        if len(set(serials)) < len(serials):
            raise _bad("serials", "una serie está repetida", "a serial number is repeated")
        if pack.decks + len(serials) > pack.decks_wanted:
            raise RuleViolation(
                self.rule,
                Text(
                    f"el sabot lleva {pack.decks_wanted} barajas: tiene {pack.decks} y llegan {len(serials)}",
                    f"the shoe takes {pack.decks_wanted} decks: it has {pack.decks} and {len(serials)} come",
                ),
                {"wanted": pack.decks_wanted, "has": pack.decks, "added": len(serials)},
                code="too_many_decks",
                field="serials",
            )
        return {"serials": serials}

    def enough(self, pack: Pack, times: int) -> bool:
        return pack.decks == pack.decks_wanted


@dataclass(frozen=True, slots=True)
class Times(Kind):
    """A step done so many times at least (a chemin wash)."""

    at_least: int = 1

    def enough(self, pack: Pack, times: int) -> bool:
        return times >= self.at_least


@dataclass(frozen=True, slots=True)
class Shuffle(Kind):
    """A normal shuffle of one of the kinds the rule allows."""

    rule: str
    kinds: tuple[str, ...] = ("double", "triple")
    at_least: int = 1
    fields: ClassVar = (
        Field(
            "kind",
            "choice",
            Text("Barajado", "Shuffle"),
            (("double", Text("doble", "double")), ("triple", Text("triple", "triple"))),
        ),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        kind = data.get("kind")
        if kind not in self.kinds:
            raise RuleViolation(
                self.rule,
                Text("el barajado normal es doble o triple", "the normal shuffle is double or triple"),
                {"allowed": list(self.kinds)},
                code="shuffle_not_allowed",
                field="kind",
            )
        return {"kind": kind}

    def enough(self, pack: Pack, times: int) -> bool:
        return times >= self.at_least


@dataclass(frozen=True, slots=True)
class ShuffleByHand(Kind):
    """The shuffle that is suggested, another one (observed, not refused), or a machine's."""

    rule: str
    at_least: int = 1
    fields: ClassVar = (
        Field(
            "kind",
            "choice",
            Text("Barajado", "Shuffle"),
            (
                ("suggested", Text("3 barajados, 1 peinado, 2 barajados", "3 shuffles, 1 strip, 2 shuffles")),
                ("other", Text("otra secuencia", "another sequence")),
                ("machine", Text("máquina electromecánica", "electromechanical machine")),
            ),
        ),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        # CARD-17 flags, it does not refuse: which sequence it was is signed with the step.
        kind, known = data.get("kind"), [code for code, _ in self.fields[0].choices]
        if kind not in known:
            raise _bad("kind", f"indique uno de {', '.join(known)}", f"give one of {', '.join(known)}")
        return {"kind": kind}

    def enough(self, pack: Pack, times: int) -> bool:
        return times >= self.at_least


@dataclass(frozen=True, slots=True)
class Cut(Kind):
    """Who was offered the cut and at how many cards it was made.

    Seats are numbered from the dealer's left, clockwise. `offers`: up where the cut is offered from the
    dealer's left, down where from the right, any where no rule says. `centre_parts`: the dealer's centre
    cut may be off the middle by the pack's cards divided by this (ours: the book says "at the centre" and
    nobody counts 156 cards); 0 where no rule wants it at the centre.
    """

    seats: int
    min_from_end: int
    centre_parts: int = 8
    offers: str = "up"
    offer_rule: str = "CARD-23"
    min_rule: str = "CARD-25"
    centre_rule: str = "CARD-22"
    fields: ClassVar = (
        Field("declined", "seats", Text("Declinaron el corte", "Declined the cut")),
        Field("cut_by", "cutter", Text("Cortó", "Cut by")),
        Field("position", "number", Text("Cartas sobre el corte", "Cards above the cut")),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        declined: Any = data.get("declined", [])
        cut_by: Any = data.get("cut_by")
        if not isinstance(declined, list | tuple) or not all(self._is_seat(seat) for seat in declined):
            raise self._no_such_seat("declined")
        if cut_by != DEALER and not self._is_seat(cut_by):
            raise self._no_such_seat("cut_by")
        self._check_offers([*declined] if cut_by == DEALER else [*declined, cut_by])
        position = _number(data, "position")
        self._check_position(pack.cards, position, by_dealer=cut_by == DEALER)
        return {"declined": list(declined), "cut_by": cut_by, "position": position}

    def _is_seat(self, seat: object) -> bool:
        return isinstance(seat, int) and not isinstance(seat, bool) and 1 <= seat <= self.seats

    def _no_such_seat(self, field: str) -> Refused:
        return _bad(
            field,
            f"indique puestos del 1 al {self.seats}, o el croupier",
            f"give seats 1 to {self.seats}, or the dealer",
        )

    def _check_offers(self, offered: list[int]) -> None:
        # CARD-23: seats count from the dealer's left clockwise, so offers only ever go up; CARD-30: down.
        turn = {"up": 1, "down": -1}.get(self.offers)
        if turn and any((later - earlier) * turn <= 0 for earlier, later in pairwise(offered)):
            raise RuleViolation(
                self.offer_rule,
                _FROM_THE_LEFT if turn > 0 else _FROM_THE_RIGHT,
                {"offered": offered},
                code="cut_offered_out_of_order",
                field="declined",
            )

    def _check_position(self, total: int, position: int, *, by_dealer: bool) -> None:
        least, most = self.min_from_end, total - self.min_from_end
        if not least <= position <= most:
            raise RuleViolation(
                self.min_rule,
                Text(
                    f"deje al menos {least} cartas a cada lado: en {total}, corte entre {least} y {most}",
                    f"leave at least {least} cards on each side: in {total}, cut between {least} and {most}",
                ),
                {"position": position, "least": least, "most": most},
                code="cut_too_near_end",
                field="position",
            )
        if by_dealer and self.centre_parts and abs(2 * position - total) * self.centre_parts > 2 * total:
            off = total // self.centre_parts
            raise RuleViolation(
                self.centre_rule,
                Text(
                    f"si nadie corta, el croupier corta al centro: a {total // 2} cartas, {off} más o menos",
                    f"if nobody cuts, the dealer cuts at the centre: at {total // 2}, give or take {off}",
                ),
                {"position": position, "centre": total // 2, "tolerance": off},
                code="cut_off_centre",
                field="position",
            )


_FROM_THE_LEFT = Text(
    "el corte se ofrece desde la izquierda del croupier, en sentido horario, una sola vez",
    "the cut is offered from the dealer's left, clockwise, once to each",
)
_FROM_THE_RIGHT = Text(
    "el corte se ofrece desde la derecha del croupier, una sola vez a cada uno",
    "the cut is offered from the dealer's right, once to each",
)


@dataclass(frozen=True, slots=True)
class Load(Kind):
    """The stop card over the last cards, and the pack into its box."""

    stop_from_end: int
    rule: str
    fields: ClassVar = (
        Field(
            "stop_card_from_end",
            "number",
            Text("Cartas bajo la carta de detención", "Cards under the stop card"),
        ),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        given = _number(data, "stop_card_from_end")
        if given != self.stop_from_end:
            raise RuleViolation(
                self.rule,
                Text(
                    f"la carta de detención va sobre las {self.stop_from_end} últimas; se indicó {given}",
                    f"the stop card goes over the last {self.stop_from_end}; {given} was given",
                ),
                {"wanted": self.stop_from_end, "given": given},
                code="stop_card_misplaced",
                field="stop_card_from_end",
            )
        return {"stop_card_from_end": given}


@dataclass(frozen=True, slots=True)
class LoadBetween(Kind):
    """The stop card (or separator) with no fewer and no more cards behind it, and the pack into its box.

    The most is `most` cards, or else `most_percent` of the pack and `tolerance` cards more.
    """

    rule: str
    least: int
    most: int = 0
    most_percent: int = 0
    tolerance: int = 0
    fields: ClassVar = Load.fields

    def most_in(self, pack: Pack) -> int:
        """The most cards that may lie behind the card."""
        return self.most or pack.cards * self.most_percent // 100 + self.tolerance

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        given, most = _number(data, "stop_card_from_end"), self.most_in(pack)
        if not self.least <= given <= most:
            raise RuleViolation(
                self.rule,
                Text(
                    f"detrás de la carta quedan de {self.least} a {most} cartas; se indicó {given}",
                    f"{self.least} to {most} cards lie behind the card; {given} was given",
                ),
                {"least": self.least, "most": most, "given": given},
                code="stop_card_misplaced",
                field="stop_card_from_end",
            )
        return {"stop_card_from_end": given}


@dataclass(frozen=True, slots=True)
class Burn(Kind):
    """So many cards burned face down, always the same number."""

    rule: str
    cards: int
    fields: ClassVar = (Field("burned", "number", Text("Cartas quemadas", "Cards burned")),)

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        burned = _number(data, "burned")
        if burned != self.cards:
            raise RuleViolation(
                self.rule,
                Text(
                    f"en este juego se queman {self.cards}; se indicó {burned}",
                    f"in this game {self.cards} are burned; {burned} was given",
                ),
                {"wanted": self.cards, "given": burned},
                code="burn_count_wrong",
                field="burned",
            )
        return {"burned": burned, "known": [], "out": burned}


@dataclass(frozen=True, slots=True)
class BurnByValue(Kind):
    """The first card is turned and as many are burned as its value, courts and tens counting ten."""

    rule: str
    court_value: int = 10
    fields: ClassVar = (
        Field("card", "card", Text("Carta descubierta", "Card turned")),
        Field("burned", "number", Text("Cartas quemadas", "Cards burned")),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        kind = cards.deck_type(pack.deck_type)
        card = cards.parse(data.get("card"), kind)
        if cards.is_value_card(card):
            raise _bad(
                "card",
                "indique valor y palo de la carta descubierta",
                "give rank and suit of the card turned",
            )
        wanted = points_of(card) or self.court_value
        burned = _number(data, "burned")
        if burned != wanted:
            name = cards.name(card, kind)
            raise RuleViolation(
                self.rule,
                Text(
                    f"con {name.es} se queman {wanted}; se indicó {burned}",
                    f"with the {name.en}, {wanted} are burned; {burned} was given",
                ),
                {"card": card, "wanted": wanted, "given": burned},
                code="burn_count_wrong",
                field="burned",
            )
        # The turned card does not go back: it leaves the shoe with the ones burned for it.
        return {"card": card, "burned": burned, "known": [card], "out": burned + 1}


def _number(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value) if len(value.strip()) <= 6 else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _bad(name, "indique un número de cartas", "give a number of cards")
    return value


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_step_data", field=field)
