"""What goes wrong with a pack, over the API: a fault somebody saw, a deck taken out of its preparation."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from audits.api.fields import Own
from audits.api.frame import Endpoint, Given, writes
from audits.by import By
from audits.models import Incident
from shoes import changing, incidents
from shoes.api.shoes import ShoeDetail
from shoes.inspection import MOST_FAULTS
from shoes.models import Deck, Shoe


class FaultIn(Given):
    fault = serializers.ChoiceField(choices=list(incidents.FAULTS))
    cards = serializers.ListField(
        child=serializers.CharField(max_length=20), max_length=MOST_FAULTS, default=list,
        help_text="the cards, as anybody writes them; none only where nobody knows which is missing",
    )  # fmt: skip
    words = serializers.CharField(max_length=changing.LONGEST_WORDS, help_text="what was seen")
    deck = Own(queryset=Deck.objects.all(), required=False, allow_null=True, default=None)


class FaultOut(serializers.Serializer[Any]):
    """The incident that was opened; none for a card that is only damaged (CARD-44)."""

    incident_id = serializers.IntegerField(source="pk", allow_null=True, default=None)
    incident = serializers.CharField(source="label", default="")
    freezes = serializers.BooleanField(
        default=False, help_text="the table takes no round until it is settled"
    )


class ShoeFaults(Endpoint):
    @writes(changing.report_fault, takes=FaultIn, gives=FaultOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Incident | dict[str, Any]:
        """Report a missing, extra, marked, foreign or damaged card of a shoe (CARD-42, CARD-43)."""
        return changing.report_fault(shoe=self.one(Shoe, pk), **given, by=by) or {}


class RemovalIn(Given):
    serial = serializers.CharField(max_length=40)
    reason = serializers.CharField(max_length=200)


class ShoeRemovals(Endpoint):
    @writes(changing.remove_deck, takes=RemovalIn, gives=ShoeDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shoe:
        """Take a deck out of a pack in preparation, which starts again. Needs a reason (CARD-12)."""
        return changing.remove_deck(shoe=self.one(Shoe, pk), serial=given["serial"], why=by.reason, by=by)
