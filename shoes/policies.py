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
