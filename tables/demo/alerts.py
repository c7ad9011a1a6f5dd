"""The demonstration's alerts, a float check, disputes and notes of tonight.

alerts.evening(house, now)          last of all, once the tables of tonight are in play
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from audits.by import by_system
from audits.incidents import resolve_incident
from tables import disputes
from tables.alerts import float_checks, shift_notes
from tables.alerts.keeping import acknowledge
from tables.alerts.sweeping import JOB, sweep
from tables.demo.house import BOB, House
from tables.models import Alert, Assignment, TableSession
from tables.overview.standing import RELIEF
from tables.results import expected_tray

CASH = 3_000 * BOB
SHORT = 50 * BOB
"""What the checked float lacks: two chips of 25, above what is reported in the house (FLOOR-05)."""

DISPUTES = (
    (
        "PB-03",
        4,
        "El asiento 4 dice que retiró su apuesta antes del «no va más»; el croupier la vio puesta.",
        "Vista la grabación, la apuesta estaba puesta al cerrar: vale y se cobra. Se le explica al jugador.",
        "GEN-08",
    ),
    (
        "BJ-02",
        2,
        "El asiento 2 pidió carta con la mano y dice que se plantaba; la carta quedó descubierta.",
        "La seña fue de pedir y así se filmó: la carta es de su mano y el pase sigue con ella.",
        "BJ-13",
    ),
)


def evening(house: House, now: dt.datetime) -> None:
    """Two disputes settled, a float checked, alerts of now, one of them attended to, and a note of the
    shift."""
    for table, seat, claims, resolution, rule in DISPUTES:
        session = _live(house, table)
        if session is not None:
            incident = disputes.open_dispute(
                session=session, claims=claims, seat=seat, by=house.by("supervisor", now)
            )
            resolve_incident(
                incident=incident,
                resolution=resolution,
                rule_applied=rule,
                with_=house.users["supervisor"].actor,
                by=house.by("pitboss", now),
            )
    _check(house, "PB-02", now)
    sweep(by=replace(by_system(house.casino, JOB), occurred_at=now))
    late = Alert.objects.filter(casino=house.casino, kind=RELIEF).order_by("pk")[:1]
    if late:
        acknowledge(
            alerts=list(late), by=house.by("pitboss", now, "relevo avisado: entra al terminar el pase")
        )
    shift_notes.note_shift(
        text="Sala tranquila hasta medianoche. PB-01 con mucho público: pedir otro pagador para mañana.",
        by=house.by("pitboss", now),
    )


def _live(house: House, table: str) -> TableSession | None:
    rows = TableSession.objects.filter(casino=house.casino, table__name=table, state__in=TableSession.LIVE)
    return rows.select_related("table", "day", "casino").first()


def _check(house: House, table: str, now: dt.datetime) -> None:
    """A float as the ledger has it, less the chips sold for cash, and short of two chips of 25."""
    session = _live(house, table)
    if session is None:
        return
    held = Assignment.objects.filter(session=session, during__endswith=None).select_related("staff")
    posts = {turn.post: turn.staff for turn in held}
    left = expected_tray(session) - CASH - SHORT
    counted: dict[int, int] = {}
    for chip in sorted(house.casino.denominations, reverse=True):
        counted[chip], left = divmod(left, chip)
    float_checks.check_float(
        session=session,
        chips_counted=counted,
        counted_by=posts["dealer"],
        witnessed_by=posts["supervisor"],
        cash=CASH,
        by=house.by("pitboss", now),
    )
