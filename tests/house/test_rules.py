"""Rule ids in code and tests are the rulebook's; what the code enforces, a test proves."""

from __future__ import annotations

import re
from pathlib import Path

from casino.kernel import rulebook

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("casino", "audits", "shoes", "tables", "jackpots")
RULE_ID = re.compile(r"\b(?:GEN|REC|FLOOR|CARD|BAC|BANK|BJ|PP|TC|HP|RP|SIETE|SOC)-\d{2}\b")
MARK = re.compile(r"mark\.rule\(([^)]*)\)")


def code_files() -> list[Path]:
    return [path for room in ROOMS for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts]


def known() -> set[str]:
    return set(rulebook.rules())


def marked() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for arguments in MARK.findall(path.read_text(encoding="utf-8")):
            found.update(re.findall(r'"([^"]+)"', arguments))
    return found


def test_no_code_names_a_rule_the_book_does_not_have() -> None:
    strays = {
        f"{path.relative_to(ROOT)}: {rule}"
        for path in code_files()
        for rule in RULE_ID.findall(path.read_text(encoding="utf-8"))
        if rule not in known()
    }
    assert strays == set()


def test_no_test_proves_a_rule_the_book_does_not_have() -> None:
    assert marked() - known() == set()


def test_every_refusal_that_names_a_rule_is_proved_by_a_test() -> None:
    """A rule named where something is refused (`rule="X"` or `RuleViolation("X"`) has a marked test."""
    refused: dict[str, str] = {}
    naming = re.compile(r'(?:rule=|RuleViolation\(\s*)"([A-Z]+-\d{2})"')
    for path in code_files():
        for rule in naming.findall(path.read_text(encoding="utf-8")):
            refused.setdefault(rule, str(path.relative_to(ROOT)))
    unproved = {rule: where for rule, where in refused.items() if rule not in marked()}
    assert unproved == {}
