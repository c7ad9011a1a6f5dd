"""Who stands at a table: fit for the game, at one post at a time (FLOOR-01, FLOOR-02)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db.models import F, Func
from django.db.models.functions import Lower
from psycopg.types.range import TimestamptzRange

from audits.by import By
from casino.kernel import rulebook
from casino.kernel.commands import explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from tables.models import Assignment, Staff, TableSession

Post = Assignment.Post
Posts = list[tuple[str, Staff]]

_DEALER_POSTS = {"dealer", "caller"}


def wanted(game: str) -> dict[str, int]:
    """Posts and how many people the catalogue gives a game (games.toml, FLOOR-02)."""
    return {entry["role"]: entry["count"] for entry in rulebook.game(game).staff}


def dealing_post(game: str) -> str:
    """The post of who deals or calls: `caller` where the game has one (BAC-11), else `dealer`."""
    return "caller" if "caller" in wanted(game) else "dealer"


def checked(
    game: str, dealer: Staff, supervisor: Staff, payers: Sequence[Staff], by: By, day: dt.date
) -> Posts:
    """The crew of an opening, each fit for their post; raises `Refused` or `RuleViolation`."""
    posts: Posts = [(dealing_post(game), dealer), (Post.SUPERVISOR.value, supervisor)]
    posts += [(Post.PAYER.value, person) for person in payers]
    if len({person.pk for _, person in posts}) < len(posts):
        raise RuleViolation(
            "FLOOR-01",
            Text("nadie ocupa dos puestos a la vez", "nobody holds two posts at once"),
            code="staff_busy",
            field="supervisor",
        )
    most = wanted(game).get("payer", 0)
    if len(payers) > most:
        raise RuleViolation(
            "FLOOR-02",
            Text(f"este juego lleva {most} pagadores", f"this game has {most} payers"),
            code="too_many_payers",
            field="payers",
        )
    for post, person in posts:
        require_fit(game, person, post, by, day)
    return posts


def missing(game: str, held: Sequence[str]) -> list[str]:
    """Posts the game wants and nobody holds, for a flag on the floor (FLOOR-02)."""
    return [post for post, count in wanted(game).items() for _ in range(count - list(held).count(post))]


def require_of_house(person: Staff, by: By, field: str) -> None:
    if person.casino_id != by.casino.pk or not person.active:
        raise Refused(
            Text(
                f"{person.name} no está en servicio en esta casa",
                f"{person.name} is not in this house's service",
            ),
            code="staff_not_active",
            field=field,
        )


def require_fit(game: str, person: Staff, post: str, by: By, day: dt.date) -> None:
    """Raise unless the person may take the post: of the house, licensed that day, qualified."""
    if post not in Post.values or (post in _DEALER_POSTS and post != dealing_post(game)):
        raise RuleViolation(
            "FLOOR-02",
            Text(f"este juego no tiene el puesto «{post}»", f"this game has no post “{post}”"),
            code="no_such_post",
            field="post",
        )
    require_of_house(person, by, post)
    if not person.licensed_on(day):
        raise Refused(
            Text(
                f"la licencia de {person.name} venció el {person.licence_expires:%Y-%m-%d}",
                f"{person.name}'s licence expired on {person.licence_expires:%Y-%m-%d}",
            ),
            code="licence_expired",
            field=post,
        )
    if post == Post.SUPERVISOR and not person.supervises:
        raise RuleViolation(
            "FLOOR-02",
            Text(f"{person.name} no es jefe de mesa", f"{person.name} is no supervisor"),
            code="not_a_supervisor",
            field=post,
        )
    if post != Post.SUPERVISOR and game not in person.games:
        raise RuleViolation(
            "FLOOR-02",
            Text(
                f"{person.name} no está habilitado para este juego",
                f"{person.name} is not qualified for this game",
            ),
            code="not_qualified",
            field=post,
            detail={"game": game},
        )


def take_posts(session: TableSession, posts: Posts, by: By) -> None:
    for post, person in posts:
        _take(session, person, post, by)


def relieve(session: TableSession, staff: Staff, post: str, by: By) -> Assignment:
    """End the turn of who holds the post (payers: none is ended while one is missing), begin another."""
    held = list(
        Assignment.objects.filter(session=session, post=post, during__endswith=None).order_by(Lower("during"))
    )
    full = len(held) >= max(1, wanted(session.game).get(post, 1))
    if full and held:
        _end(Assignment.objects.filter(pk=held[0].pk), by)
    return _take(session, staff, post, by)


def leave_all(session: TableSession, by: By) -> None:
    """Everyone leaves the table: it closes."""
    _end(Assignment.objects.filter(session=session, during__endswith=None), by)


def told(posts: Posts) -> list[dict[str, Any]]:
    return [{"post": post, "staff": person.pk, "name": person.name} for post, person in posts]


def _take(session: TableSession, person: Staff, post: str, by: By) -> Assignment:
    return Assignment.objects.create(
        casino=by.casino,
        session=session,
        staff=person,
        post=post,
        during=TimestamptzRange(by.occurred_at, None, "[)"),
    )


def _end(assignments: Any, by: By) -> None:
    if assignments.filter(during__startswith__gte=by.occurred_at).exists():
        raise Refused(
            Text(
                "la hora indicada no es posterior al comienzo de un turno; corrija la hora",
                "the stated time is not after the beginning of a turn; correct the time",
            ),
            code="turn_ends_before_it_began",
            rule="FLOOR-01",
            field="occurred_at",
        )
    assignments.update(during=Func(Lower(F("during")), by.occurred_at, function="tstzrange", arity=2))


explain_constraint(
    "one_post_at_a_time",
    lambda: Conflict(
        Text(
            "esa persona ya ocupa un puesto en otra mesa; relévela allí primero",
            "that person holds a post at another table; relieve them there first",
        ),
        code="staff_busy",
        rule="FLOOR-01",
    ),
)
explain_constraint(
    "one_person_per_post",
    lambda: Conflict(
        Text("ese puesto ya está ocupado", "that post is taken already"), code="post_taken", rule="FLOOR-01"
    ),
)
