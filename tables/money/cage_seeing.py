"""What may be shown of a desk's drawer: to who counts it nothing of what there should be, until they signed.

Whoever counts desks (the cage) finds in the signed count what was expected, as counted less difference;
chiefs, compliance and the rest of the office, who count none, see the drawer at any time (FLOOR-05,
GEN-10). Pages and API ask here and nowhere else.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from casino.kernel import permissions
from casino.models import User
from tables.models import CageDesk, ChipStock
from tables.money import cage_policies as policies
from tables.money import drawer, inventory


def blind(user: User) -> bool:
    """Whether a login counts drawers, and so is not shown what one should hold."""
    return permissions.may(user, policies.COUNT_CAGE)


def holding(desk: CageDesk, user: User) -> dict[str, Any]:
    """What a desk holds by the ledger, smallest units, as far as `user` may see it: {open, hidden, kept,
    chips, cash, withheld, stock}; None and no stock where it is hidden."""
    hidden, kept = blind(user), inventory.kept(desk.casino)
    about = {"open": drawer.is_open(desk), "hidden": hidden, "kept": kept and not hidden}
    if hidden:
        return {**about, "chips": None, "cash": None, "withheld": None, "stock": {}}
    return {
        **about,
        "chips": drawer.chips_worth(desk),
        "cash": drawer.house_cash(desk),
        "withheld": drawer.held_tax(desk),
        "stock": inventory.stock_of(desk.casino, desk.account) if kept else {},
    }


def stocks(rows: QuerySet[ChipStock], user: User) -> QuerySet[ChipStock]:
    """Those of some stocks of chips a login may see: who counts drawers sees none of the desks'."""
    return rows.exclude(place__startswith=DESKS) if blind(user) else rows


DESKS = "cage:"
"""How the place of every desk begins."""
