"""Where chips are and by which slip they went there: cage desks, chip sets, moves by denomination, slips.

Chips move as rows that are never changed; the stock kept beside them is their running sum, for whoever
must not give out more than there is, and the proofs add it up again.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.models import Actor, Event, Incident
from audits.scope import ScopedQuerySet
from casino.kernel import ids
from casino.models import Casino
from tables.models.people import Staff
from tables.models.sessions import TableSession


class CageDesk(models.Model):
    """A window of the cage, with chips and cash of its own: the account `cage:<number>`. A setting."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="desks")
    number = models.PositiveSmallIntegerField(_("número"))
    name = models.CharField(_("nombre"), max_length=60)
    active = models.BooleanField(_("en servicio"), default=True)

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("ventanilla de caja")
        verbose_name_plural = _("ventanillas de caja")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["casino", "number"], name="one_desk_per_number")]

    def __str__(self) -> str:
        return self.name

    @property
    def account(self) -> str:
        """The desk's place, in the ledger and in the stock of chips."""
        return f"cage:{self.number}"


class ChipSet(models.Model):
    """Chips or plaques of one make: how they are told, and which denominations they have. A setting."""

    class Kind(models.TextChoices):
        CHIP = "chip", _("fichas")
        PLAQUE = "plaque", _("placas")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="chip_sets")
    name = models.CharField(_("nombre"), max_length=60)
    kind = models.CharField(_("clase"), max_length=10, choices=Kind.choices, default=Kind.CHIP)
    marks = models.CharField(_("color y marcas"), max_length=200, blank=True)
    denominations = ArrayField(models.BigIntegerField(), verbose_name=_("denominaciones"))
    active = models.BooleanField(_("en uso"), default=True)

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("juego de fichas")
        verbose_name_plural = _("juegos de fichas")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["casino", "name"], name="one_chip_set_per_name")]

    def __str__(self) -> str:
        return self.name


class ChipEntry(models.Model):
    """Chips that came into the house or left it for good, by a document two departments signed."""

    class Kind(models.TextChoices):
        RECEIVED = "received", _("recibidas")
        WITHDRAWN = "withdrawn", _("retiradas")
        DESTROYED = "destroyed", _("destruidas")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    kind = models.CharField(_("acto"), max_length=10, choices=Kind.choices)
    chips = models.JSONField(help_text="denomination in smallest units -> number of chips")
    total = models.BigIntegerField(_("valor"))
    supplier = models.CharField(_("proveedor o destino"), max_length=120)
    document = models.CharField(_("documento"), max_length=120)
    serials = models.TextField(_("números de serie"), blank=True)
    signed_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("firma"))
    signed_with = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("y firma"))
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("ingreso o baja de fichas")
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(name="chips_entered_by_two", condition=~Q(signed_by=F("signed_with"))),
            models.CheckConstraint(name="chip_entry_has_value", condition=Q(total__gt=0)),
        ]


class ChipMove(models.Model):
    """Chips of one denomination that went from one place to another by an event; never changed.

    Places: `outside` (maker, scrap), `vault`, `cage:<number>`, `tray:<session>`, `public`.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    kind = models.CharField(_("por"), max_length=20)
    denomination = models.BigIntegerField(_("denominación"))
    number = models.PositiveIntegerField(_("fichas"))
    source = models.CharField(_("de"), max_length=40)
    target = models.CharField(_("a"), max_length=40)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("movimiento de fichas")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="chips_move_somewhere", condition=~Q(source=F("target"))),
            models.CheckConstraint(
                name="chips_move_in_number", condition=Q(number__gt=0, denomination__gt=0)
            ),
        ]
        indexes = [models.Index(fields=["casino", "source"]), models.Index(fields=["casino", "target"])]


class ChipStock(models.Model):
    """How many chips of a denomination are at a place now: the running sum of its moves.

    Below zero where a house keeps no inventory, and at tables and the public, whose chips change by play.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    place = models.CharField(max_length=40)
    denomination = models.BigIntegerField()
    number = models.BigIntegerField(default=0)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("existencia de fichas")
        constraints = [
            models.UniqueConstraint(fields=["casino", "place", "denomination"], name="one_stock_per_place")
        ]


class ChipStockCount(models.Model):
    """The chips of the vault or a desk counted by two people against their moves; never changed.

    `lines`: a list of {denomination, expected, counted}. `difference`: smallest units, with its sign.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    place = models.CharField(_("lugar"), max_length=40)
    lines = models.JSONField()
    difference = models.BigIntegerField(_("diferencia"))
    counted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("contó"))
    counted_with = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("con"))
    incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="+")
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("recuento de fichas")
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(name="chips_counted_by_two", condition=~Q(counted_by=F("counted_with")))
        ]


_GONE_OUT = ("issued", "verified")


class Slip(models.Model):
    """A fill or a credit of a table: asked for, issued by the cage, verified at the felt; or void.

    Numbered when it is asked for, so that there is no request without a number and no number without a
    slip (FLOOR-07). Its session's lock is its own; a trigger fixes what it says.
    """

    class Kind(models.TextChoices):
        FILL = "fill", _("reposición")
        CREDIT = "credit", _("retiro")

    class State(models.TextChoices):
        REQUESTED = "requested", _("pedido")
        ISSUED = "issued", _("emitido")
        VERIFIED = "verified", _("verificado")
        VOID = "void", _("anulado")

    OPEN = ("requested", "issued")
    """The states of a slip that still holds its table and its gaming day."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="slips")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="slips")
    kind = models.CharField(_("clase"), max_length=10, choices=Kind.choices)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.REQUESTED)
    year = models.PositiveSmallIntegerField(_("año"))
    number = models.PositiveIntegerField(_("número"))
    desk = models.ForeignKey(CageDesk, models.PROTECT, related_name="slips", verbose_name=_("ventanilla"))
    chips = models.JSONField(help_text="denomination in smallest units -> number of chips")
    total = models.BigIntegerField(_("total"))

    requested_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("pidió"))
    requested_at = models.DateTimeField(_("pedido"))
    issued_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("caja"))
    issued_at = models.DateTimeField(_("emitido"), null=True)
    runner = models.CharField(_("portador"), max_length=120, blank=True)
    verified_by = models.ForeignKey(
        Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("verificó")
    )
    dealer = models.ForeignKey(Staff, models.PROTECT, null=True, related_name="+", verbose_name=_("croupier"))
    verified_at = models.DateTimeField(_("verificado"), null=True)
    voided_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("anuló"))
    voided_with = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    voided_at = models.DateTimeField(_("anulado"), null=True)
    void_reason = models.CharField(_("motivo"), max_length=500, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("comprobante")
        ordering = ["-requested_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "kind", "year", "number"], name="one_slip_per_number"),
            models.CheckConstraint(name="slip_moves_something", condition=Q(total__gt=0)),
            models.CheckConstraint(
                name="slip_signed_by_different_people",
                condition=(Q(issued_by=None) | ~Q(issued_by=F("requested_by")))
                & (Q(verified_by=None) | (~Q(verified_by=F("requested_by")) & ~Q(verified_by=F("issued_by"))))
                & (Q(voided_by=None) | ~Q(voided_by=F("voided_with"))),
            ),
            models.CheckConstraint(
                name="slip_has_what_its_state_says",
                condition=(~Q(state__in=_GONE_OUT) | (Q(issued_by__isnull=False) & ~Q(runner="")))
                & (
                    Q(state="verified", verified_by__isnull=False, dealer__isnull=False)
                    | (~Q(state="verified") & Q(verified_by=None))
                )
                & (
                    (Q(state="void", voided_by__isnull=False, voided_with__isnull=False) & ~Q(void_reason=""))
                    | (~Q(state="void") & Q(voided_by=None))
                ),
            ),
        ]
        indexes = [models.Index(fields=["session", "state"]), models.Index(fields=["casino", "state"])]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return ids.slip_label(self.kind, self.year, self.number)

    @property
    def open(self) -> bool:
        """Whether it is still to be verified or voided."""
        return self.state in self.OPEN
