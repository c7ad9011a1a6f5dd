"""Who caught a fault: a rule of a write function, a guard of the database, a control of the night."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import Error, connection

from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from casino.selftest.controls import Found

AT_ONCE, AT_NIGHT = Text("al instante", "at once"), Text("esa noche", "that night")


@dataclass(frozen=True, slots=True)
class Refused:
    """The write function says no, with this code and under this rule."""

    code: str
    rule: str = ""
    when = AT_ONCE

    def __str__(self) -> str:
        return f"{self.rule} {self.code}".strip()


@dataclass(frozen=True, slots=True)
class Guard:
    """PostgreSQL says no: a trigger or a constraint of this name, on this table."""

    table: str
    name: str
    function: str = ""
    """Of a refusal, where a trigger speaks: the function it runs."""
    when = AT_ONCE

    def __str__(self) -> str:
        return f"{self.table}.{self.name}".lstrip(".")


@dataclass(frozen=True, slots=True)
class Night:
    """A control of the night names it: with this code, at a place that begins like this."""

    control: str
    code: str
    where: str = ""
    says: str = ""
    when = AT_NIGHT

    def __str__(self) -> str:
        return f"{self.control}: {self.code}"

    def is_of(self, found: Found) -> bool:
        return found.code == self.code and found.where.startswith(self.where) and self.says in found.said


Promise = Refused | Guard | Night


def of_refusal(refusal: SabotError) -> Refused:
    return Refused(refusal.code, refusal.rule or "")


def of_database(error: Error) -> Guard | None:
    """The guard that an error of PostgreSQL names; None where it is no guard of ours that speaks."""
    diag = getattr(error.__cause__, "diag", None)
    if diag is None:
        return None
    # «PL/pgSQL function sabot_refuse_change() line 3 at RAISE»: which trigger called it, the promise says.
    function = (diag.context or "").partition("function ")[2].partition("(")[0].rpartition(".")[2]
    name = diag.constraint_name or (f"{function}()" if function else "")
    return Guard(diag.table_name or "", name, function) if name else None


def is_promised(guard: Guard, promised: Guard) -> bool:
    """Whether it is the guard that was promised: the constraint itself, or a trigger running the function."""
    if guard.function:
        return guard.function == _function_of(promised)
    return (guard.table, guard.name) == (promised.table, promised.name)


def _function_of(guard: Guard) -> str:
    """The function a trigger runs, as the database has it; empty where there is no such trigger."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT f.proname FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid"
            " WHERE t.tgrelid = to_regclass(%s) AND t.tgname = %s AND t.tgenabled IN ('O', 'A')",
            [guard.table, guard.name],
        )
        row = cursor.fetchone()
    return row[0] if row else ""
