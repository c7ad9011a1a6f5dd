"""The draw of a complementary prize, and its check from the recorded data alone (PP-24, PP-27).

    hash    = SHA-256(seed)                              published with the announcement
    digest  = SHA-256 of the bets that take part, one line each: serial, seat, amount, instant (UTC)
    score   = SHA-256(seed || digest || ":" label ":" serial)      of each bet; the lowest wins

The house knows the seed before, but not the bets it is hashed with (`tables.bank.draw`, which draws a bank
the same way). No models, no clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tables.bank import draw


class Entry(NamedTuple):
    """A bet that takes part: its place in the pool's order, its seat, its amount, when it was placed."""

    serial: int
    seat: int
    amount: int
    at: str


class Record(NamedTuple):
    """What a draw came to: by serial."""

    digest: str
    scores: Mapping[int, str]
    winner: int


def digest_of(entries: Iterable[Entry]) -> str:
    """The digest of who takes part, in order of serial."""
    return draw.bids_digest(sorted(entries))


def drawn(label: str, seed: str, entries: Sequence[Entry]) -> Record:
    """Draw among at least one bet."""
    digest = digest_of(entries)
    scores = draw.scores(seed, digest, label, [entry.serial for entry in entries])
    return Record(digest, scores, draw.drawn(scores))


def faults(record: Mapping[str, Any]) -> list[str]:
    """What does not hold of a draw's recorded data (`complementary.record_of`); empty where all does."""
    entries = [Entry(*entry) for entry in record["entries"]]
    wrong = []
    if not re.fullmatch("(?:[0-9a-f]{2})+", record["seed"]):
        return ["seed"]
    if draw.seed_hash(record["seed"]) != record["seed_hash"]:
        wrong.append("seed")
    if len({entry.serial for entry in entries}) != len(entries):
        wrong.append("entries")
    if digest_of(entries) != record["digest"]:
        wrong.append("digest")
    if not entries:
        return wrong if record["winner"] is None else [*wrong, "winner"]
    found = drawn(record["label"], record["seed"], entries)
    if {str(serial): score for serial, score in found.scores.items()} != dict(record["scores"]):
        wrong.append("scores")
    if found.winner != record["winner"]:
        wrong.append("winner")
    return wrong
