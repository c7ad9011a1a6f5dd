"""A bundle taken apart, altered, put together again, as somebody with more or less power would.

bundle.change("ledger/transfers.jsonl", one_byte)      only the file
bundle.rehash()                                          and the manifest says so
bundle.sign()                                            and the house's own key signs it
code, said = bundle.verify("--no-rounds")                with the house's first key had elsewhere
code, said = bundle.verify(pinned=False)                 as who has nothing but the file
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

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audits.bundles import verify_bundle

Private = Any


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


class Bundle:
    def __init__(self, path: Path, private: Private) -> None:
        self.path, self.private = path, private
        with zipfile.ZipFile(path) as packed:
            self.files = {name: packed.read(name) for name in packed.namelist()}
        self.house_key: str = self.rows("keys.json")[0][0]["public_key"]

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

    def verify(self, *options: str, pinned: bool = True) -> tuple[int, str]:
        """As an inspector who has the house's first key from elsewhere, or with nothing but the file."""
        key = ("--key", self.house_key) if pinned and "--key" not in options else ()
        return verified(self.save(), *options, *key)


def verified(*given: Path | str) -> tuple[int, str]:
    """The exit code and what is said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = verify_bundle.verify([str(each) for each in given])
    return code, said.getvalue()


def proven(path: Path, *options: str) -> tuple[int, str]:
    """The same, with the house's first key, which whoever made the file knows."""
    with zipfile.ZipFile(path) as packed:
        key = json.loads(packed.read("keys.json"))[0]["public_key"]
    return verified(path, "--key", key, *options)


def insider(bundle: Bundle, *options: str, **totals: int) -> tuple[int, str]:
    """As altered by who holds the very key: all hashes of the bundle hold, the seals do not."""
    return bundle.rehash(totals).sign().verify(*options)


def forge(bundle: Bundle) -> Bundle:
    """Keys, seals and manifest made anew with a key of one's own."""
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    key_id = hashlib.sha256(public).hexdigest()[:16]
    code = bundle.manifest["casino"]["code"]
    document = canonical({"casino": code, "key_id": key_id, "public_key": public.hex()})
    key = {
        "key_id": key_id, "public_key": public.hex(), "since": "2026-01-01T00:00:00.000000Z", "until": None,
        "document": document.decode(), "signature": private.sign(document).hex(), "introduced_by": None,
    }  # fmt: skip
    bundle.files["keys.json"] = canonical([key])

    def signed(rows: list[Any]) -> None:
        for row in rows:
            told = canonical({**json.loads(row["document"]), "key_id": key_id})
            row["document"], row["signature"] = told.decode(), private.sign(told).hex()

    bundle.change_rows("seals.jsonl", signed)
    return bundle.say(key_id=key_id).rehash().sign(private)


def flip(at: int = -20) -> Callable[[bytes], bytes]:
    """One byte changed."""
    return lambda data: data[:at] + bytes([data[at] ^ 1]) + data[at:][1:]


def replaced(old: str, new: str) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(old.encode(), new.encode(), 1)
