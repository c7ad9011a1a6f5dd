"""Plans of where players' money goes, which the AJ approves before it goes (PP-29, PP-32).

A plan is a filing that says one thing: so much of a fund of a pool to another pool, or, where the pool is
retired, all that players contributed. It allows that once, and nothing else. A house that keeps no other pool
says in words where the AJ has the money go.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from audits import filings
from audits import policies as filing
from audits.by import By
from audits.models import Filing
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from jackpots import filings as asked
from jackpots.models import Fund, Pool
from jackpots.naming import fund as fund_name

LONGEST_DESTINATION = 200


@command(filing.DRAFT_FILING)
def draft_plan(
    *,
    pool: Pool,
    to: Pool | None,
    by: By,
    fund: str = "",
    amount: int | None = None,
    destination: str = "",
    text: str = "",
) -> Filing:
    """Draft the plan of a transfer (`fund`, `amount`), or of a retirement (neither), to another pool, or of
    the last pool to a `destination` in words.

    Raises `Refused` (`no_fund`, `bad_amount`, `same_pool`, `destination_missing`, `bad_text`), `Conflict`
    (`not_the_last`).
    """
    where = destination_of(pool, to, destination, fund)
    if to is not None and to.pk == pool.pk:
        raise Refused(
            Text("elija otro pozo que reciba el saldo", "choose another pool to receive the balance"),
            code="same_pool",
            rule="PP-32",
            field="to",
        )
    if fund:
        _require_amount(pool, fund, amount)
    facts = {**facts_of(to, fund, amount, where), "to_name": "" if to is None else to.name}
    words = _words(pool, facts)
    return filings.drafted(
        kind=asked.TRANSFER,
        subject=asked.about_pool(pool),
        text=f"{words} {filings.added(text)}".strip(),
        by=by,
        facts=facts,
    )


def facts_of(
    to: Pool | None, fund: str = "", amount: int | None = None, destination: str = ""
) -> dict[str, Any]:
    """What a plan is for, as the act must match it. No fund: all of them, the pool being retired."""
    return {
        "to": None if to is None else to.pk,
        "fund": fund,
        "amount": amount if fund else None,
        "destination": destination,
    }


def receivers(pool: Pool) -> QuerySet[Pool]:
    """The pools of the house that may receive the balance of another."""
    others = Pool.objects.filter(casino_id=pool.casino_id).exclude(pk=pool.pk)
    return others.exclude(state=Pool.State.RETIRED).exclude(version=None)


def in_words(pool: Pool, day: dt.date) -> list[Filing]:
    """The approved plans of a pool that name a destination in words, the newest first."""
    there = filings.valid(pool.casino, asked.TRANSFER, asked.about_pool(pool), day)
    return [one for one in there if one.facts.get("destination")]


def require_plan(pool: Pool, facts: Mapping[str, Any], by: By) -> Filing:
    """The approved plan for exactly this. Raises `RuleViolation` PP-32 (`not_approved`, `filing_differs`)."""
    day = by.casino.gaming_day(by.occurred_at)
    return filings.require_exactly(by.casino, asked.TRANSFER, asked.about_pool(pool), day, facts)


def destination_of(pool: Pool, to: Pool | None, destination: str, fund: str = "") -> str:
    """A transfer is to a pool; the retirement of the last one is to where the AJ says, in words.

    Raises `Refused` (`destination_missing`, `bad_text`), `Conflict` (`not_the_last`).
    """
    if to is not None:
        return ""
    if fund or not destination.strip():
        raise Refused(
            Text(
                "elija el pozo que recibe el saldo; si se retira el último, escriba adónde va lo que"
                " aportaron los jugadores",
                "choose the pool that receives the balance; where the last one is retired, write where what"
                " players contributed goes",
            ),
            code="destination_missing",
            rule="PP-32",
            field="to" if fund else "destination",
        )
    other = receivers(pool).order_by("pk").first()
    if other is not None:
        raise Conflict(
            Text(
                f"no es el último pozo: elija el que recibe lo que aportaron los jugadores, como"
                f" {other.name}",
                f"it is not the last pool: choose the one that receives what players contributed, such as"
                f" {other.name}",
            ),
            code="not_the_last",
            rule="PP-32",
            field="to",
        )
    return texts.prose(destination, "destination", LONGEST_DESTINATION, rule="PP-32")


def _require_amount(pool: Pool, fund: str, amount: int | None) -> None:
    if not Fund.objects.filter(pool=pool, code=fund).exists():
        raise Refused(
            Text("ese pozo no tiene ese fondo", "that pool has no such fund"),
            code="no_fund",
            rule="PP-29",
            field="fund",
        )
    if not isinstance(amount, int) or isinstance(amount, bool) or amount <= 0:
        raise Refused(
            Text("el importe es mayor que cero", "the amount is above zero"),
            code="bad_amount",
            rule="PP-29",
            field="amount",
        )


def _words(pool: Pool, facts: Mapping[str, Any]) -> str:
    """What the AJ is asked, in a sentence."""
    target = f"al pozo «{facts['to_name']}»" if facts["to_name"] else f"a {facts['destination']}"
    if not facts["fund"]:
        return (
            f"Se pide aprobar el retiro del pozo «{pool.name}»: todo lo que aportaron los jugadores va"
            f" {target}, y la base vuelve a la casa."
        )
    amount = money_words(facts["amount"], pool.casino.exponent).es
    return (
        f"Se pide aprobar el traslado de {amount} de {fund_name(facts['fund']).es} del pozo «{pool.name}»"
        f" {target}."
    )
