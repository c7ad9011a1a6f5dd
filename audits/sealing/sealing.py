"""Sealing closed days, in order, each once: the heads of all chains in one tree, its root signed (REC-06).

The heads are read by one statement, so they are of one moment while the house is at work: what an act
wrote in two chains is in the seal whole or not at all. A day that cannot be sealed waits, its reason on
the trail once; nothing is lost by it, the job tries again. Safe to run twice and at once.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import DatabaseError, connection

from audits import policies, trail
from audits.by import By, by_system
from audits.models import Event, Seal, SealKey, SealLeaf
from audits.sealing import keys, merkle
from audits.sealing.chains import unsound
from audits.sealing.reading import hold, in_order, latest_seal
from casino.kernel import clock, locking
from casino.kernel.canonical import canonical
from casino.kernel.commands import command
from casino.kernel.errors import Busy, Conflict, SabotError
from casino.kernel.words import Text
from casino.models import Casino, GamingDay

log = logging.getLogger(__name__)

JOB = "day-seal"
STREAM = "days"
VERSION = 1
SEALED, WAITS = "audits.day.sealed", "audits.day.seal_waits"
_HEADS = """
SELECT st.id, st.name, st.head_seq, st.head_hash, l.seq IS DISTINCT FROM st.head_seq
FROM audits_stream st LEFT JOIN (
    SELECT DISTINCT ON (l.stream_id) l.stream_id, l.seq FROM audits_sealleaf l
    JOIN audits_seal s ON s.id = l.seal_id WHERE s.casino_id = %(casino)s ORDER BY l.stream_id, l.seq DESC
) l ON l.stream_id = st.id
WHERE st.casino_id = %(casino)s AND st.head_seq > 0
"""


@dataclass(frozen=True, slots=True)
class Head:
    """A chain as it stands: `moved` since the last seal or not."""

    stream_id: int
    name: str
    seq: int
    hash: bytes
    moved: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a house's closed days: sealed ones in order, and the one that waits, with its reason."""

    casino: Casino
    sealed: tuple[Seal, ...]
    waits: GamingDay | None = None
    why: Text | None = None


Hold = Callable[[GamingDay], Text | None]
_holds: list[Hold] = []


def register_hold(held_by: Hold) -> None:
    """Have `held_by(day)` asked before a day is sealed: what of the day is still open, in words, or None.
    Register at start-up; safe twice."""
    if held_by not in _holds:
        _holds.append(held_by)


def seal_due_days(casino: Casino | None = None) -> list[Outcome]:
    """Seal every closed day that has no seal, of every casino (or of one), oldest first.

    A house whose days another process seals at this moment is left to it.
    """
    outcomes = []
    for each in [casino] if casino is not None else list(Casino.objects.order_by("code")):
        try:
            outcomes.append(_seal_due(each))
        except Busy:
            log.warning("%s: its days are being sealed; the next run looks again", each.code)
        except (DatabaseError, SabotError):
            # The days of the other houses do not wait for it; the alert of a late seal tells of it.
            log.exception("%s: its days could not be sealed", each.code)
    return outcomes


def _seal_due(casino: Casino) -> Outcome:
    sealed: list[Seal] = []
    for day in unsealed_days(casino):
        seal = seal_day(day=day, by=by_system(casino, JOB))
        if seal is None:
            why = why_waiting([day])[day.pk]
            log.warning("%s: %s is not sealed: %s", casino.code, day, why.es)
            return Outcome(casino, tuple(sealed), day, why)
        sealed.append(seal)
    return Outcome(casino, tuple(sealed))


def unsealed_days(casino: Casino) -> list[GamingDay]:
    """Closed days without a seal, oldest first."""
    closed = GamingDay.objects.filter(casino=casino, state=GamingDay.State.CLOSED, seal=None)
    return list(closed.order_by("date"))


def why_waiting(days: Sequence[GamingDay]) -> dict[int, Text]:
    """Why each of these closed days has no seal yet, by its id; the reason was noted when it was tried."""
    told = Event.objects.filter(
        action=WAITS, subject_type="day", subject_id__in=[day.pk for day in days]
    ).order_by("seq")
    noted = {event.subject_id: json.loads(bytes(event.body))["data"] for event in told}
    oldest = {casino: unsealed_days(casino)[:1] for casino in {day.casino for day in days}}
    return {day.pk: _why(day, noted.get(day.pk), oldest[day.casino]) for day in days}


def _why(day: GamingDay, noted: dict[str, Any] | None, oldest: Sequence[GamingDay]) -> Text:
    if noted is not None:
        return Text(noted["why_es"], noted["why_en"])
    if oldest and day.date > oldest[0].date:
        return Text(
            f"espera al {oldest[0]}: los días se sellan en orden, cada uno después del anterior",
            f"it waits for {oldest[0]}: days are sealed in order, each after the one before",
        )
    return Text("se sella en unos minutos", "it is sealed within minutes")


@command(policies.SEAL_DAY, silent_when="it is sealed already, or waits for the same as before")
def seal_day(*, day: GamingDay, by: By) -> Seal | None:
    """Seal a closed day; None when it has to wait, with the reason on the trail. A seal is never replaced.

    Raises `Conflict` for a day that is not closed (code `day_not_closed`, REC-08) and while an earlier one
    has no seal (`earlier_day_unsealed`).
    """
    hold(day.casino)
    locking.taking(locking.Rank.GAMING_DAY)
    day = GamingDay.objects.select_for_update(of=("self",)).select_related("casino").get(pk=day.pk)
    seal = Seal.objects.filter(day=day).first()
    if seal is not None:
        return seal
    _refuse_untimely(day)
    previous = latest_seal(day.casino)
    try:
        return _sealed(day, previous, by)
    except SabotError as refusal:
        _note_waiting(day, refusal, by)
        return None


def _refuse_untimely(day: GamingDay) -> None:
    if day.state != GamingDay.State.CLOSED:
        held = [Text(item["es"], item["en"]) for item in day.held_by]
        words = Text(
            f"el día {day} no está cerrado y no se sella", f"day {day} is not closed and is not sealed"
        )
        if held:
            words = Text(
                f"{words.es}: {'; '.join(item.es for item in held)}",
                f"{words.en}: {'; '.join(item.en for item in held)}",
            )
        raise Conflict(words, code="day_not_closed", rule="REC-08")
    earlier = (
        GamingDay.objects.filter(casino=day.casino, date__lt=day.date, seal=None).order_by("date").first()
    )
    if earlier is not None:
        raise Conflict(
            Text(
                f"el día {day} no se sella antes que el {earlier}",
                f"day {day} is not sealed before {earlier}",
            ),
            code="earlier_day_unsealed",
            rule="REC-08",
        )


def _refuse_open(day: GamingDay) -> None:
    """Raise `Conflict` (`difference_open`, REC-08) where a room says that something of the day is open."""
    for held_by in _holds:
        words = held_by(day)
        if words is not None:
            raise Conflict(words, code="difference_open", rule="REC-08", detail={"open": words.es})


def _sealed(day: GamingDay, previous: Seal | None, by: By) -> Seal:
    """The day's seal, stored and told. Raises `SabotError` with what it has to wait for."""
    _refuse_open(day)
    key = keys.in_use(day.casino)
    heads = read_heads(day.casino)
    _refuse_unsound(day.casino)
    sealed_at = clock.now()
    _refuse_clock_back(sealed_at, previous, key)
    root = merkle.root([merkle.leaf(head.name, head.seq, head.hash) for head in heads])
    before = bytes(previous.root) if previous else bytes(merkle.HASH_BYTES)
    said = {
        "v": VERSION,
        "casino": day.casino.code,
        "gaming_day": str(day),
        "root": root.hex(),
        "leaves": len(heads),
        "previous_root": before.hex(),
        "sealed_at": clock.stamp(sealed_at),
        "key_id": key.key_id,
    }
    document = canonical(said)
    signature = keys.sign_with(key, document)
    seal = Seal.objects.create(
        casino=day.casino, day=day, previous=previous, root=root, leaves=len(heads), previous_root=before,
        document=document, signature=signature, key=key, sealed_at=sealed_at,
    )  # fmt: skip
    _keep_leaves(seal, heads)
    told = {name: said[name] for name in ("root", "leaves", "previous_root", "sealed_at", "key_id")}
    _record(SEALED, day, replace(by, occurred_at=sealed_at), {**told, "signature": signature.hex()})
    return seal


def _refuse_unsound(casino: Casino) -> None:
    """Raise `Conflict` (`trail_not_whole`, REC-06) where the trail is not what was sealed before."""
    fault = next(unsound(casino), None)
    if fault is not None:
        raise Conflict(
            Text(
                f"la auditoría no está íntegra ({fault.where}: {fault.words.es}); corra"
                " manage.py verify_trail --seals y restaure lo que falta",
                f"the trail is not whole ({fault.where}: {fault.words.en}); run"
                " manage.py verify_trail --seals and restore what is missing",
            ),
            code="trail_not_whole",
            rule="REC-06",
        )


def _keep_leaves(seal: Seal, heads: Sequence[Head]) -> None:
    """The chains that moved since the seal before: what did not stands in an earlier seal."""
    SealLeaf.objects.bulk_create(
        [
            SealLeaf(
                casino=seal.casino,
                seal=seal,
                stream_id=head.stream_id,
                name=head.name,
                seq=head.seq,
                hash=head.hash,
            )
            for head in heads
            if head.moved
        ],
        batch_size=5_000,
    )


def read_heads(casino: Casino) -> list[Head]:
    """The heads of all chains of a house, of one moment, in the order of the tree."""
    with connection.cursor() as cursor:
        cursor.execute(_HEADS, {"casino": casino.pk})
        found = [Head(pk, name, seq, bytes(head), moved) for pk, name, seq, head, moved in cursor.fetchall()]
    return sorted(found, key=lambda head: in_order((head.name, head.seq, head.hash)))


def _refuse_clock_back(sealed_at: dt.datetime, previous: Seal | None, key: SealKey) -> None:
    latest = max(key.since, previous.sealed_at) if previous else key.since
    if sealed_at <= latest:
        raise Conflict(
            Text(
                f"el reloj del servidor marca {clock.stamp(sealed_at)}, antes del último sello o de su llave"
                f" ({clock.stamp(latest)}); corrija el reloj",
                f"the server's clock says {clock.stamp(sealed_at)}, before the last seal or its key"
                f" ({clock.stamp(latest)}); set the clock right",
            ),
            code="clock_went_back",
            rule="REC-06",
        )


def _note_waiting(day: GamingDay, refusal: SabotError, by: By) -> None:
    """One event when what a day waits for changes, not one per attempt."""
    last = Event.objects.filter(action=WAITS, subject_type="day", subject_id=day.pk).order_by("-seq").first()
    why, open_now = refusal.message, refusal.detail.get("open")
    said = json.loads(bytes(last.body))["data"] if last is not None else {}
    if (said.get("code"), said.get("open")) == (refusal.code, open_now):
        return
    told = {"code": refusal.code, "why_es": why.es, "why_en": why.en}
    _record(WAITS, day, by, told if open_now is None else {**told, "open": open_now})


def _record(action: str, day: GamingDay, by: By, data: dict[str, Any]) -> None:
    subject = trail.Subject("day", day.pk, str(day))
    trail.record(
        action, stream=STREAM, subject=subject, by=by, data={"day": str(day), **data}, rules=["REC-06"]
    )
