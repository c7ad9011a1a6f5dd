"""Which kinds of transfer the ledger may hold: those whose amounts some proof compares with what caused them.

transfer_kinds.register("progressive")      # at start-up, by a room whose own proof answers for it
"""

from __future__ import annotations

_known: set[str] = {
    "round",
    "round_void",
    "opening",
    "closing",
    "drop",
    "count_difference",
    "result_by_count",
    "deduction",
    "fill",
    "credit",
}


def register(*kinds: str) -> None:
    """Name kinds of transfers that a proof of one's own answers for. Safe twice."""
    _known.update(kinds)


def known() -> frozenset[str]:
    """All kinds somebody answers for."""
    return frozenset(_known)
