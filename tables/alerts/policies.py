"""Who sees alerts, who may say they are attended to, who checks a float and who notes of a shift."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text
from tables.policies import CHIEFS

READ_ALERTS = declare(
    "tables.alert.read",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR),
    Text("ver los avisos de la sala", "see the alerts of the floor"),
)
ACKNOWLEDGE = declare(
    "tables.alert.acknowledge",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE),
    Text("dar por atendido un aviso", "acknowledge an alert"),
)
WATCH = declare(
    "tables.alert.watch", (Role.SYSTEM,), Text("vigilar lo que se debe atender", "watch for alerts")
)
CHECK_FLOAT = declare(
    "tables.float.check",
    CHIEFS,
    Text("controlar el fichero en medio del turno", "check a float in mid-shift"),
)
READ_SHIFT = declare(
    "tables.shift_report.read",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR),
    Text("ver el turno en cifras y hechos", "see the shift in figures and events"),
)
NOTE_SHIFT = declare(
    "tables.shift_report.note", CHIEFS, Text("anotar en el turno", "write a note of the shift")
)
SET_DUTIES = declare(
    "tables.duties.set",
    (Role.ADMINISTRATOR, Role.SYSTEM),
    Text("asignar sectores a los jefes", "give chiefs their pits"),
)
OPEN_DISPUTE = declare(
    "tables.dispute.open", CHIEFS, Text("abrir una discrepancia en la mesa", "open a dispute at a table")
)
