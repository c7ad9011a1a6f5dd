"""What a rotation is planned from: people, posts, slots of time, rules. Plain values.

Slots are numbered from 0 and all equally long; a range of slots is half-open, `(first, after_last)`.
Posts are places for one person: a game with two payers has two posts, `place` 1 and 2. Supervisors
do not rotate and are not planned here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text, same

Range = tuple[int, int]
"""Slots from the first to before the second."""

DEALING = frozenset({"caller", "dealer", "main_dealer", "scorer"})
"""The posts without which a table does not play: covered before those that help (FLOOR-02)."""
HELPING = frozenset({"payer", "support_dealer"})


@dataclass(frozen=True, slots=True)
class Person:
    """A croupier: the games they are qualified for, the slots in which they are there, their licence."""

    id: str
    name: str
    games: frozenset[str]
    present: tuple[Range, ...]
    licensed_until: int | None = None
    """The first slot in which the licence no longer holds; None: it holds to the end."""

    def there(self, slot: int) -> bool:
        return any(first <= slot < last for first, last in self.present)

    def licensed(self, slot: int) -> bool:
        return self.licensed_until is None or slot < self.licensed_until


@dataclass(frozen=True, slots=True)
class Post:
    """One place for one person at a table, and the slots in which somebody is wanted there."""

    table: str
    game: str
    post: str
    open: tuple[Range, ...]
    place: int = 1
    pit: str = ""

    @property
    def key(self) -> str:
        """The post as a stored plan names it: `table/post/place`."""
        return f"{self.table}/{self.post}/{self.place}"

    @property
    def deals(self) -> bool:
        return self.post in DEALING

    def wanted(self, slot: int) -> bool:
        return any(first <= slot < last for first, last in self.open)


def places(
    table: str, game: str, staff: Mapping[str, int], slots: Sequence[Range], pit: str = ""
) -> list[Post]:
    """The posts of a table from its game's crew (`games.toml` staff, post to count); supervisors left out."""
    return [
        Post(table, game, post, tuple(slots), place, pit)
        for post, count in staff.items()
        if post in DEALING | HELPING
        for place in range(1, count + 1)
    ]


@dataclass(frozen=True, slots=True)
class Rules:
    """The hard rules in minutes, and the house's custom.

    A stay at a table (SHI-013: another table at least every three hours) goes on through short breaks;
    it ends when the person works at another table, is not there, or was off the felt for
    `rest_ends_stay`. None in that place: only another table or absence ends it.
    """

    slot_minutes: int = 30
    max_minutes_on_table: int = 60
    """In a row without a break (FLOOR-03)."""
    min_break_minutes: int = 20
    """Away for less is no break: the turn before goes on (FLOOR-03)."""
    max_minutes_same_table: int | None = 180
    """From the first to the last minute of a stay; None: no ceiling."""
    rest_ends_stay: int | None = 60
    relief_rests_first: bool = True


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody carries into the first slot, in minutes.

    `minutes` worked in a row without a break, `rested` since they last worked (less than a break, else
    `minutes` is 0), `table` where they last worked and how long that stay is (`at_table`, rests within it).
    """

    minutes: int = 0
    table: str = ""
    at_table: int = 0
    rested: int = 0


@dataclass(frozen=True, slots=True)
class Credit:
    """Minutes somebody worked above (+) or below (-) their share so far, in all and by pit."""

    minutes: int = 0
    pits: Mapping[str, int] = field(default_factory=dict)


FRESH = Standing()
EVEN = Credit()


@dataclass(frozen=True)
class Problem:
    """One night to plan. `slots` are aware instants of equal distance; they are kept as UTC.

    `pinned` holds (slot, number of the post in `posts`) -> id of the person who must stand there.
    `names` gives the games' names for the reasons, `zone` the wall clock they speak of.
    Raises `Refused` where the values do not fit together, naming the field.
    """

    slots: tuple[dt.datetime, ...]
    people: tuple[Person, ...]
    posts: tuple[Post, ...]
    rules: Rules = Rules()
    pinned: Mapping[tuple[int, int], str] = field(default_factory=dict)
    worked_before: Mapping[str, Standing] = field(default_factory=dict)
    credits: Mapping[str, Credit] = field(default_factory=dict)
    names: Mapping[str, Text] = field(default_factory=dict)
    zone: dt.tzinfo = dt.UTC

    def __post_init__(self) -> None:
        _check_rules(self.rules)
        object.__setattr__(self, "slots", _in_utc(self.slots, self.rules.slot_minutes))
        _check_people(self)
        _check_posts(self)
        _check_pins(self)

    @cached_property
    def person(self) -> dict[str, Person]:
        """Everyone by id."""
        return {person.id: person for person in self.people}

    @cached_property
    def order(self) -> dict[str, int]:
        """Everyone's place in the list: how ties are broken, so that plans are repeatable."""
        return {person.id: at for at, person in enumerate(self.people)}

    @cached_property
    def allowed(self) -> frozenset[tuple[int, int]]:
        """(number of the person, number of the post) where the person is qualified for the game."""
        return frozenset(
            (p, k)
            for p, person in enumerate(self.people)
            for k, post in enumerate(self.posts)
            if post.game in person.games
        )

    def standing(self, person: str) -> Standing:
        return self.worked_before.get(person, FRESH)

    def credit(self, person: str) -> Credit:
        return self.credits.get(person, EVEN)

    def available(self, person: Person, slot: int) -> bool:
        """There and licensed in that slot."""
        return person.there(slot) and person.licensed(slot)

    def wanted(self) -> Iterator[tuple[int, int]]:
        """Every (slot, number of the post) in which somebody is wanted."""
        for slot in range(len(self.slots)):
            for k, post in enumerate(self.posts):
                if post.wanted(slot):
                    yield slot, k

    def game(self, code: str) -> Text:
        return self.names.get(code, same(code))

    def hour(self, slot: int) -> str:
        """The wall clock at the start of a slot or the end of the last; with offset where it comes twice."""
        length = dt.timedelta(minutes=self.rules.slot_minutes)
        at = (self.slots[0] + slot * length).astimezone(self.zone)
        other = at.replace(fold=1 - at.fold)
        return f"{at:%H:%M}" if other.utcoffset() == at.utcoffset() else f"{at:%H:%M %z}"


def _refuse(code: str, field: str, es: str, en: str, rule: str = "") -> Refused:
    return Refused(Text(es, en), code=code, field=field, rule=rule)


def _check_rules(rules: Rules) -> None:
    if rules.slot_minutes < 1 or rules.min_break_minutes < 1:
        raise _refuse(
            "rotation_minutes_not_positive",
            "rules",
            "el intervalo y el descanso duran al menos un minuto",
            "slot and break last at least one minute",
        )
    ceilings = (rules.max_minutes_on_table, rules.max_minutes_same_table)
    if any(most is not None and rules.slot_minutes > most for most in ceilings):
        raise RuleViolation(
            "FLOOR-03",
            Text(
                "el intervalo es más largo que el tiempo máximo de mesa; use intervalos más cortos",
                "a slot is longer than the longest time at a table; use shorter slots",
            ),
            code="rotation_slot_too_long",
            field="slot_minutes",
        )


def _in_utc(slots: Sequence[dt.datetime], minutes: int) -> tuple[dt.datetime, ...]:
    """The starts as UTC. Compared there, because a zone's own arithmetic ignores a change of clock."""
    if not slots:
        raise _refuse("rotation_empty", "slots", "indique al menos un intervalo", "give at least one slot")
    if any(slot.utcoffset() is None for slot in slots):
        raise _refuse(
            "rotation_slot_naive",
            "slots",
            "cada intervalo lleva su huso horario",
            "every slot carries its time zone",
        )
    found = tuple(slot.astimezone(dt.UTC) for slot in slots)
    length = dt.timedelta(minutes=minutes)
    if any(later - earlier != length for earlier, later in pairwise(found)):
        raise _refuse(
            "rotation_slots_uneven",
            "slots",
            f"los intervalos se siguen cada {minutes} minutos exactos, también al cambiar la hora",
            f"slots follow each other every {minutes} minutes exactly, also over a change of clock",
        )
    return found


def _check_people(problem: Problem) -> None:
    ids = [person.id for person in problem.people]
    if len(set(ids)) < len(ids):
        raise _refuse(
            "rotation_person_twice", "people", "una persona figura dos veces", "somebody is listed twice"
        )
    for person in problem.people:
        _check_ranges(problem, person.present, "present", person.name)
    for person_id in (*problem.worked_before, *problem.credits):
        _known(problem, person_id, "worked_before")
    for found in problem.worked_before.values():
        if min(found.minutes, found.at_table, found.rested) < 0 or (found.at_table and not found.table):
            raise _refuse(
                "rotation_standing_invalid",
                "worked_before",
                "los minutos ya trabajados no pueden ser negativos ni carecer de mesa",
                "minutes already worked are neither negative nor without a table",
            )


def _check_posts(problem: Problem) -> None:
    keys = [post.key for post in problem.posts]
    if len(set(keys)) < len(keys):
        raise _refuse("rotation_post_twice", "posts", "un puesto figura dos veces", "a post is listed twice")
    for post in problem.posts:
        if post.post not in DEALING | HELPING:
            raise _refuse(
                "rotation_post_unknown",
                "posts",
                f"el puesto «{post.post}» no rota; quítelo del plan",
                f"the post “{post.post}” does not rotate; leave it out of the plan",
                rule="FLOOR-02",
            )
        _check_ranges(problem, post.open, "open", post.key)


def _check_ranges(problem: Problem, ranges: Sequence[Range], field: str, whose: str) -> None:
    last = len(problem.slots)
    ordered = sorted(ranges)
    wrong = any(not 0 <= first < after <= last for first, after in ordered)
    if wrong or any(one[1] > two[0] for one, two in pairwise(ordered)):
        raise _refuse(
            "rotation_range_invalid",
            field,
            f"{whose}: los intervalos van de 0 a {last}, sin solaparse",
            f"{whose}: ranges lie between 0 and {last} and do not overlap",
        )


def _check_pins(problem: Problem) -> None:
    """Pins name people, open posts and slots; whether they break a rule is `checking.require_pins`."""
    for (slot, k), person_id in problem.pinned.items():
        _known(problem, person_id, "pinned")
        if not (0 <= k < len(problem.posts) and 0 <= slot < len(problem.slots)):
            raise _refuse(
                "rotation_pin_unknown",
                "pinned",
                "lo fijado está fuera del plan",
                "a pin lies outside the plan",
            )
        if not problem.posts[k].wanted(slot):
            raise _refuse(
                "rotation_pin_closed",
                "pinned",
                f"{problem.posts[k].table} no está abierta a las {problem.hour(slot)}",
                f"{problem.posts[k].table} is not open at {problem.hour(slot)}",
            )


def _known(problem: Problem, person_id: str, field: str) -> None:
    if person_id not in problem.person:
        raise _refuse(
            "rotation_person_unknown",
            field,
            f"«{person_id}» no figura entre las personas del plan",
            f"“{person_id}” is not among the people of the plan",
        )
