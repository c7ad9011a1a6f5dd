"""Who plays and where they sit: guests known by document, exclusion lists and their matches, seats, absences,
the waiting list and requests to change place.

Documents stand here in full and nowhere else: the trail and what is made for others have them masked.
"""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from audits.history import History
from audits.models import Actor
from audits.ranges import only
from audits.scope import ScopedQuerySet
from casino.models import Casino
from tables.models.places import Table
from tables.models.sessions import TableSession


class DocumentType(models.TextChoices):
    """What a person is known by."""

    CI = "ci", _("cédula de identidad")
    FOREIGN = "foreign", _("carnet de extranjero")
    PASSPORT = "passport", _("pasaporte")


class GuestSettings(models.Model):
    """What the house asks of who sits down; one row a casino. Without it anonymous players may sit."""

    casino = models.OneToOneField(Casino, models.PROTECT, related_name="guest_settings")
    identify = models.BooleanField(_("todos se identifican"), default=False)

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("admisión")


class Guest(models.Model):
    """A player known by document. The number is normalised (`tables.guests.matching`)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="guests")
    document_type = models.CharField(_("documento"), max_length=10, choices=DocumentType.choices)
    country = models.CharField(_("país emisor"), max_length=2, default="BO")
    number = models.CharField(_("número de documento"), max_length=30)
    name = models.CharField(_("nombre"), max_length=120)
    birth_date = models.DateField(_("fecha de nacimiento"))
    note = models.CharField(_("observación"), max_length=200, blank=True)

    history = History()
    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("jugador")
        verbose_name_plural = _("jugadores")
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "document_type", "country", "number"], name="one_guest_per_document"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def stream(self) -> str:
        return f"guest:{self.pk}"


class Exclusion(models.Model):
    """An entry of an exclusion list: never changed, ended by an `ExclusionEnd` (GEN-11).

    `since` and `until` are days of the house's own zone, both included; no `until` is for good.
    """

    class Kind(models.TextChoices):
        SELF = "self", _("autoexclusión")
        AUTHORITY = "authority", _("autoridad")
        HOUSE = "house", _("casa")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exclusions")
    kind = models.CharField(_("clase"), max_length=10, choices=Kind.choices)
    document_type = models.CharField(_("documento"), max_length=10, choices=DocumentType.choices, blank=True)
    country = models.CharField(_("país emisor"), max_length=2, blank=True)
    number = models.CharField(_("número de documento"), max_length=30, blank=True)
    name = models.CharField(_("nombre"), max_length=120, blank=True)
    birth_date = models.DateField(_("fecha de nacimiento"), null=True)
    since = models.DateField(_("desde"))
    until = models.DateField(_("hasta"), null=True)
    source = models.CharField(_("documento de origen"), max_length=120)
    recorded_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(_("registrada"))

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("exclusión")
        verbose_name_plural = _("exclusiones")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="exclusion_names_somebody",
                condition=(~Q(number="") & ~Q(document_type="") & ~Q(country=""))
                | (Q(number="", document_type="", country="", birth_date__isnull=False) & ~Q(name="")),
            ),
            models.CheckConstraint(
                name="exclusion_ends_after_it_began",
                condition=Q(until=None) | Q(until__gte=F("since")),
            ),
        ]
        indexes = [models.Index(fields=["casino", "number"], name="exclusion_by_number")]

    @property
    def label(self) -> str:
        return f"EX-{self.pk:06d}"

    @property
    def stream(self) -> str:
        return f"exclusion:{self.pk}"


class ExclusionEnd(models.Model):
    """An entry taken off the list by two people with a reason; never changed."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    exclusion = models.OneToOneField(Exclusion, models.PROTECT, related_name="ended")
    at = models.DateTimeField(_("terminada"))
    by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    second = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    reason = models.CharField(_("motivo"), max_length=500)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("fin de exclusión")
        constraints = [
            models.CheckConstraint(name="exclusion_ended_by_two", condition=~Q(by=F("second"))),
        ]


class ExclusionMatch(models.Model):
    """Somebody turned away or found on the floor: a minor, or like an entry of the list (GEN-11).

    `blocked` stands for good (the document itself, a minor). `open` waits for two people: `cleared` says it
    is another person, and that pair is not asked again while `identity` stays what was compared; `confirmed`
    that it is the one.
    """

    class How(models.TextChoices):
        DOCUMENT = "document", _("mismo documento")
        NAME_BIRTH = "name_birth", _("mismo nombre y fecha de nacimiento")
        SIMILAR = "similar", _("datos parecidos")
        MINOR = "minor", _("menor de edad")

    class Where(models.TextChoices):
        SEAT = "seat", _("al sentarse")
        WAITING = "waiting", _("en la lista de espera")
        AUCTION = "auction", _("en la subasta del banco")
        FLOOR = "floor", _("ya en la sala")

    class State(models.TextChoices):
        BLOCKED = "blocked", _("impedido")
        OPEN = "open", _("por resolver")
        CLEARED = "cleared", _("otra persona")
        CONFIRMED = "confirmed", _("es la persona")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="exclusion_matches")
    guest = models.ForeignKey(Guest, models.PROTECT, related_name="matches")
    exclusion = models.ForeignKey(Exclusion, models.PROTECT, null=True, related_name="matches")
    how = models.CharField(_("coincidencia"), max_length=10, choices=How.choices)
    score = models.PositiveSmallIntegerField(_("parecido"), help_text="0 to 100")
    where = models.CharField(_("dónde"), max_length=10, choices=Where.choices)
    place = models.CharField(_("lugar"), max_length=60)
    identity = models.CharField(max_length=200, help_text="what of the guest was compared")
    state = models.CharField(_("estado"), max_length=10, choices=State.choices)
    found_at = models.DateTimeField(_("hallada"))
    found_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(_("resuelta"), null=True)
    decided_by = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    decided_with = models.ForeignKey(Actor, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(_("motivo"), max_length=500, blank=True)
    evidence = models.CharField(_("prueba vista"), max_length=200, blank=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("coincidencia")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="match_names_its_entry",
                condition=Q(how="minor", exclusion=None) | (~Q(how="minor") & Q(exclusion__isnull=False)),
            ),
            models.CheckConstraint(
                name="match_decided_by_two",
                condition=Q(
                    state__in=("blocked", "open"), decided_at=None, decided_by=None, decided_with=None
                )
                | (
                    Q(state__in=("cleared", "confirmed"), decided_at__isnull=False)
                    & Q(decided_by__isnull=False, decided_with__isnull=False)
                    & ~Q(decided_by=F("decided_with"))
                    & ~Q(reason="")
                    & ~Q(evidence="")
                ),
            ),
            models.CheckConstraint(
                name="only_a_likely_match_is_decided",
                condition=Q(state="blocked", how__in=("document", "minor"))
                | (~Q(state="blocked") & Q(how__in=("name_birth", "similar"))),
            ),
            models.UniqueConstraint(
                fields=["guest", "exclusion", "identity"],
                condition=Q(state="open"),
                name="one_open_match_per_pair",
            ),
        ]


class WaitingEntry(models.Model):
    """Somebody in the queue for a table, or for a game at any of its tables; kept by the supervisor."""

    class State(models.TextChoices):
        WAITING = "waiting", _("espera")
        CALLED = "called", _("llamado")
        SEATED = "seated", _("sentado")
        LEFT = "left", _("se retiró")
        EXPIRED = "expired", _("no se presentó")

    LIVE = ("waiting", "called")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="waiting")
    table = models.ForeignKey(Table, models.PROTECT, null=True, related_name="waiting")
    game = models.CharField(_("juego"), max_length=40)
    guest = models.ForeignKey(Guest, models.PROTECT, null=True, related_name="waiting")
    alias = models.CharField(_("alias"), max_length=30)
    party_size = models.PositiveSmallIntegerField(_("personas"), default=1)
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.WAITING)
    since = models.DateTimeField(_("desde"))
    called_at = models.DateTimeField(_("llamado"), null=True)
    ended_at = models.DateTimeField(_("hasta"), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("espera")
        ordering = ["since", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["casino", "guest", "game"],
                condition=Q(state__in=("waiting", "called"), guest__isnull=False),
                name="one_wait_per_guest_and_game",
            ),
            models.CheckConstraint(
                name="waiting_ends_when_it_ended",
                condition=Q(state__in=("waiting", "called"), ended_at=None)
                | (~Q(state__in=("waiting", "called")) & Q(ended_at__isnull=False)),
            ),
            models.CheckConstraint(name="waiting_party_is_somebody", condition=Q(party_size__gte=1)),
        ]
        indexes = [models.Index(fields=["casino", "state"], name="waiting_by_state")]


class SeatTaking(models.Model):
    """Who sat where from when to when. Nobody shares a seat, and no guest has two on the whole floor.

    `mid_round` and `mid_shoe` are what BANK-20 asks of an arrival or a change of place: whether a round was
    being played, and whether the shoe had been played from.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    session = models.ForeignKey(TableSession, models.PROTECT, related_name="takings")
    seat = models.PositiveSmallIntegerField(_("asiento"))
    guest = models.ForeignKey(Guest, models.PROTECT, null=True, related_name="takings")
    alias = models.CharField(_("alias"), max_length=30)
    during = DateTimeRangeField(_("tiempo"))
    moved_from = models.OneToOneField("self", models.PROTECT, null=True, related_name="moved_to")
    entry = models.ForeignKey(WaitingEntry, models.PROTECT, null=True, related_name="takings")
    after_round = models.PositiveIntegerField(_("después del pase"))
    mid_round = models.BooleanField(_("durante un pase"))
    mid_shoe = models.BooleanField(_("durante un sabot"))
    taken_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("asiento ocupado")
        constraints = [
            ExclusionConstraint(
                name="one_person_per_seat",
                expressions=[
                    (only("session_id"), RangeOperators.EQUAL),
                    (only("seat"), RangeOperators.EQUAL),
                    ("during", RangeOperators.OVERLAPS),
                ],
            ),
            ExclusionConstraint(
                name="one_seat_per_guest",
                expressions=[
                    (only("guest_id"), RangeOperators.EQUAL),
                    ("during", RangeOperators.OVERLAPS),
                ],
                condition=Q(guest__isnull=False),
            ),
            models.CheckConstraint(name="seat_has_a_number", condition=Q(seat__gte=1)),
        ]
        indexes = [models.Index(fields=["session", "seat"], name="taking_by_seat")]

    @property
    def open(self) -> bool:
        return bool(self.during.upper is None)


class AwayMark(models.Model):
    """A player away from their seat, which stays theirs meanwhile (BANK-23)."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    taking = models.ForeignKey(SeatTaking, models.PROTECT, related_name="away")
    during = DateTimeRangeField(_("ausencia"))
    keeps_chips = models.BooleanField(_("dejó fichas"))
    marked_by = models.ForeignKey(Actor, models.PROTECT, related_name="+")

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("ausencia")
        constraints = [
            ExclusionConstraint(
                name="one_absence_at_a_time",
                expressions=[
                    (only("taking_id"), RangeOperators.EQUAL),
                    ("during", RangeOperators.OVERLAPS),
                ],
            ),
        ]


class ChangeRequest(models.Model):
    """A seated player who asked for another place: a seat of a table, or any of it."""

    class State(models.TextChoices):
        OPEN = "open", _("pendiente")
        HONOURED = "honoured", _("cumplido")
        WITHDRAWN = "withdrawn", _("retirado")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    taking = models.ForeignKey(SeatTaking, models.PROTECT, related_name="requests")
    table = models.ForeignKey(Table, models.PROTECT, related_name="change_requests")
    seat = models.PositiveSmallIntegerField(_("asiento"), null=True)
    since = models.DateTimeField(_("desde"))
    state = models.CharField(_("estado"), max_length=10, choices=State.choices, default=State.OPEN)
    ended_at = models.DateTimeField(_("hasta"), null=True)

    objects = ScopedQuerySet.as_manager()

    class Meta:
        verbose_name = _("pedido de cambio")
        ordering = ["since", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["taking"], condition=Q(state="open"), name="one_open_request_per_player"
            ),
            models.CheckConstraint(
                name="request_ends_when_it_ended",
                condition=Q(state="open", ended_at=None) | (~Q(state="open") & Q(ended_at__isnull=False)),
            ),
        ]
