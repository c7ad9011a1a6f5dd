"""Founding a house, by function and by command, and changing its particulars."""

from __future__ import annotations

import dataclasses
import datetime as dt
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from audits import days, ledger
from audits.casinos import FirstLogin, Particulars, create_casino, set_casino
from audits.models import Event
from casino.kernel import locking
from casino.kernel.commands import one_transaction
from casino.kernel.errors import Conflict, NotAllowed, Refused
from casino.kernel.permissions import Role
from casino.models import Casino, User

from .conftest import PASSWORD

GIVEN = Particulars(
    name="Casino Tunari", zone="America/La_Paz", cutoff=dt.time(5, 30), currency="BOB",
    denominations=[10000, 500, 1000],
)  # fmt: skip
LOGIN = FirstLogin("beto", "Beto Rojas", PASSWORD)


def data_of(action):
    event = Event.objects.filter(action=action).order_by("-pk").first()
    return json.loads(bytes(event.body))


class TestFounding:
    def test_a_casino_its_administrator_and_every_event(self, db):
        casino, user = create_casino(code="tunari", particulars=GIVEN, administrator=LOGIN)
        assert casino.denominations == [500, 1000, 10000]
        assert (casino.exponent, casino.cutoff) == (2, dt.time(5, 30))
        assert (user.casino, user.roles) == (casino, {Role.ADMINISTRATOR})
        events = list(Event.objects.order_by("pk"))
        # The job that founds it is a login too, and comes first.
        assert [(event.action, event.subject_label) for event in events] == [
            ("audits.user.created", "setup"),
            ("audits.casino.created", "Casino Tunari"),
            ("audits.user.created", "Beto Rojas"),
        ]
        assert {event.actor.name for event in events} == {"setup"}
        assert data_of("audits.casino.created")["data"]["denominations"] == [500, 1000, 10000]

    def test_not_twice(self, db):
        create_casino(code="tunari", particulars=GIVEN, administrator=LOGIN)
        with pytest.raises(Conflict) as caught:
            create_casino(
                code="tunari", particulars=GIVEN, administrator=FirstLogin("otro", "Otro", PASSWORD)
            )
        assert caught.value.code == "casino_exists"
        assert not User.objects.filter(username="otro").exists()

    def test_a_weak_password_leaves_no_casino_behind(self, db):
        with pytest.raises(Refused) as caught:
            create_casino(code="tunari", particulars=GIVEN, administrator=FirstLogin("beto", "B", "corta"))
        assert caught.value.field == "password"
        assert not Casino.objects.exists()
        assert not Event.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"name": " "}, "name"),
            ({"zone": "America/Lapaz"}, "zone"),
            ({"zone": "../etc/passwd"}, "zone"),
            ({"zone": ""}, "zone"),
            ({"currency": "bob"}, "currency"),
            ({"currency": "BOBS"}, "currency"),
            ({"exponent": -1}, "exponent"),
            ({"exponent": 4}, "exponent"),
            ({"denominations": []}, "denominations"),
            ({"denominations": [0, 100]}, "denominations"),
            ({"denominations": [100, 100]}, "denominations"),
        ],
    )
    def test_particulars_that_make_no_sense_are_refused(self, db, changes, field):
        with pytest.raises(Refused) as caught:
            create_casino(
                code="tunari", particulars=dataclasses.replace(GIVEN, **changes), administrator=LOGIN
            )
        assert (caught.value.code, caught.value.field) == ("bad_casino", field)
        assert not Casino.objects.exists()

    @pytest.mark.parametrize("code", ["", "La-Paz", "la paz", "-paz", "paz-", "a" * 21, "ñandú"])
    def test_a_code_is_plain(self, db, code):
        with pytest.raises(Refused) as caught:
            create_casino(code=code, particulars=GIVEN, administrator=LOGIN)
        assert caught.value.field == "code"


class TestChanging:
    @pytest.fixture
    def given(self, house):
        casino = house.casino
        return Particulars(
            name=casino.name, zone=casino.zone, cutoff=casino.cutoff, currency=casino.currency,
            denominations=casino.denominations, exponent=casino.exponent, licence=casino.licence,
        )  # fmt: skip

    def test_the_event_keeps_what_was_and_what_is(self, house, given):
        changed = dataclasses.replace(given, licence="AJ-0002", denominations=[500, 1000])
        set_casino(particulars=changed, by=house.by(reason="licencia renovada"))
        assert data_of("audits.casino.set")["data"] == {
            "licence": {"before": "AJ-0001", "after": "AJ-0002"},
            "denominations": {"before": [1000, 5000, 10000], "after": [500, 1000]},
            "reason": "licencia renovada",
        }
        assert Casino.objects.get().licence == "AJ-0002"

    def test_nothing_changed_is_nothing_told(self, house, given):
        before = Event.objects.count()
        set_casino(particulars=given, by=house.by())
        assert Event.objects.count() == before

    def test_it_needs_a_reason_and_the_role(self, house, given):
        with pytest.raises(Refused):
            set_casino(particulars=given, by=house.by(reason=""))
        with pytest.raises(NotAllowed):
            set_casino(particulars=given, by=house.by(house.person("jefa", Role.PIT_BOSS)))

    @pytest.mark.parametrize(
        ("changes", "field"), [({"cutoff": dt.time(7)}, "cutoff"), ({"zone": "America/Lima"}, "zone")]
    )
    def test_days_keep_their_bounds_while_one_is_open(self, house, given, changes, field):
        changed = dataclasses.replace(given, **changes)
        with transaction.atomic():
            day = days.day_of(house.casino, dt.datetime(2026, 11, 28, 12, tzinfo=dt.UTC))
        locking.released()
        with pytest.raises(Conflict) as caught:
            set_casino(particulars=changed, by=house.by())
        assert (caught.value.code, caught.value.field) == ("days_open", field)
        days.close_day(day=day, by=house.by(house.person("carla", Role.COMPLIANCE)))
        set_casino(particulars=changed, by=house.by())
        assert getattr(Casino.objects.get(), field) == changes[field]

    def test_the_currency_stays_once_money_moved(self, house, given):
        changed = dataclasses.replace(given, currency="USD")
        with one_transaction():
            move = ledger.Move("vault", "cage:1", 100, "open")
            ledger.post(event=house.record(), kind="open", day=dt.date(2026, 11, 29), moves=[move])
        with pytest.raises(Conflict) as caught:
            set_casino(particulars=changed, by=house.by())
        assert (caught.value.code, caught.value.field) == ("ledger_in_use", "currency")


class TestTheCommand:
    def run(self, monkeypatch, *more, password=PASSWORD, code="la-paz"):
        monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n"))
        out = io.StringIO()
        call_command(
            "setup_casino", code, "Casino Illimani", "--chips", "0.50,10,100", "--admin", "ana",
            "--admin-name", "Ana Quispe", "--password-stdin", *more, stdout=out,
        )  # fmt: skip
        return out.getvalue()

    def test_a_first_installation(self, db, monkeypatch):
        assert "entre como ana" in self.run(monkeypatch, "--licence", "AJ-0009", "--cutoff", "05:00")
        casino = Casino.objects.get()
        # 0.50, 10 and 100 bolivianos in centavos
        assert casino.denominations == [50, 1000, 10000]
        assert (casino.code, casino.licence, casino.cutoff) == ("la-paz", "AJ-0009", dt.time(5))
        assert User.objects.get(username="ana").check_password(PASSWORD)
        call_command("verify_trail", stdout=io.StringIO())

    def test_a_second_run_for_the_same_code_is_refused(self, db, monkeypatch):
        self.run(monkeypatch)
        with pytest.raises(CommandError, match="una sola vez"):
            self.run(monkeypatch)

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (["--zone", "La_Paz"], "zone: no hay zona"),
            (["--chips", "0.505"], "denominations: .*más de 2 decimales"),
            (["--chips", "diez"], "denominations: .*no es un importe"),
            (["--cutoff", "25:00"], "cutoff"),
        ],
    )
    def test_what_makes_no_sense_is_said_and_leaves_nothing(self, db, monkeypatch, more, said):
        with pytest.raises(CommandError, match=said):
            self.run(monkeypatch, *more)
        assert not Casino.objects.exists()

    def test_without_a_terminal_it_says_how_to_give_the_password(self, db, monkeypatch):
        monkeypatch.setattr("sys.stdin", io.StringIO())
        with pytest.raises(CommandError, match="--password-stdin"):
            call_command(
                "setup_casino", "la-paz", "X", "--chips", "1", "--admin", "ana", "--admin-name", "Ana"
            )
