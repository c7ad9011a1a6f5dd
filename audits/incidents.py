"""Incidents: opened by a room or a person, added to, settled by two people; and what they hold up meanwhile.

A room whose command finds something that cannot be right calls `raise_incident` inside it, after its row
locks and before its own event. Rooms above take part by registering at start-up: their kinds
(`register_kind`), how a table is stopped for an incident reported by hand (`register_freezer`), and what
forbids settling one yet (`register_objection`). The notice to the regulator: `audits.notices`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from audits import notice_drafts, policies, trail
from audits.by import By, out_of_order
from audits.models import Actor, Incident, IncidentNote
from casino.kernel import clock, locking, permissions, rulebook, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, NotFound, Refused, RuleViolation
from casino.kernel.words import Text, same
from casino.models import Casino, NumberSeries

LONGEST_TEXT = 4000
LONGEST_SUMMARY = 500
SERIES = "incident"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of incident. `notice`: whether one drafts a notice to the regulator (REC-14)."""

    code: str
    name: Text
    rules: tuple[str, ...]
    notice: bool


Freeze = Callable[[Incident], None]
Freezer = Callable[[Casino, str], Freeze]
TableNames = Callable[[Casino], Sequence[str]]
Objection = Callable[[Incident], Text | None]

_kinds: dict[str, Kind] = {}
_freezers: dict[Freezer, TableNames | None] = {}
_objections: list[Objection] = []


def register_kind(code: str, name: Text, *, rules: tuple[str, ...] = (), notice: bool = True) -> str:
    """Make a kind known, as `room.noun`, with the rules every incident of it is about; returns its code."""
    kind = Kind(code, name, rules, notice)
    if _kinds.get(code, kind) != kind:
        raise ValueError(f"kind of incident {code} registered twice")
    _kinds[code] = kind
    return code


def kinds() -> dict[str, Kind]:
    """Every kind by its code."""
    return dict(_kinds)


def kind_name(code: str) -> Text:
    """What a kind is called; its code where no room knows it any more."""
    return _kinds[code].name if code in _kinds else same(code)


DISPUTE = register_kind(
    "floor.dispute", Text("discrepancia en la mesa", "dispute at the table"), rules=("GEN-08",), notice=False
)
MONEY = register_kind("money.difference", Text("diferencia de dinero", "money difference"))
OTHER = register_kind("floor.other", Text("otro hecho", "something else"), notice=False)


def summary_of(incident: Incident) -> Text:
    """What happened, in both languages."""
    return Text(incident.summary_es, incident.summary_en)


def register_freezer(freezer: Freezer, *, names: TableNames | None = None) -> None:
    """Have `freezer(casino, table_label)` lock the open session of a table an incident by hand names, before
    anything else is locked. It answers what stops that session for the incident, once there is one.
    `names`: the tables of a casino, which alone may then be named.
    """
    _freezers[freezer] = names


def register_objection(objection: Objection) -> None:
    """Have `objection(incident)` asked before an incident is settled: words say why not yet."""
    if objection not in _objections:
        _objections.append(objection)


def table_names(casino: Casino) -> list[str]:
    """The tables an incident by hand may name, as far as the floor says which there are."""
    return sorted({name for names in _freezers.values() if names for name in names(casino)})


def objections(incident: Incident) -> list[Text]:
    """What the rooms above say against settling an incident yet."""
    return [words for objection in _objections if (words := objection(incident))]


def open_on(casino: Casino, table_label: str) -> QuerySet[Incident]:
    """The open incidents that stop a table, oldest first (GEN-08)."""
    return Incident.objects.filter(
        casino=casino, state=Incident.State.OPEN, freezes=True, table_label=table_label
    ).order_by("opened_at", "id")


def raise_incident(
    *,
    kind: str,
    summary: Text,
    subject: trail.Subject,
    rules: Sequence[str],
    facts: Mapping[str, Any],
    by: By,
    table_label: str = "",
    freezes: bool = False,
) -> Incident:
    """Open an incident inside a command, after all its row locks and before its own event.

    `facts`: what was found, as JSON values without floats; their words are registered in
    `audits.incident_facts`. The notice reads `withdrawn` and `held` there: serials of decks taken out of
    play. `freezes` is noted here; stopping the session's row is the floor's.
    """
    about = {"kind": kind, "summary": summary, "subject": subject, "rules": rules, "facts": facts}
    return raise_incidents([{**about, "table_label": table_label, "freezes": freezes}], by=by)[0]


def raise_incidents(several: Sequence[Mapping[str, Any]], *, by: By) -> list[Incident]:
    """Several at once, each as `raise_incident` takes it: all are numbered before the first is told."""
    locking.taking(locking.Rank.SLIP_SERIES)
    year = by.occurred_at.astimezone(ZoneInfo(by.casino.zone)).year
    raised = [_numbered(year, by, **one) for one in several]
    for incident, one in zip(raised, several, strict=True):
        _tell_opened(incident, one["subject"], by)
    return raised


def _numbered(
    year: int,
    by: By,
    *,
    kind: str,
    summary: Text,
    subject: trail.Subject,
    rules: Sequence[str],
    facts: Mapping[str, Any],
    table_label: str = "",
    freezes: bool = False,
) -> Incident:
    known = _kinds[kind]
    about = list(dict.fromkeys([*rules, *known.rules]))
    for rule in about:
        rulebook.rule(rule)
    incident = Incident(
        casino=by.casino,
        year=year,
        number=NumberSeries.take(by.casino, SERIES, year),
        kind=kind,
        freezes=freezes,
        table_label=table_label,
        subject_type=subject.type,
        subject_id=subject.id,
        subject_label=subject.label,
        summary_es=summary.es,
        summary_en=summary.en,
        rules=about,
        facts=dict(facts),
        opened_by=by.actor,
        opened_at=by.occurred_at,
    )
    if known.notice:
        incident.notice = notice_drafts.draft(incident, known.name)
        incident.notice_due = notice_drafts.due(by.occurred_at)
    incident.save(force_insert=True)
    return incident


def _tell_opened(incident: Incident, subject: trail.Subject, by: By) -> None:
    tell(
        incident,
        "audits.incident.opened",
        by=by,
        rules=[*incident.rules, *([notice_drafts.RULE] if incident.notice_due else [])],
        data={
            "kind": incident.kind,
            "summary": summary_of(incident).as_dict(),
            "about": subject.as_dict(),
            "table": incident.table_label,
            "freezes": incident.freezes,
            "rules": incident.rules,
            "facts": incident.facts,
            "notice": incident.notice,
            "notice_due": clock.stamp(incident.notice_due) if incident.notice_due else None,
        },
    )


@command(policies.REPORT_INCIDENT)
def report_incident(
    *, kind: str, summary: str, by: By, table_label: str = "", freezes: bool = False
) -> Incident:
    """Open an incident by hand, and stop its table if it is to be settled first (GEN-08).

    `summary` is said once, in the language of whoever writes it. Raises `Refused` (`unknown_kind`,
    `bad_text`, `table_missing` for a stop without a table) and what the floor says of a table it lacks.
    """
    known = _kinds.get(kind)
    if known is None:
        raise Refused(
            Text("elija la clase de incidente de la lista", "choose the kind of incident from the list"),
            code="unknown_kind",
            field="kind",
        )
    said = texts.prose(summary, "summary", LONGEST_SUMMARY)
    table = table_label.strip().upper()
    if freezes and not table:
        raise Refused(
            Text("diga qué mesa se detiene", "say which table is stopped"),
            code="table_missing",
            rule="GEN-08",
            field="table",
        )
    stops = _hold(by.casino, table) if table else []
    subject = trail.Subject("casino", by.casino.pk, table or by.casino.name)
    incident = raise_incident(
        kind=kind, summary=same(said), subject=subject, rules=(), facts={}, by=by, table_label=table,
        freezes=freezes,
    )  # fmt: skip
    for stop in stops if freezes else ():
        stop(incident)
    return incident


def _hold(casino: Casino, table: str) -> list[Freeze]:
    """What stops a table, once whoever knows it holds its session; a table nobody knows there is not."""
    knowing = [freezer for freezer, names in _freezers.items() if names is None or table in names(casino)]
    if not knowing:
        raise NotFound(
            Text(
                f"no existe la mesa {table[:20]} en la casa; escriba su nombre como en la sala",
                f"the house has no table {table[:20]}; write its name as on the floor",
            ),
            code="unknown_table",
            field="table",
        )
    return [freezer(casino, table) for freezer in knowing]


@command(policies.NOTE_INCIDENT)
def note_incident(*, incident: Incident, text: str, by: By) -> IncidentNote:
    """Add to an incident what was learned since, also after it was settled; never changed (REC-07)."""
    said = texts.prose(text, "text", LONGEST_TEXT)
    incident = lock(incident)
    require_later(incident, by)
    note = IncidentNote.objects.create(
        casino=incident.casino, incident=incident, text=said, by=by.actor, at=by.occurred_at
    )
    tell(incident, "audits.incident.noted", by=by, data={"text": said}, rules=["REC-07"])
    return note


@command(policies.RESOLVE_INCIDENT)
def resolve_incident(
    *, incident: Incident, resolution: str, rule_applied: str, with_: Actor, by: By
) -> Incident:
    """Settle an incident, once, by two people (GEN-10) and under a rule of the book (GEN-08).

    Both must be such as may settle one; where GEN-08 holds, at least one is a chief of the floor. Raises
    `Conflict`: `incident_resolved`, and `incident_still_open` with what the rooms above object.
    """
    said = texts.prose(resolution, "resolution", LONGEST_TEXT, rule="GEN-08")
    rule = _rule_applied(rule_applied)
    _require_two(incident, with_, by)
    incident = lock_open(incident)
    require_later(incident, by)
    for words in objections(incident):
        raise Conflict(words, code="incident_still_open", rule="GEN-08")
    incident.state = Incident.State.RESOLVED
    incident.resolution, incident.rule_applied = said, rule
    incident.resolved_by, incident.resolved_with, incident.resolved_at = by.actor, with_, by.occurred_at
    incident.save(
        update_fields=["state", "resolution", "rule_applied", "resolved_by", "resolved_with", "resolved_at"]
    )
    tell(
        incident,
        "audits.incident.resolved",
        by=by,
        data={"resolution": said, "rule": rule, "with": {"id": with_.pk, "name": with_.name}},
        rules=list(dict.fromkeys(["GEN-10", *incident.rules, rule])),
    )
    return incident


def _rule_applied(given: str) -> str:
    """The id of a rule of the book, as the book writes it."""
    rule = given.strip().upper()
    if rule not in rulebook.rules():
        raise Refused(
            Text(
                "cite una regla del reglamento por su número, como GEN-08",
                "name a rule of the rulebook by its number, such as GEN-08",
            ),
            code="unknown_rule",
            rule="GEN-08",
            field="rule_applied",
        )
    return rule


def _require_two(incident: Incident, second: Actor, by: By) -> None:
    if second.pk == by.actor.pk:
        raise RuleViolation(
            "GEN-10",
            Text("la segunda firma es de otra persona", "the second signature is another person's"),
            code="same_person",
            field="second",
        )
    if not permissions.may(second, policies.RESOLVE_INCIDENT):
        raise RuleViolation(
            "GEN-10",
            Text(
                "firme con alguien que pueda resolver incidentes: jefe de mesa, jefe de sala o cumplimiento",
                "sign with someone who may settle incidents: a supervisor, a pit boss or compliance",
            ),
            code="signer_not_allowed",
            field="second",
        )
    chiefs = (by.actor.roles | second.roles).intersection(policies.FLOOR_CHIEFS)
    if "GEN-08" in incident.rules and not chiefs:
        raise RuleViolation(
            "GEN-08",
            Text(
                "una discrepancia la decide el jefe de mesa o el jefe de sala: que firme uno de ellos",
                "a dispute is decided by the supervisor or the pit boss: have one of them sign",
            ),
            code="chief_missing",
            field="second",
        )


def lock(incident: Incident) -> Incident:
    """The incident as it stands, locked."""
    locking.taking(locking.Rank.SLIP_SERIES)
    rows = Incident.objects.select_for_update(of=("self",), no_key=True).select_related("casino")
    return rows.get(pk=incident.pk)


def lock_open(incident: Incident) -> Incident:
    """The same, for what needs it open: settling it, or hanging a held deck on it."""
    found = lock(incident)
    if found.state != Incident.State.OPEN:
        raise Conflict(
            Text(
                f"{found.label} ya está resuelto; añada una nota o abra otro incidente",
                f"{found.label} is settled already; add a note or open another incident",
            ),
            code="incident_resolved",
        )
    return found


def require_later(incident: Incident, by: By) -> None:
    """Refuse what is said to have happened before the incident was opened."""
    if by.occurred_at >= incident.opened_at:
        return
    raise out_of_order(incident.casino, incident.opened_at)


def tell(incident: Incident, action: str, *, by: By, data: Mapping[str, Any], rules: Sequence[str]) -> None:
    """An event of the incident's own stream."""
    trail.record(
        action,
        stream=incident.stream,
        subject=trail.Subject("incident", incident.pk, incident.label),
        by=by,
        data=data,
        rules=rules,
    )
