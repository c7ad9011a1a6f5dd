"""Staff: who may stand at a table, with licence and the games they are qualified for."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.scope import ScopedQuerySet
from casino.models import Casino, User


class Staff(models.Model):
    """A person who works in the house, on the floor or beside it. A login is optional: many croupiers never
    touch the screen. Only the floor's people take posts; others have their licence or credential, and shifts.
    """

    class Department(models.TextChoices):
        FLOOR = "floor", _("sala")
        CAGE = "cage", _("caja")
        COMPLIANCE = "compliance", _("cumplimiento")
        ADMINISTRATION = "administration", _("administración")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="staff")
    user = models.OneToOneField(User, models.PROTECT, null=True, blank=True, related_name="staff")
    number = models.CharField(_("legajo"), max_length=20)
    name = models.CharField(_("nombre"), max_length=120)
    licence = models.CharField(_("licencia"), max_length=40)
    licence_expires = models.DateField(_("licencia vence"))
    games = ArrayField(models.CharField(max_length=40), verbose_name=_("juegos"), default=list)
    supervises = models.BooleanField(_("jefe de mesa"), default=False)
    active = models.BooleanField(_("activo"), default=True)
    department = models.CharField(
        _("área"), max_length=20, choices=Department.choices, default=Department.FLOOR, db_default="floor"
    )

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("personal")
        verbose_name_plural = _("personal")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["casino", "number"], name="one_staff_per_number"),
            models.UniqueConstraint(fields=["casino", "licence"], name="one_staff_per_licence"),
        ]

    def __str__(self) -> str:
        return self.name
