"""Auctions of the bank over the API: opened, bid for, closed, their act read and signed.

When something happened is Sabot's clock's to say: no write here takes an `occurred_at`. What sealed bids
offer is told after the close alone (`tables.bank.seeing`).
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import django_filters as filters
from django.db.models import Prefetch
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Money, Own
from audits.api.frame import Endpoint, Reasoned, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from casino.kernel import clock
from casino.kernel.words import Text
from tables.api.admitting import Admitting
from tables.api.seats import BIGGEST_SEAT
from tables.bank import acts, auctions, bids, seeing
from tables.bank.holding import seated_at
from tables.models import Auction, AuctionSeat, BankPassage, Bid, SeatTaking
from tables.seeing import sessions_seen_by

MOST_AT_ONCE = 20
TAKEN = Bid.objects.select_related("taking", "together", "noted_by").order_by("number")
AUCTIONS = (
    Auction.objects.select_related("session__table", "session__day", "session__casino")
    .prefetch_related(Prefetch("bids", TAKEN))
    .order_by("-pk")
)


class BidAmount(Money):
    """What was bid; none while it is sealed."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, read_only=True, **kwargs)

    def get_attribute(self, instance: Bid) -> Any:
        return super().get_attribute(instance) if seeing.told(instance.auction) else None


class BidOut(serializers.ModelSerializer[Bid]):
    """A bid in its order, at the instant Sabot took it; `together`: the number of the equal bid heard at
    the same time; `seal`: SHA-256 of what a sealed one holds."""

    player = serializers.CharField(source="taking.alias")
    taking_id = serializers.IntegerField()
    amount = BidAmount()
    together = serializers.IntegerField(source="together.number", default=None, allow_null=True)
    noted_by = serializers.CharField(source="noted_by.name")

    class Meta:
        model = Bid
        fields = ["number", "seat", "player", "taking_id", "amount", "at", "together", "seal", "noted_by"]


class AuctionPlaceOut(serializers.ModelSerializer[AuctionSeat]):
    """Who was at the table when the auction opened; out by `rule`, or may bid."""

    player = serializers.CharField(source="alias")
    taking_id = serializers.IntegerField()
    may_bid = serializers.SerializerMethodField()
    why = serializers.SerializerMethodField()

    class Meta:
        model = AuctionSeat
        fields = ["seat", "player", "taking_id", "may_bid", "rule", "why"]

    def get_may_bid(self, place: AuctionSeat) -> bool:
        return not place.rule

    def get_why(self, place: AuctionSeat) -> str:
        return Text(place.why_es, place.why_en).say(self.context.get("language"))


class AuctionOut(serializers.ModelSerializer[Auction]):
    """`leading` and `least_bid` are none while bids are sealed; `seed` is empty until the close. Times are
    Sabot's: count down from `server_now`, not from a clock of your own."""

    label = serializers.CharField()  # type: ignore[assignment]
    session_id = serializers.IntegerField()
    session = serializers.CharField(source="session.label")
    table = serializers.CharField(source="session.table.name")
    passage_id = serializers.IntegerField()
    bank_id = serializers.IntegerField(allow_null=True)
    minimum, increment, most, chip = Money(), Money(), Money(), Money()
    bids_taken = serializers.IntegerField(source="last_bid")
    server_now = serializers.SerializerMethodField()
    leading = serializers.SerializerMethodField()
    least_bid = serializers.SerializerMethodField()
    winner = serializers.SerializerMethodField()

    class Meta:
        model = Auction
        fields = [
            "id", "label", "session_id", "session", "table", "passage_id", "bank_id", "form", "state",
            "minimum", "increment", "most", "chip", "opened_at", "closes_at", "closed_at", "server_now",
            "bids_taken", "leading", "least_bid", "seed_hash", "seed", "winner",
        ]  # fmt: skip

    @extend_schema_field(OpenApiTypes.DATETIME)
    def get_server_now(self, auction: Auction) -> dt.datetime:
        return clock.now()

    @extend_schema_field(BidOut(many=True, allow_null=True))
    def get_leading(self, auction: Auction) -> Any:
        if not seeing.told(auction):
            return None
        return BidOut(seeing.leading(auction), many=True, context=self.context).data

    @extend_schema_field(BidOut(allow_null=True))
    def get_winner(self, auction: Auction) -> Any:
        won = next((bid for bid in auction.bids.all() if bid.pk == auction.winner_id), None)
        return None if won is None else BidOut(won, context=self.context).data

    @extend_schema_field(Money(allow_null=True))
    def get_least_bid(self, auction: Auction) -> str | None:
        if auction.state != Auction.State.OPEN or not seeing.told(auction):
            return None
        field = Money()
        field.bind("least_bid", self)
        return field.to_representation(seeing.least_bid(auction))


class AuctionDetail(AuctionOut):
    places = AuctionPlaceOut(many=True)
    bids = BidOut(many=True)

    class Meta(AuctionOut.Meta):
        fields = [*AuctionOut.Meta.fields, "places", "bids"]


class AuctionFilter(filters.FilterSet):
    table = filters.CharFilter(field_name="session__table__name", max_length=10)
    session = filters.NumberFilter(field_name="session_id")
    day = filters.DateFilter(field_name="session__day__date")

    class Meta:
        model = Auction
        fields = ["state", "form", "year", "number"]


class OfAuctions(Endpoint):
    """Auctions of the sessions this login sees."""

    queryset = AUCTIONS
    serializer_class = AuctionOut

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows
        return rows.filter(session__in=sessions_seen_by(self.user))

    def auction(self, pk: int) -> Auction:
        found: Auction = self.one(self.get_queryset(), pk)
        return found


class Auctions(OfAuctions, Rows):
    """Every auction of a bank, newest first."""

    filterset_class = AuctionFilter


class AuctionRow(OfAuctions, Row):
    serializer_class = AuctionDetail


class AuctionIn(Reasoned):
    form = serializers.ChoiceField(choices=Auction.Form.choices, help_text="open outcry or sealed bids")


class PassageAuction(OfAuctions):
    @writes(auctions.open_auction, takes=AuctionIn, gives=AuctionDetail, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Auction:
        """Auction a bank that was offered round and not taken; the hash of the draw's seed is published now
        (BANK-10, BANK-11)."""
        seen = BankPassage.objects.filter(session__in=sessions_seen_by(self.user))
        passage = self.one(seen.select_related("session__table"), pk)
        return self.auction(auctions.open_auction(passage=passage, form=given["form"], by=by).pk)


class BidIn(Reasoned):
    """Who bids, by one of `seat`, `taking`, or `seats` of several heard at the same time (BANK-26)."""

    seat = serializers.IntegerField(min_value=1, max_value=BIGGEST_SEAT, required=False)
    taking = Own(queryset=SeatTaking.objects.all(), required=False, help_text="who sits there, by id")
    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=BIGGEST_SEAT),
        required=False,
        max_length=MOST_AT_ONCE,
    )
    amount = Money()

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if len({"seat", "taking", "seats"} & set(given)) != 1:
            raise serializers.ValidationError(
                {"seat": "indique quién puja, una vez: seat, taking o seats / say who bids, once"},
                code="required",
            )
        return given


class BidsTaken(serializers.Serializer[Any]):
    """The bids as they were taken, and the auction as it stands with them."""

    bids = BidOut(many=True)
    auction = AuctionOut()


class AuctionBids(OfAuctions, Admitting):
    @writes(bids.bid, takes=BidIn, gives=BidsTaken, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> dict[str, Any]:
        """Note a bid as the table hears it, at the instant of Sabot's clock; one by one, in one order."""
        auction = self.auction(pk)
        if "seats" in given:
            several = [seated_at(auction.session, seat, "seats") for seat in given["seats"]]
            taken = bids.bid_together(auction=auction, takings=several, amount=given["amount"], by=by)
        else:
            who = given.get("taking") or seated_at(auction.session, given["seat"])
            taken = [bids.bid(auction=auction, taking=who, amount=given["amount"], by=by)]
        return {"bids": taken, "auction": self.auction(pk)}


class AuctionClose(OfAuctions):
    @writes(auctions.close_auction, gives=AuctionDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Auction:
        """Close an auction whose time is up: the seed is revealed, the bank awarded, or given to the right
        hand (BANK-13)."""
        auctions.close_auction(auction=self.auction(pk), by=by)
        return self.auction(pk)


class AuctionAct(OfAuctions):
    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """The act of a closed auction as a record that anybody can verify."""
        return Response(acts.act_of(self.auction(pk)))


class SignActIn(Reasoned):
    second = SignerField(help_text="user name of another person, who signs with you")
    second_password = PasswordField()


class ActSignatureOut(serializers.Serializer[Any]):
    """Who signed an act, and the digest of what was signed."""

    signed_by = serializers.CharField(source="actor.name")
    digest = serializers.CharField()
    at = serializers.DateTimeField()


class AuctionSign(Cosigned, OfAuctions):
    cosigns = SignActIn

    @writes(acts.sign_act, takes=SignActIn, gives=ActSignatureOut, many=True, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Any:
        """Sign the act of a closed auction, by two people (GEN-10)."""
        auction = self.auction(pk)
        acts.sign_act(auction=auction, with_=self.signer("second"), by=by)
        return auction.signatures.select_related("actor").order_by("pk")
