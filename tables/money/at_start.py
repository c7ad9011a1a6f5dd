"""What slips and chips register when the house starts: acts, words, what holds a day, proofs."""

from __future__ import annotations

from audits import days, verify
from tables.money import (  # noqa: F401
    actions,
    chip_counts,
    chip_entries,
    chip_homologation,
    chip_sets,
    desks,
    open_slips,
    policies,
    slip_proofs,
    slips,
    transfer_kinds,
)
from tables.money.cage_proofs import KINDS as CAGE_KINDS
from tables.reports import slips as slip_reports  # noqa: F401


def register() -> None:
    days.register_check(open_slips.holds_day)
    transfer_kinds.register(*CAGE_KINDS)
    verify.register_proof("tables.slips", slip_proofs.slip_money_faults)
    verify.register_trail_proof("tables.slips", slip_proofs.slip_trail_faults)
