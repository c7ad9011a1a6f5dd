"""Complementary prizes: drawn among who placed the progressive bet, where a filing allows them (PP-24)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event, Filing
from audits.scope import ScopedQuerySet
from casino.models import Casino
from jackpots.models.bets import Bet
from jackpots.models.pools import Pool


class Complementary(models.Model):
    """One complementary prize: announced with the hash of its seed, drawn once the bets are in."""

    class Form(models.TextChoices):
        CHIPS = "chips", _("fichas de valor")
        CREDITS = "credits", _("créditos promocionales")

    class State(models.TextChoices):
        ANNOUNCED = "announced", _("anunciado")
        DRAWN = "drawn", _("sorteado")
        PAID = "paid", _("pagado")
        CALLED_OFF = "called_off", _("sin efecto")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="complementary")
    number = models.PositiveIntegerField(_("número"))
    name = models.CharField(_("nombre"), max_length=60)
    filing = models.ForeignKey(Filing, models.PROTECT, related_name="+", verbose_name=_("trámite"))
    form = models.CharField(_("se paga en"), max_length=10, choices=Form.choices)
    amount = models.BigIntegerField(_("premio"))
    since = models.BigIntegerField(help_text="bets counted in the pool when it was announced")
    until = models.DateTimeField(_("participa quien apueste hasta"))
    seed_hash = models.CharField(_("huella de la semilla"), max_length=64)
    secret = models.CharField(max_length=64)
    seed = models.CharField(_("semilla"), max_length=64, blank=True)
    digest = models.CharField(_("huella de los participantes"), max_length=64, blank=True)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.ANNOUNCED)
    announced_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    announced_at = models.DateTimeField(_("anunciado"))
    drawn_at = models.DateTimeField(_("sorteado"), null=True)
    winner = models.ForeignKey(Bet, models.PROTECT, null=True, related_name="+")
    event = models.ForeignKey(Event, models.PROTECT, null=True, related_name="+")
    paid_at = models.DateTimeField(_("pagado"), null=True)
    paid_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    paid_event = models.ForeignKey(Event, models.PROTECT, null=True, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("premio complementario")
        verbose_name_plural = _("premios complementarios")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "number"], name="one_complementary_per_number"),
            models.CheckConstraint(name="complementary_has_value", condition=Q(amount__gt=0)),
            models.CheckConstraint(
                name="complementary_drawn_with_its_seed",
                condition=Q(state="announced", seed="", drawn_at=None, winner=None)
                | Q(state__in=("drawn", "paid"), drawn_at__isnull=False, winner__isnull=False) & ~Q(seed="")
                | Q(state="called_off", drawn_at__isnull=False, winner=None) & ~Q(seed=""),
            ),
            models.CheckConstraint(
                name="complementary_is_paid_by_somebody",
                condition=Q(
                    state="paid", paid_at__isnull=False, paid_by__isnull=False, paid_event__isnull=False
                )
                | (~Q(state="paid") & Q(paid_at=None, paid_by=None, paid_event=None)),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"PC-{self.pool_id}-{self.number:04d}"


class ComplementaryPlace(models.Model):
    """A bet that took part in a draw, with its score; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    draw = models.ForeignKey(Complementary, models.PROTECT, related_name="places")
    bet = models.ForeignKey(Bet, models.PROTECT, related_name="+")
    score = models.CharField(_("valor del sorteo"), max_length=64)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("participación en el sorteo")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["draw", "bet"], name="one_place_per_bet")]
