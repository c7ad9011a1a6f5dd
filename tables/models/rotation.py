"""The plan of posts: drafts and what was made of them, who should stand where, and the ledger of fairness."""

from __future__ import annotations

import datetime as dt

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor
from audits.ranges import only
from audits.scope import ScopedQuerySet
from casino.models import Casino
from tables.models.people import Staff
from tables.models.places import Pit, Table


class RotationPlan(models.Model):
    """Who stands at which post, slot by slot: a draft until somebody applies it. Numbered by gaming day.

    `made_from` holds the whole problem as it was solved (`tables.roster.rota.stored`), `turns` who stands
    where: `[staff, number of the post in made_from, first slot, slot after the last]`. Reasons are read off
    the two. Every act is an event of the stream `roster:<day>`; a trigger says what may follow what.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("borrador")
        APPLIED = "applied", _("aplicado")
        REPLACED = "replaced", _("reemplazado")
        DROPPED = "dropped", _("descartado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="rotation_plans")
    pit = models.ForeignKey(
        Pit, models.PROTECT, null=True, related_name="+", help_text="null: the whole floor"
    )
    day = models.DateField(_("día de juego"))
    number = models.PositiveIntegerField(_("número"))
    starts = models.DateTimeField(_("desde"))
    ends = models.DateTimeField(_("hasta"))
    slot_minutes = models.PositiveSmallIntegerField(_("minutos por intervalo"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    base = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="+", help_text="changed from this"
    )
    made_from = models.JSONField()
    turns = models.JSONField()
    solver = models.CharField(max_length=10)
    measures = models.JSONField()
    made_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    applied_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    applied_at = models.DateTimeField(null=True, help_text="from when it is in force")
    reason = models.CharField(_("motivo"), max_length=500, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("plan de rotación")
        ordering = ["-day", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "day", "number"], name="one_rotation_per_number"),
            models.CheckConstraint(name="rotation_ends_after_it_starts", condition=Q(ends__gt=F("starts"))),
            models.CheckConstraint(
                name="rotation_applied_by_somebody",
                condition=Q(state__in=("draft", "dropped"), applied_by=None, applied_at=None)
                | Q(state__in=("applied", "replaced"), applied_by__isnull=False, applied_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"R-{self.day:%Y-%m-%d}-{self.number}"

    @property
    def stream(self) -> str:
        return f"roster:{self.day.isoformat()}"

    @property
    def slots(self) -> int:
        """How many slots it has."""
        return (self.ends - self.starts) // self.slot

    @property
    def slot(self) -> dt.timedelta:
        """How long a slot is."""
        return dt.timedelta(minutes=self.slot_minutes)


class PlannedTurn(models.Model):
    """One person at one post by an applied plan. `in_force`: the part of it no later plan took away, empty
    where one took all. No two plans in force put a person at two posts, nor two people at a post (FLOOR-01).
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    plan = models.ForeignKey(RotationPlan, models.PROTECT, related_name="planned")
    staff = models.ForeignKey(Staff, models.PROTECT, related_name="planned_turns")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    post = models.CharField(_("puesto"), max_length=20)
    place = models.PositiveSmallIntegerField(default=1)
    deals = models.BooleanField(help_text="the post without which the table does not play")
    during = DateTimeRangeField(_("turno"))
    in_force = DateTimeRangeField(_("vigente"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("turno previsto")
        ordering = ["during", "pk"]
        constraints = [
            ExclusionConstraint(
                name="one_planned_post_at_a_time",
                expressions=[
                    (only("staff_id"), RangeOperators.EQUAL),
                    ("in_force", RangeOperators.OVERLAPS),
                ],
            ),
            ExclusionConstraint(
                name="one_planned_dealer_per_table",
                expressions=[
                    (only("table_id"), RangeOperators.EQUAL),
                    ("in_force", RangeOperators.OVERLAPS),
                ],
                condition=Q(deals=True),
            ),
            ExclusionConstraint(
                name="one_planned_helper_per_place",
                expressions=[
                    (only("table_id"), RangeOperators.EQUAL),
                    (only("place"), RangeOperators.EQUAL),
                    ("in_force", RangeOperators.OVERLAPS),
                ],
                condition=Q(deals=False),
            ),
        ]


class FairnessEntry(models.Model):
    """One person's gaming day in one pit for the ledger of fairness: minutes really worked there, and how far
    that lies above their share by time present (`credit`, by weight). Never changed.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    staff = models.ForeignKey(Staff, models.PROTECT, related_name="fairness")
    day = models.DateField(_("día de juego"))
    pit = models.ForeignKey(Pit, models.PROTECT, related_name="+")
    minutes = models.PositiveIntegerField(_("minutos trabajados"))
    present = models.PositiveIntegerField(_("minutos presente"))
    weight = models.PositiveSmallIntegerField(_("peso del sector"), default=100)
    credit = models.IntegerField(_("crédito"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("crédito de rotación")
        ordering = ["-day", "staff", "pit"]
        constraints = [
            models.UniqueConstraint(fields=["staff", "day", "pit"], name="one_credit_per_day_and_pit")
        ]
        indexes = [models.Index(fields=["casino", "day"], name="fairness_by_day")]
