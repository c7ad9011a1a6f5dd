"""The closing inspection and count of a shoe by deck: a shortage is found here at the latest (CARD-43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F, Q, QuerySet

from audits import trail
from audits.by import By
from audits.models import Actor, Incident
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes import actions, cards, examining, holding, incidents, moving, policies, seals, signing
from shoes.floor import floor
from shoes.inspection import Findings, examine
from shoes.locked import lock_shoe
from shoes.models import Deck, DeckMove, Shoe
from shoes.saying import some

State = Deck.State
Kind = DeckMove.Kind


@command(policies.COUNT_SHOE)
def count_shoe(
    *,
    shoe: Shoe,
    found: Mapping[str, Mapping[str, Any]],
    inspector: Actor,
    witness: Actor,
    by: By,
) -> Shoe:
    """The closing inspection and count of an ended shoe, deck by deck (CARD-43).

    `found`: for each deck's serial number what `inspect_deck` takes of it (`counted`, `missing` …), and
    `seal`, the number of the seal it was closed with again, if any. A whole deck goes back to the store,
    without a seal where none was given. A missing, extra, marked or foreign card withdraws its deck, opens
    one incident tied to the rounds since the last good count, and stops the table that is still open.

    Raises as `inspect_deck` does, and `Conflict` (`shoe_not_ended`, `shoe_counted`, `nothing_to_count`),
    `Refused` (`count_of_other_decks`), `RuleViolation` CARD-43 (`cards_swapped`) for decks sorted one into
    another, CARD-12 (`fault_unanswered`) for a pack called whole although a fault in it was reported.
    """
    signing.require_two_people(inspector, witness, field="witness")
    signing.require_signer(by, inspector, witness)
    freeze = floor().hold_table(by.casino, shoe.played_table) if shoe.played_table else None
    shoe = lock_shoe(shoe, by)
    _require_uncounted(shoe)
    decks = moving.lock_decks(by.casino, sorted(found))
    _require_all(shoe, decks)
    results = {deck.serial: _examined(deck, found[deck.serial]) for deck in decks}
    _require_sorted(results)
    _require_answered(shoe, {deck.serial: results[deck.serial] for deck in decks if deck.state != State.HELD})
    closed = _closed_again(found, results, by)
    suspects = [deck for deck in decks if results[deck.serial].suspect]
    incident = None
    if suspects:
        faulty = {deck.serial: incidents.shown(deck, results[deck.serial]) for deck in suspects}
        stops = freeze is not None and floor().is_open(by.casino, shoe.played_table)
        incident = incidents.shoe_faulty(shoe, faulty, since_last_good(shoe), by, stops=stops)
        if freeze is not None and stops:
            freeze(incident)
    shoe.counted_at = by.occurred_at
    shoe.save(update_fields=["counted_at"])
    for deck in sorted(decks, key=lambda deck: (deck.batch, deck.pk)):  # streams in order of name
        result = results[deck.serial]
        mine = incident if result.suspect else None
        about: dict[str, Any] = {"witness": witness, "shoe": shoe, "incident": mine}
        examining.store_inspection(deck, result, inspector, witness, by, shoe=shoe)
        seal = closed.get(deck.serial, "") if deck.state == State.RETURNED else ""
        event = examining.tell_inspection(deck, result, inspector, witness, by, mine, shoe=shoe, seal=seal)
        if deck.state == State.RETURNED:
            examining.judge(deck, result, Kind.COUNTED, event, by, seal=seal, **about)
    _tell_count(shoe, decks, results, inspector, witness, by, incident)
    return shoe


def _closed_again(
    found: Mapping[str, Mapping[str, Any]], results: Mapping[str, Findings], by: By
) -> dict[str, str]:
    """The new seal of each whole deck that was given one (CARD-03), by serial number."""
    given = {serial: str(each.get("seal") or "").strip() for serial, each in found.items()}
    whole = [serial for serial, seal in given.items() if seal and results[serial].passed]
    numbers = seals.checked([given[serial] for serial in whole], field="found")
    seals.require_unused(by.casino, numbers, field="found")
    return dict(zip(whole, numbers, strict=True))


def decks_of(shoe: Shoe) -> list[Deck]:
    """The decks that came out of an ended shoe and wait for its closing count."""
    out = awaiting_count().filter(shoe=shoe).select_related("deck").order_by("deck__serial")
    return [move.deck for move in out]


def awaiting_count() -> QuerySet[DeckMove]:
    """The newest moves of decks that came out of a shoe at its end and were not counted since.

    A deck taken out of a pack while it was prepared was never played in it; in the version before, decks went
    to the store at once.
    """
    waits = Q(kind=Kind.ENDED, state=State.RETURNED) | Q(kind=Kind.HELD)
    newest = DeckMove.objects.filter(waits, seq=F("deck__move_count"))
    ended = newest.filter(shoe__state=Shoe.State.ENDED, shoe__counted_at=None)
    return ended.exclude(event__action=actions.DECK_REMOVED)


def _examined(deck: Deck, given: Mapping[str, Any]) -> Findings:
    """What was found in one deck of the pack; refusals name it."""
    kinds = ("missing", "extra", "marked", "foreign", "damaged")
    lists: dict[str, Any] = {name: given.get(name) or () for name in kinds}
    try:
        return examine(
            cards.deck_type(deck.deck_type),
            counted=given.get("counted", -1),
            by_suit_shown=bool(given.get("by_suit_shown", False)),
            backs_checked=bool(given.get("backs_checked", False)),
            **lists,
        )
    except (Refused, RuleViolation) as refusal:
        refusal.message = Text(
            f"baraja {deck.serial}: {refusal.message.es}", f"deck {deck.serial}: {refusal.message.en}"
        )
        refusal.detail = {**(refusal.detail or {}), "serial": deck.serial}
        raise


def _require_uncounted(shoe: Shoe) -> None:
    if shoe.state != Shoe.State.ENDED:
        raise Conflict(
            Text(
                f"el sabot {shoe.label} no ha terminado; se cuenta al terminar",
                f"shoe {shoe.label} has not ended; it is counted once it has",
            ),
            code="shoe_not_ended",
            rule="CARD-43",
        )
    if hasattr(shoe, "renewed_by"):
        after = shoe.renewed_by.label
        raise Conflict(
            Text(
                f"las cartas de {shoe.label} siguieron como {after}; se cuentan al terminar ese",
                f"the cards of {shoe.label} went on as {after}; they are counted once that one has ended",
            ),
            code="shoe_renewed",
            rule="CARD-43",
        )
    if shoe.counted_at is not None:
        raise Conflict(
            Text(f"el sabot {shoe.label} ya se contó", f"shoe {shoe.label} was counted already"),
            code="shoe_counted",
            rule="CARD-43",
        )


def _require_all(shoe: Shoe, decks: Sequence[Deck]) -> None:
    """The count is of every deck that came out of the shoe, and of no other."""
    wanted, given = {deck.serial for deck in decks_of(shoe)}, {deck.serial for deck in decks}
    if not wanted:
        raise Conflict(
            Text(
                f"ninguna baraja de {shoe.label} espera recuento: no hay nada que contar",
                f"no deck of {shoe.label} waits for its count: there is nothing to count",
            ),
            code="nothing_to_count",
            rule="CARD-43",
        )
    if wanted != given:
        off = some(sorted(wanted ^ given))
        raise Refused(
            Text(
                f"el recuento es de todas las barajas de {shoe.label} y de ninguna otra; revise {off}",
                f"the count is of every deck of {shoe.label} and of no other; check {off}",
            ),
            code="count_of_other_decks",
            rule="CARD-43",
            field="found",
            detail={"lacking": sorted(wanted - given), "others": sorted(given - wanted)},
        )


def _require_sorted(results: Mapping[str, Findings]) -> None:
    """A card that one deck lacks and another has too many is sorted wrong, no fault of either."""
    missing = Counter(card for result in results.values() for card in result.missing)
    extra = Counter(card for result in results.values() for card in result.extra)
    swapped = sorted((missing & extra).elements())
    if swapped:
        shown = some(swapped)
        raise RuleViolation(
            "CARD-43",
            Text(
                f"{shown} falta en una baraja y sobra en otra: devuélvala a la suya y cuente otra vez",
                f"{shown} is missing in one deck and extra in another: put it back and count again",
            ),
            {"cards": swapped},
            code="cards_swapped",
            field="found",
        )


def _require_answered(shoe: Shoe, results: Mapping[str, Findings]) -> None:
    """CARD-12: a deck in which a fault was reported does not go back as whole, also once its incident is
    settled; whoever finds nothing calls the card damaged. A card reported missing of a deck nobody knows is
    answered by the count itself, as is a number of cards."""
    for incident in holding.faults_reported(shoe):
        serial, fault = incident.facts.get("serial", ""), incident.facts["fault"]
        if serial:
            asked = [results[serial]] if serial in results else []
        else:
            asked = list(results.values()) if fault in ("extra", "marked", "foreign") else []
        if asked and all(result.passed for result in asked):
            where = Text(f"en {serial}", f"in {serial}") if serial else Text("en su baraja", "in its deck")
            raise RuleViolation(
                "CARD-12",
                Text(
                    "{incident} denunció {fault} {cards}: anótela {where} o, si ya no se ve, como dañada; esa"
                    " baraja no vuelve al juego",
                    "{incident} reported {fault} {cards}: note it {where} or, if it no longer shows, damaged;"
                    " that deck does not return to play",
                ).fill(
                    incident=incident.label,
                    fault=incidents.FAULTS[fault],
                    cards=incident.facts.get("cards") or "",
                    where=where,
                ),
                {"incident": incident.label, "serial": serial},
                code="fault_unanswered",
                field="found",
            )


def since_last_good(shoe: Shoe) -> list[Shoe]:
    """This shoe and those its cards made before it without being counted in between, oldest first."""
    chain = [shoe]
    while chain[0].renews is not None:
        chain.insert(0, chain[0].renews)
    return chain


def _tell_count(
    shoe: Shoe,
    decks: Sequence[Deck],
    results: Mapping[str, Findings],
    inspector: Actor,
    witness: Actor,
    by: By,
    incident: Incident | None,
) -> None:
    trail.record(
        actions.SHOE_COUNTED,
        stream=shoe.stream,
        subject=trail.Subject("shoe", shoe.pk, shoe.label),
        by=by,
        data={
            "serials": [deck.serial for deck in decks],
            "counted": sum(result.counted for result in results.values()),
            "total": shoe.total,
            "faulty": [serial for serial, result in results.items() if not result.passed],
            "inspector": inspector.as_dict(),
            "witness": witness.as_dict(),
            "incident": incident.label if incident else "",
        },
        rules=["CARD-42", "CARD-43"],
    )
