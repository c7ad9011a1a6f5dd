"""Prove the pools by hand, as the nightly job does: every night that is due, oldest first, or a named day.

    manage.py reconcile_pools [--casino CODE] [--pool NAME|ID] [--day 2026-11-20] [--json]

Exit code 0 where all match (or were explained by settled incidents), 1 on a difference, which it names.
"""

from __future__ import annotations

import datetime as dt
import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from audits.by import by_system
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.models import Casino
from jackpots import catching_up, proving
from jackpots.models import Difference, Pool, Proof


class Command(BaseCommand):
    help = "Prueba los pozos: libro, apuestas, saldo mostrado y lecturas; dice lo que no cuadra."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--casino", help="código del casino; todos si no se indica")
        parser.add_argument("--pool", help="nombre o número del pozo; todos si no se indica")
        parser.add_argument(
            "--day", type=_date, help="día de juego (AAAA-MM-DD); los vencidos si no se indica"
        )
        parser.add_argument("--json", action="store_true", help="una lista en JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        proofs = []
        for pool, day in self._asked(options):
            try:
                proofs.append(proving.prove(pool=pool, day=day, by=by_system(pool.casino, catching_up.JOB)))
            except SabotError as refusal:
                said = refusal.say(get_language())
                raise CommandError(f"{pool.name}, {day}: {said}", returncode=2) from None
        if options["json"]:
            self.stdout.write(json.dumps([_told(proof) for proof in proofs], ensure_ascii=False, indent=2))
        else:
            self._say(proofs)
        off = sum(proof.state == Proof.State.DIFFERENT for proof in proofs)
        if off:
            raise CommandError(f"{off} prueba(s) no cuadran", returncode=1)

    def _asked(self, options: dict[str, Any]) -> list[tuple[Pool, dt.date]]:
        casinos = Casino.objects.order_by("code")
        if options["casino"]:
            casinos = casinos.filter(code=options["casino"])
            if not casinos:
                raise CommandError(f"no hay casino con código {options['casino']}", returncode=2)
        wanted = options["pool"]
        asked = [
            pair for casino in casinos for pair in _nights(casino, options["day"]) if _is(pair[0], wanted)
        ]
        if wanted and not any(_is(pool, wanted) for pool in Pool.objects.filter(casino__in=casinos)):
            raise CommandError(f"no hay pozo {wanted}", returncode=2)
        return asked

    def _say(self, proofs: list[Proof]) -> None:
        if not proofs:
            self.stdout.write("ningún pozo por probar")
        for proof in proofs:
            line = f"{proof.pool.name}, {proof.day}: {proof.get_state_display()}"
            (self.stderr if proof.state == Proof.State.DIFFERENT else self.stdout).write(line)
            for one in _differences(proof):
                told = proving.in_words(one, proof.casino.exponent).say(get_language())
                self.stderr.write(f"  {told} ({one.incident.label}, {one.incident.get_state_display()})")


def _nights(casino: Casino, day: dt.date | None) -> list[tuple[Pool, dt.date]]:
    """The day asked for; else what is due; else, nothing being due, the day in progress."""
    if day is not None:
        return [(pool, day) for pool in proving.concerned(casino, day)]
    today = casino.gaming_day(clock.now())
    return catching_up.due_nights(casino) or [(pool, today) for pool in proving.concerned(casino, today)]


def _is(pool: Pool, wanted: str | None) -> bool:
    return not wanted or wanted in (pool.name, str(pool.pk))


def _date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        # Read before any language is known: said in both.
        raise ArgumentTypeError("una fecha, como 2026-11-20 / a date, such as 2026-11-20") from None


def _differences(proof: Proof) -> list[Difference]:
    rows = Difference.objects.filter(pool=proof.pool, day=proof.day).select_related("incident")
    return list(rows.order_by("pk"))


def _told(proof: Proof) -> dict[str, Any]:
    return {
        "casino": proof.casino.code,
        "pool": proof.pool.name,
        "pool_id": proof.pool_id,
        "day": str(proof.day),
        "state": proof.state,
        "digest": proof.digest,
        "figures": proof.figures,
        "differences": [
            {
                "code": one.code,
                "place": one.place,
                "expected": one.expected,
                "found": one.found,
                "incident": one.incident.label,
                "incident_state": one.incident.state,
            }
            for one in _differences(proof)
        ],
    }
