"""What may change in a pack besides its preparation: a fault is reported, a deck leaves it, and the same
cards are shuffled again at the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from audits.by import By
from audits.incidents import raise_incident
from audits.models import Event, Incident
from audits.trail import Subject
from casino.kernel import locking, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text, same
from casino.models import NumberSeries
from shoes import actions, cards, counting, incidents, moving, policies
from shoes.closing import since_last_good
from shoes.floor import Freeze, floor
from shoes.holding import holding_incident, require_not_held, require_playable
from shoes.inspection import faces_of
from shoes.locked import lock_shoe
from shoes.models import Deck, DeckMove, Shoe
from shoes.ordering import REMOVE
from shoes.procedures import procedure_of
from shoes.shoes import pack_of, put_to_end, require_move, sign, tell, tell_started
from shoes.steps import Pack

LONGEST_WORDS = 400
SHUFFLED_AGAIN = "salió la carta de corte: se baraja otra vez"
"""The reason a shoe ends for when nobody gave another and its stop card is in view."""


@command(policies.REPORT_FAULT)
def report_fault(
    *,
    shoe: Shoe,
    fault: str,
    cards: Sequence[str],
    words: str,
    by: By,
    deck: Deck | None = None,
) -> Incident | None:
    """Somebody saw a card that should not be so, in a shoe in play or in preparation.

    `fault`: missing, extra, marked, foreign or damaged; `cards`: as anybody writes them, at least one but for
    a missing card, which nobody may know; `deck`: the one it is of, if that is known. Opens an incident about
    the shoe, which stops its table (CARD-42, CARD-43); its decks are held when it leaves the table. A pack in
    preparation is not played (CARD-12) until the deck named has left it. A damaged card is only told: the
    cards are changed (CARD-44), and None is returned.

    Raises `Refused` (`unknown_fault`, `cards_missing`, `unknown_card`, `bad_inspection`, `bad_text`,
    `deck_not_in_shoe`), `Conflict` (`shoe_ended`; `shoe_moved_meanwhile` for one that changed tables).
    """
    said = texts.prose(words, "words", LONGEST_WORDS)
    faces = _faces(shoe, fault, cards)
    table = _table_of(shoe)
    freeze = floor().hold_table(by.casino, table) if table else None
    shoe = lock_shoe(shoe, by)
    _require_reportable(shoe, table)
    if deck is not None and not shoe.decks.filter(pk=deck.pk).exists():
        raise _not_inside(shoe, deck.serial)
    incident = None
    if fault != "damaged":
        incident = _raise(shoe, fault, faces, said, table, deck, by)
        _stop(freeze, incident)
    data = {
        "fault": fault,
        "cards": list(faces),
        "shown": _shown(shoe, faces),
        "words": said,
        "serial": deck.serial if deck else "",
        "incident": incident.label if incident else "",
    }
    rules = ["CARD-42", "CARD-43"] if incident else ["CARD-44"]
    tell(actions.FAULT_REPORTED, shoe, by, data, rules=rules)
    return incident


def _table_of(shoe: Shoe) -> str:
    """The table that cards of a shoe are played at, those shuffled again there among them."""
    return shoe.table_label or (shoe.renews.played_table if shoe.renews else "")


def _stop(freeze: Freeze | None, incident: Incident) -> None:
    if freeze is not None:
        freeze(incident)


def _faces(shoe: Shoe, fault: str, given: Sequence[str]) -> tuple[str, ...]:
    if fault not in incidents.FAULTS:
        raise Refused(
            Text("elija la falla de la lista", "choose the fault from the list"),
            code="unknown_fault",
            field="fault",
        )
    faces = faces_of(cards.deck_type(shoe.deck_type), fault, given, field="cards")
    if not faces and fault != "missing":
        raise Refused(
            Text("nombre la carta, por ejemplo 9d", "name the card, for example 9d"),
            code="cards_missing",
            rule="CARD-43",
            field="cards",
        )
    return faces


def _shown(shoe: Shoe, faces: Sequence[str]) -> str:
    kind = cards.deck_type(shoe.deck_type)
    return ", ".join(cards.sign(card, kind) for card in faces)


def _require_reportable(shoe: Shoe, table: str) -> None:
    if shoe.state == Shoe.State.ENDED:
        require_move(shoe, "end")  # which an ended shoe refuses
    if _table_of(shoe) != table:
        raise Conflict(
            Text(
                f"{shoe.label} cambió de mesa en ese momento; mire dónde está y repita",
                f"{shoe.label} changed tables at that moment; see where it is and try again",
            ),
            code="shoe_moved_meanwhile",
            field="shoe",
        )


def _raise(
    shoe: Shoe, fault: str, faces: Sequence[str], said: str, table: str, deck: Deck | None, by: By
) -> Incident:
    name, shown = incidents.FAULTS[fault], _shown(shoe, faces)
    played = floor().rounds_with([each.pk for each in since_last_good(shoe)])
    what = Text("{shoe}: {fault} {cards}. {words}", "{shoe}: {fault} {cards}. {words}")
    preparing = [] if table else [procedure_of(shoe.game, shoe.method).removal.rules[0]]
    return raise_incident(
        kind=incidents.FAULT,
        summary=what.fill(shoe=shoe.label, fault=name, cards=shown or same("—"), words=said),
        subject=Subject("shoe", shoe.pk, shoe.label),
        rules=["CARD-42", *preparing],
        facts={
            "fault": fault,
            "cards": shown,
            **({"serial": deck.serial} if deck else {}),
            "decks": sorted(shoe.decks.values_list("serial", flat=True)),
            "rounds": [span.as_dict() for span in played],
        },
        by=by,
        table_label=table,
        freezes=bool(table),
    )


@command(policies.PREPARE)
def remove_deck(*, shoe: Shoe, serial: str, by: By, why: str) -> Shoe:
    """Take a deck out of a pack in preparation, which then starts again from its decks (CARD-12).

    The deck goes into quarantine, or is held if an open incident names it. Raises `Refused`
    (`deck_not_in_shoe`, `bad_step_data` without a reason), `Conflict` (`shoe_ended`; `step_out_of_order` in
    play; `shoe_under_investigation` where a fault was reported and nobody knows of which deck;
    `deck_not_counted` for cards that were played already and are shuffled again).
    """
    by = by.because(why)
    shoe = lock_shoe(shoe, by)
    require_move(shoe, "remove")
    inside = moving.lock_decks_of(shoe)
    found = [deck for deck in inside if deck.serial == serial.strip()]
    if not found:
        raise _not_inside(shoe, serial)
    if shoe.renews is not None:
        _require_unplayed(shoe, found[0])
    holding = holding_incident(shoe)
    if holding is not None and holding.facts.get("serial") != found[0].serial:
        require_not_held(shoe)
    procedure = procedure_of(shoe.game, shoe.method)
    step, told = procedure.admit_removal(pack_of(shoe), {"removed": [found[0].serial], "why": why})
    _start_again(shoe, len(inside) - 1)
    sign(shoe, REMOVE, told, by)
    rules = [*step.rules, *(["CARD-45"] if holding else [])]
    named = {"incident": holding.label if holding else ""}
    event = tell(step.action, shoe, by, {"step": REMOVE, **told, **named}, rules=rules)
    kind = DeckMove.Kind.HELD if holding else DeckMove.Kind.REMOVED
    moving.move(found, kind=kind, event=event, by=by, shoe=shoe, incident=holding)
    return shoe


def _require_unplayed(shoe: Shoe, deck: Deck) -> None:
    """CARD-43: cards that were played leave their pack through its closing count alone."""
    if deck.moves.filter(shoe=shoe, kind=DeckMove.Kind.RENEWED).exists():
        before = shoe.renews.label if shoe.renews else ""
        raise Conflict(
            Text(
                f"la baraja {deck.serial} ya se jugó en {before}: termine {shoe.label}, haga su recuento de"
                " cierre y prepare otro sabot",
                f"deck {deck.serial} was played in {before}: end {shoe.label}, do its closing count and"
                " prepare another shoe",
            ),
            code="deck_not_counted",
            rule="CARD-43",
            field="serial",
            detail={"serial": deck.serial, "shoe": before},
        )


def _start_again(shoe: Shoe, decks: int) -> None:
    """The row as it is with so many decks in and nothing else done."""
    shoe.total = shoe.remaining = Pack(shoe.deck_type, decks, shoe.decks_wanted).cards
    shoe.seen, shoe.dealt, shoe.burned, shoe.discarded = {}, 0, 0, 0
    shoe.count_complete, shoe.stop_at, shoe.stop_reached = True, 0, False
    shoe.state, shoe.ready_at = Shoe.State.ASSEMBLING, None
    shoe.save()


def _not_inside(shoe: Shoe, serial: str) -> Refused:
    shown = str(serial)[:40]
    return Refused(
        Text(
            f"la baraja {shown} no está en {shoe.label}; elija una de las suyas",
            f"deck {shown} is not in {shoe.label}; choose one of its own",
        ),
        code="deck_not_in_shoe",
        rule="CARD-04",
        field="serial",
    )


@command(policies.END)
def renew_shoe(*, shoe: Shoe, by: By) -> Shoe:
    """End the shoe in play and begin another with the same cards, to be shuffled and cut again at the table
    (CARD-20, CARD-39); returns the new one, whose `renews` is the old. Both say what was `told` of them.

    The caller holds the table session's lock. Needs a reason while the stop card has not come out. Raises
    `Conflict` (`shoe_not_in_play`, `shoe_under_investigation`, `pack_faulty`).
    """
    shoe = lock_shoe(shoe, by)
    if shoe.state != Shoe.State.IN_PLAY:
        raise counting.not_in_play(shoe)
    require_not_held(shoe)
    require_playable(shoe, faults_only=True)
    decks = moving.lock_decks_of(shoe)
    by = by.because(by.reason or SHUFFLED_AGAIN if shoe.stop_reached else by.need_reason())
    locking.taking(locking.Rank.SLIP_SERIES)
    number = NumberSeries.take(by.casino, "shoe")
    rule = procedure_of(shoe.game, shoe.method).stop_rule
    put_to_end(shoe, decks, by, rules=[rule])
    new = Shoe.objects.create(
        casino=by.casino,
        number=number,
        game=shoe.game,
        deck_type=shoe.deck_type,
        decks_wanted=shoe.decks_wanted,
        method=shoe.method,
        device=shoe.device,
        renews=shoe,
        total=shoe.total,
        remaining=shoe.total,
        started_by=by.actor,
        started_at=by.occurred_at,
    )
    tell_started(new, by)
    moving.move(
        decks, kind=DeckMove.Kind.RENEWED, event=_renewed(new, shoe, decks, rule, by), by=by, shoe=new
    )
    return new


def _renewed(new: Shoe, old: Shoe, decks: Sequence[Deck], rule: str, by: By) -> Event:
    """The first step of the new shoe: its decks are in it already."""
    told = {"serials": [deck.serial for deck in decks], "renewed": old.label}
    sign(new, "decks", told, by)
    return tell(actions.SHOE_RENEWED, new, by, {"step": "decks", **told}, rules=[rule])
