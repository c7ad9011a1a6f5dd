"""Which tables feed a pool, over the API (PP-05, PP-06)."""

from __future__ import annotations

from typing import Any

import django_filters as filters

from audits.api.fields import Own
from audits.api.frame import Endpoint, Reasoned, writes
from audits.by import By
from jackpots import members
from jackpots.api.pools import OfOnePool
from jackpots.api.shapes import PoolMemberOut
from jackpots.models import PoolTable
from tables.models import Table

MEMBERS = PoolTable.objects.select_related("table").order_by("-pk")


class PoolMemberFilter(filters.FilterSet):
    table = filters.NumberFilter(field_name="table_id")
    now = filters.BooleanFilter(
        field_name="during__endswith", lookup_expr="isnull", help_text="feeding it now"
    )

    class Meta:
        model = PoolTable
        fields: list[str] = []


class LinkIn(Reasoned):
    table = Own(queryset=Table.objects.all())


class PoolMembers(OfOnePool):
    """Every table that feeds or fed the pool, the latest first."""

    queryset = MEMBERS
    serializer_class = PoolMemberOut
    filterset_class = PoolMemberFilter

    @writes(members.link_table, takes=LinkIn, gives=PoolMemberOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> PoolTable:
        """A table feeds the pool from now on; the notice to the AJ is drafted (PP-06). Needs a reason."""
        return members.link_table(pool=self.pool(pk), table=given["table"], by=by)


class MemberUnlink(Endpoint):
    queryset = MEMBERS

    @writes(members.unlink_table, gives=PoolMemberOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> PoolTable:
        """A table feeds the pool no more; not while credits or bets are on it. Needs a reason."""
        return members.unlink_table(member=self.one(MEMBERS, pk), by=by)
