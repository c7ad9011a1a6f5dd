"""What goes wrong with a pack, over the API: a fault somebody saw, a deck taken out of its preparation."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from audits.api.fields import Own
from audits.api.frame import Endpoint, Given, writes
from audits.by import By
from audits.models import Incident
from shoes import changing, incidents
from shoes.api.inspections import CardsField
from shoes.api.shoes import ShoeDetail
from shoes.models import Deck, Shoe


class FaultIn(Given):
    fault = serializers.ChoiceField(choices=sorted(incidents.FAULTS))
    cards = CardsField(help_text="the cards; none only where one is missing and nobody knows which")
    words = serializers.CharField(max_length=changing.LONGEST_WORDS, help_text="what was seen, and by whom")
    deck = Own(queryset=Deck.objects.all(), required=False, allow_null=True, help_text="if it is known")


class FaultOut(serializers.Serializer[Any]):
    """The incident it opened; a damaged card opens none, the cards are changed (CARD-44)."""

    incident_id = serializers.IntegerField(allow_null=True)
    incident = serializers.CharField()
    stops_table = serializers.CharField(help_text="the table that takes no round until it is settled")


class ShoeFaults(Endpoint):
    @writes(changing.report_fault, takes=FaultIn, gives=FaultOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> dict[str, Any]:
        """Report a missing, extra, marked, foreign or damaged card of a shoe (CARD-42, CARD-43)."""
        opened: Incident | None = changing.report_fault(shoe=self.one(Shoe, pk), **given, by=by)
        if opened is None:
            return {"incident_id": None, "incident": "", "stops_table": ""}
        stops = opened.table_label if opened.freezes else ""
        return {"incident_id": opened.pk, "incident": opened.label, "stops_table": stops}


class RemovalIn(Given):
    serial = serializers.CharField(max_length=40)
    reason = serializers.CharField(max_length=200)


class ShoeRemovals(Endpoint):
    @writes(changing.remove_deck, takes=RemovalIn, gives=ShoeDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Shoe:
        """Take a deck out of a pack in preparation, which starts again. Needs a reason (CARD-12)."""
        return changing.remove_deck(shoe=self.one(Shoe, pk), serial=given["serial"], why=by.reason, by=by)
