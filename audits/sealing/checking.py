"""Whether the seals still hold, and where not: `manage.py verify_trail --seals`.

Each seal is made again from its leaves, its signature and its place in the order are checked, and each
chain is asked for the very events that were sealed. So what a chain alone cannot show is found and
located: a tail that was cut with its head moved back, a chain that was made anew from some event on, one
that is gone. What was altered together with all seals, their leaves and a key of the forger's own is found
by the seals others kept (`--against`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection

from audits import verify
from audits.models import Seal, SealKey
from audits.reports.snapshot import one_moment
from audits.sealing import chains, keys, merkle, seal_proofs
from audits.sealing.outside import published_faults
from audits.sealing.publishing import Published, PublishedKey
from audits.sealing.trees import tree_faults
from audits.verify import Fault
from casino.kernel import clock
from casino.kernel.canonical import canonical
from casino.kernel.words import Text
from casino.models import Casino, GamingDay

_ORPHANS = """
SELECT l.seal_id, count(*) FROM audits_sealleaf l LEFT JOIN audits_seal s ON s.id = l.seal_id
WHERE s.id IS NULL AND l.casino_id = %(casino)s GROUP BY l.seal_id ORDER BY l.seal_id
"""


def seal_faults(
    casino: Casino, against: Sequence[Published] = (), known: Sequence[PublishedKey] = ()
) -> Iterator[Fault]:
    """Everything that is not as it was sealed, of one moment of the database."""
    with one_moment():
        yield from verify.guard_faults()
        yield from _key_faults(casino)
        seals = list(
            Seal.objects.filter(casino=casino)
            .select_related("day", "key", "casino", "previous")
            .order_by("day__date", "pk")
        )
        yield from _order_faults(casino, seals)
        yield from tree_faults(casino, seals)
        yield from chains.broken(casino)
        yield from seal_proofs.told_faults(casino)
        yield from published_faults(casino, seals, against, known)


def notes(casino: Casino) -> list[Text]:
    """What is no fault, and who checks should know."""
    said = []
    for key in SealKey.objects.filter(casino=casino, lost=True).select_related("previous"):
        was = key.previous.key_id if key.previous else ""
        said.append(
            Text(
                f"la llave {key.key_id} reemplazó a {was}, perdida, sin su firma: compárela con la publicada",
                f"key {key.key_id} took over from {was}, lost, without its signature: compare it with the"
                " one published",
            )
        )
    for day in GamingDay.objects.filter(casino=casino, state=GamingDay.State.CLOSED, seal=None):
        said.append(Text(f"el día cerrado {day} aún no tiene sello", f"closed day {day} has no seal yet"))
    return said


# ---- keys -----------------------------------------------------------------------------------------


def _key_faults(casino: Casino) -> Iterator[Fault]:
    previous: SealKey | None = None
    for key in SealKey.objects.filter(casino=casino).select_related("previous").order_by("since", "pk"):
        where = f"key {key.key_id}"
        said = _parsed(key.document)
        columns = {
            "casino": casino.code,
            "key_id": key.key_id,
            "public_key": bytes(key.public_key).hex(),
            "since": clock.stamp(key.since),
            "previous_key_id": key.previous.key_id if key.previous else "",
            "lost": key.lost,
        }
        wrong = [name for name, value in columns.items() if said.get(name) != value]
        if wrong or keys.key_id_of(bytes(key.public_key)) != key.key_id:
            yield _differs("seal_key_altered", where, wrong or ["key_id"])
        if not keys.verifies(bytes(key.public_key), bytes(key.document), bytes(key.signature)):
            yield Fault("seal_key_unsigned", where, Text("no la firma ella misma", "not signed by itself"))
        if key.previous and not key.lost:
            handed_on = bytes(key.introduced_by or b"")
            if not keys.verifies(bytes(key.previous.public_key), bytes(key.document), handed_on):
                words = Text(
                    f"no la presentó la llave anterior, {key.previous.key_id}",
                    f"the key before it, {key.previous.key_id}, did not introduce it",
                )
                yield Fault("seal_key_not_introduced", where, words)
        if (key.previous_id, key.since) != ((previous.pk, previous.until) if previous else (None, key.since)):
            words = Text(
                "no sigue a la anterior: falta una llave o sus fechas no encajan",
                "it does not follow the one before: a key is missing or their dates do not fit",
            )
            yield Fault("seal_key_out_of_order", where, words)
        previous = key


# ---- each seal ------------------------------------------------------------------------------------


def _order_faults(casino: Casino, seals: Sequence[Seal]) -> Iterator[Fault]:
    previous: Seal | None = None
    for seal in seals:
        where = f"seal {seal.day}"
        yield from _document_faults(seal, where)
        before = bytes(previous.root) if previous else bytes(merkle.HASH_BYTES)
        if bytes(seal.previous_root) != before or seal.previous_id != (previous.pk if previous else None):
            words = Text(
                "no encadena con el sello anterior: falta un sello o fue cambiado",
                "it does not follow the seal before: a seal is missing or was changed",
            )
            yield Fault("seal_unchained", where, words)
        if previous and seal.sealed_at <= previous.sealed_at:
            words = Text(
                f"se selló a las {clock.stamp(seal.sealed_at)}, antes que el día {previous.day}"
                f" ({clock.stamp(previous.sealed_at)}): el reloj retrocedió",
                f"it was sealed at {clock.stamp(seal.sealed_at)}, before day {previous.day}"
                f" ({clock.stamp(previous.sealed_at)}): the clock went back",
            )
            yield Fault("clock_went_back", where, words)
        previous = seal
    if previous is None:
        return
    skipped = GamingDay.objects.filter(casino=casino, date__lt=previous.day.date, seal=None).order_by("date")
    for day in skipped:
        words = Text(
            f"no tiene sello y el día {previous.day} sí: falta o fue borrado",
            f"it has no seal although day {previous.day} has: missing or deleted",
        )
        yield Fault("seal_missing", f"day {day}", words)
    with connection.cursor() as cursor:
        cursor.execute(_ORPHANS, {"casino": casino.pk})
        for seal_id, count in cursor.fetchall():
            words = Text(
                f"hay {count} hojas de un sello que no está: fue borrado",
                f"there are {count} leaves of a seal that is not there: it was deleted",
            )
            yield Fault("seal_missing", f"seal #{seal_id}", words)


def _document_faults(seal: Seal, where: str) -> Iterator[Fault]:
    said, key = _parsed(seal.document), seal.key
    columns = {
        "v": 1,
        "casino": seal.casino.code,
        "gaming_day": str(seal.day),
        "root": bytes(seal.root).hex(),
        "leaves": seal.leaves,
        "previous_root": bytes(seal.previous_root).hex(),
        "sealed_at": clock.stamp(seal.sealed_at),
        "key_id": key.key_id,
    }
    wrong = [name for name, value in columns.items() if said.get(name) != value]
    if wrong or canonical(columns) != bytes(seal.document):
        yield _differs("seal_altered", where, wrong or ["document"])
    if seal.day.state != GamingDay.State.CLOSED or seal.day.casino_id != seal.casino_id:
        yield Fault("seal_altered", where, Text("su día no está cerrado", "its day is not closed"))
    if not keys.verifies(bytes(key.public_key), bytes(seal.document), bytes(seal.signature)):
        words = Text(
            f"la firma no es de la llave {key.key_id} sobre este documento",
            f"the signature is not the one of key {key.key_id} over this document",
        )
        yield Fault("seal_unsigned", where, words)
    in_use = key.since <= seal.sealed_at and (key.until is None or seal.sealed_at <= key.until)
    if key.casino_id != seal.casino_id or not in_use:
        words = Text(
            f"la llave {key.key_id} no estaba en uso a las {clock.stamp(seal.sealed_at)}",
            f"key {key.key_id} was not in use at {clock.stamp(seal.sealed_at)}",
        )
        yield Fault("seal_key_not_in_use", where, words)


def _parsed(document: Any) -> dict[str, Any]:
    try:
        said = json.loads(bytes(document))
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _differs(code: str, where: str, wrong: Sequence[str]) -> Fault:
    listed = ", ".join(wrong)
    return Fault(
        code,
        where,
        Text(
            f"no es lo que dice su documento firmado: {listed}",
            f"it is not what its signed document says: {listed}",
        ),
    )
