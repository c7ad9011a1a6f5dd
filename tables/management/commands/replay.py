"""Settle stored rounds again from their logs and say every difference. There must be none.

    manage.py replay --all
    manage.py replay --table PB-01 --day 2026-11-01..2026-11-30

Exit code: 0 without differences, 1 with some, 2 when it was asked something it cannot do.
"""

from __future__ import annotations

import datetime as dt
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from tqdm import tqdm

from casino.models import Casino
from tables import replay
from tables.management.finding import UNUSABLE, casino_of, session_of
from tables.models import Round

CHUNK = 1_000


class Command(BaseCommand):
    help = "Vuelve a liquidar pases desde sus registros y dice cada diferencia."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--casino", help="código del casino; todos si no se indica")
        parser.add_argument("--session", help="número o rótulo de una sesión")
        parser.add_argument("--table", help="sólo esta mesa")
        parser.add_argument("--day", help="un día de juego o un tramo: 2026-11-29 o 2026-11-01..2026-11-30")
        parser.add_argument("--all", action="store_true", help="todos los pases")
        parser.add_argument("--progress", action="store_true", help="barra de avance aunque no haya terminal")

    def handle(self, *args: Any, **options: Any) -> None:
        rounds = self._chosen(options)
        total, found = rounds.count(), 0
        bar = tqdm(
            total=total, unit=" pases", file=sys.stderr, disable=False if options["progress"] else None
        )
        with bar:
            for difference in replay.differences(_counting(rounds, bar)):
                found += 1
                self.stderr.write(str(difference))
        self.stdout.write(f"{total} pase(s) liquidados de nuevo, {found} diferencia(s)")
        if found:
            raise CommandError(f"{found} diferencia(s)", returncode=1)

    def _chosen(self, options: dict[str, Any]) -> QuerySet[Round]:
        if not (options["all"] or options["session"] or options["table"] or options["day"]):
            raise CommandError("indique --session, --table, --day o --all", returncode=UNUSABLE)
        rounds = Round.objects.filter(settlement__isnull=False)
        if options["casino"] or options["session"]:
            casino: Casino = casino_of(options["casino"])
            rounds = rounds.filter(casino=casino)
            if options["session"]:
                rounds = rounds.filter(session=session_of(options["session"], casino))
        if options["table"]:
            rounds = rounds.filter(session__table__name=options["table"].strip().upper())
        if options["day"]:
            first, last = _span(options["day"])
            rounds = rounds.filter(session__day__date__range=(first, last))
        if not rounds.exists() and not options["all"]:
            raise CommandError("no hay pases liquidados en lo que se pide", returncode=UNUSABLE)
        return (
            rounds.select_related("session__table", "session__day", "session__casino")
            .prefetch_related("bets")
            .order_by("pk")
        )


def _counting(rounds: QuerySet[Round], bar: Any) -> Iterator[Round]:
    for stored in rounds.iterator(chunk_size=CHUNK):
        yield stored
        bar.update()


def _span(text: str) -> tuple[dt.date, dt.date]:
    first, _, last = text.partition("..")
    try:
        return dt.date.fromisoformat(first.strip()), dt.date.fromisoformat((last or first).strip())
    except ValueError as error:
        raise CommandError(
            "escriba el día como 2026-11-29 o el tramo como 2026-11-01..2026-11-30", returncode=UNUSABLE
        ) from error
