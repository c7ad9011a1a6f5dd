"""Prizes over the API: listed, claimed, verified by two or not confirmed, paid at a desk (PP-31)."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import InstantFilter, Money, Own, Strict
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from casino.kernel import permissions
from casino.kernel.permissions import Role
from casino.models import User
from jackpots import claims, policies, prizes
from jackpots.models import Prize, PrizeCheck
from tables.api.admitting import Admitting
from tables.api.seats import BIGGEST_SEAT
from tables.api.sessions import ChipsField, OfSessions
from tables.models import CageDesk
from tables.money import payouts
from tables.money.orphans import masked

BIGGEST = 2_147_483_647
PRIZES = (
    Prize.objects.select_related(
        "pool", "session__table", "session__day", "round", "noted_by", "paid_by", "desk"
    )
    .prefetch_related("checks__actor")
    .order_by("-pk")
)


def sees_winners(user: User) -> bool:
    """Who is told the winner's name: who verifies, pays, or supervises; not the table and its devices."""
    may = permissions.may(user, policies.VERIFY_PRIZE) or permissions.may(user, policies.PAY_PRIZE)
    return may or bool(user.roles & {Role.INSPECTOR, Role.ADMINISTRATOR})


class Personal(serializers.CharField):
    """Of the winner: null to whoever only sees the table."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **kwargs)

    def get_attribute(self, instance: Prize) -> Any:
        if not sees_winners(self.context["request"].user):
            return None
        said = super().get_attribute(instance)
        return masked(str(said)) if self.source == "document" else said


class PrizeCheckOut(serializers.ModelSerializer[PrizeCheck]):
    """What one person found; `holds`: that chips taken, bet and hand agree."""

    by = serializers.CharField(source="actor.name")

    class Meta:
        model = PrizeCheck
        fields = ["by", "holds", "at"]


class PoolPrizeOut(serializers.ModelSerializer[Prize]):
    """A prize: what its level showed `before`, what it is, what was left `after`; whose money it is
    (`players`, `base`, `reserve`, `house`). `order` is the pool's own, over all its tables. `document` is
    masked: it is whole on the payment form alone (REC-13)."""

    label = serializers.CharField()  # type: ignore[assignment]
    pool_id = serializers.IntegerField()
    pool = serializers.CharField(source="pool.name")
    session_id = serializers.IntegerField()
    table = serializers.CharField(source="session.table.name")
    day = serializers.DateField(source="session.day.date")
    round_id = serializers.IntegerField()
    round = serializers.IntegerField(source="round.number")
    player = Personal(source="alias")
    before, amount, after = Money(), Money(), Money()
    players, base, reserve, house = Money(), Money(), Money(), Money()
    reseed_reserve, reseed_house = Money(), Money()
    noted_by = serializers.CharField(source="noted_by.name")
    winner, document = Personal(), Personal()
    checks = PrizeCheckOut(many=True)
    desk = serializers.IntegerField(source="desk.number", default=None, allow_null=True)
    paid_by = serializers.CharField(source="paid_by.name", default=None, allow_null=True)
    form = serializers.CharField(help_text="how it was paid: `cash` or `chips`; empty until then")

    class Meta:
        model = Prize
        fields = [
            "id", "label", "state", "pool_id", "pool", "order", "session_id", "table", "day", "round_id",
            "round", "seat", "player", "level", "hand", "top", "before", "amount", "after", "players", "base",
            "reserve", "house", "reseed_reserve", "reseed_house", "hit_at", "noted_by", "winner", "document",
            "checks", "decided_at", "paid_at", "paid_by", "desk", "form",
        ]  # fmt: skip


class PrizeFilter(filters.FilterSet):
    pool = filters.NumberFilter(field_name="pool_id")
    session = filters.NumberFilter(field_name="session_id")
    table = filters.NumberFilter(field_name="session__table_id")
    day = filters.DateFilter(field_name="session__day__date")
    hand = filters.CharFilter(max_length=30)
    open = filters.BooleanFilter(
        method="by_open", help_text="locked and not over yet: a prize of nothing is over once verified"
    )
    since = InstantFilter(field_name="hit_at", lookup_expr="gte")
    until = InstantFilter(field_name="hit_at", lookup_expr="lt")

    class Meta:
        model = Prize
        fields = ["state", "year", "number", "seat", "top"]

    def by_open(self, rows: Any, name: str, value: bool) -> Any:
        return rows.filter(Prize.OPEN) if value else rows.exclude(Prize.OPEN)


class Prizes(Rows):
    """Every prize of the pools, newest first."""

    queryset = PRIZES
    serializer_class = PoolPrizeOut
    filterset_class = PrizeFilter


class OfPrizes(Endpoint):
    """An address of one prize."""

    queryset = PRIZES
    serializer_class = PoolPrizeOut

    def prize(self, pk: int) -> Prize:
        found: Prize = self.one(PRIZES, pk)
        return found


class PrizeRow(OfPrizes, Row):
    """One prize with who checked it."""


class WinnerIn(Given):
    """Who won, where it is known by now: name and document, both or neither; needed to be paid (PP-31)."""

    winner = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    document = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)


class PrizeChecks(OfPrizes):
    @writes(prizes.check_prize, takes=WinnerIn, gives=PoolPrizeOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Prize:
        """You find that chips taken, bet and hand agree; with a second person's check it is verified. Not by
        who noted the round (PP-31)."""
        prizes.check_prize(prize=self.prize(pk), **given, by=by)
        return self.prize(pk)


class PrizeRejectIn(Given):
    second = SignerField(help_text="user name of another person, who does not confirm it with you")
    second_password = PasswordField()


class PrizeReject(Cosigned, OfPrizes):
    cosigns = PrizeRejectIn

    @writes(prizes.reject_prize, takes=PrizeRejectIn, gives=PoolPrizeOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Prize:
        """Two people do not confirm a prize, with the `reason`: its value goes back to the pool."""
        prizes.reject_prize(prize=self.prize(pk), with_=self.signer("second"), by=by)
        return self.prize(pk)


class PrizePayIn(WinnerIn):
    desk = Own(queryset=CageDesk.objects.all())
    form = serializers.ChoiceField(choices=[payouts.CASH, payouts.CHIPS], default=payouts.CASH)
    chips = ChipsField(
        required=False, help_text="chips handed out, of the prize's value, where it is paid in chips"
    )
    second = SignerField(
        required=False,
        help_text="user name of compliance, where the winner is like somebody on the lists (GEN-11)",
    )
    second_password = PasswordField(required=False)


class PrizePay(Cosigned, Admitting, OfPrizes):
    cosigns = PrizePayIn

    @writes(prizes.pay_prize, takes=PrizePayIn, gives=PoolPrizeOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Prize:
        """The cage pays a verified prize in cash or chips, on a receipt (PP-31, PP-32)."""
        prizes.pay_prize(
            prize=self.prize(pk),
            desk=given["desk"],
            form=given["form"],
            chips=given.get("chips"),
            winner=given["winner"],
            document=given["document"],
            with_=self.signer_if_any("second"),
            by=by,
        )
        return self.prize(pk)


class ClaimIn(Strict):
    """What a player says they hold: `round` by its number."""

    round = serializers.IntegerField(min_value=1, max_value=BIGGEST)
    seat = serializers.IntegerField(min_value=1, max_value=BIGGEST_SEAT)
    hand = serializers.CharField(max_length=30, help_text="such as `royal_flush`")


class SessionPrizeClaim(OfSessions):
    @extend_schema(parameters=[ClaimIn], responses=PoolPrizeOut)
    def get(self, request: Request, pk: int) -> Response:
        """The prize of a hand that a player claims, or the refusal that says what the hand is (PP-02)."""
        asked = ClaimIn(data=request.query_params.dict(), context=self.get_serializer_context())
        asked.is_valid(raise_exception=True)
        prize = claims.claim(session=self.session(pk), **asked.validated_data)
        found = self.one(PRIZES, prize.pk)
        return Response(PoolPrizeOut(found, context=self.get_serializer_context()).data)
