"""Checks what a casino exported for the regulator, with nothing of Sabot's and no network (REC-06).

    python verify_bundle.py paquete.zip --key LLAVE [--key OTRA] [--games CARPETA | --no-rounds] [--en]
    python verify_bundle.py row prueba.json --key LLAVE [--en]

It needs Python 3.11 and `cryptography`. Everything is worked out here again from the formats as they are
written in docs/bundle.md, and on purpose shares no line with the code that made the bundle: it must be able
to disagree with it. Only the rules of the games come from the bundle (folder `code`), to settle every round
again, and only where a key had elsewhere (`--key`) signed them: no code of an unknown sender is ever run.
With `--games` the reader's own copy of those rules is run instead.

Says in words what it checked. Exit code 0: all of it is proven. 1: faults, each with its place. 2: no bundle,
or one that cannot be read. 3: nothing false was found, but not all of it is proven; it says what, and how.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
import zlib
from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Context, Decimal, Inexact, InvalidOperation
from pathlib import Path
from typing import Any, NoReturn

FORMAT = "sabot.bundle/1"
ROW_FORMAT = "sabot.row-proof/1"
ZEROS = "0" * 64
MOST_FILES = 100_000
MOST_BYTES = 200 * 2**30
MOST_SMALL = 64 * 2**20
LONGEST_LINE = 32 * 2**20
MOST_RATIO = 400
"""What a file may grow by when unpacked, beyond a megabyte: a bundle's lines shrink to a tenth or so."""
MOST_SHOWN = 200
MOST_KEYS = 4 * 2**20
LARGEST = 2**53 - 1
ENGINE_SECONDS = 120
EXACT = Context(prec=100, traps=[Inexact, InvalidOperation])
"""Sums are never rounded: an amount has 30 digits and 8 places at most, and so many rows nobody can have."""

NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*(/[a-z0-9_][a-z0-9_.-]*)*")
HEX32 = re.compile(r"[0-9a-f]{64}")
HEX64 = re.compile(r"[0-9a-f]{128}")
KEY_ID = re.compile(r"[0-9a-f]{16}")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
AMOUNT = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,8})?", re.ASCII)
DIGITS = re.compile(r"[0-9]{16}")
EVENT_KEYS = frozenset(
    ("v", "casino", "stream", "seq", "occurred", "recorded", "actor", "action", "subject", "rules", "request")
) | {"data"}

ILL_MADE = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError)
"""What Python says of a row that is JSON but not what it should be."""

Json = dict[str, Any]
Words = tuple[str, str]


class Unreadable(Exception):
    """No bundle, or one that cannot be read at all: exit code 2."""

    def __init__(self, es: str, en: str) -> None:
        super().__init__(es, en)
        self.words = (es, en)


class Bad(Exception):
    """Something in one place that does not hold; whoever catches it knows the place."""

    def __init__(self, es: str, en: str) -> None:
        super().__init__(es, en)
        self.words = (es, en)


def need(holds: bool, es: str, en: str) -> None:
    if not holds:
        raise Bad(es, en)


# ---- saying ------------------------------------------------------------------------------------------


def shown(value: object, most: int = 120) -> str:
    """Anything of the bundle's as one line of plain text: what is invisible or turns a line around is
    written out, so that no name can draw over what is said about it."""
    text = value if isinstance(value, str) else str(value)
    plain = "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text[:most])
    return plain + ("…" if len(text) > most else "")


class Telling:
    """What is said, in one language; how many faults there were, and how much is left without proof."""

    def __init__(self, english: bool) -> None:
        self.english, self.faults, self.unproven = english, 0, 0
        self.told_at = time.monotonic()

    def pick(self, words: Words) -> str:
        return words[1] if self.english else words[0]

    def say(self, es: str, en: str) -> None:
        self._progress_off()
        print(self.pick((es, en)))

    def fault(self, where: str, es: str, en: str) -> None:
        self.faults += 1
        self._progress_off()
        if self.faults <= MOST_SHOWN:
            print(f"{self.pick(('FALLA', 'FAULT'))}: {shown(where, 300)}: {self.pick((es, en))}")
        elif self.faults == MOST_SHOWN + 1:
            self.say("… y más fallas, que sólo se cuentan", "… and more faults, only counted from here")

    def open(self, where: str, es: str, en: str) -> None:
        """What nobody has shown to be false, nor to be true; the words say how it can be shown."""
        self.unproven += 1
        self._progress_off()
        if self.unproven <= MOST_SHOWN:
            print(f"{self.pick(('SIN PROBAR', 'NOT PROVEN'))}: {shown(where, 300)}: {self.pick((es, en))}")
        elif self.unproven == MOST_SHOWN + 1:
            self.say(
                "… y más sin probar, que sólo se cuenta", "… and more not proven, only counted from here"
            )

    def progress(self, es: str, en: str) -> None:
        """Once a second, to whoever watches."""
        now = time.monotonic()
        if sys.stderr.isatty() and now - self.told_at > 1:
            self.told_at = now
            sys.stderr.write(f"\r\x1b[K{self.pick((es, en))}")
            sys.stderr.flush()

    def _progress_off(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")


# ---- JSON in one form only (RFC 8785) --------------------------------------------------------------------


def _no_fraction(text: str) -> NoReturn:
    raise Bad(
        f"hay un número que no es entero: {shown(text, 30)}", f"a number is not whole: {shown(text, 30)}"
    )


_decode = json.JSONDecoder(parse_float=_no_fraction, parse_constant=_no_fraction).decode
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def canonical(value: Any) -> str:
    """RFC 8785 of whole numbers and texts: keys in the order of their UTF-16, no blanks."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{_encode(key)}:{canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, int) and not isinstance(value, bool):
        need(-LARGEST <= value <= LARGEST, "hay un número demasiado grande", "a number is too large")
    return _encode(value)


def read(raw: bytes) -> Any:
    """The one value that these bytes are the canonical JSON of. Raises `Bad` with what is wrong.

    Written again it must give the same bytes: so no key is there twice, nothing hides in blanks and no
    reader can take it for something else.
    """
    try:
        text = raw.decode()
        value = _decode(text)
        if _encode(value) == text and not DIGITS.search(text):
            return value
        if canonical(value) == text:
            text.encode()
            return value
    except UnicodeError:
        raise Bad("no es UTF-8", "it is not UTF-8") from None
    except RecursionError:
        raise Bad("JSON con demasiados niveles", "JSON nested too deep") from None
    except ValueError:
        raise Bad("no es JSON", "it is not JSON") from None
    raise Bad(
        "el JSON no está en su forma canónica (una clave dos veces, otro orden o espacios)",
        "the JSON is not in its canonical form (a key twice, another order or blanks)",
    )


def table(value: Any, *keys: str) -> Json:
    """A JSON object that has these keys."""
    need(isinstance(value, dict), "no es un objeto", "it is no object")
    lacking = [key for key in keys if key not in value]
    need(not lacking, f"falta {', '.join(lacking)}", f"{', '.join(lacking)} is missing")
    return dict(value)


def whole(value: Any, least: int = 0) -> int:
    good = isinstance(value, int) and not isinstance(value, bool) and least <= value <= LARGEST
    need(good, "no es una cantidad entera", "it is no whole amount")
    return int(value)


def text_of(value: Any, form: re.Pattern[str] | None = None) -> str:
    good = isinstance(value, str) and (form is None or form.fullmatch(value) is not None)
    need(good, f"no es lo que debe ser: {shown(value, 40)}", f"it is not what it must be: {shown(value, 40)}")
    return str(value)


# ---- the archive -------------------------------------------------------------------------------------


class Archive:
    """The files of a bundle, each read once, never more of it than it says, hashed while it is read."""

    def __init__(self, path: str, telling: Telling) -> None:
        self.telling = telling
        try:
            self.zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            why = getattr(error, "strerror", None) or "no es un zip o está cortado"
            raise Unreadable(
                f"no se puede abrir {shown(path, 300)}: {shown(why)}",
                f"cannot open {shown(path, 300)}: {shown(why)}",
            ) from None
        self.entries = self._entries()
        self.stated: dict[str, Json] = {}
        self.hashed: dict[str, tuple[int, str]] = {}

    def _entries(self) -> dict[str, zipfile.ZipInfo]:
        found: dict[str, zipfile.ZipInfo] = {}
        infos = self.zip.infolist()
        if len(infos) > MOST_FILES:
            raise Unreadable("demasiados archivos dentro", "too many files inside")
        for info in infos:
            name = info.orig_filename
            if not NAME.fullmatch(name) or ".." in name or len(name) > 200:
                raise Unreadable(
                    f"nombre de archivo no permitido: {shown(name)}",
                    f"a file name not allowed: {shown(name)}",
                )
            if name in found:
                raise Unreadable(f"archivo repetido: {shown(name)}", f"a file is there twice: {shown(name)}")
            if info.flag_bits & 0x1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Unreadable(f"archivo cifrado o raro: {name}", f"an encrypted or odd file: {name}")
            if info.file_size > 2**20 and info.file_size > MOST_RATIO * max(info.compress_size, 1):
                raise Unreadable(f"bomba de compresión: {name}", f"a decompression bomb: {name}")
            found[name] = info
        if sum(info.file_size for info in infos) > MOST_BYTES:
            raise Unreadable("desempaquetado es demasiado grande", "unpacked it is too large")
        return found

    def small(self, name: str) -> bytes:
        """A small file whole. Raises `Bad` where it is not there, too large or damaged."""
        info = self.entries.get(name)
        need(info is not None, "falta el archivo", "the file is missing")
        assert info is not None
        need(info.file_size <= MOST_SMALL, "el archivo es demasiado grande", "the file is too large")
        data = b"".join(self._chunks(name))
        self.hashed[name] = (len(data), hashlib.sha256(data).hexdigest())
        return data

    def lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        """The lines of a file from 1; when all were read its size and hash are kept. Raises `Bad`."""
        need(name in self.entries, "falta el archivo", "the file is missing")
        hashing, size, number, rest = hashlib.sha256(), 0, 0, b""
        for chunk in self._chunks(name):
            hashing.update(chunk)
            size += len(chunk)
            parts = (rest + chunk).split(b"\n")
            rest = parts.pop()
            need(len(rest) <= LONGEST_LINE, "una línea es demasiado larga", "a line is too long")
            for line in parts:
                number += 1
                yield number, line
        self.hashed[name] = (size, hashing.hexdigest())
        need(not rest, "la última línea está cortada", "the last line is cut off")

    def _chunks(self, name: str) -> Iterator[bytes]:
        info = self.entries[name]
        left = info.file_size
        try:
            with self.zip.open(info) as file:
                while chunk := file.read(1 << 20):
                    left -= len(chunk)
                    need(left >= 0, "es más largo de lo que dice", "it is longer than it says")
                    yield chunk
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError):
            raise Bad("el archivo está dañado", "the file is damaged") from None
        need(left == 0, "el archivo está cortado", "the file is cut off")

    def rest(self, name: str) -> None:
        """Hash a file that nothing else reads."""
        if name not in self.hashed and name in self.entries:
            hashing, size = hashlib.sha256(), 0
            for chunk in self._chunks(name):
                hashing.update(chunk)
                size += len(chunk)
            self.hashed[name] = (size, hashing.hexdigest())

    def compare(self, names: Sequence[str]) -> int:
        """Hold files to the manifest; says each that differs. How many held."""
        good = 0
        for name in names:
            stated = self.stated[name]
            try:
                self.rest(name)
                need(name in self.hashed, "falta el archivo", "the file is missing")
                same = self.hashed[name] == (stated["size"], stated["sha256"])
                need(same, "no da el SHA-256 del manifiesto", "it does not give the manifest's SHA-256")
                good += 1
            except Bad as bad:
                self.telling.fault(name, *bad.words)
        return good


class Rows:
    """A file of rows in the order of the events they belong to, walked beside the events."""

    def __init__(self, archive: Archive, name: str, telling: Telling) -> None:
        self.name, self.telling, self.number, self.count = name, telling, 0, 0
        self.key: tuple[bytes, int] | None = None
        self.row: Json = {}
        self._lines = archive.lines(name)
        self.advance()

    @property
    def where(self) -> str:
        return f"{self.name}:{self.number}"

    def advance(self) -> None:
        last = self.key
        while True:
            try:
                got = next(self._lines, None)
            except Bad as bad:
                self.telling.fault(self.name, *bad.words)
                got = None
            if got is None:
                self.key = None
                return
            self.number, raw = got
            self.count += 1
            try:
                self.row = table(read(raw), "stream", "seq")
                self.key = (text_of(self.row["stream"]).encode(), whole(self.row["seq"], 1))
                need(last is None or last <= self.key, "no está en orden", "it is out of order")
                return
            except Bad as bad:
                self.telling.fault(self.where, *bad.words)

    def before(self, key: tuple[bytes, int] | None) -> None:
        """Name the rows whose event did not come."""
        while self.key is not None and (key is None or self.key < key):
            stream, seq = shown(self.row["stream"]), self.row["seq"]
            self.telling.fault(
                self.where,
                f"nombra un suceso que no está en el paquete: {stream} n.º {seq}",
                f"names an event that is not in the bundle: {stream} no. {seq}",
            )
            self.advance()


# ---- the tree of RFC 6962 ------------------------------------------------------------------------------


def leaf_hash(stream: bytes, seq: int, head: str) -> bytes:
    data = b"\x00" + stream + b"\x00" + str(seq).encode() + bytes.fromhex(head)
    return hashlib.sha256(data).digest()


def tree_root(leaves: Sequence[bytes], first: int = 0, last: int | None = None) -> bytes:
    """RFC 6962, 2.1, as it is written there: split at the largest power of two below the number."""
    last = len(leaves) if last is None else last
    count = last - first
    if count == 0:
        return hashlib.sha256(b"").digest()
    if count == 1:
        return leaves[first]
    middle = first + (1 << (count - 1).bit_length() - 1)
    inner = b"\x01" + tree_root(leaves, first, middle) + tree_root(leaves, middle, last)
    return hashlib.sha256(inner).digest()


def root_by_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root a leaf gives with its neighbours on the way up (RFC 6962, 2.1.1)."""
    if size == 1:
        need(not path, "el camino es demasiado largo", "the path is too long")
        return leaf
    need(bool(path), "el camino es demasiado corto", "the path is too short")
    middle = 1 << (size - 1).bit_length() - 1
    if index < middle:
        return hashlib.sha256(b"\x01" + root_by_path(leaf, index, middle, path[:-1]) + path[-1]).digest()
    below = root_by_path(leaf, index - middle, size - middle, path[:-1])
    return hashlib.sha256(b"\x01" + path[-1] + below).digest()


# ---- keys and signatures ------------------------------------------------------------------------------


def signed_by(public: bytes, message: bytes, signature: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public: bytes) -> str:
    return hashlib.sha256(public).hexdigest()[:16]


Given = tuple[str | None, bytes]
"""A public key that was had elsewhere, and the casino it is said to be of."""


def key_file(path: str) -> list[Given]:
    """Public keys had elsewhere: 64 hexadecimal digits, or a file with them, a PEM, the 32 bytes or the
    keys as the house publishes them (`/llaves-de-sello.json`)."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if HEX32.fullmatch(path.strip().lower()) and not os.path.exists(path):
        return [(None, bytes.fromhex(path.strip()))]
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_KEYS)
        if len(data) == 32:
            return [(None, data)]
        if data.lstrip().startswith(b"-----BEGIN"):
            public = serialization.load_pem_public_key(data)
            if isinstance(public, Ed25519PublicKey):
                raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
                return [(None, raw)]
        said = data.decode().strip()
        if HEX32.fullmatch(said.lower()):
            return [(None, bytes.fromhex(said))]
        if said.startswith(("{", "[")):
            return published_keys(json.loads(said))
    except (Bad, OSError, RecursionError, *ILL_MADE) as error:
        why = getattr(error, "strerror", None) or ""
        raise Unreadable(
            f"la llave {shown(path, 300)} no se puede leer {shown(why)}".rstrip(),
            f"the key {shown(path, 300)} cannot be read {shown(why)}".rstrip(),
        ) from None
    raise Unreadable(
        f"{shown(path, 300)} no es una llave pública Ed25519", f"{shown(path, 300)} is no Ed25519 public key"
    )


def published_keys(told: Any) -> list[Given]:
    """The keys of the houses in a file as they are published. Raises `Bad` where there are none."""
    found: list[Given] = []
    for house in told if isinstance(told, list) else [told]:
        casino = text_of(table(house, "casino", "keys")["casino"])
        found += [(casino, bytes.fromhex(text_of(key["public_key"], HEX32))) for key in house["keys"]]
    need(bool(found), "no trae llaves", "it holds no keys")
    return found


class Keys:
    """The keys that sign: each introduced by the one before, from one that is trusted."""

    def __init__(self, rows: Any, casino: str, telling: Telling, given: Sequence[Given]) -> None:
        self.rows: dict[str, Json] = {}
        self.trusted: set[str] = set()
        self.telling = telling
        self.given = [key_id(public) for house, public in given if house in (None, casino)]
        self.pinned = bool(given)
        """Whether somebody outside said whose keys are to be trusted."""
        need(isinstance(rows, list) and bool(rows), "no hay llaves", "there are no keys")
        before: Json | None = None
        for n, row in enumerate(rows, 1):
            try:
                self._take(row, before, casino)
                before = row
            except Bad as bad:
                telling.fault(f"keys.json, {n}", *bad.words)
        self._trust()

    def _take(self, row: Any, before: Json | None, casino: str) -> None:
        row = table(row, "key_id", "public_key", "since", "until", "document", "signature", "introduced_by")
        public, name = bytes.fromhex(text_of(row["public_key"], HEX32)), text_of(row["key_id"], KEY_ID)
        need(key_id(public) == name, "el nombre no es el de la llave", "the name is not the key's")
        need(name not in self.rows, "la llave está dos veces", "the key is there twice")
        text_of(row["since"])
        need(row["until"] is None or bool(text_of(row["until"])), "no dice hasta cuándo", "no end is said")
        document = text_of(row["document"]).encode()
        told = table(read(document))
        need(told.get("key_id") == name, "se presenta otra llave", "another key is introduced")
        need(
            told.get("public_key") == row["public_key"], "se presenta otra llave", "another key is introduced"
        )
        need(told.get("casino") == casino, "es de otro casino", "it is another casino's")
        since = told.get("since", row["since"])
        need(
            since == row["since"],
            "no es desde cuándo dice su presentación",
            "its introduction says another since",
        )
        own = bytes.fromhex(text_of(row["signature"], HEX64))
        need(
            signed_by(public, document, own), "no firma su presentación", "it does not sign its introduction"
        )
        if row["introduced_by"] is not None:
            need(before is not None, "la presenta nadie conocido", "nobody known introduces it")
            assert before is not None
            hand = bytes.fromhex(text_of(row["introduced_by"], HEX64))
            by_last = signed_by(bytes.fromhex(before["public_key"]), document, hand)
            need(by_last, "la llave anterior no la presentó", "the key before did not introduce it")
            need(
                before["until"] == row["since"],
                "las llaves no se siguen",
                "the keys do not follow one another",
            )
        self.rows[name] = row

    def _trust(self) -> None:
        """Trust spreads from a key to the one it introduced, and to nobody else."""
        roots = set(self.given) & self.rows.keys()
        if self.pinned and not roots:
            names = ", ".join(self.given) or "—"
            self.telling.fault(
                "keys.json",
                f"la llave {names}, obtenida aparte, no es de las del paquete: lo firmó otro",
                f"the key {names}, had elsewhere, is none of the bundle's: somebody else signed it",
            )
        before = None
        for n, (name, row) in enumerate(self.rows.items()):
            introduced = before in self.trusted and row["introduced_by"] is not None
            if name in roots or introduced or (n == 0 and not self.pinned):
                self.trusted.add(name)
            elif self.trusted:
                self.telling.fault("keys.json", *self._not_introduced(name, row))
            before = name

    def _not_introduced(self, name: str, row: Json) -> Words:
        if row["introduced_by"] is not None:
            return (
                f"la llave {name} la presentó una que no es de confianza: obténgala aparte y dé las dos"
                " (--key ANTERIOR --key ESTA)",
                f"the key {name} was introduced by one that is not trusted: get it elsewhere and give both"
                " (--key BEFORE --key THIS)",
            )
        return (
            f"la llave {name} no fue presentada por la anterior (se perdió): pídala a la AJ o a quien"
            " guarda las llaves publicadas y dé las dos (--key ANTERIOR --key ESTA)",
            f"the key {name} was not introduced by the one before (it was lost): ask AJ, or whoever keeps"
            " the published keys, for it and give both (--key BEFORE --key THIS)",
        )

    def check(self, name: Any, message: bytes, signature: Any) -> Json:
        """The key of that name, whose signature it is. Raises `Bad`."""
        row = self.rows.get(text_of(name, KEY_ID))
        need(row is not None, f"la llave {name} no es conocida", f"the key {name} is not known")
        assert row is not None
        hand = bytes.fromhex(text_of(signature, HEX64))
        good = signed_by(bytes.fromhex(row["public_key"]), message, hand)
        need(
            good,
            "la firma no es de esa llave o lo firmado cambió",
            "the signature is not that key's, or what it signs changed",
        )
        return row

    def say_trust(self) -> None:
        names = ", ".join(self.rows)
        if not self.pinned:
            self.telling.open(
                "keys.json",
                f"de quién es: se confía en la llave que vino con él ({names}), y nadie de fuera dijo"
                " que sea de la casa. Dé --key con la llave que la casa entregó a la AJ o publica en"
                " /llaves-de-sello.json, obtenida aparte",
                f"whose it is: the key that came with it is trusted ({names}), and nobody outside said"
                " that it is the house's. Give --key with the key the house handed to AJ or publishes at"
                " /llaves-de-sello.json, had elsewhere",
            )
            return
        rooted = [name for name in self.rows if name in self.given]
        followed = [name for name in self.rows if name in self.trusted and name not in rooted]
        older = [name for name in self.rows if name not in self.trusted]
        said_es, said_en = (
            f"de confianza, la dada: {', '.join(rooted)}",
            f"trusted, the one given: {', '.join(rooted)}",
        )
        if followed:
            said_es += f"; y las que ella presentó: {', '.join(followed)}"
            said_en += f"; and those it introduced: {', '.join(followed)}"
        if older:
            said_es += (
                f"; anteriores, que no se dieron: {', '.join(older)} (sus sellos valen por el que una de"
                " confianza firmó después, que guarda su raíz)"
            )
            said_en += (
                f"; earlier ones, not given: {', '.join(older)} (their seals hold by the one that a trusted"
                " key signed after them, which has their root)"
            )
        self.telling.say(f"llaves: {said_es}", f"keys: {said_en}")


# ---- seals ---------------------------------------------------------------------------------------------


class Seals:
    """The seals of the house up to one day, each holding the root of the one before."""

    def __init__(self, telling: Telling, keys: Keys, casino: str) -> None:
        self.telling, self.keys, self.casino = telling, keys, casino
        self.days: dict[str, Json] = {}
        self._root, self._day = ZEROS, ""

    def take(self, where: str, raw: bytes) -> None:
        try:
            row = table(read(raw), "document", "signature")
            self._take(row)
        except Bad as bad:
            self.telling.fault(where, *bad.words)

    def _take(self, row: Json) -> None:
        document = text_of(row["document"]).encode()
        told = table(
            read(document),
            "v",
            "casino",
            "gaming_day",
            "root",
            "leaves",
            "previous_root",
            "sealed_at",
            "key_id",
        )
        day, previous = text_of(told["gaming_day"], DAY), self._root
        root = text_of(told["root"], HEX32)
        need(told["casino"] == self.casino, "es de otro casino", "it is another casino's")
        need(
            day > self._day, f"el día {day} no sigue al anterior", f"day {day} does not follow the one before"
        )
        whole(told["leaves"])
        self._root, self._day = root, day
        self.days[day] = told
        key = self.keys.check(told["key_id"], document, row["signature"])
        at = text_of(told["sealed_at"])
        in_use = key["since"] <= at and (key["until"] is None or at <= key["until"])
        need(in_use, "la llave no estaba en uso cuando se selló", "the key was not in use when it was sealed")
        need(
            told["previous_root"] == previous,
            f"el sello del {day} no guarda la raíz del anterior",
            f"the seal of {day} does not hold the root of the one before",
        )


class Leaves:
    """Which chain stood where at each sealed day of the bundle, and whether that gives the sealed root."""

    def __init__(self, telling: Telling, seals: Seals) -> None:
        self.telling, self.seals = telling, seals
        self.heads: dict[bytes, tuple[int, str]] = {}
        self.marks: dict[bytes, dict[int, tuple[str, str]]] = {}
        self.moved: set[bytes] = set()
        self._names: list[bytes] = []
        self._hashes: dict[bytes, bytes] = {}

    def read(self, archive: Archive, manifest: Json) -> None:
        """All chains before the bundle's days, then what moved each day, then up to the last seal."""
        base, days, through = manifest["base"], manifest["days"], manifest["through"]
        expected = [*([] if base is None else [base]), *days, *([] if through == days[-1] else [through])]
        at = -1
        try:
            for n, raw in archive.lines("leaves.jsonl"):
                where = f"leaves.jsonl:{n}"
                try:
                    row = table(read(raw), "day", "stream", "seq", "head")
                    while at < 0 or row["day"] != expected[at]:
                        if at >= 0:
                            self._close(expected[at])
                        at += 1
                        need(at < len(expected), "un día que no toca o fuera de orden", "a day out of place")
                    self._take(row, expected[at], of_the_days=expected[at] in days)
                except Bad as bad:
                    self.telling.fault(where, *bad.words)
                    if at >= len(expected):
                        return
        except Bad as bad:
            self.telling.fault("leaves.jsonl", *bad.words)
        for day in expected[max(at, 0) :]:
            self._close(day)

    def _take(self, row: Json, day: str, *, of_the_days: bool) -> None:
        stream, seq = text_of(row["stream"]).encode(), whole(row["seq"], 1)
        head = text_of(row["head"], HEX32)
        need(b"\x00" not in stream, "nombre de cadena imposible", "an impossible name of a chain")
        known = self.heads.get(stream)
        need(
            known is None or known[0] < seq,
            f"la cadena {shown(row['stream'])} retrocede o se repite",
            f"the chain {shown(row['stream'])} goes back or is there twice",
        )
        if known is None:
            insort(self._names, stream)
        self.heads[stream] = (seq, head)
        self._hashes[stream] = leaf_hash(stream, seq, head)
        self.marks.setdefault(stream, {})[seq] = (head, day)
        if of_the_days:
            self.moved.add(stream)

    def _close(self, day: str) -> None:
        seal = self.seals.days.get(day)
        where = f"leaves.jsonl, {day}"
        if seal is None:
            self.telling.fault(
                where, f"el día {day} no tiene sello (REC-06)", f"day {day} has no seal (REC-06)"
            )
            return
        root = tree_root([self._hashes[name] for name in self._names]).hex()
        if root != seal["root"] or len(self._names) != seal["leaves"]:
            self.telling.fault(
                where,
                f"las cadenas no dan la raíz sellada el {day}",
                f"the chains do not give the root sealed on {day}",
            )


# ---- the rules of the games, in a process of their own -----------------------------------------------------

ENGINE = r"""
import json, os, sys
sys.path.insert(0, sys.argv[1])
try:
    import resource
    # The system's own word, which no trick of Python's unsays: no byte in a file, no process more.
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
        resource.setrlimit(limit, (0, 0))
    del resource, sys.modules["resource"]
except (ImportError, OSError, ValueError):
    pass
HARMLESS = 0
for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY", "O_NOINHERIT"):
    HARMLESS |= getattr(os, name, 0)

def refuse(event, args, harmless=HARMLESS):
    if event == "open":
        mode, flags = args[1], args[2]
        if isinstance(mode, str) and set(mode) & set("wax+") or isinstance(flags, int) and flags & ~harmless:
            raise PermissionError("writing a file")
    elif event.split(".")[0] in ("socket", "sqlite3", "subprocess", "ctypes", "shutil", "winreg", "urllib"):
        raise PermissionError(event)
    elif event == "object.__setattr__" and args[1:2] == ("__code__",):
        raise PermissionError(event)
    elif event.startswith("os.") and event not in ("os.listdir", "os.scandir", "os.fwalk", "os.walk"):
        raise PermissionError(event)

sys.addaudithook(refuse)
from tables.games import registry
from tables.games.terms import Terms

kept = {}
for line in sys.stdin.buffer:
    try:
        asked = json.loads(line)
        game = registry.game(asked["game"])
        key = (asked["game"], json.dumps(asked["rules"]), json.dumps(asked["terms"]))
        if key not in kept:
            if len(kept) > 500:
                kept.clear()
            kept[key] = (game.read_rules(asked["rules"]), Terms.from_json(asked["terms"]))
        rules, terms = kept[key]
        settled = game.settle(game.play_all(game.open(rules, terms), asked["log"])).to_json()
        told = {"settlement": settled, "bank": game.bank}
    except Exception as error:
        told = {"error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
"""


def own_rules(folder: str) -> dict[str, bytes]:
    """The reader's own copy of the rules, by path: `folder` is `tables/games`, or holds it. Raises
    `Unreadable` where it is neither."""
    place = Path(folder).resolve()
    if place.parts[-2:] == ("tables", "games"):
        place = place.parent.parent
    found: dict[str, bytes] = {}
    try:
        for room in ("tables/games", "shoes", "casino/kernel"):
            for path in sorted((place / room).rglob("*.py")):
                found[path.relative_to(place).as_posix()] = path.read_bytes()
        for package in ("tables", "casino"):
            path = place / package / "__init__.py"
            found[f"{package}/__init__.py"] = path.read_bytes() if path.is_file() else b""
    except OSError as error:
        raise Unreadable(
            f"no se puede leer {shown(folder, 300)}: {shown(error.strerror or '')}",
            f"cannot read {shown(folder, 300)}: {shown(error.strerror or '')}",
        ) from None
    if "tables/games/registry.py" not in found:
        raise Unreadable(
            f"{shown(folder, 300)} no tiene tables/games", f"{shown(folder, 300)} has no tables/games"
        )
    return found


class Engine:
    """Settles rounds again by rules of the games that somebody vouches for, apart from this process.

    Files cannot be written there, no network, no program started: a hindrance, not a wall. The wall is that
    nothing comes here but what a key had elsewhere signed, or the reader's own copy.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="sabot-")
        for name, data in files.items():
            path = Path(self.folder.name) / "code" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.process = subprocess.Popen(  # noqa: S603 (this very Python)
            [
                sys.executable,
                "-I",
                "-S",
                "-B",
                "-X",
                "utf8",
                "-c",
                ENGINE,
                os.path.join(self.folder.name, "code"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
        )
        self.answers: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.answers.put(line)
        self.answers.put(b"")

    def ask(self, question: Json) -> Json:
        """What the rules say. Raises `Bad` where they refuse it; `EngineGone` where nobody answers."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
            line = self.answers.get(timeout=ENGINE_SECONDS)
            answer = json.loads(line) if line else None
        except (OSError, queue.Empty, ValueError):
            answer = None
        if not isinstance(answer, dict):
            raise EngineGone
        if "error" in answer:
            why = shown(answer["error"])
            raise Bad(f"las reglas no lo admiten: {why}", f"the rules refuse it: {why}")
        return answer

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass
        self.folder.cleanup()


class EngineGone(Exception):
    """The process that settles stopped answering."""


# ---- events, with the money and the rounds that belong to them ---------------------------------------

ROUND_SETTLED, ROUND_VOIDED = "tables.round.settled", "tables.round.voided"
RULES_PUBLISHED = ("tables.rules.published", "tables.rules.forced")
LIMITS_PUBLISHED = "tables.limits.published"
OF_A_ROUND = ("lost", "won", "breakage", "commission", "commission_rounded_up", "commission_rounded_down")
BET = (
    "order",
    "seat",
    "spot",
    "hand",
    "stake",
    "returned",
    "commission",
    "rounding",
    "breakage",
    "pays",
    "row",
    "rule",
)


class Events:
    """Every event in one pass, a chain after the other; beside it the transfers and rounds in their order."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle, self.telling, self.leaves = bundle, bundle.telling, bundle.leaves
        self.casino = bundle.manifest["casino"]["code"]
        self.count = self.streams = 0
        self.proven: dict[bytes, int] = {}
        """Each chain whose head is the sealed one, and how many events it has."""
        self.stream, self.seq, self.head = b"", 0, ZEROS
        self.broken = False
        self.bad_streams: set[bytes] = set()
        self.money = Money(bundle)
        self.rounds = Rounds(bundle)

    def check(self) -> None:
        for name in self.bundle.names("events/"):
            try:
                for n, line in self.bundle.archive.lines(name):
                    self._one(name, n, line)
            except Bad as bad:
                self.telling.fault(name, *bad.words)
        self._end_stream()
        self.money.rows.before(None)
        self.rounds.rows.before(None)
        for stream in self.leaves.moved - self.proven.keys():
            if stream not in self.bad_streams:
                self._lacking(stream)

    def _lacking(self, stream: bytes) -> None:
        name = shown(stream.decode())
        self.telling.fault(
            f"events, {name}",
            "la cadena se movió en estos días y no está en el paquete",
            "the chain moved on these days and is not in the bundle",
        )

    def _one(self, name: str, n: int, line: bytes) -> None:
        """`{"hash":"…","body":…}`: the body's bytes are the hashed ones, as the house stored them."""
        self.count += 1
        stated, body = line[9:73], line[82:-1]
        try:
            framed = line[:9] == b'{"hash":"' and line[73:82] == b'","body":' and line[-1:] == b"}"
            need(framed, "no es un suceso", "it is no event")
            event = read(body)
            stream, seq = event["stream"].encode(), event["seq"]
        except Bad as bad:
            self._fault(name, n, *bad.words)
            return
        except ILL_MADE:
            self._fault(name, n, "no es un suceso", "it is no event")
            return
        if stream != self.stream:
            self._begin_stream(name, n, stream)
        place = f"{name}:{n}, {event['stream']} #{seq}"
        if type(seq) is not int or seq != self.seq + 1:
            seq = self._out_of_place(name, n, event["stream"], seq)
        digest = hashlib.sha256(bytes.fromhex(self.head) + body).hexdigest()
        if digest.encode() != stated:
            self._fault(
                place,
                0,
                "el suceso no da su huella: fue cambiado, o lo fue el anterior",
                "the event does not give its hash: it was changed, or the one before it was",
            )
            digest = stated.decode("latin-1") if HEX32.fullmatch(stated.decode("latin-1")) else digest
        self.seq, self.head = seq, digest
        mark = self.leaves.marks.get(stream, {}).get(seq)
        if mark is not None and mark[0] != digest:
            self._fault(
                place,
                0,
                f"no es el suceso sellado el {mark[1]}: la cadena fue rehecha",
                f"it is not the event sealed on {mark[1]}: the chain was rebuilt",
            )
        self._inside(place, stream, seq, event)
        if not self.count % 5_000:
            self.telling.progress(f"{self.count} sucesos…", f"{self.count} events…")

    def _out_of_place(self, name: str, n: int, stream: str, seq: object) -> int:
        """Say that a number does not follow; the number to go on with."""
        self._fault(
            name,
            n,
            f"{shown(stream)}: después del n.º {self.seq} viene el {shown(seq)}: falta o sobra un suceso",
            f"{shown(stream)}: after no. {self.seq} comes {shown(seq)}: an event is missing or too many",
        )
        return seq if type(seq) is int else self.seq + 1

    def _begin_stream(self, name: str, n: int, stream: bytes) -> None:
        last = self.stream
        self._end_stream()
        self.stream, self.seq, self.head, self.broken = stream, 0, ZEROS, False
        self.streams += 1
        if stream <= last:
            self._fault(name, n, "las cadenas no están en orden", "the chains are out of order")

    def _fault(self, name: str, n: int, es: str, en: str) -> None:
        self.broken = True
        self.telling.fault(f"{name}:{n}" if n else name, es, en)

    def _inside(self, place: str, stream: bytes, seq: int, event: Json) -> None:
        if event.keys() != EVENT_KEYS or event["v"] != 1 or event["casino"] != self.casino:
            self._fault(place, 0, "no es un suceso de este casino", "it is no event of this casino")
        key = (stream, seq)
        self.bundle.events_place = place
        try:
            self.rounds.at(key, place, event)
            self.money.at(key, self.rounds)
        except ILL_MADE:
            self._fault(place, 0, "el suceso está mal hecho", "the event is ill-made")

    def _end_stream(self) -> None:
        if not self.stream:
            return
        name = shown(self.stream.decode())
        sealed = self.leaves.heads.get(self.stream)
        if sealed is None:
            self._fault(f"events, {name}", 0, "la cadena no está en ningún sello", "the chain is in no seal")
        elif sealed[0] != self.seq:
            self._fault(
                f"events, {name}",
                0,
                f"la cadena termina en el n.º {self.seq} y la sellada en el {sealed[0]}: le falta o"
                f" le sobra el final",
                f"the chain ends at no. {self.seq} and the sealed one at {sealed[0]}: its tail is cut"
                f" off or too long",
            )
        if self.broken:
            self.bad_streams.add(self.stream)
        else:
            self.proven[self.stream] = self.seq
        self.stream = b""


class Money:
    """Every transfer: it sums to zero, its event is there, and of rounds it is what the rules give."""

    def __init__(self, bundle: Bundle) -> None:
        self.telling, self.bundle = bundle.telling, bundle
        self.rows = Rows(bundle.archive, "ledger/transfers.jsonl", bundle.telling)
        self.transfers = self.postings = self.total = 0
        self.accounts: dict[str, list[int]] = {}

    def at(self, key: tuple[bytes, int], rounds: Rounds) -> None:
        """The transfers of one event."""
        rows = self.rows
        if rows.key is not None and rows.key < key:
            rows.before(key)
        of_round: list[Any] | None = None
        moved: list[Any] = []
        back: list[Any] | None = None
        while rows.key == key:
            try:
                lines = self._lines(rows.row)
                moved += lines
                if rows.row["kind"] == "round":
                    of_round = [*(of_round or []), *lines]
                elif rows.row["kind"] == "round_void":
                    back = [*(back or []), *lines]
            except Bad as bad:
                self.telling.fault(rows.where, *bad.words)
            rows.advance()
        rounds.posted(of_round, moved)
        rounds.put_back(key, back)

    def _lines(self, row: Json) -> list[Any]:
        row = table(row, "kind", "day", "occurred", "lines")
        lines = row["lines"]
        need(
            isinstance(lines, list) and len(lines) >= 2, "un asiento sin apuntes", "a transfer without lines"
        )
        debits = credits = 0
        self.transfers += 1
        for line in lines:
            need(isinstance(line, list) and len(line) == 4, "un apunte mal hecho", "an ill-made line")
            account, debit, credit = text_of(line[0]), whole(line[1]), whole(line[2])
            need((debit == 0) != (credit == 0), "un apunte con dos lados", "a line with two sides")
            sums = self.accounts.setdefault(account, [0, 0])
            sums[0] += debit
            sums[1] += credit
            debits += debit
            credits += credit
            self.postings += 1
        self.total += debits
        need(
            debits == credits,
            f"el asiento no suma cero: entran {debits} y salen {credits}",
            f"the transfer does not sum to zero: {debits} arrive and {credits} leave",
        )
        return lines

    def compare(self) -> None:
        """The balances told against those summed here."""
        name, told = "ledger/accounts.jsonl", set()
        try:
            for n, raw in self.bundle.archive.lines(name):
                try:
                    row = table(read(raw), "account", "debit", "credit")
                    account = text_of(row["account"])
                    need(account not in told, "la cuenta está dos veces", "the account is there twice")
                    told.add(account)
                    found = self.accounts.get(account, [0, 0])
                    need(
                        found == [row["debit"], row["credit"]],
                        f"la cuenta {shown(account)} no es la suma de sus apuntes",
                        f"the account {shown(account)} is not the sum of its lines",
                    )
                except Bad as bad:
                    self.telling.fault(f"{name}:{n}", *bad.words)
            for account in sorted(self.accounts.keys() - told):
                self.telling.fault(
                    name, f"falta la cuenta {shown(account)}", f"account {shown(account)} is missing"
                )
        except Bad as bad:
            self.telling.fault(name, *bad.words)


class Rounds:
    """Every settled round: what is told of it is what its event says, and what its rules say again."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle, self.telling = bundle, bundle.telling
        self.rows = Rows(bundle.archive, "rounds/rounds.jsonl", bundle.telling)
        self.again = self.count = 0
        self.engine: Engine | None = None
        self.rules, self.limits = self._versions()
        self.published: dict[int, Any] = {}
        self.limits_published: dict[tuple[Any, Any], Any] = {}
        self.used: set[tuple[str, int]] = set()
        self.now: tuple[str, Json, Json] | None = None
        """The round at hand: where its row is, the row, its event."""
        self.voiding: tuple[str, Json] | None = None
        self.void_due: dict[tuple[bytes, int], tuple[str, int, list[Any]]] = {}
        """By the event that voids it: each round that is void, with the lines it had posted."""

    def _versions(self) -> tuple[dict[int, Json], dict[int, Json]]:
        found: dict[str, dict[int, Json]] = {"rules": {}, "limits": {}}
        try:
            for n, raw in self.bundle.archive.lines("rounds/versions.jsonl"):
                try:
                    row = table(read(raw), "kind", "id", "version")
                    known, number = found[text_of(row["kind"])], whole(row["id"])
                    need(number not in known, "la versión está dos veces", "the version is there twice")
                    known[number] = row
                except (Bad, KeyError) as bad:
                    words = bad.words if isinstance(bad, Bad) else ("no es una versión", "it is no version")
                    self.telling.fault(f"rounds/versions.jsonl:{n}", *words)
        except Bad as bad:
            self.telling.fault("rounds/versions.jsonl", *bad.words)
        return found["rules"], found["limits"]

    def at(self, key: tuple[bytes, int], place: str, event: Json) -> None:
        rows, action = self.rows, event.get("action")
        if rows.key is not None and rows.key < key:
            rows.before(key)
        if action in RULES_PUBLISHED or action == LIMITS_PUBLISHED:
            self._note_version(event)
        self.voiding = (place, event["data"]) if action == ROUND_VOIDED else None
        there = rows.key == key
        if action == ROUND_SETTLED and not there:
            self.telling.fault(place, "falta el pase de este suceso", "the round of this event is missing")
        elif there and action != ROUND_SETTLED:
            self.telling.fault(rows.where, "su suceso no es de un pase", "its event is of no round")
            rows.advance()
        elif there:
            self.now = (rows.where, rows.row, event)
            rows.advance()

    def _note_version(self, event: Json) -> None:
        data, subject = event.get("data"), event.get("subject")
        if isinstance(data, dict) and isinstance(subject, dict):
            if event["action"] == LIMITS_PUBLISHED:
                what = [data.get("chip"), data.get("spots"), data.get("differential")]
                self.limits_published[(subject.get("id"), data.get("version"))] = what
            else:
                self.published[subject.get("id", 0)] = [subject.get("label"), data.get("params")]

    def posted(self, lines: list[Any] | None, moved: list[Any]) -> None:
        """The round at hand, with the lines that were posted for it, and all that its event moved."""
        if self.now is None:
            if lines is not None:
                self.telling.fault(
                    self.rows.where, "un asiento de pase sin pase", "a round's transfer, no round"
                )
            return
        where, row, event = self.now
        self.count += 1
        try:
            self._compare(row, event)
            if row["void"] is not None:
                stream, seq = row["void"]
                self.void_due[text_of(stream).encode(), whole(seq, 1)] = (where, row["seq"], moved)
            if self.bundle.rules_to_run:
                self._settle(row, lines or [])
        except Bad as bad:
            self.telling.fault(f"{where}, {row.get('label', '')}", *bad.words)
        except ILL_MADE:
            self.telling.fault(where, "el pase está mal hecho", "the round is ill-made")
        except EngineGone:
            self.bundle.rules_to_run = {}
            self.telling.fault(
                where,
                "las reglas de los juegos dejaron de responder; los demás pases quedan sin liquidar",
                "the rules of the games stopped answering; further rounds are not settled",
            )

    def put_back(self, key: tuple[bytes, int], lines: list[Any] | None) -> None:
        """A void takes back exactly what its round had moved (REC-07), and nothing else is taken back."""
        due = self.void_due.pop(key, None)
        self.now = None
        if self.voiding is None:
            if due is not None or lines is not None:
                where = self.bundle.events_place if due is None else due[0]
                self.telling.fault(where, "su anulación no es la de un suceso", "no event voids it")
            return
        (place, data), self.voiding = self.voiding, None
        reverses = data.get("reverses") if isinstance(data, dict) else None
        if due is None:
            if reverses is not None:
                self.telling.fault(
                    place, "anula un pase que se da por bueno", "it voids a round that is shown as good"
                )
            return
        where, seq, posted = due
        named = isinstance(reverses, dict) and reverses.get("seq") == seq
        mirrored = [[account, credit, debit, memo] for account, debit, credit, memo in posted]
        if not named or (lines or []) != mirrored:
            self.telling.fault(
                place,
                f"la anulación no devuelve lo que movió el pase ({where})",
                f"the void does not take back what the round had moved ({where})",
            )

    def _compare(self, row: Json, event: Json) -> None:
        """The row against its sealed event."""
        data = event["data"]
        row = table(row, "game", "rules", "limits", "seats", "detail", "number", "log", "settlement", "bets")
        for name in ("game", "rules", "limits", "detail", "log"):
            need(
                row[name] == data[name],
                f"{name} no es lo que dice su suceso",
                f"{name} is not what its event says",
            )
        need(
            row["number"] == data["round"], "el número no es el de su suceso", "the number is not its event's"
        )
        told = row["settlement"]
        need(
            row["label"] == event["subject"]["label"] and row["stream"] == f"session:{row['session']}",
            "no es el pase de ese suceso",
            "it is not that event's round",
        )
        need(
            row["winner"] == told["outcome"]["winner"]
            and row["state"] == ("void" if row["void"] else "settled"),
            "el ganador o el estado no son los suyos",
            "the winner or the state are not its own",
        )
        need(
            told["outcome"] == data["outcome"] and told["totals"] == data["totals"],
            "el resultado no es el de su suceso",
            "the outcome is not its event's",
        )
        bets = [
            [bet[k] for k in ("seat", "spot", "hand", "stake", "returned", "commission")]
            for bet in row["bets"]
        ]
        need(bets == data["payouts"], "las apuestas no son las de su suceso", "the bets are not its event's")
        self.used.update((("rules", row["rules"]), ("limits", row["limits"])))

    def _settle(self, row: Json, lines: list[Any]) -> None:
        rules, limits = self.rules.get(row["rules"]), self.limits.get(row["limits"])
        need(
            rules is not None and limits is not None,
            "faltan sus reglas o límites",
            "its rules or limits are missing",
        )
        assert rules is not None and limits is not None
        terms = {
            "seats": row["seats"],
            "detail": row["detail"],
            "chip": limits["chip"],
            "limits": limits["spots"],
            "differential": limits["differential"],
            "exponent": self.bundle.manifest["casino"]["exponent"],
        }
        if self.engine is None:
            self.engine = Engine(self.bundle.rules_to_run)
        asked = {"game": row["game"], "rules": rules["params"], "terms": terms, "log": row["log"]}
        answer = self.engine.ask(asked)
        self.again += 1
        settled = answer["settlement"]
        payouts = settled.pop("payouts")
        differing = [
            k for k in sorted({*settled, *row["settlement"]}) if settled.get(k) != row["settlement"].get(k)
        ]
        need(
            not differing,
            f"liquidado de nuevo da otra cosa: {shown(', '.join(differing))}",
            f"settled again it comes out otherwise: {shown(', '.join(differing))}",
        )
        again = [[payout[name] for name in BET] for payout in payouts]
        stored = [[bet[name] for name in BET] for bet in row["bets"]]
        need(again == stored, "liquidado de nuevo paga otras apuestas", "settled again it pays other bets")
        self._moves(row, payouts, answer["bank"], lines)
        self.telling.progress(f"{self.again} pases…", f"{self.again} rounds…")

    def _moves(self, row: Json, payouts: list[Json], bank: str, lines: list[Any]) -> None:
        """What the ledger must have of the round itself; a pool or a player's bank adds lines of its own."""
        due: dict[tuple[str, str], int] = dict.fromkeys(
            [(memo, place) for memo in OF_A_ROUND for place in ("players", "tray", "kitty")], 0
        )

        def move(memo: str, source: str, target: str, amount: int) -> None:
            due[memo, source] -= amount
            due[memo, target] += amount

        for payout in payouts:
            gained = payout["won"] + payout["commission"] + payout["breakage"]
            if bank == "house":
                if gained > 0:
                    move("won", "tray", "players", gained)
                else:
                    move("lost", "players", "tray", -gained)
                move("breakage", "players", "tray", payout["breakage"])
            move("commission", "players", "kitty", payout["commission"] - payout["rounding"])
            if payout["rounding"] > 0:
                move("commission_rounded_up", "players", "kitty", payout["rounding"])
            else:
                move("commission_rounded_down", "kitty", "players", -payout["rounding"])
        for account, debit, credit, memo in lines:
            place, _, session = account.partition(":")
            if memo in OF_A_ROUND and (memo, place) in due and session == str(row["session"]):
                due[memo, place] -= debit - credit
        wrong = sorted({memo for (memo, _), left in due.items() if left})
        need(
            not wrong,
            f"los apuntes no son los que dan las reglas: {', '.join(wrong)}",
            f"the lines are not what the rules give: {', '.join(wrong)}",
        )

    def close(self) -> None:
        """The versions that rounds were played under, against the events that published them."""
        for where, _, _ in self.void_due.values():
            self.telling.fault(where, "falta el suceso que lo anula", "the event that voids it is missing")
        if self.engine is not None:
            self.engine.close()
        for kind, number in sorted(self.used):
            row = (self.rules if kind == "rules" else self.limits).get(number)
            where = f"rounds/versions.jsonl, {kind} {number}"
            if row is None:
                self.telling.fault(
                    where, "falta, y hay pases que la nombran", "it is missing, and rounds name it"
                )
            elif not self._was_published(kind, row):
                self.telling.fault(
                    where, "no es lo que publicó su suceso", "it is not what its event published"
                )

    def _was_published(self, kind: str, row: Json) -> bool:
        if kind == "rules":
            return bool(self.published.get(row["id"]) == [row.get("game"), row.get("params")])
        try:
            told = self.limits_published.get((row["table"], row["version"]))
        except ILL_MADE:
            return False
        return told == [row.get("chip"), row.get("spots"), row.get("differential")]


# ---- reports ---------------------------------------------------------------------------------------------

NUMBERS = ("int", "money", "percent")


class Reports:
    """Each report: its CSV says what its rows say, its rows rest on proven events, its sums are sums."""

    def __init__(self, bundle: Bundle, proven: dict[bytes, int]) -> None:
        self.bundle, self.telling, self.proven = bundle, bundle.telling, proven
        self.rows = self.resting = self.sums = self.silent = 0

    def check(self) -> None:
        for name in self.bundle.names("reports/"):
            if name.endswith(".rows.jsonl"):
                try:
                    self._one(name, name.removesuffix(".rows.jsonl") + ".csv")
                except Bad as bad:
                    self.telling.fault(name, *bad.words)

    def _one(self, name: str, beside: str) -> None:
        cells = self._csv(beside)
        columns: list[Json] = []
        sums: list[Decimal] = []
        at_head = True
        for n, raw in self.bundle.archive.lines(name):
            try:
                row = table(read(raw))
                if at_head:
                    at_head = False
                    for line in table(row, "report", "preamble")["preamble"]:
                        self._same(cells, line)
                elif "columns" in row:
                    columns = [table(column, "key", "heading", "kind") for column in row["columns"]]
                    sums = [Decimal(0)] * len(columns)
                    for line in row["before"]:
                        self._same(cells, line)
                    self._same(cells, [column["heading"] for column in columns])
                elif "totals" in row:
                    try:
                        if row["totals"]:
                            self._same(cells, row["totals"], columns)
                    finally:
                        self._totals(row, columns, sums)
                else:
                    try:  # whatever is wrong with the row, the CSV goes on by one line
                        self._same(cells, row["cells"], columns)
                    finally:
                        self._row(f"{name}:{n}", row, columns, sums)
            except Bad as bad:
                self.telling.fault(f"{name}:{n}", *bad.words)
            except ILL_MADE:
                self.telling.fault(f"{name}:{n}", "la fila está mal hecha", "the row is ill-made")
        if next(cells, None) is not None:
            self.telling.fault(beside, "tiene filas de más", "it has rows too many")
        for _ in cells:
            pass

    def _csv(self, name: str) -> Iterator[list[str]]:
        """The lines of the CSV; what is wrong with it is said once and ends it."""

        def text() -> Iterator[str]:
            for n, line in self.bundle.archive.lines(name):
                said = line.decode("utf-8-sig" if n == 1 else "utf-8")
                yield said + "\n"

        try:
            csv.field_size_limit(LONGEST_LINE)
            yield from csv.reader(text())
        except Bad as bad:
            self.telling.fault(name, *bad.words)
        except UnicodeError:
            self.telling.fault(name, "no es UTF-8", "it is not UTF-8")
        except csv.Error:
            self.telling.fault(name, "no es un CSV", "it is no CSV")

    def _same(
        self, cells: Iterator[list[str]], expected: Sequence[str], columns: Sequence[Json] = ()
    ) -> None:
        """The next line of the CSV; a text may have an apostrophe in front, so that it is no formula."""
        got = next(cells, None)
        same = got is not None and len(got) == len(expected)
        for at, cell in enumerate(got or ()) if same else ():
            as_text = bool(columns) and columns[at]["kind"] not in NUMBERS
            same = same and (cell == expected[at] or (as_text and cell == "'" + expected[at]))
        need(same, "el CSV no dice lo mismo que esta fila", "the CSV does not say what this row says")

    def _row(self, where: str, row: Json, columns: list[Json], sums: list[Decimal]) -> None:
        cells = row["cells"]
        self.rows += 1
        for at, column in enumerate(columns):
            if column["kind"] in NUMBERS and cells[at]:
                sums[at] = EXACT.add(sums[at], Decimal(text_of(cells[at], AMOUNT)))
        spans = row["events"]
        if not spans and not row["unsealed"]:
            self.silent += 1
            return
        self.resting += 1
        for stream, first, last in spans:
            have = self.proven.get(text_of(stream).encode(), 0)
            need(
                1 <= whole(first) <= whole(last) <= have,
                f"se apoya en sucesos que no están probados: {shown(stream)} n.º {first} a {last}",
                f"it rests on events that are not proven: {shown(stream)} no. {first} to {last}",
            )
        if row["unsealed"] != 0:
            unsealed = whole(row["unsealed"], 1)
            self.telling.open(
                where,
                f"se apoya además en {unsealed} sucesos que aún no tienen sello: pida el paquete otra vez"
                " cuando se selle el día en que ocurrieron (REC-06)",
                f"it also rests on {unsealed} events that have no seal yet: ask for the bundle again once the"
                " day they occurred on is sealed (REC-06)",
            )

    def _totals(self, row: Json, columns: list[Json], sums: list[Decimal]) -> None:
        keys = [column["key"] for column in columns]
        for key in row["sums"]:
            at = keys.index(key)
            self.sums += 1
            need(
                Decimal(text_of(row["totals"][at], AMOUNT)) == sums[at],
                f"el total de «{shown(columns[at]['heading'])}» no es la suma de sus filas: {sums[at]}",
                f"the total of “{shown(columns[at]['heading'])}” is not the sum of its rows: {sums[at]}",
            )


# ---- the whole -------------------------------------------------------------------------------------------


class Bundle:
    """A bundle and the order in which it is checked: nothing is believed before what vouches for it."""

    def __init__(
        self, path: str, telling: Telling, given: Sequence[Given], *, rounds: bool = True, games: str = ""
    ) -> None:
        self.telling, self.given = telling, given
        self.rounds_wanted, self.games = rounds, games
        self.rules_to_run: dict[str, bytes] = {}
        """The rules that settle rounds again, by path; none where nobody vouches for any."""
        self.events_place = ""
        self.archive = Archive(path, telling)
        self.manifest = self._manifest()
        self.casino = self.manifest["casino"]["code"]

    def names(self, folder: str) -> list[str]:
        return sorted(name for name in self.archive.stated if name.startswith(folder))

    def _manifest(self) -> Json:
        try:
            self.raw = self.archive.small("manifest.json")
            told = table(
                read(self.raw),
                "format",
                "casino",
                "first",
                "last",
                "base",
                "days",
                "through",
                "files",
                "totals",
                "key_id",
            )
            if told["format"] != FORMAT:
                name = shown(told["format"], 40)
                raise Unreadable(
                    f"formato desconocido: {name}; use el verificador que vino con él",
                    f"unknown format: {name}; use the verifier that came with it",
                )
            self._well_made(told)
        except Bad as bad:
            raise Unreadable(f"manifest.json: {bad.words[0]}", f"manifest.json: {bad.words[1]}") from None
        return told

    def _well_made(self, told: Json) -> None:
        """Raises `Bad` where a manifest lacks what the rest goes by; keeps what it says of each file."""
        casino = table(told["casino"], "code", "name", "currency", "exponent")
        text_of(casino["code"])
        need(0 <= whole(casino["exponent"]) <= 8, "moneda desconocida", "unknown currency")
        days = told["days"]
        need(isinstance(days, list) and bool(days), "no dice qué días", "it does not say which days")
        for day in (
            *days,
            told["first"],
            told["last"],
            told["through"],
            *([] if told["base"] is None else [told["base"]]),
        ):
            text_of(day, DAY)
        need(days == sorted(set(days)), "los días no están en orden", "the days are out of order")
        right = (told["first"], told["last"]) == (days[0], days[-1]) and told["through"] >= days[-1]
        need(right, "los días no son los que dice", "the days are not those it says")
        files = told["files"]
        need(isinstance(files, list), "no dice qué archivos", "it does not say which files")
        for stated in files:
            name = text_of(table(stated, "path", "size", "sha256")["path"], NAME)
            text_of(stated["sha256"], HEX32)
            whole(stated["size"])
            need(name not in self.archive.stated, f"{name} está dos veces", f"{name} is there twice")
            self.archive.stated[name] = stated
        table(told["totals"])

    def check(self) -> None:
        say, casino = self.telling.say, self.manifest["casino"]
        say(
            f"{shown(casino['name'])} ({shown(casino['code'])}), días de juego del"
            f" {self.manifest['first']} al"
            f" {self.manifest['last']}, cadenas hasta el sello del {self.manifest['through']}",
            f"{shown(casino['name'])} ({shown(casino['code'])}), gaming days {self.manifest['first']} to"
            f" {self.manifest['last']}, chains up to the seal of {self.manifest['through']}",
        )
        self._files_listed()
        signed = self._signed()
        self.seals = Seals(self.telling, self.keys, self.casino)
        self._seals()
        self.leaves = Leaves(self.telling, self.seals)
        self.leaves.read(self.archive, self.manifest)
        good_code = self._code()
        why_not = self._choose_rules(signed=signed, good_code=good_code)
        events = Events(self)
        try:
            events.check()
        finally:
            events.rounds.close()
        self._say_events(events)
        if why_not is not None and events.rounds.count:
            self.telling.open("rounds/rounds.jsonl", *why_not)
        events.money.compare()
        reports = Reports(self, events.proven)
        reports.check()
        self._say_reports(reports)
        self._totals(events, reports)
        good = self.archive.compare(self.names(""))
        say(f"{good} archivos con el SHA-256 del manifiesto", f"{good} files with the manifest's SHA-256")

    def _files_listed(self) -> None:
        stray = self.archive.entries.keys() - self.archive.stated.keys() - {"manifest.json", "manifest.sig"}
        for name in sorted(stray):
            self.telling.fault(name, "no está en el manifiesto", "it is not in the manifest")

    def _signed(self) -> bool:
        """Whether the manifest is signed by a key that is trusted."""
        before = self.telling.faults
        self.keys = Keys.__new__(Keys)
        self.keys.rows, self.keys.trusted, self.keys.telling = {}, set(), self.telling
        try:
            rows = read(self.archive.small("keys.json"))
            self.keys = Keys(rows, self.casino, self.telling, self.given)
        except Bad as bad:
            self.telling.fault("keys.json", *bad.words)
            return False
        try:
            row = table(read(self.archive.small("manifest.sig")), "key_id", "signature")
            need(row["key_id"] == self.manifest["key_id"], "firma otra llave", "another key signs")
            self.keys.check(row["key_id"], self.raw, row["signature"])
            trusted = row["key_id"] in self.keys.trusted
            need(trusted, "no lo firma una llave de confianza", "no trusted key signs it")
        except Bad as bad:
            self.telling.fault("manifest.sig", *bad.words)
            return False
        self.keys.say_trust()
        self.telling.say("manifiesto firmado", "manifest signed")
        return self.telling.faults == before

    def _seals(self) -> None:
        try:
            for n, raw in self.archive.lines("seals.jsonl"):
                self.seals.take(f"seals.jsonl:{n}", raw)
        except Bad as bad:
            self.telling.fault("seals.jsonl", *bad.words)
        days, through = list(self.seals.days), self.manifest["through"]
        if not days or days[-1] != through:
            self.telling.fault(
                "seals.jsonl",
                f"no termina en el sello del {through}",
                f"it does not end at the seal of {through}",
            )
        last = self.seals.days.get(through)
        if last is not None and last["key_id"] in self.keys.rows.keys() - self.keys.trusted:
            key = last["key_id"]
            self.telling.open(
                "seals.jsonl",
                f"el último sello lo firma la llave {key}, anterior a la dada: dé también esa, obtenida"
                " aparte (--key ESA --key LA_DADA), o pida otro paquete cuando la nueva selle un día",
                f"the last seal is signed by the key {key}, earlier than the one given: give that too, had"
                " elsewhere (--key THAT --key THE_ONE_GIVEN), or ask for a bundle again once the new key"
                " has sealed a day",
            )
        between = [day for day in days if self.manifest["first"] <= day <= self.manifest["last"]]
        if between != self.manifest["days"]:
            self.telling.fault(
                "seals.jsonl", "no son los días del manifiesto", "they are not the manifest's days"
            )
        earlier = [day for day in days if day < self.manifest["first"]]
        if (earlier[-1] if earlier else None) != self.manifest["base"]:
            self.telling.fault(
                "seals.jsonl", "falta el sello anterior a estos días", "the seal before these days is missing"
            )
        self.telling.say(f"{len(days)} sellos", f"{len(days)} seals")

    def _code(self) -> bool:
        names = self.names("code/")
        good = bool(names) and self.archive.compare(names) == len(names)
        digest = hashlib.sha256()
        for name in names:
            digest.update(f"{name} {self.archive.stated[name]['sha256']}\n".encode())
        self.telling.say(
            f"reglas de los juegos: {len(names)} archivos, huella {digest.hexdigest()[:32]}",
            f"rules of the games: {len(names)} files, fingerprint {digest.hexdigest()[:32]}",
        )
        return good

    def _choose_rules(self, *, signed: bool, good_code: bool) -> Words | None:
        """Which rules settle rounds again: the reader's own; those of the bundle, but only as signed by a
        key had elsewhere; or none, and then why."""
        if not self.rounds_wanted:
            return (
                "los pases no se liquidaron de nuevo, como se pidió con --no-rounds",
                "rounds were not settled again, as was asked with --no-rounds",
            )
        if self.games:
            self._own_rules()
        elif not self.given:
            return (
                "los pases no se liquidaron de nuevo: nadie dijo de quién es el código que vino en el"
                " paquete, y no se ejecuta. Dé --key con una llave publicada, o --games CARPETA con una copia"
                " suya de tables/games",
                "rounds were not settled again: nobody said whose code it is that came with the bundle, and"
                " it is not run. Give --key with a published key, or --games FOLDER with a copy of your own"
                " of tables/games",
            )
        elif signed and good_code:
            self._signed_rules()
        if not self.rules_to_run:
            self.telling.fault(
                "code",
                "sin firma y huellas buenas no se ejecuta código del paquete: los pases no se"
                " liquidan de nuevo",
                "without a good signature and hashes no code of the bundle is run: rounds are not"
                " settled again",
            )
        return None

    def _signed_rules(self) -> None:
        """The very bytes that the signed manifest names, read once more: what stands beside it stays out."""
        found: dict[str, bytes] = {}
        for name in self.names("code/"):
            if name.endswith(".py"):
                data = self.archive.small(name)
                if hashlib.sha256(data).hexdigest() != self.archive.stated[name]["sha256"]:
                    return
                found[name.removeprefix("code/")] = data
        self.rules_to_run = found

    def _own_rules(self) -> None:
        """The reader's own copy, held to the bundle's: which of the bundle's files are others."""
        self.rules_to_run = own = own_rules(self.games)
        digest, others = hashlib.sha256(), []
        for name in self.names("code/"):
            data = own.get(name.removeprefix("code/"))
            found = "-" if data is None else hashlib.sha256(data).hexdigest()
            digest.update(f"{name} {found}\n".encode())
            if found != self.archive.stated[name]["sha256"]:
                others.append(name)
        self.telling.say(
            f"reglas de los juegos propias, de {shown(self.games, 200)}: huella {digest.hexdigest()[:32]};"
            " con ellas se liquidan los pases",
            f"rules of the games of your own, from {shown(self.games, 200)}: fingerprint"
            f" {digest.hexdigest()[:32]}; rounds are settled with them",
        )
        if others:
            listed = ", ".join(others[:5]) + ("…" if len(others) > 5 else "")
            self.telling.open(
                "code",
                f"{len(others)} archivos de las reglas no son como los suyos: {listed}. Pida a la casa qué"
                " versión es, o use una copia de esa versión",
                f"{len(others)} files of the rules are not as yours: {listed}. Ask the house which version"
                " it is, or use a copy of that version",
            )

    def _say_events(self, events: Events) -> None:
        rounds = events.rounds
        self.telling.say(
            f"{events.count} sucesos en {events.streams} cadenas; {len(events.proven)} llegan a la"
            f" raíz sellada",
            f"{events.count} events in {events.streams} chains; {len(events.proven)} reach the sealed root",
        )
        self.telling.say(
            f"{rounds.count} pases comparados con sus sucesos; {rounds.again} liquidados de nuevo",
            f"{rounds.count} rounds compared with their events; {rounds.again} settled again",
        )
        money = events.money
        self.telling.say(
            f"{money.transfers} asientos, {money.postings} apuntes",
            f"{money.transfers} transfers, {money.postings} postings",
        )

    def _say_reports(self, reports: Reports) -> None:
        self.telling.say(
            f"{reports.rows} filas de reportes: {reports.resting} nombran sus sucesos, que están probados;"
            f" {reports.sums} totales sumados de nuevo",
            f"{reports.rows} report rows: {reports.resting} name their events, which are proven;"
            f" {reports.sums} totals summed again",
        )
        if reports.rows:
            self.telling.say(
                "(lo que dice cada fila lo firma la casa; se prueba en qué sucesos se apoya y que los totales"
                " suman: de los sucesos a la cifra puede contar quien lee)",
                "(what each row says is signed by the house; proven are the events it rests on and that"
                " totals add up: from the events to the figure the reader may reckon)",
            )
        if reports.silent:
            self.telling.say(
                f"{reports.silent} filas no dicen de qué sucesos salen (un ajuste, un cero, una lista vacía):"
                " de ellas sólo consta que el CSV dice lo mismo que el paquete",
                f"{reports.silent} rows do not say which events they come from (a setting, a nought, an empty"
                " list): of them it is only known that the CSV says what the bundle says",
            )

    def _totals(self, events: Events, reports: Reports) -> None:
        money = events.money
        found = {
            "events": events.count,
            "streams": events.streams,
            "transfers": money.transfers,
            "postings": money.postings,
            "moved": money.total,
            "rounds": events.rounds.count,
            "rows": reports.rows,
        }
        told = self.manifest["totals"]
        for name in sorted({*found, *told}):
            if found.get(name) != told.get(name):
                said, counted = shown(told.get(name), 40), found.get(name)
                self.telling.fault(
                    "manifest.json",
                    f"total «{shown(name, 40)}»: dice {said} y son {counted}",
                    f"total “{shown(name, 40)}”: it says {said}, there are {counted}",
                )


# ---- one row alone -----------------------------------------------------------------------------------------


class RowProof:
    """A row, or an event, with just what leads from it to a signed root."""

    def __init__(self, path: str, telling: Telling, given: Sequence[Given]) -> None:
        self.telling, self.given = telling, given
        try:
            with open(path, "rb") as file:
                raw = file.read(MOST_SMALL + 1)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or ""
            raise Unreadable(
                f"no se puede leer {shown(path, 300)} {shown(why)}".rstrip(),
                f"cannot read {shown(path, 300)} {shown(why)}".rstrip(),
            ) from None
        try:
            need(len(raw) <= MOST_SMALL, "es demasiado grande", "it is too large")
            proof = table(
                read(raw.rstrip(b"\n")), "format", "casino", "row", "events", "chains", "seals", "keys"
            )
            need(proof["format"] == ROW_FORMAT, "formato desconocido", "unknown format")
            text_of(table(proof["casino"], "code", "name")["code"])
            parts = all(
                isinstance(proof[name], list) and proof[name] for name in ("events", "chains", "seals")
            )
            need(parts, "no nombra sucesos, cadenas o sellos", "it names no events, chains or seals")
        except Bad as bad:
            raise Unreadable(
                f"{shown(path, 300)}: {bad.words[0]}", f"{shown(path, 300)}: {bad.words[1]}"
            ) from None
        self.proof = proof
        self.bodies: dict[tuple[str, int], Json] = {}

    def check(self) -> None:
        proof, casino = self.proof, self.proof["casino"]["code"]
        try:
            self.keys = Keys(proof["keys"], casino, self.telling, self.given)
        except Bad as bad:
            self.telling.fault("keys", *bad.words)
            return
        self.keys.say_trust()
        self._say_row()
        words = proof.get("words")
        self.words: list[Json] = []
        if isinstance(words, list) and len(words) == len(proof["events"]):
            self.words = words
        if self.words:
            self.telling.say(
                "(«dice la casa» son palabras suyas, para leer; lo sellado es lo que está delante)",
                "(“the house says” are its own words, to read by; what is sealed is what stands before)",
            )
        self.days: dict[str, Json] = {}
        for n, row in enumerate(proof["seals"], 1):
            self._guard(f"seals, {n}", lambda row=row: self._seal(row, casino))  # type: ignore[misc]
        for n, row in enumerate(proof["chains"], 1):
            self._guard(f"chains, {n}", lambda row=row: self._chain(row, casino))  # type: ignore[misc]
        for n, named in enumerate(proof["events"], 1):
            self._guard(f"events, {n}", lambda n=n, named=named: self._named(n, named))  # type: ignore[misc]

    def _guard(self, where: str, what: Callable[[], None]) -> None:
        try:
            what()
        except Bad as bad:
            self.telling.fault(where, *bad.words)
        except ILL_MADE:
            self.telling.fault(where, "está mal hecho", "it is ill-made")

    def _say_row(self) -> None:
        row = self.proof["row"]
        if not isinstance(row, dict):
            return
        cells = row.get("cells")
        said = " | ".join(shown(cell, 60) for cell in cells) if isinstance(cells, list) else ""
        name = shown(row.get("report", ""), 80)
        self.telling.say(f"la fila de «{name}» dice: {said}", f"the row of “{name}” says: {said}")
        try:
            self._say_signed()
        except Bad as bad:
            self.telling.fault("row", *bad.words)

    def _say_signed(self) -> None:
        """Whose word the figures are: the seals prove the events, not what is reckoned from them."""
        signed = self.proof.get("signed")
        if signed is None:
            self.telling.open(
                "row",
                "lo que dice la fila no lo firma nadie; se prueban los sucesos en que se apoya, y de ellos a"
                " la cifra cuenta quien lee. Pida la prueba firmada, o un paquete de esos días",
                "nobody signs what the row says; what is proven is the events it rests on, and from them to"
                " the figure the reader reckons. Ask for the proof signed, or for a bundle of those days",
            )
            return
        signed = table(signed, "key_id", "signature")
        document = canonical({name: self.proof[name] for name in ("format", "casino", "row", "events")})
        self.keys.check(signed["key_id"], document.encode(), signed["signature"])
        need(
            signed["key_id"] in self.keys.trusted,
            "no la firma una llave de confianza",
            "no trusted key signs it",
        )
        self.telling.say(
            "(la casa firma lo que dice la fila y en qué sucesos se apoya; los sucesos se prueban por los"
            " sellos, y de ellos a la cifra puede contar quien lee)",
            "(the house signs what the row says and which events it rests on; the events are proven by the"
            " seals, and from them to the figure the reader may reckon)",
        )

    def _seal(self, row: Any, casino: str) -> None:
        row = table(row, "document", "signature")
        document = text_of(row["document"]).encode()
        told = table(read(document), "casino", "gaming_day", "root", "leaves", "key_id")
        need(told["casino"] == casino, "es de otro casino", "it is another casino's")
        text_of(told["root"], HEX32)
        whole(told["leaves"], 1)
        self.keys.check(told["key_id"], document, row["signature"])
        need(
            told["key_id"] in self.keys.trusted,
            "no lo firma una llave de confianza",
            "no trusted key signs it",
        )
        self.days[text_of(told["gaming_day"], DAY)] = told

    def _chain(self, row: Any, casino: str) -> None:
        row = table(row, "stream", "first", "previous", "bodies", "day", "index", "path")
        stream, seq, head = text_of(row["stream"]), whole(row["first"], 1), text_of(row["previous"], HEX32)
        need(
            seq > 1 or head == ZEROS,
            "el primer suceso no empieza de cero",
            "the first event does not begin at zero",
        )
        found: dict[tuple[str, int], Json] = {}
        for body in row["bodies"]:
            raw = text_of(body).encode()
            event = table(read(raw), *EVENT_KEYS)
            right = (event["stream"], event["seq"], event["casino"]) == (stream, seq, casino)
            need(right, f"el n.º {seq} es de otra parte", f"no. {seq} is from elsewhere")
            head = hashlib.sha256(bytes.fromhex(head) + raw).hexdigest()
            found[stream, seq] = event
            seq += 1
        need(bool(found), "sin sucesos", "without events")
        seal = self.days.get(row["day"])
        need(
            seal is not None,
            f"falta el sello del {shown(row['day'], 20)}",
            f"the seal of {shown(row['day'], 20)} is missing",
        )
        assert seal is not None
        index, size, path = (
            whole(row["index"]),
            seal["leaves"],
            [bytes.fromhex(text_of(step, HEX32)) for step in row["path"]],
        )
        need(index < size and len(path) <= 64, "un lugar que no existe", "a place that is not there")
        root = root_by_path(leaf_hash(stream.encode(), seq - 1, head), index, size, path)
        need(
            root.hex() == seal["root"],
            f"{shown(stream)} no lleva a la raíz sellada el {row['day']}: un suceso, su lugar o el"
            f" camino cambió",
            f"{shown(stream)} does not lead to the root sealed on {row['day']}: an event, its place"
            f" or the path changed",
        )
        self.bodies |= found

    def _named(self, n: int, named: Any) -> None:
        stream, seq = text_of(named[0]), whole(named[1], 1)
        event = self.bodies.get((stream, seq))
        need(
            event is not None,
            f"{shown(stream)} n.º {seq} no está probado",
            f"{shown(stream)} no. {seq} is not proven",
        )
        assert event is not None
        about, who = event["subject"].get("label", ""), event["actor"].get("name", "")
        at = f"{self._local(event['occurred'])}{event['occurred']}"
        parts = " · ".join(shown(part, 200) for part in (event["action"], about, at, who))
        said = f"{shown(stream)} #{seq}: {parts}"
        self.telling.say(f"probado: {said}", f"proven: {said}")
        if n <= len(self.words):
            words = shown(self.telling.pick((self.words[n - 1]["es"], self.words[n - 1]["en"])), 400)
            self.telling.say(f"         dice la casa: «{words}»", f"        the house says: “{words}”")

    def _local(self, occurred: str) -> str:
        """The house's own time, in front of the sealed one; nothing where this machine knows no zones."""
        from zoneinfo import ZoneInfo

        zone = str(self.proof["casino"].get("zone", ""))
        try:
            instant = datetime.strptime(occurred, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
            return f"{instant.astimezone(ZoneInfo(zone)):%d/%m/%Y %H:%M:%S} ({zone}) = "
        except (OSError, *ILL_MADE):
            return ""


# ---- the command -------------------------------------------------------------------------------------


def arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="verify_bundle.py",
        description="Comprueba un paquete para el regulador. / Checks a bundle for the regulator.",
        epilog="Una fila sola / one row alone: verify_bundle.py row PRUEBA.json",
    )
    parser.add_argument("--en", action="store_true", help="en inglés / in English")
    parser.add_argument(
        "--key",
        metavar="LLAVE",
        action="append",
        default=[],
        help="llave pública obtenida aparte, o el archivo de las publicadas; puede darse varias veces"
        " / public key had elsewhere, or the file of the published ones; may be given several times",
    )
    alone = bool(given) and given[0] == "row"
    if alone:
        parser.add_argument("row", choices=["row"])
        parser.add_argument("file", help="prueba / proof")
    else:
        parser.add_argument("file", help="paquete / bundle")
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            "--games",
            metavar="CARPETA",
            default="",
            help="copia propia de tables/games, con la que se liquidan los pases"
            " / a copy of your own of tables/games, to settle rounds with",
        )
        how.add_argument(
            "--no-rounds", action="store_true", help="no liquidar los pases / do not settle rounds"
        )
    parsed = parser.parse_args(given)
    parsed.alone = alone
    return parsed


def verify(given: Sequence[str]) -> int:
    """Check what is named; the exit code."""
    asked = arguments(given)
    telling = Telling(asked.en)
    try:
        keys = [key for given in asked.key for key in key_file(given)]
        if asked.alone:
            RowProof(asked.file, telling, keys).check()
        else:
            wanted = not asked.no_rounds
            Bundle(asked.file, telling, keys, rounds=wanted, games=asked.games).check()
    except Unreadable as error:
        telling.say(f"NO SE PUEDE LEER: {error.words[0]}", f"CANNOT BE READ: {error.words[1]}")
        return 2
    except Exception as error:
        name = type(error).__name__
        telling.say(
            f"NO SE PUEDE LEER: el contenido es imposible ({name})",
            f"CANNOT BE READ: what it holds is impossible ({name})",
        )
        return 2
    return verdict(telling)


def verdict(telling: Telling) -> int:
    """The last line, and the exit code that says the same."""
    if telling.faults:
        telling.say(f"NO ES ÍNTEGRO: {telling.faults} falla(s)", f"NOT SOUND: {telling.faults} fault(s)")
        return 1
    if telling.unproven:
        telling.say(
            f"NO TODO ESTÁ PROBADO: nada falso se halló, pero {telling.unproven} punto(s) quedan sin probar",
            f"NOT ALL IS PROVEN: nothing false was found, but {telling.unproven} point(s) are left unproven",
        )
        return 3
    telling.say("ÍNTEGRO: todo está probado", "SOUND: all of it is proven")
    return 0


def main() -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        import cryptography  # noqa: F401
    except ImportError:
        print(
            "falta la biblioteca «cryptography» / the library “cryptography” is missing: pip install"
            " cryptography"
        )
        return 2
    try:
        return verify(sys.argv[1:])
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
