"""A pool's parameters as data: what may be declared, what the book leaves open, and how each is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import RuleViolation, SabotError
from jackpots import maths
from jackpots.scheme import CLASSIC, HANDS, POLICIES, RESEED_ORDERS, Level, Prize, Reserve, Scheme, read
from tables.games.poker import ranks


def declared(**about: Any) -> dict[str, Any]:
    """Commission 10 %, of the rest four fifths to the pool and one to a reserve, a credit of 5,00."""
    usual: dict[str, Any] = {
        "commission_bp": 1000,
        "levels": [{"code": "main", "share_bp": 8000, "base": 1_000_000}],
        "reserves": [{"share_bp": 2000}],
        "credit": 500,
    }
    return usual | about


def refusal(**about: Any) -> SabotError:
    with pytest.raises(SabotError) as caught:
        read(declared(**about))
    return caught.value


@pytest.mark.rule("PP-13")
@pytest.mark.rule("PP-16")
@pytest.mark.rule("PP-17")
@pytest.mark.rule("PP-22")
@pytest.mark.rule("PP-33")
def test_what_is_not_declared_is_the_rulebooks() -> None:
    found, rules = read(declared()), rulebook.rules()
    assert found.levels == (Level("main", 8000, 1_000_000, None),)
    assert found.reserves == (Reserve("reserve", 2000),)
    bet = rules["PP-13"].params
    assert (found.least, found.most) == (bet["bet_min_credits"], bet["bet_max_credits"])
    several = rules["PP-17"].params
    assert found.policy == several["multi_winner_policy"]
    assert tuple(several["multi_winner_policy_allowed"]) == POLICIES
    assert found.lower_percent_first is several["lower_percent_first"]
    assert list(found.reseed_order) == rules["PP-33"].params["reseed_order"]
    assert found.prizes == CLASSIC and found.round_limit is None


@pytest.mark.rule("PP-16")
def test_the_classic_prizes_are_the_rulebooks() -> None:
    said = {"percent": lambda value: f"{value // 100}%pool", "times": lambda value: f"{value}x"}
    rows = {row["hand"]: row["pays"] for row in rulebook.paytables()["progressive.classic"].rows}
    assert rows.pop("not_listed") == "lose"
    assert {prize.hand: said[prize.kind](prize.value) for prize in CLASSIC} == rows
    assert [prize.hand for prize in CLASSIC if prize.top] == ["royal_flush"]


@pytest.mark.rule("PP-21")
def test_numerators_are_exact_and_come_to_the_whole() -> None:
    """10 % of all; of the other 90 %, 80 % and 20 %: 10, 72 and 18 % of what is bet."""
    found = read(declared())
    assert found.numerators() == {"commission": 10_000_000, "main": 72_000_000, "reserve": 18_000_000}
    assert sum(found.numerators().values()) == maths.D


def test_a_scheme_survives_being_stored() -> None:
    given = declared(
        levels=[
            {"code": "main", "share_bp": 5000, "base": 100, "cap": 500},
            {"code": "mini", "share_bp": 3000, "base": 0},
        ],
        prizes=[
            {"hand": "royal_flush", "kind": "percent", "value": 10_000},
            {"hand": "straight_flush", "kind": "percent", "value": 10_000, "level": "mini"},
            {"hand": "flush", "kind": "fixed", "value": 5000},
        ],
        least=2,
        most=5,
        policy="sequential",
        lower_percent_first=False,
        reseed_order=["house"],
        round_limit=50_000,
    )
    found = read(given)
    stored = json.loads(json.dumps(found.to_json()))
    assert read(stored) == found and read(stored).to_json() == stored
    assert found.level("mini") == Level("mini", 3000, 0) and found.level("main").cap == 500
    assert found.prize_of("straight_flush") == Prize("straight_flush", "percent", 10_000, "mini")
    assert found.prize_of("pair") is None and found.prize_of("full_house") is None
    with pytest.raises(KeyError):
        found.level("maxi")


def test_shares_that_are_not_the_whole_make_no_scheme() -> None:
    with pytest.raises(ValueError, match="whole"):
        Scheme(0, (Level("main", 9999, 0),), (), 1, 1, 1)


@pytest.mark.rule("PP-20")
@pytest.mark.parametrize(
    ("about", "fields"),
    [
        ({"commission_bp": None}, ["commission_bp"]),
        ({"levels": [{"share_bp": 8000}]}, ["levels.main.base"]),
        ({"levels": [{"code": "main", "share_bp": 8000, "base": None}]}, ["levels.main.base"]),
        ({"reserves": [{"code": "reserve"}]}, ["reserves.reserve.share_bp"]),
        ({"reserves": None}, ["reserves"]),
        ({"levels": None, "commission_bp": None, "reserves": None},
         ["commission_bp", "levels.main.base", "reserves"]),
    ],
)  # fmt: skip
def test_a_pool_without_its_figures_is_refused(about: dict[str, Any], fields: list[str]) -> None:
    found = refusal(**about)
    assert isinstance(found, RuleViolation)
    assert (found.code, found.rule, found.field) == ("pool_figures_unset", "PP-20", fields[0])
    assert found.detail == {"unset": fields}


@pytest.mark.rule("PP-13")
@pytest.mark.rule("PP-20")
def test_nothing_stated_at_all() -> None:
    with pytest.raises(RuleViolation) as caught:
        read({})
    assert caught.value.detail["unset"] == ["commission_bp", "levels.main.base", "reserves"]
    unpriced = refusal(credit=None)
    assert (unpriced.code, unpriced.rule, unpriced.field) == ("pool_figures_unset", "PP-13", "credit")


@pytest.mark.rule("PP-20")
@pytest.mark.rule("PP-22")
def test_nothing_is_a_figure_where_it_is_stated() -> None:
    """No commission, no base and no reserve may all be declared; what may not is to leave them open."""
    found = read(declared(commission_bp=0, levels=[{"share_bp": 10_000, "base": 0}], reserves=[]))
    assert found.numerators() == {"commission": 0, "main": maths.D}


MAIN = {"code": "main", "share_bp": 8000, "base": 100}
ROYAL = {"hand": "royal_flush", "kind": "percent", "value": 10_000}


@pytest.mark.parametrize(
    ("about", "code", "rule", "field"),
    [
        ({"comission_bp": 1}, "unknown_key", "", "comission_bp"),
        ({"levels": [MAIN | {"seed": 1}]}, "unknown_key", "", "seed"),
        ({"reserves": [{"share_bp": 2000, "base": 1}]}, "unknown_key", "", "base"),
        ({"prizes": [ROYAL | {"pays": 1}]}, "unknown_key", "", "pays"),
        ({"commission_bp": -1}, "out_of_range", "", "commission_bp"),
        ({"commission_bp": 10_000}, "out_of_range", "", "commission_bp"),
        ({"commission_bp": 10.5}, "bad_value", "", "commission_bp"),
        ({"levels": []}, "bad_value", "PP-22", "levels"),
        ({"levels": [MAIN] * 9}, "bad_value", "PP-22", "levels"),
        ({"levels": "main"}, "bad_value", "PP-22", "levels"),
        ({"levels": ["main"]}, "bad_value", "", "levels"),
        ({"reserves": {}}, "bad_value", "", "reserves"),
        ({"levels": [MAIN | {"code": "top"}]}, "main_pool_missing", "PP-22", "levels"),
        ({"levels": [MAIN | {"base": -1}]}, "out_of_range", "", "levels.main.base"),
        ({"levels": [MAIN | {"cap": 100}]}, "out_of_range", "", "levels.main.cap"),
        ({"levels": [MAIN | {"share_bp": 0}]}, "out_of_range", "", "levels.main.share_bp"),
        ({"levels": [MAIN | {"share_bp": 7999}]}, "shares_not_whole", "PP-21", "levels.main.share_bp"),
        ({"levels": [MAIN | {"share_bp": 8001}]}, "shares_not_whole", "PP-21", "levels.main.share_bp"),
        ({"levels": [MAIN | {"code": "base"}]}, "bad_value", "", "levels.code"),
        ({"levels": [MAIN | {"code": "Main"}]}, "bad_value", "", "levels.code"),
        ({"levels": [MAIN | {"code": None}]}, "bad_value", "", "levels.code"),
        ({"levels": [MAIN | {"code": "reserve"}]}, "bad_value", "", "levels.code"),
        ({"levels": [MAIN | {"share_bp": 4000}] * 2}, "bad_scheme", "", "levels"),
        ({"reserves": [{"code": "pending", "share_bp": 2000}]}, "bad_value", "", "reserves.code"),
        ({"levels": [MAIN | {"share_bp": 10_000, "cap": 500}], "reserves": []},
         "bad_scheme", "", "levels.main.cap"),
        ({"credit": 0}, "out_of_range", "", "credit"),
        ({"least": 0}, "out_of_range", "", "least"),
        ({"least": 2, "most": 1}, "out_of_range", "", "most"),
        ({"most": 1001}, "out_of_range", "", "most"),
        ({"policy": "luck"}, "bad_value", "", "policy"),
        ({"lower_percent_first": 1}, "bad_value", "", "lower_percent_first"),
        ({"reseed_order": ["reserve"]}, "bad_reseed_order", "PP-33", "reseed_order"),
        ({"reseed_order": [["house"]]}, "bad_reseed_order", "PP-33", "reseed_order"),
        ({"reseed_order": "house"}, "bad_reseed_order", "PP-33", "reseed_order"),
        ({"round_limit": 0}, "out_of_range", "", "round_limit"),
        ({"prizes": []}, "bad_value", "PP-16", "prizes"),
        ({"prizes": [ROYAL, ROYAL]}, "bad_scheme", "PP-16", "prizes"),
        ({"prizes": [ROYAL, ROYAL | {"hand": "straight_flush"}]}, "bad_scheme", "PP-16", "prizes"),
        ({"prizes": [ROYAL | {"hand": "five_of_a_kind"}]}, "bad_value", "", "prizes.hand"),
        ({"prizes": [ROYAL | {"hand": "high_card"}]}, "bad_value", "", "prizes.hand"),
        ({"prizes": [ROYAL | {"kind": "share"}]}, "bad_value", "", "prizes.royal_flush.kind"),
        ({"prizes": [ROYAL | {"value": 10_001}]}, "out_of_range", "", "prizes.royal_flush.value"),
        ({"prizes": [ROYAL | {"value": 0}]}, "out_of_range", "", "prizes.royal_flush.value"),
        ({"prizes": [ROYAL | {"level": "mini"}]}, "bad_value", "", "prizes.royal_flush.level"),
        ({"prizes": [{"hand": "flush", "kind": "times", "value": 100_000}], "credit": 10**9},
         "bad_scheme", "", "prizes.flush.value"),
        ({"levels": [MAIN | {"share_bp": 4000}, {"code": "mini", "share_bp": 4000, "base": 0}]},
         "bad_scheme", "PP-03", "prizes"),
    ],
)  # fmt: skip
def test_what_may_not_be_declared(about: dict[str, Any], code: str, rule: str, field: str) -> None:
    found = refusal(**about)
    assert (found.code, found.rule, found.field) == (code, rule, field)
    assert found.message.es and found.message.en


@pytest.mark.parametrize("raw", [None, [], "scheme", 7])
def test_what_is_no_object_is_refused(raw: object) -> None:
    with pytest.raises(SabotError):
        read(raw)


def test_both_orders_of_reseeding_may_be_declared() -> None:
    for order in RESEED_ORDERS:
        assert read(declared(reseed_order=list(order))).reseed_order == order


@pytest.mark.rule("PP-02")
def test_every_hand_a_prize_may_be_for_is_one_the_engine_tells() -> None:
    assert set(HANDS) == set(ranks.CATEGORIES) - {"high_card"} and HANDS[0] == "royal_flush"
