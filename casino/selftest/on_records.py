"""Records for the regulator: gaming days, filings, incidents, exported reports."""

from __future__ import annotations

from pathlib import Path

from audits import closing, exports, filings
from audits.incidents import resolve_incident
from audits.models import Export, Filing, Incident
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import GamingDay
from casino.selftest import floor
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, PERSON, PROGRAM, NothingChanged, past_the_guards, sql

SQL_OF_DAY = "UPDATE casino_gamingday SET state = 'open', closed_at = NULL WHERE id = %s"


def _day_closed() -> GamingDay:
    """The night that is over is closed, as the job does it."""
    (outcome,) = closing.close_due_days(clock.now(), casino=floor.casino())
    return outcome.closed[-1]


@fault(
    "records.day_reopened", "un día cerrado vuelto a abrir", "a closed day opened again",
    hand=PROGRAM, caught=Guard("casino_gamingday", "sabot_day_is_final"), given=_day_closed,
)  # fmt: skip
def day_reopened(day: GamingDay) -> None:
    sql(SQL_OF_DAY, [day.pk])


@fault(
    "records.day_reopened_by_the_owner", "el mismo día, sin las defensas", "the same day, the guards off",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "day:", says="event"), given=_day_closed,
)  # fmt: skip
def day_reopened_by_the_owner(day: GamingDay) -> None:
    past_the_guards((SQL_OF_DAY, [day.pk]))


@fault(
    "records.old_version_altered",
    "una versión vieja de una ficha alterada, que ningún hecho nombra",
    "an old version of a record altered, which no event tells",
    hand=OWNER, caught=Night("verify_trail", "rows_differ", "tables_historicalstaff"), given=_day_closed,
)  # fmt: skip
def old_version_altered(_: GamingDay) -> None:
    past_the_guards(
        (
            "UPDATE tables_historicalstaff SET history_change_reason = 'otro motivo'"
            " WHERE history_id = (SELECT min(history_id) FROM tables_historicalstaff)",
            [],
        )
    )


@fault(
    "records.digests_made_anew",
    "una fila alterada y las huellas de la noche cambiadas para que coincidan",
    "a row altered and the digests of the night changed so that they agree",
    hand=OWNER, caught=Night("verify_trail", "digests_differ", "tables_historicalstaff"), given=_day_closed,
)  # fmt: skip
def digests_made_anew(_: GamingDay) -> None:
    past_the_guards(
        ("UPDATE tables_historicalstaff SET history_change_reason = 'otro motivo'", []),
        ("UPDATE audits_rowdigest SET sha256 = sha256('') WHERE \"table\" = 'tables_historicalstaff'", []),
    )


def _filing_presented() -> Filing:
    """Drafted and handed in by compliance."""
    by = floor.by("compliance")
    about = Filing.objects.earliest("pk")
    subject = filings.subject_of(floor.casino(), about.subject_type, about.subject_id)
    kind = next(code for code, kind in filings.kinds().items() if not kind.facts and kind.approval)
    drafted = filings.draft_filing(kind=kind, subject=subject, text="Se pide su aprobación.", by=by)
    return filings.present_filing(filing=drafted, by=floor.by("compliance"))


@fault(
    "records.filing_approved_by_its_author",
    "un trámite aprobado por su autor",
    "a filing approved by its author",
    hand=PERSON, caught=Refused("same_person", "GEN-10"), given=_filing_presented,
)  # fmt: skip
def filing_approved_by_its_author(filing: Filing) -> None:
    filings.decide_filing(filing=filing, approved=True, reference="RA-1/2026", by=floor.by("compliance"))


@fault(
    "records.filing_approved_by_sql", "un trámite aprobado por SQL", "a filing approved by SQL",
    hand=PROGRAM, caught=Night("verify_trail", "trail_differs", "filing:", says="state"),
)  # fmt: skip
def filing_approved_by_sql() -> None:
    """The guard lets a filing be decided, as the write function does; the trail tells that nobody did."""
    sql(
        "UPDATE audits_filing SET state = 'approved', decided_at = now(), decided_by_id = %s,"
        " reference = 'RA-1/2026', valid_from = current_date WHERE state = 'presented'",
        [floor.actor("admin").pk],
    )


@fault(
    "records.filing_sent_back",
    "un trámite aprobado vuelto a borrador",
    "an approved filing turned back to a draft",
    hand=PROGRAM, caught=Guard("audits_filing", "sabot_filing_moves"),
)  # fmt: skip
def filing_sent_back() -> None:
    sql("UPDATE audits_filing SET state = 'draft' WHERE state = 'approved'")


@fault(
    "records.incident_settled_by_one",
    "un incidente resuelto por una sola persona",
    "an incident settled by one person alone",
    hand=PERSON, caught=Refused("same_person", "GEN-10"),
)  # fmt: skip
def incident_settled_by_one() -> None:
    by = floor.by("compliance")
    resolve_incident(
        incident=Incident.objects.filter(state=Incident.State.OPEN).earliest("pk"),
        resolution="No hubo nada que lamentar.",
        rule_applied="GEN-08",
        with_=by.actor,
        by=by,
    )


@fault(
    "records.incident_rewritten",
    "lo resuelto de un incidente reescrito",
    "the ruling of an incident rewritten",
    hand=PROGRAM, caught=Guard("audits_incident", "sabot_incident_changes"),
)  # fmt: skip
def incident_rewritten() -> None:
    sql("UPDATE audits_incident SET resolution = 'Se pagó al jugador.' WHERE state = 'resolved'")


def _report_exported() -> Export:
    """A report as a file, asked for by compliance and produced."""
    export = exports.request_export(
        report=REPORT, params=_today(), format="csv", language="es-bo", by=floor.by("compliance")
    )
    export.refresh_from_db()
    if export.state != Export.State.DONE:
        raise NothingChanged(f"{export.report}: {export.state} {export.failure}")
    return export


REPORT = "audits.incidents"


def _today() -> dict[str, str]:
    today = str(floor.casino().gaming_day(clock.now()))
    return {"first": today, "last": today}


@fault(
    "records.export_altered",
    "el archivo de un reporte alterado en el disco",
    "the file of a report altered on disk",
    hand=OWNER, caught=Refused("export_changed", "REC-06"), given=_report_exported,
    leaves=Text("que no se entregó", "that it was not handed out"),
)  # fmt: skip
def export_altered(export: Export) -> None:
    """Found when somebody asks for it: its bytes are not those that were produced."""
    path: Path = exports.path_of(export)
    text = path.read_bytes()
    path.write_bytes(text[:-1] + bytes([text[-1] ^ 1]))
    exports.open_file(export=export, by=floor.by("compliance")).close()


@fault(
    "records.export_exchanged",
    "otro archivo, con su huella cambiada también",
    "another file, its digest changed as well",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "export:", says="sha256"),
    given=_report_exported,
)  # fmt: skip
def export_exchanged(export: Export) -> None:
    exports.path_of(export).write_text("nada que declarar\n", encoding="utf-8")
    past_the_guards(
        (
            "UPDATE audits_export SET sha256 = encode(sha256('nada que declarar\n'), 'hex') WHERE id = %s",
            [export.pk],
        )
    )
