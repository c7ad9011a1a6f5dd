"""Packing a bundle: reports first (they say which chains they rest on), then the chains and all the rest.

Everything is read at one moment; the manifest comes last, says every file's SHA-256 and all totals, and is
signed with the key that seals the days.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from audits.bundles import chains, parts, proving, rows
from audits.bundles import span as spans
from audits.bundles.packing import Packing
from audits.bundles.span import Span
from audits.persons import naming
from audits.reports import Report
from audits.reports.document import Progress
from audits.sealing import keys
from casino.kernel import clock, rulebook
from casino.kernel.canonical import canonical

FORMAT = "sabot.bundle/1"
VERIFIER = Path(__file__).resolve().parent / "verify_bundle.py"
LEAME = """\
PAQUETE PARA EL REGULADOR / BUNDLE FOR THE REGULATOR

Para comprobarlo sin red y sin Sabot (Python 3.11 y la biblioteca «cryptography»):
To check it without network and without Sabot (Python 3.11 and the library "cryptography"):

    python verify_bundle.py paquete.zip --key llaves-de-sello.json
    python verify_bundle.py bundle.zip --key llaves-de-sello.json --en

Use un verificador y una llave obtenidos aparte, no los que vienen aquí: quien altere un paquete puede
alterar también lo que trae dentro. Las llaves las entregó la casa a la AJ y las publica en
/llaves-de-sello.json; --key toma ese archivo o las 64 cifras hexadecimales de una llave. Sin --key no se
ejecuta código del paquete: los pases quedan sin liquidar de nuevo, salvo con --games CARPETA y una copia
propia de tables/games.
Use a verifier and a key you had elsewhere, not those in here: whoever alters a bundle can alter what it
brings along too. The house handed its keys to AJ and publishes them at /llaves-de-sello.json; --key takes
that file or the 64 hexadecimal digits of one key. Without --key no code of the bundle is run: rounds are
not settled again, unless with --games FOLDER and a copy of your own of tables/games.

Código de salida / exit code: 0 todo probado / all proven, 1 fallas / faults, 2 ilegible / unreadable,
3 nada falso, pero no todo probado / nothing false, but not all of it proven.
"""


def write(span: Span, reports: Sequence[Report], language: str, path: Path, progress: Progress) -> None:
    """The bundle of a span with those reports, at `path`. Reads; must run inside one moment of the data.

    Raises `Conflict` (code `no_seal_key`) where there is no key to sign with.
    """
    with rows.aside() as folder, Packing(path) as packing:
        read = rows.Rows(span, language, Path(folder))
        read.read(rows.ordered(reports, span.casino, span), progress)
        read.put(packing)
        naming.note(*chains.people(span))
        totals = {"rows": read.count}
        totals |= chains.put_events(packing, span, progress)
        totals |= chains.put_money(packing, span, progress)
        totals |= parts.put_parts(packing, span, progress)
        _put_proofs(packing, span)
        parts.put_code(packing)
        packing.put("verify_bundle.py", VERIFIER.read_bytes())
        packing.put("leame.txt", LEAME.encode())
        _sign(packing, span, _manifest(packing, span, read.told, totals, language))


def _put_proofs(packing: Packing, span: Span) -> None:
    packing.put("keys.json", canonical([proving.key_row(key) for key in spans.keys_of(span.casino)]))
    with packing.file("seals.jsonl") as out:
        for seal in spans.seals_up_to(span):
            out.row(proving.seal_row(seal))
    with packing.file("leaves.jsonl") as out:
        for day, (stream, seq, head) in span.leaves():
            out.row({"day": day, "stream": stream, "seq": seq, "head": head.hex()})


def _manifest(
    packing: Packing, span: Span, reports: list[dict[str, Any]], totals: dict[str, int], language: str
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "casino": proving.casino_row(span.casino),
        "first": str(span.first),
        "last": str(span.last),
        "days": [str(seal) for seal in span.days],
        "base": None if span.base is None else str(span.base),
        "through": str(span.through),
        # Not the instant it was packed: the same span is the same bundle whenever it is asked for.
        "as_of": clock.stamp(span.through.sealed_at),
        "language": language,
        "reports": reports,
        "code": code_version(),
        "rules": rulebook_versions(),
        "totals": totals,
        "files": sorted(packing.files, key=lambda stated: str(stated["path"])),
    }


def _sign(packing: Packing, span: Span, manifest: dict[str, Any]) -> None:
    key = spans.keys_of(span.casino)
    manifest["key_id"] = key[-1].key_id if key else ""
    said = canonical(manifest)
    key_id, signature = keys.sign(span.casino, said)
    packing.put("manifest.json", said, listed=False)
    signed = canonical({"key_id": key_id, "signature": signature.hex()})
    packing.put("manifest.sig", signed, listed=False)


@lru_cache(maxsize=1)
def code_version() -> dict[str, str]:
    """Which code made it: fingerprints of the rules of the games, as the verifier says it, and of itself."""
    total = hashlib.sha256()
    for name, path in sorted(parts.sources().items()):
        total.update(f"code/{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return {
        "games_sha256": total.hexdigest(),
        "verifier_sha256": hashlib.sha256(VERIFIER.read_bytes()).hexdigest(),
    }


@lru_cache(maxsize=1)
def rulebook_versions() -> dict[str, str]:
    """The rulebook the house works by: the SHA-256 of each of its files."""
    files = sorted(rulebook.FOLDER.glob("*.toml"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
