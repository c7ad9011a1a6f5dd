"""Who may do what with progressive pools."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

CHIEFS = (Role.SUPERVISOR, Role.PIT_BOSS)
AT_THE_TABLE = (*CHIEFS, Role.CROUPIER, Role.DEVICE)
OFFICE = (Role.PIT_BOSS, Role.COMPLIANCE, Role.ADMINISTRATOR)

READ = declare(
    "jackpots.pool.read",
    (*AT_THE_TABLE, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR),
    Text("ver los pozos", "see the pools"),
)
SET_POOL = declare(
    "jackpots.pool.set", OFFICE, Text("definir pozos y sus mesas", "set pools and their tables")
)
DRAFT = declare("jackpots.version.draft", OFFICE, Text("redactar parámetros", "draft parameters"))
APPROVE = declare(
    "jackpots.version.approve",
    (*OFFICE, Role.CAGE),
    Text("aprobar parámetros por su área", "approve parameters for one's department"),
)
RUN_POOL = declare(
    "jackpots.pool.run", OFFICE, Text("poner en marcha o detener pozos", "start and stop pools")
)
STOP_POOL = declare(
    "jackpots.pool.stop",
    (*OFFICE, Role.SUPERVISOR),
    Text("detener un pozo por falla", "stop a pool for a failure"),
)
LAPSE = declare(
    "jackpots.pool.lapse",
    (Role.SYSTEM,),
    Text("suspender un pozo sin aprobación vigente", "suspend a pool without a valid approval"),
)
BET = declare(
    "jackpots.bet.place", AT_THE_TABLE, Text("anotar apuestas progresivas", "record progressive bets")
)
SELL_CREDITS = declare("jackpots.credits.sell", AT_THE_TABLE, Text("activar créditos", "activate credits"))
VERIFY_PRIZE = declare(
    "jackpots.prize.verify",
    (*CHIEFS, Role.COMPLIANCE, Role.CAGE),
    Text("verificar premios progresivos", "verify progressive prizes"),
)
PAY_PRIZE = declare(
    "jackpots.prize.pay", (Role.CAGE,), Text("pagar premios progresivos", "pay progressive prizes")
)
PAY_LISTED = declare(
    "jackpots.prize.pay_listed",
    (Role.COMPLIANCE,),
    Text("firmar el pago a quien figura en las listas", "sign a payment to somebody on the lists"),
)
READ_FORM = declare(
    "jackpots.prize.form",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR),
    Text(
        "ver el formulario de pago, con el documento de quien cobra", "see the payment form, with a document"
    ),
)
READ_METER = declare(
    "jackpots.meter.read",
    (*CHIEFS, Role.COMPLIANCE),
    Text("anotar lecturas del contador", "record meter readings"),
)
PROVE = declare(
    "jackpots.pool.prove",
    (Role.COMPLIANCE, Role.ADMINISTRATOR, Role.SYSTEM),
    Text("probar los pozos", "prove the pools"),
)
COMPLEMENTARY = declare(
    "jackpots.complementary.run",
    (Role.PIT_BOSS, Role.COMPLIANCE),
    Text("sortear premios complementarios", "draw complementary prizes"),
)
