"""The trail as stored: who acted, the streams, and the chained events.

Events are never changed: triggers refuse UPDATE, DELETE and TRUNCATE, check the hash and move the
stream's head (audits/migrations, docs/architecture.md).
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.kernel.permissions import Role
from casino.models import Casino, User


class Actor(models.Model):
    """Who did it: a person, a device, or a named job of ours. Never nobody."""

    class Kind(models.TextChoices):
        STAFF = "staff", _("persona")
        DEVICE = "device", _("dispositivo")
        SYSTEM = "system", _("trabajo del sistema")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="actors")
    user = models.OneToOneField(User, models.PROTECT, related_name="actor")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=120)

    class Meta:
        verbose_name = _("actor")

    def __str__(self) -> str:
        return self.name

    @property
    def roles(self) -> frozenset[Role]:
        return self.user.roles

    def as_dict(self) -> dict[str, object]:
        return {"kind": str(self.kind), "id": self.pk, "name": self.name}


class Stream(models.Model):
    """One hash chain: a table session, a shoe, a pool, the settings of a casino …"""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="streams")
    name = models.CharField(max_length=80)
    head_seq = models.BigIntegerField(default=0)
    head_hash = models.BinaryField(max_length=32, default=bytes(32))

    class Meta:
        verbose_name = _("cadena")
        constraints = [models.UniqueConstraint(fields=["casino", "name"], name="one_stream_per_name")]

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    """One fact. `body` is the canonical JSON whose bytes are hashed; the columns only index it."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="events")
    stream = models.ForeignKey(Stream, models.PROTECT, related_name="events")
    seq = models.BigIntegerField()
    occurred = models.DateTimeField(_("ocurrido"))
    recorded = models.DateTimeField(_("registrado"))
    actor = models.ForeignKey(Actor, models.PROTECT, related_name="events")
    action = models.CharField(max_length=80)
    subject_type = models.CharField(max_length=40)
    subject_id = models.BigIntegerField()
    subject_label = models.CharField(max_length=120)
    rules = ArrayField(models.CharField(max_length=20), default=list)
    request = models.UUIDField()
    body = models.BinaryField()
    previous_hash = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("evento")
        constraints = [models.UniqueConstraint(fields=["stream", "seq"], name="one_event_per_seq")]
        indexes = [
            models.Index(fields=["casino", "recorded"]),
            models.Index(fields=["subject_type", "subject_id"]),
            models.Index(fields=["request"]),
        ]

    def __str__(self) -> str:
        return f"{self.stream_id}:{self.seq} {self.action}"
