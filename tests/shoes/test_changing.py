"""What may change in a pack besides its preparation: a deck that leaves it, a fault reported, the same cards
shuffled again."""

from __future__ import annotations

import pytest

from audits.by import By
from audits.models import Event, Incident
from casino.kernel.errors import Conflict, Refused, SabotError
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import proofs
from shoes.changing import remove_deck, renew_shoe, report_fault
from shoes.closing import count_shoe, decks_of
from shoes.models import Deck, Shoe
from shoes.queries import checklist
from shoes.shoes import abandon_shoe, add_decks, end_shoe, put_in_play, take_step
from tests.shoes import builders
from tests.shoes.builders import STEPS, beside, inspected_decks, ready_shoe, shoe_in_play, shoe_up_to, signed

SIZE = 52


def codes(error: pytest.ExceptionInfo[SabotError]) -> tuple[str, str]:
    return error.value.code, error.value.rule


def prepare(shoe: Shoe, by: By, *, skip: tuple[str, ...] = ()) -> Shoe:
    """Every step of Punto y Banca after the decks."""
    for code, data in STEPS:
        if code not in skip:
            shoe = signed(shoe, code, data, by)
    return shoe


def sound(casino: Casino) -> bool:
    return not [*proofs.shoe_faults(casino), *proofs.told_faults(casino)]


# ---- a deck leaves ----------------------------------------------------------------------------------


@pytest.mark.rule("CARD-12")
def test_a_deck_that_leaves_starts_the_preparation_again(casino: Casino, chief: By) -> None:
    shoe = ready_shoe(casino, chief, decks=8)
    serial = shoe.decks.first().serial
    shoe = remove_deck(shoe=shoe, serial=serial, why="reverso rayado", by=chief)
    # 7 decks of 52 stay, all of their cards inside: the burn of the first preparation is undone.
    assert (shoe.state, shoe.total, shoe.remaining) == ("assembling", 7 * SIZE, 7 * SIZE)
    assert (shoe.burned, shoe.seen, shoe.stop_at, shoe.ready_at) == (0, {}, 0, None)
    deck = Deck.objects.get(serial=serial)
    assert (deck.state, deck.shoe) == ("quarantine", None)
    lines = checklist(shoe)
    assert [line.step for line in lines if line.status == "now"] == ["decks"]
    assert lines[0].step == "remove" and lines[0].status == "done"
    with pytest.raises(Conflict) as early:
        take_step(shoe=shoe, step="wash", by=chief)
    assert codes(early) == ("step_out_of_order", "CARD-06")
    assert sound(casino)


@pytest.mark.rule("CARD-12", "CARD-14")
def test_another_deck_in_its_place_is_shown_with_the_rest(casino: Casino, chief: By) -> None:
    shoe = ready_shoe(casino, chief, decks=8)
    shoe = remove_deck(shoe=shoe, serial=shoe.decks.first().serial, why="reverso rayado", by=chief)
    (other,) = inspected_decks(casino, chief, 1)
    shoe = add_decks(shoe=shoe, serials=[other.serial], by=chief)
    with pytest.raises(Conflict) as unshown:
        take_step(shoe=shoe, step="wash", by=chief)
    assert unshown.value.detail["expected"] == "show"
    shoe = prepare(shoe, chief)
    # 2c turned and two more burned, as before: 416 - 3.
    assert (shoe.state, shoe.remaining, shoe.seen) == ("ready", 413, {"2c": 1})
    assert sound(casino)


def test_only_a_deck_of_the_pack_leaves_it(casino: Casino, chief: By) -> None:
    shoe = shoe_up_to(casino, chief, "cut")
    (other,) = inspected_decks(casino, chief, 1)
    with pytest.raises(Refused) as error:
        remove_deck(shoe=shoe, serial=other.serial, why="no es de aquí", by=chief)
    assert codes(error) == ("deck_not_in_shoe", "CARD-04")
    with pytest.raises(Refused) as unsaid:
        remove_deck(shoe=shoe, serial=shoe.decks.first().serial, why=" ", by=chief)
    assert unsaid.value.code == "bad_step_data"
    assert Shoe.objects.get(pk=shoe.pk).state == "shuffled"


def test_no_deck_leaves_a_shoe_in_play(casino: Casino, chief: By) -> None:
    shoe = shoe_in_play(casino, chief)
    with pytest.raises(Conflict) as error:
        remove_deck(shoe=shoe, serial=shoe.decks.first().serial, why="tarde", by=chief)
    assert error.value.code == "step_out_of_order"


@pytest.mark.rule("CARD-43")
def test_cards_that_were_played_leave_their_pack_through_the_closing_count_alone(
    casino: Casino, chief: By
) -> None:
    """Taken out while the pack is shuffled again, a deck with a card short would never be counted."""
    shoe = renew_shoe(shoe=shoe_in_play(casino, chief), by=chief.because("a mitad de noche"))
    deck = shoe.decks.first()
    with pytest.raises(Conflict) as error:
        remove_deck(shoe=shoe, serial=deck.serial, why="para no contarla", by=chief)
    assert codes(error) == ("deck_not_counted", "CARD-43")
    # Nor if a fault names it: the shoe ends, its decks are held, and all of them are counted.
    report_fault(shoe=shoe, fault="marked", cards=["7c"], words="una uña", by=chief, deck=deck)
    with pytest.raises(Conflict):
        remove_deck(shoe=shoe, serial=deck.serial, why="marcada", by=chief)
    abandon_shoe(shoe=shoe, reason="falla denunciada", by=chief)
    assert deck in decks_of(shoe)
    assert sound(casino)


# ---- a fault is reported ----------------------------------------------------------------------------


@pytest.mark.rule("CARD-12")
def test_a_pack_with_a_reported_fault_is_not_played(casino: Casino, chief: By) -> None:
    shoe = ready_shoe(casino, chief)
    incident = report_fault(
        shoe=shoe, fault="marked", cards=["9♦"], words="una esquina doblada a propósito", by=chief
    )
    assert incident is not None
    assert (incident.kind, incident.freezes, incident.subject_label) == ("cards.fault", False, shoe.label)
    assert "9♦" in incident.summary_es and {"CARD-42", "CARD-43"} <= set(incident.rules)
    with pytest.raises(Conflict) as error:
        put_in_play(shoe=shoe, table_label="PB-01", game=shoe.game, by=chief)
    assert codes(error) == ("pack_faulty", "CARD-14")
    # Nobody knows of which deck it is: none leaves alone, the whole pack is kept (CARD-45).
    with pytest.raises(Conflict) as alone:
        remove_deck(shoe=shoe, serial=shoe.decks.first().serial, why="por probar", by=chief)
    assert codes(alone) == ("shoe_under_investigation", "CARD-45")
    abandon_shoe(shoe=shoe, reason="falla denunciada", by=chief)
    assert set(Deck.objects.filter(casino=casino).values_list("state", flat=True)) == {"held"}


@pytest.mark.rule("CARD-12", "CARD-45")
def test_the_deck_named_is_held_and_the_others_go_on(casino: Casino, chief: By) -> None:
    shoe = ready_shoe(casino, chief)
    deck = shoe.decks.first()
    incident = report_fault(
        shoe=shoe, fault="extra", cards=["Kh"], words="dos veces en la misma baraja", deck=deck, by=chief
    )
    shoe = remove_deck(shoe=shoe, serial=deck.serial, why="tiene un rey de más", by=chief)
    deck.refresh_from_db()
    assert (deck.state, deck.incident) == ("held", incident)
    (other,) = inspected_decks(casino, chief, 1)
    shoe = prepare(add_decks(shoe=shoe, serials=[other.serial], by=chief), chief)
    shoe = put_in_play(shoe=shoe, table_label="PB-01", game=shoe.game, by=chief)
    shoe = end_shoe(shoe=shoe, reason="cierre", by=chief)
    left = Deck.objects.filter(casino=casino).exclude(pk=deck.pk)
    assert set(left.values_list("state", flat=True)) == {"returned"}
    assert sound(casino)


@pytest.mark.rule("CARD-45")
def test_the_decks_of_a_shoe_reported_in_play_are_held_when_it_leaves(casino: Casino, chief: By) -> None:
    shoe = shoe_in_play(casino, chief)
    incident = report_fault(
        shoe=shoe, fault="foreign", cards=["as de oros"], words="salió de otra baraja", by=chief
    )
    assert incident is not None and incident.freezes and incident.table_label == "PB-01"
    assert incident.facts["cards"] != ""
    end_shoe(shoe=shoe, reason="falla", by=chief)
    decks = Deck.objects.filter(casino=casino)
    assert {(deck.state, deck.incident_id) for deck in decks} == {("held", incident.pk)}


@pytest.mark.rule("CARD-44")
def test_a_damaged_card_is_told_and_opens_nothing(casino: Casino, chief: By) -> None:
    shoe = shoe_in_play(casino, chief)
    assert report_fault(shoe=shoe, fault="damaged", cards=["7c"], words="gastada", by=chief) is None
    told = Event.objects.get(action="shoes.shoe.fault_reported")
    assert told.rules == ["CARD-44"] and not Incident.objects.exists()


def test_a_fault_names_what_it_is_about(casino: Casino, chief: By) -> None:
    shoe = shoe_in_play(casino, chief)

    def report(**changes: object) -> str:
        given = {"shoe": shoe, "fault": "extra", "cards": ["9d"], "words": "de más", "by": chief, **changes}
        with pytest.raises(SabotError) as error:
            report_fault(**given)  # type: ignore[arg-type]
        return error.value.code

    (other,) = inspected_decks(casino, chief, 1)
    assert report(fault="torn") == "unknown_fault"
    assert report(cards=[]) == "cards_missing"
    assert report(cards=["zz"]) == "unknown_card"
    assert report(cards=["v9"]) == "bad_inspection"
    assert report(words=" ") == "bad_text"
    assert report(deck=other) == "deck_not_in_shoe"
    assert not Incident.objects.exists()
    # Which card is missing, nobody may know.
    assert report_fault(shoe=shoe, fault="missing", cards=[], words="faltan al contar", by=chief) is not None
    ended = end_shoe(shoe=shoe, reason="cierre", by=chief)
    assert report(shoe=ended) == "shoe_ended"


def test_a_croupier_reports_what_they_see_and_the_cage_does_not(
    casino: Casino, chief: By, croupier: By
) -> None:
    shoe = shoe_in_play(casino, chief)
    cage = builders.a_person(casino, Role.CAGE)
    with pytest.raises(SabotError) as error:
        report_fault(shoe=shoe, fault="extra", cards=["9d"], words="de más", by=cage)
    assert error.value.code == "not_allowed"
    assert report_fault(shoe=shoe, fault="extra", cards=["9d"], words="de más", by=croupier) is not None


# ---- the same cards again ---------------------------------------------------------------------------


@pytest.mark.rule("CARD-39", "CARD-42")
def test_the_cards_of_a_shoe_are_shuffled_again_for_another(casino: Casino, chief: By) -> None:
    old = shoe_in_play(casino, chief)
    with pytest.raises(Refused) as unsaid:
        renew_shoe(shoe=old, by=chief)
    assert unsaid.value.code == "reason_missing"
    new = renew_shoe(shoe=old, by=chief.because("lo pidió la mesa"))
    old.refresh_from_db()
    assert (old.state, new.renews, new.number) == ("ended", old, old.number + 1)
    assert (new.state, new.total, new.remaining, new.seen) == ("assembling", 416, 416, {})
    decks = Deck.objects.filter(casino=casino)
    assert {(deck.state, deck.shoe_id, deck.place) for deck in decks} == {("in_shoe", new.pk, "PB-01")}
    # The same cards are not shown again: what comes is the wash.
    assert [line.step for line in checklist(new)] == [
        "decks", "wash", "shuffle", "check", "cut", "turn", "load", "burn",
    ]  # fmt: skip
    new = prepare(new, chief, skip=("show",))
    assert (new.state, new.remaining) == ("ready", 413)
    assert sound(casino)


@pytest.mark.rule("CARD-43")
def test_the_closing_count_is_of_the_last_of_a_chain(casino: Casino, chief: By) -> None:
    old = shoe_in_play(casino, chief, decks=6)
    new = renew_shoe(shoe=old, by=chief.because("se baraja otra vez"))
    old.refresh_from_db()
    second = beside(chief, Role.CROUPIER).actor
    who = {"inspector": chief.actor, "witness": second, "by": chief}
    with pytest.raises(Conflict) as early:
        count_shoe(shoe=old, found={}, **who)
    assert codes(early) == ("shoe_renewed", "CARD-43")
    new = abandon_shoe(shoe=new, reason="cierre de mesa", by=chief)
    found = {
        deck.serial: {"counted": 52, "by_suit_shown": True, "backs_checked": True}
        for deck in Deck.objects.filter(casino=casino)
    }
    assert count_shoe(shoe=new, found=found, **who).counted_at is not None
    assert set(Deck.objects.filter(casino=casino).values_list("state", flat=True)) == {"store"}


@pytest.mark.rule("CARD-45")
def test_cards_under_investigation_are_not_shuffled_again(casino: Casino, chief: By) -> None:
    shoe = shoe_in_play(casino, chief)
    report_fault(shoe=shoe, fault="missing", cards=["As"], words="no apareció", by=chief)
    with pytest.raises(Conflict) as error:
        renew_shoe(shoe=shoe, by=chief.because("seguir"))
    assert codes(error) == ("shoe_under_investigation", "CARD-45")


def test_only_a_shoe_in_play_is_shuffled_again(casino: Casino, chief: By) -> None:
    shoe = ready_shoe(casino, chief)
    with pytest.raises(Conflict) as error:
        renew_shoe(shoe=shoe, by=chief.because("por error"))
    assert error.value.code == "shoe_not_in_play"
