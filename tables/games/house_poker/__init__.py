"""Poker against the house: Draw Poker, Caribbean, Go Poker and Three Card Poker, each a `Game`."""

from __future__ import annotations

from functools import partial

from tables.games.base import Game
from tables.games.house_poker.deciding import choices_of
from tables.games.house_poker.edges import edges, quick_edges
from tables.games.house_poker.kinds import BOARD, CHOICE_WORDS, DEALER, HAND_WORDS, KINDS, SPOT_WORDS, Kind
from tables.games.house_poker.outcome import VOIDS, hands_on, winners_of
from tables.games.house_poker.play import PLAYER, open
from tables.games.house_poker.prompts import prompts
from tables.games.house_poker.rules import DEFAULTS, read_rules
from tables.games.house_poker.settle import settle


def _game(kind: Kind) -> Game:
    shared = DEALER if kind.dealer else BOARD
    return Game(
        code=kind.code,
        name=kind.name,
        family="poker_house",
        deck_type="french52",
        spots={spot: SPOT_WORDS[spot] for spot in kind.spots},
        hands={shared: HAND_WORDS[shared]},
        default_rules=DEFAULTS[kind.code],
        read_rules=partial(read_rules, kind),
        open=open,
        play=PLAYER.play,
        play_all=PLAYER.play_all,
        prompts=prompts,
        settle=settle,
        events=PLAYER.events,
        hands_on=hands_on,
        edges=edges,
        quick_edges=quick_edges,
        choices={do: CHOICE_WORDS[do] for do in choices_of(kind)},
        winners=winners_of(kind),
        voids=VOIDS,
        # BET and PLAY are placed by a decision and follow from the ANTE.
        layout=tuple(spot for spot in kind.spots if spot != kind.raising),
        least_cards=kind.cards + (kind.cards if kind.dealer else kind.board),
        reshuffles=True,
    )


GAMES: tuple[Game, ...] = tuple(map(_game, KINDS.values()))
