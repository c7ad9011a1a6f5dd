"""Results a table announces instead of logging its cards: what every game checks of them alike."""

from __future__ import annotations

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.games.base import Detail, refuse_detail


def require_announced(detail: Detail, given: bool, rule: str) -> None:
    """Refuse a result where the cards are logged, and a second one (codes `detail_forbids`, `result_given`).

    `given`: whether the round has its result already; `rule`: the game's own on the announcement.
    """
    if detail is not Detail.RESULT:
        raise refuse_detail(detail, _FOLLOWS)
    if given:
        raise RuleViolation(rule, _GIVEN, code="result_given")


_FOLLOWS = Text("resultado anunciado: sale de las cartas", "announced result: it follows from the cards")
_GIVEN = Text(
    "el resultado ya está; para corregirlo anule ese registro",
    "the result is in; to correct it undo that entry",
)
