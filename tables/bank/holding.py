"""A table's bank held for writing: the session and its shoe, then the auction, then bank and passage.

Every act on a bank begins here; the rows given back are as they stand after the wait for their locks.
"""

from __future__ import annotations

from dataclasses import dataclass

from audits.by import By
from casino.kernel import locking
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables.bank.figures import Figures, figures_of, require_kept
from tables.bank.persons import is_away
from tables.holding import Held, lock_session, out_of_order
from tables.models import Auction, Bank, BankPassage, Round, SeatTaking, TableSession


@dataclass(slots=True)
class Situation:
    """How a table's bank stands. At most one of each: `bank` awarded or held, `passage` under way, `auction`
    open. Neither bank nor passage: nobody has it, and the first banker may open it (BANK-02)."""

    held: Held
    figures: Figures
    bank: Bank | None
    passage: BankPassage | None
    auction: Auction | None

    @property
    def session(self) -> TableSession:
        return self.held.session

    @property
    def round(self) -> Round | None:
        return self.held.last_round_open


def hold(session: TableSession, by: By) -> Situation:
    """Lock a table and its bank. Raises what `lock_session` does, `RuleViolation` BANK-01
    (`no_player_bank`), `Refused` (`occurred_out_of_order`) for an instant before the bank, or its offer, was.
    """
    held = lock_session(session, by)
    require_kept(held.session)
    locking.taking(locking.Rank.AUCTION)
    auction = (
        Auction.objects.select_for_update(of=("self",), no_key=True)
        .filter(session=held.session, state=Auction.State.OPEN)
        .first()
    )
    bank, passage = _bank_rows(held.session)
    since = [row.begun_at for row in (bank, passage) if row is not None]
    if since and by.occurred_at < max(since):
        raise out_of_order(by.casino, max(since))
    return Situation(held, figures_of(held.session, by.occurred_at), bank, passage, auction)


def _bank_rows(session: TableSession) -> tuple[Bank | None, BankPassage | None]:
    locking.taking(locking.Rank.BANK)
    bank = held_bank(session)
    passage = (
        BankPassage.objects.select_for_update(of=("self",), no_key=True)
        .filter(session=session)
        .exclude(step=BankPassage.Step.OVER)
        .select_related("left__holder", "left__associate")
        .first()
    )
    return bank, passage


def held_bank(session: TableSession) -> Bank | None:
    """The live bank of a session held for writing, locked; the rank of the bank is the caller's."""
    bank = (
        Bank.objects.select_for_update(of=("self",), no_key=True)
        .filter(session=session, state__in=Bank.LIVE)
        .select_related("holder", "associate", "previous")
        .first()
    )
    if bank is not None:
        bank.session = session
    return bank


def require_seated(taking: SeatTaking, session: TableSession, field: str = "seat") -> SeatTaking:
    """The taking as it stands, seated at this table now. Raises `Conflict` (`not_seated`)."""
    found = SeatTaking.objects.get(pk=taking.pk)
    if found.session_id != session.pk or found.during.upper is not None:
        raise Conflict(
            Text(
                f"{found.alias} no está sentado en {session.table.name}: el banco es de quien está en la"
                f" mesa",
                f"{found.alias} is not seated at {session.table.name}: the bank is for who is at the table",
            ),
            code="not_seated",
            rule="BANK-01",
            field=field,
        )
    return found


def require_there(taking: SeatTaking, by: By, field: str = "seat") -> None:
    """Raises `Conflict` BANK-22 (`away`): who is away from the table takes no part in its bank."""
    if is_away(taking, by.occurred_at):
        raise Conflict(
            Text(
                f"{taking.alias} está ausente: marque su vuelta, o que pierde su lugar",
                f"{taking.alias} is away: mark the return, or that the place is lost",
            ),
            code="away",
            rule="BANK-22",
            field=field,
        )


def seated_at(session: TableSession, seat: int, field: str = "seat") -> SeatTaking:
    """Who sits on a seat of the table now. Raises `Conflict` (`not_seated`)."""
    found = SeatTaking.objects.filter(session=session, seat=seat, during__endswith=None).first()
    if found is None:
        raise Conflict(
            Text(
                f"nadie está sentado en el asiento {seat} de {session.table.name}: el banco es de quien está"
                f" en la mesa",
                f"nobody sits on seat {seat} of {session.table.name}: the bank is for who is at the table",
            ),
            code="not_seated",
            rule="BANK-01",
            field=field,
        )
    return found


RUNNING = (TableSession.State.OPENING, TableSession.State.OPEN, TableSession.State.PAUSED)


def require_table_runs(situation: Situation, rule: str) -> None:
    """Raises `Conflict` (`session_closing`) once the last round was announced: no bank begins then."""
    session = situation.session
    if session.state not in RUNNING:
        raise Conflict(
            Text(
                f"{session.table.name} está cerrando: el banco se devuelve, no pasa a otro",
                f"{session.table.name} is closing: the bank is returned, it passes to nobody",
            ),
            code="session_closing",
            rule=rule,
        )


def require_between_rounds(situation: Situation, rule: str) -> None:
    """Raises `Conflict` (`round_in_progress`) while a round is being played."""
    if situation.round is not None:
        raise Conflict(
            Text(
                f"el pase {situation.round.number} está en curso: liquídelo o abandónelo antes",
                f"round {situation.round.number} is in progress: settle or abandon it first",
            ),
            code="round_in_progress",
            rule=rule,
        )


def require_held(situation: Situation, rule: str) -> Bank:
    """The bank, deposited and in play. Raises `Conflict` (`no_bank`, `bank_awaits_deposit`)."""
    bank = situation.bank
    if bank is None:
        raise no_bank(situation.passage, rule)
    if bank.state == Bank.State.AWARDED:
        raise awaits_deposit(bank, situation.figures)
    return bank


def no_bank(passage: BankPassage | None, rule: str = "BANK-01") -> Conflict:
    """Nobody has the bank: what to do about it."""
    if passage is None:
        text = Text(
            "nadie tiene el banco: ábralo en el panel del banco con quien lo toma y su importe",
            "nobody holds the bank: open it on the bank panel with who takes it and the amount",
        )
    else:
        text = Text(
            "el banco está pasando de manos: termine la oferta o la subasta en el panel del banco",
            "the bank is passing on: finish the offer or the auction on the bank panel",
        )
    return Conflict(text, code="no_bank", rule=rule)


def awaits_deposit(bank: Bank, figures: Figures) -> Conflict:
    """First card before the deposit (BANK-17)."""
    said = figures.said(bank.required)
    return Conflict(
        Text(
            f"el banco adjudicado a {bank.holder.alias} espera su depósito de al menos {said.es}:"
            " sin fichas en el banco no sale la primera carta",
            f"the bank awarded to {bank.holder.alias} awaits its deposit of at least {said.en}:"
            " without chips in the bank no card comes out",
        ),
        code="bank_awaits_deposit",
        rule="BANK-17",
    )
