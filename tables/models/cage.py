"""The cage: what its desks sold, paid and exchanged, what moved to and from the vault, each count of a
drawer.

Receipts are never changed: one made in error is reversed by a new one that names it (REC-07). With them
the money brought into the house.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.models import Actor, Event, Incident
from audits.scope import ScopedQuerySet
from casino.kernel import ids
from casino.models import Casino, GamingDay
from tables.models.sessions import TableSession
from tables.models.slips import CageDesk


class CageSettings(models.Model):
    """How the house works its cage: who bears the IPJ, how tips are shared, how long orphans wait. A setting.

    `tables.money.cage_settings.cage_of` gives it, or the defaults where none is stored.
    """

    casino = models.OneToOneField(Casino, models.PROTECT, related_name="cage_settings")
    ipj_on_top = models.BooleanField(
        _("IPJ además del precio"),
        default=True,
        help_text="False: taken out of the price, borne by the house",
    )
    orphan_days = models.PositiveSmallIntegerField(_("días de custodia"), default=90)
    tip_points = models.JSONField(_("puntos por puesto"), default=dict, help_text="post -> points an hour")

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("ajustes de caja")
        constraints = [
            models.CheckConstraint(name="orphans_wait_some_days", condition=Q(orphan_days__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.casino}"


class CageOperation(models.Model):
    """A receipt of the cage: chips sold, redeemed for cash or exchanged, a prize paid; or the void of one.
    Never changed.

    `amount`: what the chips are worth at face. `tax`: the IPJ withheld on a sale. A void has the figures of
    what it reverses, chips the other way, and counts against it. `customer` and `document`: who it was, where
    that was said; `document` is whole here and masked wherever else it is told (REC-13).
    """

    class Kind(models.TextChoices):
        SALE = "sale", _("venta de fichas")
        REDEMPTION = "redemption", _("canje por efectivo")
        EXCHANGE = "exchange", _("cambio de fichas")
        PRIZE_CASH = "prize_cash", _("premio en efectivo")
        PRIZE_CHIPS = "prize_chips", _("premio en fichas")

    class Means(models.TextChoices):
        CASH = "cash", _("efectivo")
        CARD = "card", _("tarjeta")
        TRANSFER = "transfer", _("transferencia")

    SERIES = {
        Kind.SALE.value: "V",
        Kind.REDEMPTION.value: "R",
        Kind.EXCHANGE.value: "X",
        Kind.PRIZE_CASH.value: "P",
        Kind.PRIZE_CHIPS.value: "P",
    }
    PRIZES = (Kind.PRIZE_CASH, Kind.PRIZE_CHIPS)
    VOID_SERIES = "A"

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="cage_operations")
    day = models.ForeignKey(GamingDay, models.PROTECT, related_name="+", verbose_name=_("día de juego"))
    desk = models.ForeignKey(
        CageDesk, models.PROTECT, related_name="operations", verbose_name=_("ventanilla")
    )
    kind = models.CharField(_("clase"), max_length=12, choices=Kind.choices)
    series = models.CharField(max_length=1)
    year = models.PositiveSmallIntegerField(_("año"))
    number = models.PositiveIntegerField(_("número"))
    chips_out = models.JSONField(help_text="given to the customer: denomination -> number of chips")
    chips_in = models.JSONField(help_text="taken from the customer: denomination -> number of chips")
    amount = models.BigIntegerField(_("importe"))
    tax = models.BigIntegerField(_("IPJ"), default=0)
    on_top = models.BooleanField(_("IPJ además del precio"), default=True)
    means = models.CharField(_("medio de pago"), max_length=10, choices=Means.choices, default=Means.CASH)
    tendered = models.BigIntegerField(
        _("recibido"), null=True, help_text="cash handed over, where it was said"
    )
    customer = models.CharField(_("cliente"), max_length=120, blank=True)
    document = models.CharField(_("documento"), max_length=40, blank=True)
    reference = models.CharField(_("premio"), max_length=40, blank=True)
    flagged = models.BooleanField(
        _("desde el umbral"), default=False, help_text="cash of the person's day came to the threshold"
    )
    made_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("cajero"))
    at = models.DateTimeField(_("cuándo"))
    reverses = models.OneToOneField(
        "self", models.PROTECT, null=True, related_name="reversed_by", verbose_name=_("anula")
    )
    approved_by = models.ForeignKey(
        Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("aprobó")
    )
    reason = models.CharField(_("motivo"), max_length=500, blank=True)
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("operación de caja")
        verbose_name_plural = _("operaciones de caja")
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "series", "year", "number"], name="one_receipt_per_number"
            ),
            models.CheckConstraint(name="receipt_has_value", condition=Q(amount__gt=0, tax__gte=0)),
            models.CheckConstraint(name="only_sales_are_taxed", condition=Q(kind="sale") | Q(tax=0)),
            models.UniqueConstraint(
                fields=["casino", "reference"], condition=~Q(reference=""), name="one_payment_per_prize"
            ),
            models.CheckConstraint(
                name="prize_paid_names_it",
                condition=Q(kind__in=("prize_cash", "prize_chips"), reverses=None) & ~Q(reference="")
                | (~Q(kind__in=("prize_cash", "prize_chips")) & Q(reference="")),
            ),
            models.CheckConstraint(
                name="receipt_voided_by_two",
                condition=Q(reverses=None, approved_by=None)
                | (
                    Q(series="A", reverses__isnull=False, approved_by__isnull=False)
                    & ~Q(approved_by=F("made_by"))
                    & ~Q(reason="")
                ),
            ),
        ]
        indexes = [models.Index(fields=["casino", "day"]), models.Index(fields=["desk", "-at"])]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return ids.receipt_label(self.series, self.year, self.number)

    @property
    def due(self) -> int:
        """What the customer pays for a sale, in smallest units."""
        return self.amount + (self.tax if self.on_top else 0)

    @property
    def change(self) -> int | None:
        """What is given back of the cash handed over, where it was said."""
        return None if self.tendered is None else self.tendered - self.due


class CageTransfer(models.Model):
    """Chips and cash between the vault and a desk: asked for by one person, accepted by another (slip T)."""

    class Direction(models.TextChoices):
        TO_CAGE = "to_cage", _("de bóveda a caja")
        TO_VAULT = "to_vault", _("de caja a bóveda")

    class State(models.TextChoices):
        REQUESTED = "requested", _("pedido")
        ACCEPTED = "accepted", _("aceptado")
        CANCELLED = "cancelled", _("anulado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="cage_transfers")
    desk = models.ForeignKey(CageDesk, models.PROTECT, related_name="transfers", verbose_name=_("ventanilla"))
    direction = models.CharField(_("sentido"), max_length=10, choices=Direction.choices)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.REQUESTED)
    year = models.PositiveSmallIntegerField(_("año"))
    number = models.PositiveIntegerField(_("número"))
    chips = models.JSONField(help_text="denomination -> number of chips")
    chips_total = models.BigIntegerField(_("fichas"))
    cash = models.JSONField(help_text="note or coin -> how many")
    cash_total = models.BigIntegerField(_("efectivo"))
    ipj = models.BigIntegerField(_("del cual IPJ"), default=0, help_text="withheld tax that went along")
    requested_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("pidió"))
    requested_at = models.DateTimeField(_("pedido"))
    closed_by = models.ForeignKey(
        Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("aceptó o anuló")
    )
    closed_at = models.DateTimeField(_("aceptado o anulado"), null=True)
    reason = models.CharField(_("motivo"), max_length=500, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("traspaso")
        ordering = ["-requested_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "year", "number"], name="one_transfer_per_number"),
            models.CheckConstraint(
                name="transfer_moves_something",
                condition=Q(chips_total__gte=0, cash_total__gte=0, ipj__gte=0)
                & (Q(chips_total__gt=0) | Q(cash_total__gt=0)),
            ),
            models.CheckConstraint(
                name="transfer_signed_by_two",
                condition=Q(state="requested", closed_by=None, closed_at=None)
                | (
                    Q(state="accepted", closed_by__isnull=False, closed_at__isnull=False)
                    & ~Q(closed_by=F("requested_by"))
                )
                | (Q(state="cancelled", closed_by__isnull=False, closed_at__isnull=False) & ~Q(reason="")),
            ),
        ]
        indexes = [models.Index(fields=["casino", "state"])]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return ids.receipt_label("T", self.year, self.number)


class CageCount(models.Model):
    """A desk counted by two people, chips and cash by denomination, against what it should hold. Never
    changed.

    Differences are counted less expected, with their sign; from then on the desk is held to what was counted.
    """

    class Moment(models.TextChoices):
        OPENING = "opening", _("apertura de turno")
        CHECK = "check", _("control")
        CLOSING = "closing", _("cierre de turno")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="cage_counts")
    day = models.ForeignKey(GamingDay, models.PROTECT, related_name="+", verbose_name=_("día de juego"))
    desk = models.ForeignKey(CageDesk, models.PROTECT, related_name="counts", verbose_name=_("ventanilla"))
    moment = models.CharField(_("momento"), max_length=10, choices=Moment.choices)
    chips = models.JSONField(help_text="denomination -> number of chips")
    chips_total = models.BigIntegerField(_("fichas"))
    chips_difference = models.BigIntegerField(_("diferencia de fichas"))
    chips_off = models.JSONField(default=dict, help_text="denomination -> chips more or fewer, if kept")
    cash = models.JSONField(help_text="note or coin -> how many")
    cash_total = models.BigIntegerField(_("efectivo"))
    cash_difference = models.BigIntegerField(_("diferencia de efectivo"))
    counted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("contó"))
    counted_with = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("con"))
    incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="+")
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("arqueo de caja")
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(name="desk_counted_by_two", condition=~Q(counted_by=F("counted_with"))),
        ]
        indexes = [models.Index(fields=["desk", "-at", "-id"])]


class FundMove(models.Model):
    """Money in and out of the vault beside the cage: capital, a drop carried there, to and from the bank; the
    IPJ paid on, from where it lies."""

    class Kind(models.TextChoices):
        CAPITAL = "capital", _("capital aportado")
        WITHDRAWAL = "withdrawal", _("capital retirado")
        DROP = "drop", _("caja de mesa a bóveda")
        IPJ = "ipj", _("IPJ pagado al fisco desde bóveda")
        IPJ_BANK = "ipj_bank", _("IPJ pagado al fisco desde el banco")
        FROM_BANK = "from_bank", _("del banco a bóveda")
        TO_BANK = "to_bank", _("de bóveda al banco")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="fund_moves")
    day = models.ForeignKey(GamingDay, models.PROTECT, related_name="+", verbose_name=_("día de juego"))
    kind = models.CharField(_("clase"), max_length=12, choices=Kind.choices)
    amount = models.BigIntegerField(_("importe"))
    session = models.OneToOneField(TableSession, models.PROTECT, null=True, related_name="drop_carried")
    document = models.CharField(_("documento"), max_length=120)
    signed_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("firma"))
    signed_with = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("y firma"))
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("movimiento de fondos")
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(
                name="funds_moved_by_two", condition=Q(amount__gt=0) & ~Q(signed_by=F("signed_with"))
            ),
            models.CheckConstraint(
                name="drop_names_its_session",
                condition=Q(kind="drop", session__isnull=False) | (~Q(kind="drop") & Q(session=None)),
            ),
        ]
