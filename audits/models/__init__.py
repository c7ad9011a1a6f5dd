"""What is stored on the ground floor: trail, ledger, seals, exports, incidents, filings, people's data."""

from audits.models.digests import RowDigest
from audits.models.exports import Export, ExportDelivery, ExportSchedule, ExportSignature
from audits.models.filings import Filing
from audits.models.incidents import Incident, IncidentNote
from audits.models.ledger import Account, Posting, Transfer
from audits.models.persons import (
    ErasureOrder,
    LegalHold,
    LegalHoldEnd,
    PersonalValue,
    PersonLook,
    Pseudonym,
    RetentionPeriod,
)
from audits.models.refusals import Refusal
from audits.models.seals import Seal, SealKey, SealLeaf
from audits.models.trail import Actor, Event, Stream

__all__ = [
    "Account",
    "Actor",
    "ErasureOrder",
    "Event",
    "Export",
    "ExportDelivery",
    "ExportSchedule",
    "ExportSignature",
    "Filing",
    "Incident",
    "IncidentNote",
    "LegalHold",
    "LegalHoldEnd",
    "PersonLook",
    "PersonalValue",
    "Posting",
    "Pseudonym",
    "Refusal",
    "RetentionPeriod",
    "RowDigest",
    "Seal",
    "SealKey",
    "SealLeaf",
    "Stream",
    "Transfer",
]
