"""What pools take part in, registered when Django starts."""

from __future__ import annotations

from audits import closing as nightly
from audits import days, filings, verify
from jackpots import (  # noqa: F401
    catching_up,
    closing,
    leaving,
    members,
    panel,
    personal_data,
    preflight,
    prize_form,
    proofs,
    proving,
    settling,
    standing,
    taxing,
    voiding,
)
from tables import checking, panels, participants, settings
from tables.alerts import register_watch
from tables.demo import rooms
from tables.guests import seats
from tables.money import tax_figures, transfer_kinds


def register() -> None:
    settings.register_objection(members.require_unlinked)
    seats.register_objection(leaving.require_nothing_left)
    seats.register_parting(leaving.settle)
    participants.register(
        settling.NAME,
        settling.AFTER_BANK,
        settling.take_part,
        before_void=voiding.before_void,
        abandoned=settling.abandoned,
        closing=closing.settle_table,
    )
    checking.register_check(preflight.the_pool)
    filings.register_resting(standing.revoking)
    register_watch(standing.watch, kinds=[standing.APPROVAL])
    tax_figures.register_prizes(taxing.prizes_in_cash)
    nightly.register_preparation(catching_up.prove_due)
    days.register_check(proving.holds_day)
    verify.register_trail_proof("jackpots", proofs.told_faults)
    verify.register_proof("jackpots", proofs.money_faults)
    panels.register(
        settling.NAME,
        board="jackpots/_panel.html",
        record="jackpots/_record.html",
        styles="sabot/pools.css",
        on_board=panel.on_board,
        on_record=panel.on_record,
    )
    personal_data.register()
    rooms.register("jackpots.demo")
    transfer_kinds.register("pool", "pool_credits", "prize", "prize_paid")
