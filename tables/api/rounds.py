"""Rounds over the API: logged whole or step by step, settled, voided; and read with what they paid."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import InstantFilter, Money, Words
from audits.api.frame import Endpoint, Given, Row, Rows, writes
from audits.api.signatures import Cosigned, PasswordField, SignerField
from audits.by import By
from tables import rounds, storing
from tables.api.log import EVENT_SCHEMA, EventsField, shown_log, shown_money, shown_outcome
from tables.api.sessions import OfSessions
from tables.bank.figures import keeps_bank
from tables.bank.panel import entered
from tables.models import Bet, Round, TableSession
from tables.seeing import rounds_seen_by

BIGGEST_NUMBER = 2_147_483_647
TOTALS = frozenset({"staked", "returned", "commission", "rounding", "breakage", "house_result"})


class RoundOut(serializers.ModelSerializer[Round]):
    """A round without its log."""

    table = serializers.CharField(source="session.table.name")
    session_id = serializers.IntegerField()
    rules_id = serializers.IntegerField()
    limits_id = serializers.IntegerField()
    dealer = serializers.CharField(source="dealer.name", default="")
    logged_by = serializers.CharField(source="logged_by.name")
    staked, returned, commission = Money(), Money(), Money()
    house_result = Money(read_only=True)

    class Meta:
        model = Round
        fields = [
            "id", "session_id", "table", "number", "state", "detail", "winner", "rules_id", "limits_id",
            "dealer", "logged_by", "staked", "returned", "commission", "house_result", "opened_at",
            "settled_at",
        ]  # fmt: skip


class BetOut(serializers.ModelSerializer[Bet]):
    stake, returned, commission, breakage = Money(), Money(), Money(), Money()
    won = Money(read_only=True)

    class Meta:
        model = Bet
        fields = [
            "order",
            "seat",
            "spot",
            "hand",
            "stake",
            "returned",
            "won",
            "commission",
            "breakage",
            "pays",
            "row",
            "rule",
        ]


class RoundNoteOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = Words()
    rule = serializers.CharField()


class SettlementOut(serializers.Serializer[Any]):
    announcement = Words()
    outcome = serializers.SerializerMethodField(help_text="the winner and the game's own figures and hands")
    totals = serializers.SerializerMethodField()
    carry = serializers.SerializerMethodField(help_text="events the next round of the table begins with")
    notes = RoundNoteOut(many=True)
    unchecked = serializers.ListField(child=Words(), help_text="what the level of detail leaves unchecked")

    @extend_schema_field(serializers.DictField())
    def get_outcome(self, settlement: dict[str, Any]) -> dict[str, Any]:
        return shown_outcome(settlement["outcome"], self.context["exponent"])

    @extend_schema_field({"type": "array", "items": EVENT_SCHEMA})
    def get_carry(self, settlement: dict[str, Any]) -> list[dict[str, Any]]:
        return shown_log(settlement.get("carry", ()), self.context["exponent"])

    @extend_schema_field(serializers.DictField(child=serializers.CharField()))
    def get_totals(self, settlement: dict[str, Any]) -> dict[str, Any]:
        return shown_money(settlement["totals"], TOTALS, self.context["exponent"])


class RoundDetail(RoundOut):
    log = serializers.SerializerMethodField()
    settlement = SettlementOut(allow_null=True)
    bets = BetOut(many=True)

    class Meta(RoundOut.Meta):
        fields = [*RoundOut.Meta.fields, "log", "settlement", "bets"]

    @extend_schema_field({"type": "array", "items": EVENT_SCHEMA})
    def get_log(self, round: Round) -> list[dict[str, Any]]:
        return shown_log(round.log, self.context["exponent"])


class RoundFilter(filters.FilterSet):
    session = filters.NumberFilter(field_name="session_id")
    table = filters.NumberFilter(field_name="session__table_id")
    day = filters.DateFilter(field_name="session__day__date")
    dealer = filters.NumberFilter(field_name="dealer_id")
    winner = filters.CharFilter(max_length=12)
    since = InstantFilter(field_name="opened_at", lookup_expr="gte")
    until = InstantFilter(field_name="opened_at", lookup_expr="lt")

    class Meta:
        model = Round
        fields = ["state", "number"]


class OfRounds(Endpoint):
    """An address that reads or acts on rounds: those of the sessions this login sees."""

    queryset = Round.objects.select_related(
        "session__table", "session__day", "session__casino", "dealer", "logged_by"
    ).order_by("-opened_at", "-id")
    serializer_class = RoundOut

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows
        return rows.filter(pk__in=rounds_seen_by(self.user).values("pk"))

    def round(self, pk: int) -> Round:
        found = self.get_queryset().filter(pk=pk).first()
        if found is None:
            raise Http404
        return found


class Rounds(OfRounds, Rows):
    """Rounds, newest first, without their logs."""

    filterset_class = RoundFilter


class RoundRow(OfRounds, Row):
    serializer_class = RoundDetail


class RoundVoidIn(Given):
    approver = SignerField(help_text="user name of another person, who approves it")
    approver_password = PasswordField()
    cards_came_out = serializers.BooleanField(
        help_text="false: there was no such round (logged twice) and its cards go back into the count"
    )


class RoundVoid(Cosigned, OfRounds):
    cosigns = RoundVoidIn

    @writes(rounds.void, takes=RoundVoidIn, gives=RoundDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Round:
        """Void a settled round by a reversal that names it. Needs a reason, and another person's
        approval, signed with their own password (REC-07)."""
        return rounds.void(
            round=self.round(pk),
            approved_by=self.signer("approver"),
            cards_came_out=given["cards_came_out"],
            by=by,
        )


class LogIn(Given):
    number = serializers.IntegerField(
        min_value=1,
        max_value=BIGGEST_NUMBER,
        help_text="the round you believe is next; if it is not, 409 `round_moved_on`",
    )
    events = EventsField()


class SessionRounds(OfSessions):
    @writes(rounds.log, takes=LogIn, gives=RoundDetail, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Round:
        """Log and settle a whole round in one act."""
        return rounds.log(session=self.session(pk), **given, by=by)


class StepIn(Given):
    number = serializers.IntegerField(min_value=1, max_value=BIGGEST_NUMBER)
    step = serializers.IntegerField(
        min_value=0, max_value=rounds.MOST_EVENTS, help_text="how many events of the log you have seen"
    )


class EventsIn(StepIn):
    events = EventsField()


class PromptOut(serializers.Serializer[Any]):
    """What may or must be done next, and the rule that says so.

    `events` are taken as they stand, but for the cards to put in: a `card` that is left out, and `??`
    where a card is to be named.
    """

    kind = serializers.CharField()
    to = serializers.CharField()
    options = serializers.ListField(child=serializers.CharField())
    seat = serializers.IntegerField(help_text="0 where it is nobody's alone")
    hand = serializers.IntegerField()
    events = serializers.SerializerMethodField(help_text="events that may be sent now, least amounts")
    text = Words()
    why = Words()
    rule = serializers.CharField()

    @extend_schema_field({"type": "array", "items": EVENT_SCHEMA})
    def get_events(self, prompt: Any) -> list[dict[str, Any]]:
        return shown_log(prompt.events, self.context["exponent"])


class CurrentOut(RoundDetail):
    step = serializers.SerializerMethodField(help_text="send it with the next events")
    prompts = serializers.SerializerMethodField()

    class Meta(RoundDetail.Meta):
        fields = [*RoundDetail.Meta.fields, "step", "prompts"]

    def get_step(self, round: Round) -> int:
        return len(round.log)

    @extend_schema_field(PromptOut(many=True))
    def get_prompts(self, round: Round) -> Any:
        current = storing.versions_of(round, round.session)
        state = current.game.play_all(current.game.open(current.rules, current.terms), round.log)
        prompts = current.game.prompts(state)
        # A bank kept apart is run at its own address.
        offered = entered(prompts) if keeps_bank(round.session) else prompts
        return PromptOut(offered, many=True, context=self.context).data


class CurrentRound(OfSessions):
    @extend_schema(responses=CurrentOut)
    def get(self, request: Request, pk: int) -> Response:
        """The round in progress at a session, and what comes next; 404 when there is none."""
        session: TableSession = self.session(pk)
        current = OfRounds.queryset.filter(session=session, state=Round.State.OPEN).first()
        if current is None:
            raise Http404
        return Response(CurrentOut(current, context=self.get_serializer_context()).data)


class CurrentEvents(OfSessions):
    @writes(rounds.play, takes=EventsIn, gives=CurrentOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Round:
        """Add events to the round in progress; step 0 opens it."""
        return rounds.play(session=self.session(pk), **given, by=by)


class CurrentSettle(OfSessions):
    @writes(rounds.settle, takes=StepIn, gives=RoundDetail, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Round:
        """Settle the round in progress."""
        return rounds.settle(session=self.session(pk), **given, by=by)


class CurrentAbandon(OfSessions):
    @writes(rounds.abandon, takes=StepIn, gives=RoundDetail)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Round:
        """Give up the round in progress (a misdeal). Needs a reason."""
        return rounds.abandon(session=self.session(pk), **given, by=by)
