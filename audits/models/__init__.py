"""What is stored on the ground floor: the trail, the ledger, the exports."""

from audits.models.exports import Export
from audits.models.ledger import Account, Posting, Transfer
from audits.models.trail import Actor, Event, Stream

__all__ = ["Account", "Actor", "Event", "Export", "Posting", "Stream", "Transfer"]
