"""The meters of a table over the API: credits bought and returned, progressive bets placed and taken off.

A bet is placed beforehand: in the round in progress until its play closes, else for the next one. A round
logged whole in one POST closes within it, so its progressive bets are placed before that POST.
"""

from __future__ import annotations

from typing import Any

import django_filters as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audits.api.fields import Money
from audits.api.frame import Endpoint, Given, Rows, writes
from audits.by import By
from casino.kernel import clock
from jackpots import betting, credits
from jackpots.models import Bet, CreditMove, Pool
from jackpots.positions import Board, board_of
from tables.api.admitting import Admitting
from tables.api.seats import BIGGEST_SEAT
from tables.api.sessions import OfSessions
from tables.models import TableSession
from tables.seeing import sessions_seen_by

BIGGEST = 2_147_483_647


class ProgressiveBetOut(serializers.ModelSerializer[Bet]):
    """A progressive bet. `serial`: its place among all bets of the pool, and `total` what the version had
    collected with it, once its round is settled."""

    session_id = serializers.IntegerField()
    pool_id = serializers.IntegerField()
    round_id = serializers.IntegerField(allow_null=True)
    amount = Money()
    total = Money(allow_null=True)
    noted_by = serializers.CharField(source="noted_by.name")

    class Meta:
        model = Bet
        fields = [
            "id", "session_id", "pool_id", "number", "round_id", "seat", "amount", "state", "serial", "total",
            "day", "placed_at", "noted_by",
        ]  # fmt: skip


class PositionOut(serializers.Serializer[Any]):
    """A position: `amount` on its meter, `free` of it for a bet; `light`: it has bet in the round (PP-10)."""

    seat = serializers.IntegerField()
    player = serializers.CharField()
    amount, free = Money(), Money()
    light = serializers.BooleanField()
    bet = ProgressiveBetOut(allow_null=True)


class PoolHereOut(serializers.ModelSerializer[Pool]):
    """The pool a table feeds."""

    class Meta:
        model = Pool
        fields = ["id", "name", "form", "state"]


class BoardOut(serializers.Serializer[Any]):
    """The progressive at a table. `number`: the round bets are of; `locked`: play is closed in it; `open`: a
    bet may be placed or taken off now; `least` and `most`: credits of a bet, each worth `credit`."""

    session_id = serializers.IntegerField(source="session.pk")
    at = serializers.DateTimeField()
    pool = PoolHereOut(allow_null=True)
    number = serializers.IntegerField()
    open = serializers.BooleanField()
    locked = serializers.BooleanField()
    credit = Money(source="terms.credit", default=None, allow_null=True)
    least = serializers.IntegerField(source="terms.least", default=None, allow_null=True)
    most = serializers.IntegerField(source="terms.most", default=None, allow_null=True)
    positions = PositionOut(many=True)


def session_of(view: Endpoint, pk: int) -> TableSession:
    """A session this login sees."""
    seen = OfSessions.queryset.filter(pk__in=sessions_seen_by(view.user).values("pk"))
    found: TableSession = view.one(seen, pk)
    return found


def after(view: Endpoint, session: TableSession) -> Board:
    """How the meters of a table stand, after a write."""
    return board_of(session_of(view, session.pk), clock.now())


class OfMeters(Rows):
    """Rows of one session this login sees."""

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows
        return rows.filter(session=self.kwargs["pk"], session__in=sessions_seen_by(self.user))


class SessionProgressive(Endpoint):
    @extend_schema(responses=BoardOut)
    def get(self, request: Request, pk: int) -> Response:
        """Credits, bet and light of each position, and whether bets are locked (PP-08, PP-10)."""
        found = board_of(session_of(self, pk), clock.now())
        return Response(BoardOut(found, context=self.get_serializer_context()).data)


# ---- credits ----------------------------------------------------------------------------------------


class CreditMoveOut(serializers.ModelSerializer[CreditMove]):
    """Chips exchanged for credits, or back; `promotion` where a complementary prize gave them."""

    session_id = serializers.IntegerField()
    player = serializers.CharField(source="taking.alias", default="")
    amount = Money()
    noted_by = serializers.CharField(source="noted_by.name")

    class Meta:
        model = CreditMove
        fields = ["id", "session_id", "seat", "player", "kind", "amount", "at", "noted_by"]


class CreditMoveFilter(filters.FilterSet):
    class Meta:
        model = CreditMove
        fields = ["seat", "kind"]


class CreditsIn(Given):
    seat = serializers.IntegerField(min_value=1, max_value=BIGGEST_SEAT)
    credits = serializers.IntegerField(min_value=-BIGGEST, max_value=BIGGEST, help_text="how many credits")


class SessionCredits(OfMeters, Admitting):
    """Credits bought and returned at a table, newest first."""

    queryset = CreditMove.objects.select_related("taking", "noted_by").order_by("-pk")
    serializer_class = CreditMoveOut
    filterset_class = CreditMoveFilter

    @writes(credits.buy_credits, takes=CreditsIn, gives=BoardOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Board:
        """A player exchanges chips for credits, activated at the position (PP-09)."""
        session = session_of(self, pk)
        credits.buy_credits(session=session, **given, by=by)
        return after(self, session)


class SessionCreditsReturn(Endpoint):
    @writes(credits.return_credits, takes=CreditsIn, gives=BoardOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Board:
        """Credits not bet go back to the player in chips, also while the pool stands still (PP-09)."""
        session = session_of(self, pk)
        credits.return_credits(session=session, **given, by=by)
        return after(self, session)


# ---- bets -------------------------------------------------------------------------------------------


class ProgressiveBetFilter(filters.FilterSet):
    class Meta:
        model = Bet
        fields = ["state", "number", "seat"]


class SessionProgressiveBets(OfMeters):
    """The progressive bets of a table, newest first."""

    queryset = Bet.objects.select_related("noted_by").order_by("-pk")
    serializer_class = ProgressiveBetOut
    filterset_class = ProgressiveBetFilter

    @writes(betting.place_bet, takes=CreditsIn, gives=BoardOut, status=201, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Board:
        """A position bets on the progressive, in the round in progress while its play is open, else for the
        next one: before the POST of a round that is logged whole (PP-01, PP-10)."""
        session = session_of(self, pk)
        betting.place_bet(session=session, **given, by=by)
        return after(self, session)


class ProgressiveBetCancel(Endpoint):
    queryset = Bet.objects.select_related("session")

    @writes(betting.cancel_bet, gives=BoardOut, key_required=True)
    def post(self, by: By, given: dict[str, Any], pk: int) -> Board:
        """Take a progressive bet off again, before play closes (PP-10)."""
        assert self.queryset is not None
        bet = self.one(self.queryset.filter(session__in=sessions_seen_by(self.user)), pk)
        betting.cancel_bet(bet=bet, by=by)
        return after(self, bet.session)
