"""Who may do what at the cage: sell and redeem, transfers, counts, funds, tips, what nobody claimed."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text
from tables.policies import CHIEFS

OFFICE = (Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR)

READ_CAGE = declare("tables.cage.read", (Role.CAGE, *CHIEFS, *OFFICE), Text("ver la caja", "see the cage"))
OPERATE_CAGE = declare(
    "tables.cage.operate",
    (Role.CAGE,),
    Text("vender y canjear fichas en caja", "sell and redeem chips at the cage"),
)
VOID_RECEIPT = declare(
    "tables.cage.void", (Role.CAGE, Role.PIT_BOSS), Text("anular un recibo de caja", "void a cage receipt")
)
APPROVE_VOID = declare(
    "tables.cage.approve_void",
    (Role.CAGE, Role.PIT_BOSS, Role.COMPLIANCE),
    Text("aprobar la anulación de un recibo", "approve the void of a receipt"),
)
REQUEST_TRANSFER = declare(
    "tables.cage.request_transfer",
    (Role.CAGE,),
    Text("pedir un traspaso entre bóveda y caja", "ask for a transfer between vault and cage"),
)
ACCEPT_TRANSFER = declare(
    "tables.cage.accept_transfer",
    (Role.CAGE, Role.PIT_BOSS, Role.COMPLIANCE),
    Text("aceptar un traspaso", "accept a transfer"),
)
COUNT_CAGE = declare("tables.cage.count", (Role.CAGE,), Text("arquear la caja", "count a cage desk"))
WITNESS_COUNT = declare(
    "tables.cage.witness_count",
    (Role.CAGE, *CHIEFS, Role.COMPLIANCE),
    Text("firmar un arqueo de caja", "sign the count of a desk"),
)
SET_CAGE = declare(
    "tables.cage.set",
    (Role.ADMINISTRATOR, Role.SYSTEM),
    Text("cambiar los ajustes de caja", "change the settings of the cage"),
)
MOVE_FUNDS = declare(
    "tables.funds.move",
    (Role.CAGE, Role.COMPLIANCE),
    Text("registrar fondos de la casa", "record funds of the house"),
)
SIGN_FUNDS = declare(
    "tables.funds.sign",
    (Role.CAGE, Role.PIT_BOSS, Role.COMPLIANCE, Role.ADMINISTRATOR),
    Text("firmar un movimiento de fondos", "sign a movement of funds"),
)
STOP_FOR_FUNDS = declare(
    "tables.funds.stop",
    (Role.PIT_BOSS, Role.COMPLIANCE),
    Text("parar el juego por falta de fondos", "stop play for want of funds"),
)
READ_TAXES = declare(
    "tables.taxes.read", (Role.CAGE, Role.PIT_BOSS, *OFFICE), Text("ver los impuestos", "see the taxes")
)
ENTER_TIPS = declare("tables.tips.enter", (*CHIEFS, Role.CAGE), Text("registrar propinas", "enter tips"))
READ_TIPS = declare(
    "tables.tips.read",
    (*CHIEFS, Role.CAGE, *OFFICE),
    Text("ver el reparto de propinas", "see how tips are shared"),
)
READ_OWN_TIPS = declare(
    "tables.tips.read_own",
    (Role.CROUPIER, *CHIEFS),
    Text("ver las propinas propias", "see one's own tips"),
)
APPROVE_TIPS = declare(
    "tables.tips.approve",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE),
    Text("aprobar el reparto de propinas", "approve how tips are shared"),
)
HAND_OVER_TIPS = declare(
    "tables.tips.hand_over", (*CHIEFS, Role.CAGE), Text("entregar propinas", "hand tips over")
)
SIGN_FOR_TIPS = declare(
    "tables.tips.sign",
    (Role.CROUPIER, *CHIEFS, Role.CAGE, Role.COMPLIANCE),
    Text("firmar que recibió propinas", "sign for tips received"),
)
ENTER_ORPHAN = declare(
    "tables.orphans.enter",
    (*CHIEFS, Role.CAGE),
    Text("registrar fichas sin dueño", "enter unclaimed chips"),
)
READ_ORPHANS = declare(
    "tables.orphans.read",
    (*CHIEFS, Role.CAGE, *OFFICE),
    Text("ver el libro de fichas sin dueño", "see the book of orphans"),
)
RETURN_ORPHAN = declare(
    "tables.orphans.return",
    (*CHIEFS, Role.CAGE, Role.COMPLIANCE),
    Text("devolver fichas sin dueño", "give unclaimed chips back"),
)
PASS_ORPHAN = declare(
    "tables.orphans.pass",
    (Role.COMPLIANCE,),
    Text("pasar a la casa fichas sin dueño", "pass unclaimed chips to the house"),
)
