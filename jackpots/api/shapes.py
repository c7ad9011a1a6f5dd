"""What the API shows of pools: funds, versions, members, pending prizes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import Money
from audits.models import Filing
from jackpots import filings as asked
from jackpots import members, versions
from jackpots.api.terms import PoolTerms
from jackpots.models import Fund, Pool, PoolMove, PoolTable, PoolVersion, Prize, VersionApproval


class FundOut(serializers.ModelSerializer[Fund]):
    """A level, or a reserve, which is not shown to the public. `shown`: the meter, `players` and `base`
    together, the players' part and what the house put in (PP-28)."""

    shown, players, base = Money(read_only=True), Money(), Money()

    class Meta:
        model = Fund
        fields = ["code", "reserve", "shown", "players", "base"]


class FilingOfOut(serializers.ModelSerializer[Filing]):
    """A filing about it, the newest first."""

    label = serializers.CharField()  # type: ignore[assignment]

    class Meta:
        model = Filing
        fields = ["id", "label", "kind", "state", "valid_from", "valid_until"]


def filings_about(subject: Any, casino_id: int) -> Any:
    about = {"subject_type": subject.type, "subject_id": subject.id}
    return Filing.objects.filter(casino_id=casino_id, **about).order_by("-pk")


# ---- versions ------------------------------------------------------------------------------------------


class ApprovalOut(serializers.ModelSerializer[VersionApproval]):
    by = serializers.CharField(source="actor.name")

    class Meta:
        model = VersionApproval
        fields = ["by", "department", "digest", "at"]


class PoolVersionOut(serializers.ModelSerializer[PoolVersion]):
    """Parameters of a pool (PP-30). `digest`: SHA-256 of what is approved; `collected`: while it was in
    force, known when it ends."""

    pool_id = serializers.IntegerField()
    pool = serializers.CharField(source="pool.name")
    params = PoolTerms()
    author = serializers.CharField(source="author.name")
    digest = serializers.SerializerMethodField()
    approvals = ApprovalOut(many=True)
    filing = serializers.CharField(
        source="filing.label", default=None, allow_null=True, help_text="the approval it began under"
    )
    collected = Money(allow_null=True)

    class Meta:
        model = PoolVersion
        fields = [
            "id", "pool_id", "pool", "number", "state", "params", "digest", "author", "reason", "drafted_at",
            "approvals", "filing", "begun_at", "ended_at", "collected",
        ]  # fmt: skip

    def get_digest(self, version: PoolVersion) -> str:
        return versions.digest(version)


class PoolVersionDetail(PoolVersionOut):
    filings = serializers.SerializerMethodField()

    class Meta(PoolVersionOut.Meta):
        fields = [*PoolVersionOut.Meta.fields, "filings"]

    @extend_schema_field(FilingOfOut(many=True))
    def get_filings(self, version: PoolVersion) -> Any:
        rows = filings_about(asked.about_version(version), version.casino_id)
        return FilingOfOut(rows, many=True, context=self.context).data


# ---- pools ---------------------------------------------------------------------------------------------


class PoolMemberOut(serializers.ModelSerializer[PoolTable]):
    """A table that feeds a pool, `since` and `until` when."""

    pool_id = serializers.IntegerField()
    table_id = serializers.IntegerField()
    table = serializers.CharField(source="table.name")
    game = serializers.CharField(source="table.game")
    since = serializers.DateTimeField(source="during.lower")
    until = serializers.DateTimeField(source="during.upper", allow_null=True)

    class Meta:
        model = PoolTable
        fields = ["id", "pool_id", "table_id", "table", "game", "since", "until"]


class PendingOut(serializers.ModelSerializer[Prize]):
    """A prize locked and not paid yet, without whose it is (PP-31)."""

    label = serializers.CharField()  # type: ignore[assignment]
    table = serializers.CharField(source="session.table.name")
    amount = Money()

    class Meta:
        model = Prize
        fields = ["id", "label", "state", "level", "hand", "amount", "table", "seat", "hit_at"]


class PoolOut(serializers.ModelSerializer[Pool]):
    """A pool. `collected`: bet since the version in force began; `bets`, `prizes`: how many there ever were;
    `pending`: locked for prizes that are not paid."""

    version = serializers.IntegerField(source="version.number", default=None, allow_null=True)
    version_id = serializers.IntegerField(allow_null=True)
    levels = serializers.SerializerMethodField()
    collected = Money()
    pending = serializers.SerializerMethodField()
    incident = serializers.CharField(source="incident.label", default=None, allow_null=True)
    incident_id = serializers.IntegerField(allow_null=True)
    retired_to_id = serializers.IntegerField(allow_null=True)

    class Meta:
        model = Pool
        fields = [
            "id", "name", "form", "state", "public", "version", "version_id", "levels", "collected", "bets",
            "prizes", "pending", "incident", "incident_id", "retired_to_id",
        ]  # fmt: skip

    @extend_schema_field(FundOut(many=True))
    def get_levels(self, pool: Pool) -> Any:
        return self._funds(pool, reserve=False)

    @extend_schema_field(Money())
    def get_pending(self, pool: Pool) -> str:
        field = Money()
        field.bind("pending", self)
        return field.to_representation(sum(prize.amount for prize in _open(pool)))

    def _funds(self, pool: Pool, *, reserve: bool) -> Any:
        rows = [fund for fund in pool.funds.all() if fund.reserve == reserve]
        return FundOut(sorted(rows, key=lambda fund: fund.pk), many=True, context=self.context).data


def _open(pool: Pool) -> list[Prize]:
    """Its prizes locked and not paid, as they were read along (`OPEN_PRIZES`)."""
    return pool.open_prizes if hasattr(pool, "open_prizes") else list(open_prizes().filter(pool=pool))


def open_prizes() -> Any:
    found = Prize.objects.filter(Prize.OPEN).select_related("session__table")
    return found.order_by("order")


class PoolDetail(PoolOut):
    """With its reserves, what is in force and what waits, its tables, and the prizes not paid yet.
    `unreported`: its present tables were not reported to the AJ (PP-06)."""

    reserves = serializers.SerializerMethodField()
    in_force = PoolVersionOut(source="version", allow_null=True)
    waiting = serializers.SerializerMethodField(help_text="the version that is being approved, if any")
    members = serializers.SerializerMethodField()
    unreported = serializers.SerializerMethodField()
    pending_prizes = serializers.SerializerMethodField()
    filings = serializers.SerializerMethodField()

    class Meta(PoolOut.Meta):
        fields = [
            *PoolOut.Meta.fields,
            *("reserves", "in_force", "waiting", "members", "unreported", "pending_prizes", "filings"),
        ]

    @extend_schema_field(FundOut(many=True))
    def get_reserves(self, pool: Pool) -> Any:
        return self._funds(pool, reserve=True)

    @extend_schema_field(PoolVersionOut(allow_null=True))
    def get_waiting(self, pool: Pool) -> Any:
        found = pool.versions.filter(state__in=("draft", "approved")).select_related("pool", "author").first()
        return None if found is None else PoolVersionOut(found, context=self.context).data

    @extend_schema_field(PoolMemberOut(many=True))
    def get_members(self, pool: Pool) -> Any:
        rows = pool.members.filter(during__endswith=None).select_related("table").order_by("table__name")
        return PoolMemberOut(rows, many=True, context=self.context).data

    def get_unreported(self, pool: Pool) -> bool:
        return members.unreported(pool)

    @extend_schema_field(PendingOut(many=True))
    def get_pending_prizes(self, pool: Pool) -> Any:
        return PendingOut(_open(pool), many=True, context=self.context).data

    @extend_schema_field(FilingOfOut(many=True))
    def get_filings(self, pool: Pool) -> Any:
        rows = filings_about(asked.about_pool(pool), pool.casino_id)[:20]
        return FilingOfOut(rows, many=True, context=self.context).data


class PoolMoveOut(serializers.ModelSerializer[PoolMove]):
    """Why a fund changed other than by contributions: a fund falls only with one of these (PP-29)."""

    fund = serializers.CharField(source="fund.code")
    players, base = Money(signed=True), Money(signed=True)
    after_players, after_base = Money(), Money()
    event_id = serializers.IntegerField()

    class Meta:
        model = PoolMove
        fields = [
            "id", "fund", "kind", "players", "base", "after_players", "after_base", "bets", "event_id", "at",
        ]  # fmt: skip
