"""Drop boxes over the API: put on, taken off, received, counted blind; and a table's result made final.

What the first team found is answered to nobody before the second has counted (FLOOR-11).
"""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Money, Own, Strict
from audits.api.frame import Endpoint, Given, Reasoned, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from audits.models import Actor
from tables import results, statement
from tables.api.sessions import OfSessions, SessionOut
from tables.models import BoxCount, CountRate, DropBox, TableSession
from tables.money import box_contents, box_counts, box_seeing, boxes, differences, reconciling


class PieceLine(Strict):
    """So many notes, coins or chips of one denomination; `CHIP`: chips of the house."""

    currency = serializers.CharField(max_length=4)
    denomination = Money()
    count = serializers.IntegerField(min_value=0, max_value=box_contents.MOST_PIECES)


class PaperLine(Strict):
    """A voucher or paper found in a box; a slip is worth nothing there."""

    kind = serializers.ChoiceField(choices=list(box_contents.DOCUMENTS))
    number = serializers.CharField(max_length=40)
    amount = Money(default=0)


class TeamMember(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    records = serializers.BooleanField()


class CountShown(serializers.ModelSerializer[BoxCount]):
    total = Money()
    recorded_by = serializers.CharField(source="recorded_by.name")
    contents = serializers.SerializerMethodField()
    documents = serializers.SerializerMethodField()
    team = serializers.SerializerMethodField()

    class Meta:
        model = BoxCount
        fields = [
            "nth",
            "total",
            "contents",
            "documents",
            "team",
            "recorded_by",
            "counted_at",
            "salt",
            "commitment",
        ]

    @extend_schema_field(PieceLine(many=True))
    def get_contents(self, count: BoxCount) -> Any:
        lines = [
            {"currency": currency, "denomination": int(value), "count": number}
            for currency, pieces in count.contents.items()
            for value, number in pieces.items()
        ]
        return PieceLine(lines, many=True, context=self.context).data

    @extend_schema_field(PaperLine(many=True))
    def get_documents(self, count: BoxCount) -> Any:
        return PaperLine(count.documents, many=True, context=self.context).data

    @extend_schema_field(TeamMember(many=True))
    def get_team(self, count: BoxCount) -> Any:
        people = [{"id": m.person_id, "name": m.person.name, "records": m.records} for m in count.team.all()]
        return TeamMember(sorted(people, key=lambda person: person["id"]), many=True).data


class BoxOut(serializers.ModelSerializer[DropBox]):
    """`counts` are told once two teams have counted; `amount` once the box is settled."""

    session_id = serializers.IntegerField()
    session = serializers.CharField(source="session.label")
    amount = Money(allow_null=True)
    incident = serializers.CharField(source="incident.label", default=None, allow_null=True)
    counts = serializers.SerializerMethodField()

    class Meta:
        model = DropBox
        fields = [
            "id", "number", "kind", "state", "session_id", "session", "put_on_at", "removed_at", "seal",
            "received_at", "seal_found", "settled_at", "amount", "how", "incident", "counts",
        ]  # fmt: skip

    @extend_schema_field(CountShown(many=True))
    def get_counts(self, box: DropBox) -> Any:
        return CountShown(box_seeing.counts_of(box), many=True, context=self.context).data


class BoxFilter(filters.FilterSet):
    day = filters.DateFilter(field_name="session__day__date")
    session = filters.NumberFilter(field_name="session_id")

    class Meta:
        model = DropBox
        fields = ["state", "kind", "number"]


class OfBoxes(Endpoint):
    queryset = DropBox.objects.select_related(
        "session__table", "session__day", "session__casino", "incident"
    ).order_by("-id")
    serializer_class = BoxOut

    def box(self, pk: int) -> DropBox:
        found: DropBox = self.one(OfBoxes.queryset, pk)
        return found


class Boxes(OfBoxes, Rows):
    filterset_class = BoxFilter


class BoxRow(OfBoxes, Row):
    pass


class PutOnIn(Given):
    number = serializers.CharField(max_length=20, help_text="as painted on the box")
    kind = serializers.ChoiceField(choices=DropBox.Kind.choices, default=DropBox.Kind.DROP)


class SessionBoxes(OfSessions):
    @writes(boxes.put_on, takes=PutOnIn, gives=BoxOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DropBox:
        """Put a box on a live table."""
        return boxes.put_on(session=self.session(pk), **given, by=by)


class Sealed(Given):
    seal = serializers.CharField(max_length=40)
    second = SignerField(help_text="user name of another person, who signs with you")
    second_password = PasswordField()


class FoundIn(Sealed):
    number = serializers.CharField(max_length=20)
    kind = serializers.ChoiceField(choices=DropBox.Kind.choices, default=DropBox.Kind.DROP)


class SessionBoxFound(Cosigned, OfSessions):
    cosigns = FoundIn

    @writes(boxes.remove_unregistered, takes=FoundIn, gives=BoxOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DropBox:
        """Register a box as it is taken off: one that nobody had noted at the table."""
        about = {name: given[name] for name in ("number", "kind", "seal")}
        return boxes.remove_unregistered(
            session=self.session(pk), **about, with_=self.signer("second"), by=by
        )


class BoxRemove(Cosigned, OfBoxes):
    cosigns = Sealed

    @writes(boxes.remove, takes=Sealed, gives=BoxOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DropBox:
        """Take a box off its table, sealed, signed by two (GEN-10)."""
        return boxes.remove(box=self.box(pk), seal=given["seal"], with_=self.signer("second"), by=by)


class ReceiveIn(Given):
    seal = serializers.CharField(max_length=40, help_text="read off again in the count room")


class BoxReceive(OfBoxes):
    @writes(boxes.receive, takes=ReceiveIn, gives=BoxOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DropBox:
        """Receive a box in the count room."""
        return boxes.receive(box=self.box(pk), **given, by=by)


class BoxCountIn(Given):
    contents = serializers.ListField(child=PieceLine(), max_length=200, default=list)
    documents = serializers.ListField(child=PaperLine(), max_length=box_contents.MOST_DOCUMENTS, default=list)
    team = serializers.ListField(
        child=Own(queryset=Actor.objects.all()),
        min_length=box_counts.LEAST_TEAM,
        max_length=box_counts.MOST_TEAM,
        help_text="who counted, besides whoever records",
    )

    def validate_contents(self, lines: list[dict[str, Any]]) -> dict[str, dict[int, int]]:
        pieces: dict[str, dict[int, int]] = {}
        for line in lines:
            of = pieces.setdefault(line["currency"], {})
            if line["denomination"] in of:
                raise serializers.ValidationError("una línea por denominación / one line each", "repeated")
            of[line["denomination"]] = line["count"]
        return pieces


class BoxCounts(OfBoxes):
    @writes(box_counts.record_count, takes=BoxCountIn, gives=BoxOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DropBox:
        """Record what a team found. The first count is answered without its figures (FLOOR-11)."""
        return box_counts.record_count(box=self.box(pk), **given, by=by)


class BoxResolveIn(Given):
    nth = serializers.IntegerField(min_value=1, max_value=3, help_text="which count stands")
    second = SignerField(help_text="user name of another person, who signs with you")
    second_password = PasswordField()


class BoxResolve(Cosigned, OfBoxes):
    cosigns = BoxResolveIn

    @writes(box_counts.resolve, takes=BoxResolveIn, gives=BoxOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> DropBox:
        """Decide which of differing counts stands, with a reason, signed by two."""
        return box_counts.resolve(box=self.box(pk), nth=given["nth"], with_=self.signer("second"), by=by)


class SignedBesideIn(Given):
    second = SignerField(help_text="user name of another person, who signs with you")
    second_password = PasswordField()


class SessionNoBox(Cosigned, OfSessions):
    cosigns = SignedBesideIn

    @writes(boxes.declare_no_box, takes=SignedBesideIn, gives=SessionOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Say, by two, that a closed table had no drop box; it is counted with a drop of zero."""
        return self.fresh(boxes.declare_no_box(session=self.session(pk), with_=self.signer("second"), by=by))


class SessionDifference(OfSessions):
    @writes(differences.open_difference, gives=SessionOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Open the incident of a large difference that has none."""
        session = self.session(pk)
        differences.open_difference(session=session, by=by)
        return self.fresh(session)


class SessionReconcile(Cosigned, OfSessions):
    cosigns = SignedBesideIn

    @writes(reconciling.reconcile_session, takes=SignedBesideIn, gives=SessionOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> TableSession:
        """Make a counted session's result final, signed by two (REC-08)."""
        return self.fresh(
            reconciling.reconcile_session(session=self.session(pk), with_=self.signer("second"), by=by)
        )


class StatementSourceOut(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=["count", "slip", "box"])
    id = serializers.IntegerField()
    label = serializers.SerializerMethodField()  # type: ignore[assignment]
    amount = Money()

    @extend_schema_field(str)
    def get_label(self, source: statement.Source) -> str:
        return source.label.say(self.context.get("language"))


class StatementLineOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    label = serializers.SerializerMethodField()  # type: ignore[assignment]
    amount = Money(allow_null=True, source="signed")
    sources = StatementSourceOut(many=True)

    @extend_schema_field(str)
    def get_label(self, line: statement.Line) -> str:
        return line.words.say(self.context.get("language"))


class OutstandingOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    rule = serializers.CharField()
    message = serializers.SerializerMethodField()

    @extend_schema_field(str)
    def get_message(self, one: results.Outstanding) -> str:
        return one.words.say(self.context.get("language"))


class StatementOut(serializers.Serializer[Any]):
    """The lines add up to `result`; `income` is the deduction alone where players pay one another."""

    lines = StatementLineOut(many=True)
    result, income = Money(allow_null=True), Money(allow_null=True)
    recorded, boxed, difference = Money(allow_null=True), Money(allow_null=True), Money(allow_null=True)
    hold_basis_points = serializers.IntegerField(allow_null=True)
    reconciled = serializers.BooleanField()
    outstanding = OutstandingOut(many=True)


class SessionStatement(OfSessions):
    serializer_class = StatementOut  # type: ignore[assignment]

    def get(self, request: Request, pk: int) -> Response:
        """A table's result line by line, each with what it comes from, and what keeps it from being final."""
        session = self.session(pk)
        shown: Any = statement.of(session, blind=box_seeing.blind(self.user))
        fields = (
            "lines",
            "result",
            "income",
            "recorded",
            "boxed",
            "difference",
            "hold_basis_points",
            "reconciled",
        )
        told = {name: getattr(shown, name) for name in fields}
        told["outstanding"] = results.outstanding(session)
        return Response(self.get_serializer(told).data)


class CountRateIn(Reasoned):
    currency = serializers.CharField(max_length=3)
    rate = serializers.RegexField(
        r"^\d{1,8}(\.\d{1,4})?$", help_text="units of the house's money for one: `6.96`"
    )

    def validate_rate(self, typed: str) -> int:
        whole, _, part = typed.partition(".")
        return int(whole) * box_contents.RATE_STEP + int(part.ljust(4, "0") or 0)


class CountRateOut(serializers.ModelSerializer[CountRate]):
    rate = serializers.SerializerMethodField()

    class Meta:
        model = CountRate
        fields = ["id", "currency", "rate", "since"]

    @extend_schema_field(str)
    def get_rate(self, row: CountRate) -> str:
        return f"{row.rate // box_contents.RATE_STEP}.{row.rate % box_contents.RATE_STEP:04d}"


class CountRates(Rows):
    queryset = CountRate.objects.order_by("currency", "-since", "-id")
    serializer_class = CountRateOut

    @writes(box_counts.set_rate, takes=CountRateIn, gives=CountRateOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> CountRate:
        """What one unit of a foreign currency is worth in the count from now on."""
        return box_counts.set_rate(**given, by=by)
