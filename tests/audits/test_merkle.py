"""The tree of RFC 6962: its known roots, the definition written a second time, paths that prove one leaf."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audits.sealing import merkle

pytestmark = pytest.mark.rule("REC-06")

# The entries and roots that implementations of Certificate Transparency are tested with.
ENTRIES = [
    bytes.fromhex(text)
    for text in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [hashlib.sha256(b"\x00" + entry).digest() for entry in ENTRIES]


def split(size: int) -> int:
    """The largest power of two smaller than `size`."""
    found = 1
    while found * 2 < size:
        found *= 2
    return found


def defined_root(leaves: Sequence[bytes]) -> bytes:
    """MTH of RFC 6962, section 2.1, as it is written there."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + defined_root(leaves[:k]) + defined_root(leaves[k:])).digest()


def defined_path(leaves: Sequence[bytes], at: int) -> list[bytes]:
    """PATH of RFC 6962, section 2.1.1."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if at < k:
        return [*defined_path(leaves[:k], at), defined_root(leaves[k:])]
    return [*defined_path(leaves[k:], at - k), defined_root(leaves[:k])]


def some(size: int) -> list[bytes]:
    return [hashlib.sha256(b"%d" % number).digest() for number in range(size)]


@pytest.mark.parametrize("size", range(1, 9))
def test_the_known_roots(size: int) -> None:
    assert merkle.root(LEAVES[:size]).hex() == ROOTS[size - 1]


def test_of_nothing_it_is_the_hash_of_nothing() -> None:
    nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert merkle.root([]).hex() == nothing


@pytest.mark.parametrize("size", [*range(40), 63, 64, 65, 127, 128, 129, 1000])
def test_root_and_paths_are_those_of_the_definition(size: int) -> None:
    leaves = some(size)
    assert merkle.root(leaves) == defined_root(leaves)
    for at in range(size) if size < 40 else (0, 1, size // 2, size - 2, size - 1):
        path = merkle.path(leaves, at)
        assert path == defined_path(leaves, at)
        assert merkle.path_in(merkle.levels(leaves), at) == path
        assert merkle.root_from(leaves[at], at, size, path) == merkle.root(leaves)


@given(st.integers(1, 200), st.data())
def test_a_path_proves_its_own_leaf_and_place_alone(size: int, data: st.DataObject) -> None:
    leaves, at = some(size), data.draw(st.integers(0, size - 1))
    root, path = merkle.root(leaves), merkle.path(leaves, at)
    other = hashlib.sha256(b"other").digest()
    assert merkle.root_from(other, at, size, path) != root
    for place in range(len(path)):
        assert merkle.root_from(leaves[at], at, size, [*path[:place], other, *path[place + 1 :]]) != root
    elsewhere = data.draw(st.integers(0, size - 1))
    if elsewhere != at:
        with suppress(ValueError):  # a path of another length is no path of that place
            assert merkle.root_from(leaves[at], elsewhere, size, path) != root


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13])
def test_a_path_too_short_or_too_long_is_none(size: int) -> None:
    leaves = some(size)
    path = merkle.path(leaves, 0)
    with pytest.raises(ValueError, match="short"):
        merkle.root_from(leaves[0], 0, size, path[:-1])
    with pytest.raises(ValueError, match="long"):
        merkle.root_from(leaves[0], 0, size, [*path, leaves[0]])


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_a_place_outside_the_tree_is_refused(index: int, size: int) -> None:
    with pytest.raises(IndexError):
        merkle.path(some(size), index)
    with pytest.raises(ValueError, match="no leaf"):
        merkle.root_from(some(1)[0], index, size, [])


def test_a_leaf_is_the_name_the_number_and_the_head() -> None:
    head = bytes(range(32))
    written = b"\x00session:1042\x00" + b"318" + head
    assert merkle.leaf("session:1042", 318, head) == hashlib.sha256(written).digest()
    assert (
        merkle.leaf("ñandú:1", 1, head) == hashlib.sha256(b"\x00\xc3\xb1and\xc3\xba:1\x001" + head).digest()
    )


@pytest.mark.parametrize(
    ("name", "seq", "head"), [("a\x00b", 1, bytes(32)), ("a", 0, bytes(32)), ("a", 1, bytes(31))]
)
def test_what_is_no_chain_has_no_leaf(name: str, seq: int, head: bytes) -> None:
    with pytest.raises(ValueError, match="no leaf"):
        merkle.leaf(name, seq, head)


def test_a_leaf_is_never_taken_for_a_node() -> None:
    left, right = some(2)
    assert merkle.node(left, right) != hashlib.sha256(b"\x00" + left + right).digest()
