"""The rounds of a bundle for the regulator: each with its log, its settlement and the versions it was played
under, and the rules of the games themselves, so that anybody can settle every round again (REC-06, GEN-03).
"""

from __future__ import annotations

import json
from typing import Any

from audits.bundles import chains, parts
from audits.bundles.packing import Packing
from audits.bundles.span import Span
from audits.reports.document import Progress
from tables.models import BetLimits, GameRules
from tables.settling import BET_COLUMNS

ENGINE = "tables.games.registry"

# A round is what the covered part of its chain makes of it: voided later, it is good here, and the bytes of a
# span that was sealed stay what they were.
_BETS = ", ".join(f"'{name}', b.\"{name}\"" for name in BET_COLUMNS)
_ROUNDS = chains.covered(
    f"""s.name, e.seq, r.session_id, e.subject_label, r.number,
    CASE WHEN v.id IS NULL THEN 'settled' ELSE 'void' END, ts.game, r.rules_id, r.limits_id,
    ts.seats, r.detail, r.winner, r.log, r.settlement,
    (SELECT coalesce(jsonb_agg(jsonb_build_object({_BETS}) ORDER BY b."order"), '[]')
     FROM tables_bet b WHERE b.round_id = r.id),
    vs.name, v.seq""",  # noqa: S608
    """JOIN tables_round r ON r.event_id = e.id AND r.settlement IS NOT NULL
JOIN tables_tablesession ts ON ts.id = r.session_id
LEFT JOIN audits_event v ON v.id = r.void_event_id AND v.stream_id = s.id AND v.seq <= covered.ends
LEFT JOIN audits_stream vs ON vs.id = v.stream_id""",
)
_KEYS = (
    "stream", "seq", "session", "label", "number", "state", "game", "rules", "limits", "seats", "detail",
    "winner", "log", "settlement", "bets",
)  # fmt: skip


def register() -> None:
    parts.register_part("rounds", put_rounds)
    parts.register_code(ENGINE)


def put_rounds(packing: Packing, span: Span, progress: Progress) -> dict[str, int]:
    """`rounds/rounds.jsonl`, and `rounds/versions.jsonl`: the rules and limits they name."""
    count = 0
    rules: set[int] = set()
    limits: set[int] = set()
    with packing.file("rounds/rounds.jsonl") as out:
        for *values, void_stream, void_seq in chains.walked(span, _ROUNDS):
            row: dict[str, Any] = dict(zip(_KEYS, values, strict=True))
            # A plain cursor of Django's gives jsonb as text.
            row |= {name: json.loads(row[name]) for name in ("log", "settlement", "bets")}
            row["void"] = None if void_seq is None else [void_stream, void_seq]
            out.row(row)
            rules.add(row["rules"])
            limits.add(row["limits"])
            count += 1
            progress(1)
    _put_versions(packing, rules, limits)
    return {"rounds": count}


def _put_versions(packing: Packing, rules: set[int], limits: set[int]) -> None:
    with packing.file("rounds/versions.jsonl") as out:
        for stored in GameRules.objects.filter(pk__in=rules).order_by("pk"):
            out.row(
                {
                    "kind": "rules",
                    "id": stored.pk,
                    "game": stored.game,
                    "version": stored.version,
                    "params": stored.params,
                    "betting_plan": stored.betting_plan,
                }
            )
        for bounds in BetLimits.objects.filter(pk__in=limits).order_by("pk"):
            out.row(
                {
                    "kind": "limits",
                    "id": bounds.pk,
                    "table": bounds.table_id,
                    "version": bounds.version,
                    "chip": bounds.chip,
                    "spots": bounds.spots,
                    "differential": bounds.differential,
                }
            )
