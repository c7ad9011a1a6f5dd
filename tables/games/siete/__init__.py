"""Siete y medio, as one `Game`: not in the AJ text, played for points, the bank in a player's hands."""

from __future__ import annotations

from tables.games.base import Game
from tables.games.siete.exact import edges
from tables.games.siete.play import PLAYER, open
from tables.games.siete.points import DECK
from tables.games.siete.prompts import prompts
from tables.games.siete.rules import (
    CHOICES,
    GAME,
    HANDS,
    NAME,
    SPOTS,
    WINNERS,
    default_rules,
    read_rules,
)
from tables.games.siete.settle import hands_on, settle

SIETE = Game(
    code=GAME,
    name=NAME,
    family="siete",
    deck_type=DECK,
    spots=SPOTS,
    hands=HANDS,
    default_rules=default_rules,
    read_rules=read_rules,
    open=open,
    play=PLAYER.play,
    play_all=PLAYER.play_all,
    prompts=prompts,
    settle=settle,
    events=PLAYER.events,
    hands_on=hands_on,
    edges=edges,
    choices=CHOICES,
    winners=WINNERS,
    layout=("main",),
    least_cards=2,
    bank="player",
    reshuffles=True,
)
GAMES: tuple[Game, ...] = (SIETE,)
