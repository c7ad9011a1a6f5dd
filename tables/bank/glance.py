"""The banks of a house at a glance, for the floor: two queries, whatever the number of tables."""

from __future__ import annotations

from casino.kernel import money
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import Bank, BankPassage

_STEPS = {
    BankPassage.Step.ROTATION: Text("se ofrece por turno", "offered by turn"),
    BankPassage.Step.RETAKE: Text("se ofrece a quien lo dejó", "offered to who left it"),
    BankPassage.Step.AUCTION: Text("en subasta", "at auction"),
}


def glances(casino: Casino) -> dict[int, Text]:
    """How the bank of each table stands, by session: who has it with how much, or how it passes on."""
    passing = BankPassage.objects.filter(casino=casino).exclude(step=BankPassage.Step.OVER)
    found = {
        session: _STEPS[BankPassage.Step(step)] for session, step in passing.values_list("session", "step")
    }
    for bank in Bank.objects.filter(casino=casino, state__in=Bank.LIVE).select_related("holder"):
        found[bank.session_id] = _held(bank, casino.exponent)
    return found


def _held(bank: Bank, exponent: int) -> Text:
    who = bank.holder.alias
    if bank.state == Bank.State.AWARDED:
        return Text("{who}, por depositar", "{who}, to deposit").fill(who=who)
    return Text("{who} {much}", "{who} {much}").fill(who=who, much=_brief(bank.amount, exponent))


def _brief(amount: int, exponent: int) -> Text:
    whole = amount % 10**exponent == 0
    units, places = (amount // 10**exponent, 0) if whole else (amount, exponent)
    return Text(money.readable(units, "es", places), money.readable(units, "en", places))
