"""The nightly proof: it matches, names what was altered to the bet, holds the day, is caught up in order."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from audits import days, incidents
from audits.by import by_system
from audits.models import Event, Incident
from casino.kernel import clock
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import GamingDay
from jackpots import catching_up, prizes, proving, reading, tasks
from jackpots.models import Difference, MeterReading, Prize, Proof
from tests.builders import NIGHT, House
from tests.jackpots.builders import FLUSH, NOTHING, ROYAL, PoolNight, a_pool
from tests.jackpots.proof_nights import void

DAY = NIGHT.date()
MORNING = NIGHT + dt.timedelta(hours=14)
HIGH, HIGH2 = "Qc Td 7d 6s 3d", NOTHING

pytestmark = pytest.mark.rule("PP-28")


@pytest.fixture
def night(house: House) -> PoolNight:
    """Three bets of 5.00 in two rounds: main 3 x 3.60, reserve 3 x 0.90, commission 3 x 0.50."""
    made = a_pool(house)
    for seat in (2, 4):
        made.buy(0, seat)
        made.bet(0, seat)
    made.play(0, {2: HIGH2, 4: HIGH})
    made.bet(0, 2)
    made.play(0, {2: HIGH2, 4: HIGH})
    return made


def prove(night: PoolNight, day: dt.date = DAY, at: dt.datetime = MORNING) -> Proof:
    with clock.standing_at(at):
        return proving.prove(pool=night.pool, day=day, by=by_system(night.house.casino, "pool-proof"))


def found(night: PoolNight) -> dict[str, str]:
    """What differs: code -> places, in one line each."""
    said: dict[str, str] = {}
    for one in Difference.objects.filter(pool=night.pool):
        said[one.code] = f"{said.get(one.code, '')}; {one.place}: {one.expected} -> {one.found}".strip("; ")
    return said


@pytest.fixture
def tamper() -> Iterator[Callable[[str], None]]:
    """SQL past every trigger."""

    def run(statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")  # as at commit
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(statement)
            assert cursor.rowcount, statement
            cursor.execute("SET LOCAL session_replication_role = origin")

    yield run


def test_a_night_that_matches(night: PoolNight) -> None:
    """Final 10.80 = initial 0 + increments 10.80; base 1,000.00 put in by the house that day."""
    proof = prove(night)
    assert found(night) == {}
    assert proof.state == "matched"
    figures = proof.figures
    assert (figures["bets"], figures["amount"], figures["commission"]) == (3, 1_500, 150)
    assert figures["funds"]["main"]["players"] == {"initial": 0, "increments": 1_080, "final": 1_080}
    assert figures["funds"]["reserve"]["players"]["final"] == 270


def test_run_twice_it_says_nothing_new(night: PoolNight) -> None:
    first = prove(night)
    again = prove(night, at=MORNING + dt.timedelta(hours=1))
    assert (again.pk, again.digest, again.event_id, again.at) == (
        first.pk,
        first.digest,
        first.event_id,
        first.at,
    )
    assert Event.objects.filter(action="jackpots.pool.proved").count() == 1


def test_prizes_voids_and_rejections_match(night: PoolNight) -> None:
    """A royal flush, a flush, a voided round, a prize not confirmed: every sum still meets the other."""
    with night.now():
        void(night, 2)
    night.bet(0, 4)
    night.play(0, {2: HIGH2, 4: ROYAL}, house="Ac Ad 8d 3d 2c")
    night.bet(0, 2, 3)
    night.play(0, {2: FLUSH, 4: HIGH})
    with night.now():
        second = night.house.users[Role.CAGE].actor
        flush = Prize.objects.get(pool=night.pool, hand="flush")
        prizes.reject_prize(prize=flush, with_=second, by=night.by(Role.COMPLIANCE, "no se ve el color"))
    proof = prove(night)
    assert found(night) == {}
    assert proof.state == "matched"
    assert proof.figures["void"] == 1


# ---- what was altered is named -----------------------------------------------------------------------

_LINE = (
    "UPDATE audits_posting SET debit = debit + {0} * (debit > 0)::int, credit = credit + {0} * (credit >"
    " 0)::int"
    " WHERE id = (SELECT min(p.id) FROM audits_posting p JOIN audits_account a ON a.id = p.account_id"
    " JOIN audits_transfer t ON t.id = p.transfer_id WHERE a.code = '{1}' AND t.kind = 'round')"
)
ALTERED: dict[str, tuple[str, dict[str, str]]] = {
    # what is altered: statement, what is found where
    "a bet's amount": (
        "UPDATE jackpots_bet SET amount = amount - 100 WHERE serial = 2",
        {"bet": "pase 1, posición 4", "round": "pase 1, pool:main", "collected": "1: 1500 -> 1400"},
    ),
    "a bet's total": (
        "UPDATE jackpots_bet SET total = total + 77 WHERE serial = 2",
        {"bet": "pase 1, posición 4"},
    ),
    "a bet's day": ("UPDATE jackpots_bet SET day = day - 1 WHERE serial = 3", {"bet": "pase 2, posición 2"}),
    "a bet made void": (
        "UPDATE jackpots_bet SET state = 'void' WHERE serial = 3",
        {"bet": "pase 2, posición 2"},
    ),
    "a bet gone": (
        "DELETE FROM jackpots_bet WHERE serial = 1",
        {"bet": "pase 1, posición 2", "bets": "count"},
    ),
    "a round's line": (
        _LINE.format(1, "pool:{pool}:main"),
        {"round": "pase 1, pool:main", "ledger_day": "main"},
    ),
    "a commission": (_LINE.format(1, "commission:{pool}"), {"round": "pase 1, commission"}),
    "players' money": (
        "UPDATE jackpots_fund SET players = players + 1 WHERE code = 'main'",
        {"shown": "main: 1080 -> 1081"},
    ),
    "the base": ("UPDATE jackpots_fund SET base = base - 1 WHERE code = 'main'", {"shown": "main:base"}),
    "what was collected": ("UPDATE jackpots_pool SET collected = 1600", {"collected": "1: 1600 -> 1500"}),
    "how many bets": ("UPDATE jackpots_pool SET bets = 4", {"bets": "count: 4 -> 3"}),
    "a meter at a position": (
        "UPDATE jackpots_seatcredits SET amount = amount + 500 WHERE seat = 2",
        {"credits": ""},
    ),
    "a bet left placed": (
        "UPDATE jackpots_bet SET state = 'placed', serial = NULL, total = NULL, version_id = NULL WHERE"
        " serial = 3",
        {"placed": "pase 2, posición 2", "bet": "pase 2, posición 2"},
    ),
}


@pytest.mark.parametrize("what", ALTERED)
def test_what_was_altered_is_named(night: PoolNight, tamper: Callable[[str], None], what: str) -> None:
    statement, wanted = ALTERED[what]
    tamper(statement.format(pool=night.pool.pk))
    assert prove(night).state == "different"
    said = found(night)
    assert all(place in said.get(code, "-") for code, place in wanted.items()), said


def test_a_prize_that_is_not_in_the_books(night: PoolNight, tamper: Callable[[str], None]) -> None:
    """A flush of 250.00 becomes one of 251.00 in its row: pending holds 250.00."""
    night.bet(0, 2)
    night.play(0, {2: FLUSH, 4: HIGH})
    tamper("UPDATE jackpots_prize SET amount = amount + 100, house = house + 100")
    prove(night)
    assert found(night) == {"pending": "pending: 25100 -> 25000", "prizes": "pending: 25100 -> 25000"}


# ---- differences, incidents, the day -----------------------------------------------------------------


def test_a_difference_is_one_incident_with_who_answers(
    night: PoolNight, tamper: Callable[[str], None]
) -> None:
    tamper("UPDATE jackpots_fund SET players = players + 1 WHERE code = 'main'")
    proof, again = prove(night), prove(night, at=MORNING + dt.timedelta(hours=1))
    assert (proof.pk, proof.digest, proof.event_id) == (again.pk, again.digest, again.event_id)
    (incident,) = Incident.objects.filter(kind=proving.DIFFERENCE)
    assert incident.facts["responsible"]["name"] == night.house.users[Role.COMPLIANCE].actor.name
    assert "debía ser 10,80, es 10,81" in incident.summary_es and incident.rules == ["PP-28"]


@pytest.mark.rule("REC-08")
def test_a_difference_holds_the_day_until_it_is_explained(
    night: PoolNight, tamper: Callable[[str], None]
) -> None:
    day = GamingDay.objects.get(casino=night.house.casino, date=DAY)
    assert [one.code for one in proving.holds_day(day)] == ["pool_not_proved"]
    assert proving.holds_day in days._checks
    tamper("UPDATE jackpots_fund SET players = players + 1 WHERE code = 'main'")
    prove(night)
    assert [(one.code, one.rule) for one in proving.holds_day(day)] == [("pool_differs", "PP-28")]
    _explain(night)
    assert prove(night, at=MORNING + dt.timedelta(hours=3)).state == "explained"
    assert proving.holds_day(day) == []
    states = Event.objects.filter(action="jackpots.pool.proved").count()
    assert states == 2


def _explain(night: PoolNight) -> None:
    at = MORNING + dt.timedelta(hours=2)
    with clock.standing_at(at):
        for incident in Incident.objects.filter(state="open"):
            incidents.resolve_incident(
                incident=incident,
                resolution="se corrigió el contador tras revisar el registro",
                rule_applied="PP-29",
                with_=night.house.users[Role.PIT_BOSS].actor,
                by=night.house.by(Role.COMPLIANCE, at),
            )


def test_what_happens_after_the_proof_asks_for_another(night: PoolNight) -> None:
    day = GamingDay.objects.get(casino=night.house.casino, date=DAY)
    prove(night)
    assert proving.holds_day(day) == []
    night.bet(0, 2)
    night.play(0, {2: HIGH2, 4: HIGH})
    assert [one.code for one in proving.holds_day(day)] == ["pool_not_proved"]
    assert (prove(night).figures["bets"], proving.holds_day(day)) == (4, [])


def test_a_deviation_is_told_once_not_every_night(night: PoolNight, tamper: Callable[[str], None]) -> None:
    tamper("UPDATE jackpots_fund SET players = players + 1 WHERE code = 'main'")
    prove(night)
    assert prove(night, DAY + dt.timedelta(days=1), MORNING + dt.timedelta(days=1)).state == "matched"
    assert Difference.objects.count() == 1


# ---- caught up in order ------------------------------------------------------------------------------


def test_missed_nights_are_caught_up_oldest_first(night: PoolNight, monkeypatch: pytest.MonkeyPatch) -> None:
    casino = night.house.casino
    for later in (2, 1):
        GamingDay.objects.create(casino=casino, date=DAY + dt.timedelta(days=later))
    sent: list[tuple[int, str]] = []
    monkeypatch.setattr(tasks.prove_pool_day, "delay", lambda *args: sent.append(args))
    with clock.standing_at(MORNING + dt.timedelta(days=3)):
        tasks.prove_pools()
        assert sent == [(night.pool.pk, str(DAY + dt.timedelta(days=later))) for later in range(3)]
        tasks.prove_pool_day(*sent[1])  # the second first: the one before it comes along
        assert list(Proof.objects.order_by("pk").values_list("day", flat=True)) == [
            DAY,
            DAY + dt.timedelta(days=1),
        ]
        catching_up.prove_night(*sent_day(sent[2]))
    assert Proof.objects.filter(state="matched").count() == 3


def sent_day(task: tuple[int, str]) -> tuple[int, dt.date]:
    return task[0], dt.date.fromisoformat(task[1])


def test_the_command_says_what_it_found(night: PoolNight, tamper: Callable[[str], None]) -> None:
    out, said = StringIO(), StringIO()
    with clock.standing_at(MORNING):
        call_command("reconcile_pools", stdout=out)
        assert "cuadra" in out.getvalue()
        tamper("UPDATE jackpots_bet SET amount = amount - 100 WHERE serial = 2")
        with pytest.raises(CommandError) as stopped:
            call_command("reconcile_pools", pool=night.pool.name, day=DAY, stdout=out, stderr=said)
        assert stopped.value.returncode == 1
        assert "pase 1, posición 4" in said.getvalue()
        # 5,00 less 1,00, in names and money.
        assert "4,00" in said.getvalue() and "main" not in said.getvalue()
        with pytest.raises(CommandError, match=r"una fecha, como .* / a date, such as"):
            call_command("reconcile_pools", "--day", "hoy")
        told = StringIO()
        with pytest.raises(CommandError):
            call_command("reconcile_pools", json=True, stdout=told, stderr=said)
    (one,) = json.loads(told.getvalue())
    assert (one["state"], one["day"]) == ("different", str(DAY))
    assert {row["code"] for row in one["differences"]} >= {"bet", "round", "collected"}
    with pytest.raises(CommandError) as unknown:
        call_command("reconcile_pools", pool="ninguno", stdout=out)
    assert unknown.value.returncode == 2


def test_a_day_to_come_and_a_pool_never_started_are_refused(night: PoolNight) -> None:
    with pytest.raises(Refused) as refusal:
        prove(night, DAY + dt.timedelta(days=9))
    assert refusal.value.code == "day_to_come"


# ---- readings ----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-29")
def test_a_reading_is_held_against_what_the_level_held(night: PoolNight) -> None:
    right = reading.read_meter(pool=night.pool, amount=101_080, by=night.by())
    assert (right.shown, right.bets, reading.said(right)) == (101_080, 3, None)
    wrong = reading.read_meter(pool=night.pool, amount=101_090, by=night.by())
    said = reading.said(wrong)
    assert said is not None and "1010" in said.es.replace(".", "").replace(",", "")
    proof = prove(night)
    assert proof.state == "different"
    assert found(night) == {"reading": f"main #{wrong.pk}: 101080 -> 101090"}
    assert proof.figures["readings"] == [["main", 101_080, 101_080], ["main", 101_090, 101_080]]


@pytest.mark.rule("PP-29")
def test_a_lower_reading_needs_a_reason_or_a_prize(night: PoolNight) -> None:
    reading.read_meter(pool=night.pool, amount=101_080, by=night.by())
    with pytest.raises(RuleViolation) as refusal:
        reading.read_meter(pool=night.pool, amount=101_079, by=night.by())
    assert (refusal.value.code, refusal.value.rule) == ("reading_lower", "PP-29")
    reading.read_meter(pool=night.pool, amount=101_079, by=night.by(reason="el visor perdió un centavo"))
    night.bet(0, 4)
    night.play(0, {2: HIGH2, 4: ROYAL}, house="Ac Ad 8d 3d 2c")
    assert reading.read_meter(pool=night.pool, amount=night.shown(), by=night.by()).reason == ""


def test_readings_are_refused_that_are_none(night: PoolNight) -> None:
    for wrong in (-1, True, 1.5, None):
        with pytest.raises(Refused) as refusal:
            reading.read_meter(pool=night.pool, amount=wrong, by=night.by())  # type: ignore[arg-type]
        assert refusal.value.code == "bad_amount"
    with pytest.raises(Refused) as refusal:
        reading.read_meter(pool=night.pool, amount=1, level="reserve", by=night.by())
    assert refusal.value.code == "no_level"
    assert not MeterReading.objects.exists()


def test_a_reading_altered_later_is_found(night: PoolNight, tamper: Callable[[str], None]) -> None:
    """What was shown is added up again from the trail before it."""
    entered = reading.read_meter(pool=night.pool, amount=101_080, by=night.by())
    night.bet(0, 2)
    night.play(0, {2: HIGH2, 4: HIGH})
    tamper("UPDATE jackpots_meterreading SET shown = 100000, amount = 100000")
    prove(night)
    assert found(night) == {"reading_shown": f"main #{entered.pk}: 101080 -> 100000"}
