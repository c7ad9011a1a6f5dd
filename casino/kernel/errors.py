"""Every way Sabot says no.

A refusal has a stable `code` for programs, a message for the person who must act on it, the id of
the rule it enforces (if a rule does) and the field it is about (if one is). The API renders it as
RFC 9457 problem+json, a page shows it beside the field, a command prints it. Nothing else is
raised on purpose by a write function or by a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.words import Text


class SabotError(Exception):
    """A refusal. Subclasses fix the HTTP status; `code` is `noun_problem` in snake case."""

    status = 422
    default_code = "refused"
    kept = False
    """Whether it is on record already (`commands.watch_refusals`): what passes several hands is kept once."""

    def __init__(
        self,
        message: Text,
        *,
        code: str = "",
        rule: str = "",
        field: str = "",
        detail: Mapping[str, Any] | None = None,
    ) -> None:
        self.message = message
        self.code = code or self.default_code
        self.rule = rule
        self.field = field
        self.detail = dict(detail or {})
        super().__init__(message.es, self.code, rule)

    def __str__(self) -> str:
        return f"{self.message.es} [{self.rule}]" if self.rule else self.message.es

    def say(self, language: str | None) -> str:
        return self.message.say(language)


class Refused(SabotError):
    """The values given cannot be accepted as they are (422)."""


class RuleViolation(Refused):
    """A rule of the book forbids it (422). Always names the rule."""

    default_code = "rule_violation"

    def __init__(
        self,
        rule: str,
        message: Text,
        detail: Mapping[str, Any] | None = None,
        *,
        code: str = "",
        field: str = "",
    ) -> None:
        super().__init__(message, code=code, rule=rule, field=field, detail=detail)


class Conflict(SabotError):
    """The state of things forbids it now: someone was first, or a step is missing (409)."""

    status = 409
    default_code = "conflict"


class Busy(Conflict):
    """Another write holds what this one needs; worth trying again (409 with Retry-After)."""

    default_code = "busy"
    retry_after_seconds = 3


class NotAllowed(SabotError):
    """This role, or this person, may not do it (403)."""

    status = 403
    default_code = "not_allowed"


class NotFound(SabotError):
    """No such thing within what this person may see (404)."""

    status = 404
    default_code = "not_found"
