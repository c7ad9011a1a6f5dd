"""Which code this is: said in every manifest, so that a figure can be traced to the program that made it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

VERSION = "1"
ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("audits", "casino", "jackpots", "shoes", "tables")
KINDS = (".py", ".toml", ".json")


@lru_cache(maxsize=1)
def sources_sha256() -> str:
    """SHA-256 over the sources and the rulebook as installed: a line `digest  name` each, by name."""
    total = hashlib.sha256()
    for path in sorted(p for room in ROOMS for p in (ROOT / room).rglob("*") if p.suffix in KINDS):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{digest}  {path.relative_to(ROOT).as_posix()}\n".encode())
    return total.hexdigest()
