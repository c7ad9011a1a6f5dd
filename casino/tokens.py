"""Tokens as the API reads them: knox's, but a header of rubbish is a 401 and not a failure of ours."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class Token(TokenAuthentication):
    def authenticate_credentials(self, token: bytes) -> Any:
        if not (token.isascii() and token.isalnum()):
            raise AuthenticationFailed(_("Invalid token."))
        return super().authenticate_credentials(token)


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = Token
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return build_bearer_security_scheme_object(
            header_name="Authorization", token_prefix=self.target.authenticate_header("")
        )
