"""Canonical JSON (RFC 8785), the bytes that are stored and hashed.

`rfc8785` defines the form. Python's own encoder, written in C, gives the same bytes ten times faster
for what nearly every event is made of; whatever is not plainly that goes to `rfc8785`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import rfc8785

_LARGEST = 2**53 - 1
_encode = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False, allow_nan=False
).encode


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of a JSON value.

    Raises `TypeError` for a float, `rfc8785.CanonicalizationError` for anything JSON cannot hold or
    an integer beyond 2**53, which other readers would round.
    """
    if _plain(value):
        try:
            return _encode(value).encode()
        except UnicodeEncodeError:  # half of a surrogate pair: let the reference refuse it
            pass
    _refuse_floats(value)
    return rfc8785.dumps(value)


def _plain(value: Any) -> bool:
    """Whether both encoders agree on it: exact JSON types, whole numbers in range, ASCII keys.

    RFC 8785 sorts keys by UTF-16 and Python by code point, which is one order within ASCII.
    """
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return True
    if kind is int:
        return bool(-_LARGEST <= value <= _LARGEST)
    if kind is list:
        return all(map(_plain, value))
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str or not key.isascii():
                return False
            # Most values are texts: not asking about them again is half of the time spent here.
            if type(item) is not str and not _plain(item):
                return False
        return True
    return False


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError("no floats on the trail")
    if isinstance(value, Mapping):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_floats(item)
