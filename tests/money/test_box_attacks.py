"""What somebody would try who wants a box counted his way: two logins, two hats, another instant, raw SQL."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Sum
from django.test import Client

from audits import ledger
from audits.by import by_system
from audits.models import Posting
from audits.people import create_user, set_active
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import User
from tables import rounds
from tables.models import ChipMove, DropBox, TableSession
from tables.money import (
    box_counts,
    box_seeing,
    boxes,
    cage_proofs,
    chip_counts,
    chip_move_proofs,
    funds,
    inventory,
)  # fmt: skip
from tables.money.box_proofs import box_faults
from tests.builders import BOB, CLOSING_TIME, FLOAT, NATURAL, NIGHT, PASSWORD, House, bets
from tests.money import box_builders as built
from tests.money.slip_builders import Counter, a_desk, stocked
from tests.money.test_results import a_poker_room
from tests.tables.refusing import refused

MINUTE = dt.timedelta(minutes=1)
AFTER = CLOSING_TIME + MINUTE


@pytest.fixture
def house(room: House) -> House:
    return room


@pytest.fixture
def box(house: House) -> DropBox:
    """A box of a closed table, in the count room."""
    return built.received(house, house.close(house.open_table(), FLOAT), at=CLOSING_TIME)


def somebody(house: House, name: str, *roles: Role) -> User:
    return create_user(
        username=f"{house.casino.code}-{User.objects.count()}",
        name=name,
        password=PASSWORD,
        roles=roles,
        by=by_system(house.casino, "pruebas"),
    )


def found(chips: dict[int, int], cash: int = 0) -> dict[str, Any]:
    return {"contents": {"CHIP": chips, **built.cash(cash * BOB)}, "documents": []}


# ---- the house's chips that lie in a box ------------------------------------------------------------


@pytest.mark.rule("FLOOR-11", "FLOOR-06")
def test_chips_found_in_boxes_are_in_the_vault_again(house: House) -> None:
    stocked(house)  # 25: 1.000, 100: 1.000, 500: 200, 1.000: 50
    session = a_poker_room(house)  # out 100, 100 and 20 of them; back 100 of 25, 100 of 100, 19 of 500
    deduction = DropBox.objects.get(session=session)
    for nth in (1, 2):
        deduction = built.count(deduction, nth, found({100 * BOB: 1, 25 * BOB: 2}), at=AFTER)
    drop = built.received(house, session, at=CLOSING_TIME)
    for nth in (1, 2):
        drop = built.count(drop, nth, found({500 * BOB: 1}, 20), at=AFTER)
    # 100 + 2 x 25 = 150; 500 + 20 = 520.
    assert (deduction.amount, drop.amount) == (150 * BOB, 520 * BOB)
    # 1.000 - 100 + 100 + 2 of 25; 1.000 - 100 + 100 + 1 of 100; 200 - 20 + 19 + 1 of 500.
    vault = {25 * BOB: 1_002, 100 * BOB: 1_001, 500 * BOB: 200, 1_000 * BOB: 50}
    assert inventory.stock_of(house.casino, "vault") == vault
    second = house.users[Role.CAGE].actor
    counted = chip_counts.count_stock(
        place="vault", chips=vault, with_=second, by=house.by(Role.COMPLIANCE, AFTER)
    )
    assert counted.difference == 0
    assert [*chip_move_proofs.move_faults(house.casino), *box_faults(house.casino)] == []


@pytest.mark.rule("FLOOR-11")
def test_the_count_that_two_people_let_stand_brings_its_chips(house: House, box: DropBox) -> None:
    before = inventory.stock_of(house.casino, "vault").get(25 * BOB, 0)
    built.count(box, 1, found({25 * BOB: 1}), at=AFTER)
    box = built.count(box, 2, found({25 * BOB: 4}), at=AFTER)
    assert not ChipMove.objects.filter(kind="box").exists()
    second = house.users[Role.COMPLIANCE].actor
    box_counts.resolve(box=box, nth=2, with_=second, by=house.by(Role.PIT_BOSS, AFTER, "se vio la cinta"))
    assert inventory.stock_of(house.casino, "vault")[25 * BOB] == before + 4
    assert [*chip_move_proofs.move_faults(house.casino), *box_faults(house.casino)] == []


@pytest.mark.rule("FLOOR-11", "FLOOR-12")
def test_chips_carried_with_a_drop_are_no_cash_of_the_vault(house: House) -> None:
    session = house.close(house.open_table(), FLOAT)
    drop = built.received(house, session, at=CLOSING_TIME)
    for nth in (1, 2):
        drop = built.count(drop, nth, found({500 * BOB: 1}, 20), at=AFTER)
    before = {code: ledger.balance(house.casino, code) for code in ("vault", "vault:cash")}
    second = house.users[Role.PIT_BOSS].actor
    late = house.by(Role.CAGE, AFTER + 60 * MINUTE)
    funds.carry_drop(session=session, document="Acta 9", with_=second, by=late)
    # 520 in the box: a chip of 500 and a note of 20.
    assert ledger.balance(house.casino, "vault") - before["vault"] == 500 * BOB
    assert ledger.balance(house.casino, "vault:cash") - before["vault:cash"] == 20 * BOB
    assert ledger.balance(house.casino, f"drop:{session.pk}") == 0
    assert list(cage_proofs.ledger_faults(house.casino)) == []


# ---- who counts -------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-11")
def test_one_person_is_not_two_teams_through_two_logins(house: House, box: DropBox) -> None:
    ana, first = built.team(house.casino, 0, AFTER)
    again = somebody(house, "  ana ", Role.CAGE, Role.COMPLIANCE).actor
    sixty = built.holding(60 * BOB)
    with refused("team_too_small", "FLOOR-11"):
        box_counts.record_count(box=box, team=[first[0], again], by=ana, **sixty)
    built.count(box, 1, sixty, at=AFTER)
    dora, second = built.team(house.casino, 1, AFTER)
    with refused("same_team", "FLOOR-11"):
        box_counts.record_count(box=box, team=[second[0], again], by=dora, **sixty)
    built.count(box, 2, built.holding(50 * BOB), at=AFTER)
    with refused("same_team", "FLOOR-11"):
        boss = house.by(Role.PIT_BOSS, AFTER, "así fue")
        box_counts.resolve(box=box, nth=1, with_=again, by=boss)


@pytest.mark.rule("FLOOR-11")
def test_a_dealer_whose_login_nobody_tied_to_him_does_not_count(house: House) -> None:
    house.dealers[0] = house.person(name="Beto")
    box = built.received(house, house.close(house.open_table(), FLOAT), at=CLOSING_TIME)
    with refused("of_the_table", "FLOOR-11"):
        built.count(box, 1, built.holding(60 * BOB), at=AFTER)


@pytest.mark.rule("FLOOR-11")
def test_the_chief_who_took_the_box_off_does_not_count_it_with_another_hat(house: House) -> None:
    house.users[Role.SUPERVISOR] = chief = somebody(house, "Sonia", Role.SUPERVISOR, Role.CAGE)
    box = built.received(house, house.close(house.open_table(), FLOAT), at=CLOSING_TIME)
    ana, team = built.team(house.casino, 0, AFTER)
    with refused("of_the_table", "FLOOR-11"):
        people = [team[0], chief.actor]
        box_counts.record_count(box=box, team=people, by=ana, **built.holding(60 * BOB))


@pytest.mark.rule("FLOOR-11")
def test_a_login_that_is_shut_off_is_in_no_team(house: House, box: DropBox) -> None:
    gone = somebody(house, "Zoila", Role.CAGE)
    set_active(user=gone, active=False, by=house.by(Role.ADMINISTRATOR, reason="se fue"))
    ana, team = built.team(house.casino, 0, AFTER)
    gone = User.objects.get(pk=gone.pk)
    with refused("not_a_counter", "FLOOR-11"):
        people = [team[0], gone.actor]
        box_counts.record_count(box=box, team=people, by=ana, **built.holding(60 * BOB))


@pytest.mark.rule("FLOOR-11")
@pytest.mark.parametrize("guess", [60, 50])
def test_a_refusal_does_not_tell_whether_the_guess_is_right(house: House, guess: int) -> None:
    session = house.open_table()
    box = built.received(house, session, at=NIGHT + MINUTE)
    built.count(box, 1, built.holding(60 * BOB), at=NIGHT + MINUTE)
    house.close(session, FLOAT)
    with refused("occurred_out_of_order"):
        built.count(box, 2, built.holding(guess * BOB), at=NIGHT + 2 * MINUTE)


# ---- a box nobody noted, a rate of yesterday --------------------------------------------------------


def played_on(house: House) -> TableSession:
    """300 of a shift drop counted; then a round more is played, and the table closes."""
    session = house.open_table(detail="full")
    built.counted_box(house, session, 300 * BOB, at=NIGHT + MINUTE, number="C-1")
    events = [*bets((1, "punto", 100)), *NATURAL]
    rounds.log(session=session, number=None, events=events, by=house.by(Role.PIT_BOSS, NIGHT + 5 * MINUTE))
    return house.close(session, FLOAT)


@pytest.mark.rule("FLOOR-11", "FLOOR-12")
def test_after_a_shift_drop_the_table_waits_for_the_box_that_lay_there_then(house: House) -> None:
    session = played_on(house)
    assert (session.state, list(box_seeing.closed_without_box(house.casino))) == ("closed", [session])
    built.counted_box(house, session, 120 * BOB, at=CLOSING_TIME, number="C-2")
    session.refresh_from_db()
    assert (session.state, session.drop) == ("counted", 420 * BOB)
    assert list(box_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-11", "GEN-10")
def test_or_two_people_say_that_there_was_no_other(house: House) -> None:
    session = played_on(house)
    client = Client()
    client.force_login(house.users[Role.CAGE])
    assert "no hubo otra" in client.get(f"/sesiones/{session.pk}/cajas/").content.decode()
    boss = house.users[Role.PIT_BOSS].actor
    session = boxes.declare_no_box(session=session, with_=boss, by=house.by(Role.CAGE, AFTER))
    assert (session.state, session.drop) == ("counted", 300 * BOB)
    assert list(box_faults(house.casino)) == []


@pytest.mark.rule("GEN-03")
def test_a_rate_is_in_force_from_when_it_was_recorded(house: House, box: DropBox) -> None:
    with clock.standing_at(AFTER):
        rate = box_counts.set_rate(currency="USD", rate=69_600, by=house.by(Role.CAGE, NIGHT))
    assert rate.since == AFTER
    with refused("no_rate", "FLOOR-11"):
        built.count(box, 1, {"contents": {"USD": {100: 1}}, "documents": []}, at=CLOSING_TIME)


# ---- what is typed ----------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-11")
@pytest.mark.parametrize(
    "typed",
    [
        {"paper_1_kind": "cheque", "paper_1_amount": "500"},
        {"other_1_value": "20", "other_1_count": "3"},
        {"n_BOB_20000": "-1"},
        {"n_BOB_20000": "1" * 9},
        {"n_BOB_20000": "1", "paper_1_kind": "cheque", "paper_1_number": "1", "paper_1_amount": "-5"},
    ],
)
def test_nothing_typed_on_the_form_is_passed_over(house: House, box: DropBox, typed: dict[str, str]) -> None:
    client = Client()
    client.force_login(built.of_the_cage(house.casino, "Ana"))
    team = [built.of_the_cage(house.casino, name).actor.pk for name in built.TEAMS[0][1:]]
    answer = client.post(f"/cajas/{box.pk}/contar/", {**typed, "team": team})
    assert answer.status_code == 422
    assert not box.counts.exists()


def test_what_is_painted_on_a_box_is_text_on_every_page(house: House) -> None:
    session = house.close(house.open_table(at=clock.now()), FLOAT, at=clock.now())
    box = built.received(house, session, at=clock.now(), number="<IMG SRC=X>")
    client = Client()
    client.force_login(house.users[Role.CAGE])
    for path in (
        "/recuento/",
        f"/cajas/{box.pk}/",
        f"/cajas/{box.pk}/contar/",
        f"/sesiones/{session.pk}/cajas/",
    ):
        said = client.get(path).content.decode()
        assert "&lt;IMG SRC=X&gt;" in said and "<IMG SRC=X>" not in said


# ---- raw SQL ----------------------------------------------------------------------------------------

OTHERWISE = {
    "bigint": "coalesce({0}, 0) + 1",
    "smallint": "{0} + 1",
    "boolean": "NOT {0}",
    "jsonb": """'{{"BOB": {{"10": 7}}}}'""",
    "timestamp with time zone": "coalesce({0}, now()) - interval '1 minute'",
    "character varying": "'X' || substr({0}, 2)",
}
"""How each kind of column is made to say something else."""
TABLES = ("dropbox", "boxcount", "boxcounter", "countrate", "openingdifference")


def columns() -> Iterator[tuple[str, str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = 'public' AND column_name <> 'id' AND table_name = ANY (%s)",
            [[f"tables_{table}" for table in TABLES]],
        )
        yield from cursor.fetchall()


@pytest.mark.rule("FLOOR-11", "REC-06")
def test_no_column_is_changed_behind_the_trail_unseen(house: House) -> None:
    table = house.table()
    house.close(house.open_table(table), FLOAT)
    session = house.open_table(table, at=CLOSING_TIME, chips={**FLOAT, 5 * BOB: 1})
    with clock.standing_at(CLOSING_TIME):
        box_counts.set_rate(currency="USD", rate=69_600, by=house.by(Role.CAGE, CLOSING_TIME))
    chief = house.by(Role.SUPERVISOR, CLOSING_TIME)
    box = boxes.put_on(session=session, number="C-1", by=chief)
    box = boxes.remove(box=box, seal="P-1", with_=house.users[Role.PIT_BOSS].actor, by=chief)
    box = boxes.receive(box=box, seal="P-1", by=house.by(Role.CAGE, CLOSING_TIME))
    for nth, amount in enumerate((60, 50, 60), start=1):
        box = built.count(box, nth, built.holding(amount * BOB), at=AFTER)
    assert (box.how, list(box_faults(house.casino))) == ("third", [])
    tried, unseen = 0, []
    for name, column, kind in columns():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET LOCAL session_replication_role = replica")
            other = OTHERWISE[kind].format(f'"{column}"')
            try:
                with transaction.atomic():
                    cursor.execute(
                        f'UPDATE {name} SET "{column}" = {other} WHERE id = (SELECT max(id) FROM {name})'
                    )
                seen = bool(list(box_faults(house.casino)))
            except IntegrityError:
                seen = True  # a check of the table's own refuses it even then
            transaction.set_rollback(True)
        tried += 1
        unseen += [] if seen else [f"{name}.{column}"]
    assert (tried, unseen) == (44, [])


# ---- arithmetic -------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-12")
def test_results_of_random_evenings_are_what_raw_postings_say(house: House) -> None:
    dice, desk = random.Random(20261120), a_desk(house)
    for _ in range(4):
        house.dealers[0], house.supervisors[0] = house.person(), house.person(supervises=True)
        session = house.open_table(chips={**FLOAT, 25 * BOB: dice.randint(1, 200)})
        counter = Counter(house, session, desk)
        for kind in dice.choices(("fill", "credit"), k=2):
            counter.done(kind, {100 * BOB: dice.randint(1, 9)})
        drop = dice.randint(1, 5_000) * BOB
        session = house.close(session, {**FLOAT, 25 * BOB: dice.randint(1, 200)}, drop=drop)
        # What vault, cage and box have more than before the session is what it won.
        lines = Posting.objects.filter(
            transfer__event__stream__name=session.stream,
            account__code__in=("vault", desk.account, f"drop:{session.pk}"),
        ).aggregate(n=Sum("debit") - Sum("credit"))
        assert (session.state, session.drop, session.result) == ("counted", drop, lines["n"])
