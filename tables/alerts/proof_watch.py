"""Work of the night that is late, among the alerts of the floor: a day nobody closes, a proof that did not
end, a seal that is missing (REC-06, REC-08).

The alerts are raised by the same worker; the pages of days and incidents say the same as they are drawn
(`audits.proof_standing`), so that a worker that stands still is not silent.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from audits import proof_standing
from casino.kernel.words import Text
from casino.models import Casino
from tables.alerts.causes import BAD, Cause, register_kind

KINDS = {
    "day": register_kind("day.unclosed", Text("día que nadie cierra", "day that nobody closes")),
    "proof": register_kind("proof.late", Text("prueba nocturna atrasada", "nightly proof overdue")),
    "seal": register_kind("seal.late", Text("sello del día atrasado", "seal of the day overdue")),
}


def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    for one in proof_standing.late(casino, instant):
        kind = KINDS[one.code]
        yield Cause(f"{kind}:{one.day.pk}", kind, BAD, one.words, rule=one.rule, subject=str(one.day))


WATCHES = {watch: tuple(KINDS.values())}
