"""What is stored on the ground floor: trail, ledger, seals, exports, incidents, filings, people's data."""

from audits.models.digests import RowDigest
from audits.models.evidence import Attachment, ComplaintTerms, VideoHold
from audits.models.exports import Export, ExportDelivery, ExportSchedule, ExportSignature
from audits.models.filings import Filing, FilingDemand
from audits.models.incidents import Incident, IncidentNote
from audits.models.inspections import (
    AccessTerms,
    Inspection,
    InspectionAnswer,
    InspectionCount,
    InspectionDraw,
    InspectorAccess,
    InspectorLook,
)
from audits.models.ledger import Account, Posting, Transfer
from audits.models.persons import (
    ErasureEnd,
    ErasureOrder,
    ExportNames,
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
    "AccessTerms",
    "Account",
    "Actor",
    "Attachment",
    "ComplaintTerms",
    "ErasureEnd",
    "ErasureOrder",
    "Event",
    "Export",
    "ExportDelivery",
    "ExportNames",
    "ExportSchedule",
    "ExportSignature",
    "Filing",
    "FilingDemand",
    "Incident",
    "IncidentNote",
    "Inspection",
    "InspectionAnswer",
    "InspectionCount",
    "InspectionDraw",
    "InspectorAccess",
    "InspectorLook",
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
    "VideoHold",
]
