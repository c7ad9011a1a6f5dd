"""Whether this house answers: for a load balancer or a watchman, without a login and without news."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse


def health(request: HttpRequest) -> HttpResponse:
    """`ok` when the database answers; otherwise the request fails with 500."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok", content_type="text/plain")
