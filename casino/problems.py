"""How the API says no: one envelope for every refusal, RFC 9457 `application/problem+json`.

A refusal of ours keeps its code, rule and field; what the framework refuses (a bad token, broken
JSON, an unknown address) gets a stable code from the table below. What nobody foresaw stays a 500
and tells nothing of its inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.utils.encoding import force_str
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response

from casino.kernel.commands import keep_refusal
from casino.kernel.errors import Busy, NotAllowed, NotFound, SabotError
from casino.kernel.words import Text

MEDIA_TYPE = "application/problem+json"
API_PREFIX = "/api/"
RESERVED = frozenset({"type", "title", "status", "detail", "instance", "code", "rule", "field", "errors"})

TITLES: dict[int, Text] = {
    400: Text("La solicitud no se entiende", "The request is not understood"),
    401: Text("Falta identificarse", "Sign in first"),
    403: Text("No está permitido", "Not allowed"),
    404: Text("No existe", "Not found"),
    405: Text("Método no admitido", "Method not offered"),
    406: Text("Formato no disponible", "Format not available"),
    409: Text("El estado actual no lo permite", "The present state forbids it"),
    413: Text("Demasiado grande", "Too large"),
    415: Text("Tipo de contenido no admitido", "Content type not accepted"),
    422: Text("No se acepta", "Not accepted"),
    429: Text("Demasiados intentos", "Too many attempts"),
    500: Text("Falla del sistema", "System failure"),
}

# What the framework raises, most particular first: status aside, its stable code.
FRAMEWORK_CODES: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.ParseError, "unreadable_body"),
    (exceptions.NotAuthenticated, "not_signed_in"),
    (exceptions.AuthenticationFailed, "bad_credentials"),
    (exceptions.PermissionDenied, "not_allowed"),
    (exceptions.NotFound, "not_found"),
    (exceptions.MethodNotAllowed, "method_not_offered"),
    (exceptions.NotAcceptable, "format_not_available"),
    (exceptions.UnsupportedMediaType, "content_type_not_accepted"),
    (exceptions.Throttled, "too_many_attempts"),
)


class TooMany(SabotError):
    """Too many attempts; `wait_seconds` says when to try again (429 with Retry-After)."""

    status = 429
    default_code = "too_many_attempts"

    def __init__(self, message: Text, *, wait_seconds: int) -> None:
        super().__init__(message, detail={"retry_after_seconds": wait_seconds})
        self.wait_seconds = wait_seconds


class TooLarge(SabotError):
    """More bytes than one request may carry (413)."""

    status = 413
    default_code = "body_too_large"


class Malformed(SabotError):
    """The request itself is wrong, whatever the state of things (400)."""

    status = 400
    default_code = "malformed"


def language_of(request: Any) -> str:
    """The language to answer in: what the request asks for, else the user's own, else Spanish."""
    asked = "HTTP_ACCEPT_LANGUAGE" in request.META or settings.LANGUAGE_COOKIE_NAME in request.COOKIES
    if asked:
        return translation.get_language_from_request(getattr(request, "_request", request))
    # The user is looked at only if already known: a refusal may come before anyone is identified.
    user = getattr(request, "_user", None) or getattr(
        getattr(request, "_request", request), "_cached_user", None
    )
    return str(getattr(user, "language", "") or settings.LANGUAGE_CODE)


def handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler. Unforeseen errors go on to Django, which logs them and asks `failed`."""
    request = context["request"]
    language = language_of(request)
    error = _translated(error)
    headers: dict[str, str] = {}
    if isinstance(error, SabotError):
        note_refusal(request, error)
        body, status = body_of(error, language, request.path), error.status
        if isinstance(error, Busy):
            headers["Retry-After"] = str(error.retry_after_seconds)
        elif isinstance(error, TooMany):
            headers["Retry-After"] = str(error.wait_seconds)
    elif isinstance(error, exceptions.ValidationError):
        status = error.status_code
        body = envelope(status, _INVALID.say(language), "invalid", language, request.path)
        body["errors"] = list(_field_errors(error.get_full_details()))
        if len(body["errors"]) == 1:
            body["field"] = body["errors"][0]["field"]
    elif isinstance(error, exceptions.APIException):
        status = error.status_code
        body = envelope(status, force_str(error.detail), _code_of(error), language, request.path)
        wait, scheme = getattr(error, "wait", None), getattr(error, "auth_header", None)
        if wait:
            headers["Retry-After"] = str(int(wait) + 1)
        if scheme:
            headers["WWW-Authenticate"] = scheme
    else:
        return None
    return Response(body, status=status, headers=headers, content_type=MEDIA_TYPE)


_INVALID = Text("revise los campos indicados y envíe de nuevo", "correct the fields named and send again")


def body_of(error: SabotError, language: str, instance: str) -> dict[str, Any]:
    """The problem of a refusal; its detail joins as extension members."""
    body = envelope(error.status, error.say(language), error.code, language, instance)
    body["rule"], body["field"] = error.rule, error.field
    for name, value in error.detail.items():
        if name not in RESERVED:
            body[name] = _plain(value, language)
    return body


def note_refusal(request: Any, error: SabotError) -> None:
    """Have what a rule refused put on record, for whoever is signed in; the answer does not change for it."""
    actor = getattr(getattr(request, "user", None), "actor", None)
    if actor is not None:
        keep_refusal(actor, error)


def envelope(status: int, message: str, code: str, language: str, instance: str) -> dict[str, Any]:
    return {
        "type": f"urn:sabot:problem:{code}",
        "title": TITLES.get(status, TITLES[400]).say(language),
        "status": status,
        "detail": message,
        "instance": instance,
        "code": code,
        "rule": "",
        "field": "",
    }


def respond(request: HttpRequest, error: SabotError) -> JsonResponse:
    """A problem answered outside any API view (middleware, unknown addresses)."""
    note_refusal(request, error)
    body = body_of(error, language_of(request), request.path)
    return JsonResponse(body, status=error.status, content_type=MEDIA_TYPE)


def _translated(error: Exception) -> Exception:
    """Django's own exceptions as the refusal they stand for."""
    if isinstance(error, RequestDataTooBig):
        limit = getattr(error, "limit", settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        return TooLarge(
            Text(
                f"la solicitud supera {limit} bytes; divídala", f"the request exceeds {limit} bytes; split it"
            ),
            detail={"limit_bytes": limit},
        )
    if isinstance(error, Http404):
        return NotFound(Text("no existe en su casino", "no such thing in your casino"))
    if isinstance(error, PermissionDenied):
        return NotAllowed(Text("su función no lo permite", "your role may not do it"))
    if isinstance(error, SuspiciousOperation):
        return Malformed(Text("la solicitud no es válida", "the request is not valid"))
    return error


def _code_of(error: exceptions.APIException) -> str:
    return next((code for kind, code in FRAMEWORK_CODES if isinstance(error, kind)), "refused")


def _field_errors(details: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flat list of `{field, code, message}` out of DRF's nested errors; fields as `bets.0.amount`."""
    if isinstance(details, list):
        for index, item in enumerate(details):
            leaf = isinstance(item, dict) and set(item) == {"message", "code"}
            yield from _field_errors(item, path if leaf else _joined(path, str(index)))
    elif isinstance(details, dict) and set(details) == {"message", "code"}:
        yield {"field": path, "code": str(details["code"]), "message": str(details["message"])}
    elif isinstance(details, dict):
        for name, item in details.items():
            yield from _field_errors(item, path if name == "non_field_errors" else _joined(path, str(name)))


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _plain(value: Any, language: str) -> Any:
    if isinstance(value, Text):
        return value.say(language)
    if isinstance(value, Mapping):
        return {str(name): _plain(item, language) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, language) for item in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


# ---- what Django answers when no view does (handlers in casino/urls.py) ---------------------------


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not request.path.startswith(API_PREFIX):
        return defaults.bad_request(request, exception)
    error = _translated(exception)
    return respond(request, error if isinstance(error, SabotError) else Malformed(TITLES[400]))


def unknown(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not request.path.startswith(API_PREFIX):
        return defaults.page_not_found(request, exception)
    return respond(request, NotFound(Text("no existe esa dirección", "there is no such address")))


def failed(request: HttpRequest) -> HttpResponse:
    if not request.path.startswith(API_PREFIX):
        return defaults.server_error(request)
    language = language_of(request)
    message = Text(
        "ocurrió una falla que no es suya; quedó anotada. Envíe de nuevo con la misma Idempotency-Key",
        "something failed and it is not your fault; it was noted. Send again with the same Idempotency-Key",
    )
    body = envelope(500, message.say(language), "system_failure", language, request.path)
    return JsonResponse(body, status=500, content_type=MEDIA_TYPE)
