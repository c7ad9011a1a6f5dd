"""The draw of the tables to inspect, and its check from the recorded data alone (REC-11).

    weight  = (1 + days) * 12 // (1 + times)     days since the table was last counted, at most 90 (never
                                                 counted: 90); times it was counted in those days, at most 11
    digest  = SHA-256 of the candidates in order of id, one line each: "id days times weight label\\n"
    hash    = SHA-256(seed)                                 published with digest, before the inspector's word
    entropy = SHA-256(seed || digest || SHA-256(word) || label)        label: of the draw, as on the trail
    x       = SHA-256(entropy || ":" place ":" try) as a number, most significant byte first; the first try
              (from 0) with x < 2^256 - 2^256 mod total counts, and the number drawn is x mod total
    drawn   = the first candidate, in order of id, up to whom the weights add up to more than the number;
              it leaves; the next place (from 1) is drawn among the rest: total is the sum of their weights

The house cannot know the result when it publishes the hash, for the word is the inspector's; the inspector
cannot choose it by his word, for he does not know the seed. Whole numbers only; standard library alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

LONGEST_DAYS = 90
MOST_TIMES = 11
SHARE = MOST_TIMES + 1
"""So that the smallest weight is one: counted today, and eleven times before."""
VERSION = 1
_ALL = 2**256


class Candidate(NamedTuple):
    """A table that may be drawn. `days` and `times` as the module says."""

    id: int
    label: str
    days: int
    times: int
    weight: int


class Pick(NamedTuple):
    """One place of the draw: the sum of the weights, the number drawn below it, the table it fell on."""

    total: int
    number: int
    id: int


def candidate(id: int, label: str, days: int | None, times: int) -> Candidate:
    """A table with its weight; `days` is None where it was never counted."""
    since = LONGEST_DAYS if days is None else max(0, min(days, LONGEST_DAYS))
    often = min(times, MOST_TIMES)
    return Candidate(id, label, since, often, weight(since, often))


def weight(days: int, times: int) -> int:
    return (1 + days) * SHARE // (1 + times)


def digest_of(candidates: Iterable[Candidate]) -> str:
    lines = "".join(f"{c.id} {c.days} {c.times} {c.weight} {c.label}\n" for c in sorted(candidates))
    return hashlib.sha256(lines.encode()).hexdigest()


def entropy(seed: str, digest: str, word: str, label: str) -> bytes:
    said = hashlib.sha256(word.encode()).digest()
    return hashlib.sha256(bytes.fromhex(seed) + bytes.fromhex(digest) + said + label.encode()).digest()


def number_below(total: int, stuff: bytes, place: int) -> int:
    """A number from 0 to `total` - 1, each as likely as any other."""
    most = _ALL - _ALL % total
    attempt = 0
    while True:
        x = int.from_bytes(hashlib.sha256(stuff + f":{place}:{attempt}".encode()).digest(), "big")
        if x < most:
            return x % total
        attempt += 1


def drawn(candidates: Sequence[Candidate], wanted: int, stuff: bytes) -> list[Pick]:
    """`wanted` tables, one after the other, each likelier the more it weighs among those left."""
    left, picks = sorted(candidates), []
    for place in range(1, wanted + 1):
        total = sum(one.weight for one in left)
        number = number_below(total, stuff, place)
        found = _at(left, number)
        picks.append(Pick(total, number, found.id))
        left.remove(found)
    return picks


def _at(candidates: Sequence[Candidate], number: int) -> Candidate:
    for one in candidates:
        if number < one.weight:
            return one
        number -= one.weight
    raise AssertionError("the number is below the sum of the weights")


def verify_draw(record: Mapping[str, Any]) -> list[str]:
    """What does not hold of a draw's record (`drawing.record_of`); empty where all does. Any record is
    answered, however it was tampered with."""
    try:
        return _faults(record)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return ["record"]


def _faults(record: Mapping[str, Any]) -> list[str]:
    if record["v"] != VERSION or not re.fullmatch("[0-9a-f]{64}", record["seed"]):
        return ["record"]
    candidates = [Candidate(*one) for one in record["candidates"]]
    wanted, wrong = record["wanted"], []
    if hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest() != record["seed_hash"]:
        wrong.append("seed")
    if not _sound(candidates) or type(wanted) is not int or not 1 <= wanted <= len(candidates):
        return [*wrong, "candidates"]
    if digest_of(candidates) != record["digest"]:
        wrong.append("digest")
    stuff = entropy(record["seed"], digest_of(candidates), record["word"], record["label"])
    if [list(pick) for pick in drawn(candidates, wanted, stuff)] != [list(one) for one in record["picks"]]:
        wrong.append("picks")
    return wrong


def _sound(candidates: Sequence[Candidate]) -> bool:
    """Whether every table stands once, with the weight its days and times give."""
    whole = all(type(figure) is int for c in candidates for figure in (c.id, c.days, c.times, c.weight))
    return (
        whole
        and len({c.id for c in candidates}) == len(candidates) > 0
        and all(0 <= c.days <= LONGEST_DAYS and 0 <= c.times <= MOST_TIMES for c in candidates)
        and all(c.weight == weight(c.days, c.times) for c in candidates)
    )
