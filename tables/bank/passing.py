"""The bank is offered on: by turn, then to who left it, then auctioned (BANK-25).

    rotation: next in turn -> take | decline | absent | jointly      a sole buyer before associates (BANK-08)
    retake:   who left it  -> take | decline                         for the same amount (BANK-09)
    auction:  tables.bank.auctions

Nobody is asked out of turn: `order` says whose turn it is, with its reasons.
"""

from __future__ import annotations

from audits.by import By
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from tables.bank import policies
from tables.bank.figures import require_amount
from tables.bank.holding import Situation, hold, require_seated, require_table_runs, require_there
from tables.bank.opening import moved_on, require_not_barred, tell
from tables.bank.stepping import advance, give, hold_joint
from tables.bank.turns import due
from tables.guests import absences
from tables.guests.admitting import share_lists
from tables.guests.holding import hold_tables
from tables.models import Bank, BankAnswer, BankPassage, SeatTaking, TableSession

Answer, Step, How = BankAnswer.Answer, BankPassage.Step, Bank.How


@command(policies.RUN_BANK)
def take_bank(
    *, passage: BankPassage, taking: SeatTaking, amount: int, by: By, associate: SeatTaking | None = None
) -> BankAnswer:
    """Whose turn it is takes the bank with `amount`, alone or with an associate; chips go in at once.

    A joint offer waits until everybody was asked: one player alone comes first (BANK-08). Raises `Conflict`
    (`passage_over`, `not_their_turn`, `not_seated`), `RuleViolation` BANK-06 or BANK-09
    (`below_what_was_left`), BANK-08, BANK-22 (`away`), GEN-04, GEN-07.
    """
    share_lists(by.casino)
    situation, passage = _held(passage, by, taking, associate)
    require_turn(situation.session, passage, taking, by)
    require_there(taking, by)
    rotating = passage.step == Step.ROTATION
    least, rule = (passage.least, "BANK-06") if rotating else (passage.retake, "BANK-09")
    # Limits may have been raised since the offer began: no round would accept a bank below them.
    least = max(least, situation.figures.least)
    require_amount(amount, situation.figures, least, rule, "below_what_was_left")
    if not rotating and amount != least:
        raise _not_the_same(least, situation)
    if associate is not None:
        _require_may_join(situation, passage, taking, associate, by)
        return _note_joint(situation, passage, taking, amount, associate, by)
    return _take(situation, passage, taking, amount, by)


@command(policies.RUN_BANK)
def decline_bank(*, passage: BankPassage, taking: SeatTaking, by: By) -> BankAnswer:
    """Whose turn it is does not want the bank: it is offered to the next (BANK-07)."""
    share_lists(by.casino)
    situation, passage = _held(passage, by)
    require_turn(situation.session, passage, taking, by)
    require_there(taking, by)
    answer = _answer(situation, passage, taking, Answer.DECLINE, by, ["BANK-07"])
    _go_on(situation, passage, by)
    return answer


@command(policies.RUN_BANK)
def absent_at_turn(*, passage: BankPassage, taking: SeatTaking, by: By) -> BankAnswer:
    """Whose turn it is is away: the place is lost to the first of the waiting list (BANK-22).

    Raises what `absences.hold_losing` does (`not_away`: mark the absence first).
    """
    share_lists(by.casino)
    session = hold_tables([passage.session], by)[passage.session_id]
    # Passages change under their session's lock alone, so this is as it stands.
    require_turn(session, BankPassage.objects.get(pk=passage.pk), taking, by)
    losing = absences.hold_losing(taking, by)
    situation, passage = _held(passage, by)
    absences.lost(*losing, by)
    answer = _answer(situation, passage, taking, Answer.ABSENT, by, ["BANK-22"])
    _go_on(situation, passage, by)
    return answer


# ---- the parts -------------------------------------------------------------------------------------


def _held(passage: BankPassage, by: By, *players: SeatTaking | None) -> tuple[Situation, BankPassage]:
    """The bank and its offer, locked, with whoever may be given it: `players`, and who offered jointly."""
    hold_tables([passage.session], by)
    hold_joint(passage, *players)
    situation = hold(passage.session, by)
    found = situation.passage
    if found is None or found.pk != passage.pk or found.step == Step.AUCTION:
        raise Conflict(
            Text(
                "esa oferta del banco ya terminó: mire el panel del banco",
                "that offer of the bank is over: look at the bank panel",
            ),
            code="passage_over",
            rule="BANK-07",
        )
    require_table_runs(situation, "BANK-07")
    return situation, found


def require_turn(session: TableSession, passage: BankPassage, taking: SeatTaking, by: By) -> None:
    """Raises `Conflict` (`not_their_turn`, with the seat whose turn it is)."""
    asked = due(session, passage, by.occurred_at)
    if asked is None or asked.taking != taking.pk:
        name = asked.alias if asked else "—"
        raise Conflict(
            Text(
                f"el banco se ofrece a {name}: {taking.alias} contesta en su turno",
                f"the bank is offered to {name}: {taking.alias} answers in turn",
            ),
            code="not_their_turn",
            rule="BANK-07" if passage.step == Step.ROTATION else "BANK-09",
            detail={"next": asked.seat if asked else None},
            field="seat",
        )


def _require_may_join(
    situation: Situation, passage: BankPassage, taking: SeatTaking, associate: SeatTaking, by: By
) -> None:
    """Anybody seated may be the associate, also who left the bank (BANK-08), but not the buyer."""
    if associate.pk == taking.pk or passage.step == Step.RETAKE:
        raise RuleViolation(
            "BANK-08",
            Text(
                "se asocia con otro jugador sentado, y quien retoma el banco lo hace solo",
                "one associates with another seated player, and who retakes the bank does so alone",
            ),
            code="bad_associate",
            field="associate",
        )
    require_seated(associate, situation.session, "associate")
    require_there(associate, by, "associate")
    require_not_barred(associate, situation.session, by, "associate")


def _not_the_same(least: int, situation: Situation) -> RuleViolation:
    said = situation.figures.said(least)
    return RuleViolation(
        "BANK-09",
        Text(
            f"se retoma por igual cantidad, {said.es}; después se puede ampliar",
            f"it is retaken for the same amount, {said.en}; it may be added to afterwards",
        ),
        {"amount": least},
        code="not_the_same_amount",
        field="amount",
    )


def _note_joint(
    situation: Situation, passage: BankPassage, taking: SeatTaking, amount: int, associate: SeatTaking, by: By
) -> BankAnswer:
    answer = _answer(situation, passage, taking, Answer.JOINT, by, ["BANK-08"], amount, associate)
    _go_on(situation, passage, by)
    return answer


def _take(situation: Situation, passage: BankPassage, taking: SeatTaking, amount: int, by: By) -> BankAnswer:
    rotating = passage.step == Step.ROTATION
    rules = ["BANK-06", "BANK-08"] if rotating else ["BANK-09"]
    answer = _answer(situation, passage, taking, Answer.TAKE, by, rules, amount)
    give(situation, passage, taking, How.TURN if rotating else How.RETAKE, amount, by)
    return answer


def _go_on(situation: Situation, passage: BankPassage, by: By) -> None:
    """To the next in turn; once everybody was asked, as far as the offer goes by itself."""
    moved_on(situation, by)
    advance(situation, passage, by)


def _answer(
    situation: Situation,
    passage: BankPassage,
    taking: SeatTaking,
    answer: str,
    by: By,
    rules: list[str],
    amount: int | None = None,
    associate: SeatTaking | None = None,
) -> BankAnswer:
    data: dict[str, object] = {
        "passage": passage.pk,
        "step": passage.step,
        "seat": taking.seat,
        "player": taking.alias,
        "taking": taking.pk,
        "answer": answer,
        "amount": amount,
        "with": None if associate is None else associate.seat,
    }
    event = tell("tables.bank.answered", situation, passage.left, by, data, rules)
    return BankAnswer.objects.create(
        casino=by.casino,
        passage=passage,
        step=passage.step,
        taking=taking,
        answer=answer,
        amount=amount,
        associate=associate,
        event=event,
        at=by.occurred_at,
        noted_by=by.actor,
    )
