"""One fault after another in copies of a house that was proved clean: what caught it, and the verdict.

A verdict is worth nothing if the copy was off before, or if the fault did nothing: then it is the self-test
that is broken, and it says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum

from django.core.management import call_command
from django.db import Error

from casino.kernel.errors import SabotError
from casino.kernel.words import Text
from casino.models import Casino
from casino.selftest import catching
from casino.selftest.aside import set_aside
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.controls import CONTROLS, Control, Found
from casino.selftest.copies import CannotCopy, Copies, connected_to
from casino.selftest.faults import Fault
from casino.selftest.hands import NothingChanged
from casino.selftest.printing import fingerprint

SLOW = frozenset({"replay"})
"""Controls run where they are promised, and on the base; the others also where a promise is broken."""


class Verdict(StrEnum):
    NOTICED = "noticed"
    OTHER = "other"
    UNNOTICED = "unnoticed"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a fault, and what whoever caught it said."""

    fault: Fault
    verdict: Verdict
    caught: str = ""
    when: Text | None = None
    said: str = ""
    trouble: Text | None = None


@dataclass(frozen=True, slots=True)
class Base:
    """The house that is copied: its database and its fingerprint, once it was proved clean."""

    copies: Copies
    name: str
    print: str
    controls: Mapping[str, Control] = field(default_factory=lambda: CONTROLS)


@contextmanager
def base(copies: Copies, *, migrated: str = "template0") -> Iterator[Base]:
    """A demonstration house in a database of its own, every control of the night silent about it.

    `migrated`: a database that has the migrations already. Raises `CannotCopy` where a control is not silent.
    """
    with set_aside():
        name = copies.make("base", _build, template=migrated)
        proved = copies.copy(name)
        with connected_to(proved):
            printed = fingerprint()
            noisy = {code: found for code, control in CONTROLS.items() if (found := list(control(_casino())))}
        copies.drop(proved)
    if noisy:
        told = "; ".join(f"{code}: {found[0].where} {found[0].said}" for code, found in noisy.items())
        raise CannotCopy(
            Text(
                f"la casa de prueba no está limpia antes de empezar: {told}",
                f"the house to test is not clean to begin with: {told}",
            )
        )
    yield Base(copies, name, printed)


def _build() -> None:
    from tables.demo.make import make

    call_command("migrate", verbosity=0, interactive=False)
    make()


def run(faults: Iterable[Fault], base: Base) -> Iterator[Outcome]:
    """Each fault in a copy, told as it is done. A copy is used again only while it is as the house was: what
    was refused left nothing in it."""
    spare = ""
    try:
        for one in faults:
            name = spare if spare and _leaves_nothing(one) else base.copies.copy(base.name)
            with set_aside(), connected_to(name):
                outcome = _one(one, base)
                intact = _leaves_nothing(one) and outcome.when is catching.AT_ONCE
            if intact:
                spare = name
            else:
                spare = "" if name == spare else spare
                base.copies.drop(name)
            yield outcome
    finally:
        if spare:
            base.copies.drop(spare)


def _leaves_nothing(fault: Fault) -> bool:
    """Whether it is promised to be refused at once, and needs nothing made ready."""
    return fault.given is None and not fault.leaves and not isinstance(fault.promised, Night)


def _casino() -> Casino:
    return Casino.objects.get()


def _one(fault: Fault, base: Base) -> Outcome:
    before = fingerprint()
    if before != base.print:
        return _broken(fault, Text("la copia no era como la casa", "the copy was not like the house"))
    try:
        given: tuple[object, ...] = ()
        if fault.given is not None:
            given = (fault.given(),)
            found = _named_already(fault, base)
            if found:
                told = f"{found[0].where} {found[0].said}"
                words = Text(f"la copia no estaba limpia: {told}", f"the copy was not clean: {told}")
                return _broken(fault, words)
            before = fingerprint()
        stopped = _stopped(fault, given)
        changed = fingerprint() != before
    except NothingChanged as nothing:
        words = Text(f"no encontró qué cambiar: {nothing}", f"it found nothing to change: {nothing}")
        return _broken(fault, words)
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        return _broken(fault, Text(f"no se pudo introducir: {told}", f"it could not be put in: {told}"))
    if stopped is None:
        if not changed:
            return _broken(fault, Text("no cambió nada", "it changed nothing"))
        return _by_night(fault, base)
    return _at_once(fault, *stopped, changed=changed)


def _named_already(fault: Fault, base: Base) -> Sequence[Found]:
    """What the promised control of the night names before the fault: nothing, in a clean copy."""
    if not isinstance(fault.promised, Night):
        return ()
    return list(base.controls[fault.promised.control](_casino()))


def _stopped(fault: Fault, given: tuple[object, ...]) -> tuple[Refused | Guard, str] | None:
    """Who refused the fault while it was being put in, and the words of it; None if nobody did."""
    try:
        fault.inject(*given)
    except SabotError as refusal:
        return catching.of_refusal(refusal), refusal.message.es
    except Error as error:
        guard = catching.of_database(error)
        if guard is None:
            raise
        return guard, str(error).splitlines()[0]
    return None


def _at_once(fault: Fault, by: Refused | Guard, said: str, *, changed: bool) -> Outcome:
    if changed and not fault.leaves:
        return _broken(
            fault, Text(f"se rechazó, pero algo quedó ({by})", f"it was refused, but something stayed ({by})")
        )
    if fault.leaves and not changed:
        return _broken(
            fault, Text(f"no quedó constancia: {fault.leaves}", f"nothing was put on record: {fault.leaves}")
        )
    promised = fault.promised
    kept = by == promised or (
        isinstance(by, Guard) and isinstance(promised, Guard) and catching.is_promised(by, promised)
    )
    named = str(promised if kept else by)
    return Outcome(fault, Verdict.NOTICED if kept else Verdict.OTHER, named, by.when, said)


def _by_night(fault: Fault, base: Base) -> Outcome:
    """The control that was promised; where it says nothing of it, whichever other one does."""
    promised = fault.promised
    others = [code for code in base.controls if code not in SLOW]
    if isinstance(promised, Night):
        found = list(base.controls[promised.control](_casino()))
        told = next((one for one in found if promised.is_of(one)), None)
        if told is not None:
            return Outcome(fault, Verdict.NOTICED, str(promised), promised.when, f"{told.where}: {told.said}")
        if found:
            return _by_another(fault, promised.control, found[0])
        others = [code for code in others if code != promised.control]
    for code in others:
        for one in base.controls[code](_casino()):
            return _by_another(fault, code, one)
    return Outcome(fault, Verdict.UNNOTICED)


def _by_another(fault: Fault, control: str, found: Found) -> Outcome:
    named, said = f"{control}: {found.code}", f"{found.where}: {found.said}"
    return Outcome(fault, Verdict.OTHER, named, catching.AT_NIGHT, said)


def _broken(fault: Fault, trouble: Text) -> Outcome:
    return Outcome(fault, Verdict.BROKEN, trouble=trouble)
