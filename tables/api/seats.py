"""Seats, the waiting list and requests to change place over the API."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.db.models import Prefetch
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Own
from audits.api.frame import Endpoint, Given, Rows, writes
from audits.by import By
from casino.kernel import clock
from tables.api.admitting import Admitting
from tables.api.sessions import OfSessions
from tables.guests import absences, priorities, queueing, seats
from tables.guests.registering import LONGEST_ALIAS
from tables.models import AwayMark, ChangeRequest, Guest, SeatTaking, Table, TableSession, WaitingEntry
from tables.seeing import sessions_seen_by

GUESTS = Guest.objects.all()
SESSIONS = TableSession.objects.filter(state__in=TableSession.LIVE)
BIGGEST_SEAT = 100


class TakingOut(serializers.ModelSerializer[SeatTaking]):
    """A seat that is or was taken; `until` is none while it is, `away_since` while the player is there."""

    session = serializers.CharField(source="session.label")
    session_id = serializers.IntegerField()
    guest_id = serializers.IntegerField(allow_null=True)
    since = serializers.DateTimeField(source="during.lower")
    until = serializers.DateTimeField(source="during.upper", allow_null=True)
    away_since = serializers.SerializerMethodField()
    moved_from_id = serializers.IntegerField(allow_null=True)

    class Meta:
        model = SeatTaking
        fields = [
            "id", "session_id", "session", "seat", "guest_id", "alias", "since", "until", "away_since",
            "moved_from_id", "after_round", "mid_round",
        ]  # fmt: skip

    def get_away_since(self, taking: SeatTaking) -> str | None:
        marks = getattr(taking, "away_now", None)
        if marks is None:
            marks = AwayMark.objects.filter(taking=taking, during__endswith=None)
        return next((clock.stamp(mark.during.lower) for mark in marks), None)


AWAY_NOW = Prefetch("away", AwayMark.objects.filter(during__endswith=None), to_attr="away_now")
TAKINGS = (
    SeatTaking.objects.select_related("session__table", "session__day", "guest")
    .prefetch_related(AWAY_NOW)
    .order_by("-pk")
)


class TakingFilter(filters.FilterSet):
    now = filters.BooleanFilter(field_name="during__endswith", lookup_expr="isnull")

    class Meta:
        model = SeatTaking
        fields = ["seat"]


class SeatIn(Given):
    seat = serializers.IntegerField(min_value=1, max_value=BIGGEST_SEAT)
    guest = Own(queryset=GUESTS, required=False, allow_null=True, default=None)
    alias = serializers.CharField(
        max_length=LONGEST_ALIAS, default="", allow_blank=True, help_text="of who stays anonymous"
    )


class SessionSeats(Rows, OfSessions, Admitting):
    queryset = TAKINGS  # type: ignore[assignment]
    serializer_class = TakingOut  # type: ignore[assignment]
    filterset_class = TakingFilter

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return TAKINGS.none()
        seen = sessions_seen_by(self.user).filter(pk=self.kwargs["pk"])
        return TAKINGS.filter(session__in=seen)

    @writes(seats.seat, takes=SeatIn, gives=TakingOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> SeatTaking:
        """Seat a player; who may not be admitted is refused and put on record (GEN-11)."""
        return seats.seat(session=self.one(TableSession, pk), **given, by=by)


class ChangeOut(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    before = serializers.IntegerField()
    seat = serializers.IntegerField()
    mid_round = serializers.BooleanField()


class StandingOut(serializers.Serializer[Any]):
    """A player at the table; `keeps_priority` as BANK-20 says, lost at each of `lost_at`."""

    seat = serializers.IntegerField()
    taking_id = serializers.IntegerField(source="taking.pk")
    player = serializers.CharField(source="taking.alias")
    since = serializers.DateTimeField()
    seat_since = serializers.DateTimeField()
    changes = ChangeOut(many=True)
    lost_at = serializers.ListField(child=serializers.DateTimeField())
    keeps_priority = serializers.BooleanField()
    away_since = serializers.DateTimeField(allow_null=True)


class SeniorityOut(serializers.Serializer[Any]):
    """Who sits at a table now, by seat."""

    at = serializers.DateTimeField()
    standings = StandingOut(many=True)


class SessionSeniority(Endpoint):
    @extend_schema(responses=SeniorityOut)
    def get(self, request: Request, pk: int) -> Response:
        """Who sits at a table now, since when, with every change of place (BANK-20)."""
        session, now = self.one(sessions_seen_by(self.user), pk), clock.now()
        told = {"at": now, "standings": priorities.seniority(session, now)}
        return Response(SeniorityOut(told, context=self.get_serializer_context()).data)


class OfTakings(Endpoint):
    """An act on a seat that is taken."""

    queryset = TAKINGS
    serializer_class = TakingOut

    def seat_taken(self, pk: int) -> SeatTaking:
        found: SeatTaking = self.one(TAKINGS, pk)
        return found

    def fresh(self, taking: SeatTaking) -> SeatTaking:
        return TAKINGS.get(pk=taking.pk)


class SeatLeave(OfTakings):
    @writes(seats.leave, gives=TakingOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> SeatTaking:
        """A player gets up."""
        return self.fresh(seats.leave(taking=self.seat_taken(pk), by=by))


class SeatMoveIn(Given):
    session = Own(queryset=SESSIONS, required=False, help_text="the same table if left out")
    seat = serializers.IntegerField(min_value=1, max_value=BIGGEST_SEAT)


class SeatMove(OfTakings, Admitting):
    @writes(seats.move, takes=SeatMoveIn, gives=TakingOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> SeatTaking:
        """A player changes place, at the table or to another; a request of theirs is honoured (BANK-20)."""
        taking = self.seat_taken(pk)
        target = given.get("session") or taking.session
        return self.fresh(seats.move(taking=taking, session=target, seat=given["seat"], by=by))


class AwayIn(Given):
    keeps_chips = serializers.BooleanField(default=True)


class SeatAway(OfTakings):
    @writes(absences.mark_away, takes=AwayIn, gives=TakingOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> SeatTaking:
        """A player is away for a moment; the seat is kept (BANK-23)."""
        taking = self.seat_taken(pk)
        absences.mark_away(taking=taking, **given, by=by)
        return self.fresh(taking)


class SeatBack(OfTakings, Admitting):
    @writes(absences.come_back, gives=TakingOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> SeatTaking:
        """A player is back, unless barred meanwhile (GEN-11)."""
        return self.fresh(absences.come_back(taking=self.seat_taken(pk), by=by))


class SeatLose(OfTakings):
    @writes(absences.lose_seat, gives=TakingOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> SeatTaking:
        """An absent player loses the seat to the first of the waiting list, who is called (BANK-22)."""
        return self.fresh(absences.lose_seat(taking=self.seat_taken(pk), by=by))


# ---- requests to change place ----------------------------------------------------------------------


class ChangeRequestOut(serializers.ModelSerializer[ChangeRequest]):
    taking_id = serializers.IntegerField()
    player = serializers.CharField(source="taking.alias")
    table_id = serializers.IntegerField()
    table = serializers.CharField(source="table.name")

    class Meta:
        model = ChangeRequest
        fields = ["id", "taking_id", "player", "table_id", "table", "seat", "since", "state", "ended_at"]


class ChangeRequestIn(Given):
    table = Own(queryset=Table.objects.all())
    seat = serializers.IntegerField(
        min_value=1, max_value=BIGGEST_SEAT, required=False, allow_null=True, default=None
    )


REQUESTS = ChangeRequest.objects.select_related("taking__session", "table").order_by("since", "id")


class ChangeRequests(Rows):
    queryset = REQUESTS
    serializer_class = ChangeRequestOut
    filterset_fields = ["state", "table"]


class SeatAsk(OfTakings):
    @writes(queueing.ask_change, takes=ChangeRequestIn, gives=ChangeRequestOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> ChangeRequest:
        """A seated player asks for another place."""
        return queueing.ask_change(taking=self.seat_taken(pk), **given, by=by)


class ChangeWithdraw(Endpoint):
    @writes(queueing.withdraw_change, gives=ChangeRequestOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> ChangeRequest:
        """The player stays after all."""
        return queueing.withdraw_change(request=self.one(REQUESTS, pk), by=by)


# ---- the waiting list ------------------------------------------------------------------------------


class WaitingOut(serializers.ModelSerializer[WaitingEntry]):
    """Somebody on a list, in its order; `table_id` is none on a game's list."""

    table_id = serializers.IntegerField(allow_null=True)
    table = serializers.CharField(source="table.name", default="")
    guest_id = serializers.IntegerField(allow_null=True)

    class Meta:
        model = WaitingEntry
        fields = [
            "id", "table_id", "table", "game", "guest_id", "alias", "party_size", "state", "since",
            "called_at", "ended_at",
        ]  # fmt: skip


class WaitIn(Given):
    table = Own(queryset=Table.objects.all(), required=False, allow_null=True, default=None)
    game = serializers.CharField(max_length=40, default="", allow_blank=True, help_text="without a table")
    guest = Own(queryset=GUESTS, required=False, allow_null=True, default=None)
    alias = serializers.CharField(max_length=30, default="", allow_blank=True)
    party_size = serializers.IntegerField(min_value=1, max_value=queueing.BIGGEST_PARTY, default=1)


class WaitingFilter(filters.FilterSet):
    live = filters.BooleanFilter(field_name="ended_at", lookup_expr="isnull")
    game = filters.CharFilter(max_length=40)

    class Meta:
        model = WaitingEntry
        fields = ["table", "state"]


WAITING = WaitingEntry.objects.select_related("table", "guest").order_by("since", "id")


class Waiting(Rows, Admitting):
    queryset = WAITING
    serializer_class = WaitingOut
    filterset_class = WaitingFilter

    @writes(queueing.wait, takes=WaitIn, gives=WaitingOut, status=201)
    def post(self, by: By, given: dict[str, Any]) -> WaitingEntry:
        """Put somebody on the list of a table or of a game (GEN-11)."""
        return queueing.wait(**given, by=by)


class OfWaiting(Endpoint):
    queryset = WAITING

    def entry(self, pk: int) -> WaitingEntry:
        found: WaitingEntry = self.one(WAITING, pk)
        return found


class WaitingCall(OfWaiting):
    @writes(queueing.call, gives=WaitingOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> WaitingEntry:
        """Call somebody; whoever is passed over needs a reason (BANK-21)."""
        return queueing.call(entry=self.entry(pk), by=by)


class WaitingSeatIn(Given):
    session = Own(queryset=SESSIONS)
    seat = serializers.IntegerField(min_value=1, max_value=BIGGEST_SEAT)
    guest = Own(
        queryset=GUESTS, required=False, allow_null=True, default=None,
        help_text="who of the party it is, where the list does not say",
    )  # fmt: skip


class WaitingSeat(OfWaiting, Admitting):
    @writes(seats.seat_from_list, takes=WaitingSeatIn, gives=TakingOut, status=201)
    def post(self, by: By, given: dict[str, Any], pk: int) -> SeatTaking:
        """Seat who waited (GEN-11, BANK-21)."""
        return seats.seat_from_list(entry=self.entry(pk), **given, by=by)


class StrikeIn(Given):
    outcome = serializers.ChoiceField(
        choices=[WaitingEntry.State.LEFT.value, WaitingEntry.State.EXPIRED.value]
    )


class WaitingStrike(OfWaiting):
    @writes(queueing.strike, takes=StrikeIn, gives=WaitingOut)
    def post(self, by: By, given: dict[str, Any], pk: int) -> WaitingEntry:
        """Take somebody off the list: left, or called and did not come."""
        return queueing.strike(entry=self.entry(pk), **given, by=by)
