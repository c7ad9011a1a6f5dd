"""Players, exclusion lists and their matches over the API. Documents are masked but for who may see them."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import InstantFilter
from audits.api.frame import Endpoint, Given, Reasoned, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from casino import place
from casino.kernel import permissions
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.guests import excluding, matching, policies, registering
from tables.models import (
    DocumentType,
    Exclusion,
    ExclusionEnd,
    ExclusionMatch,
    Guest,
    GuestSettings,
)


class DocumentNumber(serializers.CharField):
    """A document's number: masked, but for compliance and the inspector."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: str) -> str:
        request = self.context.get("request")
        whole = request is not None and permissions.may(request.user, policies.SEE_DOCUMENTS)
        return value if whole or not value else matching.masked(value)


class GuestOut(serializers.ModelSerializer[Guest]):
    document_type = serializers.ChoiceField(choices=DocumentType.choices)
    number = DocumentNumber()

    class Meta:
        model = Guest
        fields = ["id", "document_type", "country", "number", "name", "birth_date", "note"]


class GuestIn(Given):
    document_type = serializers.ChoiceField(choices=DocumentType.choices)
    country = serializers.CharField(max_length=2, default="BO", help_text="two letters, ISO 3166")
    number = serializers.CharField(max_length=60)
    name = serializers.CharField(max_length=120)
    birth_date = serializers.DateField()
    note = serializers.CharField(max_length=200, default="", allow_blank=True)


class GuestFilter(filters.FilterSet):
    name = filters.CharFilter(lookup_expr="icontains", max_length=120)
    number = filters.CharFilter(method="by_number", label="refused: POST guests/find instead")

    class Meta:
        model = Guest
        fields = ["document_type", "country"]

    def by_number(self, rows: Any, name: str, value: str) -> Any:
        """An address is written into logs, and with it a document that stands in it."""
        raise Refused(
            Text(
                "un documento no se escribe en la dirección: búsquelo con POST /guests/find",
                "a document is not written into an address: look it up by POST /guests/find",
            ),
            code="number_in_address",
            field="number",
        )


class GuestFindIn(Reasoned):
    number = serializers.CharField(max_length=60, default="", allow_blank=True, help_text="as it is written")
    document_type = serializers.ChoiceField(choices=DocumentType.choices, default="ci")
    country = serializers.CharField(max_length=2, default="BO", help_text="two letters, ISO 3166")
    name = serializers.CharField(max_length=120, default="", allow_blank=True, help_text="parts of the name")


GUESTS = Guest.objects.order_by("name", "id")


class Guests(Rows):
    queryset = GUESTS
    serializer_class = GuestOut
    filterset_class = GuestFilter

    @writes(registering.set_guest, takes=GuestIn, gives=GuestOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Guest:
        """Register a player by document."""
        return registering.set_guest(**given, by=by)


class GuestsFound(Endpoint):
    @writes(registering.find_guests, takes=GuestFindIn, gives=GuestOut, many=True)
    def post(self, by: By, given: dict[str, Any]) -> list[Guest]:
        """Players by document, however it is written, or by name; the first 50. Nothing is written."""
        asked = {name: given[name] for name in ("number", "document_type", "country", "name")}
        found = registering.find_guests(**asked, by=by)
        place.shows(self.request._request, found)
        return found


class GuestRow(Row):
    queryset = GUESTS
    serializer_class = GuestOut


class GuestChange(Endpoint):
    @writes(registering.set_guest, takes=GuestIn, gives=GuestOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Guest:
        """Correct a player's record, with a reason."""
        return registering.set_guest(guest=self.one(Guest, pk), **given, by=by)


class AdmissionOut(serializers.ModelSerializer[GuestSettings]):
    class Meta:
        model = GuestSettings
        fields = ["identify"]


class AdmissionIn(Reasoned):
    identify = serializers.BooleanField(help_text="whether nobody sits or waits without a document")


class Admission(Endpoint):
    @extend_schema(responses=AdmissionOut)
    def get(self, request: Request) -> Response:
        """Whether the house wants everybody identified."""
        return Response({"identify": registering.identified_only(self.casino)})

    @writes(registering.set_admission, takes=AdmissionIn, gives=AdmissionOut)
    def post(self, by: By, given: dict[str, Any]) -> GuestSettings:
        return registering.set_admission(**given, by=by)


# ---- exclusion lists -------------------------------------------------------------------------------


class ExclusionEndOut(serializers.ModelSerializer[ExclusionEnd]):
    by = serializers.CharField(source="by.name")
    second = serializers.CharField(source="second.name")

    class Meta:
        model = ExclusionEnd
        fields = ["at", "by", "second", "reason"]


class ExclusionOut(serializers.ModelSerializer[Exclusion]):
    """`since` and `until` are days of the house's calendar, both included; `ended` what ended it before."""

    label = serializers.CharField(read_only=True)  # type: ignore[assignment]
    kind = serializers.ChoiceField(choices=Exclusion.Kind.choices)
    document_type = serializers.CharField(help_text="empty where the entry has no document")
    number = DocumentNumber()
    recorded_by = serializers.CharField(source="recorded_by.name")
    ended = ExclusionEndOut(allow_null=True, default=None)

    class Meta:
        model = Exclusion
        fields = [
            "id", "label", "kind", "document_type", "country", "number", "name", "birth_date", "since",
            "until", "source", "recorded_at", "recorded_by", "ended",
        ]  # fmt: skip


class ExclusionIn(Given):
    kind = serializers.ChoiceField(choices=Exclusion.Kind.choices)
    source = serializers.CharField(  # type: ignore[assignment]
        max_length=120, help_text="the paper it stands on"
    )
    since = serializers.DateField()
    until = serializers.DateField(required=False, allow_null=True, default=None)
    document_type = serializers.ChoiceField(choices=DocumentType.choices, required=False, default="ci")
    country = serializers.CharField(max_length=2, default="BO", help_text="two letters, ISO 3166")
    number = serializers.CharField(max_length=60, default="", allow_blank=True)
    name = serializers.CharField(max_length=120, default="", allow_blank=True)
    birth_date = serializers.DateField(required=False, allow_null=True, default=None)


class ExclusionFilter(filters.FilterSet):
    name = filters.CharFilter(lookup_expr="icontains", max_length=120)

    class Meta:
        model = Exclusion
        fields = ["kind"]


EXCLUSIONS = Exclusion.objects.select_related("recorded_by", "ended__by", "ended__second").order_by("-id")


class Exclusions(Rows):
    queryset = EXCLUSIONS
    serializer_class = ExclusionOut
    filterset_class = ExclusionFilter

    @writes(excluding.exclude, takes=ExclusionIn, gives=ExclusionOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Exclusion:
        """Record an exclusion, by document or by name and birth date (GEN-11)."""
        return excluding.exclude(**given, by=by)


class ExclusionRow(Row):
    queryset = EXCLUSIONS
    serializer_class = ExclusionOut


class ExclusionEndIn(Given):
    second = SignerField(help_text="user name of another person, who signs with you")
    second_password = PasswordField()


class ExclusionEnds(Cosigned):
    cosigns = ExclusionEndIn

    @writes(excluding.end_exclusion, takes=ExclusionEndIn, gives=ExclusionEndOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> ExclusionEnd:
        """End an exclusion, with a reason and a second person (GEN-10)."""
        exclusion = self.one(Exclusion, pk)
        return excluding.end_exclusion(exclusion=exclusion, second=self.signer("second"), by=by)


# ---- matches ---------------------------------------------------------------------------------------


class MatchOut(serializers.ModelSerializer[ExclusionMatch]):
    """`exclusion_id` is none for a minor; `score` is out of 100."""

    guest = GuestOut()
    exclusion_id = serializers.IntegerField(allow_null=True)
    exclusion = serializers.CharField(source="exclusion.label", default="")
    found_by = serializers.CharField(source="found_by.name")
    decided_by = serializers.CharField(source="decided_by.name", default="")
    decided_with = serializers.CharField(source="decided_with.name", default="")

    class Meta:
        model = ExclusionMatch
        fields = [
            "id", "guest", "exclusion_id", "exclusion", "how", "score", "where", "place", "state", "found_at",
            "found_by", "decided_at", "decided_by", "decided_with", "reason", "evidence",
        ]  # fmt: skip


class MatchFilter(filters.FilterSet):
    since = InstantFilter(field_name="found_at", lookup_expr="gte")
    until = InstantFilter(field_name="found_at", lookup_expr="lt")

    class Meta:
        model = ExclusionMatch
        fields = ["state", "how", "where"]


MATCHES = ExclusionMatch.objects.select_related(
    "guest", "exclusion", "found_by", "decided_by", "decided_with"
).order_by("-id")


class Matches(Rows):
    queryset = MATCHES
    serializer_class = MatchOut
    filterset_class = MatchFilter


class MatchDecideIn(Given):
    outcome = serializers.ChoiceField(
        choices=[ExclusionMatch.State.CLEARED.value, ExclusionMatch.State.CONFIRMED.value],
        help_text="`cleared`: it is another person",
    )
    evidence = serializers.CharField(max_length=200, help_text="what was seen, such as the document")
    second = SignerField(help_text="user name of another person, who signs with you")
    second_password = PasswordField()


class MatchDecide(Cosigned):
    cosigns = MatchDecideIn

    @writes(excluding.decide_match, takes=MatchDecideIn, gives=MatchOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> ExclusionMatch:
        """Say of a likely match, by two people, whether it is the person (GEN-11)."""
        match = MATCHES.filter(casino=self.casino, pk=pk).first()
        if match is None:
            raise Http404
        excluding.decide_match(match=match, **self.signed(given), by=by)
        return MATCHES.get(pk=pk)
