"""The shape of every write: one transaction, one permission, refusals instead of database errors.

    @command("tables.session.open")
    def open_session(*, table: Table, …, by: By) -> TableSession: …

The decorator demands the act of `by.actor`, refuses rows of another house (`owning`), opens the
transaction (durable: nothing of ours wraps it but `sharing_transaction()`, used where the answer to
an idempotency key must commit with the write), and turns what PostgreSQL refuses into a `SabotError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import IntegrityError, OperationalError, transaction

from casino.kernel import locking, permissions
from casino.kernel.errors import Busy, Conflict, SabotError
from casino.kernel.owning import require_own
from casino.kernel.words import Text

P = ParamSpec("P")
R = TypeVar("R")

_depth: ContextVar[int] = ContextVar("sabot_command_depth", default=0)
_events: ContextVar[int] = ContextVar("sabot_events_recorded", default=0)
_explained: dict[str, Callable[[], SabotError]] = {}
_keepers: list[Callable[[Any, SabotError, str], None]] = []

LOCK_TIMEOUT, DEADLOCK, STATEMENT_TIMEOUT = "55P03", "40P01", "57014"
APPEND_ONLY = "23001"


def explain_constraint(name: str, refusal: Callable[[], SabotError]) -> None:
    """Register what to answer when the constraint `name` refuses a row."""
    _explained[name] = refusal


def command(
    act: str, *, silent_when: str = "", setting: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a write function out of a function that takes `by` (see module docstring).

    A command that leaves no event on the trail is a fault and is rolled back (REC-06), unless
    `silent_when` says when it has nothing to tell: the thing was so already.

    A `setting` is changed when the clock says it is, whatever instant the caller states: what is in
    force is never moved back in time (GEN-03).
    """

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            by: Any = kwargs.get("by")
            if by is None:
                raise TypeError(f"{function.__name__} needs by=")
            token = _events.set(0)
            try:
                permissions.require(by.actor, act)
                require_own(*kwargs.values(), by=by)
                if setting:
                    kwargs["by"] = by.by_the_clock()
                with one_transaction():
                    result = function(*args, **kwargs)
                    told = _events.get()
                    if not told and not silent_when:
                        raise RuntimeError(f"{function.__name__} left no event on the trail")
            except SabotError as refusal:
                if _depth.get() == 0:  # everything is rolled back
                    keep_refusal(by.actor, refusal, act)
                raise
            finally:
                _events.reset(token)
            _events.set(_events.get() + told)
            return result

        run.act = act  # type: ignore[attr-defined]
        run.silent_when = silent_when  # type: ignore[attr-defined]
        run.setting = setting  # type: ignore[attr-defined]
        return run

    return wrap


def watch_refusals(keeper: Callable[[Any, SabotError, str], None]) -> None:
    """Have `keeper(actor, refusal, act)` told of what a rule refused, after everything was rolled back."""
    if keeper not in _keepers:
        _keepers.append(keeper)


def keep_refusal(actor: Any, refusal: SabotError, act: str = "") -> None:
    """Tell the keepers of a refusal by a rule, once; also from the edge, of what no command refused."""
    if refusal.rule and not refusal.kept:
        refusal.kept = True
        for keeper in _keepers:
            keeper(actor, refusal, act)


def event_recorded() -> None:
    """The trail got an event; called by the trail alone."""
    _events.set(_events.get() + 1)


@contextmanager
def one_transaction() -> Iterator[None]:
    """The transaction of a command; a command called inside another joins it."""
    depth = _depth.get()
    token = _depth.set(depth + 1)
    try:
        with refusals(), transaction.atomic(durable=depth == 0, savepoint=depth == 0):
            yield
    finally:
        _depth.reset(token)
        if depth == 0:
            locking.released()


@contextmanager
def sharing_transaction() -> Iterator[None]:
    """An outer transaction that commands inside it join (the idempotency key's)."""
    with one_transaction():
        yield


def once_committed(act: Callable[[], object]) -> None:
    """Have `act` run after the commit as work of its own: in no command, holding no lock.

    What fails in it is logged and hurts nobody: the write it follows stands. A process that dies in between
    never runs it, so a job must find again what it would have found.
    """

    def alone() -> None:
        _depth.set(0)
        locking.released()
        act()

    transaction.on_commit(lambda: copy_context().run(alone), robust=True)


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the database refuses into the refusal a person can act on."""
    try:
        yield
    except OperationalError as error:
        if _sqlstate(error) in {LOCK_TIMEOUT, DEADLOCK, STATEMENT_TIMEOUT}:
            raise Busy(
                Text(
                    "otra operación ocupa estos datos; espere unos segundos y envíe de nuevo",
                    "another operation holds this data; wait a few seconds and send again",
                )
            ) from error
        raise
    except IntegrityError as error:
        name = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or ""
        if name in _explained:
            raise _explained[name]() from error
        if _sqlstate(error) == "23P01" or _sqlstate(error) == "23505":
            raise Conflict(
                Text("otra persona lo registró primero", "someone else recorded it first"),
                detail={"constraint": name},
            ) from error
        raise


def _sqlstate(error: BaseException) -> str:
    return getattr(error.__cause__, "sqlstate", "") or ""
