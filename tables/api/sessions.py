"""Table sessions over the API: open on a counted float, relieve, change the shoe, close on a count."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.db.models import Prefetch
from django.http import Http404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import Money, Own, Strict
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.by import By
from shoes.models import Shoe
from tables import chips, closings, openings, results, sessions
from tables.models import Assignment, ChipCount, Staff, Table, TableSession
from tables.money import box_seeing
from tables.seeing import sessions_seen_by

STAFF = Staff.objects.all()


class ChipLine(Strict):
    """So many chips of one denomination."""

    denomination = Money()
    count = serializers.IntegerField(min_value=0, max_value=chips.MOST_CHIPS)


class ChipsField(serializers.ListField):
    child = ChipLine()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=1, max_length=40, **kwargs)

    def to_internal_value(self, data: Any) -> dict[int, int]:  # type: ignore[override]
        lines = super().to_internal_value(data)
        counted = {line["denomination"]: line["count"] for line in lines}
        if len(counted) != len(lines):
            raise serializers.ValidationError("una línea por denominación / one line each", "repeated")
        return counted


class PostOut(serializers.ModelSerializer[Assignment]):
    staff_id = serializers.IntegerField()
    staff = serializers.CharField(source="staff.name")
    since = serializers.DateTimeField(source="during.lower")

    class Meta:
        model = Assignment
        fields = ["id", "staff_id", "staff", "post", "since"]


class RoundSum(Money):
    """What the rounds of a session come to; kept back while a deduction box is counted, and from the cage,
    which counts it, before (FLOOR-11)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def get_attribute(self, instance: Any) -> Any:
        user = self.context["request"].user
        hidden = results.veiled(instance, blind=box_seeing.blind(user))
        return None if hidden else super().get_attribute(instance)


class SessionOut(serializers.ModelSerializer[TableSession]):
    """Money as far as rounds or counts tell it; `result` and `unexplained` once the drop is counted."""

    label = serializers.CharField()  # type: ignore[assignment]
    table = serializers.CharField(source="table.name")
    table_id = serializers.IntegerField()
    day = serializers.DateField(source="day.date")
    shoe = serializers.CharField(source="shoe.label", default="")
    shoe_id = serializers.IntegerField(allow_null=True)
    frozen_by_id = serializers.IntegerField(
        allow_null=True, help_text="the last incident that stopped it; while that is open it takes no round"
    )
    rules_id = serializers.IntegerField()
    limits_id = serializers.IntegerField()
    crew = PostOut(source="current_crew", many=True)
    staked, returned, commission = RoundSum(), RoundSum(), RoundSum()
    opening = Money()
    closing, drop = Money(allow_null=True), Money(allow_null=True)
    fills, credits, progressive = Money(), Money(), Money()
    deduction = Money(allow_null=True)
    result, unexplained = Money(allow_null=True), Money(allow_null=True)

    class Meta:
        model = TableSession
        fields = [
            "id", "label", "table_id", "table", "day", "number", "state", "game", "detail", "seats",
            "rules_id", "limits_id", "shoe_id", "shoe", "frozen_by_id", "crew", "opened_at", "closed_at",
            "last_round", "rounds_settled", "staked", "returned", "commission", "opening", "closing", "fills",
            "credits", "progressive", "drop", "deduction", "result", "unexplained",
        ]  # fmt: skip


class FloatCountOut(serializers.ModelSerializer[ChipCount]):
    chips = serializers.SerializerMethodField()
    total = Money()
    counted_by = serializers.CharField(source="counted_by.name")
    witnessed_by = serializers.CharField(source="witnessed_by.name")

    class Meta:
        model = ChipCount
        fields = ["moment", "chips", "total", "counted_by", "witnessed_by", "counted_at"]

    @extend_schema_field(ChipLine(many=True))
    def get_chips(self, count: ChipCount) -> Any:
        lines = [
            {"denomination": value, "count": number} for value, number in chips.loaded(count.chips).items()
        ]
        return ChipLine(lines, many=True, context=self.context).data


class SessionDetail(SessionOut):
    counts = FloatCountOut(many=True)

    class Meta(SessionOut.Meta):
        fields = [*SessionOut.Meta.fields, "counts"]


NOW_AT_TABLE = Prefetch(
    "assignments",
    Assignment.objects.filter(during__endswith=None).select_related("staff").order_by("post", "id"),
    to_attr="current_crew",
)
COUNTS = Prefetch("counts", ChipCount.objects.select_related("counted_by", "witnessed_by").order_by("id"))


class SessionFilter(filters.FilterSet):
    table = filters.NumberFilter(field_name="table_id")
    day = filters.DateFilter(field_name="day__date")
    since = filters.DateFilter(field_name="day__date", lookup_expr="gte")
    until = filters.DateFilter(field_name="day__date", lookup_expr="lte")
    game = filters.CharFilter(max_length=40)

    class Meta:
        model = TableSession
        fields = ["state"]


class OfSessions(Endpoint):
    """An address that reads or acts on sessions: those this login sees, and no others."""

    queryset = (
        TableSession.objects.select_related("table", "day", "shoe", "casino")
        .prefetch_related(NOW_AT_TABLE)
        .order_by("-opened_at", "-id")
    )
    serializer_class = SessionOut

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows
        return rows.filter(pk__in=sessions_seen_by(self.user).values("pk"))

    def session(self, pk: int) -> TableSession:
        found = self.get_queryset().filter(pk=pk).first()
        if found is None:
            raise Http404
        return found

    def fresh(self, session: TableSession) -> TableSession:
        """The session read again as it is shown, after a write."""
        return self.session(session.pk)


class Sessions(OfSessions, Rows):
    filterset_class = SessionFilter


class SessionRow(OfSessions, Row):
    queryset = OfSessions.queryset.prefetch_related(COUNTS)
    serializer_class = SessionDetail


class OpenIn(Given):
    shoe = Own(
        queryset=Shoe.objects.all(),
        required=False,
        allow_null=True,
        default=None,
        help_text="a shoe or pack prepared for the game; none for a game without cards",
    )
    chips = ChipsField(help_text="the float as counted (FLOOR-04)")
    dealer = Own(queryset=STAFF, help_text="whoever deals or calls: dealer, caller, main dealer, scorer")
    supervisor = Own(queryset=STAFF)
    payers = serializers.ListField(
        child=Own(queryset=STAFF),
        max_length=10,
        default=list,
        help_text="payers, or support dealers where the game has those",
    )


class TableSessions(OfSessions):
    @writes(openings.open_session, takes=OpenIn, gives=SessionOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Open a table: counted float, crew, a shoe that is ready."""
        table, counted = self.one(Table, pk), given.pop("chips")
        return self.fresh(openings.open_session(table=table, chips_counted=counted, **given, by=by))


class CloseIn(Given):
    chips = ChipsField(help_text="the float as counted (FLOOR-10)")
    counted_by = Own(queryset=STAFF)
    witnessed_by = Own(queryset=STAFF)


class SessionClose(OfSessions):
    @writes(closings.close_session, takes=CloseIn, gives=SessionOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Close a table on a count signed by two."""
        session, counted = self.session(pk), given.pop("chips")
        return self.fresh(closings.close_session(session=session, chips_counted=counted, **given, by=by))


class ReliefIn(Given):
    staff = Own(queryset=STAFF)
    post = serializers.ChoiceField(choices=Assignment.Post.choices)


class SessionReliefs(OfSessions):
    @writes(sessions.relieve, takes=ReliefIn, gives=PostOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Assignment:
        """Put someone on a post; who held it leaves it in the same act."""
        return sessions.relieve(session=self.session(pk), **given, by=by)


class ShoeChangeIn(Given):
    shoe = Own(queryset=Shoe.objects.all())


class SessionShoe(OfSessions):
    @writes(sessions.load_shoe, takes=ShoeChangeIn, gives=SessionOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Take the finished shoe off the table and put a prepared one on."""
        return self.fresh(sessions.load_shoe(session=self.session(pk), **given, by=by))


class SessionStopCard(OfSessions):
    @writes(sessions.see_stop_card, gives=SessionOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """The stop card was seen: the round in progress ends the shoe."""
        return self.fresh(sessions.see_stop_card(session=self.session(pk), by=by))
