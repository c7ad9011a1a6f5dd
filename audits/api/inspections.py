"""Inspections over the API: visits, draws, the inspector's own counts and what the house answers (REC-11).

Codes are given on the page alone: an answer kept under its key would keep the code in plain text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import django_filters as filters
from django.http import Http404
from drf_spectacular.utils import extend_schema
from knox.models import AuthToken
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import BIGGEST_ID, Money, Own, Strict
from audits.api.frame import Endpoint, Reasoned, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.api.users import UserOut
from audits.api.visit_shapes import (
    VisitCountOut,
    VisitDetail,
    VisitDrawDetail,
    VisitDrawOut,
    VisitIncidentOut,
    VisitOut,
    VisitTablesOut,
    VisitTargetsOut,
)
from audits.by import By
from audits.inspections import access, counting, drawing, entering, subjects, visits
from audits.inspections.reading import least_inspected, unit_of
from audits.models import Actor, Incident, Inspection, InspectionCount, InspectionDraw, InspectorAccess
from casino.kernel import clock

# ---- coming in ---------------------------------------------------------------------------------------


class InspectorCodeIn(Strict):
    credential = serializers.CharField(max_length=20, help_text="the number of the AJ's card")
    code = serializers.CharField(max_length=60)


class InspectorCodeOut(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="send it as `Authorization: Token …`")
    expires = serializers.DateTimeField(help_text="when the code's own time is over")
    user = UserOut()


class InspectionToken(Endpoint):
    authentication_classes = []  # as for `auth/token`

    @extend_schema(request=InspectorCodeIn, responses={201: InspectorCodeOut})
    def post(self, request: Request) -> Response:
        """Give an inspector a token for his code; it ends with the code's time, whatever its own."""
        body = InspectorCodeIn(data=request.data)
        body.is_valid(raise_exception=True)
        user, until = entering.enter(request=request._request, way="token", **body.validated_data)
        _kept, token = AuthToken.objects.create(user, expiry=until - clock.now())
        return Response(InspectorCodeOut({"token": token, "expires": until, "user": user}).data, status=201)


class InspectorAccessOut(serializers.ModelSerializer[InspectorAccess]):
    """`selector`: the code's first four signs, by which the house knows it; the rest is kept nowhere."""

    name = serializers.CharField(source="user.name")
    given_by = serializers.CharField(source="given_by.name")

    class Meta:
        model = InspectorAccess
        fields = [
            "id", "name", "credential", "selector", "state", "valid_from", "valid_until", "entries_allowed",
            "entries", "attempts", "given_by", "given_at", "last_entry_at", "locked_at", "revoked_at",
        ]  # fmt: skip


ACCESSES = InspectorAccess.objects.select_related("user", "given_by").order_by("-id")


class Accesses(Rows):
    """Codes given to inspectors, newest first."""

    queryset = ACCESSES
    serializer_class = InspectorAccessOut


class AccessRevoke(Endpoint):
    queryset = ACCESSES
    serializer_class = InspectorAccessOut

    @writes(access.revoke_access, gives=InspectorAccessOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> InspectorAccess:
        """End a code now, with all that is signed in by it. Needs a reason."""
        return access.revoke_access(access=self.one(ACCESSES, pk), by=by)


class VisitFilter(filters.FilterSet):
    since = filters.DateFilter(field_name="day", lookup_expr="gte")
    until = filters.DateFilter(field_name="day", lookup_expr="lte")

    class Meta:
        model = Inspection
        fields = ["state"]


INSPECTIONS = Inspection.objects.select_related("casino", "inspector", "opened_by", "closed_by").order_by(
    "-id"
)


class VisitTables(Endpoint):
    @extend_schema(responses=VisitTablesOut)
    def get(self, request: Request) -> Response:
        """When an inspector last visited, and the tables in service, least inspected first."""
        today = self.casino.gaming_day(clock.now())
        last = visits.last_visit(self.casino)
        told = {
            "last_visit": None if last is None else last.day,
            "days_since": visits.days_without(self.casino, today),
            "tables": least_inspected(self.casino, today),
        }
        return Response(VisitTablesOut(told).data)


class VisitTargets(Endpoint):
    @extend_schema(responses=VisitTargetsOut)
    def get(self, request: Request) -> Response:
        """What can be counted now. What is expected of it is told with the count, not before."""
        found = [
            {
                "kind": kind.code, "kind_name": kind.name, "unit": kind.unit.value, "target": target.id,
                "label": target.label, "table": target.table_label,
            }
            for kind in subjects.countables().values()
            for target in kind.targets(self.casino)
        ]  # fmt: skip
        return Response(VisitTargetsOut({"targets": found}, context=self.get_serializer_context()).data)


# ---- a visit -----------------------------------------------------------------------------------------


class VisitIn(Reasoned):
    inspector = Own(
        queryset=Actor.objects.all(), required=False, allow_null=True, default=None,
        help_text="an inspector's actor id: who compliance opens it for",
    )  # fmt: skip


class Visits(Rows):
    """Visits of the AJ's inspectors, newest first."""

    queryset = INSPECTIONS
    serializer_class = VisitOut
    filterset_class = VisitFilter

    @writes(visits.open_inspection, takes=VisitIn, gives=VisitDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Inspection:
        """Open a visit: an inspector his own, compliance that of an inspector it names."""
        return visits.open_inspection(inspector=given["inspector"], by=by)


class OfVisits(Endpoint):
    """An address of one visit."""

    queryset = INSPECTIONS
    serializer_class: type[serializers.Serializer[Any]] = VisitDetail

    def visit(self, pk: int) -> Inspection:
        found: Inspection = self.one(INSPECTIONS, pk)
        return found

    def count(self, pk: int, number: int) -> InspectionCount:
        rows = InspectionCount.objects.select_related("inspection__casino", "inspection__inspector")
        found = rows.filter(inspection=self.visit(pk), number=number).first()
        if found is None:
            raise Http404
        return found


class VisitRow(OfVisits, Row):
    """One visit with its draws and counts."""


class VisitRemarksIn(Reasoned):
    remarks = serializers.CharField(
        max_length=visits.LONGEST_REMARKS, required=False, default="", allow_blank=True
    )


class VisitClose(OfVisits):
    @writes(visits.close_inspection, takes=VisitRemarksIn, gives=VisitDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Inspection:
        """Close a visit with the inspector's remarks; compliance closes one left open, with a reason."""
        visits.close_inspection(inspection=self.visit(pk), remarks=given["remarks"], by=by)
        return self.visit(pk)


class VisitDrawIn(Reasoned):
    wanted = serializers.IntegerField(min_value=0, max_value=1000, default=1, help_text="how many tables")
    open_only = serializers.BooleanField(default=True, help_text="among the tables open now")


class VisitDraws(OfVisits):
    @writes(drawing.announce_draw, takes=VisitDrawIn, gives=VisitDrawOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> InspectionDraw:
        """Announce a draw: candidates, weights and the seed's hash, before the inspector's word."""
        return drawing.announce_draw(
            inspection=self.visit(pk), wanted=given["wanted"], open_only=given["open_only"], by=by
        )


class VisitWordIn(Reasoned):
    word = serializers.CharField(max_length=200, help_text="four signs or more, the inspector's own")


class OfDraws(OfVisits):
    """An address of one draw."""

    serializer_class = VisitDrawDetail

    def draw(self, pk: int, number: int) -> InspectionDraw:
        rows = InspectionDraw.objects.select_related("inspection__inspector")
        found = rows.filter(inspection=self.visit(pk), number=number).first()
        if found is None:
            raise Http404
        return found


class VisitDrawRow(OfDraws):
    @extend_schema(responses=VisitDrawDetail)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """A draw with all that is needed to recompute it."""
        return Response(self.get_serializer(self.draw(pk, number)).data)


class VisitDrawWord(OfDraws):
    @writes(drawing.draw_tables, takes=VisitWordIn, gives=VisitDrawDetail)
    def post(self, by: By, given: dict[str, Any], pk: int, number: int) -> InspectionDraw:
        """Draw, once, with the inspector's word; the seed is revealed with the result."""
        return drawing.draw_tables(draw_row=self.draw(pk, number), word=given["word"], by=by)


class VisitCountLine(Strict):
    denomination = Money()
    count = serializers.IntegerField(min_value=0, max_value=counting.MOST_PIECES)


class VisitCountIn(Reasoned):
    kind = serializers.CharField(max_length=40, help_text="of `visits/targets`")
    target = serializers.IntegerField(min_value=1, max_value=BIGGEST_ID)
    pieces = VisitCountLine(
        many=True, required=False, default=list, help_text="chips, one line a denomination"
    )
    total = serializers.CharField(
        max_length=30, required=False, allow_null=True, default=None, help_text="cards, or an amount"
    )
    aside = Money(
        required=False, allow_null=True, default=None, help_text="sold for cash at the table so far"
    )


class VisitCounts(OfVisits):
    @writes(counting.record_count, takes=VisitCountIn, gives=VisitCountOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> InspectionCount:
        """Record what the inspector counted; the answer tells what the house expected at that moment."""
        return counting.record_count(
            inspection=self.visit(pk),
            kind=given["kind"],
            target=given["target"],
            counted=self._counted(given),
            by=by,
        )

    def _counted(self, given: Mapping[str, Any]) -> counting.Counted:
        lines = given["pieces"]
        pieces = {line["denomination"]: line["count"] for line in lines}
        if len(pieces) != len(lines):
            raise serializers.ValidationError({"pieces": "una línea por denominación / one line each"})
        total = unit_of(given["kind"]).read(given["total"], self.casino, self.language)
        return counting.Counted(pieces, total, given["aside"])


class VisitAnswerIn(Reasoned):
    agrees = serializers.BooleanField()
    words = serializers.CharField(
        max_length=counting.LONGEST_WORDS, required=False, default="", allow_blank=True,
        help_text="why the house objects",
    )  # fmt: skip
    signer = SignerField(required=False, help_text="on the inspector's screen: who signs for the house")
    signer_password = PasswordField(required=False, default="")


class VisitCountAnswer(Cosigned, OfVisits):
    cosigns = VisitAnswerIn

    @writes(counting.answer_count, takes=VisitAnswerIn, gives=VisitCountOut)
    def post(self, by: By, given: dict[str, Any], pk: int, number: int) -> InspectionCount:
        """The house signs a count, or objects and says why, once (GEN-10)."""
        counting.answer_count(
            count=self.count(pk, number),
            agrees=given["agrees"],
            words=given["words"],
            signer=self.signer_if_any("signer"),
            by=by,
        )
        return self.count(pk, number)


class VisitCountIncident(OfVisits):
    @writes(counting.open_incident, gives=VisitIncidentOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int, number: int) -> Incident:
        """Open an incident about a count's difference, once, with its draft notice (REC-14)."""
        return counting.open_incident(count=self.count(pk, number), by=by)
