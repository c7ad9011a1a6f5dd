"""The life of a seal key: made, rotated, replaced when lost. Each is introduced by a signed document.

The document says which key takes over from which, and when. It is signed by the new key (whoever brings
it holds its private half) and by the old one, so that who trusts the first can follow to the last. Where
the old one is lost nobody can sign for it: two people of two departments answer with their reason, and
whoever checks is told that trust was not handed on.
"""

from __future__ import annotations

import datetime as dt

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audits import policies, trail
from audits.by import By
from audits.models import Actor, Seal, SealKey
from audits.sealing import keys
from audits.sealing.reading import hold, key_in_use
from casino.kernel import clock, permissions
from casino.kernel.canonical import canonical
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import Casino

VERSION = 1
INTRODUCED, ROTATED, REPLACED = (
    "audits.seal_key.introduced",
    "audits.seal_key.rotated",
    "audits.seal_key.replaced",
)


@command(policies.KEEP_SEAL_KEYS, setting=True)
def make_key(*, by: By) -> SealKey:
    """The first key of a house. Raises `Conflict`, code `seal_key_exists`, where there is one."""
    hold(by.casino)
    current = key_in_use(by.casino)
    if current is not None:
        raise _exists()
    return _introduce(None, INTRODUCED, by)


@command(policies.KEEP_SEAL_KEYS, setting=True)
def rotate_key(*, by: By) -> SealKey:
    """A new key takes over, introduced by the one in use. Raises `Conflict`: `no_seal_key` where there is
    none in use or its file is not there (see `replace_lost_key`), `clock_went_back`.
    """
    hold(by.casino)
    current = key_in_use(by.casino)
    if current is None:
        raise _none_yet()
    return _introduce(current, ROTATED, by)


@command(policies.KEEP_SEAL_KEYS, setting=True)
def replace_lost_key(*, second: Actor, by: By) -> SealKey:
    """A new key takes over from one that is lost or may have been copied: two people answer for it.

    Needs a reason. Raises `NotAllowed` and `Refused` (code `second_is_first`) unless a second person,
    fit for it, agrees; `Conflict` as `rotate_key`.
    """
    by.need_reason()
    permissions.require(second, policies.SECOND_SEAL_KEY)
    if second.pk == by.actor.pk or by.actor.kind != Actor.Kind.STAFF or second.kind != Actor.Kind.STAFF:
        raise Refused(
            Text("lo firman dos personas distintas", "two different people sign it"),
            code="second_is_first",
            rule="GEN-10",
            field="second",
        )
    hold(by.casino)
    current = key_in_use(by.casino)
    if current is None:
        raise _none_yet()
    return _introduce(current, REPLACED, by, second)


def _introduce(current: SealKey | None, action: str, by: By, second: Actor | None = None) -> SealKey:
    since = clock.now()
    _refuse_clock_back(current, by.casino, since)
    private = Ed25519PrivateKey.generate()
    public = keys.raw(private.public_key())
    key_id = keys.key_id_of(public)
    said = {
        "v": VERSION,
        "casino": by.casino.code,
        "key_id": key_id,
        "public_key": public.hex(),
        "since": clock.stamp(since),
        "previous_key_id": current.key_id if current else "",
        "lost": second is not None,
    }
    document = canonical(said)
    handed_on = keys.sign_with(current, document) if current and second is None else None
    path = keys.keep(by.casino, private)
    try:
        if current is not None:
            current.until = since
            current.save(update_fields=["until"])
        key = SealKey.objects.create(
            casino=by.casino, key_id=key_id, public_key=public, since=since, previous=current,
            document=document, signature=private.sign(document), introduced_by=handed_on,
            lost=second is not None, reason=by.reason, made_by=by.actor, seconded_by=second,
        )  # fmt: skip
        told = {
            **said,
            "second": second.name if second else "",
            "second_id": second.pk if second else None,
        }
        subject = trail.Subject("seal_key", key.pk, key.key_id)
        trail.record(
            action, stream=trail.SETTINGS_STREAM, subject=subject, by=by, data=told, rules=["REC-06"]
        )
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return key


def _refuse_clock_back(current: SealKey | None, casino: Casino, since: dt.datetime) -> None:
    last = Seal.objects.filter(casino=casino).order_by("-sealed_at").values_list("sealed_at", flat=True)[:1]
    latest = max([*last, *([current.since] if current else [])], default=None)
    if latest is not None and since <= latest:
        raise Conflict(
            Text(
                f"el reloj del servidor está antes de lo último sellado ({clock.stamp(latest)}); corríjalo",
                f"the server's clock is before what was sealed last ({clock.stamp(latest)}); set it right",
            ),
            code="clock_went_back",
            rule="REC-06",
        )


def _exists() -> Conflict:
    return Conflict(
        Text(
            "el casino ya tiene llave de sello; para cambiarla use seal_key rotate",
            "the casino has a seal key already; to change it use seal_key rotate",
        ),
        code="seal_key_exists",
    )


def _none_yet() -> Conflict:
    return keys.no_key(
        Text(
            "el casino no tiene llave de sello; créela con seal_key new",
            "the casino has no seal key; make one with seal_key new",
        )
    )


explain_constraint("one_first_seal_key", _exists)
explain_constraint("one_seal_key_in_use", _exists)
