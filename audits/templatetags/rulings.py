"""Rulings where they help: beside a rule, and beside an incident that is to be settled."""

from __future__ import annotations

from typing import Any

from django import template

from audits import policies
from audits import rulings as library
from audits.models import Incident
from audits.pages.rulings import told
from casino.kernel import permissions

register = template.Library()


@register.inclusion_tag("audits/_rulings.html", takes_context=True)
def rulings_of(context: Any, rule: str) -> dict[str, Any]:
    """The latest rulings under a rule, for whoever may read incidents."""
    user = context["request"].user
    if not permissions.may(user, policies.READ_INCIDENTS):
        return {"rulings": []}
    rows = [told(found) for found in library.of_rule(user.casino, rule)]
    # With the request: the house's zone is that of who asks.
    return {"rulings": rows, "rule": rule, "request": context["request"]}


@register.inclusion_tag("audits/_rulings.html", takes_context=True)
def rulings_like(context: Any, incident: Incident) -> dict[str, Any]:
    """Rulings like an incident."""
    return {"rulings": [told(found) for found in library.like(incident)], "request": context["request"]}
