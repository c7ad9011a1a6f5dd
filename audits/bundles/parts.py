"""What the rooms above add to a bundle: they know the rounds and the rules of the games, this room does not.

    register_part("rounds", put_rounds)        in AppConfig.ready
    register_code("tables.games.registry")     the modules it imports are copied, to settle rounds again

A part is `put(packing, span, progress)` and returns its counts for the manifest's totals.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from audits.bundles.packing import Packing
from audits.bundles.span import Span
from audits.reports.document import Progress

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = frozenset(("audits", "casino", "jackpots", "shoes", "tables"))

Part = Callable[[Packing, Span, Progress], Mapping[str, int]]
_parts: dict[str, Part] = {}
_code: dict[str, None] = {}


def register_part(name: str, part: Part) -> None:
    """Have `part` asked for each bundle."""
    _parts[name] = part


def register_code(module: str) -> None:
    """Have a pure module copied into each bundle with all of ours that it imports."""
    _code[module] = None


def put_parts(packing: Packing, span: Span, progress: Progress) -> dict[str, int]:
    """Everything the rooms above add; their counts."""
    counts: dict[str, int] = {}
    for _, part in sorted(_parts.items()):
        counts |= part(packing, span, progress)
    return counts


def put_code(packing: Packing) -> None:
    for name, path in sorted(sources().items()):
        packing.put(f"code/{name}", path.read_bytes())


def sources() -> dict[str, Path]:
    """The files of the registered modules and of all of ours they import, by their path.

    Raises `ValueError` where one of them imports what is neither ours nor Python's own: an inspector's
    laptop has nothing else.
    """
    found: dict[str, Path] = {}
    for module in _code:
        _follow(module, found)
    return found


def _follow(module: str, found: dict[str, Path]) -> None:
    names = module.split(".")
    for length in range(1, len(names) + 1):
        path = _file_of(names[:length])
        if path is None:
            return  # a name inside the module before it
        name = path.relative_to(ROOT).as_posix()
        if name in found:
            continue
        found[name] = path
        for imported in _imports(path):
            room = imported.partition(".")[0]
            if room in ROOMS:
                _follow(imported, found)
            elif room not in sys.stdlib_module_names:
                raise ValueError(f"{name} imports {imported}, which no bundle can bring along")


def _file_of(names: list[str]) -> Path | None:
    place = ROOT.joinpath(*names)
    for path in (place / "__init__.py", place.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def _imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.level:
                raise ValueError(f"{path.name} imports by dots")
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found
