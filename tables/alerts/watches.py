"""What is watched on the floor beyond what its tiles show: openings, floats, slips, boxes, pauses, lists,
licences.

Each watch is set-based: as many queries for sixty tables as for one. How long is too long is the house's
practice, not the book's; the figures are here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import Count

from audits.models import Event
from casino.kernel import money, rulebook
from casino.kernel.words import Text
from casino.models import Casino
from tables.alerts.causes import BAD, WARN, Cause, Watch, register_kind
from tables.minimum import minimum_operation
from tables.models import (
    Alert,
    Assignment,
    DropBox,
    FloatCheck,
    OpeningDifference,
    Slip,
    TableSession,
    WaitingEntry,
)
from tables.money import funds
from tables.money.floats import float_flag

SLIP_WAITS = dt.timedelta(minutes=15)
BOX_WAITS = dt.timedelta(hours=12)
PAUSE_LASTS = dt.timedelta(minutes=45)
LIST_IS_LONG, LIST_IS_SHORT = 6, 3
"""People in line from which it is long, and down to which it is so no more: one who leaves and one who comes
make no alert each time."""
LICENCE_DAYS = 15

OPENING = register_kind("money.opening", Text("diferencia de apertura", "opening difference"))
CHECK = register_kind("money.check", Text("diferencia a mitad de turno", "difference in mid-shift"))
FLOAT = register_kind("money.float", Text("fondo menor que el habitual", "float below the usual"))
SLIP = register_kind("money.slip", Text("comprobante sin verificar", "slip not verified"))
BOX = register_kind("money.box", Text("caja por contar", "box to be counted"))
PAUSE = register_kind("session.paused", Text("pausa larga", "long pause"))
LIST = register_kind("seats.waiting", Text("lista de espera larga", "long waiting list"))
MINIMUM = register_kind("day.minimum", Text("operación mínima", "minimum operation"))
FUNDS = register_kind("money.funds", Text("fondos de la casa", "the house's funds"))
LICENCE = register_kind("crew.licence", Text("licencia por vencer o vencida", "licence expiring or expired"))


def reported_from(casino: Casino) -> int:
    """FLOOR-05: from how much a difference is reported in the house, in smallest units."""
    return int(rulebook.rule("FLOOR-05").params["house_report_from_units"]) * 10**casino.exponent


def _live(casino: Casino) -> dict[int, TableSession]:
    rows = TableSession.objects.filter(casino=casino, state__in=TableSession.LIVE)
    return {session.pk: session for session in rows.select_related("table", "day", "limits", "casino")}


def floats(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """FLOOR-05: an opening that differs from the close before it; FLOOR-09: a float below the usual."""
    live = _live(casino)
    least = reported_from(casino)
    for kept in OpeningDifference.objects.filter(session__in=live.keys()):
        if abs(kept.total) >= least:
            session, signed = live[kept.session_id], money.words(abs(kept.total), casino.exponent)
            sign = "+" if kept.total > 0 else "−"
            words = Text(
                f"abrió con {sign}{signed.es} respecto del cierre anterior",
                f"opened {sign}{signed.en} from the close before it",
            )
            yield Cause(
                f"{OPENING}:{session.pk}", OPENING, WARN, words, "FLOOR-05", session.table_id, session.pk
            )
    for session in live.values():
        flag = float_flag(session)
        if flag is not None:
            yield Cause(
                f"{FLOAT}:{session.pk}", FLOAT, WARN, flag.words, flag.rule, session.table_id, session.pk
            )


def slips(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """FLOOR-07: a fill or credit asked for a quarter of an hour ago and not verified at the felt."""
    late = Slip.objects.filter(casino=casino, state__in=Slip.OPEN, requested_at__lte=instant - SLIP_WAITS)
    for slip in late.select_related("session").order_by("pk"):
        minutes = int((instant - slip.requested_at).total_seconds() // 60)
        words = Text("{slip} sin verificar hace {n} min", "{slip} not verified for {n} min")
        yield Cause(
            f"{SLIP}:{slip.pk}", SLIP, WARN, words.fill(slip=slip.label, n=minutes), "FLOOR-07",
            slip.session.table_id, slip.session_id, slip.label,
        )  # fmt: skip


def boxes(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """FLOOR-11: a box off its table since half a day and not counted; two counts that differ, at once."""
    off = DropBox.objects.filter(casino=casino, removed_at__isnull=False)
    for box in off.exclude(state=DropBox.State.SETTLED).select_related("session__table").order_by("pk"):
        differs = box.state == DropBox.State.DIFFERS
        if not differs and (box.removed_at is None or box.removed_at > instant - BOX_WAITS):
            continue
        words = (
            Text("los recuentos de la caja {box} difieren", "the counts of box {box} differ")
            if differs
            else Text("la caja {box} espera su recuento", "box {box} waits to be counted")
        )
        yield Cause(
            f"{BOX}:{box.pk}:{'differs' if differs else 'waits'}", BOX, WARN, words.fill(box=box.number),
            "FLOOR-11", box.session.table_id, box.session_id, box.number,
        )  # fmt: skip


def pauses(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """A table that has been in pause for long: by the event that paused it."""
    paused = {key: one for key, one in _live(casino).items() if one.state == TableSession.State.PAUSED}
    told = Event.objects.filter(
        casino=casino, action="tables.session.paused", subject_type="session", subject_id__in=paused.keys()
    ).order_by("subject_id", "-seq")
    since = dict(told.distinct("subject_id").values_list("subject_id", "occurred"))
    for key, session in paused.items():
        began = since.get(key, session.last_at)
        if instant - began >= PAUSE_LASTS:
            minutes = int((instant - began).total_seconds() // 60)
            words = Text("en pausa hace {n} min", "in pause for {n} min").fill(n=minutes)
            yield Cause(
                f"{PAUSE}:{key}:{int(began.timestamp())}", PAUSE, WARN, words, "", session.table_id, key
            )


def lists(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """A table for which many wait; it is over once few do."""
    lasting = Alert.objects.filter(casino=casino, kind=LIST, cleared_at=None)
    told = set(lasting.values_list("table_id", flat=True))
    rows = WaitingEntry.objects.filter(casino=casino, state__in=WaitingEntry.LIVE, table__isnull=False)
    long = rows.values_list("table_id").annotate(n=Count("pk")).filter(n__gt=LIST_IS_SHORT).order_by()
    for table, waiting in long:
        if waiting < LIST_IS_LONG and table not in told:
            continue
        words = Text("{n} esperan asiento", "{n} wait for a seat").fill(n=waiting)
        yield Cause(f"{LIST}:{table}", LIST, WARN, words, "", table)


def licences(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """Somebody at a post whose licence expired, or will within a fortnight (FLOOR-02 asks for a valid
    one)."""
    today = casino.gaming_day(instant)
    soon = today + dt.timedelta(days=LICENCE_DAYS)
    turns = Assignment.objects.filter(
        casino=casino, during__endswith=None, staff__licence_expires__lte=soon
    ).select_related("staff", "session")
    for turn in turns.order_by("pk"):
        person, day = turn.staff, turn.staff.licence_expires
        expired = day < today
        words = Text(
            f"la licencia de {person.name} {'venció' if expired else 'vence'} el {day:%Y-%m-%d}",
            f"{person.name}'s licence {'expired' if expired else 'expires'} on {day:%Y-%m-%d}",
        )
        state = "expired" if expired else "soon"
        yield Cause(
            f"{LICENCE}:{person.pk}:{turn.session_id}:{state}", LICENCE, BAD if expired else WARN, words,
            "FLOOR-02", turn.session.table_id, turn.session_id, person.name,
        )  # fmt: skip


def checks(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """FLOOR-05: the latest float check of a live table, where it differs by as much as an opening is
    reported."""
    latest = (
        FloatCheck.objects.filter(casino=casino, session__state__in=TableSession.LIVE)
        .select_related("session")
        .order_by("session_id", "-number")
        .distinct("session_id")
    )
    for check in latest:
        cause = of_check(check, casino)
        if cause is not None:
            yield cause


def of_check(check: FloatCheck, casino: Casino) -> Cause | None:
    """What a float check asks to be attended to, if it does: estimates ask for nothing."""
    if check.basis != FloatCheck.Basis.LEDGER or abs(check.difference) < reported_from(casino):
        return None
    size, sign = money.words(abs(check.difference), casino.exponent), "+" if check.difference > 0 else "−"
    words = Text(
        f"control {check.number}: diferencia de {sign}{size.es}",
        f"float check {check.number}: difference of {sign}{size.en}",
    )
    session = check.session
    return Cause(
        f"{CHECK}:{session.pk}:{check.number}", CHECK, WARN, words, "FLOOR-05", session.table_id, session.pk
    )


def categories(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """FLOOR-17: the day is about to end and a category that must run each day did not."""
    day = casino.gaming_day(instant)
    owed = minimum_operation(casino, day, instant)
    if owed.pressing:
        yield Cause(
            f"{MINIMUM}:{day}:{'-'.join(sorted(owed.lacking))}", MINIMUM, WARN, owed.words, "FLOOR-17"
        )


def house_funds(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """FLOOR-15: the house has less to pay with than it keeps as its minimum."""
    refused = funds.refusal(casino)
    if refused is not None:
        yield Cause(FUNDS, FUNDS, BAD, refused.message, "FLOOR-15")


WATCHES: dict[Watch, tuple[str, ...]] = {
    floats: (OPENING, FLOAT),
    checks: (CHECK,),
    slips: (SLIP,),
    boxes: (BOX,),
    pauses: (PAUSE,),
    lists: (LIST,),
    licences: (LICENCE,),
    categories: (MINIMUM,),
    house_funds: (FUNDS,),
}
"""Each watch with the kinds it watches for."""
