"""Rounds: logged whole, played step by step, settled, abandoned, voided; what is refused changes nothing."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits import ledger
from audits.by import By
from audits.models import Actor, Event, Transfer
from audits.verify import ledger_faults, trail_faults
from casino.kernel import clock
from casino.kernel.permissions import Role
from shoes.models import Shoe
from tables import replay, rounds, sessions, settings
from tables.models import Bet, Round, TableSession
from tests.builders import BOB, CONFIRMED, NATURAL, NIGHT, House, bets, cards
from tests.tables.refusing import refused, rewriting_is_refused

# Banca 7 to punto 6: punto stands on 6, banca stands on 7 (BAC-13, BAC-14).
BANCA_WINS = cards("6d Kh", "5c 2s")
# Punto stands on 6 and banca has 5: banca must draw (BAC-14); 5 + 9 = 14, so 4.
BANCA_DRAWS = cards("6d Kh", "3c 2s 9s")


def figures(session: TableSession) -> tuple[Any, ...]:
    """Everything a round touches, to see that a refusal left it alone."""
    session.refresh_from_db()
    shoe = Shoe.objects.get(pk=session.shoe_id)
    return (
        session.last_round, session.rounds_settled, session.staked, session.returned, session.commission,
        shoe.remaining, shoe.dealt, shoe.discarded, shoe.seen,
        Round.objects.count(), Bet.objects.count(), Event.objects.count(), Transfer.objects.count(),
    )  # fmt: skip


def sound(session: TableSession) -> bool:
    """Trail, ledger, running totals and replay agree."""
    casino = session.casino
    chosen = Round.objects.filter(session=session, settlement__isnull=False).select_related(
        "session__table", "session__day", "session__casino"
    )
    return not [*trail_faults(casino), *ledger_faults(casino), *replay.differences(chosen)]


@pytest.mark.rule("CARD-42")
def test_a_round_takes_its_cards_out_of_the_shoe(house: House) -> None:
    session = house.open_table()
    logged = house.log(session, NATURAL, number=1)
    assert (logged.number, logged.winner, logged.state) == (1, "punto", "settled")
    shoe = Shoe.objects.get(pk=session.shoe_id)
    # 6 decks, 312 cards; the burn took 3 and this round 4, which are discarded.
    assert (shoe.remaining, shoe.dealt, shoe.discarded) == (305, 0, 4)
    assert logged.dealer == house.dealers[0]
    assert logged.settlement["announcement"]["es"] == "gana punto 9 a 7"
    assert sound(session)


@pytest.mark.rule("BAC-22", "GEN-09")
def test_bets_are_paid_to_the_cent(house: House) -> None:
    session = house.open_table(detail="full")
    logged = house.log(session, [*bets((1, "punto", 100), (2, "banca", 30), (2, "tie", 5)), *BANCA_WINS])
    # Banca pays 30 less 5 % = 1,50, rounded up to the smallest chip of 5: 5,00. Seat 2 gets 55.
    paid = {(b.seat, b.spot): (b.stake, b.returned, b.commission) for b in logged.bets.all()}
    assert paid == {
        (1, "punto"): (100 * BOB, 0, 0),
        (2, "banca"): (30 * BOB, 55 * BOB, 5 * BOB),
        (2, "tie"): (5 * BOB, 0, 0),
    }
    assert [b.spot for b in logged.bets.order_by("order")] == ["tie", "punto", "banca"]
    # Tray: + 100 + 5 lost, - 30 won (before commission). Kitty: the commission of 5.
    assert ledger.balance(house.casino, f"tray:{session.pk}") == session.opening + 75 * BOB
    assert ledger.balance(house.casino, f"kitty:{session.pk}") == 5 * BOB
    session.refresh_from_db()
    assert (session.staked, session.returned, session.commission) == (135 * BOB, 55 * BOB, 5 * BOB)
    assert sound(session)


BAD_LOGS: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("unknown_card", "", [{"e": "card", "to": "punto", "card": "1x"}]),
    ("card_not_due", "BAC-12", [*NATURAL, {"e": "card", "to": "punto", "card": "2h"}]),
    ("card_not_due", "BAC-13", [*BANCA_DRAWS[:4], {"e": "card", "to": "punto", "card": "2h"}]),
    ("card_not_due", "BAC-14", [*BANCA_WINS, {"e": "card", "to": "banca", "card": "2h"}]),
    # Punto 2 drew an 8 and banca has 3: it stands against 8.
    ("card_not_due", "BAC-15", cards("2d Kh 8c", "3c Ks 2h")),
    ("round_incomplete", "BAC-14", BANCA_DRAWS[:4]),
    ("round_incomplete", "BAC-11", NATURAL[:3]),
    ("unknown_event", "", [{"e": "shuffle"}]),
    ("detail_forbids", "", [{"e": "bet", "seat": 1, "spot": "punto", "amount": 2500}]),
]  # fmt: skip


@pytest.mark.rule("BAC-11", "BAC-12", "BAC-13", "BAC-14", "BAC-15")
@pytest.mark.parametrize(("code", "rule", "events"), BAD_LOGS)
def test_a_refused_round_leaves_nothing(
    house: House, code: str, rule: str, events: list[dict[str, Any]]
) -> None:
    session = house.open_table()
    before = figures(session)
    with refused(code, rule):
        house.log(session, events)
    assert figures(session) == before


BAD_BETS = [
    ("below_minimum", "GEN-04", (1, "punto", 20)),
    ("above_maximum", "GEN-04", (1, "punto", 1_005)),
    ("not_in_chips", "GEN-07", (1, "punto", 27)),
    ("unknown_spot", "BAC-06", (1, "par", 25)),
    ("no_such_seat", "BAC-04", (8, "punto", 25)),
    ("lone_tie_bet", "BAC-07", (1, "tie", 5)),
]


@pytest.mark.rule("GEN-04", "GEN-07", "BAC-04", "BAC-06", "BAC-07")
@pytest.mark.parametrize(("code", "rule", "bet"), BAD_BETS)
def test_a_bet_the_table_does_not_take_leaves_nothing(
    house: House, code: str, rule: str, bet: tuple[int, str, int]
) -> None:
    session = house.open_table(detail="full")
    before = figures(session)
    with refused(code, rule):
        house.log(session, [*bets(bet), *NATURAL])
    assert figures(session) == before


@pytest.mark.rule("GEN-04")
@pytest.mark.parametrize("amount", [25, 30, 995, 1_000])
def test_both_ends_of_the_limits_are_taken(house: House, amount: int) -> None:
    session = house.open_table(detail="full")
    assert house.log(session, [*bets((1, "punto", amount)), *NATURAL]).staked == amount * BOB


def test_bets_after_the_close_are_refused(house: House) -> None:
    session = house.open_table(detail="full")
    before = figures(session)
    late = {"e": "bet", "seat": 2, "spot": "punto", "amount": 25 * BOB}
    with refused("bets_closed"):
        house.log(session, [*bets((1, "punto", 25)), late, *NATURAL])
    with refused("bets_open"):
        house.log(session, NATURAL)
    assert figures(session) == before


@pytest.mark.rule("CARD-42")
def test_a_card_the_shoe_cannot_hold_leaves_nothing(house: House) -> None:
    session = house.open_table()
    # Six decks hold six kings of hearts: three rounds take two each, and the seventh does not exist.
    kings = cards("Kh 8c", "Kh 7s")
    for suit in "cds":
        house.log(session, [{**event, "card": event["card"].replace("8c", f"8{suit}")} for event in kings])
    before = figures(session)
    with refused("impossible_card", "CARD-42"):
        house.log(session, cards("Kh 8h", "Qs 7d"))
    by = house.by(Role.PIT_BOSS)
    with refused("impossible_card", "CARD-42"):
        rounds.play(session=session, number=4, step=0, events=cards("Kh 8h", "Qs 7d"), by=by)
    assert figures(session) == before


def test_two_tabs_do_not_log_the_same_round(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL, number=1)
    before = figures(session)
    with refused("round_moved_on"):
        house.log(session, NATURAL, number=1)
    with refused("round_moved_on"):
        house.log(session, NATURAL, number=3)
    assert figures(session) == before
    assert house.log(session, BANCA_WINS, number=2).number == 2


def test_steps_are_taken_by_who_has_seen_the_last_one(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=0, events=NATURAL[:1], by=by)
    before = figures(session)
    for number, step in ((1, 0), (1, 2), (2, 0), (2, 1)):
        with refused("round_moved_on"):
            rounds.play(session=session, number=number, step=step, events=NATURAL[1:2], by=by)
    with refused("round_moved_on"):
        house.log(session, NATURAL)
    with refused("round_moved_on"):
        rounds.settle(session=session, number=1, step=0, by=by)
    with refused("no_events"):
        rounds.play(session=session, number=1, step=1, events=[], by=by)
    with refused("round_incomplete", "BAC-11"):
        rounds.settle(session=session, number=1, step=1, by=by)
    assert figures(session) == before


def test_a_round_played_by_steps_is_the_round_logged_whole(house: House) -> None:
    session, by = house.open_table(detail="full"), house.by(Role.PIT_BOSS)
    events = [*bets((3, "banca", 100), (5, "punto", 50)), *BANCA_DRAWS]
    for step, event in enumerate(events):
        rounds.play(session=session, number=1, step=step, events=[event], by=by)
    stepped = rounds.settle(session=session, number=1, step=len(events), by=by)
    whole = house.log(session, [*bets((3, "banca", 100), (5, "punto", 50)), *BANCA_DRAWS], number=2)
    assert stepped.settlement == whole.settlement
    assert [e["e"] for e in stepped.log] == [e["e"] for e in whole.log]
    assert figures(session)[5:8] == (312 - 3 - 2 * 5, 0, 10)
    assert sound(session)


def test_an_undone_card_goes_back_into_the_count(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=0, events=cards("9h", ""), by=by)
    undo = {"e": "undo", "of": 1, "why": "carta mal leída"}
    rounds.play(session=session, number=1, step=1, events=[undo, *NATURAL], by=by)
    shoe = Shoe.objects.get(pk=session.shoe_id)
    assert "9h" not in shoe.seen
    assert shoe.dealt == 4
    settled = rounds.settle(session=session, number=1, step=6, by=by)
    assert [event["e"] for event in settled.log] == ["card", "undo", "card", "card", "card", "card"]
    assert sound(session)


@pytest.mark.rule("REC-07")
def test_an_abandoned_round_keeps_its_number_and_its_log(house: House) -> None:
    session, by = house.open_table(detail="full"), house.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=0, events=bets((1, "punto", 25)), by=by)
    with refused("reason_missing"):
        rounds.abandon(session=session, number=1, step=2, by=by)
    gone = rounds.abandon(session=session, number=1, step=2, by=by.because("reparto erróneo"))
    assert (gone.state, len(gone.log), gone.staked) == ("void", 2, 0)
    with refused("no_round"):
        rounds.abandon(session=session, number=1, step=2, by=by.because("otra vez"))
    assert house.log(session, [*bets((1, "punto", 25)), *NATURAL]).number == 2
    assert sound(session)


def void(logged: Round, approved_by: Actor, by: By) -> Round:
    return rounds.void(round=logged, approved_by=approved_by, cards_came_out=True, by=by)


@pytest.mark.rule("REC-07", "GEN-10")
def test_a_void_needs_a_reason_and_two_people(house: House) -> None:
    session = house.open_table(detail="full")
    logged = house.log(session, [*bets((1, "banca", 100)), *BANCA_WINS])
    by = house.by(Role.PIT_BOSS, reason="se registró dos veces")
    before = figures(session)
    with refused("reason_missing"):
        void(logged, house.users[Role.SUPERVISOR].actor, by.because(""))
    with refused("same_person", "REC-07"):
        void(logged, by.actor, by)
    with refused("approver_not_allowed", "GEN-10"):
        void(logged, house.users[Role.CROUPIER].actor, by)
    with refused("not_allowed"):
        void(logged, by.actor, house.by(Role.SUPERVISOR, reason="x"))
    assert figures(session) == before


@pytest.mark.rule("REC-07")
def test_a_voided_round_moves_its_money_back(house: House) -> None:
    session = house.open_table(detail="full")
    logged = house.log(session, [*bets((1, "banca", 100), (2, "punto", 40)), *BANCA_WINS])
    by = house.by(Role.PIT_BOSS, reason="se registró dos veces")
    voided = void(logged, house.users[Role.SUPERVISOR].actor, by)
    assert voided.state == "void"
    for account, balance in (("tray", session.opening), ("kitty", 0), ("players", 0)):
        assert ledger.balance(house.casino, f"{account}:{session.pk}") == balance
    session.refresh_from_db()
    assert (session.rounds_settled, session.staked, session.commission, session.last_round) == (0, 0, 0, 1)
    with refused("round_not_settled"):
        void(logged, house.users[Role.SUPERVISOR].actor, by)
    assert sound(session)


def test_a_round_of_a_closed_session_is_not_voided(house: House) -> None:
    session = house.open_table()
    logged = house.log(session, NATURAL)
    house.close(session, {500 * BOB: 45})
    with refused("session_closed"):
        late = house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(hours=6), "tarde")
        void(logged, house.users[Role.SUPERVISOR].actor, late)


@pytest.mark.rule("CARD-38")
def test_after_the_stop_card_the_round_ends_and_no_other_starts(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=0, events=NATURAL[:2], by=by)
    sessions.see_stop_card(session=session, by=by)
    rounds.play(session=session, number=1, step=2, events=NATURAL[2:], by=by)
    rounds.settle(session=session, number=1, step=4, by=by)
    before = figures(session)
    with refused("shoe_finished", "CARD-38"):
        house.log(session, NATURAL)
    with refused("shoe_finished", "CARD-38"):
        rounds.play(session=session, number=2, step=0, events=NATURAL[:1], by=by)
    assert figures(session) == before
    sessions.load_shoe(session=session, shoe=house.ready_shoe(), by=house.by(Role.SUPERVISOR))
    assert house.log(session, NATURAL).number == 2


@pytest.mark.rule("CARD-38")
def test_no_shoe_changes_in_the_middle_of_a_round(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=0, events=NATURAL[:2], by=by)
    with refused("round_open", "CARD-38"):
        sessions.load_shoe(session=session, shoe=house.ready_shoe(), by=house.by(Role.SUPERVISOR))


@pytest.mark.rule("GEN-03")
def test_a_round_keeps_the_rules_it_was_opened_under(house: House) -> None:
    session, by = house.open_table(detail="full"), house.by(Role.PIT_BOSS)
    events = [*bets((1, "banca", 100)), *BANCA_WINS]
    rounds.play(session=session, number=1, step=0, events=events[:3], by=by)
    with clock.standing_at(NIGHT):
        settings.publish_rules(
            game=session.game,
            params={"commission_rounding": "up", "commission_basis_points": 1_000},
            betting_plan="PA-2",
            by=house.by(Role.ADMINISTRATOR, NIGHT, "comisión del 10 %"),
            **CONFIRMED,
        )
    rounds.play(session=session, number=1, step=3, events=events[3:], by=by)
    old = rounds.settle(session=session, number=1, step=len(events), by=by)
    new = house.log(session, events, number=2, at=NIGHT + dt.timedelta(minutes=1))
    assert (old.commission, new.commission) == (5 * BOB, 10 * BOB)
    assert sound(session)


def test_a_result_only_table_logs_what_was_announced(house: House) -> None:
    session = house.open_table(detail="result")
    logged = house.log(session, [{"e": "result", "winner": "tie", "punto": 6, "banca": 6}])
    assert logged.winner == "tie"
    shoe = Shoe.objects.get(pk=session.shoe_id)
    # At least four cards came out, unseen: the count is no longer complete.
    assert (shoe.remaining, shoe.count_complete) == (305, False)
    with refused("result_mismatch", "BAC-01"):
        house.log(session, [{"e": "result", "winner": "punto", "punto": 6, "banca": 6}])


def test_the_time_stated_is_not_before_the_opening(house: House) -> None:
    session = house.open_table()
    with refused("occurred_out_of_order"):
        house.log(session, NATURAL, at=NIGHT - dt.timedelta(seconds=1))


def test_a_log_without_end_is_refused(house: House) -> None:
    session = house.open_table()
    with refused("too_many_events"):
        house.log(session, [{"e": "note", "code": "nada"}] * (rounds.MOST_EVENTS + 1))


@pytest.mark.rule("REC-06", "REC-07")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables_round SET staked = staked + 1",
        "UPDATE tables_round SET winner = 'banca'",
        "UPDATE tables_round SET log = '[]'",
        "UPDATE tables_round SET state = 'open'",
        "UPDATE tables_round SET state = 'void'",
        "DELETE FROM tables_round",
        "UPDATE tables_bet SET returned = returned + 1",
        "DELETE FROM tables_bet",
        "TRUNCATE tables_bet",
    ],
)
def test_the_database_refuses_to_rewrite_a_settled_round(house: House, statement: str) -> None:
    house.log(house.open_table(detail="full"), [*bets((1, "banca", 100)), *BANCA_WINS])
    rewriting_is_refused(statement)


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize(
    "log",
    [
        """ '[]' """,
        """ log - 0 """,
        """ jsonb_set(log, '{0,card}', '"8d"') """,
        """ jsonb_insert(log, '{0}', '{"e": "note", "code": "x"}') """,
    ],
)
def test_the_log_of_a_round_in_progress_only_grows(house: House, log: str) -> None:
    session = house.open_table()
    rounds.play(session=session, number=1, step=0, events=NATURAL[:2], by=house.by(Role.PIT_BOSS))
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE tables_round SET log = {log}")
