"""What is kept beside filings and incidents: files, video not to be erased, the terms of complaints.

All of it is append-only: what was attached or held stays as it was; a later row says more (REC-07).
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from audits.models.filings import Filing
from audits.models.incidents import Incident
from audits.models.trail import Actor
from audits.scope import ScopedQuerySet
from casino.models import Casino


class Attachment(models.Model):
    """A file kept with a filing or with an incident; its bytes are stored by their `sha256`.

    `media_type` is what the bytes were found to be, whatever the sender called them.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    filing = models.ForeignKey(Filing, models.PROTECT, related_name="attachments", null=True)
    incident = models.ForeignKey(Incident, models.PROTECT, related_name="attachments", null=True)
    name = models.CharField(_("nombre"), max_length=120)
    media_type = models.CharField(_("tipo"), max_length=100)
    size_bytes = models.BigIntegerField(_("tamaño"))
    sha256 = models.CharField(max_length=64)
    note = models.CharField(_("qué es"), max_length=200, blank=True)
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("por"))
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("archivo adjunto")
        verbose_name_plural = _("archivos adjuntos")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="attachment_of_one_thing",
                condition=Q(filing__isnull=False, incident=None) | Q(filing=None, incident__isnull=False),
            ),
            models.CheckConstraint(name="attachment_not_empty", condition=Q(size_bytes__gt=0)),
            models.UniqueConstraint(
                fields=["filing", "sha256"], name="one_attachment_per_filing", condition=Q(incident=None)
            ),
            models.UniqueConstraint(
                fields=["incident", "sha256"], name="one_attachment_per_incident", condition=Q(filing=None)
            ),
        ]

    def __str__(self) -> str:
        return self.name


class VideoHold(models.Model):
    """Recordings that are not to be erased because of an incident: which cameras, from when to when."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    incident = models.ForeignKey(Incident, models.PROTECT, related_name="video_holds")
    cameras = models.CharField(_("cámaras"), max_length=200)
    first = models.DateTimeField(_("desde"))
    last = models.DateTimeField(_("hasta"))
    kept_where = models.CharField(_("dónde se guarda"), max_length=200)
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("por"))
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("retención de video")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="video_hold_in_order", condition=Q(first__lt=models.F("last")))
        ]

    def __str__(self) -> str:
        return f"{self.cameras} {self.first:%Y-%m-%d %H:%M}"


class ComplaintTerms(models.Model):
    """How long a player has to complain, the house to answer, the player to appeal; and the days that do not
    count as working days. The last row of a house holds; `audits.complaints` counts by it."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    file_days = models.PositiveSmallIntegerField(_("días corridos para reclamar"))
    answer_days = models.PositiveSmallIntegerField(_("días hábiles para responder"))
    appeal_days = models.PositiveSmallIntegerField(_("días hábiles para recurrir"))
    video_days = models.PositiveSmallIntegerField(_("días que se guarda el video"))
    holidays = models.JSONField(_("feriados"), default=list)
    reason = models.TextField(_("motivo"))
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("por"))
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("plazos de los reclamos")
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.file_days}/{self.answer_days}/{self.appeal_days}"
