"""Who may do what with guests, seats and exclusion lists. A document in full is for compliance and the
inspector alone (`SEE_DOCUMENTS`)."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

CHIEFS = (Role.SUPERVISOR, Role.PIT_BOSS)

READ_GUESTS = declare(
    "tables.guest.read",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR),
    Text("ver a los jugadores", "see the players"),
)
SEE_DOCUMENTS = declare(
    "tables.guest.see_document",
    (Role.COMPLIANCE, Role.INSPECTOR),
    Text("ver documentos de identidad completos", "see identity documents in full"),
)
KEEP_GUESTS = declare(
    "tables.guest.keep",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE),
    Text("registrar a un jugador", "register a player"),
)
READ_SEATS = declare(
    "tables.seat.read",
    (Role.CROUPIER, *CHIEFS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.DEVICE),
    Text("ver los asientos", "see the seats"),
)
SEAT = declare("tables.seat.take", CHIEFS, Text("sentar a un jugador", "seat a player"))
KEEP_WAITING = declare(
    "tables.waiting.keep", CHIEFS, Text("llevar la lista de espera", "keep the waiting list")
)
READ_EXCLUSIONS = declare(
    "tables.exclusion.read",
    (Role.PIT_BOSS, Role.COMPLIANCE, Role.INSPECTOR),
    Text("ver las exclusiones", "see the exclusions"),
)
EXCLUDE = declare(
    "tables.exclusion.record",
    (Role.COMPLIANCE, Role.SYSTEM),
    Text("registrar exclusiones", "record exclusions"),
)
ASK_AGAIN = declare(
    "tables.guest.ask_again",
    (Role.SYSTEM,),
    Text("preguntar de nuevo por quien ya está en la sala", "ask again about who is on the floor already"),
)
END_EXCLUSION = declare(
    "tables.exclusion.end", (Role.COMPLIANCE,), Text("terminar una exclusión", "end an exclusion")
)
SIGN_EXCLUSION_END = declare(
    "tables.exclusion.sign_end",
    (Role.COMPLIANCE, Role.PIT_BOSS, Role.ADMINISTRATOR),
    Text("firmar el fin de una exclusión", "sign the end of an exclusion"),
)
READ_MATCHES = declare(
    "tables.match.read",
    (*CHIEFS, Role.COMPLIANCE, Role.INSPECTOR),
    Text("ver las coincidencias con la lista", "see the matches with the list"),
)
DECIDE_MATCH = declare(
    "tables.match.decide",
    (*CHIEFS, Role.COMPLIANCE),
    Text("resolver una coincidencia", "decide a match"),
)
SET_ADMISSION = declare(
    "tables.guest.set_admission",
    (Role.COMPLIANCE, Role.ADMINISTRATOR, Role.SYSTEM),
    Text("fijar si todos se identifican", "set whether everybody is identified"),
)
