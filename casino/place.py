"""Where a request is: the name of its address and what that points at, for whatever is put on record of it.

Kept in a context of the request, so that a refusal raised deep inside a write function is told with the page
or the endpoint it came by (`audits.refusals`), and no view has to hand it down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse


@dataclass(frozen=True, slots=True)
class Place:
    """`about`: the values in the address, as `pk=12`."""

    name: str = ""
    method: str = ""
    about: str = ""


_NOWHERE = Place()
_here: ContextVar[Place] = ContextVar("sabot_place", default=_NOWHERE)
_SHOWN = "_sabot_rows_shown"


def here() -> Place:
    """The place of the request being answered; an empty one outside any."""
    return _here.get()


def shows(request: HttpRequest, rows: Iterable[Any]) -> None:
    """Note which rows a list shows, for who looked at whom."""
    setattr(request, _SHOWN, list(rows))


def rows_shown(request: HttpRequest, response: HttpResponse) -> list[Any] | None:
    """The rows an answer shows, where that is known: a page said so, or the API lists them."""
    noted: list[Any] | None = getattr(request, _SHOWN, None)
    data = getattr(response, "data", None)
    if noted is None and isinstance(data, dict) and isinstance(data.get("results"), list):
        return list(data["results"])
    if noted is None and isinstance(data, list):
        return list(data)
    return noted


class Placing:
    """Keep the place of each request while it is answered."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = _here.set(Place(request.path[:80], str(request.method)))
        try:
            return self.get_response(request)
        finally:
            _here.reset(token)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        match = request.resolver_match
        if match is not None:
            about = ", ".join(f"{name}={value}" for name, value in sorted(match.kwargs.items()))
            _here.set(Place(str(match.view_name)[:80], str(request.method), about[:120]))
