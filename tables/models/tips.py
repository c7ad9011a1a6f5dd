"""What is the public's or the staff's and not the house's: tips and their shares, what nobody claimed."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event
from audits.scope import ScopedQuerySet
from casino.kernel import ids
from casino.models import Casino, GamingDay
from tables.models.people import Staff
from tables.models.sessions import TableSession


class TipEntry(models.Model):
    """Tips taken out of a table's tip box and counted; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="tip_entries")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="tips")
    day = models.ForeignKey(GamingDay, models.PROTECT, related_name="tips")
    chips = models.JSONField(help_text="denomination -> number of chips")
    amount = models.BigIntegerField(_("importe"))
    entered_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("registró"))
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("propina")
        ordering = ["-at", "-id"]
        constraints = [models.CheckConstraint(name="tip_has_value", condition=Q(amount__gt=0))]


class TipDistribution(models.Model):
    """The tips of a gaming day and who receives what of them: a draft until two people approve it.

    `lines`: a list of {staff, name, number, seconds, weight, amount}, amounts in smallest units.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("borrador")
        APPROVED = "approved", _("aprobado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="tip_distributions")
    day = models.OneToOneField(GamingDay, models.PROTECT, related_name="tip_distribution")
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.DRAFT)
    total = models.BigIntegerField(_("total"))
    points = models.JSONField(help_text="post -> points an hour, as they were")
    lines = models.JSONField(default=list)
    drafted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("preparó"))
    drafted_at = models.DateTimeField(_("preparado"))
    approved_by = models.ForeignKey(
        Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("aprobó")
    )
    approved_with = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    approved_at = models.DateTimeField(_("aprobado"), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("reparto de propinas")
        ordering = ["-day__date"]
        constraints = [
            models.CheckConstraint(
                name="tips_approved_by_two",
                condition=Q(state="draft", approved_by=None, approved_with=None, approved_at=None)
                | (
                    Q(state="approved", approved_by__isnull=False, approved_with__isnull=False)
                    & Q(approved_at__isnull=False)
                    & ~Q(approved_by=F("approved_with"))
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day}"


class TipHandover(models.Model):
    """A share of approved tips put into the hand of whoever earned it: who gave, who signed, when. Never
    changed.

    `signed_by` is the receiver's own login, or a witness to a signature on paper.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="tip_handovers")
    distribution = models.ForeignKey(TipDistribution, models.PROTECT, related_name="handovers")
    staff = models.ForeignKey(Staff, models.PROTECT, related_name="+", verbose_name=_("recibió"))
    amount = models.BigIntegerField(_("importe"))
    given_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("entregó"))
    signed_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("firmó"))
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("entrega de propinas")
        verbose_name_plural = _("entregas de propinas")
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["distribution", "staff"], name="one_handover_per_share"),
            models.CheckConstraint(
                name="tips_handed_over_by_two", condition=Q(amount__gt=0) & ~Q(given_by=F("signed_by"))
            ),
        ]


class Orphan(models.Model):
    """A stake or chips that nobody claimed, in an account and a book of their own (FLOOR-16).

    Kept until it is given back to whoever proves it theirs, or the term is over and compliance passes it to
    the house. `document` is whole here and masked wherever else it is told.
    """

    class Kind(models.TextChoices):
        STAKE = "stake", _("apuesta abandonada")
        CHIPS = "chips", _("fichas encontradas")

    class State(models.TextChoices):
        KEPT = "kept", _("en custodia")
        RETURNED = "returned", _("devuelta")
        PASSED = "passed", _("pasada a la casa")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="orphans")
    year = models.PositiveSmallIntegerField(_("año"))
    number = models.PositiveIntegerField(_("número"))
    kind = models.CharField(_("clase"), max_length=10, choices=Kind.choices)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.KEPT)
    session = models.ForeignKey(TableSession, models.PROTECT, null=True, related_name="orphans")
    place = models.CharField(_("lugar"), max_length=120)
    chips = models.JSONField(help_text="denomination -> number of chips")
    amount = models.BigIntegerField(_("importe"))
    found_by = models.ForeignKey(Staff, models.PROTECT, related_name="+", verbose_name=_("encontró"))
    witness = models.ForeignKey(Staff, models.PROTECT, related_name="+", verbose_name=_("testigo"))
    entered_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("registró"))
    found_at = models.DateTimeField(_("hallado"))
    keep_until = models.DateField(_("custodia hasta"))
    claimant = models.CharField(_("se devolvió a"), max_length=120, blank=True)
    document = models.CharField(_("documento"), max_length=40, blank=True)
    closed_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("firma"))
    closed_with = models.ForeignKey(
        Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("y firma")
    )
    closed_at = models.DateTimeField(_("salió de custodia"), null=True)
    reason = models.CharField(_("motivo"), max_length=500, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("ficha sin dueño")
        verbose_name_plural = _("fichas sin dueño")
        ordering = ["-found_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "year", "number"], name="one_orphan_per_number"),
            models.CheckConstraint(
                name="orphan_found_by_two", condition=Q(amount__gt=0) & ~Q(found_by=F("witness"))
            ),
            models.CheckConstraint(
                name="orphan_given_up_by_two",
                condition=Q(state="kept", closed_by=None, closed_with=None, closed_at=None)
                | (
                    Q(closed_by__isnull=False, closed_with__isnull=False, closed_at__isnull=False)
                    & ~Q(closed_by=F("closed_with"))
                    & (
                        (Q(state="returned") & ~Q(claimant="") & ~Q(document=""))
                        | (Q(state="passed", claimant="", document="") & ~Q(reason=""))
                    )
                ),
            ),
        ]
        indexes = [models.Index(fields=["casino", "state"])]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return ids.receipt_label("H", self.year, self.number)

    @property
    def account(self) -> str:
        """Whose chips they were, as far as the ledger tells: a table's public, or the cage's."""
        return "players:cage" if self.session_id is None else f"players:{self.session_id}"
