"""Who may do what with the cards."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

CHIEFS = (Role.SUPERVISOR, Role.PIT_BOSS)
HANDS_ON_CARDS = (Role.CROUPIER, *CHIEFS)

REGISTER_DECKS = declare(
    "shoes.deck.register", (*CHIEFS, Role.ADMINISTRATOR), Text("ingresar barajas", "register decks")
)
INSPECT_DECKS = declare("shoes.deck.inspect", CHIEFS, Text("inspeccionar barajas", "inspect decks"))
PREPARE = declare("shoes.shoe.prepare", HANDS_ON_CARDS, Text("preparar un sabot", "prepare a shoe"))
PLAY = declare(
    "shoes.shoe.play",
    (*CHIEFS, Role.DEVICE),
    Text("poner un sabot en juego", "put a shoe in play"),
)
END = declare("shoes.shoe.end", CHIEFS, Text("terminar un sabot", "end a shoe"))
READ = declare(
    "shoes.shoe.read",
    (*HANDS_ON_CARDS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR, Role.DEVICE),
    Text("ver barajas y sabots", "see decks and shoes"),
)
ISSUE = declare("shoes.deck.issue", (*CHIEFS, Role.ADMINISTRATOR), Text("entregar barajas", "issue decks"))
KEEP = declare(
    "shoes.deck.keep",
    (*CHIEFS, Role.ADMINISTRATOR, Role.COMPLIANCE),
    Text("guardar, apartar y retirar barajas", "store, set aside and withdraw decks"),
)
HOLD = declare(
    "shoes.deck.hold",
    (Role.PIT_BOSS, Role.COMPLIANCE),
    Text("retener barajas por una investigación", "hold decks for an investigation"),
)
RELEASE = declare(
    "shoes.deck.release",
    (Role.COMPLIANCE,),
    Text("liberar barajas de una investigación", "release decks from an investigation"),
)
DESTROY = declare(
    "shoes.deck.destroy",
    (*CHIEFS, Role.ADMINISTRATOR, Role.COMPLIANCE),
    Text("anular y destruir barajas", "cancel and destroy decks"),
)
COUNT_STORE = declare(
    "shoes.store.count",
    (*CHIEFS, Role.ADMINISTRATOR, Role.COMPLIANCE, Role.CAGE),
    Text("recontar el depósito", "count the store"),
)
SET_STORE = declare(
    "shoes.store.set",
    (Role.PIT_BOSS, Role.ADMINISTRATOR, Role.SYSTEM),
    Text("fijar mínimos y registrar sabots y barajadoras", "set levels and register shoes and shufflers"),
)
COUNT_SHOE = declare(
    "shoes.shoe.count",
    CHIEFS,
    Text("contar las barajas de un sabot al cierre", "count a shoe's decks at close"),
)
REPORT_FAULT = declare(
    "shoes.shoe.report_fault",
    HANDS_ON_CARDS,
    Text("denunciar una falla en las cartas", "report a fault in the cards"),
)
REVIEW = declare(
    "shoes.discard.review",
    CHIEFS,
    Text("revisar el descartador", "review the discard holder"),
)
WATCH = declare(
    "shoes.shoe.watch", (Role.SYSTEM,), Text("vigilar el orden de las cartas", "watch the order of the cards")
)
