"""A prize after it was hit: checked by two, paid by the cage, or not confirmed and its value given back."""

from __future__ import annotations

from typing import Any

import pytest

from audits import ledger
from audits.by import By
from audits.models import Event
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import User
from jackpots import barring, claims, pools, prize_form, prizes, taxing
from jackpots.models import PoolMove, Prize, PrizeCheck
from tables.guests import excluding
from tables.models import CageOperation
from tables.money import cage, cage_proofs, tax_figures
from tests.builders import BOB, House
from tests.jackpots.builders import FLUSH, NOTHING, ROYAL, STRAIGHT_FLUSH, PoolNight, a_pool
from tests.money.cage_building import Cage, a_cage

WHO = {"winner": "Ana Rojas", "document": "4871203 LP"}
NOBODY2 = "Qc Td 8s 6s 3d"


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def held(night: PoolNight, code: str) -> int:
    return ledger.balance(night.house.casino, code)


def a_prize(night: PoolNight, cards: str = FLUSH, seat: int = 2, table: int = 0) -> Prize:
    """One bet of a credit, and the hand that wins."""
    night.buy(table, seat)
    night.bet(table, seat)
    night.play(table, {seat: cards, seat + 1: NOBODY2}, house="Ac Ad 4d 3h 2c")
    return night.prizes()[-1]


def checked(night: PoolNight, prize: Prize, **who: str) -> Prize:
    """Two people check it: a supervisor and compliance."""
    with night.now():
        prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR), **(who or WHO))
        return prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE))


def pay(night: PoolNight, till: Cage, prize: Prize, **more: Any) -> Prize:
    return prizes.pay_prize(prize=prize, desk=till.desk, by=night.by(Role.CAGE), **more)


# ---- two people ----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-31")
def test_two_people_verify_and_neither_noted_the_round(house: House) -> None:
    night = a_pool(house)
    prize = a_prize(night)
    assert refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.PIT_BOSS))).code == "own_prize"
    first = prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR), **WHO)
    assert (first.state, first.winner, first.document) == ("pending", "Ana Rojas", "4871203 LP")
    again = refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR)))
    assert (again.code, again.rule) == ("same_person", "PP-31")
    second = prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE))
    assert (second.state, second.winner) == ("verified", "Ana Rojas")
    assert second.decided_at == night.clock
    third = refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.CAGE)))
    assert (third.code, third.rule) == ("prize_state", "PP-31")
    told = Event.objects.filter(action__startswith="jackpots.prize.").order_by("pk")
    assert [event.action.rpartition(".")[2] for event in told] == ["hit", "checked", "verified"]
    assert b"4871203" not in b"".join(bytes(event.body) for event in told)


@pytest.mark.rule("PP-31")
def test_a_winner_is_named_once(house: House) -> None:
    night = a_pool(house)
    prize = a_prize(night)
    half = refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR), winner="Ana Rojas"))
    assert half.code == "bad_customer"
    prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR), **WHO)
    other = {"winner": "Luis Paz", "document": "99999999"}
    no = refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE), **other))
    assert (no.code, no.field) == ("winner_differs", "winner")
    assert prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE), **WHO).state == "verified"


def test_who_may_not_verify(house: House) -> None:
    night = a_pool(house)
    prize = a_prize(night)
    for role in (Role.CROUPIER, Role.INSPECTOR, Role.ADMINISTRATOR):
        with pytest.raises(NotAllowed):
            prizes.check_prize(prize=prize, by=night.by(role))
    assert prizes.may_check(prize, house.users[Role.COMPLIANCE].actor)
    assert not prizes.may_check(prize, house.users[Role.PIT_BOSS].actor)


# ---- not confirmed -------------------------------------------------------------------------------------


@pytest.mark.rule("PP-29", "PP-31")
def test_a_top_prize_not_confirmed_goes_back_to_the_unit(house: House) -> None:
    """Before the hit: main 3.60 + 1,000.00 of base, reserve 0.90. The hit locks 1,003.60 and restarts with
    0.90 of the reserve and 999.10 of the house; not confirmed, everything is as before."""
    night = a_pool(house)
    prize = a_prize(night, ROYAL)
    assert night.funds() == {"main": (90, 99_910), "reserve": (0, 0)}
    by = night.by(Role.SUPERVISOR, "faltaba una carta")
    found = prizes.reject_prize(prize=prize, with_=night.other(), by=by)
    assert found.state == "rejected"
    assert night.funds() == {"main": (360, 1_000 * BOB), "reserve": (90, 0)}
    pool = night.pool
    assert held(night, f"pool:{pool.pk}:pending") == 0
    assert held(night, f"pool:{pool.pk}:main") == 360
    assert held(night, f"pool:{pool.pk}:base") == 1_000 * BOB
    assert held(night, f"pool:{pool.pk}:reserve") == 90
    assert held(night, pool.house_account) == -1_000 * BOB
    moves = PoolMove.objects.filter(pool=pool, kind="rejected").order_by("pk")
    assert [(m.fund.code, m.players, m.base) for m in moves] == [("main", 270, 90), ("reserve", 90, 0)]
    assert {check.actor_id for check in PrizeCheck.objects.filter(prize=prize, holds=False)} == {
        house.users[Role.SUPERVISOR].actor.pk, night.other().pk,
    }  # fmt: skip


@pytest.mark.rule("PP-29")
def test_what_later_prizes_took_of_the_restart_stays_taken(house: House) -> None:
    """T1's royal takes 1,003.60; main restarts at 0.90 + 999.10. T2 bets 5.00 (main 4.50, reserve 0.90) and
    wins 10 % of 1,003.60 = 100.36: 4.50 of players, 95.86 of the base, which is 903.24. T1 is not confirmed:
    main gets back 3.60 and gives the reserve its 0.90; base 903.24 + 1,000.00 - 999.10 = 904.14; reserve
    0.90 + 0.90. Shown 2.70 + 904.14 = 906.84, which is 1,003.60 + 3.60 - 100.36."""
    night = a_pool(house, tables=2)
    first = a_prize(night, ROYAL)
    second = a_prize(night, STRAIGHT_FLUSH, table=1)
    assert (second.before, second.amount, second.after) == (100_360, 10_036, 90_324)
    by = night.by(Role.SUPERVISOR, "no era escala")
    prizes.reject_prize(prize=first, with_=night.other(), by=by)
    assert night.funds() == {"main": (270, 90_414), "reserve": (180, 0)}
    assert night.shown() == 100_360 + 360 - 10_036 - 0
    for code, amount in (("main", 270), ("base", 90_414), ("reserve", 180), ("pending", 10_036)):
        assert held(night, f"pool:{night.pool.pk}:{code}") == amount, code


@pytest.mark.rule("PP-29")
def test_a_restart_that_is_gone_is_undone_as_far_as_it_is_there(house: House) -> None:
    """Base 10.00 and a flush of 250.00 that takes 3.60 + 10.00 + 0.90 of the reserve and 235.50 of the
    house. Then a royal takes 3.60 alone; main restarts with 0.90 of the reserve and 9.10 of the house, and
    another flush takes all of that and more. The royal not confirmed: 3.60 less the 0.90 due to the reserve;
    the 9.10 the house had put in are gone into that flush, and stay the house's."""
    level = {"code": "main", "share_bp": 8_000, "base": 10 * BOB, "cap": None}
    night = a_pool(house, params={"levels": [level]})
    flush = a_prize(night, FLUSH)
    assert (flush.players, flush.base, flush.reserve, flush.house) == (360, 1_000, 90, 23_550)
    royal = a_prize(night, ROYAL)
    assert (royal.players, royal.base, royal.reseed_reserve, royal.reseed_house) == (360, 0, 90, 910)
    another = a_prize(night, FLUSH)
    assert (another.players, another.base, another.reserve, another.house) == (450, 910, 90, 23_550)
    assert night.funds() == {"main": (0, 0), "reserve": (0, 0)}
    by = night.by(Role.SUPERVISOR, "no era escala")
    prizes.reject_prize(prize=royal, with_=night.other(), by=by)
    assert night.funds() == {"main": (270, 0), "reserve": (90, 0)}
    for code, amount in (("main", 270), ("base", 0), ("reserve", 90), ("pending", 50_000)):
        assert held(night, f"pool:{night.pool.pk}:{code}") == amount, code
    assert held(night, night.pool.house_account) == -(1_000 + 23_550 + 910 + 23_550)


@pytest.mark.rule("PP-31", "GEN-10")
def test_two_others_do_not_confirm_with_a_reason(house: House) -> None:
    night = a_pool(house)
    prize = a_prize(night)

    def reject(role: Role, with_: Any, reason: str = "no era color") -> Any:
        return lambda: prizes.reject_prize(prize=prize, with_=with_, by=night.by(role, reason))

    boss, supervisor = night.other(Role.PIT_BOSS), night.other(Role.SUPERVISOR)
    assert refused(reject(Role.SUPERVISOR, night.other(), "")).code == "reason_missing"
    assert refused(reject(Role.SUPERVISOR, supervisor)).code == "same_person"
    assert refused(reject(Role.SUPERVISOR, night.other(Role.CROUPIER))).code == "not_qualified"
    assert refused(reject(Role.SUPERVISOR, boss)).code == "own_prize"
    assert refused(reject(Role.PIT_BOSS, supervisor)).code == "own_prize"
    checked(night, prize)
    reject(Role.SUPERVISOR, night.other())()
    assert refused(reject(Role.SUPERVISOR, night.other())).code == "prize_state"
    assert PrizeCheck.objects.filter(prize=prize).count() == 4


# ---- paid ----------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-31", "PP-03")
def test_the_cage_pays_in_cash_and_the_pool_makes_it_good(house: House) -> None:
    """50 times 5.00 = 250.00 in cash: the drawer has so much less, `pending` nothing, the house more."""
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    before = held(night, night.pool.house_account), held(night, "cage:1:cash"), held(night, "players:cage")
    early = refused(lambda: pay(night, till, prize))
    assert (early.code, early.rule) == ("prize_state", "PP-31")
    checked(night, prize)
    paid = pay(night, till, prize)
    assert (paid.state, paid.form, paid.desk_id) == ("paid", "cash", till.desk.pk)
    receipt = CageOperation.objects.get(reference=prize.label)
    assert (receipt.kind, receipt.series, receipt.amount) == ("prize_cash", "P", 250 * BOB)
    assert (receipt.customer, receipt.document) == ("Ana Rojas", "4871203 LP")
    after = held(night, night.pool.house_account), held(night, "cage:1:cash"), held(night, "players:cage")
    assert [y - x for x, y in zip(before, after, strict=True)] == [25_000, -25_000, 25_000]
    assert held(night, f"pool:{night.pool.pk}:pending") == 0
    day = house.casino.gaming_day(night.clock)
    assert taxing.prizes_in_cash(house.casino, day, day) == {day: 250 * BOB}
    assert tax_figures.of_day(house.casino, day).inputs.prizes == 250 * BOB
    assert list(cage_proofs.told_faults(house.casino)) == []
    assert list(cage_proofs.ledger_faults(house.casino)) == []
    assert refused(lambda: pay(night, till, prize)).code == "prize_state"
    assert Prize.objects.get(pk=prize.pk).paid_by_id == house.users[Role.CAGE].actor.pk


@pytest.mark.rule("PP-31", "FLOOR-06")
def test_a_prize_in_chips_is_worth_its_amount(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    few = refused(lambda: pay(night, till, prize, form="chips", chips={100 * BOB: 2}))
    assert (few.code, few.rule) == ("sum_differs", "FLOOR-06")
    assert refused(lambda: pay(night, till, prize, form="gold")).code == "bad_form"
    assert refused(lambda: pay(night, till, prize, chips={100 * BOB: 2})).code == "chips_in_cash"
    before = held(night, "cage:1")
    paid = pay(night, till, prize, form="chips", chips={100 * BOB: 2, 25 * BOB: 2})
    assert (paid.form, before - held(night, "cage:1")) == ("chips", 25_000)
    day = house.casino.gaming_day(night.clock)
    assert taxing.prizes_in_cash(house.casino, day, day) == {}
    assert list(cage_proofs.ledger_faults(house.casino)) == []


@pytest.mark.rule("PP-31")
def test_who_is_paid_is_known(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR))
    prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE))
    nameless = refused(lambda: pay(night, till, prize))
    assert (nameless.code, nameless.rule) == ("winner_missing", "PP-31")
    assert pay(night, till, prize, **WHO).winner == "Ana Rojas"


def test_an_empty_drawer_and_a_closed_desk_pay_nothing(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night, ROYAL)
    checked(night, prize)
    till.transfer("to_vault", {}, {200 * BOB: 40, 100 * BOB: 15}, at=night.clock)
    poor = refused(lambda: pay(night, till, prize))
    assert (poor.code, poor.rule) == ("not_enough_cash", "FLOOR-15")
    assert Prize.objects.get(pk=prize.pk).state == "verified"
    assert not CageOperation.objects.filter(kind="prize_cash").exists()


@pytest.mark.rule("PP-31")
def test_only_the_cage_pays_and_not_who_noted_it(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    with pytest.raises(NotAllowed):
        prizes.pay_prize(prize=prize, desk=till.desk, by=night.by(Role.PIT_BOSS))
    boss = house.users[Role.PIT_BOSS]
    boss.role_codes = [*boss.role_codes, Role.CAGE.value]
    boss.save()
    both = By(User.objects.get(pk=boss.pk).actor, night.by().request_id, night.clock)
    assert refused(lambda: prizes.pay_prize(prize=prize, desk=till.desk, by=both)).code == "own_prize"


@pytest.mark.rule("REC-07")
def test_a_payment_is_not_voided_at_the_cage(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    pay(night, till, prize)
    receipt = CageOperation.objects.get(reference=prize.label)
    no = refused(
        lambda: cage.void_receipt(
            operation=receipt, approved_by=till.other, by=night.by(Role.CAGE, "se equivocó")
        )
    )
    assert (no.code, no.rule) == ("prize_stays_paid", "REC-07")


@pytest.mark.rule("PP-32")
def test_a_stopped_pool_has_its_prizes_verified_and_paid(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    with night.now():
        pools.stop(pool=night.pool, with_=night.other(), by=night.by(reason="el visor se apagó"))
    assert refused(lambda: night.bet(0, 2)).code == "pool_not_running"
    checked(night, prize)
    assert pay(night, till, prize).state == "paid"


@pytest.mark.rule("GEN-11")
def test_somebody_of_the_lists_is_paid_beside_compliance(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    today = house.casino.gaming_day(night.clock)
    entry = excluding.exclude(
        kind="authority",
        source="Nota 1",
        since=today,
        document_type="ci",
        country="BO",
        number="4871203",
        name="Ana Rojas Vda. de Paz",
        by=night.by(Role.COMPLIANCE, "nota de la autoridad"),
    )
    with pytest.raises(barring.WinnerListed) as found:
        pay(night, till, prize)
    assert found.value.detail["exclusion"] == entry.label
    found.value.remember()
    assert Event.objects.filter(action="jackpots.prize.held_back", rules__contains=["GEN-11"]).exists()
    by_boss = refused(lambda: pay(night, till, prize, with_=night.other(Role.PIT_BOSS)))
    assert by_boss.code == "not_qualified"
    assert pay(night, till, prize, with_=night.other()).state == "paid"


# ---- claimed -------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-01", "PP-02", "PP-14")
def test_a_claim_finds_its_prize_or_says_what_the_hand_is(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 4)
    night.bet(0, 4)
    prize = a_prize(night)
    session = night.sessions[0]

    def claim(seat: int, hand: str, round: int = 1) -> Any:
        return lambda: claims.claim(session=session, round=round, seat=seat, hand=hand)

    assert claim(2, "flush")() == prize
    wrong = refused(claim(2, "straight_flush"))
    assert (wrong.code, wrong.rule, wrong.detail["hand"]) == ("hand_differs", "PP-02", "flush")
    assert "color" in wrong.message.es and "escalera de color" in wrong.message.es
    assert refused(claim(3, "pair")).code == "no_progressive_bet"
    assert refused(claim(2, "flush", 2)).code == "round_not_settled"
    assert refused(claim(5, "flush")).rule == "PP-01"


@pytest.mark.rule("PP-02")
def test_a_hand_that_wins_nothing_is_said_so(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: "Ks Kd 9h 5s 2d", 3: NOBODY2}, house="Ac Ad 4d 3h 2c")
    pair = refused(lambda: claims.claim(session=night.sessions[0], round=1, seat=2, hand="pair"))
    assert (pair.code, pair.rule) == ("hand_not_listed", "PP-02")


# ---- the form ------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-31")
def test_the_form_says_everything_the_rule_asks_for(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night, ROYAL)
    checked(night, prize)
    paid = pay(night, till, prize)
    report = prize_form.PrizePaper()
    found = prize_form.for_form(Prize.objects.filter(pk=paid.pk)).get()
    said = {label.es: value for label, value in report.particulars(house.casino, {"prize": found})}
    assert said["Mesa"] == night.tables[0].name
    assert said["Cartas"] == ROYAL
    assert isinstance(said["Importe"], Text) and said["Importe"].es.endswith("1.003,60")
    assert (said["Cobra"], said["Documento"]) == ("Ana Rojas", "••••••• LP")
    sections = {one.key: list(one.rows()) for one in report.sections(house.casino, {"prize": found})}
    assert [row["amount"] for row in sections["meter"]][:3] == [100_360, 100_360, 100_000]
    assert [row["name"] for row in sections["verifiers"]] == ["Persona supervisor", "Persona compliance"]
    assert len(sections["copies"]) == 3
    for language in ("es-bo", "en"):
        assert prize_form.paper(found, language).startswith(b"%PDF-")


# ---- two tables ----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-33", "PP-31")
def test_a_claim_locks_its_value_and_other_tables_play_on(house: House) -> None:
    """DEA-033 on two tables, in the pool's own way of counting (no commission, all to the main level).

    Base 10,000.00. T1 has bet until the meter shows 50,000.00: 40,000.00 in bets of 20,000.00 each by two
    seats, the second of which is the royal's own round. It takes 50,000.00; the meter restarts at 10,000.00.
    T2 adds 25.00 and its straight flush takes 10 % of 10,025.00 = 1,002.50: 9,022.50 are left. T2 is
    confirmed before T1; neither changes by it.
    """
    params = {
        "commission_bp": 0,
        "levels": [{"code": "main", "share_bp": 10_000, "base": 10_000 * BOB, "cap": None}],
        "reserves": [],
        "credit": 25 * BOB,
        "most": 800,
    }
    night = a_pool(house, tables=2, params=params)
    night.buy(0, 2, 1_600)
    night.bet(0, 2, 800)
    night.play(0, {2: NOTHING, 3: NOBODY2})
    night.bet(0, 2, 800)
    night.play(0, {2: ROYAL, 3: NOBODY2}, house="Ac Ad 4d 3h 2c")
    assert night.shown() == 10_000 * BOB
    second = a_prize(night, STRAIGHT_FLUSH, table=1)
    first = night.prizes()[0]
    assert (first.amount, second.amount, night.shown()) == (50_000 * BOB, 1_002_50, 9_022_50)
    assert held(night, f"pool:{night.pool.pk}:pending") == 51_002_50
    for prize in (second, first):
        checked(night, prize)
    assert [(one.order, one.amount, one.state) for one in night.prizes()] == [
        (1, 50_000 * BOB, "verified"), (2, 1_002_50, "verified"),
    ]  # fmt: skip
    assert night.shown() == 9_022_50


def test_nobody_of_another_house_touches_it(house: House) -> None:
    from tests.builders import a_house

    other = a_house()
    night = a_pool(house)
    prize = a_prize(night)
    with pytest.raises(SabotError):
        prizes.check_prize(prize=prize, by=other.by(Role.SUPERVISOR, night.clock))
