"""What a house asks for before something goes live, beyond what the AJ text itself demands (GEN-05, REC-09).

The text of the AJ that survives demands its approval of a pool's equipment, commission, algorithms and
promotional credits; those are always asked for. Whether the Plan de Apuestas of a game, its pay tables and a
maker's cards need a filing of their own it does not say: a house says so, with its reason, and from then on
nothing of the kind goes live without one. A house founded with `setup_casino` asks for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from audits import policies, trail
from audits.by import By, by_system
from audits.filing_kinds import Kind, kinds
from audits.models import FilingDemand
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino

RULE = "REC-09"


def demanded(casino: Casino, *codes: str) -> set[str]:
    """Which of these kinds a house asks for, by one query."""
    known = kinds()
    always = {code for code in codes if not known[code].by_house}
    asked = [code for code in codes if known[code].by_house]
    if not asked:
        return always
    rows = FilingDemand.objects.filter(casino=casino, kind__in=asked).order_by("pk")
    last = dict(rows.values_list("kind", "demanded"))
    return always | {code for code, says in last.items() if says}


def by_house() -> list[Kind]:
    """The kinds a house may ask for or not."""
    return [kind for kind in kinds().values() if kind.by_house]


def latest(casino: Casino) -> dict[str, FilingDemand]:
    """What the house said last of each kind."""
    rows = FilingDemand.objects.filter(casino=casino).select_related("by").order_by("pk")
    return {row.kind: row for row in rows}


@command(policies.DEMAND_FILING, setting=True, silent_when="it is so already")
def set_demand(*, kind: str, demanded: bool, by: By) -> bool:
    """Ask for a kind of filing from now on, or no longer. Needs a reason. Answers whether it is asked for.

    Raises `Refused` (`unknown_filing`, `reason_missing`), `RuleViolation` by the kind's rule
    (`always_demanded`) for what the rulebook itself demands.
    """
    reason = by.need_reason()
    known = _decided_by_house(kind)
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(no_key=True).get(pk=by.casino.pk)
    last = FilingDemand.objects.filter(casino=by.casino, kind=kind).order_by("-pk").first()
    if (last is not None and last.demanded) == demanded:
        return demanded
    row = FilingDemand.objects.create(
        casino=by.casino, kind=kind, demanded=demanded, reason=reason, by=by.actor, at=by.occurred_at
    )
    trail.record(
        "audits.filing.demanded" if demanded else "audits.filing.released",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("filing_demand", row.pk, known.name.es),
        by=by,
        data={"kind": kind, "kind_es": known.name.es, "kind_en": known.name.en, "demanded": demanded},
        rules=[known.rule, RULE] if known.rule != RULE else [RULE],
    )
    return demanded


def _decided_by_house(kind: str) -> Kind:
    """A kind a house may ask for or not."""
    known = kinds().get(kind)
    if known is None:
        raise Refused(
            Text("esa clase de trámite no existe", "there is no such filing"),
            code="unknown_filing",
            field="kind",
        )
    if not known.by_house:
        raise RuleViolation(
            known.rule,
            Text(
                f"«{known.name.es}» lo exige el reglamento: la casa no lo decide",
                f"“{known.name.en}” is demanded by the rulebook: the house does not decide it",
            ),
            code="always_demanded",
            field="kind",
        )
    return known


def demand_all(casino: Casino, job: str, kinds: Iterable[Kind] | None = None) -> None:
    """A new house asks for everything it may ask for, as the job that founds it."""
    for kind in by_house() if kinds is None else kinds:
        set_demand(
            kind=kind.code,
            demanded=True,
            by=by_system(casino, job, reason="puesta en marcha: nada rige sin su aprobación"),
        )
