"""The proof of one row of a report, or of one event, as a file that `verify_bundle.py row` checks alone.

manage.py prove_row --report tables.results --set first=2026-11-20 --set last=2026-11-20 \\
    --section house_games --row 1 --out p.json
manage.py prove_row --event session:42#7 --out p.json
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audits.bundles import row_proof
from audits.models import Event
from audits.reports import get
from casino.kernel.canonical import canonical
from casino.kernel.errors import SabotError
from casino.models import Casino

UNUSABLE = 2
_EVENT = re.compile(r"(?P<stream>.+)#(?P<seq>[0-9]{1,18})", re.ASCII)


class Command(BaseCommand):
    help = "Escribe la prueba de una fila o de un suceso, para comprobarla sin Sabot."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--casino", help="código del casino; el único si no se indica")
        parser.add_argument("--report", help="identificador del reporte, como tables.results")
        parser.add_argument(
            "--set", action="append", default=[], metavar="CAMPO=VALOR", help="dato del reporte"
        )
        parser.add_argument("--section", default="", help="clave de la tabla; la primera si no se indica")
        parser.add_argument("--row", type=int, help="número de la fila, desde 1")
        parser.add_argument("--event", help="un suceso: cadena#número, como session:42#7")
        parser.add_argument("--out", help="archivo; la salida si no se indica")

    def handle(self, *args: Any, **options: Any) -> None:
        casino = self._casino(options["casino"])
        try:
            if options["event"]:
                proof = row_proof.of_events(casino, [self._event(casino, options["event"])])
            elif options["report"] and options["row"]:
                given = dict(self._pair(text) for text in options["set"])
                report = get(options["report"])
                proof = row_proof.of_row(report, casino, given, options["row"], options["section"])
            else:
                raise CommandError("indique --event, o --report y --row", returncode=UNUSABLE)
        except SabotError as refusal:
            raise CommandError(str(refusal), returncode=UNUSABLE) from refusal
        data = canonical(proof) + b"\n"
        if not options["out"]:
            sys.stdout.buffer.write(data)
            return
        try:
            Path(options["out"]).write_bytes(data)
        except OSError as error:
            said = f"no se puede escribir {options['out']}: {error.strerror}"
            raise CommandError(said, returncode=UNUSABLE) from error
        self.stdout.write(f"{options['out']}: {len(proof['events'])} suceso(s), {len(data)} bytes")

    def _casino(self, code: str | None) -> Casino:
        casinos = list(Casino.objects.filter(code=code) if code else Casino.objects.all()[:2])
        if len(casinos) != 1:
            raise CommandError("indique --casino con el código de un casino", returncode=UNUSABLE)
        return casinos[0]

    def _event(self, casino: Casino, text: str) -> Event:
        named = _EVENT.fullmatch(text)
        event = (
            named
            and Event.objects.select_related("casino")
            .filter(casino=casino, stream__name=named["stream"], seq=int(named["seq"]))
            .first()
        )
        if not event:
            raise CommandError(f"no hay suceso {text}; escríbalo como session:42#7", returncode=UNUSABLE)
        return event

    def _pair(self, text: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"escriba CAMPO=VALOR, no {text}", returncode=UNUSABLE)
        return name, value
