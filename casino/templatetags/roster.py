"""Words and figures of the roster's pages: weekdays, hours, posts, departments, how a shift's state looks."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import template
from django.utils.dates import WEEKDAYS_ABBR

from casino.kernel.words import Text, same
from tables.queries import POST_NAMES
from tables.roster.actions import DEPARTMENTS

register = template.Library()

_TONES = {"present": "good", "done": "good", "absent": "bad", "cancelled": "warn"}


@register.filter
def weekday_words(day: dt.date) -> str:
    return str(WEEKDAYS_ABBR[day.weekday()])


@register.filter
def hours(minutes: Any) -> str:
    """Minutes as hours and minutes, `7:50`."""
    whole = int(minutes or 0)
    sign, whole = ("−", -whole) if whole < 0 else ("", whole)
    return f"{sign}{whole // 60}:{whole % 60:02d}"


@register.filter
def post_name(code: str) -> Text:
    return POST_NAMES.get(code, same(code))


@register.filter
def department(code: str) -> Text:
    return DEPARTMENTS.get(code, same(code))


@register.filter
def shift_tone(state: str) -> str:
    """The colour class of a shift's state."""
    return _TONES.get(state, "")
