"""The ledger as stored: places where value is, and balanced movements between them.

Debit is value arriving at a place, credit is value leaving it; a balance is debits less credits.
Never changed; a deferred constraint refuses a transfer that does not sum to zero.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from audits.models.trail import Event
from casino.models import Casino


class Account(models.Model):
    """A place where value is, by its code in records.md: `tray:42`, `drop:42`, `vault` …"""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="accounts")
    code = models.CharField(max_length=60)

    class Meta:
        verbose_name = _("cuenta")
        constraints = [models.UniqueConstraint(fields=["casino", "code"], name="one_account_per_code")]

    def __str__(self) -> str:
        return self.code


class Transfer(models.Model):
    """One balanced movement of value; always the consequence of an event."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="transfers")
    event = models.ForeignKey(Event, models.PROTECT, related_name="transfers")
    kind = models.CharField(max_length=40)
    day = models.DateField(_("día de juego"))
    occurred = models.DateTimeField()
    lines = models.PositiveSmallIntegerField(
        help_text="how many postings it is made of: said first, so that none can be added afterwards"
    )

    class Meta:
        verbose_name = _("asiento")
        indexes = [models.Index(fields=["casino", "day"])]
        constraints = [
            models.CheckConstraint(name="transfer_has_two_lines", condition=models.Q(lines__gte=2)),
        ]


class Posting(models.Model):
    """One line of a transfer: so much arrives at (debit) or leaves (credit) an account."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+", db_index=False)
    transfer = models.ForeignKey(Transfer, models.PROTECT, related_name="postings")
    account = models.ForeignKey(Account, models.PROTECT, related_name="postings", db_index=False)
    debit = models.BigIntegerField(default=0)
    credit = models.BigIntegerField(default=0)
    memo = models.CharField(max_length=40)

    class Meta:
        verbose_name = _("apunte")
        constraints = [
            models.CheckConstraint(
                name="posting_is_one_positive_side",
                condition=(models.Q(debit__gt=0, credit=0) | models.Q(debit=0, credit__gt=0)),
            ),
        ]
        indexes = [models.Index(fields=["account"], include=["debit", "credit"], name="posting_by_account")]
