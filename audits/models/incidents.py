"""Incidents: something that cannot be right, who saw it, what it holds up, and how it was settled."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models.trail import Actor
from audits.scope import ScopedQuerySet
from casino.kernel import ids
from casino.models import Casino


class Incident(models.Model):
    """One incident with its drafted notice to the regulator (REC-14).

    `facts` are what was found, as JSON; `summary_*` say it in both languages. While open and
    `freezes`, the table `table_label` takes no round (GEN-08). `notice_*`: the draft, when it is due and,
    once it went out, its reference. Resolved by two people (GEN-10), once.

    No history table: every act on it is an event of its own stream, `incident:<id>`.
    """

    class State(models.TextChoices):
        OPEN = "open", _("abierto")
        RESOLVED = "resolved", _("resuelto")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="incidents")
    year = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField(_("número"))
    kind = models.CharField(_("clase"), max_length=40)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.OPEN)
    freezes = models.BooleanField(_("detiene la mesa"), default=False)
    table_label = models.CharField(_("mesa"), max_length=20, blank=True)
    subject_type = models.CharField(max_length=20)
    subject_id = models.BigIntegerField()
    subject_label = models.CharField(_("sobre"), max_length=120)
    summary_es = models.TextField()
    summary_en = models.TextField()
    rules = ArrayField(models.CharField(max_length=12), default=list)
    facts = models.JSONField(default=dict)
    opened_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("abierto por"))
    opened_at = models.DateTimeField(_("abierto"))

    notice = models.TextField(_("borrador de aviso"), blank=True)
    notice_due = models.DateTimeField(_("aviso hasta"), null=True, blank=True)
    notice_sent_at = models.DateTimeField(_("aviso enviado"), null=True, blank=True)
    notice_reference = models.CharField(_("referencia del aviso"), max_length=60, blank=True)

    resolution = models.TextField(_("resolución"), blank=True)
    rule_applied = models.CharField(_("regla aplicada"), max_length=12, blank=True)
    resolved_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", null=True, blank=True)
    resolved_with = models.ForeignKey(Actor, models.PROTECT, related_name="+", null=True, blank=True)
    resolved_at = models.DateTimeField(_("resuelto"), null=True, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("incidente")
        ordering = ["-opened_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "year", "number"], name="one_incident_per_number"),
            # GEN-10: two different people, and only with a resolution in words
            models.CheckConstraint(
                name="incident_resolved_by_two",
                condition=Q(state="open", resolved_by=None, resolved_with=None, resolved_at=None)
                | (
                    Q(state="resolved", resolved_by__isnull=False, resolved_at__isnull=False)
                    & Q(resolved_with__isnull=False)
                    & ~Q(resolution="")
                    & ~Q(resolved_by=F("resolved_with"))
                ),
            ),
            models.CheckConstraint(
                name="frozen_table_is_named", condition=Q(freezes=False) | ~Q(table_label="")
            ),
        ]
        indexes = [
            models.Index(fields=["casino", "state", "table_label"], name="incident_by_table"),
            models.Index(fields=["casino", "subject_type", "subject_id"], name="incident_by_subject"),
            # The menu of every page counts what is open or overdue.
            models.Index(
                fields=["casino", "notice_due"],
                condition=Q(notice_sent_at=None),
                name="incident_notice_waits",
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return ids.incident_label(self.year, self.number)

    @property
    def stream(self) -> str:
        return f"incident:{self.pk}"


class IncidentNote(models.Model):
    """Something added to an incident, never changed: what a camera showed, what somebody said."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    incident = models.ForeignKey(Incident, models.PROTECT, related_name="notes")
    text = models.TextField(_("nota"))
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("por"))
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("nota de incidente")
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.incident_id} {self.at:%Y-%m-%d %H:%M}"
