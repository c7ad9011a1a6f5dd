"""How fast the offline verifier is: a million made-up events in one bundle, on one core (docs/bench.md).

Beside it the least anybody can do with those bytes: unpack them and hash each event after the one before.
"""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audits.bundles.making import FORMAT, VERIFIER
from audits.bundles.packing import Packing
from audits.sealing import keys, merkle
from casino.bench.figures import Effort, Report, median, say
from casino.kernel.canonical import canonical

EVENTS_A_SECOND = 250_000
EVENTS_A_STREAM = 500
DAY, AT = "2026-11-29", "2026-11-29T22:01:02.123456Z"
LONG_EVERY = 4
"""Every fourth event tells of a step of a round with its log, about 2 kB; the others are short."""


def verifier(effort: Effort) -> Report:
    """Events verified a second, beside the bare hashing of the same file."""
    count = max(EVENTS_A_STREAM, int(effort.seconds * EVENTS_A_SECOND))
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        path = Path(folder) / "bundle.zip"
        say(f"packing {count} events")
        size = made_up(path, count)
        ours: list[float] = []
        bare: list[float] = []
        for run in range(effort.runs):
            say(f"verifying, run {run + 1}")
            ours.append(_verified(path))
            bare.append(_hashed(path))
    seconds, least = median(ours), median(bare)
    return Report(
        f"The offline verifier: {count} events, {size / count:.0f} bytes each, one core",
        [
            ("", "CPU s", "events/s", "MB/s"),
            ("verify_bundle.py", f"{seconds:.1f}", f"{count / seconds:,.0f}", f"{size / seconds / 1e6:.0f}"),
            ("unpack and SHA-256", f"{least:.1f}", f"{count / least:,.0f}", f"{size / least / 1e6:.0f}"),
        ],
        [f"A million events take {seconds * 1e6 / count:.0f} s of processor time; the aim is under 60."],
    )


def _verified(path: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 (this very Python)
        [sys.executable, "-I", str(VERIFIER), str(path), "--key", public_key(path)],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout.decode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _hashed(path: Path) -> float:
    """Seconds of processor time to unpack the events and hash each after the one before."""
    before = time.process_time()
    head = bytes(32)
    with zipfile.ZipFile(path) as packed:
        for name in packed.namelist():
            if name.startswith("events/"):
                with packed.open(name) as file:
                    for line in file:
                        head = hashlib.sha256(head + line[82:-2]).digest()
    return time.process_time() - before


def public_key(path: Path) -> str:
    with zipfile.ZipFile(path) as packed:
        return str(json.loads(packed.read("keys.json"))[0]["public_key"])


def made_up(path: Path, count: int) -> int:
    """A sound bundle of `count` made-up events; how many bytes their bodies have."""
    private = Ed25519PrivateKey.generate()
    public = keys.raw(private.public_key())
    leaves: list[tuple[str, int, bytes]] = []
    size = 0
    with Packing(path) as packing:
        for part, first in enumerate(range(0, count, 100 * EVENTS_A_STREAM), 1):
            with packing.file(f"events/{part:05d}.jsonl") as out:
                for start in range(first, min(count, first + 100 * EVENTS_A_STREAM), EVENTS_A_STREAM):
                    stream, number = f"session:{start:09d}", min(EVENTS_A_STREAM, count - start)
                    head = bytes(32)
                    for body in _bodies(stream, number):
                        head = hashlib.sha256(head + body).digest()
                        out.write(b'{"hash":"%b","body":%b}\n' % (head.hex().encode(), body))
                        size += len(body)
                    leaves.append((stream, number, head))
        _prove(packing, private, public, leaves, count)
    return size


def _bodies(stream: str, count: int) -> Iterator[bytes]:
    bet = {"amount": 10_000, "at": AT, "by": 7, "e": "bet", "seat": 3, "spot": "punto"}
    event: dict[str, Any] = {
        "action": "tables.round.played",
        "actor": {"id": 7, "kind": "staff", "name": "Ana Quispe Ñuñez"},
        "casino": "bench",
        "occurred": AT,
        "recorded": AT,
        "request": "5f6d1c52-0000-4000-8000-3f2a5c1b9d00",
        "rules": [],
        "stream": stream,
        "subject": {"id": 99, "label": "PB-04 · 37", "type": "round"},
        "v": 1,
    }
    for seq in range(1, count + 1):
        log = (
            [{**bet, "seat": seq % 9, "amount": 100 * n} for n in range(20)] if seq % LONG_EVERY == 0 else []
        )
        # The encoder of the standard library: for these keys and values the canonical form.
        told = {**event, "seq": seq, "data": {"from_step": seq, "log": log, "round": seq}}
        yield json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def _prove(
    packing: Packing,
    private: Ed25519PrivateKey,
    public: bytes,
    leaves: list[tuple[str, int, bytes]],
    count: int,
) -> None:
    key_id, root = keys.key_id_of(public), merkle.root([merkle.leaf(*leaf) for leaf in leaves])
    introduced = canonical({"casino": "bench", "key_id": key_id, "public_key": public.hex()})
    key = {
        "key_id": key_id, "public_key": public.hex(), "since": "2026-01-01T00:00:00.000000Z", "until": None,
        "document": introduced.decode(), "signature": private.sign(introduced).hex(), "introduced_by": None,
    }  # fmt: skip
    document = canonical(
        {
            "v": 1, "casino": "bench", "gaming_day": DAY, "root": root.hex(), "leaves": len(leaves),
            "previous_root": "00" * 32, "sealed_at": "2026-11-30T16:00:00.000000Z", "key_id": key_id,
        }
    )  # fmt: skip
    packing.put("keys.json", canonical([key]))
    with packing.file("seals.jsonl") as out:
        out.row({"document": document.decode(), "signature": private.sign(document).hex()})
    with packing.file("leaves.jsonl") as out:
        for stream, seq, head in leaves:
            out.row({"day": DAY, "stream": stream, "seq": seq, "head": head.hex()})
    for name in ("ledger/transfers", "ledger/accounts", "rounds/rounds", "rounds/versions"):
        packing.put(f"{name}.jsonl", b"")
    packing.put("code/none.py", b"")
    totals = {"events": count, "streams": len(leaves)}
    totals |= dict.fromkeys(("transfers", "postings", "moved", "rounds", "rows"), 0)
    manifest = canonical(
        {
            "format": FORMAT, "casino": {"code": "bench", "name": "bench", "currency": "BOB", "exponent": 2},
            "first": DAY, "last": DAY, "days": [DAY], "base": None, "through": DAY, "totals": totals,
            "files": sorted(packing.files, key=lambda stated: str(stated["path"])), "key_id": key_id,
        }
    )  # fmt: skip
    packing.put("manifest.json", manifest, listed=False)
    signed = canonical({"key_id": key_id, "signature": private.sign(manifest).hex()})
    packing.put("manifest.sig", signed, listed=False)
