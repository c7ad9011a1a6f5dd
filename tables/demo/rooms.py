"""What rooms above add to the demonstration: they register here at start-up where their part is (`module`),
and it is only loaded when the demonstration is made.

A module has `lay(house, at)`, once the house is built, and `evening(house, now)`, once tonight is in play.
"""

from __future__ import annotations

import datetime as dt
from importlib import import_module

from tables.demo.house import House

_modules: dict[str, None] = {}


def register(module: str) -> None:
    """Take part from now on; safe twice."""
    _modules[module] = None


def lay(house: House, at: dt.datetime) -> None:
    """Settings of the rooms above, in force from `at` (UTC)."""
    for module in _modules:
        import_module(module).lay(house, at)


def evening(house: House, now: dt.datetime) -> None:
    """What goes on in them as of `now` (UTC)."""
    for module in _modules:
        import_module(module).evening(house, now)
