"""Reports over the API: which there are, asking for one, following it, fetching its file."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.http import FileResponse, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits import export_derived, export_signing, exports, manifests, policies
from audits.api.fields import InstantFilter, Words
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.api.users import LANGUAGES
from audits.by import By
from audits.models import Export, ExportDelivery, ExportSignature
from audits.reports import registered
from casino.kernel import permissions
from casino.models import Casino

FORMATS = Export.Format.choices


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


class ExportSignatureOut(serializers.ModelSerializer[ExportSignature]):
    signer = serializers.CharField(source="signer.name")

    class Meta:
        model = ExportSignature
        fields = ["place", "signer", "sha256", "signed_at"]


class ExportDeliveryOut(serializers.ModelSerializer[ExportDelivery]):
    delivered_by = serializers.CharField(source="delivered_by.name")

    class Meta:
        model = ExportDelivery
        fields = [
            "recipient", "how", "reference", "receipt_name", "receipt_sha256", "delivered_by", "delivered_at",
        ]  # fmt: skip


class ExportOut(serializers.ModelSerializer[Export]):
    """`rows_sha256` is of the report as CSV: the same in every format of the same figures. `known_at`: the
    instant of which the figures are. `of`: the export this one is made again from, or compared with now."""

    requested_by = serializers.CharField(source="requested_by.name")
    signatures = ExportSignatureOut(many=True)
    delivery = serializers.SerializerMethodField()

    class Meta:
        model = Export
        fields = [
            "id", "report", "params", "format", "language", "purpose", "of", "schedule", "period", "state",
            "rows_done", "rows_total", "file_name", "size_bytes", "sha256", "rows_sha256", "known_at",
            "manifest_key", "failure", "requested_by", "requested_at", "finished_at", "signatures",
            "delivery",
        ]  # fmt: skip

    @extend_schema_field(ExportDeliveryOut(allow_null=True))
    def get_delivery(self, export: Export) -> dict[str, Any] | None:
        delivery = getattr(export, "delivery", None)
        return None if delivery is None else dict(ExportDeliveryOut(delivery, context=self.context).data)


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
        fields = ["state", "format", "purpose", "of", "schedule"]


EXPORTS = (
    Export.objects.select_related("requested_by", "delivery__delivered_by")
    .prefetch_related("signatures__signer")
    .order_by("-requested_at", "-id")
)


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


class ExportManifest(Endpoint):
    queryset = EXPORTS

    @extend_schema(responses={(200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT)})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """What the file is, with the signature over it, as one file to keep beside it (docs/reports.md)."""
        export = self.get_object()
        exports.require_done(export, self.by({}, ""), policies.READ_REPORTS)
        response = HttpResponse(manifests.as_file(export), content_type="application/json")
        response["Content-Disposition"] = f'attachment; filename="{export.file_name}.manifest.json"'
        return response


class ExportCancel(Endpoint):
    queryset = EXPORTS

    @writes(exports.cancel_export, gives=ExportOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Export:
        """Call off an export that is not finished; nothing of it stays."""
        exports.cancel_export(export=self.get_object(), by=by)
        return self.get_object()


class FormatIn(Given):
    format = serializers.ChoiceField(choices=FORMATS)


class ExportAgain(Endpoint):
    queryset = EXPORTS

    @writes(export_derived.export_again, takes=FormatIn, gives=ExportOut, status=202)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Export:
        """The same figures as they were known then, in any format."""
        return export_derived.export_again(export=self.get_object(), **given, by=by)


class ExportDifference(Endpoint):
    queryset = EXPORTS

    @writes(export_derived.export_difference, takes=FormatIn, gives=ExportOut, status=202)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Export:
        """What is otherwise by what is known now, row by row, as an export of its own."""
        return export_derived.export_difference(export=self.get_object(), **given, by=by)


class ExportSign(Endpoint):
    queryset = EXPORTS

    @writes(export_signing.sign_export, gives=ExportOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Export:
        """Sign the file: two people do, the second of whom did not ask for it (GEN-10)."""
        export_signing.sign_export(export=self.get_object(), by=by)
        return self.get_object()


class DeliverIn(Given):
    recipient = serializers.CharField(max_length=120)
    how = serializers.ChoiceField(choices=ExportDelivery.How.choices)
    reference = serializers.CharField(max_length=60, help_text="the AJ's number of reception")
    receipt_name = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    receipt_sha256 = serializers.CharField(
        max_length=64,
        required=False,
        default="",
        allow_blank=True,
        help_text="of the AJ's receipt, if a file",
    )


class ExportDeliver(Endpoint):
    queryset = EXPORTS

    @writes(export_signing.deliver_export, takes=DeliverIn, gives=ExportOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Export:
        """It was handed to the AJ, under its number of reception; nothing changes in it any more."""
        export_signing.deliver_export(export=self.get_object(), **given, by=by)
        return self.get_object()
