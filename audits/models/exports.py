"""A report somebody asked for: what, by whom, how far the worker is, the file's SHA-256; then who signed it,
to whom it was delivered; and which reports the house makes by itself, each period.

A row stays as it is once its file is made, called off or failed; signatures and deliveries are only added
(triggers, docs/architecture.md).
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from audits.models.trail import Actor
from casino.kernel import clock
from casino.models import Casino


class ExportSchedule(models.Model):
    """A report that is made once for each period, as soon as the period is over (REC-10)."""

    class Every(models.TextChoices):
        DAILY = "daily", _("cada día de juego")
        MONTHLY = "monthly", _("cada mes")

    class State(models.TextChoices):
        ACTIVE = "active", _("activa")
        PAUSED = "paused", _("en pausa")
        REMOVED = "removed", _("quitada")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="export_schedules")
    report = models.CharField(_("reporte"), max_length=60)
    params = models.JSONField(default=dict)
    format = models.CharField(_("formato"), max_length=8)
    language = models.CharField(max_length=5, default="es-bo")
    every = models.CharField(_("cada cuánto"), max_length=10, choices=Every.choices)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.ACTIVE)
    since = models.DateField(_("desde el período"))
    ordered_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    ordered_at = models.DateTimeField()

    class Meta:
        verbose_name = _("exportación programada")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "report", "params", "format", "language", "every"],
                condition=~models.Q(state="removed"),
                name="one_schedule_of_a_kind",
            )
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Export(models.Model):
    """The row is the work order: a lost task is found again by the sweep of waiting rows.

    `rows_sha256` is of the report as CSV, the one form all formats are made from, so that it is the same for
    every format of the same figures. `manifest` is canonical JSON and says everything else (docs/reports.md).
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("en espera")
        RUNNING = "running", _("en curso")
        DONE = "done", _("listo")
        FAILED = "failed", _("falló")
        CANCELLED = "cancelled", _("cancelado")

    class Format(models.TextChoices):
        CSV = "csv", "CSV"
        CSV_COMMA = "csvcomma", _("CSV, Excel en español")
        XLSX = "xlsx", "XLSX"
        PDF = "pdf", "PDF"
        JSON = "json", "JSON"
        ZIP = "zip", _("paquete comprobable (ZIP)")

    class Purpose(models.TextChoices):
        REPORT = "report", _("reporte")
        AGAIN = "again", _("producido de nuevo")
        DIFFERENCE = "difference", _("diferencia")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exports")
    report = models.CharField(_("reporte"), max_length=60)
    params = models.JSONField(default=dict)
    format = models.CharField(_("formato"), max_length=8, choices=Format.choices)
    language = models.CharField(max_length=5, default="es-bo")
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.REPORT)
    of = models.ForeignKey("self", models.PROTECT, null=True, related_name="derived")
    schedule = models.ForeignKey(ExportSchedule, models.PROTECT, null=True, related_name="exports")
    period = models.DateField(_("período"), null=True)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.WAITING)
    rows_done = models.BigIntegerField(default=0)
    rows_total = models.BigIntegerField(null=True)
    file_name = models.CharField(max_length=200, blank=True)
    size_bytes = models.BigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    rows_sha256 = models.CharField(max_length=64, blank=True)
    known_at = models.DateTimeField(_("según lo sabido"), null=True)
    manifest = models.BinaryField(null=True)
    manifest_key = models.CharField(max_length=16, blank=True)
    manifest_signature = models.BinaryField(max_length=64, null=True)
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
        constraints = [
            models.UniqueConstraint(fields=["schedule", "period"], name="one_export_per_period"),
            models.CheckConstraint(
                name="export_of_a_period_has_its_schedule",
                condition=models.Q(schedule=None, period=None)
                | models.Q(schedule__isnull=False, period__isnull=False),
            ),
            models.CheckConstraint(
                name="export_of_another_says_which",
                condition=models.Q(purpose="report", of=None)
                | (~models.Q(purpose="report") & models.Q(of__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class ExportSignature(models.Model):
    """One of two who stand for an export before it is delivered; the second did not ask for it (GEN-10)."""

    export = models.ForeignKey(Export, models.PROTECT, related_name="signatures")
    place = models.PositiveSmallIntegerField()
    signer = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    sha256 = models.CharField(max_length=64)
    signed_at = models.DateTimeField()

    class Meta:
        verbose_name = _("firma de exportación")
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["export", "place"], name="one_signature_per_place"),
            models.UniqueConstraint(fields=["export", "signer"], name="one_signature_per_signer"),
            models.CheckConstraint(name="export_has_two_places", condition=models.Q(place__in=(1, 2))),
        ]

    def __str__(self) -> str:
        return f"{self.export_id}/{self.place}"


class ExportDelivery(models.Model):
    """An export was handed to the AJ: to whom, when, how, under which number of reception."""

    class How(models.TextChoices):
        PORTAL = "portal", _("portal de la AJ")
        MAIL = "mail", _("correo electrónico")
        HAND = "hand", _("en mano, en soporte digital")
        PAPER = "paper", _("en mano, impreso")

    export = models.OneToOneField(Export, models.PROTECT, related_name="delivery")
    recipient = models.CharField(_("a quién"), max_length=120)
    how = models.CharField(_("cómo"), max_length=10, choices=How.choices)
    reference = models.CharField(_("número de recepción de la AJ"), max_length=60)
    receipt_name = models.CharField(max_length=120, blank=True)
    receipt_sha256 = models.CharField(_("SHA-256 de la constancia"), max_length=64, blank=True)
    delivered_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    delivered_at = models.DateTimeField()

    class Meta:
        verbose_name = _("entrega de exportación")

    def __str__(self) -> str:
        return f"{self.export_id}: {self.reference}"
