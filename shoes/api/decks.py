"""Decks over the API: which there are and where, received by two departments, issued by their seals."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits import filings
from audits.api.fields import Own, Strict
from audits.api.filings import FilingDetail
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from audits.models import Actor, Filing
from shoes import decks, homologation
from shoes.api.moves import MOVES, DeckMoveOut
from shoes.models import Deck

ACTORS = Actor.objects.all()


class DeckOut(serializers.ModelSerializer[Deck]):
    """`place` is a table, the inspection desk, or empty in the store; `seal` is empty once opened."""

    shoe = serializers.CharField(source="shoe.label", default="", help_text="the shoe it is in")
    shoe_id = serializers.IntegerField(allow_null=True)
    incident = serializers.CharField(source="incident.label", default="", help_text="what holds it")
    incident_id = serializers.IntegerField(allow_null=True)

    class Meta:
        model = Deck
        fields = [
            "id", "serial", "maker", "batch", "deck_type", "back_design", "back_colour", "homologation",
            "seal", "state", "place", "shoe_id", "shoe", "incident_id", "incident", "registered_at",
        ]  # fmt: skip


class DeckDetail(DeckOut):
    moves = serializers.SerializerMethodField(help_text="from its receipt to its latest")

    class Meta(DeckOut.Meta):
        fields = [*DeckOut.Meta.fields, "moves"]

    @extend_schema_field(DeckMoveOut(many=True))
    def get_moves(self, deck: Deck) -> Any:
        return DeckMoveOut(MOVES.filter(deck=deck).order_by("seq"), many=True, context=self.context).data


class SerialsField(serializers.ListField):
    """Serial numbers, as many as one act takes."""

    child = serializers.CharField(max_length=40)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=1, max_length=decks.MOST_AT_ONCE, **kwargs)


class SealedDeck(Strict):
    """A deck and the number on its closed box."""

    serial = serializers.CharField(max_length=40)
    seal = serializers.CharField(max_length=40)


class SealsField(serializers.ListField):
    child = SealedDeck()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=1, max_length=decks.MOST_AT_ONCE, **kwargs)

    def to_internal_value(self, data: Any) -> dict[str, str]:  # type: ignore[override]
        lines = super().to_internal_value(data)
        sealed = {line["serial"]: line["seal"] for line in lines}
        if len(sealed) != len(lines):
            raise serializers.ValidationError("cada baraja una vez / each deck once", "repeated")
        return sealed


class DeckFilter(filters.FilterSet):
    serial = filters.CharFilter(max_length=40)
    batch = filters.CharFilter(max_length=40)
    maker = filters.CharFilter(max_length=60)
    back_colour = filters.CharFilter(max_length=30)
    place = filters.CharFilter(max_length=20, help_text="a table or the inspection desk")
    shoe = filters.NumberFilter(field_name="shoe_id")
    incident = filters.NumberFilter(field_name="incident_id")

    class Meta:
        model = Deck
        fields = ["state", "deck_type"]


DECKS = Deck.objects.select_related("shoe", "incident").order_by("serial")


class DecksIn(Given):
    serials = SerialsField()
    maker = serializers.CharField(max_length=60)
    batch = serializers.CharField(max_length=40)
    back_design = serializers.CharField(max_length=60)
    back_colour = serializers.CharField(max_length=30)
    deck_type = serializers.CharField(max_length=20, default="french52")
    homologation = serializers.CharField(max_length=60, help_text="AJ's reference for these cards")
    received_with = SignerField(help_text="user name of somebody of another department, who signs (CARD-02)")
    received_with_password = PasswordField()
    seals = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, max_length=decks.MOST_AT_ONCE,
        help_text="in the order of `serials`; left out, each box bears its serial number",
    )  # fmt: skip
    declared = serializers.IntegerField(
        min_value=0, max_value=100_000, required=False, help_text="how many the delivery note says"
    )


class Decks(Cosigned, Rows):
    queryset = DECKS
    serializer_class = DeckOut
    filterset_class = DeckFilter
    cosigns = DecksIn

    @writes(decks.register_decks, takes=DecksIn, gives=DeckOut, many=True, status=201)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """Enter received decks into the store, before two departments (CARD-01, CARD-02)."""
        return decks.register_decks(**self.signed(given), by=by)


class DeckRow(Row):
    queryset = DECKS
    serializer_class = DeckDetail


class Moving(Endpoint):
    """An act on decks named by serial number; it answers with them as they are now."""

    def fresh(self, serials: Any) -> list[Deck]:
        return list(self.own(DECKS.filter(serial__in=list(serials))))


class DecksIssueIn(Given):
    decks = SealsField(help_text="each with the seal read on its box")
    place = serializers.CharField(max_length=20, help_text="a table, or the inspection desk")
    received_by = Own(queryset=ACTORS, help_text="whoever takes delivery")


class DecksIssue(Moving):
    @writes(decks.issue_decks, takes=DecksIssueIn, gives=DeckOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Deck]:
        """Hand decks to a table or the inspection desk; a seal that differs stops it (CARD-03)."""
        seals = given.pop("decks")
        decks.issue_decks(seals=seals, **given, by=by)
        return self.fresh(seals)


class HomologationIn(Given):
    maker = serializers.CharField(max_length=60)
    deck_type = serializers.CharField(max_length=20, required=False, default="french52")
    text = serializers.CharField(
        max_length=filings.LONGEST_TEXT, required=False, default="", allow_blank=True, help_text="to be added"
    )


class DecksHomologation(Endpoint):
    queryset = Deck.objects.all()
    serializer_class = FilingDetail

    @writes(homologation.draft, takes=HomologationIn, gives=FilingDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Filing:
        """Draft the filing that asks the AJ to homologate a maker's cards (REC-09)."""
        return homologation.draft(**given, by=by)
