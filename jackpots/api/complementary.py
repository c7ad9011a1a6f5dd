"""Complementary prizes over the API: announced, drawn for anybody to check, paid by the house (PP-24)."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Instant, Money, Own
from audits.api.frame import Endpoint, Given, Reasoned, Row, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from jackpots import complementary, promoting
from jackpots.api.pools import OfOnePool
from jackpots.models import Bet, Complementary
from tables.api.admitting import Admitting
from tables.api.seats import BIGGEST_SEAT
from tables.api.sessions import ChipsField
from tables.models import CageDesk, TableSession

DRAWS = Complementary.objects.select_related(
    "pool", "filing", "announced_by", "paid_by", "winner__session__table"
).order_by("-pk")


class DrawnBetOut(serializers.ModelSerializer[Bet]):
    """The bet that won: where it was placed."""

    session_id = serializers.IntegerField()
    table = serializers.CharField(source="session.table.name")

    class Meta:
        model = Bet
        fields = ["id", "serial", "session_id", "table", "number", "seat"]


class ComplementaryOut(serializers.ModelSerializer[Complementary]):
    """A prize drawn among the progressive bets counted after the first `since` of the pool, placed up to
    `until`. `seed_hash` is published with it, `seed` once it is drawn or called off."""

    label = serializers.CharField()  # type: ignore[assignment]
    pool_id = serializers.IntegerField()
    pool = serializers.CharField(source="pool.name")
    amount = Money()
    filing = serializers.CharField(source="filing.label")
    announced_by = serializers.CharField(source="announced_by.name")
    winner = DrawnBetOut(allow_null=True)
    paid_by = serializers.CharField(source="paid_by.name", default=None, allow_null=True)

    class Meta:
        model = Complementary
        fields = [
            "id", "label", "pool_id", "pool", "number", "name", "filing", "form", "amount", "state", "since",
            "until", "seed_hash", "seed", "digest", "announced_by", "announced_at", "drawn_at", "winner",
            "paid_at", "paid_by",
        ]  # fmt: skip


class ComplementaryDetail(ComplementaryOut):
    """With how many bets take part so far."""

    taking_part = serializers.SerializerMethodField()

    class Meta(ComplementaryOut.Meta):
        fields = [*ComplementaryOut.Meta.fields, "taking_part"]

    @extend_schema_field(OpenApiTypes.INT)
    def get_taking_part(self, draw: Complementary) -> int:
        return len(complementary.taking_part(draw))


class ComplementaryFilter(filters.FilterSet):
    class Meta:
        model = Complementary
        fields = ["state", "form"]


class AnnounceIn(Reasoned):
    name = serializers.CharField(max_length=200)
    form = serializers.ChoiceField(choices=Complementary.Form.choices)
    amount = Money()
    until = Instant(help_text="bets placed up to then take part")


class PoolDraws(OfOnePool):
    """The complementary prizes of a pool, newest first."""

    queryset = DRAWS
    serializer_class = ComplementaryOut
    filterset_class = ComplementaryFilter

    @writes(
        complementary.announce, takes=AnnounceIn, gives=ComplementaryDetail, status=201, key_required=True
    )
    def post(self, by: By, given: dict[str, Any], pk: int) -> Complementary:
        """Announce a prize; reported to the AJ before, and approved where it is paid in credits. The hash of
        the draw's seed is published now (PP-24, PP-26)."""
        return complementary.announce(pool=self.pool(pk), **given, by=by)


class OfDraws(Endpoint):
    """An address of one complementary prize."""

    queryset = DRAWS
    serializer_class = ComplementaryDetail

    def complementary(self, pk: int) -> Complementary:
        found: Complementary = self.one(DRAWS, pk)
        return found


class DrawRow(OfDraws, Row):
    """One complementary prize."""


class DrawRecord(OfDraws):
    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """What a draw is checked by: seed, every bet that took part, its score. 409 before it is drawn."""
        found = self.complementary(pk)
        if not found.seed:
            raise Conflict(
                Text("todavía no se sorteó", "it was not drawn yet"), code="not_drawn", rule="PP-24"
            )
        return Response(complementary.record_of(found))


class DrawNow(OfDraws):
    @writes(complementary.draw, gives=ComplementaryDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Complementary:
        """Reveal the seed and draw, once the announced hour is past and its bets are settled (PP-27)."""
        complementary.draw(draw=self.complementary(pk), by=by)
        return self.complementary(pk)


class DrawCallOff(OfDraws):
    @writes(complementary.call_off, gives=ComplementaryDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Complementary:
        """Nobody took part: its seed is revealed all the same."""
        complementary.call_off(draw=self.complementary(pk), by=by)
        return self.complementary(pk)


class InCreditsIn(Given):
    """Where the winner sits now; left out, where they bet."""

    session = Own(queryset=TableSession.objects.all(), required=False, allow_null=True, default=None)
    seat = serializers.IntegerField(
        min_value=1, max_value=BIGGEST_SEAT, required=False, allow_null=True, default=None
    )


class DrawPayInCredits(OfDraws):
    @writes(promoting.pay_in_credits, takes=InCreditsIn, gives=ComplementaryDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Complementary:
        """The winner gets promotional credits at their position (PP-25, PP-26)."""
        promoting.pay_in_credits(draw=self.complementary(pk), **given, by=by)
        return self.complementary(pk)


class InChipsIn(Given):
    desk = Own(queryset=CageDesk.objects.all())
    chips = ChipsField(help_text="chips handed out, of the prize's value")
    winner = serializers.CharField(max_length=120)
    document = serializers.CharField(max_length=40)
    witness = SignerField(help_text="user name of another person, who sees with you that it is the winner")
    witness_password = PasswordField()
    second = SignerField(
        required=False,
        help_text="user name of compliance, where the winner is like somebody on the lists (GEN-11)",
    )
    second_password = PasswordField(required=False)


class DrawPayInChips(Cosigned, Admitting, OfDraws):
    cosigns = InChipsIn

    @writes(promoting.pay_in_chips, takes=InChipsIn, gives=ComplementaryDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Complementary:
        """The cage hands the winner chips of the house's, on a receipt, another person beside (PP-25). Where
        the house knows who bet there, to nobody else (PP-27)."""
        promoting.pay_in_chips(
            draw=self.complementary(pk),
            desk=given["desk"],
            chips=given["chips"],
            winner=given["winner"],
            document=given["document"],
            witness=self.signer("witness"),
            with_=self.signer_if_any("second"),
            by=by,
        )
        return self.complementary(pk)
