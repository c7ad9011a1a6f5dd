"""Files kept with filings and incidents, video held, and the settings beside them, over the API.

Files are sent as a form (`audits.api.uploading`), are listed with what they are kept with, and handed out.
"""

from __future__ import annotations

from typing import Any

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits import attachments, complaints, filing_demands, video
from audits.api.evidence_shapes import AttachmentOut, VideoHoldOut
from audits.api.fields import Instant
from audits.api.filings import FILINGS
from audits.api.frame import Endpoint, Given, Reasoned, Rows, writes
from audits.api.incidents import INCIDENTS
from audits.api.uploading import Upload, Uploads, read
from audits.by import By
from audits.downloads import download
from audits.models import Attachment, ComplaintTerms, FilingDemand, VideoHold

FILES = Attachment.objects.select_related("by", "filing", "incident").order_by("id")
A_FILE = extend_schema(responses={(200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY)})


class AttachIn(Upload):
    note = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=attachments.LONGEST_NOTE
    )


class FilingFiles(Uploads):
    queryset = FILES
    serializer_class = AttachmentOut

    @writes(attachments.attach_to_filing, takes=AttachIn, gives=AttachmentOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Attachment:
        """Keep a file with a filing: PDF, PNG, JPEG, text, XLSX or DOCX without macros, MP4."""
        name, content = read(given["file"], attachments.MOST_BYTES)
        filing = self.one(FILINGS, pk)
        return attachments.attach_to_filing(
            filing=filing, name=name, content=content, note=given["note"], by=by
        )


class IncidentFiles(Uploads):
    queryset = FILES
    serializer_class = AttachmentOut

    @writes(attachments.attach_to_incident, takes=AttachIn, gives=AttachmentOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Attachment:
        """Keep evidence with an incident, also after it was settled; of the same kinds as with a filing."""
        name, content = read(given["file"], attachments.MOST_BYTES)
        incident = self.one(INCIDENTS, pk)
        return attachments.attach_to_incident(
            incident=incident, name=name, content=content, note=given["note"], by=by
        )


class OneFile(Endpoint):
    """A file as a download, checked against the SHA-256 on the trail; its opening goes on the trail."""

    queryset = FILES

    def handed_out(self, **of: int) -> FileResponse | Response:
        found = self.one(FILES.filter(**of), of["pk"])
        return download(attachments.open_file(attachment=found, by=self.by({}, "")), found)


class FilingFile(OneFile):
    @A_FILE
    def get(self, request: Request, pk: int, file: int) -> FileResponse | Response:
        """A file kept with a filing, checked against the SHA-256 noted when it was attached."""
        return self.handed_out(pk=file, filing=pk)


class IncidentFile(OneFile):
    @A_FILE
    def get(self, request: Request, pk: int, file: int) -> FileResponse | Response:
        """Evidence kept with an incident, checked against the SHA-256 noted when it was attached."""
        return self.handed_out(pk=file, incident=pk)


class VideoIn(Given):
    cameras = serializers.CharField(max_length=video.LONGEST)
    first = Instant()
    last = Instant()
    kept_where = serializers.CharField(max_length=video.LONGEST)


class IncidentVideo(Endpoint):
    queryset = VideoHold.objects.all()
    serializer_class = VideoHoldOut

    @writes(video.hold_video, takes=VideoIn, gives=VideoHoldOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> VideoHold:
        """Note that the recordings of some cameras are not to be erased."""
        return video.hold_video(incident=self.one(INCIDENTS, pk), **given, by=by)


# ---- settings --------------------------------------------------------------------------------------------


class DemandOut(serializers.ModelSerializer[FilingDemand]):
    by = serializers.CharField(source="by.name")

    class Meta:
        model = FilingDemand
        fields = ["id", "kind", "demanded", "reason", "by", "at"]


class DemandIn(Reasoned):
    kind = serializers.CharField(max_length=40, help_text="such as `betting_plan`, `pay_tables`, `materials`")
    demanded = serializers.BooleanField()


class DemandedOut(serializers.Serializer[Any]):
    demanded = serializers.BooleanField()


class FilingDemands(Rows):
    """What the house asked for, newest first; the last of a kind holds (GEN-05, REC-09)."""

    queryset = FilingDemand.objects.select_related("by").order_by("-id")
    serializer_class = DemandOut

    @writes(filing_demands.set_demand, takes=DemandIn, gives=DemandedOut)
    def post(self, by: By, given: dict[str, Any]) -> dict[str, bool]:
        """Ask for a kind of filing before anything of it is in force, or no longer."""
        return {"demanded": filing_demands.set_demand(**given, by=by)}


class TermsOut(serializers.ModelSerializer[ComplaintTerms]):
    by = serializers.CharField(source="by.name")
    holidays = serializers.ListField(child=serializers.DateField())

    class Meta:
        model = ComplaintTerms
        fields = [
            "id", "file_days", "answer_days", "appeal_days", "video_days", "holidays", "reason", "by", "at",
        ]  # fmt: skip


class TermsIn(Reasoned):
    file_days = serializers.IntegerField(min_value=1, max_value=complaints.MOST_DAYS)
    answer_days = serializers.IntegerField(min_value=1, max_value=complaints.MOST_DAYS)
    appeal_days = serializers.IntegerField(min_value=1, max_value=complaints.MOST_DAYS)
    video_days = serializers.IntegerField(min_value=1, max_value=complaints.MOST_DAYS)
    holidays = serializers.ListField(
        child=serializers.DateField(), max_length=complaints.MOST_HOLIDAYS, required=False, default=list
    )


class Terms(Rows):
    """The terms of complaints, newest first; none: the Chilean ones, unconfirmed (GEN-08)."""

    queryset = ComplaintTerms.objects.select_related("by").order_by("-id")
    serializer_class = TermsOut

    @writes(complaints.set_terms, takes=TermsIn, gives=TermsOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> ComplaintTerms:
        """Set the terms of complaints from now on."""
        return complaints.set_terms(**given, by=by)
