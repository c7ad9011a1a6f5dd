"""The house's edge on every bet of a game, before anyone loads its rules (GEN-06).

    manage.py edge baccarat.mini                       the catalogue's rules
    manage.py edge baccarat.mini --rules new.json      those of a file; what it leaves out is the catalogue's
    manage.py edge baccarat.mini --rules 3             version 3 as published (--casino if there are several)
    manage.py edge poker.draw --rounds 1000000 --seed 7 --json

Exact where it can be counted; else simulated, with its 95 % interval. Exit code 1 for what cannot be
read, a game there is not, and rules the game refuses.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from tables import edges
from tables.games import registry
from tables.games.base import Edge, Game
from tables.management.finding import casino_of
from tables.models import GameRules

MOST_ROUNDS = 1_000_000_000
_FAVOURS = Text("FAVORECE AL JUGADOR", "FAVOURS THE PLAYER")
_DOUBTFUL = Text("podría favorecer al jugador", "might favour the player")


class Command(BaseCommand):
    help = "La ventaja de la casa en cada apuesta de un juego, exacta o simulada, antes de cargar sus reglas."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="código del juego: baccarat.mini")
        parser.add_argument("--rules", default="", help="archivo JSON, o número de una versión publicada")
        parser.add_argument("--casino", help="código del casino de esa versión")
        parser.add_argument(
            "--rounds", type=int, default=edges.ROUNDS, help=f"pases que se simulan ({edges.ROUNDS})"
        )
        parser.add_argument(
            "--seed", type=int, default=edges.SEED, help=f"semilla de la simulación ({edges.SEED})"
        )
        parser.add_argument("--decks", type=int, help="barajas")
        parser.add_argument("--lang", choices=("es", "en"), default="es", help="idioma: es o en")
        parser.add_argument("--json", action="store_true", help="para otros programas")

    def handle(self, *args: Any, **options: Any) -> None:
        language = options["lang"]
        try:
            game = registry.game(options["game"])
            params = _params(game, options)
            if options["decks"] is not None:
                params = {**params, "decks": options["decks"]}
            rules = game.read_rules(params)
        except SabotError as refusal:
            where = f"{refusal.field}: " if refusal.field else ""
            cited = f" ({refusal.rule})" if refusal.rule else ""
            raise CommandError(f"{where}{refusal.say(language)}{cited}", returncode=1) from refusal
        if not 1 <= options["rounds"] <= MOST_ROUNDS:
            raise CommandError(f"--rounds: 1 a {MOST_ROUNDS}", returncode=1)
        found = edges.whole(game, rules, seed=options["seed"], rounds=options["rounds"])
        found = edges.of_decks(found, options["decks"] or 0)
        if options["json"]:
            said = {"game": game.code, "rules": rules.to_json(), "seed": options["seed"]}
            said["edges"] = [edges.as_data(edge) for edge in found]
            self.stdout.write(json.dumps(said, ensure_ascii=False, indent=1))
            return
        self.stdout.write(game.name.say(language))
        for edge in found:
            self.stdout.write(_line(edge, language))


def _line(edge: Edge, language: str) -> str:
    shown = edges.shown(edge)
    words = shown.words.say(language)
    figure = f"{shown.percent.say(language):>10} %"
    parts = [f"  {words[:1].upper() + words[1:]:<44} {figure}  {shown.how.say(language)}"]
    if shown.margin.es:
        parts.append(f"({shown.margin.say(language)})")
    if shown.favours_player or shown.doubtful:
        parts.append((_FAVOURS if shown.favours_player else _DOUBTFUL).say(language))
    if shown.note:
        parts.append(f"[{shown.note.say(language)}]")
    return "  ".join(parts)


def _params(game: Game, options: dict[str, Any]) -> dict[str, Any]:
    """The rules asked for as data: a file's, a published version's, or none, for the catalogue's own."""
    asked = options["rules"].strip()
    if not asked:
        return {}
    if asked.isascii() and asked.isdigit():
        return _published(game, int(asked) if len(asked) < 10 else 0, options["casino"])
    try:
        data = json.loads(Path(asked).read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"no se puede leer {asked}: {error.strerror}", returncode=1) from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{asked} no es JSON: {error}", returncode=1) from error
    if not isinstance(data, dict):
        raise CommandError(f"{asked} no es un objeto JSON de parámetros", returncode=1)
    return data


def _published(game: Game, version: int, casino: str | None) -> dict[str, Any]:
    house = casino_of(casino)
    stored = GameRules.objects.filter(casino=house, game=game.code, version=version).first()
    if stored is None:
        raise CommandError(f"no hay versión {version} de las reglas de {game.code}", returncode=1)
    params: dict[str, Any] = stored.params
    return params
