"""What the floor has to attend to and who attended: alerts that stay, floats counted in mid-shift, which pits
a chief answers for, and the chiefs' own notes of a shift.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.models import Actor
from audits.scope import ScopedQuerySet
from casino.models import Casino, GamingDay, User
from tables.models.people import Staff
from tables.models.places import Pit, Table
from tables.models.sessions import TableSession


class Alert(models.Model):
    """Something to attend to. One row from the moment its cause was seen until the cause went away.

    `key` names the cause: while it lasts (`cleared_at` is null) there is one row of it. It stays on the
    floor until somebody acknowledges it with a reason, even if the cause went away meanwhile. No history
    table: raised, cleared and acknowledged are events of the stream `alerts`, each once (trigger).
    """

    class Level(models.TextChoices):
        WARN = "warn", _("aviso")
        BAD = "bad", _("bloqueo")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="alerts")
    key = models.CharField(max_length=120)
    kind = models.CharField(_("clase"), max_length=40)
    level = models.CharField(_("gravedad"), max_length=10, choices=Level.choices)
    words_es = models.TextField()
    words_en = models.TextField()
    rule = models.CharField(_("regla"), max_length=12, blank=True)
    table = models.ForeignKey(Table, models.PROTECT, null=True, related_name="alerts")
    session = models.ForeignKey(TableSession, models.PROTECT, null=True, related_name="alerts")
    subject = models.CharField(_("sobre"), max_length=120, blank=True)
    raised_at = models.DateTimeField(_("desde"))
    cleared_at = models.DateTimeField(_("hasta"), null=True)
    acknowledged_at = models.DateTimeField(_("atendido"), null=True)
    acknowledged_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    reason = models.TextField(_("motivo"), blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("aviso")
        ordering = ["-raised_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "key"], condition=Q(cleared_at=None), name="one_alert_per_cause"
            ),
            models.CheckConstraint(
                name="alert_acknowledged_with_reason",
                condition=Q(acknowledged_at=None, acknowledged_by=None, reason="")
                | (Q(acknowledged_at__isnull=False, acknowledged_by__isnull=False) & ~Q(reason="")),
            ),
            models.CheckConstraint(
                name="alert_clears_after_it_was_raised",
                condition=Q(cleared_at=None) | Q(cleared_at__gte=F("raised_at")),
            ),
        ]
        indexes = [
            models.Index(
                fields=["casino", "raised_at"],
                condition=Q(acknowledged_at=None) | Q(cleared_at=None),
                name="alerts_on_the_floor",
            ),
            models.Index(fields=["session", "raised_at"], name="alerts_of_session"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    @property
    def over(self) -> bool:
        """Whether its cause went away."""
        return self.cleared_at is not None


class FloatCheck(models.Model):
    """The float of a live table counted in mid-shift by two; play goes on. Append-only.

    `cash`: chips sold for cash at the table so far, as the chief has it noted. `expected` by the ledger where
    every bet is logged and the cash is known; else an estimate: the rounds as far as they are known, or the
    opening with its fills and credits. `difference` = total - expected, with its sign.
    """

    class Basis(models.TextChoices):
        LEDGER = "ledger", _("según los asientos")
        ESTIMATE = "estimate", _("estimado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="float_checks")
    number = models.PositiveSmallIntegerField(_("número"))
    chips = models.JSONField(help_text="denomination in smallest units -> number of chips")
    total = models.BigIntegerField(_("contado"))
    cash = models.BigIntegerField(_("fichas vendidas en la mesa"), null=True)
    basis = models.CharField(max_length=10, choices=Basis.choices)
    expected = models.BigIntegerField(_("esperado"))
    difference = models.BigIntegerField(_("diferencia"))
    counted_by = models.ForeignKey(Staff, models.PROTECT, related_name="+")
    witnessed_by = models.ForeignKey(Staff, models.PROTECT, related_name="+")
    recorded_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    checked_at = models.DateTimeField(_("contado a las"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("control de mitad de turno")
        ordering = ["session", "number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="one_float_check_per_number"),
            models.CheckConstraint(
                name="float_check_needs_two_people", condition=~Q(counted_by=F("witnessed_by"))
            ),
            models.CheckConstraint(
                name="float_check_adds_up", condition=Q(difference=F("total") - F("expected"))
            ),
            models.CheckConstraint(
                name="float_check_by_the_ledger_names_its_cash",
                condition=Q(basis="estimate") | Q(cash__isnull=False),
            ),
        ]


class PitDuty(models.Model):
    """That a chief answers for the tables of certain pits and writes at no others; without a row, at all.

    One row a chief, kept with its history. `pits`: ids, in the order of the floor.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="pit_duties")
    user = models.OneToOneField(User, models.PROTECT, related_name="pit_duty")
    pits = ArrayField(models.BigIntegerField(), verbose_name=_("sectores"), default=list, blank=True)

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("sectores a cargo")


class ShiftNote(models.Model):
    """What a chief noted of a shift in their own words; kept apart from the figures, never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    day = models.ForeignKey(GamingDay, models.PROTECT, related_name="shift_notes")
    pit = models.ForeignKey(Pit, models.PROTECT, null=True, related_name="+")
    text = models.TextField(_("nota"))
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("por"))
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("nota de turno")
        ordering = ["at", "id"]
        constraints = [models.CheckConstraint(name="shift_note_says_something", condition=~Q(text=""))]
