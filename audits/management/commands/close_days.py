"""Close the gaming days that are due, as the nightly job does, and say what held one."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from audits.closing import Outcome, close_due_days
from casino.models import Casino


class Command(BaseCommand):
    help = "Cierra los días de juego vencidos y dice qué retuvo al que no cerró."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--casino", help="código del casino; todos si no se indica")

    def handle(self, *args: Any, **options: Any) -> None:
        casino = None
        if options["casino"]:
            casino = Casino.objects.filter(code=options["casino"]).first()
            if casino is None:
                raise CommandError(f"no hay casino con código {options['casino']}")
        outcomes = close_due_days(casino=casino)
        for outcome in outcomes:
            self._tell(outcome)
        held = sum(outcome.held is not None for outcome in outcomes)
        if held:
            raise CommandError(f"{held} casino(s) con un día retenido", returncode=1)

    def _tell(self, outcome: Outcome) -> None:
        code = outcome.casino.code
        for day in outcome.closed:
            self.stdout.write(f"{code}: {day} cerrado")
        if outcome.held is not None:
            language = (get_language() or "es")[:2]
            for item in outcome.held.held_by:
                self.stderr.write(f"{code}: {outcome.held} retenido: {item.get(language, item['es'])}")
            for day in outcome.waiting:
                self.stderr.write(f"{code}: {day} espera a que cierre {outcome.held}")
        elif not outcome.closed:
            self.stdout.write(f"{code}: ningún día por cerrar")
