"""Tips and unclaimed chips over the API."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Money, Own
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from casino.models import GamingDay
from tables.api.cage import Pieces
from tables.api.sessions import ChipsField
from tables.models import Orphan, Staff, TableSession, TipDistribution, TipEntry, TipHandover
from tables.money import orphans, tip_handing, tips


class TipOut(serializers.ModelSerializer[TipEntry]):
    session = serializers.CharField(source="session.label")
    day = serializers.DateField(source="day.date")
    chips = Pieces()
    amount = Money()
    entered_by = serializers.CharField(source="entered_by.name")

    class Meta:
        model = TipEntry
        fields = ["id", "session_id", "session", "day", "chips", "amount", "entered_by", "at"]


class TipIn(Given):
    session = Own(queryset=TableSession.objects.all())
    chips = ChipsField(help_text="chips out of the tip box, by denomination")


class TipFilter(filters.FilterSet):
    day = filters.DateFilter(field_name="day__date")
    session = filters.NumberFilter(field_name="session_id")

    class Meta:
        model = TipEntry
        fields: list[str] = []


class Tips(Rows):
    """Tips as they were counted, newest first."""

    queryset = TipEntry.objects.select_related(
        "session__table", "session__day", "day", "entered_by"
    ).order_by("-at", "-id")
    serializer_class = TipOut
    filterset_class = TipFilter

    @writes(tips.enter_tips, takes=TipIn, gives=TipOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> TipEntry:
        """Enter the tips of a table for its gaming day."""
        return tips.enter_tips(session=given["session"], chips_counted=given["chips"], by=by)


class TipLineOut(serializers.Serializer[Any]):
    staff = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    seconds = serializers.IntegerField()
    weight = serializers.IntegerField(help_text="seconds times the points of the post")
    amount = Money()


class HandoverOut(serializers.ModelSerializer[TipHandover]):
    """A share put into a hand; `signed_by`: the receiver, or the witness to a signature on paper."""

    staff = serializers.IntegerField(source="staff_id")
    amount = Money()
    given_by = serializers.CharField(source="given_by.name")
    signed_by = serializers.CharField(source="signed_by.name")

    class Meta:
        model = TipHandover
        fields = ["id", "staff", "amount", "given_by", "signed_by", "at"]


class DistributionOut(serializers.ModelSerializer[TipDistribution]):
    day = serializers.DateField(source="day.date")
    total = Money()
    lines = TipLineOut(many=True)
    handovers = HandoverOut(many=True)
    drafted_by = serializers.CharField(source="drafted_by.name")
    approved_by = serializers.CharField(source="approved_by.name", default=None, allow_null=True)
    approved_with = serializers.CharField(source="approved_with.name", default=None, allow_null=True)

    class Meta:
        model = TipDistribution
        fields = [
            "id", "day", "state", "total", "lines", "drafted_by", "drafted_at", "approved_by",
            "approved_with", "approved_at", "handovers",
        ]  # fmt: skip


DISTRIBUTIONS = (
    TipDistribution.objects.select_related("day", "drafted_by", "approved_by", "approved_with")
    .prefetch_related("handovers__given_by", "handovers__signed_by")
    .order_by("-day__date")
)


class TipDraftIn(Given):
    day = serializers.SlugRelatedField(
        slug_field="date", queryset=GamingDay.objects.all(), help_text="a gaming day that is over"
    )

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        casino = self.context.get("casino")  # none where the schema is drawn: another house's day is unknown
        fields["day"].queryset = (
            GamingDay.objects.filter(casino=casino) if casino else GamingDay.objects.none()
        )
        return fields


class Distributions(Rows):
    """Who got what of each day's tips, newest first."""

    queryset = DISTRIBUTIONS
    serializer_class = DistributionOut
    filterset_fields = ["state"]

    @writes(tips.draft_tips, takes=TipDraftIn, gives=DistributionOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> TipDistribution:
        """Work out who gets what; may be drafted anew until it is approved."""
        return tips.draft_tips(**given, by=by)


class TipApproveIn(Given):
    second = SignerField(help_text="user name of whoever approves with you; one of the two has no share")
    second_password = PasswordField()


class DistributionApprove(Cosigned):
    queryset = DISTRIBUTIONS
    cosigns = TipApproveIn

    @writes(tips.approve_tips, takes=TipApproveIn, gives=DistributionOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TipDistribution:
        """Approve a draft by two (GEN-10); the tips are given out."""
        return tips.approve_tips(distribution=self.one(DISTRIBUTIONS, pk), with_=self.signer("second"), by=by)


class HandoverIn(Given):
    staff = Own(queryset=Staff.objects.all(), help_text="who receives their share")
    second = SignerField(help_text="the receiver's user name, or that of a witness to a signature on paper")
    second_password = PasswordField()


class Handovers(Cosigned):
    queryset = DISTRIBUTIONS
    cosigns = HandoverIn

    @writes(tip_handing.hand_over, takes=HandoverIn, gives=HandoverOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TipHandover:
        """Put a share of approved tips into the hand of who earned it; both sign (GEN-10)."""
        return tip_handing.hand_over(
            distribution=self.one(DISTRIBUTIONS, pk),
            staff=given["staff"],
            signed_by=self.signer("second"),
            by=by,
        )


class TipShareOut(serializers.Serializer[Any]):
    day = serializers.DateField()
    seconds = serializers.IntegerField()
    amount = Money()
    received = serializers.DateTimeField(allow_null=True, help_text="when it was put into their hand")


class OwnTips(Endpoint):
    """What whoever asks was given of each day's tips, newest first."""

    queryset = TipDistribution.objects.none()
    serializer_class = TipShareOut

    def get(self, request: Request) -> Response:
        staff = Staff.objects.filter(casino=self.user.casino_id, user=self.user.pk).first()
        rows = list(tips.shares_of(staff)) if staff is not None else []
        return Response(self.get_serializer(rows, many=True).data)


# ---- what nobody claimed ------------------------------------------------------------------------------


class OrphanOut(serializers.ModelSerializer[Orphan]):
    """An entry of the book; the document of whoever got it back is masked."""

    label = serializers.CharField()  # type: ignore[assignment]
    session = serializers.CharField(source="session.label", default="")
    chips = Pieces()
    amount = Money()
    found_by = serializers.CharField(source="found_by.name")
    witness = serializers.CharField(source="witness.name")
    document = serializers.SerializerMethodField()
    closed_by = serializers.CharField(source="closed_by.name", default=None, allow_null=True)
    closed_with = serializers.CharField(source="closed_with.name", default=None, allow_null=True)

    class Meta:
        model = Orphan
        fields = [
            "id", "label", "kind", "state", "session_id", "session", "place", "chips", "amount", "found_by",
            "witness", "found_at", "keep_until", "claimant", "document", "closed_by", "closed_with",
            "closed_at", "reason",
        ]  # fmt: skip

    def get_document(self, orphan: Orphan) -> str:
        return orphans.masked(orphan.document)


ORPHANS = Orphan.objects.select_related(
    "session__table", "session__day", "found_by", "witness", "closed_by", "closed_with"
).order_by("-found_at", "-id")


class OrphanIn(Given):
    kind = serializers.ChoiceField(choices=Orphan.Kind.choices)
    chips = ChipsField(help_text="what was found, by denomination")
    found_by = Own(queryset=Staff.objects.all())
    witness = Own(queryset=Staff.objects.all())
    session = Own(queryset=TableSession.objects.all(), required=False, help_text="where it was a table's")
    place = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)


class Orphans(Rows):
    """The book of what nobody claimed, newest first (FLOOR-16)."""

    queryset = ORPHANS
    serializer_class = OrphanOut
    filterset_fields = ["state", "kind", "year", "number"]

    @writes(orphans.enter_orphan, takes=OrphanIn, gives=OrphanOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> Orphan:
        """Enter an abandoned stake or found chips."""
        return orphans.enter_orphan(chips_found=given.pop("chips"), **given, by=by)


class OrphanRow(Row):
    queryset = ORPHANS
    serializer_class = OrphanOut


class OrphanPassIn(Given):
    second = SignerField(help_text="user name of whoever signs with you")
    second_password = PasswordField()


class OrphanReturnIn(OrphanPassIn):
    claimant = serializers.CharField(max_length=120)
    document = serializers.CharField(max_length=40, help_text="kept whole in the book alone")


class OrphanReturn(Cosigned):
    queryset = ORPHANS
    cosigns = OrphanReturnIn

    @writes(orphans.return_orphan, takes=OrphanReturnIn, gives=OrphanOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Orphan:
        """Give it back to whoever proves it theirs; two sign (FLOOR-16)."""
        return orphans.return_orphan(
            orphan=self.one(ORPHANS, pk),
            claimant=given["claimant"],
            document=given["document"],
            with_=self.signer("second"),
            by=by,
        )


class OrphanPass(Cosigned):
    queryset = ORPHANS
    cosigns = OrphanPassIn

    @writes(orphans.pass_orphan, takes=OrphanPassIn, gives=OrphanOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Orphan:
        """Pass it to the house after its term: compliance decides, with a reason; two sign."""
        return orphans.pass_orphan(orphan=self.one(ORPHANS, pk), with_=self.signer("second"), by=by)
