"""A draw anyone can check: the seed's hash is published before bidding, the seed after (BANK-26).

    hash    = SHA-256(seed)                                        published when the auction opens
    tied    = SHA-256 of the bids that tie, one line each           fixed when it closes
    score   = SHA-256(seed || tied || ":" label ":" seat)           of each tied seat; the lowest wins

The house knows the seed before the players, but not the bids that are hashed with it; the players cannot
foresee the draw, and nobody can change it after the close. Only bids that tie are hashed, so that whoever had
read the seed could not draw again by having others bid low. No Django: `verify_act` has the same arithmetic
of its own.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence

from casino.kernel.seeds import new_seed as new_seed
from casino.kernel.seeds import seed_hash as seed_hash


def bids_digest(bids: Iterable[tuple[int, int, int, str]]) -> str:
    """SHA-256 of the bids in order: number, seat, amount in smallest units, instant (UTC, microseconds)."""
    lines = "".join(f"{number} {seat} {amount} {at}\n" for number, seat, amount, at in bids)
    return hashlib.sha256(lines.encode()).hexdigest()


def tied_digest(bids: Iterable[tuple[int, int, str]]) -> str:
    """SHA-256 of the bids that tie, in order: seat, amount in smallest units, instant."""
    lines = "".join(f"{seat} {amount} {at}\n" for seat, amount, at in bids)
    return hashlib.sha256(lines.encode()).hexdigest()


def scores(seed: str, digest: str, label: str, seats: Sequence[int]) -> dict[int, str]:
    """The score of each tied seat."""
    head = bytes.fromhex(seed) + bytes.fromhex(digest)
    return {seat: hashlib.sha256(head + f":{label}:{seat}".encode()).hexdigest() for seat in sorted(seats)}


def drawn(found: dict[int, str]) -> int:
    """The seat the draw gives the bank to."""
    return min(found, key=lambda seat: (found[seat], seat))


def sealed_as(amount: int, nonce: str) -> str:
    """The commitment of a sealed bid: it goes on the trail at once, amount and nonce after the close."""
    return hashlib.sha256(f"{nonce}:{amount}".encode()).hexdigest()


def new_nonce() -> str:
    return secrets.token_hex(16)
