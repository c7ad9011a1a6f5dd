"""What guests, seats and exclusion lists put on the trail: players by initials and a masked document."""

from audits.incident_facts import register_fact
from audits.vocabulary import register, say_codes
from casino.kernel.words import Text, same

HOW = {
    "document": Text("mismo documento", "same document"),
    "name_birth": Text("mismo nombre y fecha de nacimiento", "same name and birth date"),
    "similar": Text("datos parecidos", "similar particulars"),
    "minor": Text("menor de edad", "minor"),
}
WHERE = {
    "seat": Text("al sentarse", "taking a seat"),
    "waiting": Text("en la lista de espera", "on the waiting list"),
    "auction": Text("en la subasta del banco", "in the auction of the bank"),
    "floor": Text("ya en la sala", "on the floor already"),
}
KINDS = {
    "self": Text("autoexclusión", "self-exclusion"),
    "authority": Text("de la autoridad", "of the authority"),
    "house": Text("de la casa", "of the house"),
}
OUTCOMES = {
    "cleared": Text("es otra persona", "it is another person"),
    "confirmed": Text("es la persona de la lista", "it is the person of the list"),
    "left": Text("se retiró", "left"),
    "expired": Text("no se presentó", "did not come"),
}
for _spec, _words in (
    ("match_how", HOW),
    ("match_where", WHERE),
    ("exclusion_kind", KINDS),
    ("outcome", OUTCOMES),
):
    say_codes(_spec, lambda code, words=_words: words.get(code, same(str(code))))  # type: ignore[misc]
register_fact("who", Text("jugador", "player"))
register_fact("how", Text("coincidencia", "match"), "match_how")
register_fact("where", Text("dónde", "where"), "match_where")
register_fact("place", Text("lugar", "place"))
register_fact("exclusion", Text("exclusión", "exclusion"))

register("tables.guest.registered", "se registró al jugador {subject}", "player {subject} was registered")
register("tables.guest.changed", "cambió la ficha del jugador {subject}", "player {subject}'s record changed")
register(
    "tables.guest.committed",
    "la auditoría responde desde aquí por los datos del jugador {subject}",
    "from here on the trail answers for the particulars of player {subject}",
)
register(
    "tables.exclusion.committed",
    "la auditoría responde desde aquí por los datos de la exclusión {subject}",
    "from here on the trail answers for the particulars of exclusion {subject}",
)
register(
    "tables.guest.turned_away",
    "no se admitió a {subject} {where:match_where}, {place}: {how:match_how}",
    "{subject} was not admitted {where:match_where}, {place}: {how:match_how}",
)
register(
    "tables.guest.recognised",
    "{subject} está en {place} y coincide con {exclusion}: {how:match_how}",
    "{subject} is at {place} and matches {exclusion}: {how:match_how}",
    kind=Text("un jugador coincide con una exclusión", "a player matches an exclusion"),
)
register(
    "tables.guest.alias_refused",
    "no se admitió a «{alias}» {where:match_where}, {place}, sin ver su documento: se parece al nombre de"
    " {subject}",
    "“{alias}” was not admitted {where:match_where}, {place}, without a document: it is like the name of"
    " {subject}",
    kind=Text("un alias se parece a un nombre de la lista", "an alias is like a name of the list"),
)
register(
    "tables.guest.alias_recognised",
    "«{alias}» está en {place} y se parece al nombre de {subject}: se le pide el documento",
    "“{alias}” is at {place} and is like the name of {subject}: they are asked for their document",
    kind=Text("quien está en la sala se parece a la lista", "somebody on the floor is like the list"),
)
register(
    "tables.guest.alias_identified",
    "«{alias}», parecido al nombre de {subject}, mostró su documento en {place} y es otra persona: {player}",
    "“{alias}”, like the name of {subject}, showed a document at {place} and is another person: {player}",
    kind=Text("un alias parecido se identificó", "an alike alias was identified"),
)
register(
    "tables.guest.match_decided",
    "coincidencia de {subject} con {exclusion}: {outcome:outcome}; firmó también {second}",
    "match of {subject} with {exclusion}: {outcome:outcome}; {second} signed as well",
    kind=Text("se decidió una coincidencia", "a match was decided"),
)
register(
    "tables.exclusion.recorded",
    "se registró la exclusión {subject} ({kind:exclusion_kind}) de {who}, desde {since}, por {source}",
    "exclusion {subject} ({kind:exclusion_kind}) of {who} was recorded, from {since}, by {source}",
)
register(
    "tables.exclusion.ended",
    "terminó la exclusión {subject}; firmó también {second}",
    "exclusion {subject} was ended; {second} signed as well",
)
register(
    "tables.exclusions.imported",
    "se importó una lista de exclusión, {source}: {recorded} nuevas, {already} ya registradas,"
    " {refused} rechazadas",
    "an exclusion list was imported, {source}: {recorded} new, {already} there already, {refused} refused",
)
register(
    "tables.admission.set",
    "admisión: todos se identifican = {identify}",
    "admission: everybody is identified = {identify}",
)
register(
    "tables.session.seat_taken",
    "{subject}: {player} toma el asiento {seat}",
    "{subject}: {player} takes seat {seat}",
)
register(
    "tables.session.seat_left",
    "{subject}: {player} deja el asiento {seat}",
    "{subject}: {player} leaves seat {seat}",
)
register(
    "tables.session.seat_lost",
    "{subject}: {player}, ausente, pierde el asiento {seat}; sigue {next}",
    "{subject}: {player}, away, loses seat {seat}; next is {next}",
    kind=Text("un jugador ausente pierde su asiento", "a player who is away loses the seat"),
)
register(
    "tables.session.seat_changed",
    "{subject}: {player} pasa del asiento {before} al {seat}",
    "{subject}: {player} moves from seat {before} to {seat}",
)
register(
    "tables.session.seats_emptied",
    "{subject}: se desocupan los asientos {seats} al cerrar",
    "{subject}: seats {seats} are emptied at closing",
)
register(
    "tables.session.seat_away",
    "{subject}: {player} se ausenta del asiento {seat}",
    "{subject}: {player} leaves seat {seat} for a moment",
)
register(
    "tables.session.seat_back",
    "{subject}: {player} vuelve al asiento {seat}",
    "{subject}: {player} is back on seat {seat}",
)
register(
    "tables.session.change_asked",
    "{subject}: {player}, asiento {seat}, pide cambiar a {wanted}",
    "{subject}: {player}, seat {seat}, asks to move to {wanted}",
)
register(
    "tables.session.change_withdrawn",
    "{subject}: {player}, asiento {seat}, ya no pide cambiar",
    "{subject}: {player}, seat {seat}, no longer asks to move",
)
register(
    "tables.waiting.added",
    "{subject} se anota en la lista de espera de {list}",
    "{subject} is put on the waiting list of {list}",
)
register(
    "tables.waiting.called",
    "se llama a {subject} de la lista de espera de {list}; pasan después {skipped}",
    "{subject} is called from the waiting list of {list}; passed over: {skipped}",
    kind=Text("llamado de la lista de espera", "call from the waiting list"),
)
register(
    "tables.waiting.ended",
    "{subject} sale de la lista de espera de {list}: {outcome:outcome}",
    "{subject} is off the waiting list of {list}: {outcome:outcome}",
)
