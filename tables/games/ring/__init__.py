"""Poker between players: Texas Hold'em, Omaha, Five Card Stud and Seven Card Stud, each a `Game`.

The house directs and takes a percentage (PR-01). What a table plays for is in its limits (`stakes.py`);
structure, rake and odd chips are rules (`rules.py`).

    chips {seat, amount}      what a seat has: it is dealt in        in {seat}  where no money is logged
    button {seat}             Texas and Omaha only
    forfeited {seat, amount}  handed on by a hand given up: what its pot begins with (`defects.py`)
    close                     nobody else joins; antes and blinds are posted by the rules, not logged
    card {to: seat, seat}, {to: burn}, {to: board}    in dealing order; closed and burned may be `??`
    choice {seat, do, amount} fold, check, call, bet, raise, allin, bring_in, muck; `amount` is the seat's
                              total in the betting round after it
    show {seat, cards}        all closed cards of a hand
    defective {knew}          the deck is: the pot goes back by contribution, but for who knew
    result {winner, seats, amount}   only at detail `result`: a seat or `split`; `amount` is the pot

Where no bets are logged only cards, folds between the rounds of cards, and shown hands are.

Limits are pairs: `blind` (small, big), `ante` (the same twice), `bring_in` (bring-in, small bet), `bet`
(small bet, big bet), `buy_in` (least, most); `stakes.py` says which are needed and what follows from which.

Where the rulebook is silent:
- A big blind or bring-in posted short costs the others all of it. Nobody is asked to bet against nobody.
- An all-in below a full raise does not reopen the betting; several that add up to one do, for whoever faces
  it. The next raise goes above the all-in by the last full bet or raise, in fixed limit too.
- After the bring-in the bet is completed to the small bet; whoever brought it in has spoken.
- The lowest open card is told by rank, then clubs, diamonds, hearts, spades. Equal boards: first in order.
- The lowest open card that is all in for its ante leaves the bring-in to the next on its left with chips.
- First to show is who bet last in the last round, else who spoke first in it; in stud the best open hand.
- Nobody must show in turn. Who mucks gives up every pot; the last one left for a pot cannot.
- The rake is taken once from all that was matched, rounded to its unit in whole chips; the cap is a round's
  and holds after rounding. In stud the fourth, or in Five Card Stud the third, card is the flop.
"""

from __future__ import annotations

from functools import partial

from casino.kernel.words import Text
from tables.games.base import Game
from tables.games.ring.defects import VOIDS
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
        voids=VOIDS,
        layout=("pot",),
        least_cards=2 * len(variant.streets[0].own),
        bank="ring",
        reshuffles=True,
        carried=("forfeited",),
    )
    for code, variant in VARIANTS.items()
)
