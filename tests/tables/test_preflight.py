"""The check before opening: green when all is in order, red for each cause in the words of the refusal."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import pytest

from audits import days
from audits.by import by_system
from audits.incidents import OTHER, report_incident
from casino.kernel import clock
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes.models import Shoe
from tables import checking, duties, floor_settings, openings, people, plans, preflight, settings
from tables.models import GameRules, Table, TableSession
from tables.plan_windows import Limits
from tests.builders import BOB, FLOAT, FOUNDED, NIGHT, House
from tests.shoes.builders import shoe_up_to

LATER = NIGHT + dt.timedelta(minutes=5)


class Asked:
    """A table about to be opened by the choices a test makes."""

    def __init__(self, house: House) -> None:
        self.house, self.table = house, house.table()
        self.shoe: Shoe | None = house.ready_shoe()
        self.dealer, self.supervisor = house.dealers[0], house.supervisors[0]
        self.chips: dict[int, int] = dict(FLOAT)

    @property
    def crew(self) -> preflight.Crew:
        return preflight.Crew(self.dealer, self.supervisor)

    def check(self) -> dict[str, preflight.Check]:
        found = preflight.check(
            self.table, LATER, self.crew, self.shoe, self.chips, self.house.by(Role.SUPERVISOR, LATER)
        )
        return {one.code: one for one in found}

    def open(self) -> TableSession:
        return openings.open_session(
            table=self.table, shoe=self.shoe, chips_counted=self.chips, dealer=self.dealer,
            supervisor=self.supervisor, by=self.house.by(Role.SUPERVISOR, LATER),
        )  # fmt: skip


@pytest.fixture
def asked(house: House) -> Asked:
    return Asked(house)


def reds(found: dict[str, preflight.Check]) -> list[str]:
    return [code for code, one in found.items() if one.red]


@pytest.mark.rule("FLOOR-04", "GEN-04")
def test_all_in_order_is_green_and_opens(asked: Asked) -> None:
    found = asked.check()
    assert [one.level.value for one in found.values()] == ["green"] * len(found)
    assert {"day", "table", "shoe", "crew", "float", "before", "funds", "rules", "limits", "pools"} <= set(
        found
    )
    assert found["pools"].words.es == "no hay pozos configurados"
    assert asked.open().state == "open"


# ---- red: what is wrong, which check says so, and with which code and rule --------------------------


def _already_open(asked: Asked) -> None:
    asked.house.open_table(asked.table, dealer=1, supervisor=1)


def _out_of_service(asked: Asked) -> None:
    table = asked.table
    with clock.standing_at(FOUNDED):
        settings.set_table(
            table=table, name=table.name, pit=table.pit, game=table.game, seats=table.seats,
            detail=table.detail, active=False, by=asked.house.by(Role.ADMINISTRATOR, FOUNDED, "retirada"),
        )  # fmt: skip


def _day_closed(asked: Asked) -> None:
    day = days.day_of(asked.house.casino, LATER)
    GamingDay.objects.filter(pk=day.pk).update(state="closed", closed_at=LATER)


def _unprepared(asked: Asked) -> None:
    by = asked.house.by(Role.PIT_BOSS, NIGHT - dt.timedelta(hours=1))
    asked.shoe = shoe_up_to(asked.house.casino, by, "load", decks=6)


def _wrong_decks(asked: Asked) -> None:
    asked.shoe = asked.house.ready_shoe(decks=8)


def _licence_over(asked: Asked) -> None:
    asked.dealer = asked.house.person(licence_expires=dt.date(2026, 11, 19))


def _not_qualified(asked: Asked) -> None:
    asked.dealer = asked.house.person(games=["baccarat.midi"])


def _no_supervisor(asked: Asked) -> None:
    asked.supervisor = asked.house.dealers[1]


def _busy(asked: Asked) -> None:
    asked.house.open_table(dealer=0, supervisor=1)


def _empty_float(asked: Asked) -> None:
    asked.chips = {25 * BOB: 0}


def _unknown_chip(asked: Asked) -> None:
    asked.chips = {**FLOAT, 30 * BOB: 1}


def _no_funds(asked: Asked) -> None:
    """The house keeps its funds here, has none, and must keep some (FLOOR-15)."""
    by = asked.house.by(Role.ADMINISTRATOR, NIGHT, "fondos")
    floor_settings.set_floor(figures={"min_funds": 1_000_000 * BOB}, by=by)


def _outside_plan(asked: Asked) -> None:
    """Plan: 50 to 500. The table plays 25 to 1.000, published before there was a plan."""
    pair = (50 * BOB, 500 * BOB)
    with clock.standing_at(NIGHT):
        plans.publish_plan(
            table=asked.table, windows=[], otherwise=Limits(5 * BOB, dict.fromkeys(("punto", "banca"), pair)),
            by=asked.house.by(Role.PIT_BOSS, NIGHT, "plan de noche"),
        )  # fmt: skip


def _unconfirmed(asked: Asked) -> None:
    """A version from before the book asked for a name (GEN-05): none can be published now."""
    last = GameRules.objects.get(game=asked.table.game)
    GameRules.objects.bulk_create(
        [
            GameRules(
                casino=last.casino,
                game=last.game,
                version=last.version + 1,
                params=last.params,
                effective_from=NIGHT,
                betting_plan="PA-1",
                reason="heredada",
                published_by=last.published_by,
            )
        ]
    )  # fmt: skip


CAUSES: list[tuple[Callable[[Asked], None], str, str, str]] = [
    (_already_open, "table", "session_open", "FLOOR-10"),
    (_out_of_service, "table", "table_out_of_service", ""),
    (_day_closed, "day", "day_closed", "REC-07"),
    (_unprepared, "shoe", "shoe_not_ready", "CARD-29"),
    (_wrong_decks, "limits", "decks_differ", ""),
    (_licence_over, "crew", "licence_expired", ""),
    (_not_qualified, "crew", "not_qualified", "FLOOR-02"),
    (_no_supervisor, "crew", "not_a_supervisor", "FLOOR-02"),
    (_busy, "crew", "staff_busy", "FLOOR-01"),
    (_empty_float, "float", "empty_float", "FLOOR-04"),
    (_unknown_chip, "float", "unknown_denomination", "FLOOR-04"),
    (_outside_plan, "limits", "outside_plan", "GEN-04"),
    (_unconfirmed, "rules", "unconfirmed_figures", "GEN-05"),
]


@pytest.mark.rule("FLOOR-04", "FLOOR-02", "GEN-04", "GEN-05", "REC-08")
@pytest.mark.parametrize(
    ("cause", "code", "refusal", "rule"), CAUSES, ids=[c[0].__name__[1:] for c in CAUSES]
)
def test_red_blocks_in_the_words_of_the_act(
    asked: Asked, cause: Callable[[Asked], None], code: str, refusal: str, rule: str
) -> None:
    cause(asked)
    asked.table.refresh_from_db()
    sessions = TableSession.objects.filter(table=asked.table).count()
    found = asked.check()
    assert code in reds(found), {one.code: one.words.es for one in found.values()}
    with pytest.raises(SabotError) as caught:
        asked.open()
    assert caught.value.code == refusal
    assert (found[code].words, found[code].rule) == (caught.value.message, caught.value.rule)
    if rule:
        assert caught.value.rule == rule
    assert TableSession.objects.filter(table=asked.table).count() == sessions


@pytest.mark.rule("GEN-03", "GEN-04")
@pytest.mark.parametrize(
    ("code", "refusal", "rule"), [("rules", "no_rules", "GEN-03"), ("limits", "no_limits", "GEN-04")]
)
def test_a_table_without_rules_or_limits_is_red(house: House, code: str, refusal: str, rule: str) -> None:
    asked = Asked(house)
    at = FOUNDED - dt.timedelta(days=1) if code == "rules" else LATER
    if code == "limits":
        with clock.standing_at(FOUNDED):
            by = house.by(Role.ADMINISTRATOR, FOUNDED, "mesa nueva")
            asked.table = settings.set_table(
                name="NU-01", pit=asked.table.pit, game=asked.table.game, seats=7, detail="cards", by=by
            )
    found = {one.code: one for one in preflight.check(asked.table, at)}
    why = found[code].refusal
    assert why is not None and why.code == refusal
    assert found[code].rule == rule


@pytest.mark.rule("FLOOR-02")
def test_before_anything_is_chosen_it_says_what_there_is_to_choose_from(house: House) -> None:
    table = house.table()
    found = {one.code: one for one in preflight.check(table, LATER)}
    assert reds(found) == ["shoe"] and found["shoe"].rule == "CARD-37"
    assert found["float"].level == "amber"  # nobody counted yet
    house.ready_shoe()
    found = {one.code: one for one in preflight.check(table, LATER)}
    assert reds(found) == []
    for person in house.dealers:
        people.set_staff(
            staff=person, number=person.number, name=person.name, licence=person.licence,
            licence_expires=dt.date(2026, 11, 1), games=person.games,
            by=house.by(Role.ADMINISTRATOR, NIGHT, "licencia vencida"),
        )  # fmt: skip
    for chief in house.supervisors:
        people.set_staff(
            staff=chief, number=chief.number, name=chief.name, licence=chief.licence, supervises=True,
            licence_expires=chief.licence_expires, games=[],
            by=house.by(Role.ADMINISTRATOR, NIGHT, "sólo jefa"),
        )  # fmt: skip
    found = {one.code: one for one in preflight.check(table, LATER)}
    assert found["crew"].red and found["crew"].rule == "FLOOR-02"


@pytest.mark.rule("GEN-08", "REC-08")
def test_what_warns_forbids_nothing(asked: Asked) -> None:
    house = asked.house
    first = house.open_table(asked.table, dealer=1, supervisor=1, at=NIGHT - dt.timedelta(hours=26))
    house.close(first, FLOAT, at=NIGHT - dt.timedelta(hours=25))
    report_incident(
        kind=OTHER, summary="discusión", table_label=asked.table.name, freezes=True,
        by=house.by(Role.PIT_BOSS, NIGHT),
    )  # fmt: skip
    found = asked.check()
    assert reds(found) == []
    assert {code: one.rule for code, one in found.items() if one.level == "amber"} == {
        "day": "REC-08",  # the day before waits for its drop
        "incidents": "GEN-08",  # it opens stopped
        "before": "REC-08",
    }
    assert asked.open().frozen_by_id is not None


def test_a_game_with_cards_is_not_opened_without_a_shoe(asked: Asked) -> None:
    asked.shoe = None
    with pytest.raises(SabotError) as caught:
        asked.open()
    assert caught.value.code == "no_shoe"


@pytest.fixture
def own_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_registered", [])


def test_a_room_above_adds_its_own_check_and_blocks(asked: Asked, own_checks: None) -> None:
    no_pool = Conflict(
        Text("el pozo no está aprobado: apruébelo", "the pool is not approved: approve it"), code="pool_waits"
    )
    title = Text("Pozos", "Pools")

    def pools(opening: preflight.Opening) -> Iterator[preflight.Check]:
        yield preflight.red("pools", title, no_pool)

    pools.pools = True  # type: ignore[attr-defined]
    preflight.register_check(pools)
    found = asked.check()
    assert found["pools"].words == no_pool.message
    with pytest.raises(Conflict) as caught:
        asked.open()
    assert caught.value.code == "pool_waits"


@pytest.mark.rule("GEN-04")
def test_a_prepared_table_begins_only_on_terms_that_still_hold(asked: Asked) -> None:
    session = openings.prepare_table(
        table=asked.table, shoe=asked.shoe, chips_counted=FLOAT, dealer=asked.dealer,
        supervisor=asked.supervisor, by=asked.house.by(Role.SUPERVISOR, LATER),
    )  # fmt: skip
    _outside_plan(asked)
    with pytest.raises(SabotError) as caught:
        openings.begin_play(session=session, by=asked.house.by(Role.SUPERVISOR, LATER))
    assert (caught.value.code, caught.value.rule) == ("outside_plan", "GEN-04")


@pytest.mark.rule("REC-08")
def test_days_closed_by_the_job_are_told_by_the_check_that_reads_nothing_twice(house: House) -> None:
    table: Table = house.table()
    day = days.day_of(house.casino, NIGHT)
    days.close_day(day=day, by=by_system(house.casino, "nightly-close"))
    found = {one.code: one for one in preflight.check(table, NIGHT)}
    assert found["day"].red and GamingDay.objects.count() == 1


@pytest.mark.rule("FLOOR-01")
def test_a_post_held_after_the_stated_time_is_in_the_way_too(asked: Asked) -> None:
    """The other table closed since; the opening is stated for when it was still open."""
    house = asked.house
    other = house.open_table(dealer=0, supervisor=1)
    house.close(other, FLOAT, at=LATER + dt.timedelta(minutes=5))
    assert asked.check()["crew"].refusal is not None
    with pytest.raises(SabotError) as caught:
        asked.open()
    assert (caught.value.code, caught.value.message) == ("staff_busy", asked.check()["crew"].words)


def test_a_chief_of_other_pits_is_told_before_opening(asked: Asked) -> None:
    house = asked.house
    elsewhere = house.table().pit
    by = house.by(Role.ADMINISTRATOR, NIGHT, "reparto de sectores")
    duties.set_duties(user=house.users[Role.SUPERVISOR], pits=[elsewhere], by=by)
    found = asked.check()["table"]
    with pytest.raises(SabotError) as caught:
        asked.open()
    assert (found.level, found.words) == ("red", caught.value.message)
    assert caught.value.code == "not_your_pit"
