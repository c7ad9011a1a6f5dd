"""Every game there is an engine for is what the catalogue and the rules about games say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from casino.kernel import rulebook
from tables import confirming, crew
from tables.games import registry
from tables.games.base import Game

GAMES = [pytest.param(game, id=game.code) for game in registry.GAMES.values()]


@pytest.mark.rule("GEN-02")
@pytest.mark.parametrize("game", GAMES)
def test_who_pays_is_what_the_catalogue_says(game: Game) -> None:
    entry = rulebook.game(game.code)
    assert (game.bank, game.family, game.name) == (entry.bank, entry.family, entry.name)


@pytest.mark.rule("GEN-02")
@pytest.mark.rule("PR-01")
def test_poker_is_against_the_house_or_among_the_players() -> None:
    """PR-01: in a ring game the house plays no hand and stakes nothing; there is no hand of its own."""
    for code in rulebook.rule("GEN-02").games:
        entry = rulebook.game(code)
        assert entry.bank == ("ring" if code in rulebook.rule("PR-01").games else "house"), code
    for game in registry.GAMES.values():
        if game.bank == "ring":
            assert not {"dealer", "bank", "house"} & set(game.hands), game.code


@pytest.mark.rule("PH-01")
@pytest.mark.rule("TYC-01")
def test_the_posts_of_a_game_are_those_of_its_rule() -> None:
    """What `tables.crew` holds a table to."""
    poker = rulebook.rule("PH-01")
    for code in poker.games:
        assert crew.wanted(code) == {
            "dealer": poker.params["dealers"],
            "supervisor": poker.params["supervisors"],
        }, code
    trente = rulebook.rule("TYC-01").params
    assert crew.wanted("trente.classic") == {
        "main_dealer": trente["main_dealers"],
        "support_dealer": trente["support_dealers"],
        "supervisor": trente["supervisors"],
    }


@pytest.mark.rule("GEN-01")
def test_a_game_outside_the_classifier_is_not_for_money_and_says_so() -> None:
    """Siete y medio and single-zero roulette are not in the text of the Classifier that was recovered."""
    any_game = next(iter(registry.GAMES.values()))
    for code, entry in rulebook.games().items():
        figures = confirming.unconfirmed(replace(any_game, code=code), {})
        said = [(figure.live, figure.values[0].version) for figure in figures if figure.id == "GEN-01"]
        assert said == ([] if entry.aj_status == "official" else [(False, "non-official")]), code
