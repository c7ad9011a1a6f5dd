"""Pools, their parameter versions with approvals, the tables that feed them, and what is in each.

What an act needs under the pool's lock stands on its rows (collected so far, what each fund holds); the
ledger has every movement, and the nightly proof holds one against the other.
"""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.models import Actor, Event, Filing, Incident
from audits.ranges import only
from audits.scope import ScopedQuerySet
from casino.models import Casino
from tables.models import Table


class Pool(models.Model):
    """A progressive pool (PP-22). `collected`: all bets since the version in force began; `bets`: how many
    were ever counted.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("en preparación")
        RUNNING = "running", _("en marcha")
        STOPPED = "stopped", _("detenido por falla")
        SUSPENDED = "suspended", _("suspendido")
        RETIRED = "retired", _("retirado")

    class Form(models.TextChoices):
        CREDITS = "credits", _("créditos por posición")
        CHIPS = "chips", _("ranura de fichas")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="pools")
    name = models.CharField(_("nombre"), max_length=60)
    form = models.CharField(_("cómo se apuesta"), max_length=10, choices=Form.choices)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.DRAFT)
    version = models.ForeignKey("PoolVersion", models.PROTECT, null=True, related_name="+")
    collected = models.BigIntegerField(_("recaudado"), default=0)
    bets = models.BigIntegerField(_("apuestas contadas"), default=0)
    prizes = models.PositiveIntegerField(_("premios"), default=0)
    incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="+")
    public = models.BooleanField(_("se muestra al público"), default=True)
    retired_to = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")

    history = History()
    UNVERSIONED = ("collected", "bets", "prizes")
    """What every bet and prize moves; the nightly proof holds these, and no version is made of them."""
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("pozo")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "name"], name="one_pool_per_name"),
            models.CheckConstraint(
                name="pool_never_below_nothing", condition=Q(collected__gte=0, bets__gte=0)
            ),
            models.CheckConstraint(
                name="pool_runs_by_a_version",
                condition=Q(state__in=("draft", "retired")) | Q(version__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def stream(self) -> str:
        return f"pool:{self.pk}"

    def account(self, fund: str, part: str = "players") -> str:
        """Where a fund's money is in the ledger: `part` players' or base (records.md)."""
        if part == "base":
            return f"pool:{self.pk}:base" if fund == "main" else f"pool:{self.pk}:{fund}:base"
        return f"pool:{self.pk}:{fund}"

    @property
    def commission_account(self) -> str:
        return f"commission:{self.pk}"

    @property
    def plan_account(self) -> str:
        """What left the house's pools when the last was retired, as the approved plan says."""
        return f"plan:{self.pk}"

    @property
    def house_account(self) -> str:
        """What the house has put into the pool, as a negative balance."""
        return f"house:{self.pk}"


class Fund(models.Model):
    """What is in one level or reserve of a pool now: players' money, and the house's base apart (PP-28)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="funds")
    code = models.CharField(_("fondo"), max_length=20)
    reserve = models.BooleanField(_("de reserva"), default=False)
    players = models.BigIntegerField(_("de los jugadores"), default=0)
    base = models.BigIntegerField(_("de la casa"), default=0)
    last_move = models.ForeignKey("PoolMove", models.PROTECT, null=True, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("fondo del pozo")
        ordering = ["pool", "reserve", "id"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "code"], name="one_fund_per_code"),
            models.CheckConstraint(name="fund_never_below_nothing", condition=Q(players__gte=0, base__gte=0)),
        ]

    @property
    def shown(self) -> int:
        """What the meter shows of a level."""
        return self.players + self.base


class PoolMove(models.Model):
    """Why a fund changed other than by contributions; never changed. A fund falls only with one (PP-29)."""

    class Kind(models.TextChoices):
        SEED = "seed", _("base puesta por la casa")
        RESEED = "reseed", _("vuelta a la base")
        PRIZE = "prize", _("premio")
        OVERFLOW = "overflow", _("sobre el tope")
        REJECTED = "rejected", _("premio no confirmado")
        VOID = "void", _("pase anulado")
        TRANSFER = "transfer", _("traslado aprobado")
        CORRECTION = "correction", _("corrección de una falla")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="moves")
    fund = models.ForeignKey(Fund, models.PROTECT, related_name="moves")
    kind = models.CharField(_("por qué"), max_length=10, choices=Kind.choices)
    players = models.BigIntegerField(_("de los jugadores"), help_text="signed, smallest units")
    base = models.BigIntegerField(_("de la casa"), help_text="signed, smallest units")
    after_players = models.BigIntegerField()
    after_base = models.BigIntegerField()
    bets = models.BigIntegerField(help_text="bets counted in the pool when it moved")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("movimiento del pozo")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="pool_move_moves", condition=~Q(players=0, base=0)),
        ]


class PoolVersion(models.Model):
    """Parameters of a pool (`jackpots.scheme`): drafted, approved by two departments, in force, over (PP-30).

    `params` never changes once drafted; `filing`: the approval it began under. `offsets`: fractions carried
    from the version before, in 10^-8 of the
    smallest unit, known when it begins; `collected`: what was bet while it was in force, known when it ends.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("en aprobación")
        APPROVED = "approved", _("aprobada")
        IN_FORCE = "in_force", _("vigente")
        OVER = "over", _("terminada")
        WITHDRAWN = "withdrawn", _("retirada")

    WAITING = (State.DRAFT, State.APPROVED)
    """Not begun yet, and still wanted."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("versión"))
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.DRAFT)
    params = models.JSONField(_("parámetros"))
    filing = models.ForeignKey(Filing, models.PROTECT, null=True, related_name="+", verbose_name=_("trámite"))
    author = models.ForeignKey(Actor, models.PROTECT, related_name="+", verbose_name=_("redactada por"))
    reason = models.CharField(_("motivo"), max_length=500)
    drafted_at = models.DateTimeField(_("redactada"))
    offsets = models.JSONField(null=True)
    begun_at = models.DateTimeField(_("desde"), null=True)
    ended_at = models.DateTimeField(_("hasta"), null=True)
    collected = models.BigIntegerField(_("recaudado"), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("versión del pozo")
        ordering = ["pool", "number"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "number"], name="one_pool_version_per_number"),
            models.UniqueConstraint(
                fields=["pool"], condition=Q(state="in_force"), name="one_pool_version_in_force"
            ),
            models.CheckConstraint(
                name="pool_version_is_what_its_state_says",
                condition=Q(state__in=("draft", "approved", "withdrawn"), begun_at=None, ended_at=None)
                | Q(
                    state="in_force",
                    begun_at__isnull=False,
                    offsets__isnull=False,
                    filing__isnull=False,
                    ended_at=None,
                )
                | Q(state="over", begun_at__isnull=False, ended_at__isnull=False, collected__isnull=False),
            ),
        ]


class VersionApproval(models.Model):
    """One department's approval of a version; never changed (PP-30)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    version = models.ForeignKey(PoolVersion, models.PROTECT, related_name="approvals")
    actor = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    department = models.CharField(_("departamento"), max_length=20)
    digest = models.CharField(_("huella de los parámetros"), max_length=64)
    event = models.OneToOneField(Event, models.PROTECT, related_name="+")
    at = models.DateTimeField(_("cuándo"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("aprobación de la versión")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["version", "actor"], name="one_approval_per_person"),
            models.UniqueConstraint(fields=["version", "department"], name="one_approval_per_department"),
        ]


class PoolTable(models.Model):
    """A table that feeds a pool, and since when (PP-06). A table feeds one pool at a time."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="members")
    table = models.ForeignKey(Table, models.PROTECT, related_name="pools")
    during = DateTimeRangeField(_("período"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("mesa del pozo")
        ordering = ["pool", "table", "id"]
        constraints = [
            ExclusionConstraint(
                name="one_pool_per_table",
                expressions=[
                    (only("table_id"), RangeOperators.EQUAL),
                    ("during", RangeOperators.OVERLAPS),
                ],
            ),
        ]
