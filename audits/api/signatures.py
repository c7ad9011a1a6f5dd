"""Second signatures: another person's user name and password in somebody else's request (GEN-10)."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request

from audits.api.frame import Endpoint, Reasoned
from audits.models import Actor
from audits.sign_in import vouch


class SignerField(serializers.CharField):
    """The user name of another person, who signs beside whoever asks; `<name>_password` is theirs."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=60, **kwargs)


class PasswordField(serializers.CharField):
    """A second person's password, as it was typed."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=200, write_only=True, trim_whitespace=False, **kwargs)


class Cosigned(Endpoint):
    """An address whose POST others sign too: every `SignerField` of `cosigns`, in its order.

    Their passwords are checked before the write: a wrong one is counted, not rolled back with it. Who need
    not sign (a field that is not required) may be left out.
    """

    cosigns: ClassVar[type[Reasoned]]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method != "POST":
            return
        body = self.cosigns(data=request.data, context=self.get_serializer_context())
        body.is_valid(raise_exception=True)
        given = body.validated_data
        self._signers = {
            name: vouch(
                request=request,
                username=given[name],
                password=given.get(f"{name}_password", ""),
                field=name,
                casino=self.casino,
            ).actor
            for name, field in body.fields.items()
            if isinstance(field, SignerField) and (field.required or given.get(name))
        }

    def signed(self, given: dict[str, Any]) -> dict[str, Any]:
        """What was given, with those who signed in place of their names and passwords."""
        passwords = {f"{name}_password" for name in self._signers}
        return {**{name: value for name, value in given.items() if name not in passwords}, **self._signers}

    def signer(self, name: str) -> Actor:
        """Who signed under that field."""
        return self._signers[name]

    def signer_if_any(self, name: str) -> Actor | None:
        """Who signed under a field that may be left out."""
        return self._signers.get(name)
