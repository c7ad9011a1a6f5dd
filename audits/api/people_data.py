"""People's data over the API: periods, legal holds, pseudonyms, who looked at whom, what rules refused."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.db.models import QuerySet
from rest_framework import serializers

from audits.api.fields import BIGGEST_ID, InstantFilter
from audits.api.frame import Given, Reasoned, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from audits.models import (
    ErasureOrder,
    LegalHold,
    LegalHoldEnd,
    PersonLook,
    Refusal,
    RetentionPeriod,
)
from audits.persons import erasing, holds, retention
from audits.persons import report as looks_report


class RetentionPeriodOut(serializers.ModelSerializer[RetentionPeriod]):
    set_by = serializers.CharField(source="set_by.name")

    class Meta:
        model = RetentionPeriod
        fields = ["id", "kind", "years", "set_by", "set_at", "reason"]


class RetentionPeriodIn(Reasoned):
    kind = serializers.CharField(max_length=20, help_text="such as `guest` or `receipt`")
    years = serializers.IntegerField(min_value=0, max_value=1000, help_text="ten at least (REC-12)")


class Periods(Rows):
    """Retention periods as they were set, newest first: the newest of a kind holds."""

    queryset = RetentionPeriod.objects.select_related("set_by").order_by("-id")
    serializer_class = RetentionPeriodOut
    filterset_fields = ["kind"]

    @writes(retention.set_period, takes=RetentionPeriodIn, gives=RetentionPeriodOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> RetentionPeriod:
        """Set the years a kind of people's data is kept after its last use. Needs a reason."""
        return retention.set_period(**given, by=by)


class LegalHoldEndOut(serializers.ModelSerializer[LegalHoldEnd]):
    by = serializers.CharField(source="by.name")
    second = serializers.CharField(source="second.name")

    class Meta:
        model = LegalHoldEnd
        fields = ["at", "by", "second", "reason"]


class LegalHoldOut(serializers.ModelSerializer[LegalHold]):
    name = serializers.CharField()
    put_by = serializers.CharField(source="put_by.name")
    ended = LegalHoldEndOut(allow_null=True, default=None)

    class Meta:
        model = LegalHold
        fields = [
            "id",
            "name",
            "kind",
            "subject_id",
            "label",
            "document",
            "reason",
            "put_by",
            "put_at",
            "ended",
        ]


class HoldFilter(filters.FilterSet):
    subject_id = filters.NumberFilter(min_value=1, max_value=BIGGEST_ID)
    standing = filters.BooleanFilter(field_name="ended", lookup_expr="isnull")

    class Meta:
        model = LegalHold
        fields = ["kind"]


class LegalHoldIn(Given):
    kind = serializers.CharField(max_length=20, help_text="such as `guest`, `receipt` or `incident`")
    subject_id = serializers.IntegerField(min_value=1, max_value=BIGGEST_ID)
    document = serializers.CharField(max_length=120, help_text="what asks for it")


class Holds(Rows):
    """Legal holds, newest first; `standing` for those not lifted."""

    queryset = LegalHold.objects.select_related("put_by", "ended__by", "ended__second").order_by("-id")
    serializer_class = LegalHoldOut
    filterset_class = HoldFilter

    @writes(holds.put_hold, takes=LegalHoldIn, gives=LegalHoldOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> LegalHold:
        """Put a legal hold on something of the house. Needs a reason."""
        return holds.put_hold(**given, by=by)


class LegalHoldLiftIn(Given):
    second = SignerField(help_text="user name of who signs beside, of compliance or administration")
    second_password = PasswordField()


class HoldLift(Cosigned):
    cosigns = LegalHoldLiftIn

    @writes(holds.lift_hold, takes=LegalHoldLiftIn, gives=LegalHoldEndOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> LegalHoldEnd:
        """Lift a legal hold, with a reason and a second person (GEN-10)."""
        return holds.lift_hold(hold=self.one(LegalHold, pk), second=self.signer("second"), by=by)


class ErasureOrderOut(serializers.ModelSerializer[ErasureOrder]):
    """`due`: how many it found over; `done`: how many of them are pseudonyms by now; `ended_at`: when nobody
    waited under it any more, and it is gone over no longer."""

    name = serializers.CharField()
    ordered_by = serializers.CharField(source="ordered_by.name")
    second = serializers.CharField(source="second.name")
    done = serializers.SerializerMethodField()
    ended_at = serializers.DateTimeField(source="ended.at", allow_null=True, default=None)

    class Meta:
        model = ErasureOrder
        fields = [
            "id",
            "name",
            "kind",
            "before",
            "years",
            "due",
            "done",
            "ended_at",
            "ordered_by",
            "second",
            "at",
            "reason",
        ]

    def get_done(self, order: ErasureOrder) -> int:
        return order.pseudonyms.count()


class ErasureOrderIn(Reasoned):
    kind = serializers.CharField(max_length=20)
    second = SignerField(help_text="user name of who signs beside, of compliance or administration")
    second_password = PasswordField()


class Orders(Rows, Cosigned):
    """Orders to make pseudonyms of what is over its period, newest first."""

    queryset = ErasureOrder.objects.select_related("ordered_by", "second", "ended").order_by("-id")
    serializer_class = ErasureOrderOut
    filterset_fields = ["kind"]
    cosigns = ErasureOrderIn

    @writes(erasing.order_erasure, takes=ErasureOrderIn, gives=ErasureOrderOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> ErasureOrder:
        """Order it, with a reason and a second person (GEN-10); a job carries it out."""
        return erasing.order_erasure(kind=given["kind"], second=self.signer("second"), by=by)


class LookOut(serializers.ModelSerializer[PersonLook]):
    actor = serializers.CharField(source="actor.name")

    class Meta:
        model = PersonLook
        fields = [
            "id", "at", "actor", "kind", "subject_id", "label", "shown", "named", "report", "about", "place",
            "request",
        ]  # fmt: skip


class LookFilter(filters.FilterSet):
    """`kind` with `subject_id`: every look that showed that one, by their page, in a list or a report."""

    subject_id = filters.NumberFilter(method="of_one", min_value=1, max_value=BIGGEST_ID)
    kind = filters.CharFilter(method="of_kind", max_length=20)
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = PersonLook
        fields: list[str] = []

    def of_one(self, rows: QuerySet[PersonLook], _name: str, number: Any) -> QuerySet[PersonLook]:
        return looks_report.of_one(rows, {"kind": self.data.get("kind"), "number": int(number)})

    def of_kind(self, rows: QuerySet[PersonLook], _name: str, kind: str) -> QuerySet[PersonLook]:
        return rows if self.data.get("subject_id") else looks_report.of_one(rows, {"kind": kind})


class Looks(Rows):
    """Who looked at whom, newest first. `named`: whom a list or a report named, as `guest:12`; none where
    it is not known whom, or where it is a file's (`subject_id` is the export)."""

    queryset = PersonLook.objects.select_related("actor").order_by("-at", "-id")
    serializer_class = LookOut
    filterset_class = LookFilter


class RefusalOut(serializers.ModelSerializer[Refusal]):
    """`nth` of 10 stands for all that came after it in that minute."""

    actor = serializers.CharField(source="actor.name")

    class Meta:
        model = Refusal
        fields = ["id", "at", "nth", "actor", "rule", "code", "field", "place", "method", "about"]


class RefusalFilter(filters.FilterSet):
    rule = filters.CharFilter(max_length=12)
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = Refusal
        fields: list[str] = []


class Refusals(Rows):
    """What rules refused, newest first."""

    queryset = Refusal.objects.select_related("actor").order_by("-at", "-id")
    serializer_class = RefusalOut
    filterset_class = RefusalFilter
