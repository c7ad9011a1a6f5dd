"""The forms of Black Jack that are data: what each game may decide, and the online presets.

What the AJ Classifier fixes for the two official games the online templates may vary (BJ-46 to BJ-48).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from types import MappingProxyType

from casino.kernel.words import Text

CLASSIC = "blackjack.classic"
PERFECT_PAIRS = "blackjack.perfect_pairs"
ONLINE = "blackjack.online"

MAIN_ROWS: Mapping[str, Text] = MappingProxyType(
    {
        "surrender": Text("retiro", "surrender"),
        "player_bust": Text("se pasó", "bust"),
        "even_money_taken": Text("pago a la par", "even money"),
        "charlie": Text("siete cartas", "seven cards"),
        "blackjack_both": Text("black jack contra black jack", "blackjack against blackjack"),
        "player_blackjack": Text("black jack", "blackjack"),
        "dealer_blackjack": Text("black jack del croupier", "dealer blackjack"),
        "dealer_bust_split_two_card_21": Text(
            "croupier pasado, 21 de dos cartas tras separar", "dealer bust, two-card 21 after a split"
        ),
        "dealer_bust": Text("croupier pasado", "dealer bust"),
        "split_two_card_21_higher": Text("21 de dos cartas tras separar", "two-card 21 after a split"),
        "total_higher": Text("puntuación superior", "higher total"),
        "total_equal": Text("puntuación igual", "equal total"),
        "total_lower": Text("puntuación inferior", "lower total"),
    }
)
"""Rows of the pay table of the main bet, first match decides."""

PAIR_TABLES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "a": MappingProxyType({"perfect_pair": "25:1", "colour_pair": "12:1", "mixed_pair": "6:1"}),
        "b": MappingProxyType({"perfect_pair": "30:1", "colour_pair": "10:1", "mixed_pair": "5:1"}),
    }
)
"""BJ-38: the two pay tables of Perfect Pairs in the book; an operator may declare another."""


@dataclass(frozen=True, slots=True)
class Preset:
    """An online modality (BJ-45): stakes in the currency's units, and hands of the one player."""

    name: Text
    min_stake: Fraction
    max_stake: Fraction
    hands_max: int
    presentation: str = "table"

    def limits(self, exponent: int) -> tuple[int, int]:
        """The stakes in smallest units of a currency with so many decimals."""
        unit = 10**exponent
        return max(1, ceil(self.min_stake * unit)), floor(self.max_stake * unit)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "M1": Preset(Text("Micro, una mano", "Micro, one hand"), Fraction(1, 10), Fraction(5), 1),
        "M3": Preset(Text("Micro, multimano", "Micro, multi-hand"), Fraction(1, 10), Fraction(5), 3),
        "S1": Preset(Text("Estándar, una mano", "Standard, one hand"), Fraction(1), Fraction(150), 1),
        "S3": Preset(Text("Estándar, multimano", "Standard, multi-hand"), Fraction(1), Fraction(150), 3),
        "Video": Preset(Text("Estándar en video", "Standard video"), Fraction(1), Fraction(150), 3, "video"),
        "Clasico": Preset(Text("Clásico", "Classic"), Fraction(2), Fraction(150), 3),
    }
)


@dataclass(frozen=True, slots=True)
class Variant:
    """What a game of the family may declare, and the rule a figure outside is refused with.

    BJ-02: Clásico and Perfect Pairs set one player hand against one of the dealer.
    """

    name: Text
    decks: tuple[int, ...]
    decks_rule: str
    seats: int
    hands: int
    hands_rule: str
    to_start: int
    online: bool = False
    pairs: bool = False


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        CLASSIC: Variant(Text("Black Jack Clásico", "Classic Blackjack"), (6,), "CARD-05", 7, 2, "BJ-03", 2),
        PERFECT_PAIRS: Variant(
            Text("Black Jack Perfect Pairs", "Blackjack Perfect Pairs"),
            (6,),
            "CARD-05",
            7,
            2,
            "BJ-03",
            2,
            pairs=True,
        ),
        ONLINE: Variant(
            Text("Black Jack en línea (plantillas)", "Online Blackjack (presets)"),
            (1, 2, 6, 8),
            "BJ-45",
            1,
            3,
            "BJ-45",
            1,
            online=True,
        ),
    }
)

SPOTS: Mapping[str, Text] = MappingProxyType(
    {
        "main": Text("apuesta inicial", "main bet"),
        "insurance": Text("seguro", "insurance"),
        "perfect_pairs": Text("Perfect Pairs", "Perfect Pairs"),
    }
)


@lru_cache(maxsize=8)
def spots_of(game: str) -> Mapping[str, Text]:
    """The bets of one game: Perfect Pairs only where it is played (BJ-44)."""
    pairs = VARIANTS[game].pairs
    return {spot: words for spot, words in SPOTS.items() if pairs or spot != "perfect_pairs"}


CHOICES: Mapping[str, Text] = MappingProxyType(
    {
        "hit": Text("pide carta", "hits"),
        "stand": Text("se planta", "stands"),
        "double": Text("dobla", "doubles"),
        "split": Text("separa", "splits"),
        "surrender": Text("se retira", "surrenders"),
        "insurance": Text("toma seguro", "takes insurance"),
        "no_insurance": Text("no toma seguro", "declines insurance"),
        "even_money": Text("cobra a la par", "takes even money"),
        "no_even_money": Text("no cobra a la par", "declines even money"),
    }
)

MAY: Mapping[str, Text] = MappingProxyType(
    {
        "hit": Text("pedir carta", "hit"),
        "stand": Text("plantarse", "stand"),
        "double": Text("doblar", "double"),
        "split": Text("separar", "split"),
        "surrender": Text("retirarse", "surrender"),
    }
)
"""What a hand in turn may do, as it is asked."""

WINNERS: Mapping[str, Text] = MappingProxyType(
    {
        **{str(total): Text(f"croupier {total}", f"dealer {total}") for total in range(17, 22)},
        "blackjack": Text("black jack del croupier", "dealer blackjack"),
        "bust": Text("croupier pasado", "dealer bust"),
        "no_draw": Text("sin mano del croupier", "no dealer hand"),
    }
)
"""How a round ends: the dealer's total; `no_draw` where no bet waited for the dealer's hand."""

HANDS: Mapping[str, Text] = MappingProxyType({"dealer": Text("croupier", "dealer")})
"""The shared hands."""
