"""Fields of a form and the refusals beside them: what a write function refused is shown where it belongs."""

from __future__ import annotations

from typing import Any

from django import template

from casino.kernel.errors import SabotError

register = template.Library()


@register.inclusion_tag("parts/field.html", takes_context=True)
def field(
    context: Any,
    name: str,
    label: str,
    type: str = "text",
    help: str = "",
    choices: Any = None,
    value: Any = None,
    required: bool = True,
    placeholder: str = "",
    autocomplete: str = "off",
    list: str = "",
    rows: int = 3,
    empty: str = "",
) -> dict[str, Any]:
    """One labelled field with its refusal beside it; what was typed comes back after a refusal."""
    given = context.get("given")
    if given is not None and name in given:
        value = given.get(name)
    return {
        "name": name,
        "label": label,
        "type": type,
        "help": help,
        "choices": choices,
        "value": "" if value is None else str(value),
        "required": required,
        "placeholder": placeholder,
        "autocomplete": autocomplete,
        "rows": rows,
        "empty": empty,
        "refusal": take_refusal(context, name),
    }


@register.inclusion_tag("parts/refusal.html", takes_context=True)
def refusal_of(context: Any, *names: str) -> dict[str, Any]:
    """The refusal beside a group of fields of those names."""
    found = None
    for name in names:
        found = found or take_refusal(context, name)
    return {"refusal": found}


@register.inclusion_tag("parts/refusal.html", takes_context=True)
def refusal_left(context: Any, *below: str) -> dict[str, Any]:
    """The refusal no field of the form has shown: beside the button, so that none is ever lost.

    Above several forms it names the fields `below`, which show their own; once more under the forms, without
    names, it shows what neither did.
    """
    refusal = context.get("refusal")
    left = isinstance(refusal, SabotError) and not getattr(refusal, "shown_beside_field", False)
    if below and left:
        left = refusal.field not in below
        refusal.shown_beside_field = left
    return {"refusal": refusal if left else None, "loud": True}


def take_refusal(context: Any, name: str) -> SabotError | None:
    refusal = context.get("refusal")
    if isinstance(refusal, SabotError) and refusal.field == name:
        # Noted on the refusal, since an included template has a context of its own.
        refusal.shown_beside_field = True  # type: ignore[attr-defined]
        return refusal
    return None
