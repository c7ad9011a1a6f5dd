"""What the API shows of a table's bank, and how a body names the player it is about."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from audits.api.fields import Money, Own, Words
from tables.api.auctions import AUCTIONS, AuctionOut
from tables.api.seats import BIGGEST_SEAT
from tables.bank import seeing
from tables.bank.figures import require_kept
from tables.bank.holding import seated_at
from tables.bank.panel import Asked, Panel, panel_of
from tables.models import (
    Auction,
    Bank,
    BankAnswer,
    BankDeposit,
    BankPassage,
    BankRound,
    SeatTaking,
    TableSession,
)


class PlayerOut(serializers.ModelSerializer[SeatTaking]):
    taking_id = serializers.IntegerField(source="pk")
    player = serializers.CharField(source="alias")

    class Meta:
        model = SeatTaking
        fields = ["taking_id", "seat", "player"]


class BankOut(serializers.ModelSerializer[Bank]):
    """One time with the bank. `required`: the least its first deposit may be; `opening`: what it was."""

    session_id = serializers.IntegerField()
    session = serializers.CharField(source="session.label")
    holder = PlayerOut()
    associate = PlayerOut(allow_null=True)
    required = Money()  # type: ignore[assignment]
    opening, amount, aside = Money(), Money(), Money()
    left_with = Money(allow_null=True)
    previous_id = serializers.IntegerField(allow_null=True)
    auction_id = serializers.IntegerField(source="auction.pk", default=None, allow_null=True)

    class Meta:
        model = Bank
        fields = [
            "id", "session_id", "session", "number", "state", "how", "holder", "associate", "required",
            "opening", "amount", "aside", "deals", "previous_id", "auction_id", "begun_at", "held_at",
            "ended_at", "ending", "left_with",
        ]  # fmt: skip


class BankDepositOut(serializers.ModelSerializer[BankDeposit]):
    player = PlayerOut(source="taking")
    amount = Money()

    class Meta:
        model = BankDeposit
        fields = ["player", "amount", "at"]


class BankRoundOut(serializers.ModelSerializer[BankRound]):
    """What a round did to the bank; a voided one counts no more."""

    round_id = serializers.IntegerField()
    number = serializers.IntegerField(source="round.number")
    state = serializers.CharField(source="round.state")
    before, after, deduction = Money(), Money(), Money()

    class Meta:
        model = BankRound
        fields = ["round_id", "number", "state", "before", "after", "deduction"]


class BankDetail(BankOut):
    deposits = BankDepositOut(many=True)
    rounds = BankRoundOut(many=True)

    class Meta(BankOut.Meta):
        fields = [*BankOut.Meta.fields, "deposits", "rounds"]


class ReasonOut(serializers.Serializer[Any]):
    """Why a player is there in the order, and the rule that says so."""

    rule = serializers.CharField()
    text = Words()


class AskedOut(serializers.Serializer[Any]):
    """A player in the order of this step; `answer` is none until they answered, `due` says whose turn
    it is."""

    turn = serializers.IntegerField(source="place.turn")
    taking_id = serializers.IntegerField(source="place.taking")
    seat = serializers.IntegerField(source="place.seat")
    player = serializers.CharField(source="place.alias")
    away = serializers.BooleanField(source="place.away")
    reasons = serializers.SerializerMethodField()
    answer = serializers.ChoiceField(
        source="answer.answer", choices=BankAnswer.Answer.choices, default=None, allow_null=True
    )
    due = serializers.BooleanField()

    @extend_schema_field(ReasonOut(many=True))
    def get_reasons(self, asked: Asked) -> Any:
        rows = [{"rule": rule, "text": words} for rule, words in asked.place.reasons]
        return ReasonOut(rows, many=True, context=self.context).data


class BankAnswerOut(serializers.ModelSerializer[BankAnswer]):
    player = PlayerOut(source="taking")
    associate = PlayerOut(allow_null=True)
    amount = Money(allow_null=True)

    class Meta:
        model = BankAnswer
        fields = ["step", "player", "answer", "amount", "associate", "at"]


class PassageOut(serializers.ModelSerializer[BankPassage]):
    """How the bank passes on (BANK-25); `least` by turn, `retake` for who left it."""

    left_id = serializers.IntegerField(help_text="the bank that was left")
    left_by = PlayerOut(source="left.holder")
    least, retake = Money(), Money()
    answers = serializers.SerializerMethodField()

    class Meta:
        model = BankPassage
        fields = ["id", "step", "left_id", "left_by", "least", "retake", "begun_at", "answers"]

    @extend_schema_field(BankAnswerOut(many=True))
    def get_answers(self, passage: BankPassage) -> Any:
        rows = passage.answers.select_related("taking", "associate").order_by("pk")
        return BankAnswerOut(rows, many=True, context=self.context).data


class AnnouncementOut(serializers.Serializer[Any]):
    es = serializers.CharField()
    en = serializers.CharField()


# ---- how it stands ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Situation:
    """The bank of a table at an instant; no panel once the table is closed."""

    session: TableSession
    at: dt.datetime
    panel: Panel | None


def situation_of(session: TableSession, at: dt.datetime) -> Situation:
    """Raises `RuleViolation` BANK-01 (`no_player_bank`) at a table without a player's bank."""
    require_kept(session)
    return Situation(session, at, panel_of(session, at))


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be done now. `post_to`: below `/api/v1/`; `seats`: who may, where a player does it;
    `least`: smallest units, where chips are asked for."""

    do: str
    post_to: str
    seats: tuple[int, ...] = ()
    least: int | None = None


def choices(found: Situation) -> list[Choice]:
    """What the panel offers, each with its address."""
    panel = found.panel
    if panel is None:
        return []
    if panel.bank is not None:
        return _of_bank(panel, panel.bank)
    if panel.auction is not None:
        return _of_auction(panel.auction, found.at) if "follow" in panel.acts else []
    if panel.passage is not None:
        return _of_passage(panel, panel.passage)
    seated = tuple(taking.seat for taking in panel.seated)
    return [Choice("open", f"sessions/{found.session.pk}/bank", seated, panel.least)] * ("open" in panel.acts)


def _of_bank(panel: Panel, bank: Bank) -> list[Choice]:
    holder, chip = (bank.holder.seat,), panel.figures.terms.chip
    seats = {
        "deposit": holder,
        "add": (*holder, *([bank.associate.seat] if bank.associate else [])),
        "join": (panel.joiner.seat,) if panel.joiner else (),
        "aside": holder,
    }
    least = {"deposit": bank.required, "add": chip, "aside": chip}
    address = f"banks/{bank.pk}/"
    return [
        Choice(do, address + {"aside": "set-aside"}.get(do, do), seats.get(do, ()), least.get(do))
        for do in sorted(panel.acts)
    ]


def _of_passage(panel: Panel, passage: BankPassage) -> list[Choice]:
    """A joint offer is a `take` that names an associate."""
    asked = (panel.asked.place.seat,) if panel.asked else ()
    return [
        Choice(do, f"passages/{passage.pk}/{do}", asked, panel.least if do == "take" else None)
        for do in sorted(panel.acts - {"joint"})
    ]


def _of_auction(auction: Auction, at: dt.datetime) -> list[Choice]:
    if at >= auction.closes_at:
        return [Choice("close", f"auctions/{auction.pk}/close")]
    may = auction.places.filter(rule="", taking__during__endswith=None).order_by("seat")
    seats = tuple(may.values_list("seat", flat=True))
    return [Choice("bid", f"auctions/{auction.pk}/bids", seats, seeing.least_bid(auction))]


class BankChoiceOut(serializers.Serializer[Any]):
    """What may be done now: where it is posted, which seats may, and the least it takes."""

    do = serializers.CharField()
    post_to = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField())
    least = Money(allow_null=True)


class SituationOut(serializers.Serializer[Any]):
    """How the bank of a table stands at `at`. At most one each of `bank` (awarded or in play), `passage`
    (being offered on) and `auction` (open). `announcement` is called out of a bank in play (BANK-17)."""

    session_id = serializers.IntegerField(source="session.pk")
    at = serializers.DateTimeField()
    bank = BankOut(source="panel.bank", default=None, allow_null=True)
    announcement = AnnouncementOut(source="panel.call", default=None, allow_null=True)
    passage = PassageOut(source="panel.passage", default=None, allow_null=True)
    order = AskedOut(source="panel.order", default=(), many=True)
    auction = serializers.SerializerMethodField()
    choices = serializers.SerializerMethodField()

    @extend_schema_field(AuctionOut(allow_null=True))
    def get_auction(self, found: Situation) -> Any:
        open_now = found.panel and found.panel.auction
        if not open_now:
            return None
        return AuctionOut(AUCTIONS.get(pk=open_now.pk), context=self.context).data

    @extend_schema_field(BankChoiceOut(many=True))
    def get_choices(self, found: Situation) -> Any:
        return BankChoiceOut(choices(found), many=True, context=self.context).data


# ---- who is meant ----------------------------------------------------------------------------------


class Player(serializers.Serializer[Any]):
    """A player at the table: by the `seat` they sit on, or by `taking`, the id of their taking it."""

    seat = serializers.IntegerField(min_value=1, max_value=BIGGEST_SEAT, required=False)
    taking = Own(queryset=SeatTaking.objects.all(), required=False, help_text="who sits there, by id")

    needed = True

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        named = len({"seat", "taking"} & set(given))
        if named > 1 or (self.needed and not named):
            raise serializers.ValidationError(
                {"seat": "indique el jugador, una vez: seat o taking / name the player once"}, code="required"
            )
        return given


class Partner(Player):
    """The same, and with whom they associate."""

    associate = serializers.IntegerField(
        min_value=1, max_value=BIGGEST_SEAT, required=False, help_text="the seat of who associates (BANK-08)"
    )


def named(session: TableSession, given: dict[str, Any]) -> SeatTaking | None:
    """Who is named in a body, taken out of it; None where nobody need be."""
    seat, taking = given.pop("seat", None), given.pop("taking", None)
    return taking if seat is None else seated_at(session, seat)


def meant(session: TableSession, given: dict[str, Any]) -> SeatTaking:
    """Who is named in a body that must name somebody."""
    found = named(session, given)
    assert found is not None  # asked by `Player.validate`
    return found


def partner(session: TableSession, given: dict[str, Any]) -> SeatTaking | None:
    seat = given.get("associate")
    return None if seat is None else seated_at(session, seat, "associate")
