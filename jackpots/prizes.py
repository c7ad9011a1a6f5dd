"""A prize after it was hit: two people check it, or do not confirm it; verified, the cage pays it (PP-31).

    pending -> (two checks) verified -> paid
            -> rejected, also once verified     its value goes back, to the unit
    A prize of nothing is over once it is verified.

Its value lies in `pending` meanwhile, whatever becomes of the pool: one that stands still has its prizes
verified and paid as well (PP-32). Nobody decides on a prize they noted themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audits import days, ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Actor, Event
from audits.personal import Personal
from casino.kernel import permissions
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from jackpots import barring, capping, dropping, policies, scheme, turns
from jackpots.holding import HeldPool, Kind, hold_pool
from jackpots.models import Prize, PrizeCheck
from tables.holding import QUEUEING, out_of_order
from tables.models import CageDesk, CageOperation
from tables.money import customers, drawer, payouts
from tables.money.orphans import masked
from tables.money.payouts import Payout
from tables.money.signing import require_beside

State = Prize.State
VERIFIERS = 2


@command(policies.VERIFY_PRIZE)
def check_prize(*, prize: Prize, by: By, winner: str = "", document: str = "") -> Prize:
    """A person finds that chips taken, bet and hand agree; with the second the prize is verified (PP-31).

    `winner`, `document`: who won; nothing is verified without it. Raises `RuleViolation` PP-31 (`own_prize`,
    `same_person`, `same_department`, `winner_missing`, `winner_differs`), `Conflict` (`prize_state`; of a
    prize of nothing `earlier_open`, `prize_changed`), `Refused` (`bad_customer`, `bad_document`).
    """
    _, found = _hold(prize, by, State.PENDING)
    require_other(found, by.actor)
    earlier = list(found.checks.filter(holds=True).select_related("actor"))
    if any(check.actor_id == by.actor.pk for check in earlier):
        raise _same_person()
    _require_not_cage_alone(by.actor, [check.actor for check in earlier])
    done = len(earlier) + 1 >= VERIFIERS
    if done and not found.winner:
        require_named(winner.strip(), document.strip())
    name_winner(found, winner, document)
    if done:
        require_named(found.winner, found.document)
        if not found.amount:
            turns.require_due(found)
        found.state, found.decided_at = State.VERIFIED, by.occurred_at
    found.save(update_fields=["winner", "document", "state", "decided_at"])
    data = {"nth": len(earlier) + 1, "holds": True, **_named(found)}
    event = tell("jackpots.prize.verified" if done else "jackpots.prize.checked", found, by, data)
    _store_check(found, by.actor, True, event, by)
    return found


@command(policies.VERIFY_PRIZE)
def reject_prize(*, prize: Prize, with_: Actor, by: By) -> Prize:
    """Two people do not confirm a prize, with their reason: its value goes back to where it came from, and
    what had brought its level back to its base goes back as far as it is still there. What a cap does not let
    in goes to the reserve.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`), PP-31 (`own_prize`, `same_department`),
    `Conflict` (`prize_state`, `shared_paid`), `Refused` (`reason_missing`).
    """
    by.need_reason()
    require_beside(by.actor, with_, policies.VERIFY_PRIZE, field="second")
    _require_not_cage_alone(by.actor, [with_])
    day = days.day_of(by.casino, by.occurred_at).date
    held, found = _hold(prize, by, State.PENDING, State.VERIFIED)
    require_other(found, by.actor, with_)
    turns.require_no_share_paid(found)
    back = _give_back(held, found)
    dropped = dropping.empty(held, Kind.REJECTED)
    over = capping.spill(held)
    found.state, found.decided_at = State.REJECTED, by.occurred_at
    found.save(update_fields=["state", "decided_at"])
    data = {"with": with_.as_dict(), "holds": False, "amount": found.amount, **back.told()}
    data |= {"dropped": dropped.told(), "over": {code: move.amount for code, move in over.items()}}
    event = tell("jackpots.prize.rejected", found, by, data, "PP-29")
    ledger.reverse(original=found.hit_event, event=event, kind="prize", day=day)
    moves = [*back.moves(held, found), *dropped.moves, *over.values()]
    ledger.post(event=event, kind="prize", day=day, moves=moves)
    held.store(event, by.occurred_at)
    for person in (by.actor, with_):
        _store_check(found, person, False, event, by)
    return found


@command(policies.PAY_PRIZE)
def pay_prize(
    *,
    prize: Prize,
    desk: CageDesk,
    by: By,
    form: str = payouts.CASH,
    chips: Mapping[int, int] | None = None,
    winner: str = "",
    document: str = "",
    with_: Actor | None = None,
) -> Prize:
    """The cage pays a verified prize in cash or chips, on a receipt; the pool makes the house good for it.

    `with_`: compliance, who signs beside where the winner is like somebody of the exclusion lists. Raises
    `WinnerListed` (GEN-11), `RuleViolation` PP-31 (`own_prize`, `own_check`, `winner_missing`,
    `winner_differs`), GEN-10, `Conflict` (`prize_state`, `nothing_to_pay`, `earlier_open`, `prize_changed`),
    and what `payouts` does.
    """
    barring.share_lists(by.casino)
    counter = payouts.hold(desk, by)
    held, found = _hold(prize, by, State.VERIFIED)
    _require_something(found)
    require_other(found, by.actor)
    _require_not_verifier(found, by.actor)
    turns.require_due(found)
    name_winner(found, winner, document)
    require_named(found.winner, found.document)
    listed = barring.require_unlisted(found, found.winner, found.document, with_, by)
    payout = Payout(
        form, found.amount, found.label, customers.checked(found.winner, found.document), chips or {}
    )

    def tell_paid(receipt: CageOperation) -> None:
        _tell_paid(held, found, receipt, listed, by)

    found.state, found.paid_at, found.paid_by = State.PAID, by.occurred_at, by.actor
    found.desk, found.form = counter.desk, form
    payouts.hand_out(counter, payout, by, tell_paid)
    return found


def _tell_paid(
    held: HeldPool, prize: Prize, receipt: CageOperation, listed: Mapping[str, Any], by: By
) -> None:
    """The pool's event of a payment, and the house made good for what its drawer handed out."""
    prize.save(update_fields=["state", "winner", "document", "paid_at", "paid_by", "desk", "form"])
    data = {
        "amount": prize.amount,
        "form": prize.form,
        "desk": receipt.desk.number,
        "receipt": receipt.label,
        "named": trail.named(receipt.event, drawer.stream(receipt.desk)),
        **_named(prize),
        **listed,
    }
    event = tell("jackpots.prize.paid", prize, by, data, *(["GEN-11"] if listed else []))
    pool = held.pool
    moves = [Move(pool.account("pending"), pool.house_account, prize.amount, "prize_paid")]
    ledger.post(event=event, kind="prize_paid", day=receipt.day.date, moves=moves)


# ---- what goes back ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Back:
    """What a prize that is not confirmed gives back. `kept_reserve`, `kept_house`: what had brought the level
    to its base and is not there any more, as later prizes took it."""

    players: int
    base: int
    reserve: int
    reserve_code: str
    kept_reserve: int
    kept_house: int

    def told(self) -> dict[str, Any]:
        """What the event says of it: what each fund changes by."""
        return {
            "funds": {"players": self.players, "base": self.base, "reserve": self.reserve},
            "kept": {"reserve": self.kept_reserve, "house": self.kept_house},
        }

    def moves(self, held: HeldPool, prize: Prize) -> list[Move]:
        """The reversal takes all of it back: what is not there stays where the reseed had put it."""
        pool = held.pool
        reserve, players = pool.account(self.reserve_code or "reserve"), pool.account(prize.level)
        return [
            Move(reserve, players, self.kept_reserve, "reseed"),
            Move(pool.house_account, pool.account(prize.level, "base"), self.kept_house, "reseed"),
        ]


def _give_back(held: HeldPool, prize: Prize) -> _Back:
    """The funds as they are once the prize is no more; nothing falls below what is there."""
    level = held.funds[prize.level]
    undone_reserve = min(prize.reseed_reserve, level.players + prize.players)
    undone_house = min(prize.reseed_house, level.base + prize.base)
    reserves = scheme.read(prize.version.params).reserves
    back = _Back(
        players=prize.players - undone_reserve,
        base=prize.base - undone_house,
        reserve=prize.reserve + undone_reserve,
        reserve_code=reserves[0].code if reserves else "",
        kept_reserve=prize.reseed_reserve - undone_reserve,
        kept_house=prize.reseed_house - undone_house,
    )
    held.change(prize.level, Kind.REJECTED, players=back.players, base=back.base)
    if back.reserve_code:
        held.change(back.reserve_code, Kind.REJECTED, players=back.reserve)
    return back


# ---- who won, who decides ------------------------------------------------------------------------------


def name_winner(prize: Prize, winner: str, document: str) -> None:
    """Note who won, once; whoever says it again says the same."""
    given = customers.checked(winner, document)
    if given == customers.NOBODY:
        return
    if prize.winner and (given.name, given.document) != (prize.winner, prize.document):
        raise RuleViolation(
            "PP-31",
            Text(
                f"{prize.label} se anotó a nombre de otra persona: si hubo un error, no lo confirmen",
                f"{prize.label} was noted for another person: if that was an error, do not confirm it",
            ),
            code="winner_differs",
            field="winner",
        )
    prize.winner, prize.document = given.name, given.document


def require_named(winner: str, document: str) -> None:
    """PP-31: nothing is paid to nobody. Raises `RuleViolation` (`winner_missing`)."""
    if not winner or not document:
        raise RuleViolation(
            "PP-31",
            Text(
                "anote el nombre y el documento de quien ganó",
                "note the name and the document of whoever won",
            ),
            code="winner_missing",
            field="document" if winner else "winner",
        )


def require_other(prize: Prize, *people: Actor) -> None:
    """PP-31: nobody decides on a prize they noted. Raises `RuleViolation` (`own_prize`)."""
    if any(person.pk == prize.noted_by_id for person in people):
        raise RuleViolation(
            "PP-31",
            Text(
                f"{prize.label} lo anotó usted: lo verifican y pagan otras personas",
                f"{prize.label} was noted by you: other people verify and pay it",
            ),
            code="own_prize",
        )


def _require_something(prize: Prize) -> None:
    """PP-31: a prize of nothing is over once it is verified. Raises `Conflict` (`nothing_to_pay`)."""
    if not prize.amount:
        raise Conflict(
            Text(
                f"{prize.label} es de cero y está verificado: no hay nada que pagar",
                f"{prize.label} is of nothing and verified: there is nothing to pay",
            ),
            code="nothing_to_pay",
            rule="PP-31",
        )


def _require_not_cage_alone(actor: Actor, before: Sequence[Actor]) -> None:
    """PP-31: the cage pays, so it does not decide by itself. Raises `RuleViolation` (`same_department`)."""
    people = [actor, *before]
    if len(people) >= VERIFIERS and all(permissions.departments(one) == {"cage"} for one in people):
        raise RuleViolation(
            "PP-31",
            Text(
                "caja, que es quien paga, no decide sola: falta una persona de otra área",
                "the cage, which pays it, does not decide alone: a person of another department is missing",
            ),
            code="same_department",
        )


def _require_not_verifier(prize: Prize, actor: Actor) -> None:
    """PP-31: who verified a prize does not pay it. Raises `RuleViolation` (`own_check`)."""
    if prize.checks.filter(holds=True, actor=actor).exists():
        raise RuleViolation(
            "PP-31",
            Text(
                f"usted verificó {prize.label}: lo paga otra persona",
                f"you verified {prize.label}: another person pays it",
            ),
            code="own_check",
        )


def may_check(prize: Prize, actor: Actor) -> bool:
    """Whether a person may still check a prize: for the page that offers it."""
    return (
        prize.state == State.PENDING
        and prize.noted_by_id != actor.pk
        and permissions.may(actor, policies.VERIFY_PRIZE)
        and not prize.checks.filter(holds=True, actor=actor).exists()
    )


def _same_person() -> RuleViolation:
    return RuleViolation(
        "PP-31",
        Text(
            "usted ya lo verificó: falta otra persona",
            "you checked it already: another person is missing",
        ),
        code="same_person",
    )


explain_constraint("one_check_per_person", _same_person)


# ---- parts ---------------------------------------------------------------------------------------------


def tell(action: str, prize: Prize, by: By, data: Mapping[str, Any], *rules: str) -> Event:
    """An event about a prize, on its pool's stream."""
    return trail.record(
        action,
        stream=prize.pool.stream,
        subject=trail.Subject("prize", prize.pk, prize.label),
        by=by,
        data={"label": prize.label, "prize": prize.pk, "pool": prize.pool_id, **data},
        rules=["PP-31", *rules],
    )


_NOW = {
    State.PENDING: Text(
        "está por verificar: lo verifican dos personas antes de pagarlo",
        "waits to be verified: two people verify it before it is paid",
    ),
    State.VERIFIED: Text(
        "ya está verificado: lo paga caja, o dos personas no lo confirman",
        "is verified already: the cage pays it, or two people do not confirm it",
    ),
    State.PAID: Text(
        "ya está pagado y no cambia: si algo está mal, abra una disputa",
        "is paid already and does not change: if something is wrong, open a dispute",
    ),
    State.REJECTED: Text(
        "no se confirmó y su valor volvió al pozo: para jugarlo otra vez, anule el pase y anótelo de nuevo",
        "was not confirmed and its value went back to the pool: to have it again, void the round and log it"
        " anew",
    ),
}


def _hold(prize: Prize, by: By, *states: str) -> tuple[HeldPool, Prize]:
    """A prize under its pool's lock, in one of these states. Raises `Conflict` (`prize_state`), `Refused`
    (`occurred_out_of_order`) for an instant before it was hit, or checked last."""
    held = hold_pool(prize.pool_id)
    rows: Sequence[str] = ("version", "hit_event", "session__table", "session__day", "round", "bet")
    found = Prize.objects.select_related(*rows).get(pk=prize.pk)
    found.pool = held.pool
    if found.state not in states:
        now = _NOW[State(found.state)]
        raise Conflict(
            Text(f"{found.label} {now.es}", f"{found.label} {now.en}"), code="prize_state", rule="PP-31"
        )
    last = max([found.hit_at, *found.checks.values_list("at", flat=True)])
    if by.occurred_at < last - QUEUEING:
        raise out_of_order(by.casino, last)
    return held, found


def _store_check(prize: Prize, actor: Actor, holds: bool, event: Event, by: By) -> None:
    PrizeCheck.objects.create(
        casino=by.casino, prize=prize, actor=actor, holds=holds, event=event, at=by.occurred_at
    )


def _named(prize: Prize) -> dict[str, Any]:
    """Who won, as it is told: the name by commitment, the document masked and by commitment (REC-12)."""
    return {
        "winner": Personal(prize.winner),
        "document": masked(prize.document),
        "document_whole": Personal(prize.document),
    }
