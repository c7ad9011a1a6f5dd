"""Who may do what on the floor."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

STAFF_AND_OFFICE = tuple(role for role in Role if role not in {Role.SYSTEM, Role.DEVICE})
CHIEFS = (Role.SUPERVISOR, Role.PIT_BOSS)

READ_FLOOR = declare(
    "tables.floor.read", (*STAFF_AND_OFFICE, Role.DEVICE), Text("ver la sala", "see the floor")
)
READ_MONEY = declare(
    "tables.money.read",
    tuple(role for role in STAFF_AND_OFFICE if role is not Role.CROUPIER),
    Text("ver resultados y totales", "see results and totals"),
)
OPEN_SESSION = declare("tables.session.open", CHIEFS, Text("abrir una mesa", "open a table"))
RUN_SESSION = declare(
    "tables.session.run", CHIEFS, Text("pausar y reanudar una mesa", "pause and resume a table")
)
CLOSE_SESSION = declare("tables.session.close", CHIEFS, Text("cerrar una mesa", "close a table"))
ASSIGN = declare("tables.session.assign", CHIEFS, Text("asignar puestos", "assign posts"))
LOAD_SHOE = declare("tables.session.load_shoe", CHIEFS, Text("poner un sabot", "load a shoe"))
LOG_ROUND = declare("tables.round.log", (*CHIEFS, Role.DEVICE), Text("registrar pases", "log rounds"))
IMPORT_ROUNDS = declare(
    "tables.round.import", (Role.SYSTEM, Role.PIT_BOSS), Text("importar pases", "import rounds")
)
VOID_ROUND = declare("tables.round.void", (Role.PIT_BOSS,), Text("anular un pase", "void a round"))
SET_FLOOR = declare(
    "tables.settings.set",
    (Role.ADMINISTRATOR, Role.SYSTEM),
    Text("cambiar mesas y sectores", "change tables and pits"),
)
SET_LIMITS = declare(
    "tables.limits.set",
    (Role.ADMINISTRATOR, Role.PIT_BOSS, Role.SYSTEM),
    Text("fijar límites de mesa", "set table limits"),
)
PUBLISH_RULES = declare(
    "tables.rules.publish",
    (Role.ADMINISTRATOR, Role.SYSTEM),
    Text("publicar reglas de un juego", "publish a game's rules"),
)
MANAGE_STAFF = declare(
    "tables.staff.manage",
    (Role.ADMINISTRATOR, Role.SYSTEM),
    Text("administrar el personal", "manage staff"),
)
READ_STAFF = declare("tables.staff.read", STAFF_AND_OFFICE, Text("ver el personal", "see the staff"))
