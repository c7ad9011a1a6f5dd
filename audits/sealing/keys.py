"""The private halves of the seal keys: files outside the database, readable by the service alone.

One PEM file per key, `<casino>-<key id>.pem`, mode 0600, in the folder `SABOT_KEYS`, mode 0700. Whoever
owns the database does not thereby own the keys, and a seal cannot be made anew after the fact.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from audits.models import SealKey
from audits.sealing.reading import key_in_use
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import Casino

SECRETS_OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO
LONGEST_FILE = 10_000


def key_id_of(public_key: bytes) -> str:
    """What a key is called: the first 16 hexadecimal digits of the SHA-256 of its raw public half."""
    return hashlib.sha256(public_key).hexdigest()[:16]


def verifies(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature over a message is that key's."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def sign(casino: Casino, message: bytes) -> tuple[str, bytes]:
    """The id of the house's key in use, and its signature over a message. Raises as `in_use`."""
    key = in_use(casino)
    return key.key_id, sign_with(key, message)


def in_use(casino: Casino) -> SealKey:
    """The key that signs now, its private half there and ours alone.

    Raises `Conflict`: code `no_seal_key` where there is no key or its file is not there, `bad_seal_key`
    for a file that others can read or that holds another key.
    """
    key = key_in_use(casino)
    if key is None:
        raise no_key(
            Text(
                "el casino no tiene llave de sello; créela con manage.py seal_key new",
                "the casino has no seal key; make one with manage.py seal_key new",
            )
        )
    load(key)
    return key


def sign_with(key: SealKey, message: bytes) -> bytes:
    """The signature of one key over a message. Raises as `in_use`."""
    return load(key).sign(message)


def load(key: SealKey) -> Ed25519PrivateKey:
    """The private half of a key from its file. Raises as `in_use`."""
    path = path_of(key.casino, key.key_id)
    private = _read(path)
    if raw(private.public_key()) != bytes(key.public_key):
        raise _bad(
            Text(
                f"el archivo {path.name} guarda otra llave; restaure el suyo de la copia",
                f"the file {path.name} holds another key; restore its own from the copy",
            )
        )
    return private


def raw(public: Ed25519PublicKey) -> bytes:
    """The 32 bytes of a public half."""
    return public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def keep(casino: Casino, private: Ed25519PrivateKey) -> Path:
    """Write the private half of a new key to its file, on disk before this returns; never over another.

    Raises `Conflict` as `folder`, and code `seal_key_exists` where the file is there already.
    """
    path = path_of(casino, key_id_of(raw(private.public_key())))
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError as error:
        raise Conflict(
            Text(f"el archivo {path.name} ya existe", f"the file {path.name} exists already"),
            code="seal_key_exists",
        ) from error
    with os.fdopen(handle, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    _sync(path.parent)
    return path


def path_of(casino: Casino, key_id: str) -> Path:
    """Where the private half of a key is. Raises as `folder`."""
    return folder() / f"{casino.code}-{key_id}.pem"


def folder() -> Path:
    """The folder of the keys, made on first use. Raises `Conflict` with code `no_seal_key` where none is
    set, `bad_seal_key` for one that others can enter or that is somebody else's.
    """
    root: Path | None = settings.KEYS_ROOT
    if root is None:
        raise no_key(
            Text(
                "no hay carpeta de llaves: indique SABOT_KEYS, fuera de la base de datos",
                "there is no folder of keys: set SABOT_KEYS, outside the database",
            )
        )
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = root.stat()
    except OSError as error:
        raise no_key(
            Text(
                f"la carpeta de llaves {root} no se puede usar: {error.strerror}",
                f"the folder of keys {root} cannot be used: {error.strerror}",
            )
        ) from error
    _refuse_open(root, found)
    return root


def no_key(words: Text) -> Conflict:
    """The refusal of whoever asks for a signature where there is no key to sign with."""
    return Conflict(words, code="no_seal_key", rule="REC-06")


def _read(path: Path) -> Ed25519PrivateKey:
    try:
        # Neither another file's name nor a pipe that would keep the job waiting.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError as error:
        raise no_key(
            Text(
                f"la llave privada {path.name} no está en SABOT_KEYS: restáurela de la copia o reemplácela",
                f"the private key {path.name} is not in SABOT_KEYS: restore it from the copy or replace it",
            )
        ) from error
    except OSError as error:
        raise _bad(
            Text(
                f"la llave privada {path.name} no se puede leer ({error.strerror}); debe ser un archivo del"
                " usuario que ejecuta Sabot",
                f"the private key {path.name} cannot be read ({error.strerror}); it must be a file of the"
                " user who runs Sabot",
            )
        ) from error
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise _bad(Text(f"{path.name} no es un archivo", f"{path.name} is no file"))
        _refuse_open(path, found)
        pem = os.read(handle, LONGEST_FILE)
    finally:
        os.close(handle)
    try:
        private = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as error:
        raise _unreadable(path) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise _unreadable(path)
    return private


def _refuse_open(path: Path, found: os.stat_result) -> None:
    """What others can read is no secret, and what is another's may be changed by them."""
    if found.st_uid != os.geteuid():
        raise _bad(
            Text(
                f"{path} pertenece a otro usuario del sistema; debe ser del que ejecuta Sabot",
                f"{path} belongs to another user of the system; it must be the one's who runs Sabot",
            )
        )
    if found.st_mode & SECRETS_OF_OTHERS:
        mode = "700" if stat.S_ISDIR(found.st_mode) else "600"
        raise _bad(
            Text(
                f"otros usuarios pueden leer {path}: ciérrelo con chmod {mode} y, si alguien pudo copiar la"
                " llave, rótela",
                f"other users can read {path}: close it with chmod {mode} and, if anybody may have copied the"
                " key, rotate it",
            )
        )


def _unreadable(path: Path) -> Conflict:
    return _bad(
        Text(
            f"{path.name} no es una llave Ed25519 en PEM; restáurela de la copia",
            f"{path.name} is no Ed25519 key in PEM; restore it from the copy",
        )
    )


def _bad(words: Text) -> Conflict:
    return Conflict(words, code="bad_seal_key", rule="REC-06")


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
