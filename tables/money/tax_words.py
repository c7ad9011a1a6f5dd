"""What the taxes are called, for pages and reports."""

from __future__ import annotations

from casino.kernel.words import Text
from tables.money.taxes import GROSS, NET

BASES = {
    GROSS: Text("ingreso bruto menos IVA", "gross income less VAT"),
    NET: Text("neto de premios y devoluciones, menos IVA", "net of prizes and returned chips, less VAT"),
}
ESTIMATED = Text(
    "estimado: el operador no eligió la base por escrito, o falta contar mesas",
    "estimated: the operator has chosen no base in writing, or tables are still to be counted",
)
FINAL = Text("sobre la base elegida por el operador", "on the base chosen by the operator")
