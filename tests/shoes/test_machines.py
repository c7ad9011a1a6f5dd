"""Machines: one that serves as shoe in Black Jack, and the one that may shuffle a poker deck."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import Refused, RuleViolation, SabotError
from shoes.procedures import MACHINE_SHOE, PROCEDURES, procedure_of
from shoes.steps import Pack
from shoes.steps.shuffling import SUGGESTED

BLACK_JACK = ["blackjack.classic", "blackjack.perfect_pairs", "blackjack.challenge21"]
POKER = [game for game in PROCEDURES if game.startswith("poker.")]
OUTSIDE = ["blackjack.online", "siete.medio"]
SIX, ONE = Pack("french52", 6, 6), Pack("french52", 1, 1)
BEFORE_LOAD = ["decks", "show", "wash", "shuffle", "check", "cut", "turn"]
LOADED = {"machine": "BM-3", "empty_shown": True, "cut_card_aside": True}


def load(game: str = "blackjack.classic", **given: Any) -> dict[str, Any]:
    return procedure_of(game, MACHINE_SHOE).admit(SIX, BEFORE_LOAD, "load", {**LOADED, **given})[1]


def shuffle(game: str, **given: Any) -> dict[str, Any]:
    return procedure_of(game).admit(ONE, ["decks", "show"], "shuffle", given)[1]


# ---- a machine that serves as shoe -----------------------------------------------------------------


@pytest.mark.rule("CARD-33", "CARD-46")
@pytest.mark.parametrize("game", BLACK_JACK)
def test_all_the_cards_go_in_and_no_card_stops_the_shoe(game: str) -> None:
    assert load(game) == {**LOADED, "stop_card_from_end": 0}
    assert load(game, machine=" BM-3 ", empty_shown="on", cut_card_aside="true")["machine"] == "BM-3"
    step = next(step for step in procedure_of(game, MACHINE_SHOE).steps if step.code == "load")
    assert {"CARD-33", "CARD-46"} <= set(step.rules)


@pytest.mark.rule("CARD-16", "CARD-33", "CARD-35")
@pytest.mark.parametrize("game", BLACK_JACK)
def test_the_machine_spares_no_other_step(game: str) -> None:
    """Wash, shuffle, cut and the burn are as without it (CARD-35: "haya o no máquina barajadora")."""
    by_machine, by_hand = procedure_of(game, MACHINE_SHOE), procedure_of(game)
    assert [step.code for step in by_machine.steps] == [step.code for step in by_hand.steps]
    for mine, usual in zip(by_machine.steps, by_hand.steps, strict=True):
        assert (mine == usual) == (mine.code != "load")
    for burned in (0, 2):
        with pytest.raises(RuleViolation) as refusal:
            by_machine.admit(SIX, [*BEFORE_LOAD, "load"], "burn", {"burned": burned})
        assert (refusal.value.rule, refusal.value.code) == ("CARD-35", "burn_count_wrong")


@pytest.mark.rule("CARD-33", "CARD-46")
@pytest.mark.parametrize(
    ("given", "rule", "code", "field"),
    [
        ({"machine": ""}, "CARD-46", "machine_not_named", "machine"),
        ({"machine": "  "}, "CARD-46", "machine_not_named", "machine"),
        ({"machine": None}, "CARD-46", "machine_not_named", "machine"),
        ({"machine": 7}, "", "bad_step_data", "machine"),
        ({"machine": "x" * 21}, "", "bad_step_data", "machine"),
        ({"empty_shown": False}, "CARD-46", "machine_not_shown_empty", "empty_shown"),
        ({"empty_shown": ""}, "CARD-46", "machine_not_shown_empty", "empty_shown"),
        ({"empty_shown": "quizá"}, "", "bad_step_data", "empty_shown"),
        ({"empty_shown": 1}, "", "bad_step_data", "empty_shown"),
        ({"cut_card_aside": False}, "CARD-33", "cut_card_not_aside", "cut_card_aside"),
        ({"stop_card_from_end": 52}, "", "bad_step_data", "stop_card_from_end"),
    ],
)
def test_a_machine_badly_loaded_is_refused(given: dict[str, Any], rule: str, code: str, field: str) -> None:
    with pytest.raises(Refused) as refusal:
        load(**given)
    assert (refusal.value.rule, refusal.value.code, refusal.value.field) == (rule, code, field)


@pytest.mark.rule("CARD-33", "CARD-46")
def test_what_was_left_out_was_not_done() -> None:
    for name, rule in (("machine", "CARD-46"), ("empty_shown", "CARD-46"), ("cut_card_aside", "CARD-33")):
        without = {key: value for key, value in LOADED.items() if key != name}
        with pytest.raises(RuleViolation) as refusal:
            procedure_of("blackjack.classic", MACHINE_SHOE).admit(SIX, BEFORE_LOAD, "load", without)
        assert (refusal.value.rule, refusal.value.field) == (rule, name)


@pytest.mark.rule("CARD-34")
@pytest.mark.parametrize("game", BLACK_JACK)
def test_the_discard_holder_of_a_machine_gathers_two_decks(game: str) -> None:
    book, procedure = rulebook.rule("CARD-34").params, procedure_of(game, MACHINE_SHOE)
    assert (procedure.holder_rule, procedure.holder_most) == ("CARD-34", book["discard_max_cards"])
    assert book["discard_max_cards"] == book["discard_max_decks"] * 52 == 104
    assert procedure_of(game).holder_most == 0


@pytest.mark.rule("CARD-33")
def test_only_black_jack_by_the_book_is_dealt_from_a_machine() -> None:
    for game in PROCEDURES:
        offered = [method.code for method in procedure_of(game).methods]
        assert (MACHINE_SHOE in offered) == rulebook.rule("CARD-33").holds_for(game), game
        assert offered[0] == procedure_of(game).method == ""
        if MACHINE_SHOE in offered:
            assert procedure_of(game, MACHINE_SHOE).method == MACHINE_SHOE
            continue
        with pytest.raises(Refused) as refusal:
            procedure_of(game, MACHINE_SHOE)
        assert (refusal.value.code, refusal.value.field) == ("no_method", "method")
    with pytest.raises(Refused) as unknown:
        procedure_of("blackjack.classic", "robot")
    assert unknown.value.code == "no_method"
    assert "en una máquina barajadora que hace de sabot" in unknown.value.message.es


# ---- the shuffle of a deck dealt from the hand -----------------------------------------------------


@pytest.mark.rule("CARD-17")
def test_the_suggested_sequence_is_that_of_the_book() -> None:
    book = rulebook.rule("CARD-17").params
    assert (book["first_shuffles"], book["strips"], book["final_shuffles"]) == SUGGESTED
    step = next(step for step in procedure_of("poker.texas").steps if step.code == "shuffle")
    words = dict(step.kind.fields[0].choices)["suggested"]
    assert words.es == "3 barajados, 1 peinado, 2 barajados"


@pytest.mark.rule("CARD-17")
@pytest.mark.parametrize("game", POKER)
def test_another_sequence_is_noted_and_flagged_not_refused(game: str) -> None:
    assert shuffle(game, kind="suggested") == {"kind": "suggested", "flagged": False}
    told = shuffle(game, kind="other", sequence=" 4 barajados y 1 peinado ")
    assert told == {"kind": "other", "sequence": "4 barajados y 1 peinado", "flagged": True}
    for missing in ({}, {"sequence": ""}, {"sequence": "  "}, {"sequence": 5}, {"sequence": "x" * 121}):
        with pytest.raises(Refused) as refusal:
            shuffle(game, kind="other", **missing)
        assert (refusal.value.code, refusal.value.field) == ("bad_step_data", "sequence")
    for kind in ("double", "", None, 3, ["machine"]):
        with pytest.raises(Refused) as unread:
            shuffle(game, kind=kind)
        assert (unread.value.code, unread.value.field) == ("bad_step_data", "kind")


@pytest.mark.rule("CARD-18", "CARD-46")
@pytest.mark.parametrize("game", POKER)
def test_a_machine_that_shuffles_is_named_and_shown_empty(game: str) -> None:
    assert rulebook.rule("CARD-18").params["machine_allowed"] is True
    told = shuffle(game, kind="machine", machine="BM-7", empty_shown=True)
    assert told == {"kind": "machine", "machine": "BM-7", "empty_shown": True, "flagged": False}
    for given, rule, code in (
        ({}, "CARD-18", "machine_not_named"),
        ({"machine": "", "empty_shown": True}, "CARD-18", "machine_not_named"),
        ({"machine": "BM-7"}, "CARD-46", "machine_not_shown_empty"),
        ({"machine": "BM-7", "empty_shown": "false"}, "CARD-46", "machine_not_shown_empty"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            shuffle(game, kind="machine", **given)
        assert (refusal.value.rule, refusal.value.code) == (rule, code)


@pytest.mark.parametrize("game", POKER)
def test_what_a_page_hides_is_not_read(game: str) -> None:
    """A form sends the fields it hides too: of one that is not asked nothing is stored, whatever it holds."""
    hidden = {"sequence": "de otro intento", "machine": "BM-7", "empty_shown": ""}
    assert shuffle(game, kind="suggested", **hidden) == {"kind": "suggested", "flagged": False}
    fields = {
        field.name: field for step in procedure_of(game).steps for field in step.kind.fields if field.when
    }
    assert {name: field.when for name, field in fields.items()} == {
        "sequence": ("kind", ("other",)),
        "machine": ("kind", ("machine",)),
        "empty_shown": ("kind", ("machine",)),
    }


@pytest.mark.rule("CARD-46")
@pytest.mark.parametrize("game", OUTSIDE)
def test_outside_the_classifier_no_sequence_is_suggested_but_machines_have_numbers(game: str) -> None:
    assert shuffle(game, kind="other", sequence="a mi modo")["flagged"] is False
    with pytest.raises(RuleViolation) as refusal:
        shuffle(game, kind="machine")
    assert (refusal.value.rule, refusal.value.code) == ("CARD-46", "machine_not_named")


def test_every_refusal_says_it_in_both_languages() -> None:
    for given in ({"machine": ""}, {"empty_shown": False}, {"cut_card_aside": False}):
        with pytest.raises(SabotError) as refusal:
            load(**given)
        assert refusal.value.message.es != refusal.value.message.en
