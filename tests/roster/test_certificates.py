"""Certificates and what runs out: the list of games says which, the paper until when."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, transaction

from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables import crew, queries
from tables.models import Certificate, Staff
from tables.roster import certificates
from tables.roster.proofs import roster_faults
from tables.told_proofs import told_faults
from tests.builders import NIGHT, House

DAY = dt.date(2026, 11, 20)


def certify(
    house: House, staff: Staff, game: str, until: dt.date | None = None, document: str = "ACTA-7"
) -> Certificate:
    return certificates.certify(
        staff=staff,
        game=game,
        since=dt.date(2026, 1, 10),
        until=until,
        certified_by="Escuela de sala",
        document=document,
        by=house.by(Role.ADMINISTRATOR, NIGHT),
    )


def code_of(call: object, *args: object, **given: object) -> str:
    with pytest.raises(SabotError) as caught:
        call(*args, **given)  # type: ignore[operator]
    return caught.value.code


@pytest.mark.rule("FLOOR-02")
def test_a_certificate_puts_its_game_on_the_list(house: House) -> None:
    ana = house.dealers[0]
    assert code_of(crew.require_fit, "blackjack.classic", ana, "dealer", DAY) == "not_qualified"
    made = certify(house, ana, "blackjack.classic")
    crew.require_fit("blackjack.classic", ana, "dealer", DAY)
    ana.refresh_from_db()
    assert "blackjack.classic" in ana.games
    assert (made.certified_by, made.document) == ("Escuela de sala", "ACTA-7")
    staff_faults = [fault for fault in told_faults(house.casino) if fault.where.startswith("staff:")]
    assert [*roster_faults(house.casino), *staff_faults] == []


@pytest.mark.rule("FLOOR-02")
def test_a_certificate_that_ended_takes_the_post_away_and_a_new_one_gives_it_back(house: House) -> None:
    """It holds to the 19th: refused on the 20th, also where people are offered; another one holds."""
    ana, boss = house.dealers[0], house.users[Role.PIT_BOSS]
    certify(house, ana, "baccarat.mini", until=dt.date(2026, 11, 19))
    crew.require_fit("baccarat.mini", ana, "dealer", dt.date(2026, 11, 19))
    assert code_of(crew.require_fit, "baccarat.mini", ana, "dealer", DAY) == "certificate_expired"
    assert ana not in queries.fit_staff(boss, "baccarat.mini", "dealer", DAY)
    left_out = queries.not_offered(boss, "baccarat.mini", ["dealer"], DAY)
    assert [(person, words.en) for person, words in left_out] == [(ana, "certificate expired")]
    crew.require_fit("baccarat.midi", ana, "dealer", DAY)  # listed, without a paper: no end
    certify(house, ana, "baccarat.mini", document="ACTA-8")
    crew.require_fit("baccarat.mini", ana, "dealer", DAY)
    assert ana in queries.fit_staff(boss, "baccarat.mini", "dealer", DAY)


def test_a_certificate_is_refused_without_sense(house: House) -> None:
    ana = house.dealers[0]
    assert code_of(certify, house, ana, "baccarat.mini", until=dt.date(2026, 1, 9)) == "bad_certificate"
    certify(house, ana, "baccarat.mini")
    assert code_of(certify, house, ana, "baccarat.mini") == "certificate_exists"
    with pytest.raises(IntegrityError), transaction.atomic():
        Certificate.objects.update(until=DAY)


@pytest.mark.parametrize(
    ("days", "level"), [(31, None), (30, 30), (16, 30), (15, 15), (1, 15), (0, 0), (-3, 0)]
)
def test_a_licence_is_told_of_a_month_half_a_month_and_no_day_before_its_end(
    house: House, days: int, level: int | None
) -> None:
    lapsing = house.person(licence_expires=DAY + dt.timedelta(days=days))
    found = {one.staff: one for one in certificates.expiring(house.casino, DAY)}
    if level is None:
        assert found == {}
        return
    assert list(found) == [lapsing]
    assert (found[lapsing].level, found[lapsing].days, found[lapsing].over) == (level, days, days < 0)


def test_of_several_certificates_the_one_that_holds_longest_counts(house: House) -> None:
    ana, berta, _ = house.dealers
    certify(house, ana, "baccarat.mini", until=DAY + dt.timedelta(days=5))
    certify(house, ana, "baccarat.mini", until=DAY + dt.timedelta(days=12), document="ACTA-8")
    certify(house, berta, "baccarat.mini", until=DAY + dt.timedelta(days=5))
    certify(house, berta, "baccarat.mini", document="ACTA-9")
    found = certificates.expiring(house.casino, DAY)
    assert [(one.staff, one.game, one.days, one.level) for one in found] == [(ana, "baccarat.mini", 12, 15)]
