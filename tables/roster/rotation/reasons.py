"""Why a draft is as it is: a reason for each relief, and for each post left bare why nobody could.

Reasons are read off the draft, not off the solver: they hold for a plan changed by hand as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from casino.kernel.words import Text
from tables.roster.rotation.draft import Draft
from tables.roster.rotation.legal import fits, stay_kept, turn_kept
from tables.roster.rotation.problem import Person, Problem
from tables.roster.rotation.saying import name, place


@dataclass(frozen=True, slots=True)
class Relief:
    """At the start of `slot`, `comes` takes the post from `goes` (None: nobody held it)."""

    slot: int
    post: int
    goes: str | None
    comes: str
    text: Text


@dataclass(frozen=True, slots=True)
class Bare:
    """A post nobody holds over the slots `first` to before `last`, all for the same reason."""

    post: int
    first: int
    last: int
    text: Text


def reliefs(draft: Draft) -> tuple[Relief, ...]:
    """Every change of hands at a post that stays open, by slot and post, each with its reason."""
    found = []
    for (slot, post), comes in draft.seats.items():
        goes = draft.who(slot - 1, post)
        if slot and goes != comes and draft.problem.posts[post].wanted(slot - 1):
            found.append(Relief(slot, post, goes, comes, _relief(draft, slot, post, goes, comes)))
    return tuple(sorted(found, key=lambda one: (one.slot, one.post)))


def bare(draft: Draft) -> tuple[Bare, ...]:
    """Every post left bare, dealing posts first, slots with the same reason together."""
    found: list[Bare] = []
    problem = draft.problem
    for slot, post in sorted(draft.uncovered, key=lambda at: (not problem.posts[at[1]].deals, at[1], at[0])):
        text = _nobody(draft, slot, post)
        last = found[-1] if found else None
        if last and (last.post, last.last, last.text) == (post, slot, text):
            found[-1] = Bare(post, last.first, slot + 1, text)
        else:
            found.append(Bare(post, slot, slot + 1, text))
    return tuple(found)


def _relief(draft: Draft, slot: int, post: int, goes: str | None, comes: str) -> Text:
    problem = draft.problem
    coming = Text("{who} {why}", "{who} {why}").fill(
        who=name(problem, comes), why=_why_comes(draft, slot, post, comes, goes)
    )
    if goes is None:
        return Text("el puesto estaba descubierto; {why}", "the post was bare; {why}").fill(why=coming)
    going = Text("{who} {why}", "{who} {why}").fill(who=name(problem, goes), why=_why_goes(draft, slot, goes))
    return Text("{going}; {coming}", "{going}; {coming}").fill(going=going, coming=coming)


def _why_goes(draft: Draft, slot: int, person_id: str) -> Text:
    problem, row = draft.problem, draft.rows[person_id]
    person = problem.person[person_id]
    if not person.there(slot):
        return Text("termina su turno", "goes off duty")
    if not person.licensed(slot):
        return Text("llega al fin de su licencia", "comes to the end of the licence")
    if row[slot] is not None:
        return Text("pasa a {place}", "goes to {place}").fill(place=place(problem, row[slot]))
    minutes = in_a_row(problem, person, row, slot)
    longer = [*row[:slot], row[slot - 1]]
    if turn_kept(problem, person, longer) and not stay_kept(problem, person, longer):
        table = problem.posts[row[slot - 1] or 0].table
        return Text("cambia de mesa: deja {table}", "changes table: leaves {table}").fill(table=table)
    return Text("descansa: {n} min seguidos", "rests: {n} min in a row").fill(n=minutes)


def _why_comes(draft: Draft, slot: int, post: int, person_id: str, goes: str | None) -> Text:
    """How the one who comes was found; the only one there is says so."""
    problem, row = draft.problem, draft.rows[person_id]
    person, game = problem.person[person_id], problem.posts[post].game
    able = [other for other in problem.people if fits(problem, other, slot, post)]
    if len(able) == 1:
        words = Text("es el único habilitado para {game}", "is the only one qualified for {game}")
        return words.fill(game=problem.game(game))
    free = [other for other in able if other.id not in (person_id, goes) and _could(draft, other, slot, post)]
    if not free:
        words = Text("es el único libre habilitado para {game}", "is the only free one qualified for {game}")
        return words.fill(game=problem.game(game))
    if row[slot - 1] is not None:
        return Text("viene de {place}", "comes from {place}").fill(place=place(problem, row[slot - 1]))
    if not problem.available(person, slot - 1):
        return Text("entra a su turno", "comes on duty")
    minutes = _rested(problem, person, row, slot)
    return Text("viene de {n} min de descanso", "comes from {n} min of rest").fill(n=minutes)


def _could(draft: Draft, person: Person, slot: int, post: int) -> bool:
    """Whether somebody off the felt might take the post in that slot, the rest of their night as drafted."""
    row = draft.rows[person.id]
    changed = [*row[:slot], post, *row[slot + 1 :]]
    problem = draft.problem
    return row[slot] is None and turn_kept(problem, person, changed) and stay_kept(problem, person, changed)


def in_a_row(problem: Problem, person: Person, row: tuple[int | None, ...], slot: int) -> int:
    """Minutes worked in a row at the start of a slot, short gaps not counted."""
    rules, standing = problem.rules, problem.standing(person.id)
    minutes, away = standing.minutes, standing.rested
    for post in row[:slot]:
        if post is None:
            away += rules.slot_minutes
        else:
            minutes = rules.slot_minutes + (minutes if away < rules.min_break_minutes else 0)
            away = 0
    return minutes if away < rules.min_break_minutes else 0


def _rested(problem: Problem, person: Person, row: tuple[int | None, ...], slot: int) -> int:
    first = slot
    while first and row[first - 1] is None and problem.available(person, first - 1):
        first -= 1
    before = 0 if first else problem.standing(person.id).rested
    return (slot - first) * problem.rules.slot_minutes + before


def _nobody(draft: Draft, slot: int, post: int) -> Text:
    """Why a post is bare: what keeps each of those who are qualified for it, counted."""
    problem = draft.problem
    game = problem.game(problem.posts[post].game)
    able = [person for person in problem.people if problem.posts[post].game in person.games]
    if not able:
        return Text("nadie está habilitado para {game}", "nobody is qualified for {game}").fill(game=game)
    told = list(_counted(Counter(_hindrance(draft, person, slot, post) for person in able)))
    words = Text("habilitados para {game}: {n} ({why})", "qualified for {game}: {n} ({why})")
    why = Text(", ".join(text.es for text in told), ", ".join(text.en for text in told))
    return words.fill(game=game, n=len(able), why=why)


HINDRANCES = {
    "busy": Text("{n} en otro puesto", "{n} at another post"),
    "rests": Text("{n} en su descanso obligado", "{n} at the break they must have"),
    "stay": Text("{n} con el máximo en esa mesa", "{n} at the most for that table"),
    "away": Text("{n} sin turno", "{n} off duty"),
    "licence": Text("{n} con licencia vencida", "{n} with the licence ended"),
    "free": Text("{n} libre", "{n} free"),
}


def _counted(found: Counter[str]) -> Iterator[Text]:
    for code, words in HINDRANCES.items():
        if found[code]:
            yield words.fill(n=found[code])


def _hindrance(draft: Draft, person: Person, slot: int, post: int) -> str:
    problem, row = draft.problem, draft.rows[person.id]
    if not person.there(slot):
        return "away"
    if not person.licensed(slot):
        return "licence"
    if row[slot] is not None:
        return "busy"
    changed = [*row[:slot], post, *row[slot + 1 :]]
    if not turn_kept(problem, person, changed):
        return "rests"
    return "free" if stay_kept(problem, person, changed) else "stay"
