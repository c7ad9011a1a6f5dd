"""Where each rule lives: the code that enforces it, the tests that prove it, or why neither is there yet.

The sources are read here, by scanning; the answer is kept in `casino/rulebook/where.json`, because
a house in production has no tests beside it. A test of the house holds the file to the sources.
Lines are not kept (they move with every edit): they are looked up in the source when it is there.

    python manage.py rules --write     make where.json anew
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from casino.kernel import rulebook
from casino.kernel.words import Text

CHECKOUT = Path(__file__).resolve().parent.parent
ROOMS = ("casino", "audits", "shoes", "tables", "jackpots")
WHERE = rulebook.FOLDER / "where.json"
WAITING = rulebook.FOLDER / "waiting.toml"

_PREFIXES = "BAC|BANK|BJ|CARD|FLOOR|GEN|PH|PP|PR|REC|RUL|SOC|SYM|TYC"
RULE_ID = re.compile(rf"\b(?:{_PREFIXES})-\d{{2}}\b")
_ONLY_IDS = re.compile(rf"(?:{_PREFIXES})-\d{{2}}(?:[ ,]+(?:{_PREFIXES})-\d{{2}})*")

CAPABILITIES: Mapping[str, Text] = {
    "cards": Text("control de cartas", "card control"),
    "floor": Text("la sala y su dinero", "the floor and its money"),
    "bank": Text("banco de jugador y subasta", "player-held bank and auction"),
    "pools": Text("pozos progresivos", "progressive pools"),
    "regulator": Text("informes a la AJ", "reports to AJ"),
    "social": Text("torneos sociales", "social tournaments"),
}
"""What a rule may be waiting for."""


class Place(NamedTuple):
    """A function, class or constant that names a rule; `line` is 0 where the file is not at hand."""

    path: str
    name: str
    line: int = 0

    def __str__(self) -> str:
        at = f"{self.path}:{self.line}" if self.line else self.path
        return f"{at} {self.name}".rstrip()


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a rule has neither code nor test yet, and the capability that brings them."""

    reason: Text
    brings: str


@dataclass(frozen=True, slots=True)
class Trace:
    """Where one rule lives. `waiting` only while it has no code or no test."""

    code: tuple[Place, ...]
    tests: tuple[Place, ...]
    waiting: Waiting | None

    @property
    def state(self) -> str:
        """proved (code and test), code, test, waiting (neither, with a reason) or bare."""
        if self.code and self.tests:
            return "proved"
        if self.code or self.tests:
            return "code" if self.code else "test"
        return "waiting" if self.waiting else "bare"


STATES: Mapping[str, Text] = {
    "proved": Text("con código y prueba", "with code and test"),
    "code": Text("con código, sin prueba", "with code, without test"),
    "test": Text("con prueba, sin código que la nombre", "with test, no code names it"),
    "waiting": Text("en espera, con motivo", "waiting, with a reason"),
    "bare": Text("sin código ni prueba", "without code or test"),
}


# ---- reading the sources --------------------------------------------------------------------------


def code_files() -> list[Path]:
    """Our Python, without migrations; and without the self-test: its promises name rules, enforce none."""
    found = (path for room in ROOMS for path in sorted((CHECKOUT / room).rglob("*.py")))
    left_out = {"migrations", "selftest"}
    return [path for path in found if not left_out.intersection(path.relative_to(CHECKOUT).parts)]


def test_files() -> list[Path]:
    return sorted((CHECKOUT / "tests").rglob("*.py"))


def enforced(source: str) -> Iterator[tuple[str, str, int]]:
    """(rule, name, line) of each literal that is a rule's id, or a list of them, and nothing more.

    A docstring, a comment or a sentence that mentions a rule enforces nothing.
    """
    for node, name in _named(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _ONLY_IDS.fullmatch(node.value):
            for rule in RULE_ID.findall(node.value):
                yield rule, name, node.lineno


def proved(source: str) -> Iterator[tuple[str, str, int]]:
    """(rule, test, line) of each `pytest.mark.rule("X")`: on a test, a class, a parameter or a module."""
    for node, name in _named(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.rule"):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, name, node.lineno


def _named(tree: ast.AST, name: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Every node with the dotted name of the function, class or constant it is in, decorators included."""
    for node in ast.iter_child_nodes(tree):
        inner = name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{name}.{node.name}".lstrip(".")
        elif not name and isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            inner = ast.unparse(target)
        yield node, inner
        yield from _named(node, inner)


@lru_cache(maxsize=1024)
def _found(path: Path, changed: float, tests: bool) -> tuple[tuple[str, str, int], ...]:
    source = path.read_text(encoding="utf-8")
    return tuple((proved if tests else enforced)(source)) if "-" in source else ()


def _of(path: Path, tests: bool) -> tuple[tuple[str, str, int], ...]:
    return _found(path, path.stat().st_mtime, tests)


def scan() -> dict[str, dict[str, list[str]]]:
    """What the sources say now, in the form of where.json: rule -> code and tests -> `path name`."""
    found: dict[str, dict[str, set[str]]] = {
        rule: {"code": set(), "tests": set()} for rule in rulebook.rules()
    }
    for kind, files in (("code", code_files()), ("tests", test_files())):
        for path in files:
            for rule, name, _ in _of(path, kind == "tests"):
                if rule in found:
                    place = Place(path.relative_to(CHECKOUT).as_posix(), name)
                    found[rule][kind].add(str(place))
    return {rule: {kind: sorted(places) for kind, places in kinds.items()} for rule, kinds in found.items()}


def strays() -> list[str]:
    """Ids the book does not know, in code (prose too) and in the marks of tests: `path:line id`."""
    known, found = rulebook.rules(), []
    for path in code_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found += [(path, number, rule) for rule in RULE_ID.findall(line) if rule not in known]
    for path in test_files():
        found += [(path, line, rule) for rule, _, line in _of(path, True) if rule not in known]
    return [f"{path.relative_to(CHECKOUT)}:{line} {rule}" for path, line, rule in found]


# ---- what is kept ---------------------------------------------------------------------------------


def write() -> None:
    """Make where.json from the sources. Raises `LookupError` where no tests lie beside them: without them
    every rule would be kept as one that no test proves.
    """
    if not test_files():
        raise LookupError("tests")
    WHERE.write_text(json.dumps(scan(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    written.cache_clear()


@lru_cache(maxsize=1)
def written() -> Mapping[str, Any]:
    """where.json as it is kept."""
    kept: Mapping[str, Any] = json.loads(WHERE.read_text(encoding="utf-8"))
    return kept


@lru_cache(maxsize=1)
def waiting() -> Mapping[str, Waiting]:
    """Each rule with a written reason for having neither code nor test. A rule written twice raises."""
    found: dict[str, Waiting] = {}
    for entry in tomllib.loads(WAITING.read_text(encoding="utf-8")).get("waiting", ()):
        for rule in entry["rules"]:
            if rule in found:
                raise ValueError(f"{rule} waits twice")
            found[rule] = Waiting(Text(**entry["reason"]), entry["brings"])
    return found


def trace(rule_id: str, *, lines: bool = False) -> Trace:
    """Where a rule lives; with `lines`, each place's line in the source as it is now, where it is at hand."""
    kept = written().get(rule_id, {})
    code, tests = (tuple(_places(kept.get(kind, ()))) for kind in ("code", "tests"))
    if lines:
        code = tuple(_with_line(place, rule_id, tests=False) for place in code)
        tests = tuple(_with_line(place, rule_id, tests=True) for place in tests)
    return Trace(code, tests, waiting().get(rule_id))


def _places(kept: Iterable[str]) -> Iterator[Place]:
    for place in kept:
        path, _, name = place.partition(" ")
        yield Place(path, name)


def _with_line(place: Place, rule_id: str, *, tests: bool) -> Place:
    source = CHECKOUT / place.path
    if not source.is_file():
        return place
    named = [line for rule, name, line in _of(source, tests) if (rule, name) == (rule_id, place.name)]
    return place._replace(line=min(named, default=0))
