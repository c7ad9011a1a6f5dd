"""How much one request may upload: refused by what it announces, before a byte of it lies on the disk.

A form with a file is read before anybody asks who sent it. What a room keeps is smaller still, and refused in
words beside the field (`audits.attachments`).
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

MOST_BYTES = 64 * 1024 * 1024


class UploadTooBig(RequestDataTooBig):
    """More than one request may upload: `limit`, in bytes."""

    limit = MOST_BYTES


class Bounded(FileUploadHandler):
    """The first of the upload handlers; it keeps nothing and passes on what is not too much."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803  (Django names it so)
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        if content_length > MOST_BYTES:
            raise UploadTooBig(f"an upload of {content_length} bytes exceeds {MOST_BYTES}")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
