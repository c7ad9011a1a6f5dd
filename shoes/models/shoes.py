"""Shoes: the pack being prepared or played, where it is, and what has come out of it."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models import Actor, Event
from audits.scope import ScopedQuerySet
from casino.kernel import clock, ids
from casino.models import Casino


class Shoe(models.Model):
    """One pack from its first deck to its last card.

    `dealt` are cards out of the shoe and not yet collected, `discarded` those in the discard holder,
    `burned` those burned; with `remaining` they always make `total` (CARD-42). `seen` counts the
    cards whose face is known, burned ones included; `count_complete` turns false once a card came
    out that nobody named in full, and from then on `remaining` is the most there can be.

    No history table: every move of a shoe is an event of its own stream, `shoe:<id>`.
    """

    class State(models.TextChoices):
        ASSEMBLING = "assembling", _("en preparación")
        SHUFFLED = "shuffled", _("barajado")
        CUT = "cut", _("cortado")
        LOADED = "loaded", _("cargado")
        READY = "ready", _("listo")
        IN_PLAY = "in_play", _("en juego")
        ENDED = "ended", _("terminado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="shoes")
    number = models.BigIntegerField(_("número"))
    game = models.CharField(_("juego"), max_length=40)
    deck_type = models.CharField(_("tipo de baraja"), max_length=20)
    decks_wanted = models.PositiveSmallIntegerField(_("barajas"))
    state = models.CharField(_("estado"), max_length=12, choices=State.choices, default=State.ASSEMBLING)
    method = models.CharField(_("método"), max_length=20, blank=True, help_text="see shoes.procedures")
    renews = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="renewed_by", verbose_name=_("sigue a")
    )
    device = models.CharField(_("sabot físico"), max_length=20, blank=True)
    table_label = models.CharField(_("mesa"), max_length=20, blank=True)

    seen = models.JSONField(default=dict)
    total = models.PositiveSmallIntegerField(_("cartas"), default=0)
    dealt = models.PositiveSmallIntegerField(_("en el paño"), default=0)
    burned = models.PositiveSmallIntegerField(_("quemadas"), default=0)
    discarded = models.PositiveSmallIntegerField(_("descartadas"), default=0)
    remaining = models.PositiveSmallIntegerField(_("restantes"), default=0)
    count_complete = models.BooleanField(_("conteo completo"), default=True)
    stop_at = models.PositiveSmallIntegerField(_("detención sobre las últimas"), default=0)
    stop_reached = models.BooleanField(_("carta de detención a la vista"), default=False)
    stop_marked = models.BooleanField(_("detención señalada a mano"), default=False)

    started_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("preparado por"))
    started_at = models.DateTimeField(_("empezado"))
    ready_at = models.DateTimeField(_("listo desde"), null=True, blank=True)
    played_at = models.DateTimeField(_("en juego desde"), null=True, blank=True)
    ended_at = models.DateTimeField(_("terminado"), null=True, blank=True)
    end_reason = models.CharField(_("motivo"), max_length=200, blank=True)
    played_table = models.CharField(_("mesa en que se jugó"), max_length=20, blank=True)
    counted_at = models.DateTimeField(_("contado al cierre"), null=True, blank=True)

    told: Event | None = None
    """The event of what was just done to it, for the room above to name in its own; not stored."""

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("sabot")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "number"], name="one_shoe_per_number"),
            # CARD-42
            models.CheckConstraint(
                name="shoe_conserves_cards",
                condition=Q(total=F("dealt") + F("burned") + F("discarded") + F("remaining")),
            ),
            models.CheckConstraint(
                name="shoe_in_play_is_at_a_table",
                condition=(Q(state="in_play") & ~Q(table_label=""))
                | (~Q(state="in_play") & Q(table_label="")),
            ),
            models.UniqueConstraint(
                fields=["casino", "table_label"],
                condition=Q(state="in_play"),
                name="one_shoe_in_play_per_table",
            ),
            # CARD-46: one numbered box holds one pack
            models.UniqueConstraint(
                fields=["casino", "device"],
                condition=Q(state__in=["loaded", "ready", "in_play"]) & ~Q(device=""),
                name="one_pack_per_device",
            ),
        ]
        indexes = [models.Index(fields=["casino", "state", "game"], name="shoe_by_state")]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return ids.shoe_label(self.number)

    @property
    def stream(self) -> str:
        return f"shoe:{self.pk}"


class ShoeStep(models.Model):
    """One step of a shoe's preparation, signed, never changed. `data` as its procedure read it."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    shoe = models.ForeignKey(Shoe, models.PROTECT, related_name="steps")
    seq = models.PositiveSmallIntegerField()
    step = models.CharField(_("paso"), max_length=20)
    data = models.JSONField(default=dict)
    signed_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("firmado por"))
    at = models.DateTimeField(_("cuándo"), default=clock.now)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("paso de preparación")
        ordering = ["shoe", "seq"]
        constraints = [models.UniqueConstraint(fields=["shoe", "seq"], name="one_step_per_seq")]

    def __str__(self) -> str:
        return f"{self.shoe_id}:{self.seq} {self.step}"
