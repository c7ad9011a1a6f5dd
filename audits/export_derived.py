"""What is asked for about an export that is there: its figures in another format, and what differs now."""

from __future__ import annotations

from audits import exports, manifests, policies
from audits.by import By
from audits.models import Export
from audits.reports import formats
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text

Purpose = Export.Purpose


@command(policies.MAKE_REPORTS)
def export_again(*, export: Export, format: str, by: By) -> Export:
    """The same figures as they were known then, in any format: nothing is asked of the tables again (REC-07).

    Raises what `exports.require_done` and `exports.request_export` raise, `Conflict` (`export_not_kept`).
    """
    return _derived(export, format, Purpose.AGAIN, by)


@command(policies.MAKE_REPORTS)
def export_difference(*, export: Export, format: str, by: By) -> Export:
    """What of the export is otherwise by what is known now, row by row, as a file of its own (REC-07).

    Raises as `export_again`, and `Refused` (`export_is_difference`) for what is a comparison already.
    """
    if export.purpose == Purpose.DIFFERENCE:
        raise Refused(
            Text(
                "ya es una comparación: pida la diferencia del reporte del que trata",
                "it is a comparison already: ask for the difference of the report it is about",
            ),
            code="export_is_difference",
            rule="REC-07",
        )
    return _derived(export, format, Purpose.DIFFERENCE, by)


def _derived(export: Export, format: str, purpose: Purpose, by: By) -> Export:
    exports.require_done(export, by, policies.MAKE_REPORTS)
    if export.format in formats.OF_THE_ORDER:
        raise Refused(
            Text(
                "un paquete comprobable no se produce de nuevo ni se compara: descargue el que hay, que no"
                " cambia, o pida otro en Reportes con los mismos datos",
                "a bundle that can be checked is not made again nor compared: download the one there is, it"
                " does not change, or ask for another among the reports with the same particulars",
            ),
            code="export_of_no_table",
        )
    said = manifests.read(export)  # it says so now, and not in the worker, when its rows were not kept
    exports.require_format(format)
    if purpose == Purpose.AGAIN:
        formats.refuse_too_long(format, said["rows"]["count"])
    order = exports.Order(export.report, export.params, format, export.language, purpose, export)
    told = {"purpose": purpose.value, "of": export.pk}
    return exports.ordered(order, by=by, requested_by=by.actor, told=told)
