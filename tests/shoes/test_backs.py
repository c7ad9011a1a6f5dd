"""Which backs a pack may have: refused with the deck that makes it impossible, by the rule of its game."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import RuleViolation
from shoes.backs import Back, completing, require_fit
from shoes.procedures import PROCEDURES, procedure_of

BLACK_JACK = ["blackjack.classic", "blackjack.perfect_pairs", "blackjack.challenge21"]
COLOURS = {"r": "rojo", "b": "azul", "g": "verde", "R": "Rojo "}


def backs(letters: str, design: str = "rombos") -> list[Back]:
    return [Back(design, COLOURS[letter]) for letter in letters]


def fit(inside: str, joining: str, game: str = "blackjack.classic", wanted: int = 6) -> dict[str, Any]:
    return require_fit(procedure_of(game), backs(inside), backs(joining), wanted)


@pytest.mark.rule("CARD-05")
@pytest.mark.parametrize("game", BLACK_JACK)
def test_the_figure_is_that_of_the_rulebook(game: str) -> None:
    book = rulebook.rule("CARD-05").params
    assert procedure_of(game).backs.of_each_colour == book["decks_per_back_colour"] == 3
    assert procedure_of(game).backs.rule == "CARD-05"


@pytest.mark.rule("CARD-05")
@pytest.mark.parametrize("game", BLACK_JACK)
@pytest.mark.parametrize(
    ("inside", "joining"),
    [
        ("", "rrrbbb"),
        ("rrr", "bbb"),
        ("rb", "r"),
        ("rrrbb", "b"),
        ("bbb", "r"),
        ("r", "rrr"),
        ("rR", "rb"),
    ],
)
def test_three_of_each_of_two_colours(game: str, inside: str, joining: str) -> None:
    assert fit(inside, joining, game) == {}


@pytest.mark.rule("CARD-05")
@pytest.mark.parametrize("game", BLACK_JACK)
def test_a_single_colour_is_taken_and_noted_once_the_pack_is_whole(game: str) -> None:
    assert fit("", "rrrr", game) == {}  # not whole yet
    assert fit("rrrr", "rr", game) == fit("", "bbbbbb", game) == {"single_colour": True}
    assert fit("rrRrr", "r", game) == {"single_colour": True}  # a capital makes no other colour


@pytest.mark.rule("CARD-05")
@pytest.mark.parametrize(
    ("inside", "joining", "counted"),
    [
        ("rrrb", "r", {"rojo": 4, "azul": 1}),  # a fourth red while a blue is in
        ("rrrr", "b", {"rojo": 4, "azul": 1}),  # a blue while four red are in
        ("", "rrrrbb", {"rojo": 4, "azul": 2}),  # two decks of the wrong colour
        ("rrr", "bbbb", {"rojo": 3, "azul": 4}),
        ("rb", "g", {"rojo": 1, "azul": 1, "verde": 1}),  # a third colour, as early as the third deck
        ("rrb", "gbb", {"rojo": 2, "azul": 3, "verde": 1}),
    ],
)
def test_the_wrong_colours_are_refused_with_colours_and_counts(
    inside: str, joining: str, counted: dict[str, int]
) -> None:
    with pytest.raises(RuleViolation) as refusal:
        fit(inside, joining)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-05", "back_colours_differ")
    assert (refusal.value.field, refusal.value.detail) == ("serials", {"colours": counted})
    for colour, count in counted.items():
        assert f"{count} × {colour}" in refusal.value.message.es
        assert f"{count} × {colour}" in refusal.value.message.en


@pytest.mark.rule("CARD-05")
@pytest.mark.parametrize(
    ("inside", "offered", "chosen"),
    [
        ("", "rrrrbbb", "rrrbbb"),  # never a fourth red beside a blue
        ("", "rrrrrr", "rrrrrr"),  # all of one colour where there is no other
        ("", "rrrrrrgb", "rrrrrr"),
        ("", "gbbbrrr", "bbbrrr"),  # a third colour that comes first is passed over
        ("rb", "gbbbrrr", "bbrr"),
        ("rrrr", "bbrrr", "rr"),
        ("", "rrrrrbb", ""),  # five and two: neither three of each nor six of one
        ("rrr", "", ""),
    ],
)
def test_the_decks_that_complete_a_pack_lie_together_by_its_rule(
    inside: str, offered: str, chosen: str
) -> None:
    found = completing(procedure_of("blackjack.classic"), backs(inside), backs(offered), 6)
    assert "".join(offered[at] for at in found) == chosen


@pytest.mark.rule("CARD-07", "CARD-15")
def test_the_decks_that_complete_a_pack_bear_one_design() -> None:
    offered = [*backs("rr", "ondas"), *backs("rbrbrr")]
    assert completing(procedure_of("baccarat.mini"), [], offered, 6) == [2, 3, 4, 5, 6, 7]
    assert completing(procedure_of("baccarat.mini"), backs("r", "ondas"), offered, 3) == [0, 1]
    assert completing(procedure_of("trente.classic"), [], offered, 4) == [2, 4, 6, 7]  # and one colour
    assert completing(procedure_of("trente.classic"), [], offered, 5) == []


@pytest.mark.rule("CARD-07")
def test_trente_wants_the_identical_back() -> None:
    assert rulebook.rule("CARD-07").params["same_back_design"] is True
    assert fit("", "rrrrrr", "trente.classic") == fit("rr", "R", "trente.classic") == {}
    with pytest.raises(RuleViolation) as refusal:
        fit("rrr", "b", "trente.classic")
    assert (refusal.value.rule, refusal.value.code) == ("CARD-07", "back_colours_differ")
    assert refusal.value.detail == {"colours": {"rojo": 3, "azul": 1}}


@pytest.mark.rule("CARD-15")
@pytest.mark.parametrize("game", [game for game in PROCEDURES if game.startswith("baccarat.")])
def test_punto_banca_takes_any_colours_of_one_design(game: str) -> None:
    assert fit("rrb", "gb", game, wanted=8) == {}


@pytest.mark.rule("CARD-05", "CARD-07", "CARD-15")
@pytest.mark.parametrize("game", PROCEDURES)
def test_no_pack_has_two_designs(game: str) -> None:
    own = {"blackjack": "CARD-05", "trente": "CARD-07"}
    rule = "CARD-15" if game == "blackjack.online" else own.get(game.split(".")[0], "CARD-15")
    with pytest.raises(RuleViolation) as refusal:
        require_fit(procedure_of(game), backs("r"), backs("r", "ondas"), 6)
    assert (refusal.value.rule, refusal.value.code) == (rule, "back_designs_differ")
    assert refusal.value.detail == {"designs": ["ondas", "rombos"]}
    assert rulebook.rule(rule).holds_for(game)
