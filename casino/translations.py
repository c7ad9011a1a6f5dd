"""Keeps the English catalogue whole: every Spanish sentence of pages and forms has its English, compiled.

    python -m casino.translations            say what is missing, unused or not compiled; exit code 1 if any
    python -m casino.translations --update   add what is missing, empty, to the catalogue, and compile it

It reads the sources itself, so that neither the check nor the compiling needs the gettext programs.
A development tool: `polib` is in requirements-dev.txt.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation.template import templatize

CHECKOUT = Path(__file__).resolve().parent.parent
ROOMS = ("casino", "audits", "shoes", "tables", "jackpots")
CATALOGUE = CHECKOUT / "casino" / "locale" / "en" / "LC_MESSAGES" / "django.po"

# The position of the sentences among the arguments of each function, plural last.
_CALLS = {
    "_": (0,),
    "gettext": (0,),
    "gettext_lazy": (0,),
    "gettext_noop": (0,),
    "ngettext": (0, 1),
    "ngettext_lazy": (0, 1),
    "pgettext": (1,),
    "pgettext_lazy": (1,),
    "npgettext": (1, 2),
}
# What templatize() leaves of a template: its calls among a filler of X.
_TEMPLATE_CALL = re.compile(
    r"""\b(?:_|gettext|ngettext|pgettext|npgettext)\((?:[^()'"]|u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*")*\)""",
    re.S,
)

Sentence = tuple[str | None, str, str | None]  # context, singular, plural


def sentences() -> dict[Sentence, list[str]]:
    """Every sentence marked for translation, with the files it is in."""
    found: dict[Sentence, list[str]] = {}
    for file, source in _sources():
        for sentence in _calls(source):
            found.setdefault(sentence, []).append(str(file.relative_to(CHECKOUT)))
    return found


def _sources() -> Iterator[tuple[Path, str]]:
    for room in ROOMS:
        for file in sorted((CHECKOUT / room).rglob("*.py")):
            yield file, file.read_text(encoding="utf-8")
    for file in sorted((CHECKOUT / "templates").rglob("*")):
        if file.is_file():
            calls = _TEMPLATE_CALL.findall(templatize(file.read_text(encoding="utf-8"), origin=str(file)))
            yield file, "\n".join(" ".join(call.split("\n")) for call in calls)


def _calls(source: str) -> Iterator[Sentence]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        places = _CALLS.get(name)
        if places is None or len(node.args) <= places[-1]:
            continue
        words = [_text(node.args[place]) for place in places]
        if words[0] is None:
            continue
        context = _text(node.args[0]) if places[0] == 1 else None
        yield context, words[0], words[1] if len(words) == 2 else None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def problems() -> list[str]:
    """What is wrong with the catalogue, one line each; empty when all is well."""
    wanted = sentences()
    if not CATALOGUE.exists():
        return [f"{CATALOGUE.relative_to(CHECKOUT)} does not exist"] if wanted else []
    catalogue = polib.pofile(str(CATALOGUE))
    known = {(entry.msgctxt, entry.msgid): entry for entry in catalogue if not entry.obsolete}
    said = [
        f"{files[0]}: not in the catalogue: {singular!r}"
        for (context, singular, _), files in wanted.items()
        if (context, singular) not in known
    ]
    used = {(context, singular) for context, singular, _ in wanted}
    for key, entry in known.items():
        if not entry.translated():
            said.append(f"not translated: {entry.msgid!r}")
        if key not in used:
            said.append(f"used nowhere: {entry.msgid!r}")
    compiled = CATALOGUE.with_suffix(".mo")
    if not compiled.exists() or compiled.read_bytes() != catalogue.to_binary():
        said.append("not compiled: run python -m casino.translations --update")
    return said


def update() -> None:
    """Add missing sentences with an empty translation, drop unused ones, compile."""
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    catalogue = polib.pofile(str(CATALOGUE)) if CATALOGUE.exists() else polib.POFile(wrapwidth=110)
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Language": "en",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    wanted = sentences()
    used = {(context, singular) for context, singular, _ in wanted}
    kept = {(e.msgctxt, e.msgid): e for e in catalogue if not e.obsolete and (e.msgctxt, e.msgid) in used}
    for (context, singular, plural), files in wanted.items():
        entry = kept.setdefault((context, singular), polib.POEntry(msgctxt=context, msgid=singular))
        if plural is not None and not entry.msgid_plural:
            entry.msgid_plural, entry.msgstr_plural = plural, entry.msgstr_plural or {0: "", 1: ""}
        entry.occurrences = [(file, "") for file in dict.fromkeys(files)]
        # Marked for gettext's own check of %(placeholders)s.
        if "%(" in singular and "python-format" not in entry.flags:
            entry.flags.append("python-format")
    catalogue[:] = sorted(kept.values(), key=lambda e: (e.occurrences[0][0], e.msgid))
    catalogue.save(str(CATALOGUE))
    CATALOGUE.with_suffix(".mo").write_bytes(catalogue.to_binary())


def main(arguments: list[str]) -> int:
    if not settings.configured:
        settings.configure()
    if arguments == ["--update"]:
        update()
    said = problems()
    print("\n".join(said) if said else "English is complete and compiled.")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
