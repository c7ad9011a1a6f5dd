"""Pools over the API: set up, started and stopped by two, or given up; what moved in them; the public meter.

Money that leaves a fund: `jackpots.api.moving`.
"""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.db.models import Prefetch, QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import InstantFilter, Money
from audits.api.frame import Endpoint, Reasoned, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from casino.kernel import clock
from jackpots import pools
from jackpots.api.shapes import PoolDetail, PoolMoveOut, PoolOut, open_prizes
from jackpots.models import Pool, PoolMove

POOLS = (
    Pool.objects.select_related("version__author", "version__filing", "version__pool", "incident")
    .prefetch_related(
        "funds", "version__approvals__actor", Prefetch("awards", open_prizes(), to_attr="open_prizes")
    )
    .order_by("name", "id")
)


class PoolFilter(filters.FilterSet):
    name = filters.CharFilter(max_length=60)
    table = filters.NumberFilter(method="by_table", help_text="the pool this table feeds now, by its id")

    class Meta:
        model = Pool
        fields = ["state", "form", "public"]

    def by_table(self, rows: Any, name: str, value: Any) -> Any:
        return rows.filter(members__table_id=int(value), members__during__endswith=None)


class PoolIn(Reasoned):
    name = serializers.CharField(max_length=200)
    form = serializers.ChoiceField(choices=Pool.Form.choices, default=Pool.Form.CREDITS.value)
    public = serializers.BooleanField(default=True, help_text="whether anybody may read its meter")


class Pools(Rows):
    """Every pool of the casino, with what its levels show."""

    queryset = POOLS
    serializer_class = PoolOut
    filterset_class = PoolFilter

    @writes(pools.create_pool, takes=PoolIn, gives=PoolDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Pool:
        """Set up a pool; it runs once its parameters are approved and tables feed it. Needs a reason."""
        return pools.create_pool(**given, by=by)


class OfPools(Endpoint):
    """An address of one pool."""

    queryset: QuerySet[Any] | None = POOLS
    serializer_class: Any = PoolDetail

    def pool(self, pk: int) -> Pool:
        found: Pool = self.one(POOLS, pk)
        return found


class OfOnePool(OfPools, Rows):
    """Rows of one pool."""

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows
        return rows.filter(pool=self.pool(self.kwargs["pk"]))


class PoolRow(OfPools, Row):
    """One pool: its funds, what is in force, its tables, the prizes not paid yet."""


class PoolChangeIn(Reasoned):
    name = serializers.CharField(max_length=200, required=False)
    public = serializers.BooleanField(required=False)


class PoolChange(OfPools):
    @writes(pools.rename_pool, takes=PoolChangeIn, gives=PoolDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pool:
        """Another name, or whether the public sees it. Needs a reason."""
        pools.rename_pool(pool=self.pool(pk), **given, by=by)
        return self.pool(pk)


class PoolAbandon(OfPools):
    @writes(pools.abandon, takes=Reasoned, gives=PoolDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pool:
        """Give up a pool that never ran. Needs a reason."""
        pools.abandon(pool=self.pool(pk), by=by)
        return self.pool(pk)


# ---- its life, by two -------------------------------------------------------------------------------


class PoolStepIn(Reasoned):
    """Every step of a pool's life has a reason and two people; to start, retire and transfer they are of two
    departments (PP-30, PP-32)."""

    second = SignerField(help_text="user name of another person, who signs with you")
    second_password = PasswordField()


class PoolStart(Cosigned, OfPools):
    cosigns = PoolStepIn

    @writes(pools.start, takes=PoolStepIn, gives=PoolDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pool:
        """Start a pool, or go on; an approved version that waits begins, its bases put in (PP-30)."""
        pools.start(pool=self.pool(pk), with_=self.signer("second"), by=by)
        return self.pool(pk)


class PoolStop(Cosigned, OfPools):
    cosigns = PoolStepIn

    @writes(pools.stop, takes=PoolStepIn, gives=PoolDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pool:
        """Stop a pool for a failure: no contribution, no prize, and an incident (PP-32)."""
        pools.stop(pool=self.pool(pk), with_=self.signer("second"), by=by)
        return self.pool(pk)


class PoolSuspend(Cosigned, OfPools):
    cosigns = PoolStepIn

    @writes(pools.suspend, takes=PoolStepIn, gives=PoolDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pool:
        """Suspend a running pool, to change its parameters for instance."""
        pools.suspend(pool=self.pool(pk), with_=self.signer("second"), by=by)
        return self.pool(pk)


# ---- what moved in it -------------------------------------------------------------------------------


class PoolMoveFilter(filters.FilterSet):
    fund = filters.CharFilter(field_name="fund__code", max_length=20)
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = PoolMove
        fields = ["kind"]


class PoolMoves(OfOnePool):
    """What a pool's funds changed by other than contributions, newest first."""

    queryset = PoolMove.objects.select_related("fund").order_by("-pk")
    serializer_class = PoolMoveOut
    filterset_class = PoolMoveFilter


# ---- the public meter -------------------------------------------------------------------------------


class MeterLevelOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    amount = Money(source="shown")


class MeterOut(serializers.Serializer[Any]):
    """What the display of a pool shows, at an instant of Sabot's clock; nothing else of it."""

    at = serializers.DateTimeField()
    levels = MeterLevelOut(many=True)


class PoolMeter(Endpoint):
    """Read by anybody, without a login: a login or a token that came along is not looked at."""

    authentication_classes: list[Any] = []
    queryset = Pool.objects.filter(public=True).exclude(state__in=(Pool.State.DRAFT, Pool.State.RETIRED))

    @extend_schema(responses=MeterOut, auth=[])
    def get(self, request: Request, pk: int) -> Response:
        """The amounts a public pool shows now; 404 for any other."""
        assert self.queryset is not None
        pool = self.queryset.select_related("casino").filter(pk=pk).first()
        if pool is None:
            raise Http404
        levels = pool.funds.filter(reserve=False).order_by("pk")
        told = MeterOut({"at": clock.now(), "levels": levels}, context={"exponent": pool.casino.exponent})
        return Response(told.data, headers={"Cache-Control": "public, max-age=1"})
