"""Reports the house makes by itself, over the API: ordered, paused, resumed, removed."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from audits import schedules
from audits.api.exports import FORMATS
from audits.api.frame import Endpoint, Reasoned, Rows, writes
from audits.api.users import LANGUAGES
from audits.by import By
from audits.models import ExportSchedule


class ScheduleOut(serializers.ModelSerializer[ExportSchedule]):
    """`since`: the first day of the first period it is made for."""

    ordered_by = serializers.CharField(source="ordered_by.name")

    class Meta:
        model = ExportSchedule
        fields = [
            "id", "report", "params", "format", "language", "every", "state", "since", "ordered_by",
            "ordered_at",
        ]  # fmt: skip


class ScheduleIn(Reasoned):
    report = serializers.CharField(max_length=60)
    params = serializers.DictField(default=dict, help_text="all but the days, which are the period's")
    every = serializers.ChoiceField(choices=ExportSchedule.Every.choices)
    format = serializers.ChoiceField(choices=FORMATS)
    language = serializers.ChoiceField(choices=LANGUAGES, default="es-bo")


SCHEDULES = ExportSchedule.objects.select_related("ordered_by").order_by("pk")


class Schedules(Rows):
    """What is made each period, and by whose order."""

    queryset = SCHEDULES
    serializer_class = ScheduleOut
    filterset_fields = ["state", "report", "every"]

    @writes(schedules.schedule_report, takes=ScheduleIn, gives=ScheduleOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> ExportSchedule:
        """Have a report made each period, from the one that is going on."""
        given.pop("reason", None)
        return schedules.schedule_report(**given, by=by)


class SchedulePause(Endpoint):
    queryset = SCHEDULES

    @writes(schedules.pause_schedule, gives=ScheduleOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> ExportSchedule:
        """Make no more files of it until it is resumed."""
        return schedules.pause_schedule(schedule=self.get_object(), by=by)


class ScheduleResume(Endpoint):
    queryset = SCHEDULES

    @writes(schedules.resume_schedule, gives=ScheduleOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> ExportSchedule:
        """Go on from the period that is going on now."""
        return schedules.resume_schedule(schedule=self.get_object(), by=by)


class ScheduleRemove(Endpoint):
    queryset = SCHEDULES

    @writes(schedules.remove_schedule, gives=ScheduleOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> ExportSchedule:
        """Make no more files of it, for good."""
        return schedules.remove_schedule(schedule=self.get_object(), by=by)
