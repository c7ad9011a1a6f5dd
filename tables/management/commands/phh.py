"""Poker hands as PHH text: rounds of a table written out, files from elsewhere played through.

    manage.py phh export --session TX-01 [--round 12] [--casino C]     to standard output
    manage.py phh check FILE… [--quiet]     what each hand settles to, or which rule it breaks

Exit code: 0, 1 when a hand breaks a rule or cannot be read, 2 when it was asked something it cannot do.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.kernel import money
from casino.kernel.errors import SabotError
from tables import storing
from tables.games.ring import phh, phh_read
from tables.games.ring.play import PLAYER, open
from tables.games.ring.rules import Rules
from tables.games.ring.settle import settle
from tables.management.finding import UNUSABLE, casino_of, session_of
from tables.models import Round


class Command(BaseCommand):
    help = "Escribe manos de poker entre jugadores como PHH, o juega archivos PHH y dice a qué llegan."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        export = acts.add_parser("export", help="pases de una sesión, como PHH")
        export.add_argument("--session", required=True, help="número, rótulo o mesa con sesión abierta")
        export.add_argument("--round", type=int, help="sólo este pase")
        export.add_argument("--casino", help="código del casino, si hay varios")
        check = acts.add_parser("check", help="juega archivos PHH")
        check.add_argument("files", nargs="+", metavar="FILE")
        check.add_argument("--quiet", action="store_true", help="sólo las manos que no salen")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["act"] == "export":
            self._export(options)
        else:
            self._check(options)

    def _export(self, options: dict[str, Any]) -> None:
        session = session_of(options["session"], casino_of(options["casino"]))
        rounds = Round.objects.filter(session=session, state=Round.State.SETTLED).order_by("number")
        if options["round"] is not None:
            rounds = rounds.filter(number=options["round"])
        written = 0
        for stored in rounds.select_related("session__table", "session__day", "session__casino"):
            self.stdout.write(f"[{stored.number}]\n{_text_of(stored)}")
            written += 1
        if not written:
            raise CommandError("no hay pases liquidados en lo que se pide", returncode=UNUSABLE)

    def _check(self, options: dict[str, Any]) -> None:
        good = bad = 0
        for name in options["files"]:
            for place, said, fine in _played(Path(name)):
                good, bad = good + fine, bad + (not fine)
                if not fine:
                    self.stderr.write(f"{place}: {said}")
                elif not options["quiet"]:
                    self.stdout.write(f"{place}: {said}")
        self.stdout.write(f"{good + bad} mano(s), {bad} que no sale(n)")
        if bad:
            raise CommandError(f"{bad} mano(s) que no sale(n)", returncode=1)


def _text_of(stored: Round) -> str:
    current = storing.versions_of(stored, stored.session)
    if not isinstance(current.rules, Rules):
        raise CommandError("esa sesión no es de poker entre jugadores", returncode=UNUSABLE)
    session, day = stored.session, stored.session.day.date
    about: dict[str, str | int] = {
        "venue": session.casino.name,
        "table": session.table.name,
        "hand": stored.number,
        "day": day.day,
        "month": day.month,
        "year": day.year,
        "currency": session.casino.currency,
    }
    try:
        return phh.dump(PLAYER.play_all(open(current.rules, current.terms), stored.log), about)
    except SabotError as refusal:
        raise CommandError(f"pase {stored.number}: {refusal}", returncode=UNUSABLE) from None


def _played(path: Path) -> list[tuple[str, str, bool]]:
    """(where, what came of it, whether it played) of every hand in a file."""
    try:
        hands = phh_read.hands_of(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"no se puede leer {path.name}: {error.strerror}", returncode=UNUSABLE) from None
    except UnicodeDecodeError:
        return [(path.name, "no es texto UTF-8", False)]
    except SabotError as refusal:
        return [(path.name, str(refusal), False)]
    found = []
    for number, data in enumerate(hands, start=1):
        place = f"{path.name}, mano {number}" if len(hands) > 1 else path.name
        try:
            hand = phh_read.read(data)
        except SabotError as refusal:
            action = refusal.detail.get("action")
            said = f"{refusal} (acción {action})" if action else str(refusal)
            found.append((place, said, False))
            continue
        settlement = settle(hand.state)
        pot = money.words(settlement.totals.staked, hand.terms.exponent)
        found.append((place, f"{hand.game}, {pot.es} en juego; {settlement.announcement.es}", True))
    return found
