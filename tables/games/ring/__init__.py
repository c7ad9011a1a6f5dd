"""Poker between players: Texas Hold'em, Omaha, Five Card Stud and Seven Card Stud, each a `Game`.

The house directs and takes a percentage (PR-01). What a table plays for is in its limits (`stakes.py`);
structure, rake and odd chips are rules (`rules.py`).

    chips {seat, amount}      what a seat has: it is dealt in        in {seat}  where no money is logged
    button {seat}             Texas and Omaha only
    close                     nobody else joins; antes and blinds are posted by the rules, not logged
    card {to: seat, seat}, {to: burn}, {to: board}    in dealing order; closed and burned may be `??`
    choice {seat, do, amount} fold, check, call, bet, raise, allin, bring_in, muck; `amount` is the seat's
                              total in the betting round after it
    show {seat, cards}        all closed cards of a hand
    result {winner, seats, amount}   only at detail `result`: a seat or `split`; `amount` is the pot

Where no bets are logged only cards, folds between the rounds of cards, and shown hands are.
"""

from __future__ import annotations

from functools import partial

from casino.kernel.words import Text
from tables.games.base import Game
from tables.games.ring.outcome import hands_on
from tables.games.ring.play import PLAYER, open
from tables.games.ring.prompts import prompts
from tables.games.ring.rules import default_rules, edges, read_rules
from tables.games.ring.settle import settle
from tables.games.ring.variants import CHOICES, VARIANTS, spots_of, winners_of

GAMES: tuple[Game, ...] = tuple(
    Game(
        code=code,
        name=variant.name,
        family="poker_ring",
        deck_type="french52",
        spots=spots_of(code),
        hands={"board": Text("Mesa", "Board")} if variant.has_button else {},
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
        choices=CHOICES,
        winners=winners_of(code),
        layout=("pot",),
        least_cards=2 * len(variant.streets[0].own),
        bank="ring",
        reshuffles=True,
    )
    for code, variant in VARIANTS.items()
)
