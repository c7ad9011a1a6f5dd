"""The trail as people read it: a sentence per event, and underneath the very bytes that are hashed."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from audits import personal, vocabulary
from audits.bundles import row_proof
from audits.by import name_of
from audits.models import Event, Stream
from audits.pages.answers import one, page_of, refused, rows_of
from audits.trail import chain_hash
from casino.kernel.canonical import canonical
from casino.kernel.errors import SabotError

FILTERS = ("stream", "action", "actor", "rule")


def listing(request: HttpRequest) -> HttpResponse:
    asked = {name: request.GET.get(name, "").strip()[:80] for name in FILTERS}
    rows = rows_of(Event, request).select_related("stream", "actor").order_by("-recorded", "-id")
    if asked["stream"]:
        rows = rows.filter(stream__name=asked["stream"])
    if asked["action"]:
        rows = rows.filter(action=asked["action"])
    if asked["actor"]:
        rows = rows.filter(actor__name__icontains=asked["actor"])
    if asked["rule"]:
        rows = rows.filter(rules__contains=[asked["rule"].upper()])
    page = page_of(request, rows)
    query = urlencode({name: value for name, value in asked.items() if value})
    context = {
        "page": page,
        "events": [(event, sentence_of(event), name_of(event.actor)) for event in page],
        "asked": asked,
        "query": query + "&" if query else "",
        "actions": sorted(vocabulary.kinds().items(), key=lambda kind: kind[1].say(get_language())),
        "streams": rows_of(Stream, request).order_by("-id").values_list("name", flat=True)[:200],
    }
    return render(request, "audits/trail.html", context)


def event(request: HttpRequest, pk: int) -> HttpResponse:
    """One event: in words, its place in its chain, its raw body, and whether its hash holds."""
    found = one(rows_of(Event, request).select_related("stream", "actor"), pk=pk)
    return render(request, "audits/event.html", _told(found))


def _told(found: Event) -> dict[str, Any]:
    body = bytes(found.body)
    return {
        "event": found,
        "sentence": sentence_of(found),
        "who": name_of(found.actor),
        "raw": body.decode(),
        "pretty": json.dumps(json.loads(body), indent=2, ensure_ascii=False),
        "hash": bytes(found.hash).hex(),
        "previous_hash": bytes(found.previous_hash).hex(),
        "holds": chain_hash(bytes(found.previous_hash), body) == bytes(found.hash),
        "before": _neighbour(found, found.seq - 1),
        "after": _neighbour(found, found.seq + 1),
    }


def proof(request: HttpRequest, pk: int) -> HttpResponse:
    """The proof of one event alone, as a file for `verify_bundle.py row`."""
    found = one(rows_of(Event, request).select_related("casino"), pk=pk)
    try:
        told = row_proof.of_events(found.casino, [found])
    except SabotError as refusal:
        return refused(request, "audits/event.html", _told(found), refusal)
    response = HttpResponse(canonical(told) + b"\n", content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="prueba-{found.pk}.json"'
    return response


def sentence_of(event: Event) -> Any:
    return personal.sentence(event)


def _neighbour(event: Event, seq: int) -> Event | None:
    return Event.objects.filter(stream=event.stream_id, seq=seq).first()
