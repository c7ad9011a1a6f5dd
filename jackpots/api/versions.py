"""Parameters of pools over the API: drafted, approved by two departments; and what they are worth."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Money, Strict, Words
from audits.api.filings import FilingDetail
from audits.api.frame import Endpoint, Reasoned, Row, writes
from audits.by import By
from audits.models import Filing
from casino.kernel import permissions
from jackpots import analysing, versions
from jackpots.analysing import MOST_BETS, Played
from jackpots.api.pools import OfOnePool
from jackpots.api.shapes import PoolVersionDetail, PoolVersionOut
from jackpots.api.terms import Exact, ExactMoney, PoolTerms, PrizeTerms
from jackpots.models import PoolVersion
from jackpots.odds import LevelWorth, PrizeWorth, Worth

VERSIONS = (
    PoolVersion.objects.select_related("pool", "author", "filing")
    .prefetch_related("approvals__actor")
    .order_by("-pk")
)
MOST_GAMES = 20


class PoolVersionFilter(filters.FilterSet):
    class Meta:
        model = PoolVersion
        fields = ["state", "number"]


class PoolVersionIn(Reasoned):
    params = PoolTerms()


class PoolVersions(OfOnePool):
    """The parameters a pool has had, the newest first."""

    queryset = VERSIONS
    serializer_class = PoolVersionOut
    filterset_class = PoolVersionFilter

    @writes(versions.draft_version, takes=PoolVersionIn, gives=PoolVersionDetail, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> PoolVersion:
        """Draft new parameters, with the filing about them. Needs a reason; they begin with the next start
        once two departments and the AJ approved them (PP-30, PP-23)."""
        return versions.draft_version(pool=self.pool(pk), params=given["params"], by=by)


class OfVersions(Endpoint):
    """An address of one version."""

    queryset = VERSIONS
    serializer_class: Any = PoolVersionDetail

    def version(self, pk: int) -> PoolVersion:
        found: PoolVersion = self.one(VERSIONS, pk)
        return found


class PoolVersionRow(OfVersions, Row):
    """One version with its approvals and the filings about it."""


class ApprovalIn(Reasoned):
    department = serializers.CharField(
        max_length=20,
        required=False,
        default="",
        allow_blank=True,
        help_text="for which one, where you work in several: " + ", ".join(permissions.DEPARTMENTS),
    )


class PoolVersionApprove(OfVersions):
    @writes(versions.approve_version, takes=ApprovalIn, gives=PoolVersionDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> PoolVersion:
        """A department approves; with the second, of another, the version may begin (PP-30)."""
        versions.approve_version(version=self.version(pk), **given, by=by)
        return self.version(pk)


class PoolVersionWithdraw(OfVersions):
    @writes(versions.withdraw_version, gives=PoolVersionDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> PoolVersion:
        """A version that has not begun is not pursued. Needs a reason."""
        versions.withdraw_version(version=self.version(pk), by=by)
        return self.version(pk)


class PoolVersionAsk(OfVersions):
    serializer_class = FilingDetail

    @writes(versions.ask_again, takes=Reasoned, gives=FilingDetail, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Filing:
        """Draft another filing about a version, where the AJ refused, revoked or ends the one there was
        (PP-23). Needs a reason."""
        return versions.ask_again(version=self.version(pk), by=by)


# ---- what it is worth -------------------------------------------------------------------------------


class PrizeWorthOut(serializers.Serializer[Any]):
    """`chance` of it in a bet, bets `once_in` on average (none: never), and its `mean` of one bet while its
    level shows its base."""

    prize = serializers.SerializerMethodField()
    chance = Exact()
    once_in = Exact(allow_null=True)
    mean = ExactMoney()

    @extend_schema_field(PrizeTerms())
    def get_prize(self, worth: PrizeWorth) -> Any:
        one = worth.prize
        told = {"hand": one.hand, "kind": one.kind, "value": one.value, "level": one.level}
        return PrizeTerms(told, context=self.context).data


class LevelWorthOut(serializers.Serializer[LevelWorth]):
    """By bet on average. `growth`: what comes in less fixed and multiple prizes; `life`: bets from one top
    prize to the next; `balance`: the meter at which it grows no further by itself."""

    code = serializers.CharField()
    contribution, valued, growth, restart = ExactMoney(), ExactMoney(), ExactMoney(), ExactMoney()
    life = Exact(allow_null=True)
    balance = ExactMoney(allow_null=True)


class ContributionOut(serializers.Serializer[Any]):
    fund = serializers.CharField()
    amount = ExactMoney()


class PoolWorthOut(serializers.Serializer[Worth]):
    """A scheme by one bet of `stake`. `returned`: what goes back to the player at the bases, as a part of
    it; `break_even`: what the main level must show for a bet to be worth its stake."""

    stake = Money()
    contributions = serializers.SerializerMethodField()
    prizes = PrizeWorthOut(many=True)
    levels = LevelWorthOut(many=True)
    returned = Exact()
    break_even = ExactMoney(allow_null=True)
    note = Words()

    @extend_schema_field(ContributionOut(many=True))
    def get_contributions(self, worth: Worth) -> Any:
        rows = [{"fund": fund, "amount": part} for fund, part in worth.contributions.items()]
        return ContributionOut(rows, many=True, context=self.context).data


class PlayedIn(Strict):
    """A modality and how many of the pool's bets are made on it, among those of the others."""

    game = serializers.CharField(max_length=40)
    bets = serializers.IntegerField(min_value=1, max_value=MOST_BETS, default=1)
    cards_changed = serializers.IntegerField(
        min_value=0, max_value=2, default=2, help_text="how many cards Draw Poker lets a player change"
    )


class AnalysisIn(Reasoned):
    params = PoolTerms()
    games = serializers.ListField(child=PlayedIn(), min_length=1, max_length=MOST_GAMES)


class PoolAnalysis(Endpoint):
    @writes(analysing.analyse, takes=AnalysisIn, gives=PoolWorthOut)
    def post(self, by: By, given: dict[str, Any]) -> Worth:
        """What parameters would be worth: contributions, chances, life, return, break-even, in exact
        fractions. Nothing is written."""
        played = [Played(**one) for one in given["games"]]
        return analysing.analyse(params=given["params"], played=played, by=by)


class PoolVersionAnalysis(OfVersions):
    serializer_class = PoolWorthOut

    @extend_schema(responses=PoolWorthOut)
    def get(self, request: Request, pk: int) -> Response:
        """The same of a version that was drafted, for the modalities that feed its pool now."""
        version = self.version(pk)
        worth = analysing.worth_of(version.params, analysing.played_at(version.pool))
        return Response(self.get_serializer(worth).data)
