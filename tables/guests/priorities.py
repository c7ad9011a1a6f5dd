"""Whose turn a vacant seat is, and who has been at a table how long.

In Baccarat with a player's bank the waiting list comes before those seated who want to move (BANK-21); at
every other table those seated there who asked to move come first. Whoever goes out of turn needs a reason.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from audits.by import By
from casino.kernel import rulebook
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from tables.models import AwayMark, ChangeRequest, SeatTaking, TableSession, WaitingEntry


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody with a claim to the next vacant seat: a request to move, or a wait. `key` names the row."""

    kind: str
    key: int
    name: str
    since: dt.datetime


LIST, CHANGE = "list", "change"


def list_first(game: str) -> bool:
    """Whether the waiting list goes before requests to move, as BANK-21 has it for the player's bank."""
    return rulebook.rule("BANK-21").holds_for(game)


def of_the_bank(game: str, *rules: str) -> list[str]:
    """These rules of the player's bank, where the game has one; none elsewhere."""
    return list(rules) if list_first(game) else []


def waiting_for(session: TableSession) -> list[WaitingEntry]:
    """Who waits for a table, or for its game at any table, in order."""
    wanted = Q(table=session.table_id) | Q(table=None, game=session.game)
    rows = WaitingEntry.objects.filter(wanted, casino=session.casino_id, state__in=WaitingEntry.LIVE)
    return list(rows.select_related("guest", "table").order_by("since", "pk"))


def claims_on(session: TableSession, seat: int | None = None) -> list[Claim]:
    """Everybody with a claim to a vacant seat of a table, first come first; `seat` None: to any."""
    waiting = [Claim(LIST, one.pk, one.alias, one.since) for one in waiting_for(session)]
    asked = ChangeRequest.objects.filter(table=session.table_id, state=ChangeRequest.State.OPEN)
    if seat is not None:
        asked = asked.filter(Q(seat=None) | Q(seat=seat))
    here: list[Claim] = []
    elsewhere: list[Claim] = []
    for one in asked.select_related("taking").order_by("since", "pk"):
        claim = Claim(CHANGE, one.pk, one.taking.alias, one.since)
        (here if one.taking.session_id == session.pk else elsewhere).append(claim)
    if list_first(session.game):
        return [*waiting, *here, *elsewhere]
    return [*here, *waiting, *elsewhere]


def require_turn(claims: Sequence[Claim], mine: tuple[str, int] | None, game: str, by: By) -> list[Claim]:
    """Who is passed over when `mine` (its kind and key; None: nobody who waited) takes a seat.

    Raises `RuleViolation` BANK-21 (`list_first`) for a seat of a player's bank that goes past the list, and
    `Refused` (`reason_missing`) elsewhere without a reason.
    """
    place = next((n for n, claim in enumerate(claims) if (claim.kind, claim.key) == mine), len(claims))
    passed = list(claims[:place])
    if not passed:
        return []
    names = ", ".join(claim.name for claim in passed[:5])
    if list_first(game) and passed[0].kind == LIST and (mine is None or mine[0] != LIST):
        raise RuleViolation(
            "BANK-21",
            Text(
                f"la plaza vacante es de la lista de espera: llame a {passed[0].name}",
                f"the vacant seat is the waiting list's: call {passed[0].name}",
            ),
            code="list_first",
            field="seat",
        )
    if not by.reason.strip():
        raise Refused(
            Text(
                f"pasa antes que {names}: indique el motivo",
                f"this goes before {names}: state the reason",
            ),
            code="reason_missing",
            field="reason",
        )
    return passed


@dataclass(frozen=True, slots=True)
class Change:
    """One change of place within a table."""

    at: dt.datetime
    before: int
    seat: int
    mid_round: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A player of a table at an instant: `since` at the table, `seat_since` on this seat, every change of
    place. `lost_at`: when priority for the bank was lost, by each arrival or change during a round (BANK-20).
    `away_since`: None for who is there."""

    seat: int
    taking: SeatTaking
    since: dt.datetime
    seat_since: dt.datetime
    changes: tuple[Change, ...]
    lost_at: tuple[dt.datetime, ...]
    away_since: dt.datetime | None

    @property
    def keeps_priority(self) -> bool:
        return not self.lost_at


def seniority(session: TableSession, instant: dt.datetime) -> list[Standing]:
    """Who sits at a table at an instant, by seat, with everything BANK-20 to BANK-23 ask of them."""
    rows = SeatTaking.objects.filter(session=session).select_related("guest").order_by("pk")
    takings = {taking.pk: taking for taking in rows if taking.during.lower <= instant}
    away = {
        mark.taking_id: mark.during.lower
        for mark in AwayMark.objects.filter(taking__in=takings, during__contains=instant)
    }
    standing = [
        _standing(taking, takings, away.get(taking.pk))
        for taking in takings.values()
        if taking.during.upper is None or taking.during.upper > instant
    ]
    return sorted(standing, key=lambda one: one.seat)


def by_seniority(standings: Sequence[Standing]) -> list[Standing]:
    """Who lost no priority first, then by time at the table, then by seat (BANK-20)."""
    return sorted(standings, key=lambda one: (bool(one.lost_at), one.lost_at[-1:], one.since, one.seat))


def _standing(taking: SeatTaking, takings: dict[int, SeatTaking], away_since: dt.datetime | None) -> Standing:
    chain = [taking]
    while (before := takings.get(chain[-1].moved_from_id or 0)) is not None:
        chain.append(before)
    chain.reverse()
    changes = tuple(
        Change(new.during.lower, old.seat, new.seat, new.mid_round) for old, new in itertools.pairwise(chain)
    )
    return Standing(
        seat=taking.seat,
        taking=taking,
        since=chain[0].during.lower,
        seat_since=taking.during.lower,
        changes=changes,
        lost_at=tuple(one.during.lower for one in chain if one.mid_round),
        away_since=away_since,
    )
