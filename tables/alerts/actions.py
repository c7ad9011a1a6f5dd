"""What alerts, float checks, disputes, duties and notes of a shift put on the trail."""

from audits.vocabulary import register, say_codes
from casino.kernel.words import Text, same
from tables.alerts.causes import kind_name

say_codes("alert", kind_name)
_BASES = {"ledger": Text("según los asientos", "by the ledger"), "estimate": Text("estimado", "estimated")}
say_codes("basis", lambda code: _BASES.get(code, same(str(code))))

register(
    "tables.alert.raised",
    "aviso en {subject}: {words_es}",
    "alert at {subject}: {words_en}",
    kind=Text("se levantó un aviso", "an alert was raised"),
)
register(
    "tables.alert.cleared",
    "ya pasó en {subject}: {words_es}",
    "over at {subject}: {words_en}",
    kind=Text("pasó la causa de un aviso", "the cause of an alert went away"),
)
register(
    "tables.alert.acknowledged",
    "aviso atendido en {subject}: {words_es}; motivo: {reason}",
    "alert acknowledged at {subject}: {words_en}; reason: {reason}",
    kind=Text("se atendió un aviso", "an alert was acknowledged"),
)
register(
    "tables.float.checked",
    "{subject}: control {number} del fichero, contado {total:money}, esperado {expected:money}"
    " ({basis:basis}), diferencia {difference:money}",
    "{subject}: float check {number}, counted {total:money}, expected {expected:money}"
    " ({basis:basis}), difference {difference:money}",
)
register(
    "tables.session.disputed",
    "{subject}: discrepancia, {incident}; la mesa se detiene con las cartas a la vista",
    "{subject}: dispute, {incident}; the table stops with its cards in view",
)
register(
    "tables.duties.set",
    "sectores a cargo de {subject}: {pits}",
    "pits {subject} answers for: {pits}",
)
register("tables.shift.noted", "nota del turno, {subject}: {text}", "note of the shift, {subject}: {text}")
