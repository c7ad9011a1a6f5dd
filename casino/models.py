"""What every room stands on: the casino, its logins, its gaming days, its series of numbers.

Nothing here knows an app of ours. Writes happen in the rooms' write functions; these classes only
store.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.hashers import acheck_password, check_password
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import connection, models
from django.utils.translation import gettext_lazy as _

from casino.kernel import clock
from casino.kernel.permissions import ROLE_NAMES, Role


class Casino(models.Model):
    """One licensed house. Every large table carries its id (architecture.md, section 6)."""

    code = models.SlugField(_("código"), max_length=20, unique=True)
    name = models.CharField(_("nombre"), max_length=120)
    licence = models.CharField(_("licencia AJ"), max_length=60, blank=True)
    zone = models.CharField(_("zona horaria"), max_length=60, default="America/La_Paz")
    cutoff = models.TimeField(_("corte del día de juego"), default=dt.time(6, 0))
    currency = models.CharField(_("moneda"), max_length=3, default="BOB")
    exponent = models.PositiveSmallIntegerField(_("decimales de la moneda"), default=2)
    denominations = ArrayField(
        models.BigIntegerField(validators=[MinValueValidator(1)]),
        verbose_name=_("denominaciones de fichas"),
        help_text=_("en unidades menores, de menor a mayor"),
    )

    class Meta:
        verbose_name = _("casino")

    def __str__(self) -> str:
        return self.name

    def gaming_day(self, instant: dt.datetime) -> dt.date:
        return clock.gaming_day(instant, self.zone, self.cutoff)


class UserManager(BaseUserManager["User"]):
    def create_user(self, username: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(username=self.model.normalize_username(username), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser):
    """A login: a person, a device, or a job of ours (which cannot log in).

    People are deactivated, never deleted: the trail names them for twenty years.
    """

    last_login = None  # logins are trail events, not a column

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="users", verbose_name=_("casino"))
    username = models.CharField(_("usuario"), max_length=60, unique=True)
    name = models.CharField(_("nombre"), max_length=120)
    role_codes = ArrayField(
        models.CharField(max_length=20, choices=[(r.value, ROLE_NAMES[r].es) for r in Role]),
        verbose_name=_("funciones"),
        default=list,
    )
    language = models.CharField(
        _("idioma"), max_length=5, choices=[("es-bo", "Español"), ("en", "English")], default="es-bo"
    )
    is_active = models.BooleanField(_("activo"), default=True)
    sessions_ended = models.PositiveIntegerField(
        default=0, editable=False, help_text="how often all that it was signed in with was ended"
    )
    created = models.DateTimeField(default=clock.now, editable=False)

    objects = UserManager()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        verbose_name = _("usuario")

    def __str__(self) -> str:
        return self.name

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a browser session is held against: it dies with the password, or when all were ended."""
        return f"{super()._get_session_auth_hash(secret)}.{self.sessions_ended}"  # type: ignore[misc]

    def check_password(self, raw_password: str | None) -> bool:
        """Whether it is the password. Django would store a stronger hash in passing; that is an act of its
        own here (`audits.people.renew_hash`): a hash that changes without its event is somebody's doing."""
        return check_password(raw_password, self.password)

    async def acheck_password(self, raw_password: str | None) -> bool:
        return await acheck_password(raw_password, self.password)

    @property
    def roles(self) -> frozenset[Role]:
        return frozenset(Role(code) for code in self.role_codes) if self.is_active else frozenset()


class GamingDay(models.Model):
    """One gaming day of one casino: open until the nightly job finds nothing that holds it."""

    class State(models.TextChoices):
        OPEN = "open", _("abierto")
        CLOSED = "closed", _("cerrado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="days")
    date = models.DateField(_("fecha"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    closed_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    held_by = models.JSONField(default=list, help_text="what kept it from closing: [{code, es, en}]")

    class Meta:
        verbose_name = _("día de juego")
        constraints = [models.UniqueConstraint(fields=["casino", "date"], name="one_gaming_day_per_date")]
        ordering = ["-date"]

    def __str__(self) -> str:
        return f"{self.date:%Y-%m-%d}"


class NumberSeries(models.Model):
    """The last number given in a gapless series (shoes, slips), one row each."""

    casino = models.ForeignKey(Casino, models.PROTECT)
    series = models.CharField(max_length=20)
    year = models.PositiveSmallIntegerField(default=0, help_text="0: the series does not restart")
    last = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["casino", "series", "year"], name="one_row_per_series"),
        ]

    @staticmethod
    def take(casino: Casino, series: str, year: int = 0) -> int:
        """The next number. Gapless: it is given back if the transaction rolls back."""
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO casino_numberseries (casino_id, series, year, last) VALUES (%s, %s, %s, 1)"
                " ON CONFLICT (casino_id, series, year)"
                " DO UPDATE SET last = casino_numberseries.last + 1 RETURNING last",
                [casino.pk, series, year],
            )
            return int(cursor.fetchone()[0])


class IdempotencyRecord(models.Model):
    """The answer already given to a request, so that sending it again changes nothing."""

    user = models.ForeignKey(User, models.PROTECT)
    key = models.CharField(max_length=200)
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=500)
    body_digest = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(null=True)
    response = models.BinaryField(null=True)
    created = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_key")]
        indexes = [models.Index(fields=["created"])]


class FailedSignIns(models.Model):
    """Attempts for a user name from an address since an instant, none of them right yet; kept for minutes,
    not a record.
    """

    username = models.CharField(max_length=60)
    address = models.GenericIPAddressField()
    count = models.PositiveSmallIntegerField()
    since = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["username", "address"], name="one_count_per_name_and_address"),
        ]
