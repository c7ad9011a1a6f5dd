"""By whom, in answer to which request, when it happened and why: what every write function is told."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from audits.models import Actor
from casino.kernel import clock, ids, texts
from casino.kernel.commands import one_transaction
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from casino.kernel.words import Text, same
from casino.models import Casino, User

CLOCK_SKEW = dt.timedelta(minutes=5)
LONGEST_REASON = 500
JOB_LOGIN = "system:"
"""How the user name of a job's login begins, and nobody else's."""


@dataclass(frozen=True, slots=True)
class By:
    """`occurred_at` is UTC; `reason` is required where settings or corrections are written.

    Raises `Refused` (code `reason_too_long`) beyond `LONGEST_REASON` characters.
    """

    actor: Actor
    request_id: uuid.UUID
    occurred_at: dt.datetime
    reason: str = ""

    def __post_init__(self) -> None:
        if len(self.reason) > LONGEST_REASON:
            raise Refused(
                Text(
                    f"el motivo tiene como máximo {LONGEST_REASON} caracteres",
                    f"the reason has at most {LONGEST_REASON} characters",
                ),
                code="reason_too_long",
                field="reason",
            )

    @property
    def casino(self) -> Casino:
        return self.actor.casino

    def by_the_clock(self) -> By:
        """The same, happening now whatever was stated: settings are changed when they are recorded."""
        return replace(self, occurred_at=clock.now())

    def because(self, reason: str) -> By:
        return replace(self, reason=reason)

    def need_reason(self) -> str:
        """The reason, or a refusal when nobody gave one."""
        if not texts.says_something(self.reason):
            raise Refused(
                Text("indique el motivo del cambio", "state the reason for the change"),
                code="reason_missing",
                field="reason",
            )
        return self.reason.strip()


def by_user(
    user: User,
    *,
    request_id: uuid.UUID | None = None,
    occurred_at: dt.datetime | None = None,
    reason: str = "",
) -> By:
    """`By` for a login. An `occurred_at` in the future (beyond 5 min of skew) is refused."""
    instant = clock.now()
    if occurred_at is not None and occurred_at > instant + CLOCK_SKEW:
        raise Refused(
            Text(
                "la hora indicada está en el futuro; revise el reloj del equipo",
                "the stated time is in the future; check the device's clock",
            ),
            code="occurred_in_future",
            field="occurred_at",
        )
    return By(user.actor, request_id or ids.new_request_id(), occurred_at or instant, reason)


JOB_NAMES: dict[str, Text] = {
    "nightly-close": Text("cierre nocturno", "nightly close"),
    "day-seal": Text("sello de los días", "sealing of the days"),
    "nightly-proof": Text("prueba nocturna de los registros", "nightly proof of the records"),
    "exports": Text("producción de reportes", "report production"),
    "import-rounds": Text("importación de pases", "import of rounds"),
    "floor-watch": Text("vigilancia de la sala", "floor watch"),
    "card-watch": Text("vigilancia de las cartas", "card watch"),
    "limits-plan": Text("plan de límites", "limits plan"),
    "rotation": Text("reparto de la rotación", "rotation ledger"),
    "pool-proof": Text("prueba de los pozos", "proof of the pools"),
    "pool-approvals": Text("vigencia de las aprobaciones de los pozos", "validity of the pools' approvals"),
    "auctions": Text("cierre de subastas", "closing of auctions"),
    "people-data": Text("datos personales", "people's data"),
    "inspector-codes": Text("códigos de inspector", "inspectors' codes"),
    "setup": Text("puesta en marcha", "setting up"),
    "demo": Text("demostración", "demonstration"),
}
"""What the jobs of the house are called."""


def name_of(actor: Actor) -> Text:
    """Who acted, as people read it: a person's own name, a job's in words."""
    words = JOB_NAMES.get(actor.name) if actor.kind == Actor.Kind.SYSTEM else None
    return words or same(actor.name)


def by_system(casino: Casino, job: str, *, reason: str = "") -> By:
    """`By` for a named job of ours (`nightly-close`, `demo`); its login is made on first use."""
    username = f"{JOB_LOGIN}{casino.code}:{job}"
    actor = Actor.objects.select_related("user", "casino").filter(user__username=username).first()
    if actor is None:
        actor = _enrol(casino, job, username)
    return By(actor, ids.new_request_id(), clock.now(), reason)


def _enrol(casino: Casino, job: str, username: str) -> Actor:
    """The login and actor of a job, with the event that tells of it, by the job itself."""
    from audits import credentials, trail  # trail stands on this module

    with one_transaction():
        user, made = User.objects.get_or_create(
            username=username,
            defaults={"casino": casino, "name": job, "role_codes": [Role.SYSTEM.value], "password": "!"},
        )
        actor, _ = Actor.objects.get_or_create(
            user=user, defaults={"casino": casino, "kind": Actor.Kind.SYSTEM, "name": job}
        )
        if made:
            trail.record(
                "audits.user.created",
                stream=trail.SETTINGS_STREAM,
                subject=trail.Subject("actor", actor.pk, actor.name),
                by=By(actor, ids.new_request_id(), clock.now()),
                data={
                    "username": username,
                    "roles": user.role_codes,
                    "kind": actor.kind,
                    **credentials.commitment(user),
                },
            )
    return actor


def out_of_order(casino: Casino, earliest: dt.datetime) -> Refused:
    """What is answered when the stated time lies before what is recorded already."""
    shown = earliest.astimezone(ZoneInfo(casino.zone))
    return Refused(
        Text(
            f"la hora indicada es anterior a lo último registrado; puede ser desde {shown:%Y-%m-%d %H:%M:%S}",
            f"the stated time is before the latest on record; it may be {shown:%Y-%m-%d %H:%M:%S} or later",
        ),
        code="occurred_out_of_order",
        field="occurred_at",
        detail={"earliest": clock.stamp(earliest)},
    )
