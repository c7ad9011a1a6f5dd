"""Fills and credits over the API: asked for, issued by the cage, verified at the table, or voided."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import Money, Own
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from tables import chips
from tables.api.sessions import ChipLine, ChipsField, OfSessions
from tables.models import CageDesk, Slip, Staff
from tables.money import slips

SLIPS = Slip.objects.select_related(
    "session__table",
    "session__day",
    "casino",
    "desk",
    "requested_by",
    "issued_by",
    "verified_by",
    "dealer",
    "voided_by",
    "voided_with",
).order_by("-requested_at", "-id")


class SlipOut(serializers.ModelSerializer[Slip]):
    """A slip with all that it shows on paper (FLOOR-07)."""

    label = serializers.CharField()  # type: ignore[assignment]
    table = serializers.CharField(source="session.table.name")
    session = serializers.CharField(source="session.label")
    session_id = serializers.IntegerField()
    game = serializers.CharField(source="session.game")
    day = serializers.DateField(source="session.day.date")
    desk = serializers.IntegerField(source="desk.number")
    chips = serializers.SerializerMethodField()
    total = Money()
    requested_by = serializers.CharField(source="requested_by.name")
    issued_by = serializers.CharField(source="issued_by.name", default=None, allow_null=True)
    verified_by = serializers.CharField(source="verified_by.name", default=None, allow_null=True)
    dealer = serializers.CharField(source="dealer.name", default=None, allow_null=True)
    voided_by = serializers.CharField(source="voided_by.name", default=None, allow_null=True)
    voided_with = serializers.CharField(source="voided_with.name", default=None, allow_null=True)

    class Meta:
        model = Slip
        fields = [
            "id", "label", "kind", "state", "table", "session_id", "session", "game", "day", "desk", "chips",
            "total", "requested_by", "requested_at", "issued_by", "issued_at", "runner", "verified_by",
            "dealer", "verified_at", "voided_by", "voided_with", "voided_at", "void_reason",
        ]  # fmt: skip

    @extend_schema_field(ChipLine(many=True))
    def get_chips(self, slip: Slip) -> Any:
        lines = [
            {"denomination": value, "count": number}
            for value, number in sorted(chips.loaded(slip.chips).items(), reverse=True)
        ]
        return ChipLine(lines, many=True, context=self.context).data


class SlipFilter(filters.FilterSet):
    table = filters.CharFilter(field_name="session__table__name", max_length=10)
    session = filters.NumberFilter(field_name="session_id")
    day = filters.DateFilter(field_name="session__day__date")
    desk = filters.NumberFilter(field_name="desk__number")

    class Meta:
        model = Slip
        fields = ["kind", "state", "year", "number"]


class Slips(Rows):
    """Every fill and credit, newest first."""

    queryset = SLIPS
    serializer_class = SlipOut
    filterset_class = SlipFilter


class SlipRow(Row):
    queryset = SLIPS
    serializer_class = SlipOut


class RequestSlipIn(Given):
    kind = serializers.ChoiceField(choices=Slip.Kind.choices, help_text="fill: to the table; credit: from it")
    chips = ChipsField(help_text="chips by denomination")
    desk = Own(queryset=CageDesk.objects.all(), help_text="the desk of the cage they come from or go to")


class SessionSlips(OfSessions):
    @writes(slips.request_slip, takes=RequestSlipIn, gives=SlipOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Slip:
        """Ask for a fill or a credit of a table in play; its number is given now (FLOOR-07)."""
        return slips.request_slip(session=self.session(pk), **given, by=by)


class OfSlips(Endpoint):
    queryset = SLIPS

    def slip(self, pk: int) -> Slip:
        found: Slip = self.one(SLIPS, pk)
        return found

    def fresh(self, slip: Slip) -> Slip:
        """The slip read again as it is shown, after a write."""
        return self.slip(slip.pk)


class IssueSlipIn(Given):
    runner = serializers.CharField(max_length=120, help_text="who carries the chips")


class SlipIssue(OfSlips):
    @writes(slips.issue_slip, takes=IssueSlipIn, gives=SlipOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Slip:
        """The cage issues the slip and names who carries the chips; not who asked for it (GEN-10)."""
        return self.fresh(slips.issue_slip(slip=self.slip(pk), **given, by=by))


class VerifySlipIn(Given):
    chips = ChipsField(help_text="as counted, by denomination; must be what the slip says")
    dealer = Own(queryset=Staff.objects.all(), help_text="the dealer at the table, who signs the slip")


class SlipVerify(OfSlips):
    @writes(slips.verify_slip, takes=VerifySlipIn, gives=SlipOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Slip:
        """The chips are counted at the table before its dealer; now they and the money move (FLOOR-06)."""
        return self.fresh(slips.verify_slip(slip=self.slip(pk), **given, by=by))


class VoidSlipIn(Given):
    second = SignerField(help_text="user name of another person who may void, who signs with you")
    second_password = PasswordField()


class SlipVoid(Cosigned, OfSlips):
    cosigns = VoidSlipIn

    @writes(slips.void_slip, takes=VoidSlipIn, gives=SlipOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Slip:
        """Void a slip not verified yet, with reason and second signature; its number stays (FLOOR-08)."""
        return self.fresh(slips.void_slip(slip=self.slip(pk), with_=self.signer("second"), by=by))
