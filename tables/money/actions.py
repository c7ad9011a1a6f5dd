"""What chips put on the trail: desks and sets, the stock of chips, fills and credits."""

from __future__ import annotations

from audits.vocabulary import register, say_codes
from casino.kernel.words import Text, same
from tables.money.saying import KINDS

say_codes("slip_kind", lambda code: KINDS.get(code, same(str(code))))
say_codes("chip_entry", lambda code: KINDS.get(code, same(str(code))))

register(
    "tables.desk.set", "se definió la ventanilla {number}, {subject}", "desk {number}, {subject}, was set"
)
register("tables.chip_set.set", "se definió el juego de fichas {subject}", "the chip set {subject} was set")
register(
    "tables.chips.entered",
    "fichas {entry:chip_entry} por {total:money}: {document}",
    "chips {entry:chip_entry}, {total:money}: {document}",
    kind=Text("ingreso o baja de fichas", "chips entered or retired"),
)
register(
    "tables.chips.counted",
    "se recontaron las fichas de {subject}: diferencia {difference:money}",
    "the chips of {subject} were counted: difference {difference:money}",
)
register(
    "tables.slip.requested",
    "{table}: se pidió {kind:slip_kind} {subject} por {total:money}",
    "{table}: {kind:slip_kind} {subject} of {total:money} was asked for",
    kind=Text("se pidió una reposición o un retiro de fichas", "a fill or a credit was asked for"),
)
register(
    "tables.slip.issued",
    "{subject}: la caja lo emitió y lo lleva {runner}",
    "{subject}: issued by the cage, carried by {runner}",
)
register(
    "tables.slip.verified",
    "{subject}: verificado en la mesa ante {dealer}, {total:money}",
    "{subject}: verified at the table before {dealer}, {total:money}",
)
register("tables.slip.voided", "{subject}: anulado por dos personas", "{subject}: voided by two people")
