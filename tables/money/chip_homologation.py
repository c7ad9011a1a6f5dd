"""A maker's chips or plaques as a filing: homologated by the AJ before the first of them enters the vault."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from audits import filings, homologations
from audits import policies as filing_policies
from audits.by import By
from audits.filing_kinds import about_house
from audits.homologations import RULE
from audits.models import Filing
from audits.trail import Subject
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import ChipSet
from tables.money.chip_sets import sets_by_denomination

CHIP_MATERIALS = filings.register_kind(
    "chip_materials",
    Text("homologación de fichas y placas", "homologation of chips and plaques"),
    rule=RULE,
    approval=True,
    facts=("maker", "chip_kind"),
    by_house=True,
)
NAMES = {
    ChipSet.Kind.CHIP.value: Text("fichas", "chips"),
    ChipSet.Kind.PLAQUE.value: Text("placas", "plaques"),
}


@command(filing_policies.DRAFT_FILING)
def draft(*, maker: str, chip_kind: str, by: By, text: str = "") -> Filing:
    """Draft the homologation of a maker's chips or plaques (`chip_kind`). Raises `Refused` (`bad_entry`,
    `unknown_chip_kind`, `bad_text`)."""
    if chip_kind not in NAMES:
        raise Refused(
            Text("elija fichas o placas", "choose chips or plaques"),
            code="unknown_chip_kind",
            rule=RULE,
            field="chip_kind",
        )
    made_by = texts.line(maker, "maker", 120, code="bad_entry", rule=RULE)
    called = NAMES[chip_kind].es
    words = f"Se pide homologar las {called} de {made_by}, antes de usarlas en las mesas y cajas de la casa."
    house = about_house(by.casino)
    return filings.drafted(
        kind=CHIP_MATERIALS,
        subject=Subject(house.type, house.id, f"{made_by} · {called}"[:120]),
        text=f"{words}\n\n{filings.added(text)}".strip(),
        by=by,
        facts={"maker": made_by, "chip_kind": chip_kind},
    )


def require(casino: Casino, maker: str, denominations: Iterable[int], day: dt.date) -> None:
    """Raises `RuleViolation` REC-09 (`not_approved`) for chips of a maker that the house asks a homologation
    of and lacks. A denomination no set has is a chip's."""
    sets = sets_by_denomination(casino)
    found = {str(sets[value].kind) if value in sets else ChipSet.Kind.CHIP.value for value in denominations}
    for kind in sorted(found):
        homologations.require(casino, CHIP_MATERIALS, maker, day, field="supplier", chip_kind=kind)
