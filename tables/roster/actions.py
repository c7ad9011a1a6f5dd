"""What shifts and certificates put on the trail, each on its person's stream."""

from audits.vocabulary import register, say_codes
from casino.kernel.words import Text, same

DEPARTMENTS = {
    "floor": Text("sala", "floor"),
    "cage": Text("caja", "cage"),
    "compliance": Text("cumplimiento", "compliance"),
    "administration": Text("administración", "administration"),
}
"""What the departments of `Staff` are called."""

say_codes("department", lambda code: DEPARTMENTS.get(code, same(str(code))))
register(
    "tables.staff.certified",
    "{subject}: habilitación para {game:game}, documento {document}, por {certified_by}",
    "{subject}: certificate for {game:game}, document {document}, by {certified_by}",
    kind=Text("habilitación de una persona", "certificate of a person"),
)
register(
    "tables.shift.planned",
    "{subject}: turno de {local_start} a {local_end}",
    "{subject}: shift from {local_start} to {local_end}",
    kind=Text("turno de trabajo planificado", "shift planned"),
)
register(
    "tables.shift.changed",
    "{subject}: el turno pasa a {local_start} – {local_end}",
    "{subject}: the shift becomes {local_start} – {local_end}",
)
register("tables.shift.cancelled", "{subject}: turno cancelado", "{subject}: shift cancelled")
register("tables.shift.absent", "{subject}: no se presentó", "{subject}: did not come")
register(
    "tables.shift.swapped",
    "{subject}: toma el turno de {other}, de {local_start} a {local_end}",
    "{subject}: takes {other}'s shift, from {local_start} to {local_end}",
)
register("tables.shift.clocked_in", "{subject}: entró a trabajar", "{subject}: came to work")
register("tables.shift.clocked_out", "{subject}: salió del trabajo", "{subject}: left work")
register(
    "tables.shift.corrected",
    "{subject}: se corrigieron sus horas",
    "{subject}: the hours worked were corrected",
)
