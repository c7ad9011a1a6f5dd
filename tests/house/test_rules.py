"""Rule ids in code and tests are the rulebook's; each rule has its code and its test, or a written reason."""

from __future__ import annotations

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino import tracing
from casino.kernel import rulebook

ANEW = "run: .venv/bin/python manage.py rules --write"


@pytest.fixture(scope="module")
def scanned() -> dict[str, Any]:
    """The sources, read once."""
    return tracing.scan()


def test_no_code_and_no_test_names_a_rule_the_book_does_not_have() -> None:
    assert tracing.strays() == []


def test_the_prefixes_looked_for_are_those_of_the_book() -> None:
    unseen = [rule for rule in rulebook.rules() if not tracing.RULE_ID.fullmatch(rule)]
    assert unseen == []


def test_where_each_rule_lives_is_what_the_sources_say(scanned: dict[str, Any]) -> None:
    now, kept = scanned, tracing.written()
    differing = sorted(rule for rule in now.keys() | kept.keys() if now.get(rule) != kept.get(rule))
    assert differing == [], ANEW


def test_a_rule_without_code_and_test_has_a_written_reason(scanned: dict[str, Any]) -> None:
    """Held against the sources, not against the file that is kept."""
    bare = [
        rule
        for rule, found in scanned.items()
        if not found["code"] and not found["tests"] and rule not in tracing.waiting()
    ]
    assert bare == [], "write code and a test, or a reason in casino/rulebook/waiting.toml"


def test_no_reason_outlives_what_it_waited_for(scanned: dict[str, Any]) -> None:
    stale = [
        rule
        for rule, found in scanned.items()
        if found["code"] and found["tests"] and rule in tracing.waiting()
    ]
    assert stale == [], "take them out of casino/rulebook/waiting.toml"


def test_every_reason_is_written_in_both_languages_for_a_rule_there_is() -> None:
    for rule, entry in tracing.waiting().items():
        assert rule in rulebook.rules()
        assert entry.brings in tracing.CAPABILITIES, rule
        assert min(len(entry.reason.es), len(entry.reason.en)) > 20, rule
        assert entry.reason.es != entry.reason.en, rule


def test_every_refusal_that_names_a_rule_is_proved_by_a_test(scanned: dict[str, Any]) -> None:
    """A rule named where something is refused (`rule="X"` or `RuleViolation("X"`) has a marked test."""
    proved = {rule for rule, found in scanned.items() if found["tests"]}
    naming = re.compile(r'(?:rule=|RuleViolation\(\s*)"([A-Z]+-\d{2})"')
    refused: dict[str, str] = {}
    for path in tracing.code_files():
        for rule in naming.findall(path.read_text(encoding="utf-8")):
            refused.setdefault(rule, str(path.relative_to(tracing.CHECKOUT)))
    assert {rule: where for rule, where in refused.items() if rule not in proved} == {}


# ---- the scanner itself ---------------------------------------------------------------------------

CODE = '''
"""A module about BAC-15."""
TABLE = {"BAC-15": 1}

def next_hand(points):
    """BAC-13 says so."""
    if points < 6:  # BAC-14
        raise RuleViolation("BAC-13", Text(f"como dice BAC-12", "as BAC-12 says"))
    note(rules=["GEN-03", "GEN-05"], of="PB-01")

class Cutter:
    def cut(self):
        return named("CARD-23 CARD-28")
'''


def test_a_literal_enforces_and_prose_does_not() -> None:
    assert sorted(tracing.enforced(CODE)) == [
        ("BAC-13", "next_hand", 8),
        ("BAC-15", "TABLE", 3),
        ("CARD-23", "Cutter.cut", 13),
        ("CARD-28", "Cutter.cut", 13),
        ("GEN-03", "next_hand", 9),
        ("GEN-05", "next_hand", 9),
    ]


TESTS = """
pytestmark = pytest.mark.rule("REC-11")

@pytest.mark.rule("BAC-15")
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("CARD-06")), 2])
def test_draws(x): ...

@pytest.mark.rule("BJ-20")
class TestInsurance:
    @pytest.mark.rule("BJ-21")
    def test_half(self): ...
"""


def test_marks_are_found_on_tests_parameters_classes_and_modules() -> None:
    assert sorted(tracing.proved(TESTS)) == [
        ("BAC-15", "test_draws", 4),
        ("BJ-20", "TestInsurance", 8),
        ("BJ-21", "TestInsurance.test_half", 10),
        ("CARD-06", "test_draws", 5),
        ("REC-11", "pytestmark", 2),
    ]


def test_an_id_the_book_lacks_is_named_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stray = tracing.CHECKOUT / "tables" / "settings.py"
    monkeypatch.setattr(tracing, "code_files", lambda: [stray])
    monkeypatch.setattr(tracing, "test_files", list)
    known = dict(rulebook.rules())
    gone = known.pop("GEN-06")
    monkeypatch.setattr(rulebook, "rules", lambda: known)
    found = tracing.strays()
    assert found and all(place.endswith(f" {gone.id}") for place in found)
    assert all(re.match(r"tables/settings\.py:\d+ ", place) for place in found)


def test_lines_are_those_of_the_source_and_absent_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = next(rule for rule in rulebook.rules() if tracing.trace(rule).state == "proved")
    for place in (*tracing.trace(rule, lines=True).code, *tracing.trace(rule, lines=True).tests):
        lines = (tracing.CHECKOUT / place.path).read_text(encoding="utf-8").splitlines()
        assert rule in lines[place.line - 1], place
    monkeypatch.setattr(tracing, "CHECKOUT", tracing.CHECKOUT / "nowhere")
    assert {place.line for place in tracing.trace(rule, lines=True).tests} == {0}


# ---- manage.py rules ------------------------------------------------------------------------------


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("rules", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_says_what_a_rule_is_and_where_it_lives() -> None:
    spanish, english = said("bac-15"), said("BAC-15", "--lang", "en")
    rule = rulebook.rule("BAC-15")
    assert rule.title.es in spanish and rule.title.en in english
    assert "lo impide (refuse)" in spanish and "refuses it (refuse)" in english
    assert "el operador debe" in spanish and "Mini Punto y Banca" in english
    assert re.search(r"tables/games/baccarat/draws\.py:\d+ because", spanish)
    assert re.search(r"tests/games/test_rules\.py:\d+ test_banca_table_cell_by_cell", english)
    assert spanish.strip().endswith("1 regla: 1 con código y prueba")


def test_the_command_narrows_and_says_what_is_missing() -> None:
    heads = re.findall(r"^([A-Z]+-\d\d)  ", said("--game", "baccarat.mini", "--enforce", "refuse"), re.M)
    assert heads == [rule.id for rule in rulebook.rules_of("baccarat.mini") if rule.enforce == "refuse"]
    missing = re.findall(r"^([A-Z]+-\d\d)  ", said("--missing"), re.M)
    assert missing == [rule for rule in rulebook.rules() if tracing.trace(rule).state != "proved"]
    waiting = next(rule for rule in missing if tracing.trace(rule).state == "waiting")
    said_of_it = " ".join(said(waiting, "--lang", "en").split())
    assert tracing.waiting()[waiting].reason.en in said_of_it


@pytest.mark.parametrize("arguments", [("BAC-99",), ("--game", "canasta")])
def test_the_command_refuses_what_the_book_does_not_have(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as stop:
        said(*arguments)
    assert stop.value.returncode == 1


def test_the_command_makes_the_file_anew(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path_factory.mktemp("book") / "where.json"
    monkeypatch.setattr(tracing, "WHERE", file)
    tracing.written.cache_clear()
    said("--write")
    assert dict(tracing.written()) == tracing.scan()
    tracing.written.cache_clear()


def test_a_tree_without_tests_does_not_lose_what_they_prove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house in production has the code alone: the file it was given stays as it is."""
    file = tmp_path / "where.json"
    file.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(tracing, "WHERE", file)
    monkeypatch.setattr(tracing, "test_files", list)
    with pytest.raises(CommandError) as stop:
        said("--write")
    assert stop.value.returncode == 1
    assert file.read_text(encoding="utf-8") == "{}"


def test_a_reader_that_has_read_enough_ends_a_command_without_a_word() -> None:
    """`manage.py rules | head -1`: the book is longer than what a pipe holds."""
    manage = Path(__file__).parents[2] / "manage.py"
    with subprocess.Popen(
        [sys.executable, str(manage), "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as command:
        assert command.stdout is not None and command.stderr is not None
        assert command.stdout.readline().startswith(b"BAC-01")
        command.stdout.close()
        said = command.stderr.read()
    assert (said, command.returncode) == (b"", 1)
