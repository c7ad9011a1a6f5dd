"""Plans of limits over the API: every version, and the next."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import Instant, Money, Own, Strict
from audits.api.frame import Reasoned, Rows, writes
from audits.by import By
from tables import plans
from tables.api.places import MOST_SPOTS, SpotLimit
from tables.models import LimitsPlan, Table
from tables.plan_windows import Limits, Window


class LimitsShape(Strict):
    """Limits as a plan states them."""

    chip = Money(help_text="smallest chip")
    spots = serializers.DictField(child=SpotLimit(), help_text="spot of the game -> limits")
    differential = Money(required=False, allow_null=True, default=None)

    def validate_spots(self, spots: dict[str, dict[str, int]]) -> dict[str, tuple[int, int]]:
        if len(spots) > MOST_SPOTS:
            raise serializers.ValidationError(f"≤ {MOST_SPOTS}", "too_many")
        return {spot: (pair["minimum"], pair["maximum"]) for spot, pair in spots.items()}


class WindowShape(LimitsShape):
    """The hours some limits hold: days of the gaming week, from and to by the wall clock."""

    days = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=6), max_length=7, help_text="0 = Monday"
    )
    begins = serializers.TimeField(format="%H:%M")
    ends = serializers.TimeField(format="%H:%M", help_text="equal to `begins`: the whole day")


def shown(data: dict[str, Any]) -> dict[str, Any]:
    """Stored limits as the shape above reads them."""
    spots = {spot: {"minimum": low, "maximum": high} for spot, (low, high) in data["spots"].items()}
    return {"chip": data["chip"], "spots": spots, "differential": data["differential"]}


class LimitsPlanOut(serializers.ModelSerializer[LimitsPlan]):
    table = serializers.CharField(source="table.name", default="")
    table_id = serializers.IntegerField(allow_null=True)
    windows = serializers.SerializerMethodField()
    otherwise = serializers.SerializerMethodField()
    published_by = serializers.CharField(source="published_by.name")

    class Meta:
        model = LimitsPlan
        fields = [
            "id", "game", "table_id", "table", "version", "windows", "otherwise", "effective_from",
            "reason", "published_by",
        ]  # fmt: skip

    @extend_schema_field(WindowShape(many=True))
    def get_windows(self, plan: LimitsPlan) -> Any:
        rows = [
            {**shown(window), "days": window["days"], "begins": read.begins, "ends": read.ends}
            for window, read in ((data, Window.from_json(data)) for data in plan.windows)
        ]
        return WindowShape(rows, many=True, context=self.context).data

    @extend_schema_field(LimitsShape(allow_null=True))
    def get_otherwise(self, plan: LimitsPlan) -> Any:
        return LimitsShape(shown(plan.otherwise), context=self.context).data if plan.otherwise else None


class LimitsPlanIn(Reasoned):
    """For one `table`, or for every table of a `game`; no windows and no `otherwise` end the plan."""

    table = Own(queryset=Table.objects.all(), required=False, allow_null=True, default=None)
    game = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    windows = serializers.ListField(child=WindowShape(), max_length=plans.MOST_WINDOWS)
    otherwise = LimitsShape(required=False, allow_null=True, default=None)
    effective_from = Instant(required=False)


class PlanFilter(filters.FilterSet):
    table = filters.NumberFilter(field_name="table_id")
    game = filters.CharFilter(max_length=40)

    class Meta:
        model = LimitsPlan
        fields = ["version"]


class Plans(Rows):
    """Every version of every plan, newest first."""

    queryset = LimitsPlan.objects.select_related("table", "published_by").order_by("-effective_from", "-id")
    serializer_class = LimitsPlanOut
    filterset_class = PlanFilter

    @writes(plans.publish_plan, takes=LimitsPlanIn, gives=LimitsPlanOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> LimitsPlan:
        """Publish the next version of a plan."""
        windows = [
            Window(
                tuple(sorted(set(one["days"]))),
                one["begins"].replace(second=0, microsecond=0),
                one["ends"].replace(second=0, microsecond=0),
                _limits(one),
            )
            for one in given.pop("windows")
        ]
        otherwise = given.pop("otherwise")
        return plans.publish_plan(
            windows=windows, otherwise=_limits(otherwise) if otherwise else None, **given, by=by
        )


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(given["chip"], given["spots"], given["differential"])
