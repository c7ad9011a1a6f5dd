"""What a maker delivers, homologated by the AJ before the first of it enters the house (REC-09).

Cards and chips ask alike: a filing about the house that says a maker and what of theirs. Where the house asks
for it (`audits.filing_demands`), what nobody had homologated is not received, and the refusal says what is
missing. Its rooms register the kinds and draft the filings.
"""

from __future__ import annotations

import datetime as dt
import unicodedata

from audits import filing_demands, filings
from audits.filing_kinds import about_house
from audits.models import Filing
from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from casino.models import Casino

RULE = "REC-09"


def approved(casino: Casino, kind: str, maker: str, day: dt.date, **of: str) -> Filing | None:
    """The homologation of what a maker delivers that is valid on a day; `of`: the facts that say what."""
    there = filings.valid(casino, kind, about_house(casino), day)
    return next((one for one in there if _is_of(one, maker, of)), None)


def require(casino: Casino, kind: str, maker: str, day: dt.date, *, field: str, **of: str) -> None:
    """Raises `RuleViolation` REC-09 (`not_approved`) for what the house asks a homologation of and lacks."""
    if kind not in filing_demands.demanded(casino, kind):
        return
    if approved(casino, kind, maker, day, **of) is not None:
        return
    rows = Filing.objects.filter(casino=casino, kind=kind).order_by("-pk")
    found = next((one for one in rows if _is_of(one, maker, of)), None)
    words = Text(
        "{maker}: falta «{kind}» con aprobación vigente de la AJ; {then}",
        "{maker}: “{kind}” lacks a valid approval of the AJ; {then}",
    )
    raise RuleViolation(
        RULE,
        words.fill(maker=maker, kind=filings.kinds()[kind].name, then=_then(found)),
        {"filing": kind, "filing_id": None if found is None else found.pk},
        code="not_approved",
        field=field,
    )


def _then(found: Filing | None) -> Text:
    """What to do next, by what became of the last filing for it."""
    if found is None:
        return Text(
            "redacte el trámite, preséntelo y anote la respuesta",
            "draft the filing, present it and note the answer",
        )
    words = Text("{label} está {es} y no rige hoy", "{label} is {en} and not valid today")
    return words.fill(label=found.label, es=found.get_state_display(), en=found.state)


def _is_of(filing: Filing, maker: str, of: dict[str, str]) -> bool:
    told = _plain(str(filing.facts.get("maker", "")))
    return told == _plain(maker) and all(filing.facts.get(name) == value for name, value in of.items())


def _plain(name: str) -> str:
    """A maker's name as it is compared: as people write it, whatever the capitals and spaces."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())
