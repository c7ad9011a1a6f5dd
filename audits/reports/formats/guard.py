"""Text that a spreadsheet would run as a formula, kept from it by an apostrophe that can be taken off again.

The name of a player is what somebody typed. In a CSV the text itself is all a spreadsheet goes by, so what
begins like a formula gets an apostrophe in front; what is a number does not, so that a loss stays one. A file
that is read back takes one apostrophe off where such a beginning follows (`unsafe`): nothing is lost. XLSX
and JSON say themselves what is text, and have it as it is.

The patterns are also PostgreSQL's (`served.py`): only what both read alike is used in them.
"""

from __future__ import annotations

import re
import string

_HARMLESS = frozenset(string.ascii_letters + string.digits)
NUMBER = re.compile(r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?")
"""What a spreadsheet reads as a number and never runs."""
UNSEEN = (
    r"\u0001-\u0020\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
    r"\ufff9-\ufffb"
)
"""Blanks, controls, marks of direction: what may stand before the sign and be passed over."""
SIGNS = r"=+@\uff1d\uff0b\uff0d\uff20-"
"""What a formula begins with, also full-width (＝ ＋ － ＠), which some languages' spreadsheets run."""
DANGEROUS = re.compile(rf"'*(?:[{UNSEEN}]*[{SIGNS}]|[\t\r\n])")
"""What may be run, apostrophes in front or not: one more is put before, so that taking it off is exact."""


def safe(text: str) -> str:
    """Text no spreadsheet takes for a formula; a number is none."""
    if text[:1] in _HARMLESS or NUMBER.fullmatch(text):
        return text
    return "'" + text if DANGEROUS.match(text) else text


def unsafe(text: str) -> str:
    """The text that `safe` was given."""
    return text[1:] if text.startswith("'") and DANGEROUS.match(text, 1) else text
