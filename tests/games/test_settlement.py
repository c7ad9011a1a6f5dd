"""Settling: announcement, order of payouts, amounts to the cent, notes and what stayed unchecked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from casino.kernel.errors import Conflict
from tables.games.base import Detail
from tests.games.building import CLOSE, MINI, PUNTO_BANCA, bet, card, dealt, full, settled, start

PUNTO_WINS = ("2d 4h", "2c Ks Kc")  # 6 to 2
BANCA_WINS = ("As Kh Kd", "7c Ks")  # 7 to 1
TIE = ("2d 4h", "2c 4c")  # 6 each


@pytest.mark.rule("BAC-19")
@pytest.mark.parametrize(
    ("hands", "spanish", "english"),
    [
        (PUNTO_WINS, "gana punto 6 a 2", "punto wins 6 to 2"),
        (BANCA_WINS, "gana banca 7 a 1", "banca wins 7 to 1"),
        (TIE, "empate a 6", "tie at 6"),
    ],
)
def test_announcement(hands: tuple[str, str], spanish: str, english: str) -> None:
    said = settled(dealt(*hands), Detail.CARDS).announcement
    assert (said.es, said.en) == (spanish, english)


@pytest.mark.rule("BAC-19")
def test_announcement_from_a_result() -> None:
    def said(**result: Any) -> str:
        return str(settled([{"e": "result", **result}], Detail.RESULT).announcement.es)

    assert said(winner="punto", punto=6, banca=2) == "gana punto 6 a 2"
    assert [said(winner=w) for w in ("punto", "banca", "tie")] == ["gana punto", "gana banca", "empate"]


BETS = [
    bet(1, "punto", 1000),
    bet(1, "tie", 500),
    bet(3, "banca", 10_000),
    bet(3, "tie", 1000),
    bet(5, "punto", 2000),
    bet(5, "banca", 4000),
    bet(7, "banca", 1000),
]


@pytest.mark.rule("BAC-20")
def test_losers_are_taken_then_winners_paid_from_the_highest_seat_down() -> None:
    order = [(p.order, p.act, p.seat, p.spot) for p in settled(full(BETS, *PUNTO_WINS)).payouts]
    assert order == [
        (1, "collect", 7, "banca"),
        (2, "collect", 5, "banca"),
        (3, "collect", 3, "banca"),
        (4, "collect", 3, "tie"),
        (5, "collect", 1, "tie"),
        (6, "pay", 5, "punto"),
        (7, "pay", 1, "punto"),
    ]


@pytest.mark.rule("BAC-20")
@pytest.mark.rule("BAC-21")
def test_bets_a_tie_voids_come_last_and_lose_nothing() -> None:
    settlement = settled(full(BETS, *TIE))
    assert [(p.act, p.seat, p.spot, p.won) for p in settlement.payouts] == [
        ("pay", 3, "tie", 8000),
        ("pay", 1, "tie", 4000),
        ("push", 7, "banca", 0),
        ("push", 5, "punto", 0),
        ("push", 5, "banca", 0),
        ("push", 3, "banca", 0),
        ("push", 1, "punto", 0),
    ]
    assert {(p.pays, p.rule) for p in settlement.payouts if p.act == "push"} == {("push", "BAC-21")}


@pytest.mark.rule("BAC-22")
def test_amounts_by_hand() -> None:
    # Banca wins. 10.000 - 5 % = 9.500; 4.000: 5 % is 200, up to a chip of 500 = 500; 1.000: 50 -> 500.
    settlement = settled(full(BETS, *BANCA_WINS))
    won = {(p.seat, p.spot): (p.won, p.commission, p.rounding) for p in settlement.payouts}
    assert won == {
        (1, "punto"): (-1000, 0, 0),
        (1, "tie"): (-500, 0, 0),
        (3, "banca"): (9500, 500, 0),
        (3, "tie"): (-1000, 0, 0),
        (5, "punto"): (-2000, 0, 0),
        (5, "banca"): (3500, 500, 300),
        (7, "banca"): (500, 500, 450),
    }
    totals = settlement.totals
    # Staked 19.500. Returned 19.500 + 7.500 + 1.500 = 28.500.
    assert (totals.staked, totals.returned, totals.commission, totals.rounding) == (19_500, 28_500, 1500, 750)
    assert totals.house_result == -9000 == -sum(p.won for p in settlement.payouts)


@pytest.mark.rule("BAC-22")
def test_payouts_in_words() -> None:
    payouts = {(p.seat, p.spot): p for p in settled(full(BETS, *BANCA_WINS)).payouts}
    assert payouts[3, "banca"].words.es == "gana banca 7 a 1: 1 a 1 sobre 100,00 menos comisión 5 % = 95,00"
    assert payouts[3, "banca"].words.en == "banca wins 7 to 1: 1 to 1 on 100.00 less 5 % commission = 95.00"
    assert (
        payouts[5, "banca"].words.es
        == "gana banca 7 a 1: 1 a 1 sobre 40,00 menos comisión 5 % (redondeada a 5,00) = 35,00"
    )
    assert payouts[1, "punto"].words.es == "gana banca 7 a 1: se retira 10,00"
    tie = {(p.seat, p.spot): p for p in settled(full(BETS, *TIE)).payouts}
    assert tie[3, "tie"].words.es == "empate a 6: 8 a 1 sobre 10,00 = 80,00"
    assert tie[3, "banca"].words.en == "tie at 6: 100.00 stands"


@pytest.mark.rule("GEN-09")
@pytest.mark.parametrize(
    ("policy", "stake", "commission", "rounding"),
    # Chip 500. 5 % of 29.500 is 1.475; of 31.000 is 1.550; of 25.000 is 1.250; of 20.000 is 1.000.
    [
        ("up", 29_500, 1500, 25),
        ("up", 31_000, 2000, 450),
        ("up", 20_000, 1000, 0),
        ("down", 29_500, 1000, -475),
        ("down", 31_000, 1500, -50),
        ("nearest", 24_500, 1000, -225),
        ("nearest", 25_000, 1500, 250),
    ],
)
def test_commission_rounds_by_the_declared_policy(
    policy: str, stake: int, commission: int, rounding: int
) -> None:
    limits = {"punto": (1000, 100_000), "banca": (20_000, 100_000)}
    payout = settled(
        full([bet(1, "banca", stake)], *BANCA_WINS), rules={"commission_rounding": policy}, limits=limits
    ).payouts[0]
    assert (payout.commission, payout.rounding, payout.won) == (commission, rounding, stake - commission)


@pytest.mark.rule("GEN-09")
def test_commission_in_parts_of_a_cent_goes_up() -> None:
    # Chip one cent, 5 % of 25,10 is 1,255: the house keeps 1,26; 1 cent of it is rounding above 1,25.
    payout = settled(
        full([bet(1, "banca", 2510)], *BANCA_WINS), chip=1, limits={"punto": (1, 9999), "banca": (1, 9999)}
    ).payouts[0]
    assert (payout.commission, payout.rounding, payout.returned) == (126, 1, 2510 + 2510 - 126)


@pytest.mark.rule("BAC-22")
@pytest.mark.rule("GEN-09")
def test_without_commission_a_six_pays_half() -> None:
    rules = {"banca_variant": "no_commission"}
    six = settled(full([bet(1, "banca", 2000), bet(2, "banca", 1500)], "As 2h 2d", "6c Ks"), rules=rules)
    # 1:2 on 2.000 is 1.000; on 1.500 it is 750, down to 500 with chips of 500, 250 kept back.
    assert [(p.seat, p.won, p.breakage, p.commission, p.pays, p.row) for p in six.payouts] == [
        (2, 500, 250, 0, "1:2", "banca_wins_with_six"),
        (1, 1000, 0, 0, "1:2", "banca_wins_with_six"),
    ]
    assert six.outcome.banca == 6 and six.totals.house_result == -1500
    seven = settled(full([bet(1, "banca", 2000)], *BANCA_WINS), rules=rules).payouts[0]
    assert (seven.won, seven.pays, seven.row, seven.words.es) == (
        2000,
        "1:1",
        "banca_wins",
        "gana banca 7 a 1: 1 a 1 sobre 20,00 = 20,00",
    )
    # With commission a winning six pays like any other.
    plain = settled(full([bet(1, "banca", 20_000)], "As 2h 2d", "6c Ks")).payouts[0]
    assert (plain.won, plain.row) == (19_000, "banca_wins")


@pytest.mark.rule("GEN-09")
def test_commission_never_exceeds_the_prize() -> None:
    # One chip of 500 on banca: the commission of 25 rounds up to the whole prize; the stake comes back.
    payout = settled(
        full([bet(1, "banca", 500)], *BANCA_WINS), limits={"punto": (500, 500), "banca": (500, 500)}
    ).payouts[0]
    assert (payout.returned, payout.won, payout.commission, payout.rounding) == (500, 0, 500, 475)


@pytest.mark.parametrize(
    ("detail", "events", "rule_id", "missing"),
    [
        (Detail.RESULT, [], "BAC-19", "falta anotar el resultado"),
        (Detail.CARDS, [], "BAC-11", "carta 1"),
        (Detail.CARDS, dealt("2d 3h", "2c As"), "BAC-13", "punto tiene 5"),
        (Detail.CARDS, dealt("2d 3h 9c", "2c As"), "BAC-15", "banca tiene 3"),
        (Detail.CARDS, dealt("2d 4h", "2c As"), "BAC-14", "banca tiene 3"),
        (Detail.FULL, [bet(1, "punto", 1000)], "BAC-11", "cerrar las apuestas"),
        (Detail.FULL, [CLOSE, card("punto", "9d")], "BAC-11", "carta 2"),
    ],
)
def test_an_unfinished_round_says_what_is_missing(
    detail: Detail, events: Any, rule_id: str, missing: str
) -> None:
    with pytest.raises(Conflict) as refusal:
        settled(events, detail)
    assert (refusal.value.code, refusal.value.rule) == ("round_incomplete", rule_id)
    assert missing in refusal.value.message.es


@pytest.mark.rule("BAC-23")
@pytest.mark.parametrize(
    ("hands", "code"), [(PUNTO_WINS, "shoe_passes"), (BANCA_WINS, "shoe_stays"), (TIE, "shoe_stays")]
)
def test_the_shoe_passes_when_banca_loses(hands: tuple[str, str], code: str) -> None:
    events = [{"e": "deal", "seat": 4}, bet(4, "punto", 1000), CLOSE, *dealt(*hands)]
    settlement = settled(events, of=PUNTO_BANCA)
    assert [(n.code, n.rule) for n in settlement.notes] == [(code, "BAC-23")]
    assert "asiento 4" in settlement.notes[0].text.es


def test_what_stayed_unchecked_is_said() -> None:
    def unchecked(settlement: Any) -> str:
        return " | ".join(text.es for text in settlement.unchecked)

    assert unchecked(settled(full([], *TIE))) == ""
    assert "tabla de pedir" in unchecked(settled([{"e": "result", "winner": "tie"}], Detail.RESULT))
    cards_only = unchecked(settled(dealt(*TIE), Detail.CARDS))
    assert "apuestas" in cards_only and "tabla de pedir" not in cards_only
    assert "CARD-42" in unchecked(settled(dealt("v2 4h", "2c 4c"), Detail.CARDS))
    assert "BAC-09, BAC-23" in unchecked(settled(full([], *TIE), of=PUNTO_BANCA))


@pytest.mark.rule("CARD-41")
def test_irregularities_noted_are_repeated_at_the_end() -> None:
    events = [{"e": "note", "code": "exposed_card", "card": "9d", "text": "9d a la vista"}, *dealt(*TIE)]
    settlement = settled(events, Detail.CARDS)
    assert [(n.code, n.rule) for n in settlement.notes] == [("exposed_card", "CARD-41")]
    assert "9d a la vista" in settlement.notes[0].text.es


def test_settlement_is_json() -> None:
    data = settled(full(BETS, *BANCA_WINS)).to_json()
    assert json.loads(json.dumps(data)) == data
    assert set(data) == {"payouts", "totals", "announcement", "outcome", "notes", "unchecked"}
    assert data["payouts"][-2] == {
        "order": 6,
        "seat": 5,
        "spot": "banca",
        "hand": 0,
        "stake": 4000,
        "returned": 7500,
        "won": 3500,
        "commission": 500,
        "rounding": 300,
        "pays": "1:1",
        "row": "banca_wins",
        "rule": "BAC-22",
        "act": "pay",
        "breakage": 0,
        "words": {
            "es": "gana banca 7 a 1: 1 a 1 sobre 40,00 menos comisión 5 % (redondeada a 5,00) = 35,00",
            "en": "banca wins 7 to 1: 1 to 1 on 40.00 less 5 % commission (rounded to 5.00) = 35.00",
        },
    }
    assert data["outcome"] == {
        "winner": "banca",
        "punto": 1,
        "banca": 7,
        "natural": False,
        "punto_cards": ["As", "Kh", "Kd"],
        "banca_cards": ["7c", "Ks"],
    }


def _deal_in_order(line: str) -> Any:
    """Cards as they leave the shoe; who gets each is the engine's to say. Surplus cards stay in the shoe."""
    state, used = start(Detail.CARDS), 0
    for drawn in line.split():
        if state.complete:
            break
        state, used = MINI.play(state, card(state.next_hand, drawn)), used + 1
    return MINI.settle(state).outcome, used


@pytest.mark.rule("BAC-15")
def test_case_eng_059_a_king_is_a_third_card() -> None:
    outcome, used = _deal_in_order("2h 4s 3d Ac Kd 9h")
    assert (outcome.punto_cards, outcome.banca_cards) == (("2h", "3d", "Kd"), ("4s", "Ac"))
    assert (outcome.punto, outcome.banca, outcome.winner, used) == (5, 5, "tie", 5)


@pytest.mark.rule("BAC-12")
@pytest.mark.rule("BAC-14")
@pytest.mark.rule("BAC-15")
@pytest.mark.parametrize(
    ("line", "punto", "banca", "punto_cards", "banca_cards", "winner"),
    [
        ("3h Ad 2s 2c 8h 9d", 3, 3, 3, 2, "tie"),
        ("9d 6c Kd Kh 2s 5h", 9, 6, 2, 2, "punto"),
        ("4s Th 4d 9s 7c 7d", 8, 9, 2, 2, "banca"),
        ("5c 4h Ks 2d 6s 3c", 1, 9, 3, 3, "banca"),
        ("7s 3d Qc Kc 8h 2h", 7, 1, 2, 3, "punto"),
    ],
)
def test_case_eng_061(
    line: str, punto: int, banca: int, punto_cards: int, banca_cards: int, winner: str
) -> None:
    outcome, _ = _deal_in_order(line)
    assert (outcome.punto, outcome.banca, outcome.winner) == (punto, banca, winner)
    assert (len(outcome.punto_cards), len(outcome.banca_cards)) == (punto_cards, banca_cards)


@pytest.mark.rule("BAC-21")
@pytest.mark.rule("BAC-22")
def test_case_dea_014_a_tie() -> None:
    """50 on punto and 100 on banca stand, 10 on tie returns 90, no commission (units of 1,00)."""
    bets = [bet(1, "punto", 5000), bet(1, "banca", 10_000), bet(1, "tie", 1000)]
    settlement = settled(full(bets, *TIE))
    assert {p.spot: p.returned for p in settlement.payouts} == {"punto": 5000, "banca": 10_000, "tie": 9000}
    assert settlement.totals.commission == 0


@pytest.mark.rule("BAC-22")
@pytest.mark.parametrize(
    ("stake", "commission", "profit"),
    [(18_000, 900, 17_100), (10_000, 500, 9500), (2000, 100, 1900), (2500, 125, 2375)],
)
def test_case_dea_015_commission(stake: int, commission: int, profit: int) -> None:
    """180, 100, 20, 25 on a winning banca: commission 9.00, 5.00, 1.00, 1.25, with chips of 0.25."""
    payout = settled(
        full([bet(1, "banca", stake)], *BANCA_WINS),
        chip=25,
        limits={"punto": (25, 100_000), "banca": (25, 100_000)},
    ).payouts[0]
    assert (payout.commission, payout.won, payout.rounding) == (commission, profit, 0)
    assert payout.returned == stake + profit
