"""What a refusal says, by its code, for lists of refusals: read from the code that refuses.

A refusal on record has no words of its own, for they may name somebody (`audits.refusals`). The sentence
stands where it is raised: the call that gives the code holds the `Text`. What only the moment knew is a gap.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from casino.kernel.words import Text

ROOMS = ("audits", "casino", "jackpots", "shoes", "tables")
_ROOT = Path(__file__).resolve().parent.parent


GENERAL = {
    "not_approved": Text("falta una aprobación vigente de la AJ", "a valid approval of the AJ is missing"),
    "same_person": Text("tiene que ser otra persona", "it has to be another person"),
    "signer_not_allowed": Text("su función no permite firmar esto", "that role may not sign this"),
    "reason_missing": Text("falta el motivo", "the reason is missing"),
}
"""Of codes that many acts refuse with, each in words of its own."""


def said_by(code: str, rule: str = "") -> Text | None:
    """The sentence of a refusal: the only one of its code under that rule, or the only one of the code at
    all; None where none is found, or several are: a record is not told in words that may be another's."""
    if code in GENERAL:
        return GENERAL[code]
    there = _sentences().get(code, {})
    words = there.get(rule) or {one for several in there.values() for one in several}
    return next(iter(words)) if len(words) == 1 else None


@cache
def _sentences() -> dict[str, dict[str, set[Text]]]:
    """Every code with its sentences, by the rule each names (none: `""`)."""
    found: dict[str, dict[str, set[Text]]] = {}
    for room in ROOMS:
        for path in sorted((_ROOT / room).rglob("*.py")):
            source = path.read_text("utf-8")
            if "code=" not in source:
                continue
            for code, rule, words in _told(ast.parse(source)):
                found.setdefault(code, {}).setdefault(rule, set()).add(words)
    return found


def _told(tree: ast.Module) -> Iterator[tuple[str, str, Text]]:
    names = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        given = {one.arg: _plain(one.value, names) for one in node.keywords if one.arg in ("code", "rule")}
        words = next((words for one in node.args if (words := _text(one)) is not None), None)
        if given.get("code") and words is not None:
            first = _plain(node.args[0], names)
            yield given["code"], given.get("rule") or first, words


def _plain(node: ast.expr, names: Mapping[str, object]) -> str:
    """A text that stands there, or the constant of the module it names."""
    value = names.get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)
    return value if isinstance(value, str) else ""


def _text(node: ast.expr) -> Text | None:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text"):
        return None
    said = [_with_gaps(one) for one in node.args]
    return Text(said[0], said[1]) if len(said) == 2 and all(said) else None


def _with_gaps(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_with_gaps(one) for one in node.values)
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "…"
