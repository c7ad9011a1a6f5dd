"""Filings with the regulator: what was presented to the AJ, and what it answered (AJ-2026-0004).

What needs an approval asks here for one that is approved and valid on the day (`audits.filings`).
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models.trail import Actor
from audits.scope import ScopedQuerySet
from casino.models import Casino


class Filing(models.Model):
    """One filing: a notice is presented, an approval is also decided, and ends once the AJ revokes it
    (`document`) or what it allowed once is done. `receipt`: the AJ's number on the copy it stamped. `due_on`:
    until when somebody has to do `due_for`. Every act on it is an event of its own stream, `filing:<id>`; no
    history table.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("borrador")
        PRESENTED = "presented", _("presentado")
        APPROVED = "approved", _("aprobado")
        REFUSED = "refused", _("rechazado")
        WITHDRAWN = "withdrawn", _("retirado")
        REVOKED = "revoked", _("revocado")
        USED = "used", _("usado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="filings")
    year = models.PositiveSmallIntegerField(_("año"))
    number = models.PositiveIntegerField(_("número"))
    kind = models.CharField(_("clase"), max_length=40)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.DRAFT)
    subject_type = models.CharField(max_length=20)
    subject_id = models.BigIntegerField()
    subject_label = models.CharField(_("sobre"), max_length=120)
    text = models.TextField(_("texto"))
    facts = models.JSONField(default=dict)
    author = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("redactado por"))
    drafted_at = models.DateTimeField(_("redactado"))
    presented_at = models.DateTimeField(_("presentado"), null=True)
    decided_at = models.DateTimeField(_("decidido"), null=True)
    decided_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    reference = models.CharField(_("referencia de la AJ"), max_length=60, blank=True)
    valid_from = models.DateField(_("vigente desde"), null=True)
    valid_until = models.DateField(_("vigente hasta"), null=True)
    ended_at = models.DateTimeField(_("terminado"), null=True)
    ended_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    document = models.CharField(_("documento de la revocación"), max_length=60, blank=True)
    receipt = models.CharField(_("cargo de recepción de la AJ"), max_length=60, blank=True)
    due_on = models.DateField(_("vence"), null=True)
    due_for = models.CharField(_("qué vence"), max_length=120, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("trámite")
        verbose_name_plural = _("trámites")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "year", "number"], name="one_filing_per_number"),
            models.CheckConstraint(
                name="filing_is_what_its_state_says",
                condition=Q(state="draft", presented_at=None, decided_at=None, decided_by=None)
                | Q(state="presented", presented_at__isnull=False, decided_at=None, decided_by=None)
                | (
                    Q(state__in=("approved", "revoked", "used"))
                    & Q(presented_at__isnull=False, decided_at__isnull=False)
                    & Q(decided_by__isnull=False, valid_from__isnull=False)
                    & ~Q(reference="")
                )
                | Q(state="refused", presented_at__isnull=False, decided_at__isnull=False)
                | Q(state="withdrawn", decided_at__isnull=False),
            ),
            models.CheckConstraint(
                name="filing_ends_revoked_or_used",
                condition=Q(state="revoked", ended_at__isnull=False, ended_by__isnull=False) & ~Q(document="")
                | Q(state="used", ended_at__isnull=False, ended_by__isnull=False, document="")
                | ~Q(state__in=("revoked", "used")) & Q(ended_at=None, ended_by=None, document=""),
            ),
            models.CheckConstraint(
                name="filing_due_says_for_what",
                condition=Q(due_on=None, due_for="") | Q(due_on__isnull=False) & ~Q(due_for=""),
            ),
            models.CheckConstraint(
                name="filing_not_decided_by_its_author",
                condition=Q(decided_by=None) | Q(state="withdrawn") | ~Q(decided_by=F("author")),
            ),
        ]
        indexes = [
            models.Index(fields=["casino", "kind", "subject_type", "subject_id"], name="filing_by_subject")
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"AJ-{self.year}-{self.number:04d}"

    @property
    def stream(self) -> str:
        return f"filing:{self.pk}"


class FilingDemand(models.Model):
    """Whether a house asks for a kind of filing before something goes live, from `at` on; the last row of a
    kind holds. For kinds the AJ text itself does not demand (`audits.filing_demands`). Append-only.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(_("clase"), max_length=40)
    demanded = models.BooleanField(_("se exige"))
    reason = models.TextField(_("motivo"))
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("por"))
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("exigencia de trámite")
        ordering = ["id"]
        indexes = [models.Index(fields=["casino", "kind"], name="filing_demand_by_kind")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.demanded}"
