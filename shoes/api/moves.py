"""Moves of decks over the API, and which deck was where at an instant (CARD-04)."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Instant, InstantFilter, Words
from audits.api.frame import Rows
from casino.kernel import clock
from shoes import whereabouts
from shoes.models import DeckMove


class DeckMoveOut(serializers.ModelSerializer[DeckMove]):
    """`was` and `state`: before and after; `shoe`: gone into, or come out of; `event`: what tells of it."""

    deck = serializers.CharField(source="deck.serial")
    deck_id = serializers.IntegerField()
    shoe = serializers.CharField(source="shoe.label", default="")
    shoe_id = serializers.IntegerField(allow_null=True)
    incident = serializers.CharField(source="incident.label", default="")
    act = serializers.CharField(source="act.label", default="", help_text="the act that destroyed it")
    by = serializers.CharField(source="by.name")
    second = serializers.CharField(source="second.name", default="", help_text="who signed with them")
    event = serializers.IntegerField(source="event_id")
    words = serializers.SerializerMethodField()

    class Meta:
        model = DeckMove
        fields = [
            "id", "deck_id", "deck", "seq", "kind", "was", "state", "place", "shoe_id", "shoe", "seal",
            "incident", "act", "by", "second", "reason", "at", "words", "event",
        ]  # fmt: skip

    def get_words(self, move: DeckMove) -> str:
        return whereabouts.moved(move).say(self.context["language"])


class MoveFilter(filters.FilterSet):
    deck = filters.NumberFilter(field_name="deck_id")
    serial = filters.CharFilter(field_name="deck__serial", max_length=40)
    batch = filters.CharFilter(field_name="deck__batch", max_length=40)
    place = filters.CharFilter(max_length=20, help_text="a table or the inspection desk")
    shoe = filters.NumberFilter(field_name="shoe_id")
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = DeckMove
        fields = ["kind", "state"]


MOVES = DeckMove.objects.select_related("deck", "shoe", "incident", "act", "by", "second")


class DeckMoves(Rows):
    """Every move of a deck, newest first."""

    queryset = MOVES.order_by("-at", "-id")
    serializer_class = DeckMoveOut
    filterset_class = MoveFilter


class WhereIn(serializers.Serializer[Any]):
    at = Instant(required=False, help_text="the instant; now if left out")
    place = serializers.CharField(
        max_length=20,
        required=False,
        default="",
        allow_blank=True,
        help_text="a table or the inspection desk",
    )
    serial = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)


class WhereOut(serializers.Serializer[Any]):
    """Where a deck was, and the move that had taken it there."""

    deck_id = serializers.IntegerField(source="deck.pk")
    deck = serializers.CharField(source="deck.serial")
    state = serializers.CharField(source="move.state")
    place = serializers.CharField(source="move.place", help_text="empty: the store")
    shoe = serializers.CharField(source="shoe.label", default="")
    words = Words()
    since = serializers.DateTimeField(source="move.at")
    by = serializers.CharField(source="move.by.name")
    move = DeckMoveOut()


class Whereabouts(Rows):
    """Which deck was where at an instant, in order of serial number."""

    queryset = DeckMove.objects.none()
    serializer_class = WhereOut
    filter_backends = []

    @extend_schema(parameters=[WhereIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return super().get_queryset()
        asked = WhereIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        given = dict(asked.validated_data)
        return whereabouts.where_at(self.casino, given.pop("at", clock.now()), **given)
