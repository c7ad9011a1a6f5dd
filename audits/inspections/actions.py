"""What inspections put on the trail: codes and looks on the person's stream, visits on their own."""

from __future__ import annotations

from audits.vocabulary import register, say_codes
from casino.kernel.words import Text, same

_WHY = {
    "wrong": Text("credencial o código equivocados", "wrong card number or code"),
    "revoked": Text("código revocado", "revoked code"),
    "locked": Text("código bloqueado", "locked code"),
    "spent": Text("código ya usado", "code used already"),
    "early": Text("antes de su hora", "before its time"),
    "over": Text("después de su hora", "after its time"),
    "shut_off": Text("usuario desactivado", "login shut off"),
}
say_codes("code_refused", lambda code: _WHY.get(str(code), same(str(code))))

register(
    "audits.access.terms_set",
    "los códigos de inspector duran {default_hours} h, a lo más {longest_hours} h",
    "inspectors' codes last {default_hours} h, {longest_hours} h at the most",
)
register(
    "audits.access.given",
    "se dio un código de inspector a {subject}, credencial {credential}",
    "an inspector's code was given to {subject}, card {credential}",
)
register(
    "audits.access.revoked",
    "se revocó el código de inspector de {subject}",
    "the inspector's code of {subject} was revoked",
)
register(
    "audits.access.refused",
    "no se dejó entrar con el código de {subject}: {why:code_refused}",
    "entry with the code of {subject} was refused: {why:code_refused}",
)
register(
    "audits.access.locked",
    "el código de {subject} se bloqueó tras {attempts} intentos",
    "the code of {subject} locked after {attempts} attempts",
)
register(
    "audits.access.entered",
    "{subject} entró con su código de inspector, entrada {entry}",
    "{subject} came in with an inspector's code, entry {entry}",
)
register(
    "audits.inspector.looked",
    "{subject} consultó {path}",
    "{subject} looked at {path}",
    kind=Text("un inspector consultó una página", "an inspector looked at a page"),
)
register(
    "audits.inspection.opened",
    "se abrió la visita {subject} de la AJ",
    "visit {subject} of the AJ was opened",
)
register(
    "audits.inspection.draw_announced",
    "se anunció un sorteo de {wanted} mesas en {subject}, huella {seed_hash}",
    "a draw of {wanted} tables was announced in {subject}, hash {seed_hash}",
)
register(
    "audits.inspection.drawn",
    "se sortearon mesas en {subject}: {tables}",
    "tables were drawn in {subject}: {tables}",
)
register(
    "audits.inspection.counted",
    "el inspector contó en {subject}, conteo {count}",
    "the inspector counted in {subject}, count {count}",
)
register(
    "audits.inspection.count_signed",
    "la casa firmó el conteo {count} de {subject}",
    "the house signed count {count} of {subject}",
)
register(
    "audits.inspection.count_objected",
    "la casa objetó el conteo {count} de {subject}: {words}",
    "the house objected to count {count} of {subject}: {words}",
)
register(
    "audits.inspection.incident_opened",
    "se abrió {incident} por la diferencia del conteo {count} de {subject}",
    "{incident} was opened for the difference of count {count} of {subject}",
)
register("audits.inspection.closed", "se cerró la visita {subject}", "visit {subject} was closed")
