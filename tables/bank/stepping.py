"""An offer of the bank goes on by itself once nobody is left to ask in its step (BANK-25).

    rotation -> the first joint offer that still holds (BANK-08) -> retake (BANK-09) -> auction

Asked after each answer, as an offer begins, and when somebody leaves the table, so that no offer ever waits
for an answer that nobody can give.
"""

from __future__ import annotations

from audits.by import By
from tables.bank.holding import RUNNING, Situation, hold
from tables.bank.opening import award, moved_on, put_in, tell
from tables.bank.persons import is_away, seated_now
from tables.bank.turns import barred, due
from tables.guests.admitting import findings, hold_guests
from tables.models import Bank, BankAnswer, BankPassage, SeatTaking, TableSession

Answer, Step, Result, How = BankAnswer.Answer, BankPassage.Step, BankPassage.Result, Bank.How


def advance(situation: Situation, passage: BankPassage, by: By) -> None:
    """Go on with an offer as far as it goes without an answer. Whoever offered jointly was locked before
    (`hold_joint`)."""
    while passage.step in (Step.ROTATION, Step.RETAKE):
        if due(situation.session, passage, by.occurred_at) is not None:
            return
        if passage.step == Step.ROTATION and _give_joint(situation, passage, by):
            return
        _next_step(situation, passage, by)


def after_leaving(session: TableSession, by: By) -> None:
    """Somebody left a table that is held: an offer of its bank that is under way goes on without them."""
    passage = BankPassage.objects.filter(session=session, step__in=(Step.ROTATION, Step.RETAKE)).first()
    if passage is None or session.state not in RUNNING or due(session, passage, by.occurred_at) is not None:
        return
    hold_joint(passage)
    situation = hold(session, by)
    if situation.passage is not None:
        advance(situation, situation.passage, by)


def hold_joint(passage: BankPassage, *players: SeatTaking | None) -> None:
    """Lock who may be given the bank: `players`, and whoever offered jointly, by document."""
    joint = passage.answers.filter(answer=Answer.JOINT).select_related("taking", "associate")
    hold_guests([*players, *(taking for offer in joint for taking in (offer.taking, offer.associate))])


def give(
    situation: Situation,
    passage: BankPassage,
    taking: SeatTaking,
    how: str,
    amount: int,
    by: By,
    associate: SeatTaking | None = None,
) -> None:
    """The bank is theirs, with its chips in it (BANK-17)."""
    least = passage.least if how == How.TURN else passage.retake
    bank = award(situation, taking, how, least, by, associate=associate, previous=passage.left)
    end_passage(situation, Result.TAKEN if how == How.TURN else Result.RETAKEN, by, to=bank)
    put_in(situation, bank, bank.holder, amount, by, ["BANK-06" if how == How.TURN else "BANK-09", "BANK-17"])


def end_passage(situation: Situation, result: str, by: By, to: Bank | None = None) -> None:
    """The passage is resolved; its event is that of what resolved it."""
    passage = situation.passage
    assert passage is not None
    passage.step, passage.result, passage.ended_at, passage.to = Step.OVER, result, by.occurred_at, to
    passage.save(update_fields=["step", "result", "ended_at", "to"])
    situation.passage = None


def _give_joint(situation: Situation, passage: BankPassage, by: By) -> bool:
    """The first joint offer whose two players are still there and admitted, if there is one."""
    offers = passage.answers.filter(step=Step.ROTATION, answer=Answer.JOINT).order_by("pk")
    for offer in offers.select_related("taking", "associate"):
        assert offer.amount is not None and offer.associate is not None
        both = [seated_now(offer.taking), seated_now(offer.associate)]
        one, other = both
        if one is None or other is None or not all(_may_have(player, by) for player in (one, other)):
            continue
        if barred(situation.session, by.occurred_at) & {one.pk, other.pk}:
            continue
        if offer.amount > situation.figures.most:
            continue
        give(situation, passage, one, How.TURN, offer.amount, by, other)
        return True
    return False


def _may_have(player: SeatTaking, by: By) -> bool:
    barred = player.guest is not None and bool(findings(player.guest, by.occurred_at))
    return not barred and not is_away(player, by.occurred_at)


def _next_step(situation: Situation, passage: BankPassage, by: By) -> None:
    passage.step = Step.RETAKE if passage.step == Step.ROTATION else Step.AUCTION
    passage.save(update_fields=["step"])
    told = {"passage": passage.pk, "step": passage.step}
    tell("tables.bank.step", situation, passage.left, by, told, ["BANK-25"])
    moved_on(situation, by)
