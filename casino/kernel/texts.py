"""What people type: texts of one line that name things (people, tables, batches, boxes), and sentences.

A name is shown in lists, on the trail and in reports, so it is what it looks like: one line, no
characters that cannot be seen, none that turn the direction of reading.
"""

from __future__ import annotations

import unicodedata

from casino.kernel.errors import Refused
from casino.kernel.words import Text

# Unicode categories: controls (line breaks among them), formats (direction marks among them), halves of
# a pair, private, unassigned, line and paragraph separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# What is nothing to look at although its category says letter, mark or symbol: fillers, joiners, selectors.
_BLANK = frozenset(
    [
        *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)),
        *map(chr, range(0x180B, 0x1810)),
        *map(chr, range(0xFE00, 0xFE10)),
        *map(chr, range(0xE0100, 0xE01F0)),
    ]
)


def _unseen(sign: str) -> bool:
    return sign in _BLANK or unicodedata.category(sign) in _UNSEEN


def says_something(text: str) -> bool:
    """Whether anything of a text can be seen: spaces and invisible characters are no reason and no name."""
    return not all(sign.isspace() or _unseen(sign) for sign in text)


def line(text: str, field: str, most: int, *, code: str = "bad_name", rule: str = "", least: int = 1) -> str:
    """`text` without spaces around it, in Unicode form NFC, of `least` to `most` characters.

    Raises `Refused` with `code`, `rule` and `field`.
    """
    found = unicodedata.normalize("NFC", str(text).strip())
    if any(map(_unseen, found)):
        raise Refused(
            Text(
                "escríbalo en una sola línea, sin caracteres invisibles",
                "write it on one line, without invisible characters",
            ),
            code=code,
            rule=rule,
            field=field,
        )
    if not least <= len(found) <= most:
        raise Refused(_length(len(found), least, most), code=code, rule=rule, field=field)
    return found


def _length(length: int, least: int, most: int) -> Text:
    """What is wrong with how long a text is."""
    if not length:
        return Text(
            f"falta este dato, de hasta {most} caracteres", f"this is missing: up to {most} characters"
        )
    if length < least:
        return Text(f"tiene como mínimo {least} caracteres", f"it has at least {least} characters")
    return Text(f"tiene como máximo {most} caracteres", f"it has at most {most} characters")


def prose(text: str, field: str, most: int, *, code: str = "bad_text", rule: str = "") -> str:
    """The same for what is told in sentences: of several lines, but nothing else that cannot be seen.

    Raises `Refused` with `code`, `rule` and `field`.
    """
    lines = unicodedata.normalize("NFC", str(text)).replace("\r\n", "\n").replace("\t", " ").split("\n")
    found = "\n".join(line.rstrip() for line in lines).strip()
    if any(sign != "\n" and _unseen(sign) for sign in found):
        words = Text("escríbalo sin caracteres invisibles", "write it without invisible characters")
        raise Refused(words, code=code, rule=rule, field=field)
    if not found or len(found) > most:
        words = Text(
            f"escriba este texto, de hasta {most} caracteres", f"write this text, of up to {most} characters"
        )
        raise Refused(words, code=code, rule=rule, field=field)
    return found
