"""Baccarat with the bank in a player's hands, as one `Game`."""

from __future__ import annotations

from tables.games.banked.exact import edges, quick_edges
from tables.games.banked.play import PLAYER, open
from tables.games.banked.prompts import prompts
from tables.games.banked.rules import (
    CHOICES,
    GAME,
    HANDS,
    NAME,
    SPOTS,
    WINNERS,
    default_rules,
    read_rules,
)
from tables.games.banked.settle import hands_on, settle
from tables.games.base import Game

BANKED = Game(
    code=GAME,
    name=NAME,
    family="baccarat",
    deck_type="french52",
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
    quick_edges=quick_edges,
    choices=CHOICES,
    winners=WINNERS,
    layout=("bank", "punto"),
    least_cards=4,
    bank="player",
)
GAMES: tuple[Game, ...] = (BANKED,)
