"""What the floor puts on the trail."""

from audits.vocabulary import register, say_codes
from casino.kernel import rulebook
from casino.kernel.words import Text, same
from tables.queries import POST_NAMES
from tables.shuffling import WAYS

_DETAILS = {
    "result": Text("sólo resultados", "results only"),
    "cards": Text("cartas", "cards"),
    "full": Text("cartas y apuestas", "cards and bets"),
}


def _game(code: str) -> Text:
    known = rulebook.games().get(code)
    return known.name if known else same(code)


say_codes("game", _game)
say_codes("post", lambda code: POST_NAMES.get(code, same(code)))
say_codes("detail", lambda code: _DETAILS.get(code, same(code)))

say_codes(
    "begun",
    lambda code: Text("; aún no se juega", "; not open to play yet") if code == "opening" else same(""),
)

register("tables.pit.set", "se definió el sector {subject}", "pit {subject} was set")
register(
    "tables.table.set",
    "se definió la mesa {subject}: {game:game}, {seats} posiciones, anota {detail:detail}",
    "table {subject} was set: {game:game}, {seats} positions, logs {detail:detail}",
)
register("tables.floor.set", "cambiaron las cifras de la sala", "the figures of the floor changed")
register(
    "tables.limits.published",
    "límites de {subject}, versión {version}",
    "limits of {subject}, version {version}",
    kind=Text("se publicaron límites", "limits were published"),
)
register(
    "tables.plan.published",
    "plan de límites de {subject}, versión {version}, desde {effective_from}",
    "limits plan of {subject}, version {version}, from {effective_from}",
)
register(
    "tables.plan.applied",
    "{subject} pasa a los límites del plan {plan_label}, versión {version}, desde {begins}",
    "{subject} goes over to the limits of plan {plan_label}, version {version}, from {begins}",
)
register(
    "tables.rules.published",
    "reglas de {subject:game}, versión {version}, Plan de Apuestas {betting_plan}; confirma las cifras:"
    " {confirmed_by}",
    "rules of {subject:game}, version {version}, betting plan {betting_plan}; figures confirmed by:"
    " {confirmed_by}",
)
register(
    "tables.rules.forced",
    "reglas de {subject:game}, versión {version}, FORZADAS aunque favorecen al jugador: {forced}",
    "rules of {subject:game}, version {version}, FORCED although they favour the player: {forced}",
)
register(
    "tables.staff.registered",
    "se registró a {subject}, licencia {licence}",
    "{subject} was registered, licence {licence}",
)
register("tables.staff.changed", "cambió la ficha de {subject}", "{subject}'s record changed")
register(
    "tables.session.opened",
    "se abrió {subject} con {opening:money} en fichas{state:begun}",
    "{subject} was opened with {opening:money} in chips{state:begun}",
    kind=Text("se abrió una mesa", "a table was opened"),
)
register("tables.session.play_began", "{subject} se abrió al juego", "{subject} was opened to play")
register(
    "tables.session.paused",
    "{subject}: pausa; {reason}",
    "{subject}: paused; {reason}",
    kind=Text("pausa de una mesa", "pause of a table"),
)
register("tables.session.resumed", "{subject}: se reanudó el juego", "{subject}: play was resumed")
register(
    "tables.session.last_round_called",
    "{subject}: último pase, la mesa cierra",
    "{subject}: last round, the table is closing",
)
register(
    "tables.session.reopened",
    "{subject}: se retiró el aviso de último pase, sigue abierta",
    "{subject}: the call to the last round was taken back, it stays open",
)
register(
    "tables.session.closed",
    "se cerró {subject}: cierre {closing:money}",
    "{subject} was closed: closing {closing:money}",
)
register(
    "tables.session.drop_recorded",
    "{subject} quedó contada: caja {drop:money}, resultado {result:money}",
    "{subject} is counted: drop {drop:money}, result {result:money}",
)
register(
    "tables.session.crew_changed",
    "{subject}: {staff} toma el puesto de {post:post}",
    "{subject}: {staff} takes the post of {post:post}",
)
register("tables.session.shoe_loaded", "{subject}: entra el sabot {shoe}", "{subject}: shoe {shoe} goes in")
register(
    "tables.session.stop_card_seen",
    "{subject}: salió la carta de detención",
    "{subject}: the stop card came out",
)
register(
    "tables.session.reshuffled",
    "{subject}: {before} sale del juego y sus cartas se barajan otra vez como {next}",
    "{subject}: {before} leaves play and its cards are shuffled again as {next}",
)
register(
    "tables.session.discards_returned",
    "{subject}: volvieron a la máquina las {gathered} cartas del descartador",
    "{subject}: the {gathered} cards of the discard holder went back into the machine",
)
register(
    "tables.session.discards_shuffled",
    "{subject}: se acabó el sabot en el pase {finishing} y se barajan y cortan los {gathered} descartes",
    "{subject}: the shoe ran out in round {finishing} and the {gathered} discards are shuffled and cut",
)
say_codes("way", lambda code: WAYS.get(code, same(str(code))))
register(
    "tables.session.shuffled",
    "después del pase {subject} se barajó {shoe} {way:way} {machine}",
    "after round {subject} {shoe} was shuffled {way:way} {machine}",
)
register(
    "tables.session.review_opened",
    "{subject}: se abrió el descartador para revisar el pase {round}; {incident}",
    "{subject}: the discard holder was opened to review round {round}; {incident}",
)
register(
    "tables.session.review_closed",
    "{subject}: se cerró la revisión del descartador; {counted} de {expected} cartas",
    "{subject}: the review of the discard holder was closed; {counted} of {expected} cards",
)
register(
    "tables.round.opened",
    "pase {subject}: se abrió; {events_es}",
    "round {subject}: opened; {events_en}",
    kind=Text("se abrió un pase", "a round was opened"),
)
register(
    "tables.round.played",
    "pase {subject}: {events_es}",
    "round {subject}: {events_en}",
    kind=Text("se anotó en un pase", "a round was added to"),
)
register(
    "tables.round.settled",
    "pase {subject}: {announcement_es}",
    "round {subject}: {announcement_en}",
    kind=Text("se liquidó un pase", "a round was settled"),
)
register("tables.round.voided", "pase {subject}: anulado", "round {subject}: voided")
register(
    "tables.rounds.imported",
    "{subject}: {imported} pases importados de {source}, {refused} rechazados",
    "{subject}: {imported} rounds imported from {source}, {refused} refused",
    kind=Text("importación de pases", "import of rounds"),
)
