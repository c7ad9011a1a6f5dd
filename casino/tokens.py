"""Tokens as the API reads them: knox's, but a header of rubbish is a 401 and not a failure of ours."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from casino.logins import is_over

NOBODYS = b"-"


class Token(TokenAuthentication):
    def authenticate_credentials(self, token: bytes) -> Any:
        # knox decodes the bytes without looking; what cannot be a token becomes one that nobody has.
        return super().authenticate_credentials(token if token.isascii() and token.isalnum() else NOBODYS)

    def validate_user(self, auth_token: Any) -> Any:
        user, token = super().validate_user(auth_token)
        if is_over(user):
            raise AuthenticationFailed("el acceso terminó / the access is over")
        return user, token


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = Token
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return build_bearer_security_scheme_object(
            header_name="Authorization", token_prefix=self.target.authenticate_header("")
        )
