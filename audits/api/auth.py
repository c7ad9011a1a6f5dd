"""Coming and going by token. The same check and the same limit on guessing as the login page."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from knox.models import AuthToken
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Strict
from audits.api.frame import Endpoint
from audits.api.users import UserOut
from audits.sign_in import sign_in
from casino.kernel.errors import Conflict
from casino.kernel.words import Text


class Credentials(Strict):
    username = serializers.CharField(max_length=60)
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class TokenOut(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="send it as `Authorization: Token …`")
    expires = serializers.DateTimeField()
    user = UserOut()


class TokenView(Endpoint):
    authentication_classes = []  # an old token must not keep anyone from getting a new one

    @extend_schema(request=Credentials, responses={201: TokenOut})
    def post(self, request: Request) -> Response:
        """Give a token for a user name and a password. After 5 wrong passwords: 429 for a while."""
        body = Credentials(data=request.data)
        body.is_valid(raise_exception=True)
        user = sign_in(request=request._request, way="token", **body.validated_data)
        kept, token = AuthToken.objects.create(user)
        out = {"token": token, "expires": kept.expiry, "user": user}
        return Response(TokenOut(out).data, status=201)


class Logout(Endpoint):
    @extend_schema(request=None, responses={204: OpenApiResponse(description="the token is dead")})
    def post(self, request: Request) -> HttpResponse:
        """End the token this request came with."""
        if not isinstance(request.auth, AuthToken):
            raise Conflict(
                Text("no hay ficha de acceso que terminar", "there is no token to end"), code="no_token"
            )
        request.auth.delete()
        return Response(status=204)


class Me(Endpoint):
    @extend_schema(responses=UserOut)
    def get(self, request: Request) -> Response:
        """The login this request acts as."""
        return Response(UserOut(self.user).data)
