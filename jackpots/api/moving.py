"""Money that leaves a pool's fund, over the API: planned, then moved by two as the AJ approved; corrected."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from audits import filings
from audits.api.fields import Money, Own
from audits.api.filings import FilingDetail
from audits.api.frame import Given, writes
from audits.api.signatures import Cosigned
from audits.by import By
from audits.models import Filing, Incident
from jackpots import moving, plans
from jackpots.api.pools import OfPools, PoolStepIn
from jackpots.api.shapes import PoolDetail
from jackpots.models import Pool

RECEIVES = "the pool that receives it"


class PlanIn(Given):
    """A transfer says `fund` and `amount`; a retirement neither. The last pool of a house is retired to a
    `destination` in words, as the AJ is asked."""

    to = Own(queryset=Pool.objects.all(), required=False, allow_null=True, default=None, help_text=RECEIVES)
    fund = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    amount = Money(required=False, allow_null=True, default=None)
    destination = serializers.CharField(
        max_length=plans.LONGEST_DESTINATION, required=False, default="", allow_blank=True
    )
    text = serializers.CharField(
        max_length=filings.LONGEST_TEXT, required=False, default="", allow_blank=True
    )


class PoolPlan(OfPools):
    serializer_class = FilingDetail

    @writes(plans.draft_plan, takes=PlanIn, gives=FilingDetail, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Filing:
        """Draft the filing of a transfer or a retirement: once approved it allows exactly this, once
        (PP-32)."""
        return plans.draft_plan(pool=self.pool(pk), **given, by=by)


class RetireIn(PoolStepIn):
    to = Own(
        queryset=Pool.objects.all(),
        required=False,
        allow_null=True,
        default=None,
        help_text=RECEIVES + "; none for the last pool, which goes to the plan's `destination`",
    )
    destination = serializers.CharField(
        max_length=plans.LONGEST_DESTINATION,
        required=False,
        default="",
        allow_blank=True,
        help_text="as the approved plan words it",
    )


class PoolRetire(Cosigned, OfPools):
    cosigns = RetireIn

    @writes(moving.retire, takes=RetireIn, gives=PoolDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pool:
        """Retire a pool: players' money goes as its approved plan says, the base to the house (PP-32)."""
        where = {"to": given["to"], "destination": given["destination"]}
        moving.retire(pool=self.pool(pk), **where, with_=self.signer("second"), by=by)
        return self.pool(pk)


class PoolTransferIn(PoolStepIn):
    to = Own(queryset=Pool.objects.all(), help_text=RECEIVES)
    fund = serializers.CharField(max_length=20, help_text="the level or reserve it comes from, by its code")
    amount = Money()


class PoolTransfer(Cosigned, OfPools):
    cosigns = PoolTransferIn

    @writes(moving.transfer, takes=PoolTransferIn, gives=PoolDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pool:
        """Move players' money of a fund of a pool that stands to another pool's main level, as an approved
        plan says (PP-29)."""
        moving.transfer(
            pool=self.pool(pk),
            to=given["to"],
            fund=given["fund"],
            amount=given["amount"],
            with_=self.signer("second"),
            by=by,
        )
        return self.pool(pk)


class CorrectionIn(PoolStepIn):
    fund = serializers.CharField(max_length=20, help_text="the level or reserve, by its code")
    amount = Money(signed=True)
    incident = Own(queryset=Incident.objects.all(), help_text="the open incident of the pool it is for")


class PoolCorrection(Cosigned, OfPools):
    cosigns = CorrectionIn

    @writes(moving.correct, takes=CorrectionIn, gives=PoolDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pool:
        """Correct players' money of a fund for a failure that an open incident documents (PP-29)."""
        moving.correct(
            pool=self.pool(pk),
            fund=given["fund"],
            amount=given["amount"],
            incident=given["incident"],
            with_=self.signer("second"),
            by=by,
        )
        return self.pool(pk)
