"""Who may do what with chips: desks and chip sets, the stock of chips, fills and credits.

Who asks for chips, who gives them out and who counts them are three people (GEN-10); the acts only say
which roles each may come from.
"""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text
from tables.policies import CHIEFS

SET_MONEY = declare(
    "tables.money.set",
    (Role.ADMINISTRATOR, Role.SYSTEM),
    Text("definir ventanillas y juegos de fichas", "set cage desks and chip sets"),
)
READ_CHIPS = declare(
    "tables.chips.read",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR),
    Text("ver fichas y comprobantes", "see chips and slips"),
)
ENTER_CHIPS = declare(
    "tables.chips.enter",
    (Role.CAGE, Role.COMPLIANCE),
    Text("ingresar o dar de baja fichas", "enter or retire chips"),
)
COUNT_CHIPS = declare(
    "tables.chips.count", (Role.CAGE, Role.COMPLIANCE), Text("recontar las fichas", "count the chips")
)
SIGN_FOR_CHIPS = declare(
    "tables.chips.sign",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE, Role.ADMINISTRATOR),
    Text("firmar un movimiento de fichas", "sign a movement of chips"),
)
REQUEST_SLIP = declare(
    "tables.slip.request", CHIEFS, Text("pedir una reposición o un retiro", "ask for a fill or a credit")
)
ISSUE_SLIP = declare("tables.slip.issue", (Role.CAGE,), Text("emitir un comprobante", "issue a slip"))
VERIFY_FILL = declare("tables.slip.verify_fill", CHIEFS, Text("verificar una reposición", "verify a fill"))
VERIFY_SLIP = declare(
    "tables.slip.verify", (*CHIEFS, Role.CAGE), Text("verificar un comprobante", "verify a slip")
)
VOID_SLIP = declare("tables.slip.void", (*CHIEFS, Role.CAGE), Text("anular un comprobante", "void a slip"))
