"""The yardstick runs, leaves nothing behind, and the write it measures stays short."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from casino.kernel.permissions import Role
from tables import rounds
from tables.bench import floor, games
from tables.games import registry
from tables.games.base import Detail, Game, Terms
from tests.builders import NATURAL, House, a_house, bets


@pytest.fixture
def house(db: None) -> House:
    return a_house()


def test_a_round_is_two_statements(house: House, django_assert_num_queries: Any) -> None:
    session = house.open_table(detail="full")
    by = house.by(Role.PIT_BOSS)
    events = [*bets((1, "punto", 100), (2, "banca", 50)), *NATURAL]
    # the savepoint of the command within the test's transaction, and its release, are two more
    with django_assert_num_queries(4):
        rounds.log(session=session, number=1, events=events, by=by)


def test_the_rounds_measured_are_full_and_legal() -> None:
    game = registry.game(floor.GAME)
    limits = dict.fromkeys(floor.STAKES, (floor.CHIP, 1000000))
    terms = Terms(floor.SEATS, Detail.FULL, floor.CHIP, limits)
    logs = floor.whole_rounds(seed=3)
    assert len(logs) > 20
    for log in logs:
        state = game.play_all(game.open(game.default_rules(), terms), log)
        assert state.complete
        assert len(game.settle(state).payouts) == 14
        assert sum(event["e"] == "card" for event in log) in (5, 6)
    # one pack: no card more often than there are decks
    seen = [event["card"] for log in logs for event in log if event["e"] == "card"]
    assert max(seen.count(card) for card in set(seen)) <= game.default_rules().decks


@pytest.mark.parametrize("game", registry.GAMES.values(), ids=lambda game: game.code)
def test_the_rounds_measured_of_each_game_have_every_seat_in(game: Game) -> None:
    start = games.opened(game)
    for log in games.sample(game, seed=3, rounds=3):
        state = game.play_all(start, log)
        assert state.complete
        seats = {bet.seat for bet in game.settle(state).payouts}
        # A player-held bank takes no bet it cannot cover: then somebody stays out.
        joined = {event["seat"] for event in log if event["e"] in ("bet", "chips", "bank")}
        assert seats and seats <= set(range(1, start.terms.seats + 1))
        assert len(joined) >= start.terms.seats * 2 // 3


def test_the_command_measures_and_leaves_no_database_behind(db: None) -> None:
    known = connection.get_connection_params()
    database = settings.DATABASES["default"]["NAME"]
    if database.startswith("test_"):
        database = os.environ["DATABASE_URL"].rpartition("/")[2].partition("?")[0]
    done = subprocess.run(
        [sys.executable, "manage.py", "bench", "--quick"],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    # a row for one client and one for two: rates, times and a ratio on each
    rows = re.findall(r"^([12]) +(\d+) +(\d+\.\d\d) +(\d+) +(\d+)%", done.stdout, re.MULTILINE)
    assert [row[0] for row in rows] == ["1", "2"]
    assert all(float(figure) > 0 for row in rows for figure in row)
    assert re.search(r"^play and settle +[\d,]+$", done.stdout, re.MULTILINE)
    assert "rules of the game" in done.stdout
    # a row for every game: settled, played too, JSON and their ratio; and the showdown beside phevaluator's
    for code in registry.GAMES:
        row = rf"^{re.escape(code)} +[\d,]+ +[\d,]+ +[\d,]+ +\d+%"
        assert re.search(row, done.stdout, re.MULTILINE), code
    assert re.search(r"^Showdown of 9 players with seven cards each: [\d,]+/s$", done.stdout, re.MULTILINE)
    assert re.search(r"^phevaluator from the same cards: [\d,]+/s; ratio \d+%$", done.stdout, re.MULTILINE)
    assert re.search(r"^phevaluator raw, .*: [\d,]+/s; ratio \d+%$", done.stdout, re.MULTILINE)
    place = {key: known[key] for key in ("host", "port", "user", "password") if known.get(key)}
    with psycopg.connect(dbname="postgres", **place) as server:
        left = server.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{database}_bench_%"]
        )
        assert left.fetchall() == []
