"""The store: how much of each kind there should be, each time it was counted, and what was destroyed."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.models import Actor, Incident
from audits.scope import ScopedQuerySet
from casino.kernel import ids
from casino.models import Casino


class StockLevel(models.Model):
    """The least number of usable decks of a kind and colour the store should hold. A setting."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    deck_type = models.CharField(_("tipo de baraja"), max_length=20)
    back_colour = models.CharField(_("color del reverso"), max_length=30)
    least = models.PositiveIntegerField(_("mínimo"))

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("nivel mínimo")
        ordering = ["deck_type", "back_colour"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "deck_type", "back_colour"], name="one_level_per_kind")
        ]

    def __str__(self) -> str:
        return f"{self.deck_type} {self.back_colour}: {self.least}"


class StockCount(models.Model):
    """The store counted by two people (CARD-02), never changed.

    `lines`: a list of {deck_type, back_colour, expected, counted}; `expected` as the moves say then.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    lines = models.JSONField()
    differs = models.BooleanField(_("con diferencia"))
    counted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("contó"))
    counted_with = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("con"))
    incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("recuento del depósito")
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(name="stock_counted_by_two", condition=~Q(counted_by=F("counted_with"))),
            models.CheckConstraint(
                name="stock_difference_is_an_incident",
                condition=Q(differs=False, incident=None) | Q(differs=True, incident__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"


class DestructionAct(models.Model):
    """Decks destroyed before two witnesses (CARD-45), never changed; its decks are its `moves`."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    year = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField(_("número"))
    method = models.CharField(_("modo de destrucción"), max_length=120)
    site = models.CharField(_("lugar"), max_length=120)
    executed_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("destruyó"))
    first_witness = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("testigo"))
    second_witness = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("testigo"))
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("acta de destrucción")
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "year", "number"], name="one_act_per_number"),
            models.CheckConstraint(
                name="act_signed_by_three",
                condition=~Q(executed_by=F("first_witness"))
                & ~Q(executed_by=F("second_witness"))
                & ~Q(first_witness=F("second_witness")),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return ids.act_label(self.year, self.number)


class Device(models.Model):
    """A numbered box or machine of the house (CARD-46). A setting."""

    class Kind(models.TextChoices):
        SHOE = "shoe", _("sabot")
        SHUFFLER = "shuffler", _("barajadora")
        MACHINE_SHOE = "machine_shoe", _("barajadora que hace de sabot")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="devices")
    number = models.CharField(_("número"), max_length=20)
    kind = models.CharField(_("clase"), max_length=12, choices=Kind.choices)
    maker = models.CharField(_("fabricante"), max_length=60, blank=True)
    serial = models.CharField(_("número de serie"), max_length=40, blank=True)
    active = models.BooleanField(_("en servicio"), default=True)

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("sabot o barajadora")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["casino", "number"], name="one_device_per_number")]

    def __str__(self) -> str:
        return self.number
