"""What OpenAPI is told that drf-spectacular does not find by itself: that every operation can be refused."""

from __future__ import annotations

from typing import Any

from django.utils import translation
from drf_spectacular.generators import SchemaGenerator


class Generator(SchemaGenerator):
    """The schema in English for everyone: names of choices are made of their labels, which are translated."""

    def get_schema(self, *args: Any, **kwargs: Any) -> Any:
        with translation.override("en"):
            return super().get_schema(*args, **kwargs)


PROBLEM = {
    "type": "object",
    "description": "RFC 9457. `code` is for programs, `detail` for people; `rule` names the rule enforced.",
    "required": ["type", "title", "status", "detail", "instance", "code", "rule", "field"],
    "additionalProperties": True,
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {"type": "string"},
        "rule": {"type": "string"},
        "field": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": {name: {"type": "string"} for name in ("field", "code", "message")},
            },
        },
    },
}

REFUSALS: dict[str, str] = {
    "400": "the request is not understood: broken JSON, a field missing or of the wrong kind",
    "401": "no login, or a token that is not valid any more",
    "403": "the role may not do it",
    "404": "no such thing in this casino",
    "405": "the address does not offer the method",
    "406": "the answer is JSON only",
    "409": "the present state forbids it, someone was first, or the Idempotency-Key was used otherwise",
    "413": "too many bytes",
    "415": "the body is of another media type than the operation takes",
    "422": "a rule or limit forbids it",
    "429": "too many attempts",
}


def add_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Post-processing hook: the envelope as a component, every refusal on every operation, and that a
    body says nothing but its fields (`audits.api.fields.Strict`).
    """
    components = result.setdefault("components", {})
    for name, schema in components.get("schemas", {}).items():
        if name.endswith("Request") and "properties" in schema:
            schema["additionalProperties"] = False
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    components["responses"] = {
        f"Refused{status}": {"description": words, "content": content} for status, words in REFUSALS.items()
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            for status in REFUSALS:
                operation["responses"].setdefault(status, {"$ref": f"#/components/responses/Refused{status}"})
    return result
