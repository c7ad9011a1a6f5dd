"""Shoes over the API: begin one, sign its steps, see its checklist, end it."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import Words
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.by import By
from shoes import queries, shoes
from shoes.models import Shoe


class ShoeOut(serializers.ModelSerializer[Shoe]):
    label = serializers.CharField()  # type: ignore[assignment]

    class Meta:
        model = Shoe
        fields = [
            "id", "label", "game", "deck_type", "decks_wanted", "state", "device", "table_label", "total",
            "dealt", "burned", "discarded", "remaining", "count_complete", "stop_at", "stop_reached",
            "started_at", "ready_at", "played_at", "ended_at", "end_reason",
        ]  # fmt: skip


class SignatureOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    at = serializers.DateTimeField()
    data = serializers.DictField()  # type: ignore[assignment]


class LineOut(serializers.Serializer[Any]):
    """`status` is done, now or later; `again` says that a step done may be done once more."""

    step = serializers.CharField()
    words = Words()
    rules = serializers.ListField(child=serializers.CharField())
    status = serializers.ChoiceField(choices=["done", "now", "later"])
    again = serializers.BooleanField()
    asks = serializers.SerializerMethodField(help_text="names of the values the step's `data` holds")
    signatures = SignatureOut(many=True)

    def get_asks(self, line: queries.ChecklistLine) -> list[str]:
        return [field.name for field in line.fields]


class ShoeDetail(ShoeOut):
    checklist = serializers.SerializerMethodField()

    class Meta(ShoeOut.Meta):
        fields = [*ShoeOut.Meta.fields, "checklist"]

    @extend_schema_field(LineOut(many=True))
    def get_checklist(self, shoe: Shoe) -> Any:
        return LineOut(queries.checklist(shoe), many=True, context=self.context).data


class ShoeIn(Given):
    game = serializers.CharField(max_length=40)
    decks_wanted = serializers.IntegerField(min_value=1, max_value=99, required=False)
    device = serializers.CharField(max_length=20, required=False, allow_blank=True)


class ShoeStepIn(Given):
    step = serializers.CharField(max_length=20)
    data = serializers.DictField(  # type: ignore[assignment]
        default=dict, help_text="what the step asks; see `checklist[].asks`"
    )


class ShoeFilter(filters.FilterSet):
    game = filters.CharFilter(max_length=40)
    number = filters.NumberFilter()

    class Meta:
        model = Shoe
        fields = ["state"]


SHOES = Shoe.objects.order_by("-number")


class Shoes(Rows):
    queryset = SHOES
    serializer_class = ShoeOut
    filterset_class = ShoeFilter

    @writes(shoes.start_shoe, takes=ShoeIn, gives=ShoeDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Shoe:
        return shoes.start_shoe(**given, by=by)


class ShoeRow(Row):
    queryset = SHOES
    serializer_class = ShoeDetail


class ShoeSteps(Endpoint):
    @writes(shoes.take_step, takes=ShoeStepIn, gives=ShoeDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shoe:
        return shoes.take_step(shoe=self.one(Shoe, pk), **given, by=by)


class ShoeEnd(Endpoint):
    @writes(shoes.abandon_shoe, gives=ShoeOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shoe:
        """End a shoe that is at no table; its decks are inspected again before any other use."""
        return shoes.abandon_shoe(shoe=self.one(Shoe, pk), by=by, reason=by.reason)
