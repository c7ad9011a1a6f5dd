"""What the floor puts on the trail."""

from audits.vocabulary import register

register("tables.pit.set", "se definió el sector {subject}", "pit {subject} was set")
register(
    "tables.table.set",
    "se definió la mesa {subject}: {game}, {seats} posiciones, detalle {detail}",
    "table {subject} was set: {game}, {seats} positions, detail {detail}",
)
register(
    "tables.limits.published",
    "límites de {subject}, versión {version}",
    "limits of {subject}, version {version}",
)
register(
    "tables.rules.published",
    "reglas de {subject}, versión {version}, Plan de Apuestas {betting_plan}",
    "rules of {subject}, version {version}, betting plan {betting_plan}",
)
register(
    "tables.staff.registered",
    "se registró a {subject}, licencia {licence}",
    "{subject} was registered, licence {licence}",
)
register("tables.staff.changed", "cambió la ficha de {subject}", "{subject}'s record changed")
register(
    "tables.session.opened",
    "se abrió {subject} con {opening:money} en fichas",
    "{subject} was opened with {opening:money} in chips",
)
register(
    "tables.session.closed",
    "se cerró {subject}: cierre {closing:money}, resultado {result:money}",
    "{subject} was closed: closing {closing:money}, result {result:money}",
)
register(
    "tables.session.drop_recorded",
    "se registró la caja de {subject}: {drop:money}",
    "the drop of {subject} was recorded: {drop:money}",
)
register(
    "tables.session.crew_changed",
    "{subject}: {staff} toma el puesto de {post}",
    "{subject}: {staff} takes the post of {post}",
)
register("tables.session.shoe_loaded", "{subject}: entra el sabot {shoe}", "{subject}: shoe {shoe} goes in")
register(
    "tables.session.stop_card_seen",
    "{subject}: salió la carta de detención",
    "{subject}: the stop card came out",
)
register("tables.round.opened", "{subject}: se abrió el pase", "{subject}: the round was opened")
register("tables.round.played", "{subject}: {events}", "{subject}: {events}")
register("tables.round.settled", "{subject}: {announcement_es}", "{subject}: {announcement_en}")
register("tables.round.voided", "{subject}: pase anulado", "{subject}: round voided")
register(
    "tables.rounds.imported",
    "{subject}: {imported} pases importados de {source}, {refused} rechazados",
    "{subject}: {imported} rounds imported from {source}, {refused} refused",
)
