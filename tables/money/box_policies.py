"""Who may do what with drop boxes, their counts and a table's result."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

COUNTERS = (Role.CAGE, Role.COMPLIANCE, Role.ADMINISTRATOR)
"""Whose people count boxes: nobody of the floor, whose money it is."""

READ_BOXES = declare(
    "tables.box.read",
    (
        *(Role.SUPERVISOR, Role.PIT_BOSS, Role.CAGE),
        *(Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR),
    ),
    Text("ver las cajas y sus recuentos", "see drop boxes and their counts"),
)
MOVE_BOXES = declare(
    "tables.box.move",
    (Role.SUPERVISOR, Role.PIT_BOSS),
    Text("poner y retirar cajas de las mesas", "put boxes on tables and take them off"),
)
COUNT_BOXES = declare(
    "tables.box.count", (Role.CAGE,), Text("recibir y contar cajas", "receive and count boxes")
)
RESOLVE_BOXES = declare(
    "tables.box.resolve",
    (Role.SUPERVISOR, Role.PIT_BOSS, Role.COMPLIANCE),
    Text("decidir qué recuento de una caja vale", "decide which count of a box stands"),
)
SET_RATES = declare(
    "tables.box.rate",
    (Role.CAGE, Role.ADMINISTRATOR, Role.SYSTEM),
    Text("fijar el tipo de cambio del recuento", "set the exchange rate of the count"),
)
DECLARE_NO_BOX = declare(
    "tables.session.no_box",
    (Role.SUPERVISOR, Role.PIT_BOSS, Role.CAGE),
    Text("declarar que una mesa no tuvo caja", "declare that a table had no box"),
)
RECONCILE = declare(
    "tables.session.reconcile",
    (Role.PIT_BOSS, Role.CAGE, Role.COMPLIANCE),
    Text("conciliar el resultado de una mesa", "reconcile a table's result"),
)
