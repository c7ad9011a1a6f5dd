"""Who stands at a table: fit for the game, at one post at a time (FLOOR-01, FLOOR-02)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, Func, OuterRef, Q
from django.db.models.functions import Lower
from psycopg.types.range import TimestamptzRange

from audits.by import By
from casino.kernel import rulebook
from casino.kernel.commands import explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import Assignment, Certificate, Staff, TableSession

Post = Assignment.Post
Posts = list[tuple[str, Staff]]


def wanted(game: str) -> dict[str, int]:
    """Posts and how many people the catalogue gives a game (games.toml, FLOOR-02)."""
    return {entry["role"]: entry["count"] for entry in rulebook.game(game).staff}


def dealing_post(game: str) -> str:
    """The post of who deals or calls: `caller` where the game has one (BAC-11), else `dealer`."""
    return next((post for post in Assignment.DEALING if post in wanted(game)), Post.DEALER.value)


def helping_post(game: str) -> str:
    """The post of who pays or helps the dealer, several at a table; empty where the game has none."""
    return next((post for post in Assignment.HELPING if post in wanted(game)), "")


def posts(game: str) -> tuple[str, ...]:
    """Every post somebody may take at a game's table. A supervisor may stand at any (GEN-10)."""
    own = (dealing_post(game), helping_post(game), Post.SUPERVISOR.value)
    return tuple(dict.fromkeys(post for post in own if post))


def checked(game: str, dealer: Staff, supervisor: Staff, payers: Sequence[Staff], day: dt.date) -> Posts:
    """The crew of an opening, each fit for their post; raises `Refused` or `RuleViolation`.

    `payers` take the game's helping post: payers, or support dealers.
    """
    helping = helping_post(game)
    held: Posts = [(dealing_post(game), dealer), (Post.SUPERVISOR.value, supervisor)]
    held += [(helping, person) for person in payers]
    if len({person.pk for _, person in held}) < len(held):
        raise RuleViolation(
            "FLOOR-01",
            Text("nadie ocupa dos puestos a la vez", "nobody holds two posts at once"),
            code="staff_busy",
            field="supervisor",
        )
    most = wanted(game).get(helping, 0)
    if len(payers) > most:
        support = helping == Post.SUPPORT_DEALER
        spanish, english = ("croupiers de apoyo", "support dealers") if support else ("pagadores", "payers")
        raise RuleViolation(
            "FLOOR-02",
            Text(f"este juego lleva {most} {spanish}", f"this game has {most} {english}"),
            code="too_many_payers",
            field="payers",
        )
    for post, person in held:
        require_fit(game, person, post, day)
    return held


def missing(game: str, held: Sequence[str]) -> list[str]:
    """Posts the game wants and nobody holds, for a flag on the floor (FLOOR-02)."""
    return [post for post, count in wanted(game).items() for _ in range(count - list(held).count(post))]


@dataclass(frozen=True, slots=True)
class Demand:
    """What a post asks of whoever takes it: a condition on `Staff`, and the refusal where it fails."""

    met: Q
    refusal: Callable[[Staff, str], Refused]


def demands(game: str, post: str, day: dt.date) -> tuple[Demand, ...]:
    """What a post at a game asks on a day: in service, licensed, qualified (FLOOR-02), with a certificate
    still in force where there is one for the game.
    """
    always = (IN_SERVICE, Demand(Q(licence_expires__gte=day), _licence_expired))
    if post == Post.SUPERVISOR:
        return *always, Demand(Q(supervises=True), _no_supervisor)
    return (
        *always,
        Demand(Q(games__contains=[game]), lambda person, post: _not_qualified(person, post, game)),
        Demand(certified(game, day), lambda person, post: _certificate_over(person, post, game)),
    )


def certified(game: str, day: dt.date) -> Q:
    """No certificate for the game, or one that holds on the day (`Certificate`)."""
    papers = Certificate.objects.filter(staff=OuterRef("pk"), game=game)
    holds = papers.filter(Q(until=None) | Q(until__gte=day), since__lte=day)
    return Q(~Exists(papers)) | Q(Exists(holds))


def require_in_service(person: Staff, field: str) -> None:
    _require(person, (IN_SERVICE,), field)


def require_fit(game: str, person: Staff, post: str, day: dt.date) -> None:
    """Raise unless the person may take the post: in service, licensed that day, qualified."""
    if post not in posts(game):
        raise RuleViolation(
            "FLOOR-02",
            Text(f"este juego no tiene el puesto «{post}»", f"this game has no post “{post}”"),
            code="no_such_post",
            field="post",
        )
    _require(person, demands(game, post, day), post)


def _require(person: Staff, asked: Sequence[Demand], field: str) -> None:
    """The first demand that the person, as stored, does not meet is the refusal."""
    named = {f"met{place}": ExpressionWrapper(one.met, BooleanField()) for place, one in enumerate(asked)}
    answers = Staff.objects.filter(pk=person.pk).values_list(*named.values()).get()
    for demand, met in zip(asked, answers, strict=True):
        if not met:
            raise demand.refusal(person, field)


def _out_of_service(person: Staff, field: str) -> Refused:
    return Refused(
        Text(f"{person.name} no está en servicio", f"{person.name} is not in service"),
        code="staff_not_active",
        field=field,
    )


def _licence_expired(person: Staff, field: str) -> Refused:
    return Refused(
        Text(
            f"la licencia de {person.name} venció el {person.licence_expires:%Y-%m-%d}",
            f"{person.name}'s licence expired on {person.licence_expires:%Y-%m-%d}",
        ),
        code="licence_expired",
        field=field,
    )


def _no_supervisor(person: Staff, field: str) -> Refused:
    return RuleViolation(
        "FLOOR-02",
        Text(f"{person.name} no es jefe de mesa", f"{person.name} is no supervisor"),
        code="not_a_supervisor",
        field=field,
    )


def _not_qualified(person: Staff, field: str, game: str) -> Refused:
    return RuleViolation(
        "FLOOR-02",
        Text(
            f"{person.name} no está habilitado para este juego",
            f"{person.name} is not qualified for this game",
        ),
        code="not_qualified",
        field=field,
        detail={"game": game},
    )


def _certificate_over(person: Staff, field: str, game: str) -> Refused:
    return RuleViolation(
        "FLOOR-02",
        Text(
            f"la habilitación de {person.name} para este juego no está vigente; registre la nueva",
            f"{person.name}'s certificate for this game is not in force; record the new one",
        ),
        code="certificate_expired",
        field=field,
        detail={"game": game},
    )


IN_SERVICE = Demand(Q(active=True), _out_of_service)


def require_free(casino: Casino, people: Sequence[Staff], instant: dt.datetime) -> None:
    """Raise `Conflict` (`staff_busy`, FLOOR-01) where somebody holds a post at a table at an instant, or took
    one after it: that turn would run into this one.
    """
    ahead = TimestamptzRange(instant, None)
    if Assignment.objects.filter(casino=casino, staff__in=list(people), during__overlap=ahead).exists():
        raise staff_busy()


def take_posts(session: TableSession, held: Posts, by: By) -> None:
    for post, person in held:
        _take(session, person, post, by)


def relieve(session: TableSession, staff: Staff, post: str, by: By) -> Assignment:
    """End the turn of who holds the post (helpers: none is ended while one is missing), begin another."""
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


def told(held: Posts) -> list[dict[str, Any]]:
    return [{"post": post, "staff": person.pk, "name": person.name} for post, person in held]


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


def staff_busy(field: str = "") -> Conflict:
    """What is answered about somebody who holds a post at another table (FLOOR-01)."""
    return Conflict(
        Text(
            "esa persona ya ocupa un puesto en otra mesa; relévela allí primero",
            "that person holds a post at another table; relieve them there first",
        ),
        code="staff_busy",
        rule="FLOOR-01",
        field=field,
    )


explain_constraint("one_post_at_a_time", staff_busy)
explain_constraint(
    "one_person_per_post",
    lambda: Conflict(
        Text("ese puesto ya está ocupado", "that post is taken already"), code="post_taken", rule="FLOOR-01"
    ),
)
