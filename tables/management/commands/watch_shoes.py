"""Ask the detectors about shoes again, as the job does each minute, and say what they found.

    manage.py watch_shoes                     shoes in play or ended since yesterday
    manage.py watch_shoes --days 30           all that ended in so many days, read anew from their first card

Exit code 1 while an incident of such an alert waits to be resolved; 2 for what cannot be asked.
"""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from django.utils.translation import get_language

from audits.models import Incident
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import Shoe, ShoeAlert
from tables import watching
from tables.management.finding import UNUSABLE

LONGEST_DAYS = 3_660


class Command(BaseCommand):
    help = "Mira otra vez el orden y el reparto de las cartas de los sabots y dice qué se notó."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--casino", help="código del casino; todos si no se indica")
        parser.add_argument("--days", type=int, help="de cuántos días atrás, leyendo todo de nuevo")

    def handle(self, *args: Any, **options: Any) -> None:
        casinos = Casino.objects.order_by("code")
        if options["casino"]:
            casinos = casinos.filter(code=options["casino"])
            if not casinos:
                raise CommandError(f"no hay casino con código {options['casino']}", returncode=UNUSABLE)
        days = options["days"]
        if days is not None and not 0 < days <= LONGEST_DAYS:
            raise CommandError(f"--days va de 1 a {LONGEST_DAYS}", returncode=UNUSABLE)
        since = clock.now() - (watching.LOOKED_BACK if days is None else dt.timedelta(days=days))
        waiting = sum(self._look(casino, since, anew=days is not None) for casino in casinos)
        if waiting:
            raise CommandError(f"{waiting} aviso(s) con incidente sin resolver", returncode=1)

    def _look(self, casino: Casino, since: dt.datetime, *, anew: bool) -> int:
        """How many alerts of a casino's shoes have an open incident."""
        looked = watching.look_at_all(casino=casino, since=since, anew=anew)
        about = Q(shoe__state=Shoe.State.IN_PLAY) | Q(shoe__ended_at__gte=since)
        alerts = (
            ShoeAlert.objects.filter(about, casino=casino).select_related("shoe", "incident").order_by("pk")
        )
        for alert in alerts:
            said = Text(alert.words_es, alert.words_en).say(get_language())
            incident = f" ({alert.incident.label})" if alert.incident else ""
            self.stderr.write(f"{casino.code}: {alert.shoe.label}: {said}{incident}")
        self.stdout.write(f"{casino.code}: {looked} sabots mirados, {len(alerts)} avisos")
        return alerts.filter(incident__state=Incident.State.OPEN).count()
