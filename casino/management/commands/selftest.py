"""Put known faults into throw-away copies of a house and say which control caught each, and when.

    manage.py selftest [--only trail --only money.drop_changed] [--json] [--english] [--list]

Exit code: 0 all were caught by the control promised; 1 one was not, or by another; 2 it could not run.
"""

from __future__ import annotations

import json
import signal
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from casino.selftest import faults, running, telling
from casino.selftest.copies import CannotCopy, copies

UNUSABLE = 2


class Command(BaseCommand):
    help = "Introduce fallas conocidas en copias desechables y dice qué control descubre cada una."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--only", action="append", default=[], metavar="CÓDIGO", help="una falla, o todas las de un tema"
        )
        parser.add_argument("--json", action="store_true", help="un solo objeto en JSON")
        parser.add_argument("--english", action="store_true", help="el cuadro en inglés")
        parser.add_argument("--list", action="store_true", help="sólo enumera las fallas y lo que se promete")

    def handle(self, *args: Any, **options: Any) -> None:
        language = "en" if options["english"] else get_language()
        chosen, unknown = faults.chosen(options["only"])
        if unknown:
            raise CommandError(
                f"no hay falla ni tema: {', '.join(unknown)} (vea --list)", returncode=UNUSABLE
            )
        if options["list"]:
            for one in chosen:
                self.stdout.write(telling.listed(one, language))
            return
        outcomes = self._outcomes(chosen, language, quiet=options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(telling.as_json(outcomes), ensure_ascii=False, indent=2))
        told = telling.summary(outcomes, language)
        if any(one.verdict is not running.Verdict.NOTICED for one in outcomes):
            raise CommandError(told, returncode=1)
        if not options["json"]:
            self.stdout.write(told)

    def _outcomes(
        self, chosen: list[faults.Fault], language: str | None, *, quiet: bool
    ) -> list[running.Outcome]:
        usual = signal.signal(signal.SIGTERM, _leave)
        try:
            with copies() as made, running.base(made) as base:
                outcomes = []
                if not quiet:
                    self.stdout.write(telling.heading(language))
                for one in running.run(chosen, base):
                    outcomes.append(one)
                    if not quiet:
                        self.stdout.write(telling.line(one, language))
                return outcomes
        except CannotCopy as cannot:
            raise CommandError(cannot.words.say(language), returncode=UNUSABLE) from None
        finally:
            signal.signal(signal.SIGTERM, usual)


def _leave(*_: object) -> None:
    """Asked to stop: by way of an exception, so that the copies are dropped."""
    sys.exit(128 + signal.SIGTERM)
