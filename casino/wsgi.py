"""Where gunicorn finds the application."""

from __future__ import annotations

import os
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")


class Request(WSGIRequest):
    """A request is UTF-8 whatever charset its header claims: `hex` is one to Python, and no text."""

    def _set_content_type_params(self, meta: Any) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


application = get_wsgi_application()
application.request_class = Request
