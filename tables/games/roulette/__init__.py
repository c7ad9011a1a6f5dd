"""Single-zero roulette, as one `Game`: the only one without cards."""

from __future__ import annotations

from casino.kernel.words import same
from tables.games.base import Game
from tables.games.roulette.layout import LAYOUT, NUMBERS, SPOTS
from tables.games.roulette.play import PLAYER, open
from tables.games.roulette.prompts import prompts
from tables.games.roulette.rules import GAME, NAME, default_rules, edges, read_rules
from tables.games.roulette.settle import hands_on, settle

ROULETTE = Game(
    code=GAME,
    name=NAME,
    family="roulette",
    deck_type="",
    spots=SPOTS,
    hands={},
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
    quick_edges=edges,
    winners={str(number): same(str(number)) for number in NUMBERS},
    layout=tuple(LAYOUT),
    least_cards=0,
    bank="house",
    carried=("prison",),
)
GAMES: tuple[Game, ...] = (ROULETTE,)
