"""Reading what a request says, so that nothing a stranger sends can reach the database as poison.

Refused here, once for pages and API alike: text that PostgreSQL cannot store (NUL, half a surrogate
pair), wherever it stands. Of a JSON body, which is UTF-8 whatever its header claims, also: nesting
without end, names given twice, numbers that are none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.parsers import JSONParser

from casino.kernel.words import Text
from casino.problems import API_PREFIX, bad_request

MAX_DEPTH = 12
MAX_TEXT = 20_000
"""Longest text anywhere in a body; fields set their own, lower limits."""


def storable(text: str) -> bool:
    """Whether PostgreSQL can hold a text: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)


class ReadableText:
    """Answers 400 to a text nobody can store, in an address, a query, a cookie or a form.

    A body of the API is `StrictJSON`'s to read, so that no form parser eats it first.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if all(map(storable, _texts(request))):
            return self.get_response(request)
        return bad_request(request, BadRequest("a null or broken character"))


def _texts(request: HttpRequest) -> Iterator[str]:
    yield request.path_info
    yield from request.COOKIES.values()
    forms = [request.GET] if request.path.startswith(API_PREFIX) else [request.GET, request.POST]
    for form in forms:
        for name, values in form.lists():
            yield name
            yield from (value for value in values if isinstance(value, str))


class StrictJSON(JSONParser):
    """`application/json`, one value, no surprises."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        assert parser_context is not None
        language = str(parser_context["language"])
        raw = body_of(parser_context["request"])
        try:
            value = json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ParseError(_BROKEN.say(language)) from error
        fault = _fault(value, 0)
        if fault is not None:
            raise ParseError(fault.say(language))
        return value


def body_of(request: Any) -> bytes:
    """The bytes of a request, read once. Raises `UnsupportedMediaType` when a form ate them."""
    try:
        return bytes(request.body)
    except RawPostDataException as error:
        raise UnsupportedMediaType(request.content_type) from error


_BROKEN = Text(
    "el cuerpo no es JSON válido en UTF-8 (nombres sin repetir)",
    "the body is not valid JSON in UTF-8 (names not repeated)",
)
_DEEP = Text(f"más de {MAX_DEPTH} niveles", f"more than {MAX_DEPTH} levels")
_LONG = Text(f"un texto supera {MAX_TEXT} caracteres", f"a text exceeds {MAX_TEXT} characters")
_BAD_CHARACTER = Text(
    "un texto lleva un carácter nulo o incompleto", "a text holds a null or broken character"
)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name given twice")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _fault(value: Any, depth: int) -> Text | None:
    if depth > MAX_DEPTH:
        return _DEEP
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            return _LONG
        return None if storable(value) else _BAD_CHARACTER
    parts: Any = ()
    if isinstance(value, dict):
        parts = (*value.keys(), *value.values())
    elif isinstance(value, list):
        parts = value
    return next((fault for part in parts if (fault := _fault(part, depth + 1))), None)
