"""Evenings an accountant can check: a Black Jack table with fill, credit and two boxes, a poker room with its
deduction box; what keeps a result from being final, and who makes it so."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits import days, incidents, ledger
from audits.by import by_system
from audits.models import Incident, Posting
from audits.reports import registry as reports
from audits.verify import ledger_faults
from casino.kernel.permissions import Role
from tables import inforce, results, rounds, statement
from tables.games import registry
from tables.models import DropBox, TableSession
from tables.money import boxes, differences, reconciling
from tables.money.box_proofs import box_faults
from tables.overview.sums import money_of
from tables.told_proofs import told_faults
from tests.builders import BOB, CLOSING_TIME, FLOAT, NIGHT, House
from tests.games.blackjack.building import CLOSE, bet, deal, dealer, do
from tests.games.ring.building import Hand
from tests.money import box_builders as built
from tests.money.slip_builders import Counter, a_desk
from tests.tables import every_game
from tests.tables.refusing import refused

MINUTE = dt.timedelta(minutes=1)
DAY = dt.date(2026, 11, 20)
SPAN = {"first": DAY, "last": DAY}


@pytest.fixture
def house(room: House) -> House:
    """The module's own, with its teams; each test begins from it as it was built."""
    return room


def faults(house: House) -> list[Any]:
    casino = house.casino
    return [
        fault
        for proof in (box_faults, told_faults, ledger_faults)
        for fault in proof(casino)
        if not fault.code.startswith("guard")
    ]


def fresh(session: TableSession) -> TableSession:
    return TableSession.objects.select_related("table", "day", "casino").get(pk=session.pk)


def logged(house: House, session: TableSession, stake: int, own: str, up: str, hole: str) -> None:
    """One hand of seat 1, who stands; stakes in bolivianos."""
    events = [bet(1, stake * BOB), CLOSE, *deal({1: own}, up), do(1, "stand"), dealer(hole)]
    rounds.log(session=session, number=None, events=events, by=house.by(Role.PIT_BOSS))


def a_black_jack_table(house: House) -> TableSession:
    game = registry.game("blackjack.classic")
    table = every_game.a_table(house, game)
    return every_game.open_session(house, table, game, every_game.shuffled(game, every_game.seeded(3)))


def an_evening(house: House) -> TableSession:
    """Opening 22.500, a fill of 2.000, a credit of 1.000, three hands, two boxes, closed on 22.170."""
    session = a_black_jack_table(house)
    house.dealers[0] = session.assignments.get(post="dealer").staff
    logged(house, session, 100, "Ts 9d", "7h", "Tc")  # 19 beats 17: the house pays 100
    logged(house, session, 300, "Kc 8d", "9h", "Td")  # 18 loses to 19: the house wins 300
    logged(house, session, 500, "Th 7c", "8s", "Js")  # 17 loses to 18: the house wins 500
    # 100 + 300 + 500 = 900 staked, 200 returned: the rounds say 700.
    counter = Counter(house, session, a_desk(house))
    counter.done("fill")  # 40 x 25 + 10 x 100 = 2.000
    counter.done("credit", {500 * BOB: 2})  # 1.000
    first = boxes.put_on(session=session, number="BJ-1", by=house.by(Role.SUPERVISOR, NIGHT + 40 * MINUTE))
    taken_off(house, first, NIGHT + 60 * MINUTE)
    second = boxes.put_on(session=session, number="BJ-2", by=house.by(Role.SUPERVISOR, NIGHT + 60 * MINUTE))
    # 20 x 500 + 100 x 100 + 86 x 25 + 4 x 5 = 10.000 + 10.000 + 2.150 + 20 = 22.170.
    house.close(session, {500 * BOB: 20, 100 * BOB: 100, 25 * BOB: 86, 5 * BOB: 4})
    taken_off(house, second, CLOSING_TIME)
    return fresh(session)


def taken_off(house: House, box: DropBox, at: dt.datetime) -> DropBox:
    box = boxes.remove(
        box=box, seal="P-1", with_=house.users[Role.PIT_BOSS].actor, by=house.by(Role.SUPERVISOR, at)
    )
    return boxes.receive(box=box, seal="P-1", by=house.by(Role.CAGE, at))


def counts(house: House, number: str, *bolivianos: int) -> DropBox:
    box = DropBox.objects.get(casino=house.casino, number=number)
    for nth, amount in enumerate(bolivianos, start=1):
        box = built.count(box, nth, built.holding(amount * BOB), at=CLOSING_TIME + MINUTE)
    return box


def settled(house: House, incident: Incident) -> None:
    incidents.resolve_incident(
        incident=incident,
        resolution="se revisó la cinta",
        rule_applied="FLOOR-12",
        with_=house.users[Role.COMPLIANCE].actor,
        by=house.by(Role.PIT_BOSS, CLOSING_TIME + 5 * MINUTE),
    )


def reconciled(house: House, session: TableSession) -> TableSession:
    return reconciling.reconcile_session(
        session=session,
        with_=house.users[Role.CAGE].actor,
        by=house.by(Role.PIT_BOSS, CLOSING_TIME + 10 * MINUTE),
    )


@pytest.mark.rule("FLOOR-12", "FLOOR-11", "REC-08")
def test_a_black_jack_evening_adds_up_and_is_made_final(house: House) -> None:
    session = an_evening(house)
    assert (session.staked, session.returned, session.fills, session.credits) == (
        900 * BOB, 200 * BOB, 2_000 * BOB, 1_000 * BOB,
    )  # fmt: skip
    assert counts(house, "BJ-1", 1_200, 1_200).state == "settled"
    assert fresh(session).state == "closed"
    # The second box: 800, 790, and a third team that finds 800.
    assert counts(house, "BJ-2", 800, 790).state == "differs"
    with refused("session_state", "REC-08"):
        reconciled(house, session)
    box = DropBox.objects.get(number="BJ-2")
    built.count(box, 3, built.holding(800 * BOB), at=CLOSING_TIME + 2 * MINUTE)
    session = fresh(session)
    # Drop 1.200 + 800 = 2.000. Result 22.170 + 1.000 + 2.000 - 22.500 - 2.000 = 670; the rounds say 700.
    assert (session.state, session.drop, session.result) == ("counted", 2_000 * BOB, 670 * BOB)
    assert session.unexplained == -30 * BOB
    told = statement.of(session)
    assert [(line.code, line.signed) for line in told.lines] == [
        ("closing", 22_170 * BOB),
        ("credits", 1_000 * BOB),
        ("drop", 2_000 * BOB),
        ("opening", -22_500 * BOB),
        ("fills", -2_000 * BOB),
    ]
    assert sum(line.signed or 0 for line in told.lines) == told.result == told.income == 670 * BOB
    assert [source.label.es for source in told.lines[2].sources] == ["caja BJ-1", "caja BJ-2"]
    assert [sum(s.amount for s in line.sources) for line in told.lines] == [
        line.amount for line in told.lines
    ]
    # 670 over 2.000 is 33,50 %.
    assert (told.hold_basis_points, told.reconciled) == (3_350, False)

    # Two incidents: the counts of BJ-2, and 30 that no round explains (25 and more).
    left = results.outstanding(session)
    assert [one.code for one in left] == ["incident_open", "incident_open"]
    with refused("exceptions_open", "REC-08"):
        reconciled(house, session)
    for incident in Incident.objects.filter(state="open"):
        settled(house, incident)
    with refused("same_person", "GEN-10"):
        cage = house.by(Role.CAGE)
        reconciling.reconcile_session(session=session, with_=cage.actor, by=cage)
    with refused("signer_not_allowed", "GEN-10"):
        second = house.users[Role.SUPERVISOR].actor
        reconciling.reconcile_session(session=session, with_=second, by=house.by(Role.CAGE))
    # The night job closes the day, which waits for the count; the two signatures may still come.
    assert days.close_day(day=session.day, by=by_system(house.casino, "nightly-close")).state == "closed"
    session = reconciled(house, session)
    assert (session.state, session.reconciled_with) == ("reconciled", house.users[Role.CAGE].actor)
    assert statement.of(session).reconciled
    with refused("session_state"):
        reconciled(house, session)
    assert faults(house) == []


@pytest.mark.rule("FLOOR-12")
def test_the_ledger_of_the_evening_ends_with_the_result(house: House) -> None:
    session = an_evening(house)
    counts(house, "BJ-1", 1_200, 1_200)
    counts(house, "BJ-2", 800, 800)
    place = {name: ledger.balance(house.casino, f"{name}:{session.pk}") for name in ("tray", "kitty", "drop")}
    assert place == {"tray": 0, "kitty": 0, "drop": 2_000 * BOB}
    # Players bought 2.000 in chips, lost 700 of them by the rounds, and the count lacks 30 more.
    assert ledger.balance(house.casino, f"players:{session.pk}") == -670 * BOB
    memos = Posting.objects.filter(account__code=f"tray:{session.pk}", memo="count_difference")
    assert [(line.debit, line.credit) for line in memos] == [(0, 30 * BOB)]


# ---- rings ------------------------------------------------------------------------------------------


def a_poker_room(house: House) -> TableSession:
    """The same closed, its box off the table; players bought 500."""
    session = poker_in_play(house)
    taken_off(house, DropBox.objects.get(session=session, kind="deduction"), CLOSING_TIME)
    # 500 of the float were sold for cash: 19 x 500 + 100 x 100 + 100 x 25 = 22.000.
    house.close(session, {500 * BOB: 19, 100 * BOB: 100, 25 * BOB: 100})
    return fresh(session)


def poker_in_play(house: House) -> TableSession:
    """Texas: 4 % of a pot of 700 are 28 of deduction; a box for it lies at the table."""
    game = registry.game("poker.texas")
    table = every_game.a_table(house, game, rules={"rake_basis_points": 400})
    pack = every_game.shuffled(game, every_game.seeded(3))
    session = every_game.open_session(house, table, game, pack)
    boxes.put_on(session=session, number="TX-D", kind="deduction", by=house.by(Role.SUPERVISOR, NIGHT))
    by = house.by(Role.PIT_BOSS)
    current = inforce.for_new_round(session, by.occurred_at, session.detail)[0]
    own = {1: "Kc 8d", 2: "As Ah", 3: "Qs Qd"}
    stacks = {1: 100 * BOB, 2: 300 * BOB, 3: 900 * BOB}
    hand = Hand(game.open(current.rules, current.terms), stacks, own, "Ks Kd 8c 2h 5s", 3)
    hand.acts("3 raise 30000", "1 call", "2 call").showdown()
    rounds.log(session=session, number=None, events=[dict(event) for event in hand.state.log], by=by)
    return fresh(session)


def count_deduction(house: House, session: TableSession, bolivianos: int) -> TableSession:
    box = DropBox.objects.get(session=session, kind="deduction")
    found = {"contents": built.chips(bolivianos * BOB, house.casino.denominations), "documents": []}
    for nth in (1, 2):
        built.count(box, nth, found, at=CLOSING_TIME + MINUTE)
    return fresh(session)


@pytest.mark.rule("FLOOR-14", "FLOOR-12")
@pytest.mark.parametrize(
    ("boxed", "entered", "short", "over"), [(25, 28, 3, 0), (28, 28, 0, 0), (30, 30, 0, 2)]
)
def test_the_higher_of_box_and_rounds_is_entered(
    house: House, boxed: int, entered: int, short: int, over: int
) -> None:
    session = a_poker_room(house)
    assert (session.state, session.commission) == ("closed", 28 * BOB)
    session = count_deduction(house, session, boxed)
    assert session.state == "closed"  # its drop box is missing yet
    session = house.count_out(session, 500 * BOB)
    # 22.000 + 500 + what lay in the deduction box - 22.500.
    assert (session.drop, session.result) == (500 * BOB, boxed * BOB)
    assert (session.deduction, session.unexplained) == (entered * BOB, (boxed - 28) * BOB)
    told = statement.of(session)
    assert (told.income, told.recorded, told.boxed) == (entered * BOB, 28 * BOB, boxed * BOB)
    assert (told.difference, told.hold_basis_points) == ((boxed - 28) * BOB, None)
    assert sum(line.signed or 0 for line in told.lines) == told.result
    assert ledger.balance(house.casino, f"shortage:{session.pk}") == short * BOB
    over_posted = Posting.objects.filter(account__code=f"kitty:{session.pk}", memo="deduction_over")
    assert sum(line.debit for line in over_posted) == over * BOB
    # The vault gave 22.500 and got the float of 22.000 and the box.
    assert ledger.balance(house.casino, "vault") == (22_000 + boxed - 22_500) * BOB
    assert faults(house) == []


@pytest.mark.rule("FLOOR-14")
def test_a_deduction_box_cannot_appear_after_the_float_was_counted(house: House) -> None:
    session = a_poker_room(house)
    with refused("box_too_late", "FLOOR-11"):
        built.received(house, session, at=CLOSING_TIME, kind="deduction")
    with refused("box_waits", "FLOOR-11"):
        second = house.users[Role.PIT_BOSS].actor
        boxes.declare_no_box(session=session, with_=second, by=house.by(Role.CAGE, CLOSING_TIME))
    session = count_deduction(house, session, 28)
    session = house.count_out(session, 0)
    assert (session.drop, session.deduction) == (0, 28 * BOB)
    assert faults(house) == []


@pytest.mark.rule("FLOOR-13")
def test_deductions_are_never_netted_with_house_games(house: House) -> None:
    poker = a_poker_room(house)
    count_deduction(house, poker, 25)
    house.count_out(poker, 500 * BOB)
    # A Baccarat table that lost 1.000: closing 21.300 + drop 200 - 22.500 = -1.000.
    losing = house.open_table(dealer=1, supervisor=1)
    closed = house.close(losing, {500 * BOB: 18, 100 * BOB: 98, 25 * BOB: 100}, drop=200 * BOB)
    assert closed.result == -1_000 * BOB
    sums = money_of(house.casino, DAY)
    assert (sums.result, sums.drop, sums.deduction) == (-1_000 * BOB, 200 * BOB, 28 * BOB)
    sections = {s.key: s for s in reports.get("tables.results").sections(house.casino, SPAN)}
    for key, period in (("house_days", DAY), ("house_months", "2026-11")):
        (row,) = sections[key].rows()
        assert (row["period"], row["result"], row["drop"]) == (period, -1_000 * BOB, 200 * BOB)
        assert row["hold"] == -50_000  # -1.000 over 200 is -500 %
        assert row["standing"].es == "sin conciliar"
    for key in ("ring_days", "ring_months"):
        (row,) = sections[key].rows()
        assert (row["recorded"], row["boxed"], row["short"], row["income"]) == (
            28 * BOB, 25 * BOB, 3 * BOB, 28 * BOB,
        )  # fmt: skip
    day = {s.key: s for s in reports.get("tables.day").sections(house.casino, {"day": DAY})}
    total: Any = day["tables"].totals()  # type: ignore[misc]
    assert (total["result"], total["drop"], total["deduction"]) == (-1_000 * BOB, 200 * BOB, 28 * BOB)


@pytest.mark.rule("REC-08")
def test_the_report_of_results_says_when_they_are_final(house: House) -> None:
    session = house.close(house.open_table(), FLOAT, drop=0)

    def standing() -> str:
        sections = {s.key: s for s in reports.get("tables.results").sections(house.casino, SPAN)}
        (row,) = sections["house_days"].rows()
        return str(row["standing"].es)

    def said() -> str:
        shown = reports.get("tables.day").particulars(house.casino, {"day": DAY})
        told: dict[str, Any] = {name.es: value for name, value in shown}
        return str(told["Resultados"].es)

    assert (standing(), said()) == ("sin conciliar", "1 sin conciliar")
    reconciled(house, session)
    assert (standing(), said()) == ("conciliado", "conciliado")


# ---- the opening ------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-05")
@pytest.mark.parametrize(
    ("chips", "total", "kind"),
    [
        # The closing before: 100 x 25 + 100 x 100 + 20 x 500 = 22.500.
        ({**FLOAT, 25 * BOB: 98, 5 * BOB: 10}, 0, None),
        ({**FLOAT, 25 * BOB: 99, 1 * BOB: 1}, -24 * BOB, None),
        ({**FLOAT, 25 * BOB: 99}, -25 * BOB, "money.house_difference"),
        ({**FLOAT, 25 * BOB: 103, 1 * BOB: 24}, 99 * BOB, "money.house_difference"),
        ({**FLOAT, 100 * BOB: 101}, 100 * BOB, "money.opening_difference"),
        ({**FLOAT, 100 * BOB: 99}, -100 * BOB, "money.opening_difference"),
    ],
)
def test_an_opening_difference_is_kept_by_denomination_and_reported_by_its_size(
    house: House, django_capture_on_commit_callbacks: Any, chips: dict[int, int], total: int, kind: str | None
) -> None:
    table = house.table()
    house.close(house.open_table(table), FLOAT)
    with django_capture_on_commit_callbacks(execute=True):
        session = house.open_table(table, at=CLOSING_TIME, chips=chips)
    kept = session.opening_difference
    assert kept.total == total
    assert kept.chips == {
        str(value): chips.get(value, 0) - FLOAT.get(value, 0)
        for value in sorted({*chips, *FLOAT})
        if chips.get(value, 0) != FLOAT.get(value, 0)
    }
    found = Incident.objects.filter(subject_type="session", subject_id=session.pk)
    assert [incident.kind for incident in found] == ([kind] if kind else [])
    assert [incident.notice_due is not None for incident in found] == (
        [kind == "money.opening_difference"] if kind else []
    )
    assert [one.code for one in results.outstanding(session)] == (["incident_open"] if kind else [])
    assert faults(house) == []


@pytest.mark.rule("FLOOR-05")
def test_a_difference_whose_incident_never_came_is_opened_by_hand(house: House) -> None:
    table = house.table()
    house.close(house.open_table(table), FLOAT, drop=0)
    session = house.open_table(table, at=CLOSING_TIME, chips={**FLOAT, 100 * BOB: 101})
    session = house.close(session, {**FLOAT, 100 * BOB: 101}, at=CLOSING_TIME + MINUTE)
    session = house.count_out(session, 0, at=CLOSING_TIME + MINUTE)
    assert [one.code for one in results.outstanding(session)] == ["difference_unreported"]
    boss = house.by(Role.PIT_BOSS, CLOSING_TIME + MINUTE)
    incident = differences.open_difference(session=session, by=boss)
    assert (incident.kind, incident.facts["difference"]) == ("money.opening_difference", 100 * BOB)
    with refused("no_difference", "FLOOR-05"):
        differences.open_difference(session=session, by=boss)
    assert [one.code for one in results.outstanding(session)] == ["incident_open"]
    assert faults(house) == []


def test_an_opening_that_equals_the_closing_keeps_nothing(house: House) -> None:
    table = house.table()
    house.close(house.open_table(table), FLOAT)
    session = house.open_table(table, at=CLOSING_TIME)
    assert not hasattr(session, "opening_difference")
