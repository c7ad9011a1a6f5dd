"""Every illegal event of player-banked Baccarat, with the rule that forbids it."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Refused, RuleViolation
from tables.games.banked import BANKED
from tables.games.base import Detail
from tests.games.banked.rounds import (
    BANCA_WINS,
    CLOSE,
    after,
    bank,
    bet,
    card,
    choice,
    dealt,
    start,
)

B = bank(2, 10_000)
OPEN = [B, bet(4, 2000)]
CLOSED = [*OPEN, CLOSE]
FIVE = [*CLOSED, *dealt("5h Kd", "3s Kc")]

ILLEGAL: list[tuple[list[Any], Any, str, str]] = [
    ([], bank(0, 10_000), "BAC-05", "no_such_seat"),
    ([], bank(10, 10_000), "BAC-05", "no_such_seat"),
    ([], bank(2, 4900), "BANK-02", "bank_below_minimum"),
    ([], bank(2, 5_000_100), "GEN-04", "above_maximum"),
    ([], bank(2, 5050), "GEN-07", "not_in_chips"),
    ([B], bank(2, 10_000), "BANK-14", "bank_lowered"),
    ([B], bank(2, 9000), "BANK-14", "bank_lowered"),
    ([B], bank(3, 20_000), "BANK-01", "bank_given"),
    (CLOSED, bank(2, 20_000), "BANK-01", "bank_too_late"),
    ([], bet(4, 2000), "BANK-01", "no_bank"),
    ([B], bet(2, 2000), "BAC-09", "banker_on_punto"),
    ([B], bet(10, 2000), "BAC-05", "no_such_seat"),
    ([B], bet(4, 900), "GEN-04", "below_minimum"),
    ([bank(2, 2_000_000)], bet(4, 1_000_100), "GEN-04", "above_maximum"),
    ([B], bet(4, 1050), "GEN-07", "not_in_chips"),
    ([B], bet(4, 10_100), "BANK-16", "above_bank"),
    (OPEN, bet(4, 8100), "BANK-16", "above_bank"),
    ([B], bet(4, 1000, "tie"), "BAC-08", "no_tie_bet"),
    ([B], bet(4, 1000, "bank"), "BANK-01", "bank_is_not_a_bet"),
    ([B], bet(4, 1000, "banca"), "BAC-06", "unknown_spot"),
    (CLOSED, bet(5, 1000), "BAC-11", "bets_closed"),
    (CLOSED, CLOSE, "BAC-11", "bets_closed"),
    ([], CLOSE, "BANK-01", "no_bank"),
    ([B], CLOSE, "BAC-16", "nobody_on_punto"),
    (OPEN, card("punto", "As"), "BAC-11", "bets_open"),
    (CLOSED, card("banca", "As"), "BAC-11", "card_not_due"),
    (CLOSED, choice(4, "draw"), "BAC-11", "no_choice"),
    ([*CLOSED, *BANCA_WINS], card("punto", "As"), "BAC-12", "card_not_due"),
    ([*CLOSED, *BANCA_WINS], choice(4, "draw"), "BAC-12", "no_choice"),
    (FIVE, card("punto", "As"), "BAC-16", "card_not_due"),
    (FIVE, card("banca", "As"), "BAC-16", "card_not_due"),
    (FIVE, choice(5, "draw"), "BAC-16", "not_the_decider"),
    (FIVE, choice(2, "draw"), "BAC-16", "not_the_decider"),
    (FIVE, choice(4, "double"), "", "bad_value"),
    ([*FIVE, choice(4, "stand")], choice(4, "draw"), "BAC-14", "no_choice"),
    ([*FIVE, choice(4, "draw")], card("banca", "As"), "BAC-16", "card_not_due"),
    ([*FIVE, choice(4, "draw"), card("punto", "8d")], card("banca", "As"), "BAC-15", "card_not_due"),
    ([*FIVE, choice(4, "draw"), card("punto", "2d")], card("punto", "As"), "BAC-11", "card_not_due"),
    ([*CLOSED, *dealt("4h Kd", "3s Kc")], choice(4, "stand"), "BAC-17", "no_choice"),
    ([*CLOSED, *dealt("6h Kd", "3s Kc")], choice(4, "draw"), "BAC-17", "no_choice"),
    ([*CLOSED, *dealt("6h Kd", "3s Kc")], card("punto", "As"), "BAC-17", "card_not_due"),
    ([*CLOSED, *dealt("6h Kd", "6s Kc")], card("banca", "As"), "BAC-14", "card_not_due"),
    (OPEN, {"e": "in", "seat": 5}, "", "detail_forbids"),
    (OPEN, {"e": "result", "winner": "punto"}, "", "detail_forbids"),
    (OPEN, {"e": "undo", "of": 1, "why": "error"}, "", "undo_blocked"),
    (CLOSED, {"e": "undo", "of": 2, "why": "error"}, "BAC-11", "undo_too_late"),
    (FIVE, {"e": "undo", "of": 2, "why": "error"}, "BAC-20", "undo_too_late"),
    (FIVE, {"e": "undo", "of": 1, "why": "error"}, "BAC-20", "undo_too_late"),
    (FIVE, {"e": "undo", "of": 3, "why": "error"}, "BAC-20", "undo_too_late"),
]


@pytest.mark.rule("BAC-05")
@pytest.mark.rule("BAC-06")
@pytest.mark.rule("BAC-08")
@pytest.mark.rule("BAC-09")
@pytest.mark.rule("BAC-11")
@pytest.mark.rule("BAC-12")
@pytest.mark.rule("BAC-14")
@pytest.mark.rule("BAC-15")
@pytest.mark.rule("BAC-16")
@pytest.mark.rule("BAC-17")
@pytest.mark.rule("BAC-20")
@pytest.mark.rule("BANK-01")
@pytest.mark.rule("BANK-02")
@pytest.mark.rule("BANK-14")
@pytest.mark.rule("BANK-16")
@pytest.mark.parametrize(("before", "event", "rule", "code"), ILLEGAL)
def test_illegal_events(before: list[Any], event: Any, rule: str, code: str) -> None:
    state = after(start(), *before)
    said = repr(state)
    with pytest.raises(Refused) as refusal:
        BANKED.play(state, event)
    assert (refusal.value.rule, refusal.value.code) == (rule, code)
    assert repr(state) == said


@pytest.mark.rule("BANK-16")
@pytest.mark.rule("BANK-02")
def test_both_sides_of_the_limits() -> None:
    assert after(start(), bank(2, 5000)).bank == 5000
    assert after(start(), bank(2, 5_000_000)).bank == 5_000_000
    assert after(start(), B, bet(4, 10_000)).stakes == {4: 10_000}
    assert after(start(), B, bet(4, 1000)).stakes == {4: 1000}
    # Without limits of its own the bank's minimum is the table's (BANK-02).
    plain = start(limits={"punto": (1000, 5000)})
    assert after(plain, bank(2, 1000)).bank == 1000
    with pytest.raises(RuleViolation) as refusal:
        BANKED.play(plain, bank(2, 900))
    assert refusal.value.rule == "BANK-02"


@pytest.mark.rule("BANK-17")
def test_the_bank_is_announced_and_is_the_most_that_may_be_played() -> None:
    (prompt,) = BANKED.prompts(start())
    assert (prompt.kind, prompt.rule) == ("bank", "BANK-17")
    assert "anuncie" in prompt.text.es and prompt.why.es == "al menos 50,00, el mínimo de la mesa"
    (bets, raising) = BANKED.prompts(after(start(), B))
    assert bets.why.es == "de 10,00 a 100,00 por asiento; hay 100,00 en la banca"
    assert raising.rule == "BANK-14"


@pytest.mark.rule("BANK-14")
def test_the_bank_may_be_raised() -> None:
    state = after(start(), B, bet(4, 10_000), bank(2, 10_100), bet(4, 100))
    assert (state.bank, state.stakes) == (10_100, {4: 10_100})
    with pytest.raises(Refused) as refusal:
        BANKED.play(state, {"e": "undo", "of": 3, "why": "error"})
    assert refusal.value.code == "undo_blocked"


@pytest.mark.parametrize(
    ("data", "rule", "field"),
    [
        ({"decks": 7}, "CARD-06", "decks"),
        ({"seats_max": 15}, "BAC-05", "seats_max"),
        ({"seats_max": 8, "seats": 9}, "BAC-05", "seats"),
        ({"seats": 1}, "BANK-01", "seats"),
        ({"punto_pays": "3:2"}, "BANK-27", "punto_pays"),
        ({"punto_free_choice": [5, 8]}, "BAC-17", "punto_free_choice"),
        ({"deduction_rounding": "exact"}, "BANK-19", "deduction_rounding"),
        ({"deduction_basis_points": 10_001}, "", "deduction_basis_points"),
        ({"deduction_rounding_unit": 0}, "", "deduction_rounding_unit"),
        ({"punto_free_choice": "5"}, "", "punto_free_choice"),
        ({"punto_free_choice": [True]}, "", "punto_free_choice"),
        ({"tie_pays": "8:1"}, "", "tie_pays"),
        ({"game": "baccarat.mini"}, "", "game"),
    ],
)
@pytest.mark.rule("BAC-05")
@pytest.mark.rule("BAC-17")
@pytest.mark.rule("BANK-27")
@pytest.mark.rule("BANK-19")
@pytest.mark.rule("CARD-06")
def test_rules_that_cannot_be_played_are_refused(data: dict[str, Any], rule: str, field: str) -> None:
    with pytest.raises(Refused) as refusal:
        BANKED.read_rules(data)
    assert (refusal.value.rule, refusal.value.field) == (rule, field)


@pytest.mark.rule("GEN-04")
@pytest.mark.rule("BAC-05")
@pytest.mark.rule("BANK-01")
@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"seats": 15}, "BAC-05"),
        ({"seats": 1}, "BANK-01"),
        ({"seats": 1, "detail": Detail.CARDS, "limits": {}}, "BANK-01"),
        ({"seats": 1, "detail": Detail.RESULT, "limits": {}}, "BANK-01"),
        ({"limits": {}}, "GEN-04"),
        ({"limits": {"bank": (5000, 9000)}}, "GEN-04"),
        ({"limits": {"punto": (1000, 9000), "tie": (1000, 9000)}}, "GEN-04"),
        ({"limits": {"punto": (1000, 9000), "bank": (100, 900)}}, "GEN-04"),
        ({"limits": {"punto": (150, 199)}}, "GEN-04"),
    ],
)
def test_tables_that_cannot_be_played_are_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        start(**changes)
    assert refusal.value.rule == rule


def test_what_belongs_to_another_level_of_detail_is_refused() -> None:
    cards, results = start(Detail.CARDS), start(Detail.RESULT)
    for state, event in [
        (cards, bank(2, 5000)),
        (cards, bet(4, 1000)),
        (cards, CLOSE),
        (cards, {"e": "result", "winner": "punto"}),
        (results, bank(2, 5000)),
        (start(), {"e": "deal", "seat": 2}),
        (results, {"e": "in", "seat": 1}),
        (results, card("punto", "As")),
        (results, choice(1, "draw")),
    ]:
        with pytest.raises(Refused) as refusal:
            BANKED.play(state, event)
        assert refusal.value.code == "detail_forbids"
    held = after(cards, {"e": "deal", "seat": 2})
    for event, rule, code in [
        ({"e": "deal", "seat": 2}, "BANK-01", "bank_given"),
        ({"e": "in", "seat": 2}, "BAC-09", "banker_on_punto"),
        (card("punto", "As"), "BAC-16", "nobody_on_punto"),
    ]:
        with pytest.raises(Refused) as refusal:
            BANKED.play(held, event)
        assert (refusal.value.rule, refusal.value.code) == (rule, code)
    seated = after(held, {"e": "in", "seat": 3})
    for state, code in [(seated, "already_in"), (after(seated, card("punto", "As")), "in_too_late")]:
        with pytest.raises(Refused) as refusal:
            BANKED.play(state, {"e": "in", "seat": 3})
        assert refusal.value.code == code


@pytest.mark.rule("BAC-01")
@pytest.mark.rule("BAC-19")
def test_an_announced_result_agrees_with_its_totals() -> None:
    state = start(Detail.RESULT)
    good = after(state, {"e": "deal", "seat": 2}, {"e": "result", "winner": "punto", "punto": 6, "banca": 2})
    settlement = BANKED.settle(good)
    assert settlement.announcement.es == "gana punto 6 a 2"
    assert [note.code for note in settlement.notes] == ["bank_passes", "bank_offered"]
    assert BANKED.settle(after(state, {"e": "result", "winner": "tie"})).announcement.es.startswith("empate")
    for punto, banca in ((2, 6), (4, 4)):
        with pytest.raises(RuleViolation) as refusal:
            BANKED.play(state, {"e": "result", "winner": "punto", "punto": punto, "banca": banca})
        assert (refusal.value.rule, refusal.value.code) == ("BAC-01", "result_mismatch")
    with pytest.raises(Refused) as again:
        BANKED.play(good, {"e": "result", "winner": "tie"})
    assert again.value.code == "result_given"
