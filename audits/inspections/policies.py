"""Who may do what about inspections. The inspector writes his own visits and nothing else (REC-11)."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

HOUSE = (Role.SUPERVISOR, Role.PIT_BOSS, Role.COMPLIANCE, Role.ADMINISTRATOR)
"""Who answers for the house beside an inspector's count. Not the cage: it counts a table's boxes, and what
was expected in its float would tell it what to find there (FLOOR-11)."""

GIVE_ACCESS = declare(
    "audits.access.give",
    (Role.ADMINISTRATOR, Role.COMPLIANCE),
    Text("dar y revocar códigos de inspector", "give and revoke inspectors' codes"),
)
SET_TERMS = declare(
    "audits.access.set_terms",
    (Role.ADMINISTRATOR,),
    Text("fijar cuánto duran los códigos de inspector", "set how long inspectors' codes last"),
)
KNOCK = declare(
    "audits.access.knock", (Role.SYSTEM,), Text("probar un código de inspector", "try an inspector's code")
)
NOTE_LOOK = declare(
    "audits.access.look",
    (Role.INSPECTOR,),
    Text("dejar registro de una consulta", "leave a record of a look"),
)
READ_INSPECTIONS = declare(
    "audits.inspection.read",
    (Role.INSPECTOR, *HOUSE),
    Text("ver las inspecciones", "see the inspections"),
)
OPEN_INSPECTION = declare(
    "audits.inspection.open",
    (Role.INSPECTOR, Role.COMPLIANCE),
    Text("abrir y cerrar una visita de inspección", "open and close an inspection visit"),
)
INSPECT = declare(
    "audits.inspection.inspect",
    (Role.INSPECTOR,),
    Text("sortear mesas y contar en una inspección", "draw tables and count in an inspection"),
)
ANSWER = declare(
    "audits.inspection.answer",
    (Role.INSPECTOR, *HOUSE),
    Text("firmar u objetar el conteo del inspector", "sign or object to the inspector's count"),
)
