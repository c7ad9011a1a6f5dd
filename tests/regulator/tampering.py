"""A bundle taken apart, altered, put together again, as somebody with more or less power would.

bundle.change("ledger/transfers.jsonl", one_byte)      only the file
bundle.rehash()                                          and the manifest says so
bundle.sign()                                            and the house's own key signs it
code, said = bundle.verify("--no-rounds")
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from audits.bundles import verify_bundle

Private = Any


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


class Bundle:
    def __init__(self, path: Path, private: Private) -> None:
        self.path, self.private = path, private
        with zipfile.ZipFile(path) as packed:
            self.files = {name: packed.read(name) for name in packed.namelist()}

    def change(self, name: str, how: Callable[[bytes], bytes]) -> Bundle:
        before = self.files[name]
        self.files[name] = how(before)
        assert self.files[name] != before, "nothing was changed"
        return self

    def rows(self, name: str) -> list[Any]:
        return [json.loads(line) for line in self.files[name].splitlines()]

    def rows_raw(self, name: str) -> list[bytes]:
        return self.files[name].split(b"\n")[:-1]

    def change_rows(self, name: str, how: Callable[[list[Any]], object]) -> Bundle:
        """Alter the rows of a file in place, or answer other ones."""
        rows = self.rows(name)
        rows = how(rows) or rows
        return self.change(name, lambda _: b"".join(canonical(row) + b"\n" for row in rows))

    def change_events(
        self, how: Callable[[list[dict[str, Any]]], object], *, chained: bool = False
    ) -> Bundle:
        """Alter events; `chained`: their hashes are made anew, as who owns the database can."""
        name = "events/00001.jsonl"
        rows = self.rows(name)
        rows = how(rows) or rows
        head, stream = "", None
        lines = []
        for row in rows:
            if row["body"]["stream"] != stream:
                head, stream = "00" * 32, row["body"]["stream"]
            body = canonical(row["body"])
            if chained:
                row["hash"] = hashlib.sha256(bytes.fromhex(head) + body).hexdigest()
            head = row["hash"]
            lines.append(b'{"hash":"%b","body":%b}\n' % (row["hash"].encode(), body))
        return self.change(name, lambda _: b"".join(lines))

    @property
    def manifest(self) -> dict[str, Any]:
        return json.loads(self.files["manifest.json"])

    def say(self, **said: Any) -> Bundle:
        self.files["manifest.json"] = canonical({**self.manifest, **said})
        return self

    def rehash(self, totals: Mapping[str, int] | None = None) -> Bundle:
        """A manifest that says what the files are now."""
        files = [
            {"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in sorted(self.files.items())
            if name not in ("manifest.json", "manifest.sig")
        ]
        told = {**self.manifest["totals"], **(totals or {})}
        return self.say(files=files, totals=told)

    def sign(self, private: Private | None = None) -> Bundle:
        """Signed by the house's key, or by another under its name."""
        signature = (private or self.private).sign(self.files["manifest.json"])
        self.files["manifest.sig"] = canonical(
            {"key_id": self.manifest["key_id"], "signature": signature.hex()}
        )
        return self

    def save(self) -> Path:
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in self.files.items():
                packed.writestr(name, data)
        return self.path

    def verify(self, *options: str) -> tuple[int, str]:
        return verified(self.save(), *options)


def verified(*given: Path | str) -> tuple[int, str]:
    """The exit code and what is said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = verify_bundle.verify([str(each) for each in given])
    return code, said.getvalue()


def flip(at: int = -20) -> Callable[[bytes], bytes]:
    """One byte changed."""
    return lambda data: data[:at] + bytes([data[at] ^ 1]) + data[at:][1:]


def replaced(old: str, new: str) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(old.encode(), new.encode(), 1)
