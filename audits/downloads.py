"""How a file that somebody attached leaves the house, by a page or the API: as a download, never shown."""

from __future__ import annotations

from typing import BinaryIO

from django.http import FileResponse

from audits.models import Attachment

SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'"


def download(content: BinaryIO, found: Attachment) -> FileResponse:
    """The bytes as nothing a browser shows or runs: a text may hold a script, a picture a page behind it."""
    response = FileResponse(
        content, as_attachment=True, filename=found.name, content_type="application/octet-stream"
    )
    response["X-SHA256"] = found.sha256
    response["Content-Security-Policy"] = SANDBOX
    return response
