"""The nightly proof of a pool's day, what it found, and the meter readings people enter."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event, Incident
from audits.scope import ScopedQuerySet
from casino.models import Casino
from jackpots.models.pools import Pool


class MeterReading(models.Model):
    """What the display of a level was read to show; never changed. Lower than the one before needs a reason
    (PP-29)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="readings")
    level = models.CharField(_("nivel"), max_length=20)
    amount = models.BigIntegerField(_("lectura"))
    shown = models.BigIntegerField(_("según Sabot"), help_text="what the level held at that instant")
    bets = models.BigIntegerField(help_text="bets counted in the pool when it was read")
    day = models.DateField(_("día de juego"))
    reason = models.CharField(_("motivo"), max_length=500, blank=True)
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))
    noted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("lectura del contador")
        verbose_name_plural = _("lecturas del contador")
        ordering = ["-id"]
        constraints = [models.CheckConstraint(name="reading_not_negative", condition=Q(amount__gte=0))]


class Proof(models.Model):
    """The proof of one pool on one gaming day: worked out once, and again when somebody asks for it.

    `figures`: what was added up, in smallest units, as JSON. One row a pool and day; what an earlier run said
    is on the trail.
    """

    class State(models.TextChoices):
        MATCHED = "matched", _("cuadra")
        DIFFERENT = "different", _("no cuadra")
        EXPLAINED = "explained", _("diferencias explicadas")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="proofs")
    day = models.DateField(_("día de juego"))
    state = models.CharField(_("estado"), max_length=10, choices=State.choices)
    figures = models.JSONField()
    digest = models.CharField(max_length=64)
    seen = models.BigIntegerField(default=0, help_text="how much of the pool's trail it has seen")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("prueba del pozo")
        verbose_name_plural = _("pruebas del pozo")
        ordering = ["-day", "pool"]
        constraints = [models.UniqueConstraint(fields=["pool", "day"], name="one_proof_per_day")]


class Difference(models.Model):
    """Something of a pool's day that does not match, with the incident that explains it; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="differences")
    day = models.DateField(_("día de juego"))
    code = models.CharField(_("qué"), max_length=40)
    place = models.CharField(_("dónde"), max_length=120)
    expected = models.CharField(_("debía ser"), max_length=60)
    found = models.CharField(_("es"), max_length=60)
    incident = models.ForeignKey(Incident, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("diferencia del pozo")
        verbose_name_plural = _("diferencias del pozo")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "day", "code", "place", "expected", "found"], name="one_row_per_difference"
            )
        ]
