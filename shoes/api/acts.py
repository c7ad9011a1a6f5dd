"""Acts of destruction over the API: decks destroyed before two witnesses, who sign by password."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from rest_framework import serializers

from audits.api.fields import InstantFilter
from audits.api.frame import Given, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from shoes import acts
from shoes.api.decks import SerialsField
from shoes.models import Deck, DestructionAct


class ActOut(serializers.ModelSerializer[DestructionAct]):
    executed_by = serializers.CharField(source="executed_by.name")
    first_witness = serializers.CharField(source="first_witness.name")
    second_witness = serializers.CharField(source="second_witness.name")

    class Meta:
        model = DestructionAct
        fields = ["id", "label", "method", "site", "executed_by", "first_witness", "second_witness", "at"]


class ActDetail(ActOut):
    serials = serializers.SerializerMethodField(help_text="the decks destroyed")

    class Meta(ActOut.Meta):
        fields = [*ActOut.Meta.fields, "serials"]

    def get_serials(self, act: DestructionAct) -> list[str]:
        return list(act.moves.order_by("deck__serial").values_list("deck__serial", flat=True))


class ActIn(Given):
    serials = SerialsField()
    method = serializers.CharField(max_length=120)
    site = serializers.CharField(max_length=120)
    first_witness = SignerField(help_text="user name of a witness, who signs with their password")
    first_witness_password = PasswordField()
    second_witness = SignerField(help_text="user name of the other witness")
    second_witness_password = PasswordField()


class ActFilter(filters.FilterSet):
    number = filters.NumberFilter()
    serial = filters.CharFilter(method="by_serial", max_length=40)
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = DestructionAct
        fields = ["year"]

    def by_serial(self, rows: Any, name: str, value: str) -> Any:
        destroyed = Deck.objects.filter(serial=value, moves__act__isnull=False)
        return rows.filter(moves__deck__in=destroyed)


ACTS = DestructionAct.objects.select_related("executed_by", "first_witness", "second_witness").order_by(
    "-at", "-id"
)


class Acts(Cosigned, Rows):
    """Acts of destruction, newest first."""

    queryset = ACTS
    serializer_class = ActOut
    filterset_class = ActFilter
    cosigns = ActIn

    @writes(acts.destroy, takes=ActIn, gives=ActDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> DestructionAct:
        """Record that you destroyed cancelled decks before two witnesses, who sign (CARD-45)."""
        return acts.destroy(
            serials=given["serials"],
            method=given["method"],
            site=given["site"],
            witnesses=[self.signer("first_witness"), self.signer("second_witness")],
            by=by,
        )


class ActRow(Row):
    queryset = ACTS
    serializer_class = ActDetail
