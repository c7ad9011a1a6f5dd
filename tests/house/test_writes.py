"""Every write function is a command: told by whom, demanding an act, leaving an event.

That a command leaves an event is enforced while it runs (`casino.kernel.commands`): one that does
not is rolled back, here and in production. These tests cover what can be read off the code.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

from audits import vocabulary
from audits.by import By
from audits.vocabulary import register
from casino.kernel import permissions
from casino.kernel.commands import command
from casino.kernel.permissions import Role
from casino.kernel.words import Text

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("audits", "shoes", "tables", "jackpots")


def modules() -> list[Path]:
    return [p for room in ROOMS for p in (ROOT / room).rglob("*.py") if "migrations" not in p.parts]


def commands() -> list[tuple[str, ast.FunctionDef]]:
    found = []
    for path in modules():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(d, ast.Call) and getattr(d.func, "id", "") == "command"
                for d in node.decorator_list
            ):
                found.append((f"{name}.{node.name}", node))
    return found


def test_every_command_is_told_by_whom_and_by_keyword() -> None:
    assert len(commands()) > 20
    blind = [
        name
        for name, node in commands()
        if "by" not in {a.arg for a in node.args.kwonlyargs} or node.args.args or node.args.posonlyargs
    ]
    assert blind == []


def test_only_the_demonstration_moves_the_clock() -> None:
    movers = {
        str(path.relative_to(ROOT))
        for path in [*modules(), *(ROOT / "casino").rglob("*.py")]
        if "standing_at" in path.read_text(encoding="utf-8")
    }
    assert movers == {"casino/kernel/clock.py", "tables/demo/house.py"}


def test_every_declared_act_has_roles_and_every_action_two_languages() -> None:
    assert all(permissions.acts().values())
    assert all(text.es and text.en for text in vocabulary.registered().values())


def test_every_registered_action_is_recorded_somewhere() -> None:
    text = "\n".join(p.read_text(encoding="utf-8") for p in modules() if p.name != "actions.py")
    names = {}
    for room in ROOMS:
        if (ROOT / room / "actions.py").exists():
            module = importlib.import_module(f"{room}.actions")
            names.update({v: k for k, v in inspect.getmembers(module) if isinstance(v, str) and k.isupper()})
    unused = [
        name
        for name in vocabulary.registered()
        if not name.startswith("audits.test")
        and f'"{name}"' not in text
        and not (name in names and names[name] in text)
    ]
    assert unused == []


@pytest.mark.django_db
@pytest.mark.rule("REC-06")
def test_a_command_that_leaves_no_event_is_refused(system_by: By) -> None:
    act = permissions.declare("audits.test.silent", (Role.SYSTEM,), Text("callar", "keep silent"))
    register("audits.test.done", "x", "x")

    @command(act)
    def silent(*, by: By) -> None:
        return None

    with pytest.raises(RuntimeError, match="left no event"):
        silent(by=system_by)
