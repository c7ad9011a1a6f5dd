"""The first real installation: a casino and its first administrator, without demonstration data.

    manage.py setup_casino la-paz "Casino Illimani" --chips 10,50,100 --admin ana --admin-name "Ana Quispe"

The password is asked for twice, or read from standard input with `--password-stdin`: never given on
the command line, where others see it, nor through the environment, which processes inherit.
"""

from __future__ import annotations

import datetime as dt
import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from audits import filing_demands
from audits.casinos import JOB, FirstLogin, Particulars, create_casino, denominations_of
from casino.kernel.errors import SabotError


class Command(BaseCommand):
    help = "Funda un casino con su primer administrador, sin datos de demostración."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="código del casino, por ejemplo la-paz; no cambia nunca")
        parser.add_argument("name", help="nombre del casino")
        parser.add_argument("--licence", default="", help="número de licencia de la AJ")
        parser.add_argument("--zone", default="America/La_Paz", help="zona horaria (America/La_Paz)")
        parser.add_argument("--cutoff", default="06:00", help="corte del día de juego, hora local (06:00)")
        parser.add_argument("--currency", default="BOB", help="moneda (BOB)")
        parser.add_argument("--decimals", type=int, default=2, help="decimales de la moneda (2)")
        parser.add_argument("--chips", required=True, help="fichas separadas por comas: 0.50,10,100")
        parser.add_argument("--admin", required=True, help="usuario del primer administrador")
        parser.add_argument("--admin-name", required=True, help="nombre de esa persona")
        parser.add_argument(
            "--password-stdin", action="store_true", help="lee la contraseña de la entrada estándar"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            particulars = Particulars(
                name=options["name"],
                licence=options["licence"],
                zone=options["zone"],
                cutoff=_cutoff(options["cutoff"]),
                currency=options["currency"].upper(),
                exponent=options["decimals"],
                denominations=denominations_of(options["chips"].split(","), options["decimals"]),
            )
            login = FirstLogin(options["admin"], options["admin_name"], self._password(options))
            casino, user = create_casino(code=options["code"], particulars=particulars, administrator=login)
            # A new house has nothing in force yet: it begins by asking for every approval (REC-09).
            filing_demands.demand_all(casino, JOB)
        except SabotError as error:
            where = f"{error.field}: " if error.field else ""
            raise CommandError(where + error.say(get_language())) from error
        self.stdout.write(
            f"casino {casino.code} fundado; entre como {user.username} y cree a los demás usuarios"
        )

    def _password(self, options: dict[str, Any]) -> str:
        if options["password_stdin"]:
            return sys.stdin.readline().rstrip("\r\n")
        if not sys.stdin.isatty():
            raise CommandError("no hay terminal para pedir la contraseña; use --password-stdin")
        first = getpass.getpass("Contraseña: ")
        if first != getpass.getpass("Otra vez: "):
            raise CommandError("las contraseñas no coinciden")
        return first


def _cutoff(text: str) -> dt.time:
    try:
        return dt.datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 (a wall-clock time)
    except ValueError as error:
        raise CommandError("cutoff: escriba la hora como 06:00") from error
