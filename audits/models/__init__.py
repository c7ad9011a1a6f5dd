"""What is stored on the ground floor: the trail, the ledger, the exports, the incidents, the filings."""

from audits.models.digests import RowDigest
from audits.models.exports import Export
from audits.models.filings import Filing
from audits.models.incidents import Incident, IncidentNote
from audits.models.ledger import Account, Posting, Transfer
from audits.models.trail import Actor, Event, Stream

__all__ = [
    "Account",
    "Actor",
    "Event",
    "Export",
    "Filing",
    "Incident",
    "IncidentNote",
    "Posting",
    "RowDigest",
    "Stream",
    "Transfer",
]
