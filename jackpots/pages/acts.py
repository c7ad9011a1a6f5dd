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
from casino.kernel.words import Text
from jackpots import pools, seeing
from jackpots.models import Pool
from jackpots.pages.finding import pool_of, signed
from tables.pages.cage_forms import form_number

TEMPLATE = "jackpots/act.html"


@dataclass(frozen=True, slots=True)
class Step:
    """How a step is called, what it does in a sentence, the rule, and what its form asks for: the pool it
    goes `to`, or `elsewhere` in words, `planned` where the AJ approved the words; a `fund` with an amount; an
    `incident`; who signs `beside`."""

    code: str
    name: Text
    tells: Text
    rule: str
    to: bool = False
    fund: bool = False
    beside: bool = True
    elsewhere: bool = False
    planned: bool = False
    incident: bool = False
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


@sensitive_post_parameters("second_password")
def start(request: HttpRequest, pk: int) -> HttpResponse:
    return step_of(request, pk, START, lambda pool, beside, by: pools.start(pool=pool, with_=beside, by=by))


@sensitive_post_parameters("second_password")
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    return step_of(request, pk, STOP, lambda pool, beside, by: pools.stop(pool=pool, with_=beside, by=by))


@sensitive_post_parameters("second_password")
def suspend(request: HttpRequest, pk: int) -> HttpResponse:
    return step_of(
        request, pk, SUSPEND, lambda pool, beside, by: pools.suspend(pool=pool, with_=beside, by=by)
    )


def step_of(
    request: HttpRequest,
    pk: int,
    step: Step,
    act: Callable[[Pool, Actor, By], object],
    context: Callable[[HttpRequest, Pool, Step], dict[str, Any]] | None = None,
) -> HttpResponse:
    """The form of a step that two sign, and what it does; `context`: what it shows besides the usual."""
    pool, shown = pool_of(request, pk), context or context_of
    if request.method != "POST":
        return render(request, TEMPLATE, shown(request, pool, step))
    return signed(
        request,
        TEMPLATE,
        lambda: shown(request, pool, step),
        lambda beside, by: act(pool, beside, by),
        "pool",
        pk,
    )


def context_of(request: HttpRequest, pool: Pool, step: Step) -> dict[str, Any]:
    """What the form of a step shows and offers."""
    return {
        "pool": pool,
        "step": step,
        "held": seeing.funds_of(pool),
        "form_number": form_number(request),
    }
