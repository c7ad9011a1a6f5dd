"""What the cards put on the trail."""

from audits.vocabulary import register, say_codes
from casino.kernel.words import Text
from shoes.saying import CODES

for _spec, _words in CODES.items():
    say_codes(_spec, _words)

DECKS_REGISTERED = register(
    "shoes.deck.registered",
    "ingresaron {count} barajas del lote {subject}",
    "{count} decks of lot {subject} were received",
)
DECK_PASSED = register(
    "shoes.deck.passed", "la baraja {subject} pasó la inspección", "deck {subject} passed its inspection"
)
DECK_WITHDRAWN = register(
    "shoes.deck.withdrawn",
    "se retiró la baraja {subject}: {counted} cartas; faltan: {shown_missing}; sobran: {shown_extra};"
    " marcadas: {shown_marked}; ajenas: {shown_foreign}; dañadas: {shown_damaged}",
    "deck {subject} was withdrawn: {counted} cards; missing: {shown_missing}; extra: {shown_extra};"
    " marked: {shown_marked}; foreign: {shown_foreign}; damaged: {shown_damaged}",
    kind=Text("se retiró una baraja", "a deck was withdrawn"),
)
DECKS_ISSUED = register(
    "shoes.deck.issued",
    "se entregaron {count} barajas del lote {subject} a {place:place}: {serials}",
    "{count} decks of lot {subject} were issued to {place:place}: {serials}",
)
SHOE_COUNTED = register(
    "shoes.shoe.counted",
    "recuento de cierre de {subject}: {counted} de {total} cartas; con falla: {faulty}",
    "closing count of {subject}: {counted} of {total} cards; faulty: {faulty}",
)
SHOE_RENEWED = register(
    "shoes.shoe.renewed",
    "las barajas de {renewed} se barajan otra vez como {subject}",
    "the decks of {renewed} are shuffled again as {subject}",
)
DECK_REMOVED = register(
    "shoes.shoe.deck_removed",
    "salió de {subject} la baraja {removed}: {why}; la preparación empieza de nuevo",
    "deck {removed} left {subject}: {why}; its preparation starts again",
)
FAULT_REPORTED = register(
    "shoes.shoe.fault_reported",
    "se denunció una falla en {subject}: {fault:fault} {shown}; {incident}",
    "a fault in {subject} was reported: {fault:fault} {shown}; {incident}",
)
REVIEW_OPENED = register(
    "shoes.discard.opened",
    "se abrió el descartador de {subject} por {round}, a pedido de {asked_by}; autorizó {authorised_name};"
    " según el conteo guarda {expected} cartas; {incident}",
    "the discard holder of {subject} was opened for {round}, asked by {asked_by}; authorised by"
    " {authorised_name}; by the count it holds {expected} cards; {incident}",
)
REVIEW_CLOSED = register(
    "shoes.discard.closed",
    "se cerró el descartador de {subject}: volvieron {counted} de {expected} cartas; {found}",
    "the discard holder of {subject} was closed: {counted} of {expected} cards went back; {found}",
)
SHOE_STARTED = register(
    "shoes.shoe.started",
    "se empezó a preparar el sabot {subject} con {decks} barajas",
    "preparation of shoe {subject} with {decks} decks began",
)
DECKS_ADDED = register(
    "shoes.shoe.decks_added",
    "entraron al sabot {subject} las barajas {serials}",
    "decks {serials} joined shoe {subject}",
)
PACK_SHOWN = register(
    "shoes.pack.shown",
    "se presentaron por palos las barajas de {subject}",
    "the decks of {subject} were shown by suit",
)
PACK_WASHED = register(
    "shoes.pack.washed", "se lavaron las cartas de {subject}", "the cards of {subject} were washed"
)
PACK_SHUFFLED = register(
    "shoes.pack.shuffled", "se barajó {subject} ({kind:shuffle})", "{subject} was shuffled ({kind:shuffle})"
)
PACK_CHECKED = register(
    "shoes.pack.checked",
    "un jefe comprobó {subject} después de barajar: {sequences:sequences}",
    "a chief checked {subject} after the shuffle: {sequences:sequences}",
)
PACK_CUT = register(
    "shoes.pack.cut",
    "cortó {subject} {cut_by:cutter}, a {position} cartas",
    "{subject} was cut by {cut_by:cutter}, at {position} cards",
)
PACK_TURNED = register(
    "shoes.pack.turned", "se invirtió el mazo de {subject}", "the pack of {subject} was turned"
)
SHOE_LOADED = register(
    "shoes.shoe.loaded",
    "se cargó {subject} con la carta de detención sobre las {stop_card_from_end} últimas",
    "{subject} was loaded with the stop card over the last {stop_card_from_end}",
)
MACHINE_LOADED = register(
    "shoes.shoe.machine_loaded",
    "se cargó {subject} entero en la máquina {machine}, mostrada vacía; la carta de corte quedó aparte",
    "all of {subject} was loaded into machine {machine}, shown empty; the cut card was set aside",
)
SHOE_BURNED = register(
    "shoes.shoe.burned",
    "en {subject} se descubrió {card:card} y se quemaron {burned}",
    "in {subject} {card:card} was turned and {burned} were burned",
)
CARDS_BURNED = register(
    "shoes.shoe.cards_burned",
    "en {subject} se quemaron {burned} cartas",
    "in {subject} {burned} cards were burned",
)
CARDS_EXPOSED = register(
    "shoes.pack.exposed",
    "las cartas de {subject} quedaron expuestas a inspección",
    "the cards of {subject} were left exposed to inspection",
)
SHOE_IN_PLAY = register(
    "shoes.shoe.put_in_play",
    "el sabot {subject} entró en juego en {table}",
    "shoe {subject} went into play at {table}",
)
STOP_CARD_SEEN = register(
    "shoes.shoe.stop_card_seen",
    "apareció la carta de detención de {subject}; según el conteo quedaban {remaining}",
    "the stop card of {subject} appeared; by the count {remaining} remained",
)
SHOE_ENDED = register(
    "shoes.shoe.ended",
    "terminó el sabot {subject}; sus barajas esperan el recuento de cierre",
    "shoe {subject} ended; its decks wait for the closing count",
)
DECKS_GIVEN_BACK = register(
    "shoes.deck.given_back",
    "volvieron sin usar al depósito {count} barajas del lote {subject}: {serials}",
    "{count} decks of lot {subject} came back to the store unused: {serials}",
)
DECKS_QUARANTINED = register(
    "shoes.deck.quarantined",
    "pasaron a cuarentena {count} barajas del lote {subject}: {serials}; {reason}",
    "{count} decks of lot {subject} were put in quarantine: {serials}; {reason}",
)
DECKS_TAKEN_OUT = register(
    "shoes.deck.taken_out",
    "se retiraron {count} barajas del lote {subject}: {serials}; {reason}",
    "{count} decks of lot {subject} were withdrawn: {serials}; {reason}",
)
DECKS_HELD = register(
    "shoes.deck.held",
    "se retuvieron {count} barajas del lote {subject} por {incident}: {serials}",
    "{count} decks of lot {subject} were held for {incident}: {serials}",
)
DECKS_RELEASED = register(
    "shoes.deck.released",
    "se liberaron {count} barajas del lote {subject}, resuelto {incidents}: {serials}; quedan retiradas",
    "{count} decks of lot {subject} were released, {incidents} settled: {serials}; they stay withdrawn",
)
DECKS_CANCELLED = register(
    "shoes.deck.cancelled",
    "se anularon {count} barajas del lote {subject}: {serials}",
    "{count} decks of lot {subject} were cancelled: {serials}",
)
DECKS_SEALED = register(
    "shoes.deck.sealed",
    "se precintaron otra vez {count} barajas del lote {subject}: {serials}",
    "{count} decks of lot {subject} were sealed again: {serials}",
)
DECKS_DESTROYED = register(
    "shoes.deck.destroyed",
    "según {act} se destruyeron {count} barajas del lote {subject}: {serials}",
    "by {act}, {count} decks of lot {subject} were destroyed: {serials}",
)
ACT_SIGNED = register(
    "shoes.act.signed",
    "se firmó {subject}: {count} barajas destruidas ({method}) en {site}",
    "{subject} was signed: {count} decks destroyed ({method}) at {site}",
)
STORE_COUNTED = register(
    "shoes.store.counted",
    "se contó el depósito: {counted} barajas, según los movimientos {expected}; {incident}",
    "the store was counted: {counted} decks, {expected} by the moves; {incident}",
)
LEVEL_SET = register(
    "shoes.store.level_set",
    "el depósito debe tener al menos {least} barajas {subject}",
    "the store should hold at least {least} decks {subject}",
)
DEVICE_SET = register(
    "shoes.device.set",
    "se registró {subject}, {kind:device}; en servicio: {active:tick}",
    "{subject}, {kind:device}, was entered; in service: {active:tick}",
)
ALERT_RAISED = register(
    "shoes.shoe.alert_raised",
    "aviso sobre {subject}, {detector:detector}: {words_es} {incident}",
    "alert about {subject}, {detector:detector}: {words_en} {incident}",
    kind=Text("aviso sobre un sabot", "alert about a shoe"),
)
