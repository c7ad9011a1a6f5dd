"""Decks: received by two people, issued to a table with their seal read: all before a deck is opened;
what two people find in it is `shoes.examining`, what the store does with it otherwise `shoes.store`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.models import Actor
from casino.kernel import texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino
from shoes import actions, backs, cards, incidents, moving, places, policies, signing
from shoes import homologation as homologations
from shoes import seals as sealing
from shoes.models import Deck, DeckMove
from shoes.saying import some

MOST_AT_ONCE = moving.MOST_AT_ONCE
Kind = DeckMove.Kind


@command(policies.REGISTER_DECKS)
def register_decks(
    *,
    serials: Sequence[str],
    maker: str,
    batch: str,
    back_design: str,
    back_colour: str,
    homologation: str,
    received_with: Actor,
    by: By,
    seals: Sequence[str] = (),
    declared: int | None = None,
    deck_type: str = "french52",
) -> list[Deck]:
    """Enter received decks, one per serial number, into the store (CARD-01) before two people (CARD-02).

    `seals`: the numbers on their closed boxes, in the order of `serials`; left out, each box bears its serial
    number. `homologation`: AJ's reference for these cards. `declared`: how many the delivery note says; any
    other number is entered all the same and opens an incident, to be told within 24 hours.

    Raises `Refused` (codes `bad_deck`, `serial_taken`, `seal_taken`, `unknown_deck_type`) and `RuleViolation`
    GEN-10 (`same_person`), CARD-02 (`same_department`), REC-09 (`not_approved`: `shoes.homologation`).
    """
    kind = cards.deck_type(deck_type)
    wanted = _checked(serials)
    closed = _checked_seals(seals, wanted)
    words = {
        "maker": maker,
        "batch": batch,
        "back_design": back_design,
        "back_colour": back_colour,
        "homologation": homologation,
    }
    told = {name: _checked_word(name, value) for name, value in words.items()}
    told["back_colour"] = colour_as_written(by.casino, told["back_colour"])
    signing.require_two_departments(by.actor, received_with, field="received_with")
    homologations.require(by.casino, told["maker"], kind.code, by.casino.gaming_day(by.occurred_at))
    _require_new(by, wanted, closed)
    decks = Deck.objects.bulk_create(
        Deck(casino=by.casino, serial=serial, deck_type=kind.code, registered_at=by.occurred_at, **told)
        for serial in wanted
    )
    note = {"deck_type": kind.code, "declared": declared, "received_with": received_with.as_dict(), **told}
    if declared is not None and declared != len(decks):
        incident = incidents.receipt_differs(decks, declared, by)
        note["incident"] = incident.label
    event = trail.record(
        actions.DECKS_REGISTERED,
        stream=moving.stream_of(decks[0]),
        subject=trail.Subject("deck_batch", decks[0].pk, told["batch"]),
        by=by,
        data={"count": len(decks), "serials": wanted, "seals": closed, **note},
        rules=["CARD-01", "CARD-02"],
    )
    seal_of = dict(zip((deck.pk for deck in decks), closed, strict=True))
    moving.move(
        decks, kind=Kind.RECEIVED, event=event, by=by, place=moving.STORE, seal=seal_of, second=received_with
    )
    return decks


@command(policies.ISSUE)
def issue_decks(*, seals: Mapping[str, str], place: str, received_by: Actor, by: By) -> list[Deck]:
    """Hand decks of the store to a table, or to the inspection desk; their boxes are still closed (CARD-03).

    `seals`: what is read on each box, by serial number. `place`: a table's name or `moving.DESK`.
    Raises `RuleViolation` CARD-03 (`seal_broken`, `seal_mismatch`), GEN-10 (`same_person`, `not_qualified`);
    `Refused` (`unknown_deck`, `unknown_place`, `no_decks`); `Conflict` for a deck that is elsewhere.
    """
    moving.require_some(seals)
    _require_place(by, place)
    signing.require_different(by.actor, received_by, field="received_by")
    signing.require_hands(received_by, field="received_by")
    decks = moving.lock_decks(by.casino, list(seals))
    moving.require_may(decks, Kind.ISSUED)
    for deck in decks:
        sealing.require_read(deck, str(seals[deck.serial]).strip())
    data = {"place": place, "received_by": received_by.as_dict()}
    event = moving.tell(
        actions.DECKS_ISSUED,
        decks,
        by=by,
        data=data,
        rules=["CARD-03", "CARD-04"],
        each={"seals": {deck.pk: deck.seal for deck in decks}},
    )
    moving.move(decks, kind=Kind.ISSUED, event=event, by=by, place=place, second=received_by)
    return decks


def colour_as_written(casino: Casino, colour: str) -> str:
    """A colour of backs as the house wrote it before: `Rojo` is `rojo` (CARD-01)."""
    known = Deck.objects.filter(casino=casino).order_by().values_list("back_colour", flat=True)
    return backs.as_written(colour, known.distinct())


def _require_place(by: By, place: str) -> None:
    if place not in places.of_decks(by.casino):
        raise Refused(
            Text(
                f"no hay mesa de cartas «{place[:20]}» en servicio; van a una que haya o a «{moving.DESK}»",
                f"there is no card table “{place[:20]}” in service; decks go to one or to “{moving.DESK}”",
            ),
            code="unknown_place",
            field="place",
            rule="CARD-03",
        )


def _checked(numbers: Sequence[str]) -> list[str]:
    wanted = [texts.line(number, "serials", 40, code="bad_deck", rule="CARD-01") for number in numbers]
    if not 1 <= len(wanted) <= MOST_AT_ONCE:
        raise Refused(
            Text(
                f"indique de 1 a {MOST_AT_ONCE} números de serie",
                f"give 1 to {MOST_AT_ONCE} serial numbers",
            ),
            code="bad_deck",
            field="serials",
        )
    twice = [number for number, times in Counter(wanted).items() if times > 1]
    if twice:
        raise _serial_taken(some(twice))
    return wanted


def _checked_seals(numbers: Sequence[str], serials: Sequence[str]) -> list[str]:
    if not numbers:
        return list(serials)
    closed = sealing.checked(numbers)
    if len(closed) != len(serials):
        raise Refused(
            Text(
                f"hay {len(serials)} series y {len(closed)} precintos; cada baraja trae el suyo",
                f"there are {len(serials)} serial numbers and {len(closed)} seals; each deck has its own",
            ),
            code="bad_deck",
            field="seals",
            rule="CARD-03",
        )
    return closed


def _require_new(by: By, serials: Sequence[str], closed: Sequence[str]) -> None:
    known = Deck.objects.filter(casino=by.casino, serial__in=serials)
    taken = list(known.order_by("serial").values_list("serial", flat=True))
    if taken:
        raise _serial_taken(some(taken))
    sealing.require_unused(by.casino, closed)


def _checked_word(name: str, value: str) -> str:
    column: Any = Deck._meta.get_field(name)
    return texts.line(value, name, column.max_length, code="bad_deck", rule="CARD-01")


def _serial_taken(serials: str = "") -> Refused:
    return Refused(
        Text(
            f"cada serie se registra una vez; ya está o se repite: {serials}",
            f"each serial number is entered once; taken or repeated: {serials}",
        ),
        code="serial_taken",
        rule="CARD-01",
        field="serials",
    )


explain_constraint("one_deck_per_serial", lambda: _serial_taken("—"))
