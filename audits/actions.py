"""What the ground floor itself puts on the trail."""

from audits import incidents, schedules
from audits.persons import looking
from audits.reports import registry
from audits.vocabulary import register, say_codes
from casino.kernel.permissions import ROLE_NAMES, Role
from casino.kernel.words import Text, same


def _role(code: str) -> Text:
    return ROLE_NAMES[Role(code)] if code in set(Role) else same(code)


def _report(code: str) -> Text:
    """A report's title; its identifier where the house no longer makes it."""
    known = registry.registered().get(code)
    return known.title if known else same(code)


def _every(code: str) -> Text:
    return schedules.EVERY.get(code, same(code))


say_codes("role", _role)
say_codes("every", _every)
say_codes("report", _report)
say_codes("incident", incidents.kind_name)
say_codes("people_kind", looking.kind_name)

register(
    "audits.user.created",
    "se creó el usuario {subject} con funciones {roles:role}",
    "user {subject} was created with roles {roles:role}",
)
register(
    "audits.user.roles_set",
    "cambiaron las funciones de {subject}: {before:role} → {after:role}",
    "roles of {subject} changed: {before:role} → {after:role}",
    kind=Text("cambiaron las funciones de un usuario", "the roles of a user changed"),
)
register("audits.user.activated", "se activó a {subject}", "{subject} was activated")
register("audits.user.deactivated", "se desactivó a {subject}", "{subject} was deactivated")
register(
    "audits.user.password_set", "{subject} recibió una contraseña nueva", "{subject} was given a new password"
)
register(
    "audits.user.hash_renewed",
    "se guardó de nuevo, con más fuerza, la contraseña con que entró {subject}",
    "the password {subject} signed in with was stored anew, more strongly",
)
register(
    "audits.user.committed",
    "la auditoría responde desde aquí por el acceso de {subject}",
    "from here on the trail answers for the login of {subject}",
)
register(
    "audits.casino.committed",
    "la auditoría responde desde aquí por los datos de {subject}",
    "from here on the trail answers for the particulars of {subject}",
)
register("audits.user.signed_in", "{subject} entró al sistema", "{subject} signed in")
register("audits.casino.created", "se creó el casino {subject}", "casino {subject} was created")
register("audits.casino.set", "cambiaron los datos de {subject}", "particulars of {subject} changed")
register("audits.day.closed", "se cerró el día de juego {subject}", "gaming day {subject} was closed")
register(
    "audits.trail.proved",
    "se probaron los registros tras el día {subject}; fallas: {count}",
    "the records were proved after day {subject}; faults: {count}",
)
register(
    "audits.rows.digested",
    "se anotaron las huellas de las filas hasta el día {subject}",
    "digests of the rows up to day {subject} were written down",
)
register(
    "audits.day.held",
    "el día de juego {subject} no pudo cerrarse",
    "gaming day {subject} could not be closed",
)
register(
    "audits.day.sealed",
    "se selló el día de juego {subject}: raíz {root}, llave {key_id}",
    "gaming day {subject} was sealed: root {root}, key {key_id}",
)
register(
    "audits.day.seal_waits",
    "el sello del día {subject} espera: {why_es}",
    "the seal of day {subject} waits: {why_en}",
)
register(
    "audits.seal_key.introduced",
    "se creó la llave de sello {subject}",
    "seal key {subject} was made",
)
register(
    "audits.seal_key.rotated",
    "la llave de sello {subject} reemplazó a {previous_key_id}, que la firmó",
    "seal key {subject} took over from {previous_key_id}, which signed it",
)
register(
    "audits.seal_key.replaced",
    "la llave de sello {subject} reemplazó a {previous_key_id}, perdida; responde también {second}",
    "seal key {subject} took over from {previous_key_id}, lost; {second} answers for it too",
)
register(
    "audits.export.requested",
    "se pidió «{report:report}» ({format}), {subject}",
    "“{report:report}” ({format}) was requested, {subject}",
    kind=Text("se pidió una exportación", "an export was requested"),
)
register(
    "audits.export.finished",
    "se produjo «{report:report}» ({format}), {subject}: SHA-256 {sha256}",
    "“{report:report}” ({format}) was produced, {subject}: SHA-256 {sha256}",
    kind=Text("se produjo una exportación", "an export was produced"),
)
register(
    "audits.export.failed",
    "falló «{report:report}» ({format}), {subject}: {failure}",
    "“{report:report}” ({format}) failed, {subject}: {failure}",
    kind=Text("falló una exportación", "an export failed"),
)
register(
    "audits.export.downloaded",
    "se descargó «{report:report}» ({format}), {subject}",
    "“{report:report}” ({format}) was downloaded, {subject}",
    kind=Text("se descargó una exportación", "an export was downloaded"),
)
register(
    "audits.export.refused",
    "el archivo de «{report:report}» ({format}), {subject}, no es el que se produjo; no se entregó",
    "the file of “{report:report}” ({format}), {subject}, is not the one produced; it was not handed out",
)
register(
    "audits.export.cancelled",
    "se canceló «{report:report}» ({format}), {subject}, con {rows} filas hechas",
    "“{report:report}” ({format}), {subject}, was called off after {rows} rows",
    kind=Text("se canceló una exportación", "an export was called off"),
)
register(
    "audits.export.signed",
    "se firmó «{report:report}» ({format}), {subject}, firma {place} de 2: SHA-256 {sha256}",
    "“{report:report}” ({format}), {subject}, was signed, signature {place} of 2: SHA-256 {sha256}",
    kind=Text("se firmó una exportación", "an export was signed"),
)
register(
    "audits.export.delivered",
    "se entregó a {recipient} «{report:report}» ({format}), {subject}, recepción {reference}",
    "“{report:report}” ({format}), {subject}, was delivered to {recipient}, reception {reference}",
)
register(
    "audits.schedule.ordered",
    "se programó «{report:report}» ({format}), {every:every}",
    "“{report:report}” ({format}) was scheduled, {every:every}",
    kind=Text("se programó una exportación", "an export was scheduled"),
)
register(
    "audits.schedule.paused",
    "se puso en pausa la exportación programada de «{report:report}» ({format})",
    "the scheduled export of “{report:report}” ({format}) was paused",
)
register(
    "audits.schedule.resumed",
    "se reanudó la exportación programada de «{report:report}» ({format})",
    "the scheduled export of “{report:report}” ({format}) was resumed",
)
register(
    "audits.schedule.removed",
    "se quitó la exportación programada de «{report:report}» ({format})",
    "the scheduled export of “{report:report}” ({format}) was removed",
)
register(
    "audits.incident.opened",
    "se abrió el incidente {subject} ({kind:incident}), mesa {table}",
    "incident {subject} ({kind:incident}) was opened, table {table}",
)
register(
    "audits.incident.noted",
    "se añadió una nota al incidente {subject}",
    "a note was added to incident {subject}",
)
register(
    "audits.incident.resolved",
    "se resolvió el incidente {subject} según {rule}",
    "incident {subject} was resolved under {rule}",
)
register("audits.notice.edited", "se corrigió el aviso de {subject}", "the notice of {subject} was edited")
register(
    "audits.notice.sent",
    "se envió a la AJ el aviso de {subject}, referencia {reference}",
    "the notice of {subject} was sent to the AJ, reference {reference}",
)
register(
    "audits.filing.drafted",
    "se redactó el trámite {subject}: {kind_es}, {about}",
    "filing {subject} was drafted: {kind_en}, {about}",
)
register(
    "audits.filing.presented",
    "se presentó a la AJ el trámite {subject}: {kind_es}, {about}",
    "filing {subject} was presented to the AJ: {kind_en}, {about}",
)
register(
    "audits.filing.approved",
    "la AJ aprobó {subject}: {kind_es}, {about}, referencia {reference}",
    "the AJ approved {subject}: {kind_en}, {about}, reference {reference}",
)
register(
    "audits.filing.refused",
    "la AJ rechazó {subject}: {kind_es}, {about}",
    "the AJ refused {subject}: {kind_en}, {about}",
)
register(
    "audits.filing.withdrawn",
    "se retiró el trámite {subject}: {kind_es}, {about}",
    "filing {subject} was withdrawn: {kind_en}, {about}",
)
register(
    "audits.filing.revoked",
    "la AJ revocó {subject}: {kind_es}, {about}, documento {document}",
    "the AJ revoked {subject}: {kind_en}, {about}, document {document}",
)
register(
    "audits.filing.used",
    "se hizo lo que {subject} aprobaba: {kind_es}, {about}",
    "what {subject} approved was done: {kind_en}, {about}",
)

register(
    "audits.retention.set",
    "conservación de datos, {kind:people_kind}: {before} → {years} años",
    "retention of data, {kind:people_kind}: {before} → {years} years",
    kind=Text("cambió la conservación de datos", "the retention of data changed"),
)
register(
    "audits.hold.put",
    "retención legal {subject} sobre {about} ({kind:people_kind}), por {document}",
    "legal hold {subject} on {about} ({kind:people_kind}), by {document}",
)
register(
    "audits.hold.lifted",
    "se levantó la retención legal {subject} sobre {about}; firmó también {second}",
    "legal hold {subject} on {about} was lifted; {second} signed as well",
)
register(
    "audits.erasure.ordered",
    "orden {subject}: seudonimizar {due} ({kind:people_kind}) sin uso desde antes del {before}; firmó también"
    " {second}",
    "order {subject}: pseudonyms for {due} ({kind:people_kind}) not used since before {before};"
    " {second} signed as well",
)
register(
    "audits.erasure.done",
    "orden {subject} cumplida: {done} seudónimos, {held} quedan por retención legal",
    "order {subject} carried out: {done} pseudonyms, {held} left under a legal hold",
)
register(
    "audits.person.pseudonymised",
    "{kind:people_kind}: queda el seudónimo {subject}, por la orden {order}",
    "{kind:people_kind}: pseudonym {subject} stands now, by order {order}",
)
register(
    "audits.filing.due_set",
    "se anotó un plazo de {subject}: {due_on}, {due_for}",
    "a deadline of {subject} was noted: {due_on}, {due_for}",
)
register(
    "audits.filing.demanded",
    "la casa exige «{kind_es}» antes de que algo rija",
    "the house asks for “{kind_en}” before anything is in force",
)
register(
    "audits.filing.released",
    "la casa deja de exigir «{kind_es}»",
    "the house no longer asks for “{kind_en}”",
)
register(
    "audits.attachment.added",
    "se adjuntó «{name}» a {subject}: SHA-256 {sha256}",
    "“{name}” was attached to {subject}: SHA-256 {sha256}",
    kind=Text("se adjuntó un archivo", "a file was attached"),
)
register(
    "audits.attachment.read",
    "se abrió «{name}», adjunto de {subject}",
    "“{name}”, attached to {subject}, was opened",
)
register(
    "audits.attachment.refused",
    "«{name}», adjunto de {subject}, ya no es el que se adjuntó; no se entregó",
    "“{name}”, attached to {subject}, is not what was attached; it was not handed out",
)
register(
    "audits.incident.video_held",
    "se retuvo el video de {cameras} por {subject}",
    "the video of {cameras} was held for {subject}",
)
register(
    "audits.complaint.terms_set",
    "plazos de los reclamos: {file_days} días corridos, {answer_days} y {appeal_days} días hábiles",
    "terms of complaints: {file_days} calendar days, {answer_days} and {appeal_days} working days",
)
