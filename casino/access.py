"""The table that ties every address and method to an act; what is not in it is refused.

An act and its roles are declared in `<app>/policies.py`; here they only meet addresses. Pages are
held to the table by `AccessMiddleware`, the API by `ByTable` (a token is read later than any
middleware runs), and the middleware refuses an API view that forgot `ByTable`.
`tests/house/test_matrix.py` fails for an address missing here and for a row without an address.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.views import defaults
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from casino.access_table import PUBLIC, SIGNED_IN, URLS
from casino.kernel import permissions
from casino.kernel.errors import NotAllowed, NotFound, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.problems import API_PREFIX, language_of, respond

READS_LIKE_GET = frozenset({"HEAD", "OPTIONS"})

_UNKNOWN = Text("no existe esa dirección", "there is no such address")
_FOR_PEOPLE = Text(
    "las páginas son para personas; un dispositivo usa la API con su ficha de acceso",
    "pages are for people; a device uses the API with its token",
)
_CLOSED = Text("esta dirección no está abierta a nadie", "this address is open to nobody")


def roles_of(user: Any) -> frozenset[Role]:
    """The roles of a login; none for nobody."""
    return getattr(user, "roles", frozenset())


def act_for(name: str, method: str) -> str | None:
    """The act an address demands for a method; `None` when it does not offer the method."""
    return URLS.get(name, {}).get("GET" if method in READS_LIKE_GET else method)


def allows(user: Any, act: str) -> bool:
    """Whether a login may do an act: signed in, active, of a casino, with a role for it."""
    if act == PUBLIC:
        return True
    known = bool(user.is_authenticated and user.is_active and user.casino_id)
    return known and permissions.may(user, act)


class ByTable(BasePermission):
    """What the API holds every request to. Without a login it leads to 401, without the role to 403."""

    def has_permission(self, request: Request, view: Any) -> bool:
        act = act_for(_name_of(request), str(request.method))
        if act is None:
            raise MethodNotAllowed(str(request.method))
        if allows(request.user, act):
            return True
        if request.user.is_authenticated and request.user.is_active:
            permissions.require(request.user, act)
        return False


class AccessMiddleware:
    """What pages are held to, and the guard that no API view goes without `ByTable`."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self.get_response(request)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        name = _name_of(request)
        if name not in URLS:
            return refused(request, NotFound(_UNKNOWN))
        act = act_for(name, str(request.method))
        if is_api(view):
            # DRF answers the method it lacks and the missing login itself, in its own envelope.
            guarded = ByTable in view.cls.permission_classes
            return None if guarded else refused(request, NotAllowed(_CLOSED))
        if act is None:
            return HttpResponseNotAllowed(sorted(URLS[name]))
        if allows(request.user, act):
            for_people = act not in (PUBLIC, SIGNED_IN) and Role.DEVICE in roles_of(request.user)
            return refused(request, NotAllowed(_FOR_PEOPLE)) if for_people else None
        if not request.user.is_authenticated:
            return to_login(request)
        try:
            permissions.require(request.user, act)
        except NotAllowed as refusal:
            return refused(request, refusal)
        return refused(request, NotAllowed(_CLOSED))


def is_api(view: Any) -> bool:
    """Whether a resolved view is one of the API's classes."""
    return hasattr(getattr(view, "cls", None), "permission_classes")


def to_login(request: HttpRequest) -> HttpResponse:
    """Send a page to the login, back to where it was; a fragment cannot show one, so it sends its page."""
    if "HX-Request" in request.headers:
        back = redirect_to_login(request.headers.get("HX-Current-URL", "/"))
        return HttpResponse(status=401, headers={"HX-Redirect": back["Location"]})
    return redirect_to_login(request.get_full_path())


def refused(request: HttpRequest, refusal: SabotError) -> HttpResponse:
    """A refusal before any view ran: problem+json for the API, a page for people."""
    if request.path.startswith(API_PREFIX):
        return respond(request, refusal)
    said = refusal.say(language_of(request))
    if isinstance(refusal, NotFound):
        return defaults.page_not_found(request, Exception(said))
    return defaults.permission_denied(request, PermissionDenied(said))


def _name_of(request: Any) -> str:
    match = request.resolver_match
    return str(match.view_name) if match is not None else ""
