"""Nights to plan, for the tests of rotation: small ones by hand, and at random."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from tables.roster.rotation import Credit, Draft, Person, Post, Problem, Rules, Standing, places

EIGHT = dt.datetime(2026, 6, 10, 20, 0, tzinfo=dt.UTC)
BLACK_JACK, BACCARAT, TRENTE = "blackjack.classic", "baccarat.punto_banca", "trente.classic"


def times(count: int, minutes: int, start: dt.datetime = EIGHT) -> tuple[dt.datetime, ...]:
    return tuple(start + dt.timedelta(minutes=minutes * at) for at in range(count))


def someone(name: str, slots: int, *games: str, **more: Any) -> Person:
    return Person(name, name, frozenset(games or (BLACK_JACK,)), more.pop("present", ((0, slots),)), **more)


def a_table(name: str, slots: int, game: str = BLACK_JACK, post: str = "dealer", **more: Any) -> Post:
    return Post(name, game, post, more.pop("open", ((0, slots),)), **more)


def night(
    people: str | Sequence[Person],
    tables: Sequence[Post] | int,
    slots: int = 4,
    minutes: int = 20,
    **more: Any,
) -> Problem:
    """People by their initials, or as they are; tables T1, T2 … of Black Jack, or as they are."""
    those = [someone(name, slots) for name in people.split()] if isinstance(people, str) else people
    posts = [a_table(f"T{at + 1}", slots) for at in range(tables)] if isinstance(tables, int) else tables
    rules = Rules(minutes, **more.pop("rules", {}))
    return Problem(times(slots, minutes), tuple(those), tuple(posts), rules, **more)


def seated(problem: Problem, rows: Mapping[str, str]) -> Draft:
    """A draft by hand: each one's slots as numbers of posts, `.` off the felt: `{"A": "00.1"}`."""
    seats = {
        (slot, int(post)): person
        for person, row in rows.items()
        for slot, post in enumerate(row)
        if post != "."
    }
    return Draft(problem, seats, "by hand")


def big(seed: int, people: int = 40, slots: int = 24, minutes: int = 30) -> Problem:
    """A whole house: 26 posts at 18 tables of 8 games, people of 3 to 6, some there for a part of it."""
    chance = random.Random(seed)
    games = [BACCARAT, BLACK_JACK, TRENTE, *(f"game.{name}" for name in "abcde")]
    crews = {
        BACCARAT: {"caller": 1, "payer": 2, "supervisor": 1},
        TRENTE: {"main_dealer": 1, "support_dealer": 2},
    }
    posts: list[Post] = []
    for at in range(18):
        game = games[at % len(games)]
        posts += places(f"T{at:02}", game, crews.get(game, {"dealer": 1}), [(0, slots)], "AB"[at % 2])
    staff = []
    for at in range(people):
        first = 0 if chance.random() < 0.8 else chance.randint(1, 6)
        last = slots if chance.random() < 0.8 else slots - chance.randint(1, 6)
        fit = frozenset(chance.sample(games, chance.randint(3, 6)))
        ends = None if chance.random() < 0.9 else slots * 3 // 4
        staff.append(Person(f"p{at:02}", f"Persona {at}", fit, ((first, last),), ends))
    credits = {person.id: Credit(chance.randint(-120, 120)) for person in staff}
    return Problem(times(slots, minutes), tuple(staff), tuple(posts[:26]), Rules(minutes), credits=credits)


@st.composite
def small_nights(draw: st.DrawFn, people: int = 4, posts: int = 3, slots: int = 6) -> Problem:
    """Small nights with everything in them: slots of any length, gaps, licences, turns carried over, pits."""
    minutes = draw(st.sampled_from([10, 15, 20, 30]))
    count = draw(st.integers(2, slots))
    games = [BLACK_JACK, BACCARAT]
    staff = [
        Person(
            f"p{at}",
            f"Persona {at}",
            draw(st.frozensets(st.sampled_from(games), min_size=1)),
            draw(ranges(count)),
            draw(st.none() | st.integers(0, count)),
        )
        for at in range(draw(st.integers(1, people)))
    ]
    tables = [
        Post(f"T{at % 2}", games[at % 2], ("dealer", "payer")[at // 2], draw(ranges(count)), pit="AB"[at % 2])
        for at in range(draw(st.integers(1, posts)))
    ]
    rules = Rules(
        minutes,
        draw(st.sampled_from([30, 40, 60])),
        draw(st.sampled_from([10, 20, 25])),
        draw(st.sampled_from([None, 40, 60, 90])),
        draw(st.sampled_from([None, 20, 40])),
    )
    before = {person.id: draw(standings(rules)) for person in staff if draw(st.booleans())}
    credits = {person.id: Credit(draw(st.integers(-60, 60))) for person in staff if draw(st.booleans())}
    return Problem(
        times(count, minutes), tuple(staff), tuple(tables), rules, worked_before=before, credits=credits
    )


@st.composite
def ranges(draw: st.DrawFn, count: int) -> tuple[tuple[int, int], ...]:
    """The slots of a night or part of them, in one piece or two."""
    if draw(st.booleans()):
        return ((0, count),)
    cuts = sorted(draw(st.sets(st.integers(0, count), min_size=2, max_size=4)))
    return tuple(zip(cuts[::2], cuts[1::2], strict=False))


@st.composite
def standings(draw: st.DrawFn, rules: Rules) -> Standing:
    minutes = draw(st.integers(1, rules.max_minutes_on_table))
    longest = rules.max_minutes_same_table or 90
    return Standing(
        minutes,
        draw(st.sampled_from(["T0", "T1"])),
        draw(st.integers(min(minutes, longest), longest)),
        draw(st.sampled_from([0, 0, rules.min_break_minutes - 5])),
    )
