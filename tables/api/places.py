"""The floor's settings over the API: pits, tables, limits, the games and their rules."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits import filings
from audits.api.fields import Instant, Money, Own, Strict, Words
from audits.api.filings import FilingDetail
from audits.api.frame import Endpoint, Given, Reasoned, Row, Rows, writes
from audits.by import By
from audits.models import Filing
from tables import confirming, plan_filings, settings
from tables.games import registry
from tables.games.base import Detail
from tables.models import BetLimits, GameRules, Pit, Table

DETAILS = [detail.value for detail in Detail]
MOST_SPOTS = 60


class PitOut(serializers.ModelSerializer[Pit]):
    class Meta:
        model = Pit
        fields = ["id", "name", "position", "weight"]


class PitIn(Reasoned):
    name = serializers.CharField(max_length=60)
    position = serializers.IntegerField(min_value=0, max_value=999, default=1)
    weight = serializers.IntegerField(
        min_value=settings.PIT_WEIGHTS[0], max_value=settings.PIT_WEIGHTS[1], required=False, allow_null=True,
        default=None,
        help_text="what a minute here counts in the ledger of fairness, in hundredths; left out, it stays",
    )  # fmt: skip


class Pits(Rows):
    queryset = Pit.objects.order_by("position", "name")
    serializer_class = PitOut
    filterset_fields = ["name"]

    @writes(settings.set_pit, takes=PitIn, gives=PitOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Pit:
        return settings.set_pit(**given, by=by)


class PitChange(Endpoint):
    @writes(settings.set_pit, takes=PitIn, gives=PitOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Pit:
        return settings.set_pit(pit=self.one(Pit, pk), **given, by=by)


class TableOut(serializers.ModelSerializer[Table]):
    pit = serializers.CharField(source="pit.name")
    pit_id = serializers.IntegerField()
    detail = serializers.ChoiceField(choices=DETAILS)

    class Meta:
        model = Table
        fields = ["id", "name", "pit_id", "pit", "game", "seats", "detail", "active"]


class TableIn(Reasoned):
    name = serializers.CharField(max_length=10)
    pit = Own(queryset=Pit.objects.all())
    game = serializers.CharField(max_length=40)
    seats = serializers.IntegerField(min_value=1, max_value=99)
    detail = serializers.ChoiceField(choices=DETAILS)
    active = serializers.BooleanField(default=True)


class TableFilter(filters.FilterSet):
    pit = filters.NumberFilter(field_name="pit_id")

    class Meta:
        model = Table
        fields = ["name", "game", "detail", "active"]


TABLES = Table.objects.select_related("pit").order_by("name")


class Tables(Rows):
    queryset = TABLES
    serializer_class = TableOut
    filterset_class = TableFilter

    @writes(settings.set_table, takes=TableIn, gives=TableOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Table:
        return settings.set_table(**given, by=by)


class TableRow(Row):
    queryset = TABLES
    serializer_class = TableOut


class TableChange(Endpoint):
    @writes(settings.set_table, takes=TableIn, gives=TableOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Table:
        return settings.set_table(table=self.one(Table, pk), **given, by=by)


class SpotLimit(Strict):
    minimum = Money()
    maximum = Money()


class LimitsOut(serializers.ModelSerializer[BetLimits]):
    table = serializers.CharField(source="table.name")
    table_id = serializers.IntegerField()
    chip = Money(help_text="smallest chip")
    differential = Money(allow_null=True)
    spots = serializers.SerializerMethodField()
    published_by = serializers.CharField(source="published_by.name")

    class Meta:
        model = BetLimits
        fields = [
            "id", "table_id", "table", "version", "chip", "spots", "differential", "effective_from",
            "reason", "published_by",
        ]  # fmt: skip

    @extend_schema_field(serializers.DictField(child=SpotLimit()))
    def get_spots(self, limits: BetLimits) -> Any:
        pairs = {spot: {"minimum": low, "maximum": high} for spot, (low, high) in limits.spots.items()}
        return {spot: SpotLimit(pair, context=self.context).data for spot, pair in pairs.items()}


class LimitsIn(Reasoned):
    chip = Money()
    spots = serializers.DictField(child=SpotLimit(), help_text="spot of the game -> limits")
    differential = Money(required=False, allow_null=True)
    effective_from = Instant(required=False)

    def validate_spots(self, spots: dict[str, dict[str, int]]) -> dict[str, tuple[int, int]]:
        if len(spots) > MOST_SPOTS:
            raise serializers.ValidationError(f"≤ {MOST_SPOTS}", "too_many")
        return {spot: (pair["minimum"], pair["maximum"]) for spot, pair in spots.items()}


class LimitsFilter(filters.FilterSet):
    table = filters.NumberFilter(field_name="table_id")

    class Meta:
        model = BetLimits
        fields = ["version"]


class Limits(Rows):
    """Every version of every table's limits, newest first."""

    queryset = BetLimits.objects.select_related("table", "published_by").order_by("-effective_from", "-id")
    serializer_class = LimitsOut
    filterset_class = LimitsFilter


class TableLimits(Endpoint):
    @writes(settings.publish_limits, takes=LimitsIn, gives=LimitsOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> BetLimits:
        return settings.publish_limits(table=self.one(Table, pk), **given, by=by)


class RulesOut(serializers.ModelSerializer[GameRules]):
    params = serializers.DictField()
    published_by = serializers.CharField(source="published_by.name")

    class Meta:
        model = GameRules
        fields = [
            "id", "game", "version", "params", "effective_from", "betting_plan", "confirmed_by",
            "confirmation", "forced", "reason", "published_by",
        ]  # fmt: skip


class RulesIn(Reasoned):
    game = serializers.CharField(max_length=40)
    params = serializers.DictField(help_text="the game's own; what is left out takes the catalogue's value")
    # Blank is let through to the write function, which names the rule it breaks (GEN-05).
    betting_plan = serializers.CharField(max_length=60, allow_blank=True)
    confirmed_by = serializers.CharField(
        max_length=confirming.MOST_NAME,
        allow_blank=True,
        required=False,
        help_text="who confirms the figures the rulebook leaves to the operator (GEN-05)",
    )
    confirmation = serializers.CharField(
        max_length=confirming.MOST_REASON, allow_blank=True, required=False, help_text="and why"
    )
    forced = serializers.CharField(
        max_length=confirming.MOST_REASON,
        allow_blank=True,
        required=False,
        help_text="why a version that favours the player is published all the same (GEN-06)",
    )
    effective_from = Instant(required=False)


class RulesFilter(filters.FilterSet):
    game = filters.CharFilter(max_length=40)

    class Meta:
        model = GameRules
        fields = ["version"]


class RulesFilingIn(Given):
    kind = serializers.ChoiceField(choices=plan_filings.KINDS)
    game = serializers.CharField(max_length=40)
    params = serializers.DictField(help_text="as they would be published")
    text = serializers.CharField(
        max_length=filings.LONGEST_TEXT, required=False, default="", allow_blank=True, help_text="to be added"
    )


class RulesFiling(Endpoint):
    queryset = GameRules.objects.all()
    serializer_class = FilingDetail

    @writes(plan_filings.draft, takes=RulesFilingIn, gives=FilingDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Filing:
        """Draft the filing that asks the AJ for these very figures of a game (GEN-05)."""
        return plan_filings.draft(**given, by=by)


class Rules(Rows):
    """Every version of every game's rules, newest first."""

    queryset = GameRules.objects.select_related("published_by").order_by("-effective_from", "-id")
    serializer_class = RulesOut
    filterset_class = RulesFilter

    @writes(settings.publish_rules, takes=RulesIn, gives=RulesOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> GameRules:
        return settings.publish_rules(**given, by=by)


class GameOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = Words()
    family = serializers.CharField()
    deck_type = serializers.CharField()
    spots = serializers.ListField(child=serializers.CharField())
    hands = serializers.ListField(
        child=serializers.CharField(), help_text="the hands that are nobody's alone"
    )
    events = serializers.ListField(child=serializers.CharField(), help_text="the kinds of event a round has")
    choices = serializers.ListField(child=serializers.CharField(), help_text="the decisions (`do`)")
    winners = serializers.ListField(child=serializers.CharField())
    bank = serializers.CharField(help_text="who pays: house, player or ring")
    default_rules = serializers.SerializerMethodField()

    def get_default_rules(self, game: Any) -> dict[str, Any]:
        rules: dict[str, Any] = game.default_rules().to_json()
        return rules


class Games(Rows):
    """The games this house's engine can deal, with the catalogue's rules."""

    serializer_class = GameOut
    filter_backends = []
    queryset = GameRules.objects.none()

    def get_queryset(self) -> Any:
        return list(registry.GAMES.values())
