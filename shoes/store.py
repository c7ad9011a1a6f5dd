"""What the store does with decks besides receiving and issuing them: taken back, sealed again, set aside,
held for an investigation, withdrawn, cancelled. Its levels and counts are `shoes.stocktaking`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audits import incidents as settling
from audits.by import By
from audits.models import Actor, Incident
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from shoes import actions, moving, policies, signing
from shoes import seals as sealing
from shoes.closing import awaiting_count
from shoes.holding import under_investigation
from shoes.models import Deck, DeckMove, Shoe
from shoes.stocktaking import count_store, set_level

__all__ = [
    "cancel",
    "count_store",
    "give_back",
    "hold",
    "quarantine",
    "release",
    "reseal",
    "set_level",
    "withdraw",
]

State = Deck.State
Kind = DeckMove.Kind


@command(policies.KEEP)
def give_back(*, serials: Sequence[str], by: By) -> list[Deck]:
    """Take decks back that were issued and not used: a closed box with its seal, an opened one without.

    Raises `Refused` (`no_decks`, `serial_repeated`, `unknown_deck`), `Conflict` for one that was not issued.
    """
    decks = _locked(serials, Kind.GIVEN_BACK, by)
    event = moving.tell(
        actions.DECKS_GIVEN_BACK,
        decks,
        by=by,
        data={},
        rules=["CARD-03", "CARD-04"],
        each={"seals": {deck.pk: deck.seal for deck in decks}, "from": _places(decks)},
    )
    moving.move(decks, kind=Kind.GIVEN_BACK, event=event, by=by, place=moving.STORE)
    return decks


@command(policies.KEEP)
def quarantine(*, serials: Sequence[str], by: By) -> list[Deck]:
    """Set decks aside in the store until they are examined or withdrawn (CARD-15). Needs a reason.

    Raises as `give_back` does, `Refused` (`reason_missing`), and `Conflict` (`deck_not_counted`, CARD-43) for
    one that came out of a shoe: its closing count says first what is in it.
    """
    by = by.because(by.need_reason())
    decks = _locked(serials, Kind.QUARANTINED, by)
    _require_counted(decks)
    each, rules = {"from": _places(decks)}, ["CARD-03", "CARD-15"]
    event = moving.tell(actions.DECKS_QUARANTINED, decks, by=by, data={}, rules=rules, each=each)
    moving.move(decks, kind=Kind.QUARANTINED, event=event, by=by, place=moving.STORE)
    return decks


@command(policies.KEEP)
def withdraw(*, serials: Sequence[str], with_: Actor, by: By) -> list[Deck]:
    """Take decks out of use for good; they are kept whole until they are destroyed (CARD-44, CARD-45).

    Each goes into an envelope that two people sign, whoever withdraws it and a dealer or somebody who may
    withdraw it too (CARD-15). Needs a reason. Raises as `quarantine` does, and `RuleViolation` GEN-10
    (`same_person`, `not_qualified`).
    """
    by = by.because(by.need_reason())
    signing.require_beside(by.actor, with_, policies.KEEP, policies.PREPARE, field="second")
    decks = _locked(serials, Kind.WITHDRAWN, by)
    _require_counted(decks)
    data, rules = {"with": with_.as_dict()}, ["CARD-15", "CARD-44", "CARD-45"]
    each = {"from": _places(decks)}
    event = moving.tell(actions.DECKS_TAKEN_OUT, decks, by=by, data=data, rules=rules, each=each)
    moving.move(decks, kind=Kind.WITHDRAWN, event=event, by=by, place=moving.STORE, second=with_)
    return decks


@command(policies.HOLD)
def hold(*, serials: Sequence[str], incident: Incident, by: By) -> list[Deck]:
    """Keep decks as they are for the investigation of an open incident: neither used, cancelled nor destroyed
    (CARD-45). One that came out of a shoe is still counted.

    Raises as `give_back` does, and `Conflict` (`incident_resolved`; `deck_elsewhere` for one inside a shoe,
    which is held when its shoe ends).
    """
    decks = _locked(serials, Kind.HELD, by)
    inside = next((deck for deck in decks if deck.state == State.IN_SHOE), None)
    if inside is not None:
        raise moving.deck_elsewhere(inside)
    came_out = {deck.pk: shoe for deck, shoe in _uncounted(decks)}
    incident = settling.lock_open(incident)
    settling.require_later(incident, by)
    each, data = {"from": _places(decks)}, {"incident": incident.label, "about": incident.kind}
    event = moving.tell(actions.DECKS_HELD, decks, by=by, data=data, rules=["CARD-45"], each=each)
    for deck in decks:
        shoe = came_out.get(deck.pk)
        moving.move(
            [deck], kind=Kind.HELD, event=event, by=by, place=moving.STORE, shoe=shoe, incident=incident
        )
    return decks


@command(policies.RELEASE)
def release(*, serials: Sequence[str], with_: Actor, by: By) -> list[Deck]:
    """End the hold on decks once their incident is settled; they never return to play, and wait in the store
    for their destruction (CARD-45).

    Compliance and somebody of another department sign (GEN-10). Raises as `give_back` does, `RuleViolation`
    GEN-10 (`same_person`), CARD-02 (`same_department`), `Conflict` (`incident_open`, `deck_not_counted`).
    """
    signing.require_two_departments(by.actor, with_, field="second")
    decks = _locked(serials, Kind.RELEASED, by)
    for serial, incident in under_investigation(decks).items():
        raise _incident_open(serial, incident)
    _require_counted(decks)
    settled = sorted({deck.incident.label for deck in decks if deck.incident is not None})
    data = {"incidents": settled, "with": with_.as_dict()}
    each, rules = {"from": _places(decks)}, ["CARD-45", "GEN-10"]
    event = moving.tell(actions.DECKS_RELEASED, decks, by=by, data=data, rules=rules, each=each)
    moving.move(decks, kind=Kind.RELEASED, event=event, by=by, place=moving.STORE, second=with_)
    return decks


@command(policies.DESTROY)
def cancel(*, serials: Sequence[str], by: By) -> list[Deck]:
    """Cancel withdrawn decks: all that is left to them is the act that destroys them (CARD-45).

    Raises as `give_back` does, and `Conflict` (`deck_under_investigation`) while the incident of one is open.
    """
    decks = _locked(serials, Kind.CANCELLED, by)
    require_no_investigation(decks)
    event = moving.tell(actions.DECKS_CANCELLED, decks, by=by, data={}, rules=["CARD-45"])
    moving.move(decks, kind=Kind.CANCELLED, event=event, by=by, place=moving.STORE)
    return decks


@command(policies.KEEP)
def reseal(*, seals: Mapping[str, str], with_: Actor, by: By) -> list[Deck]:
    """Close the boxes of whole decks of the store again before two people, each with a new seal (CARD-03).

    Raises as `give_back` does, `Refused` (`bad_deck`, `seal_taken`), `RuleViolation` GEN-10 (`same_person`,
    `not_qualified`), `Conflict` (`deck_sealed`) for a box that is closed.
    """
    signing.require_beside(by.actor, with_, policies.KEEP, field="second")
    new = dict(zip(seals, sealing.checked(list(seals.values())), strict=True))
    decks = _locked(list(seals), Kind.SEALED, by)
    closed = next((deck for deck in decks if deck.seal), None)
    if closed is not None:
        raise _sealed(closed)
    sealing.require_unused(by.casino, list(new.values()))
    seal = {deck.pk: new[deck.serial] for deck in decks}
    data, rules = {"with": with_.as_dict()}, ["CARD-03", "GEN-10"]
    event = moving.tell(actions.DECKS_SEALED, decks, by=by, data=data, rules=rules, each={"seals": seal})
    moving.move(decks, kind=Kind.SEALED, event=event, by=by, seal=seal, second=with_)
    return decks


# ---- what every one of them asks --------------------------------------------------------------------


def _locked(serials: Sequence[str], kind: str, by: By) -> list[Deck]:
    moving.require_some(serials)
    decks = moving.lock_decks(by.casino, serials)
    moving.require_may(decks, kind)
    return decks


def _places(decks: Sequence[Deck]) -> dict[int, str]:
    return {deck.pk: deck.place for deck in decks}


def require_no_investigation(decks: Sequence[Deck]) -> None:
    """CARD-45: no deck about which an incident is still open."""
    for serial, incident in under_investigation(decks).items():
        raise Conflict(
            Text(
                f"la baraja {serial} es parte de {incident.label}, que sigue abierto:"
                " resuélvalo antes; mientras tanto no se anula ni destruye",
                f"deck {serial} is part of {incident.label}, which is open: settle it first;"
                " until then it is neither cancelled nor destroyed",
            ),
            code="deck_under_investigation",
            rule="CARD-45",
            field="serials",
            detail={"serial": serial, "incident": incident.label},
        )


def _uncounted(decks: Sequence[Deck]) -> list[tuple[Deck, Shoe]]:
    """The decks that came out of a shoe whose closing count is still to be made, with it."""
    waiting = {
        move.deck_id: move.shoe for move in awaiting_count().filter(deck__in=decks).select_related("shoe")
    }
    found = [(deck, waiting.get(deck.pk)) for deck in decks]
    return [(deck, shoe) for deck, shoe in found if shoe is not None]


def _require_counted(decks: Sequence[Deck]) -> None:
    """CARD-43: what came out of a shoe is counted before anything else is done with it."""
    for deck, shoe in _uncounted(decks):
        raise Conflict(
            Text(
                f"la baraja {deck.serial} salió de {shoe.label} y falta su recuento de cierre; hágalo",
                f"deck {deck.serial} came out of {shoe.label}, whose closing count is missing; do it first",
            ),
            code="deck_not_counted",
            rule="CARD-43",
            field="serials",
            detail={"serial": deck.serial, "shoe": shoe.label},
        )


def _incident_open(serial: str, incident: Incident) -> Conflict:
    return Conflict(
        Text(
            f"la baraja {serial} queda retenida mientras {incident.label} esté abierto; resuélvalo",
            f"deck {serial} stays held while {incident.label} is open; settle it first",
        ),
        code="incident_open",
        rule="CARD-45",
        field="serials",
        detail={"serial": serial, "incident": incident.label},
    )


def _sealed(deck: Deck) -> Conflict:
    return Conflict(
        Text(
            f"la caja de {deck.serial} ya está cerrada con el precinto {deck.seal}",
            f"the box of {deck.serial} is closed already with seal {deck.seal}",
        ),
        code="deck_sealed",
        rule="CARD-03",
        field="seals",
        detail={"serial": deck.serial},
    )
