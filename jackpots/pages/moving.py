"""Money that leaves a pool's fund: the plan the AJ approves, what is done by it, corrections; a pool given up
(PP-29, PP-32)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from audits.by import By
from audits.models import Actor, Filing, Incident
from audits.pages.answers import chosen, rows_of
from casino.kernel import clock
from casino.kernel.words import Text
from jackpots import moving, plans, pools, seeing
from jackpots.models import Pool
from jackpots.naming import fund
from jackpots.pages.acts import TEMPLATE, Step, context_of, step_of
from jackpots.pages.finding import done, pool_of
from tables.pages.cage_forms import amount

PLAN = Step(
    "plan",
    Text("Redactar el plan de traslado", "Draft the plan of a transfer"),
    Text(
        "La AJ aprueba una sola cosa, una sola vez: tanto de un fondo a otro pozo o, sin fondo ni importe, el"
        " retiro del pozo con todo lo que aportaron los jugadores. Si es el último pozo, escriba adónde va.",
        "The AJ approves one thing, once: so much of a fund to another pool or, without fund and amount, the"
        " retirement of the pool with all that players contributed. If it is the last pool, write where to.",
    ),
    "PP-32",
    to=True,
    fund=True,
    beside=False,
    elsewhere=True,
)
RETIRE = Step(
    "retire",
    Text("Retirar", "Retire"),
    Text(
        "Lo que aportaron los jugadores va adonde dice el plan aprobado por la AJ; la base vuelve a la casa.",
        "What players contributed goes where the AJ approved; the base goes back to the house.",
    ),
    "PP-32",
    to=True,
    planned=True,
    risk=True,
)
TRANSFER = Step(
    "transfer",
    Text("Trasladar saldo", "Transfer a balance"),
    Text(
        "Dinero de los jugadores de un fondo pasa al nivel principal de otro pozo, como dice el plan aprobado"
        " por la AJ. El pozo está detenido o suspendido.",
        "Players' money of a fund goes to the main level of another pool, as the AJ approved."
        " The pool is stopped or suspended.",
    ),
    "PP-29",
    to=True,
    fund=True,
    risk=True,
)
CORRECT = Step(
    "correct",
    Text("Corregir un fondo", "Correct a fund"),
    Text(
        "Por una falla documentada en un incidente abierto del pozo: la casa pone lo que falta, o retira"
        " lo que la falla sumó de más (importe con signo menos).",
        "For a failure that an open incident of the pool documents: the house puts in what is missing, or"
        " takes out what the failure added (amount with a minus sign).",
    ),
    "PP-29",
    fund=True,
    incident=True,
    risk=True,
)
ABANDON = Step(
    "abandon",
    Text("Desistir del pozo", "Give the pool up"),
    Text("Nunca estuvo en marcha y no tiene dinero.", "It never ran and holds no money."),
    "PP-32",
    beside=False,
    risk=True,
)


def plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Draft what the AJ is asked; it is presented and decided on the filing's own page."""
    pool = pool_of(request, pk)
    drafted: list[Filing] = []
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request, pool, PLAN))

    def act(by: By) -> None:
        code = request.POST.get("fund", "")
        drafted.append(
            plans.draft_plan(
                pool=pool,
                to=_to(request, required=False),
                fund=code,
                amount=amount(request, "amount") if code else None,
                destination=request.POST.get("destination", ""),
                text=request.POST.get("text", ""),
                by=by,
            )
        )

    answer = done(request, TEMPLATE, lambda: _context(request, pool, PLAN), act, "pool", pk)
    return redirect("filing", drafted[0].pk) if drafted and answer.status_code == 302 else answer


@sensitive_post_parameters("second_password")
def retire(request: HttpRequest, pk: int) -> HttpResponse:
    def act(pool: Pool, beside: Actor, by: By) -> None:
        where = request.POST.get("destination", "")
        moving.retire(pool=pool, to=_to(request, required=False), destination=where, with_=beside, by=by)

    return step_of(request, pk, RETIRE, act, _context)


@sensitive_post_parameters("second_password")
def transfer(request: HttpRequest, pk: int) -> HttpResponse:
    def act(pool: Pool, beside: Actor, by: By) -> None:
        code, units = request.POST.get("fund", ""), amount(request, "amount")
        moving.transfer(pool=pool, to=_to(request), fund=code, amount=units, with_=beside, by=by)

    return step_of(request, pk, TRANSFER, act, _context)


@sensitive_post_parameters("second_password")
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    def act(pool: Pool, beside: Actor, by: By) -> None:
        incident = chosen(_incidents(request, pool), request, "incident")
        code, units = request.POST.get("fund", ""), amount(request, "amount")
        moving.correct(pool=pool, fund=code, amount=units, incident=incident, with_=beside, by=by)

    return step_of(request, pk, CORRECT, act, _context)


def abandon(request: HttpRequest, pk: int) -> HttpResponse:
    pool = pool_of(request, pk)
    if request.method != "POST":
        return render(request, TEMPLATE, _context(request, pool, ABANDON))
    return done(
        request,
        TEMPLATE,
        lambda: _context(request, pool, ABANDON),
        lambda by: pools.abandon(pool=pool, by=by),
        "pool",
        pk,
    )


def _to(request: HttpRequest, *, required: bool = True) -> Pool:
    found: Pool = chosen(rows_of(Pool, request), request, "to", required=required)
    return found


def _incidents(request: HttpRequest, pool: Pool) -> Any:
    """The open incidents about a pool."""
    rows = rows_of(Incident, request).filter(subject_type="pool", subject_id=pool.pk)
    return rows.filter(state=Incident.State.OPEN).order_by("pk")


def _context(request: HttpRequest, pool: Pool, step: Step) -> dict[str, Any]:
    others = rows_of(Pool, request).exclude(pk=pool.pk).exclude(state=Pool.State.RETIRED).order_by("name")
    none = [("", "—")]
    optional = step in (PLAN, RETIRE)
    funds = [(one.code, fund(one.code)) for one in seeing.funds_of(pool)]
    incidents = _incidents(request, pool) if step.incident else ()
    return {
        **context_of(request, pool, step),
        "others": [*(none if optional else []), *((one.pk, one.name) for one in others)],
        "funds": [*(none if step is PLAN else []), *funds],
        "incidents": [(one.pk, one.label) for one in incidents],
        "destinations": [*none, *_destinations(pool)] if step.planned else (),
    }


def _destinations(pool: Pool) -> list[tuple[str, str]]:
    """Where approved plans of the pool have its money go, in their words."""
    there = plans.in_words(pool, pool.casino.gaming_day(clock.now()))
    return [(one.facts["destination"], f"{one.label}: {one.facts['destination']}") for one in there]
