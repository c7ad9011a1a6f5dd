"""The bank of a table over the API: opened, added to, passed on by turn, returned; and who has had it.

Every write answers with how the bank stands after it, as `GET sessions/{id}/bank` does.
"""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.db.models import Prefetch
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Money
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.by import By
from casino.kernel import clock
from tables.api.admitting import Admitting
from tables.api.bank_shapes import (
    BankDetail,
    BankOut,
    Partner,
    Player,
    Situation,
    SituationOut,
    meant,
    named,
    partner,
    situation_of,
)
from tables.api.sessions import OfSessions
from tables.bank import aside, auctions, handing, opening, passing
from tables.models import Bank, BankDeposit, BankPassage, BankRound, TableSession
from tables.seeing import sessions_seen_by

BANKS = Bank.objects.select_related(
    "session__table", "session__day", "session__casino", "holder", "associate", "auction"
).order_by("-pk")


class OpenBankIn(Partner, Given):
    amount = Money()


class SessionBank(OfSessions, Admitting):
    @extend_schema(responses=SituationOut)
    def get(self, request: Request, pk: int) -> Response:
        """Who has the bank, or whose turn it is and why, and what may be done now."""
        found = situation_of(self.session(pk), clock.now())
        return Response(SituationOut(found, context=self.get_serializer_context()).data)

    @writes(opening.open_bank, takes=OpenBankIn, gives=SituationOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """The first banker opens the bank with at least the table's minimum (BANK-02)."""
        session = self.session(pk)
        opening.open_bank(
            session=session,
            taking=meant(session, given),
            amount=given["amount"],
            associate=partner(session, given),
            by=by,
        )
        return situation_of(self.fresh(session), clock.now())


class BankFilter(filters.FilterSet):
    class Meta:
        model = Bank
        fields = ["state", "how", "ending"]


class OfBanks(Endpoint):
    """Banks of the sessions this login sees."""

    queryset = BANKS
    serializer_class = BankOut

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows
        return rows.filter(session__in=sessions_seen_by(self.user))

    def bank(self, pk: int) -> Bank:
        found: Bank = self.one(self.get_queryset(), pk)
        return found

    def after(self, bank: Bank) -> Situation:
        """How the bank of its table stands, after a write."""
        return situation_of(TableSession.objects.get(pk=bank.session_id), clock.now())


class SessionBanks(OfBanks, Rows):
    """Who has had the bank of a table, the latest first."""

    filterset_class = BankFilter

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        return rows if getattr(self, "swagger_fake_view", False) else rows.filter(session=self.kwargs["pk"])


class BankRow(OfBanks, Row):
    """One time with the bank: its deposits, and what each round did to it."""

    queryset = BANKS.prefetch_related(
        Prefetch("deposits", BankDeposit.objects.select_related("taking").order_by("pk"))
    ).prefetch_related(Prefetch("rounds", BankRound.objects.select_related("round").order_by("pk")))
    serializer_class = BankDetail


class DepositIn(Given):
    amount = Money()


class BankDepositing(OfBanks):
    @writes(opening.deposit, takes=DepositIn, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """Who was awarded the bank hands in its chips: what was offered, or more (BANK-14, BANK-17)."""
        return self.after(opening.deposit(bank=self.bank(pk), **given, by=by))


class AddIn(Player, Given):
    amount = Money(signed=True, help_text="how much is added; the banker's, unless the associate is named")
    needed = False


class BankAdd(OfBanks):
    @writes(opening.add_to_bank, takes=AddIn, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """The banker or the associate adds chips between rounds; a bank is never lowered (BANK-14)."""
        bank = self.bank(pk)
        who = named(bank.session, given)
        return self.after(opening.add_to_bank(bank=bank, taking=who, amount=given["amount"], by=by))


class JoinIn(Player, Given):
    amount = Money(default=0, help_text="what the associate puts in, if anything")


class BankJoin(OfBanks, Admitting):
    @writes(opening.join_bank, takes=JoinIn, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """Who just left the bank associates with who took it, before the first deal (BANK-08)."""
        bank = self.bank(pk)
        who = meant(bank.session, given)
        return self.after(opening.join_bank(bank=bank, taking=who, amount=given["amount"], by=by))


class AsideIn(Given):
    amount = Money()


class BankSetAside(OfBanks):
    @writes(aside.set_aside, takes=AsideIn, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """Winnings taken out of play, where the house's rules have it."""
        return self.after(aside.set_aside(bank=self.bank(pk), **given, by=by))


class BankPass(OfBanks):
    @writes(handing.pass_bank, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """The banker hands over the bank while winning (BANK-03): it is offered on by turn."""
        bank = self.bank(pk)
        handing.pass_bank(bank=bank, by=by)
        return self.after(bank)


class BankReturn(OfBanks):
    @writes(handing.return_bank, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """The bank goes back to its banker, because the table closes (BANK-05)."""
        return self.after(handing.return_bank(bank=self.bank(pk), by=by))


class BankRefuse(OfBanks):
    @writes(auctions.refuse_bank, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """Who acquired the bank does not take it, with the `reason`: it is auctioned again (BANK-15)."""
        bank = self.bank(pk)
        auctions.refuse_bank(bank=bank, by=by)
        return self.after(bank)


# ---- passing on ------------------------------------------------------------------------------------


class OfPassages(Admitting):
    """An act on an offer of the bank. Any may award it to a joint offer, so any may turn somebody away."""

    queryset = BankPassage.objects.select_related("session__table", "session__day", "session__casino")

    def passage(self, pk: int) -> BankPassage:
        found: BankPassage = self.one(self.queryset.filter(session__in=sessions_seen_by(self.user)), pk)
        return found

    def after(self, passage: BankPassage) -> Situation:
        return situation_of(TableSession.objects.get(pk=passage.session_id), clock.now())


class TakeIn(Partner, Given):
    amount = Money()


class PassageTake(OfPassages):
    @writes(passing.take_bank, takes=TakeIn, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """Whose turn it is takes the bank: alone at once, jointly once nobody wants it alone (BANK-08)."""
        passage = self.passage(pk)
        passing.take_bank(
            passage=passage,
            taking=meant(passage.session, given),
            amount=given["amount"],
            associate=partner(passage.session, given),
            by=by,
        )
        return self.after(passage)


class AnswerIn(Player, Given):
    pass


class PassageDecline(OfPassages):
    @writes(passing.decline_bank, takes=AnswerIn, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """Whose turn it is does not want the bank: the next is asked (BANK-07)."""
        passage = self.passage(pk)
        passing.decline_bank(passage=passage, taking=meant(passage.session, given), by=by)
        return self.after(passage)


class PassageAbsent(OfPassages):
    @writes(passing.absent_at_turn, takes=AnswerIn, gives=SituationOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Situation:
        """Whose turn it is is away, and loses the place to the first of the waiting list (BANK-22)."""
        passage = self.passage(pk)
        passing.absent_at_turn(passage=passage, taking=meant(passage.session, given), by=by)
        return self.after(passage)
