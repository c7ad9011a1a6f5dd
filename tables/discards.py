"""The discard holder of a table: what went back into the shoe out of it, and up to which round: into a
machine that serves as shoe (CARD-34), or shuffled and cut into one that ran out in the middle of a round.

What was told of it is on the session's stream; nothing else remembers it.
"""

from __future__ import annotations

import json

from audits.models import Event
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables.models import TableSession

RETURNED = "tables.session.discards_returned"
SHUFFLED = "tables.session.discards_shuffled"


def returned_through(session: TableSession, shoe: Shoe) -> int:
    """The last round whose cards went back into the shoe; 0 where none did."""
    told = Event.objects.filter(
        casino=session.casino_id, subject_type="session", subject_id=session.pk
    ).filter(action__in=(RETURNED, SHUFFLED))
    last = told.order_by("-seq").first()
    if last is None:
        return 0
    data = json.loads(bytes(last.body))["data"]
    return int(data["round"]) if data["shoe"] == shoe.label else 0


def gathered_too_many(shoe: Shoe) -> tuple[int, str]:
    """The most the discard holder may gather and its rule, while it holds more; else 0 (CARD-34)."""
    procedure = procedure_of(shoe.game, shoe.method)
    if procedure.holder_most and shoe.discarded > procedure.holder_most:
        return procedure.holder_most, procedure.holder_rule
    return 0, ""
