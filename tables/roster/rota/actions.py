"""What the plan of posts puts on the trail, on the stream of its gaming day (`roster:<day>`)."""

from audits.vocabulary import register
from casino.kernel.words import Text

register(
    "tables.rotation.drafted",
    "{subject}: borrador de {local_start} a {local_end} ({people} personas, {tables_count} mesas)",
    "{subject}: drafted from {local_start} to {local_end} ({people} people, {tables_count} tables)",
)
register("tables.rotation.edited", "{subject}: borrador corregido a mano", "{subject}: draft changed by hand")
register(
    "tables.rotation.applied",
    "{subject}: vigente desde las {local_from}",
    "{subject}: in force from {local_from}",
    kind=Text("un plan de puestos rige", "a plan of posts is in force"),
)
register("tables.rotation.dropped", "{subject}: borrador descartado", "{subject}: draft dropped")
register(
    "tables.rotation.carried_out",
    "Relevos hechos: {reliefs}",
    "Reliefs carried out: {reliefs}",
)
register(
    "tables.rotation.noted",
    "Reparto del trabajo del {day} asentado para {people} personas",
    "Fairness of {day} noted for {people} people",
)
