"""Who stood at the counter, where a receipt says so; the threshold of a person's cash in a day (REC-13).

A name and a document are noted together; no rule asks for either, so a receipt without them is never refused.
Cash of one person on one gaming day is added up over every desk, by document; a receipt that brings it to the
threshold is flagged, and so is one that comes there alone with nobody named. The threshold is in dollars, at
the rate of the count room: a house that set none flags nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from audits.by import By
from casino.kernel import rulebook, texts
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import GamingDay
from tables.guests import matching
from tables.models import CageOperation
from tables.money import box_counts

RULE, CURRENCY, SCALE = "REC-13", "USD", 10_000
"""The rate of a currency is in ten-thousandths of one of the house's own."""


@dataclass(frozen=True, slots=True)
class Customer:
    """Who it was, as the cashier read it off a document; both empty where nobody was named."""

    name: str = ""
    document: str = ""


NOBODY = Customer()


def checked(name: str, document: str) -> Customer:
    """A customer as noted, by name and document or not at all.

    Raises `Refused` (`bad_customer`, `bad_document`).
    """
    if not name.strip() and not document.strip():
        return NOBODY
    if not name.strip() or not document.strip():
        raise Refused(
            Text(
                "anote el nombre y el documento, o ninguno de los dos",
                "note the name and the document, or neither",
            ),
            code="bad_customer",
            rule=RULE,
            field="document" if name.strip() else "customer",
        )
    customer = Customer(
        texts.line(name, "customer", 120, code="bad_customer", rule=RULE),
        texts.line(document, "document", 40, code="bad_document", rule=RULE, least=4),
    )
    if not any(map(str.isalpha, customer.name)):
        raise _no_sign("customer", "bad_customer", Text("el nombre lleva letras", "a name has letters"))
    if not any(map(str.isalnum, customer.document)):
        words = Text("el documento lleva letras o números", "a document has letters or digits")
        raise _no_sign("document", "bad_document", words)
    return customer


def _no_sign(field: str, code: str, words: Text) -> Refused:
    return Refused(words, code=code, rule=RULE, field=field)


def threshold(by: By) -> int | None:
    """From how much cash of a person and day on, in smallest units; None where no rate of the dollar is set.

    At 6,96: 3.000 x 6,96 = 20.880,00.
    """
    rate = box_counts.rates_at(by).get(CURRENCY)
    if rate is None:
        return None
    units = int(rulebook.rule(RULE).params["cash_alert_usd"])
    return -(-units * rate * 10**by.casino.exponent // SCALE)


def reached(day: GamingDay, customer: Customer, cash: int, by: By) -> bool:
    """Whether `cash` more, paid or received, brings a person's gaming day to the threshold."""
    least = threshold(by)
    if least is None or not cash:
        return False
    before = sum(_cash(row) for row in _of_the_day(day) if _key(row.document) == _key(customer.document))
    return cash + (before if customer.document else 0) >= least


def _of_the_day(day: GamingDay) -> QuerySet[CageOperation]:
    """The receipts of a day that name somebody and stand."""
    return CageOperation.objects.filter(day=day, reverses=None, reversed_by=None).exclude(document="")


def _cash(row: CageOperation) -> int:
    return cash_of(row.kind, row.means, row.due)


def cash_of(kind: str, means: str, due: int) -> int:
    """The cash that went over the counter: of a sale what was paid, of the others what it gave."""
    counts = kind in (CageOperation.Kind.REDEMPTION, CageOperation.Kind.PRIZE_CASH) or (
        kind == CageOperation.Kind.SALE and means == CageOperation.Means.CASH
    )
    return due if counts else 0


def _key(document: str) -> str:
    """A document as it is compared: as the players' register reads an identity card (`4.871.203 LP` is
    `4871203`), or as it stands where no number is in it."""
    return matching.normal_number(matching.CI, "BO", document) or document.strip().upper()
