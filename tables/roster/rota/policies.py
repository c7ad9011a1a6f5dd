"""Who may do what with the plan of posts."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text
from tables.policies import CHIEFS

DRAFT = declare(
    "tables.rotation.draft", (Role.PIT_BOSS, Role.SYSTEM), Text("planificar la rotación", "plan the rotation")
)
APPLY = declare(
    "tables.rotation.apply",
    (Role.PIT_BOSS, Role.SYSTEM),
    Text("aplicar un plan de rotación", "apply a rotation plan"),
)
PROPOSE = declare(
    "tables.rotation.propose", CHIEFS, Text("proponer un cambio de puestos", "propose a swap of posts")
)
CARRY_OUT = declare(
    "tables.rotation.carry_out", CHIEFS, Text("hacer los relevos del plan", "carry out the plan's reliefs")
)
READ = declare(
    "tables.rotation.read",
    (*CHIEFS, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR),
    Text("ver el plan de rotación", "see the rotation plan"),
)
NOTE = declare(
    "tables.rotation.note",
    (Role.SYSTEM, Role.PIT_BOSS),
    Text("asentar el reparto del día", "note the day's fairness"),
)
