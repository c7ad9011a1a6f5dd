"""Filings with the AJ over the API: drafted, presented, decided by another person, withdrawn."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits import filing_deadlines, filings
from audits.api.evidence_shapes import AttachmentOut
from audits.api.fields import BIGGEST_ID, InstantFilter
from audits.api.frame import Endpoint, Given, Reasoned, Row, Rows, writes
from audits.api.incidents import SubjectOut
from audits.by import By
from audits.models import Filing

FILINGS = Filing.objects.select_related("author", "decided_by", "ended_by").order_by("-drafted_at", "-id")


class FilingOut(serializers.ModelSerializer[Filing]):
    """`approval`: whether the AJ has to approve it, by `rule`; else it is a notice, done once presented.
    `ended_at`: when the AJ revoked it (`document`), or what it allowed once was done."""

    label = serializers.CharField()  # type: ignore[assignment]
    kind_name = serializers.SerializerMethodField()
    rule = serializers.SerializerMethodField()
    approval = serializers.SerializerMethodField()
    subject = SubjectOut(source="*")
    author = serializers.CharField(source="author.name")
    decided_by = serializers.CharField(source="decided_by.name", default=None, allow_null=True)
    ended_by = serializers.CharField(source="ended_by.name", default=None, allow_null=True)

    class Meta:
        model = Filing
        fields = [
            "id", "label", "kind", "kind_name", "rule", "approval", "state", "subject", "author",
            "drafted_at", "presented_at", "decided_at", "decided_by", "reference",
            "valid_from", "valid_until", "ended_at", "ended_by", "document", "receipt", "due_on", "due_for",
        ]  # fmt: skip

    def get_kind_name(self, filing: Filing) -> str:
        return filings.kinds()[filing.kind].name.say(self.context["language"])

    def get_rule(self, filing: Filing) -> str:
        return filings.kinds()[filing.kind].rule

    def get_approval(self, filing: Filing) -> bool:
        return filings.kinds()[filing.kind].approval


class FilingDetail(FilingOut):
    """With its text, the facts it was drafted from (amounts in smallest units) and its files."""

    attachments = AttachmentOut(many=True, read_only=True)

    class Meta(FilingOut.Meta):
        fields = [*FilingOut.Meta.fields, "text", "facts", "attachments"]


class FilingFilter(filters.FilterSet):
    kind = filters.CharFilter(max_length=40)
    subject_type = filters.CharFilter(max_length=20)
    subject_id = filters.NumberFilter(min_value=1, max_value=BIGGEST_ID)
    since = InstantFilter(field_name="drafted_at", lookup_expr="gte")
    until = InstantFilter(field_name="drafted_at", lookup_expr="lt")

    class Meta:
        model = Filing
        fields = ["state"]


class FilingIn(Given):
    kind = serializers.CharField(max_length=40, help_text="such as `pool_equipment` or `pool_tables`")
    subject_type = serializers.CharField(max_length=20, help_text="such as `pool` or `pool_version`")
    subject_id = serializers.IntegerField(min_value=1, max_value=BIGGEST_ID)
    text = serializers.CharField(max_length=filings.LONGEST_TEXT)


class Filings(Rows):
    """Filings, newest first."""

    queryset = FILINGS
    serializer_class = FilingOut
    filterset_class = FilingFilter

    @writes(filings.draft_filing, takes=FilingIn, gives=FilingDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Filing:
        """Draft a filing about something of the house."""
        subject = filings.subject_of(self.casino, given["subject_type"], given["subject_id"])
        return filings.draft_filing(kind=given["kind"], subject=subject, text=given["text"], by=by)


class OfFilings(Endpoint):
    """An address of one filing."""

    queryset = FILINGS
    serializer_class = FilingDetail

    def filing(self, pk: int) -> Filing:
        found: Filing = self.one(FILINGS, pk)
        return found


class FilingRow(OfFilings, Row):
    """One filing with its text."""


class PresentIn(Given):
    receipt = serializers.CharField(
        max_length=60, required=False, default="", allow_blank=True, help_text="the AJ's number on your copy"
    )
    answer_by = serializers.DateField(
        required=False, allow_null=True, default=None, help_text="until when its answer is awaited"
    )


class FilingPresent(OfFilings):
    @writes(filings.present_filing, takes=PresentIn, gives=FilingDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Filing:
        """It was handed in at the AJ; a notice is done with that."""
        return filings.present_filing(filing=self.filing(pk), **given, by=by)


class DueIn(Given):
    due_on = serializers.DateField(allow_null=True, help_text="null: nothing is due any more")
    due_for = serializers.CharField(
        max_length=filing_deadlines.LONGEST_FOR, required=False, default="", allow_blank=True
    )


class FilingDue(OfFilings):
    @writes(filing_deadlines.set_due, takes=DueIn, gives=FilingDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Filing:
        """Note until when what has to be done about it."""
        return filing_deadlines.set_due(filing=self.filing(pk), **given, by=by)


class DecisionIn(Given):
    approved = serializers.BooleanField()
    reference = serializers.CharField(
        max_length=60, required=False, default="", allow_blank=True, help_text="the AJ's; needed to approve"
    )
    valid_from = serializers.DateField(
        required=False, allow_null=True, default=None, help_text="today if left out"
    )
    valid_until = serializers.DateField(
        required=False, allow_null=True, default=None, help_text="its last day; without end if left out"
    )


class FilingDecide(OfFilings):
    @writes(filings.decide_filing, takes=DecisionIn, gives=FilingDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Filing:
        """Note what the AJ answered; not by its author (GEN-10)."""
        return filings.decide_filing(filing=self.filing(pk), **given, by=by)


class RevocationIn(Reasoned):
    document = serializers.CharField(max_length=60, help_text="what the AJ revokes it by")


class FilingRevoke(OfFilings):
    @writes(filings.revoke_filing, takes=RevocationIn, gives=FilingDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Filing:
        """The AJ took its approval back: what rested on it stands still. Needs a reason."""
        return filings.revoke_filing(filing=self.filing(pk), **given, by=by)


class FilingWithdraw(OfFilings):
    @writes(filings.withdraw_filing, gives=FilingDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Filing:
        """It is not pursued. Needs a reason."""
        return filings.withdraw_filing(filing=self.filing(pk), by=by)
