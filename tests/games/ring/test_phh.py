"""Poker Hand History: hands written, read back, and read by pokerkit; and text that is none."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pokerkit as pk
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.errors import Conflict, SabotError
from tables.games.ring import phh, phh_read
from tests.games.ring.building import GAME, NO_RAKE, Hand, chips, do, limits_of, opened, seats
from tests.games.walking import walk

WHOLE = 2520
"""Pots of whole multiples are shared without odd chips, which pokerkit gives to other seats."""

IVEY_DWAN = """
# The first million-dollar pot on television.
variant = "NT"
ante_trimming_status = true
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = [
  "d dh p1 Ac2d", "d dh p2 ????", "d dh p3 7h6h",
  "p3 cbr 7000", "p1 cbr 23000", "p2 f", "p3 cc # to the flop",
  "d db Jc3d5c", "p1 cbr 35000", "p3 cc",
  "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100", "p3 cc",
  "p1 sm Ac2d", "p3 sm 7h6h",
  "d db Jh",
]
year = 2009
players = ["Phil Ivey", "Patrik Antonius", "Tom Dwan"]
"""


def test_a_hand_everybody_knows() -> None:
    """Ivey's straight to the five against Dwan's to the seven: 572.100, 1.997.500 and 1.109.500 after it."""
    hand = phh_read.load(IVEY_DWAN)
    settlement = GAME["texas"].settle(hand.state)
    after = dict(hand.state.chips)
    for payout in settlement.payouts:
        after[payout.seat] += payout.won
    assert list(after.values()) == [572_100, 1_997_500, 1_109_500]
    assert settlement.announcement.en == "seat 3: pot of 1,109,500 with seven-high straight"
    again = phh_read.load(phh.dump(hand.state), hand.rules.to_json())
    assert GAME["texas"].settle(again.state).to_json() == settlement.to_json()


ANTONIUS_BLOM = """
variant = "PO"
antes = [0, 0]
blinds_or_straddles = [500, 1000]
min_bet = 1000
starting_stacks = [1259450.25, 678473.5]
actions = [
  "d dh p1 Ah3sKsKh", "d dh p2 6d9s7d8h",
  "p2 cbr 3000", "p1 cbr 9000", "p2 cbr 27000", "p1 cbr 81000", "p2 cc",
  "d db 4s5c2h", "p1 cbr 91000", "p2 cbr 435000", "p1 cbr 779000", "p2 cc",
  "p1 sm Ah3sKsKh", "p2 sm 6d9s7d8h",
  "d db 5h", "d db 9c",
]
"""


def test_a_pot_limit_hand_everybody_knows() -> None:
    """Each raise is within the pot; the smaller stack of 678.473,50 is all in and loses to A-2-3-4-5."""
    hand = phh_read.load(ANTONIUS_BLOM)
    settlement = GAME["omaha"].settle(hand.state)
    assert {payout.seat: payout.won for payout in settlement.payouts} == {1: 67_847_350, 2: -67_847_350}
    assert settlement.announcement.es == "asiento 1: pozo de 1.356.947,00 con escala al cinco"
    with pytest.raises(SabotError) as caught:
        phh_read.load(ANTONIUS_BLOM.replace("p2 cbr 3000", "p2 cbr 3001"))
    assert (caught.value.rule, caught.value.code) == ("PR-13", "above_maximum")


def random_hand(code: str, seed: int) -> Any:
    """A hand of any stacks walked to its end, no big blind short (others call less in pokerkit then)."""
    game, structure = phh.PLAYED[code]
    name = game.removeprefix("poker.")
    chance = random.Random(f"{code} {seed}")
    limits = limits_of(name, 50 * WHOLE, 100 * WHOLE, chance.choice((0, 10)) * WHOLE)
    state = opened(name, {"structure": structure}, {**limits, "buy_in": (160 * WHOLE, 1000 * WHOLE)})
    places = sorted(chance.sample(range(1, state.terms.seats + 1), chance.randint(2, 7)))
    stacks = [chance.choice((160, 200, 400, 2000)) + chance.randint(0, 60) for _ in places]
    events = [chips(seat, stack * WHOLE) for seat, stack in zip(places, stacks, strict=True)]
    return walk(GAME[name], GAME[name].play_all(state, events), chance, check=False)


@pytest.mark.parametrize("code", phh.PLAYED)
def test_hands_go_out_through_pokerkit_and_back(code: str) -> None:
    """Ours -> PHH -> ours settles alike; pokerkit reads the same text and ends with the same stacks; what
    pokerkit writes of it we read again.
    """
    game = next(one for one in GAME.values() if one.code == phh.PLAYED[code][0])
    for seed in range(40):
        state = random_hand(code, seed)
        text = phh.dump(state, {"author": 'Ñandú "Nº 7"', "hand": seed})
        wanted = game.settle(state)
        back = phh_read.load(text, state.rules.to_json())
        assert back.terms.seats == state.terms.seats and back.state.order == state.order
        got = game.settle(back.state)
        assert (got.payouts, got.totals, got.announcement) == (
            wanted.payouts,
            wanted.totals,
            wanted.announcement,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            history = pk.HandHistory.loads(text)
            *_, final = history
        net = {payout.seat: payout.won for payout in wanted.payouts}
        assert list(final.stacks) == [stack + net.get(seat, 0) for seat, stack in zip_stacks(state)]
        theirs = phh_read.load(history.dumps(), state.rules.to_json())
        assert game.settle(theirs.state).payouts == wanted.payouts


def zip_stacks(state: Any) -> list[tuple[int, int]]:
    held = dict(state.chips)
    return [(seat, held[seat]) for seat in state.order]


def test_centavos_and_rake_are_written_in_the_currency() -> None:
    """Blinds 0.50 and 1.00 in centavos; 4 % of 4.00 up to 0.50 is 0.50."""
    rules = {"rake_basis_points": 400}
    state = opened(rules=rules, limits={"blind": (50, 100)}, exponent=2, chip=50)
    hand = Hand(state, seats(200, 2), {1: "Ac Ad", 2: "Kc Kd"}, "2c 3c 9h Jd Qs", 2)
    hand.acts("2 allin", "1 call").showdown()
    text = phh.dump(hand.state, {"currency": "BOB", "table": "TX-01", "nobody": "x"})
    for line in (
        "blinds_or_straddles = [0.50, 1]",
        "starting_stacks = [2, 2]",
        "finishing_stacks = [3.50, 0]",
        'table = "TX-01"',
        '  "p2 cbr 2",',
    ):
        assert line in text.splitlines()
    assert "nobody" not in text
    back = phh_read.load(text, state.rules.to_json())
    assert (back.terms.exponent, back.terms.chip) == (2, 50)
    assert GAME["texas"].settle(back.state).to_json()["payouts"] == hand.settle().to_json()["payouts"]


def test_what_phh_has_no_place_for() -> None:
    for name in ("five_card_stud", "omaha"):
        with pytest.raises(SabotError) as caught:
            phh.dump(opened(name))
        assert caught.value.code == "phh_unsupported"
    with pytest.raises(Conflict):
        phh.dump(opened())


def changed(**fields: str) -> str:
    """The known hand with other lines; `None` leaves a field out."""
    lines = IVEY_DWAN.splitlines()
    for name, value in fields.items():
        lines = [line for line in lines if not line.startswith(f"{name} =")]
        lines += [f"{name} = {value}"] if value else []
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "rule", "code"),
    [
        ("", "", "phh_unreadable"),
        ("variant = ", "", "phh_unreadable"),
        ("x = " + "[" * 5000, "", "phh_unreadable"),
        ("x = 1", "", "phh_unreadable"),
        (changed(variant='"NS"'), "", "phh_unsupported"),
        (changed(variant="[1]"), "", "phh_unsupported"),
        (changed(antes="[500, 500]"), "", "bad_value"),
        (changed(antes="[500, 500, 1000]"), "GEN-04", "phh_antes"),
        (changed(blinds_or_straddles="[1000, 2000, 4000]"), "PR-11", "phh_straddle"),
        (changed(blinds_or_straddles="[0, 2000, 0]"), "", "bad_value"),
        (changed(blinds_or_straddles='["a", "b", "c"]'), "", "bad_value"),
        (changed(min_bet="1000"), "PR-13", "phh_min_bet"),
        (changed(min_bet=""), "", "bad_value"),
        (changed(starting_stacks="[1, 2000000, inf]"), "", "bad_value"),
        (changed(starting_stacks="[1, 2000000, 1e400]"), "", "bad_value"),
        (changed(starting_stacks="[1, 2000000, 0.000000000001]"), "", "bad_value"),
        (changed(starting_stacks="[0, 2000000, 553500]"), "", "out_of_range"),
        (changed(starting_stacks="[5]"), "", "bad_value"),
        (changed(starting_stacks="[true, 2, 3]"), "", "bad_value"),
        (changed(_sabot_exponent="99"), "", "out_of_range"),
        (changed(_sabot_chip="300"), "GEN-04", "unplayable_limits"),
        (IVEY_DWAN.replace("d db Jh", "d db Jhx"), "", "phh_action"),
        (IVEY_DWAN.replace("d db Jh", "d db Zz"), "", "unknown_card"),
        (IVEY_DWAN.replace("d db Jh", "d db Jc"), "CARD-42", "impossible_card"),
        (IVEY_DWAN.replace("p3 cbr 7000", "p3 cbr 3000"), "PR-13", "below_minimum"),
        (IVEY_DWAN.replace("p3 cbr 7000", "p3 cbr many"), "", "bad_value"),
        (IVEY_DWAN.replace("p3 cbr 7000", "p1 cbr 7000"), "PR-12", "not_your_turn"),
        (IVEY_DWAN.replace("p3 cbr 7000", "p4 cbr 7000"), "", "phh_action"),
        (IVEY_DWAN.replace("p3 cbr 7000", "p3 jump"), "", "phh_action"),
        (IVEY_DWAN.replace('"d dh p3 7h6h",', ""), "PR-12", "choice_not_due"),
        (IVEY_DWAN.replace('"d db Jh",', ""), "", "phh_incomplete"),
        (IVEY_DWAN.replace('"d db Jh"', '"d db Jh2s"'), "", "phh_incomplete"),
    ],
)
def test_text_that_is_no_hand_is_refused_with_the_reason(text: str, rule: str, code: str) -> None:
    with pytest.raises(SabotError) as caught:
        phh_read.load(text)
    assert (caught.value.rule, caught.value.code) == (rule, code)
    assert caught.value.message.es and caught.value.message.en


def test_the_action_that_breaks_a_rule_is_named() -> None:
    with pytest.raises(SabotError) as caught:
        phh_read.load(IVEY_DWAN.replace("p3 cbr 7000", "p3 cbr 3000"))
    assert caught.value.detail["action"] == 4


def test_several_hands_in_one_text() -> None:
    both = f"[1]\n{IVEY_DWAN}\n[2]\n{IVEY_DWAN}"
    assert [phh_read.read(hand).game for hand in phh_read.hands_of(both)] == ["poker.texas"] * 2
    with pytest.raises(SabotError) as caught:
        phh_read.load(both)
    assert caught.value.code == "phh_unreadable"


@settings(max_examples=300, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    junk=st.one_of(
        st.text(max_size=6), st.sampled_from(["p1 cc", "d dh p1 ??", "1e99", "]", '"', "\x00", "#"])
    ),
    many=st.integers(1, 4),
)
def test_mangled_text_is_refused_or_read_and_never_breaks(seed: int, junk: str, many: int) -> None:
    chance = random.Random(seed)
    text = IVEY_DWAN
    for _ in range(many):
        place, length = chance.randrange(len(text) + 1), chance.choice((0, 1, 5, 40))
        text = text[:place] + junk + text[place + length :]
    try:
        hand = phh_read.load(text)
    except SabotError as refusal:
        assert refusal.code and refusal.message.es and refusal.message.en
    else:
        assert hand.state.complete


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(field=st.sampled_from(sorted(phh_read.hands_of(IVEY_DWAN)[0])), value=VALUES)
def test_mangled_fields_are_refused_or_read_and_never_break(field: str, value: Any) -> None:
    data = {**phh_read.hands_of(IVEY_DWAN)[0], field: value}
    try:
        assert phh_read.read(data).state.complete
    except SabotError as refusal:
        assert refusal.code and refusal.message.es


def test_a_hand_with_rules_of_its_own_is_read_with_them() -> None:
    hand = phh_read.load(IVEY_DWAN, {"rake_basis_points": 500, "rake_cap": "1000"})
    assert GAME["texas"].settle(hand.state).totals.commission == 1000
    assert phh_read.load(IVEY_DWAN).rules.rake_basis_points == NO_RAKE["rake_basis_points"]


def test_a_struck_out_decision_is_not_written() -> None:
    hand = Hand(opened(), seats(1000, 2), {1: "Ac Ad", 2: "Kc Kd"}, at=2)
    hand.acts("2 raise 300")
    hand.play({"e": "undo", "of": len(hand.state.log), "why": "era el asiento 1"}).play(do(2, "fold"))
    assert [line for line in phh.dump(hand.state).splitlines() if "p2" in line] == [
        '  "d dh p2 KcKd",',
        '  "p2 f",',
    ]


def test_a_byte_order_mark_is_no_reason_to_refuse() -> None:
    assert phh_read.load("\ufeff" + IVEY_DWAN).state.complete


def test_a_comma_parts_thousands_and_nothing_else() -> None:
    """«7,000» is seven thousand; «7,0» would be seventy if commas were dropped, and «7_000» is no amount."""
    assert phh_read.load(IVEY_DWAN.replace("cbr 7000", "cbr 7,000")).state.complete
    for wrong in ("7,0", "70,00", "7_000", "7000,5", ",7000"):
        with pytest.raises(SabotError) as caught:
            phh_read.load(IVEY_DWAN.replace("cbr 7000", f"cbr {wrong}"))
        assert (caught.value.code, caught.value.field) == ("bad_value", "actions"), wrong


def test_no_hand_of_a_file_is_passed_over() -> None:
    with pytest.raises(SabotError) as caught:
        phh_read.hands_of(f"{IVEY_DWAN}\n[2]\n{IVEY_DWAN}")
    assert caught.value.code == "phh_unreadable" and "[1]" in caught.value.message.es
    found = phh_read.hands_of(f"[1]\n{IVEY_DWAN}\n[2]\nvenue = 'Oruro'\n")
    assert phh_read.read(found[0]).state.complete
    with pytest.raises(SabotError) as caught:
        phh_read.read(found[1])
    assert caught.value.message.es == "no se lee como PHH: no dice qué variante es"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("variant = ", "no es TOML (Invalid value (at end of document))"),
        ("# nada\n", "no dice qué variante es"),
        (IVEY_DWAN.replace("starting_stacks", "stacks"), "«starting_stacks»"),
    ],
)
def test_the_reason_names_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(SabotError) as caught:
        phh_read.load(text)
    assert said in str(caught.value)


def test_unknown_cards_cannot_be_shown_as_they_are() -> None:
    hidden = IVEY_DWAN.replace("d dh p3 7h6h", "d dh p3 ????").replace("p3 sm 7h6h", "p3 sm -")
    with pytest.raises(SabotError) as caught:
        phh_read.load(hidden)
    assert caught.value.code == "phh_action" and "p3" in caught.value.message.es
