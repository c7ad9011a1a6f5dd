"""An export goes to the AJ: two people sign it, then it is delivered and its reception noted. After that
nothing changes.

    done -> signed (1 of 2, then 2 of 2) -> delivered

The first signature may be of whoever asked for it, who answers for what they prepared; the second is another
person's who did not ask (GEN-10). Each signs the SHA-256 of the file, which is held against its bytes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from audits import export_files, exports, policies
from audits.by import By, out_of_order
from audits.models import Export, ExportDelivery, ExportSignature
from casino.kernel import locking, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text

PLACES = 2
_DIGEST = re.compile(r"[0-9a-f]{64}")


@command(policies.SIGN_REPORT)
def sign_export(*, export: Export, by: By) -> ExportSignature:
    """Sign a finished export.

    Raises what `exports.require_done` raises; `Conflict` (`export_signed` when two did, `export_delivered`,
    `export_changed`), `RuleViolation` GEN-10 (`same_person`, `requester_signs_second`).
    """
    row = _lock(export, by, policies.SIGN_REPORT)
    signed = list(row.signatures.all())
    _require_may_sign(row, signed, by)
    _require_after(signed, by)
    _require_unchanged(row)
    signature = ExportSignature.objects.create(
        export=row, place=len(signed) + 1, signer=by.actor, sha256=row.sha256, signed_at=by.occurred_at
    )
    exports.record(
        "audits.export.signed",
        row,
        by,
        {"place": signature.place, "sha256": row.sha256, "file": row.file_name},
        rules=["GEN-10"],
    )
    return signature


def _require_may_sign(row: Export, signed: Sequence[ExportSignature], by: By) -> None:
    """Two sign, the second of whom neither signed nor asked (GEN-10)."""
    if len(signed) == PLACES:
        raise Conflict(
            Text(
                "ya lo firmaron dos personas: falta que cumplimiento anote su entrega",
                "two people have signed it already: compliance is to note its delivery",
            ),
            code="export_signed",
            rule="GEN-10",
        )
    if any(one.signer_id == by.actor.pk for one in signed):
        raise RuleViolation(
            "GEN-10",
            Text(
                "usted ya firmó: la otra firma es de otra persona",
                "you signed: the other is another person's",
            ),
            code="same_person",
        )
    if signed and row.requested_by_id == by.actor.pk:
        raise RuleViolation(
            "GEN-10",
            Text(
                "usted pidió este reporte: la segunda firma, que lo aprueba, es de quien no lo pidió",
                "you asked for this report: the second signature, which approves it, is of who did not ask",
            ),
            code="requester_signs_second",
        )


def _require_after(signed: Sequence[ExportSignature], by: By) -> None:
    if signed and by.occurred_at < signed[-1].signed_at:
        raise out_of_order(by.casino, signed[-1].signed_at)


@command(policies.DELIVER_REPORT)
def deliver_export(
    *,
    export: Export,
    recipient: str,
    how: str,
    reference: str,
    by: By,
    receipt_name: str = "",
    receipt_sha256: str = "",
) -> ExportDelivery:
    """Note that a signed export was handed to the AJ, under its number of reception.

    `receipt_sha256`: of the file the AJ gave as a receipt, if it gave one, `receipt_name` its name. Raises
    what `exports.require_done` raises; `RuleViolation` GEN-10 (`signatures_missing`); `Conflict`
    (`export_delivered`, `export_changed`); `Refused` (`bad_delivery`) with the field.
    """
    row = _lock(export, by, policies.DELIVER_REPORT)
    _require_signed(row, by)
    if how not in ExportDelivery.How.values:
        raise _bad("how", "elija cómo se entregó", "choose how it was delivered")
    digest = receipt_sha256.strip().lower()
    if digest and not _DIGEST.fullmatch(digest):
        raise _bad(
            "receipt_sha256",
            "el SHA-256 de la constancia son 64 cifras hexadecimales: cópielo entero, o déjelo vacío",
            "the receipt's SHA-256 is 64 hex digits: copy all of it, or leave it empty",
        )
    _require_unchanged(row)
    delivery = ExportDelivery.objects.create(
        export=row,
        recipient=texts.line(recipient, "recipient", 120, code="bad_delivery"),
        how=how,
        reference=texts.line(reference, "reference", 60, code="bad_delivery"),
        receipt_name=texts.line(receipt_name, "receipt_name", 120, code="bad_delivery", least=0),
        receipt_sha256=digest,
        delivered_by=by.actor,
        delivered_at=by.occurred_at,
    )
    _tell_delivered(row, delivery, by)
    return delivery


def _require_signed(row: Export, by: By) -> None:
    signed = list(row.signatures.all())
    if len(signed) < PLACES:
        raise RuleViolation(
            "GEN-10",
            Text(
                "antes de entregarlo lo firman dos personas; faltan {left}",
                "two people sign it before it is delivered; {left} to go",
            ).fill(left=PLACES - len(signed)),
            code="signatures_missing",
        )
    _require_after(signed, by)


def _tell_delivered(row: Export, delivery: ExportDelivery, by: By) -> None:
    told = {
        "recipient": delivery.recipient,
        "how": delivery.how,
        "reference": delivery.reference,
        "receipt_name": delivery.receipt_name,
        "receipt_sha256": delivery.receipt_sha256,
        "sha256": row.sha256,
        "file": row.file_name,
    }
    exports.record("audits.export.delivered", row, by, told, rules=["REC-10", "GEN-10"])


def _lock(export: Export, by: By, act: str) -> Export:
    exports.require_done(export, by, act)
    locking.taking(locking.Rank.SLIP_SERIES)
    row = Export.objects.select_for_update(of=("self",)).select_related("casino").get(pk=export.pk)
    exports.require_done(row, by, act)
    if ExportDelivery.objects.filter(export=row).exists():
        raise Conflict(
            Text(
                "ya se entregó a la AJ y nada cambia en él: si hubo una corrección, entregue otro",
                "it was delivered to the AJ and nothing in it changes: after a correction deliver another",
            ),
            code="export_delivered",
            rule="REC-07",
        )
    return row


def _require_unchanged(export: Export) -> None:
    """Nobody signs or hands over anything but what was produced (REC-06)."""
    file = export_files.open_unchanged(export)
    if file is None:
        raise export_files.changed()
    file.close()


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_delivery", field=field)
