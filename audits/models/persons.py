"""People's data: who looked at whom, how long each kind is kept, what is held, and what became a pseudonym.

PersonLook      a page or file that showed somebody, and who saw it
ExportNames     whom the file of an export names, told when it was made
RetentionPeriod the years of a kind, by version; never less than REC-12 says
LegalHold       whatever happens, this one is not touched; LegalHoldEnd: lifted, by two people
ErasureOrder    two people order that what is over its period becomes pseudonyms
ErasureEnd      an order carried out; nobody waits under it
Pseudonym       the word that stands for somebody from then on; drawn by chance, it leads back to nobody
PersonalValue   what an event says of a person only as a commitment, in clear and erasable (audits.personal)
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models.exports import Export
from audits.models.trail import Actor, Event
from audits.scope import ScopedQuerySet
from casino.kernel import rulebook
from casino.models import Casino

LEAST_YEARS = int(rulebook.rule("REC-12").params["retention_years"])


class PersonLook(models.Model):
    """Somebody was shown to somebody: one row a person, thing, address, content and minute; never changed.

    `subject_id` is empty for a list, whose `shown` says how many it named, and `named` whom (`guest:12`);
    None there: it may have been anybody of the report (for a file see `ExportNames`). `report` and `about`:
    which report, and of which period, filters and page. `mark` tells two contents of one address apart.
    Casino and actor are no constraints of the database, as with `Refusal`.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="person_looks", db_constraint=False)
    at = models.DateTimeField(_("instante"))
    minute = models.DateTimeField()
    actor = models.ForeignKey(
        Actor, models.PROTECT, related_name="+", verbose_name=_("quién"), db_constraint=False
    )
    kind = models.CharField(_("clase"), max_length=20)
    subject_id = models.BigIntegerField(null=True)
    label = models.CharField(_("a quién"), max_length=120, blank=True)
    shown = models.PositiveIntegerField(_("personas"), null=True)
    named = ArrayField(models.CharField(max_length=40), null=True, verbose_name=_("a quiénes"))
    report = models.CharField(_("reporte"), max_length=60, blank=True, default="")
    about = models.CharField(_("período y filtros"), max_length=300, blank=True, default="")
    mark = models.CharField(max_length=16, blank=True, default="")
    place = models.CharField(_("dónde"), max_length=80)
    request = models.UUIDField()

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("acceso a datos")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "actor", "kind", "subject_id", "place", "mark", "minute"],
                name="one_look_a_minute",
                nulls_distinct=False,
            ),
        ]
        indexes = [
            models.Index(fields=["casino", "at"], name="look_by_time"),
            models.Index(fields=["casino", "kind", "subject_id"], name="look_by_subject"),
            GinIndex(fields=["named"], name="look_by_named"),
        ]


class ExportNames(models.Model):
    """Whom the file of an export names (`guest:12`), told when it was made; never changed.

    None: too many to tell by number. An export made before this was kept has no row.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    export = models.OneToOneField(Export, models.PROTECT, related_name="names")
    named = ArrayField(models.CharField(max_length=40), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("a quiénes nombra un archivo")
        indexes = [GinIndex(fields=["named"], name="export_by_named")]


class RetentionPeriod(models.Model):
    """How many years after it was last used a kind of data is kept; the newest row of a kind holds."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="retention_periods")
    kind = models.CharField(_("clase"), max_length=20)
    years = models.PositiveSmallIntegerField(_("años"))
    set_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("fijado por"))
    set_at = models.DateTimeField(_("fijado"))
    reason = models.CharField(_("motivo"), max_length=500)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("plazo de conservación")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="retention_not_too_short", condition=Q(years__gte=LEAST_YEARS)),
        ]


class LegalHold(models.Model):
    """Something that must stay as it is, by a document of an authority or a case of the house."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="legal_holds")
    kind = models.CharField(_("clase"), max_length=20)
    subject_id = models.BigIntegerField()
    label = models.CharField(_("sobre"), max_length=120)
    document = models.CharField(_("documento"), max_length=120)
    reason = models.CharField(_("motivo"), max_length=500)
    put_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("puesta por"))
    put_at = models.DateTimeField(_("desde"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("retención legal")
        verbose_name_plural = _("retenciones legales")
        ordering = ["-id"]
        indexes = [models.Index(fields=["casino", "kind", "subject_id"], name="hold_by_subject")]
        constraints = [
            models.CheckConstraint(name="hold_says_why", condition=~Q(document="") & ~Q(reason="")),
        ]

    @property
    def name(self) -> str:
        return f"RL-{self.pk:06d}"


class LegalHoldEnd(models.Model):
    """A hold lifted by two people with a reason; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    hold = models.OneToOneField(LegalHold, models.PROTECT, related_name="ended")
    at = models.DateTimeField(_("levantada"))
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    second = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    reason = models.CharField(_("motivo"), max_length=500)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("fin de retención legal")
        constraints = [models.CheckConstraint(name="hold_lifted_by_two", condition=~Q(by=F("second")))]


class ErasureOrder(models.Model):
    """Two people order that what was last used before a day becomes pseudonyms; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="erasure_orders")
    kind = models.CharField(_("clase"), max_length=20)
    before = models.DateField(_("sin uso desde antes de"))
    years = models.PositiveSmallIntegerField(_("años"))
    due = models.PositiveIntegerField(_("personas"))
    ordered_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("ordenó"))
    second = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("firmó también"))
    at = models.DateTimeField(_("instante"))
    reason = models.CharField(_("motivo"), max_length=500)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("orden de seudonimizar")
        verbose_name_plural = _("órdenes de seudonimizar")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="erasure_ordered_by_two", condition=~Q(ordered_by=F("second"))),
            models.CheckConstraint(name="erasure_not_too_early", condition=Q(years__gte=LEAST_YEARS)),
        ]

    @property
    def name(self) -> str:
        return f"SD-{self.pk:06d}"


class ErasureEnd(models.Model):
    """An order carried out: nobody waits under it any more. `held`: who was held then, and stays named; never
    changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    order = models.OneToOneField(ErasureOrder, models.PROTECT, related_name="ended")
    at = models.DateTimeField(_("cumplida"))
    done = models.PositiveIntegerField(_("hechas"))
    held = models.PositiveIntegerField(_("retenidas"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("orden de seudonimizar cumplida")


class Pseudonym(models.Model):
    """What stands in place of somebody from now on, in every row that named them; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20)
    subject_id = models.BigIntegerField()
    code = models.CharField(max_length=20)
    order = models.ForeignKey(ErasureOrder, models.PROTECT, related_name="pseudonyms")
    at = models.DateTimeField()

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("seudónimo")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "kind", "subject_id"], name="one_pseudonym_per_subject"
            ),
            models.UniqueConstraint(fields=["casino", "code"], name="one_subject_per_pseudonym"),
        ]


class PersonalValue(models.Model):
    """A value an event tells as `{"personal": SHA-256(salt ‖ value)}`: here in clear, until it is erased.

    Erased: salt and value are empty, and `pseudonym` says what stands there now. Without the salt the
    commitment in the chain is a number that leads to nobody.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    event = models.ForeignKey(Event, models.PROTECT, related_name="personal")
    path = models.CharField(max_length=40, help_text="the key in the event's data")
    salt = models.BinaryField(max_length=32)
    value = models.CharField(max_length=500)
    pseudonym = models.ForeignKey(Pseudonym, models.PROTECT, null=True, related_name="values")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("dato personal")
        constraints = [
            models.UniqueConstraint(fields=["event", "path"], name="one_value_per_path"),
            models.CheckConstraint(
                name="personal_value_or_pseudonym",
                condition=(Q(pseudonym=None) & ~Q(value="")) | Q(pseudonym__isnull=False, value=""),
            ),
        ]
