"""A figure of a cell of the hours, by its name."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()


@register.filter
def figure(cell: Any, name: str) -> int | None:
    value: int | None = getattr(cell, name)
    return value
