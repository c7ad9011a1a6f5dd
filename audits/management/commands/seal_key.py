"""The keys that seal the gaming days: made, rotated, replaced when lost, listed, published.

manage.py seal_key new --casino CODE           the first key
manage.py seal_key rotate --casino CODE        a new key, introduced by the one in use
manage.py seal_key lost --casino CODE --by LOGIN --second LOGIN --reason WHY
                                               a new key in place of one that is lost: two people sign
manage.py seal_key list                        which keys there are, and whether their files are
manage.py seal_key publish --casino CODE [--seals]
                                               the public keys (and every seal) as JSON, to keep outside
"""

from __future__ import annotations

import getpass
import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import HttpRequest
from django.utils.translation import get_language

from audits.by import by_system, by_user
from audits.models import Seal, SealKey
from audits.sealing import keeping, keys, publishing
from audits.sign_in import vouch
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.models import Casino, User

JOB = "setup"


class Command(BaseCommand):
    help = "Las llaves con que se sellan los días de juego."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        for verb, words in (
            ("new", "crea la primera llave"),
            ("rotate", "crea otra llave, que presenta la que está en uso"),
            ("lost", "reemplaza una llave perdida o copiada: responden dos personas"),
            ("list", "qué llaves hay y si su archivo está"),
            ("publish", "las llaves públicas como JSON, para quien las guarde fuera"),
        ):
            one = verbs.add_parser(verb, help=words)
            one.add_argument("--casino", help="código del casino; no hace falta si hay uno solo")
            if verb == "lost":
                one.add_argument("--by", required=True, help="usuario de administración")
                one.add_argument("--second", required=True, help="usuario de cumplimiento")
                one.add_argument("--reason", required=True, help="qué pasó con la llave")
            if verb == "publish":
                one.add_argument("--seals", action="store_true", help="también todos los sellos")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            casino = _casino(options["casino"])
            if options["verb"] == "list":
                self._list(casino)
            elif options["verb"] == "publish":
                self._publish(casino, seals=options["seals"])
            else:
                self._make(casino, options)
        except SabotError as refusal:
            raise CommandError(refusal.say(get_language())) from refusal

    def _make(self, casino: Casino, options: dict[str, Any]) -> None:
        key = self._made(casino, options)
        self.stdout.write(f"{casino.code}: llave {key.key_id}, pública {bytes(key.public_key).hex()}")
        self.stdout.write(f"privada en {keys.path_of(casino, key.key_id)}: guarde una copia fuera de aquí")

    def _made(self, casino: Casino, options: dict[str, Any]) -> SealKey:
        if options["verb"] == "new":
            return keeping.make_key(by=by_system(casino, JOB))
        if options["verb"] == "rotate":
            return keeping.rotate_key(by=by_system(casino, JOB))
        first, second = (_person(casino, options[name]) for name in ("by", "second"))
        return keeping.replace_lost_key(second=second.actor, by=by_user(first, reason=options["reason"]))

    def _list(self, casino: Casino) -> None:
        for key in SealKey.objects.filter(casino=casino).select_related("casino").order_by("since", "pk"):
            span = f"desde {clock.stamp(key.since)}"
            if key.until:
                self.stdout.write(f"{casino.code}: {key.key_id} {span} hasta {clock.stamp(key.until)}")
                continue
            try:
                keys.load(key)
                said = "en uso"
            except SabotError as refusal:
                said = refusal.say(get_language())
            self.stdout.write(f"{casino.code}: {key.key_id} {span}: {said}")
        if not SealKey.objects.filter(casino=casino).exists():
            self.stdout.write(f"{casino.code}: sin llave de sello; créela con seal_key new")

    def _publish(self, casino: Casino, *, seals: bool) -> None:
        told = publishing.keys_file(casino)
        if seals:
            rows = Seal.objects.filter(casino=casino).select_related("day", "key", "casino")
            told = publishing.whole_file(casino, rows.order_by("day__date"))
        self.stdout.write(json.dumps(told, ensure_ascii=False, indent=1))


def _casino(code: str | None) -> Casino:
    rows = Casino.objects.order_by("code")
    found = list(rows.filter(code=code) if code else rows[:2])
    if not found:
        raise CommandError(f"no hay casino con código {code}" if code else "todavía no hay casino")
    if len(found) > 1:
        raise CommandError("hay varios casinos: indique --casino")
    return found[0]


def _person(casino: Casino, username: str) -> User:
    """Who signs, by their password: asked for at the terminal, or one line each on the standard input."""
    said = f"Contraseña de {username}: "
    password = getpass.getpass(said) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    return vouch(request=HttpRequest(), username=username, password=password, casino=casino)
