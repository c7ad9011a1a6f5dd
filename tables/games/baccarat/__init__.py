"""Punto y Banca, Midi and Mini: one set of rules in three modalities, each a `Game`."""

from __future__ import annotations

from functools import partial

from casino.kernel.words import Text
from tables.games.baccarat.marking import SPOT
from tables.games.baccarat.outcome import TwoHands, hands_on
from tables.games.baccarat.play import PLAYER, open
from tables.games.baccarat.prompts import prompts
from tables.games.baccarat.rules import HANDS, MODALITIES, SPOTS, default_rules, edges, read_rules
from tables.games.baccarat.settle import settle
from tables.games.base import Game

GAMES: tuple[Game, ...] = tuple(
    Game(
        code=code,
        name=modality.name,
        family="baccarat",
        deck_type="french52",
        spots={**SPOTS, SPOT: Text("Comisión marcada", "Marked commission")},
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
        quick_edges=edges,
        read_outcome=TwoHands.from_json,
        winners=SPOTS,
        layout=("tie", "banca", "punto"),
        least_cards=4,
        carried=("owed",),
    )
    for code, modality in MODALITIES.items()
)
