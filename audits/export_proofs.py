"""The proof of exports, their signatures, deliveries and schedules against the events of `exports`.

What was asked for by whom, the file that was made, its kept rows and its manifest; who called off, signed and
delivered what; and what is made each period by whose order.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits import export_files, manifests
from audits.models import Export
from audits.verify import Fault, differing, told, wrong
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import Casino

_ENDS = f"""
WITH finished AS MATERIALIZED {told("audits.export.finished")},
cancelled AS MATERIALIZED {told("audits.export.cancelled")}
SELECT 'export:' || coalesce(x.id, t.subject_id, c.subject_id) AS place, {
    wrong(
        event="(t.id IS NOT NULL) = (x.state = 'done')",
        once="count(*) OVER (PARTITION BY coalesce(x.id, t.subject_id)) = 1",
        sha256="t.id IS NULL OR t.data ->> 'sha256' = x.sha256",
        size="t.id IS NULL OR (t.data ->> 'size_bytes')::bigint = x.size_bytes",
        report="t.id IS NULL OR (t.data ->> 'report', t.data ->> 'format') = (x.report, x.format)",
        cancelled="(c.id IS NOT NULL) = (x.state = 'cancelled')",
        rows="t.id IS NULL OR coalesce(t.data ->> 'rows_sha256', '') = x.rows_sha256",
        manifest="t.id IS NULL OR t.data ->> 'manifest_sha256'"
        " IS NOT DISTINCT FROM encode(sha256(x.manifest), 'hex')",
        known_at="t.id IS NULL OR (t.data ->> 'known_at')::timestamptz IS NOT DISTINCT FROM x.known_at",
    )
} AS wrong
FROM (SELECT * FROM audits_export WHERE casino_id = %(casino)s) x
FULL JOIN finished t ON t.subject_id = x.id FULL JOIN cancelled c ON c.subject_id = x.id
"""  # noqa: S608
# Who asked for what is told when it is asked for; the file's name, hour and signature once it is there. Of
# exports of before, what their events say.
_ASKED = f"""
WITH asked AS MATERIALIZED {told("audits.export.requested")},
finished AS MATERIALIZED {told("audits.export.finished")}, failed AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {told("audits.export.failed")} t ORDER BY subject_id, seq DESC
)
SELECT 'export:' || coalesce(x.id, t.subject_id) AS place, {
    wrong(
        asked="t.id IS NOT NULL",
        row="x.id IS NOT NULL",
        what="(t.data ->> 'report', t.data ->> 'format', t.data -> 'params')"
        " = (x.report, x.format, x.params)",
        requested_by="t.actor_id = x.requested_by_id OR x.schedule_id IS NOT NULL"
        " AND (t.data ->> 'schedule')::bigint = x.schedule_id",
        order="o IS NULL OR (o ->> 'language', o ->> 'purpose', (o ->> 'of')::bigint,"
        " (o ->> 'schedule')::bigint, (o ->> 'period')::date,"
        " (o ->> 'requested_by')::bigint, (o ->> 'requested_at')::timestamptz) IS NOT DISTINCT FROM"
        " (x.language, x.purpose, x.of_id, x.schedule_id, x.period, x.requested_by_id,"
        " x.requested_at)",
        state="x.state = CASE WHEN x.state IN ('waiting', 'running') THEN x.state WHEN d.id IS NOT NULL"
        " THEN 'done' WHEN f.id IS NOT NULL THEN 'failed' ELSE 'cancelled' END",
        file="NOT d.data ? 'file_name' OR (d.data ->> 'file_name', (d.data ->> 'finished_at')::timestamptz,"
        " d.data ->> 'manifest_key') = (x.file_name, x.finished_at, x.manifest_key)",
        rows_done="NOT d.data ? 'rows' OR (d.data ->> 'rows')::bigint = x.rows_done",
        rows_total="NOT d.data ? 'rows_total'"
        " OR (d.data ->> 'rows_total')::bigint IS NOT DISTINCT FROM x.rows_total",
        signature="NOT d.data ? 'signature_sha256' OR d.data ->> 'signature_sha256'"
        " = encode(sha256(coalesce(x.manifest_signature, '')), 'hex')",
        failure="x.failure = CASE x.state WHEN 'failed' THEN f.data ->> 'failure' ELSE '' END",
    ).replace("NOT d.data", "d.id IS NULL OR NOT d.data")
} AS wrong
FROM (SELECT * FROM audits_export WHERE casino_id = %(casino)s) x
FULL JOIN asked t ON t.subject_id = x.id
LEFT JOIN finished d ON d.subject_id = x.id LEFT JOIN failed f ON f.subject_id = x.id
LEFT JOIN LATERAL (SELECT t.data -> 'order' AS o) l ON true
"""  # noqa: S608
_SIGNED = f"""
WITH signed AS MATERIALIZED {told("audits.export.signed")}
SELECT 'export:' || coalesce(s.export_id, t.subject_id) || ':signature' AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="s.id IS NOT NULL",
        said="(t.actor_id, t.occurred, t.data ->> 'sha256') = (s.signer_id, s.signed_at, s.sha256)",
    )
} AS wrong
FROM (SELECT s.* FROM audits_exportsignature s JOIN audits_export x ON x.id = s.export_id
      WHERE x.casino_id = %(casino)s) s
FULL JOIN signed t ON t.subject_id = s.export_id AND (t.data ->> 'place')::int = s.place
"""  # noqa: S608
_DELIVERED = f"""
WITH delivered AS MATERIALIZED {told("audits.export.delivered")}
SELECT 'export:' || coalesce(d.export_id, t.subject_id) || ':delivery' AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="d.id IS NOT NULL",
        said="(t.actor_id, t.occurred) = (d.delivered_by_id, d.delivered_at)",
        words="(t.data ->> 'recipient', t.data ->> 'how', t.data ->> 'reference', t.data ->> 'receipt_name',"
        " t.data ->> 'receipt_sha256')"
        " = (d.recipient, d.how, d.reference, d.receipt_name, d.receipt_sha256)",
    )
} AS wrong
FROM (SELECT d.* FROM audits_exportdelivery d JOIN audits_export x ON x.id = d.export_id
      WHERE x.casino_id = %(casino)s) d
FULL JOIN delivered t ON t.subject_id = d.export_id
"""  # noqa: S608
_SCHEDULES = f"""
WITH ordered AS MATERIALIZED {told("audits.schedule.ordered")},
moved AS MATERIALIZED (
    SELECT DISTINCT ON (subject_id) * FROM {
    told(
        "audits.schedule.ordered",
        "audits.schedule.paused",
        "audits.schedule.resumed",
        "audits.schedule.removed",
    )
} t ORDER BY subject_id, seq DESC
)
SELECT 'schedule:' || coalesce(s.id, t.subject_id) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="s.id IS NOT NULL",
        ordered="(t.actor_id, t.occurred) = (s.ordered_by_id, s.ordered_at)",
        what="(t.data ->> 'report', t.data ->> 'format', t.data ->> 'every', t.data ->> 'language')"
        " = (s.report, s.format, s.every, s.language) AND t.data -> 'params' = s.params",
        state="s.state = CASE split_part(m.action, '.', 3) WHEN 'paused' THEN 'paused'"
        " WHEN 'removed' THEN 'removed' ELSE 'active' END",
        since="(m.data ->> 'since')::date = s.since",
    )
} AS wrong
FROM (SELECT * FROM audits_exportschedule WHERE casino_id = %(casino)s) s
FULL JOIN ordered t ON t.subject_id = s.id LEFT JOIN moved m ON m.subject_id = s.id
"""  # noqa: S608


def export_faults(casino: Casino) -> Iterator[Fault]:
    """Exports, signatures, deliveries and schedules that are not what the trail tells."""
    for query in (_ENDS, _ASKED, _SIGNED, _DELIVERED, _SCHEDULES):
        yield from differing(query, casino)


def all_faults(casino: Casino) -> Iterator[Fault]:
    """What is wrong with exports: rows, signatures, deliveries, and each byte of their files (REC-06)."""
    yield from export_faults(casino)
    yield from file_faults(casino)


def file_faults(casino: Casino) -> Iterator[Fault]:
    """Finished exports whose file, kept rows or manifest on the disk are not what the trail tells (REC-06).

    It reads every byte of every file, so it is a command of its own and no part of the nightly proof.
    """
    for export in Export.objects.filter(casino=casino, state=Export.State.DONE).order_by("pk").iterator():
        for code, words in _wrong_files(export):
            yield Fault(code, f"export:{export.pk} {export.file_name}", words)


def _wrong_files(export: Export) -> Iterator[tuple[str, Text]]:
    file = export_files.open_unchanged(export)
    if file is None:
        yield (
            "export_file",
            Text("el archivo falta o no es el que se produjo", "the file is missing or not the one produced"),
        )
    else:
        file.close()
    if export.manifest is None:
        return
    differing = _not_as_manifested(export)
    if differing:
        listed = ", ".join(differing)
        yield (
            "export_row",
            Text(
                f"lo guardado no es lo que dice su manifiesto: {listed}",
                f"what is stored is not what its manifest says: {listed}",
            ),
        )
    try:
        export_files.check_rows(export)
    except Conflict:
        yield (
            "export_rows",
            Text(
                "las filas guardadas faltan o no son las que se produjeron",
                "the kept rows are missing or not those produced",
            ),
        )
    if export.manifest_key and not _signature_holds(export):
        yield (
            "export_signature",
            Text(
                "la firma de la casa no corresponde al manifiesto",
                "the house's signature is not of the manifest",
            ),
        )


def _not_as_manifested(export: Export) -> list[str]:
    """What a page tells of an export that its manifest, whose SHA-256 is on the trail, tells otherwise."""
    try:
        said = manifests.read(export)
        pairs = {
            "file_name": (said["file"]["name"], export.file_name),
            "purpose": (said["purpose"], export.purpose),
            "of": ((said["of"] or {}).get("export"), export.of_id),
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        return ["manifest"]
    return [name for name, (told, stored) in pairs.items() if told != stored]


def _signature_holds(export: Export) -> bool:
    from audits.models import SealKey
    from audits.sealing import keys

    key = SealKey.objects.filter(casino=export.casino_id, key_id=export.manifest_key).first()
    signature = bytes(export.manifest_signature or b"")
    return key is not None and keys.verifies(bytes(key.public_key), bytes(export.manifest or b""), signature)
