"""Treinta y Cuarenta: two rows to 31 or more, four even chances, the refait, prison and insurance.

What a round of this game tells that no other does:

- `{"e": "prison", "seat", "spot", "amount", "times"}` before betting closes: a stake that a refait (or an
  equality) of the round before left in prison; `times` counts the refaits it has stood (1 if left out).
  `Settlement.carry` of that round has these events ready. In bets and payouts their `hand` is `times`; a
  bet of this round has `hand` 0. `settle` says how their chips are told.
- `{"e": "choice", "seat", "spot"[, "hand"], "do": "half" | "prison"}` on a refait, one for each stake that
  is not insured, where the policy leaves the choice to the player.
- `{"e": "bet", "spot": "insurance_black", …}`: the premium for the seat's whole stake on that chance. The
  limits of such a spot are those of the premium; the least stake to insure is a rule (TYC-12).
"""

from __future__ import annotations

from tables.games.base import Game
from tables.games.trente.dealing import CHOICES, WINNERS
from tables.games.trente.play import PLAYER, open
from tables.games.trente.prompts import prompts
from tables.games.trente.rules import (
    GAME,
    HANDS,
    NAME,
    SPOTS,
    default_rules,
    edges,
    quick_edges,
    read_rules,
)
from tables.games.trente.settle import hands_on, settle

TRENTE = Game(
    code=GAME,
    name=NAME,
    family="trente",
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
    layout=("black", "inverse", "colour", "red", *tuple(SPOTS)[4:]),
    # Each row is worth 31 or more, so it has four cards at least.
    least_cards=8,
    carried=("prison",),
)
GAMES: tuple[Game, ...] = (TRENTE,)
