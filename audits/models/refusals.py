"""What was refused, and which rule refused it. A refused write is rolled back and leaves no event of its
own, so what stands here is the only trace of it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from audits.models.trail import Actor
from audits.scope import ScopedQuerySet
from casino.models import Casino

MOST_A_MINUTE = 10
"""Rows of one person, rule and code within one minute; the last of them says that there may have been
more."""


class Refusal(models.Model):
    """One refusal by a rule, as the page, the API or a command answered it; never changed.

    No words of it are kept, for they may name somebody: the code, the rule, the field and the address do.
    `place` is the name of the address (of the act, where there was none), `about` what the address pointed
    at. Casino and actor are no constraints of the database: a row locked by a write must not hold up an
    answer.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="refusals", db_constraint=False)
    at = models.DateTimeField(_("instante"))
    minute = models.DateTimeField(help_text="`at` without its seconds; of a job the hour")
    nth = models.PositiveSmallIntegerField(
        help_text="which of that minute; the last one stands for all after it"
    )
    actor = models.ForeignKey(
        Actor, models.PROTECT, related_name="+", verbose_name=_("quién"), db_constraint=False
    )
    rule = models.CharField(_("regla"), max_length=12)
    code = models.CharField(_("código"), max_length=60)
    field = models.CharField(_("campo"), max_length=60, blank=True)
    place = models.CharField(_("dónde"), max_length=80)
    method = models.CharField(max_length=8, blank=True)
    about = models.CharField(_("sobre"), max_length=120, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("rechazo")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "actor", "rule", "code", "minute", "nth"], name="refusals_a_minute"
            ),
            models.CheckConstraint(
                name="refusal_of_a_rule", condition=~Q(rule="") & Q(nth__gte=1, nth__lte=MOST_A_MINUTE)
            ),
        ]
        indexes = [models.Index(fields=["casino", "rule", "at"], name="refusal_by_rule")]
