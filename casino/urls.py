"""Every address of the house. Each room brings its own; here they only get their place.

A new address needs its row in `casino/access_table.py`, or nobody reaches it.
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from audits.api.urls import urlpatterns as audits_api
from casino.health import health
from jackpots.api.urls import urlpatterns as jackpots_api
from shoes.api.urls import urlpatterns as shoes_api
from tables.api.urls import urlpatterns as tables_api

api_v1 = [*audits_api, *shoes_api, *tables_api, *jackpots_api]

urlpatterns: list[URLPattern | URLResolver] = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("health", health, name="health"),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/v1/", include((api_v1, "api"))),
    path("", include("casino.page_urls")),
]

handler400 = "casino.problems.bad_request"
handler404 = "casino.problems.unknown"
handler500 = "casino.problems.failed"
