"""What tables of other games than Punto y Banca have of their own: crew, no cards, what is handed on."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection

from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from tables import closings, crew, openings, replay, rounds, sessions
from tables.games import registry
from tables.games.base import Detail
from tables.models import Assignment, Round, TableSession
from tests.builders import BOB, FLOAT, NIGHT, House
from tests.tables import every_game
from tests.tables.refusing import refused

MINUTE = dt.timedelta(minutes=1)


def roulette(house: House, **rules: Any) -> TableSession:
    game = registry.game("roulette.single_zero")
    return every_game.open_session(
        house, every_game.a_table(house, game, Detail.FULL, rules or None), game, []
    )


def faults(session: TableSession) -> list[Any]:
    settled = Round.objects.filter(session=session, settlement__isnull=False).select_related(
        "session__table", "session__day", "session__casino"
    )
    return [*trail_faults(session.casino), *ledger_faults(session.casino), *replay.differences(settled)]


# ---- crew -------------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-02")
@pytest.mark.parametrize(
    ("game", "dealing", "helping"),
    [
        ("baccarat.punto_banca", "caller", "payer"),
        ("baccarat.midi", "dealer", ""),
        ("baccarat.banked", "caller", "support_dealer"),
        ("blackjack.classic", "dealer", ""),
        ("trente.classic", "main_dealer", "support_dealer"),
        ("poker.texas", "dealer", ""),
        ("roulette.single_zero", "dealer", ""),
        ("siete.medio", "scorer", ""),
    ],
)
def test_each_game_has_the_posts_of_the_catalogue(game: str, dealing: str, helping: str) -> None:
    assert (crew.dealing_post(game), crew.helping_post(game)) == (dealing, helping)
    assert set(crew.wanted(game)) <= set(crew.posts(game))


@pytest.mark.rule("FLOOR-01", "FLOOR-02")
def test_trente_has_a_main_dealer_and_two_who_support(house: House) -> None:
    game = registry.game("trente.classic")
    pack = every_game.shuffled(game, every_game.seeded(3))
    session = every_game.open_session(house, every_game.a_table(house, game), game, pack)
    held = Assignment.objects.filter(session=session).order_by("post").values_list("post", flat=True)
    assert list(held) == ["main_dealer", "supervisor", "support_dealer", "support_dealer"]
    assert crew.missing(game.code, list(held)) == []
    relief = house.person(games=[game.code])
    by = house.by(Role.SUPERVISOR, NIGHT + MINUTE)
    with refused("no_such_post", "FLOOR-02"):
        sessions.relieve(session=session, staff=relief, post="dealer", by=by)
    sessions.relieve(session=session, staff=relief, post="support_dealer", by=by)
    now = Assignment.objects.filter(session=session, during__endswith=None, post="support_dealer")
    assert now.count() == 2 and relief.pk in now.values_list("staff", flat=True)
    other = house.person(games=[game.code])
    later = house.by(Role.SUPERVISOR, NIGHT + 2 * MINUTE)
    sessions.relieve(session=session, staff=other, post="main_dealer", by=later)
    assert faults(session) == []


# ---- a game without cards ---------------------------------------------------------------------------


def test_a_table_without_cards_opens_without_a_shoe_and_closes(house: House) -> None:
    session = roulette(house)
    assert session.shoe_id is None
    bet = {"e": "bet", "seat": 1, "spot": "red", "amount": 10 * BOB}
    spot = next(spot for spot in registry.game(session.game).layout)
    house.log(session, [{**bet, "spot": spot}, {"e": "close"}, {"e": "spin", "number": 36}], number=1)
    session.refresh_from_db()
    assert (session.rounds_settled, session.staked) == (1, 10 * BOB)
    assert faults(session) == []
    staff = [held.staff for held in Assignment.objects.filter(session=session).select_related("staff")]
    closed = closings.close_session(
        session=session, chips_counted=FLOAT, counted_by=staff[0], witnessed_by=staff[1],
        by=house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(hours=5)),
    )  # fmt: skip
    assert closed.state == "closed" and faults(session) == []


def test_a_shoe_is_wanted_where_there_are_cards_and_nowhere_else(house: House) -> None:
    shoe = house.ready_shoe()
    session = roulette(house)
    with refused("no_cards"):
        sessions.load_shoe(session=session, shoe=shoe, by=house.by(Role.SUPERVISOR))
    with refused("no_shoe"):
        sessions.see_stop_card(session=session, by=house.by(Role.PIT_BOSS))
    opening: dict[str, Any] = {
        "chips_counted": FLOAT, "dealer": house.dealers[0], "supervisor": house.supervisors[0],
        "by": house.by(Role.SUPERVISOR),
    }  # fmt: skip
    with refused("no_shoe", "CARD-38"):
        openings.open_session(table=house.table(), shoe=None, **opening)
    wheel = every_game.a_table(house, registry.game("roulette.single_zero"))
    with refused("no_cards"):
        openings.open_session(table=wheel, shoe=shoe, **opening)


@pytest.mark.rule("CARD-06")
def test_the_pack_has_the_decks_the_rules_are_for(house: House) -> None:
    """An edge counted for 6 decks says nothing of 8 (GEN-06)."""
    eight = house.ready_shoe(decks=8)
    with refused("decks_differ", "CARD-06"):
        house.open_table(shoe=eight)
    session = house.open_table()
    with refused("decks_differ", "CARD-06"):
        sessions.load_shoe(session=session, shoe=eight, by=house.by(Role.SUPERVISOR))
    session.refresh_from_db()
    assert session.shoe is not None and session.shoe.decks_wanted == 6


# ---- what a round hands on --------------------------------------------------------------------------


def imprisoned(house: House) -> TableSession:
    """A roulette table where a stake on an even chance went to prison by the zero."""
    session = roulette(house, zero_policy="prison")
    bet = {"e": "bet", "seat": 2, "spot": EVEN_CHANCE, "amount": 20 * BOB}
    house.log(session, [bet, {"e": "close"}, {"e": "spin", "number": 0}], number=1)
    return session


EVEN_CHANCE = "red"


@pytest.mark.rule("RUL-07")
def test_the_next_round_begins_with_what_the_last_hands_on(house: House) -> None:
    session = imprisoned(house)
    first = Round.objects.get(session=session, number=1)
    assert [event["e"] for event in first.settlement["carry"]] == ["prison"]
    # 27 is red: what was in prison is free.
    house.log(session, [{"e": "close"}, {"e": "spin", "number": 27}], number=2)
    second = Round.objects.get(session=session, number=2)
    assert [event["e"] for event in second.log] == ["prison", "close", "spin"]
    assert "carry" not in second.settlement
    assert (second.staked, second.returned) == (20 * BOB, 20 * BOB)
    assert faults(session) == []


@pytest.mark.rule("RUL-07")
def test_it_begins_so_step_by_step_too_and_outlives_a_round_given_up(house: House) -> None:
    session = imprisoned(house)
    by = house.by(Role.PIT_BOSS, reason="se cayó la bola")
    opened = rounds.play(session=session, number=2, step=0, events=[{"e": "close"}], by=by)
    assert [event["e"] for event in opened.log] == ["prison", "close"]
    rounds.abandon(session=session, number=2, step=2, by=by)
    opened = rounds.play(session=session, number=3, step=0, events=[{"e": "close"}], by=by)
    assert [event["e"] for event in opened.log] == ["prison", "close"]
    rounds.play(session=session, number=3, step=2, events=[{"e": "spin", "number": 27}], by=by)
    rounds.settle(session=session, number=3, step=3, by=by)
    assert faults(session) == []


@pytest.mark.rule("RUL-07", "REC-07")
def test_nobody_logs_it_by_hand_and_the_table_waits_for_it(house: House) -> None:
    session = imprisoned(house)
    prison = {"e": "prison", "seat": 2, "spot": EVEN_CHANCE, "amount": 20 * BOB}
    with refused("carried_event"):
        house.log(session, [prison, {"e": "close"}, {"e": "spin", "number": 27}], number=2)
    with refused("carry_pending"):
        house.close(session, FLOAT)
    first = Round.objects.get(session=session, number=1)
    house.log(session, [{"e": "close"}, {"e": "spin", "number": 27}], number=2)
    approver = house.users[Role.SUPERVISOR].actor
    by = house.by(Role.PIT_BOSS, reason="mal anotado")
    with refused("carried_on", "REC-07"):
        rounds.void(round=first, approved_by=approver, cards_came_out=True, by=by)
    second = Round.objects.get(session=session, number=2)
    rounds.void(round=second, approved_by=approver, cards_came_out=True, by=by)
    # The last settled round is the first again, and the next begins as the second did.
    third = house.log(session, [{"e": "close"}, {"e": "spin", "number": 27}], number=3)
    assert third.log[0]["e"] == "prison"
    assert faults(session) == []


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables_round SET settlement = settlement - 'carry' WHERE number = 1",
        "UPDATE tables_round SET settlement = jsonb_set(settlement, '{carry,0,seat}', '1') WHERE number = 1",
        "UPDATE tables_round SET log = jsonb_set(log, '{0,amount}', '1000') WHERE number = 2",
    ],
)
def test_what_is_handed_on_is_proved(house: House, statement: str) -> None:
    session = imprisoned(house)
    house.log(session, [{"e": "close"}, {"e": "spin", "number": 27}], number=2)
    assert faults(session) == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert any("handed_on" in fault.words.es for fault in trail_faults(session.casino))
    assert list(replay.differences(Round.objects.filter(session=session)))


# ---- covered cards ----------------------------------------------------------------------------------


@pytest.mark.rule("CARD-42")
def test_a_hole_card_is_seen_once_it_is_turned(house: House) -> None:
    """Black Jack with a hole card: the shoe counts it when it comes, knows it when it is shown."""
    game = registry.game("blackjack.online")
    session = _hole_card_table(house)
    by = house.by(Role.PIT_BOSS)
    state, step, turned = None, 0, False
    pack = iter(["9c", "8d", "Th", "7s", "6c", "5d", "4h", "3s", "2c"])
    for event in _to_the_first_choice(game, session, pack):
        state = rounds.play(session=session, number=1, step=step, events=[event], by=by)
        step = len(state.log)
        turned = turned or event["e"] == "show"
    assert state is not None and not turned
    shoe = session.shoe
    assert shoe is not None
    shoe.refresh_from_db()
    dealt = [event["card"] for event in state.log if event["e"] == "card"]
    assert dealt.count("??") == 1
    assert (shoe.dealt, sum(shoe.seen.values()), shoe.count_complete) == (len(dealt), len(dealt) - 1, True)
    assert faults(session) == []


def _hole_card_table(house: House) -> TableSession:
    game = registry.game("blackjack.online")
    pack = every_game.shuffled(game, every_game.seeded(1))
    table = every_game.a_table(house, game, rules={"hole_card": "american", "surrender": "off"})
    return every_game.open_session(house, table, game, pack)


def _to_the_first_choice(game: Any, session: TableSession, pack: Any) -> list[dict[str, Any]]:
    """The seat bets; cards come until somebody has to decide, the dealer's second one covered."""
    from tables import inforce

    current, _ = inforce.for_new_round(session, NIGHT, session.detail)
    state = game.open(current.rules, current.terms)
    bet = {"e": "bet", "seat": 1, "spot": "main", "amount": 10 * BOB}
    events: list[dict[str, Any]] = [bet, {"e": "close"}]
    for event in events:
        state = game.play(state, event)
    while (prompt := game.prompts(state)[0]).kind == "card":
        offered = [dict(event) for event in prompt.events]
        covered = [event for event in offered if event.get("card") == "??"]
        event = covered[0] if covered else {**offered[0], "card": next(pack)}
        state = game.play(state, event)
        events.append(event)
    return events


# ---- how long a round may be ------------------------------------------------------------------------


def test_a_full_cloth_is_a_round(house: House) -> None:
    """14 players with a chip on every spot: 14 x 161 = 2,254 bets, the close and the ball."""
    game = registry.game("roulette.single_zero")
    table = every_game.a_table(house, game, Detail.FULL, {"seats": 14})
    session = every_game.open_session(house, table, game, [])
    bets = [
        {"e": "bet", "seat": seat, "spot": spot, "amount": 10 * BOB}
        for seat in range(1, 15)
        for spot in game.layout
    ]
    assert len(bets) == 2_254
    by = house.by(Role.PIT_BOSS)
    opened = rounds.play(session=session, number=1, step=0, events=bets[:-1], by=by)
    last = [bets[-1], {"e": "close"}, {"e": "spin", "number": 7}]
    opened = rounds.play(session=session, number=1, step=len(opened.log), events=last, by=by)
    settled = rounds.settle(session=session, number=1, step=len(opened.log), by=by)
    assert settled.staked == 2_254 * 10 * BOB
    assert faults(session) == []


@pytest.mark.rule("CARD-20")
@pytest.mark.parametrize("code", ["poker.draw", "poker.texas", "siete.medio"])
def test_a_pack_without_a_stop_card_shows_none(house: House, code: str) -> None:
    """One press would otherwise end a pack that is shuffled anew for every round."""
    game = registry.game(code)
    pack = every_game.shuffled(game, every_game.seeded(1))
    session = every_game.open_session(house, every_game.a_table(house, game), game, pack)
    with refused("no_stop_card"):
        sessions.see_stop_card(session=session, by=house.by(Role.PIT_BOSS))
    session.refresh_from_db()
    assert session.shoe is not None
    assert not session.shoe.stop_reached
