"""How a visit of the AJ's inspector is shown over the API: its draws, counts and what the house answered."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import Words
from audits.inspections import counting, draw, drawing, report, subjects
from audits.models import Incident, Inspection, InspectionAnswer, InspectionCount, InspectionDraw
from casino.kernel import money


@extend_schema_field(OpenApiTypes.STR)
class Figure(serializers.Field[Any, Any, str, Any]):
    """An amount as a decimal string, or a number of cards, by the unit of its count."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, source="*", **kwargs)

    def to_representation(self, value: InspectionCount) -> str:
        amount = getattr(value, self.field_name or "")
        return str(amount) if value.unit == "cards" else money.plain(amount, self.context.get("exponent", 2))


class VisitAnswerOut(serializers.ModelSerializer[InspectionAnswer]):
    signed_by = serializers.CharField(source="signed_by.name")

    class Meta:
        model = InspectionAnswer
        fields = ["agrees", "words", "signed_by", "signed_at"]


class VisitCountOut(serializers.ModelSerializer[InspectionCount]):
    """`facts`: what the expected figure rested on, with amounts in smallest units."""

    kind_name = serializers.SerializerMethodField()
    about = serializers.CharField(source="subject_label")
    table = serializers.CharField(source="table_label")
    pieces = serializers.SerializerMethodField(help_text="chips by denomination")
    total = Figure()
    expected = Figure()
    difference = Figure()
    basis = serializers.SerializerMethodField()
    answer = serializers.SerializerMethodField()
    incident = serializers.SerializerMethodField(help_text="the incident opened for its difference")

    class Meta:
        model = InspectionCount
        fields = [
            "number", "kind", "kind_name", "unit", "about", "table", "pieces", "total", "expected",
            "difference", "basis", "facts", "reason", "counted_at", "answer", "incident",
        ]  # fmt: skip

    def get_kind_name(self, count: InspectionCount) -> str:
        return subjects.kind_name(count.kind).say(self.context["language"])

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_pieces(self, count: InspectionCount) -> dict[str, int]:
        exponent = self.context.get("exponent", 2)
        return {money.plain(int(value), exponent): number for value, number in count.pieces.items()}

    def get_basis(self, count: InspectionCount) -> str:
        return report.basis_of(count).say(self.context["language"])

    @extend_schema_field(VisitAnswerOut(allow_null=True))
    def get_answer(self, count: InspectionCount) -> Any:
        answer = getattr(count, "answer", None)
        return None if answer is None else VisitAnswerOut(answer).data

    def get_incident(self, count: InspectionCount) -> str | None:
        found = counting.incident_of(count) if count.difference else None
        return None if found is None else found.label


class VisitDrawOut(serializers.ModelSerializer[InspectionDraw]):
    """`seed` and `picks` once it is drawn; `candidates`: id, name, days, times, weight."""

    label = serializers.CharField()  # type: ignore[assignment]
    seed = serializers.SerializerMethodField()
    tables = serializers.SerializerMethodField(help_text="the tables drawn, in order")

    class Meta:
        model = InspectionDraw
        fields = [
            "number", "label", "state", "day", "open_only", "wanted", "candidates", "digest", "seed_hash",
            "word", "seed", "picks", "tables", "reason", "announced_at", "drawn_at",
        ]  # fmt: skip

    def get_seed(self, found: InspectionDraw) -> str | None:
        return found.seed if found.state == InspectionDraw.State.DRAWN else None

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_tables(self, found: InspectionDraw) -> list[str]:
        return [label for _id, label in drawing.drawn_tables(found)]


class VisitDrawDetail(VisitDrawOut):
    """With the record `verify_draw` takes, and what it answers; null before it is drawn."""

    record = serializers.SerializerMethodField()
    faults = serializers.SerializerMethodField()

    class Meta(VisitDrawOut.Meta):
        fields = [*VisitDrawOut.Meta.fields, "record", "faults"]

    @extend_schema_field({"type": "object", "additionalProperties": True, "nullable": True})
    def get_record(self, found: InspectionDraw) -> dict[str, Any] | None:
        return drawing.record_of(found) if found.state == InspectionDraw.State.DRAWN else None

    @extend_schema_field({"type": "array", "items": {"type": "string"}, "nullable": True})
    def get_faults(self, found: InspectionDraw) -> list[str] | None:
        record = self.get_record(found)
        return None if record is None else draw.verify_draw(record)


class VisitOut(serializers.ModelSerializer[Inspection]):
    label = serializers.CharField()  # type: ignore[assignment]
    inspector = serializers.CharField(source="inspector.name")
    opened_by = serializers.CharField(source="opened_by.name")
    closed_by = serializers.CharField(source="closed_by.name", default=None, allow_null=True)

    class Meta:
        model = Inspection
        fields = [
            "id", "label", "day", "inspector", "state", "opened_by", "opened_at", "closed_by",
            "closed_at", "remarks",
        ]  # fmt: skip


class VisitDetail(VisitOut):
    draws = VisitDrawOut(many=True)
    counts = VisitCountOut(many=True)

    class Meta(VisitOut.Meta):
        fields = [*VisitOut.Meta.fields, "draws", "counts"]


class VisitTableOut(serializers.Serializer[Any]):
    """A table in service as a draw would weigh it now. `last_day`: when an inspector last counted there."""

    id = serializers.IntegerField()
    table = serializers.CharField(source="label")
    open = serializers.BooleanField()
    last_day = serializers.DateField(allow_null=True)
    days = serializers.IntegerField()
    times = serializers.IntegerField()
    weight = serializers.IntegerField()


class VisitTablesOut(serializers.Serializer[Any]):
    last_visit = serializers.DateField(allow_null=True, help_text="the gaming day of the last visit")
    days_since = serializers.IntegerField(allow_null=True)
    tables = VisitTableOut(many=True)


class VisitTargetOut(serializers.Serializer[Any]):
    """Something an inspector can count now: send `kind` and `target`."""

    kind = serializers.CharField()
    kind_name = Words()
    unit = serializers.CharField()
    target = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]
    table = serializers.CharField()


class VisitTargetsOut(serializers.Serializer[Any]):
    targets = VisitTargetOut(many=True)


class VisitIncidentOut(serializers.ModelSerializer[Incident]):
    class Meta:
        model = Incident
        fields = ["id", "label", "kind", "state", "notice_due"]

    label = serializers.CharField()  # type: ignore[assignment]
