"""The seals of the gaming days, where the house has them: found by name, so that the rest runs without."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from casino.models import Casino, GamingDay
from casino.selftest import floor

THERE = find_spec("audits.sealing") is not None
CONTROL = "verify_trail --seals"


def of_sealing(name: str) -> Any:
    """A module of `audits.sealing`."""
    return import_module(f"audits.sealing.{name}")


def faults(casino: Casino) -> Any:
    return of_sealing("checking").seal_faults(casino)


def day_sealed() -> GamingDay:
    """The night that is over is closed and sealed, as the jobs do it, with a key of this copy."""
    from audits import closing
    from casino.kernel import clock

    of_sealing("keeping").make_key(by=floor.by("admin", "llave de la prueba"))
    (outcome,) = closing.close_due_days(clock.now(), casino=floor.casino())
    of_sealing("sealing").seal_due_days(floor.casino())
    day = GamingDay.objects.get(pk=outcome.closed[-1].pk)
    if not hasattr(day, "seal"):
        raise LookupError(f"{day} was not sealed")
    return day
