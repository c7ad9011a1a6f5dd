"""One guard, two texts: PostgreSQL writes a condition otherwise once it was read back from a dump.

A list of words gets its cast inside (`ARRAY['a'::varchar]::text[]`), and one AND or OR of many loses the
parentheses of its pairs. Both forms mean the same, and a restored house must not look like a tampered one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = r"'(?:[^']|'')*'::character varying"
_WORDS = re.compile(rf"\(ARRAY\[({_WORD}(?:, {_WORD})*)\]\)::text\[\]")
_PIECE = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]|[^'"()]+""")
_JOINTS = (" OR ", " AND ")


class _Part(NamedTuple):
    """Text between two parentheses. `joint`: what alone joins all it holds, if one thing does."""

    text: str
    joint: str


def as_restored(definition: str) -> str:
    """The definition of a guard as it is written after a restore, whichever of the two it is now."""
    cast = _WORDS.sub(_cast_inside, definition)
    pieces = _PIECE.findall(cast)
    return _read(pieces, 0)[0].text


def _cast_inside(found: re.Match[str]) -> str:
    return "ARRAY[" + re.sub(f"({_WORD})", r"(\1)::text", found[1]) + "]"


def _read(pieces: list[str], at: int) -> tuple[_Part, int]:
    """What stands from a piece to the parenthesis that closes it, and where that is."""
    parts: list[str | _Part] = []
    while at < len(pieces) and pieces[at] != ")":
        if pieces[at] == "(":
            inner, at = _read(pieces, at + 1)
            parts.append(inner)
        else:
            parts.append(pieces[at])
        at += 1
    return _joined(parts), at


def _joined(parts: list[str | _Part]) -> _Part:
    said = "".join(part if isinstance(part, str) else "()" for part in parts)
    joints = [joint for joint in _JOINTS if joint in said]
    joint = joints[0] if len(joints) == 1 else ""
    written = []
    for place, part in enumerate(parts):
        if isinstance(part, str):
            written.append(part)
        elif joint and part.joint == joint and _alone(parts, place, joint):
            written.append(part.text)
        else:
            written.append(f"({part.text})")
    return _Part("".join(written), joint)


def _alone(parts: list[str | _Part], place: int, joint: str) -> bool:
    """Whether a parenthesis is all there is between two joints: not negated, cast or compared."""
    before = parts[place - 1] if place else joint
    after = parts[place + 1] if place + 1 < len(parts) else joint
    return all(isinstance(side, str) for side in (before, after)) and (
        str(before).endswith(joint) and str(after).startswith(joint)
    )
