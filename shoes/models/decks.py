"""Decks, from the maker's box to the act that destroys them, and each time they were examined."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event, Incident
from audits.scope import ScopedQuerySet
from casino.kernel import clock
from casino.models import Casino


class Deck(models.Model):
    """One deck, in exactly one place at any instant (CARD-04).

    `state` says what it is for and `place` where it lies: a table, the inspection desk, or "" for the
    store. Both, and `shoe`, are what the newest of its moves says (`DeckMove`, which it counts in
    `move_count`); a trigger refuses anything else. `seal` is the number on its closed box, "" once opened.
    `incident`: the one that holds it. No history table: its moves are one.
    """

    class State(models.TextChoices):
        STORE = "store", _("en depósito")
        ISSUED = "issued", _("entregada, por inspeccionar")
        PASSED = "passed", _("apta")
        IN_SHOE = "in_shoe", _("en un sabot")
        RETURNED = "returned", _("de vuelta, por contar")
        QUARANTINE = "quarantine", _("en cuarentena")
        HELD = "held", _("retenida por investigación")
        WITHDRAWN = "withdrawn", _("retirada")
        CANCELLED = "cancelled", _("anulada")
        DESTROYED = "destroyed", _("destruida")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="decks")
    serial = models.CharField(_("número de serie"), max_length=40)
    maker = models.CharField(_("fabricante"), max_length=60)
    batch = models.CharField(_("lote"), max_length=40)
    deck_type = models.CharField(_("tipo de baraja"), max_length=20, default="french52")
    back_design = models.CharField(_("dibujo del reverso"), max_length=60)
    back_colour = models.CharField(_("color del reverso"), max_length=30)
    homologation = models.CharField(_("homologación AJ"), max_length=60, blank=True)
    seal = models.CharField(_("precinto"), max_length=40, blank=True)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.STORE)
    place = models.CharField(_("lugar"), max_length=20, blank=True)
    shoe = models.ForeignKey(
        "shoes.Shoe", models.PROTECT, null=True, blank=True, related_name="decks", verbose_name=_("sabot")
    )
    move_count = models.PositiveIntegerField(default=0)
    incident = models.ForeignKey(
        Incident, models.PROTECT, null=True, blank=True, related_name="decks", verbose_name=_("incidente")
    )
    registered_at = models.DateTimeField(_("ingresada"), default=clock.now)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("baraja")
        ordering = ["serial"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "serial"], name="one_deck_per_serial"),
            models.UniqueConstraint(
                fields=["casino", "seal"], condition=~Q(seal=""), name="one_deck_per_seal"
            ),
            models.CheckConstraint(
                name="deck_in_one_place",
                condition=Q(state="in_shoe", shoe__isnull=False)
                | (~Q(state="in_shoe") & Q(shoe__isnull=True)),
            ),
            # A sealed box lies in the store or was just delivered; nobody opens one elsewhere (CARD-03).
            models.CheckConstraint(name="deck_issued_somewhere", condition=~Q(state="issued") | ~Q(place="")),
        ]
        indexes = [models.Index(fields=["casino", "state"], name="deck_by_state")]

    def __str__(self) -> str:
        return self.serial


class DeckMove(models.Model):
    """One move of a deck, never changed: from what it was to what it is, where, when, by whom.

    `seq` counts the moves of a deck from 1, each beginning where the one before ended (trigger), so that a
    deck is in one place at any instant and the stock is the sum of the moves. `shoe` is the shoe it went
    into or came out of. `at` is UTC and never earlier than the move before.
    """

    class Kind(models.TextChoices):
        RECEIVED = "received", _("recibida")
        ISSUED = "issued", _("entregada")
        PASSED = "passed", _("inspeccionada, apta")
        JOINED = "joined", _("entró al sabot")
        PLAYED = "played", _("entró en juego")
        RENEWED = "renewed", _("pasó a barajarse otra vez")
        REMOVED = "removed", _("salió del sabot")
        ENDED = "ended", _("terminó su sabot")
        COUNTED = "counted", _("contada al cierre")
        GIVEN_BACK = "given_back", _("devuelta sin usar")
        SEALED = "sealed", _("precintada otra vez")
        QUARANTINED = "quarantined", _("puesta en cuarentena")
        HELD = "held", _("retenida por investigación")
        RELEASED = "released", _("liberada de la investigación")
        WITHDRAWN = "withdrawn", _("retirada")
        CANCELLED = "cancelled", _("anulada")
        DESTROYED = "destroyed", _("destruida")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    deck = models.ForeignKey(Deck, models.PROTECT, related_name="moves", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(_("movimiento"), max_length=12, choices=Kind.choices)
    was = models.CharField(max_length=10, blank=True, help_text="the state before; empty at its receipt")
    state = models.CharField(_("estado"), max_length=10, choices=Deck.State.choices)
    place = models.CharField(_("lugar"), max_length=20, blank=True)
    shoe = models.ForeignKey("shoes.Shoe", models.PROTECT, null=True, related_name="moves")
    seal = models.CharField(_("precinto"), max_length=40, blank=True)
    act = models.ForeignKey("shoes.DestructionAct", models.PROTECT, null=True, related_name="moves")
    incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="+")
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("por"))
    second = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+", verbose_name=_("con"))
    reason = models.CharField(_("motivo"), max_length=500, blank=True)
    at = models.DateTimeField(_("cuándo"))
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("movimiento de baraja")
        ordering = ["deck", "seq"]
        constraints = [models.UniqueConstraint(fields=["deck", "seq"], name="one_move_per_seq")]
        indexes = [
            models.Index(fields=["casino", "at"], name="move_by_time"),
            models.Index(fields=["event"], name="move_by_event"),
            models.Index(fields=["casino", "seal"], condition=~Q(seal=""), name="move_by_seal"),
        ]

    def __str__(self) -> str:
        return f"{self.deck_id}:{self.seq} {self.kind}"


class DeckInspection(models.Model):
    """One examination of a deck, never changed. `passed` is worked out from what was found.

    `missing`, `extra` (a second one of the deck's own), `marked`, `foreign` (of another deck) and
    `damaged` (worn, bent) hold canonical cards; `suit_order` the suits as they were presented, by letter.
    `moment`: before play, or the count at the close of `shoe` (CARD-43).
    """

    class Moment(models.TextChoices):
        OPENING = "opening", _("antes de jugar")
        CLOSING = "closing", _("al cierre")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    deck = models.ForeignKey(Deck, models.PROTECT, related_name="inspections", verbose_name=_("baraja"))
    counted = models.PositiveSmallIntegerField(_("cartas contadas"))
    by_suit_shown = models.BooleanField(_("presentada por palos"))
    backs_checked = models.BooleanField(_("reversos revisados"))
    missing = ArrayField(models.CharField(max_length=3), verbose_name=_("faltan"), default=list)
    extra = ArrayField(models.CharField(max_length=3), verbose_name=_("sobran"), default=list)
    marked = ArrayField(models.CharField(max_length=3), verbose_name=_("marcadas"), default=list)
    foreign = ArrayField(models.CharField(max_length=3), verbose_name=_("ajenas"), default=list)
    damaged = ArrayField(models.CharField(max_length=3), verbose_name=_("dañadas"), default=list)
    suit_order = models.CharField(_("orden de los palos"), max_length=8, blank=True)
    moment = models.CharField(_("momento"), max_length=10, choices=Moment.choices, default=Moment.OPENING)
    shoe = models.ForeignKey("shoes.Shoe", models.PROTECT, null=True, blank=True, related_name="inspections")
    passed = models.BooleanField(_("apta"))
    inspector = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("inspector"))
    witness = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("testigo"))
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("inspección de baraja")
        ordering = ["-at", "-id"]
        constraints = [
            # GEN-10
            models.CheckConstraint(name="inspection_by_two_people", condition=~Q(inspector=F("witness"))),
            # CARD-12, CARD-15: no deck passes with a fault, or half examined
            models.CheckConstraint(
                name="inspection_passed_without_fault",
                condition=Q(passed=False)
                | Q(
                    by_suit_shown=True,
                    backs_checked=True,
                    missing=[],
                    extra=[],
                    marked=[],
                    foreign=[],
                    damaged=[],
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deck_id} {self.at:%Y-%m-%d %H:%M}"
