"""Auctions whose time is up are closed by the house's own clock, whoever may be looking at a tablet."""

from __future__ import annotations

import logging

from audits.by import by_system
from casino.kernel import clock
from casino.kernel.errors import SabotError
from tables.bank import auctions
from tables.models import Auction

JOB = "auctions"
log = logging.getLogger(__name__)


def close_due_all() -> int:
    """Close every auction that is due, at every house; how many that were. Safe twice and at once: a closed
    one is left alone. One that fails holds up no other, and is tried again at the next look."""
    due = Auction.objects.filter(state=Auction.State.OPEN, closes_at__lte=clock.now())
    done = 0
    for auction in due.select_related("casino", "session").order_by("closes_at", "pk"):
        try:
            auctions.close_auction(auction=auction, by=by_system(auction.casino, JOB))
            done += 1
        except SabotError as refusal:  # closed by somebody at the table, or prolonged, meanwhile
            log.info("auction %s: %s", auction.label, refusal)
        except Exception:
            log.exception("auction %s could not be closed", auction.label)
    return done
