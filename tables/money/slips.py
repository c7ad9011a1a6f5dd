"""Fills and credits of a table in two phases: asked for, issued by the cage, verified (FLOOR-07).

    request_slip (a chief) -> issue_slip (the cage) -> verify_slip (a chief, or the cage for a credit)
                         \\_____________________\\-> void_slip (two people, FLOOR-08)

Three people take the three steps (GEN-10). The number is given when the slip is asked for: gapless per kind
and year, and given back if the request is not recorded. Chips and money move on verification only, so that
a float changes by nothing that was not counted onto it (FLOOR-06); a slip once verified is undone by the
opposite one. A slip is held by its session's lock.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q

from audits import ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Actor, Event
from casino.kernel import locking, permissions, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from casino.models import NumberSeries
from tables import chips as counting
from tables.holding import lock_session, move_on
from tables.models import Assignment, CageDesk, Slip, Staff, TableSession
from tables.money import desks, inventory, policies, signing
from tables.money.chip_entries import require_some
from tables.money.floats import slip_flag
from tables.money.inventory import Flow
from tables.money.saying import STATES, differs_by

RULE, VOID_RULE = "FLOOR-07", "FLOOR-08"
State, Kind = Slip.State, Slip.Kind
SERIES = {Kind.FILL.value: "fill", Kind.CREDIT.value: "credit"}
_RULES = ["FLOOR-06", RULE, "GEN-10"]


@command(policies.REQUEST_SLIP)
def request_slip(
    *, session: TableSession, kind: str, chips: Mapping[int, int], desk: CageDesk, by: By
) -> Slip:
    """Ask for a fill or a credit (`kind`) of a table in play: chips by denomination, from or to a desk.

    Raises `Refused` (`unknown_denomination`, `bad_count`, `no_chips`, `bad_slip`), `Conflict`
    (`session_closed`, `session_opening`, `desk_out_of_service`; `slip_asked` while the very same waits, as
    when a button is pressed twice).
    """
    if kind not in SERIES:
        raise RuleViolation(
            "FLOOR-06",
            Text("elija reposición o retiro", "choose a fill or a credit"),
            code="bad_slip",
            field="kind",
        )
    counted = require_some(counting.checked(by.casino, chips))
    session = lock_session(session, by).session
    desk = desks.held(by.casino, desk)
    desks.require_in_service(desk)
    _require_float(session)
    _require_not_asked(session, kind, counted, desk)
    year = by.occurred_at.astimezone(ZoneInfo(by.casino.zone)).year
    locking.taking(locking.Rank.SLIP_SERIES)
    slip = Slip.objects.create(
        casino=by.casino,
        session=session,
        kind=kind,
        year=year,
        number=NumberSeries.take(by.casino, SERIES[kind], year),
        desk=desk,
        chips=counting.stored(counted),
        total=counting.total(counted),
        requested_by=by.actor,
        requested_at=by.occurred_at,
    )
    _move_on(session, by)
    flag = slip_flag(slip)
    _tell(
        "tables.slip.requested",
        slip,
        by,
        {
            "chips": slip.chips,
            "differs_from_float": flag is not None,
        },
        [*_RULES, *(["FLOOR-09"] if flag else [])],
    )
    return slip


@command(policies.ISSUE_SLIP)
def issue_slip(*, slip: Slip, runner: str, by: By) -> Slip:
    """The cage signs the slip and names who carries the chips (FLOOR-07).

    Raises `RuleViolation` GEN-10 (`same_person` for whoever asked), `Refused` (`bad_runner`;
    `occurred_out_of_order` before the desk's last count), `Conflict`
    (`slip_state`; `not_enough_chips` of a fill the desk has too few for).
    """
    slip = _lock(slip, by)
    _require_state(slip, State.REQUESTED)
    signing.require_nobody_twice(by.actor, requested=slip.requested_by)
    carried = texts.line(runner, "runner", 120, code="bad_runner", rule=RULE)
    _require_another_name(carried, slip.requested_by, by.actor)
    if slip.kind == Kind.FILL:
        desks.require_after_count(slip.desk, by)
        inventory.require(by.casino, slip.desk.account, counting.loaded(slip.chips), but=slip)
    slip.state, slip.runner = State.ISSUED, carried
    slip.issued_by, slip.issued_at = by.actor, by.occurred_at
    slip.save(update_fields=["state", "runner", "issued_by", "issued_at"])
    _move_on(slip.session, by)
    _tell("tables.slip.issued", slip, by, {"runner": carried, "chips": slip.chips}, _RULES)
    return slip


@command(policies.VERIFY_SLIP)
def verify_slip(*, slip: Slip, chips: Mapping[int, int], dealer: Staff, by: By) -> Slip:
    """The chips are counted by denomination before the dealer at the table; now they and the money move.

    A fill is verified by a chief at the table; a credit by one, or by the cage where it arrives. Raises
    `RuleViolation` GEN-10 (`same_person` for whoever asked, issued or carried, as chief and as dealer),
    FLOOR-07 (`chips_differ`, with the difference; `not_at_table`), `Conflict` (`slip_state`,
    `not_enough_chips`), `NotAllowed`.
    """
    if slip.kind == Kind.FILL:
        permissions.require(by.actor, policies.VERIFY_FILL)
    slip = _lock(slip, by)
    _require_state(slip, State.ISSUED)
    signing.require_nobody_twice(by.actor, requested=slip.requested_by, issued=slip.issued_by)
    _require_another_name(slip.runner, by.actor)
    if slip.kind == Kind.CREDIT:
        desks.require_after_count(slip.desk, by)
    _require_at_table(slip.session, dealer)
    _require_another_dealer(slip, dealer, by.actor)
    counted = counting.checked(by.casino, chips)
    _require_same(slip, counted)
    slip.state, slip.dealer = State.VERIFIED, dealer
    slip.verified_by, slip.verified_at = by.actor, by.occurred_at
    slip.save(update_fields=["state", "dealer", "verified_by", "verified_at"])
    session = slip.session
    if slip.kind == Kind.FILL:
        session.fills += slip.total
    else:
        session.credits += slip.total
    _move_on(session, by, "fills", "credits")
    told = {"chips": slip.chips, "dealer": dealer.name, "dealer_id": dealer.pk}
    event = _tell("tables.slip.verified", slip, by, told, _RULES)
    _post(slip, counted, event)
    return slip


@command(policies.VOID_SLIP)
def void_slip(*, slip: Slip, with_: Actor, by: By) -> Slip:
    """Void a slip that is not verified, with a reason (`by.reason`) and a second person; its number stays.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`), `Refused` (`reason_missing`), `Conflict`
    (`slip_verified`: make the opposite slip; `slip_state`).
    """
    reason = by.need_reason()
    signing.require_beside(by.actor, with_, policies.VOID_SLIP, field="second")
    slip = _lock(slip, by)
    if slip.state == State.VERIFIED:
        raise _verified(slip)
    _require_state(slip, State.REQUESTED, State.ISSUED)
    slip.state, slip.void_reason = State.VOID, reason
    slip.voided_by, slip.voided_with, slip.voided_at = by.actor, with_, by.occurred_at
    slip.save(update_fields=["state", "void_reason", "voided_by", "voided_with", "voided_at"])
    _move_on(slip.session, by)
    _tell("tables.slip.voided", slip, by, {"with": with_.as_dict()}, [VOID_RULE, "GEN-10"])
    return slip


def _lock(slip: Slip, by: By) -> Slip:
    """The slip as it stands under its session's lock."""
    session = lock_session(slip.session, by).session
    found = Slip.objects.select_related("desk", "requested_by", "issued_by", "dealer", "verified_by").get(
        pk=slip.pk
    )
    found.session, found.casino = session, by.casino
    return found


def _move_on(session: TableSession, by: By, *changed: str) -> None:
    move_on(session, by)
    session.save(update_fields=[*changed, "last_at"])


def _post(slip: Slip, counted: Mapping[int, int], event: Event) -> None:
    """FLOOR-06: the money and the chips of a slip, between its desk and its tray."""
    tray, cage = inventory.tray(slip.session), slip.desk.account
    source, target = (cage, tray) if slip.kind == Kind.FILL else (tray, cage)
    moves = [Move(source, target, slip.total, slip.kind)]
    ledger.post(event=event, kind=slip.kind, day=slip.session.day.date, moves=moves)
    inventory.move(event, [Flow(slip.kind, source, target, counted)])


def _tell(action: str, slip: Slip, by: By, data: Mapping[str, Any], rules: list[str]) -> Event:
    session = slip.session
    about = {
        "kind": str(slip.kind),
        "total": slip.total,
        "table": session.table.name,
        "session": session.pk,
        "desk": slip.desk.number,
    }
    subject = trail.Subject("slip", slip.pk, slip.label)
    return trail.record(
        action, stream=session.stream, subject=subject, by=by, data={**about, **data}, rules=rules
    )


def _require_float(session: TableSession) -> None:
    if session.state == TableSession.State.OPENING:
        raise Conflict(
            Text(
                f"{session.label} aún se abre: su fondo es el del conteo de apertura",
                f"{session.label} is still opening: its float is that of the opening count",
            ),
            code="session_opening",
            rule="FLOOR-06",
        )


def _require_not_asked(session: TableSession, kind: str, counted: Mapping[int, int], desk: CageDesk) -> None:
    same = Slip.objects.filter(session=session, kind=kind, desk=desk, state=State.REQUESTED)
    slip = same.filter(chips=counting.stored(counted)).first()
    if slip is not None:
        raise Conflict(
            Text(
                f"{slip.label} pide lo mismo y sigue en espera: aguarde a la caja, o anúlelo",
                f"{slip.label} asks for the same and is waiting: wait for the cage, or void it",
            ),
            code="slip_asked",
            rule=RULE,
            detail={"slip": slip.label, "slip_id": slip.pk},
        )


def _require_state(slip: Slip, *wanted: Slip.State) -> None:
    if slip.state in wanted:
        return
    now = STATES[slip.state]
    raise Conflict(
        Text(
            f"{slip.label} está {now.es}: ese paso no le corresponde ahora",
            f"{slip.label} is {now.en}: this is not its next step",
        ),
        code="slip_state",
        rule=RULE,
        detail={"state": slip.state},
    )


def _verified(slip: Slip) -> Conflict:
    opposite = Text("un retiro", "a credit") if slip.kind == Kind.FILL else Text("una reposición", "a fill")
    return Conflict(
        Text(
            f"{slip.label} ya está verificado y no se anula: haga {opposite.es} por lo que haya que devolver",
            f"{slip.label} is verified and cannot be voided: make {opposite.en} of what is to be taken back",
        ),
        code="slip_verified",
        rule=VOID_RULE,
    )


def _require_another_name(runner: str, *signers: Actor) -> None:
    for signer in signers:
        if _as_spoken(runner) == _as_spoken(signer.name):
            raise RuleViolation(
                "GEN-10",
                Text(
                    f"{signer.name} ya firma este comprobante: lo lleva otra persona",
                    f"{signer.name} signs this slip already: another person carries it",
                ),
                code="same_person",
                field="runner",
            )


def _as_spoken(name: str) -> str:
    """A name as people hear it: without accents, capitals and the spaces between."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(sign for sign in plain if sign.isalnum()).casefold()


def _require_another_dealer(slip: Slip, dealer: Staff, verifier: Actor) -> None:
    """FLOOR-07, GEN-10: the four signatures are of four people: who signs as dealer signs as nobody else."""
    signers = [person for person in (slip.requested_by, slip.issued_by, verifier) if person is not None]
    if _as_spoken(dealer.name) == _as_spoken(slip.runner) or any(
        dealer.user_id is not None and dealer.user_id == person.user_id for person in signers
    ):
        raise RuleViolation(
            "GEN-10",
            Text(
                f"{dealer.name} ya firma este comprobante: como croupier firma otra persona",
                f"{dealer.name} signs this slip already: another person signs as dealer",
            ),
            code="same_person",
            field="dealer",
        )


def _require_at_table(session: TableSession, dealer: Staff) -> None:
    """FLOOR-07: the dealer who signs is one of those at the table now."""
    there = Assignment.objects.filter(
        Q(post__in=(*Assignment.DEALING, *Assignment.HELPING)), session=session, during__endswith=None
    )
    if not there.filter(staff=dealer).exists():
        raise RuleViolation(
            RULE,
            Text(
                f"{dealer.name} no está en {session.table.name}: firma el croupier que está en la mesa",
                f"{dealer.name} is not at {session.table.name}: the dealer at the table signs",
            ),
            code="not_at_table",
            field="dealer",
        )


def _require_same(slip: Slip, counted: Mapping[int, int]) -> None:
    off = counting.difference(counting.loaded(slip.chips), counted)
    if off:
        words = differs_by(off, slip.casino.exponent)
        raise RuleViolation(
            RULE,
            Text(
                f"lo contado no es lo que dice {slip.label}: {words.es}. Cuente otra vez; si es así,"
                " anúlelo con otra persona e informe el hecho",
                f"the count is not what {slip.label} says: {words.en}. Count again; if it is so, void it with"
                " another person and report it",
            ),
            {"difference": counting.stored(off)},
            code="chips_differ",
            field="chips",
        )
