"""The seed of a draw anyone can check: its hash is published before, the seed itself after.

Standard library alone; what is drawn with a seed, and among whom, is each draw's own arithmetic.
"""

from __future__ import annotations

import hashlib
import secrets

SEED_BYTES = 32


def new_seed() -> str:
    """32 random bytes, in hexadecimal."""
    return secrets.token_hex(SEED_BYTES)


def seed_hash(seed: str) -> str:
    """What is published before anybody else has a say in the draw."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()
