"""Seals and keys as others keep them: a file, an address anyone may read, the text of the QR code.

What is published is exactly what was signed: the document as text, its signature, the public key. Kept by
the regulator, or printed on the day's register, it is what a rebuilt database cannot agree with.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from audits.models import Seal, SealKey
from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino

VERSION = 1
QR_PREFIX = "SABOT1"
LARGEST_FILE = 64 * 2**20
_QR = re.compile(r"SABOT1:([a-z0-9-]{1,20}):(\d{4}-\d{2}-\d{2}):([0-9a-f]{64}):([0-9a-f]{16})")
_HEX = re.compile(r"[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Published:
    """A seal as somebody outside kept it; of a QR code there is no document and no signature."""

    casino: str
    day: dt.date
    root: str
    key_id: str
    document: str = ""
    signature: str = ""
    public_key: str = ""


@dataclass(frozen=True, slots=True)
class PublishedKey:
    """A public key as somebody outside kept it."""

    casino: str
    key_id: str
    public_key: str


def qr_text(seal: Seal) -> str:
    """What the QR code on the day's register says: house, day, root and key."""
    return f"{QR_PREFIX}:{seal.casino.code}:{seal.day}:{bytes(seal.root).hex()}:{seal.key.key_id}"


def seal_file(seal: Seal) -> dict[str, Any]:
    """A seal with what is needed to check it: the signed bytes as text, the signature, the public key."""
    return {
        "v": VERSION,
        "kind": "seal",
        "document": bytes(seal.document).decode(),
        "signature": bytes(seal.signature).hex(),
        "key_id": seal.key.key_id,
        "public_key": bytes(seal.key.public_key).hex(),
    }


def key_file(key: SealKey) -> dict[str, Any]:
    """A public key with its introduction: the document, signed by itself and by the key before it."""
    return {
        "key_id": key.key_id,
        "public_key": bytes(key.public_key).hex(),
        "since": clock.stamp(key.since),
        "until": clock.stamp(key.until) if key.until else None,
        "document": bytes(key.document).decode(),
        "signature": bytes(key.signature).hex(),
        "previous_key_id": key.previous.key_id if key.previous else None,
        "introduced_by": bytes(key.introduced_by).hex() if key.introduced_by else None,
        "previous_lost": key.lost,
    }


def keys_file(casino: Casino) -> dict[str, Any]:
    """Every public key of a house, the first one first."""
    rows = SealKey.objects.filter(casino=casino).select_related("previous").order_by("since", "pk")
    return {
        "v": VERSION,
        "kind": "seal_keys",
        "casino": casino.code,
        "name": casino.name,
        "licence": casino.licence,
        "keys": [key_file(key) for key in rows],
    }


def whole_file(casino: Casino, seals: Iterable[Seal]) -> dict[str, Any]:
    """Keys and seals of a house in one file, as `verify_trail --against` reads it."""
    return {**keys_file(casino), "kind": "seals", "seals": [seal_file(seal) for seal in seals]}


def read(text: str) -> tuple[list[Published], list[PublishedKey]]:
    """The seals and keys of a file kept outside: JSON as published here, or lines of QR codes.

    Raises `Refused` (code `bad_published`) for what is neither, naming the place.
    """
    stripped = text.lstrip("\ufeff").strip()
    if stripped.startswith(("{", "[")):
        try:
            given = json.loads(stripped)
        except (ValueError, RecursionError) as error:
            raise _bad(f"no es JSON ({error})", f"it is no JSON ({error})") from error
        seals: list[Published] = []
        keys: list[PublishedKey] = []
        for place, item in enumerate(given if isinstance(given, list) else [given], start=1):
            _read_item(item, place, seals, keys)
    else:
        seals = [
            _read_qr(line.strip(), place)
            for place, line in enumerate(stripped.splitlines(), 1)
            if line.strip()
        ]
        keys = []
    if not seals and not keys:
        raise _bad("no trae sellos ni llaves", "it holds neither seals nor keys")
    return seals, keys


def _read_item(item: Any, place: int, seals: list[Published], keys: list[PublishedKey]) -> None:
    if not isinstance(item, dict):
        raise _at(place)
    if "document" in item and "keys" not in item:
        seals.append(_read_seal(item, place))
        return
    listed, known = item.get("seals", []), item.get("keys", [])
    casino = item.get("casino")
    if not isinstance(listed, list) or not isinstance(known, list) or not (listed or known):
        raise _at(place)
    seals += [_read_seal(one, at) for at, one in enumerate(listed, start=1)]
    for at, one in enumerate(known, start=1):
        if not isinstance(one, dict) or not isinstance(casino, str):
            raise _at(at)
        keys.append(PublishedKey(casino, _hex(one, "key_id", 16, at), _hex(one, "public_key", 64, at)))


def _read_seal(item: Any, place: int) -> Published:
    if not isinstance(item, dict) or not isinstance(item.get("document"), str):
        raise _at(place)
    try:
        said = json.loads(item["document"])
        day = dt.date.fromisoformat(said["gaming_day"])
        casino = str(said["casino"])
        root, key_id = _hex(said, "root", 64, place), _hex(said, "key_id", 16, place)
    except (ValueError, TypeError, KeyError) as error:
        raise _at(place) from error
    signature, public = _hex(item, "signature", 128, place), _hex(item, "public_key", 64, place)
    return Published(casino, day, root, key_id, item["document"], signature, public)


def _read_qr(line: str, place: int) -> Published:
    found = _QR.fullmatch(line)
    if found is None:
        raise _at(place)
    try:
        day = dt.date.fromisoformat(found[2])
    except ValueError as error:
        raise _at(place) from error
    return Published(found[1], day, found[3], found[4])


def _hex(item: dict[str, Any], name: str, digits: int, place: int) -> str:
    value = item.get(name)
    if not isinstance(value, str) or len(value) != digits or not _HEX.fullmatch(value):
        raise _at(place)
    return value


def _at(place: int) -> Refused:
    return _bad(
        f"lo que está en el lugar {place} no es un sello ni una llave publicada",
        f"what stands at place {place} is neither a seal nor a published key",
    )


def _bad(es: str, en: str) -> Refused:
    return Refused(
        Text(f"el archivo de sellos no se puede leer: {es}", f"the file of seals cannot be read: {en}"),
        code="bad_published",
        rule="REC-06",
        field="against",
    )
