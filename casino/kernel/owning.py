"""What a write is given belongs to the house of whoever asks; another house's is as good as none."""

from __future__ import annotations

from typing import Any

from casino.kernel.errors import NotFound
from casino.kernel.words import Text


def require_own(*given: Any, by: Any) -> None:
    """Raise `NotFound` for a row, or a list with one, of another casino than `by`'s.

    Whatever has a `casino_id` is a row; anything else passes. `@command` asks it of all that a write
    function is given, before the function begins.
    """
    for value in given:
        if isinstance(value, list | tuple):
            require_own(*value, by=by)
        elif getattr(value, "casino_id", by.casino.pk) != by.casino.pk:
            raise NotFound(
                Text("no existe en esta casa lo que indicó", "this house has no such thing as you named")
            )
