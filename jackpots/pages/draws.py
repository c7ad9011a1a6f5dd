"""Complementary prizes of a pool: announced with a hash, drawn so that anyone can check (PP-24)."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters

from audits import filings
from audits.by import By
from audits.models import Actor
from audits.pages.answers import chosen, instant_of, one, page_of, refused, rows_of, user_of, whole
from casino.kernel import clock
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from jackpots import complementary, promoting
from jackpots import filings as asked
from jackpots.models import Complementary
from jackpots.pages.finding import beside, done, pool_of
from shoes.pages.reading import second_person
from tables.models import TableSession
from tables.pages.cage_forms import amount, chip_boxes, desks, form_number, paying_desk, typed
from tables.seeing import seen_among

LISTING, SHOWN = "jackpots/draws.html", "jackpots/draw.html"


def listing(request: HttpRequest, pk: int) -> HttpResponse:
    """The complementary prizes of a pool; POST announces one."""
    pool = pool_of(request, pk)

    def context() -> dict[str, Any]:
        rows = Complementary.objects.filter(pool=pool).select_related("filing", "winner__session__table")
        return {
            "pool": pool,
            "page": page_of(request, rows.order_by("-pk")),
            "forms": Complementary.Form.choices,
            "filed": filings.presented(pool.casino, asked.COMPLEMENTARY, asked.about_pool(pool)),
            "form_number": form_number(request),
        }

    if request.method != "POST":
        return render(request, LISTING, context())

    def act(by: By) -> None:
        until = instant_of(request, "until")
        if until is None:
            raise Refused(
                Text("escriba hasta cuándo se participa", "type until when bets take part"),
                code="bad_date",
                field="until",
            )
        complementary.announce(
            pool=pool,
            name=request.POST.get("name", ""),
            form=request.POST.get("form_of", ""),
            amount=amount(request, "amount"),
            until=until,
            by=by,
        )

    return done(request, LISTING, context, act, "pool-draws", pk)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One draw: who takes part, and once it is drawn all that is needed to check it."""
    return render(request, SHOWN, _context(request, _draw(request, pk)))


def draw(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw it: the time to take part is over."""
    found = _draw(request, pk)

    def act(by: By) -> None:
        complementary.draw(draw=found, by=by)

    return done(request, SHOWN, lambda: _context(request, _draw(request, pk)), act, "draw", pk)


def call_off(request: HttpRequest, pk: int) -> HttpResponse:
    """Nobody took part; the seed is revealed all the same."""
    found = _draw(request, pk)

    def act(by: By) -> None:
        complementary.call_off(draw=found, by=by)

    return done(request, SHOWN, lambda: _context(request, _draw(request, pk)), act, "draw", pk)


def credit(request: HttpRequest, pk: int) -> HttpResponse:
    """The winner gets it in promotional credits where they sit (PP-25, PP-26)."""
    found = _draw(request, pk)

    def act(by: By) -> None:
        seat = whole(request, "seat", default=0) or None
        session = chosen(_sessions(found), request, "session", required=False)
        promoting.pay_in_credits(draw=found, session=session, seat=seat, by=by)

    return done(request, SHOWN, lambda: _context(request, _draw(request, pk)), act, "draw", pk)


@sensitive_post_parameters("second_password", "witness_password")
def pay(request: HttpRequest, pk: int) -> HttpResponse:
    """The cage hands the winner chips, another person beside (PP-25, GEN-10)."""
    found = _draw(request, pk)
    with_: Actor | None = None
    try:
        witness = second_person(request, "witness")
    except SabotError as refusal:
        return refused(request, SHOWN, _context(request, found), beside(refusal, "witness"))
    if request.POST.get("second", "").strip():
        try:
            with_ = second_person(request, "second")
        except SabotError as refusal:
            return refused(request, SHOWN, _context(request, found), beside(refusal))

    def act(by: By) -> None:
        promoting.pay_in_chips(
            draw=found,
            desk=paying_desk(request),
            chips=typed(request),
            winner=request.POST.get("winner", ""),
            document=request.POST.get("document", ""),
            witness=witness,
            with_=with_,
            by=by,
        )

    return done(request, SHOWN, lambda: _context(request, _draw(request, pk)), act, "draw", pk)


def record(request: HttpRequest, pk: int) -> HttpResponse:
    """A draw whose seed is revealed, as a program checks it (PP-27); 404 before."""
    found = _draw(request, pk)
    if not found.seed:
        raise Http404
    shown = {"ensure_ascii": False, "indent": 2}
    response = JsonResponse(complementary.record_of(found), json_dumps_params=shown)
    response.headers["Content-Disposition"] = f'attachment; filename="sorteo-{found.label}.json"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _sessions(found: Complementary) -> Any:
    """Open tables of the pool."""
    tables = found.pool.members.filter(during__endswith=None).values("table")
    rows = TableSession.objects.filter(table__in=tables, state__in=TableSession.LIVE)
    return rows.select_related("table").order_by("table__name")


def _draw(request: HttpRequest, pk: int) -> Complementary:
    rows = rows_of(Complementary, request).select_related(
        "pool__casino",
        "filing",
        "announced_by",
        "winner__session__table",
        "winner__round",
        "event",
        "paid_by",
    )
    found: Complementary = one(rows, pk=pk)
    return found


def _context(request: HttpRequest, found: Complementary) -> dict[str, Any]:
    places = found.places.select_related("bet__session__table", "bet__round").order_by("score", "pk")
    waiting = found.state == Complementary.State.ANNOUNCED
    won_at = [] if found.winner is None else [found.winner.session]
    return {
        "pool": found.pool,
        "draw": found,
        "sees_round": bool(seen_among(user_of(request), won_at)),
        "page": page_of(request, places),
        "taking_part": len(complementary.taking_part(found)) if waiting else places.count(),
        "waiting": waiting,
        "due": waiting and clock.now() >= found.until,
        "desks": [(desk.pk, desk.name) for desk in desks(request)],
        "sessions": [(one.pk, one.table.name) for one in _sessions(found)],
        "chip_boxes": chip_boxes(request),
        "form_number": form_number(request),
    }
