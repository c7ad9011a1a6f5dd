"""The exclusion lists asked where pools give something (GEN-11): at a position that buys credits, and over
the counter where a prize is paid.

Credits are refused to a player who is barred. A prize was won already: it is paid, but to somebody like an
entry of the lists only once compliance signs beside, and who was turned back before goes on record.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.models import Actor
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from jackpots import policies
from jackpots.models import Complementary, Prize
from tables.guests import aliases, matching
from tables.guests.admitting import (
    RULE,
    Barred,
    Finding,
    TurnedAway,
    Where,
    findings,
    hold_guest,
    hold_guests,
    in_force,
    record_findings,
    share_lists,
)
from tables.guests.holding import hold_tables
from tables.models import Exclusion, ExclusionMatch, Guest, SeatTaking, TableSession
from tables.money.signing import require_beside

__all__ = ["share_lists"]

Won = Prize | Complementary


class CreditsRefused(TurnedAway):
    """Refused is a player at a position; whoever sells credits puts it on record."""

    def remember(self) -> None:
        turn_away(guest=self.guest, place=self.place, by=self.by)


def hold_player(session: TableSession, seat: int, by: By) -> None:
    """Hold the lists, the table and whoever sits at a position, before the table is locked with its shoe."""
    share_lists(by.casino)
    hold_tables([session], by)
    hold_guests([_seated(session, seat)])


def require_may_buy(session: TableSession, seat: int, by: By) -> None:
    """Refuse credits to a position whose player is barred. After `hold_player` and the session's lock.

    Raises `CreditsRefused` (GEN-11): `guest_minor`, `guest_excluded`, `guest_match_open`.
    """
    taking = _seated(session, seat)
    if taking is None or taking.guest is None:
        return
    found = findings(taking.guest, by.occurred_at)
    if found:
        raise CreditsRefused(taking.guest, Where.FLOOR, f"{session.table.name}/{seat}", found, by)


def _seated(session: TableSession, seat: int) -> SeatTaking | None:
    rows = SeatTaking.objects.filter(session=session, seat=seat, during__endswith=None)
    return rows.select_related("guest__casino").first()


@command(policies.SELL_CREDITS, silent_when="nothing speaks against the player any more")
def turn_away(*, guest: Guest, place: str, by: By) -> list[ExclusionMatch]:
    """Put on record that a player was refused credits: matches, and an incident where the person is sure."""
    guest = hold_guest(guest)
    found: Sequence[Finding] = findings(guest, by.occurred_at)
    return record_findings(guest, found, Where.FLOOR, place, "tables.guest.turned_away", by) if found else []


# ---- a prize paid --------------------------------------------------------------------------------------


class WinnerListed(Barred):
    """Whoever comes for a prize is like an entry of the lists; it names both, for the record."""

    def __init__(self, won: Won, entry: Exclusion, by: By) -> None:
        self.won, self.entry, self.by = won, entry, by
        super().__init__(
            RULE,
            Text(
                f"quien cobra {won.label} se parece a alguien de la lista de exclusión ({entry.label}):"
                " se paga cuando cumplimiento firma al lado",
                f"whoever is paid {won.label} is like somebody on the exclusion list ({entry.label}):"
                " it is paid once compliance signs beside",
            ),
            code="winner_listed",
            field="second",
            detail={"exclusion": entry.label},
        )

    def remember(self) -> None:
        hold_back(won=self.won, exclusion=self.entry, by=self.by)


def require_unlisted(won: Won, name: str, document: str, with_: Actor | None, by: By) -> dict[str, Any]:
    """What the payment tells of an entry that the winner is like, signed by compliance; empty where none is.
    Under `share_lists`. Raises `WinnerListed`, `RuleViolation` GEN-10 (`same_person`, `not_qualified`),
    `Refused` (`reason_missing`)."""
    entry = listed(name, document, by)
    if entry is None:
        return {}
    if with_ is None:
        raise WinnerListed(won, entry, by)
    require_beside(by.actor, with_, policies.PAY_LISTED, field="second")
    _require_reason(won, entry, by)
    return {"exclusion": entry.label, "with": with_.as_dict()}


def _require_reason(won: Won, entry: Exclusion, by: By) -> None:
    """GEN-11: why somebody like an entry is paid is on record. Raises `Refused` (`reason_missing`)."""
    if not texts.says_something(by.reason):
        raise Refused(
            Text(
                f"{won.label} se paga a alguien que se parece a {entry.label}: escriba el motivo por el que"
                " cumplimiento lo permite",
                f"{won.label} is paid to somebody like {entry.label}: write why compliance allows it",
            ),
            code="reason_missing",
            rule=RULE,
            field="reason",
        )


def listed(name: str, document: str, by: By) -> Exclusion | None:
    """The entry in force that somebody is, by the document whatever its kind, or else is called like."""
    for entry in in_force(by.casino, by.occurred_at).exclude(number="").order_by("pk"):
        if matching.normal_number(entry.document_type, entry.country, document) == entry.number:
            return entry
    return aliases.listed(name, by)


@command(policies.PAY_PRIZE)
def hold_back(*, won: Won, exclusion: Exclusion, by: By) -> Won:
    """Put on record that a prize was not paid for the lists' sake."""
    pool = won.pool
    trail.record(
        "jackpots.prize.held_back",
        stream=pool.stream,
        subject=trail.Subject("prize" if isinstance(won, Prize) else "complementary", won.pk, won.label),
        by=by,
        data={"label": won.label, "exclusion": exclusion.label},
        rules=[RULE],
    )
    return won
