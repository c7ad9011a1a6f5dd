"""What every endpoint of every room is built on: parse, permission, call, render, and no rule.

Reads are `Rows` (a list, paginated and filterable) and `Row`. A write is one method under
`@writes(command, …)`, which parses the body, tells the write function who asks and when it
happened, keeps the answer under the `Idempotency-Key` and describes itself to OpenAPI.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponse
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import generics, mixins, serializers
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Instant, Strict
from audits.by import LONGEST_REASON, By, by_user
from casino import idempotency
from casino.access import ByTable
from casino.kernel.errors import NotAllowed
from casino.kernel.words import Text
from casino.models import Casino, User
from casino.parsing import StrictJSON, body_of
from casino.problems import language_of


class Reasoned(Strict):
    """What every change of a setting may say beside its own fields: why. It happens now."""

    media_type = "application/json"
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_REASON)


class Given(Reasoned):
    """What every other write may say beside its own. `occurred_at` is an instant with its zone."""

    occurred_at = Instant(required=False, help_text="when it happened; now if left out")


class Endpoint(generics.GenericAPIView[Any]):
    """One address. `queryset` is narrowed to the user's casino by `casino_path`, always."""

    permission_classes: list[type[BasePermission]] = [ByTable]
    parser_classes = [StrictJSON]
    metadata_class = None  # what can be sent where is told by OpenAPI
    queryset: QuerySet[Any] | None = None
    casino_path = "casino"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        # The locale middleware ran before a token was read: whose it is, and so which language, is known now.
        translation.activate(language_of(request))

    def get_parser_context(self, http_request: Any) -> dict[str, Any]:
        return {**super().get_parser_context(http_request), "language": language_of(http_request)}

    @property
    def user(self) -> User:
        return self.request.user  # type: ignore[return-value]

    @property
    def casino(self) -> Casino:
        return self.user.casino

    @property
    def language(self) -> str:
        return translation.get_language() or "es-bo"

    def sent(self, request: Request) -> bytes:
        """What of a request must be equal for another under its Idempotency-Key to be the same."""
        return body_of(request)

    def said(self, request: Request) -> Any:
        """What a request says, parsed."""
        return request.data

    def get_serializer_context(self) -> dict[str, Any]:
        context = dict(super().get_serializer_context())
        if not getattr(self, "swagger_fake_view", False) and self.user.is_authenticated:
            context |= {"language": self.language, "exponent": self.casino.exponent, "casino": self.casino}
        return context

    def get_queryset(self) -> QuerySet[Any]:
        assert self.queryset is not None
        if getattr(self, "swagger_fake_view", False):
            return self.queryset.none()
        return self.own(self.queryset.all(), self.casino_path)

    def own(self, rows: QuerySet[Any], casino_path: str = "casino") -> QuerySet[Any]:
        """`rows` of the user's casino."""
        return rows.filter(**{casino_path: self.user.casino_id})

    def one(self, rows: type[Model] | QuerySet[Any], pk: Any, casino_path: str = "casino") -> Any:
        """The row of the user's casino, or 404: another casino's is as good as none."""
        queryset = rows._default_manager.all() if isinstance(rows, type) else rows
        found = self.own(queryset, casino_path).filter(pk=pk).first()
        if found is None:
            raise Http404
        return found

    def by(self, given: dict[str, Any], key: str) -> By:
        """Who asks, when it happened and why, out of what a write was given."""
        if not hasattr(self.user, "actor"):
            raise NotAllowed(
                Text("este usuario no actúa en la casa", "this login does not act in the house"),
                code="no_actor",
            )
        return by_user(
            self.user,
            request_id=idempotency.request_id(self.user, key),
            occurred_at=given.pop("occurred_at", None),
            reason=given.pop("reason", ""),
        )


class Rows(mixins.ListModelMixin, Endpoint):
    """A list."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request, *args, **kwargs)


class Row(Endpoint):
    """One thing of a list; `pk` in its address."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.get_serializer(self.get_object()).data)


Serializer = type[serializers.BaseSerializer[Any]]


def writes(
    command: Callable[..., Any],
    *,
    takes: type[Reasoned] | None = None,
    gives: Serializer | None = None,
    many: bool = False,
    status: int = 200,
    key_required: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., HttpResponse]]:
    """Make a POST handler of `method(self, by, given, **url) -> object` that calls `command`.

    `gives` renders the object (nothing: 204). `key_required` for acts that create money or rounds.
    """
    setting = getattr(command, "setting", False)
    takes = takes or (Reasoned if setting else Given)
    if setting and issubclass(takes, Given):
        raise TypeError(f"{takes.__name__} states when: a setting is changed when it is recorded")
    shown = OpenApiResponse(gives(many=many)) if gives else OpenApiResponse(description="done")

    def wrap(method: Callable[..., Any]) -> Callable[..., HttpResponse]:
        @extend_schema(
            request={takes.media_type: takes},
            responses={status if gives else 204: shown},
            parameters=[_key_parameter(key_required)],
            description=method.__doc__ or (command.__doc__ or "").partition("\n")[0],
        )
        @wraps(method)
        def post(self: Endpoint, request: Request, *args: Any, **url: Any) -> HttpResponse:
            raw = self.sent(request)
            key = idempotency.checked_key(request.headers.get(idempotency.HEADER), required=key_required)

            def write() -> tuple[int, bytes]:
                body = takes(data=self.said(request), context=self.get_serializer_context())
                body.is_valid(raise_exception=True)
                given = dict(body.validated_data)
                made = method(self, self.by(given, key), given, **url)
                if gives is None:
                    return 204, b""
                context = self.get_serializer_context()
                return status, JSONRenderer().render(gives(made, many=many, context=context).data)

            if not key:
                done, content = write()
                return HttpResponse(content, status=done, content_type="application/json")
            sent = idempotency.Sent(self.user, key, str(request.method), request.path, raw)
            return idempotency.once(sent, write)

        post.command = command  # type: ignore[attr-defined]
        return post

    return wrap


def _key_parameter(required: bool) -> OpenApiParameter:
    return OpenApiParameter(
        idempotency.HEADER,
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        required=required,
        description="A UUID per operation; the same key and body answer the same response.",
    )
