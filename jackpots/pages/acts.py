"""Steps of a pool's life, each with its reason and a second person who signs beside (GEN-10, PP-32)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters

from audits.by import By
from audits.models import Actor
from audits.pages.answers import chosen, rows_of
from casino.kernel.words import Text
from jackpots import pools, seeing
from jackpots.models import Pool
from jackpots.naming import fund
from jackpots.pages.finding import pool_of, signed
from tables.pages.cage_forms import amount, form_number

TEMPLATE = "jackpots/act.html"


@dataclass(frozen=True, slots=True)
class Step:
    """How a step is called, what it does in a sentence, the rule, and what its form asks for beside."""

    code: str
    name: Text
    tells: Text
    rule: str
    to: bool = False
    fund: bool = False
    risk: bool = False


START = Step(
    "start",
    Text("Poner en marcha", "Start"),
    Text(
        "Con los trámites aprobados y una mesa conectada se apuesta al progresivo."
        " Una versión aprobada que espera empieza ahora.",
        "With approved filings and a linked table, progressive bets are taken."
        " An approved version that waits begins now.",
    ),
    "PP-30",
)
STOP = Step(
    "stop",
    Text("Detener por falla", "Stop for a failure"),
    Text(
        "Nadie apuesta ni gana hasta que el incidente que se abre se resuelva."
        " Los premios ya ganados se verifican y se pagan.",
        "Nobody bets or wins until the incident that is opened is resolved."
        " Prizes won already are verified and paid.",
    ),
    "PP-32",
    risk=True,
)
SUSPEND = Step(
    "suspend",
    Text("Suspender", "Suspend"),
    Text(
        "Deja de recibir apuestas, por ejemplo para cambiar sus parámetros.",
        "It takes no more bets, for instance to change its parameters.",
    ),
    "PP-32",
)
RETIRE = Step(
    "retire",
    Text("Retirar", "Retire"),
    Text(
        "Lo que aportaron los jugadores pasa a otro pozo con la aprobación de la AJ;"
        " la base vuelve a la casa.",
        "What players contributed goes to another pool with the AJ's approval;"
        " the base goes back to the house.",
    ),
    "PP-32",
    to=True,
    risk=True,
)
TRANSFER = Step(
    "transfer",
    Text("Trasladar saldo", "Transfer a balance"),
    Text(
        "Dinero de los jugadores de un fondo pasa al pozo principal de otro, con la aprobación de la AJ.",
        "Players' money of a fund goes to the main level of another pool, with the AJ's approval.",
    ),
    "PP-29",
    to=True,
    fund=True,
    risk=True,
)


@sensitive_post_parameters("second_password")
def start(request: HttpRequest, pk: int) -> HttpResponse:
    return _step(request, pk, START, lambda pool, beside, by: pools.start(pool=pool, with_=beside, by=by))


@sensitive_post_parameters("second_password")
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    return _step(request, pk, STOP, lambda pool, beside, by: pools.stop(pool=pool, with_=beside, by=by))


@sensitive_post_parameters("second_password")
def suspend(request: HttpRequest, pk: int) -> HttpResponse:
    return _step(request, pk, SUSPEND, lambda pool, beside, by: pools.suspend(pool=pool, with_=beside, by=by))


@sensitive_post_parameters("second_password")
def retire(request: HttpRequest, pk: int) -> HttpResponse:
    def act(pool: Pool, beside: Actor, by: By) -> None:
        pools.retire(pool=pool, to=_to(request), with_=beside, by=by)

    return _step(request, pk, RETIRE, act)


@sensitive_post_parameters("second_password")
def transfer(request: HttpRequest, pk: int) -> HttpResponse:
    def act(pool: Pool, beside: Actor, by: By) -> None:
        code, units = request.POST.get("fund", ""), amount(request, "amount")
        pools.transfer(pool=pool, to=_to(request), fund=code, amount=units, with_=beside, by=by)

    return _step(request, pk, TRANSFER, act)


def _to(request: HttpRequest) -> Pool:
    found: Pool = chosen(rows_of(Pool, request), request, "to")
    return found


def _step(
    request: HttpRequest, pk: int, step: Step, act: Callable[[Pool, Actor, By], object]
) -> HttpResponse:
    pool = pool_of(request, pk)

    def context() -> dict[str, Any]:
        others = rows_of(Pool, request).exclude(pk=pk).exclude(state=Pool.State.RETIRED).order_by("name")
        return {
            "pool": pool,
            "step": step,
            "others": [(one.pk, one.name) for one in others],
            "funds": [(one.code, fund(one.code)) for one in seeing.funds_of(pool)],
            "held": seeing.funds_of(pool),
            "form_number": form_number(request),
        }

    if request.method != "POST":
        return render(request, TEMPLATE, context())
    return signed(request, TEMPLATE, context, lambda beside, by: act(pool, beside, by), "pool", pk)
