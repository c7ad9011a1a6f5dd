"""Who works when: shifts as planned and as worked, and the papers behind what people are qualified for."""

from __future__ import annotations

import datetime as dt

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import Deferrable, F, Func, Q, Value
from django.utils.translation import gettext_lazy as _

from audits.models import Actor
from audits.scope import ScopedQuerySet
from casino.kernel import clock
from casino.models import Casino
from tables.models.people import Staff

_SAME_PERSON = (Func(F("staff_id"), F("staff_id"), Value("[]"), function="int8range"), RangeOperators.EQUAL)


class Shift(models.Model):
    """One person's hours on one gaming day: planned, and as they were worked. Never two at once.

    `day` is the date of the gaming day the shift belongs to (`tables.roster.hours.gaming_day`), which need
    not be open yet. Every act on a shift is an event of its person's stream; a trigger says what may follow
    what, and fixes a shift that is over but for a correction of its actual hours.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("previsto")
        PRESENT = "present", _("presente")
        DONE = "done", _("cumplido")
        ABSENT = "absent", _("ausente")
        CANCELLED = "cancelled", _("cancelado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="shifts")
    staff = models.ForeignKey(Staff, models.PROTECT, related_name="shifts")
    day = models.DateField(_("día de juego"))
    planned = DateTimeRangeField(_("previsto"))
    actual = DateTimeRangeField(_("cumplido"), null=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PLANNED)
    duty = models.CharField(_("tarea"), max_length=60, blank=True)
    note = models.CharField(_("motivo"), max_length=500, blank=True, help_text="why absent or cancelled")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("turno de trabajo")
        ordering = ["planned", "pk"]
        constraints = [
            ExclusionConstraint(
                name="one_planned_shift_at_a_time",
                expressions=[_SAME_PERSON, ("planned", RangeOperators.OVERLAPS)],
                condition=~Q(state="cancelled"),
                deferrable=Deferrable.IMMEDIATE,  # a swap changes two rows in one statement
            ),
            ExclusionConstraint(
                name="one_actual_shift_at_a_time",
                expressions=[_SAME_PERSON, ("actual", RangeOperators.OVERLAPS)],
                condition=Q(actual__isnull=False),
            ),
            models.CheckConstraint(
                name="shift_has_both_bounds",
                condition=Q(planned__startswith__isnull=False, planned__endswith__isnull=False)
                & Q(planned__isempty=False),
            ),
            models.CheckConstraint(
                name="shift_hours_fit_its_state",
                condition=Q(state__in=("planned", "absent", "cancelled"), actual__isnull=True)
                | Q(state="present", actual__startswith__isnull=False, actual__endswith__isnull=True)
                | Q(state="done", actual__startswith__isnull=False, actual__endswith__isnull=False),
            ),
            models.CheckConstraint(
                name="shift_not_worked_says_why",
                condition=~Q(state__in=("absent", "cancelled")) | ~Q(note=""),
            ),
        ]
        indexes = [models.Index(fields=["casino", "day"]), models.Index(fields=["staff", "day"])]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"{self.staff.name} · {self.day:%Y-%m-%d}"

    @property
    def stream(self) -> str:
        return f"staff:{self.staff_id}"

    @property
    def start(self) -> dt.datetime:
        """Its planned beginning (UTC)."""
        return self.planned.lower

    @property
    def end(self) -> dt.datetime:
        """Its planned end (UTC)."""
        return self.planned.upper

    @property
    def came(self) -> dt.datetime | None:
        return self.actual.lower if self.actual else None

    @property
    def left(self) -> dt.datetime | None:
        return self.actual.upper if self.actual else None

    @property
    def on_now(self) -> bool:
        """Whether its person is in the house on it."""
        return self.state == self.State.PRESENT

    @property
    def counts(self) -> bool:
        """Whether its hours are work: planned, worked or being worked. Also an absent one keeps its person
        from another at its hours, since who comes late comes to it (`one_planned_shift_at_a_time`)."""
        return self.state in (self.State.PLANNED, self.State.PRESENT, self.State.DONE)


class Certificate(models.Model):
    """The paper that qualified a person for a game: by whom, since when and until when. Never changed.

    Which games somebody may deal is `Staff.games`, and nothing else. A certificate adds its game there,
    and its end takes force from it: somebody whose every certificate for a game has run out may not take
    a post at it (`tables.crew.demands`). A game listed without a certificate has no end.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    staff = models.ForeignKey(Staff, models.PROTECT, related_name="certificates")
    game = models.CharField(_("juego"), max_length=40)
    since = models.DateField(_("desde"))
    until = models.DateField(_("hasta"), null=True, help_text="the last day it holds; null: no end")
    certified_by = models.CharField(_("habilitado por"), max_length=120)
    document = models.CharField(_("documento"), max_length=60)
    recorded_at = models.DateTimeField(default=clock.now)
    recorded_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("habilitación")
        ordering = ["game", "-since", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["staff", "game", "document"], name="one_certificate_per_document"
            ),
            models.CheckConstraint(
                name="certificate_ends_after_it_begins", condition=Q(until=None) | Q(until__gte=F("since"))
            ),
            models.CheckConstraint(
                name="certificate_names_its_paper", condition=~Q(certified_by="") & ~Q(document="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.staff} · {self.game} · {self.document}"
