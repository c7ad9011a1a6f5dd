"""What an open incident about a shoe forbids: its pack is not played, its cards are kept as they are."""

from __future__ import annotations

from collections.abc import Sequence

from audits.models import Incident
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from shoes import incidents
from shoes.models import Deck, DeckMove, Shoe
from shoes.procedures import procedure_of


def holding_incident(shoe: Shoe) -> Incident | None:
    """The open incident that keeps the decks of a shoe from being used again, if there is one (CARD-45).

    One about a deck that left the pack in time holds that deck, and the others no more.
    """
    about = Incident.objects.filter(casino=shoe.casino_id, subject_type="shoe", subject_id=shoe.pk)
    found = about.filter(state=Incident.State.OPEN, kind__in=incidents.HOLDING).order_by("pk")
    return next((incident for incident in found if _still_inside(incident, shoe)), None)


def spoiling_incident(shoe: Shoe, *, faults_only: bool = False) -> Incident | None:
    """The incident, settled or not, for which a pack is not played on as it lies (CARD-12): a fault of its
    cards, unless the deck it names has left, or an order that no shuffle leaves.

    `faults_only`: those that another shuffle does not mend.
    """
    kinds = (incidents.FAULT,) if faults_only else (incidents.FAULT, incidents.ORDER)
    about = Incident.objects.filter(casino=shoe.casino_id, subject_type="shoe", subject_id=shoe.pk)
    found = about.filter(kind__in=kinds).order_by("pk")
    return next((incident for incident in found if _still_inside(incident, shoe)), None)


def faults_reported(shoe: Shoe) -> list[Incident]:
    """What people reported of the cards of a shoe, settled or not (`shoes.changing.report_fault`)."""
    about = Incident.objects.filter(casino=shoe.casino_id, subject_type="shoe", subject_id=shoe.pk)
    return list(about.filter(kind=incidents.FAULT, facts__has_key="fault").order_by("pk"))


def under_investigation(decks: Sequence[Deck]) -> dict[str, Incident]:
    """The open incident about each deck that has one, by serial number (CARD-45): whichever withdrew or
    held it, or named it in a closing count. A later hold for another, and its release, settle none of them.
    """
    about: dict[str, Incident] = {}
    moves = DeckMove.objects.filter(deck__in=decks, incident__state=Incident.State.OPEN)
    for move in moves.select_related("deck", "incident").order_by("-incident"):
        if move.incident is not None:
            about[move.deck.serial] = move.incident
    serials = [deck.serial for deck in decks]
    named = Incident.objects.filter(casino__in={deck.casino_id for deck in decks}, kind=incidents.FAULT)
    named = named.filter(state=Incident.State.OPEN, facts__found__has_any_keys=serials)
    for incident in named.order_by("-pk"):
        about.update({serial: incident for serial in serials if serial in incident.facts["found"]})
    return about


def _still_inside(incident: Incident, shoe: Shoe) -> bool:
    serial = incident.facts.get("serial")
    return not serial or shoe.decks.filter(serial=serial).exists()


def require_playable(shoe: Shoe, *, faults_only: bool = False) -> None:
    """CARD-12: a pack in which a fault was found is not played, nor shuffled for play again, and one in an
    order that is not chance is not played on; settling the incident mends neither.

    Raises `Conflict` (`pack_faulty`).
    """
    incident = spoiling_incident(shoe, faults_only=faults_only)
    if incident is not None:
        raise Conflict(
            _in_play(shoe, incident) if shoe.state == Shoe.State.IN_PLAY else _prepared(shoe, incident),
            code="pack_faulty",
            rule=procedure_of(shoe.game, shoe.method).removal.rules[0],
            field="shoe",
            detail={
                "incident": incident.label,
                "incident_id": incident.pk,
                "shuffle_mends": incident.kind == incidents.ORDER,
            },
        )


def _in_play(shoe: Shoe, incident: Incident) -> Text:
    if incident.kind == incidents.ORDER:
        return Text(
            f"las cartas de {shoe.label} salieron en un orden que no es casual ({incident.label}): barájelas"
            " otra vez o cámbielas antes de otro pase",
            f"the cards of {shoe.label} came in an order that is not chance ({incident.label}): shuffle them"
            " again or change them before another round",
        )
    return Text(
        f"con {shoe.label} no se juega más, se denunció una falla ({incident.label}): cambie las cartas",
        f"no more is played with {shoe.label}, a fault is reported ({incident.label}): change the cards",
    )


def _prepared(shoe: Shoe, incident: Incident) -> Text:
    return Text(
        f"{shoe.label} tiene una falla denunciada ({incident.label}): saque la baraja señalada y"
        " prepárelo de nuevo, o use otro",
        f"a fault of {shoe.label} is reported ({incident.label}): take out the deck it names and"
        " prepare it again, or use another",
    )


def require_not_held(shoe: Shoe) -> None:
    """CARD-45: cards under investigation are not used again (`Conflict` `shoe_under_investigation`)."""
    incident = holding_incident(shoe)
    if incident is not None:
        raise Conflict(
            Text(
                f"las cartas de {shoe.label} se guardan intactas por {incident.label}: póngalo fuera de juego"
                " y use otras",
                f"the cards of {shoe.label} are kept as they are for {incident.label}: take it out of play"
                " and use others",
            ),
            code="shoe_under_investigation",
            rule="CARD-45",
            field="shoe",
            detail={"incident": incident.label},
        )
