"""The cage over the API: receipts and their voids, transfers, counts, what a desk holds."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import InstantFilter, Money, Own
from audits.api.frame import Endpoint, Given, Reasoned, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from tables import chips
from tables.api.sessions import ChipLine, ChipsField
from tables.models import CageCount, CageDesk, CageOperation, CageSettings, CageTransfer
from tables.money import cage, cage_counts, cage_seeing, cage_settings, transfers
from tables.money.orphans import masked


def lines(counted: Any, context: Any) -> Any:
    """Chips or cash as stored, largest first."""
    pairs = sorted(chips.loaded(counted).items(), reverse=True)
    listed = [{"denomination": value, "count": number} for value, number in pairs]
    return ChipLine(listed, many=True, context=context).data


@extend_schema_field(ChipLine(many=True))
class Pieces(serializers.Field[Any, Any, Any, Any]):
    """A count as stored (denomination -> number), as a list."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        return lines(value, self.context)


# ---- receipts -----------------------------------------------------------------------------------------


class ReceiptOut(serializers.ModelSerializer[CageOperation]):
    """A receipt. `due`: what the customer pays for a sale; `change`: given back of `tendered`; `reference`:
    the prize it pays."""

    label = serializers.CharField()  # type: ignore[assignment]
    day = serializers.DateField(source="day.date")
    desk = serializers.IntegerField(source="desk.number")
    chips_out = Pieces()
    chips_in = Pieces()
    amount = Money()
    tax = Money(help_text="the IPJ withheld (REC-03)")
    due = Money()
    tendered = Money(allow_null=True)
    change = Money(allow_null=True)
    document = serializers.SerializerMethodField(help_text="masked; whole in the receipt alone (REC-13)")
    made_by = serializers.CharField(source="made_by.name")
    approved_by = serializers.CharField(source="approved_by.name", default=None, allow_null=True)
    reverses = serializers.CharField(source="reverses.label", default=None, allow_null=True)

    class Meta:
        model = CageOperation
        fields = [
            "id", "label", "kind", "day", "desk", "chips_out", "chips_in", "amount", "tax", "on_top", "due",
            "means", "tendered", "change", "customer", "document", "reference", "flagged", "made_by", "at",
            "reverses", "reverses_id", "approved_by", "reason",
        ]  # fmt: skip

    def get_document(self, receipt: CageOperation) -> str:
        return masked(receipt.document)


class ReceiptFilter(filters.FilterSet):
    day = filters.DateFilter(field_name="day__date")
    desk = filters.NumberFilter(field_name="desk__number")
    since = InstantFilter(field_name="at", lookup_expr="gte")
    until = InstantFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = CageOperation
        fields = ["kind", "series", "year", "number", "means", "flagged"]


RECEIPTS = CageOperation.objects.select_related("desk", "day", "made_by", "approved_by", "reverses").order_by(
    "-at", "-id"
)


class Receipts(Rows):
    """Every receipt of the cage, newest first; voids are receipts of series A."""

    queryset = RECEIPTS
    serializer_class = ReceiptOut
    filterset_class = ReceiptFilter


class ReceiptRow(Row):
    queryset = RECEIPTS
    serializer_class = ReceiptOut


class OfDesks(Endpoint):
    queryset = CageDesk.objects.all()

    def desk(self, pk: int) -> CageDesk:
        found: CageDesk = self.one(CageDesk, pk)
        return found


class OfCustomer(Given):
    """Who stands at the counter, where it is noted: both or neither."""

    customer = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    document = serializers.CharField(
        max_length=40, required=False, default="", allow_blank=True, help_text="as read off it (REC-13)"
    )


class SellIn(OfCustomer):
    price = Money(help_text="what the chips are worth at face")
    chips = ChipsField(help_text="chips handed to the customer")
    means = serializers.ChoiceField(choices=CageOperation.Means.choices, default="cash")
    tendered = Money(required=False, help_text="cash handed over, to have the change worked out")


class DeskSales(OfDesks):
    @writes(cage.sell_chips, takes=SellIn, gives=ReceiptOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> CageOperation:
        """Sell chips; the IPJ is withheld (REC-03)."""
        return cage.sell_chips(desk=self.desk(pk), chips_given=given.pop("chips"), **given, by=by)


class RedeemIn(OfCustomer):
    chips = ChipsField(help_text="chips taken from the customer")
    amount = Money(required=False, help_text="what the customer asks for, if it is to be checked")


class DeskRedemptions(OfDesks):
    @writes(cage.redeem_chips, takes=RedeemIn, gives=ReceiptOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> CageOperation:
        """Pay chips out in cash."""
        return cage.redeem_chips(desk=self.desk(pk), chips_taken=given.pop("chips"), **given, by=by)


class ChipExchangeIn(Given):
    taken = ChipsField(help_text="chips taken from the customer")
    given = ChipsField(help_text="chips handed to the customer, of equal value")


class DeskExchanges(OfDesks):
    @writes(cage.exchange_chips, takes=ChipExchangeIn, gives=ReceiptOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> CageOperation:
        """Change chips for others of equal value (FLOOR-06)."""
        return cage.exchange_chips(
            desk=self.desk(pk), chips_taken=given["taken"], chips_given=given["given"], by=by
        )


class ReceiptVoidIn(Given):
    second = SignerField(help_text="user name of whoever approves it, another person than you")
    second_password = PasswordField()


class ReceiptVoid(Cosigned):
    queryset = RECEIPTS
    cosigns = ReceiptVoidIn

    @writes(cage.void_receipt, takes=ReceiptVoidIn, gives=ReceiptOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> CageOperation:
        """Reverse a receipt by another that names it, with a reason and a second signature (REC-07)."""
        return cage.void_receipt(operation=self.one(RECEIPTS, pk), approved_by=self.signer("second"), by=by)


# ---- what a desk holds --------------------------------------------------------------------------------


class DeskHoldingOut(serializers.Serializer[Any]):
    """A drawer by the ledger: chips at face, cash of the house, IPJ withheld beside it; chips by denomination
    where the house keeps an inventory. To the cage, which counts it, all of it is null and empty: the signed
    count tells (FLOOR-05).
    """

    desk = serializers.IntegerField()
    open = serializers.BooleanField()
    chips = Money(signed=True, allow_null=True)
    cash = Money(signed=True, allow_null=True)
    withheld = Money(signed=True, allow_null=True)
    by_denomination = Pieces()


class DeskHolding(OfDesks):
    serializer_class = DeskHoldingOut

    @extend_schema_field(DeskHoldingOut)
    def get(self, request: Request, pk: int) -> Response:
        desk = self.desk(pk)
        held = cage_seeing.holding(desk, self.user)
        shown = {**held, "desk": desk.number, "by_denomination": chips.stored(held["stock"])}
        return Response(self.get_serializer(shown).data)


# ---- transfers ----------------------------------------------------------------------------------------


class TransferOut(serializers.ModelSerializer[CageTransfer]):
    """A slip T. `ipj`: how much of the cash is withheld tax that went along."""

    label = serializers.CharField()  # type: ignore[assignment]
    desk = serializers.IntegerField(source="desk.number")
    chips = Pieces()
    chips_total = Money()
    cash = Pieces()
    cash_total = Money()
    ipj = Money()
    requested_by = serializers.CharField(source="requested_by.name")
    closed_by = serializers.CharField(source="closed_by.name", default=None, allow_null=True)

    class Meta:
        model = CageTransfer
        fields = [
            "id", "label", "state", "direction", "desk", "chips", "chips_total", "cash", "cash_total", "ipj",
            "requested_by", "requested_at", "closed_by", "closed_at", "reason",
        ]  # fmt: skip


TRANSFERS = CageTransfer.objects.select_related("desk", "requested_by", "closed_by").order_by(
    "-requested_at", "-id"
)


class TransferIn(Given):
    desk = Own(queryset=CageDesk.objects.all())
    direction = serializers.ChoiceField(choices=CageTransfer.Direction.choices)
    chips = ChipsField(required=False, help_text="chips by denomination")
    cash = ChipsField(required=False, help_text="notes and coins by denomination")


class TransferFilter(filters.FilterSet):
    desk = filters.NumberFilter(field_name="desk__number")

    class Meta:
        model = CageTransfer
        fields = ["state", "direction", "year", "number"]


class Transfers(Rows):
    """Chips and cash between vault and desks, newest first."""

    queryset = TRANSFERS
    serializer_class = TransferOut
    filterset_class = TransferFilter

    @writes(transfers.request_transfer, takes=TransferIn, gives=TransferOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> CageTransfer:
        """Ask for a transfer; nothing moves before another person accepts it."""
        return transfers.request_transfer(
            chips_moved=given.pop("chips", {}), cash=given.pop("cash", {}), **given, by=by
        )


class TransferAccept(Endpoint):
    queryset = TRANSFERS

    @writes(transfers.accept_transfer, gives=TransferOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> CageTransfer:
        """Accept what was asked for, as counted; not by whoever asked (GEN-10)."""
        return transfers.accept_transfer(transfer=self.one(TRANSFERS, pk), by=by)


class TransferCancel(Endpoint):
    queryset = TRANSFERS

    @writes(transfers.cancel_transfer, gives=TransferOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> CageTransfer:
        """Give up a transfer nobody accepted; it keeps its number. Needs a reason."""
        return transfers.cancel_transfer(transfer=self.one(TRANSFERS, pk), by=by)


# ---- counts -------------------------------------------------------------------------------------------


class CageCountOut(serializers.ModelSerializer[CageCount]):
    """Differences are counted less expected, with their sign (FLOOR-05)."""

    desk = serializers.IntegerField(source="desk.number")
    chips = Pieces()
    chips_total = Money()
    chips_difference = Money(signed=True)
    chips_off = Pieces(help_text="chips more or fewer, by denomination, where an inventory is kept")
    cash = Pieces()
    cash_total = Money()
    cash_difference = Money(signed=True)
    counted_by = serializers.CharField(source="counted_by.name")
    counted_with = serializers.CharField(source="counted_with.name")
    incident = serializers.CharField(source="incident.label", default="")

    class Meta:
        model = CageCount
        fields = [
            "id", "desk", "moment", "chips", "chips_total", "chips_difference", "chips_off", "cash",
            "cash_total", "cash_difference", "counted_by", "counted_with", "incident_id", "incident", "at",
        ]  # fmt: skip


class CageCountIn(Given):
    desk = Own(queryset=CageDesk.objects.all())
    moment = serializers.ChoiceField(choices=CageCount.Moment.choices)
    chips = ChipsField(help_text="chips counted, by denomination")
    cash = ChipsField(help_text="notes and coins counted, by denomination")
    second = SignerField(help_text="user name of whoever counts with you")
    second_password = PasswordField()


class CageCountFilter(filters.FilterSet):
    desk = filters.NumberFilter(field_name="desk__number")

    class Meta:
        model = CageCount
        fields = ["moment"]


class CageCounts(Cosigned, Rows):
    """The counts of the desks, newest first."""

    queryset = CageCount.objects.select_related("desk", "counted_by", "counted_with", "incident").order_by(
        "-at", "-id"
    )
    serializer_class = CageCountOut
    filterset_class = CageCountFilter
    cosigns = CageCountIn

    @writes(cage_counts.count_desk, takes=CageCountIn, gives=CageCountOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> CageCount:
        """Count a desk: `opening` begins a shift, `closing` ends it; a second person signs (GEN-10)."""
        return cage_counts.count_desk(
            desk=given["desk"],
            moment=given["moment"],
            chips_counted=given["chips"],
            cash=given["cash"],
            with_=self.signer("second"),
            by=by,
        )


# ---- settings -----------------------------------------------------------------------------------------


class CageSettingsOut(serializers.ModelSerializer[CageSettings]):
    tip_points = serializers.SerializerMethodField()

    class Meta:
        model = CageSettings
        fields = ["ipj_on_top", "orphan_days", "tip_points"]

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_tip_points(self, row: CageSettings) -> dict[str, int]:
        return cage_settings.points_of(row)


class CageSettingsIn(Reasoned):
    ipj_on_top = serializers.BooleanField()
    orphan_days = serializers.IntegerField(min_value=1, max_value=cage_settings.MOST_DAYS)
    tip_points = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=cage_settings.MOST_POINTS), default=dict
    )


class CageFigures(Endpoint):
    """How the cage works: who bears the IPJ, how long orphans wait, points by post."""

    queryset = CageSettings.objects.all()
    serializer_class = CageSettingsOut

    def get(self, request: Request) -> Response:
        return Response(self.get_serializer(cage_settings.cage_of(self.casino)).data)

    @writes(cage_settings.set_cage, takes=CageSettingsIn, gives=CageSettingsOut)
    def post(self, by: By, given: dict[str, Any]) -> CageSettings:
        """Change them; needs a reason."""
        return cage_settings.set_cage(**given, by=by)
