"""What two people find in decks: before play (CARD-14, CARD-15) and at the close of a shoe (CARD-43)."""

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
from shoes import actions, cards, incidents, moving, policies, seals, signing
from shoes.floor import floor
from shoes.inspection import Findings, examine
from shoes.locked import lock_shoe
from shoes.models import Deck, DeckInspection, DeckMove, Shoe

State = Deck.State
Kind = DeckMove.Kind


@command(policies.INSPECT_DECKS)
def inspect_deck(
    *,
    deck: Deck,
    counted: int,
    by_suit_shown: bool,
    backs_checked: bool,
    inspector: Actor,
    witness: Actor,
    by: By,
    missing: Sequence[str] = (),
    extra: Sequence[str] = (),
    marked: Sequence[str] = (),
    foreign: Sequence[str] = (),
    damaged: Sequence[str] = (),
    suit_order: str = "",
) -> DeckInspection:
    """Record what two people found in a deck that was issued; it passes or is withdrawn by what they found.

    `by.actor` is one of the two: nobody signs for two others. A missing, extra, marked or foreign card
    withdraws it and opens an incident (CARD-12, CARD-15); a worn one only withdraws it (CARD-44). A deck
    under investigation may be examined and stays held; a fault found in it is an incident all the same,
    unless it is held for one already. Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`,
    `not_a_signer`), CARD-14 or CARD-15 (`inspection_unfinished`), `Refused` (`count_inconsistent`,
    `unknown_card`, `bad_inspection`) and `Conflict` for a deck that lies elsewhere.
    """
    signing.require_two_people(inspector, witness, field="witness")
    signing.require_signer(by, inspector, witness)
    deck = moving.lock_deck(deck, by)
    if deck.state != State.HELD:
        moving.require_may([deck], Kind.PASSED)
    findings = examine(
        cards.deck_type(deck.deck_type),
        counted=counted,
        by_suit_shown=by_suit_shown,
        backs_checked=backs_checked,
        missing=missing,
        extra=extra,
        marked=marked,
        foreign=foreign,
        damaged=damaged,
        suit_order=suit_order,
    )
    inspection = _store(deck, findings, inspector, witness, by)
    held = deck.state == State.HELD
    told = held and incidents.is_about_a_fault(deck.incident)
    incident = incidents.deck_faulty(deck, findings, by) if findings.suspect and not told else None
    event = _tell(deck, findings, inspector, witness, by, incident)
    if not held:
        _judge(deck, findings, Kind.PASSED, event, by, incident=incident, witness=witness)
    return inspection


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
    another.
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
    closed = _closed_again(found, results, by)
    suspects = [deck for deck in decks if results[deck.serial].suspect]
    incident = None
    if suspects:
        faulty = {deck.serial: incidents.shown(deck, results[deck.serial]) for deck in suspects}
        incident = incidents.shoe_faulty(shoe, faulty, since_last_good(shoe), by)
        if freeze is not None:
            freeze(incident)
    shoe.counted_at = by.occurred_at
    shoe.save(update_fields=["counted_at"])
    for deck in sorted(decks, key=lambda deck: (deck.batch, deck.pk)):  # streams in order of name
        result = results[deck.serial]
        mine = incident if result.suspect else None
        about: dict[str, Any] = {"witness": witness, "shoe": shoe, "incident": mine}
        _store(deck, result, inspector, witness, by, shoe=shoe)
        seal = closed.get(deck.serial, "") if deck.state == State.RETURNED else ""
        event = _tell(deck, result, inspector, witness, by, mine, shoe=shoe, seal=seal)
        if deck.state == State.RETURNED:
            _judge(deck, result, Kind.COUNTED, event, by, seal=seal, **about)
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
        off = ", ".join(sorted(wanted ^ given)[:6])
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
        shown = ", ".join(swapped[:6])
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


def since_last_good(shoe: Shoe) -> list[Shoe]:
    """This shoe and those its cards made before it without being counted in between, oldest first."""
    chain = [shoe]
    while chain[0].renews is not None:
        chain.insert(0, chain[0].renews)
    return chain


def _store(
    deck: Deck, findings: Findings, inspector: Actor, witness: Actor, by: By, shoe: Shoe | None = None
) -> DeckInspection:
    moment = DeckInspection.Moment.CLOSING if shoe else DeckInspection.Moment.OPENING
    return DeckInspection.objects.create(
        casino=by.casino,
        deck=deck,
        inspector=inspector,
        witness=witness,
        at=by.occurred_at,
        passed=findings.passed,
        moment=moment,
        shoe=shoe,
        **findings.as_dict(),
    )


def _judge(
    deck: Deck,
    findings: Findings,
    passing: str,
    event: Any,
    by: By,
    *,
    incident: Incident | None,
    witness: Actor,
    shoe: Shoe | None = None,
    seal: str = "",
) -> None:
    """Where the deck goes by what was found in it."""
    second = witness if witness.pk != by.actor.pk else None
    kind = passing if findings.passed else Kind.WITHDRAWN
    # One set aside in the store is opened and examined at the desk.
    place = moving.STORE if kind in (Kind.COUNTED, Kind.WITHDRAWN) else deck.place or moving.DESK
    sealed = seal if kind == Kind.COUNTED else ""
    moving.move(
        [deck],
        kind=kind,
        event=event,
        by=by,
        place=place,
        shoe=shoe,
        seal=sealed,
        incident=incident,
        second=second,
    )


def _tell(
    deck: Deck,
    findings: Findings,
    inspector: Actor,
    witness: Actor,
    by: By,
    incident: Incident | None,
    shoe: Shoe | None = None,
    seal: str = "",
) -> Any:
    closing = shoe is not None
    rules = ["CARD-43" if closing else "CARD-14", "CARD-15", "GEN-10"]
    return trail.record(
        actions.DECK_PASSED if findings.passed else actions.DECK_WITHDRAWN,
        stream=moving.stream_of(deck),
        subject=trail.Subject("deck", deck.pk, deck.serial),
        by=by,
        data={
            **findings.as_dict(),
            **{f"shown_{name}": faces for name, faces in incidents.shown(deck, findings).items()},
            "inspector": inspector.as_dict(),
            "witness": witness.as_dict(),
            "moment": "closing" if closing else "opening",
            "shoe": shoe.label if shoe else "",
            "seal": seal,
            "incident": incident.label if incident else "",
        },
        rules=rules if findings.passed else [*rules, "CARD-12" if findings.suspect else "CARD-44"],
    )


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
