"""Rules and limits in force, by version: a change is a new row with its date and reason (GEN-03)."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models.functions import Length
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.models import Actor
from audits.scope import ScopedQuerySet
from casino.models import Casino
from tables.models.places import Table

models.CharField.register_lookup(Length)


class GameRules(models.Model):
    """One version of a game's rules: the JSON of the game's own validated dataclass.

    `confirmed_by` and `confirmation`: who confirmed the figures the book leaves to the operator, and
    why (GEN-05). `forced`: why it was published although it favours the player (GEN-06); empty else.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="game_rules")
    game = models.CharField(_("juego"), max_length=40)
    version = models.PositiveIntegerField(_("versión"))
    params = models.JSONField(_("parámetros"))
    effective_from = models.DateTimeField(_("vigente desde"))
    betting_plan = models.CharField(_("Plan de Apuestas"), max_length=60)
    confirmed_by = models.CharField(
        _("confirma las cifras"), max_length=150, default="", db_default="", blank=True
    )
    confirmation = models.TextField(_("motivo de la confirmación"), default="", db_default="", blank=True)
    forced = models.TextField(_("motivo para forzar"), default="", db_default="", blank=True)
    reason = models.TextField(_("motivo"))
    published_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("reglas del juego")
        ordering = ["game", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "game", "version"], name="one_rules_per_version"),
            models.CheckConstraint(
                name="rules_name_plan_and_reason",
                condition=models.Q(betting_plan__length__gt=0) & ~models.Q(reason=""),
            ),
            models.CheckConstraint(
                name="confirmation_says_who_and_why",
                condition=models.Q(confirmed_by="", confirmation="")
                | (~models.Q(confirmed_by="") & ~models.Q(confirmation="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} v{self.version}"

    @classmethod
    def in_force(cls, casino: Casino, game: str, instant: dt.datetime) -> GameRules | None:
        """The version a round opened at `instant` is played under."""
        return (
            cls.objects.filter(casino=casino, game=game, effective_from__lte=instant)
            .order_by("-effective_from", "-version")
            .first()
        )


class BetLimits(models.Model):
    """One version of a table's limits: spot -> [minimum, maximum] in smallest units (GEN-04)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="bet_limits")
    table = models.ForeignKey(Table, models.PROTECT, related_name="limits")
    version = models.PositiveIntegerField(_("versión"))
    chip = models.BigIntegerField(_("ficha menor"))
    spots = models.JSONField(_("límites"))
    differential = models.BigIntegerField(_("diferencial"), null=True, blank=True)
    effective_from = models.DateTimeField(_("vigente desde"))
    reason = models.TextField(_("motivo"))
    published_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("límites de mesa")
        ordering = ["table", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["table", "version"], name="one_limits_per_version"),
            models.CheckConstraint(name="limits_have_a_chip", condition=models.Q(chip__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.table} v{self.version}"

    @classmethod
    def in_force(cls, table: Table, instant: dt.datetime) -> BetLimits | None:
        return (
            cls.objects.filter(table=table, effective_from__lte=instant)
            .order_by("-effective_from", "-version")
            .first()
        )
