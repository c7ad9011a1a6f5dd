"""What the bank pays and takes, what the house keeps, and what is said; and the chances, counted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from casino.kernel import rulebook
from tables.games.banked import BANKED
from tables.games.banked.exact import counts, edges, quick_edges
from tests.games.banked.rounds import (
    BANCA_WINS,
    CLOSE,
    PUNTO_WINS,
    TIE,
    after,
    bank,
    bet,
    choice,
    dealt,
    paid,
    settled,
    start,
)

BETS = [bank(5, 50_000), bet(2, 10_000), bet(7, 4000), bet(4, 1000), CLOSE]


@pytest.mark.rule("BAC-20")
@pytest.mark.rule("BANK-18")
def test_banca_wins_takes_the_bets_from_the_right_and_keeps_them_less_the_deduction() -> None:
    settlement = settled(*BETS, *BANCA_WINS)
    # 5 % of 150,00 is 7,50, which in chips of 1,00 is 8,00 (GEN-09).
    assert paid(settlement) == [
        (7, "punto", 4000, -4000),
        (4, "punto", 1000, -1000),
        (2, "punto", 10_000, -10_000),
        (5, "bank", 15_000, 15_000 - 800),
    ]
    last = settlement.payouts[-1]
    assert (last.commission, last.rounding, last.rule, last.act) == (800, 50, "BANK-18", "pay")
    assert last.words.es == "gana banca 9 a 7: 1 a 1 sobre 150,00 menos deducción 5 % (8,00) = 142,00"
    assert settlement.totals.house_result == settlement.totals.commission == 800
    facts = settlement.outcome.facts
    assert (facts["bank"], facts["bank_after"], facts["at_risk"]) == (50_000, 64_200, 15_000)
    assert settlement.announcement.es == "gana banca 9 a 7"
    assert [note.code for note in settlement.notes] == ["bank_stays"]


@pytest.mark.rule("BANK-01")
@pytest.mark.rule("BANK-04")
@pytest.mark.rule("BANK-05")
@pytest.mark.rule("BANK-24")
@pytest.mark.rule("BAC-20")
def test_punto_wins_and_the_bank_pays_and_passes_to_the_right() -> None:
    settlement = settled(*BETS, *PUNTO_WINS)
    assert paid(settlement) == [
        (5, "bank", 15_000, -15_000),
        (7, "punto", 4000, 4000),
        (4, "punto", 1000, 1000),
        (2, "punto", 10_000, 10_000),
    ]
    assert settlement.totals.commission == settlement.totals.house_result == 0
    assert settlement.outcome.facts["bank_after"] == 35_000
    assert [(note.code, note.rule) for note in settlement.notes] == [
        ("bank_passes", "BANK-04"),
        ("bank_returned", "BANK-05"),
        ("bank_offered", "BANK-24"),
    ]
    assert settlement.notes[1].text.es == "devuelva al asiento 5 lo que queda en el banco: 350,00"
    assert "asiento 4" in settlement.notes[2].text.es
    assert [p.words.es for p in settlement.payouts[:2]] == [
        "gana punto 9 a 7: el banco paga 150,00",
        "gana punto 9 a 7: 1 a 1 sobre 40,00 = 40,00",
    ]


@pytest.mark.rule("BANK-24")
def test_the_right_of_seat_one_is_the_highest_seat() -> None:
    settlement = settled(bank(1, 50_000), bet(3, 1000), CLOSE, *PUNTO_WINS)
    assert "asiento 9" in settlement.notes[2].text.es


@pytest.mark.rule("BAC-21")
@pytest.mark.rule("BANK-03")
def test_a_tie_voids_the_play() -> None:
    settlement = settled(*BETS, *TIE)
    assert [(p.act, p.won, p.rule) for p in settlement.payouts] == [("push", 0, "BAC-21")] * 4
    assert settlement.totals.house_result == 0
    assert settlement.outcome.facts["bank_after"] == 50_000
    assert [(note.code, note.rule) for note in settlement.notes] == [("bank_stays", "BANK-03")]
    assert settlement.announcement.es == "empate a 8: jugada nula"


@pytest.mark.rule("BAC-20")
def test_what_to_do_with_the_chips_follows_from_who_won() -> None:
    for cards, words in [
        (PUNTO_WINS, "pague al punto con fichas del banco"),
        (BANCA_WINS, "aparte la deducción"),
        (TIE, "cada uno recoge su apuesta"),
    ]:
        (prompt,) = BANKED.prompts(after(start(), *BETS, *cards))
        assert words in prompt.text.es
        assert ("deducción" in prompt.text.es) == (cards is BANCA_WINS)


@pytest.mark.rule("BANK-19")
@pytest.mark.rule("GEN-09")
@pytest.mark.parametrize(
    ("won", "chip", "rules", "deduction"),
    [
        # 5 % of 10,00 is 0,50; of 10,30 it is 0,515, nearest tenth 0,50; of 11,00 0,55, half goes up to 0,60.
        (1000, 10, {}, 50),
        (1030, 10, {}, 50),
        (1100, 10, {}, 60),
        (1090, 10, {}, 50),
        (1100, 10, {"deduction_rounding": "down"}, 50),
        (1030, 10, {"deduction_rounding": "up"}, 60),
        (1030, 1, {"deduction_rounding_unit": 1}, 52),
        # A deduction goes up to whole chips (GEN-09): 5 % of 60,00 is 3,00, of 45,00 2,25, at most 5,00.
        (6000, 500, {}, 500),
        (4500, 500, {}, 500),
        (5000, 500, {}, 500),
        # 5 % of 105,00 is 5,25: a little above one chip takes a second.
        (10_500, 500, {}, 1000),
        # 5 % of 17,75 is 0,8875: 0,90 to the tenth, 1,00 in chips of 0,25.
        (1775, 25, {}, 100),
        (1000, 10, {"deduction_basis_points": 125}, 10),
        (1000, 10, {"deduction_basis_points": 0}, 0),
        (1000, 300, {"deduction_basis_points": 10_000, "deduction_rounding_unit": 300}, None),
    ],
)
def test_the_deduction_and_its_rounding(won: int, chip: int, rules: dict[str, Any], deduction: Any) -> None:
    if deduction is None:
        # 100 % of 12,00 in steps of 3,00 is all of it: never more than was won.
        won, deduction = 1200, 1200
    limits = {"punto": (500, 100_000)}
    settlement = settled(
        bank(1, 30_000), bet(2, won), CLOSE, *BANCA_WINS, chip=chip, limits=limits, rules=rules
    )
    last = settlement.payouts[-1]
    assert (last.commission, last.won) == (deduction, won - deduction)


@pytest.mark.rule("BANK-27")
def test_bets_are_covered_from_the_bankers_right_and_the_rest_goes_back() -> None:
    # Bank 100,00 at seat 3; in order from its right: seat 2 40,00; 1 30,00; 9 50,00 of which 30,00; 5 none.
    bets = [bet(5, 2000), bet(9, 5000), bet(1, 3000), bet(2, 4000)]
    state = after(start(), bank(3, 10_000), *bets, CLOSE)
    assert state.stakes == {2: 4000, 1: 3000, 9: 3000}
    assert state.uncovered == ((9, 2000), (5, 2000))
    assert [tuple(b) for b in state.bets][-1] == (3, "bank", 10_000, 0)
    settlement = BANKED.settle(after(state, *PUNTO_WINS))
    assert settlement.outcome.facts["bank_after"] == 0
    assert settlement.outcome.facts["uncovered"] == [[9, 2000], [5, 2000]]
    assert [(n.code, n.rule) for n in settlement.notes if n.code == "uncovered"] == [
        ("uncovered", "BANK-27")
    ] * 2
    # Undoing the close gives the bets back as they were placed.
    opened = after(state, {"e": "undo", "of": 6, "why": "error"})
    assert opened.stakes == {5: 2000, 9: 5000, 1: 3000, 2: 4000} and not opened.uncovered


@pytest.mark.rule("BANK-16")
def test_reaching_the_bank_is_going_banco() -> None:
    settlement = settled(bank(3, 10_000), bet(2, 10_000), bet(4, 9900), CLOSE, *PUNTO_WINS)
    assert settlement.outcome.facts["banco"] == [2]
    assert ("banco", "BANK-16") in [(n.code, n.rule) for n in settlement.notes]
    assert settlement.outcome.facts["uncovered"] == [[4, 9900]]


@pytest.mark.rule("GEN-09")
def test_a_prize_below_even_money_goes_down_to_the_chip_and_the_bank_pays_what_is_paid() -> None:
    settlement = settled(bank(3, 10_000), bet(2, 1000), CLOSE, *PUNTO_WINS, rules={"punto_pays": "2:3"})
    # 2 to 3 on 10,00 is 6,66, in chips of 1,00 it is 6,00.
    assert paid(settlement) == [(3, "bank", 1000, -600), (2, "punto", 1000, 600)]
    assert settlement.payouts[1].breakage == 66


@pytest.mark.rule("BAC-10")
@pytest.mark.rule("BAC-16")
def test_a_whole_round_with_a_decision() -> None:
    events = [*BETS, *dealt("2h 3d", "Qs 4c")]
    state = after(start(), *events, choice(2, "draw"), {"e": "card", "to": "punto", "card": "Kd"})
    # Banca 4 against a king (0) stands: 5 to 4.
    settlement = BANKED.settle(state)
    assert settlement.announcement.es == "gana punto 5 a 4"
    assert settlement.outcome.facts["decision"] == "draw"
    assert settlement.outcome.facts["decider"] == 2


def test_default_figures_are_the_rulebooks() -> None:
    rules = BANKED.default_rules()
    book = rulebook.rules()
    assert rules.punto_free_choice == tuple(book["BAC-17"].params["punto_free_choice"])
    assert rules.deduction_basis_points == book["BANK-19"].params["deduction_percent"] * 100
    assert rules.deduction_rounding_unit == Fraction(book["BANK-19"].params["deduction_rounding_unit"]) * 100
    assert (rules.seats, rules.seats_max) == (
        book["BAC-05"].params["positions_default"],
        book["BAC-05"].params["positions_max"],
    )
    rows = {row["hand"]: row["pays"] for row in rulebook.paytables()["baccarat.banked.punto"].rows}
    assert rows == {"punto_wins": rules.punto_pays, "tie": "push", "banca_wins": "lose"}
    entry = rulebook.game(BANKED.code)
    assert (entry.name, entry.bank, entry.family) == (BANKED.name, BANKED.bank, BANKED.family)


def _endless(stand_on_five: bool) -> float:
    """Punto's loss per unit from an endless pack, in totals only: an independent approximation."""
    chance = [4 / 13] + [1 / 13] * 9
    two = [0.0] * 10
    for a in range(10):
        for b in range(10):
            two[(a + b) % 10] += chance[a] * chance[b]
    loss = 0.0

    def sign(p: int, b: int) -> int:
        return (b % 10 > p % 10) - (b % 10 < p % 10)

    for p in range(10):
        for b in range(10):
            weight = two[p] * two[b]
            if max(p, b) >= 8:
                loss += weight * sign(p, b)
            elif p >= 6 or (p == 5 and stand_on_five):
                thirds = chance if b <= 5 else [1.0]
                loss += weight * sum(w * sign(p, b + v) for v, w in enumerate(thirds))
            else:
                for third, w in enumerate(chance):
                    draws = b <= 2 or (b, third) in _DRAWS
                    fourth = chance if draws else [1.0]
                    loss += weight * w * sum(x * sign(p + third, b + v) for v, x in enumerate(fourth))
    return loss * 100


_DRAWS = {
    (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (3, 6), (3, 7), (3, 9),
    (4, 2), (4, 3), (4, 4), (4, 5), (4, 6), (4, 7), (5, 4), (5, 5), (5, 6), (5, 7), (6, 6), (6, 7),
}  # fmt: skip


@pytest.mark.rule("BAC-17")
def test_chances_counted_against_published_figures_and_an_endless_pack() -> None:
    found = {
        (e.bet, e.decks, "pide" in (e.note.es if e.note else "")): e.percent
        for e in edges(BANKED.default_rules())
        if e.bet != "deduction"
    }
    # Always drawing on 5 is Punto y Banca's table: 1.2351 % with 8 decks, 1.2374 % with 6, as published.
    assert round(found["punto", 8, True], 4) == 1.2351
    assert round(found["punto", 6, True], 4) == 1.2374
    # Its banker, paid even money less 5 %: 1.0579 % and 1.0558 %.
    assert round(found["bank", 8, True], 4) == 1.0579
    assert round(found["bank", 6, True], 4) == 1.0558
    for stands in (False, True):
        assert abs(found["punto", 8, not stands] - _endless(stands)) < 0.02
    # Every deal of six cards counted once: 416 x 415 x ... x 411.
    deals = 416 * 415 * 414 * 413 * 412 * 411
    assert sum(counts(8, (5,), "draw")) == sum(counts(8, (5,), "stand")) == deals


@pytest.mark.rule("GEN-06")
def test_the_house_keeps_only_its_deduction_and_never_loses() -> None:
    for rate in (0, 125, 500):
        for edge in quick_edges(BANKED.read_rules({"deduction_basis_points": rate})):
            punto, banca, tie = counts(edge.decks, (5,), "draw")
            assert edge.percent == pytest.approx(rate / 100 * banca / (punto + banca + tie))
            assert not edge.favours_player
