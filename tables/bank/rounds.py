"""The bank in a round: it begins with what the bank holds, and what it won or lost stays in the bank.

A live round is never logged against another bank than the one deposited (BANK-17): its first event is
handed on from here and can't be struck out. When the banca hand loses, the bank ends and its passage begins
(BANK-04).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audits import ledger
from audits.by import By
from audits.ledger import Move
from casino.kernel import locking
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from tables.bank.figures import figures_of, keeps_bank
from tables.bank.handing import begin_passage, end_bank
from tables.bank.holding import Situation, awaits_deposit, held_bank, no_bank
from tables.bank.opening import tell
from tables.games.base import Event
from tables.holding import Held
from tables.models import Bank, BankPassage, BankRound, Round, SeatTaking, TableSession
from tables.participants import Part, Settling

State, Ending = Bank.State, Bank.Ending


def begin(held: Held, events: Sequence[Event], by: By) -> list[Event]:
    """The events of a new round, with the bank they are played against first.

    A caller may say the bank itself, if it is the very one on record. Raises `Conflict` (`no_bank`,
    `bank_awaits_deposit`), `RuleViolation` BANK-01 (`bank_by_hand`).
    """
    session = held.session
    if not keeps_bank(session):
        return list(events)
    missing = refusal(session, by.occurred_at)
    if missing is not None:
        raise missing
    first = begins_with(session)[0]
    rest = list(events)
    said = {key: first[key] for key in ("e", "seat", "amount")}
    if rest and isinstance(rest[0], dict) and {key: rest[0].get(key) for key in said} == said:
        rest = rest[1:]
    require_none_by_hand(session, rest)
    return [first, *rest]


def begins_with(session: TableSession) -> list[Event]:
    """The event the next round of a session begins with: its bank, where one is kept and holds chips."""
    bank = current(session) if keeps_bank(session) else None
    if bank is None or bank.state == State.AWARDED:
        return []
    won = bank.amount - bank.put_in
    event: Event = {"e": "bank", "seat": bank.holder.seat, "amount": bank.amount}
    return [{**event, "won": won} if won > 0 else event]


def require_none_by_hand(session: TableSession, events: Sequence[Event]) -> None:
    """Raises `RuleViolation` BANK-01 (`bank_by_hand`) where the bank is kept apart from the round."""
    if not keeps_bank(session):
        return
    if any(isinstance(event, dict) and event.get("e") == "bank" for event in events):
        raise RuleViolation(
            "BANK-01",
            Text(
                "el banco se abre, se amplía y se pasa en el panel del banco, con sus fichas: el pase empieza"
                " solo con lo que hay en él",
                "the bank is opened, raised and passed on the bank panel, with its chips: a round begins by"
                " itself with what is in it",
            ),
            code="bank_by_hand",
            field="e",
        )


def refusal(session: TableSession, instant: dt.datetime) -> Conflict | None:
    """Why no round may begin for want of a bank, said before anyone types."""
    if not keeps_bank(session):
        return None
    bank = current(session)
    if bank is None:
        return no_bank(
            BankPassage.objects.filter(session=session).exclude(step=BankPassage.Step.OVER).first()
        )
    return awaits_deposit(bank, figures_of(session, instant)) if bank.state == State.AWARDED else None


def require_stands(session: TableSession, log: Sequence[Event]) -> None:
    """Raises `RuleViolation` BANK-14 (`bank_by_hand`) for a log that strikes out the bank it began with,
    BAC-09 (`associate_bets`) for a bet of the banker's associate."""
    if not keeps_bank(session):
        return
    bank = current(session)
    partner = None if bank is None else bank.associate
    undone = {event["of"] for event in log if event["e"] == "undo"}
    placed = {event["seat"] for n, event in enumerate(log, 1) if event["e"] == "bet" and n not in undone}
    if partner is not None and partner.seat in placed:
        raise RuleViolation(
            "BAC-09",
            Text(
                f"{partner.alias} es asociado del banco: no apuesta contra él",
                f"{partner.alias} is an associate of the bank: no bet against it",
            ),
            code="associate_bets",
            field="seat",
        )
    if any(event["e"] == "undo" and event["of"] == 1 for event in log):
        raise RuleViolation(
            "BANK-14",
            Text(
                "el banco con que empezó el pase no se anula: abandone el pase",
                "the bank the round began with is not struck out: abandon the round",
            ),
            code="bank_by_hand",
            field="of",
        )


def current(session: TableSession) -> Bank | None:
    """The live bank of a session, as it stands; for writing, only under the session's lock."""
    live = Bank.objects.filter(session=session, state__in=Bank.LIVE)
    return live.select_related("holder", "associate", "previous").first()


def take_part(settling: Settling) -> Part:
    """What a settled round moves into the bank or out of it (BANK-18, BANK-27)."""
    session = settling.session
    if not settling.live or not keeps_bank(session):
        return Part()
    locking.taking(locking.Rank.BANK)
    bank = held_bank(session)
    facts = settling.settlement.outcome.to_json()["facts"]
    if bank is None or bank.amount != facts["bank"]:
        raise _another_bank()
    after = int(facts["bank_after"])
    change = after - bank.amount
    data = {"bank": bank.pk, "before": bank.amount, "after": after, "deduction": facts["deduction"]}
    bank.amount, bank.deals = after, bank.deals + 1
    bank.save(update_fields=["amount", "deals"])
    into = Move(bank.public, bank.account, change, "ganado por el banco")
    out = Move(bank.account, bank.public, -change, "pagado por el banco")
    return Part(moves=[into if change > 0 else out], data=data)


def _another_bank() -> Conflict:
    """A round begun before its bank was kept here, by an older version of the house."""
    return Conflict(
        Text(
            "el pase empezó contra otro banco que el registrado: abandónelo con su motivo, ponga el banco al"
            " día en su panel y regístrelo otra vez",
            "the round began against another bank than the one on record: abandon it with its reason, set the"
            " bank right on its panel and log it again",
        ),
        code="bank_differs",
        rule="BANK-17",
    )


def after_round(settled: Round, session: TableSession, by: By) -> None:
    """Note the round on its bank; a lost hand ends it (BANK-04). Within the settling's own transaction."""
    if not keeps_bank(session) or settled.source_key:
        return
    bank = current(session)
    assert bank is not None
    facts = (settled.settlement or {})["outcome"]["facts"]
    BankRound.objects.create(
        casino=by.casino,
        bank=bank,
        round=settled,
        before=facts["bank"],
        after=facts["bank_after"],
        deduction=facts["deduction"],
    )
    if settled.winner != "punto":
        return
    situation = _situation(session, bank, None, by)
    ending = Ending.LOST if bank.amount else Ending.EXHAUSTED
    end_bank(situation, bank, ending, by, ["BANK-04", "BANK-05"])
    begin_passage(situation, bank, least=situation.figures.least, retake=bank.opening, by=by)


def _situation(session: TableSession, bank: Bank | None, passage: BankPassage | None, by: By) -> Situation:
    return Situation(Held(session, None, None), figures_of(session, by.occurred_at), bank, passage, None)


# ---- a round voided ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Undoing:
    """The bank a voided round gives back to what it was; `passage`: the one it had begun by losing."""

    bank: Bank
    passage: BankPassage | None
    row: BankRound


def before_void(round: Round) -> Undoing | None:
    """Lock what voiding a round changes of its bank, or None where it has none.

    Raises `Conflict` (`bank_moved_on`) once the bank went on without it: another round, an answer, an
    auction.
    """
    row = BankRound.objects.filter(round=round).first()
    if row is None:
        return None
    locking.taking(locking.Rank.BANK)
    bank = Bank.objects.select_for_update(no_key=True).get(pk=row.bank_id)
    # One in progress as well: it began with what this one left in the bank.
    later = Round.objects.filter(session=round.session_id, number__gt=round.number)
    later = later.exclude(state=Round.State.VOID)
    passage = BankPassage.objects.filter(left=bank).exclude(result=BankPassage.Result.UNDONE).first()
    ended_here = bank.ending in (Ending.LOST, Ending.EXHAUSTED)
    untouched = (
        passage is not None
        and passage.step != BankPassage.Step.OVER
        and not passage.answers.exists()
        and not passage.auctions.exists()
    )
    there = SeatTaking.objects.filter(pk__in=bank.members, during__endswith=None).count()
    gone = ended_here and there < len(bank.members)  # who lost it and left does not get it back
    # Winnings set aside since came out of this round too: what was put in stays in (BANK-14).
    there_was = bank.amount + (bank.left_with or 0)
    short = bool(bank.aside) and there_was - (row.after - row.before) < bank.put_in
    if short or gone or later.exists() or not (bank.state == State.HELD or (ended_here and untouched)):
        raise Conflict(
            Text(
                "el banco siguió después de este pase (otro pase, una respuesta, una subasta, un asiento"
                " que se dejó, algo apartado): anule o abandone antes lo posterior, o abra una disputa",
                "the bank went on after this round (another round, an answer, an auction, a seat left,"
                " something set aside): void or abandon the later first, or open a dispute",
            ),
            code="bank_moved_on",
            rule="REC-07",
        )
    return Undoing(bank, passage if ended_here else None, row)


def after_void(undoing: Undoing, session: TableSession, by: By) -> None:
    """Put the bank back as it was before the voided round, whose moves the reversal has turned round."""
    bank, row = undoing.bank, undoing.row
    change = row.after - row.before
    revived = bank.state == State.ENDED
    returned = bank.left_with or 0
    if revived:
        bank.state, bank.ending, bank.ended_at, bank.left_with = State.HELD, "", None, None
        bank.amount = returned
    bank.amount, bank.deals = bank.amount - change, bank.deals - 1
    bank.save(update_fields=["state", "ending", "ended_at", "left_with", "amount", "deals"])
    situation = _situation(session, bank, undoing.passage, by)
    data: dict[str, Any] = {
        "round": row.round.number,
        "in_bank": bank.amount,
        "put_back": returned if revived else 0,
    }
    event = tell("tables.bank.restored", situation, bank, by, data, ["REC-07"])
    if revived and returned:
        moves = [Move(bank.public, bank.account, returned, "banco restituido")]
        ledger.post(event=event, kind="bank", day=session.day.date, moves=moves)
    if undoing.passage is not None:
        passage = undoing.passage
        passage.step, passage.result = BankPassage.Step.OVER, BankPassage.Result.UNDONE
        passage.ended_at = by.occurred_at
        passage.save(update_fields=["step", "result", "ended_at"])
