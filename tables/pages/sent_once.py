"""A form sent twice is done once, also when both arrive at once: its number is kept with the write.

A tablet that lost its line and a second click send the same form again; the second waits for the first and
finds it done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from django.http import HttpRequest

from audits.by import By
from audits.pages.answers import by_of, user_of
from casino.idempotency import Sent, checked_key, once, request_id
from casino.kernel.errors import Conflict
from casino.kernel.words import Text

_OURS = ("csrfmiddlewaretoken",)


def once_by_form(request: HttpRequest, key: str, act: Callable[[By], object]) -> None:
    """Do `act` unless the form `key` was done before; without a number it is simply done.

    Raises `Conflict` (`form_used`) for a form that was done with other contents.
    """
    user, key = user_of(request), checked_key(key, required=False)
    by = by_of(request)
    asked = request_id(user, key)
    if asked is None:
        act(by)
        return
    told = replace(by, request_id=asked)
    given = sorted((name, value) for name, value in _given(request) if name not in _OURS)

    def write() -> tuple[int, bytes]:
        act(told)
        return 200, b"{}"

    try:
        once(Sent(user, key, "POST", request.path, repr(given).encode()), write)
    except Conflict as refusal:
        raise _used() if refusal.code == "idempotency_conflict" else refusal from None


def _given(request: HttpRequest) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, values in request.POST.lists() for value in values]


def _used() -> Conflict:
    return Conflict(
        Text(
            "este formulario ya se registró con otros datos: mire cómo quedó y hágalo de nuevo",
            "this form was recorded already with other contents: look how things stand and do it again",
        ),
        code="form_used",
    )
