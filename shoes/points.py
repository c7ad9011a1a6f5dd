"""The value of a card modulo ten, as `v0` to `v9` tell it: pips count, aces one, courts and tens nothing."""

from __future__ import annotations


def points_of(card: str) -> int:
    """0 to 9 for a canonical card, whether in full (`Kd` is 0) or by value only (`v7` is 7)."""
    face = card[1] if card[0] == "v" else card[0]
    if face == "A":
        return 1
    return int(face) if face.isdigit() else 0
