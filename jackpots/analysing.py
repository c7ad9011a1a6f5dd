"""What a scheme would be worth, asked for before it is approved (PP-23). Nothing is written.

The figures are `jackpots.odds`; here only: which modalities, how many bets of each, by whom it may be asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audits.by import By
from casino.kernel import rulebook
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from jackpots import odds, policies, scheme
from jackpots.models import Pool
from jackpots.odds import Worth
from tables.models import Table

MOST_BETS = 1_000_000


@dataclass(frozen=True, slots=True)
class Played:
    """Bets of a modality among those of a pool; `cards_changed`: how many Draw Poker lets a player change."""

    game: str
    bets: int = 1
    cards_changed: int = 2


@command(policies.DRAFT, silent_when="it is worked out and told, nothing is written")
def analyse(*, params: Mapping[str, Any], played: Sequence[Played], by: By) -> Worth:
    """What parameters would be worth. Raises what `scheme.read` does, `RuleViolation` PP-05
    (`game_not_allowed`), `Refused` (`games_missing`)."""
    return worth_of(params, played)


def worth_of(params: Mapping[str, Any], played: Sequence[Played]) -> Worth:
    """The same, for whoever reads a version that was drafted."""
    if not played:
        raise Refused(
            Text("indique al menos una modalidad", "name at least one modality"),
            code="games_missing",
            field="games",
        )
    terms = scheme.read(params)
    return odds.worth(terms, odds.together([(odds.chances(p.game, p.cards_changed), p.bets) for p in played]))


def counted_for(pool: Pool) -> Text:
    """Which games the figures are of, as they are shown: a hand is not as likely in each."""
    names = [rulebook.game(played.game).name for played in played_at(pool)]
    es, en = ", ".join(name.es for name in names), ", ".join(name.en for name in names)
    if not pool.members.filter(during__endswith=None).exists():
        return Text(
            f"ninguna mesa alimenta el pozo todavía: contado para {es} por igual; con sus mesas conectadas"
            " las cifras son otras",
            f"no table feeds the pool yet: counted for {en} alike; with its tables linked the figures are"
            " others",
        )
    return Text(f"contado para las mesas conectadas: {es}", f"counted for the tables linked: {en}")


def played_at(pool: Pool) -> list[Played]:
    """The modalities of the tables that feed a pool now, each table alike; of all three where none does."""
    tables = Table.objects.filter(pools__pool=pool, pools__during__endswith=None)
    found = list(tables.values_list("game", flat=True))
    return [Played(game, found.count(game)) for game in sorted(set(found))] or [
        Played(game) for game in odds.ALLOWED_GAMES
    ]
