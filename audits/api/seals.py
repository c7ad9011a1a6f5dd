"""Seals and their keys over the API: reading only, exactly what was signed."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits.api.fields import Hex
from audits.api.frame import Row, Rows
from audits.models import Seal, SealKey
from audits.sealing import publishing


class SealOut(serializers.ModelSerializer[Seal]):
    """`root` is over the heads of all chains; `qr` is what the code on the day's register says."""

    gaming_day = serializers.DateField(source="day.date")
    root = Hex()  # type: ignore[assignment]
    previous_root = Hex()
    key_id = serializers.CharField(source="key.key_id")
    qr = serializers.SerializerMethodField()

    class Meta:
        model = Seal
        fields = ["id", "gaming_day", "root", "leaves", "previous_root", "sealed_at", "key_id", "qr"]

    def get_qr(self, seal: Seal) -> str:
        return publishing.qr_text(seal)


class SealWholeOut(SealOut):
    """`document` is the text whose UTF-8 bytes are signed (Ed25519); `signature` and `public_key` in hex."""

    document = serializers.SerializerMethodField()
    signature = serializers.SerializerMethodField()
    public_key = serializers.SerializerMethodField()

    class Meta(SealOut.Meta):
        fields = [*SealOut.Meta.fields, "document", "signature", "public_key"]

    def get_document(self, seal: Seal) -> str:
        return bytes(seal.document).decode()

    def get_signature(self, seal: Seal) -> str:
        return bytes(seal.signature).hex()

    def get_public_key(self, seal: Seal) -> str:
        return bytes(seal.key.public_key).hex()


class SealFilter(filters.FilterSet):
    since = filters.DateFilter(field_name="day__date", lookup_expr="gte")
    until = filters.DateFilter(field_name="day__date", lookup_expr="lte")

    class Meta:
        model = Seal
        fields: list[str] = []


class Seals(Rows):
    """Seals of the gaming days, newest first."""

    queryset = Seal.objects.select_related("day", "key", "casino").order_by("-day__date")
    serializer_class = SealOut
    filterset_class = SealFilter


class SealRow(Row):
    """One seal with all that is needed to check it."""

    queryset = Seal.objects.select_related("day", "key", "casino")
    serializer_class = SealWholeOut


class SealKeyOut(serializers.ModelSerializer[SealKey]):
    """A public key and its introduction: signed by itself, and by the key before it unless that was lost."""

    public_key = Hex()
    document = serializers.SerializerMethodField()
    signature = serializers.SerializerMethodField()
    previous_key_id = serializers.CharField(source="previous.key_id", default=None)
    introduced_by = serializers.SerializerMethodField()

    class Meta:
        model = SealKey
        fields = [
            "key_id", "public_key", "since", "until", "document", "signature", "previous_key_id",
            "introduced_by", "lost", "reason",
        ]  # fmt: skip

    def get_document(self, key: SealKey) -> str:
        return bytes(key.document).decode()

    def get_signature(self, key: SealKey) -> str:
        return bytes(key.signature).hex()

    def get_introduced_by(self, key: SealKey) -> str | None:
        return bytes(key.introduced_by).hex() if key.introduced_by else None


class SealKeys(Rows):
    """The keys that seal the days, the first one first; also public, at `/llaves-de-sello.json`."""

    queryset = SealKey.objects.select_related("previous").order_by("since", "pk")
    serializer_class = SealKeyOut
    filter_backends: list[Any] = []
