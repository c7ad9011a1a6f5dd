"""`manage.py replay` and `manage.py demo`."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections import Counter
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from audits.closing import close_due_days
from audits.verify import ledger_faults, trail_faults
from casino.models import Casino, User
from shoes.models import Shoe
from tables.demo import CODE, PASSWORD
from tables.models import Round, TableSession
from tests.builders import NATURAL, House

AFTERNOON = dt.datetime(2026, 11, 29, 20, 0, tzinfo=dt.UTC)
CUTOFF_PASSED = dt.datetime(2026, 11, 29, 10, 0, 20, tzinfo=dt.UTC)


def ran(*names: str, **options: Any) -> tuple[int, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command(*names, stdout=out, stderr=err, **options)
    except CommandError as error:
        return error.returncode, out.getvalue() + err.getvalue() + str(error)
    return 0, out.getvalue() + err.getvalue()


def test_replay_chooses_by_session_table_and_day(house: House) -> None:
    one, other = house.open_table(), house.open_table(dealer=1, supervisor=1)
    for session in (one, one, other):
        house.log(session, NATURAL)
    assert ran("replay") == (2, "indique --session, --table, --day o --all")
    for options, number in (
        ({"all": True}, 3),
        ({"session": one.label, "casino": house.casino.code}, 2),
        ({"table": other.table.name}, 1),
        ({"day": "2026-11-20"}, 3),
        ({"day": "2026-11-01..2026-11-30", "table": one.table.name}, 2),
    ):
        code, said = ran("replay", **options)
        assert (code, said) == (0, f"{number} pase(s) liquidados de nuevo, 0 diferencia(s)\n")
    assert ran("replay", day="2026-11-21")[0] == 2
    assert ran("replay", day="ayer")[0] == 2


def test_replay_names_what_differs(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE tables_round SET winner = 'banca'")
        cursor.execute("SET LOCAL session_replication_role = origin")
    code, said = ran("replay", all=True)
    assert code == 1
    assert f"{session.label}, pase 1: winner: 'banca' ≠ 'punto'" in said


# The demo's shoes alone are some hundreds of writes: made once and looked at from every side.
@pytest.mark.django_db
@time_machine.travel(AFTERNOON, tick=True)
def test_the_demo_is_a_house_that_adds_up() -> None:
    assert ran("demo", logins=True) == (0, "")
    code, said = ran("demo", if_empty=True)
    assert code == 0
    assert said.count(PASSWORD) == 14  # every login there is
    casino = Casino.objects.get()
    assert casino.code == CODE
    assert User.objects.get(username="pitboss").check_password(PASSWORD)
    assert not [*trail_faults(casino), *ledger_faults(casino)]
    assert ran("replay", all=True)[0] == 0
    _shoes_hold_what_is_left()
    states = list(TableSession.objects.values_list("state", flat=True))
    # Twelve tables in play, one of them paused; two of last night counted, one of today waits for its box.
    assert Counter(states) == {"open": 11, "paused": 1, "counted": 2, "closed": 1}
    games = {s.game.split(".")[0] for s in TableSession.objects.all()}
    assert games == {"baccarat", "blackjack", "roulette", "trente", "poker"}
    # A ring's rake is all the house has of it; a table without cards has no shoe.
    texas = TableSession.objects.get(game="poker.texas")
    assert texas.staked - texas.returned == texas.commission > 0
    assert TableSession.objects.get(game="roulette.single_zero").shoe is None
    assert {s.detail for s in TableSession.objects.filter(state="open")} == {"full", "cards", "result"}
    assert Round.objects.filter(state="open").count() == 2
    # Yesterday waits for the nightly job, and nothing holds it.
    (outcome,) = close_due_days(casino=casino)
    assert (len(outcome.closed), outcome.held) == (1, None)

    assert ran("demo", if_empty=True) == (0, "")
    assert ran("demo")[0] == 1
    assert ran("demo", reset=True)[0] == 1
    assert Casino.objects.count() == 1


@pytest.mark.django_db
@time_machine.travel(CUTOFF_PASSED, tick=True)
def test_the_demo_is_made_at_any_hour() -> None:
    assert ran("demo")[0] == 0
    assert TableSession.objects.filter(state__in=TableSession.LIVE).count() == 12
    assert not list(trail_faults(Casino.objects.get()))


def _shoes_hold_what_is_left() -> None:
    played = Shoe.objects.filter(state="in_play", count_complete=True)
    assert played.count() >= 4
    for shoe in played:
        known = sum(shoe.seen.values())
        assert shoe.total - shoe.remaining == shoe.dealt + shoe.discarded + shoe.burned
        assert known <= shoe.total - shoe.remaining


def test_the_demo_refuses_production(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    production = dataclasses.replace(settings.ENVIRONMENT, production=True)
    monkeypatch.setattr(settings, "ENVIRONMENT", production)
    for options in ({}, {"reset": True, "yes": True}):
        code, said = ran("demo", **options)
        assert (code, "producción" in said) == (1, True)
    for options in ({"if_empty": True}, {"logins": True}):
        assert ran("demo", **options) == (0, "")
    assert not Casino.objects.exists()


def test_a_reset_spares_a_real_house(house: House) -> None:
    code, said = ran("demo", reset=True, yes=True)
    assert (code, said) == (1, "hay un casino que no es el de demostración: no se borra")
    house.casino.refresh_from_db()
