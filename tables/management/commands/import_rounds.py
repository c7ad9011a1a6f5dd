"""Bring rounds that another program wrote down into an open session.

    manage.py import_rounds rounds.csv --session PB-03 --dry-run
    manage.py import_rounds rounds.csv --session PB-03 --user pitboss --report refused.csv

Exit code: 0 when every row is in the session, 1 when some were refused or conflict with what is
there (they are listed), 2 when the file or the session cannot be used (nothing is written).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language
from tqdm import tqdm

from audits.by import By, by_system, by_user
from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from casino.models import User
from tables.importing import run
from tables.importing.judging import Kind
from tables.importing.outcome import Outcome, Report
from tables.importing.source import DELIMITERS, ENCODINGS
from tables.management.finding import UNUSABLE, casino_of, session_of
from tables.models import TableSession

JOB = "import-rounds"
SOME_REFUSED = 1


class Command(BaseCommand):
    help = (
        "Importa a una sesión abierta los pases de un archivo CSV; lo rechazado se informa con línea y regla."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, help="archivo CSV, con los nombres de las columnas en la primera línea"
        )
        parser.add_argument(
            "--session", required=True, help="número o rótulo de la sesión, o mesa con sesión abierta"
        )
        parser.add_argument("--casino", help="código del casino, si hay varios")
        parser.add_argument("--user", help="usuario que importa; si falta, el trabajo del sistema")
        parser.add_argument("--dry-run", action="store_true", help="juzga las filas y no escribe nada")
        parser.add_argument("--encoding", default="utf-8", choices=ENCODINGS)
        parser.add_argument(
            "--delimiter", choices=[*DELIMITERS, r"\t"], help="signo que separa las columnas (coma)"
        )
        parser.add_argument(
            "--source",
            default="",
            help="nombre de la fuente, si hay dos con los mismos números de sabot y pase",
        )
        parser.add_argument(
            "--again", action="store_true", help="aunque sus pases estén ya en otra sesión del casino"
        )
        parser.add_argument(
            "--report", type=Path, help="CSV con cada fila ignorada en parte, repetida o rechazada"
        )
        parser.add_argument("--limit", type=_above_zero, help="sólo las primeras N filas")
        parser.add_argument("--progress", action="store_true", help="barra de avance aunque no haya terminal")

    def handle(self, *args: Any, **options: Any) -> None:
        session = session_of(options["session"], casino_of(options["casino"]))
        delimiter = "\t" if options["delimiter"] == r"\t" else options["delimiter"]
        try:
            if not session.live:
                raise CommandError(
                    f"{session.label} ya está cerrada: no admite más pases", returncode=UNUSABLE
                )
            work = run.prepare(
                session,
                options["file"],
                name=options["source"],
                encoding=options["encoding"],
                delimiter=delimiter,
                limit=options["limit"],
                again=options["again"],
            )
            outcome = self._carry_out(work, options)
        except SabotError as error:
            raise CommandError(error.say(get_language()), returncode=UNUSABLE) from error
        self._tell(outcome, options)
        if outcome.turned_away:
            raise CommandError(f"{outcome.turned_away} fila(s) sin importar", returncode=SOME_REFUSED)

    def _carry_out(self, work: run.Import, options: dict[str, Any]) -> Outcome:
        by = None if options["dry_run"] else _acting(work.session, options["user"])
        with ExitStack() as stack:
            report = None
            if options["report"]:
                try:
                    if options["report"].exists() and options["report"].samefile(work.source.path):
                        raise CommandError("el informe no puede ser el mismo archivo", returncode=UNUSABLE)
                    file = options["report"].open("w", encoding="utf-8-sig", newline="")
                except OSError as error:
                    raise CommandError(
                        f"no se puede escribir {options['report']}: {error.strerror}", returncode=UNUSABLE
                    ) from error
                report = Report(stack.enter_context(file))
            bar = stack.enter_context(
                tqdm(
                    total=work.source.lines - 1,
                    unit=" pases",
                    file=sys.stderr,
                    disable=False if options["progress"] else None,
                )
            )
            return run.carry_out(work, by, report=report, progress=bar.update)

    def _tell(self, outcome: Outcome, options: dict[str, Any]) -> None:
        language = get_language()
        counts, dry = outcome.counts, options["dry_run"]
        title = Text(
            "Ensayo: no se escribió nada" if dry else "Importación",
            "Dry run: nothing was written" if dry else "Import",
        )
        lines = [title.say(language)]
        for kind, words in _KINDS.items():
            lines.append(f"  {counts[kind]:>9}  {words.say(language)}")
        if outcome.rules:
            lines.append(Text("Rechazadas, por regla:", "Refused, by rule:").say(language))
            lines += [f"  {number:>9}  {rule}" for rule, number in sorted(outcome.rules.items())]
            lines.append(Text("Rechazadas, por motivo:", "Refused, by reason:").say(language))
            lines += [
                f"  {number:>9}  {_CODES.get(code, _OTHER).say(language)}"
                for code, number in sorted(outcome.codes.items())
            ]
        for kind, verdicts in outcome.examples.items():
            lines.append(f"{_KINDS[kind].say(language)}:")
            for verdict in verdicts:
                assert verdict.words is not None
                rule = f" [{verdict.rule}]" if verdict.rule else ""
                lines.append(f"  {_LINE.say(language)} {verdict.line}: {verdict.words.say(language)}{rule}")
        over = outcome.impossible_shoes()
        if over:
            lines.append(_OVER.fill(number=len(over)).say(language))
            lines += [
                f"  {shoe}: " + ", ".join(f"{v}×{n}" for v, n in found.items())
                for shoe, found in list(over.items())[:5]
            ]
        self.stdout.write("\n".join(lines))


_LINE = Text("línea", "line")
_OTHER = Text("otro motivo", "another reason")
_KINDS = {
    Kind.SOUND: Text("conformes", "sound"),
    Kind.LEFTOVER: Text(
        "conformes con una carta sobrante que se ignora", "sound with a leftover card, ignored"
    ),
    Kind.REFUSED: Text("rechazadas", "refused"),
    Kind.ALREADY: Text("ya importadas", "imported already"),
    Kind.CONFLICT: Text("en conflicto con lo ya importado", "in conflict with what is there"),
}
_CODES = {
    "card_forbidden": Text("contó una tercera carta prohibida", "counted a forbidden third card"),
    "card_left_out": Text("no contó una tercera carta obligatoria", "left out a third card that was due"),
    "card_missing": Text("falta una tercera carta", "a third card is missing"),
    "total_differs": Text(
        "el total anunciado no es el de las cartas", "the announced total is not that of the cards"
    ),
    "outcome_differs": Text(
        "el ganador anunciado no es el de las cartas", "the announced winner is not that of the cards"
    ),
    "unknown_card": Text("una carta no se entiende", "a card cannot be read"),
    "bad_total": Text("un total no se entiende", "a total cannot be read"),
    "bad_outcome": Text("el resultado no se entiende", "the result cannot be read"),
    "bad_number": Text("falta el número de sabot o de pase", "the shoe's or round's number is missing"),
    "ragged_row": Text(
        "la fila tiene otras celdas que el encabezado", "the row has other cells than the heading"
    ),
    "bad_row": Text("la línea no es CSV", "the line is no CSV"),
}
_OVER = Text(
    "Aviso (CARD-42): {number} sabot(s) del archivo suman más cartas de un valor que ocho barajas:",
    "Note (CARD-42): {number} shoe(s) of the file count more cards of a value than eight decks hold:",
)


def _above_zero(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9])):
        raise ArgumentTypeError("un número entero mayor que cero")
    return int(text[:9])


def _acting(session: TableSession, username: str | None) -> Callable[[], By]:
    """Who imports, with the instant of each batch: a login of the house, or the named job."""
    if not username:
        return lambda: by_system(session.casino, JOB)
    user = User.objects.filter(username=username, casino=session.casino).first()
    if user is None:
        raise CommandError(f"no hay usuario {username} en {session.casino.code}", returncode=UNUSABLE)
    return lambda: by_user(user)
