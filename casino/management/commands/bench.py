"""The yardstick: how fast the house is, measured beside something that bounds it (docs/bench.md).

    manage.py bench [rounds engine …] [--seconds 5] [--runs 3] [--clients 1 4 8] [--quick]

Everything happens in a database of its own, made and dropped on the same server.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import autodiscover_modules

from casino.bench import database, figures


class Command(BaseCommand):
    help = "Mide la casa contra una vara externa, en una base de datos de usar y tirar."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("figures", nargs="*", help="qué medir; todo si no se dice")
        parser.add_argument("--seconds", type=float, default=4.0, help="duración de cada corrida (4)")
        parser.add_argument("--runs", type=int, default=3, help="corridas de cada clase, alternadas (3)")
        parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 8], help="clientes (1 4 8)")
        parser.add_argument("--quick", action="store_true", help="sólo comprueba que la vara funciona")

    def handle(self, *args: Any, **options: Any) -> None:
        autodiscover_modules("bench")
        known = figures.registered()
        wanted = options["figures"] or list(known)
        if unknown := [name for name in wanted if name not in known]:
            raise CommandError(f"no hay medida {', '.join(unknown)}; hay {', '.join(known)}")
        effort = (
            figures.Effort.quick()
            if options["quick"]
            else figures.Effort(options["seconds"], options["runs"], tuple(options["clients"]))
        )
        with database.throw_away():
            for name in wanted:
                self.stdout.write("\n" + figures.table(known[name](effort)))
