"""What the cage puts on the trail: receipts, transfers, counts, funds, tips, what nobody claimed."""

from __future__ import annotations

from audits.vocabulary import register
from casino.kernel.words import Text

register("tables.cage.set", "cambiaron los ajustes de caja", "the settings of the cage changed")
register(
    "tables.cage.sold",
    "{desk_name}: venta {subject} por {amount:money}, IPJ {tax:money}",
    "{desk_name}: sale {subject} of {amount:money}, IPJ {tax:money}",
    kind=Text("venta de fichas en caja", "chips sold at the cage"),
)
register(
    "tables.cage.redeemed",
    "{desk_name}: canje {subject}, se pagaron {amount:money}",
    "{desk_name}: redemption {subject}, {amount:money} was paid",
    kind=Text("canje de fichas en caja", "chips redeemed at the cage"),
)
register(
    "tables.cage.exchanged",
    "{desk_name}: cambio de fichas {subject} por {amount:money}",
    "{desk_name}: chips exchanged, {subject}, {amount:money}",
)
register(
    "tables.cage.prize_paid",
    "{desk_name}: {subject}, se pagó el premio {reference} de {amount:money}",
    "{desk_name}: {subject}, prize {reference} of {amount:money} was paid",
)
register(
    "tables.cage.voided",
    "{desk_name}: {subject} anula {reverses} por {amount:money}",
    "{desk_name}: {subject} voids {reverses}, {amount:money}",
    kind=Text("anulación en caja", "void at the cage"),
)
register(
    "tables.cage.counted",
    "{subject}: diferencia de efectivo {cash_difference:money}, de fichas {chips_difference:money}",
    "{subject}: cash difference {cash_difference:money}, chips difference {chips_difference:money}",
)
register(
    "tables.transfer.requested",
    "se pidió el traspaso {subject}: fichas {chips_total:money}, efectivo {cash_total:money}",
    "transfer {subject} was asked for: chips {chips_total:money}, cash {cash_total:money}",
)
register(
    "tables.transfer.accepted",
    "se aceptó el traspaso {subject}: fichas {chips_total:money}, efectivo {cash_total:money}",
    "transfer {subject} was accepted: chips {chips_total:money}, cash {cash_total:money}",
)
register("tables.transfer.cancelled", "se anuló el traspaso {subject}", "transfer {subject} was given up")
register(
    "tables.funds.brought",
    "ingresaron {amount:money} de capital: {document}",
    "capital of {amount:money} came in: {document}",
)
register(
    "tables.funds.withdrawn",
    "se retiraron {amount:money} de capital: {document}",
    "capital of {amount:money} was taken out: {document}",
)
register(
    "tables.funds.drop_carried",
    "la caja de una mesa fue a bóveda: {amount:money}",
    "the drop of a table was carried to the vault: {amount:money}",
)
register(
    "tables.funds.ipj_paid",
    "se pagó IPJ por {amount:money}: {document}",
    "IPJ of {amount:money} was paid: {document}",
)
register(
    "tables.funds.drawn",
    "del banco a bóveda {amount:money}: {document}",
    "{amount:money} was drawn from the bank for the vault: {document}",
)
register(
    "tables.funds.banked",
    "de bóveda al banco {amount:money}: {document}",
    "{amount:money} of the vault was paid into the bank: {document}",
)
register(
    "tables.tips.handed_over",
    "propinas del {subject}: {name} recibió {amount:money}",
    "tips of {subject}: {name} received {amount:money}",
    kind=Text("propinas entregadas", "tips handed over"),
)
register(
    "tables.tips.entered",
    "{subject}: propinas por {amount:money}",
    "{subject}: tips of {amount:money}",
    kind=Text("propinas ingresadas", "tips entered"),
)
register(
    "tables.tips.drafted",
    "se preparó el reparto de propinas del {subject}: {total:money}",
    "how the tips of {subject} are shared was drafted: {total:money}",
)
register(
    "tables.tips.approved",
    "se aprobó el reparto de propinas del {subject}: {total:money}",
    "how the tips of {subject} are shared was approved: {total:money}",
)
register(
    "tables.orphan.entered",
    "se guardaron fichas sin dueño, {subject}: {amount:money}",
    "unclaimed chips were kept, {subject}: {amount:money}",
)
register(
    "tables.orphan.returned",
    "se devolvió {subject} a {claimant}, documento {document}: {amount:money}",
    "{subject} was given back to {claimant}, document {document}: {amount:money}",
)
register(
    "tables.orphan.passed",
    "{subject} pasó a la casa: {amount:money}",
    "{subject} passed to the house: {amount:money}",
)
