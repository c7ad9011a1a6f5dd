"""The demonstration casino: made, thrown away and made anew, its logins printed. Never in production.

manage.py demo --if-empty       make it unless there is a casino already
manage.py demo --logins         print the logins of the demo casino
manage.py demo --reset --yes    throw the whole database away and make it anew
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import get_language

from audits.by import by_system
from audits.sealing import keeping
from casino.kernel.errors import SabotError
from casino.kernel.permissions import ROLE_NAMES, Role
from casino.models import Casino
from tables import inforce
from tables.demo import CODE, PASSWORD
from tables.demo.boxes import PEOPLE as COUNTING
from tables.demo.house import ADMIN, LOGINS
from tables.demo.make import make


class Command(BaseCommand):
    help = "Crea un casino de demostración con mesas en juego; nunca en producción."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="no hace nada si ya hay un casino")
        parser.add_argument("--logins", action="store_true", help="sólo muestra los usuarios de demostración")
        parser.add_argument("--reset", action="store_true", help="borra TODA la base y la crea de nuevo")
        parser.add_argument("--yes", action="store_true", help="no pide confirmación para borrar")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.ENVIRONMENT.production:
            # Everybody knows its password.
            if options["if_empty"] or options["logins"]:
                return None
            raise CommandError("la demostración no existe en producción: use setup_casino")
        if options["logins"]:
            return self._print_logins()
        if options["reset"]:
            self._reset(confirmed=options["yes"])
        elif Casino.objects.exists():
            if options["if_empty"]:
                return None
            raise CommandError("ya hay un casino; para empezar de nuevo: manage.py demo --reset")
        self._seal_key(make().casino)
        self.stdout.write("casino de demostración creado")
        return self._print_logins()

    def _seal_key(self, casino: Casino) -> None:
        """With somewhere to keep it: so that the nightly job seals the evening before."""
        if settings.KEYS_ROOT is None:
            return
        try:
            keeping.make_key(by=by_system(casino, "demo"))
        except SabotError as refusal:
            self.stderr.write(f"los días no se sellarán: {refusal.say(get_language())}")

    def _print_logins(self) -> None:
        if not Casino.objects.filter(code=CODE).exists():
            return
        rows = [(*ADMIN, Role.ADMINISTRATOR), *LOGINS, *((*one, Role.CAGE) for one in COUNTING)]
        for username, name, role in rows:
            self.stdout.write(f"  {username:<12} {PASSWORD:<20} {ROLE_NAMES[role].es:<16} {name}")

    def _reset(self, *, confirmed: bool) -> None:
        """Rows that may not be deleted go with their schema. Only a demo, with nobody at work in it."""
        if _has_casinos() and Casino.objects.exclude(code=CODE).exists():
            raise CommandError("hay un casino que no es el de demostración: no se borra")
        if _others_connected():
            raise CommandError("hay otros programas conectados a la base: detenga Sabot y repita")
        name = connection.settings_dict["NAME"]
        if not confirmed and not _agreed(str(name)):
            raise CommandError("no se borró nada; confirme con --yes")
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_schema()")
            schema = connection.ops.quote_name(cursor.fetchone()[0])
            cursor.execute(f"DROP SCHEMA {schema} CASCADE")
            cursor.execute(f"CREATE SCHEMA {schema}")
        inforce.versions.cache_clear()
        call_command("migrate", interactive=False, verbosity=0)


def _has_casinos() -> bool:
    return Casino._meta.db_table in connection.introspection.table_names()


def _others_connected() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return bool(cursor.fetchone()[0])


def _agreed(name: str) -> bool:
    if not sys.stdin.isatty():
        return False
    return input(f"Se borra TODA la base «{name}». Escriba su nombre para seguir: ").strip() == name
