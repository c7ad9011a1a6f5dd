"""What each step of a preparation takes and refuses, without a database; numbers from cards.toml."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import Conflict, Refused, RuleViolation
from shoes.procedures import PROCEDURES, procedure_of
from shoes.steps import Burn, Cut, Load, LoadBetween, Pack
from tests.shoes.answers import WAYS

MINI = procedure_of("baccarat.mini")
EIGHT = Pack("french52", 8, 8)  # 8 × 52 = 416 cards
SIX = Pack("french52", 6, 6)  # 6 × 52 = 312 cards
ORDER = ["decks", "show", "wash", "shuffle", "check", "cut", "turn", "load", "burn"]
A_CUT = {"declined": [], "cut_by": 1, "position": 100}


def admit(done: list[str], step: str, pack: Pack = EIGHT, **data: Any) -> dict[str, Any]:
    return MINI.admit(pack, done, step, data)[1]


def cut(pack: Pack = EIGHT, **data: Any) -> dict[str, Any]:
    return admit(ORDER[:5], "cut", pack, **{**A_CUT, **data})


def burn(card: str, burned: Any) -> dict[str, Any]:
    return admit(ORDER[:8], "burn", card=card, burned=burned)


@pytest.mark.rule("CARD-05", "CARD-06", "CARD-07", "CARD-08")
@pytest.mark.parametrize("game", PROCEDURES)
def test_decks_and_seats_are_those_of_the_catalogue(game: str) -> None:
    procedure, entry = procedure_of(game), rulebook.game(game)
    assert procedure.decks_default == entry.decks_default
    assert procedure.decks_allowed == entry.decks_allowed
    assert procedure.deck_type == entry.deck
    cut = next(step.kind for step in procedure.steps if step.code == "cut")
    assert isinstance(cut, Cut) and cut.seats == entry.seats_max
    assert procedure.steps[-1].state == "ready"
    params = rulebook.rule(procedure.decks_rule).params
    assert params.get("decks_default", procedure.decks_default) == procedure.decks_default
    allowed = params.get(
        "decks_allowed", list(range(params.get("decks_min", 1), params.get("decks_max", 8) + 1))
    )
    assert set(procedure.decks_allowed) <= set(allowed)


PUNTO_BANCA = ["baccarat.punto_banca", "baccarat.midi", "baccarat.mini", "baccarat.banked"]
BLACK_JACK = ["blackjack.classic", "blackjack.perfect_pairs", "blackjack.challenge21"]
POKER = [code for code in PROCEDURES if code.startswith("poker.")]


@pytest.mark.rule("CARD-06")
@pytest.mark.parametrize("game", PUNTO_BANCA)
def test_the_numbers_are_those_of_the_rulebook(game: str) -> None:
    procedure, entry = procedure_of(game), rulebook.game(game)
    decks = rulebook.rule("CARD-06").params
    assert procedure.decks_default == decks["decks_default"]
    assert list(procedure.decks_allowed) == decks["decks_allowed"]
    kinds = {step.code: step.kind for step in procedure.steps}
    the_cut, the_load = kinds["cut"], kinds["load"]
    assert isinstance(the_cut, Cut) and isinstance(the_load, Load)
    assert the_cut.min_from_end == rulebook.rule("CARD-25").params["cut_min_from_end_cards"]
    assert the_cut.seats == entry.seats_max
    assert the_load.stop_from_end == rulebook.rule("CARD-29").params["stop_card_from_end_cards"]
    assert kinds["burn"].court_value == rulebook.rule("CARD-37").params["court_card_burn_cards"]  # type: ignore[attr-defined]
    shuffle = rulebook.rule("CARD-22").params
    assert kinds["wash"].at_least == shuffle["wash_min_times"]  # type: ignore[attr-defined]
    assert kinds["shuffle"].at_least == shuffle["normal_shuffle_min_times"]  # type: ignore[attr-defined]
    assert list(kinds["shuffle"].kinds) == rulebook.rule("CARD-16").params["normal_shuffle_kinds"]  # type: ignore[attr-defined]


@pytest.mark.rule("CARD-16", "CARD-24", "CARD-27", "CARD-35", "CARD-39")
@pytest.mark.parametrize("game", BLACK_JACK)
def test_black_jack_is_prepared_by_its_own_numbers(game: str) -> None:
    procedure = procedure_of(game)
    kinds = {step.code: step.kind for step in procedure.steps}
    cut, load, burn = kinds["cut"], kinds["load"], kinds["burn"]
    assert isinstance(cut, Cut) and isinstance(load, LoadBetween) and isinstance(burn, Burn)
    behind = rulebook.rule("CARD-27").params
    assert load.least == behind["stop_card_min_from_end_cards"]
    assert load.most_in(SIX) == behind["stop_card_max_from_end_cards"]
    assert burn.cards == rulebook.rule("CARD-35").params["burn_cards"]
    assert cut.min_from_end == rulebook.rule("CARD-25").params["cut_min_from_end_cards"]
    assert (cut.centre_rule, procedure.stop_rule) == ("CARD-24", "CARD-39")
    shuffle = rulebook.rule("CARD-16").params
    assert kinds["wash"].at_least == shuffle["wash_min_times"]  # type: ignore[attr-defined]
    assert list(kinds["shuffle"].kinds) == shuffle["normal_shuffle_kinds"]  # type: ignore[attr-defined]


@pytest.mark.rule("CARD-27")
@pytest.mark.parametrize(("behind", "taken"), [(51, False), (52, True), (104, True), (105, False)])
def test_the_cut_card_has_one_to_two_decks_behind_it(behind: int, taken: bool) -> None:
    procedure, done = procedure_of("blackjack.classic"), ORDER[:7]
    if taken:
        told = procedure.admit(SIX, done, "load", {"stop_card_from_end": behind})[1]
        assert told == {"stop_card_from_end": behind}
        return
    with pytest.raises(RuleViolation) as refusal:
        procedure.admit(SIX, done, "load", {"stop_card_from_end": behind})
    assert (refusal.value.rule, refusal.value.code) == ("CARD-27", "stop_card_misplaced")


@pytest.mark.rule("CARD-35", "CARD-36")
@pytest.mark.parametrize(
    ("game", "burned", "wrong", "rule"),
    [
        ("blackjack.classic", 1, (0, 2), "CARD-35"),
        ("blackjack.challenge21", 1, (0, 2, 5), "CARD-35"),
        ("trente.classic", 5, (0, 1, 4, 6), "CARD-36"),
    ],
)
def test_so_many_cards_are_burned_and_no_other_number(
    game: str, burned: int, wrong: tuple[int, ...], rule: str
) -> None:
    procedure = procedure_of(game)
    done = [step.code for step in procedure.steps[:-1]]
    told = procedure.admit(SIX, done, "burn", {"burned": str(burned)})[1]
    assert told == {"burned": burned, "known": [], "out": burned}
    for number in wrong:
        with pytest.raises(RuleViolation) as refusal:
            procedure.admit(SIX, done, "burn", {"burned": number})
        assert (refusal.value.rule, refusal.value.code) == (rule, "burn_count_wrong")
        assert refusal.value.field == "burned"


@pytest.mark.rule("CARD-07", "CARD-30", "CARD-32")
def test_trente_cuts_from_the_right_and_leaves_a_deck_to_half_a_pack_out() -> None:
    procedure = procedure_of("trente.classic")
    done = ["decks", "show", "expose", "shuffle", "check"]
    with pytest.raises(RuleViolation) as refusal:
        procedure.admit(SIX, done, "cut", {"declined": [1], "cut_by": 2, "position": 100})
    assert (refusal.value.rule, refusal.value.code) == ("CARD-30", "cut_offered_out_of_order")
    assert procedure.admit(SIX, done, "cut", {"declined": [20, 8], "cut_by": 2, "position": 30})
    with pytest.raises(RuleViolation) as refusal:
        procedure.admit(SIX, done, "cut", {"declined": [], "cut_by": "dealer", "position": 30})
    assert (refusal.value.rule, refusal.value.code) == ("CARD-30", "cut_off_centre")
    book = rulebook.rule("CARD-32").params
    assert (book["separator_min_out_cards"], book["separator_max_out_pack_percent"]) == (52, 50)
    # 6 decks: half of 312 is 156, and 13 of tolerance (the book's) make 169.
    assert book["separator_tolerance_cards"] == 13
    for behind, taken in ((51, False), (52, True), (169, True), (170, False)):
        data = {"stop_card_from_end": behind}
        if taken:
            assert procedure.admit(SIX, [*done, "cut"], "load", data)[1] == data
        else:
            with pytest.raises(RuleViolation) as refusal:
                procedure.admit(SIX, [*done, "cut"], "load", data)
            assert (refusal.value.rule, refusal.value.code) == ("CARD-32", "stop_card_misplaced")


@pytest.mark.rule("CARD-08", "CARD-20")
@pytest.mark.parametrize("game", POKER)
def test_poker_takes_one_deck_cut_by_anybody_anywhere(game: str) -> None:
    procedure, one = procedure_of(game), Pack("french52", 1, 1)
    done = ["decks", "show", "shuffle", "check"]
    assert procedure.admit(one, done, "cut", {"declined": [3, 1], "cut_by": 2, "position": 5})
    for position in (0, 52):  # no card on one side is no cut
        with pytest.raises(RuleViolation) as refusal:
            procedure.admit(one, done, "cut", {"declined": [], "cut_by": 2, "position": position})
        assert (refusal.value.rule, refusal.value.code) == ("CARD-20", "cut_too_near_end")
    with pytest.raises(RuleViolation) as too_many:
        procedure.check_decks(2)
    assert too_many.value.rule == "CARD-08"


@pytest.mark.parametrize(("game", "method"), WAYS)
def test_every_step_cites_rules_that_hold_for_its_game(game: str, method: str) -> None:
    procedure = procedure_of(game, method)
    for step in (*procedure.steps, procedure.removal):
        assert step.rules
        assert all(rulebook.rule(rule).holds_for(game) for rule in step.rules), step.code
    named = {procedure.decks_rule, procedure.stop_rule, procedure.backs.rule, procedure.holder_rule} - {""}
    assert all(rulebook.rule(rule).holds_for(game) for rule in named)


@pytest.mark.parametrize("game", PROCEDURES)
def test_every_rule_of_the_preparation_is_cited_where_it_holds(game: str) -> None:
    """CARD-05 to CARD-37, without what is no step: shuffling between rounds and the discard holder."""
    cited = {
        rule
        for method in procedure_of(game).methods
        for step in (
            *procedure_of(game, method.code).steps,
            procedure_of(game, method.code).removal,
        )
        for rule in step.rules
    }
    book = [f"CARD-{number:02d}" for number in range(5, 38) if number not in {21, 34}]
    assert {rule for rule in book if rulebook.rule(rule).holds_for(game)} <= cited


def test_a_game_without_a_procedure_is_refused() -> None:
    with pytest.raises(Refused) as refusal:
        procedure_of("parchis")
    assert refusal.value.code == "no_procedure"


@pytest.mark.rule("CARD-06")
@pytest.mark.parametrize(("decks", "prepared"), [(None, 6), (6, 6), (8, 8)])
def test_six_decks_by_default_eight_if_asked(decks: int | None, prepared: int) -> None:
    assert MINI.check_decks(decks) == prepared


@pytest.mark.rule("CARD-06")
@pytest.mark.parametrize("decks", [0, 1, 5, 7, 9, -6])
def test_no_other_number_of_decks(decks: int) -> None:
    with pytest.raises(RuleViolation) as refusal:
        MINI.check_decks(decks)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-06", "decks_not_allowed")


def test_a_step_takes_nothing_it_does_not_ask() -> None:
    with pytest.raises(Refused) as refusal:
        admit(ORDER[:1], "show", seen="all")
    assert (refusal.value.code, refusal.value.field) == ("bad_step_data", "seen")


@pytest.mark.rule("CARD-06")
def test_decks_are_added_until_the_pack_is_whole() -> None:
    seven = Pack("french52", 7, 8)
    with pytest.raises(Conflict) as refusal:
        admit(["decks"], "show", seven)
    assert refusal.value.detail["expected"] == "decks"
    assert admit(["decks"], "decks", seven, serials=[" N1 "]) == {"serials": ["N1"]}
    with pytest.raises(RuleViolation) as too_many:
        admit(["decks"], "decks", seven, serials=["N1", "N2"])
    assert (too_many.value.rule, too_many.value.code) == ("CARD-06", "too_many_decks")


@pytest.mark.parametrize(
    "serials",
    [None, [], "N1", ["N1", "N1"], ["N1", " "], ["N1\x00"], ["x" * 41], list(map(str, range(21)))],
)
def test_serials_that_make_no_sense(serials: Any) -> None:
    with pytest.raises(Refused) as refusal:
        admit([], "decks", Pack("french52", 0, 8), serials=serials)
    assert (refusal.value.code, refusal.value.field) == ("bad_step_data", "serials")


@pytest.mark.rule("CARD-22")
def test_washing_and_shuffling_may_be_repeated_before_the_next_step() -> None:
    assert admit(["decks", "show", "wash"], "wash") == {}
    assert admit([*ORDER[:3], "wash"], "shuffle", kind="double") == {"kind": "double"}
    assert admit(ORDER[:4], "shuffle", kind="triple") == {"kind": "triple"}
    with pytest.raises(Conflict):
        admit(ORDER[:4], "wash")


@pytest.mark.rule("CARD-22")
@pytest.mark.parametrize("kind", ["single", "", None, 2, "Double"])
def test_the_shuffle_is_double_or_triple(kind: Any) -> None:
    with pytest.raises(RuleViolation) as refusal:
        admit(ORDER[:3], "shuffle", kind=kind)
    assert (refusal.value.rule, refusal.value.field) == ("CARD-22", "kind")


@pytest.mark.rule("CARD-25")
@pytest.mark.parametrize(("pack", "position"), [(EIGHT, 52), (EIGHT, 364), (SIX, 52), (SIX, 260)])
def test_a_cut_leaves_52_cards_on_each_side(pack: Pack, position: int) -> None:
    # 416 − 52 = 364; 312 − 52 = 260
    assert cut(pack, position=position)["position"] == position


@pytest.mark.rule("CARD-25")
@pytest.mark.parametrize(
    ("pack", "position"), [(EIGHT, 51), (EIGHT, 365), (SIX, 51), (SIX, 261), (SIX, 0), (SIX, 400)]
)
def test_a_cut_nearer_to_an_end_is_refused(pack: Pack, position: int) -> None:
    with pytest.raises(RuleViolation) as refusal:
        cut(pack, position=position)
    assert (refusal.value.rule, refusal.value.field) == ("CARD-25", "position")


@pytest.mark.rule("CARD-22")
@pytest.mark.parametrize(
    ("pack", "position", "allowed"),
    [  # centre 208 ± 416/8 = 52, centre 156 ± 312/8 = 39
        (EIGHT, 208, True),
        (EIGHT, 156, True),
        (EIGHT, 155, False),
        (EIGHT, 260, True),
        (EIGHT, 261, False),
        (SIX, 117, True),
        (SIX, 116, False),
        (SIX, 195, True),
        (SIX, 196, False),
    ],
)
def test_the_dealer_cuts_at_the_centre(pack: Pack, position: int, allowed: bool) -> None:
    if allowed:
        assert cut(pack, cut_by="dealer", position=position)["cut_by"] == "dealer"
        return
    with pytest.raises(RuleViolation) as refusal:
        cut(pack, cut_by="dealer", position=position)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-22", "cut_off_centre")


@pytest.mark.rule("CARD-23")
@pytest.mark.parametrize(
    ("declined", "cut_by"),
    [([], 1), ([1], 2), ([1, 3], 5), ([1, 2, 3, 4, 5, 6, 7], "dealer"), ([], "dealer")],
)
def test_the_cut_is_offered_clockwise_from_the_dealers_left(declined: list[int], cut_by: Any) -> None:
    assert cut(declined=declined, cut_by=cut_by, position=208)["declined"] == declined


@pytest.mark.rule("CARD-23")
@pytest.mark.parametrize(
    ("declined", "cut_by"), [([2, 1], 3), ([3], 2), ([2], 2), ([1, 1], "dealer"), ([5, 4], "dealer")]
)
def test_offers_in_another_order_are_refused(declined: list[int], cut_by: Any) -> None:
    with pytest.raises(RuleViolation) as refusal:
        cut(declined=declined, cut_by=cut_by, position=208)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-23", "cut_offered_out_of_order")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cut_by", 0),
        ("cut_by", 8),  # Mini has seven seats
        ("cut_by", True),
        ("cut_by", "player"),
        ("cut_by", None),
        ("declined", [8]),
        ("declined", "1"),
        ("declined", ["dealer"]),
        ("position", "many"),
        ("position", "0001200"),  # never cut to its first six digits, which would be 120
        ("position", None),
        ("position", -100),
        ("position", True),
        ("position", 100.5),
    ],
)
def test_a_cut_that_makes_no_sense(field: str, value: Any) -> None:
    with pytest.raises(Refused) as refusal:
        cut(**{field: value})
    assert (refusal.value.code, refusal.value.field) == ("bad_step_data", field)


@pytest.mark.rule("CARD-29")
def test_the_stop_card_goes_over_the_last_six() -> None:
    assert admit(ORDER[:7], "load", stop_card_from_end="6") == {"stop_card_from_end": 6}
    for given in (5, 7, 0):
        with pytest.raises(RuleViolation) as refusal:
            admit(ORDER[:7], "load", stop_card_from_end=given)
        assert (refusal.value.rule, refusal.value.field) == ("CARD-29", "stop_card_from_end")


@pytest.mark.rule("CARD-37")
@pytest.mark.parametrize(
    ("card", "burned"),
    [("Ah", 1), ("2c", 2), ("9d", 9), ("10s", 10), ("jh", 10), ("Qs", 10), ("K♦", 10)],
)
def test_as_many_are_burned_as_the_turned_card_says(card: str, burned: int) -> None:
    told = burn(card, burned)
    # the turned card leaves too
    assert told["out"] == burned + 1
    assert told["known"] == [told["card"]]
    for wrong in (burned - 1, burned + 1):
        with pytest.raises(RuleViolation) as refusal:
            burn(card, wrong)
        assert (refusal.value.rule, refusal.value.code) == ("CARD-37", "burn_count_wrong")


@pytest.mark.parametrize("card", ["", "1x", None, "v5", 9])
def test_the_turned_card_is_named_in_full(card: Any) -> None:
    with pytest.raises(Refused) as refusal:
        burn(card, 5)
    assert refusal.value.field == "card"
