"""Every rule of the book: what it says, what Sabot does with it, which code does it, which tests prove it.

    manage.py rules                               the whole book
    manage.py rules BAC-15                        one rule
    manage.py rules --game baccarat.mini --enforce refuse
    manage.py rules --missing                     those without code or without a test, and why
    manage.py rules --write                       make casino/rulebook/where.json anew from the sources

Exit code 1 for a rule or a game the book does not have, and for --write where there are no tests.
"""

from __future__ import annotations

import textwrap
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino import tracing
from casino.kernel import rulebook
from casino.kernel.errors import SabotError
from casino.kernel.words import Text

WIDTH = 110
_LABELS = {
    "games": Text("juegos", "games"),
    "when": Text("cuándo", "when"),
    "does": Text("Sabot", "Sabot"),
    "source": Text("fuente", "source"),
    "figures": Text("cifras", "figures"),
    "code": Text("código", "code"),
    "tests": Text("pruebas", "tests"),
    "waits": Text("en espera", "waiting"),
}
_COUNTED = Text("{n} reglas", "{n} rules")
_ALL = Text("todos", "all")
_NONE = "—"
_CONFIRM = Text("el operador debe confirmarla", "the operator must confirm it")


class Command(BaseCommand):
    help = "El reglamento: qué dice cada regla, qué código la cumple y qué pruebas la demuestran."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rule", nargs="?", default="", help="una regla: BAC-15")
        parser.add_argument("--game", default="", help="sólo las de un juego: baccarat.mini")
        parser.add_argument(
            "--enforce", choices=sorted(rulebook.ENFORCED), help="sólo las que Sabot trata así"
        )
        parser.add_argument("--missing", action="store_true", help="sólo las que no tienen código o prueba")
        parser.add_argument("--lang", choices=("es", "en"), default="es", help="idioma: es o en")
        parser.add_argument(
            "--write",
            action="store_true",
            help="anota de nuevo en casino/rulebook/where.json dónde vive cada regla",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["write"]:
            try:
                tracing.write()
            except LookupError as error:
                raise CommandError(
                    "aquí no están las pruebas: where.json se hace de nuevo donde está el código con ellas",
                    returncode=1,
                ) from error
            self.stdout.write(f"{tracing.WHERE.name}: {len(tracing.written())}")
            return
        language = options["lang"]
        try:
            chosen = _chosen(options)
        except SabotError as refusal:
            raise CommandError(refusal.say(language), returncode=1) from refusal
        traced = [(rule, tracing.trace(rule.id, lines=True)) for rule in chosen]
        if options["missing"]:
            traced = [(rule, trace) for rule, trace in traced if trace.state != "proved"]
        for rule, trace in traced:
            self.stdout.write("\n".join(_block(rule, trace, language)) + "\n")
        states = [trace.state for _, trace in traced]
        counted = (
            f"{states.count(state)} {words.say(language)}"
            for state, words in tracing.STATES.items()
            if state in states
        )
        one = len(traced) == 1
        total = (Text("1 regla", "1 rule") if one else _COUNTED.fill(n=len(traced))).say(language)
        self.stdout.write(f"{total}: {'; '.join(counted)}" if traced else total)


def _chosen(options: dict[str, Any]) -> list[rulebook.Rule]:
    """The rules asked for, in the order of the book. Raises `NotFound`."""
    if options["rule"]:
        found = [rulebook.rule(options["rule"].upper())]
    elif options["game"]:
        found = list(rulebook.rules_of(rulebook.game(options["game"]).code))
    else:
        found = list(rulebook.rules().values())
    return [rule for rule in found if options["enforce"] in (None, rule.enforce)]


def _block(rule: rulebook.Rule, trace: tracing.Trace, language: str) -> Iterator[str]:
    """One rule as a block of lines."""
    yield f"{rule.id}  {rule.title.say(language)}  [{tracing.STATES[trace.state].say(language)}]"
    yield textwrap.fill(rule.text.say(language), WIDTH, initial_indent="  ", subsequent_indent="  ")
    names = [rulebook.games()[code].name.say(language) for code in rule.games if code != "*"]
    yield from _line("games", ", ".join(names) or _ALL.say(language), language)
    phase, kind = rulebook.PHASES[rule.phase], rulebook.KINDS[rule.kind]
    yield from _line("when", f"{phase.say(language)} · {kind.say(language)}", language)
    yield from _line("does", f"{rulebook.ENFORCED[rule.enforce].say(language)} ({rule.enforce})", language)
    confirm = f" · {_CONFIRM.say(language)}" if rule.confirm else ""
    yield from _line(
        "source", f"{rulebook.SOURCES[rule.source].say(language)} ({rule.ref}){confirm}", language
    )
    if rule.params:
        figures = "; ".join(f"{name} = {value}" for name, value in rule.params.items())
        yield from _line("figures", figures, language)
    for label, places in (("code", trace.code), ("tests", trace.tests)):
        yield from _line(label, "\n".join(map(str, places)) or _NONE, language)
    if trace.waiting:
        brings = tracing.CAPABILITIES[trace.waiting.brings].say(language)
        yield from _line("waits", f"{trace.waiting.reason.say(language)} ({brings})", language)


def _line(label: str, said: str, language: str) -> Iterator[str]:
    head = f"  {_LABELS[label].say(language) + ':':<10} "
    for number, part in enumerate(said.split("\n")):
        indent = head if number == 0 else " " * len(head)
        yield textwrap.fill(
            part, WIDTH, initial_indent=indent, subsequent_indent=" " * len(head), break_long_words=False
        )
