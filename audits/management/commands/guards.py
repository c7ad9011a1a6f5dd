"""Compare the database's guards with the snapshot in the code, or make the snapshot anew."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from audits import guardbook


class Command(BaseCommand):
    help = "Compara las defensas de la base con las del código; --write las anota de nuevo."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--write",
            action="store_true",
            help="anota las de esta base, recién migrada, en audits/guards.json",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["write"]:
            guardbook.write()
        found = 0
        for difference in guardbook.differences():
            found += 1
            self.stderr.write(f"{difference.where}: {difference.words.say(get_language())}")
        if found:
            raise CommandError(f"{found} diferencia(s)", returncode=1)
        self.stdout.write("las defensas de la base son las del código")
