"""Credits at a position and the progressive bets placed with them (PP-08, PP-09)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event
from audits.scope import ScopedQuerySet
from casino.models import Casino
from jackpots.models.pools import Pool, PoolVersion
from tables.models import Round, SeatTaking, TableSession


class SeatCredits(models.Model):
    """What a position's meter holds: bought and not yet counted in a round, bets waiting included."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="seat_credits")
    seat = models.PositiveSmallIntegerField(_("asiento"))
    amount = models.BigIntegerField(_("saldo"), default=0)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("créditos de la posición")
        ordering = ["session", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["session", "seat"], name="one_meter_per_position"),
            models.CheckConstraint(name="credits_never_below_nothing", condition=Q(amount__gte=0)),
        ]


class CreditMove(models.Model):
    """Chips exchanged for credits, or credits back for chips; never changed (PP-09)."""

    class Kind(models.TextChoices):
        BOUGHT = "bought", _("comprados")
        RETURNED = "returned", _("devueltos")
        PROMOTION = "promotion", _("promocionales")
        EXPIRED = "expired", _("promocionales que no se apostaron")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="credit_moves")
    seat = models.PositiveSmallIntegerField(_("asiento"))
    taking = models.ForeignKey(SeatTaking, models.PROTECT, null=True, related_name="+")
    kind = models.CharField(_("clase"), max_length=10, choices=Kind.choices)
    amount = models.BigIntegerField(_("importe"))
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))
    noted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("movimiento de créditos")
        ordering = ["id"]
        constraints = [models.CheckConstraint(name="credit_move_has_value", condition=Q(amount__gt=0))]


class Bet(models.Model):
    """A progressive bet of a position in a round (PP-01). It counts when the round is settled: then it has
    its place in the pool's order (`serial`) and the version's `total` with it.
    """

    class State(models.TextChoices):
        PLACED = "placed", _("puesta")
        CANCELLED = "cancelled", _("retirada")
        COUNTED = "counted", _("contada")
        RETURNED = "returned", _("devuelta")
        VOID = "void", _("anulada con su pase")

    STANDING = (State.PLACED, State.COUNTED)

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="progressive_bets")
    number = models.PositiveIntegerField(_("pase"))
    seat = models.PositiveSmallIntegerField(_("asiento"))
    amount = models.BigIntegerField(_("importe"))
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.PLACED)
    placed_at = models.DateTimeField(_("puesta"))
    placed_event = models.ForeignKey(Event, models.PROTECT, related_name="+", db_index=False)
    noted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", db_index=False)
    round = models.ForeignKey(Round, models.PROTECT, null=True, related_name="progressive_bets")
    version = models.ForeignKey(PoolVersion, models.PROTECT, null=True, related_name="+", db_index=False)
    serial = models.BigIntegerField(_("orden en el pozo"), null=True)
    total = models.BigIntegerField(_("recaudado con ella"), null=True)
    day = models.DateField(_("día de juego"), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("apuesta progresiva")
        verbose_name_plural = _("apuestas progresivas")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "number", "seat"],
                condition=Q(state__in=("placed", "counted")),
                name="one_progressive_bet_per_seat",
            ),
            models.UniqueConstraint(fields=["pool", "serial"], name="one_bet_per_serial"),
            models.CheckConstraint(name="progressive_bet_has_value", condition=Q(amount__gt=0)),
            models.CheckConstraint(
                name="bet_counts_in_its_round",
                condition=Q(
                    state__in=("placed", "cancelled", "returned"), serial=None, total=None, version=None
                )
                | Q(
                    state__in=("counted", "void"),
                    serial__isnull=False,
                    total__isnull=False,
                    version__isnull=False,
                    round__isnull=False,
                    day__isnull=False,
                ),
            ),
        ]
        indexes = [
            models.Index(fields=["pool", "day"], name="progressive_bet_by_day"),
        ]
