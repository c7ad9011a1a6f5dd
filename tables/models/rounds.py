"""Rounds as stored: the log of events, the rules it names, what came of it, and each bet.

A settled round is never edited (trigger): it is voided by a reversal that names it (REC-07).
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event
from audits.scope import ScopedQuerySet
from casino.kernel import clock
from casino.models import Casino
from shoes.models import Shoe
from tables.models.people import Staff
from tables.models.rules import BetLimits, GameRules
from tables.models.sessions import TableSession


class Round(models.Model):
    class State(models.TextChoices):
        OPEN = "open", _("en curso")
        SETTLED = "settled", _("liquidado")
        VOID = "void", _("anulado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="rounds")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="rounds", db_index=False)
    number = models.PositiveIntegerField(_("pase"))
    state = models.CharField(max_length=10, choices=State.choices)
    rules = models.ForeignKey(GameRules, models.PROTECT, related_name="+", db_index=False)
    limits = models.ForeignKey(BetLimits, models.PROTECT, related_name="+", db_index=False)
    detail = models.CharField(max_length=10)
    shoe = models.ForeignKey(Shoe, models.PROTECT, null=True, related_name="rounds")
    dealer = models.ForeignKey(Staff, models.PROTECT, null=True, related_name="rounds")
    log = models.JSONField(help_text="events as in records.md, with at and by")
    settlement = models.JSONField(null=True, help_text="outcome, totals, announcement, notes")
    winner = models.CharField(max_length=12, blank=True)
    staked = models.BigIntegerField(default=0)
    returned = models.BigIntegerField(default=0)
    commission = models.BigIntegerField(default=0)
    opened_at = models.DateTimeField(_("abierto"))
    settled_at = models.DateTimeField(_("liquidado"), null=True)
    recorded_at = models.DateTimeField(default=clock.now)
    logged_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", db_index=False)
    event = models.ForeignKey(Event, models.PROTECT, null=True, related_name="+")
    void_event = models.ForeignKey(Event, models.PROTECT, null=True, related_name="+")
    source_key = models.CharField(max_length=120, blank=True, help_text="identity in the file it came from")
    source_digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the source row")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("pase")
        ordering = ["session", "number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="one_round_per_number"),
            models.UniqueConstraint(
                fields=["session"], condition=Q(state="open"), name="one_open_round_per_session"
            ),
            models.UniqueConstraint(
                fields=["session", "source_key"], condition=~Q(source_key=""), name="one_round_per_source_row"
            ),
            models.CheckConstraint(
                name="settled_round_has_its_settlement",
                condition=~Q(state="settled") | Q(settlement__isnull=False, settled_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["casino", "settled_at"]),
            models.Index(
                fields=["casino", "source_digest"], condition=~Q(source_digest=""), name="round_by_source_row"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session.table.name} · {self.number}"

    @property
    def house_result(self) -> int:
        return self.staked - self.returned


class Bet(models.Model):
    """One bet of a settled round, in the order it was collected or paid. Smallest units."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    round = models.ForeignKey(Round, models.PROTECT, related_name="bets", db_index=False)
    order = models.PositiveSmallIntegerField(_("orden"))
    seat = models.PositiveSmallIntegerField(_("asiento"))
    spot = models.CharField(_("lugar"), max_length=20)
    hand = models.PositiveSmallIntegerField(default=0)
    stake = models.BigIntegerField(_("apuesta"))
    returned = models.BigIntegerField(_("devuelto"))
    commission = models.BigIntegerField(_("comisión"), default=0)
    rounding = models.BigIntegerField(default=0)
    breakage = models.BigIntegerField(default=0)
    pays = models.CharField(_("paga"), max_length=12)
    row = models.CharField(max_length=40)
    rule = models.CharField(max_length=20)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("apuesta")
        ordering = ["round", "order"]
        constraints = [
            models.UniqueConstraint(fields=["round", "order"], name="one_bet_per_order"),
            models.CheckConstraint(name="bet_is_positive", condition=Q(stake__gt=0, returned__gte=0)),
        ]

    @property
    def won(self) -> int:
        return self.returned - self.stake
