"""Who may do what with the bank and its auctions. Players have no login: whoever stands at the table
records.
"""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

CHIEFS = (Role.SUPERVISOR, Role.PIT_BOSS)
AT_THE_TABLE = (*CHIEFS, Role.CROUPIER, Role.DEVICE)

READ_BANK = declare(
    "tables.bank.read",
    (Role.CROUPIER, *CHIEFS, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.DEVICE),
    Text("ver el banco y sus subastas", "see the bank and its auctions"),
)
RUN_BANK = declare("tables.bank.run", CHIEFS, Text("llevar el banco", "run the bank"))
BID = declare("tables.bank.bid", AT_THE_TABLE, Text("anotar pujas", "record bids"))
OPEN_AUCTION = declare("tables.auction.open", CHIEFS, Text("subastar el banco", "auction the bank"))
CLOSE_AUCTION = declare(
    "tables.auction.close",
    (*AT_THE_TABLE, Role.SYSTEM),
    Text("cerrar una subasta vencida", "close an auction whose time is up"),
)
SIGN_ACT = declare(
    "tables.auction.sign",
    (*CHIEFS, Role.CROUPIER, Role.COMPLIANCE),
    Text("firmar el acta de una subasta", "sign the act of an auction"),
)
