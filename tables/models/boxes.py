"""Drop boxes: which box lay at which table, who took it off, what two teams found in it (FLOOR-11).

A box is a thing with a number on it; a row here is one use of it, from the table to the count that
settled it. What a count found is kept out of every list until both counts are in (`tables.money.box_counts`).
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Incident
from audits.scope import ScopedQuerySet
from casino.models import Casino
from tables.models.sessions import ChipCount, TableSession


class DropBox(models.Model):
    """One use of a box at a session. `amount`: what it held, in smallest units, once that is settled."""

    class Kind(models.TextChoices):
        DROP = "drop", _("caja de efectivo")
        DEDUCTION = "deduction", _("caja de deducciones")

    class State(models.TextChoices):
        ON_TABLE = "on_table", _("en la mesa")
        REMOVED = "removed", _("retirada")
        RECEIVED = "received", _("en la sala de recuento")
        COUNTED_ONCE = "counted_once", _("contada una vez")
        DIFFERS = "differs", _("los recuentos difieren")
        SETTLED = "settled", _("contada")

    class How(models.TextChoices):
        """What settled it."""

        EQUAL = "equal", _("dos recuentos iguales")
        THIRD = "third", _("un tercer recuento igual a uno de los dos")
        RESOLVED = "resolved", _("decisión de dos personas")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="boxes")
    number = models.CharField(_("número de la caja"), max_length=20)
    kind = models.CharField(_("clase"), max_length=10, choices=Kind.choices, default=Kind.DROP)
    state = models.CharField(max_length=12, choices=State.choices, default=State.ON_TABLE)
    put_on_at = models.DateTimeField(_("puesta"), null=True, help_text="null: registered when taken off")
    put_on_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    removed_at = models.DateTimeField(_("retirada"), null=True)
    removed_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    removed_with = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    seal = models.CharField(_("precinto"), max_length=40, blank=True, default="")
    received_at = models.DateTimeField(_("recibida"), null=True)
    received_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    seal_found = models.CharField(_("precinto leído"), max_length=40, blank=True, default="")
    settled_at = models.DateTimeField(null=True)
    amount = models.BigIntegerField(_("importe"), null=True)
    how = models.CharField(max_length=10, choices=How.choices, blank=True, default="")
    incident = models.ForeignKey(
        Incident, models.PROTECT, null=True, related_name="+", help_text="why its two counts differ"
    )

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("caja")
        ordering = ["session_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "number"], condition=~Q(state="settled"), name="one_use_of_a_box_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["session", "kind"],
                condition=Q(state="on_table"),
                name="one_box_of_a_kind_on_the_table",
            ),
            models.CheckConstraint(
                name="box_removed_by_two",
                condition=Q(state="on_table", removed_at=None)
                | (
                    Q(removed_at__isnull=False, removed_by__isnull=False, removed_with__isnull=False)
                    & ~Q(removed_by=F("removed_with"))
                    & ~Q(seal="")
                ),
            ),
            models.CheckConstraint(
                name="settled_box_has_its_amount",
                condition=Q(state="settled", amount__gte=0, settled_at__isnull=False) & ~Q(how="")
                | ~Q(state="settled") & Q(amount=None, settled_at=None, how=""),
            ),
        ]
        indexes = [models.Index(fields=["casino", "state"])]

    def __str__(self) -> str:
        return self.number

    @property
    def settled(self) -> bool:
        return self.state == self.State.SETTLED


class BoxCount(models.Model):
    """What one team found in a box. Nobody is shown it before the second count is in (FLOOR-11).

    `contents`: currency -> denomination in its smallest units -> number; `CHIP` are the house's own chips.
    `rates`: currency -> ten-thousandths of a unit of the house's money that one unit of it is worth.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    box = models.ForeignKey(DropBox, models.PROTECT, related_name="counts")
    nth = models.PositiveSmallIntegerField(_("recuento"))
    contents = models.JSONField()
    documents = models.JSONField(help_text="vouchers and papers: kind, number, amount in smallest units")
    rates = models.JSONField()
    total = models.BigIntegerField()
    salt = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64, help_text="SHA-256 of salt and what was found, in hex")
    recorded_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    counted_at = models.DateTimeField()

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("recuento de caja")
        ordering = ["box_id", "nth"]
        constraints = [
            models.UniqueConstraint(fields=["box", "nth"], name="one_count_of_a_box_per_turn"),
            models.CheckConstraint(name="box_counted_at_most_thrice", condition=Q(nth__range=(1, 3))),
        ]


class BoxCounter(models.Model):
    """Somebody of a team that counted a box: nobody is in two teams of one box (FLOOR-11)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    box = models.ForeignKey(DropBox, models.PROTECT, related_name="+")
    count = models.ForeignKey(BoxCount, models.PROTECT, related_name="team")
    person = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    records = models.BooleanField(default=False)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("quien contó una caja")
        constraints = [
            models.UniqueConstraint(fields=["box", "person"], name="one_team_per_person_and_box"),
        ]


class CountRate(models.Model):
    """What one unit of a currency is worth when boxes are counted, in ten-thousandths of a unit of the
    house's money, from an instant on."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    currency = models.CharField(_("moneda"), max_length=3)
    rate = models.BigIntegerField(_("tipo de cambio"))
    since = models.DateTimeField(_("desde"))
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("tipo de cambio del recuento")
        ordering = ["currency", "-since", "-id"]
        constraints = [models.CheckConstraint(name="count_rate_is_positive", condition=Q(rate__gt=0))]


class OpeningDifference(models.Model):
    """What an opening count shows beyond the previous closing, with its sign by denomination (FLOOR-05)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.OneToOneField(TableSession, models.PROTECT, related_name="opening_difference")
    previous = models.ForeignKey(ChipCount, models.PROTECT, related_name="+")
    chips = models.JSONField(help_text="denomination in smallest units -> chips more (+) or fewer (-)")
    total = models.BigIntegerField(help_text="in smallest units, signed")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("diferencia de apertura")
