"""Shoes over the API: begin one, sign its steps, see its checklist and what was noticed of it, end it."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import InstantFilter, Words
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.by import By
from casino.kernel.words import Text
from shoes import queries, shoes
from shoes.models import Shoe, ShoeAlert
from shoes.steps import Field


class ShoeOut(serializers.ModelSerializer[Shoe]):
    label = serializers.CharField()  # type: ignore[assignment]

    class Meta:
        model = Shoe
        fields = [
            "id", "label", "game", "method", "deck_type", "decks_wanted", "state", "device", "table_label",
            "renews", "total", "dealt", "burned", "discarded", "remaining", "count_complete", "stop_at",
            "stop_reached", "started_at", "ready_at", "played_at", "played_table", "ended_at", "end_reason",
            "counted_at",
        ]  # fmt: skip


class SignatureOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    at = serializers.DateTimeField()
    data = serializers.DictField()  # type: ignore[assignment]


class ChoiceOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    words = Words()


class QuestionOut(serializers.Serializer[Any]):
    """A value of a step's `data`; asked always, or only after some answers to another of its values."""

    name = serializers.CharField()
    kind = serializers.CharField(help_text="serials, choice, number, seats, cutter, card, text or tick")
    words = Words()
    choices = serializers.SerializerMethodField()
    after = serializers.SerializerMethodField(help_text="the other value; empty if it is always asked")
    answers = serializers.SerializerMethodField(help_text="the answers to it that bring this one up")

    @extend_schema_field(ChoiceOut(many=True))
    def get_choices(self, field: Field) -> Any:
        offered = [{"code": code, "words": words} for code, words in field.choices]
        return ChoiceOut(offered, many=True, context=self.context).data

    def get_after(self, field: Field) -> str:
        return field.when[0] if field.when else ""

    def get_answers(self, field: Field) -> list[str]:
        return list(field.when[1]) if field.when else []


class ChecklistLineOut(serializers.Serializer[Any]):
    """`status` is done, now or later; `again` says that a step done may be done once more."""

    step = serializers.CharField()
    words = Words()
    rules = serializers.ListField(child=serializers.CharField())
    status = serializers.ChoiceField(choices=["done", "now", "later"])
    again = serializers.BooleanField()
    asks = serializers.SerializerMethodField(help_text="names of the values the step's `data` holds")
    questions = QuestionOut(source="fields", many=True, help_text="the same values, with what is asked")
    signers = serializers.SerializerMethodField(help_text="roles that sign it; none: whoever may prepare")
    signatures = SignatureOut(many=True)

    def get_asks(self, line: queries.ChecklistLine) -> list[str]:
        return [field.name for field in line.fields]

    def get_signers(self, line: queries.ChecklistLine) -> list[str]:
        return [role.value for role in line.rule.signers]


class ShoeAlertOut(serializers.ModelSerializer[ShoeAlert]):
    """What a detector noticed; `p` bounds how often chance alone would show the like."""

    shoe = serializers.CharField(source="shoe.label")
    shoe_id = serializers.IntegerField()
    words = serializers.SerializerMethodField()
    incident = serializers.CharField(source="incident.label", default="")
    incident_id = serializers.IntegerField(allow_null=True)

    class Meta:
        model = ShoeAlert
        fields = ["id", "shoe_id", "shoe", "detector", "p", "words", "facts", "incident_id", "incident", "at"]

    def get_words(self, alert: ShoeAlert) -> str:
        return Text(alert.words_es, alert.words_en).say(self.context["language"])


ALERTS = ShoeAlert.objects.select_related("shoe", "incident").order_by("-at", "-id")


class ShoeDetail(ShoeOut):
    """With its decks, its checklist and what the detectors noticed."""

    serials = serializers.SerializerMethodField(help_text="the decks inside")
    checklist = serializers.SerializerMethodField()
    alerts = serializers.SerializerMethodField()

    class Meta(ShoeOut.Meta):
        fields = [*ShoeOut.Meta.fields, "serials", "checklist", "alerts"]

    def get_serials(self, shoe: Shoe) -> list[str]:
        return list(shoe.decks.order_by("serial").values_list("serial", flat=True))

    @extend_schema_field(ShoeAlertOut(many=True))
    def get_alerts(self, shoe: Shoe) -> Any:
        return ShoeAlertOut(ALERTS.filter(shoe=shoe), many=True, context=self.context).data

    @extend_schema_field(ChecklistLineOut(many=True))
    def get_checklist(self, shoe: Shoe) -> Any:
        return ChecklistLineOut(queries.checklist(shoe), many=True, context=self.context).data


class ShoeIn(Given):
    game = serializers.CharField(max_length=40)
    decks_wanted = serializers.IntegerField(min_value=1, max_value=99, required=False)
    device = serializers.CharField(max_length=20, required=False, allow_blank=True)
    method = serializers.CharField(
        max_length=20,
        required=False,
        allow_blank=True,
        help_text="left out: by hand; `machine_shoe` in a machine",
    )


class ShoeStepIn(Given):
    step = serializers.CharField(max_length=20)
    data = serializers.DictField(  # type: ignore[assignment]
        default=dict, help_text="what the step asks; see `checklist[].asks`"
    )


class ShoeFilter(filters.FilterSet):
    game = filters.CharFilter(max_length=40)
    number = filters.NumberFilter()
    method = filters.CharFilter(max_length=20)
    device = filters.CharFilter(max_length=20)
    table = filters.CharFilter(field_name="table_label", max_length=20, help_text="in play there now")
    played_table = filters.CharFilter(max_length=20)
    uncounted = filters.BooleanFilter(method="by_uncounted", help_text="ended, its closing count to be done")
    since = InstantFilter(field_name="started_at", lookup_expr="gte")
    until = InstantFilter(field_name="started_at", lookup_expr="lt")

    class Meta:
        model = Shoe
        fields = ["state"]

    def by_uncounted(self, rows: Any, name: str, value: bool) -> Any:
        waiting = {"state": Shoe.State.ENDED, "counted_at": None}
        return rows.filter(**waiting) if value else rows.exclude(**waiting)


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
        """End a shoe that is at no table; its decks wait for their closing count."""
        return shoes.abandon_shoe(shoe=self.one(Shoe, pk), by=by, reason=by.reason)


class AlertFilter(filters.FilterSet):
    shoe = filters.NumberFilter(field_name="shoe_id")
    detector = filters.CharFilter(max_length=30)
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = ShoeAlert
        fields: list[str] = []


class ShoeAlerts(Rows):
    """What the detectors noticed, newest first."""

    queryset = ALERTS
    serializer_class = ShoeAlertOut
    filterset_class = AlertFilter
