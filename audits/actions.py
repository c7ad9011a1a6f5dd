"""What the ground floor itself puts on the trail."""

from audits.vocabulary import register

register(
    "audits.user.created",
    "se creó el usuario {subject} con funciones {roles}",
    "user {subject} was created with roles {roles}",
)
register(
    "audits.user.roles_set",
    "cambiaron las funciones de {subject}: {before} → {after}",
    "roles of {subject} changed: {before} → {after}",
)
register("audits.user.activated", "se activó a {subject}", "{subject} was activated")
register("audits.user.deactivated", "se desactivó a {subject}", "{subject} was deactivated")
register(
    "audits.user.password_set", "{subject} recibió una contraseña nueva", "{subject} was given a new password"
)
register("audits.user.signed_in", "{subject} entró al sistema", "{subject} signed in")
register("audits.casino.created", "se creó el casino {subject}", "casino {subject} was created")
register("audits.casino.set", "cambiaron los datos de {subject}", "particulars of {subject} changed")
register("audits.day.closed", "se cerró el día de juego {subject}", "gaming day {subject} was closed")
register(
    "audits.day.held",
    "el día de juego {subject} no pudo cerrarse",
    "gaming day {subject} could not be closed",
)
register("audits.export.requested", "se pidió el reporte {subject}", "report {subject} was requested")
register(
    "audits.export.finished",
    "se produjo el reporte {subject}, SHA-256 {sha256}",
    "report {subject} was produced, SHA-256 {sha256}",
)
register(
    "audits.export.failed", "falló el reporte {subject}: {failure}", "report {subject} failed: {failure}"
)
register("audits.export.downloaded", "se descargó el reporte {subject}", "report {subject} was downloaded")
register(
    "audits.export.refused",
    "el archivo del reporte {subject} no es el que se produjo; no se entregó",
    "the file of report {subject} is not the one produced; it was not handed out",
)
