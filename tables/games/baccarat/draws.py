"""Points and the table of draws: who takes the next card, and why.

`next_hand` is asked for every card; `because` puts the answer in words with the figures and the
rule, for the screen before the card and for the refusal after a wrong one. Both read the same
table. Hands are sequences of card values 0 to 9 in the order dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from casino.kernel.words import Text
from shoes.cards import FRENCH52, VALUE_CARDS

VALUES: dict[str, int] = {
    # BAC-10: the ace counts 1, tens and court cards 0, the rest their number.
    **{card: {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}.get(card[0]) or int("0" + card[0].strip("ATJQK")) or (card[0] == "A")
       for card in FRENCH52.cards},
    **{card: int(card[1]) for card in VALUE_CARDS},
}
