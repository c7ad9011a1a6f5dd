"""How the cage's pages write time worked."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()


@register.filter
def worked(seconds: Any) -> str:
    """Seconds as hours and minutes, `7:50`; what is over a minute is left out."""
    minutes = int(seconds or 0) // 60
    return f"{minutes // 60}:{minutes % 60:02d}"
