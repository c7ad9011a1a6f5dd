"""The seal of a gaming day, the chains it covers, and the keys it is signed with (REC-06, REC-08).

A chain shows what was altered in it; whoever owns the database can rebuild a chain whole. The signed root
of all chains, kept by others too, is what they cannot rebuild. The private half of a key is never here:
it is a file outside the database (`audits.sealing.keys`).
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.models.trail import Actor, Stream
from audits.scope import ScopedQuerySet
from casino.models import Casino, GamingDay


class SealKey(models.Model):
    """One signing key: in use from `since` until the next one takes over.

    `document` introduces it (canonical JSON) and is signed by the key itself and by the one before it
    (`introduced_by`). Where that one was lost, two people answer for the new one, with their reason. Only
    `until` is ever written afterwards, once (trigger); made and rotated by events of `settings`.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="seal_keys")
    key_id = models.CharField(_("llave"), max_length=16)
    public_key = models.BinaryField(max_length=32)
    since = models.DateTimeField(_("desde"))
    until = models.DateTimeField(_("hasta"), null=True)
    previous = models.OneToOneField("self", models.PROTECT, null=True, related_name="next")
    document = models.BinaryField()
    signature = models.BinaryField(max_length=64, help_text="of the document, by the key itself")
    introduced_by = models.BinaryField(
        max_length=64, null=True, help_text="signature of the document by the key before it"
    )
    lost = models.BooleanField(_("la anterior se perdió"), default=False)
    reason = models.CharField(_("motivo"), max_length=500, blank=True)
    made_by = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("hecha por"))
    seconded_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("llave de sello")
        ordering = ["since", "id"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "key_id"], name="one_seal_key_per_id"),
            models.UniqueConstraint(fields=["casino"], condition=Q(until=None), name="one_seal_key_in_use"),
            models.UniqueConstraint(fields=["casino"], condition=Q(previous=None), name="one_first_seal_key"),
            models.CheckConstraint(
                name="seal_key_ends_after_it_began", condition=Q(until=None) | Q(until__gte=F("since"))
            ),
            models.CheckConstraint(
                name="seal_key_introduced_or_answered_for",
                condition=Q(previous=None, introduced_by=None, lost=False)
                | Q(previous__isnull=False, introduced_by__isnull=False, lost=False)
                | Q(previous__isnull=False, introduced_by=None, lost=True, seconded_by__isnull=False)
                & ~Q(seconded_by=F("made_by"))
                & ~Q(reason=""),
            ),
        ]

    def __str__(self) -> str:
        return self.key_id


class Seal(models.Model):
    """The seal of one closed gaming day: the root over every chain's head, signed. Never replaced."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="seals")
    day = models.OneToOneField(GamingDay, models.PROTECT, related_name="seal", verbose_name=_("día"))
    previous = models.OneToOneField("self", models.PROTECT, null=True, related_name="next")
    root = models.BinaryField(_("raíz"), max_length=32)
    leaves = models.BigIntegerField(_("cadenas"))
    previous_root = models.BinaryField(max_length=32, help_text="of the seal before it, zeros at the first")
    document = models.BinaryField(help_text="the canonical JSON that is signed")
    signature = models.BinaryField(max_length=64)
    key = models.ForeignKey(SealKey, models.PROTECT, related_name="seals", verbose_name=_("llave"))
    sealed_at = models.DateTimeField(_("sellado"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("sello del día")
        verbose_name_plural = _("sellos de los días")
        ordering = ["-day__date"]
        constraints = [
            models.UniqueConstraint(fields=["casino"], condition=Q(previous=None), name="one_first_seal"),
        ]

    def __str__(self) -> str:
        return f"{self.day}"


class SealLeaf(models.Model):
    """The head of a chain as a seal found it; only chains whose head had moved since the seal before.

    `name` is the stream's, copied: so that a stream that is deleted can still be named.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    seal = models.ForeignKey(Seal, models.PROTECT, related_name="moved")
    stream = models.ForeignKey(Stream, models.PROTECT, related_name="sealed")
    name = models.CharField(max_length=80)
    seq = models.BigIntegerField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("cadena sellada")
        constraints = [
            models.UniqueConstraint(fields=["stream", "seal"], name="one_leaf_per_stream_and_seal"),
        ]

    def __str__(self) -> str:
        return f"{self.name} #{self.seq}"
