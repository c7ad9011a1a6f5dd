"""Who may do what with shifts."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

PLANNERS = (Role.PIT_BOSS, Role.ADMINISTRATOR)
CHIEFS = (Role.SUPERVISOR, Role.PIT_BOSS, Role.ADMINISTRATOR)
"""Who notes the hours of others; everybody else only their own, and only as they happen."""

PLAN_SHIFTS = declare("tables.shift.plan", PLANNERS, Text("planificar turnos", "plan shifts"))
CLOCK = declare(
    "tables.shift.clock",
    (Role.CROUPIER, Role.SUPERVISOR, Role.PIT_BOSS, Role.CAGE, Role.COMPLIANCE, Role.ADMINISTRATOR),
    Text("marcar entrada y salida", "clock in and out"),
)
NOTE_OTHERS = declare(
    "tables.shift.note_others",
    CHIEFS,
    Text("anotar las horas de otras personas", "note other people's hours"),
)
READ_ROSTER = declare(
    "tables.shift.read",
    (Role.SUPERVISOR, Role.PIT_BOSS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR),
    Text("ver los turnos", "see the shifts"),
)
OWN_POST = declare(
    "tables.shift.own",
    (Role.CROUPIER, Role.SUPERVISOR, Role.PIT_BOSS, Role.CAGE, Role.COMPLIANCE, Role.ADMINISTRATOR),
    Text("ver su puesto y sus turnos", "see one's own post and shifts"),
)
