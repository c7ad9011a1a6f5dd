"""Black Jack against one dealer hand: Clásico, Perfect Pairs and the online presets, each a `Game`."""

from __future__ import annotations

from functools import partial

from tables.games.base import Game
from tables.games.blackjack.edges import edges, quick_edges
from tables.games.blackjack.ending import hands_on
from tables.games.blackjack.play import PLAYER, open
from tables.games.blackjack.prompts import prompts
from tables.games.blackjack.rules import default_rules, read_rules
from tables.games.blackjack.settle import settle
from tables.games.blackjack.variants import CHOICES, HANDS, VARIANTS, WINNERS, spots_of

GAMES: tuple[Game, ...] = tuple(
    Game(
        code=code,
        name=variant.name,
        family="blackjack",
        deck_type="french52",
        spots=spots_of(code),
        hands=HANDS,
        default_rules=partial(default_rules, code),
        read_rules=partial(read_rules, code),
        open=open,
        play=PLAYER.play,
        play_all=PLAYER.play_all,
        prompts=prompts,
        settle=settle,
        events=PLAYER.events,
        hands_on=hands_on,
        edges=edges,
        quick_edges=quick_edges,
        choices=CHOICES,
        winners=WINNERS,
        layout=tuple(spots_of(code)),
        least_cards=3,
    )
    for code, variant in VARIANTS.items()
)
