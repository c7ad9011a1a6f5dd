"""How a message names the incident an act opened: as the way to it, for whoever may read it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from audits.models import Incident
from audits.pages.answers import user_of
from casino.kernel import permissions


def incident(request: HttpRequest, opened: Incident) -> SafeString:
    """`INC-2026-0009`, a link where the person may follow it."""
    if not permissions.may(user_of(request), "audits.incident.read"):
        return conditional_escape(opened.label)
    address = reverse("incident", args=[opened.pk])
    return format_html('<a class="link" href="{}">{}</a>', address, opened.label)


def tell(request: HttpRequest, said: str, opened: Incident | None) -> None:
    """The message of what was done; a warning, with its name, where it opened an incident."""
    if opened is None:
        messages.success(request, said)
    else:
        messages.warning(request, format_html("{} · {}", said, incident(request, opened)))
