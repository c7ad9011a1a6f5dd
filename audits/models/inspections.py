"""The AJ's inspector (REC-11): codes that end by themselves, visits, draws, his own counts and what he read.

Every act on a code is an event of its person's stream, every act of a visit one of `inspection:<id>`.
"""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q
from django.utils.translation import gettext_lazy as _

from audits.models.trail import Actor
from audits.ranges import only
from audits.scope import ScopedQuerySet
from casino.models import Casino, User


class AccessTerms(models.Model):
    """How long inspectors' codes last from here on; the newest is in force. Append-only."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    default_hours = models.PositiveSmallIntegerField(_("horas de un código"))
    longest_hours = models.PositiveSmallIntegerField(_("horas como máximo"))
    set_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    set_at = models.DateTimeField()

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("plazo de los códigos de inspector")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="code_lasts_within_its_limit",
                condition=Q(default_hours__gte=1) & Q(longest_hours__gte=F("default_hours")),
            )
        ]

    def __str__(self) -> str:
        return f"{self.default_hours}/{self.longest_hours} h"


class InspectorAccess(models.Model):
    """A code given to one inspector for a time. `secret` is its hash; `selector` finds it. `entries`: how
    often it was used, `attempts`: how often something else was typed. Only those and its end move on."""

    class State(models.TextChoices):
        GIVEN = "given", _("vigente")
        LOCKED = "locked", _("bloqueado")
        REVOKED = "revoked", _("revocado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    user = models.ForeignKey(User, models.PROTECT, related_name="accesses", verbose_name=_("inspector"))
    credential = models.CharField(_("credencial de la AJ"), max_length=20)
    selector = models.CharField(max_length=4, unique=True)
    secret = models.CharField(max_length=200)
    valid_from = models.DateTimeField(_("desde"))
    valid_until = models.DateTimeField(_("hasta"))
    entries_allowed = models.PositiveSmallIntegerField(_("entradas"), default=1)
    entries = models.PositiveSmallIntegerField(_("usado"), default=0)
    attempts = models.PositiveSmallIntegerField(_("intentos fallidos"), default=0)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.GIVEN)
    given_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("dado por"))
    given_at = models.DateTimeField(_("dado"))
    last_entry_at = models.DateTimeField(_("última entrada"), null=True)
    locked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("acceso de inspector")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="access_ends", condition=Q(valid_from__lt=F("valid_until"))),
            models.CheckConstraint(
                name="access_entered_no_more_than_allowed",
                condition=Q(entries_allowed__gte=1, entries__lte=F("entries_allowed")),
            ),
            models.CheckConstraint(
                name="access_is_what_its_state_says",
                condition=(Q(state="revoked", revoked_at__isnull=False, revoked_by__isnull=False))
                | Q(~Q(state="revoked"), revoked_at=None, revoked_by=None),
            ),
            ExclusionConstraint(
                name="one_access_at_a_time",
                expressions=[
                    (only("user"), RangeOperators.OVERLAPS),
                    (
                        Func(
                            "valid_from",
                            "valid_until",
                            function="tstzrange",
                            output_field=DateTimeRangeField(),
                        ),
                        RangeOperators.OVERLAPS,
                    ),
                ],
                condition=~Q(state="revoked"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.credential} {self.selector}"


class InspectorLook(models.Model):
    """What an inspector read, once per gaming day and address. Append-only."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    actor = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    day = models.DateField()
    path = models.CharField(max_length=300)
    at = models.DateTimeField()

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("consulta de inspector")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["actor", "day", "path"], name="one_look_per_day_and_address")
        ]

    def __str__(self) -> str:
        return self.path


class Inspection(models.Model):
    """One visit of an inspector: opened, and closed with what he remarks."""

    class State(models.TextChoices):
        OPEN = "open", _("abierta")
        CLOSED = "closed", _("cerrada")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="inspections")
    year = models.PositiveSmallIntegerField(_("año"))
    number = models.PositiveIntegerField(_("número"))
    day = models.DateField(_("día de juego"))
    inspector = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("inspector"))
    opened_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("abierta por"))
    opened_at = models.DateTimeField(_("abierta"))
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.OPEN)
    remarks = models.TextField(_("observaciones"), blank=True)
    closed_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", null=True)
    closed_at = models.DateTimeField(_("cerrada"), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("inspección")
        verbose_name_plural = _("inspecciones")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "year", "number"], name="one_inspection_per_number"),
            models.UniqueConstraint(
                fields=["inspector"], condition=Q(state="open"), name="one_open_inspection_per_inspector"
            ),
            models.CheckConstraint(
                name="inspection_is_what_its_state_says",
                condition=Q(state="open", closed_at=None, closed_by=None, remarks="")
                | Q(state="closed", closed_at__isnull=False, closed_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"AI-{self.year}-{self.number:04d}"

    @property
    def stream(self) -> str:
        return f"inspection:{self.pk}"


class InspectionDraw(models.Model):
    """Tables drawn within a visit: announced with the hash of its seed, then drawn with the inspector's word.

    `candidates`: `[id, label, days, times, weight]` each; `picks`: `[total, number, id]` each
    (`audits.inspections.draw`). The seed is told to nobody before it is drawn.
    """

    class State(models.TextChoices):
        ANNOUNCED = "announced", _("anunciado")
        DRAWN = "drawn", _("sorteado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    inspection = models.ForeignKey(Inspection, models.PROTECT, related_name="draws")
    number = models.PositiveSmallIntegerField(_("sorteo"))
    day = models.DateField(_("día de juego"))
    open_only = models.BooleanField(_("sólo mesas abiertas"), default=True)
    wanted = models.PositiveSmallIntegerField(_("mesas"))
    candidates = models.JSONField()
    digest = models.CharField(max_length=64)
    seed = models.CharField(max_length=64)
    seed_hash = models.CharField(max_length=64)
    reason = models.CharField(_("motivo"), max_length=500, blank=True)
    announced_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    announced_at = models.DateTimeField(_("anunciado"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.ANNOUNCED)
    word = models.CharField(_("palabra del inspector"), max_length=80, blank=True)
    picks = models.JSONField(default=list)
    drawn_at = models.DateTimeField(_("sorteado"), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("sorteo de mesas")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["inspection", "number"], name="one_draw_per_number"),
            models.UniqueConstraint(
                fields=["inspection"], condition=Q(state="announced"), name="one_draw_announced_at_a_time"
            ),
            # REC-11: nobody draws again for another result without saying why
            models.UniqueConstraint(
                fields=["casino", "day"], condition=Q(reason=""), name="one_draw_per_day_without_a_reason"
            ),
            models.CheckConstraint(
                name="draw_is_what_its_state_says",
                condition=Q(state="announced", word="", drawn_at=None)
                | Q(~Q(word=""), state="drawn", drawn_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"{self.inspection.label}/{self.number}"


class InspectionCount(models.Model):
    """What the inspector counted himself, and what the house expected when he recorded it. Append-only.

    `pieces`: chips by denomination, as JSON, where chips were counted; `aside`: what the table had noted
    besides (chips sold for cash). `table`: the floor's own id of the table it was about.
    """

    class Unit(models.TextChoices):
        CHIPS = "chips", _("fichas")
        CARDS = "cards", _("cartas")
        MONEY = "money", _("importe")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    inspection = models.ForeignKey(Inspection, models.PROTECT, related_name="counts")
    number = models.PositiveSmallIntegerField(_("conteo"))
    day = models.DateField(_("día de juego"))
    kind = models.CharField(_("clase"), max_length=40)
    unit = models.CharField(max_length=10, choices=Unit.choices)
    subject_type = models.CharField(max_length=20)
    subject_id = models.BigIntegerField()
    subject_label = models.CharField(_("sobre"), max_length=120)
    table = models.BigIntegerField(null=True)
    table_label = models.CharField(_("mesa"), max_length=20, blank=True)
    pieces = models.JSONField(default=dict)
    aside = models.BigIntegerField(null=True)
    total = models.BigIntegerField(_("contado"))
    expected = models.BigIntegerField(_("esperado"))
    difference = models.BigIntegerField(_("diferencia"))
    facts = models.JSONField(default=dict)
    reason = models.CharField(_("motivo"), max_length=500, blank=True)
    counted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    counted_at = models.DateTimeField(_("contado"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("conteo de inspección")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["inspection", "number"], name="one_count_per_number"),
            models.UniqueConstraint(
                fields=["inspection", "kind", "subject_id"],
                condition=Q(reason=""),
                name="one_count_per_thing_without_a_reason",
            ),
            models.CheckConstraint(
                name="count_differs_by_its_difference",
                condition=Q(total__gte=0, difference=F("total") - F("expected")),
            ),
        ]
        indexes = [models.Index(fields=["casino", "table", "day"], name="count_by_table")]

    def __str__(self) -> str:
        return f"{self.inspection_id} {self.number}"


class InspectionAnswer(models.Model):
    """What the house says to a count: it signs, or objects and says why. Append-only, once."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    count = models.OneToOneField(InspectionCount, models.PROTECT, related_name="answer")
    agrees = models.BooleanField(_("conforme"))
    words = models.TextField(_("objeción"), blank=True)
    signed_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("por la casa"))
    signed_at = models.DateTimeField(_("firmado"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("firma de la casa")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="objection_says_why", condition=Q(agrees=True) | ~Q(words=""))
        ]

    def __str__(self) -> str:
        return f"{self.count_id}"
