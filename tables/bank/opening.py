"""Chips go into a bank: opened by the first banker, deposited after an award, added to; an associate joins.

    open_bank -> held        award (passing, auctions) -> awarded -> deposit -> held -> add_to_bank …

A bank is added to and never lowered (BANK-14); what it holds is announced (BANK-17).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from audits import ledger
from audits.by import By
from audits.ledger import Move
from audits.models import Event
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from tables.bank import policies
from tables.bank.chain import origin
from tables.bank.figures import Figures, require_amount
from tables.bank.holding import (
    Situation,
    awaits_deposit,
    hold,
    no_bank,
    require_between_rounds,
    require_held,
    require_seated,
    require_table_runs,
    require_there,
)
from tables.bank.persons import same_persons
from tables.bank.turns import barred
from tables.guests.admitting import Where, hold_guests, require_admitted, share_lists
from tables.guests.holding import hold_tables
from tables.holding import move_on
from tables.models import Bank, BankDeposit, SeatTaking, TableSession
from tables.noting import note

State, How = Bank.State, Bank.How


@command(policies.RUN_BANK)
def open_bank(
    *, session: TableSession, taking: SeatTaking, amount: int, by: By, associate: SeatTaking | None = None
) -> Bank:
    """The first banker puts up at least the table's minimum (BANK-02); smallest units.

    Raises `Conflict` (`bank_taken`, `not_seated`, `round_in_progress`), `RuleViolation` BANK-02
    (`bank_below_minimum`), GEN-04, GEN-07, BANK-08 (`bad_associate`).
    """
    share_lists(by.casino)
    hold_tables([session], by)
    hold_guests([taking, associate])
    situation = hold(session, by)
    require_table_runs(situation, "BANK-02")
    require_between_rounds(situation, "BANK-02")
    if situation.bank is not None or situation.passage is not None:
        raise _taken(situation)
    figures = situation.figures
    for player, field in ((taking, "seat"), (associate, "associate")):
        if player is not None:
            require_there(player, by, field)
            require_not_barred(player, situation.session, by, field)
    require_amount(amount, figures, figures.least, "BANK-02", "bank_below_minimum")
    bank = award(situation, taking, How.FIRST, figures.least, by, associate=associate)
    put_in(situation, bank, taking, amount, by, ["BANK-01", "BANK-02", "BANK-17"])
    return bank


@command(policies.RUN_BANK)
def deposit(*, bank: Bank, amount: int, by: By) -> Bank:
    """Whoever was awarded the bank hands in the chips: what was offered or more (BANK-14, BANK-17).

    Raises `Conflict` (`bank_ended`, `bank_deposited`), `RuleViolation` BANK-14 (`bank_lowered`), GEN-04,
    GEN-07.
    """
    share_lists(by.casino)
    hold_tables([bank.session], by)
    hold_guests([bank.holder])
    situation = hold(bank.session, by)
    mine = require_same(situation, bank)
    if mine.state != State.AWARDED:
        raise Conflict(
            Text("ese banco ya está depositado: amplíelo", "that bank is deposited already: add to it"),
            code="bank_deposited",
            rule="BANK-14",
        )
    require_table_runs(situation, "BANK-17")
    least = max(mine.required, situation.figures.least)
    require_amount(amount, situation.figures, least, "BANK-14", "bank_lowered")
    who = require_seated(mine.holder, situation.session)
    place = f"{situation.session.table.name}/{who.seat}"
    # Whoever was put on a list since the bid does not become banker; the bank is refused for them.
    require_admitted(who.guest, where=Where.AUCTION, place=place, by=by, held=True)
    put_in(situation, mine, mine.holder, amount, by, ["BANK-14", "BANK-17"])
    return mine


@command(policies.RUN_BANK)
def add_to_bank(*, bank: Bank, amount: int, by: By, taking: SeatTaking | None = None) -> Bank:
    """The banker, or the associate (`taking`), adds chips (BANK-14); between rounds only, so that who has bet
    sees no other bank than the one announced.

    Raises `Conflict` (`bank_ended`, `bank_awaits_deposit`, `round_in_progress`), `RuleViolation` BANK-14
    (`bank_lowered`), BANK-08 (`not_a_banker`), GEN-04, GEN-07.
    """
    situation = hold(bank.session, by)
    mine = require_same(situation, bank)
    if mine.state == State.AWARDED:
        raise awaits_deposit(mine, situation.figures)
    require_table_runs(situation, "BANK-14")
    require_between_rounds(situation, "BANK-14")
    who = taking or mine.holder
    if who.pk not in mine.members:
        raise RuleViolation(
            "BANK-08",
            Text(
                f"{who.alias} no es el banquero ni su asociado",
                f"{who.alias} is neither banker nor associate",
            ),
            code="not_a_banker",
            field="seat",
        )
    if amount <= 0:
        raise _lowered(mine, situation.figures)
    require_amount(mine.amount + amount, situation.figures, mine.required, "BANK-14", "bank_lowered")
    put_in(situation, mine, who, amount, by, ["BANK-14", "BANK-17"])
    return mine


@command(policies.RUN_BANK)
def join_bank(*, bank: Bank, taking: SeatTaking, by: By, amount: int = 0) -> Bank:
    """Whoever just left the bank may associate with who took it (BANK-08), putting `amount` in, or nothing.

    Only that player: any other association is offered with the bank itself. Before the new banker has dealt.
    Raises `RuleViolation` BANK-08 (`bad_associate`), and what `add_to_bank` does.
    """
    share_lists(by.casino)
    hold_tables([bank.session], by)
    hold_guests([taking])
    situation = hold(bank.session, by)
    mine = require_held(situation, "BANK-08")
    if mine.pk != bank.pk:
        raise ended(bank)
    require_table_runs(situation, "BANK-08")
    require_between_rounds(situation, "BANK-08")
    who = require_seated(taking, situation.session)
    require_there(who, by)
    if who.pk not in joiners(mine, by.occurred_at):
        raise RuleViolation(
            "BANK-08",
            Text(
                "sólo quien acaba de dejar el banco puede asociarse con quien lo tomó, antes de su"
                " primer pase",
                "only who has just left the bank may associate with who took it, before the first deal",
            ),
            code="bad_associate",
            field="seat",
        )
    place = f"{situation.session.table.name}/{who.seat}"
    require_admitted(who.guest, where=Where.AUCTION, place=place, by=by, held=True)
    mine.associate = who
    mine.save(update_fields=["associate"])
    if amount:
        require_amount(mine.amount + amount, situation.figures, mine.required, "BANK-14", "bank_lowered")
        put_in(situation, mine, who, amount, by, ["BANK-08", "BANK-14", "BANK-17"])
    else:
        tell(
            "tables.bank.joined",
            situation,
            mine,
            by,
            {"associate_seat": who.seat, "player": who.alias},
            ["BANK-08"],
        )
        moved_on(situation, by)
    return mine


# ---- the parts -------------------------------------------------------------------------------------


def require_not_barred(taking: SeatTaking, session: TableSession, by: By, field: str) -> None:
    """Raises `RuleViolation` BANK-28 (`barred_this_shoe`), where the house has that rule."""
    if taking.pk in barred(session, by.occurred_at):
        raise RuleViolation(
            "BANK-28",
            Text(
                f"{taking.alias} se retiró ganando en este sabot: vuelve a tener el banco en el siguiente",
                f"{taking.alias} withdrew while winning in this shoe: may bank again in the next",
            ),
            code="barred_this_shoe",
            field=field,
        )


def joiners(bank: Bank, instant: dt.datetime) -> frozenset[int]:
    """Seat takings of who just left the bank and may still associate with who took it (BANK-08): before the
    first deal, and not where the house bars them for the shoe (BANK-28)."""
    if bank.state != State.HELD or bank.deals or bank.associate_id is not None or bank.previous is None:
        return frozenset()
    root = origin(bank.previous).root
    left = same_persons(bank.session, {root.holder_id} if root else ())
    return left - {bank.holder_id} - barred(bank.session, instant)


def award(
    situation: Situation,
    taking: SeatTaking,
    how: str,
    required: int,
    by: By,
    *,
    associate: SeatTaking | None = None,
    previous: Bank | None = None,
    admitted: bool = False,
) -> Bank:
    """A bank of a seated player, awaiting its deposit. The event is the caller's, and so is holding the lists
    of who is not admitted and the players (`share_lists`, `hold_guests`). `admitted`: that, and the seat, was
    asked with the bid."""
    who = taking if admitted else require_seated(taking, situation.session)
    place = f"{situation.session.table.name}/{who.seat}"
    if not admitted:
        require_admitted(who.guest, where=Where.AUCTION, place=place, by=by, held=True)
    partner = None
    if associate is not None:
        partner = require_seated(associate, situation.session, "associate")
        if partner.pk == who.pk:
            raise RuleViolation(
                "BANK-08",
                Text("nadie se asocia consigo mismo", "nobody associates with themselves"),
                code="bad_associate",
                field="associate",
            )
        require_admitted(partner.guest, where=Where.AUCTION, place=place, by=by, held=True)
    bank = Bank.objects.create(
        casino=by.casino,
        session=situation.session,
        number=Bank.objects.filter(session=situation.session).count() + 1,
        state=State.AWARDED,
        how=how,
        holder=who,
        associate=partner,
        required=required,
        previous=previous,
        begun_at=by.occurred_at,
    )
    situation.bank = bank
    return bank


def put_in(situation: Situation, bank: Bank, who: SeatTaking, amount: int, by: By, rules: list[str]) -> Event:
    """Chips into the bank, in the ledger, and the announcement (BANK-17)."""
    first = bank.state == State.AWARDED
    if first:
        bank.state, bank.held_at, bank.opening = State.HELD, by.occurred_at, amount
    bank.amount += amount
    bank.save(update_fields=["state", "held_at", "opening", "amount"])
    call = announced(bank.amount, situation.figures)
    data = {
        "amount": amount,
        "seat": who.seat,
        "player": who.alias,
        "in_bank": bank.amount,
        "announcement_es": call.es,
        "announcement_en": call.en,
    }
    event = tell("tables.bank.opened" if first else "tables.bank.raised", situation, bank, by, data, rules)
    moves = [Move(bank.public, bank.account, amount, "banco")]
    ledger.post(event=event, kind="bank", day=situation.session.day.date, moves=moves)
    BankDeposit.objects.create(
        casino=by.casino, bank=bank, taking=who, amount=amount, event=event, at=by.occurred_at
    )
    moved_on(situation, by)
    return event


def announced(amount: int, figures: Figures) -> Text:
    """What the support dealer calls out (BANK-17)."""
    said = figures.said(amount)
    return Text(
        f"Hay {said.es} en fichas de dinero en la banca", f"There is {said.en} in value chips in the bank"
    )


def tell(
    action: str, situation: Situation, bank: Bank, by: By, data: Mapping[str, object], rules: list[str]
) -> Event:
    """An event of the session's stream about a bank."""
    told = {
        "bank": bank.pk,
        "number": bank.number,
        "how": bank.how,
        "required": bank.required,
        "holder": {"seat": bank.holder.seat, "player": bank.holder.alias, "taking": bank.holder_id},
        "associate": None
        if bank.associate is None
        else {"seat": bank.associate.seat, "player": bank.associate.alias, "taking": bank.associate_id},
        **data,
    }
    return note(action, situation.session, by, told, rules)


def moved_on(situation: Situation, by: By) -> None:
    move_on(situation.session, by)
    situation.session.save(update_fields=["last_at"])


def require_same(situation: Situation, bank: Bank) -> Bank:
    """The bank asked about, live. Raises `Conflict` (`bank_ended`, `no_bank`)."""
    if situation.bank is None:
        raise ended(bank) if bank.ended_at else no_bank(situation.passage)
    if situation.bank.pk != bank.pk:
        raise ended(bank)
    return situation.bank


def ended(bank: Bank) -> Conflict:
    return Conflict(
        Text(
            f"el banco {bank.number} ya terminó: mire quién lo tiene ahora",
            f"bank {bank.number} has ended already: look who holds it now",
        ),
        code="bank_ended",
        rule="BANK-04",
    )


def _taken(situation: Situation) -> Conflict:
    if situation.bank is None:
        return no_bank(situation.passage, "BANK-07")
    holder = situation.bank.holder
    return Conflict(
        Text(
            f"el banco ya es de {holder.alias} (asiento {holder.seat}): pasa por turno, no se abre otro",
            f"the bank is {holder.alias}'s already (seat {holder.seat}): it passes on in turn, none other"
            f" is opened",
        ),
        code="bank_taken",
        rule="BANK-01",
    )


def _lowered(bank: Bank, figures: Figures) -> RuleViolation:
    there = figures.said(bank.amount)
    return RuleViolation(
        "BANK-14",
        Text(
            f"el banco tiene {there.es}: se puede ampliar, no bajar; indique cuánto se añade",
            f"the bank holds {there.en}: it may be raised, not lowered; say how much is added",
        ),
        {"bank": bank.amount},
        code="bank_lowered",
        field="amount",
    )
