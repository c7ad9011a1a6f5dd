"""A prize after it was hit: checked by two, claimed, or not confirmed and its value given back."""

from __future__ import annotations

from typing import Any

import pytest

from audits.models import Event
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from jackpots import claims, prize_form, prizes
from jackpots.models import PoolMove, Prize, PrizeCheck
from tests.builders import BOB, House
from tests.jackpots.builders import FLUSH, NOTHING, ROYAL, STRAIGHT_FLUSH, a_pool
from tests.jackpots.winning import NOBODY2, WHO, a_prize, checked, held, pay, refused
from tests.money.cage_building import a_cage

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
    short = {"winner": "Ana Rojas", "document": "123"}
    few = refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR), **short))
    assert few.say("es") == "tiene como mínimo 4 caracteres"
    prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR), **WHO)
    other = {"winner": "Luis Paz", "document": "99999999"}
    no = refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE), **other))
    assert (no.code, no.field) == ("winner_differs", "winner")
    assert prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE), **WHO).state == "verified"


@pytest.mark.rule("PP-31")
def test_the_second_verifier_is_asked_for_name_and_document(house: House) -> None:
    night = a_pool(house)
    prize = a_prize(night)
    prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR))
    for given, field in (
        ({"winner": "Ana Rojas"}, "document"),
        ({"document": "4871203 LP"}, "winner"),
        ({}, "winner"),
    ):
        half = refused(
            lambda given=given: prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE), **given)
        )
        assert (half.code, half.field) == ("winner_missing", field)


@pytest.mark.rule("PP-31")
def test_a_step_that_is_not_next_says_what_is(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    early = refused(lambda: pay(night, till, prize))
    assert "lo verifican dos personas antes" in early.say("es")
    checked(night, prize)
    again = refused(lambda: prizes.check_prize(prize=prize, by=night.by(Role.CAGE)))
    assert "lo paga caja" in again.say("es")


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
    # Whole on the form alone: it is the receipt that whoever is paid signs (REC-13).
    assert (said["Cobra"], said["Documento"]) == ("Ana Rojas", paid.document)
    assert paid.document and "•" not in paid.document
    sections = {one.key: list(one.rows()) for one in report.sections(house.casino, {"prize": found})}
    assert [row["amount"] for row in sections["meter"]][:3] == [100_360, 100_360, 100_000]
    signing = ["Persona supervisor", "Persona compliance", "Persona cage", "Ana Rojas"]
    assert [row["name"] for row in sections["signatures"]] == signing
    (copies,) = [
        one.columns for one in report.sections(house.casino, {"prize": found}) if one.key == "copies"
    ]
    assert len(copies) == 3
    for language in ("es-bo", "en"):
        paper = prize_form.paper(found, language)
        assert paper.startswith(b"%PDF-") and paper.count(b"/Type /Page\n") == 1


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
