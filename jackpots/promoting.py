"""A complementary prize paid once it was drawn: in promotional credits where the winner sits, or in chips at
the cage (PP-25). The house pays both; no fund of the pool falls for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from audits import filings, trail
from audits.by import By
from audits.models import Actor
from audits.personal import Personal
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from jackpots import barring, policies, prizes
from jackpots import filings as asked
from jackpots.complementary import Form, State, read_draw, require_state, tell
from jackpots.credits import add_promotion
from jackpots.holding import hold_pool, pool_of
from jackpots.models import Bet, Complementary
from tables.guests import matching
from tables.holding import lock_session
from tables.models import CageDesk, CageOperation, SeatTaking, TableSession
from tables.money import customers, drawer, payouts
from tables.money.customers import Customer
from tables.money.orphans import masked
from tables.money.payouts import Payout
from tables.money.signing import require_beside

SAME_NAME = 100
"""Out of 100: the words of one name are all among the other's."""


@command(policies.COMPLEMENTARY)
def pay_in_credits(
    *, draw: Complementary, by: By, session: TableSession | None = None, seat: int | None = None
) -> Complementary:
    """The winner gets it in promotional credits where they sit now: by default where they bet (PP-25).

    Raises `Conflict` (`draw_state`, `session_closed`, `winner_gone`), `RuleViolation` PP-25 (`wrong_form`),
    PP-26 (`not_approved`).
    """
    found = read_draw(draw)
    require_state(found, State.DRAWN)
    assert found.winner is not None
    won: Bet = found.winner
    where, place = session or won.session, seat or won.seat
    barring.hold_player(where, place, by)
    held = lock_session(where, by)
    barring.require_may_buy(held.session, place, by)
    pool = hold_pool(found.pool_id).pool
    found = read_draw(draw)
    require_state(found, State.DRAWN)
    _require_paid_in(found, Form.CREDITS)
    _require_winner_there(won, held.session, place)
    if pool_of(held.session.table, by.occurred_at) != pool:
        raise Conflict(
            Text(
                f"{held.session.table.name} no alimenta {pool.name}: sus créditos promocionales se activan en"
                " una mesa del pozo",
                f"{held.session.table.name} does not feed {pool.name}: its promotional credits are activated"
                " at a table of the pool",
            ),
            code="no_pool",
            rule="PP-25",
        )
    subject = asked.about_pool(pool)
    filings.require_approved(by.casino, asked.PROMOTION, subject, by.casino.gaming_day(by.occurred_at))
    add_promotion(session=held.session, seat=place, amount=found.amount, pool=pool, by=by)
    data = {"session": held.session.pk, "session_label": held.session.label, "seat": place}
    return _paid(found, by, {**data, "form": "credits", "amount": found.amount}, "PP-26")


@command(policies.PAY_PRIZE)
def pay_in_chips(
    *,
    draw: Complementary,
    desk: CageDesk,
    chips: Mapping[int, int],
    winner: str,
    document: str,
    witness: Actor,
    by: By,
    with_: Actor | None = None,
) -> Complementary:
    """The cage hands the winner chips of the house's, on a receipt; the pool has no part in it (PP-25).

    `witness`: another person, who sees that it is the winner (GEN-10); `with_`: compliance, where the winner
    is like somebody of the exclusion lists. Raises `Conflict` (`draw_state`), `RuleViolation` GEN-10
    (`same_person`, `not_qualified`), PP-25 (`wrong_form`), PP-27 (`winner_differs`), PP-31
    (`winner_missing`), `WinnerListed` (GEN-11), and what `payouts` does.
    """
    require_beside(by.actor, witness, policies.PAY_PRIZE, policies.VERIFY_PRIZE, field="witness")
    customer = customers.checked(winner, document)
    prizes.require_named(customer.name, customer.document)
    barring.share_lists(by.casino)
    counter = payouts.hold(desk, by)
    hold_pool(draw.pool_id)
    found = read_draw(draw)
    require_state(found, State.DRAWN)
    _require_paid_in(found, Form.CHIPS)
    assert found.winner is not None
    _require_winner_named(found.winner, customer)
    listed = barring.require_unlisted(found, customer.name, customer.document, with_, by)

    def tell_paid(receipt: CageOperation) -> None:
        about = {
            "form": "chips",
            "amount": found.amount,
            "winner": Personal(customer.name),
            "document": masked(customer.document),
            "witness": witness.as_dict(),
            "receipt": receipt.label,
            "named": trail.named(receipt.event, drawer.stream(receipt.desk)),
            **listed,
        }
        _paid(found, by, about, "PP-27", "GEN-10", *(["GEN-11"] if listed else []))

    payout = Payout(payouts.CHIPS, found.amount, found.label, customer, chips)
    payouts.hand_out(counter, payout, by, tell_paid)
    return found


# ---- parts ---------------------------------------------------------------------------------------------


def _paid(draw: Complementary, by: By, data: Mapping[str, Any], *rules: str) -> Complementary:
    draw.state, draw.paid_at, draw.paid_by = State.PAID, by.occurred_at, by.actor
    draw.paid_event = tell("jackpots.complementary.paid", draw, by, data, "PP-25", *rules)
    draw.save(update_fields=["state", "paid_at", "paid_by", "paid_event"])
    return draw


def _require_winner_there(won: Bet, session: TableSession, seat: int) -> None:
    """Whoever bet sits there now: in the same seat since, moved there, or known by document."""
    was = _sat_there(won)
    now = SeatTaking.objects.filter(session=session, seat=seat, during__endswith=None).first()
    if was is None and now is None and (session.pk, seat) == (won.session_id, won.seat):
        return
    if was is not None and now is not None and was.pk in _chain(now):
        return
    if was is not None and now is not None and was.guest_id and was.guest_id == now.guest_id:
        return
    raise Conflict(
        Text(
            f"en la posición {seat} no está quien ganó: indique dónde se sienta ahora",
            f"whoever won is not at position {seat}: say where they sit now",
        ),
        code="winner_gone",
        rule="PP-27",
        field="seat",
    )


def _require_winner_named(won: Bet, customer: Customer) -> None:
    """Whoever is paid is the guest who sat there as the bet was placed, where the house knows who it was."""
    taking = _sat_there(won)
    guest = None if taking is None else taking.guest
    if guest is None:
        return
    number = matching.normal_number(guest.document_type, guest.country, customer.document)
    if number == guest.number and matching.name_score(customer.name, guest.name) == SAME_NAME:
        return
    raise RuleViolation(
        "PP-27",
        Text(
            f"en la posición {won.seat} apostó otro jugador identificado: pague a quien ganó, con su nombre y"
            " documento como figuran en el registro de jugadores",
            f"another identified player bet at position {won.seat}: pay whoever won, by name and document as"
            " the players' register has them",
        ),
        code="winner_differs",
        field="winner",
    )


def _sat_there(won: Bet) -> SeatTaking | None:
    """Who sat at a bet's position as it was placed."""
    rows = SeatTaking.objects.filter(session=won.session_id, seat=won.seat, during__contains=won.placed_at)
    return rows.select_related("guest").first()


def _chain(taking: SeatTaking) -> Iterator[int]:
    """A seat taken and those its player moved from."""
    one: SeatTaking | None = taking
    while one is not None:
        yield one.pk
        one = one.moved_from


def _require_paid_in(draw: Complementary, form: str) -> None:
    if draw.form != form:
        raise RuleViolation(
            "PP-25",
            Text(
                f"{draw.label} se anunció en {draw.get_form_display()}",
                f"{draw.label} was announced in {draw.form}",
            ),
            code="wrong_form",
        )
