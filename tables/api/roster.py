"""Shifts, hours, certificates and time at the tables over the API."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Instant, Own, Words
from audits.api.frame import Endpoint, Given, Reasoned, Row, Rows, writes
from audits.by import By
from casino.kernel import clock
from casino.kernel.errors import NotFound
from casino.kernel.words import Text
from tables.models import Certificate, Shift, Staff
from tables.roster import certificates, clocking, hours, shifts, turns
from tables.roster.post import own_post

MOST_PEOPLE = 200


class ShiftOut(serializers.ModelSerializer[Shift]):
    staff_name = serializers.CharField(source="staff.name")
    start = serializers.DateTimeField()
    end = serializers.DateTimeField()
    came = serializers.DateTimeField(allow_null=True)
    left = serializers.DateTimeField(allow_null=True)
    minutes = serializers.SerializerMethodField(help_text="planned")
    worked = serializers.SerializerMethodField(help_text="minutes, null while it is not over")
    late_in = serializers.SerializerMethodField()
    early_out = serializers.SerializerMethodField()
    late_out = serializers.SerializerMethodField()

    class Meta:
        model = Shift
        fields = [
            "id", "staff_id", "staff_name", "day", "start", "end", "came", "left", "state", "duty", "note",
            "minutes", "worked", "late_in", "early_out", "late_out",
        ]  # fmt: skip

    def get_minutes(self, shift: Shift) -> int:
        return hours.minutes(shift.start, shift.end)

    def get_worked(self, shift: Shift) -> int | None:
        return hours.minutes(shift.came, shift.left) if shift.came and shift.left else None

    def get_late_in(self, shift: Shift) -> int:
        return _off(shift).late_in

    def get_early_out(self, shift: Shift) -> int:
        return _off(shift).early_out

    def get_late_out(self, shift: Shift) -> int:
        return _off(shift).late_out


def _off(shift: Shift) -> hours.Punctuality:
    return hours.punctuality((shift.start, shift.end), shift.came, shift.left)


class ShiftIn(Given):
    staff = Own(queryset=Staff.objects.all())
    start = Instant()
    end = Instant()
    duty = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)


class ShiftChangeIn(Given):
    start = Instant()
    end = Instant()
    duty = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)


class PatternIn(Given):
    """The same wall clock hours for several people; 0 is Monday."""

    staff = serializers.ListField(child=Own(queryset=Staff.objects.all()), max_length=MOST_PEOPLE)
    first = serializers.DateField()
    last = serializers.DateField()
    weekdays = serializers.ListField(child=serializers.IntegerField(min_value=0, max_value=6), max_length=7)
    start = serializers.TimeField()
    end = serializers.TimeField()
    duty = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)


class SwapIn(Given):
    first = Own(queryset=Shift.objects.all())
    second = Own(queryset=Shift.objects.all())
    agreed = serializers.ListField(
        child=Own(queryset=Staff.objects.all()), max_length=2, help_text="the two who agreed"
    )


class CorrectIn(Given):
    came = Instant()
    left = Instant()


class ShiftFilter(filters.FilterSet):
    day = filters.DateFilter()
    from_day = filters.DateFilter(field_name="day", lookup_expr="gte")
    to_day = filters.DateFilter(field_name="day", lookup_expr="lte")
    staff = filters.NumberFilter(field_name="staff_id", min_value=1, max_value=2**63 - 1)

    class Meta:
        model = Shift
        fields = ["state"]


SHIFTS = Shift.objects.select_related("staff").order_by("planned", "id")


class Shifts(Rows):
    queryset = SHIFTS
    serializer_class = ShiftOut
    filterset_class = ShiftFilter

    @writes(shifts.plan_shift, takes=ShiftIn, gives=ShiftOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Shift:
        return shifts.plan_shift(**given, by=by)


class ShiftPattern(Endpoint):
    @writes(shifts.plan_pattern, takes=PatternIn, gives=ShiftOut, many=True, status=201)
    def post(self, by: By, given: dict[str, Any]) -> list[Shift]:
        return shifts.plan_pattern(**given, by=by)


class ShiftSwap(Endpoint):
    @writes(shifts.swap_shifts, takes=SwapIn, gives=ShiftOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> tuple[Shift, Shift]:
        return shifts.swap_shifts(**given, by=by)


class ShiftRow(Row):
    queryset = SHIFTS
    serializer_class = ShiftOut


class ShiftChange(Endpoint):
    @writes(shifts.change_shift, takes=ShiftChangeIn, gives=ShiftOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shift:
        return shifts.change_shift(shift=self.one(SHIFTS, pk), **given, by=by)


class ShiftCancel(Endpoint):
    @writes(shifts.cancel_shift, takes=Given, gives=ShiftOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shift:
        return shifts.cancel_shift(shift=self.one(SHIFTS, pk), by=by)


class ShiftAbsent(Endpoint):
    @writes(shifts.mark_absent, takes=Given, gives=ShiftOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shift:
        return shifts.mark_absent(shift=self.one(SHIFTS, pk), by=by)


class ShiftCorrect(Endpoint):
    @writes(clocking.correct_hours, takes=CorrectIn, gives=ShiftOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shift:
        return clocking.correct_hours(shift=self.one(SHIFTS, pk), **given, by=by)


class ClockIn(Endpoint):
    @writes(clocking.clock_in, takes=Given, gives=ShiftOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shift:
        return clocking.clock_in(staff=self.one(Staff, pk), by=by)


class ClockOut(Endpoint):
    @writes(clocking.clock_out, takes=Given, gives=ShiftOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shift:
        return clocking.clock_out(staff=self.one(Staff, pk), by=by)


class CertificateOut(serializers.ModelSerializer[Certificate]):
    class Meta:
        model = Certificate
        fields = ["id", "staff_id", "game", "since", "until", "certified_by", "document", "recorded_at"]


class CertificateIn(Reasoned):
    game = serializers.CharField(max_length=40)
    since = serializers.DateField()
    until = serializers.DateField(required=False, allow_null=True)
    certified_by = serializers.CharField(max_length=120)
    document = serializers.CharField(max_length=60)


class Certificates(Rows):
    queryset = Certificate.objects.order_by("game", "-since", "-id")
    serializer_class = CertificateOut

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows
        return rows.filter(staff=self.one(Staff, self.kwargs["pk"]))

    @writes(certificates.certify, takes=CertificateIn, gives=CertificateOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Certificate:
        return certificates.certify(staff=self.one(Staff, pk), **given, by=by)


class ExpiryOut(serializers.Serializer[Any]):
    """A licence, or a certificate for `game`, that runs out: `days` left, negative when it is over."""

    staff_id = serializers.IntegerField(source="staff.pk")
    name = serializers.CharField(source="staff.name")
    game = serializers.CharField()
    last_day = serializers.DateField()
    days = serializers.IntegerField()
    level = serializers.IntegerField(help_text="30, 15 or 0")


class Expiring(Rows):
    """Licences and certificates that end within thirty days, or have ended."""

    queryset = Staff.objects.none()
    serializer_class = ExpiryOut
    filter_backends: Any = ()

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return certificates.expiring(self.casino, self.casino.gaming_day(clock.now()))


class AtWorkOut(serializers.Serializer[Any]):
    """How somebody stands: minutes in a row and at one table, minutes off the felt, when a relief is due."""

    staff_id = serializers.IntegerField()
    table = serializers.CharField()
    post = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    in_a_row = serializers.IntegerField()
    at_table = serializers.IntegerField()
    rested = serializers.IntegerField()
    last_rest = serializers.DateTimeField(allow_null=True)
    due = serializers.DateTimeField(allow_null=True)
    left = serializers.IntegerField(allow_null=True, help_text="minutes until then; negative: over")
    rule = serializers.CharField()
    words = Words(allow_null=True)


class StandingNow(Rows):
    """Everybody who stood at a table lately, from the turns they really held (FLOOR-03)."""

    queryset = Staff.objects.none()
    serializer_class = AtWorkOut
    filter_backends: Any = ()

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return [_told(owner, one) for owner, one in sorted(turns.standing(self.casino, clock.now()).items())]


_SAID = [name for name in AtWorkOut().fields if name != "staff_id"]


def _told(owner: int, one: turns.Standing) -> dict[str, Any]:
    return {"staff_id": owner, **{str(name): getattr(one, str(name)) for name in _SAID}}


class NextOut(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    table = serializers.CharField(help_text="empty: a rest")
    post = serializers.CharField()


class MonthOut(serializers.Serializer[Any]):
    shifts = serializers.IntegerField()
    planned = serializers.IntegerField(help_text="minutes, as all of these")
    worked = serializers.IntegerField()
    night = serializers.IntegerField()
    late_in = serializers.IntegerField()
    absences = serializers.IntegerField()


class MyPostOut(serializers.Serializer[Any]):
    staff_id = serializers.IntegerField(source="staff.pk")
    name = serializers.CharField(source="staff.name")
    standing = serializers.SerializerMethodField()
    next = NextOut(allow_null=True)
    shift = ShiftOut(allow_null=True)
    coming = ShiftOut(many=True)
    month = MonthOut()

    @extend_schema_field(AtWorkOut)
    def get_standing(self, own: Any) -> Any:
        return AtWorkOut(_told(own.staff.pk, own.standing), context=self.context).data


class MyPost(Endpoint):
    @extend_schema(responses=MyPostOut)
    def get(self, request: Request) -> Response:
        """Where whoever asks stands, until when, what is next, and their shifts and hours."""
        found = own_post(self.user, clock.now())
        if found is None:
            raise NotFound(
                Text("su usuario no es de nadie del personal", "your login is nobody's of the staff"),
                code="no_staff",
            )
        return Response(MyPostOut(found, context=self.get_serializer_context()).data)
