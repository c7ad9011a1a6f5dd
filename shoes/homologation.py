"""A maker's cards as a filing: homologated by the AJ before the first of them enters the store (REC-09).

The deck itself bears the reference the house writes; where the house asks for it (`audits.filing_demands`),
cards of a maker and type nobody had homologated are not received, and the refusal says what is missing.
"""

from __future__ import annotations

import datetime as dt

from audits import filings, homologations
from audits import policies as filing_policies
from audits.by import By
from audits.filing_kinds import about_house
from audits.homologations import RULE
from audits.models import Filing
from audits.trail import Subject
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.words import Text
from casino.models import Casino
from shoes import cards

MATERIALS = filings.register_kind(
    "materials",
    Text("homologación de barajas", "homologation of cards"),
    rule=RULE,
    approval=True,
    facts=("maker", "deck_type"),
    by_house=True,
)


@command(filing_policies.DRAFT_FILING)
def draft(*, maker: str, deck_type: str, by: By, text: str = "") -> Filing:
    """Draft the homologation of a maker's cards of a type. Raises `Refused` (`bad_deck`, `unknown_deck_type`,
    `bad_text`)."""
    kind = cards.deck_type(deck_type)
    made_by = texts.line(maker, "maker", 60, code="bad_deck", rule="CARD-01")
    words = (
        f"Se pide homologar las barajas de {made_by}, {kind.name.es}, antes de usarlas en las"
        " mesas de la casa."
    )
    house = about_house(by.casino)
    return filings.drafted(
        kind=MATERIALS,
        subject=Subject(house.type, house.id, f"{made_by} · {kind.name.es}"[:120]),
        text=f"{words}\n\n{filings.added(text)}".strip(),
        by=by,
        facts={"maker": made_by, "deck_type": kind.code},
    )


def approved(casino: Casino, maker: str, deck_type: str, day: dt.date) -> Filing | None:
    """The homologation of a maker's cards of a type that is valid on a day."""
    return homologations.approved(casino, MATERIALS, maker, day, deck_type=deck_type)


def require(casino: Casino, maker: str, deck_type: str, day: dt.date) -> None:
    """Raises `RuleViolation` REC-09 (`not_approved`) for cards the house asks a homologation of and lacks."""
    homologations.require(casino, MATERIALS, maker, day, field="maker", deck_type=deck_type)
