"""Fields that more than one room shows: money, texts in one language, hashes, a casino's own rows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

import django_filters as filters
from django import forms
from django_filters.fields import IsoDateTimeField
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from casino.kernel import clock, money
from casino.kernel.errors import Refused

BIGGEST_ID = 9_223_372_036_854_775_807


@extend_schema_field({"type": "string", "pattern": r"^-?\d{1,16}([.,]\d+)?$", "example": "1250.50"})
class Money(serializers.Field[int, Any, str, Any]):
    """An amount: smallest units inside, a decimal string outside; a JSON number may be a float: refused."""

    default_error_messages = {"not_text": "escriba el importe como texto: «1250.50» / write it as text"}

    def __init__(self, *, signed: bool = False, **kwargs: Any) -> None:
        self.signed = signed
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str):
            self.fail("not_text")
        try:
            units = money.parse(data, self.context.get("exponent", 2), field=self.field_name or "")
        except Refused as refusal:
            raise serializers.ValidationError(
                refusal.say(self.context.get("language")), code=refusal.code
            ) from refusal
        if units < 0 and not self.signed:
            raise serializers.ValidationError("≥ 0", code="bad_amount")
        return units

    def to_representation(self, value: int) -> str:
        return money.plain(value, self.context.get("exponent", 2))


@extend_schema_field(OpenApiTypes.STR)
class Words(serializers.Field[Any, Any, str, Any]):
    """A `Text` (or its `{es, en}`) in the language of the request."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> str:
        language = str(self.context.get("language") or "")
        if isinstance(value, dict):
            return str(value.get("en" if language.startswith("en") else "es", ""))
        return str(value.say(language))


@extend_schema_field({"type": "string", "pattern": "^[0-9a-f]{64}$"})
class Hex(serializers.Field[Any, Any, str, Any]):
    """Bytes as hexadecimal digits."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> str:
        return bytes(value).hex()


class Strict(serializers.Serializer[Any]):
    """An object that says nothing but its fields: a misspelt name is refused, not passed over."""

    default_error_messages = {"unknown_field": "no existe ese campo / there is no such field"}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            known = {field.field_name for field in self._writable_fields}
            message = str(self.error_messages["unknown_field"])
            unknown = {name: [ErrorDetail(message, "unknown_field")] for name in data if name not in known}
            if unknown:
                raise serializers.ValidationError(unknown)
        return super().to_internal_value(data)


class Own(serializers.PrimaryKeyRelatedField):
    """The id of a row of the user's casino; another casino's is as unknown as none."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("pk_field", serializers.IntegerField(min_value=1, max_value=BIGGEST_ID))
        super().__init__(**kwargs)

    def get_queryset(self) -> Any:
        rows: Any = super().get_queryset()
        return rows.filter(casino=self.context["casino"]) if "casino" in self.context else rows.none()


def _names_a_zone(text: str) -> bool:
    return text.endswith(("Z", "z")) or bool(set(text[10:]) & {"+", "-"})


class Instant(serializers.DateTimeField):
    """ISO 8601 with its zone. Without one DRF would take it for UTC, and the floor means local time."""

    default_error_messages = {
        "zone_missing": "ISO 8601 con zona / with its zone: 2026-11-29T22:41:07-04:00",
        "out_of_range": "entre 1970 y 2999 / between 1970 and 2999",
    }

    def to_internal_value(self, value: Any) -> dt.datetime:
        if isinstance(value, str) and not _names_a_zone(value):
            self.fail("zone_missing")
        try:
            instant = super().to_internal_value(value)
        except (OverflowError, ValueError):
            self.fail("out_of_range")
        if not clock.EARLIEST <= instant <= clock.LATEST:
            self.fail("out_of_range")
        return instant


class _InstantFormField(IsoDateTimeField):
    def clean(self, value: Any) -> Any:
        try:
            instant = super().clean(value)
            if instant is None:
                return None
            if not _names_a_zone(str(value).strip()):
                raise forms.ValidationError(
                    str(Instant.default_error_messages["zone_missing"]), "zone_missing"
                )
            if clock.EARLIEST <= instant <= clock.LATEST:
                return instant.astimezone(dt.UTC)  # PostgreSQL takes no zone beyond sixteen hours
        except (OverflowError, ValueError):
            pass
        raise forms.ValidationError(str(Instant.default_error_messages["out_of_range"]), "out_of_range")


class InstantFilter(filters.IsoDateTimeFilter):
    """An instant in the query string, within what the database can hold."""

    field_class = _InstantFormField
