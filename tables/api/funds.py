"""Funds and taxes over the API: capital, drops carried, the stop for want of funds, the taxes of a span."""

from __future__ import annotations

import datetime as dt
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Money, Own
from audits.api.frame import Endpoint, Given, Rows, writes
from audits.api.incidents import IncidentOut
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from audits.models import Incident
from audits.reports.forms import PeriodForm, read
from tables.models import FundMove, TableSession
from tables.money import funds, tax_figures


class FundMoveOut(serializers.ModelSerializer[FundMove]):
    day = serializers.DateField(source="day.date")
    amount = Money()
    signed_by = serializers.CharField(source="signed_by.name")
    signed_with = serializers.CharField(source="signed_with.name")

    class Meta:
        model = FundMove
        fields = [
            "id", "kind", "day", "amount", "session_id", "document", "signed_by", "signed_with", "at",
        ]  # fmt: skip


class Signed(Given):
    document = serializers.CharField(max_length=120)
    second = SignerField(help_text="user name of whoever signs with you")
    second_password = PasswordField()


class FundsIn(Signed):
    amount = Money()


class FundMoves(Cosigned, Rows):
    """Capital, drops carried to the vault, IPJ paid, newest first."""

    queryset = FundMove.objects.select_related("day", "signed_by", "signed_with").order_by("-at", "-id")
    serializer_class = FundMoveOut
    filterset_fields = ["kind"]
    cosigns = FundsIn

    @writes(funds.bring_capital, takes=FundsIn, gives=FundMoveOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> FundMove:
        """Bring capital in, in cash, to the vault; two sign (FLOOR-15)."""
        return funds.bring_capital(**_given(self, given), by=by)


class FundsWithdraw(Cosigned):
    queryset = FundMove.objects.all()
    cosigns = FundsIn

    @writes(funds.withdraw_capital, takes=FundsIn, gives=FundMoveOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> FundMove:
        """Take capital out; never below the minimum funds (FLOOR-15)."""
        return funds.withdraw_capital(**_given(self, given), by=by)


class FundsIpjIn(FundsIn):
    source = serializers.ChoiceField(  # type: ignore[assignment]  # a field named like one of DRF's own
        choices=[funds.IN_VAULT, funds.IN_BANK],
        default=funds.IN_VAULT,
        help_text="where the withheld tax lies: `bank` for sales by card and transfer",
    )


class FundsIpj(Cosigned):
    queryset = FundMove.objects.all()
    cosigns = FundsIpjIn

    @writes(funds.pay_ipj, takes=FundsIpjIn, gives=FundMoveOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> FundMove:
        """Pay withheld IPJ on to the tax service (REC-03)."""
        return funds.pay_ipj(**_given(self, given), by=by)


class FundsFromBank(Cosigned):
    queryset = FundMove.objects.all()
    cosigns = FundsIn

    @writes(funds.bring_from_bank, takes=FundsIn, gives=FundMoveOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> FundMove:
        """Draw money of the house's bank account for the vault; two sign."""
        return funds.bring_from_bank(**_given(self, given), by=by)


class FundsToBank(Cosigned):
    queryset = FundMove.objects.all()
    cosigns = FundsIn

    @writes(funds.take_to_bank, takes=FundsIn, gives=FundMoveOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> FundMove:
        """Pay cash of the vault into the house's bank account; two sign."""
        return funds.take_to_bank(**_given(self, given), by=by)


class FundsDropIn(Signed):
    session = Own(queryset=TableSession.objects.all())


class FundsDrop(Cosigned):
    queryset = FundMove.objects.all()
    cosigns = FundsDropIn

    @writes(funds.carry_drop, takes=FundsDropIn, gives=FundMoveOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> FundMove:
        """Carry the counted drop of a session to the vault."""
        return funds.carry_drop(**_given(self, given), by=by)


def _given(view: Cosigned, given: dict[str, Any]) -> dict[str, Any]:
    signed = view.signed(given)
    return {**{name: value for name, value in signed.items() if name != "second"}, "with_": signed["second"]}


class FundsStop(Endpoint):
    queryset = Incident.objects.all()

    @writes(funds.stop_for_funds, gives=IncidentOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> Incident:
        """The house cannot pay: stop every open table and draft the notice (FLOOR-15). Needs a reason."""
        return funds.stop_for_funds(by=by)


class FundsOut(serializers.Serializer[Any]):
    """Whether funds are kept here, what is free to pay with, and the least there should be."""

    kept = serializers.BooleanField()
    available = Money(signed=True)
    min_funds = Money()
    enough = serializers.BooleanField()


class FundsState(Endpoint):
    queryset = FundMove.objects.none()
    serializer_class = FundsOut

    def get(self, request: Request) -> Response:
        return Response(self.get_serializer(funds.state(self.casino)).data)


# ---- taxes --------------------------------------------------------------------------------------------


class TaxInputsOut(serializers.Serializer[Any]):
    """What any base is computed from, kept apart (REC-05)."""

    sold_cage = Money(signed=True)
    sold_tables = Money(signed=True)
    redeemed = Money(signed=True)
    prizes = Money(signed=True)
    deductions = Money(signed=True)
    withheld = Money(signed=True)


class TaxSharesOut(serializers.Serializer[Any]):
    treasury = Money(signed=True)
    department = Money(signed=True)
    municipality = Money(signed=True)


class TaxedOut(serializers.Serializer[Any]):
    base = Money(signed=True)
    tax = Money()


class TaxesOut(serializers.Serializer[Any]):
    """The taxes of a span. `final`: a base was chosen in writing every table is counted and no exception is
    open (REC-02, REC-08)."""

    first = serializers.DateField()
    last = serializers.DateField()
    inputs = TaxInputsOut()
    ipj = TaxSharesOut()
    ij = serializers.DictField(child=TaxedOut(), help_text="both bases, by name (REC-02)")
    ij_due = TaxedOut(help_text="on the chosen base, or the provision")
    due_at_tables = Money(signed=True, help_text="IPJ of chips sold at tables, which nobody withheld")
    chosen = serializers.CharField()
    document = serializers.CharField()
    provision_base = serializers.CharField()
    uncounted = serializers.IntegerField()
    exceptions = serializers.IntegerField(help_text="incidents about sessions that are open still (REC-08)")
    final = serializers.BooleanField()


class Taxes(Endpoint):
    """IPJ and IJ of a span of gaming days, at most a year."""

    queryset = FundMove.objects.none()
    serializer_class = TaxesOut

    @extend_schema(
        parameters=[OpenApiParameter(name, dt.date, required=True) for name in ("first", "last")],
        responses=TaxesOut,
    )
    def get(self, request: Request) -> Response:
        span = read(PeriodForm, self.casino, request.query_params.dict())
        figures = tax_figures.of_span(self.casino, span["first"], span["last"])
        return Response(self.get_serializer(figures).data)
