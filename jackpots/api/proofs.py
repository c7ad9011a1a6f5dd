"""Meter readings over the API, the proof of a pool's gaming day, and what differed in it (PP-28, PP-29)."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import InstantFilter, Money
from audits.api.frame import Given, Row, writes
from audits.by import By
from jackpots import proving, reading
from jackpots.api.pools import OfOnePool
from jackpots.comparing import CODES
from jackpots.models import Difference, MeterReading, Proof

# ---- readings ---------------------------------------------------------------------------------------


class MeterReadingOut(serializers.ModelSerializer[MeterReading]):
    """What a display was read to show, and what the level held then. `said`: what to tell whoever entered a
    reading that differs, empty where it does not."""

    pool_id = serializers.IntegerField()
    amount, shown = Money(), Money()
    difference = serializers.SerializerMethodField()
    said = serializers.SerializerMethodField()
    noted_by = serializers.CharField(source="noted_by.name")

    class Meta:
        model = MeterReading
        fields = [
            "id", "pool_id", "level", "amount", "shown", "difference", "said", "day", "reason", "at",
            "noted_by",
        ]  # fmt: skip

    @extend_schema_field(Money(signed=True))
    def get_difference(self, found: MeterReading) -> str:
        field = Money(signed=True)
        field.bind("difference", self)
        return field.to_representation(found.amount - found.shown)

    def get_said(self, found: MeterReading) -> str:
        words = reading.said(found)
        return "" if words is None else words.say(self.context["language"])


class MeterReadingFilter(filters.FilterSet):
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = MeterReading
        fields = ["level", "day"]


class MeterReadingIn(Given):
    level = serializers.CharField(max_length=20, default="main")
    amount = Money(help_text="as the display shows it")


class PoolReadings(OfOnePool):
    """The meter readings of a pool, newest first."""

    queryset = MeterReading.objects.select_related("pool__casino", "noted_by").order_by("-pk")
    serializer_class = MeterReadingOut
    filterset_class = MeterReadingFilter

    @writes(reading.read_meter, takes=MeterReadingIn, gives=MeterReadingOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> MeterReading:
        """Note what the display of a level shows; less than the reading before needs a `reason`, unless the
        pool says why it fell (PP-29)."""
        return reading.read_meter(pool=self.pool(pk), **given, by=by)


# ---- proofs -----------------------------------------------------------------------------------------


class PoolDifferenceOut(serializers.ModelSerializer[Difference]):
    """What did not match, where, and the incident that explains it. `expected` and `found` are as the proof
    added them up: amounts in smallest units."""

    pool_id = serializers.IntegerField()
    name = serializers.SerializerMethodField()
    incident = serializers.CharField(source="incident.label")
    incident_id = serializers.IntegerField()
    open = serializers.SerializerMethodField(help_text="nobody explained it yet")

    class Meta:
        model = Difference
        fields = [
            "id", "pool_id", "day", "code", "name", "place", "expected", "found", "incident_id", "incident",
            "open", "at",
        ]  # fmt: skip

    def get_name(self, difference: Difference) -> str:
        words = CODES.get(difference.code)
        return difference.code if words is None else words.say(self.context["language"])

    def get_open(self, difference: Difference) -> bool:
        return difference.incident.state == "open"


DIFFERENCES = Difference.objects.select_related("incident").order_by("-pk")


class PoolDifferenceFilter(filters.FilterSet):
    incident = filters.NumberFilter(field_name="incident_id")
    open = filters.BooleanFilter(method="by_open")

    class Meta:
        model = Difference
        fields = ["day", "code"]

    def by_open(self, rows: Any, name: str, value: bool) -> Any:
        return rows.filter(incident__state="open") if value else rows.exclude(incident__state="open")


class PoolDifferences(OfOnePool):
    """What ever differed in a pool, newest first."""

    queryset = DIFFERENCES
    serializer_class = PoolDifferenceOut
    filterset_class = PoolDifferenceFilter


class PoolProofOut(serializers.ModelSerializer[Proof]):
    """The proof of a gaming day: `matched`, `different`, or its differences `explained`. The same facts have
    the same `digest`."""

    pool_id = serializers.IntegerField()
    event_id = serializers.IntegerField()

    class Meta:
        model = Proof
        fields = ["id", "pool_id", "day", "state", "digest", "event_id", "at"]


class PoolProofDetail(PoolProofOut):
    """With what was added up, in smallest units, and what differed."""

    differences = serializers.SerializerMethodField()

    class Meta(PoolProofOut.Meta):
        fields = [*PoolProofOut.Meta.fields, "figures", "differences"]

    @extend_schema_field(PoolDifferenceOut(many=True))
    def get_differences(self, proof: Proof) -> Any:
        rows = DIFFERENCES.filter(pool_id=proof.pool_id, day=proof.day)
        return PoolDifferenceOut(rows, many=True, context=self.context).data


class PoolProofFilter(filters.FilterSet):
    since = filters.DateFilter(field_name="day", lookup_expr="gte")
    until = filters.DateFilter(field_name="day", lookup_expr="lte")

    class Meta:
        model = Proof
        fields = ["day", "state"]


class PoolProofIn(Given):
    day = serializers.DateField(help_text="a gaming day that has come")


class PoolProofs(OfOnePool):
    """The proofs of a pool, the latest day first."""

    queryset = Proof.objects.order_by("-day", "-pk")
    serializer_class = PoolProofOut
    filterset_class = PoolProofFilter

    @writes(proving.record_proof, takes=PoolProofIn, gives=PoolProofDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Proof:
        """Prove a pool's gaming day now: ledger = bets of settled rounds = balance shown = readings (PP-28).
        What was proved already and has not changed is answered as it was."""
        return proving.prove(pool=self.pool(pk), day=given["day"], by=by)


class PoolProofRow(Row):
    """One proof with its figures and differences."""

    queryset = Proof.objects.all()
    serializer_class = PoolProofDetail
