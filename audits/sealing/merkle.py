"""The Merkle tree of RFC 6962, plain: leaves in, root and paths out. Knows no database and no Django.

A leaf is one chain: its name, how many events it has, the hash of the last. The order of the leaves is
whoever's calls it; a seal sorts them by name, bytewise.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

HASH_BYTES = 32


def leaf(stream: str, seq: int, head: bytes) -> bytes:
    """The leaf of a chain. `seq` in decimal digits; the head is always 32 bytes, so nothing is ambiguous.

    Raises `ValueError` for what no chain can be: a name holding a zero byte, no event, another length.
    """
    name = stream.encode()
    if b"\x00" in name or seq < 1 or len(head) != HASH_BYTES:
        raise ValueError(f"no leaf of a chain: {stream!r} #{seq}")
    return hashlib.sha256(b"\x00" + name + b"\x00" + str(seq).encode() + head).digest()


def node(left: bytes, right: bytes) -> bytes:
    """An inner node over two."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over leaves in their order; of no leaf at all, the hash of nothing (RFC 6962, 2.1)."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    level = leaves
    while len(level) > 1:
        level = _above(level)
    return level[0]


def levels(leaves: Sequence[bytes]) -> list[Sequence[bytes]]:
    """Every level of the tree, the leaves first: for whoever needs many paths of one tree."""
    found = [leaves]
    while len(found[-1]) > 1:
        found.append(_above(found[-1]))
    return found


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """What proves the leaf at `index` alone: its neighbours on the way up, lowest first (RFC 6962, 2.1.1)."""
    return path_in(levels(leaves), index)


def path_in(levels: Sequence[Sequence[bytes]], index: int) -> list[bytes]:
    """The path of a leaf in a tree whose levels are known."""
    if not 0 <= index < len(levels[0]):
        raise IndexError(f"no leaf {index} of {len(levels[0])}")
    found, at = [], index
    for level in levels[:-1]:
        if at ^ 1 < len(level):
            found.append(level[at ^ 1])
        at //= 2
    return found


def root_from(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that a leaf at `index` of `size` and its path give. Raises `ValueError` for a path that is
    too short or too long for that place.
    """
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} of {size}")
    found, at, last, given = leaf, index, size - 1, list(path)
    while last:
        if at % 2 or at < last:
            if not given:
                raise ValueError("the path is too short")
            beside = given.pop(0)
            found = node(beside, found) if at % 2 else node(found, beside)
        at, last = at // 2, last // 2
    if given:
        raise ValueError("the path is too long")
    return found


def _above(level: Sequence[bytes]) -> list[bytes]:
    """The level above: pairs from the left, an odd last one passed up as it is. That is the tree of the
    largest powers of two."""
    paired = [node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
    if len(level) % 2:
        paired.append(level[-1])
    return paired
