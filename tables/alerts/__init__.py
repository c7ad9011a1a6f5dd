"""Alerts that stay on the floor until somebody acknowledges them with a reason.

A subject has its causes watched by `register_watch(fn)`: `fn(casino, instant)` yields a `Cause` for
everything that asks to be attended to then, in a fixed number of queries. A job looks each minute
(`sweeping.sweep_all`), raises what is new and clears what is over; an act that sees a cause itself raises
it at once (`keeping.raise_now`).
"""

from tables.alerts.causes import Cause, register_kind, register_watch

__all__ = ["Cause", "register_kind", "register_watch"]
