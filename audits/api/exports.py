"""Reports over the API: which there are, asking for one, following it, fetching its file."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits import exports
from audits.api.fields import InstantFilter, Words
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.api.users import LANGUAGES
from audits.by import By
from audits.models import Export
from audits.reports import registered
from casino.kernel import permissions
from casino.models import Casino

FORMATS = list(Export.Format.values)


class ParameterOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    required = serializers.BooleanField()  # type: ignore[assignment]


class ReportOut(serializers.Serializer[Any]):
    identifier = serializers.CharField()
    title = Words()
    rules = serializers.ListField(child=serializers.CharField())
    parameters = serializers.SerializerMethodField()

    @extend_schema_field(ParameterOut(many=True))
    def get_parameters(self, report: Any) -> list[dict[str, Any]]:
        casino: Casino = self.context["casino"]
        fields = report.form(casino=casino).fields.items()
        return [
            {"name": name, "label": str(field.label or name), "required": field.required}
            for name, field in fields
        ]


class Reports(Rows):
    """The reports this login may ask for, with the parameters each takes."""

    serializer_class = ReportOut
    filter_backends = []
    queryset = Export.objects.none()

    def get_queryset(self) -> Any:
        return [report for report in registered().values() if permissions.may(self.user, report.act)]


class ExportOut(serializers.ModelSerializer[Export]):
    requested_by = serializers.CharField(source="requested_by.name")

    class Meta:
        model = Export
        fields = [
            "id", "report", "params", "format", "language", "state", "rows_done", "rows_total",
            "file_name", "size_bytes", "sha256", "failure", "requested_by", "requested_at", "finished_at",
        ]  # fmt: skip


class ExportIn(Given):
    report = serializers.CharField(max_length=60)
    params = serializers.DictField(default=dict)
    format = serializers.ChoiceField(choices=FORMATS)
    language = serializers.ChoiceField(choices=LANGUAGES, default="es-bo")


class ExportFilter(filters.FilterSet):
    report = filters.CharFilter(max_length=60)
    since = InstantFilter(field_name="requested_at", lookup_expr="gte")
    until = InstantFilter(field_name="requested_at", lookup_expr="lt")

    class Meta:
        model = Export
        fields = ["state", "format"]


EXPORTS = Export.objects.select_related("requested_by").order_by("-requested_at", "-id")


class Exports(Rows):
    """Reports asked for, newest first."""

    queryset = EXPORTS
    serializer_class = ExportOut
    filterset_class = ExportFilter

    @writes(exports.request_export, takes=ExportIn, gives=ExportOut, status=202)
    def post(self, by: By, given: dict[str, Any]) -> Export:
        """Ask for a report. A worker makes the file; follow it at its own address."""
        return exports.request_export(**given, by=by)


class ExportRow(Row):
    queryset = EXPORTS
    serializer_class = ExportOut


class ExportFile(Endpoint):
    queryset = EXPORTS

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY)})
    def get(self, request: Request, pk: int) -> FileResponse | Response:
        """The file, checked against the SHA-256 noted when it was made; the download is on the trail."""
        export = self.get_object()
        file = exports.open_file(export=export, by=self.by({}, ""))
        response = FileResponse(file, as_attachment=True, filename=export.file_name)
        response["X-SHA256"] = export.sha256
        return response
