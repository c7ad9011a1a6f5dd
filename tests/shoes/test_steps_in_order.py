"""Steps of the guided preparation that only their place enforces: none can be skipped, each has its rule."""

from __future__ import annotations

import pytest

from casino.kernel.errors import Conflict, RuleViolation
from shoes.procedures import procedure_of
from shoes.steps import Pack

SIX = Pack("french52", 6, 6)
FIVE_OF_SIX = Pack("french52", 5, 6)


def skipped(game: str, step: str, instead: str, pack: Pack = SIX) -> Conflict:
    """The refusal of `instead` where `step` is due."""
    procedure = procedure_of(game)
    codes = [one.code for one in procedure.steps]
    done = codes[: codes.index(step)] if pack is SIX else [step]
    with pytest.raises(Conflict) as refusal:
        procedure.admit(pack, done, instead, {})
    assert (refusal.value.code, refusal.value.detail["expected"]) == ("step_out_of_order", step)
    return refusal.value


def rules_of(game: str, step: str) -> tuple[str, ...]:
    return next(one.rules for one in procedure_of(game).steps if one.code == step)


@pytest.mark.rule("CARD-09")
def test_no_deck_short_is_shown_in_trente() -> None:
    """CARD-09: that the new decks are whole is checked before anything else."""
    skipped("trente.classic", "decks", "show", FIVE_OF_SIX)
    assert "CARD-09" in rules_of("trente.classic", "decks")


@pytest.mark.rule("CARD-11")
@pytest.mark.rule("CARD-19")
@pytest.mark.rule("CARD-26")
@pytest.mark.parametrize(
    ("game", "step", "instead", "rule"),
    [
        # The cards lie exposed before they are shuffled, and are shuffled before they are cut.
        ("trente.classic", "expose", "shuffle", "CARD-11"),
        ("trente.classic", "shuffle", "cut", "CARD-19"),
        # What lies behind the cut card goes to the front before the shoe is loaded.
        ("blackjack.classic", "turn", "load", "CARD-26"),
        ("blackjack.challenge21", "turn", "load", "CARD-26"),
    ],
)
def test_a_step_cannot_be_skipped(game: str, step: str, instead: str, rule: str) -> None:
    assert skipped(game, step, instead).rule == rule


@pytest.mark.rule("CARD-19")
def test_trente_is_shuffled_double_or_triple() -> None:
    trente = procedure_of("trente.classic")
    with pytest.raises(RuleViolation) as refusal:
        trente.admit(SIX, ["decks", "show", "expose"], "shuffle", {"kind": "glance"})
    assert (refusal.value.rule, refusal.value.field) == ("CARD-19", "kind")


@pytest.mark.rule("CARD-31")
def test_the_cut_of_trente_is_made_in_plain_view() -> None:
    """Sabot cannot see a hand: the step says it, cites the rule, and cannot be left out."""
    cut = next(step for step in procedure_of("trente.classic").steps if step.code == "cut")
    assert "CARD-31" in cut.rules
    assert "a la vista" in cut.words.es and "in plain view" in cut.words.en
    skipped("trente.classic", "cut", "load")
