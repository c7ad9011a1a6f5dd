"""What the database refuses by itself, and the proof that finds what got past it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import IntegrityError, connection, transaction

from audits import verify
from audits.by import By
from casino.models import Casino
from shoes import counting
from shoes.models import Deck, Shoe
from shoes.proofs import shoe_faults
from shoes.shoes import end_shoe
from tests.shoes import builders


@contextmanager
def refused(match: str) -> Iterator[None]:
    with pytest.raises(IntegrityError, match=match), transaction.atomic():
        yield


def run(sql: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


@contextmanager
def unguarded(table: str, trigger: str) -> Iterator[None]:
    """With one trigger of a table switched off, as the owner of the database could."""
    run("SET CONSTRAINTS ALL IMMEDIATE")  # nothing pending, so that the table may be altered
    run(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
    yield
    run("SET CONSTRAINTS ALL IMMEDIATE")
    run(f"ALTER TABLE {table} ENABLE TRIGGER {trigger}")


@pytest.fixture
def shoe(casino: Casino, chief: By) -> Shoe:
    return builders.shoe_in_play(casino, chief)


@pytest.mark.parametrize("table", ["shoes_deckinspection", "shoes_shoestep"])
def test_inspections_and_steps_never_change(shoe: Shoe, table: str) -> None:
    for sql in (f"UPDATE {table} SET id = id", f"DELETE FROM {table}"):
        with refused("never changed"):
            run(sql)


@pytest.mark.parametrize("table", ["shoes_deck", "shoes_shoe"])
def test_decks_and_shoes_are_never_deleted(shoe: Shoe, table: str) -> None:
    with refused("never changed"):
        run(f"DELETE FROM {table}")


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize("counter", ["dealt", "burned", "discarded", "remaining", "total"])
def test_a_shoes_cards_always_add_up(shoe: Shoe, counter: str) -> None:
    with refused("shoe_conserves_cards"):
        run(f"UPDATE shoes_shoe SET {counter} = {counter} + 1 WHERE id = %s", shoe.pk)


@pytest.mark.rule("CARD-04")
def test_a_deck_is_in_one_place(shoe: Shoe) -> None:
    deck = shoe.decks.first()
    assert deck is not None
    for change in ("state = 'store'", "shoe_id = NULL"):
        with refused("deck_in_one_place"), unguarded("shoes_deck", "sabot_deck_moves"):
            run(f"UPDATE shoes_deck SET {change} WHERE id = %s", deck.pk)


@pytest.mark.rule("CARD-12")
def test_a_faulty_inspection_cannot_say_passed(shoe: Shoe) -> None:
    with refused("inspection_passed_without_fault"):
        run(
            "INSERT INTO shoes_deckinspection (casino_id, deck_id, counted, by_suit_shown, backs_checked,"
            ' missing, extra, marked, "foreign", damaged, suit_order, moment, passed, inspector_id,'
            " witness_id, at) SELECT casino_id, deck_id, 51, true, true, '{Qs}', '{}', '{}', '{}', '{}', '',"
            " 'opening', true, inspector_id, witness_id, at FROM shoes_deckinspection LIMIT 1"
        )


@pytest.mark.parametrize("state", ["assembling", "shuffled", "cut", "loaded", "ready", "closed"])
def test_a_shoe_never_goes_back(shoe: Shoe, state: str) -> None:
    with refused("does not go from in_play"):
        run("UPDATE shoes_shoe SET state = %s, table_label = '' WHERE id = %s", state, shoe.pk)


def test_a_shoe_goes_into_play_only_when_ready(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_up_to(casino, chief, "burn")
    with refused("does not go from loaded to in_play"):
        run("UPDATE shoes_shoe SET state = 'in_play', table_label = 'PB-01' WHERE id = %s", shoe.pk)


def test_an_ended_shoe_does_not_change(shoe: Shoe, chief: By) -> None:
    end_shoe(shoe=shoe, reason="fin", by=chief)
    with refused("does not go from ended"):
        run("UPDATE shoes_shoe SET seen = '{}' WHERE id = %s", shoe.pk)


def test_two_shoes_at_one_table(shoe: Shoe, casino: Casino, chief: By) -> None:
    other = builders.ready_shoe(casino, chief)
    with refused("one_shoe_in_play_per_table"):
        run("UPDATE shoes_shoe SET state = 'in_play', table_label = 'PB-01' WHERE id = %s", other.pk)


# ---- the proof --------------------------------------------------------------------------------------


def told(casino: Casino) -> list[tuple[str, str]]:
    return [(fault.code, fault.where) for fault in shoe_faults(casino)]


@pytest.mark.rule("CARD-42")
def test_honest_shoes_have_no_fault(shoe: Shoe, casino: Casino, chief: By) -> None:
    count = counting.take(counting.count_of(shoe), ["9d", "Kh", "v5"])
    counting.change(shoe, counting.burn(count, known=["Ah"], out=1))
    builders.shoe_up_to(casino, chief, "cut", decks=6)
    end_shoe(shoe=builders.ready_shoe(casino, chief), reason="fin", by=chief)
    assert told(casino) == []
    assert list(verify.ledger_faults(casino)) == []


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize(
    "change",
    [
        "seen = '{}'",
        "seen = '{\"2c\": 2}'",
        "seen = '{\"2c\": 9}', dealt = 8, remaining = 405",
        "total = 364, remaining = 361",
        "burned = 0, remaining = 416",
    ],
)
def test_a_count_changed_in_the_database_is_found(shoe: Shoe, casino: Casino, change: str) -> None:
    run(f"UPDATE shoes_shoe SET {change} WHERE id = %s", shoe.pk)
    assert ("shoe_broken", shoe.label) in told(casino)
    assert any(fault.where == shoe.label for fault in verify.ledger_faults(casino))


@pytest.mark.rule("CARD-04")
def test_a_deck_moved_in_the_database_is_found(shoe: Shoe, casino: Casino, chief: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    with unguarded("shoes_deck", "sabot_deck_moves"):
        run("UPDATE shoes_deck SET state = 'in_shoe', shoe_id = %s WHERE id = %s", shoe.pk, deck.pk)
    assert set(told(casino)) == {("shoe_broken", shoe.label), ("deck_unfit", deck.serial)}
    assert Deck.objects.get(pk=deck.pk).shoe == shoe


def test_a_dropped_guard_is_found(shoe: Shoe, casino: Casino) -> None:
    run("SET CONSTRAINTS ALL IMMEDIATE")  # nothing pending, so that the table may be altered
    run("ALTER TABLE shoes_shoestep DISABLE TRIGGER sabot_append_only")
    found = [(fault.code, fault.where) for fault in verify.ledger_faults(casino)]
    assert found == [("guard_missing", "shoes_shoestep")]
