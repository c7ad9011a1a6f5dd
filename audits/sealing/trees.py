"""The tree under each seal made again, and the chains asked for the very events that were sealed."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection

from audits.models import Seal
from audits.sealing import merkle
from audits.verify import Fault
from casino.kernel.words import Text
from casino.models import Casino

_LEAVES = """
SELECT l.seal_id, l.stream_id, l.name, l.seq, l.hash, e.hash, st.head_seq,
    (st.id IS NOT NULL AND st.name = l.name
     AND st.casino_id = s.casino_id AND l.casino_id = s.casino_id) AS there
FROM audits_sealleaf l JOIN audits_seal s ON s.id = l.seal_id JOIN casino_gamingday d ON d.id = s.day_id
LEFT JOIN audits_stream st ON st.id = l.stream_id
LEFT JOIN audits_event e ON e.stream_id = l.stream_id AND e.seq = l.seq
WHERE s.casino_id = %s ORDER BY d.date, l.id
"""
_EVENTS = """
SELECT st.id, st.name, e.seq, e.hash FROM audits_event e JOIN audits_stream st ON st.id = e.stream_id
WHERE e.casino_id = %(casino)s AND e.recorded <= %(until)s
    AND (%(since)s::timestamptz IS NULL OR e.recorded >= %(since)s::timestamptz - interval '1 hour')
"""
"""What a seal may have noted: the events since the one before, and of an hour more for clocks that differ."""


class Leaf(NamedTuple):
    """A leaf as stored, beside the chain as it is: `event` is the hash at that number now."""

    seal_id: int
    stream_id: int
    name: str
    seq: int
    hash: bytes
    event: bytes | None
    head: int | None
    there: bool

    @property
    def reached(self) -> bool:
        return self.there and self.event == self.hash and (self.head or 0) >= self.seq


@dataclass
class _Tree:
    """The leaves as seal after seal noted them, kept in the order of the tree."""

    names: list[bytes] = field(default_factory=list)
    streams: list[int] = field(default_factory=list)
    leaves: dict[int, bytes] = field(default_factory=dict)

    def note(self, leaf: Leaf, head: bytes | None = None) -> None:
        if leaf.stream_id not in self.leaves:
            at = bisect.bisect_left(self.names, leaf.name.encode())
            self.names.insert(at, leaf.name.encode())
            self.streams.insert(at, leaf.stream_id)
        self.leaves[leaf.stream_id] = merkle.leaf(leaf.name, leaf.seq, head or leaf.hash)

    def root(self) -> bytes:
        return merkle.root([self.leaves[stream] for stream in self.streams])


def tree_faults(casino: Casino, seals: Sequence[Seal]) -> Iterator[Fault]:
    """Root by root, and the first sealed event of each chain that is not there any more."""
    tree, told = _Tree(), set[int]()
    good: dict[int, int] = {}  # the last number of each chain that is as it was sealed
    leaves = _leaves(casino)
    ahead = next(leaves, None)
    for seal in seals:
        mine: list[Leaf] = []
        while ahead is not None and ahead.seal_id == seal.pk:
            mine.append(ahead)
            ahead = next(leaves, None)
        odd = []
        for leaf in mine:
            try:
                tree.note(leaf)
            except ValueError:
                yield Fault(
                    "leaf_altered", f"seal {seal.day}: {leaf.name}", Text("no es una hoja", "no leaf")
                )
            if leaf.reached:
                good[leaf.stream_id] = leaf.seq
            else:
                odd.append(leaf)
        whole = (tree.root(), len(tree.streams)) == (bytes(seal.root), seal.leaves)
        edited = [] if whole else _edited(tree, odd, seal)
        if not whole:
            moved = None if edited else _moved(tree, seal)
            yield _root_fault(seal, edited, moved, len(tree.streams))
        for leaf in odd:
            if leaf.stream_id not in told and leaf not in edited:
                told.add(leaf.stream_id)
                yield _gone(leaf, good.get(leaf.stream_id, 0), seal)


def _edited(tree: _Tree, odd: Sequence[Leaf], seal: Seal) -> list[Leaf]:
    """The leaves that were altered, where the chains as they are give the root that was signed; the tree is
    left with them set right, so that the seals after it are not blamed."""
    if not odd or any(leaf.event is None for leaf in odd):
        return []
    for leaf in odd:
        tree.note(leaf, leaf.event)
    if tree.root() == bytes(seal.root):
        return list(odd)
    for leaf in odd:
        tree.note(leaf)
    return []


def _moved(tree: _Tree, seal: Seal) -> str | None:
    """The one chain whose leaf was moved to another of its events, or taken out: where one event of that
    gaming day in its place gives the root that was signed. The tree is left with it set right."""
    if len(tree.streams) != seal.leaves:
        return None
    place = {stream: at for at, stream in enumerate(tree.streams)}
    known = merkle.levels([tree.leaves[stream] for stream in tree.streams])
    paths: dict[int, list[bytes]] = {}
    since = seal.previous.sealed_at if seal.previous else None
    with connection.chunked_cursor() as cursor:
        cursor.execute(_EVENTS, {"casino": seal.casino_id, "since": since, "until": seal.sealed_at})
        for stream, name, seq, head in cursor:
            if stream not in place:
                continue
            at = place[stream]
            if stream not in paths:
                paths[stream] = merkle.path_in(known, at)
            leaf = merkle.leaf(name, seq, bytes(head))
            if merkle.root_from(leaf, at, len(tree.streams), paths[stream]) == bytes(seal.root):
                tree.leaves[stream] = leaf
                return f"{name} #{seq}"
    return None


def _leaves(casino: Casino) -> Iterator[Leaf]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(_LEAVES, [casino.pk])
        for seal_id, stream, name, seq, noted, event, head, there in cursor:
            found = None if event is None else bytes(event)
            yield Leaf(seal_id, stream, name, seq, bytes(noted), found, head, there)


def _root_fault(seal: Seal, edited: Sequence[Leaf], moved: str | None, count: int) -> Fault:
    if edited or moved:
        names = moved or ", ".join(f"{leaf.name} #{leaf.seq}" for leaf in edited)
        words = Text(
            f"se alteraron o quitaron hojas del sello ({names}); las cadenas son las que se sellaron",
            f"leaves of the seal were altered or taken out ({names}); the chains are those that were sealed",
        )
        return Fault("leaf_altered", f"seal {seal.day}", words)
    words = Text(
        f"sus hojas no dan la raíz firmada: tiene {count} cadenas y selló {seal.leaves}; se alteró, quitó o"
        " agregó alguna hoja, o la raíz",
        f"its leaves do not give the signed root: it has {count} chains and sealed {seal.leaves}; a leaf was"
        " altered, removed or added, or the root was",
    )
    return Fault("root_differs", f"seal {seal.day}", words)


def _gone(leaf: Leaf, good: int, seal: Seal) -> Fault:
    """Where a chain stops being the one that was sealed: between the last good event and the sealed one."""
    span = f"{leaf.name} #{good + 1}" + (f"–{leaf.seq}" if leaf.seq > good + 1 else "")
    day = seal.day
    if not leaf.there:
        words = Text(
            f"la cadena que selló el día {day} no está: fue borrada o cambió de nombre",
            f"the chain that the seal of {day} noted is not there: deleted or renamed",
        )
        return Fault("stream_gone", span, words)
    if leaf.event is None or (leaf.head or 0) < leaf.seq:
        words = Text(
            f"el sello del día {day} llega al evento {leaf.seq} y la cadena termina en {leaf.head}: se cortó"
            " el final",
            f"the seal of {day} reaches event {leaf.seq} and the chain ends at {leaf.head}: its tail was cut",
        )
        return Fault("sealed_tail_cut", f"{leaf.name} #{(leaf.head or 0) + 1}", words)
    words = Text(
        f"no son los eventos que selló el día {day}: uno de ellos se alteró y la cadena se rehízo",
        f"they are not the events that the seal of {day} noted: one was altered and the chain made anew",
    )
    return Fault("chain_rebuilt", span, words)
