"""Where decks may be handed to: a table that plays with cards, or the inspection desk (CARD-03)."""

from __future__ import annotations

from casino.kernel import rulebook
from casino.models import Casino
from shoes import moving
from shoes.floor import floor
from shoes.procedures import PROCEDURES


def of_decks(casino: Casino) -> list[str]:
    """The desk first, then the tables in service in order of name; a roulette table takes no cards."""
    without = [game for game in rulebook.games() if game not in PROCEDURES]
    bare = {name for game in without for name in floor().table_names(casino, game)}
    return [moving.DESK, *(name for name in floor().table_names(casino) if name not in bare)]
