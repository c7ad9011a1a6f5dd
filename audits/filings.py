"""Filings with the AJ: drafted, presented, decided; and the question whether something may go live.

    draft -> presented -> approved | refused        a notice ends when it is presented
                       -> withdrawn
             approved -> used                       what it allowed once is done
                      -> revoked                    the AJ takes it back

Its kinds: `audits.filing_kinds`; by when somebody has to do something about one: `audits.filing_deadlines`;
the files kept with it: `audits.attachments`. What needs an approval asks `require_approved`, or
`require_exactly` where it is for one thing, and `use`s it; what needs a notice asks `presented`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import F, Q, QuerySet

from audits import filing_validity as validity
from audits import policies, trail
from audits.by import By, out_of_order
from audits.filing_kinds import (
    Kind as Kind,
)
from audits.filing_kinds import (
    kinds as kinds,
)
from audits.filing_kinds import (
    register_kind as register_kind,
)
from audits.filing_kinds import (
    register_subject as register_subject,
)
from audits.filing_kinds import (
    subject_of as subject_of,
)
from audits.filing_kinds import (
    subject_types as subject_types,
)
from audits.models import Filing
from audits.trail import Subject
from casino.kernel import locking, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino, NumberSeries

State = Filing.State
SERIES = "filing"
LONGEST_TEXT = 10_000


@command(policies.DRAFT_FILING)
def draft_filing(
    *, kind: str, subject: Subject, text: str, by: By, facts: Mapping[str, Any] | None = None
) -> Filing:
    """Draft a filing about something.

    Raises `Refused` (`unknown_filing`, `text_missing`, `bad_text`, `facts_missing`).
    """
    return drafted(kind=kind, subject=subject, text=added(text), by=by, facts=facts)


def added(text: str) -> str:
    """What somebody writes in a filing, or adds to it: prose, or nothing. Raises `Refused` (`bad_text`)."""
    return texts.prose(text, "text", LONGEST_TEXT) if text.strip() else ""


def drafted(
    *, kind: str, subject: Subject, text: str, by: By, facts: Mapping[str, Any] | None = None
) -> Filing:
    """The same within another command, after its row locks and before its events."""
    _require_told(kind, text, facts or {})
    locking.taking(locking.Rank.SLIP_SERIES)
    year = by.occurred_at.astimezone(ZoneInfo(by.casino.zone)).year
    filing = Filing.objects.create(
        casino=by.casino,
        year=year,
        number=NumberSeries.take(by.casino, SERIES, year),
        kind=kind,
        subject_type=subject.type,
        subject_id=subject.id,
        subject_label=subject.label,
        text=text,
        facts=dict(facts or {}),
        author=by.actor,
        drafted_at=by.occurred_at,
    )
    tell("audits.filing.drafted", filing, by, {"text": text, "facts": filing.facts})
    return filing


def _require_told(kind: str, text: str, facts: Mapping[str, Any]) -> None:
    if kind not in kinds():
        raise Refused(
            Text("esa clase de trámite no existe", "there is no such filing"),
            code="unknown_filing",
            field="kind",
        )
    if not text.strip():
        raise Refused(
            Text("escriba el texto del trámite", "write the filing's text"), code="text_missing", field="text"
        )
    if not set(kinds()[kind].facts) <= set(facts):
        raise Refused(
            Text(
                "este trámite pide una sola cosa y dice cuál: redáctelo en la página de lo que trata",
                "this filing asks for one thing and says which: draft it on the page of what it is about",
            ),
            code="facts_missing",
            rule=kinds()[kind].rule,
            field="kind",
        )


@command(policies.PRESENT_FILING)
def present_filing(*, filing: Filing, by: By, receipt: str = "", answer_by: dt.date | None = None) -> Filing:
    """It was handed in at the AJ. `receipt`: the number of the copy it stamped; `answer_by`: until when its
    answer is awaited. Raises `Conflict` (`filing_state`), `Refused` (`bad_receipt`, `bad_due`)."""
    stamped = texts.line(receipt, "receipt", 60, code="bad_receipt", rule="REC-09", least=0)
    found = lock(filing, by, State.DRAFT)
    validity.require_due(answer_by, by, "answer_by")
    found.state, found.presented_at, found.receipt = State.PRESENTED, by.occurred_at, stamped
    found.due_on, found.due_for = answer_by, validity.ANSWER if answer_by else ""
    found.save(update_fields=["state", "presented_at", "receipt", "due_on", "due_for"])
    tell("audits.filing.presented", found, by, {"receipt": stamped, **validity.due_told(found)})
    return found


@command(policies.DECIDE_FILING)
def decide_filing(
    *,
    filing: Filing,
    approved: bool,
    reference: str,
    by: By,
    valid_from: dt.date | None = None,
    valid_until: dt.date | None = None,
) -> Filing:
    """What the AJ answered, noted by another person than its author (GEN-10).

    Raises `Conflict` (`filing_state`), `RuleViolation` GEN-10 (`same_person`), `Refused`
    (`reference_missing`, `bad_reference`, `bad_validity`).
    """
    found = lock(filing, by, State.PRESENTED)
    _require_another(found, by)
    said = texts.line(reference, "reference", 60, code="bad_reference", rule="REC-09", least=0)
    if approved and not said:
        raise Refused(
            Text("anote la referencia de la AJ", "note the AJ's reference"),
            code="reference_missing",
            field="reference",
        )
    since = valid_from or by.casino.gaming_day(by.occurred_at)
    if approved:
        validity.require(by.casino, found, since, valid_until)
    found.state = State.APPROVED if approved else State.REFUSED
    found.decided_at, found.decided_by, found.reference = by.occurred_at, by.actor, said
    found.due_on, found.due_for = None, ""
    found.valid_from, found.valid_until = (since, valid_until) if approved else (None, None)
    found.save()
    data = {
        "reference": found.reference,
        "valid_from": None if not approved else str(since),
        "valid_until": None if valid_until is None or not approved else str(valid_until),
    }
    tell("audits.filing.approved" if approved else "audits.filing.refused", found, by, data)
    return found


def _require_another(filing: Filing, by: By) -> None:
    if filing.author_id == by.actor.pk:
        raise RuleViolation(
            "GEN-10",
            Text(
                "lo que respondió la AJ lo anota otra persona que quien redactó el trámite",
                "what the AJ answered is noted by another person than who drafted the filing",
            ),
            code="same_person",
        )


@command(policies.DRAFT_FILING)
def withdraw_filing(*, filing: Filing, by: By) -> Filing:
    """It is not pursued. Needs a reason. Raises `Conflict` (`filing_state`)."""
    by.need_reason()
    found = lock(filing, by, State.DRAFT, State.PRESENTED)
    found.state, found.decided_at = State.WITHDRAWN, by.occurred_at
    found.due_on, found.due_for = None, ""
    found.save(update_fields=["state", "decided_at", "due_on", "due_for"])
    tell("audits.filing.withdrawn", found, by, {})
    return found


Revoking = Callable[[Filing, By], Callable[[], None] | None]
_resting: list[Revoking] = []


def register_resting(revoking: Revoking) -> None:
    """Have `revoking(filing, by)` lock what rests on an approval before it is revoked; what it answers is
    done once it is."""
    if revoking not in _resting:
        _resting.append(revoking)


@command(policies.DECIDE_FILING, setting=True)
def revoke_filing(*, filing: Filing, document: str, by: By) -> Filing:
    """The AJ took its approval back, with what document and why; what rested on it stands still.

    Whoever notes answers notes it, its author too: nothing is allowed by it. Raises `Conflict`
    (`filing_state`), `Refused` (`reason_missing`, `document_missing`).
    """
    by.need_reason()
    said = " ".join(document.split())
    if not said:
        raise Refused(
            Text("anote el documento con que la AJ revoca", "note the document the AJ revokes it by"),
            code="document_missing",
            field="document",
        )
    after = [revoking(filing, by) for revoking in _resting]
    found = lock(filing, by, State.APPROVED)
    _end(found, State.REVOKED, by, document=said)
    tell("audits.filing.revoked", found, by, {"document": said})
    for done in after:
        if done is not None:
            done()
    return found


def use(filing: Filing, by: By, data: Mapping[str, Any]) -> Filing:
    """What an approval allowed once is being done, within its command; it allows nothing more. Raises
    `Conflict` (`filing_state`)."""
    found = lock(filing, by, State.APPROVED)
    _end(found, State.USED, by)
    tell("audits.filing.used", found, by, data)
    return found


def _end(filing: Filing, state: State, by: By, *, document: str = "") -> None:
    filing.state, filing.document = state, document
    filing.ended_at, filing.ended_by = by.occurred_at, by.actor
    filing.due_on, filing.due_for = None, ""
    filing.save(update_fields=["state", "document", "ended_at", "ended_by", "due_on", "due_for"])


# ---- what others ask ---------------------------------------------------------------------------------


def approved(casino: Casino, kind: str, subject: Subject, day: dt.date) -> Filing | None:
    """The filing of a kind about something that is approved and valid on a day: of several, the one that is
    longest."""
    rows = _valid(casino, kind, subject, day)
    return rows.order_by(F("valid_until").desc(nulls_first=True), "-pk").first()


def valid(casino: Casino, kind: str, subject: Subject, day: dt.date) -> list[Filing]:
    """All of them, the newest first."""
    return list(_valid(casino, kind, subject, day).order_by("-pk"))


def waiting(casino: Casino, kind: str, subject: Subject) -> Filing | None:
    """The filing of a kind about something that is drafted or handed in and has no answer."""
    return _about(casino, kind, subject).filter(state__in=(State.DRAFT, State.PRESENTED)).first()


def _valid(casino: Casino, kind: str, subject: Subject, day: dt.date) -> QuerySet[Filing]:
    holds = Q(valid_from__lte=day) & (Q(valid_until=None) | Q(valid_until__gte=day))
    return _about(casino, kind, subject).filter(holds, state=State.APPROVED)


def presented(casino: Casino, kind: str, subject: Subject) -> Filing | None:
    """The filing of a kind about something that was handed in, whatever came of it but a refusal."""
    return _about(casino, kind, subject).filter(state__in=(State.PRESENTED, State.APPROVED)).first()


def require_approved(casino: Casino, kind: str, subject: Subject, day: dt.date) -> Filing:
    """Raises `RuleViolation` by the kind's rule (`not_approved`) without a valid approval."""
    found = approved(casino, kind, subject, day)
    if found is None:
        raise not_approved(kind, subject)
    return found


def require_exactly(
    casino: Casino, kind: str, subject: Subject, day: dt.date, facts: Mapping[str, Any]
) -> Filing:
    """The valid approval that is for this one thing and was not used. Raises `RuleViolation` by the kind's
    rule: `not_approved` without any, `filing_differs` where what was approved is something else."""
    there = valid(casino, kind, subject, day)
    for filing in there:
        if all(filing.facts.get(name) == value for name, value in facts.items()):
            return filing
    if not there:
        raise not_approved(kind, subject)
    raise differs(kind, there)


def differs(kind: str, there: Sequence[Filing]) -> RuleViolation:
    labels = ", ".join(filing.label for filing in there)
    return RuleViolation(
        kinds()[kind].rule,
        Text(
            f"{labels} aprueba otra cosa: haga lo que dice, o redacte un trámite para esto",
            f"{labels} approves something else: do what it says, or draft a filing for this",
        ),
        {"filing": kind},
        code="filing_differs",
    )


def not_approved(kind: str, subject: Subject) -> RuleViolation:
    known = kinds()[kind]
    return RuleViolation(
        known.rule,
        Text(
            f"{subject.label}: falta «{known.name.es}» con aprobación vigente de la AJ; redacte el trámite,"
            f" preséntelo y anote la respuesta",
            f"{subject.label}: “{known.name.en}” lacks a valid approval of the AJ; draft the filing, present"
            f" it and note the answer",
        ),
        {"filing": kind},
        code="not_approved",
    )


def _about(casino: Casino, kind: str, subject: Subject) -> QuerySet[Filing]:
    return Filing.objects.filter(
        casino=casino, kind=kind, subject_type=subject.type, subject_id=subject.id
    ).order_by("-pk")


def lock(filing: Filing, by: By, *states: str) -> Filing:
    """A filing as it stands, for its next step, which is not stated before the step it follows."""
    locking.taking(locking.Rank.SLIP_SERIES)
    found = Filing.objects.select_for_update(of=("self",), no_key=True).get(pk=filing.pk)
    if found.state not in states:
        raise Conflict(
            Text(
                f"{found.label} está {found.get_state_display()}: ese paso ya no cabe",
                f"{found.label} is {found.state}: that step is not possible any more",
            ),
            code="filing_state",
        )
    earliest = found.decided_at or found.presented_at or found.drafted_at
    if by.occurred_at < earliest:
        raise out_of_order(by.casino, earliest)
    return found


def tell(action: str, filing: Filing, by: By, data: Mapping[str, Any]) -> None:
    known = kinds()[filing.kind]
    about = {
        "label": filing.label,
        "kind": filing.kind,
        "kind_es": known.name.es,
        "kind_en": known.name.en,
        "about": filing.subject_label,
        "about_type": filing.subject_type,
        "about_id": filing.subject_id,
    }
    subject = Subject("filing", filing.pk, filing.label)
    trail.record(
        action, stream=filing.stream, subject=subject, by=by, data={**about, **data}, rules=[known.rule]
    )
