"""What is noticed about a shoe, and the reviews of its discard holder."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Incident
from audits.scope import ScopedQuerySet
from casino.models import Casino
from shoes.models.shoes import Shoe


class ShoeAlert(models.Model):
    """What a detector noticed about a shoe: once per shoe and detector, with its incident if it opened one.

    `p`: an upper bound of how often chance alone would show the like.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    shoe = models.ForeignKey(Shoe, models.PROTECT, related_name="alerts", db_index=False)
    detector = models.CharField(_("detector"), max_length=30)
    p = models.FloatField()
    facts = models.JSONField(default=dict)
    words_es = models.TextField()
    words_en = models.TextField()
    incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="alerts")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("aviso sobre un sabot")
        ordering = ["-at", "-id"]
        constraints = [models.UniqueConstraint(fields=["shoe", "detector"], name="one_alert_per_detector")]

    def __str__(self) -> str:
        return f"{self.shoe_id} {self.detector}"


class ShoeOrder(models.Model):
    """The runs of faces in which a shoe's cards came out, as exact integers, to be found again in another."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    shoe = models.OneToOneField(Shoe, models.PROTECT, related_name="order")
    grams = ArrayField(models.BigIntegerField(), default=list)
    cards = models.PositiveSmallIntegerField(default=0, help_text="how many cards of it were read")

    class Meta:
        verbose_name = _("orden de un sabot")
        indexes = [GinIndex(fields=["grams"], name="order_by_gram")]

    def __str__(self) -> str:
        return f"{self.shoe_id}: {len(self.grams)}"


class DiscardReview(models.Model):
    """The discard holder opened to settle a disputed play (CARD-40), and closed again.

    `round_label` names the play; `asked_by` who asked, in words (a seat, a person of the house). Closed with
    what was found and how many cards went back.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    shoe = models.ForeignKey(Shoe, models.PROTECT, related_name="reviews")
    table_label = models.CharField(_("mesa"), max_length=20)
    round_label = models.CharField(_("pase"), max_length=60)
    asked_by = models.CharField(_("lo pidió"), max_length=120)
    why = models.CharField(_("motivo"), max_length=500)
    authorised_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("autorizó"))
    opened_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("abrió"))
    opened_at = models.DateTimeField(_("abierto"))
    expected = models.PositiveSmallIntegerField(_("cartas según el conteo"))
    incident = models.ForeignKey(Incident, models.PROTECT, related_name="reviews")
    found = models.TextField(_("qué se encontró"), blank=True)
    cards_counted = models.PositiveSmallIntegerField(_("cartas que volvieron"), null=True)
    closed_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    closed_at = models.DateTimeField(_("cerrado"), null=True)

    irregularity: Incident | None = None
    """The incident of a count that differs, for the room above; not stored."""

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("revisión del descartador")
        ordering = ["-opened_at", "-id"]
        constraints = [
            # GEN-10: who opens the holder does not authorise it
            models.CheckConstraint(
                name="review_authorised_by_another", condition=~Q(authorised_by=F("opened_by"))
            ),
            models.UniqueConstraint(
                fields=["shoe"], condition=Q(closed_at=None), name="one_open_review_per_shoe"
            ),
            models.CheckConstraint(
                name="review_closed_with_findings",
                condition=Q(closed_at=None, closed_by=None, cards_counted=None)
                | (
                    Q(closed_at__isnull=False, closed_by__isnull=False, cards_counted__isnull=False)
                    & ~Q(found="")
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.shoe_id} {self.round_label}"
