"""The draw of tables: recomputed by an implementation of its own, tampered with, and held to its weights."""

from __future__ import annotations

import copy
import hashlib
import json
from collections import Counter
from typing import Any

import pytest

from audits.inspections import draw

pytestmark = pytest.mark.rule("REC-11")
SEED = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"


def candidates() -> list[draw.Candidate]:
    """Never counted; counted today for the eleventh time; ten days ago, twice; ninety days ago, once."""
    given = ((7, "PB-07", None, 0), (2, "BJ-02", 0, 11), (11, "RU-11 ñ", 10, 2), (5, "PB-05", 90, 1))
    return [draw.candidate(*one) for one in given]


def record(wanted: int = 3, word: str = "quirquincho", seed: str = SEED) -> dict[str, Any]:
    found = candidates()
    digest = draw.digest_of(found)
    stuff = draw.entropy(seed, digest, word, "AI-2026-0001/1")
    return {
        "v": 1,
        "label": "AI-2026-0001/1",
        "wanted": wanted,
        "candidates": [list(one) for one in found],
        "digest": digest,
        "seed_hash": hashlib.sha256(bytes.fromhex(seed)).hexdigest(),
        "seed": seed,
        "word": word,
        "picks": [list(pick) for pick in draw.drawn(found, wanted, stuff)],
    }


def recomputed(kept: dict[str, Any]) -> list[list[int]]:
    """The draw again from docs/inspection.md alone, with nothing of ours."""

    def sha(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    tables = sorted(kept["candidates"], key=lambda one: one[0])
    text = "".join(f"{i} {days} {times} {weight} {label}\n" for i, label, days, times, weight in tables)
    digest = sha(text.encode("utf-8"))
    entropy = sha(
        bytes.fromhex(kept["seed"])
        + digest
        + sha(kept["word"].encode("utf-8"))
        + kept["label"].encode("utf-8")
    )
    picks = []
    for place in range(1, kept["wanted"] + 1):
        total = sum((1 + days) * 12 // (1 + times) for _i, _label, days, times, _weight in tables)
        attempt, x = 0, 2**256
        while x >= 2**256 - 2**256 % total:
            x = int(sha(entropy + f":{place}:{attempt}".encode()).hex(), 16)
            attempt += 1
        below = number = x % total
        for index, (i, _label, _days, _times, weight) in enumerate(tables):
            if below < weight:
                picks.append([total, number, i])
                del tables[index]
                break
            below -= weight
    return picks


def test_weights_by_hand() -> None:
    # (1 + 90) * 12 / 1; 1 * 12 / 12; 11 * 12 / 3; 91 * 12 / 2
    assert [one.weight for one in candidates()] == [1092, 1, 44, 546]
    assert draw.candidate(1, "x", 5000, 0) == draw.Candidate(1, "x", 90, 0, 1092)
    assert draw.candidate(1, "x", -1, 99) == draw.Candidate(1, "x", 0, 11, 1)


def test_less_lately_and_less_often_inspected_weigh_more_and_nothing_weighs_nothing() -> None:
    for times in range(12):
        by_days = [draw.weight(days, times) for days in range(91)]
        assert by_days == sorted(set(by_days))
        assert by_days[0] >= 1
    for days in range(91):
        by_times = [draw.weight(days, times) for times in range(12)]
        assert by_times == sorted(by_times, reverse=True)


@pytest.mark.parametrize("wanted", [1, 2, 3, 4])
@pytest.mark.parametrize("word", ["abcd", "quirquincho", "señal de la AJ 7♣"])
def test_another_implementation_draws_the_same(wanted: int, word: str) -> None:
    kept = json.loads(json.dumps(record(wanted, word)))
    assert recomputed(kept) == kept["picks"]
    assert draw.verify_draw(kept) == []


def test_every_table_is_drawn_once_at_most() -> None:
    assert sorted(pick[2] for pick in record(4)["picks"]) == [2, 5, 7, 11]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda r: r.update(word="otra palabra"), "picks"),
        (lambda r: r.update(seed=SEED.replace("0", "1")), "seed"),
        (lambda r: r.update(seed_hash="0" * 64), "seed"),
        (lambda r: r.update(label="AI-2026-0001/2"), "picks"),
        (lambda r: r.update(digest="0" * 64), "digest"),
        (lambda r: r["picks"][0].__setitem__(2, 2), "picks"),
        (lambda r: r["picks"].reverse(), "picks"),
        (lambda r: r["picks"].pop(), "picks"),
        (lambda r: r["candidates"].pop(), "digest"),
        (lambda r: r["candidates"][0].__setitem__(4, 9999), "candidates"),
        (lambda r: r["candidates"][0].__setitem__(2, 1), "candidates"),
        (lambda r: r["candidates"].append(r["candidates"][0]), "candidates"),
        (lambda r: r.update(wanted=0), "candidates"),
        (lambda r: r.update(wanted=True), "candidates"),
        (lambda r: r.update(wanted=5), "candidates"),
        (lambda r: r.update(candidates=[]), "candidates"),
        (lambda r: r.update(seed=SEED.upper() + "x"), "record"),
        (lambda r: r.update(seed=None), "record"),
        (lambda r: r.update(candidates="x"), "record"),
        (lambda r: r.update(candidates=[[1]]), "record"),
        (lambda r: r.update(picks=None), "record"),
        (lambda r: r.update(word=7), "record"),
        (lambda r: r.update(v=2), "record"),
        (lambda r: r.clear(), "record"),
    ],
)
def test_whatever_is_changed_is_found(change: Any, fault: str) -> None:
    kept = copy.deepcopy(record())
    change(kept)
    assert fault in draw.verify_draw(kept)


def test_the_order_in_which_candidates_are_written_is_nothing() -> None:
    kept = record()
    kept["candidates"].reverse()
    assert draw.verify_draw(kept) == []


def test_the_draw_follows_its_weights() -> None:
    """Chi-square over 6,000 fixed seeds, three degrees of freedom: 16.27 is passed once in a thousand."""
    found = candidates()
    total = sum(one.weight for one in found)
    seen: Counter[int] = Counter()
    draws = 6000
    for n in range(draws):
        stuff = draw.entropy(f"{n:064x}", draw.digest_of(found), "palabra", "AI-2026-0001/1")
        seen[draw.drawn(found, 1, stuff)[0].id] += 1
    heavy = [one for one in found if one.weight > 1]  # one in 1,683 is too few for the test
    rest = draws - sum(seen[one.id] for one in heavy)
    expected = {one.id: draws * one.weight / total for one in heavy}
    square = sum((seen[id] - wanted) ** 2 / wanted for id, wanted in expected.items())
    square += (rest - draws / total) ** 2 / (draws / total)
    assert square < 16.27


def test_a_number_below_a_total_is_even_over_it() -> None:
    """Chi-square, seven numbers, 7,000 fixed draws, six degrees of freedom: 22.46 once in a thousand."""
    seen = Counter(draw.number_below(7, bytes(32), place) for place in range(7000))
    assert set(seen) == set(range(7))
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 22.46
    assert draw.number_below(1, bytes(32), 1) == 0


def test_a_number_that_would_favour_the_low_ones_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^256 mod 3 is 1: the highest number of all is thrown away."""

    class Given:
        def __init__(self, data: bytes) -> None:
            self.data = data

        def digest(self) -> bytes:
            return b"\xff" * 32 if self.data.endswith(b":1:0") else bytes(31) + b"\x05"

    monkeypatch.setattr(draw.hashlib, "sha256", Given)
    assert draw.number_below(3, bytes(32), 1) == 2
