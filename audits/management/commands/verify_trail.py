"""Walk every chain of the trail and name the first broken event of each; with --seals, the seals too."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import get_language

from audits.management.proving import ProvingCommand
from audits.models import Event, Seal, Stream
from audits.sealing import checking, publishing
from audits.verify import trail_faults
from casino.kernel.errors import Refused
from casino.models import Casino


class Command(ProvingCommand):
    help = (
        "Comprueba cada cadena de auditoría y nombra el primer evento roto. Con --seals comprueba los sellos"
        " de los días, sus llaves y que cada cadena siga siendo la que se selló."
    )
    proof = staticmethod(trail_faults)
    proved = "{casino}: auditoría íntegra, {size}"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seals", action="store_true", help="los sellos y lo que sellaron")
        parser.add_argument(
            "--against",
            type=Path,
            metavar="ARCHIVO",
            help="sellos o llaves que guardó otro (JSON publicado, o líneas de códigos QR); implica --seals",
        )
        parser.add_argument("--json", action="store_true", help="el resultado como JSON, para un programa")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["seals"] and options["against"] is None:
            if options["json"]:
                raise CommandError("--json va con --seals")
            super().handle(*args, **options)
            return
        seals, keys = _read(options["against"]) if options["against"] else ([], [])
        casinos = _chosen(options["casino"], {one.casino for one in seals} | {one.casino for one in keys})
        told = [_checked(casino, seals, keys) for casino in casinos]
        if options["json"]:
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=1))
        else:
            self._say(told)
        broken = sum(len(one["faults"]) for one in told)
        if broken:
            raise CommandError(f"{broken} falla(s)", returncode=1)

    def _say(self, told: list[dict[str, Any]]) -> None:
        language = (get_language() or "es")[:2]
        language = language if language in ("es", "en") else "es"
        for one in told:
            for fault in one["faults"]:
                self.stderr.write(f"{one['casino']}: {fault['where']}: {fault[language]}")
            for note in one["notes"]:
                self.stderr.write(f"{one['casino']}: aviso: {note[language]}")
            if not one["faults"]:
                self.stdout.write(
                    f"{one['casino']}: sellos íntegros, {one['seals']} sellos sobre {one['events']} eventos"
                    f" en {one['streams']} cadenas"
                )

    def size(self, casino: Casino) -> str:
        events = Event.objects.filter(casino=casino).count()
        return f"{events} eventos en {Stream.objects.filter(casino=casino).count()} cadenas"


def _chosen(code: str | None, named: set[str]) -> list[Casino]:
    """The casinos to check; what a kept file names must be among them, or nothing would be compared."""
    casinos = list(Casino.objects.order_by("code"))
    if strangers := named - {casino.code for casino in casinos}:
        raise CommandError(f"el archivo trae sellos de otro casino: {', '.join(sorted(strangers))}")
    if code:
        casinos = [casino for casino in casinos if casino.code == code]
    if not casinos:
        raise CommandError(f"no hay casino con código {code}")
    if named and not named & {casino.code for casino in casinos}:
        raise CommandError("el archivo no trae sellos ni llaves de ese casino: no se comparó nada")
    return casinos


def _checked(
    casino: Casino, seals: list[publishing.Published], keys: list[publishing.PublishedKey]
) -> dict[str, Any]:
    faults = list(checking.seal_faults(casino, seals, keys))
    return {
        "casino": casino.code,
        "faults": [{"code": fault.code, "where": fault.where, **fault.words.as_dict()} for fault in faults],
        "notes": [note.as_dict() for note in checking.notes(casino)],
        "seals": Seal.objects.filter(casino=casino).count(),
        "events": Event.objects.filter(casino=casino).count(),
        "streams": Stream.objects.filter(casino=casino).count(),
    }


def _read(path: Path) -> tuple[list[publishing.Published], list[publishing.PublishedKey]]:
    try:
        if path.stat().st_size > publishing.LARGEST_FILE:
            raise CommandError(f"{path} es demasiado grande para ser un archivo de sellos")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"no se puede leer {path}: {error}") from error
    try:
        return publishing.read(text)
    except Refused as refusal:
        raise CommandError(refusal.say(get_language())) from refusal
