"""Bring a list of exclusions from a file.

    manage.py import_exclusions lista.csv --kind authority --source "Nota AJ 77/2026" --dry-run
    manage.py import_exclusions lista.csv --kind authority --source "Nota AJ 77/2026" --user compliance

Exit code: 0 when every row is recorded, 1 when some were refused (they are listed), 2 when the file cannot be
used (nothing is written).
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from audits.by import By, by_system, by_user
from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from casino.models import Casino, User
from tables.guests.importing import reading, run
from tables.management.finding import UNUSABLE, casino_of
from tables.models import Exclusion

JOB = "import-exclusions"
SOME_REFUSED = 1
MOST_SHOWN = 50


class Command(BaseCommand):
    help = "Importa una lista de exclusión de un archivo CSV; las filas rechazadas se informan con su línea."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="archivo CSV, con los nombres de las columnas arriba")
        parser.add_argument("--source", required=True, help="documento de origen, como «Nota AJ 77/2026»")
        parser.add_argument("--kind", default="authority", choices=Exclusion.Kind.values)
        parser.add_argument("--casino", help="código del casino, si hay varios")
        parser.add_argument("--user", help="usuario que importa; si falta, el trabajo del sistema")
        parser.add_argument("--dry-run", action="store_true", help="juzga las filas y no escribe nada")

    def handle(self, *args: Any, **options: Any) -> None:
        casino, path = casino_of(options["casino"]), options["file"]
        try:
            with path.open("rb") as file:
                content = file.read(reading.LARGEST + 1)
        except OSError as error:
            raise CommandError(
                f"no se puede leer {path.name}: {error.strerror}", returncode=UNUSABLE
            ) from error
        if len(content) > reading.LARGEST:
            raise CommandError("el archivo pasa de 5 MB: divídalo", returncode=UNUSABLE)
        try:
            outcome = run.import_list(
                content=content,
                source=options["source"],
                kind=options["kind"],
                by=_acting(casino, options["user"]),
                dry_run=options["dry_run"],
            )
        except SabotError as error:
            raise CommandError(error.say(get_language()), returncode=UNUSABLE) from error
        self._tell(outcome)
        if outcome.refused:
            raise CommandError(f"{len(outcome.refused)} fila(s) sin importar", returncode=SOME_REFUSED)

    def _tell(self, outcome: run.Outcome) -> None:
        language = get_language()
        lines = [
            (_DRY if outcome.dry_run else _DONE).say(language),
            f"  {outcome.recorded:>6}  {_NEW.say(language)}",
            f"  {outcome.already:>6}  {_ALREADY.say(language)}",
            f"  {len(outcome.doubles):>6}  {_DOUBLE.say(language)}",
            f"  {len(outcome.refused):>6}  {_REFUSED.say(language)}",
        ]
        if outcome.ignored:
            lines.append(f"{_IGNORED.say(language)}: {', '.join(outcome.ignored[:20])}")
        lines += [
            f"  {_LINE.say(language)} {turned.line}: {turned.words.say(language)}"
            for turned in outcome.refused[:MOST_SHOWN]
        ]
        self.stdout.write("\n".join(lines))


_DRY = Text("Ensayo: no se escribió nada", "Dry run: nothing was written")
_DONE = Text("Lista importada", "List imported")
_NEW = Text("nuevas", "new")
_ALREADY = Text("ya registradas", "there already")
_DOUBLE = Text("repetidas en el archivo", "twice in the file")
_REFUSED = Text("rechazadas", "refused")
_IGNORED = Text("Columnas sin uso", "Columns not used")
_LINE = Text("línea", "line")


def _acting(casino: Casino, username: str | None) -> By:
    if not username:
        return by_system(casino, JOB)
    user = User.objects.filter(username=username, casino=casino).first()
    if user is None:
        raise CommandError(f"no hay usuario {username} en {casino.code}", returncode=UNUSABLE)
    return by_user(user)
