"""Whole rows are held, whatever they are for: those that only grow against their nightly digest, settings
against their newest version. The intruder owns the database and switches its guards off."""

from __future__ import annotations

import datetime as dt
import hashlib
import threading
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections, transaction

from audits import closing, row_digests
from audits.by import by_system
from audits.models import Event, RowDigest
from audits.row_proofs import history_faults, row_faults
from audits.verify import trail_faults
from casino.models import GamingDay
from tables.models import Bet
from tests.builders import CLOSING_TIME, FLOAT, NATURAL, NIGHT, House, a_house, bets

pytestmark = pytest.mark.rule("REC-06")
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def night(db: None, monkeypatch: pytest.MonkeyPatch) -> House:
    """A table that was played at and closed, and the digests of that night, three rows each."""
    monkeypatch.setattr(row_digests, "ROWS_EACH", 3)
    house = a_house()
    session = house.open_table(detail="full")
    for minute in range(4):
        house.log(session, [*bets((1, "punto", 100), (2, "banca", 50)), *NATURAL], at=NIGHT + minute * MINUTE)
    house.close(session, FLOAT, at=CLOSING_TIME)
    closing.digest(_day(house))
    return house


def _day(house: House) -> GamingDay:
    return GamingDay.objects.get(casino=house.casino)


def _past_the_guards(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, values)
        changed = cursor.rowcount
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert changed > 0


def _found(house: House) -> list[tuple[str, str]]:
    return [(fault.code, fault.where) for fault in row_faults(house.casino)]


def test_an_honest_night_has_no_fault_and_the_trail_names_what_it_added_up_to(night: House) -> None:
    assert list(trail_faults(night.casino)) == []
    (event,) = Event.objects.filter(action=row_digests.DIGESTED)
    digests = RowDigest.objects.filter(table="tables_bet").order_by("first_id")
    # Four rounds of two bets: eight rows, three to a digest.
    assert [one.rows for one in digests] == [3, 3, 2]
    assert digests[2].last_id == Bet.objects.latest("pk").pk
    # Counted again by other means: PostgreSQL writes the row, Python takes the digest.
    with connection.cursor() as cursor:
        cursor.execute("SELECT b::text FROM tables_bet b ORDER BY id LIMIT 3")
        rows = b"".join(hashlib.sha256(text.encode()).digest() for (text,) in cursor.fetchall())
    assert bytes(digests[0].sha256) == hashlib.sha256(rows).digest()
    assert bytes(event.body).count(b'"tables_bet":{"rows":8') == 1


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("UPDATE tables_bet SET stake = stake + 1 WHERE id = %s", 0),
        ("UPDATE tables_bet SET spot = 'empate' WHERE id = %s", 4),
        ("DELETE FROM tables_bet WHERE id = %s", 7),
    ],
)
def test_a_row_that_was_changed_or_removed_is_found_and_where(
    night: House, statement: str, place: int
) -> None:
    keys = list(Bet.objects.order_by("pk").values_list("pk", flat=True))
    before = list(RowDigest.objects.filter(table="tables_bet").order_by("first_id"))
    _past_the_guards(statement, keys[place])
    held = before[place // 3]
    since = "" if place < 3 else str(held.first_id)
    assert _found(night) == [("rows_differ", f"tables_bet {since}…{held.last_id} ({held.day})")]


def test_a_row_that_is_slipped_in_among_old_ones_is_found(night: House) -> None:
    least = Bet.objects.earliest("pk").pk
    others = ", ".join(f'"{f.column}"' for f in Bet._meta.concrete_fields if f.column != "id")
    moved = others.replace('"order"', '"order" + 50')
    _past_the_guards(
        f"INSERT INTO tables_bet (id, {others}) SELECT -5, {moved} FROM tables_bet WHERE id = %s", least
    )
    (found,) = list(row_faults(night.casino))
    assert (found.code, found.where.split()[0]) == ("rows_differ", "tables_bet")
    assert "había 3 filas y hay 4" in found.words.es


@pytest.mark.parametrize(
    "statement",
    [
        """DELETE FROM audits_rowdigest WHERE "table" = 'tables_bet'""",
        """UPDATE audits_rowdigest SET rows = rows + 1 WHERE "table" = 'tables_bet'""",
        """UPDATE audits_rowdigest SET columns = '{id}' WHERE "table" = 'tables_bet'""",
    ],
)
def test_digests_that_are_not_those_the_trail_names_are_found(night: House, statement: str) -> None:
    _past_the_guards(statement)
    assert ("digests_differ", f"tables_bet ({_day(night)})") in _found(night)


def test_digests_made_anew_after_a_change_do_not_hide_it(night: House) -> None:
    _past_the_guards("UPDATE tables_bet SET stake = 1")
    assert [code for code, _ in _found(night)] == ["rows_differ"] * 3
    _past_the_guards("DELETE FROM audits_rowdigest")
    assert closing.digest(_day(night)) is None
    assert ("digests_differ", f"tables_bet ({_day(night)})") in _found(night)


def test_the_database_refuses_to_change_a_digest(night: House) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        RowDigest.objects.update(rows=0)


def test_a_night_is_digested_once_and_the_next_takes_what_came_since(night: House) -> None:
    day = _day(night)
    made = RowDigest.objects.count()
    closing.digest(day)
    assert RowDigest.objects.count() == made
    again = night.open_table(detail="full", dealer=1, supervisor=0, at=CLOSING_TIME + 5 * MINUTE)
    night.log(again, [*bets((1, "punto", 100), (2, "banca", 50)), *NATURAL], at=CLOSING_TIME + 9 * MINUTE)
    later = GamingDay.objects.create(casino=night.casino, date=day.date + dt.timedelta(days=1))
    closing.digest(later)
    (fresh,) = RowDigest.objects.filter(table="tables_bet", day=later)
    assert (fresh.rows, fresh.first_id) == (
        2,
        RowDigest.objects.filter(table="tables_bet", day=day).latest("last_id").last_id + 1,
    )
    assert _found(night) == []


def test_a_column_added_later_leaves_old_digests_true_and_one_taken_away_is_told(night: House) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_shiftnote ADD COLUMN later integer DEFAULT 7")
        cursor.execute("ALTER TABLE tables_bet ADD COLUMN later integer DEFAULT 7")
        assert _found(night) == []
        cursor.execute("ALTER TABLE tables_bet DROP COLUMN commission")
    assert _found(night) == [("digest_unreadable", "tables_bet")]


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("whose", ["its own"])
def test_nothing_is_digested_below_somebody_still_at_work(
    monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    """A key is given out, its transaction still open: the row would come in below the digest. Also where the
    house works as a role of the database that is not shown what others do."""
    monkeypatch.setattr(row_digests, "PATIENCE", 0.3)
    house = a_house()
    session = house.open_table(detail="full")
    house.log(session, [*bets((1, "punto", 100)), *NATURAL], at=NIGHT)
    began, over = threading.Event(), threading.Event()

    def at_work() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT nextval(pg_get_serial_sequence('tables_bet', 'id'))")
                began.set()
                over.wait(20)
        finally:
            connections.close_all()

    other = threading.Thread(target=at_work)
    other.start()
    assert began.wait(20)
    try:
        if whose == "another's":
            with connection.cursor() as cursor:
                cursor.execute("CREATE ROLE sabot_onlooker; GRANT SELECT ON ALL TABLES IN SCHEMA public TO"
                               " sabot_onlooker; SET ROLE sabot_onlooker")  # fmt: skip
                cursor.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE xact_start IS NOT NULL"
                    " AND pid <> pg_backend_pid() AND datname = current_database()"
                )
                assert cursor.fetchone() == (0,)  # it sees nobody at work
        assert row_digests.settled(house.casino) is None
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE; DROP OWNED BY sabot_onlooker; DROP ROLE sabot_onlooker"
                           if whose == "another's" else "RESET ROLE")  # fmt: skip
        over.set()
        other.join()
    closing.digest(_day(house))
    assert RowDigest.objects.filter(table="tables_bet").exists()


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE tables_table SET name = 'X-01'", "name"),
        ("DELETE FROM tables_historicalpit", "history"),
        (
            "UPDATE tables_staff SET licence = 'falsa' WHERE id = (SELECT min(id) FROM tables_staff)",
            "licence",
        ),
    ],
)
def test_a_setting_that_is_not_its_newest_version_is_found(night: House, statement: str, code: str) -> None:
    assert list(history_faults(night.casino)) == []
    _past_the_guards(statement)
    assert {(one.code, one.words.en.rsplit(": ")[-1]) for one in history_faults(night.casino)} == {
        ("history_differs", code)
    }


def test_what_the_job_does_is_of_the_job(night: House) -> None:
    event = Event.objects.get(action=row_digests.DIGESTED)
    assert event.actor == by_system(night.casino, closing.JOB).actor


def test_a_name_that_may_become_a_pseudonym_is_in_no_digest() -> None:
    """REC-12: what is erased of a person in time must not look like tampering."""
    personal = {table.name: set(table.personal) for table in row_digests.tables() if table.personal}
    assert personal["tables_exclusion"] == {"name", "number", "birth_date"}
    assert personal["tables_cageoperation"] == {"customer", "document"}
