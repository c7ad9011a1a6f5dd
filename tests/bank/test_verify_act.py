"""The verifier of acts: an act worked out by hand holds, and one altered anywhere does not, also when whoever
altered it made digests and signatures anew.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tables.bank import verify_act
from tests.bank.acts_by_hand import DAY, Act, deserted_act, money, place, sealed_act, signed, the_act

pytestmark = pytest.mark.rule("BANK-26")

SCRIPT = Path(verify_act.__file__)
Change = Callable[[Act], None]


def fault(act: Act) -> str:
    """What the verifier says first, in English; empty where it finds nothing."""
    try:
        for _said in verify_act.verify(verify_act.read(json.dumps(act))):
            pass
    except verify_act.Fault as found:
        return found.en
    return ""


@pytest.mark.parametrize("made", [the_act, sealed_act, deserted_act, lambda: counted_act()])
def test_an_act_worked_out_by_hand_holds(made: Callable[[], Act]) -> None:
    assert fault(made()) == ""


def put(path: str, value: Any) -> Change:
    """Change one value in an act: `bids.1.seat` is the seat of its second bid."""

    def change(act: Act) -> None:
        *way, last = path.split(".")
        found: Any = act
        for step in way:
            found = found[int(step)] if isinstance(found, list) else found[step]
        found[int(last) if isinstance(found, list) else last] = value

    return change


def all_of(*changes: Change) -> Change:
    def change(act: Act) -> None:
        for one in changes:
            one(act)

    return change


def without(path: str) -> Change:
    def change(act: Act) -> None:
        part, n = path.split(".")
        del act[part][int(n)]

    return change


TAMPERED: dict[str, tuple[Change, str]] = {
    "another format": (put("format", "sabot.auction-act/9"), "unknown format"),
    "another form": (put("auction.form", "whispered"), "unknown form"),
    "an amount written otherwise": (
        put("bids.1.amount.value", "51.00"),
        "the amount at bids[2].amount is not one",
    ),
    "another seed": (put("draw.seed", "5b" * 32), "the seed is not the one announced"),
    "another hash of the seed": (put("draw.seed_hash", "00" * 32), "the seed is not the one announced"),
    "a seat twice": (put("places.1.seat", 2), "a seat is twice"),
    "out without a reason": (put("places.2.why", None), "seat 5: out without rule or reason"),
    "a bid left out": (without("bids.1"), "bid 2 is missing"),
    "two bids the other way round": (
        all_of(put("bids.0.at", f"{DAY}00:25.000000Z")),
        "bid 2: earlier than the one before",
    ),
    "a bid before the opening": (put("bids.0.at", "2026-11-20T21:59:59.000000Z"), "bid 1: earlier"),
    "a bid after the close": (put("bids.3.at", f"{DAY}01:10.000000Z"), "bid 4: came after the close"),
    "a bid of nobody at the table": (put("bids.1.seat", 9), "bid 2: the bidder is not at the table"),
    "a bid under another name": (put("bids.1.player", "J7"), "bid 2: the bidder is not at the table"),
    "a bid of who was out": (
        all_of(put("bids.1.seat", 5), put("bids.1.player", "J5")),
        "bid 2: seat 5 was out (BANK-12)",
    ),
    "who bid was out": (put("places.1", place(4, "BANK-15")), "bid 2: seat 4 was out (BANK-15)"),
    "a bid below the minimum": (put("bids.0.amount", money(9)), "bid 1: below the opening bid"),
    "a higher minimum": (put("auction.minimum", money(20)), "bid 1: below the opening bid"),
    "a bid off the chips": (
        put("bids.1.amount", {"value": "50.50", "units": 5050}),
        "bid 2: not made of chips",
    ),
    "a bid above the maximum": (put("bids.2.amount", money(1001)), "bid 3: above the maximum"),
    "a bid that raises nothing": (put("bids.1.amount", money(10)), "bid 2: does not beat the best"),
    "a larger increment": (put("auction.increment", money(20)), "bid 3: does not beat the best"),
    "an equal bid not heard at once": (put("bids.3.together", None), "bid 4: does not beat the best"),
    "at once with another bid": (put("bids.3.together", 2), "bid 4: not at one time"),
    "at once, four seconds later": (put("bids.3.at", f"{DAY}00:59.000000Z"), "bid 4: not at one time"),
    "at once with oneself": (
        all_of(put("bids.3.seat", 2), put("bids.3.player", "J2")),
        "bid 4: not at one time",
    ),
    "a seal in an outcry": (put("bids.0.seal", "00" * 32), "bid 1: sealed outcry"),
    "a close that did not move": (put("bids.2.closes_at", f"{DAY}01:00.000000Z"), "bid 3: the close due is"),
    "a longer prolongation": (put("auction.extension_seconds", 60), "bid 3: the close due is"),
    "a wider window": (put("auction.window_seconds", 45), "bid 4: the close due is"),
    "another close": (put("auction.closes_at", f"{DAY}01:11.000000Z"), "the close is not the one due"),
    "closed before its time": (put("auction.closed_at", f"{DAY}01:09.000000Z"), "closed before its time"),
    "another digest of the bids": (put("draw.bids_digest", "00" * 32), "the digest of the bids"),
    "an amount, and not its digest": (put("bids.0.amount", money(11)), "the digest of the bids"),
    "an instant, and not its digest": (put("bids.0.at", f"{DAY}00:06.000000Z"), "the digest of the bids"),
    "one of the tied left out": (put("draw.tied", [2]), "the leading seats are [2, 7]"),
    "a score": (put("draw.scores.2", "00" * 32), "the draw gives other figures"),
    "a seat that was not drawn": (
        lambda act: act["draw"].update(drawn=9 - act["draw"]["drawn"]),
        "the draw gives seat",
    ),
    "no award": (
        all_of(put("award", None), put("outcome", {"kind": "nobody"})),
        "there are bids and no award",
    ),
    "awarded to another": (put("award.seat", 4), "(BANK-10)"),
    "awarded for less": (put("award.amount", money(10)), "(BANK-10)"),
    "awarded as if nobody had bid": (put("award.how", "forced"), "(BANK-10)"),
    "deposited less": (put("outcome.amount", money(59)), "less was deposited than offered"),
    "deposited by another": (put("outcome.seat", 4), "another deposited"),
    "deposited before the award": (put("outcome.at", f"{DAY}01:11.000000Z"), "deposited: before the award"),
    "an outcome nobody knows": (put("outcome.kind", "lost"), "unknown outcome"),
    "events out of order": (put("bids.1.event.number", 41), "the events of the trail are out of order"),
    "an event of another table": (put("bids.1.event.stream", "session:4"), "event 42: another chain"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_what_was_altered_and_signed_anew_is_named(name: str) -> None:
    """Whoever altered it made its digest and the signatures fit: the fault is in what it tells."""
    change, said = TAMPERED[name]
    act = the_act()
    change(act)
    assert said in fault(signed(act))


SEALED: dict[str, tuple[Change, str]] = {
    "another amount in the envelope": (
        put("bids.1.amount", money(90)),
        "bid 2: not what was handed in sealed",
    ),
    "another key of the envelope": (put("bids.1.nonce", "f" * 32), "bid 2: not what was handed in sealed"),
    "a player's second envelope": (
        all_of(put("bids.2.seat", 7), put("bids.2.player", "J7")),
        "bid 3: a player's second envelope",
    ),
    "together": (put("bids.2.together", 2), "bid 3: together in a sealed auction"),
    "a close that moved": (put("bids.2.closes_at", f"{DAY}01:10.000000Z"), "bid 3: the close due is"),
}


@pytest.mark.parametrize("name", SEALED)
def test_what_was_altered_in_a_sealed_auction_is_named(name: str) -> None:
    change, said = SEALED[name]
    act = sealed_act()
    change(act)
    assert said in fault(signed(act))


DESERTED: dict[str, tuple[Change, str]] = {
    "awarded without a bid": (put("auction.state", "awarded"), "not deserted"),
    "by auction without a bid": (put("award.how", "auction"), "only the right hand"),
    "forced on who passed it": (
        all_of(put("award.seat", 5), put("award.player", "J5")),
        "it is seat 4's, J4",
    ),
    "forced on another": (all_of(put("award.seat", 7), put("award.player", "J7")), "it is seat 4's, J4"),
    "forced for more than the minimum": (put("award.amount", money(11)), "it is taken at the minimum"),
    "skipped for nothing": (
        put("auction.right_hand.skipped.0", {"seat": 4, "player": "J4", "why": "refused"}),
        "seat 4: skipped for nothing",
    ),
    "counted from another seat": (put("auction.right_hand.from_seat", 3), "it is seat 2's, J2"),
    "how it was counted left out": (put("auction.right_hand", None), "something is missing"),
    "a draw nobody took part in": (put("draw.drawn", 4), "a draw without a tie"),
    "nobody, and yet deposited": (put("award", None), "it is seat 4's, J4"),
}


@pytest.mark.parametrize("name", DESERTED)
def test_what_was_altered_where_nobody_bid_is_named(name: str) -> None:
    change, said = DESERTED[name]
    act = deserted_act()
    change(act)
    assert said in fault(signed(act))


def counted_act() -> Act:
    """Nobody bid, and it tells how the right hand was counted: past 4, who is away, to 2 (nine seats)."""
    act = deserted_act()
    act["auction"]["right_hand"] = {
        "from_seat": 5,
        "direction": "right",
        "table_seats": 9,
        "skipped": [skip(4, "away"), skip(5, "passed")],
        "moved": [],
    }
    return given_to(2)(act)


def skip(seat: int, why: str) -> Act:
    return {"seat": seat, "player": f"J{seat}", "why": why}


def given_to(seat: int) -> Callable[[Act], Act]:
    """Awarded to this seat, which deposited."""

    def change(act: Act) -> Act:
        for part in ("award", "outcome"):
            act[part].update(seat=seat, player=f"J{seat}")
        return signed(act)

    return change


def counting(**about: Any) -> Change:
    return lambda act: act["auction"]["right_hand"].update(about)


def passing_over(*skipped: Act) -> Change:
    return counting(skipped=list(skipped))


def refused_by(seat: int) -> Change:
    """Seat `seat` had refused the bank before."""

    def change(act: Act) -> None:
        act["places"] = [place(seat, "BANK-15") if one["seat"] == seat else one for one in act["places"]]

    return change


PASSED = skip(5, "passed")
COUNTED: dict[str, tuple[Change, int]] = {
    "nobody but who passed it is passed over": (passing_over(PASSED), 4),
    "one is away": (passing_over(skip(4, "away"), PASSED), 2),
    "one left": (passing_over(skip(4, "left"), PASSED), 2),
    "one is on an exclusion list": (passing_over(skip(4, "not_admitted"), PASSED), 2),
    "one is barred for the shoe": (passing_over(skip(4, "barred"), PASSED), 2),
    "two are away: past seat 1 comes 9, and then 7": (
        passing_over(skip(2, "away"), skip(4, "away"), PASSED), 7,
    ),
    "who sat down later is no place of the auction": (passing_over(skip(3, "came_later"), PASSED), 4),
    "one refused it before": (all_of(refused_by(4), passing_over(skip(4, "refused"), PASSED)), 2),
    "it goes to the left": (all_of(counting(direction="left"), passing_over(PASSED)), 7),
    "it comes from seat 2": (all_of(counting(from_seat=2), passing_over(PASSED)), 7),
}  # fmt: skip


@pytest.mark.rule("BANK-13")
@pytest.mark.parametrize("name", COUNTED)
def test_the_right_hand_is_counted_again(name: str) -> None:
    """With the seat that is due the act holds, and with any other of the auction it does not."""
    change, due = COUNTED[name]
    for seat in (2, 4, 7):
        act = counted_act()
        change(act)
        said = fault(given_to(seat)(act))
        assert said == ("" if seat == due else f"it is seat {due}'s, J{due} (BANK-13)")


NOT_COUNTED: dict[str, tuple[Change, str]] = {
    "skipped for nothing": (
        passing_over(skip(4, ""), PASSED), "seat 4: skipped for nothing",
    ),
    "one who refused it is obliged": (refused_by(2), "seats [2]: are not obliged"),
    "one barred for the shoe is obliged": (
        put("places.0", place(2, "BANK-28")), "seats [2]: are not obliged",
    ),
    "given to another on that seat": (
        all_of(put("award.player", "J9"), put("outcome.player", "J9")), "it is seat 2's, J2 (BANK-13)",
    ),
    "skipped for a reason nobody knows": (
        passing_over(skip(4, "asleep"), PASSED), "seat 4: skipped for nothing",
    ),
    "as if it had been refused": (
        passing_over(skip(4, "refused"), PASSED), "seat 4: skipped for nothing",
    ),
    "nobody, though one is there": (
        all_of(put("award", None), put("outcome", {"kind": "nobody"})), "it is seat 2's, J2 (BANK-13)",
    ),
    "one, though nobody is there": (
        passing_over(skip(2, "away"), skip(4, "away"), skip(7, "away"), PASSED), "it is nobody's (BANK-13)",
    ),
    "how it was counted half told": (
        lambda act: act["auction"]["right_hand"].pop("skipped"), "something is missing or cannot be read",
    ),
}  # fmt: skip


@pytest.mark.rule("BANK-13")
@pytest.mark.parametrize("name", NOT_COUNTED)
def test_a_right_hand_that_does_not_follow_is_named(name: str) -> None:
    change, said = NOT_COUNTED[name]
    act = counted_act()
    change(act)
    assert said in fault(signed(act))


@pytest.mark.rule("BANK-13")
def test_a_right_hand_nobody_has_to_be() -> None:
    """Everybody is passed over and nothing was awarded: the act holds."""
    act = counted_act()
    passing_over(skip(2, "away"), skip(4, "left"), skip(7, "barred"), PASSED)(act)
    act["award"], act["outcome"] = None, {"kind": "nobody"}
    assert fault(signed(act)) == ""


UNSIGNED: dict[str, tuple[Change, str]] = {
    "a name at the table": (put("session.table", "BB-02"), "the digest of the act is not its own"),
    "who left the bank": (put("auction.left_by.player", "J9"), "the digest of the act is not its own"),
    "a reason": (put("places.2.why.es", "otra"), "the digest of the act is not its own"),
    "a signature of another act": (put("signatures.1.digest", "00" * 32), "Persona 2 signed another act"),
    "the digest itself": (put("digest", "00" * 32), "the digest of the act is not its own"),
    "signed before the close": (put("signatures.0.at", f"{DAY}01:11.000000Z"), "Persona 1 signed early"),
    "signed twice by one person": (put("signatures.1.actor", 1), "two different people sign"),
    "signed by one alone": (without("signatures.1"), "two different people sign"),
    "a part left out": (lambda act: act.pop("outcome"), "parts are missing: ['outcome']"),
    "something that is none": (put("bids", "ninguna"), "something is missing or cannot be read"),
    "an instant that is none": (put("bids.0.at", "ayer"), "something is missing or cannot be read"),
}


@pytest.mark.parametrize("name", UNSIGNED)
def test_what_was_altered_after_it_was_signed_is_named(name: str) -> None:
    change, said = UNSIGNED[name]
    act = the_act()
    change(act)
    assert said in fault(act)


def test_an_act_nobody_signed_yet_holds() -> None:
    act = the_act()
    act["signatures"] = []
    assert fault(act) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is no JSON"),
        ("[]", "it is no act"),
        ('{"format": 1, "format": 2}', "a key is twice"),
        ('{"format": 1.5}', "a number with decimals"),
        ('{"format": NaN}', "a number with decimals"),
    ],
)
def test_what_is_no_act_is_said_so(text: str, said: str) -> None:
    with pytest.raises(verify_act.Fault) as found:
        verify_act.read(text)
    assert said in found.value.en


def run(path: Path) -> subprocess.CompletedProcess[str]:
    """As anybody runs it: Python alone, without what is installed beside it."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_runs_alone_and_says_what_it_checked(tmp_path: Path) -> None:
    path = tmp_path / "acta.json"
    path.write_text(json.dumps(the_act()), encoding="utf-8")
    done = run(path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "El acta está bien. / The act holds." in done.stdout
    assert "4 pujas en orden y en regla / 4 bids in order and by the rules" in done.stdout


def test_it_ends_with_one_and_the_first_fault(tmp_path: Path) -> None:
    path = tmp_path / "acta.json"
    act = the_act()
    act["draw"]["seed"] = "5b" * 32
    path.write_text(json.dumps(act), encoding="utf-8")
    done = run(path)
    assert done.returncode == 1
    assert "FALLA / FAULT: la semilla no es la anunciada" in done.stdout
    assert run(tmp_path / "nada.json").returncode == 1


def test_it_stands_on_the_standard_library_alone() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    named = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names
