"""How files and held video are shown with what they are kept with."""

from __future__ import annotations

from rest_framework import serializers

from audits.models import Attachment, VideoHold


class AttachmentOut(serializers.ModelSerializer[Attachment]):
    by = serializers.CharField(source="by.name")

    class Meta:
        model = Attachment
        fields = ["id", "name", "media_type", "size_bytes", "sha256", "note", "by", "at"]


class VideoHoldOut(serializers.ModelSerializer[VideoHold]):
    by = serializers.CharField(source="by.name")

    class Meta:
        model = VideoHold
        fields = ["id", "cameras", "first", "last", "kept_where", "by", "at"]
