"""The closing count of a shoe, deck by deck (CARD-43): what passes, what is withdrawn, what it is tied to."""

from __future__ import annotations

from typing import Any

import pytest

from audits.by import By
from audits.models import Event, Incident
from casino.kernel.errors import Conflict, NotAllowed, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import queries
from shoes.changing import remove_deck, renew_shoe, report_fault
from shoes.closing import count_shoe, decks_of
from shoes.models import Deck, DeckInspection, Shoe
from shoes.shoes import add_decks, end_shoe, put_in_play
from shoes.store import hold, release
from tests.shoes import builders


@pytest.fixture
def ended(casino: Casino, chief: By) -> Shoe:
    """A shoe of six decks that was in play at PB-01 and ended."""
    return end_shoe(shoe=builders.shoe_in_play(casino, chief, decks=6), reason="fin", by=chief)


def states(shoe: Shoe) -> list[tuple[str, str]]:
    decks = Deck.objects.filter(moves__shoe=shoe).distinct().order_by("serial")
    return list(decks.values_list("state", "place"))


@pytest.mark.rule("CARD-43", "CARD-44")
def test_whole_decks_go_back_to_the_store(ended: Shoe, casino: Casino, chief: By) -> None:
    shoe = builders.counted(ended, chief)
    assert shoe.counted_at == chief.occurred_at
    assert states(shoe) == [("store", "")] * 6
    assert set(Deck.objects.values_list("seal", flat=True)) == {""}
    inspections = DeckInspection.objects.filter(shoe=shoe)
    assert {(each.moment, each.passed) for each in inspections} == {("closing", True)}
    event = Event.objects.get(action="shoes.shoe.counted")
    assert (event.stream.name, event.rules) == (f"shoe:{shoe.pk}", ["CARD-42", "CARD-43"])
    assert not Incident.objects.exists()
    assert decks_of(shoe) == []
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-03")
def test_whole_decks_may_be_closed_again_each_with_a_new_seal(ended: Shoe, casino: Casino, chief: By) -> None:
    first, second = (deck.serial for deck in decks_of(ended)[:2])
    used = decks_of(ended)[0].moves.get(seq=1).seal
    for seals in ({first: {"seal": "R-1"}, second: {"seal": "R-1"}}, {first: {"seal": used}}):
        with pytest.raises(Refused) as refusal:
            builders.counted(ended, chief, faults=seals)
        assert (refusal.value.code, refusal.value.field) == ("seal_taken", "found")
    builders.counted(ended, chief, faults={first: {"seal": "R-1"}})
    assert Deck.objects.get(serial=first).seal == "R-1"
    assert Deck.objects.get(serial=second).seal == ""
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-42", "CARD-43", "CARD-45", "REC-14")
@pytest.mark.parametrize(
    "fault",
    [
        {"counted": 51, "missing": ["7c"]},
        {"counted": 53, "extra": ["7c"]},
        {"counted": 53, "foreign": ["7c"]},
        {"marked": ["7c"]},
    ],
)
def test_a_faulty_deck_is_withdrawn_and_opens_one_incident(
    ended: Shoe, casino: Casino, chief: By, fault: dict[str, Any]
) -> None:
    first, second = (deck.serial for deck in decks_of(ended)[:2])
    builders.counted(ended, chief, faults={first: fault, second: fault})
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject_label) == ("cards.fault", ended.label)
    # The table was not in play any more: nothing to stop, and its name is told.
    assert (incident.freezes, incident.table_label) == (False, "PB-01")
    assert sorted(incident.facts["found"]) == [first, second]
    assert incident.notice_due is not None
    withdrawn = Deck.objects.filter(state="withdrawn")
    assert {(deck.serial, deck.incident) for deck in withdrawn} == {(first, incident), (second, incident)}
    assert Deck.objects.filter(state="store").count() == 4
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-44")
def test_a_worn_deck_is_withdrawn_without_an_incident(ended: Shoe, casino: Casino, chief: By) -> None:
    first = decks_of(ended)[0].serial
    builders.counted(ended, chief, faults={first: {"damaged": ["7c"]}})
    assert Deck.objects.get(serial=first).state == "withdrawn"
    assert not Incident.objects.exists()
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-43")
def test_decks_sorted_one_into_another_are_sorted_again(ended: Shoe, chief: By) -> None:
    first, second = (deck.serial for deck in decks_of(ended)[:2])
    swapped = {first: {"counted": 51, "missing": ["7c"]}, second: {"counted": 53, "extra": ["7c"]}}
    with pytest.raises(RuleViolation) as refusal:
        builders.counted(ended, chief, faults=swapped)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-43", "cards_swapped")
    assert refusal.value.detail["cards"] == ["7c"]
    assert not Incident.objects.exists()
    assert len(decks_of(ended)) == 6


@pytest.mark.rule("CARD-43")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ({"counted": 51}, "count_inconsistent"),
        ({"missing": ["zz"], "counted": 51}, "unknown_card"),
        ({"backs_checked": False}, "inspection_unfinished"),
        ({"by_suit_shown": False}, "inspection_unfinished"),
    ],
)
def test_a_count_that_cannot_be_names_its_deck(
    ended: Shoe, chief: By, fault: dict[str, Any], code: str
) -> None:
    third = decks_of(ended)[2].serial
    with pytest.raises(Refused) as refusal:
        builders.counted(ended, chief, faults={third: fault})
    assert refusal.value.code == code
    assert refusal.value.detail["serial"] == third
    assert third in refusal.value.message.es
    assert len(decks_of(ended)) == 6


@pytest.mark.rule("CARD-43")
def test_the_count_is_of_every_deck_of_the_shoe_and_of_no_other(
    ended: Shoe, casino: Casino, chief: By
) -> None:
    serials = [deck.serial for deck in decks_of(ended)]
    (other,) = builders.registered_decks(casino, chief, 1)
    whole = {"counted": 52, "by_suit_shown": True, "backs_checked": True}
    witness = builders.beside(chief, Role.CROUPIER).actor
    for given, lacking, others in (
        (serials[1:], [serials[0]], []),
        ([*serials, other.serial], [], [other.serial]),
        ([], serials, []),
    ):
        with pytest.raises(Refused) as refusal:
            count_shoe(
                shoe=ended,
                found=dict.fromkeys(given, whole),
                inspector=chief.actor,
                witness=witness,
                by=chief,
            )
        assert (refusal.value.code, refusal.value.rule) == ("count_of_other_decks", "CARD-43")
        assert refusal.value.detail == {"lacking": lacking, "others": others}


@pytest.mark.rule("CARD-43")
def test_a_shoe_is_counted_once_and_only_when_it_ended(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    with pytest.raises(Conflict) as refusal:
        builders.counted(shoe, chief)
    assert (refusal.value.code, refusal.value.rule) == ("shoe_not_ended", "CARD-43")
    end_shoe(shoe=shoe, reason="fin", by=chief)
    builders.counted(shoe, chief)
    with pytest.raises(Conflict) as again:
        builders.counted(shoe, chief)
    assert (again.value.code, again.value.rule) == ("shoe_counted", "CARD-43")


@pytest.mark.rule("CARD-43", "CARD-45")
def test_a_held_deck_is_counted_with_the_others_and_stays_held(
    ended: Shoe, casino: Casino, chief: By
) -> None:
    deck = decks_of(ended)[0]
    boss = builders.beside(chief, Role.PIT_BOSS)
    incident = builders.an_incident(chief)
    hold(serials=[deck.serial], incident=incident, by=boss)
    builders.counted(ended, chief, faults={deck.serial: {"counted": 51, "missing": ["7c"]}})
    deck.refresh_from_db()
    assert (deck.state, deck.incident) == ("held", incident)
    assert deck.inspections.get(moment="closing").missing == ["7c"]
    assert Incident.objects.filter(kind="cards.fault").count() == 1
    assert builders.faults(casino) == []


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize("role", [Role.CROUPIER, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.DEVICE])
def test_a_count_is_entered_by_a_chief(ended: Shoe, casino: Casino, role: Role) -> None:
    with pytest.raises((NotAllowed, RuleViolation)) as refusal:
        builders.counted(ended, builders.a_person(casino, role))
    assert refusal.value.code in ("not_allowed", "not_qualified")
    assert Shoe.objects.get(pk=ended.pk).counted_at is None


# ---- what happened to the pack before ---------------------------------------------------------------


@pytest.mark.rule("CARD-12", "CARD-43", "CARD-45")
def test_a_deck_taken_out_before_play_is_not_counted_with_the_pack(casino: Casino, chief: By) -> None:
    """A fault was reported of one deck in preparation: it left, held, and never came to the table."""
    shoe = builders.shoe_with_decks(casino, chief, decks=6)
    faulty = shoe.decks.order_by("pk").first()
    assert faulty is not None
    incident = report_fault(
        shoe=shoe, fault="marked", cards=["7c"], words="una uña en el dorso", by=chief, deck=faulty
    )
    assert incident is not None
    shoe = remove_deck(shoe=shoe, serial=faulty.serial, by=chief, why="carta marcada")
    (fresh,) = builders.inspected_decks(casino, chief, 1)
    shoe = add_decks(shoe=shoe, serials=[fresh.serial], by=chief)
    for step, data in builders.STEPS:
        shoe = builders.signed(shoe, step, data, chief)
    shoe = put_in_play(shoe=shoe, table_label="PB-01", game=shoe.game, by=chief)
    end_shoe(shoe=shoe, reason="fin", by=chief)
    waiting = decks_of(shoe)
    assert len(waiting) == 6
    assert faulty not in waiting
    # It is not counted with a pack it was never played in, and released without waiting for that.
    office = builders.beside(chief, Role.COMPLIANCE)
    builders.settled(incident, office)
    release(serials=[faulty.serial], with_=builders.beside(chief, Role.PIT_BOSS).actor, by=office)
    assert builders.faults(casino) == []
    builders.counted(shoe, chief)
    assert Deck.objects.filter(state="store").count() == 6
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-43")
def test_the_same_cards_shuffled_again_are_counted_once_and_tied_to_both_shoes(
    casino: Casino, chief: By
) -> None:
    first = builders.shoe_in_play(casino, chief, decks=6)
    second = renew_shoe(shoe=first, by=chief.because("se baraja otra vez"))
    assert decks_of(Shoe.objects.get(pk=first.pk)) == []
    end_shoe(shoe=second, reason="fin", by=chief)
    assert queries.shoes_to_count(chief.actor.user).get() == second
    serial = decks_of(second)[0].serial
    builders.counted(second, chief, faults={serial: {"counted": 51, "missing": ["7c"]}})
    assert Incident.objects.get().facts["shoes"] == [first.label, second.label]
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-12")
@pytest.mark.parametrize("named", [True, False])
def test_a_pack_in_which_a_fault_was_reported_is_not_called_whole(
    casino: Casino, chief: By, named: bool
) -> None:
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    marked, other = shoe.decks.order_by("serial")[:2]
    deck = marked if named else None
    incident = report_fault(shoe=shoe, fault="marked", cards=["9d"], words="una uña", deck=deck, by=chief)
    assert incident is not None
    builders.settled(incident, builders.beside(chief, Role.COMPLIANCE))
    shoe = end_shoe(shoe=shoe, reason="falla", by=chief)
    with pytest.raises(RuleViolation) as refusal:
        builders.counted(shoe, chief)
    assert (refusal.value.code, refusal.value.rule) == ("fault_unanswered", "CARD-12")
    assert incident.label in refusal.value.message.es and "dañada" in refusal.value.message.es
    if named:  # another deck's fault does not answer for the one that was named
        with pytest.raises(RuleViolation):
            builders.counted(shoe, chief, faults={other.serial: {"damaged": ["9d"]}})
    builders.counted(shoe, chief, faults={marked.serial: {"damaged": ["9d"]}})
    assert states(shoe) == [("withdrawn", "")] + [("store", "")] * 5
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-43")
def test_a_card_reported_missing_may_turn_up_in_the_count(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    incident = report_fault(shoe=shoe, fault="missing", cards=[], words="faltó una", by=chief)
    assert incident is not None
    builders.settled(incident, builders.beside(chief, Role.COMPLIANCE))
    builders.counted(end_shoe(shoe=shoe, reason="falla", by=chief), chief)
    assert states(shoe) == [("store", "")] * 6
