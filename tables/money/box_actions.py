"""What drop boxes, their counts and a table's result put on the trail, and the words of their incidents."""

from __future__ import annotations

from audits.incident_facts import register_fact
from audits.vocabulary import register, say_codes
from casino.kernel.words import Text, same

KINDS = {
    "drop": Text("caja de efectivo", "drop box"),
    "deduction": Text("caja de deducciones", "deduction box"),
}
HOW = {
    "equal": Text("dos recuentos iguales", "two equal counts"),
    "third": Text("un tercer recuento", "a third count"),
    "resolved": Text("decisión de dos personas", "decision of two people"),
}
say_codes("box_kind", lambda code: KINDS.get(code, same(str(code))))
say_codes("box_how", lambda code: HOW.get(code, same(str(code))))

register(
    "tables.box.put_on",
    "{kind:box_kind} {subject}: puesta en la mesa",
    "{kind:box_kind} {subject}: put on the table",
)
register(
    "tables.box.removed",
    "{kind:box_kind} {subject}: retirada con el precinto {seal}",
    "{kind:box_kind} {subject}: taken off with seal {seal}",
)
register(
    "tables.box.received",
    "caja {subject}: llegó a la sala de recuento con el precinto {seal}",
    "box {subject}: came to the count room with seal {seal}",
)
register(
    "tables.box.counted_first",
    "caja {subject}: primer recuento, guardado hasta el segundo",
    "box {subject}: first count, kept until the second",
)
register(
    "tables.box.counted",
    "caja {subject}: recuento número {nth}",
    "box {subject}: count number {nth}",
    kind=Text("recuento de una caja", "count of a box"),
)
register(
    "tables.box.settled",
    "caja {subject}: {amount:money} por {how:box_how}",
    "box {subject}: {amount:money} by {how:box_how}",
    kind=Text("se resolvió el recuento de una caja", "the count of a box was settled"),
)
register(
    "tables.count_rate.set",
    "tipo de cambio del recuento: {subject}",
    "exchange rate of the count: {subject}",
)
register(
    "tables.session.difference_reported",
    "{subject}: se informó la diferencia sin explicar, {incident}",
    "{subject}: the unexplained difference was reported, {incident}",
)
register(
    "tables.session.reconciled",
    "{subject} quedó conciliada: resultado {result:money}",
    "{subject} is reconciled: result {result:money}",
)

register_fact("box", Text("caja", "box"))
register_fact("first_count", Text("primer recuento", "first count"), "money")
register_fact("second_count", Text("segundo recuento", "second count"), "money")
register_fact("opening_chips", Text("fichas de más o de menos", "chips more or fewer"))
register_fact("difference", Text("diferencia", "difference"), "money")
register_fact("seal_put_on", Text("precinto puesto", "seal put on"))
register_fact("seal_found", Text("precinto leído", "seal found"))
