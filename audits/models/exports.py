"""A report somebody asked for: what, by whom, how far the worker is, and the file's SHA-256."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from audits.models.trail import Actor
from casino.kernel import clock
from casino.models import Casino


class Export(models.Model):
    """The row is the work order: a lost task is found again by the sweep of waiting rows."""

    class State(models.TextChoices):
        WAITING = "waiting", _("en espera")
        RUNNING = "running", _("en curso")
        DONE = "done", _("listo")
        FAILED = "failed", _("falló")

    class Format(models.TextChoices):
        CSV = "csv", "CSV"
        XLSX = "xlsx", "XLSX"
        PDF = "pdf", "PDF"

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exports")
    report = models.CharField(_("reporte"), max_length=60)
    params = models.JSONField(default=dict)
    format = models.CharField(_("formato"), max_length=5, choices=Format.choices)
    language = models.CharField(max_length=5, default="es-bo")
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.WAITING)
    rows_done = models.BigIntegerField(default=0)
    rows_total = models.BigIntegerField(null=True)
    file_name = models.CharField(max_length=200, blank=True)
    size_bytes = models.BigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    failure = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    requested_by = models.ForeignKey(Actor, models.PROTECT, related_name="exports")
    requested_at = models.DateTimeField(default=clock.now)
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("exportación")
        ordering = ["-requested_at", "-id"]
        indexes = [models.Index(fields=["state", "heartbeat_at"])]
