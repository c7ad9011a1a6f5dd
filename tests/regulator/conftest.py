"""The two nights and their bundle, made once: a bundle is bytes, so each test alters its own copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from tests.regulator.nights import two_nights
from tests.regulator.tampering import Bundle

_made: list[tuple[bytes, object]] = []


@pytest.fixture
def nights(db, settings, tmp_path):
    return two_nights(settings, tmp_path)


@pytest.fixture
def bundle(request, db, settings, tmp_path) -> Bundle:
    """A copy of the bundle, with the house's signing key: what an insider has.

    `settings` is asked for by name: whoever alters it does not build with what is kept (tests/kept.py).
    """
    if not _made:
        nights = request.getfixturevalue("nights")
        path = nights.bundle(tmp_path)
        (pem,) = sorted((tmp_path / "llaves").iterdir(), key=lambda file: file.stat().st_mtime)[-1:]
        private = serialization.load_pem_private_key(pem.read_bytes(), None)
        _made.append((path.read_bytes(), private))
    data, private = _made[0]
    path = Path(tmp_path) / "copia.zip"
    path.write_bytes(data)
    return Bundle(path, private)
