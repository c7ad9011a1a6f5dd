"""The figures of the floor over the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Money
from audits.api.frame import Endpoint, Reasoned, writes
from audits.by import By
from tables import floor_settings
from tables.floor_settings import MOST_MINUTES, IjBase
from tables.models import FloorSettings


class _Figures(serializers.Serializer[Any]):
    minimum_operation = serializers.ListField(
        child=serializers.CharField(max_length=30),
        max_length=20,
        required=False,
        help_text="families of games that must run each day; none: not watched (FLOOR-17)",
    )
    max_minutes_on_table = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES, required=False)
    min_break_minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES, required=False)
    max_minutes_same_table = serializers.IntegerField(
        min_value=1, max_value=MOST_MINUTES, required=False, allow_null=True, help_text="null: no limit"
    )
    night_from = serializers.TimeField(required=False)
    night_to = serializers.TimeField(required=False)
    rest_after_night_minutes = serializers.IntegerField(min_value=0, max_value=MOST_MINUTES, required=False)
    ij_base = serializers.ChoiceField(choices=IjBase.choices, allow_blank=True, required=False)
    ij_document = serializers.CharField(max_length=120, allow_blank=True, required=False)
    min_funds = Money(required=False)


class FloorOut(_Figures):
    pass


class FloorIn(_Figures, Reasoned):
    """What is left out stays as it is."""


class FloorFigures(Endpoint):
    serializer_class = FloorOut

    def get(self, request: Request) -> Response:
        """The figures the house uses; the book's where it has set none."""
        return Response(self.get_serializer(floor_settings.settings_of(self.casino)).data)

    @writes(floor_settings.set_floor, takes=FloorIn, gives=FloorOut)
    def post(self, by: By, given: dict[str, Any]) -> FloorSettings:
        """Set figures; what is left out stays."""
        return floor_settings.set_floor(figures=given, by=by)
