"""Challenge 21: one hand of a player against three of the dealer, in three rounds (BJ-02, BJ-39).

What a pass of this game tells that Black Jack does not:

- Bets on `first`, `second` and `third` play against `dealer`, `dealer2` and `dealer3`; where no bets are
  logged, `{"e": "in", "seat", "hands": 2 | 3}` says against how many.
- With the shared base (BJ-11) its card is dealt once, to `dealer`, and lies in all three hands; with a base
  for each hand the firsts go to `dealer`, `dealer2` and, if anybody bets against it, `dealer3`.
- `{"e": "choice", "seat"[, "hand"], "do": "insurance", "spot": "insurance_second"[, "amount"]}`: insurance
  names the dealer hand it is against (BJ-22), by its spot.
- Where only results are logged, three `{"e": "result", "winner"}` events tell the three rounds in order.
  The winner of the whole pass counts the dealer's busts; `outcome.facts["rounds"]` has the three calls.

A black jack's bet is paid at once when the dealer hand it plays against shows a card by which it need not
wait, and waits for that hand's round otherwise (BJ-16, "its hand or hands"): with a shared base all three
bets together, with a base for each hand each by its own.
"""

from __future__ import annotations

from tables.games.base import Game
from tables.games.blackjack.variants import CHOICES
from tables.games.challenge.edges import edges, quick_edges
from tables.games.challenge.ending import hands_on
from tables.games.challenge.play import PLAYER, open
from tables.games.challenge.prompts import prompts
from tables.games.challenge.rules import (
    GAME,
    HANDS,
    NAME,
    SPOTS,
    WINNERS,
    default_rules,
    read_rules,
)
from tables.games.challenge.settle import settle

CHALLENGE21 = Game(
    code=GAME,
    name=NAME,
    family="blackjack",
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
    layout=tuple(SPOTS),
    # One player and the dealer's first; a surrender or a black jack may end the pass there.
    least_cards=3,
)
GAMES: tuple[Game, ...] = (CHALLENGE21,)
