"""The store over the API: its stock by kind, the least it should hold, its counts, the devices."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import InstantFilter, Own, Strict
from audits.api.frame import Endpoint, Given, Reasoned, Rows, writes
from audits.by import By
from audits.models import Actor
from shoes import devices, stocktaking, whereabouts
from shoes.models import Deck, Device, StockCount, StockLevel

MOST_KINDS = 200


class StockOut(serializers.Serializer[Any]):
    """The decks of one kind and colour. `usable`: those in the store, sealed or to be sealed."""

    deck_type = serializers.CharField()
    back_colour = serializers.CharField()
    sealed = serializers.IntegerField()
    usable = serializers.IntegerField()
    by_state = serializers.DictField(child=serializers.IntegerField())
    least = serializers.IntegerField(help_text="how many there should be at least; 0: none is set")
    low = serializers.BooleanField()


class Stock(Rows):
    """What the house has of each kind and colour of deck, and what it should have."""

    queryset = Deck.objects.none()
    serializer_class = StockOut
    filter_backends = []

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return super().get_queryset()
        return whereabouts.stock(self.casino)


class LevelOut(serializers.ModelSerializer[StockLevel]):
    class Meta:
        model = StockLevel
        fields = ["id", "deck_type", "back_colour", "least"]


class LevelIn(Reasoned):
    deck_type = serializers.CharField(max_length=20)
    back_colour = serializers.CharField(max_length=30)
    least = serializers.IntegerField(min_value=0, max_value=stocktaking.MOST)


class StockLevels(Rows):
    queryset = StockLevel.objects.order_by("deck_type", "back_colour")
    serializer_class = LevelOut
    filter_backends = []

    @writes(stocktaking.set_level, takes=LevelIn, gives=LevelOut)
    def post(self, by: By, given: dict[str, Any]) -> StockLevel:
        """Set how many decks of a kind and colour there should be at least. Needs a reason."""
        return stocktaking.set_level(**given, by=by)


# ---- counts -----------------------------------------------------------------------------------------


class CountedKind(Strict):
    deck_type = serializers.CharField(max_length=20)
    back_colour = serializers.CharField(max_length=30)
    counted = serializers.IntegerField(min_value=0, max_value=stocktaking.MOST)


class CountedOut(serializers.Serializer[Any]):
    """A line of a count; `expected` is what the moves said there was at that instant."""

    deck_type = serializers.CharField()
    back_colour = serializers.CharField()
    expected = serializers.IntegerField()
    counted = serializers.IntegerField()


class StockCountOut(serializers.ModelSerializer[StockCount]):
    lines = serializers.SerializerMethodField()
    counted_by = serializers.CharField(source="counted_by.name")
    counted_with = serializers.CharField(source="counted_with.name")
    incident = serializers.CharField(source="incident.label", default="", help_text="opened by a difference")
    incident_id = serializers.IntegerField(allow_null=True)

    class Meta:
        model = StockCount
        fields = ["id", "lines", "differs", "counted_by", "counted_with", "incident_id", "incident", "at"]

    @extend_schema_field(CountedOut(many=True))
    def get_lines(self, count: StockCount) -> Any:
        return CountedOut(count.lines, many=True).data


class StockCountIn(Given):
    lines = serializers.ListField(
        child=CountedKind(), min_length=1, max_length=MOST_KINDS, help_text="every kind and colour in stock"
    )
    second = Own(queryset=Actor.objects.all(), help_text="who counted with you, of another department")


class CountFilter(filters.FilterSet):
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = StockCount
        fields = ["differs"]


class StockCounts(Rows):
    """The counts of the store, newest first."""

    queryset = StockCount.objects.select_related("counted_by", "counted_with", "incident").order_by(
        "-at", "-id"
    )
    serializer_class = StockCountOut
    filterset_class = CountFilter

    @writes(stocktaking.count_store, takes=StockCountIn, gives=StockCountOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> StockCount:
        """Count the store before two departments; a difference opens an incident (CARD-02)."""
        return stocktaking.count_store(lines=given["lines"], with_=given["second"], by=by)


# ---- numbered boxes and machines --------------------------------------------------------------------


class DeviceOut(serializers.ModelSerializer[Device]):
    class Meta:
        model = Device
        fields = ["id", "number", "kind", "maker", "serial", "active"]


class DeviceIn(Reasoned):
    number = serializers.CharField(max_length=20)
    kind = serializers.ChoiceField(choices=Device.Kind.choices)
    maker = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    serial = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
    active = serializers.BooleanField(required=False, default=True)


class DeviceFilter(filters.FilterSet):
    number = filters.CharFilter(max_length=20)

    class Meta:
        model = Device
        fields = ["kind", "active"]


class Devices(Rows):
    queryset = Device.objects.order_by("number")
    serializer_class = DeviceOut
    filterset_class = DeviceFilter

    @writes(devices.set_device, takes=DeviceIn, gives=DeviceOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Device:
        """Enter a numbered shoe, shuffler or machine (CARD-46). Needs a reason."""
        return devices.set_device(**given, by=by)


class DeviceChange(Endpoint):
    @writes(devices.set_device, takes=DeviceIn, gives=DeviceOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Device:
        """Change a device's particulars, or take it out of service. Needs a reason."""
        return devices.set_device(device=self.one(Device, pk), **given, by=by)
