"""Files kept with a filing or an incident, as their pages take them in and hand them out."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse, HttpRequest

from audits import attachments
from audits.downloads import download
from audits.models import Attachment
from audits.pages.answers import by_of, one, rows_of, uploaded


def given(request: HttpRequest) -> dict[str, Any]:
    """What the form says of a file, as the write functions of `audits.attachments` take it."""
    name, content = uploaded(request, "file", attachments.MOST_BYTES)
    return {"name": name, "content": content, "note": request.POST.get("note", ""), "by": by_of(request)}


def handed_out(request: HttpRequest, **of: int) -> FileResponse:
    """A file as a download, if its bytes are still those that were attached. Raises 404, `SabotError`."""
    found = one(rows_of(Attachment, request).select_related("filing", "incident"), **of)
    return download(attachments.open_file(attachment=found, by=by_of(request)), found)
