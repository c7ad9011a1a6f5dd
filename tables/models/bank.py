"""The bank in a player's hands: each one's time with it, what went into it, how it passed on, its auctions.

Chips in a bank are the account `bank:<id>` of the ledger (records.md); `Bank.amount` beside it is their
running sum, which the proofs add up again. What was answered, bid and signed is never changed.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event
from audits.scope import ScopedQuerySet
from casino.models import Casino
from tables.models.guests import SeatTaking
from tables.models.rounds import Round
from tables.models.sessions import TableSession


class Bank(models.Model):
    """One player's (or two associates') time with the bank of a table session."""

    class State(models.TextChoices):
        AWARDED = "awarded", _("espera el depósito")
        HELD = "held", _("en juego")
        ENDED = "ended", _("terminado")

    class How(models.TextChoices):
        FIRST = "first", _("primer banco")
        TURN = "turn", _("por turno")
        RETAKE = "retake", _("retomado")
        AUCTION = "auction", _("por subasta")
        FORCED = "forced", _("adjudicado a la derecha")

    class Ending(models.TextChoices):
        LOST = "lost", _("perdió la mano")
        EXHAUSTED = "exhausted", _("perdió la mano y el banco se agotó")
        PASSED = "passed", _("lo pasó")
        REFUSED = "refused", _("no lo tomó")
        RETURNED = "returned", _("devuelto: la mesa cierra")

    LIVE = (State.AWARDED, State.HELD)

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="banks")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="banks")
    number = models.PositiveIntegerField(_("número en la sesión"))
    state = models.CharField(_("estado"), max_length=10, choices=State.choices)
    how = models.CharField(_("cómo se obtuvo"), max_length=10, choices=How.choices)
    holder = models.ForeignKey(SeatTaking, models.PROTECT, related_name="banks", verbose_name=_("banquero"))
    associate = models.ForeignKey(
        SeatTaking, models.PROTECT, null=True, related_name="+", verbose_name=_("asociado")
    )
    required = models.BigIntegerField(_("al menos"), help_text="smallest units: least first deposit")
    opening = models.BigIntegerField(_("con cuánto empezó"), default=0)
    amount = models.BigIntegerField(_("en el banco"), default=0)
    aside = models.BigIntegerField(_("apartado"), default=0, help_text="winnings taken out of play")
    deals = models.PositiveIntegerField(_("pases repartidos"), default=0)
    previous = models.ForeignKey("self", models.PROTECT, null=True, related_name="next_banks")
    begun_at = models.DateTimeField(_("adjudicado"))
    held_at = models.DateTimeField(_("depositado"), null=True)
    ended_at = models.DateTimeField(_("terminado"), null=True)
    ending = models.CharField(_("cómo terminó"), max_length=10, choices=Ending.choices, blank=True)
    left_with = models.BigIntegerField(_("se le devolvió"), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("banco")
        verbose_name_plural = _("bancos")
        ordering = ["session", "number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="one_bank_per_number"),
            models.UniqueConstraint(
                fields=["session"], condition=~Q(state="ended"), name="one_bank_at_a_time"
            ),
            models.CheckConstraint(
                name="bank_is_what_its_state_says",
                condition=Q(state="awarded", held_at=None, ended_at=None, amount=0, opening=0, ending="")
                | Q(state="held", held_at__isnull=False, ended_at=None, ending="", opening__gt=0)
                | (
                    Q(state="ended", ended_at__isnull=False, amount=0, left_with__isnull=False)
                    & ~Q(ending="")
                ),
            ),
            models.CheckConstraint(
                name="bank_never_below_nothing", condition=Q(amount__gte=0, required__gt=0, aside__gte=0)
            ),
            models.CheckConstraint(
                name="bank_covers_what_was_asked", condition=Q(opening=0) | Q(opening__gte=F("required"))
            ),
            models.CheckConstraint(
                name="bank_associate_is_another", condition=Q(associate=None) | ~Q(associate=F("holder"))
            ),
        ]

    @property
    def account(self) -> str:
        """What it holds, in the ledger."""
        return f"bank:{self.pk}"

    @property
    def public(self) -> str:
        """Where its chips come from and go to, in the ledger: the public of its table."""
        return f"players:{self.session_id}"

    @property
    def put_in(self) -> int:
        """All that was deposited in it, in smallest units; never taken out (BANK-14)."""
        return sum(self.deposits.values_list("amount", flat=True))

    @property
    def live(self) -> bool:
        return self.state in self.LIVE

    @property
    def members(self) -> tuple[int, ...]:
        """The seat takings of whoever has the bank."""
        return (self.holder_id, *((self.associate_id,) if self.associate_id else ()))


class BankDeposit(models.Model):
    """Chips a banker or the associate put into the bank; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    bank = models.ForeignKey(Bank, models.PROTECT, related_name="deposits")
    taking = models.ForeignKey(SeatTaking, models.PROTECT, related_name="+")
    amount = models.BigIntegerField(_("importe"))
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("depósito en el banco")
        ordering = ["id"]
        constraints = [models.CheckConstraint(name="bank_deposit_has_value", condition=Q(amount__gt=0))]


class BankRound(models.Model):
    """What a round did to the bank it was played against; never changed. A voided round counts no more."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    bank = models.ForeignKey(Bank, models.PROTECT, related_name="rounds")
    round = models.OneToOneField(Round, models.PROTECT, related_name="bank_round")
    before = models.BigIntegerField(_("había"))
    after = models.BigIntegerField(_("quedó"))
    deduction = models.BigIntegerField(_("deducción de la casa"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("pase del banco")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="bank_pays_no_more_than_it_holds",
                condition=Q(before__gt=0, after__gte=0, deduction__gte=0),
            )
        ]


class BankPassage(models.Model):
    """How the bank passes on once somebody left it: turn, retake, auction, forced (BANK-25)."""

    class Step(models.TextChoices):
        ROTATION = "rotation", _("se ofrece por turno")
        RETAKE = "retake", _("se ofrece a quien lo dejó")
        AUCTION = "auction", _("se subasta")
        OVER = "over", _("resuelto")

    class Result(models.TextChoices):
        TAKEN = "taken", _("tomado por turno")
        RETAKEN = "retaken", _("retomado")
        AUCTIONED = "auctioned", _("subastado")
        FORCED = "forced", _("adjudicado a la derecha")
        VACANT = "vacant", _("sin banquero")
        UNDONE = "undone", _("anulado con su pase")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="passages")
    left = models.ForeignKey(Bank, models.PROTECT, related_name="passages", verbose_name=_("banco que pasa"))
    step = models.CharField(_("paso"), max_length=10, choices=Step.choices, default=Step.ROTATION)
    least = models.BigIntegerField(_("al menos"), help_text="smallest units, for whoever takes it by turn")
    retake = models.BigIntegerField(_("para retomarlo"), help_text="smallest units (BANK-09)")
    begun_at = models.DateTimeField(_("desde"))
    ended_at = models.DateTimeField(_("hasta"), null=True)
    result = models.CharField(_("resultado"), max_length=10, choices=Result.choices, blank=True)
    to = models.ForeignKey(Bank, models.PROTECT, null=True, related_name="came_by", verbose_name=_("pasó a"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("traspaso del banco")
        verbose_name_plural = _("traspasos del banco")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session"], condition=~Q(step="over"), name="one_passage_at_a_time"
            ),
            models.CheckConstraint(
                name="passage_is_over_with_its_result",
                condition=(Q(step="over", ended_at__isnull=False) & ~Q(result=""))
                | (~Q(step="over") & Q(ended_at=None, result="")),
            ),
        ]


class BankAnswer(models.Model):
    """What a player answered when offered the bank; never changed."""

    class Answer(models.TextChoices):
        TAKE = "take", _("lo toma")
        JOINT = "joint", _("lo toma en asociación")
        DECLINE = "decline", _("no lo quiere")
        ABSENT = "absent", _("no está: pierde su lugar")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    passage = models.ForeignKey(BankPassage, models.PROTECT, related_name="answers")
    step = models.CharField(_("paso"), max_length=10, choices=BankPassage.Step.choices)
    taking = models.ForeignKey(SeatTaking, models.PROTECT, related_name="+", verbose_name=_("jugador"))
    answer = models.CharField(_("respuesta"), max_length=10, choices=Answer.choices)
    amount = models.BigIntegerField(_("por cuánto"), null=True)
    associate = models.ForeignKey(SeatTaking, models.PROTECT, null=True, related_name="+")
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))
    noted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("respuesta a la oferta del banco")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["passage", "step", "taking"], name="one_answer_per_offer"),
            models.CheckConstraint(
                name="bank_is_taken_for_an_amount",
                condition=Q(answer__in=("take", "joint"), amount__gt=0)
                | Q(answer__in=("decline", "absent"), amount=None, associate=None),
            ),
        ]


class Auction(models.Model):
    """The auction of a bank nobody took (BANK-10). Its close is the server's clock's, extended by late
    bids.
    """

    class Form(models.TextChoices):
        OUTCRY = "outcry", _("a viva voz")
        SEALED = "sealed", _("a sobre cerrado")

    class State(models.TextChoices):
        OPEN = "open", _("abierta")
        AWARDED = "awarded", _("adjudicada")
        DESERTED = "deserted", _("desierta")
        CALLED_OFF = "called_off", _("sin efecto: la mesa cierra")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="auctions")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="auctions")
    passage = models.ForeignKey(BankPassage, models.PROTECT, related_name="auctions")
    year = models.PositiveSmallIntegerField(_("año"))
    number = models.PositiveIntegerField(_("número"))
    form = models.CharField(_("forma"), max_length=10, choices=Form.choices)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.OPEN)
    minimum = models.BigIntegerField(_("puja inicial"))
    increment = models.BigIntegerField(_("incremento"))
    most = models.BigIntegerField(_("máximo"))
    chip = models.BigIntegerField(_("ficha menor"))
    window_s = models.PositiveSmallIntegerField(_("ventana final, segundos"))
    extension_s = models.PositiveSmallIntegerField(_("prórroga, segundos"))
    opened_at = models.DateTimeField(_("abierta"))
    closes_at = models.DateTimeField(_("cierra"))
    closed_at = models.DateTimeField(_("cerrada"), null=True)
    last_bid = models.PositiveIntegerField(_("pujas"), default=0)
    seed_hash = models.CharField(_("huella de la semilla"), max_length=64)
    seed = models.CharField(_("semilla"), max_length=64, blank=True)
    winner = models.ForeignKey("Bid", models.PROTECT, null=True, related_name="+", verbose_name=_("ganadora"))
    bank = models.OneToOneField(Bank, models.PROTECT, null=True, related_name="auction")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("subasta del banco")
        verbose_name_plural = _("subastas del banco")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "year", "number"], name="one_auction_per_number"),
            models.UniqueConstraint(
                fields=["session"], condition=Q(state="open"), name="one_auction_at_a_time"
            ),
            models.CheckConstraint(
                name="auction_closed_with_its_seed",
                condition=Q(state="open", closed_at=None, seed="", winner=None, bank=None)
                | (
                    Q(state="awarded", closed_at__isnull=False, winner__isnull=False, bank__isnull=False)
                    & ~Q(seed="")
                )
                | (
                    Q(state__in=("deserted", "called_off"), closed_at__isnull=False, winner=None, bank=None)
                    & ~Q(seed="")
                ),
            ),
            models.CheckConstraint(
                name="auction_has_its_figures",
                condition=Q(minimum__gt=0, increment__gt=0, most__gte=F("minimum")),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"SUB-{self.year}-{self.number:05d}"


class AuctionSecret(models.Model):
    """The seed of an auction's draw before it is revealed; shown by nothing until then. Never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    auction = models.OneToOneField(Auction, models.PROTECT, related_name="secret")
    seed = models.CharField(max_length=64)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("semilla guardada")


class AuctionSeat(models.Model):
    """Who was at the table when the auction opened, and who may not bid, by which rule; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    auction = models.ForeignKey(Auction, models.PROTECT, related_name="places")
    taking = models.ForeignKey(SeatTaking, models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField(_("asiento"))
    alias = models.CharField(_("jugador"), max_length=60)
    rule = models.CharField(_("regla"), max_length=12, blank=True, help_text="why out; blank may bid")
    why_es = models.CharField(max_length=200, blank=True)
    why_en = models.CharField(max_length=200, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("puesto en la subasta")
        ordering = ["seat"]
        constraints = [
            models.UniqueConstraint(fields=["auction", "taking"], name="one_place_per_auction"),
        ]


class Bid(models.Model):
    """A bid in its order, at the instant Sabot took it; never changed.

    `number` counts within its auction, without gaps. `together` names the earlier bid of the same instant
    and amount in an outcry, where two voices were heard at once (BANK-26). `seal` is the commitment of a
    sealed bid.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    auction = models.ForeignKey(Auction, models.PROTECT, related_name="bids")
    number = models.PositiveIntegerField(_("orden"))
    taking = models.ForeignKey(SeatTaking, models.PROTECT, related_name="+", verbose_name=_("jugador"))
    seat = models.PositiveSmallIntegerField(_("asiento"))
    amount = models.BigIntegerField(_("importe"))
    at = models.DateTimeField(_("cuándo"))
    together = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    seal = models.CharField(_("sello"), max_length=64, blank=True)
    nonce = models.CharField(max_length=32, blank=True)
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    noted_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("puja")
        ordering = ["auction", "number"]
        constraints = [
            models.UniqueConstraint(fields=["auction", "number"], name="one_bid_per_number"),
            models.CheckConstraint(name="bid_has_value", condition=Q(amount__gt=0)),
        ]


class AuctionSignature(models.Model):
    """Who signed the act of an auction, and the digest of what was signed; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    auction = models.ForeignKey(Auction, models.PROTECT, related_name="signatures")
    actor = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("firma"))
    digest = models.CharField(_("huella del acta"), max_length=64)
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("firma de un acta de subasta")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["auction", "actor"], name="one_signature_per_person_and_act"),
        ]
