"""Incidents over the API: read, reported, added to, their notice to the regulator, and settled by two."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits import incident_facts, incidents, notices, rulings
from audits.api.evidence_shapes import AttachmentOut, VideoHoldOut
from audits.api.fields import InstantFilter, Words
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from audits.models import Incident, IncidentNote
from casino.kernel import clock


class SubjectOut(serializers.Serializer[Any]):
    """What an incident is about."""

    type = serializers.CharField(source="subject_type")
    id = serializers.IntegerField(source="subject_id")
    label = serializers.CharField(source="subject_label")  # type: ignore[assignment]


class IncidentOut(serializers.ModelSerializer[Incident]):
    kind_name = serializers.SerializerMethodField()
    table = serializers.CharField(source="table_label")
    subject = SubjectOut(source="*")
    summary = serializers.SerializerMethodField()
    opened_by = serializers.CharField(source="opened_by.name")
    resolved_by = serializers.CharField(source="resolved_by.name", default=None)
    resolved_with = serializers.CharField(source="resolved_with.name", default=None)

    class Meta:
        model = Incident
        fields = [
            "id", "label", "kind", "kind_name", "state", "freezes", "table", "subject", "summary", "rules",
            "opened_by", "opened_at", "notice_due", "notice_sent_at", "notice_reference", "resolution",
            "rule_applied", "resolved_by", "resolved_with", "resolved_at",
        ]  # fmt: skip

    def get_kind_name(self, incident: Incident) -> str:
        return incidents.kind_name(incident.kind).say(self.context["language"])

    def get_summary(self, incident: Incident) -> str:
        return incidents.summary_of(incident).say(self.context["language"])


class IncidentNoteOut(serializers.ModelSerializer[IncidentNote]):
    by = serializers.CharField(source="by.name")

    class Meta:
        model = IncidentNote
        fields = ["id", "text", "by", "at"]


class FactOut(serializers.Serializer[Any]):
    name = Words()
    value = Words()


class IncidentDetail(IncidentOut):
    """With what was found (as it is and in words), the notice and the notes."""

    facts_said = serializers.SerializerMethodField()
    notes = IncidentNoteOut(many=True)
    attachments = AttachmentOut(many=True, read_only=True)
    video_holds = VideoHoldOut(many=True, read_only=True)
    objections = serializers.SerializerMethodField(help_text="why it cannot be settled yet")

    class Meta(IncidentOut.Meta):
        fields = [
            *IncidentOut.Meta.fields,
            "facts",
            "facts_said",
            "notice",
            "notes",
            "attachments",
            "video_holds",
            "objections",
        ]

    @extend_schema_field(FactOut(many=True))
    def get_facts_said(self, incident: Incident) -> Any:
        said = [{"name": name, "value": value} for name, value in incident_facts.of(incident)]
        return FactOut(said, many=True, context=self.context).data

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_objections(self, incident: Incident) -> list[str]:
        if incident.state != Incident.State.OPEN:
            return []
        return [words.say(self.context["language"]) for words in incidents.objections(incident)]


class IncidentFilter(filters.FilterSet):
    kind = filters.CharFilter(max_length=40)
    table = filters.CharFilter(field_name="table_label", max_length=20)
    rule = filters.CharFilter(method="by_rule", max_length=12)
    subject_type = filters.CharFilter(max_length=20)
    subject_id = filters.NumberFilter()
    overdue = filters.BooleanFilter(method="by_overdue", help_text="its notice ought to have gone out")
    since = InstantFilter(field_name="opened_at", lookup_expr="gte")
    until = InstantFilter(field_name="opened_at", lookup_expr="lt")

    class Meta:
        model = Incident
        fields = ["state", "freezes"]

    def by_rule(self, rows: Any, name: str, value: str) -> Any:
        return rows.filter(rules__contains=[value])

    def by_overdue(self, rows: Any, name: str, value: bool) -> Any:
        late = notices.overdue(clock.now())
        return rows.filter(late) if value else rows.exclude(late)


INCIDENTS = Incident.objects.select_related("casino", "opened_by", "resolved_by", "resolved_with").order_by(
    "-opened_at", "-id"
)


class RulingFilter(filters.FilterSet):
    """What a ruling is found by; `words` in Spanish or English, the closest first."""

    words = filters.CharFilter(max_length=rulings.LONGEST_WORDS, method="asked")
    rule = filters.CharFilter(
        max_length=12, method="asked", help_text="applied, or what the incident is about"
    )
    kind = filters.CharFilter(max_length=40, method="asked")
    table = filters.CharFilter(max_length=20, method="asked")
    like = filters.NumberFilter(method="asked", help_text="an incident: the five rulings most like it")

    class Meta:
        model = Incident
        fields: list[str] = []

    def asked(self, rows: Any, name: str, value: Any) -> Any:
        return rows

    def filter_queryset(self, queryset: Any) -> Any:
        asked = {name: value for name, value in self.form.cleaned_data.items() if value not in (None, "")}
        about = asked.pop("like", None)
        casino = self.request.user.casino
        if about is None:
            return rulings.search(casino, **asked)
        incident = Incident.objects.filter(casino=casino, pk=about).first()
        return rulings.like(incident) if incident is not None else queryset.none()


class Rulings(Rows):
    """How incidents were settled, newest first; by rule, kind, table, words, or likeness to one (GEN-08)."""

    queryset = INCIDENTS.filter(state=Incident.State.RESOLVED)
    serializer_class = IncidentOut
    filterset_class = RulingFilter


class ReportIn(Given):
    kind = serializers.CharField(max_length=40, help_text="a kind of the house, such as `floor.dispute`")
    summary = serializers.CharField(max_length=incidents.LONGEST_SUMMARY)
    table = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    freezes = serializers.BooleanField(
        required=False, default=False, help_text="stop the table until it is settled (GEN-08)"
    )


class Incidents(Rows):
    """Incidents, newest first."""

    queryset = INCIDENTS
    serializer_class = IncidentOut
    filterset_class = IncidentFilter

    @writes(incidents.report_incident, takes=ReportIn, gives=IncidentDetail, status=201)
    def post(self, by: By, given: dict[str, Any]) -> Incident:
        """Open an incident by hand."""
        return incidents.report_incident(table_label=given.pop("table"), **given, by=by)


class OfIncidents(Endpoint):
    """An address of one incident."""

    queryset = INCIDENTS
    serializer_class = IncidentDetail

    def incident(self, pk: int) -> Incident:
        found: Incident = self.one(INCIDENTS, pk)
        return found


class IncidentRow(OfIncidents, Row):
    """One incident with all that is known of it."""


class IncidentNoteIn(Given):
    text = serializers.CharField(max_length=incidents.LONGEST_TEXT)


class IncidentNotes(OfIncidents):
    @writes(incidents.note_incident, takes=IncidentNoteIn, gives=IncidentNoteOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> IncidentNote:
        """Add what was learned since; a note is never changed."""
        return incidents.note_incident(incident=self.incident(pk), text=given["text"], by=by)


class NoticeIn(Given):
    text = serializers.CharField(max_length=notices.LONGEST_NOTICE)


class IncidentNotice(OfIncidents):
    @writes(notices.edit_notice, takes=NoticeIn, gives=IncidentDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Incident:
        """Finish the draft of the notice to the regulator, while it was not sent (REC-14)."""
        return notices.edit_notice(incident=self.incident(pk), text=given["text"], by=by)


class SendIn(Given):
    reference = serializers.CharField(
        max_length=notices.LONGEST_REFERENCE, help_text="the regulator's, or yours"
    )


class IncidentNoticeSend(OfIncidents):
    @writes(notices.send_notice, takes=SendIn, gives=IncidentDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Incident:
        """Note that the notice went out, at `occurred_at`; its text is fixed with it."""
        return notices.send_notice(incident=self.incident(pk), reference=given["reference"], by=by)


class ResolveIn(Given):
    resolution = serializers.CharField(max_length=incidents.LONGEST_TEXT)
    rule_applied = serializers.CharField(max_length=12, help_text="a rule of the book, such as `GEN-08`")
    second = SignerField(help_text="user name of another person, who signs with you")
    second_password = PasswordField()


class IncidentResolve(Cosigned, OfIncidents):
    cosigns = ResolveIn

    @writes(incidents.resolve_incident, takes=ResolveIn, gives=IncidentDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Incident:
        """Settle an incident, once, under a rule, with a second person who signs with their own password
        (GEN-08, GEN-10)."""
        return incidents.resolve_incident(
            incident=self.incident(pk),
            resolution=given["resolution"],
            rule_applied=given["rule_applied"],
            with_=self.signer("second"),
            by=by,
        )
