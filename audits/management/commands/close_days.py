"""Close the gaming days that are due and seal the closed ones, as the nightly job does; say what held one."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from audits.closing import Outcome, close_due_days
from audits.sealing import sealing
from casino.models import Casino


class Command(BaseCommand):
    help = "Cierra los días de juego vencidos, sella los cerrados y dice qué retuvo al que no pudo."

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
        for seals in sealing.seal_due_days(casino):
            self._tell_seals(seals)
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

    def _tell_seals(self, outcome: sealing.Outcome) -> None:
        code = outcome.casino.code
        for seal in outcome.sealed:
            self.stdout.write(f"{code}: {seal.day} sellado, raíz {bytes(seal.root).hex()}")
        if outcome.waits is not None and outcome.why is not None:
            self.stderr.write(f"{code}: {outcome.waits} sin sello: {outcome.why.say(get_language())}")
