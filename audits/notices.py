"""The notice of an incident to the regulator: finished by compliance, sent once, then fixed (REC-14)."""

from __future__ import annotations

import datetime as dt

from django.db.models import Q

from audits import incidents, notice_drafts, policies
from audits.by import By
from audits.models import Incident
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text

LONGEST_NOTICE = 8000
LONGEST_REFERENCE = 60


def overdue(instant: dt.datetime) -> Q:
    """Incidents whose notice ought to have gone out by an instant and did not."""
    return Q(notice_due__lt=instant, notice_sent_at=None)


@command(policies.NOTICE, silent_when="the text is the same")
def edit_notice(*, incident: Incident, text: str, by: By) -> Incident:
    """Finish the draft, or write one for an incident that needs none by its kind."""
    said = texts.prose(text, "notice", LONGEST_NOTICE, rule=notice_drafts.RULE)
    incident = _lock_unsent(incident, by)
    if said == incident.notice:
        return incident
    incident.notice = said
    incident.save(update_fields=["notice"])
    incidents.tell(incident, "audits.notice.edited", by=by, data={"notice": said}, rules=[notice_drafts.RULE])
    return incident


@command(policies.NOTICE)
def send_notice(*, incident: Incident, reference: str, by: By) -> Incident:
    """Note that the notice went out, when (`by`), and under which reference; its text is fixed with it."""
    named = texts.line(
        reference, "reference", LONGEST_REFERENCE, code="bad_reference", rule=notice_drafts.RULE
    )
    incident = _lock_unsent(incident, by)
    _require_finished(incident)
    incident.notice_reference, incident.notice_sent_at = named, by.occurred_at
    incident.save(update_fields=["notice_reference", "notice_sent_at"])
    late = incident.notice_due is not None and by.occurred_at > incident.notice_due
    incidents.tell(
        incident,
        "audits.notice.sent",
        by=by,
        data={"reference": named, "notice": incident.notice, "late": late},
        rules=[notice_drafts.RULE],
    )
    return incident


def _lock_unsent(incident: Incident, by: By) -> Incident:
    found = incidents.lock(incident)
    if found.notice_sent_at is not None:
        raise Conflict(
            Text(
                f"el aviso ya se envió ({found.notice_reference}); lo que falte va en una nota",
                f"the notice went out already ({found.notice_reference}); what it lacks goes into a note",
            ),
            code="notice_sent",
            rule=notice_drafts.RULE,
        )
    incidents.require_later(found, by)
    return found


def _require_finished(incident: Incident) -> None:
    if incident.notice and notice_drafts.UNFINISHED not in incident.notice:
        return
    raise Refused(
        Text(
            "termine el aviso antes de enviarlo: complete lo que el borrador deja entre corchetes",
            "finish the notice before it is sent: fill in what the draft leaves in brackets",
        ),
        code="notice_unfinished",
        rule=notice_drafts.RULE,
        field="notice",
    )
