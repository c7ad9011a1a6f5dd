"""What `verify_trail` and `verify_ledger` have in common: run a proof, name each fault, exit code 1."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from audits.reports.snapshot import one_moment
from audits.verify import Fault
from casino.models import Casino


class ProvingCommand(BaseCommand):
    proof: Callable[[Casino], Iterable[Fault]]
    proved: str  # what to say when all is well, with {casino} and {size}

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--casino", help="código del casino; todos si no se indica")

    def handle(self, *args: Any, **options: Any) -> None:
        casinos = Casino.objects.order_by("code")
        if options["casino"]:
            casinos = casinos.filter(code=options["casino"])
            if not casinos:
                raise CommandError(f"no hay casino con código {options['casino']}")
        broken = 0
        for casino in casinos:
            found = 0
            with one_moment():  # the house is at work meanwhile
                for fault in type(self).proof(casino):
                    found += 1
                    self.stderr.write(f"{casino.code}: {fault.where}: {fault.words.say(get_language())}")
            if not found:
                self.stdout.write(self.proved.format(casino=casino.code, size=self.size(casino)))
            broken += found
        if broken:
            raise CommandError(f"{broken} falla(s)", returncode=1)

    def size(self, casino: Casino) -> str:
        raise NotImplementedError
