"""Prizes of a pool: locked when they are hit, verified by two, paid or not confirmed (PP-31)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event
from audits.scope import ScopedQuerySet
from casino.models import Casino
from jackpots.models.bets import Bet
from jackpots.models.pools import Pool, PoolVersion
from tables.models import Round, TableSession
from tables.models.slips import CageDesk


class Prize(models.Model):
    """One prize of one position. `before`, `after`: what its level showed; where it came from beside."""

    class State(models.TextChoices):
        PENDING = "pending", _("por verificar")
        VERIFIED = "verified", _("verificado")
        PAID = "paid", _("pagado")
        REJECTED = "rejected", _("no confirmado")

    OPEN = Q(state=State.PENDING) | Q(state=State.VERIFIED, amount__gt=0)
    """What still waits for somebody: a prize of nothing is over once it is verified."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="prizes")
    year = models.PositiveSmallIntegerField(_("año"))
    number = models.PositiveIntegerField(_("número"))
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="awards")
    version = models.ForeignKey(PoolVersion, models.PROTECT, related_name="+")
    order = models.PositiveIntegerField(_("orden en el pozo"))
    bet = models.OneToOneField(Bet, models.PROTECT, related_name="prize")
    round = models.ForeignKey(Round, models.PROTECT, related_name="prizes")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="prizes")
    seat = models.PositiveSmallIntegerField(_("asiento"))
    alias = models.CharField(_("jugador"), max_length=60, blank=True)
    level = models.CharField(_("nivel"), max_length=20)
    hand = models.CharField(_("mano"), max_length=30)
    top = models.BooleanField(_("todo el pozo"), default=False)
    before = models.BigIntegerField(_("había"))
    amount = models.BigIntegerField(_("premio"))
    after = models.BigIntegerField(_("quedó"))
    players = models.BigIntegerField(_("de los jugadores"))
    base = models.BigIntegerField(_("de la base"))
    reserve = models.BigIntegerField(_("de la reserva"))
    house = models.BigIntegerField(_("de la casa"))
    reseed_reserve = models.BigIntegerField(_("base repuesta de la reserva"))
    reseed_house = models.BigIntegerField(_("base repuesta por la casa"))
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.PENDING)
    hit_at = models.DateTimeField(_("cuándo"))
    hit_event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    noted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("anotado por"))
    winner = models.CharField(_("nombre"), max_length=120, blank=True)
    document = models.CharField(_("documento"), max_length=40, blank=True)
    decided_at = models.DateTimeField(_("decidido"), null=True)
    paid_at = models.DateTimeField(_("pagado"), null=True)
    paid_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    desk = models.ForeignKey(CageDesk, models.PROTECT, null=True, related_name="+", verbose_name=_("caja"))
    form = models.CharField(_("cómo se pagó"), max_length=10, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("premio progresivo")
        verbose_name_plural = _("premios progresivos")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "year", "number"], name="one_prize_per_number"),
            models.UniqueConstraint(fields=["pool", "order"], name="one_prize_per_order"),
            models.CheckConstraint(
                name="prize_is_the_sum_of_its_parts",
                condition=Q(amount__gte=0, amount=F("players") + F("base") + F("reserve") + F("house")),
            ),
            models.CheckConstraint(
                name="prize_is_what_its_state_says",
                condition=Q(state="pending", decided_at=None, paid_at=None, paid_by=None)
                | Q(state__in=("verified", "rejected"), decided_at__isnull=False, paid_at=None, paid_by=None)
                | Q(state="paid", decided_at__isnull=False, paid_at__isnull=False, paid_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"PR-{self.year}-{self.number:05d}"


class PrizeCheck(models.Model):
    """What one person found of a prize; never changed. Two agree before it is paid, or two do not (PP-31)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    prize = models.ForeignKey(Prize, models.PROTECT, related_name="checks")
    actor = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    holds = models.BooleanField(_("está bien"))
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("verificación del premio")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["prize", "actor", "holds"], name="one_check_per_person")
        ]
