"""Inspections over the API: what two people found in a deck before play, or at the close of a shoe."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits.api.fields import InstantFilter, Own, Strict
from audits.api.frame import Endpoint, Given, Rows, writes
from audits.by import By
from audits.models import Actor
from shoes import closing, decks, examining
from shoes.api.shoes import ShoeDetail
from shoes.inspection import MOST_FAULTS
from shoes.models import Deck, DeckInspection, Shoe

ACTORS = Actor.objects.all()


class InspectionOut(serializers.ModelSerializer[DeckInspection]):
    """`moment`: before play, or the closing count of `shoe`."""

    deck = serializers.CharField(source="deck.serial")
    deck_id = serializers.IntegerField()
    shoe = serializers.CharField(source="shoe.label", default="")
    shoe_id = serializers.IntegerField(allow_null=True)
    inspector = serializers.CharField(source="inspector.name")
    witness = serializers.CharField(source="witness.name")

    class Meta:
        model = DeckInspection
        fields = [
            "id", "deck_id", "deck", "counted", "by_suit_shown", "backs_checked", "missing", "extra",
            "marked", "foreign", "damaged", "suit_order", "moment", "shoe_id", "shoe", "passed", "inspector",
            "witness", "at",
        ]  # fmt: skip


class CardsField(serializers.ListField):
    child = serializers.CharField(max_length=4)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, default=list, max_length=MOST_FAULTS, **kwargs)


class Found(serializers.Serializer[Any]):
    """What was found in one deck, by kind of fault."""

    counted = serializers.IntegerField(min_value=0, max_value=1_000)
    by_suit_shown = serializers.BooleanField()
    backs_checked = serializers.BooleanField()
    missing, extra, marked = CardsField(), CardsField(), CardsField()
    foreign, damaged = CardsField(), CardsField()


class InspectionIn(Found, Given):
    suit_order = serializers.CharField(max_length=12, required=False, default="")
    inspector = Own(queryset=ACTORS, required=False, help_text="who examined it; you if left out")
    witness = Own(queryset=ACTORS)


class DeckInspections(Endpoint):
    @writes(examining.inspect_deck, takes=InspectionIn, gives=InspectionOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DeckInspection:
        """Record what two people found in an issued deck: it passes, or is withdrawn (CARD-14, CARD-15)."""
        given.setdefault("inspector", by.actor)
        return examining.inspect_deck(deck=self.one(Deck, pk), **given, by=by)


class CountedDeck(Found, Strict):
    serial = serializers.CharField(max_length=40)
    seal = serializers.CharField(
        max_length=40, required=False, allow_blank=True, help_text="the number its box was closed with again"
    )


class ShoeCountIn(Given):
    decks = serializers.ListField(child=CountedDeck(), min_length=1, max_length=decks.MOST_AT_ONCE)
    inspector = Own(queryset=ACTORS, required=False, help_text="who counted; you if left out")
    witness = Own(queryset=ACTORS)


class ShoeCount(Endpoint):
    @writes(closing.count_shoe, takes=ShoeCountIn, gives=ShoeDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shoe:
        """The closing inspection and count of an ended shoe, every deck of it (CARD-43)."""
        lines = given["decks"]
        found = {line["serial"]: line for line in lines}
        if len(found) != len(lines):
            raise serializers.ValidationError({"decks": ["cada baraja una vez / each deck once"]}, "repeated")
        return closing.count_shoe(
            shoe=self.one(Shoe, pk),
            found=found,
            inspector=given.get("inspector", by.actor),
            witness=given["witness"],
            by=by,
        )


class InspectionFilter(filters.FilterSet):
    deck = filters.NumberFilter(field_name="deck_id")
    serial = filters.CharFilter(field_name="deck__serial", max_length=40)
    batch = filters.CharFilter(field_name="deck__batch", max_length=40)
    shoe = filters.NumberFilter(field_name="shoe_id")
    inspector = filters.NumberFilter(field_name="inspector_id")
    witness = filters.NumberFilter(field_name="witness_id")
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = DeckInspection
        fields = ["passed", "moment"]


class Inspections(Rows):
    """Every examination of a deck, newest first."""

    queryset = DeckInspection.objects.select_related("deck", "shoe", "inspector", "witness").order_by(
        "-at", "-id"
    )
    serializer_class = InspectionOut
    filterset_class = InspectionFilter
