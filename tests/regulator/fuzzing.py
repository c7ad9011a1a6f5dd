"""Random alterations of a bundle as somebody without any key would make them, each from a seed.

told = alter(bundle, "seals.jsonl", "number", seed)     the name the verifier must say, or None
"""

from __future__ import annotations

import json
import random
import re
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

from tests.regulator.tampering import Bundle, verified

How = Callable[[bytes, random.Random], bytes]
NUMBER = re.compile(rb"(?<=[:,\[])-?[0-9]{1,15}(?=[,}\]])")
TEXT = re.compile(r"[A-Za-z0-9]")


def a_line(how: Callable[[list[bytes], int, random.Random], object]) -> How:
    def altered(data: bytes, chance: random.Random) -> bytes:
        lines = data.splitlines(keepends=True)
        if lines:
            how(lines, chance.randrange(len(lines)), chance)
        return b"".join(lines)

    return altered


def flip(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) or 1)
    return data[:at] + bytes([(data[at] if data else 0) ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) or 1)]


def put_in(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.randbytes(chance.randrange(1, 9)) + data[at:]


def number(data: bytes, chance: random.Random) -> bytes:
    """A whole number that becomes another; the JSON stays in its one form."""
    found = list(NUMBER.finditer(data))
    if not found:
        return data
    one = chance.choice(found)
    other = chance.choice(
        (int(one[0]) + 1, int(one[0]) - 1, 0, -int(one[0]), 10**15, chance.randrange(10**6))
    )
    return data[: one.start()] + str(other).encode() + data[one.end() :]


def inside(how: Callable[[list[tuple[Any, Any]], random.Random], Any]) -> How:
    """A JSON value of a line taken apart, altered and written again with its keys in the order they had."""

    def altered(data: bytes, chance: random.Random) -> bytes:
        lines = data.splitlines(keepends=True)
        at = chance.randrange(len(lines) or 1)
        try:
            value = json.loads(lines[at])
        except (ValueError, IndexError):
            return data
        places: list[tuple[Any, Any]] = []
        _walk(value, places)
        if not places:
            return data
        how(places, chance)
        said = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        lines[at] = said + (b"\n" if lines[at].endswith(b"\n") else b"")
        return b"".join(lines)

    return altered


def _walk(value: Any, places: list[tuple[Any, Any]]) -> None:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        places.append((value, key))
        _walk(value[key], places)


def _text(places: list[tuple[Any, Any]], chance: random.Random) -> None:
    texts = [(where, key) for where, key in places if isinstance(where[key], str) and where[key]]
    if texts:
        where, key = chance.choice(texts)
        at = chance.randrange(len(where[key]))
        where[key] = where[key][:at] + chance.choice("0aZñ\u202e") + where[key][at + 1 :]


def _other(places: list[tuple[Any, Any]], chance: random.Random) -> None:
    where, key = chance.choice(places)
    where[key] = chance.choice((None, True, [], {}, "", -1, 2**60, [[]], "0" * 64, {"a": {}}))


def _without(places: list[tuple[Any, Any]], chance: random.Random) -> None:
    where, key = chance.choice(places)
    del where[key]


def key_twice(data: bytes, chance: random.Random) -> bytes:
    """The same key again with another value: one reader takes the first, another the last."""
    found = list(re.finditer(rb'(?<=[{,])("[a-z_]+"):', data))
    if not found:
        return data
    one = chance.choice(found)
    return data[: one.start()] + one[1] + b":0," + data[one.start() :]


def _swap(lines: list[bytes], at: int, chance: random.Random) -> None:
    other = chance.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


CONTENTS: dict[str, How] = {
    "flip": flip,
    "cut": cut,
    "put in": put_in,
    "line dropped": a_line(lambda lines, at, chance: lines.pop(at)),
    "line doubled": a_line(lambda lines, at, chance: lines.insert(at, lines[at])),
    "lines swapped": a_line(_swap),
    "number": number,
    "text": inside(_text),
    "another kind": inside(_other),
    "without": inside(_without),
    "key twice": key_twice,
    "emptied": lambda data, chance: b"",
    "line ends": lambda data, chance: data.replace(b"\n", b"\r\n"),
}
NAMES: dict[str, Callable[[str], str]] = {
    "led upwards": lambda name: f"../{name}",
    "from the root": lambda name: f"/{name}",
    "with a drive": lambda name: f"c:/{name}",
    "upper case": str.upper,
    "led around": lambda name: f"a/../{name}",
    "added": lambda name: f"{name}.x",
}
WAYS = (*CONTENTS, *NAMES, "removed", "entry twice", "renamed")


def alter(bundle: Bundle, name: str, way: str, seed: int) -> str | None:
    """Write the bundle with one file altered in one way; the name the verifier must say, or None where there
    was nothing to alter."""
    chance = random.Random(f"{name} {way} {seed}")
    files, extra = dict(bundle.files), []
    said = name
    if way in CONTENTS:
        files[name] = CONTENTS[way](files[name], chance)
        if files[name] == bundle.files[name]:
            return None
    elif way in NAMES:
        said = NAMES[way](name)
        if said == name:
            return None
        files[said] = files[name]
    elif way == "removed":
        del files[name]
    elif way == "entry twice":
        extra.append((name, chance.choice((b"", files[name], flip(files[name], chance)))))
    elif way == "renamed":
        files[f"{name}.old"] = files.pop(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there twice
        with zipfile.ZipFile(bundle.path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            for each, data in [*files.items(), *extra]:
                packed.writestr(each, data)
    return said


def wrong(bundle: Bundle, name: str, way: str, seed: int, *options: str) -> str | None:
    """What the verifier did not do right of one alteration; None where all is well."""
    said = alter(bundle, name, way, seed)
    if said is None:
        return None
    code, words = verified(bundle.path, "--key", bundle.house_key, *options)
    named = said in words or (name == "manifest.json" and "manifest.sig" in words)
    known = "imposible (" not in words and "Traceback" not in words and "\u202e" not in words
    if code in (1, 2) and named and known:
        return None
    return f"{name}, {way}, {seed}: exit code {code}, named {named}, known {known}: {words[-400:]}"
