"""Panels that rooms above put on the pages of a round: beside the felt while it is played, and on its record.

The floor may not import them; they register here at start-up (architecture.md, section 1).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tables.board import Board
from tables.models import Round, TableSession

Shown = Mapping[str, Any]
OnBoard = Callable[[TableSession, Board, dt.datetime], Shown | None]
OnRecord = Callable[[Round], Shown | None]


@dataclass(frozen=True, slots=True)
class Panel:
    """A template and what it is given; its own style sheet beside it."""

    name: str
    template: str
    styles: str
    shown: Shown


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    templates: tuple[str, str]
    styles: str
    on_board: OnBoard
    on_record: OnRecord


_kinds: dict[str, _Kind] = {}


def register(
    name: str, *, board: str, record: str, styles: str, on_board: OnBoard, on_record: OnRecord
) -> None:
    """Show `board` beside the felt and `record` on a round's record wherever the functions answer what with;
    safe twice."""
    _kinds[name] = _Kind(name, (board, record), styles, on_board, on_record)


def of_board(session: TableSession, board: Board, instant: dt.datetime) -> list[Panel]:
    """The panels of a table that is open."""
    found = [(kind, kind.on_board(session, board, instant)) for kind in _kinds.values()]
    return [Panel(kind.name, kind.templates[0], kind.styles, s) for kind, s in found if s is not None]


def of_record(round: Round) -> list[Panel]:
    """The panels of a round on the record."""
    found = [(kind, kind.on_record(round)) for kind in _kinds.values()]
    return [Panel(kind.name, kind.templates[1], kind.styles, s) for kind, s in found if s is not None]
