"""The figures a bank goes by: the version of rules and limits in force at its table, read once."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from casino.kernel import rulebook
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables import inforce
from tables.games.banked.betting import above_most
from tables.games.banked.rules import Rules, least_bank, most_bank
from tables.games.base import Detail, Terms
from tables.games.staking import require_chips
from tables.models import TableSession


@dataclass(frozen=True, slots=True)
class Figures:
    """Smallest units. `least`, `most`: what a bank may hold; `increment`: what a bid adds at least
    (BANK-26)."""

    least: int
    most: int
    increment: int
    terms: Terms
    rules: Rules

    def said(self, amount: int) -> Text:
        return money_words(amount, self.terms.exponent)


def banked(game: str) -> bool:
    """Whether a game's bank is a player's (BANK-01)."""
    return rulebook.rule("BANK-01").holds_for(game)


def keeps_bank(session: TableSession) -> bool:
    """Whether Sabot keeps the bank of a session: a player's, at a table where bets are logged."""
    return banked(session.game) and session.detail == Detail.FULL


def require_kept(session: TableSession) -> None:
    """Raises `RuleViolation` BANK-01 (`no_player_bank`) at a table without a player's bank, or without
    bets.
    """
    if not keeps_bank(session):
        raise RuleViolation(
            "BANK-01",
            Text(
                "en esta mesa no se lleva banco de jugador: hace falta Baccarat con banco y registro de"
                " apuestas",
                "no player's bank is kept at this table: it takes player-banked Baccarat and bets logged",
            ),
            code="no_player_bank",
        )


def figures_of(session: TableSession, instant: dt.datetime) -> Figures:
    """What is in force for a bank of the session. Raises `Conflict` (`no_rules`, `no_limits`)."""
    current = inforce.in_force(session, inforce.look_ahead(session, instant), session.detail)
    rules, terms = current.rules, current.terms
    if not isinstance(rules, Rules):
        raise Conflict(Text("no hay reglas de banco", "there are no rules of a bank"), code="no_rules")
    return Figures(
        least=least_bank(terms),
        most=most_bank(terms),
        increment=rules.bid_increment or terms.chip,
        terms=terms,
        rules=rules,
    )


def require_amount(amount: int, figures: Figures, least: int, rule: str, code: str) -> None:
    """Raises `RuleViolation`: GEN-07 off the chips of the table, `rule` (`code`) below `least`, GEN-04 above
    what a bank may hold."""
    said = figures.said(amount)
    if amount < least:
        fewest = figures.said(least)
        raise RuleViolation(
            rule,
            Text(
                f"{said.es} no alcanza: hacen falta al menos {fewest.es}",
                f"{said.en} is not enough: at least {fewest.en}",
            ),
            {"amount": amount, "min": least},
            code=code,
            field="amount",
        )
    require_chips(amount, figures.terms)
    if amount > figures.most:
        raise above_most(amount, figures.most, figures.terms.exponent)
