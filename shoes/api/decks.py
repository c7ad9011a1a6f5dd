"""Decks over the API: receiving them, and the examination by two people."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits.api.fields import InstantFilter, Own
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.by import By
from audits.models import Actor
from shoes import decks, examining
from shoes.models import Deck, DeckInspection


class DeckOut(serializers.ModelSerializer[Deck]):
    shoe = serializers.CharField(source="shoe.label", default="", help_text="the shoe it is in")

    class Meta:
        model = Deck
        fields = [
            "id", "serial", "maker", "batch", "deck_type", "back_design", "back_colour", "homologation", "seal",
            "state", "place", "shoe", "registered_at",
        ]  # fmt: skip


class DecksIn(Given):
    serials = serializers.ListField(
        child=serializers.CharField(max_length=40), min_length=1, max_length=decks.MOST_AT_ONCE
    )
    maker = serializers.CharField(max_length=60)
    batch = serializers.CharField(max_length=40)
    back_design = serializers.CharField(max_length=60)
    back_colour = serializers.CharField(max_length=30)
    deck_type = serializers.CharField(max_length=20, default="french52")
    homologation = serializers.CharField(max_length=60, help_text="AJ's reference for these cards")
    received_with = Own(queryset=Actor.objects.all(), help_text="CARD-02: somebody of another department")
    seals = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, max_length=decks.MOST_AT_ONCE,
        help_text="in the order of `serials`; left out, each box bears its serial number",
    )  # fmt: skip
    declared = serializers.IntegerField(
        min_value=0, max_value=100_000, required=False, help_text="how many the delivery note says"
    )


class InspectionOut(serializers.ModelSerializer[DeckInspection]):
    deck = serializers.CharField(source="deck.serial")
    deck_id = serializers.IntegerField()
    inspector = serializers.CharField(source="inspector.name")
    witness = serializers.CharField(source="witness.name")

    class Meta:
        model = DeckInspection
        fields = [
            "id", "deck_id", "deck", "counted", "by_suit_shown", "backs_checked", "missing", "extra",
            "marked", "foreign", "damaged", "suit_order", "moment", "passed", "inspector", "witness", "at",
        ]  # fmt: skip


class CardsField(serializers.ListField):
    child = serializers.CharField(max_length=4)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, default=list, max_length=60, **kwargs)


class InspectionIn(Given):
    counted = serializers.IntegerField(min_value=0, max_value=1_000)
    by_suit_shown = serializers.BooleanField()
    backs_checked = serializers.BooleanField()
    missing, extra, marked = CardsField(), CardsField(), CardsField()
    foreign, damaged = CardsField(), CardsField()
    suit_order = serializers.CharField(max_length=12, required=False, default="")
    inspector = Own(
        queryset=Actor.objects.all(), required=False, help_text="who examined it; you if left out"
    )
    witness = Own(queryset=Actor.objects.all())


class DeckFilter(filters.FilterSet):
    serial = filters.CharFilter(max_length=40)
    batch = filters.CharFilter(max_length=40)

    class Meta:
        model = Deck
        fields = ["state", "deck_type"]


DECKS = Deck.objects.select_related("shoe").order_by("serial")


class Decks(Rows):
    queryset = DECKS
    serializer_class = DeckOut
    filterset_class = DeckFilter

    @writes(decks.register_decks, takes=DecksIn, gives=DeckOut, many=True, status=201)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        return decks.register_decks(**given, by=by)


class DeckRow(Row):
    queryset = DECKS
    serializer_class = DeckOut


class DeckInspections(Endpoint):
    @writes(examining.inspect_deck, takes=InspectionIn, gives=InspectionOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DeckInspection:
        given.setdefault("inspector", by.actor)
        return examining.inspect_deck(deck=self.one(Deck, pk), **given, by=by)


class InspectionFilter(filters.FilterSet):
    deck = filters.NumberFilter(field_name="deck_id")
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = DeckInspection
        fields = ["passed"]


class Inspections(Rows):
    """Every examination of a deck, newest first."""

    queryset = DeckInspection.objects.select_related("deck", "inspector", "witness").order_by("-at", "-id")
    serializer_class = InspectionOut
    filterset_class = InspectionFilter
