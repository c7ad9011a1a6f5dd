"""A file sent to the API: `multipart/form-data`, one file and the fields beside it, nothing given twice.

Everything else takes JSON. What a file may be is not asked here but where it is kept (`audits.attachments`),
for pages and API alike. An Idempotency-Key stands for the fields and the SHA-256 of the bytes: the text of
the form itself has another boundary each time it is sent.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from audits.api.frame import Endpoint, Given
from casino.kernel.canonical import canonical
from casino.kernel.words import Text
from casino.problems import language_of

MEDIA_TYPE = "multipart/form-data"
_TWICE = Text("un campo o archivo viene dos veces", "a field or file is given twice")


class Upload(Given):
    """What is said of a file that is sent: the file itself, and whatever else a write takes."""

    media_type = MEDIA_TYPE
    file = serializers.FileField(allow_empty_file=True)


class Uploads(Endpoint):
    """An address that takes files."""

    parser_classes = [MultiPartParser]

    def said(self, request: Request) -> dict[str, Any]:
        """The fields and the file of the form, each once. Raises `ParseError`."""
        found: dict[str, Any] = {}
        if not isinstance(request.data, MultiValueDict):  # nothing was sent
            return found
        for name, values in request.data.lists():
            if len(values) != 1:
                raise ParseError(_TWICE.say(language_of(request)))
            found[name] = values[0]
        return found

    def sent(self, request: Request) -> bytes:
        return canonical({name: _told(value) for name, value in self.said(request).items()})


def _told(value: Any) -> Any:
    if not isinstance(value, UploadedFile):
        return value
    digest = hashlib.sha256()
    for chunk in value.chunks():
        digest.update(chunk)
    value.seek(0)
    return {"name": value.name, "sha256": digest.hexdigest()}


def read(file: UploadedFile, most: int) -> tuple[str, bytes]:
    """The name and the bytes of a file, no more than one byte beyond the most that is kept."""
    return str(file.name or ""), file.read(most + 1)
