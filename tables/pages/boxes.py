"""Drop boxes on pages: at a table, in the count room, counted blind, and a table's result made final.

No page here reads a count but through `tables.money.box_seeing`, which gives none before two teams have
counted (FLOOR-11).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.models import Actor
from audits.pages.answers import by_of, one, refused, user_of, whole
from audits.sign_in import vouch
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino
from tables import policies as floor_policies
from tables import results, statement
from tables.models import BoxCounter, CountRate, DropBox, TableSession
from tables.money import box_contents, box_counts, box_seeing, boxes, differences, reconciling
from tables.money import box_policies as policies
from tables.pages import box_forms
from tables.pages.sessions import session_context

ROOM, OF_SESSION, BOX, COUNT = (f"tables/boxes/{name}.html" for name in ("room", "session", "box", "count"))
SESSION = "tables/session.html"


def room(request: HttpRequest) -> HttpResponse:
    """The count room: what is on its way, what waits to be counted, what waits for its signatures."""
    return render(request, ROOM, _room(request))


def rate(request: HttpRequest) -> HttpResponse:
    """What a foreign currency is worth in the count from now on."""
    try:
        typed = box_forms.rate_typed(request)
        row = box_counts.set_rate(currency=request.POST.get("currency", ""), rate=typed, by=by_of(request))
    except SabotError as refusal:
        return refused(request, ROOM, _room(request), refusal)
    messages.success(request, _("Tipo de cambio de %(currency)s registrado") % {"currency": row.currency})
    return redirect("count-room")


def of_session(request: HttpRequest, pk: int) -> HttpResponse:
    """The boxes of one session; POST puts one on the table, or registers one that is taken off."""
    session = _session(request, pk)
    if request.method != "POST":
        return render(request, OF_SESSION, _of_session(request, session))
    number, kind = request.POST.get("number", ""), request.POST.get("kind", DropBox.Kind.DROP)
    try:
        if "found" in request.POST:
            box = boxes.remove_unregistered(
                session=session,
                number=number,
                kind=kind,
                seal=request.POST.get("seal", ""),
                with_=_second(request),
                by=by_of(request),
            )
        else:
            box = boxes.put_on(session=session, number=number, kind=kind, by=by_of(request))
    except SabotError as refusal:
        return refused(request, OF_SESSION, _of_session(request, session), refusal)
    messages.success(request, _("Caja %(number)s registrada") % {"number": box.number})
    return redirect("session-boxes", session.pk)


@sensitive_post_parameters("second_password")
def no_box(request: HttpRequest, pk: int) -> HttpResponse:
    """Two people say that a closed table had no drop box."""
    session = _session(request, pk)
    try:
        boxes.declare_no_box(session=session, with_=_second(request), by=by_of(request))
    except SabotError as refusal:
        return refused(request, OF_SESSION, _of_session(request, session), refusal)
    messages.success(request, _("%(session)s quedó contada, sin caja") % {"session": session.label})
    return redirect("session", session.pk)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One box: its way, its counts once both are in, and what may be done with it now."""
    return render(request, BOX, _box_context(request, _box(request, pk)))


@sensitive_post_parameters("second_password")
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a box off its table, sealed, signed by two."""
    return _act(
        request,
        pk,
        lambda box: boxes.remove(
            box=box, seal=request.POST.get("seal", ""), with_=_second(request), by=by_of(request)
        ),
        _("Caja %(number)s retirada"),
    )


def receive(request: HttpRequest, pk: int) -> HttpResponse:
    """Receive a box in the count room, its seal read off again."""
    return _act(
        request,
        pk,
        lambda box: boxes.receive(box=box, seal=request.POST.get("seal", ""), by=by_of(request)),
        _("Caja %(number)s recibida"),
    )


@sensitive_post_parameters("second_password")
def resolve(request: HttpRequest, pk: int) -> HttpResponse:
    """Two people decide which of differing counts stands."""
    return _act(
        request,
        pk,
        lambda box: box_counts.resolve(
            box=box, nth=whole(request, "nth"), with_=_second(request), by=by_of(request)
        ),
        _("Caja %(number)s decidida"),
    )


def count(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of one count: empty for every team, with no figure of another's and none expected."""
    box = _box(request, pk)
    if request.method != "POST":
        return render(request, COUNT, _count_context(request, box))
    try:
        box = box_counts.record_count(
            box=box,
            contents=box_forms.pieces_typed(request, box),
            documents=box_forms.papers_typed(request, by_of(request).casino.exponent),
            team=_team(request),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, COUNT, _count_context(request, box), refusal)
    tell = messages.warning if box.state == DropBox.State.DIFFERS else messages.success
    tell(request, _SAID[box.state] % {"number": box.number})
    return redirect("count-room" if box.state == DropBox.State.COUNTED_ONCE else "box", *_where(box))


def _where(box: DropBox) -> tuple[int, ...]:
    return () if box.state == DropBox.State.COUNTED_ONCE else (box.pk,)


class _Said(dict[str, str]):
    def __missing__(self, state: str) -> str:
        if state == DropBox.State.SETTLED:
            return _("Caja %(number)s contada: los recuentos coinciden")
        if state == DropBox.State.DIFFERS:
            return _("Caja %(number)s: los recuentos no coinciden")
        return _("Caja %(number)s: primer recuento guardado; falta el de otro equipo")


_SAID = _Said()


@sensitive_post_parameters("second_password")
def reconcile(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the result of a counted session final, signed by two (REC-08)."""
    session = _session(request, pk)
    try:
        reconciling.reconcile_session(session=session, with_=_second(request), by=by_of(request))
    except SabotError as refusal:
        return refused(request, SESSION, session_context(request, _session(request, pk)), refusal)
    messages.success(request, _("%(session)s quedó conciliada") % {"session": session.label})
    return redirect("session", session.pk)


def difference(request: HttpRequest, pk: int) -> HttpResponse:
    """Open the incident of a large difference that has none."""
    session = _session(request, pk)
    try:
        incident = differences.open_difference(session=session, by=by_of(request))
    except SabotError as refusal:
        return refused(request, SESSION, session_context(request, _session(request, pk)), refusal)
    messages.success(request, _("Se abrió %(incident)s") % {"incident": incident.label})
    return redirect("session", session.pk)


# ---- what the pages read and show -------------------------------------------------------------------


def _act(request: HttpRequest, pk: int, act: Callable[[DropBox], DropBox], said: str) -> HttpResponse:
    """What changes one box, and back to it; refused, its page again."""
    box = _box(request, pk)
    try:
        act(box)
    except SabotError as refusal:
        return refused(request, BOX, _box_context(request, _box(request, pk)), refusal)
    messages.success(request, said % {"number": box.number})
    return redirect("box", box.pk)


def _second(request: HttpRequest) -> Actor:
    """Who signs beside whoever is signed in; before the write, so that a wrong password is counted."""
    user = vouch(
        request=request,
        username=request.POST.get("second", ""),
        password=request.POST.get("second_password", ""),
        field="second",
        casino=user_of(request).casino,
    )
    actor: Actor = user.actor
    return actor


def _team(request: HttpRequest) -> list[Actor]:
    offered = {str(person.pk): person for person in box_seeing.counters(user_of(request).casino)}
    chosen = request.POST.getlist("team")
    if any(key not in offered for key in chosen):
        raise Refused(
            Text("elija el equipo de la lista", "choose the team from the list"),
            code="not_chosen",
            field="team",
        )
    return [offered[key] for key in dict.fromkeys(chosen)]


def _session(request: HttpRequest, pk: int) -> TableSession:
    rows = TableSession.objects.restrict(user_of(request), policies.READ_BOXES)
    found: TableSession = one(rows.select_related("table", "day", "casino", "shoe"), pk=pk)
    return found


def _box(request: HttpRequest, pk: int) -> DropBox:
    rows = DropBox.objects.restrict(user_of(request), policies.READ_BOXES)
    found: DropBox = one(
        rows.select_related(
            "session__table", "session__day", "session__casino", "incident", "removed_by", "removed_with",
            "put_on_by", "received_by",
        ),
        pk=pk,
    )  # fmt: skip
    return found


def _room(request: HttpRequest) -> dict[str, Any]:
    casino: Casino = user_of(request).casino
    rows = list(box_seeing.waiting(casino))
    by_state = {state: [box for box in rows if box.state == state] for state in DropBox.State.values}
    return {
        "to_count": [box for box in rows if box.state in ("received", "counted_once", "differs")],
        "on_the_way": by_state["removed"],
        "on_tables": by_state["on_table"],
        "without_box": list(box_seeing.closed_without_box(casino)[:100]),
        "to_reconcile": [
            (session, statement.of(session), results.outstanding(session))
            for session in box_seeing.to_reconcile(casino)[:50]
        ],
        "rates": CountRate.objects.filter(casino=casino)
        .order_by("currency", "-since", "-pk")
        .distinct("currency"),
        "step": box_contents.RATE_STEP,
    }


def _of_session(request: HttpRequest, session: TableSession) -> dict[str, Any]:
    return {
        "session": session,
        "boxes": list(session.boxes.order_by("pk")),
        "kinds": [
            (kind.value, kind.label)
            for kind in DropBox.Kind
            if kind != DropBox.Kind.DEDUCTION or not results.of_house(session)
        ],
        "box_waits": session.boxes.filter(kind=DropBox.Kind.DROP)
        .exclude(state=DropBox.State.SETTLED)
        .exists(),
        "money": floor_policies.READ_MONEY,
    }


def _box_context(request: HttpRequest, box: DropBox) -> dict[str, Any]:
    counts = box_seeing.counts_of(box)
    return {
        "box": box,
        "counts": [(count, box_forms.shown(box, count)) for count in counts],
        "choices": [(count.nth, _("recuento %(n)s") % {"n": count.nth}) for count in counts],
        "counted": box.counts.count(),
    }


def _count_context(request: HttpRequest, box: DropBox) -> dict[str, Any]:
    done = box.counts.count()
    counted = set(BoxCounter.objects.filter(box=box).values_list("person_id", flat=True))
    people = box_seeing.counters(box.session.casino)
    return {
        "box": box,
        "nth": done + 1,
        "countable": box.state in ("received", "counted_once", "differs") and done < 3,
        "currencies": box_forms.lines(request, box),
        "papers": box_forms.paper_lines(request),
        "kinds": [(code, words) for code, words in box_contents.DOCUMENTS.items()],
        "people": [p for p in people if p.user_id != user_of(request).pk and p.pk not in counted],
        "chosen": request.POST.getlist("team"),
    }
