"""The house's own figures for its floor, and plans of limits by table and hour.

A plan is never edited: a change is a new version with its date and reason, as of rules and limits (GEN-03).
"""

from __future__ import annotations

import datetime as dt

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.models import Actor
from audits.scope import ScopedQuerySet
from casino.models import Casino
from tables.models.places import Table
from tables.models.rules import BetLimits


class FloorSettings(models.Model):
    """One row a house: figures the book leaves to the operator (FLOOR-02, 03, 15, 17; REC-01..04).

    `tables.floor_settings.settings_of` gives it, or the book's figures where none is stored.
    """

    class IjBase(models.TextChoices):
        NONE = "", _("sin definir")
        GROSS_LESS_VAT = "gross_less_vat", _("ingreso bruto menos IVA")
        NET = "net_of_prizes_and_returns", _("neto de premios y devoluciones")

    casino = models.OneToOneField(Casino, models.PROTECT, related_name="floor_settings")
    minimum_operation = ArrayField(
        models.CharField(max_length=30),
        verbose_name=_("operación mínima"),
        default=list,
        blank=True,
        help_text="families of games that must run each gaming day; none: not watched (FLOOR-17)",
    )
    max_minutes_on_table = models.PositiveSmallIntegerField(_("minutos seguidos en mesa"), default=60)
    min_break_minutes = models.PositiveSmallIntegerField(_("descanso mínimo"), default=20)
    max_minutes_same_table = models.PositiveSmallIntegerField(
        _("minutos en la misma mesa"),
        null=True,
        blank=True,
        default=180,
        help_text="in a shift; null: no limit",
    )
    night_from = models.TimeField(_("noche desde"), default=dt.time(20, 0))
    night_to = models.TimeField(_("noche hasta"), default=dt.time(6, 0))
    rest_after_night_minutes = models.PositiveSmallIntegerField(
        _("descanso tras turno de noche"), default=660
    )
    ij_base = models.CharField(
        _("base del IJ"), max_length=30, choices=IjBase.choices, default=IjBase.NONE, blank=True
    )
    ij_document = models.CharField(_("documento que fija la base"), max_length=120, default="", blank=True)
    min_funds = models.BigIntegerField(_("fondos mínimos"), default=0, help_text="smallest units (FLOOR-15)")

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("cifras de la sala")
        constraints = [
            models.CheckConstraint(
                name="floor_minutes_are_positive",
                condition=Q(max_minutes_on_table__gt=0, min_break_minutes__gt=0)
                & (Q(max_minutes_same_table=None) | Q(max_minutes_same_table__gt=0)),
            ),
            models.CheckConstraint(name="floor_funds_not_negative", condition=Q(min_funds__gte=0)),
            models.CheckConstraint(
                name="ij_base_names_its_document", condition=Q(ij_base="") | ~Q(ij_document="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.casino}"


class LimitsPlan(models.Model):
    """One version of a plan: which limits hold at which hours, for a table or for all tables of a game.

    `windows`: [{"days": [0..6], "from": "20:00", "to": "04:00", "chip", "spots": {spot: [low, high]},
    "differential"}], amounts in smallest units, days those of the gaming week (0 = Monday). `otherwise`: the
    limits of the hours no window names; null: those before them stay. A version without both ends the plan.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="limits_plans")
    game = models.CharField(_("juego"), max_length=40)
    table = models.ForeignKey(Table, models.PROTECT, null=True, related_name="limits_plans")
    version = models.PositiveIntegerField(_("versión"))
    windows = models.JSONField(_("franjas"), default=list)
    otherwise = models.JSONField(_("resto del tiempo"), null=True)
    effective_from = models.DateTimeField(_("vigente desde"))
    reason = models.TextField(_("motivo"))
    published_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("plan de límites")
        ordering = ["game", "table", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "game", "table", "version"],
                nulls_distinct=False,
                name="one_plan_per_version",
            ),
            models.CheckConstraint(name="plan_says_why", condition=~Q(reason="")),
        ]

    def __str__(self) -> str:
        return f"{self.table or self.game} v{self.version}"

    @property
    def ended(self) -> bool:
        """Whether this version ends the plan."""
        return not self.windows and self.otherwise is None


class PlannedLimits(models.Model):
    """That a version of limits was published for a boundary of a plan: once a table and boundary."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    plan = models.ForeignKey(LimitsPlan, models.PROTECT, related_name="applied")
    begins = models.DateTimeField(help_text="the boundary: when the plan's window begins")
    limits = models.OneToOneField(BetLimits, models.PROTECT, related_name="planned")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("límites según plan")
        constraints = [
            models.UniqueConstraint(fields=["table", "plan", "begins"], name="one_limits_per_boundary"),
        ]
