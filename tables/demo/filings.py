"""The filings of the demonstration: what its games and cards rest on is approved before anything is in force.

Nothing here was ever presented to anybody: references say DEMO.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from audits import filing_demands, filings
from audits.by import By
from audits.filing_kinds import PROMOTION, about_house
from audits.models import Filing
from casino.models import Casino
from shoes import homologation
from tables import plan_filings
from tables.games import registry
from tables.money import chip_homologation

MAKER = "Naipes del Altiplano"
CHIP_MAKER = "Fábrica de fichas"
PROMOTED = (
    "Se pide aprobar la promoción «Jueves de mesas»: un sorteo de tres cenas entre quienes jugaron esa noche,"
    " sin costo ni apuesta para participar."
)


def lay(
    casino: Casino, games: Mapping[str, Mapping[str, Any]], drafter: By, presenter: By, decider: By
) -> None:
    """Everything asked for, and approved: the Plan de Apuestas and pay tables of each game, the cards and
    the chips."""
    filing_demands.demand_all(casino, "demo")
    _approve(homologation.draft(maker=MAKER, deck_type="french52", by=drafter), presenter, decider)
    for kind in chip_homologation.NAMES:
        made = chip_homologation.draft(maker=CHIP_MAKER, chip_kind=kind, by=drafter)
        _approve(made, presenter, decider)
    for code, params in games.items():
        rules_approved(code, params, drafter, presenter, decider)
    _await_an_answer(casino, drafter, presenter)


def rules_approved(code: str, params: Mapping[str, Any], drafter: By, presenter: By, decider: By) -> None:
    """The Plan de Apuestas and the pay tables of a game, approved for these figures."""
    game = registry.game(code)
    stated = game.read_rules(dict(params)).to_json()
    for kind in plan_filings.kinds_of(game, stated):
        filing = plan_filings.draft(kind=kind, game=code, params=stated, by=drafter)
        _approve(filing, presenter, decider)


def _approve(filing: Filing, presenter: By, decider: By) -> None:
    number = filing.number
    filings.present_filing(filing=filing, receipt=f"HR-DEMO-{number:03d}", by=presenter)
    reference = f"RA-DEMO-{number:03d}/2026"
    filings.decide_filing(filing=filing, approved=True, reference=reference, by=decider)


def _await_an_answer(casino: Casino, drafter: By, presenter: By) -> None:
    """One that waits: a promotion, whose answer is due within weeks."""
    filing = filings.draft_filing(kind=PROMOTION, subject=about_house(casino), text=PROMOTED, by=drafter)
    until = presenter.occurred_at.date() + dt.timedelta(days=40)
    filings.present_filing(filing=filing, receipt="HR-DEMO-PROMO", answer_by=until, by=presenter)
