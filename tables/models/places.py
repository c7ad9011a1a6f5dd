"""Pits and tables: settings, kept with their history."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.scope import ScopedQuerySet
from casino.models import Casino
from tables.games.base import Detail


class Pit(models.Model):
    """A group of tables one pit boss watches (sector)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="pits")
    name = models.CharField(_("sector"), max_length=60)
    position = models.PositiveSmallIntegerField(_("orden"), default=1)
    weight = models.PositiveSmallIntegerField(
        _("peso en la rotación"),
        default=100,
        help_text="in hundredths: how much a minute here counts in the ledger of fairness; 150: by half more",
    )

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("sector")
        ordering = ["position", "name"]
        constraints = [models.UniqueConstraint(fields=["casino", "name"], name="one_pit_per_name")]

    def __str__(self) -> str:
        return self.name


class Table(models.Model):
    """One table on the floor. Its detail says how much of a round is written down."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="tables")
    pit = models.ForeignKey(Pit, models.PROTECT, related_name="tables", verbose_name=_("sector"))
    name = models.CharField(_("mesa"), max_length=10)
    game = models.CharField(_("juego"), max_length=40)
    seats = models.PositiveSmallIntegerField(_("posiciones"))
    detail = models.CharField(
        _("detalle"),
        max_length=10,
        choices=[
            (Detail.RESULT.value, _("resultado anunciado")),
            (Detail.CARDS.value, _("cartas")),
            (Detail.FULL.value, _("cartas y apuestas")),
        ],
        default=Detail.CARDS.value,
    )
    active = models.BooleanField(_("en servicio"), default=True)

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("mesa")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["casino", "name"], name="one_table_per_name")]

    def __str__(self) -> str:
        return self.name
