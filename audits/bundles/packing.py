"""The zip of a bundle, written as a stream: the same contents give the same bytes.

Nothing of the machine is in it (times, users, order of a folder). Each file's size and SHA-256 is noted as
it is written, for the manifest.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from casino.kernel.canonical import canonical

_EPOCH = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16
_UNIX = 3


class Entry:
    """One file while it is written."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out, self._hash = out, hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._out.write(data)
        self._hash.update(data)
        self.size += len(data)

    def row(self, row: Mapping[str, Any]) -> None:
        """One line of canonical JSON."""
        self.write(canonical(row) + b"\n")

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


class Packing:
    """A bundle that is being packed; a context manager. `files` is what the manifest says of each."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path, "w")
        self.files: list[dict[str, Any]] = []

    def __enter__(self) -> Packing:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    @contextmanager
    def file(self, name: str, *, listed: bool = True) -> Iterator[Entry]:
        """A file of the bundle. `listed`: in the manifest, as all are but itself and its signature."""
        info = zipfile.ZipInfo(name, _EPOCH)
        info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, _READABLE, _UNIX
        with self._zip.open(info, "w", force_zip64=True) as out:
            entry = Entry(out)
            yield entry
        if listed:
            self.files.append({"path": name, "size": entry.size, "sha256": entry.sha256})

    def put(self, name: str, data: bytes, *, listed: bool = True) -> None:
        with self.file(name, listed=listed) as entry:
            entry.write(data)
