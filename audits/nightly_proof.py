"""The proofs of the trail and the ledger, run each night without being asked (REC-06).

`verify_trail`, `verify_ledger` and `verify_trail --seals` do the same by hand. Once a gaming day is closed
they are run over everything, read at one moment while the house is at work; the trail says that they were,
and with what outcome. What is not as it was entered becomes an incident, once: what an incident was opened
about is known from then on, settled or not (`audits.findings`), and another is opened of what is new.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.db import connection

from audits import findings, incidents, policies, trail
from audits.by import By, by_system
from audits.findings import PROVED, STREAM
from audits.incident_facts import register_fact
from audits.models import Event, Incident
from audits.reports.snapshot import one_moment
from audits.sealing.checking import seal_faults
from audits.verify import Fault, ledger_faults, trail_faults
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.words import Text
from casino.models import Casino, GamingDay

log = logging.getLogger(__name__)

JOB = "nightly-proof"
PROOFS = 0x50524F4F
"""The first key of the lock under which a house is proved; the second is the casino."""
ALTERED = incidents.register_kind(
    "records_altered",
    Text("registros que no son los que se asentaron", "records that are not as they were entered"),
    rules=("REC-06",),
)
register_fact("proof_day", Text("prueba tras el día", "proof after day"))
register_fact("faults", Text("fallas", "faults"))
MOST_TOLD = 20
"""Faults listed in an incident and on the trail; `verify_trail` and `verify_ledger` name them all."""


def prove_closed_days() -> list[Incident]:
    """Prove every house whose last closed day nobody has proved yet; the incidents that came of it."""
    raised = []
    for casino in Casino.objects.order_by("code"):
        with _alone(casino) as alone:
            incident = _prove(casino) if alone else None
        if incident is not None:
            raised.append(incident)
    return raised


@contextmanager
def _alone(casino: Casino) -> Iterator[bool]:
    """Whether nobody else proves the house now: a proof may last longer than until the job is asked again."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s::int)", [PROOFS, casino.pk])
        (alone,) = cursor.fetchone()
    try:
        yield alone
    finally:
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s::int)", [PROOFS, casino.pk])


def _prove(casino: Casino) -> Incident | None:
    day = GamingDay.objects.filter(casino=casino, state=GamingDay.State.CLOSED).order_by("-date").first()
    if day is None or _proved(day):
        return None
    faults = all_faults(casino)
    if faults:
        log.error("%s: %s faults in its records after %s", casino.code, len(faults), day)
    return note_proof(day=day, faults=faults, by=by_system(casino, JOB))


def all_faults(casino: Casino) -> list[Fault]:
    """Everything the proofs of trail, ledger and seals find, each fault once, all of one moment."""
    with one_moment():
        found = [*trail_faults(casino, every=True), *ledger_faults(casino), *seal_faults(casino)]
    return list({(fault.code, fault.where): fault for fault in found}.values())


def _proved(day: GamingDay) -> bool:
    told = Event.objects.filter(casino=day.casino_id, action=PROVED, subject_type="day", subject_id=day.pk)
    return told.exists()


@command(policies.CLOSE_DAY, silent_when="another worker noted that day's proof meanwhile")
def note_proof(*, day: GamingDay, faults: Sequence[Fault], by: By) -> Incident | None:
    """Put on the trail that the house was proved after a day, and what was found; the incident, if one is
    opened: of what no incident is about yet, as what was altered stays so."""
    locking.taking(locking.Rank.GAMING_DAY)
    day = GamingDay.objects.select_for_update().get(pk=day.pk)
    if _proved(day):
        return None
    subject = trail.Subject("day", day.pk, str(day))
    known = findings.known(by.casino)
    new = findings.new_of(faults, known)
    incident = _opened(day, new, subject, by) if new else None
    trail.record(
        PROVED,
        stream=STREAM,
        subject=subject,
        by=by,
        data={
            "count": len(faults),
            "faults": _listed(faults),
            "incident": incident.label if incident is not None else None,
            "found": findings.marks_of(faults),
            "new": findings.marks_of(new),
            "under": _under(faults, known, incident),
        },
        rules=["REC-06"],
    )
    return incident


def _opened(day: GamingDay, new: Sequence[Fault], subject: trail.Subject, by: By) -> Incident:
    return incidents.raise_incident(
        kind=ALTERED,
        summary=_summary(len(new)),
        subject=subject,
        rules=["REC-06"],
        facts={
            "proof_day": str(day),
            "faults": [f"{one['where']}: {one['es']}" for one in _listed(new)],
        },
        by=by,
    )


def _listed(faults: Sequence[Fault]) -> list[dict[str, str]]:
    return [{"where": one.where, **one.words.as_dict()} for one in faults[:MOST_TOLD]]


def _under(faults: Sequence[Fault], known: Mapping[str, str], opened: Incident | None) -> dict[str, int]:
    """How many of the findings each incident is about, the one that was opened now among them."""
    counts = Counter(findings.under_of(faults, known))
    if opened is not None:
        counts[opened.label] += len(faults) - sum(counts.values())
    return dict(sorted(counts.items()))


def _summary(found: int) -> Text:
    faults = Text("1 falla", "1 fault") if found == 1 else Text(f"{found} fallas", f"{found} faults")
    return Text(
        "la prueba nocturna halló {faults}: corra verify_trail y verify_ledger, no cambie nada y avise a"
        " sistemas",
        "the nightly proof found {faults}: run verify_trail and verify_ledger, change nothing and tell the"
        " system's staff",
    ).fill(faults=faults)
