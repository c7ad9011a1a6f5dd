"""The proof of one row, or of one event, alone: what leads from it to a signed root, no more (REC-06).

For each chain the events from the first one named up to the first seal that covers the last one named (a
hash holds the one before, so none between can be left out), and the path from that chain's leaf to the root.
`verify_bundle.py row` checks it. The format: docs/bundle.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from audits import manifests, personal, vocabulary
from audits.bundles import proving, span
from audits.models import Event, Seal, SealLeaf
from audits.reports import Report, document, events_named, forms, resting
from audits.sealing import merkle
from audits.sealing.reading import Leaf, leaves_of
from casino.kernel.canonical import canonical
from casino.kernel.errors import NotFound, Refused
from casino.kernel.words import Text
from casino.models import Casino

FORMAT = "sabot.row-proof/1"
MOST_EVENTS = 20_000
SIGNED = ("format", "casino", "row", "events")
"""What the signature of a row is over, as one canonical object."""


def of_row(
    report: Report, casino: Casino, given: Mapping[str, Any], number: int, section: str = ""
) -> dict[str, Any]:
    """The proof of the row at `number` (from 1) of a report, in its section of that key (the first if empty).

    Raises `NotFound` (code `row_unknown`), `Refused` as `forms.read` and `of_events`.
    """
    made = document.prepare(report, casino, forms.read(report.form, casino, given), "es-bo")
    for one in made.sections:
        if section in ("", one.key):
            row = next((row for n, row in enumerate(one.rows(), 1) if n == number), None)
            if row is None:
                break
            cells = [made.plain(row.get(column.key), column.kind) for column in one.columns]
            columns = [made.say(column.heading) for column in one.columns]
            told = {"report": report.identifier, "section": one.key, "columns": columns, "cells": cells}
            return _signed(casino, of_events(casino, resting.events(casino, events_named(row)), told))
    counted = ", ".join(f"{one.key} {sum(1 for _row in one.rows())}" for one in made.sections)
    asked = section or made.sections[0].key
    raise NotFound(
        Text(
            f"la tabla {asked} no tiene fila {number}; las tablas del reporte y sus filas: {counted}",
            f"table {asked} has no row {number}; the tables of the report and their rows: {counted}",
        ),
        code="row_unknown",
    )


def _signed(casino: Casino, proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with the house's signature over what the row says and rests on: the events are proven by the
    seals, the figure is what the house stands by. Unsigned where its key is not at hand."""
    document = canonical({name: proof[name] for name in SIGNED})
    key_id, signature = manifests.signed(casino, document)
    if signature is None:
        return proof
    return {**proof, "signed": {"key_id": key_id, "signature": signature.hex()}}


def of_events(
    casino: Casino, events: Iterable[Event], row: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The proof of events of one casino; `row` is what rests on them.

    Raises `Refused`: `nothing_named` where there are none, `not_sealed_yet` (REC-06) where one has no seal
    yet, `proof_too_long` where a bundle is what is needed.
    """
    named: dict[int, list[Event]] = {}
    for event in events:
        named.setdefault(event.stream_id, []).append(event)
    if not named:
        raise Refused(Text("la fila no nombra ningún suceso", "the row names no event"), code="nothing_named")
    seals: dict[int, Seal] = {}
    trees: dict[int, list[Leaf]] = {}
    chains = []
    left = MOST_EVENTS
    for stream_id, found in named.items():
        leaf = _leaf_over(stream_id, max(event.seq for event in found), found[0])
        seals[leaf.seal_id] = leaf.seal
        if leaf.seal_id not in trees:
            trees[leaf.seal_id] = leaves_of(leaf.seal)
        chain = _chain(leaf, min(event.seq for event in found), trees[leaf.seal_id])
        left -= len(chain["bodies"])
        if left < 0:
            raise _too_long()
        chains.append(chain)
    names = {chain_id: chain["stream"] for chain_id, chain in zip(named, chains, strict=True)}
    told = sorted((names[one.stream_id], one.seq, one) for found in named.values() for one in found)
    return {
        "format": FORMAT,
        "casino": proving.casino_row(casino),
        "row": None if row is None else dict(row),
        "events": [[stream, seq] for stream, seq, _ in told],
        "words": [_words(event, casino.exponent) for _, _, event in told],
        "chains": sorted(chains, key=lambda chain: str(chain["stream"]).encode()),
        "seals": [proving.seal_row(seal) for seal in sorted(seals.values(), key=lambda seal: seal.day.date)],
        "keys": [proving.key_row(key) for key in span.keys_of(casino)],
    }


def _words(event: Event, exponent: int) -> dict[str, str]:
    """What happened, in the house's words, beside the bytes that are proven. A file cannot forget: where the
    event holds a player's name apart, it is told by its kind, without the name."""
    data = json.loads(bytes(event.body))["data"]
    apart = any(isinstance(said, dict) and personal.KEY in said for said in data.values())
    kind = vocabulary.kinds().get(event.action)
    words = kind if apart and kind is not None else None
    if words is None:
        words = vocabulary.sentence(event.action, event.subject_label, data, exponent)
    return {"es": words.es, "en": words.en}


def _leaf_over(stream_id: int, seq: int, event: Event) -> SealLeaf:
    """The first leaf of a chain that covers an event."""
    leaves = SealLeaf.objects.filter(stream=stream_id, seq__gte=seq).select_related(
        "seal__day", "seal__casino"
    )
    leaf = leaves.order_by("seal__day__date").first()
    if leaf is None:
        day = event.casino.gaming_day(event.occurred)
        raise Refused(
            Text(
                f"un suceso del día {day} aún no tiene sello: pida la prueba cuando ese día esté sellado",
                f"an event of day {day} has no seal yet: ask for the proof once that day is sealed",
            ),
            code="not_sealed_yet",
            rule="REC-06",
        )
    return leaf


def _chain(leaf: SealLeaf, first: int, tree: list[Leaf]) -> dict[str, Any]:
    if leaf.seq - first >= MOST_EVENTS:
        raise _too_long()
    events = list(
        Event.objects.filter(stream=leaf.stream_id, seq__range=(first, leaf.seq))
        .order_by("seq")
        .values_list("body", "previous_hash")
    )
    hashes = [merkle.leaf(*each) for each in tree]
    index = next(at for at, each in enumerate(tree) if each[0] == leaf.name)
    return {
        "stream": leaf.name,
        "first": first,
        "previous": bytes(events[0][1]).hex(),
        "bodies": [bytes(body).decode() for body, _ in events],
        "day": str(leaf.seal),
        "index": index,
        "path": [step.hex() for step in merkle.path(hashes, index)],
    }


def _too_long() -> Refused:
    return Refused(
        Text(
            f"la prueba pasa de {MOST_EVENTS} sucesos; pida un paquete de esos días",
            f"the proof has more than {MOST_EVENTS} events; ask for a bundle of those days",
        ),
        code="proof_too_long",
    )
