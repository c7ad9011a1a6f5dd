"""The seals: what no chain and no row shows any more, because all of it was made to agree (REC-06)."""

from __future__ import annotations

import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audits.models import Event, Filing
from casino.kernel.canonical import canonical
from casino.models import GamingDay
from casino.selftest.catching import Guard, Night
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, PROGRAM, ask, past_the_guards, rebuild, sql
from casino.selftest.sealed import CONTROL, day_sealed


@fault(
    "seals.chain_and_row_rebuilt",
    "una cadena y su fila rehechas para que coincidan",
    "a chain and its row made anew so that they agree",
    hand=OWNER, caught=Night(CONTROL, "chain_rebuilt", "filing:"), given=day_sealed,
)  # fmt: skip
def chain_and_row_rebuilt(_: GamingDay) -> None:
    filing = Filing.objects.latest("pk")
    event = Event.objects.get(subject_type="filing", subject_id=filing.pk, action="audits.filing.drafted")
    said = json.loads(bytes(event.body))
    said["data"]["text"] = "Otra cosa."
    past_the_guards(
        ("UPDATE audits_event SET body = %s WHERE id = %s", [canonical(said), event.pk]),
        ("UPDATE audits_filing SET text = 'Otra cosa.' WHERE id = %s", [filing.pk]),
    )
    rebuild(event.stream.name)


@fault(
    "seals.tail_and_row_cut",
    "el final de una cadena cortado, y su fila vuelta atrás",
    "the tail of a chain cut off, and its row turned back",
    hand=OWNER, caught=Night(CONTROL, "sealed_tail_cut", "filing:"), given=day_sealed,
)  # fmt: skip
def tail_and_row_cut(_: GamingDay) -> None:
    event = Event.objects.filter(action="audits.filing.presented").latest("pk")
    past_the_guards(
        ("DELETE FROM audits_event WHERE id = %s", [event.pk]),
        (
            "UPDATE audits_stream SET head_seq = %s, head_hash = %s WHERE id = %s",
            [event.seq - 1, bytes(event.previous_hash), event.stream_id],
        ),
        (
            "UPDATE audits_filing SET state = 'draft', presented_at = NULL WHERE id = %s",
            [event.subject_id],
        ),
    )


@fault(
    "seals.root_replaced", "la raíz de un sello cambiada", "the root of a seal replaced",
    hand=OWNER, caught=Night(CONTROL, "seal_unsigned", "seal "), given=day_sealed,
)  # fmt: skip
def root_replaced(day: GamingDay) -> None:
    """Root and document agree; the signature is of the document that was."""
    said = _document(day)
    said["root"] = "ab" * 32
    past_the_guards(
        (
            "UPDATE audits_seal SET root = %s, document = %s WHERE day_id = %s",
            [bytes.fromhex(said["root"]), canonical(said), day.pk],
        )
    )


@fault(
    "seals.signed_by_another_key",
    "un sello firmado con una llave ajena",
    "a seal signed with a stranger's key",
    hand=OWNER, caught=Night(CONTROL, "seal_unsigned", "seal "), given=day_sealed,
)  # fmt: skip
def signed_by_another_key(day: GamingDay) -> None:
    signature = Ed25519PrivateKey.generate().sign(canonical(_document(day)))
    past_the_guards(("UPDATE audits_seal SET signature = %s WHERE day_id = %s", [signature, day.pk]))


@fault(
    "seals.leaf_altered", "una hoja de un sello alterada", "a leaf of a seal altered",
    hand=OWNER, caught=Night(CONTROL, "leaf_altered", "seal "), given=day_sealed,
)  # fmt: skip
def leaf_altered(_: GamingDay) -> None:
    past_the_guards(
        "UPDATE audits_sealleaf SET hash = sha256(hash) WHERE id = (SELECT min(id) FROM audits_sealleaf)"
    )


@fault(
    "seals.seal_taken_away", "un sello quitado, con sus hojas", "a seal taken away, with its leaves",
    hand=OWNER, caught=Night(CONTROL, "seal_differs", "seal:", says="row"), given=day_sealed,
)  # fmt: skip
def seal_taken_away(_: GamingDay) -> None:
    past_the_guards("DELETE FROM audits_sealleaf", "DELETE FROM audits_seal")


@fault(
    "seals.seal_erased", "un sello borrado", "a seal erased",
    hand=PROGRAM, caught=Guard("audits_seal", "sabot_append_only"), given=day_sealed,
)  # fmt: skip
def seal_erased(day: GamingDay) -> None:
    sql("DELETE FROM audits_seal WHERE day_id = %s", [day.pk])


def _document(day: GamingDay) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        bytes(ask("SELECT document FROM audits_seal WHERE day_id = %s", [day.pk]))
    )
    return found
