"""The order of locks: never upwards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from casino.kernel import locking
from casino.kernel.locking import LockOrderError, Rank, taking


@pytest.fixture(autouse=True)
def _nothing_held() -> Iterator[None]:
    locking.released()
    yield
    locking.released()


@pytest.mark.parametrize(("first", "second"), list(product(Rank, repeat=2)))
def test_a_lower_rank_never_comes_after_a_higher_one(first: Rank, second: Rank) -> None:
    taking(first)
    if second >= first:
        taking(second)
        return
    with pytest.raises(LockOrderError):
        taking(second)
    locking.released()
    taking(second)


def test_a_refused_lock_leaves_the_held_rank() -> None:
    taking(Rank.POOL)
    with pytest.raises(LockOrderError):
        taking(Rank.SESSION)
    with pytest.raises(LockOrderError):
        taking(Rank.SHOE)
    taking(Rank.STREAM)


def test_the_documented_order() -> None:
    documented = [
        "IDEMPOTENCY", "CASINO", "GAMING_DAY", "SESSION", "SHOE", "DECK", "AUCTION", "BANK", "POOL",
        "SLIP_SERIES", "STREAM", "CHIPS",
    ]  # fmt: skip
    assert [rank.name for rank in sorted(Rank)] == documented
