"""One export: its file and manifest, cancelled or made again, compared with now, signed, delivered."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from audits import export_derived, export_files, export_signing, exports, manifests, policies
from audits.by import name_of
from audits.models import Event, Export, ExportDelivery
from audits.pages.answers import by_of, one, refused, unless_changed, user_of
from audits.pages.reports import exports_of, shown
from audits.pages.trail import sentence_of
from audits.reports import formats, kept
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text

TEMPLATE = "audits/export.html"
MOST_EVENTS, MOST_LINES = 50, 300
LARGEST_RECEIPT = 10 * 1024 * 1024


def show(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, TEMPLATE, _context(request, _export(request, pk)))


def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """How far a file is: asked for until it has ended, when the page around it has something else to say.
    Opened by itself, the whole page."""
    if not request.headers.get("HX-Request"):
        response = show(request, pk)
        patch_vary_headers(response, ["HX-Request"])
        return response
    export = one(exports_of(request), pk=pk)
    response = unless_changed(request, "audits/_export.html", shown(export))
    patch_vary_headers(response, ["HX-Request"])
    if export.state not in (Export.State.WAITING, Export.State.RUNNING):
        response["HX-Refresh"] = "true"
    return response


def manifest(request: HttpRequest, pk: int) -> HttpResponse:
    """What the file is, with the signature over it: one file to keep beside it."""
    export = _export(request, pk)
    try:
        exports.require_done(export, by_of(request), policies.READ_REPORTS)
        told = manifests.as_file(export)
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, export), refusal)
    response = HttpResponse(told, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{export.file_name}.manifest.json"'
    return response


def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Call it off while it is being made."""
    return _done(request, pk, lambda found: exports.cancel_export(export=found, by=by_of(request)))


def again(request: HttpRequest, pk: int) -> HttpResponse:
    """The same figures as they were known then, in the format chosen."""
    return _derived(request, pk, export_derived.export_again)


def difference(request: HttpRequest, pk: int) -> HttpResponse:
    """What is otherwise by what is known now."""
    return _derived(request, pk, export_derived.export_difference)


def sign(request: HttpRequest, pk: int) -> HttpResponse:
    return _done(request, pk, lambda found: export_signing.sign_export(export=found, by=by_of(request)))


def deliver(request: HttpRequest, pk: int) -> HttpResponse:
    """It was handed to the AJ; of a receipt that is a file its SHA-256 is kept."""

    def act(found: Export) -> object:
        name, digest = _receipt(request)
        return export_signing.deliver_export(
            export=found,
            recipient=request.POST.get("recipient", ""),
            how=request.POST.get("how", ""),
            reference=request.POST.get("reference", ""),
            receipt_name=name,
            receipt_sha256=digest,
            by=by_of(request),
        )

    return _done(request, pk, act)


def _receipt(request: HttpRequest) -> tuple[str, str]:
    file = request.FILES.get("receipt")
    if file is None:
        return "", ""
    if (file.size or 0) > LARGEST_RECEIPT:
        raise Refused(
            Text(
                "la constancia pasa de 10 MB: elija el archivo que dio la AJ, o una copia menor",
                "the receipt is larger than 10 MB: choose the file the AJ gave, or a smaller copy",
            ),
            code="receipt_too_large",
            field="receipt",
        )
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    return (file.name or "")[:120], digest.hexdigest()


def _derived(request: HttpRequest, pk: int, order: Callable[..., Export]) -> HttpResponse:
    found = _export(request, pk)
    try:
        made = order(export=found, format=request.POST.get("format", ""), by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, found), refusal)
    return redirect("export-show", made.pk)


def _done(request: HttpRequest, pk: int, act: Callable[[Export], object]) -> HttpResponse:
    try:
        act(_export(request, pk))
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request, _export(request, pk)), refusal)
    messages.success(request, _("Registrado"))
    return redirect("export-show", pk)


def _export(request: HttpRequest, pk: int) -> Export:
    rows = exports_of(request).select_related(
        "requested_by", "casino", "of", "schedule", "delivery__delivered_by"
    )
    found: Export = one(rows, pk=pk)
    return found


def _context(request: HttpRequest, export: Export) -> dict[str, Any]:
    me = getattr(getattr(user_of(request), "actor", None), "pk", None)
    signatures = list(export.signatures.select_related("signer"))
    events = Event.objects.filter(casino=export.casino_id, subject_type="export", subject_id=export.pk)
    own = export.requested_by_id == me
    return {
        **shown(export),
        "formats": [choice for choice in Export.Format.choices if choice[0] in formats.WRITERS],
        "ways": ExportDelivery.How.choices,
        "signatures": signatures,
        "signed_by_me": any(one.signer_id == me for one in signatures),
        "second_is_not_mine": own and len(signatures) == 1,
        "delivery": getattr(export, "delivery", None),
        "told": manifests.read(export) if export.manifest is not None else None,
        "lines": _lines(export),
        "events": [
            (event, sentence_of(event), name_of(event.actor))
            for event in events.select_related("actor").order_by("pk")[:MOST_EVENTS]
        ],
        "derived": [
            shown(one) for one in export.derived.select_related("requested_by", "casino").order_by("pk")
        ],
    }


def _lines(export: Export) -> list[tuple[str, list[Any]]] | None:
    """What a difference tells, table by table; None for any other export, and for one altered since."""
    if export.purpose != Export.Purpose.DIFFERENCE or export.state != Export.State.DONE:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows"
        try:
            export_files.copy_rows(export, path)
        except SabotError:
            return None
        document = kept.document_of(manifests.read(export)["outline"], path)
        tables = [
            (document.say(section.title), list(islice(section.rows(), MOST_LINES)))
            for section in document.sections
        ]
    return [(title, rows) for title, rows in tables if rows]
