"""Alerts over the API, and what keeps a shift: float checks, disputes, notes, pits chiefs answer for, the
floor."""

from __future__ import annotations

import datetime as dt
from typing import Any

import django_filters as filters
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import InstantFilter, Money, Own, Words
from audits.api.frame import Endpoint, Given, Reasoned, Rows, writes
from audits.api.incidents import IncidentDetail
from audits.by import By
from audits.incidents import LONGEST_SUMMARY
from audits.models import Incident
from casino.kernel import clock, permissions
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import User
from tables import disputes, duties, overview, policies
from tables.alerts import causes, float_checks, keeping, shift_notes
from tables.api.sessions import STAFF, ChipLine, ChipsField, OfSessions
from tables.chips import loaded
from tables.models import Alert, FloatCheck, Pit, PitDuty, ShiftNote
from tables.money.box_seeing import blind, checks_in
from tables.shift import hourly

ALERTS = Alert.objects.select_related("table", "acknowledged_by").order_by("-raised_at", "-id")


class FloorAlertOut(serializers.ModelSerializer[Alert]):
    kind_name = serializers.SerializerMethodField()
    words = serializers.SerializerMethodField()
    table = serializers.CharField(source="table.name", default="")
    session_id = serializers.IntegerField(allow_null=True)
    acknowledged_by = serializers.CharField(source="acknowledged_by.name", default=None)

    class Meta:
        model = Alert
        fields = [
            "id", "kind", "kind_name", "level", "words", "rule", "table", "session_id", "subject",
            "raised_at", "cleared_at", "acknowledged_at", "acknowledged_by", "reason",
        ]  # fmt: skip

    def get_kind_name(self, alert: Alert) -> str:
        return causes.kind_name(alert.kind).say(self.context["language"])

    def get_words(self, alert: Alert) -> str:
        return keeping.words_of(alert).say(self.context["language"])


class FloorAlertFilter(filters.FilterSet):
    waiting = filters.BooleanFilter(
        field_name="acknowledged_at", lookup_expr="isnull", help_text="nobody acknowledged it yet"
    )
    lasting = filters.BooleanFilter(
        field_name="cleared_at", lookup_expr="isnull", help_text="its cause has not gone away"
    )
    table = filters.CharFilter(field_name="table__name", max_length=10)
    since = InstantFilter(field_name="raised_at", lookup_expr="gte")
    until = InstantFilter(field_name="raised_at", lookup_expr="lt")

    class Meta:
        model = Alert
        fields = ["kind", "level", "session"]


class Alerts(Rows):
    """Alerts, newest first: they stay until somebody acknowledges them, also when their cause went away."""

    queryset = ALERTS
    serializer_class = FloorAlertOut
    filterset_class = FloorAlertFilter


class AlertAcknowledge(Endpoint):
    serializer_class = FloorAlertOut

    @writes(keeping.acknowledge, takes=Given, gives=FloorAlertOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Alert:
        """Acknowledge an alert; `reason`: what was done about it."""
        (alert,) = keeping.acknowledge(alerts=[self.one(ALERTS, pk)], by=by)
        return alert


class FloatCheckOut(serializers.ModelSerializer[FloatCheck]):
    session_id = serializers.IntegerField()
    chips = serializers.SerializerMethodField()
    total, expected, difference = Money(), Money(), Money()
    cash = Money(allow_null=True)
    counted_by = serializers.CharField(source="counted_by.name")
    witnessed_by = serializers.CharField(source="witnessed_by.name")

    class Meta:
        model = FloatCheck
        fields = [
            "id", "session_id", "number", "chips", "total", "cash", "basis", "expected", "difference",
            "counted_by", "witnessed_by", "checked_at",
        ]  # fmt: skip

    @extend_schema_field(ChipLine(many=True))
    def get_chips(self, check: FloatCheck) -> Any:
        lines = [{"denomination": value, "count": number} for value, number in loaded(check.chips).items()]
        return ChipLine(lines, many=True, context=self.context).data


class FloatCheckIn(Given):
    chips = ChipsField(help_text="the float as counted")
    counted_by = Own(queryset=STAFF)
    witnessed_by = Own(queryset=STAFF)
    cash = Money(
        required=False,
        allow_null=True,
        default=None,
        help_text="chips sold for cash at the table so far, as noted; without it the check is an estimate",
    )


class FloatChecks(Rows):
    """Float checks of every session, newest first; none of one whose drop is being counted, and to the cage,
    which counts it, none before (FLOOR-11)."""

    queryset = FloatCheck.objects.select_related("counted_by", "witnessed_by").order_by("-checked_at", "-id")
    serializer_class = FloatCheckOut
    filterset_fields = ["session", "basis"]

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows
        return rows.filter(pk__in=checks_in(self.casino, blind=blind(self.user)).values("pk"))


class SessionFloatChecks(OfSessions):
    @writes(float_checks.check_float, takes=FloatCheckIn, gives=FloatCheckOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> FloatCheck:
        """Count the float of a live table in mid-shift before two people (FLOOR-05)."""
        counted = given.pop("chips")
        return float_checks.check_float(session=self.session(pk), chips_counted=counted, **given, by=by)


class DisputeIn(Given):
    claims = serializers.CharField(max_length=LONGEST_SUMMARY, help_text="what is in dispute")
    seat = serializers.IntegerField(min_value=1, max_value=99, required=False, allow_null=True, default=None)


class SessionDisputes(OfSessions):
    @writes(disputes.open_dispute, takes=DisputeIn, gives=IncidentDetail, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Incident:
        """Stop a table for a dispute, its round frozen with the cards in view (GEN-08)."""
        return disputes.open_dispute(session=self.session(pk), **given, by=by)


class ShiftNoteOut(serializers.ModelSerializer[ShiftNote]):
    day = serializers.DateField(source="day.date")
    pit = serializers.CharField(source="pit.name", default="")
    by = serializers.CharField(source="by.name")

    class Meta:
        model = ShiftNote
        fields = ["id", "day", "pit", "text", "by", "at"]


class ShiftNoteIn(Given):
    text = serializers.CharField(max_length=shift_notes.LONGEST)
    pit = Own(queryset=Pit.objects.all(), required=False, allow_null=True, default=None)


class ShiftNoteFilter(filters.FilterSet):
    day = filters.DateFilter(field_name="day__date")

    class Meta:
        model = ShiftNote
        fields = ["pit"]


class ShiftNotes(Rows):
    """What chiefs noted of a shift, newest first."""

    queryset = ShiftNote.objects.select_related("day", "pit", "by").order_by("-at", "-id")
    serializer_class = ShiftNoteOut
    filterset_class = ShiftNoteFilter

    @writes(shift_notes.note_shift, takes=ShiftNoteIn, gives=ShiftNoteOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> ShiftNote:
        """Write a note of the gaming day of `occurred_at`; it is never changed."""
        return shift_notes.note_shift(**given, by=by)


class DutyOut(serializers.ModelSerializer[PitDuty]):
    user_id = serializers.IntegerField()
    user = serializers.CharField(source="user.username")
    pits = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = PitDuty
        fields = ["user_id", "user", "pits"]


class DutyIn(Reasoned):
    user = Own(queryset=User.objects.all())
    pits = serializers.ListField(
        child=Own(queryset=Pit.objects.all()), max_length=200, help_text="none: all of them"
    )


class Duties(Rows):
    """Which pits a chief answers for; whoever is not listed writes at all tables their roles allow."""

    queryset = PitDuty.objects.select_related("user").order_by("user__username")
    serializer_class = DutyOut

    @writes(duties.set_duties, takes=DutyIn, gives=DutyOut)
    def post(self, by: By, given: dict[str, Any]) -> PitDuty:
        """Say which pits a chief answers for from now on."""
        return duties.set_duties(**given, by=by)


class TileAlertOut(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk", allow_null=True)
    level = serializers.CharField()
    words = Words(source="text")
    rule = serializers.CharField()
    acknowledged_by = serializers.CharField(source="seen_by")
    over = serializers.BooleanField()


class TileOut(serializers.Serializer[Any]):
    """A table on the floor; amounts null where they are not known or not to be read."""

    table = serializers.CharField(source="table.name")
    pit = serializers.CharField(source="table.pit.name")
    game = serializers.CharField()
    session_id = serializers.IntegerField(source="session.pk", default=None)
    state = serializers.CharField(source="session.state", default="closed")
    dealer = serializers.CharField()
    minutes_left = serializers.IntegerField()
    supervisor = serializers.CharField()
    round = serializers.IntegerField()
    in_progress = serializers.BooleanField()
    house, result = Money(allow_null=True), Money(allow_null=True)
    seated = serializers.IntegerField()
    waiting = serializers.IntegerField()
    slips = serializers.ListField(child=serializers.IntegerField(), help_text="open fills, open credits")
    alerts = TileAlertOut(many=True)


class FloorNow(Endpoint):
    serializer_class = TileOut
    queryset = Alert.objects.none()

    @extend_schema(responses=TileOut(many=True), operation_id="floor_now")
    def get(self, request: Request) -> Response:
        """Every table at a glance, as the floor page shows it now."""
        shown = overview.floor(self.user, clock.now())
        tiles = [tile for _, found in shown.pits for tile in found]
        return Response(TileOut(tiles, many=True, context=self.get_serializer_context()).data)


class FloorHourOut(serializers.Serializer[Any]):
    table = serializers.CharField()
    hour = serializers.CharField()
    since = serializers.DateTimeField()
    rounds = serializers.IntegerField()
    house, deduction, drop = Money(allow_null=True), Money(allow_null=True), Money(allow_null=True)
    estimate, result, difference = Money(allow_null=True), Money(allow_null=True), Money(allow_null=True)


class FloorHours(Endpoint):
    serializer_class = FloorHourOut
    queryset = Alert.objects.none()

    @extend_schema(
        responses=FloorHourOut(many=True),
        operation_id="floor_hours",
        parameters=[OpenApiParameter("day", dt.date, required=True)],
    )
    def get(self, request: Request) -> Response:
        """Each table hour by hour of a gaming day; hours in which nothing happened at it are left out."""
        permissions.require(self.user, policies.READ_MONEY)
        found = hourly.grid(self.casino, self._day(request), blind=blind(self.user))
        rows = [
            {"table": line.table.name, "hour": hour.label, "since": hour.start}
            | {name: getattr(cell, name) for name in hourly.FIGURES}
            for line in found.lines
            for hour, cell in zip(found.hours, line.cells, strict=True)
            if cell != hourly.Cell()
        ]
        return Response(FloorHourOut(rows, many=True, context=self.get_serializer_context()).data)

    def _day(self, request: Request) -> dt.date:
        try:
            day = dt.date.fromisoformat(request.query_params.get("day", ""))
            if clock.EARLIEST.date() <= day < clock.LATEST.date():
                return day
        except ValueError:
            pass
        raise Refused(
            Text("indique un día de juego, como 2026-11-29", "state a gaming day, such as 2026-11-29"),
            code="bad_date",
            field="day",
        )
