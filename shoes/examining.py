"""What two people find in a deck before play (CARD-14, CARD-15), and what follows; the count at the close
of a shoe is `shoes.closing`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.models import Actor, Incident
from casino.kernel.commands import command
from shoes import actions, cards, incidents, moving, policies, signing
from shoes.inspection import Findings, examine
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
    inspection = store_inspection(deck, findings, inspector, witness, by)
    held = deck.state == State.HELD
    told = held and incidents.is_about_a_fault(deck.incident)
    incident = incidents.deck_faulty(deck, findings, by) if findings.suspect and not told else None
    event = tell_inspection(deck, findings, inspector, witness, by, incident)
    if not held:
        judge(deck, findings, Kind.PASSED, event, by, incident=incident, witness=witness)
    return inspection


def store_inspection(
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


def judge(
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


def tell_inspection(
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
