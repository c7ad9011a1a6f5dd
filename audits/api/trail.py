"""The trail and the gaming days over the API: reading only."""

from __future__ import annotations

import json
from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits import days, personal
from audits.api.fields import Hex, InstantFilter, Words
from audits.api.frame import Endpoint, Rows, writes
from audits.by import By
from audits.models import Actor, Event
from casino.models import GamingDay


class EventOut(serializers.ModelSerializer[Event]):
    """`body` is the stored text as an object; the bytes hashed are its RFC 8785 form."""

    stream = serializers.CharField(source="stream.name")
    actor = serializers.CharField(source="actor.name")
    actor_id = serializers.IntegerField()
    sentence = serializers.SerializerMethodField()
    body = serializers.SerializerMethodField()
    hash = Hex()
    previous_hash = Hex()

    class Meta:
        model = Event
        fields = [
            "id", "stream", "seq", "occurred", "recorded", "actor_id", "actor", "action", "sentence",
            "subject_type", "subject_id", "subject_label", "rules", "request", "body", "previous_hash",
            "hash",
        ]  # fmt: skip

    def get_sentence(self, event: Event) -> str:
        return personal.sentence(event).say(self.context["language"])

    def get_body(self, event: Event) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(bytes(event.body))
        return body


class EventFilter(filters.FilterSet):
    stream = filters.CharFilter(field_name="stream__name", max_length=80, help_text="exact, as `session:42`")
    action = filters.CharFilter(max_length=80)
    actor = filters.NumberFilter(field_name="actor_id")
    subject_type = filters.CharFilter(max_length=40)
    subject_id = filters.NumberFilter()
    rule = filters.CharFilter(method="by_rule", max_length=20)
    request = filters.UUIDFilter()
    since = InstantFilter(field_name="occurred", lookup_expr="gte")
    until = InstantFilter(field_name="occurred", lookup_expr="lt")

    class Meta:
        model = Event
        fields: list[str] = []

    def by_rule(self, rows: Any, name: str, value: str) -> Any:
        return rows.filter(rules__contains=[value])


class Events(Rows):
    """What happened, newest first."""

    queryset = Event.objects.select_related("stream", "actor").order_by("-recorded", "-id")
    serializer_class = EventOut
    filterset_class = EventFilter


class ActorOut(serializers.ModelSerializer[Actor]):
    class Meta:
        model = Actor
        fields = ["id", "kind", "name"]


class ActorFilter(filters.FilterSet):
    name = filters.CharFilter(lookup_expr="icontains", max_length=120)

    class Meta:
        model = Actor
        fields = ["kind"]


class Actors(Rows):
    """Who acts in the house, to name as witness, inspector or approver."""

    queryset = Actor.objects.filter(user__is_active=True).order_by("name", "id")
    serializer_class = ActorOut
    filterset_class = ActorFilter


class HoldingOut(serializers.Serializer[Any]):
    """What keeps a gaming day open."""

    code = serializers.CharField()
    rule = serializers.CharField()
    words = Words(source="*")


class DayOut(serializers.ModelSerializer[GamingDay]):
    held_by = HoldingOut(many=True)

    class Meta:
        model = GamingDay
        fields = ["id", "date", "state", "closed_at", "checked_at", "held_by"]


class DayFilter(filters.FilterSet):
    since = filters.DateFilter(field_name="date", lookup_expr="gte")
    until = filters.DateFilter(field_name="date", lookup_expr="lte")

    class Meta:
        model = GamingDay
        fields = ["state"]


class Days(Rows):
    """Gaming days, newest first, with what holds those that could not be closed."""

    queryset = GamingDay.objects.order_by("-date")
    serializer_class = DayOut
    filterset_class = DayFilter


class DayClose(Endpoint):
    @writes(days.close_day, gives=DayOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> GamingDay:
        """Close a gaming day that is over; what holds it open, if anything, is in the answer."""
        return days.close_day(day=self.one(GamingDay, pk), by=by)
