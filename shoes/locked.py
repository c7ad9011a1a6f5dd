"""A shoe's row locked for a write; its decks are locked after it (`shoes.moving`)."""

from __future__ import annotations

from audits.by import By
from casino.kernel import locking
from casino.kernel.errors import NotFound
from casino.kernel.words import Text
from shoes.models import Shoe


def lock_shoe(shoe: Shoe, by: By) -> Shoe:
    """The shoe as it stands, locked. Raises `NotFound` (`unknown_shoe`)."""
    locking.taking(locking.Rank.SHOE)
    locked = Shoe.objects.select_for_update(no_key=True).filter(pk=shoe.pk, casino=by.casino).first()
    if locked is None:
        raise NotFound(Text("no existe ese sabot", "there is no such shoe"), code="unknown_shoe")
    return locked
