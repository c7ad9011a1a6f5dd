"""Seals and keys that others kept, held against those of the database: what a forger cannot rebuild."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audits.models import Seal, SealKey
from audits.sealing import keys
from audits.sealing.publishing import Published, PublishedKey
from audits.verify import Fault
from casino.kernel.words import Text
from casino.models import Casino


def published_faults(
    casino: Casino, seals: Sequence[Seal], against: Sequence[Published], known: Sequence[PublishedKey]
) -> Iterator[Fault]:
    ours = {seal.day.date: seal for seal in seals}
    public = {key.key_id: bytes(key.public_key).hex() for key in SealKey.objects.filter(casino=casino)}
    for given in known:
        if given.casino == casino.code and public.get(given.key_id) != given.public_key:
            words = Text(
                "esta llave se publicó y la base no la tiene, o tiene otra",
                "this key was published and the database lacks it, or has another",
            )
            yield Fault("published_key_missing", f"key {given.key_id}", words)
    for one in against:
        if one.casino != casino.code:
            continue
        where, seal = f"published {one.day}", ours.get(one.day)
        if one.document and not _vouched(one):
            words = Text(
                "el sello publicado no lo firma su llave: el archivo fue alterado",
                "the published seal is not signed by its key: the file was altered",
            )
            yield Fault("published_unsigned", where, words)
        elif seal is None:
            words = Text(
                "este sello se publicó y la base no lo tiene",
                "this seal was published and the database lacks it",
            )
            yield Fault("published_missing", where, words)
        elif (one.root, one.key_id) != (bytes(seal.root).hex(), seal.key.key_id) or (
            one.document and one.document.encode() != bytes(seal.document)
        ):
            words = Text(
                f"el sello de la base no es el publicado: su raíz es {bytes(seal.root).hex()} y la publicada"
                f" {one.root}",
                f"the database's seal is not the published one: its root is {bytes(seal.root).hex()} and the"
                f" published one {one.root}",
            )
            yield Fault("published_differs", where, words)


def _vouched(one: Published) -> bool:
    public = bytes.fromhex(one.public_key)
    return keys.key_id_of(public) == one.key_id and keys.verifies(
        public, one.document.encode(), bytes.fromhex(one.signature)
    )
