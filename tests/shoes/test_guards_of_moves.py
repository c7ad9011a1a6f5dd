"""Whoever writes past the write functions: what the database refuses of decks, and what the proofs find."""

from __future__ import annotations

import pytest

from audits.by import By
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes.acts import destroy
from shoes.changing import report_fault
from shoes.devices import set_device
from shoes.examining import inspect_deck
from shoes.models import Deck, DestructionAct
from shoes.shoes import end_shoe
from shoes.store import cancel, count_store, hold, set_level
from tests.shoes import builders
from tests.shoes.test_guards import refused, run, unguarded

INSERT = (
    "INSERT INTO shoes_deckmove (casino_id, deck_id, seq, kind, was, state, place, seal, by_id, reason, at,"
    " event_id) SELECT casino_id, deck_id, {seq}, {kind}, {was}, {state}, {place}, seal, by_id, '', {at},"
    " event_id FROM shoes_deckmove WHERE deck_id = %s ORDER BY seq DESC LIMIT 1"
)
HONEST = {
    "seq": "seq + 1",
    "kind": "'withdrawn'",
    "was": "state",
    "state": "'withdrawn'",
    "place": "''",
    "at": "at",
}


def insert(**off: str) -> str:
    return INSERT.format(**{**HONEST, **off})


@pytest.fixture
def deck(casino: Casino, chief: By) -> Deck:
    return builders.registered_decks(casino, chief, 1)[0]


@pytest.mark.rule("CARD-04")
@pytest.mark.parametrize(
    "change",
    [
        "state = 'withdrawn'",
        "place = 'PB-01'",
        "seal = 'P-9'",
        "seal = ''",
        "move_count = 2",
        "state = 'withdrawn', move_count = 2",
        "state = 'issued', place = 'PB-01'",
    ],
)
def test_a_deck_is_nowhere_but_where_its_newest_move_says(deck: Deck, change: str) -> None:
    with refused("is where its newest move says"):
        run(f"UPDATE shoes_deck SET {change} WHERE id = %s", deck.pk)


@pytest.mark.rule("CARD-04")
@pytest.mark.parametrize(
    "off",
    [
        {"seq": "seq + 2"},
        {"seq": "seq"},
        {"was": "'passed'"},
        {"was": "''", "kind": "'received'"},
        {"at": "at - interval '1 second'"},
    ],
)
def test_a_move_continues_where_the_deck_stands(deck: Deck, off: dict[str, str]) -> None:
    with refused("does not continue where it stands|one_move_per_seq"):
        run(insert(**off), deck.pk)


@pytest.mark.rule("CARD-04")
def test_a_move_that_moves_no_deck_is_refused_at_the_end(deck: Deck) -> None:
    with refused("moved nothing"):
        run(insert(), deck.pk)
        run("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.rule("CARD-01")
def test_a_deck_nobody_received_is_refused_at_the_end(deck: Deck) -> None:
    with refused("was never received"):
        run(
            "INSERT INTO shoes_deck (casino_id, serial, maker, batch, deck_type, back_design, back_colour,"
            " homologation, seal, state, place, move_count, registered_at) SELECT casino_id, 'X', maker,"
            " batch, deck_type, back_design, back_colour, homologation, '', state, place, 0, registered_at"
            " FROM shoes_deck WHERE id = %s",
            deck.pk,
        )
        run("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.rule("CARD-45")
@pytest.mark.parametrize("state", ["store", "passed", "cancelled", "destroyed", "quarantine"])
def test_a_held_deck_goes_nowhere_but_to_the_withdrawn(
    casino: Casino, deck: Deck, chief: By, state: str
) -> None:
    boss = builders.beside(chief, Role.PIT_BOSS)
    hold(serials=[deck.serial], incident=builders.an_incident(chief), by=boss)
    with refused("does not go from held"):
        run(insert(state=f"'{state}'"), deck.pk)


@pytest.mark.rule("CARD-45")
@pytest.mark.parametrize("state", ["store", "withdrawn", "passed"])
def test_a_cancelled_deck_goes_nowhere_but_to_its_act_or_a_hold(deck: Deck, chief: By, state: str) -> None:
    builders.withdrawn([deck.serial], by=chief.because("gastada"))
    with refused("does not go from withdrawn to destroyed"):
        run(insert(state="'destroyed'"), deck.pk)
    cancel(serials=[deck.serial], by=chief)
    with refused("does not go from cancelled"):
        run(insert(state=f"'{state}'"), deck.pk)


def destroyed(deck: Deck, chief: By) -> DestructionAct:
    builders.withdrawn([deck.serial], by=chief.because("gastada"))
    cancel(serials=[deck.serial], by=chief)
    witnesses = [builders.beside(chief, role).actor for role in (Role.CROUPIER, Role.COMPLIANCE)]
    return destroy(serials=[deck.serial], method="triturada", site="depósito", witnesses=witnesses, by=chief)


@pytest.mark.rule("CARD-45")
def test_a_destroyed_deck_stays_destroyed(deck: Deck, chief: By) -> None:
    destroyed(deck, chief)
    with refused("does not go from destroyed"):
        run(insert(state="'store'"), deck.pk)


@pytest.mark.rule("CARD-45")
def test_moves_acts_and_counts_never_change(casino: Casino, deck: Deck, chief: By) -> None:
    destroyed(deck, chief)
    builders.registered_decks(casino, chief, 1)
    count_store(
        lines=[{"deck_type": "french52", "back_colour": "rojo", "counted": 1}],
        with_=builders.beside(chief, Role.CAGE).actor,
        by=chief,
    )
    run("SET CONSTRAINTS ALL IMMEDIATE")  # nothing pending, so that a table could be emptied
    for table in ("shoes_deckmove", "shoes_destructionact", "shoes_stockcount"):
        for sql in (f"UPDATE {table} SET id = id", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
            with refused("never changed"):
                run(sql)


# ---- what got past the guards -----------------------------------------------------------------------


def moved_by_hand(deck: Deck, **off: str) -> None:
    """A move that continues as it should, and its deck moved after it: nothing the triggers would refuse."""
    run(insert(**off), deck.pk)
    state = off.get("state", HONEST["state"])
    run(f"UPDATE shoes_deck SET state = {state}, move_count = move_count + 1 WHERE id = %s", deck.pk)
    run("SET CONSTRAINTS ALL IMMEDIATE")
    run("SET CONSTRAINTS ALL DEFERRED")


@pytest.mark.rule("CARD-04")
def test_a_move_no_event_tells_of_is_found(casino: Casino, deck: Deck) -> None:
    moved_by_hand(deck)
    found = builders.faults(casino)
    assert ("trail_differs", f"deck:{deck.serial}, 2") in found  # its event tells of a receipt
    assert ("trail_differs", "deck_batch:L-2026-11 #1") in found  # and that one of one deck, not of two moves


@pytest.mark.rule("CARD-04")
def test_a_move_that_borrows_another_decks_event_is_found(casino: Casino, deck: Deck, chief: By) -> None:
    (other,) = builders.registered_decks(casino, chief, 1)
    builders.withdrawn([other.serial], by=chief.because("gastada"))
    move = other.moves.get(kind="withdrawn")
    run(
        "INSERT INTO shoes_deckmove (casino_id, deck_id, seq, kind, was, state, place, seal, by_id, reason,"
        " at, event_id) SELECT casino_id, %s, seq, kind, was, state, place, %s, by_id, reason, at, event_id"
        " FROM shoes_deckmove WHERE id = %s",
        deck.pk,
        deck.seal,
        move.pk,
    )
    run("UPDATE shoes_deck SET state = 'withdrawn', move_count = 2 WHERE id = %s", deck.pk)
    assert ("trail_differs", f"deck:{deck.serial}, 2") in builders.faults(casino)


@pytest.mark.parametrize(
    "change",
    [
        "batch = 'L-0'",
        "back_colour = 'azul'",
        "maker = 'Otro'",
        "homologation = 'AJ-0'",
        "deck_type = 'spanish40'",
        "registered_at = registered_at - interval '1 day'",
        "serial = 'OTRA'",
    ],
)
def test_a_deck_made_another_is_found(casino: Casino, deck: Deck, change: str) -> None:
    run(f"UPDATE shoes_deck SET {change} WHERE id = %s", deck.pk)
    assert {code for code, _ in builders.faults(casino)} == {"trail_differs"}


@pytest.mark.rule("CARD-45")
def test_an_investigation_wiped_off_a_deck_is_found(casino: Casino, deck: Deck, chief: By) -> None:
    boss = builders.beside(chief, Role.PIT_BOSS)
    hold(serials=[deck.serial], incident=builders.an_incident(chief), by=boss)
    run("UPDATE shoes_deck SET incident_id = NULL WHERE id = %s", deck.pk)
    assert builders.faults(casino) == [("trail_differs", f"deck:{deck.serial}")]


@pytest.mark.rule("CARD-45")
def test_evidence_said_to_be_of_another_incident_is_found(casino: Casino, chief: By) -> None:
    """Held with its shoe for a fault; as evidence of a trifle it could be released and destroyed."""
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    report_fault(shoe=shoe, fault="marked", cards=["7c"], words="una uña", by=chief)
    end_shoe(shoe=shoe, reason="falla", by=chief)
    assert builders.faults(casino) == []
    held = Deck.objects.filter(state="held").order_by("pk")[0]
    told = f"incident_id = {builders.an_incident(chief).pk}"
    with unguarded("shoes_deckmove", "sabot_append_only"):
        run(f"UPDATE shoes_deckmove SET {told} WHERE kind = 'held' AND deck_id = %s", held.pk)
    run(f"UPDATE shoes_deck SET {told} WHERE id = %s", held.pk)
    assert builders.faults(casino) == [("trail_differs", f"deck:{held.serial}, {held.move_count}")]


@pytest.mark.rule("CARD-03", "CARD-43")
def test_the_seal_given_at_the_closing_count_is_told(casino: Casino, chief: By) -> None:
    shoe = end_shoe(shoe=builders.shoe_in_play(casino, chief, decks=6), reason="fin", by=chief)
    builders.counted(shoe, chief, sealed=True)
    assert builders.faults(casino) == []
    deck = Deck.objects.order_by("pk")[0]
    with unguarded("shoes_deckmove", "sabot_append_only"):
        run("UPDATE shoes_deckmove SET seal = 'P-0' WHERE deck_id = %s AND kind = 'counted'", deck.pk)
    with unguarded("shoes_deck", "sabot_deck_moves"):
        run("UPDATE shoes_deck SET seal = 'P-0' WHERE id = %s", deck.pk)
    assert builders.faults(casino) == [("trail_differs", f"deck:{deck.serial}, {deck.move_count}")]


@pytest.mark.rule("CARD-14", "CARD-15")
@pytest.mark.parametrize("change", ["by_suit_shown = false", "backs_checked = false"])
def test_an_inspection_made_another_is_found(casino: Casino, chief: By, change: str) -> None:
    (deck,) = builders.issued_decks(casino, chief, 1)
    inspect_deck(
        deck=deck, counted=52, by_suit_shown=True, backs_checked=True, damaged=["2h"],
        inspector=chief.actor, witness=builders.beside(chief, Role.CROUPIER).actor, by=chief,
    )  # fmt: skip
    with unguarded("shoes_deckinspection", "sabot_append_only"):
        run(f"UPDATE shoes_deckinspection SET {change} WHERE deck_id = %s", deck.pk)
    assert builders.faults(casino) == [("trail_differs", f"deck:{deck.pk}, 1")]


@pytest.mark.rule("CARD-04")
def test_a_move_cut_off_is_found(casino: Casino, deck: Deck, chief: By) -> None:
    builders.withdrawn([deck.serial], by=chief.because("gastada"))
    with unguarded("shoes_deckmove", "sabot_append_only"):
        run("DELETE FROM shoes_deckmove WHERE deck_id = %s AND seq = 2", deck.pk)
    found = builders.faults(casino)
    assert ("trail_differs", f"deck:{deck.serial}") in found
    assert ("trail_differs", "deck_batch:L-2026-11 #2") in found
    assert ("stock_differs", "french52 rojo") in found


@pytest.mark.rule("CARD-04")
@pytest.mark.parametrize(
    "change",
    [
        "at = at - interval '1 hour'",
        "at = at + interval '1 hour'",
        "reason = 'otra'",
        "by_id = second_id",
        "seal = 'P-0'",
        "kind = 'issued'",
        "state = 'passed'",
    ],
)
def test_a_move_altered_is_found(casino: Casino, deck: Deck, change: str) -> None:
    with unguarded("shoes_deckmove", "sabot_append_only"):
        run(f"UPDATE shoes_deckmove SET {change} WHERE deck_id = %s", deck.pk)
    assert ("trail_differs", f"deck:{deck.serial}, 1") in builders.faults(casino)


@pytest.mark.rule("CARD-02")
def test_stock_moved_without_a_move_is_found(casino: Casino, deck: Deck) -> None:
    with unguarded("shoes_deck", "sabot_deck_moves"):
        run("UPDATE shoes_deck SET state = 'withdrawn' WHERE id = %s", deck.pk)
    assert builders.faults(casino) == [
        ("trail_differs", f"deck:{deck.serial}"),
        ("stock_differs", "french52 rojo"),
    ]


@pytest.mark.rule("CARD-45")
@pytest.mark.parametrize(
    "change",
    [
        "method = 'quemada'",
        "site = 'otro'",
        "number = 2",
        "first_witness_id = (SELECT max(id) FROM audits_actor)",
    ],
)
def test_an_act_altered_is_found(casino: Casino, deck: Deck, chief: By, change: str) -> None:
    destroyed(deck, chief)
    builders.a_person(casino, Role.CAGE)
    with unguarded("shoes_destructionact", "sabot_append_only"):
        run(f"UPDATE shoes_destructionact SET {change}")
    assert any(where.startswith("act:ACT-") for _, where in builders.faults(casino))


@pytest.mark.rule("CARD-02", "CARD-46")
def test_counts_levels_and_devices_altered_are_found(casino: Casino, deck: Deck, chief: By) -> None:
    boss = builders.beside(chief, Role.PIT_BOSS).because("inventario")
    level = set_level(deck_type="french52", back_colour="rojo", least=4, by=boss)
    set_device(number="C-1", kind="shoe", by=boss)
    lines = [{"deck_type": "french52", "back_colour": "rojo", "counted": 1}]
    count = count_store(lines=lines, with_=builders.beside(chief, Role.CAGE).actor, by=chief)
    assert builders.faults(casino) == []
    run("UPDATE shoes_stocklevel SET least = 0")
    run("UPDATE shoes_device SET active = false")
    with unguarded("shoes_stockcount", "sabot_append_only"):
        run("UPDATE shoes_stockcount SET lines = '[]'")
    assert builders.faults(casino) == [
        ("trail_differs", f"stock_count:{count.pk}"),
        ("trail_differs", "device:C-1"),
        ("trail_differs", f"stock_level:{level.pk}"),
    ]


@pytest.mark.rule("CARD-43")
def test_a_closing_count_that_was_not_made_is_found(casino: Casino, chief: By) -> None:
    """The guard lets an ended shoe be counted, once; it cannot know whether anybody counted it."""
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    end_shoe(shoe=shoe, reason="fin", by=chief)
    run("UPDATE shoes_shoe SET counted_at = now() WHERE id = %s", shoe.pk)
    assert builders.faults(casino) == [("trail_differs", f"shoe:{shoe.pk}")]
    with refused("does not go from ended"):
        run("UPDATE shoes_shoe SET counted_at = NULL WHERE id = %s", shoe.pk)


def test_a_shoe_said_to_have_been_ready_before_it_was_is_found(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    with unguarded("shoes_shoe", "sabot_shoe_moves"):
        run("UPDATE shoes_shoe SET ready_at = ready_at - interval '1 hour' WHERE id = %s", shoe.pk)
    assert builders.faults(casino) == [("shoe_broken", shoe.label)]
