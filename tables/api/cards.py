"""The cards of an open table over the API: faults, reviews of the discard holder, the same cards again."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits.api.frame import Endpoint, Given, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from audits.models import Incident
from shoes.api.faults import FaultIn, FaultOut
from shoes.changing import report_fault
from shoes.models import DiscardReview, Shoe
from shoes.reviews import LONGEST_FINDING, LONGEST_NAME, LONGEST_WHY
from tables import packs, reshuffling, reviewing, shuffling
from tables.api.rounds import BIGGEST_NUMBER
from tables.api.sessions import OfSessions, SessionOut
from tables.models import TableSession


class SessionFaults(OfSessions):
    @writes(report_fault, takes=FaultIn, gives=FaultOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Incident | dict[str, Any]:
        """Report a missing, extra, marked, foreign or damaged card in the cards of an open table."""
        return report_fault(shoe=_cards_of(self.session(pk)), **given, by=by) or {}


def _cards_of(session: TableSession) -> Shoe:
    shoe = session.shoe or reshuffling.being_shuffled(session)
    if shoe is None:
        raise packs.no_shoe()
    return shoe


class ReshuffledOut(serializers.Serializer[Any]):
    """The shoe to prepare, from the shuffle on; then it is loaded as any other."""

    shoe_id = serializers.IntegerField(source="pk")
    shoe = serializers.CharField(source="label")
    renews = serializers.CharField(source="renews.label")


class SessionReshuffle(OfSessions):
    @writes(reshuffling.reshuffle, gives=ReshuffledOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shoe:
        """Take the shoe out of play to shuffle and cut the same cards again. Needs a reason before its stop
        card came out."""
        return reshuffling.reshuffle(session=self.session(pk), by=by)


class SessionDiscards(OfSessions):
    @writes(reshuffling.return_discards, gives=SessionOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Put the cards of the discard holder back into the machine that serves as shoe (CARD-34)."""
        return self.fresh(reshuffling.return_discards(session=self.session(pk), by=by))


class ShuffleIn(Given):
    kind = serializers.ChoiceField(choices=list(shuffling.WAYS))
    machine = serializers.CharField(max_length=20, default="", allow_blank=True, help_text="its number")


class SessionShuffles(OfSessions):
    @writes(shuffling.note_shuffle, takes=ShuffleIn, gives=SessionOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Note the shuffle after a round of house poker, once (CARD-21)."""
        return self.fresh(shuffling.note_shuffle(session=self.session(pk), **given, by=by))


class ReviewOut(serializers.ModelSerializer[DiscardReview]):
    shoe_id = serializers.IntegerField()
    shoe = serializers.CharField(source="shoe.label")
    table = serializers.CharField(source="table_label")
    round = serializers.CharField(source="round_label")
    authorised_by = serializers.CharField(source="authorised_by.name")
    opened_by = serializers.CharField(source="opened_by.name")
    closed_by = serializers.CharField(source="closed_by.name", default="")
    incident_id = serializers.IntegerField()
    incident = serializers.CharField(source="incident.label")

    class Meta:
        model = DiscardReview
        fields = [
            "id", "shoe_id", "shoe", "table", "round", "asked_by", "why", "authorised_by", "opened_by",
            "opened_at", "expected", "incident_id", "incident", "found", "cards_counted", "closed_by",
            "closed_at",
        ]  # fmt: skip


class ReviewFilter(filters.FilterSet):
    table = filters.CharFilter(field_name="table_label", max_length=20)
    shoe = filters.NumberFilter(field_name="shoe_id")
    open = filters.BooleanFilter(field_name="closed_at", lookup_expr="isnull")

    class Meta:
        model = DiscardReview
        fields: list[str] = []


class OfReviews(Endpoint):
    queryset = DiscardReview.objects.select_related(
        "shoe", "authorised_by", "opened_by", "closed_by", "incident"
    ).order_by("-opened_at", "-id")
    serializer_class = ReviewOut


class Reviews(OfReviews, Rows):
    """Times the discard holder was opened, newest first."""

    filterset_class = ReviewFilter


class ReviewIn(Given):
    number = serializers.IntegerField(min_value=1, max_value=BIGGEST_NUMBER, help_text="the disputed round")
    asked_by = serializers.CharField(max_length=LONGEST_NAME, help_text="a seat, or a person of the house")
    why = serializers.CharField(max_length=LONGEST_WHY)
    authorised_by = SignerField(help_text="user name of another chief, who authorises it")
    authorised_by_password = PasswordField()


class SessionReviews(OfSessions, Cosigned):
    cosigns = ReviewIn

    @writes(reviewing.open_review, takes=ReviewIn, gives=ReviewOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DiscardReview:
        """Open the discard holder for a disputed round; the table stops until its incident is resolved."""
        return reviewing.open_review(session=self.session(pk), **self.signed(given), by=by)


class ReviewCloseIn(Given):
    found = serializers.CharField(max_length=LONGEST_FINDING)
    cards_counted = serializers.IntegerField(min_value=0, max_value=1000, help_text="that went back")


class ReviewClose(OfReviews):
    @writes(reviewing.close_review, takes=ReviewCloseIn, gives=ReviewOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DiscardReview:
        """Close the discard holder; other than the cards there were opens an incident (CARD-42)."""
        return reviewing.close_review(review=self.one(self.get_queryset(), pk), **given, by=by)
