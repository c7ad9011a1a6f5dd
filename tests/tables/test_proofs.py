"""Whoever writes past the triggers is found out: every stored figure is held against the trail and the books.

One night, made once; each case changes one thing in it as someone who owns the server could, and is undone.
"""
# ruff: noqa: E501  (statements read better whole)

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction

from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from casino.models import Casino
from tables import inforce, replay, rounds, sessions
from tables.models import Round
from tests.builders import BOB, CLOSING_TIME, FLOAT, NATURAL, NIGHT, a_house, bets, cards

pytestmark = pytest.mark.rule("REC-06")
MINUTE = dt.timedelta(minutes=1)
Night = SimpleNamespace

BANCA_WINS = cards("6d Kh", "5c 2s")


@pytest.fixture(scope="module")
def night(django_db_setup: None, django_db_blocker: Any) -> Iterator[Night]:
    with django_db_blocker.unblock():
        block = transaction.atomic()
        block._from_testcase = True  # type: ignore[attr-defined]  # commands may be durable inside it
        with block:
            yield _a_night()
            transaction.set_rollback(True)


def _a_night() -> Night:
    house = a_house()
    boss = lambda minute, why="": house.by(Role.PIT_BOSS, NIGHT + minute * MINUTE, why)  # noqa: E731
    closed = house.open_table(detail="full")
    first = house.log(closed, [*bets((1, "punto", 100), (2, "banca", 50)), *NATURAL], at=NIGHT + MINUTE)
    other = house.log(closed, [*bets((2, "banca", 200)), *BANCA_WINS], at=NIGHT + 2 * MINUTE)
    twice = house.log(closed, [*bets((2, "banca", 200)), *BANCA_WINS], at=NIGHT + 3 * MINUTE)
    rounds.void(
        round=twice,
        approved_by=house.users[Role.SUPERVISOR].actor,
        cards_came_out=False,
        by=boss(4, "se registró dos veces"),
    )
    relief = house.by(Role.SUPERVISOR, NIGHT + 5 * MINUTE)
    sessions.relieve(session=closed, staff=house.dealers[2], post="dealer", by=relief)
    stepped = rounds.play(session=closed, number=4, step=0, events=bets((3, "punto", 50)), by=boss(6))
    rounds.play(session=closed, number=4, step=2, events=cards("4h 3h", "2d 5h")[:2], by=boss(7))
    rounds.play(session=closed, number=4, step=4, events=cards("4h 3h", "2d 5h")[2:], by=boss(7))
    rounds.settle(session=closed, number=4, step=6, by=boss(8))
    misdeal = rounds.play(session=closed, number=5, step=0, events=bets((3, "punto", 50)), by=boss(9))
    rounds.abandon(session=closed, number=5, step=2, by=boss(10, "cartas boca arriba"))
    # Punto wins 100, loses 50; banca wins 200 less 10: the house is down 240 with 10 of commission; the
    # stake of the tie (7 to 7) stands.
    closed = house.close(closed, FLOAT, at=CLOSING_TIME)
    closed = house.count_out(closed, 300 * BOB, at=CLOSING_TIME + MINUTE)

    house.supervisors.append(house.person(supervises=True))
    playing = house.open_table(dealer=1, supervisor=1, at=NIGHT)
    opened = rounds.play(session=playing, number=1, step=0, events=NATURAL[:3], by=boss(11))
    told = house.open_table(dealer=0, supervisor=2, detail="result", at=CLOSING_TIME + 2 * MINUTE)
    house.log(
        told, [{"e": "result", "winner": "punto", "punto": 9, "banca": 7}], at=CLOSING_TIME + 3 * MINUTE
    )
    idle, spare = house.person(), house.table(detail="full")
    with connection.cursor() as cursor:  # as at commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    return SimpleNamespace(
        casino=house.casino, house=house, first=first, other=other, twice=twice, stepped=stepped,
        misdeal=misdeal, closed=closed, playing=playing, opened=opened, told=told,
        idle=idle, spare=spare,
    )  # fmt: skip


@pytest.fixture
def tamper(night: Night) -> Iterator[Callable[..., None]]:
    """Run SQL with every trigger off; undone after the test."""

    def run(*statements: str) -> None:
        values = {
            "casino": night.casino.pk, "first": night.first.pk, "other": night.other.pk, "twice": night.twice.pk,
            "stepped": night.stepped.pk, "misdeal": night.misdeal.pk, "opened": night.opened.pk,
            "closed": night.closed.pk, "playing": night.playing.pk, "told": night.told.pk,
            "shoe": night.closed.shoe_id, "in_play": night.playing.shoe_id,
            "idle": night.idle.pk, "spare": night.spare.pk, "someone": night.house.dealers[1].pk, "boss": night.house.users[Role.PIT_BOSS].actor.pk,
            "cage": night.house.users[Role.CAGE].actor.pk,
        }  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for statement in statements:
                cursor.execute(statement.format(**values))
                assert cursor.rowcount, statement
            cursor.execute("SET LOCAL session_replication_role = origin")

    with transaction.atomic():
        yield run
        transaction.set_rollback(True)


def faults(casino: Casino) -> dict[str, str]:
    """Where -> what, of both proofs."""
    found: dict[str, str] = {}
    for proof in (trail_faults, ledger_faults):
        for fault in proof(casino):
            found[fault.where] = f"{found.get(fault.where, '')}; {fault.words.en}"
    return found


def test_an_honest_night_has_no_fault(night: Night) -> None:
    assert faults(night.casino) == {}
    assert list(replay.differences(Round.objects.filter(settlement__isnull=False))) == []


A_ROUND = "UPDATE tables_round SET {0} WHERE id = {{first}}"
CLOSED = "UPDATE tables_tablesession SET {0} WHERE id = {{closed}}"
SHOE = "UPDATE shoes_shoe SET {0} WHERE id = {{shoe}}"

LAST_ROUND_GONE = (
    # The whole of the last round of an open table: its row, its event, its money, the head and the totals.
    "DELETE FROM audits_event WHERE subject_type = 'round' AND subject_id = {opened} AND action = 'tables.round.opened'",
    "UPDATE audits_stream SET head_seq = head_seq - 1, head_hash = (SELECT hash FROM audits_event e"
    " WHERE e.stream_id = audits_stream.id ORDER BY seq DESC LIMIT 1) WHERE name = 'session:{playing}'",
)

UNNOTICED: dict[str, tuple[tuple[str, ...], str, str]] = {
    # name: (statements, where it is found, what is named)
    "last event cut, head rolled back": (LAST_ROUND_GONE, "round:{opened}", "opened"),
    "last event and its round cut": (
        (*LAST_ROUND_GONE, "DELETE FROM tables_round WHERE id = {opened}"), "S-", "dealt"
    ),
    "a session's stream deleted": (
        (
            "DELETE FROM audits_event WHERE stream_id = (SELECT id FROM audits_stream WHERE name = 'session:{closed}')",
            "DELETE FROM audits_stream WHERE name = 'session:{closed}'",
        ),
        "session:{closed}",
        "opened",
    ),
    "a shoe's stream deleted": (
        (
            "DELETE FROM audits_event WHERE stream_id = (SELECT id FROM audits_stream WHERE name = 'shoe:{shoe}')",
            "DELETE FROM audits_stream WHERE name = 'shoe:{shoe}'",
        ),
        "shoe:{shoe}",
        "started",
    ),
    "a settled round deleted, counters lowered": (
        (
            "DELETE FROM tables_bet WHERE round_id = {first}",
            "UPDATE tables_tablesession SET rounds_settled = rounds_settled - 1,"
            " staked = staked - (SELECT staked FROM tables_round WHERE id = {first}),"
            " returned = returned - (SELECT returned FROM tables_round WHERE id = {first}) WHERE id = {closed}",
            "DELETE FROM tables_round WHERE id = {first}",
        ),
        "round:{first}",
        "row",
    ),
    "settled to void without an event": ((A_ROUND.format("state = 'void'"),), "round:{first}", "void_event"),
    "void to settled": (("UPDATE tables_round SET state = 'settled' WHERE id = {twice}",), "round:{twice}", "state"),
    "void event unnamed": (
        ("UPDATE tables_round SET void_event_id = NULL WHERE id = {misdeal}",), "round:{misdeal}", "void_event"
    ),
    "a misdeal's log": (
        ("UPDATE tables_round SET log = log - 1 WHERE id = {misdeal}",), "round:{misdeal}", "void_log"
    ),
    "event_id null": ((A_ROUND.format("event_id = NULL"),), "round:{first}", "event"),
    "another dealer": ((A_ROUND.format("dealer_id = {someone}"),), "round:{first}", "dealer"),
    "another dealer of the round in progress": (
        ("UPDATE tables_round SET dealer_id = (SELECT dealer_id FROM tables_round WHERE id = {first})"
         " WHERE id = {opened}",),
        "round:{opened}",
        "dealer",
    ),
    "another logger": ((A_ROUND.format("logged_by_id = {cage}"),), "round:{first}", "logged_by"),
    "opened_at": ((A_ROUND.format("opened_at = opened_at - interval '1 second'"),), "round:{first}", "opened_at"),
    "settled_at": ((A_ROUND.format("settled_at = settled_at + interval '1 second'"),), "round:{first}", "settled_at"),
    "opened_at of a round in steps": (
        ("UPDATE tables_round SET opened_at = settled_at WHERE id = {stepped}",), "round:{stepped}", "opened_at"
    ),
    "the log": ((A_ROUND.format("log = jsonb_set(log, '{{3,card}}', '\"8d\"')"),), "round:{first}", "log"),
    "the log in progress": (
        ("UPDATE tables_round SET log = jsonb_set(log, '{{0,card}}', '\"8d\"') WHERE id = {opened}",),
        "round:{opened}",
        "opened_log",
    ),
    "its rules": (
        ("INSERT INTO tables_gamerules (casino_id, game, version, params, effective_from, betting_plan, reason,"
         " published_by_id) SELECT casino_id, game, 9, params, effective_from, betting_plan, reason, published_by_id"
         " FROM tables_gamerules WHERE id = (SELECT rules_id FROM tables_round WHERE id = {first})",
         A_ROUND.format("rules_id = (SELECT id FROM tables_gamerules WHERE version = 9 AND casino_id = {casino})")),
        "round:{first}",
        "rules",
    ),
    "its limits": (
        (A_ROUND.format("limits_id = (SELECT limits_id FROM tables_round WHERE id = {opened})"),),
        "round:{first}",
        "limits",
    ),
    "its shoe": ((A_ROUND.format("shoe_id = {in_play}"),), "round:{first}", "shoe"),
    "its detail": ((A_ROUND.format("detail = 'cards'"),), "round:{first}", "detail"),
    "its winner": ((A_ROUND.format("winner = 'banca'"),), "round:{first}", "winner"),
    "its announcement": (
        (A_ROUND.format("settlement = jsonb_set(settlement, '{{announcement,es}}', '\"otra\"')"),),
        "round:{first}",
        "announcement",
    ),
    "its bets, totals and counters": (
        (
            "UPDATE tables_bet SET stake = stake + 100, returned = returned + 100 WHERE round_id = {first}",
            A_ROUND.format("staked = staked + 200, returned = returned + 200"),
            CLOSED.format("staked = staked + 200, returned = returned + 200"),
        ),
        "round:{first}",
        "bets",
    ),
    "opening": ((CLOSED.format("opening = opening + 100"),), "session:{closed}", "opening"),
    "closing and result": (
        (CLOSED.format("closing = closing - 100, result = result - 100"),), "session:{closed}", "closing"
    ),
    "drop": ((CLOSED.format('"drop" = "drop" + 100, result = result + 100'),), "session:{closed}", "drop"),
    "result": ((CLOSED.format("result = result + 1"),), "session:{closed}", "result"),
    "unexplained": ((CLOSED.format("unexplained = 0"),), "session:{closed}", "unexplained"),
    "opened_at of a session": (
        (CLOSED.format("opened_at = opened_at - interval '1 hour'"),), "session:{closed}", "opened_at"
    ),
    "closed_by": ((CLOSED.format("closed_by_id = {cage}"),), "session:{closed}", "closed_by"),
    "its table": (
        (CLOSED.format("table_id = {spare}"),),
        "session:{closed}",
        "label",
    ),
    "last_round": ((CLOSED.format("last_round = last_round + 1"),), "session:{closed}", "last_round"),
    "a session reopened": (
        (CLOSED.format("state = 'open', closed_at = NULL, closed_by_id = NULL"),), "session:{closed}", "state"
    ),
    "the shoe at the table": (
        ("UPDATE tables_tablesession SET shoe_id = {shoe} WHERE id = {playing}",), "session:{playing}", "shoe"
    ),
    "chips counted": (
        ("UPDATE tables_chipcount SET chips = '{{\"100\": 1}}' WHERE session_id = {closed} AND moment = 'opening'",),
        "session:{closed} (opening)",
        "chips",
    ),
    "who counted": (
        ("UPDATE tables_chipcount SET counted_by_id = {someone} WHERE session_id = {closed} AND moment = 'closing'",),
        "session:{closed} (closing)",
        "counted_by",
    ),
    "a count deleted": (
        ("DELETE FROM tables_chipcount WHERE session_id = {closed} AND moment = 'closing'",),
        "session:{closed} (closing)",
        "row",
    ),
    "limits": (
        ("UPDATE tables_betlimits SET spots = jsonb_set(spots, '{{punto,1}}', '900000')"
         " WHERE id = (SELECT limits_id FROM tables_round WHERE id = {first})",),
        "limits:",
        "spots",
    ),
    "limits in force from": (
        ("UPDATE tables_betlimits SET effective_from = effective_from - interval '1 day'"
         " WHERE id = (SELECT limits_id FROM tables_round WHERE id = {first})",),
        "limits:",
        "effective_from",
    ),
    "rules": (
        ("UPDATE tables_gamerules SET params = params || '{{\"forged\": 1}}' WHERE casino_id = {casino}",),
        "rules:",
        "params",
    ),
    "who confirmed the rules": (
        ("UPDATE tables_gamerules SET confirmed_by = 'otra persona' WHERE casino_id = {casino}",),
        "rules:",
        "confirmed",
    ),
    "rules as if they were forced": (
        ("UPDATE tables_gamerules SET forced = 'porque sí' WHERE casino_id = {casino}",),
        "rules:",
        "forced",
    ),
    "two cards exchanged in a shoe's count": (
        ("UPDATE shoes_shoe SET seen = (seen - '9d') || '{{\"8d\": 1}}' WHERE id = {in_play}",), "S-", "seen"
    ),
    "a shoe's discards": ((SHOE.format("discarded = discarded - 4, remaining = remaining + 4"),), "S-", "discarded"),
    "a stop card unseen": (
        ("UPDATE shoes_shoe SET stop_at = 0 WHERE id = {in_play}",), "S-", "stop_at"
    ),
    "a stop card seen": (
        ("UPDATE shoes_shoe SET stop_marked = true, stop_reached = true WHERE id = {in_play}",),
        "shoe:{in_play}",
        "stop_marked",
    ),
    "a step of preparation": (
        ("UPDATE shoes_shoestep SET signed_by_id = {cage} WHERE shoe_id = {shoe} AND seq = 2",),
        "shoe:{shoe}, 2",
        "signed_by",
    ),
    "an inspection": (
        ("UPDATE shoes_deckinspection SET witness_id = {cage} WHERE id ="
         " (SELECT max(id) FROM shoes_deckinspection WHERE casino_id = {casino})",),
        "deck:",
        "witness",
    ),
    "another croupier on the turn": (
        ("UPDATE tables_assignment SET staff_id = {idle} WHERE session_id = {closed} AND post = 'dealer'"
         " AND upper(during) < (SELECT closed_at FROM tables_tablesession WHERE id = {closed})",),
        "session:{closed} (dealer",
        "event",
    ),
    "the end of a turn": (
        ("UPDATE tables_assignment SET during = tstzrange(lower(during), upper(during) - interval '1 minute')"
         " WHERE session_id = {closed} AND post = 'supervisor'",),
        "session:{closed} (supervisor",
        "end",
    ),
    "a licence": (
        ("UPDATE tables_staff SET licence_expires = licence_expires + 1 WHERE id = {someone}",),
        "staff:{someone}",
        "set",
    ),
    "a table's detail": (
        ("UPDATE tables_table SET detail = 'result' WHERE id ="
         " (SELECT table_id FROM tables_tablesession WHERE id = {closed})",),
        "table:",
        "set",
    ),
    "opening doubled in the books": (
        ("UPDATE audits_posting SET debit = debit * 2, credit = credit * 2 WHERE transfer_id ="
         " (SELECT t.id FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id"
         " JOIN audits_account a ON a.id = p.account_id WHERE t.kind = 'opening' AND a.code = 'tray:{closed}')",),
        "session:{closed} (opening tray:{closed})",
        "debit",
    ),
    "drop doubled in the books": (
        ("UPDATE audits_posting SET debit = debit * 2, credit = credit * 2 WHERE transfer_id IN"
         " (SELECT t.id FROM audits_transfer t WHERE t.kind = 'drop' AND t.casino_id = {casino})",),
        "session:{closed} (drop drop:{closed})",
        "debit",
    ),
    "closing halved in the books": (
        ("UPDATE audits_posting SET debit = debit / 2, credit = credit / 2 WHERE transfer_id IN"
         " (SELECT t.id FROM audits_transfer t WHERE t.kind = 'closing' AND t.casino_id = {casino})",),
        "session:{closed} (closing vault)",
        "debit",
    ),
    "a transfer's day": (
        ("UPDATE audits_transfer SET day = day + 1 WHERE event_id ="
         " (SELECT event_id FROM tables_round WHERE id = {first})",),
        "transfer ",
        "day",
    ),
    "two rounds' money exchanged": (
        ("UPDATE audits_transfer SET event_id = CASE WHEN event_id = (SELECT event_id FROM tables_round WHERE"
         " id = {first}) THEN (SELECT event_id FROM tables_round WHERE id = {other}) ELSE (SELECT event_id"
         " FROM tables_round WHERE id = {first}) END WHERE event_id IN"
         " (SELECT event_id FROM tables_round WHERE id IN ({first}, {other}))",),
        "round:{first}",
        "house",
    ),
    "another account": (
        ("UPDATE audits_account SET code = 'tray:0' WHERE code = 'tray:{closed}'",),
        "session:{closed} (opening tray:{closed})",
        "debit",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNNOTICED)
def test_what_was_changed_past_the_guards_is_named(
    night: Night, tamper: Callable[..., None], name: str
) -> None:
    statements, where, what = UNNOTICED[name]
    tamper(*statements)
    ids = {key: getattr(value, "pk", value) for key, value in vars(night).items()} | {
        "shoe": night.closed.shoe_id,
        "in_play": night.playing.shoe_id,
        "someone": night.house.dealers[1].pk,
    }
    where = where.format(**ids)
    found = faults(night.casino)
    named = [words for place, words in found.items() if place.startswith(where)]
    assert any(what in words for words in named), found


@pytest.mark.rule("REC-07")
def test_a_forged_round_put_in_by_the_front_door_is_named(night: Night) -> None:
    """With every trigger on: a settled round nobody logged, and the totals to match."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tables_round (casino_id, session_id, number, state, rules_id, limits_id, detail, shoe_id,"
            " dealer_id, log, settlement, winner, staked, returned, commission, opened_at, settled_at, recorded_at,"
            " logged_by_id, source_key, source_digest) SELECT casino_id, session_id, 2, state, rules_id, limits_id,"
            " detail, shoe_id, dealer_id, log, settlement, winner, staked, returned, commission, opened_at,"
            " settled_at, recorded_at, logged_by_id, source_key, source_digest"
            " FROM tables_round WHERE session_id = %s AND number = 1 RETURNING id",
            [night.told.pk],
        )
        (forged,) = cursor.fetchone()
        cursor.execute(
            "UPDATE tables_tablesession SET last_round = 2, rounds_settled = rounds_settled + 1 WHERE id = %s",
            [night.told.pk],
        )
        assert "event" in faults(night.casino)[f"round:{forged}"]
        transaction.set_rollback(True)


@pytest.mark.rule("GEN-06")
def test_replay_goes_on_past_forged_rules(night: Night, tamper: Callable[..., None]) -> None:
    tamper("UPDATE tables_gamerules SET params = '{{\"forged\": true}}' WHERE casino_id = {casino}")
    inforce.versions.cache_clear()
    chosen = Round.objects.filter(casino=night.casino, settlement__isnull=False)
    found = list(replay.differences(chosen))
    inforce.versions.cache_clear()
    assert {difference.round.pk for difference in found} == set(chosen.values_list("pk", flat=True))
    assert len(found) == 5
