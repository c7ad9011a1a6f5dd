"""Posts, hours and people of a plan in words, es-BO first."""

from __future__ import annotations

from casino.kernel.words import Text, same
from tables.roster.rotation.problem import Problem

POSTS = {
    "caller": Text("paletero", "caller"),
    "dealer": Text("croupier", "dealer"),
    "main_dealer": Text("croupier principal", "main dealer"),
    "scorer": Text("anotador", "scorer"),
    "payer": Text("pagador", "payer"),
    "support_dealer": Text("croupier de apoyo", "support dealer"),
}
REST = Text("descanso", "rest")


def place(problem: Problem, post: int | None) -> Text:
    """A post as people say it: the table alone where one person works there, else with the post."""
    if post is None:
        return REST
    own = problem.posts[post]
    if sum(other.table == own.table for other in problem.posts) == 1:
        return same(own.table)
    alike = sum((other.table, other.post) == (own.table, own.post) for other in problem.posts)
    number = f" {own.place}" if alike > 1 else ""
    return Text("{table}, {post}{number}", "{table}, {post}{number}").fill(
        table=own.table, post=POSTS[own.post], number=number
    )


def hours(problem: Problem, first: int, last: int) -> str:
    """From the start of a slot to the start of another: `20:20–21:00`."""
    return f"{problem.hour(first)}–{problem.hour(last)}"


def name(problem: Problem, person: str) -> str:
    return problem.person[person].name
