"""What the unchangeable rows added up to each night: digests that the trail names (`audits.row_digests`)."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.models import Casino, GamingDay


class RowDigest(models.Model):
    """SHA-256 over the rows of one append-only table from one key to another, as they stood one night.

    `columns` are those the table had then, so that a column added later leaves it true.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    day = models.ForeignKey(GamingDay, models.PROTECT, related_name="+")
    table = models.CharField(max_length=63)
    columns = ArrayField(models.CharField(max_length=63))
    first_id = models.BigIntegerField()
    last_id = models.BigIntegerField()
    rows = models.PositiveIntegerField()
    sha256 = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("huella de filas")
        constraints = [
            models.UniqueConstraint(fields=["casino", "table", "first_id"], name="one_digest_per_first_row"),
            models.CheckConstraint(
                name="digest_covers_something", condition=models.Q(last_id__gte=models.F("first_id"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.first_id}-{self.last_id}"
