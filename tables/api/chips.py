"""Desks, chip sets and the stock of chips over the API: where chips are, entries, counts."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits import filings
from audits.api.fields import InstantFilter, Money, Strict
from audits.api.filings import FilingDetail
from audits.api.frame import Endpoint, Given, Reasoned, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from audits.models import Filing
from tables import chips
from tables.api.sessions import ChipLine, ChipsField
from tables.models import CageDesk, ChipEntry, ChipMove, ChipSet, ChipStock, ChipStockCount
from tables.money import cage_seeing, chip_counts, chip_entries, chip_homologation, chip_sets, desks

# ---- settings -----------------------------------------------------------------------------------------


class DeskOut(serializers.ModelSerializer[CageDesk]):
    account = serializers.CharField(help_text="its place in the ledger and in the stock of chips")

    class Meta:
        model = CageDesk
        fields = ["id", "number", "name", "active", "account"]


class DeskIn(Reasoned):
    number = serializers.IntegerField(min_value=1, max_value=desks.MOST_DESKS)
    name = serializers.CharField(max_length=60)
    active = serializers.BooleanField(default=True)


class Desks(Rows):
    """The desks of the cage."""

    queryset = CageDesk.objects.order_by("number")
    serializer_class = DeskOut
    filterset_fields = ["number", "active"]

    @writes(desks.set_desk, takes=DeskIn, gives=DeskOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> CageDesk:
        return desks.set_desk(**given, by=by)


class DeskChange(Endpoint):
    @writes(desks.set_desk, takes=DeskIn, gives=DeskOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> CageDesk:
        """Rename a desk, or take it out of service; it keeps its number."""
        return desks.set_desk(desk=self.one(CageDesk, pk), **given, by=by)


class ChipSetOut(serializers.ModelSerializer[ChipSet]):
    denominations = serializers.ListField(child=Money())

    class Meta:
        model = ChipSet
        fields = ["id", "name", "kind", "marks", "denominations", "active"]


class ChipSetIn(Reasoned):
    name = serializers.CharField(max_length=60)
    kind = serializers.ChoiceField(choices=ChipSet.Kind.choices, default=ChipSet.Kind.CHIP.value)
    marks = serializers.CharField(max_length=200, default="", allow_blank=True)
    denominations = serializers.ListField(child=Money(), min_length=1, max_length=40)
    active = serializers.BooleanField(default=True)


class ChipSets(Rows):
    """The sets of chips and plaques."""

    queryset = ChipSet.objects.order_by("name")
    serializer_class = ChipSetOut
    filterset_fields = ["kind", "active"]

    @writes(chip_sets.set_chip_set, takes=ChipSetIn, gives=ChipSetOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> ChipSet:
        return chip_sets.set_chip_set(**given, by=by)


class ChipSetChange(Endpoint):
    @writes(chip_sets.set_chip_set, takes=ChipSetIn, gives=ChipSetOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> ChipSet:
        return chip_sets.set_chip_set(chip_set=self.one(ChipSet, pk), **given, by=by)


# ---- where chips are ----------------------------------------------------------------------------------


class ChipStockOut(serializers.ModelSerializer[ChipStock]):
    """`place`: `vault`, `cage:<number>`, `tray:<session>`, `public` or `outside`."""

    denomination = Money()

    class Meta:
        model = ChipStock
        fields = ["place", "denomination", "number"]


class Stocks(Rows):
    """How many chips of each denomination are at each place now; to the cage without the desks it counts."""

    queryset = ChipStock.objects.exclude(number=0).order_by("place", "-denomination")
    serializer_class = ChipStockOut
    filterset_fields = ["place"]

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        return rows if getattr(self, "swagger_fake_view", False) else cage_seeing.stocks(rows, self.user)


class ChipMoveOut(serializers.ModelSerializer[ChipMove]):
    denomination = Money()
    at = serializers.DateTimeField(source="event.occurred")

    class Meta:
        model = ChipMove
        fields = ["id", "kind", "denomination", "number", "source", "target", "event_id", "at"]


class MoveFilter(filters.FilterSet):
    since = InstantFilter(field_name="event__occurred", lookup_expr="gte")
    until = InstantFilter(field_name="event__occurred", lookup_expr="lt")

    class Meta:
        model = ChipMove
        fields = ["kind", "source", "target"]


class ChipMoves(Rows):
    """Every movement of chips, newest first."""

    queryset = ChipMove.objects.select_related("event").order_by("-id")
    serializer_class = ChipMoveOut
    filterset_class = MoveFilter


# ---- entries ------------------------------------------------------------------------------------------


class ChipEntryOut(serializers.ModelSerializer[ChipEntry]):
    chips = serializers.SerializerMethodField()
    total = Money()
    signed_by = serializers.CharField(source="signed_by.name")
    signed_with = serializers.CharField(source="signed_with.name")

    class Meta:
        model = ChipEntry
        fields = [
            "id", "kind", "chips", "total", "supplier", "document", "serials", "signed_by", "signed_with",
            "at",
        ]  # fmt: skip

    @extend_schema_field(ChipLine(many=True))
    def get_chips(self, entry: ChipEntry) -> Any:
        lines = [
            {"denomination": value, "count": number} for value, number in chips.loaded(entry.chips).items()
        ]
        return ChipLine(lines, many=True, context=self.context).data


class ChipEntryIn(Given):
    chips = ChipsField()
    document = serializers.CharField(max_length=120)
    serials = serializers.CharField(
        max_length=chip_entries.LONGEST_SERIALS, default="", allow_blank=True, help_text="of plaques, each"
    )
    second = SignerField(help_text="user name of somebody of another department, who signs with you")
    second_password = PasswordField()


class ReceiveChipsIn(ChipEntryIn):
    supplier = serializers.CharField(max_length=120)


class ChipEntries(Cosigned, Rows):
    """Chips that came into the house or left it for good, newest first."""

    cosigns = ReceiveChipsIn
    queryset = ChipEntry.objects.select_related("signed_by", "signed_with").order_by("-at", "-id")
    serializer_class = ChipEntryOut
    filterset_fields = ["kind"]

    @writes(
        chip_entries.receive_chips, takes=ReceiveChipsIn, gives=ChipEntryOut, status=201, key_required=True
    )
    def post(self, by: By, given: dict[str, Any]) -> ChipEntry:
        """Receive chips into the vault, signed by two departments."""
        return chip_entries.receive_chips(**_signed(self.signed(given)), by=by)


class ChipHomologationIn(Given):
    maker = serializers.CharField(max_length=120)
    chip_kind = serializers.ChoiceField(choices=list(chip_homologation.NAMES))
    text = serializers.CharField(max_length=filings.LONGEST_TEXT, default="", allow_blank=True)


class ChipHomologation(Endpoint):
    queryset = Filing.objects.all()
    serializer_class = FilingDetail

    @writes(chip_homologation.draft, takes=ChipHomologationIn, gives=FilingDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Filing:
        """Draft the homologation of a maker's chips or plaques with the AJ."""
        return chip_homologation.draft(**given, by=by)


class RetireChipsIn(ChipEntryIn):
    kind = serializers.ChoiceField(choices=[ChipEntry.Kind.WITHDRAWN.value, ChipEntry.Kind.DESTROYED.value])
    destination = serializers.CharField(max_length=120)


class ChipRetire(Cosigned):
    cosigns = RetireChipsIn

    @writes(chip_entries.retire_chips, takes=RetireChipsIn, gives=ChipEntryOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> ChipEntry:
        """Withdraw or destroy chips of the vault, signed by two departments."""
        return chip_entries.retire_chips(**_signed(self.signed(given)), by=by)


# ---- counts -------------------------------------------------------------------------------------------


class CountedChips(Strict):
    denomination = Money()
    expected = serializers.IntegerField()
    counted = serializers.IntegerField()


class ChipCountOut(serializers.ModelSerializer[ChipStockCount]):
    lines = serializers.SerializerMethodField()
    difference = Money(signed=True)
    counted_by = serializers.CharField(source="counted_by.name")
    counted_with = serializers.CharField(source="counted_with.name")
    incident = serializers.CharField(source="incident.label", default="")

    class Meta:
        model = ChipStockCount
        fields = ["id", "place", "lines", "difference", "counted_by", "counted_with", "incident", "at"]

    @extend_schema_field(CountedChips(many=True))
    def get_lines(self, count: ChipStockCount) -> Any:
        return CountedChips(count.lines, many=True, context=self.context).data


class ChipCountIn(Given):
    place = serializers.CharField(max_length=40, help_text="vault or cage:<number>")
    chips = ChipsField(help_text="all the chips there; what is left out was counted as none")
    second = SignerField(help_text="user name of who counted with you")
    second_password = PasswordField()


class ChipCounts(Cosigned, Rows):
    """The counts of vault and desks, newest first."""

    cosigns = ChipCountIn
    queryset = ChipStockCount.objects.select_related("counted_by", "counted_with", "incident").order_by(
        "-at", "-id"
    )
    serializer_class = ChipCountOut
    filterset_fields = ["place"]

    @writes(chip_counts.count_stock, takes=ChipCountIn, gives=ChipCountOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any]) -> ChipStockCount:
        """Count the chips of a place by two people; a difference is kept with its sign (FLOOR-05)."""
        return chip_counts.count_stock(**_signed(self.signed(given)), by=by)


def _signed(given: dict[str, Any]) -> dict[str, Any]:
    """What was given, with the second signer under the name the write function knows."""
    return {**{name: value for name, value in given.items() if name != "second"}, "with_": given["second"]}
