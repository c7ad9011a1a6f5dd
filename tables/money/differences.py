"""Differences of a table's money, kept with their sign and reported from where the book says (FLOOR-05).

At the opening: what the count shows beyond the previous closing, by denomination. After the count: what the
result shows beyond the rounds, which nobody may reconcile unseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from audits import incidents, trail
from audits.by import By
from audits.models import Incident
from casino.kernel import locking, money, rulebook
from casino.kernel.commands import command, once_committed
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import Casino, GamingDay
from tables import chips, duties
from tables import policies as floor_policies
from tables.models import ChipCount, OpeningDifference, TableSession
from tables.money import box_policies as policies
from tables.noting import note
from tables.results import Outstanding

RULE = "FLOOR-05"
OPENING, RESULT = "opening", "result"
HOUSE_DIFFERENCE = incidents.register_kind(
    "money.house_difference",
    Text("diferencia de dinero, en la casa", "money difference, in house"),
    rules=(RULE,),
    notice=False,
)
OPENING_DIFFERENCE = incidents.register_kind(
    "money.opening_difference",
    Text(
        "diferencia de apertura, con aviso al regulador", "opening difference, with notice to the regulator"
    ),
    rules=(RULE,),
    notice=True,
)


def keep_opening(
    session: TableSession, previous: ChipCount | None, counted: Mapping[int, int], by: By
) -> OpeningDifference | None:
    """Keep what an opening count shows beyond the previous closing, and have it reported where it is large.

    Called inside the opening. Its incident comes right after the commit, since the opening has locks of a
    higher rank by then; one that never came keeps the session from being reconciled (`outstanding`).
    """
    by_chip = {} if previous is None else chips.difference(chips.loaded(previous.chips), counted)
    if previous is None or not by_chip:
        return None
    kept = OpeningDifference.objects.create(
        casino=by.casino,
        session=session,
        previous=previous,
        chips=chips.stored(by_chip),
        total=chips.total(counted) - previous.total,
    )
    if kind_of(by.casino, kept.total):
        once_committed(lambda: report_opening(difference=kept, by=by))
    return kept


@command(floor_policies.OPEN_SESSION, silent_when="it is small, or reported already")
def report_opening(*, difference: OpeningDifference, by: By) -> Incident | None:
    """The incident of an opening difference: from 25 units of the house's money in house, from 100 with its
    notice to the regulator (FLOOR-05). None where there is none to report."""
    session = _locked(difference.session)
    if kind_of(by.casino, difference.total) is None or opening_reported(session):
        return None
    return _report_opening(session, difference, by)


def kind_of(casino: Casino, total: int) -> str | None:
    """Which incident a difference of an opening makes, by its size, whatever its sign; None if small."""
    if abs(total) >= units(casino, "regulator_report_from_units"):
        return OPENING_DIFFERENCE
    return HOUSE_DIFFERENCE if abs(total) >= units(casino, "house_report_from_units") else None


def units(casino: Casino, param: str) -> int:
    """A threshold of FLOOR-05 in smallest units."""
    return int(rulebook.rule(RULE).params[param] * 10**casino.exponent)


def _report_opening(session: TableSession, difference: OpeningDifference, by: By) -> Incident:
    kind = kind_of(by.casino, difference.total)
    assert kind is not None
    shown = money.words(difference.total, by.casino.exponent)
    return incidents.raise_incident(
        kind=kind,
        summary=Text(
            f"{session.label} abrió con {shown.es} de diferencia sobre el cierre anterior",
            f"{session.label} opened with a difference of {shown.en} from the closing before",
        ),
        subject=trail.Subject("session", session.pk, session.label),
        rules=(RULE,),
        facts={"difference": difference.total, "opening_chips": difference.chips},
        by=by,
        table_label=session.table.name,
    )


def is_large(session: TableSession) -> bool:
    """Whether the result differs from the rounds by so much that it must be reported in the house."""
    return session.unexplained is not None and abs(session.unexplained) >= units(
        session.casino, "house_report_from_units"
    )


def report_unexplained(session: TableSession, by: By) -> Incident | None:
    """The incident of a result the rounds do not explain, where it is large enough to be one."""
    if not is_large(session):
        return None
    assert session.unexplained is not None
    shown = money.words(session.unexplained, by.casino.exponent)
    return incidents.raise_incident(
        kind=HOUSE_DIFFERENCE,
        summary=Text(
            f"el resultado de {session.label} se aparta {shown.es} de lo que dicen sus pases",
            f"the result of {session.label} is {shown.en} away from what its rounds say",
        ),
        subject=trail.Subject("session", session.pk, session.label),
        rules=(RULE, "FLOOR-12"),
        facts={"difference": session.unexplained},
        by=by,
        table_label=session.table.name,
    )


@command(floor_policies.CLOSE_SESSION, silent_when="it is small, or reported already")
def report_result(*, session: TableSession, by: By) -> Incident | None:
    """The incident of a result the rounds do not explain, after a closing that counted the session."""
    session = _locked(session)
    return report_unexplained(session, by) if RESULT in unreported(session) else None


@command(policies.RECONCILE)
def open_difference(*, session: TableSession, by: By) -> Incident:
    """Open by hand the incident of a difference that has none: of the opening, or of the result.

    Raises `Conflict` `no_difference`, where there is none to report or it was reported already.
    """
    session = _locked(session)
    duties.require_pit(by, session.table)
    due = next(unreported(session), None)
    incident = None
    if due == OPENING:
        incident = _report_opening(session, session.opening_difference, by)
    elif due == RESULT:
        incident = report_unexplained(session, by)
    if incident is None:
        raise Conflict(
            Text("no hay diferencia por informar", "there is no difference to report"),
            code="no_difference",
            rule=RULE,
        )
    note("tables.session.difference_reported", session, by, {"incident": incident.label}, [RULE])
    return incident


def unreported(session: TableSession) -> Iterator[str]:
    """Which differences of a session are large and have no incident, open or settled."""
    opening = OpeningDifference.objects.filter(session=session).first()
    if opening is not None and kind_of(session.casino, opening.total) and not opening_reported(session):
        yield OPENING
    if is_large(session) and not _incidents(session).filter(rules__contains=["FLOOR-12"]).exists():
        yield RESULT


def opening_reported(session: TableSession) -> bool:
    """Whether the opening difference of a session has its incident."""
    return _incidents(session).filter(facts__has_key="opening_chips").exists()


def _incidents(session: TableSession) -> QuerySet[Incident]:
    return Incident.objects.filter(
        casino=session.casino_id,
        kind__in=(HOUSE_DIFFERENCE, OPENING_DIFFERENCE),
        subject_type="session",
        subject_id=session.pk,
    )


def _locked(session: TableSession) -> TableSession:
    locking.taking(locking.Rank.SESSION)
    rows = TableSession.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("table", "day", "casino").get(pk=session.pk)


def open_about(casino_id: int, sessions: list[int] | QuerySet[Any, Any]) -> QuerySet[Incident]:
    """The incidents about these sessions that nobody settled yet."""
    found = Incident.objects.filter(casino=casino_id, state=Incident.State.OPEN, subject_type="session")
    return found.filter(subject_id__in=sessions).order_by("pk")


def holds_seal(day: GamingDay) -> Text | None:
    """What keeps a closed day from being sealed: differences of its money that nobody settled, or that are
    large and were not reported (FLOOR-05, REC-08)."""
    sessions = list(TableSession.objects.filter(day=day).select_related("casino", "table").order_by("pk"))
    money = (HOUSE_DIFFERENCE, OPENING_DIFFERENCE)
    open_ones = open_about(day.casino_id, [one.pk for one in sessions]).filter(kind__in=money)
    labels = [incident.label for incident in open_ones]
    labels += [session.label for session in sessions if any(unreported(session))]
    if not labels:
        return None
    listed = ", ".join(labels)
    return Text(
        f"hay diferencias de dinero abiertas: {listed}; resuélvanlas dos personas y se sella solo",
        f"differences of money are open: {listed}; two people settle them and it is sealed by itself",
    )


def outstanding(session: TableSession) -> Iterator[Outstanding]:
    """Open incidents about this session, disputes too (GEN-08), and a large difference not reported."""
    for incident in open_about(session.casino_id, [session.pk]):
        yield Outstanding(
            "incident_open",
            Text(f"{incident.label} sigue abierto: resuélvalo", f"{incident.label} is still open: settle it"),
            "REC-08",
            incident.pk,
        )
    for _ in unreported(session):
        yield Outstanding(
            "difference_unreported",
            Text(
                "hay una diferencia grande sin incidente: ábralo",
                "there is a large difference without its incident: open it",
            ),
            RULE,
        )
