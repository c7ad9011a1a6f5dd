"""Filings that come due, among the alerts of the floor: an answer that is late, an approval that ends
(REC-09).

What a pool runs on is watched with the pool (`jackpots.standing`). That an approval of a game's figures is
gone is bad while the house asks for it: its tables will not open.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from audits import filing_deadlines as deadlines
from audits.filing_deadlines import Pressing
from audits.filings import kinds
from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from tables import plan_filings
from tables.alerts.causes import BAD, LONGEST, WARN, Cause, register_kind
from tables.games import registry
from tables.models import GameRules, Table

DUE = register_kind("filing.due", Text("trámite ante la AJ por vencer o vencido", "filing due or overdue"))
LACKING = register_kind(
    "filing.lacking", Text("juego sin aprobación vigente de la AJ", "game without a valid approval of the AJ")
)
POOLS = ("pool", "pool_version")


def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    yield from _due(casino, instant)
    yield from _lacking(casino, instant)


def _due(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    for filing, due in deadlines.pressing(casino, instant):
        if filing.subject_type in POOLS and filing.due_on is None:
            continue
        known = kinds().get(filing.kind)
        name = known.name if known else Text(filing.kind, filing.kind)
        assert due.day is not None
        words = Text(
            f"{filing.label}, {name.es}: {due.words.es}, {due.day:%d/%m/%Y}",
            f"{filing.label}, {name.en}: {due.words.en}, {due.day:%Y-%m-%d}",
        )
        level = BAD if due.pressing == Pressing.OVERDUE else WARN
        yield Cause(f"filing.due:{filing.pk}", DUE, level, words, rule="REC-09", subject=filing.label)


def _lacking(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """Games with tables in service whose rules in force lack an approval the house asks for."""
    if not plan_filings.asked(casino):
        return
    games = Table.objects.filter(casino=casino, active=True).order_by().values_list("game", flat=True)
    for code in sorted(set(games)):
        rules = GameRules.in_force(casino, code, instant)
        if rules is None:
            continue
        game = registry.game(code)
        try:
            plan_filings.require(casino, game, rules.params, casino.gaming_day(instant))
        except RuleViolation as refusal:
            subject = game.name.es[:LONGEST]
            yield Cause(
                f"filing.lacking:{code}", LACKING, BAD, refusal.message, rule=refusal.rule, subject=subject
            )


WATCHES = {watch: (DUE, LACKING)}
