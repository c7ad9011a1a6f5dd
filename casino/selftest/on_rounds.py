"""Rounds: what was bet, dealt and paid, the limits and rules they were under, the bank that players hold."""

from __future__ import annotations

from typing import Any

from casino.kernel import clock
from casino.selftest import floor
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, PERSON, PROGRAM, past_the_guards, sql
from tables import rounds, settings
from tables.bank import auctions, bids, handing, passing
from tables.bank.turns import due
from tables.models import Auction, Bank, BankPassage, Round, SeatTaking


def _settled(table: str) -> Round:
    found: Round = floor.in_play(table).rounds.filter(state="settled").exclude(returned=0).latest("number")
    return found


@fault(
    "rounds.payout_raised",
    "un pago subido después de liquidar",
    "a payout raised after the round was settled",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "round:", says="bets"),
)  # fmt: skip
def payout_raised() -> None:
    bet = _settled("PB-01").bets.exclude(returned=0).earliest("pk")
    past_the_guards(("UPDATE tables_bet SET returned = returned + 100000 WHERE id = %s", [bet.pk]))


@fault(
    "rounds.payout_raised_replayed",
    "el mismo pago, al liquidar de nuevo el pase",
    "the same payout, when the round is settled again",
    hand=OWNER, caught=Night("replay", "bets", "round:"),
)  # fmt: skip
def payout_raised_replayed() -> None:
    payout_raised()


@fault(
    "rounds.commission_altered", "la comisión de un pase alterada", "the commission of a round altered",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "round:", says="commission"),
)  # fmt: skip
def commission_altered() -> None:
    one = Round.objects.filter(state="settled", commission__gt=0).earliest("pk")
    past_the_guards(("UPDATE tables_round SET commission = commission - 100 WHERE id = %s", [one.pk]))


@fault(
    "rounds.log_edited",
    "una carta cambiada en el registro de un pase liquidado",
    "a card changed in the log of a settled round",
    hand=PROGRAM, caught=Guard("tables_round", "sabot_round_changes"),
)  # fmt: skip
def log_edited() -> None:
    sql(
        "UPDATE tables_round SET log = replace(log::text, '\"8d\"', '\"9d\"')::jsonb WHERE id = %s",
        [_settled("PB-01").pk],
    )


@fault(
    "rounds.voided_by_hand", "un pase anulado a mano", "a round voided by hand",
    hand=PROGRAM, caught=Guard("tables_round", "sabot_round_changes"),
)  # fmt: skip
def voided_by_hand() -> None:
    sql("UPDATE tables_round SET state = 'void' WHERE id = %s", [_settled("PB-01").pk])


@fault(
    "rounds.voided_naming_an_event",
    "un pase anulado a mano, con un evento cualquiera",
    "a round voided by hand, naming some event",
    hand=PROGRAM, caught=Night("verify_trail", "trail_differs", "round:", says="void_event"),
)  # fmt: skip
def voided_naming_an_event() -> None:
    """The guard lets a round be voided, as `rounds.void` does; that nobody did is seen from the trail."""
    one = _settled("PB-01")
    sql("UPDATE tables_round SET state = 'void', void_event_id = event_id WHERE id = %s", [one.pk])


@fault(
    "rounds.erased", "un pase borrado", "a round erased",
    hand=PROGRAM, caught=Guard("tables_round", "sabot_no_delete"),
)  # fmt: skip
def erased() -> None:
    sql("DELETE FROM tables_round WHERE id = %s", [_settled("PB-01").pk])


@fault(
    "rounds.bet_after_close", "una apuesta después del «no va más»", "a bet after “no more bets”",
    hand=PERSON, caught=Refused("bets_closed", "BAC-11"),
)  # fmt: skip
def bet_after_close() -> None:
    _log_again("PB-01", lambda events: [*events, {**_bet(events), "amount": 10_000}])


@fault(
    "rounds.bet_over_the_limit", "una apuesta sobre el máximo", "a bet above the maximum",
    hand=PERSON, caught=Refused("above_maximum", "GEN-04"),
)  # fmt: skip
def bet_over_the_limit() -> None:
    _log_again(
        "PB-01", lambda events: [{**one, "amount": 10**9} if one["e"] == "bet" else one for one in events]
    )


def _bet(events: list[dict[str, Any]]) -> dict[str, Any]:
    return next(one for one in events if one["e"] == "bet")


def _log_again(table: str, change: Any) -> None:
    """The last round of a table once more, with something in it changed."""
    session = floor.in_play(table)
    events = floor.said(session.rounds.filter(state="settled").latest("number").log)
    rounds.log(session=session, number=None, events=change(events), by=floor.by("pitboss"))


@fault(
    "rounds.logged_twice",
    "el mismo pase registrado desde dos pantallas",
    "the same round logged from two screens",
    hand=PERSON, caught=Refused("round_moved_on"),
)  # fmt: skip
def logged_twice() -> None:
    session = floor.in_play("PB-01")
    last = session.rounds.filter(state="settled").latest("number")
    rounds.log(session=session, number=last.number, events=floor.said(last.log), by=floor.by("pitboss"))


@fault(
    "rounds.voided_alone", "un pase anulado por una sola persona", "a round voided by one person alone",
    hand=PERSON, caught=Refused("same_person", "REC-07"),
)  # fmt: skip
def voided_alone() -> None:
    by = floor.by("pitboss", "se pagó de más")
    rounds.void(round=_settled("PB-01"), approved_by=by.actor, cards_came_out=True, by=by)


@fault(
    "rounds.limits_edited", "los límites de una versión editados", "the limits of a version edited",
    hand=PROGRAM, caught=Guard("tables_betlimits", "sabot_append_only"),
)  # fmt: skip
def limits_edited() -> None:
    sql("UPDATE tables_betlimits SET chip = chip * 2 WHERE id = %s", [floor.in_play("PB-01").limits_id])


@fault(
    "rounds.limits_edited_by_the_owner",
    "los mismos límites, sin las defensas",
    "the same limits, the guards off",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "limits:", says="chip"),
)  # fmt: skip
def limits_edited_by_the_owner() -> None:
    past_the_guards(
        ("UPDATE tables_betlimits SET chip = chip * 2 WHERE id = %s", [floor.in_play("PB-01").limits_id])
    )


@fault(
    "rounds.rules_edited", "una regla en vigor cambiada", "a rule in force changed",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "rules:", says="params"),
)  # fmt: skip
def rules_edited() -> None:
    past_the_guards(
        (
            "UPDATE tables_gamerules SET params = params || '{\"decks\": 4}' WHERE id = %s",
            [floor.in_play("PB-01").rules_id],
        )
    )


@fault(
    "rounds.limits_by_a_dealer", "límites publicados por un croupier", "limits published by a dealer",
    hand=PERSON, caught=Refused("not_allowed"),
)  # fmt: skip
def limits_by_a_dealer() -> None:
    session = floor.in_play("PB-01")
    settings.publish_limits(
        table=session.table, chip=100, spots={"punto": (100, 10**9)}, by=floor.by("croupier", "porque sí")
    )


# ---- the bank of a player ---------------------------------------------------------------------------


def _auction_open() -> Auction:
    """The bank of BA-01 is passed on by its holder, nobody wants it, and it is auctioned."""
    session, by = floor.in_play("BA-01"), floor.by("pitboss")
    bank = Bank.objects.get(session=session, state=Bank.State.HELD)
    passage = handing.pass_bank(bank=bank, by=by)
    while passage.step != BankPassage.Step.AUCTION:
        by = floor.by("pitboss")
        asked = due(session, passage, clock.now())
        assert asked is not None
        taking = SeatTaking.objects.get(pk=asked.taking)
        passing.decline_bank(passage=passage, taking=taking, by=by)
        passage.refresh_from_db()
    return auctions.open_auction(passage=passage, form=Auction.Form.OUTCRY, by=floor.by("pitboss"))


@fault(
    "rounds.retired_banker_bids", "puja el banquero que pasó el banco", "the banker who passed the bank bids",
    hand=PERSON, caught=Refused("may_not_bid", "BANK-12"), given=_auction_open,
)  # fmt: skip
def retired_banker_bids(auction: Auction) -> None:
    passage = BankPassage.objects.filter(session=auction.session).latest("pk")
    bids.bid(auction=auction, taking=passage.left.holder, amount=auction.minimum, by=floor.by("pitboss"))


@fault(
    "rounds.bid_too_late",
    "una puja agregada a una subasta cerrada",
    "a bid added to an auction that is closed",
    hand=PROGRAM, caught=Guard("tables_bid", "sabot_bid_counts"),
)  # fmt: skip
def bid_too_late() -> None:
    sql(
        "INSERT INTO tables_bid (number, seat, amount, at, seal, nonce, auction_id, casino_id, event_id,"
        " noted_by_id, taking_id) SELECT number + 1, seat, amount * 2, now(), '', '', auction_id, casino_id,"
        " event_id, noted_by_id, taking_id FROM tables_bid ORDER BY number DESC LIMIT 1"
    )


@fault(
    "rounds.bank_enlarged", "el banco de un jugador agrandado a mano", "a player's bank enlarged by hand",
    hand=PROGRAM, caught=Night("verify_ledger", "money_differs", "bank:", says="balance"),
)  # fmt: skip
def bank_enlarged() -> None:
    bank = Bank.objects.get(state=Bank.State.HELD)
    sql("UPDATE tables_bank SET amount = amount + 100000 WHERE id = %s", [bank.pk])
