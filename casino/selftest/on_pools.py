"""Progressive pools: what players put in, what is shown, what is taken out."""

from __future__ import annotations

from casino.selftest import floor
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, PERSON, PROGRAM, past_the_guards, sql
from jackpots import prizes
from jackpots.models import Bet, Prize
from tables.models import CageDesk

COUNTED = "SELECT max(id) FROM jackpots_bet WHERE state = 'counted'"


@fault(
    "pools.balance_raised", "el saldo de un pozo subido a mano", "the balance of a pool raised by hand",
    hand=PROGRAM, caught=Night("reconcile_pools", "shown"),
)  # fmt: skip
def balance_raised() -> None:
    sql("UPDATE jackpots_fund SET players = players + 500000 WHERE code = 'main'")


@fault(
    "pools.balance_raised_before_the_close",
    "el mismo saldo, al cerrar el día",
    "the same balance, when the day closes",
    hand=PROGRAM, caught=Night("close_days", "pool_differs"),
)  # fmt: skip
def balance_raised_before_the_close() -> None:
    """The pool is proved before its day closes, and a difference holds the day open."""
    balance_raised()


@fault(
    "pools.balance_lowered", "el saldo de un pozo bajado a mano", "the balance of a pool lowered by hand",
    hand=PROGRAM, caught=Guard("jackpots_fund", "sabot_fund_falls"),
)  # fmt: skip
def balance_lowered() -> None:
    sql("UPDATE jackpots_fund SET players = players - 100 WHERE code = 'reserve'")


@fault(
    "pools.contribution_deleted", "un aporte borrado", "a contribution deleted",
    hand=OWNER, caught=Night("reconcile_pools", "bets"),
)  # fmt: skip
def contribution_deleted() -> None:
    past_the_guards(f"DELETE FROM jackpots_bet WHERE id = ({COUNTED})")  # noqa: S608


@fault(
    "pools.contribution_lowered", "un aporte rebajado", "a contribution lowered",
    hand=OWNER, caught=Night("reconcile_pools", "collected"),
)  # fmt: skip
def contribution_lowered() -> None:
    past_the_guards(f"UPDATE jackpots_bet SET amount = amount - 100 WHERE id = ({COUNTED})")  # noqa: S608


@fault(
    "pools.commission_altered", "la comisión de un pozo alterada", "the commission of a pool altered",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "pool version:", says="params"),
)  # fmt: skip
def commission_altered() -> None:
    past_the_guards("UPDATE jackpots_poolversion SET params = jsonb_set(params, '{commission_bp}', '2000')")


@fault(
    "pools.prize_paid_twice", "un premio pagado dos veces", "a prize paid twice",
    hand=PERSON, caught=Refused("prize_state", "PP-31"),
)  # fmt: skip
def prize_paid_twice() -> None:
    desk = CageDesk.objects.filter(active=True).earliest("number")
    prizes.pay_prize(prize=Prize.objects.get(state=Prize.State.PAID), desk=desk, by=floor.by("cage"))


def _checked_once() -> Prize:
    return prizes.check_prize(
        prize=Prize.objects.get(state=Prize.State.PENDING),
        winner="Nélida Aramayo",
        document="4892715",
        by=floor.by("supervisor"),
    )


@fault(
    "pools.prize_checked_by_one",
    "un premio comprobado dos veces por la misma persona",
    "a prize checked twice by the same person",
    hand=PERSON, caught=Refused("same_person", "PP-31"), given=_checked_once,
)  # fmt: skip
def prize_checked_by_one(prize: Prize) -> None:
    prizes.check_prize(prize=prize, by=floor.by("supervisor"))


@fault(
    "pools.prize_raised", "el importe de un premio subido", "the amount of a prize raised",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "prize:", says="amount"),
)  # fmt: skip
def prize_raised() -> None:
    past_the_guards(
        "UPDATE jackpots_prize SET amount = amount + 100, house = house + 100 WHERE state = 'pending'"
    )


@fault(
    "pools.bet_erased", "una apuesta del pozo borrada", "a bet of the pool erased",
    hand=PROGRAM, caught=Guard("jackpots_bet", "sabot_no_delete"),
)  # fmt: skip
def bet_erased() -> None:
    sql("DELETE FROM jackpots_bet WHERE id = %s", [Bet.objects.latest("pk").pk])
