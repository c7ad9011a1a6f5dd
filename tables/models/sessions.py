"""A table session: from the counted float to the counted close, and who stood at the table.

Running totals are a convenience the write functions keep under the session's lock; the nightly
proof recomputes them from rounds and postings.
"""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Incident
from audits.ranges import only
from audits.scope import ScopedQuerySet
from casino.kernel import ids
from casino.models import Casino, GamingDay
from shoes.models import Shoe
from tables.models.people import Staff
from tables.models.places import Table
from tables.models.rules import BetLimits, GameRules

_LIVE, _ENDED = ("opening", "open", "paused", "closing"), ("closed", "counted", "reconciled")


class TableSession(models.Model):
    class State(models.TextChoices):
        """The life of a session; what may follow what is `tables.life` (and a trigger)."""

        OPENING = "opening", _("abriendo")
        OPEN = "open", _("abierta")
        PAUSED = "paused", _("en pausa")
        CLOSING = "closing", _("cerrando")
        CLOSED = "closed", _("cerrada")
        COUNTED = "counted", _("contada")
        RECONCILED = "reconciled", _("conciliada")

    LIVE = _LIVE
    """The states in which its float is on the table; rounds are played in `open`, and ended in `closing`."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="sessions")
    table = models.ForeignKey(Table, models.PROTECT, related_name="sessions")
    day = models.ForeignKey(GamingDay, models.PROTECT, related_name="sessions")
    number = models.PositiveSmallIntegerField(_("número"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    game = models.CharField(max_length=40)
    detail = models.CharField(max_length=10)
    seats = models.PositiveSmallIntegerField()
    rules = models.ForeignKey(GameRules, models.PROTECT, related_name="+")
    limits = models.ForeignKey(BetLimits, models.PROTECT, related_name="+")
    shoe = models.ForeignKey(Shoe, models.PROTECT, null=True, related_name="sessions")
    opened_at = models.DateTimeField(_("abierta"))
    opened_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(_("cerrada"), null=True)
    closed_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    last_at = models.DateTimeField(help_text="when the latest thing recorded here occurred")

    frozen_by = models.ForeignKey(
        Incident, models.PROTECT, null=True, related_name="+", help_text="the last incident that stopped it"
    )

    last_round = models.PositiveIntegerField(default=0)
    rounds_settled = models.PositiveIntegerField(default=0)
    staked = models.BigIntegerField(default=0)
    returned = models.BigIntegerField(default=0)
    commission = models.BigIntegerField(default=0)

    opening = models.BigIntegerField(_("apertura"))
    closing = models.BigIntegerField(_("cierre"), null=True)
    fills = models.BigIntegerField(_("reposiciones"), default=0, db_default=0)
    credits = models.BigIntegerField(_("retiros"), default=0, db_default=0)
    progressive = models.BigIntegerField(
        _("fichas del progresivo"),
        default=0,
        db_default=0,
        help_text="what came into the tray for a progressive pool less what went back: owed to it, not won",
    )
    drop = models.BigIntegerField(_("caja (drop)"), null=True)
    deduction = models.BigIntegerField(
        _("deducción asentada"),
        null=True,
        help_text="FLOOR-14: the higher of what the deduction boxes held and what rounds recorded;"
        " null without",
    )
    result = models.BigIntegerField(_("resultado"), null=True, help_text="FLOOR-12, when counted")
    unexplained = models.BigIntegerField(_("diferencia sin explicar"), null=True)
    reconciled_at = models.DateTimeField(_("conciliada"), null=True)
    reconciled_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    reconciled_with = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("sesión de mesa")
        ordering = ["-opened_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(state__in=_LIVE), name="one_open_session_per_table"
            ),
            ExclusionConstraint(
                name="one_session_at_a_time",
                expressions=[
                    (only("table_id"), RangeOperators.EQUAL),
                    (Func(F("opened_at"), F("closed_at"), function="tstzrange"), RangeOperators.OVERLAPS),
                ],
            ),
            models.UniqueConstraint(fields=["table", "day", "number"], name="one_session_per_number"),
            models.UniqueConstraint(
                fields=["shoe"], condition=Q(state__in=_LIVE), name="one_open_session_per_shoe"
            ),
            models.CheckConstraint(
                name="closed_session_is_counted",
                condition=Q(state__in=_LIVE, closed_at=None)
                | Q(state__in=_ENDED, closing__isnull=False, closed_at__isnull=False),
            ),
            models.CheckConstraint(name="progressive_chips_came_in", condition=Q(progressive__gte=0)),
            models.CheckConstraint(
                name="counted_session_has_its_result",
                condition=~Q(state__in=("counted", "reconciled"))
                | Q(drop__isnull=False, result__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["casino", "day"])]

    def __str__(self) -> str:
        return self.label

    @property
    def live(self) -> bool:
        """Whether its float is on the table."""
        return self.state in self.LIVE

    @property
    def label(self) -> str:
        return ids.session_label(self.table.name, self.day.date, self.number)

    @property
    def stream(self) -> str:
        return f"session:{self.pk}"

    @property
    def house_result(self) -> int:
        """What the logged bets say the house won, in smallest units (detail `full` only)."""
        return self.staked - self.returned


class ChipCount(models.Model):
    """A float counted by denomination, by one person before another (FLOOR-04, FLOOR-10)."""

    class Moment(models.TextChoices):
        OPENING = "opening", _("apertura")
        CLOSING = "closing", _("cierre")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="counts")
    moment = models.CharField(max_length=10, choices=Moment.choices)
    chips = models.JSONField(help_text="denomination in smallest units -> number of chips")
    total = models.BigIntegerField()
    counted_by = models.ForeignKey(Staff, models.PROTECT, related_name="+")
    witnessed_by = models.ForeignKey(Staff, models.PROTECT, related_name="+")
    counted_at = models.DateTimeField()

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("conteo de fichas")
        constraints = [
            models.UniqueConstraint(fields=["session", "moment"], name="one_count_per_moment"),
            models.CheckConstraint(name="count_needs_two_people", condition=~Q(counted_by=F("witnessed_by"))),
        ]


class Assignment(models.Model):
    """Who held which post at a table, from when to when. Nobody holds two at once (FLOOR-01)."""

    class Post(models.TextChoices):
        DEALER = "dealer", _("croupier")
        CALLER = "caller", _("paletero")
        PAYER = "payer", _("pagador")
        SUPERVISOR = "supervisor", _("jefe de mesa")
        MAIN_DEALER = "main_dealer", _("croupier principal")
        SUPPORT_DEALER = "support_dealer", _("croupier de apoyo")
        SCORER = "scorer", _("anotador")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="assignments")
    staff = models.ForeignKey(Staff, models.PROTECT, related_name="assignments")
    post = models.CharField(_("puesto"), max_length=20, choices=Post.choices)
    during = DateTimeRangeField(_("turno"))

    DEALING = (Post.CALLER.value, Post.DEALER.value, Post.MAIN_DEALER.value, Post.SCORER.value)
    """The posts of who deals or calls: a game has one of them (BAC-11, games.toml)."""
    HELPING = (Post.PAYER.value, Post.SUPPORT_DEALER.value)
    """The posts that several people of a table may hold at once."""

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("puesto")
        constraints = [
            ExclusionConstraint(
                name="one_post_at_a_time",
                expressions=[
                    (only("staff_id"), RangeOperators.EQUAL),
                    ("during", RangeOperators.OVERLAPS),
                ],
            ),
            models.UniqueConstraint(
                fields=["session", "post"],
                condition=Q(during__endswith=None) & ~Q(post__in=("payer", "support_dealer")),
                name="one_person_per_post",
            ),
        ]
