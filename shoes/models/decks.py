"""Decks, from the maker's box to the day they are withdrawn, and each time they were examined."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor
from audits.scope import ScopedQuerySet
from casino.kernel import clock
from casino.models import Casino


class Deck(models.Model):
    """One deck, in exactly one place at any instant (CARD-04): the store, a shoe, or withdrawn.

    No history table: a deck moves only through write functions, and its batch's stream tells each
    move with its author.
    """

    class State(models.TextChoices):
        STORE = "store", _("en depósito, por inspeccionar")
        PASSED = "passed", _("apta")
        IN_SHOE = "in_shoe", _("en un sabot")
        WITHDRAWN = "withdrawn", _("retirada")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="decks")
    serial = models.CharField(_("número de serie"), max_length=40)
    maker = models.CharField(_("fabricante"), max_length=60)
    batch = models.CharField(_("lote"), max_length=40)
    deck_type = models.CharField(_("tipo de baraja"), max_length=20, default="french52")
    back_design = models.CharField(_("dibujo del reverso"), max_length=60)
    back_colour = models.CharField(_("color del reverso"), max_length=30)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.STORE)
    shoe = models.ForeignKey(
        "shoes.Shoe", models.PROTECT, null=True, blank=True, related_name="decks", verbose_name=_("sabot")
    )
    registered_at = models.DateTimeField(_("ingresada"), default=clock.now)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("baraja")
        ordering = ["serial"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "serial"], name="one_deck_per_serial"),
            models.CheckConstraint(
                name="deck_in_one_place",
                condition=Q(state="in_shoe", shoe__isnull=False)
                | (~Q(state="in_shoe") & Q(shoe__isnull=True)),
            ),
        ]
        indexes = [models.Index(fields=["casino", "state"], name="deck_by_state")]

    def __str__(self) -> str:
        return self.serial


class DeckInspection(models.Model):
    """One examination of a deck, never changed. `passed` is worked out from what was found.

    `missing`, `extra` and `marked` hold canonical cards.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    deck = models.ForeignKey(Deck, models.PROTECT, related_name="inspections", verbose_name=_("baraja"))
    counted = models.PositiveSmallIntegerField(_("cartas contadas"))
    by_suit_shown = models.BooleanField(_("presentada por palos"))
    backs_checked = models.BooleanField(_("reversos revisados"))
    missing = ArrayField(models.CharField(max_length=3), verbose_name=_("faltan"), default=list)
    extra = ArrayField(models.CharField(max_length=3), verbose_name=_("sobran"), default=list)
    marked = ArrayField(models.CharField(max_length=3), verbose_name=_("marcadas"), default=list)
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
                | Q(by_suit_shown=True, backs_checked=True, missing=[], extra=[], marked=[]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deck_id} {self.at:%Y-%m-%d %H:%M}"
