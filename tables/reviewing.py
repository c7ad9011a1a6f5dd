"""A disputed play looked at in the discard holder, at the table (CARD-40), which stands still meanwhile."""

from __future__ import annotations

from audits.by import By
from audits.models import Actor
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, NotFound
from casino.kernel.words import Text
from shoes import policies as shoe_policies
from shoes import reviews
from shoes.models import DiscardReview, Shoe
from tables import duties, freezing, packs, shuffling, storing
from tables.cards_out import cards_out
from tables.discards import returned_through
from tables.games import registry
from tables.holding import Held, lock_session, move_on
from tables.models import Round, TableSession
from tables.noting import note


@command(shoe_policies.REVIEW)
def open_review(
    *, session: TableSession, number: int, asked_by: str, why: str, authorised_by: Actor, by: By
) -> DiscardReview:
    """Open the discard holder to look at a settled round of the table, which stops until the incident that is
    opened with it is resolved (GEN-08).

    Raises as `shoes.reviews.open_review`, and `Conflict`: `no_shoe`, `round_open`, `round_not_settled`,
    `cards_gone` for a round whose cards are no longer in the holder.
    """
    held = lock_session(session, by)
    if held.shoe is None:
        raise packs.no_shoe()
    if storing.under_way(held.last_round_open) is not None:
        raise Conflict(
            Text(
                "termine o abandone el pase en curso antes de abrir el descartador",
                "finish or abandon the round in progress before opening the discard holder",
            ),
            code="round_open",
            rule=reviews.RULE,
        )
    found = _settled(held, number)
    review = reviews.open_review(
        shoe=held.shoe,
        round_label=f"{held.session.label} · {number}",
        asked_by=asked_by,
        why=why,
        authorised_by=authorised_by,
        by=by,
        expected=_lying(held, held.shoe, found),
    )
    held.session.frozen_by = review.incident
    move_on(held.session, by)
    held.session.save(update_fields=["frozen_by", "last_at"])
    data = {"round": number, "incident": review.incident.label, "expected": review.expected}
    note("tables.session.review_opened", held.session, by, data, [reviews.RULE, "GEN-08"])
    return review


@command(shoe_policies.REVIEW)
def close_review(*, review: DiscardReview, found: str, cards_counted: int, by: By) -> DiscardReview:
    """Close the discard holder: what was found, and how many cards went back into it. Raises as
    `shoes.reviews.close_review`."""
    freezing.lock_table(by.casino, review.table_label)
    locked = TableSession.objects.select_for_update(of=("self",), no_key=True).select_related("table", "day")
    session = locked.filter(
        casino=by.casino, state__in=TableSession.LIVE, table__name=review.table_label
    ).first()
    if session is not None:
        duties.require_pit(by, session.table)
    review = reviews.close_review(review=review, found=found, cards_counted=cards_counted, by=by)
    if session is None:  # the table closed over it
        return review
    move_on(session, by)
    if review.irregularity is not None:
        session.frozen_by = review.irregularity
    session.save(update_fields=["frozen_by", "last_at"])
    data = {
        "round": review.round_label,
        "counted": cards_counted,
        "expected": review.expected,
        "incident": review.irregularity.label if review.irregularity else "",
    }
    note("tables.session.review_closed", session, by, data, [reviews.RULE])
    return review


def _settled(held: Held, number: int) -> Round:
    found = Round.objects.filter(session=held.session, number=number).first()
    if found is None:
        raise NotFound(
            Text(f"no hay pase {number} en esta sesión", f"there is no round {number} in this session"),
            code="no_round",
            field="number",
        )
    if found.state != Round.State.SETTLED:
        raise Conflict(
            Text("ese pase no está liquidado", "that round is not settled"),
            code="round_not_settled",
            rule=reviews.RULE,
            field="number",
        )
    return found


def _lying(held: Held, shoe: Shoe, found: Round) -> int | None:
    """How many cards lie in the holder; None where the shoe's count has them. Raises `cards_gone`."""
    deals_anew = registry.game(held.session.game).reshuffles
    gone = (
        found.shoe_id != shoe.pk
        or found.number <= returned_through(held.session, shoe)
        or (deals_anew and (found.number < held.session.last_round or shuffling.noted(found)))
    )
    if gone:
        raise Conflict(
            Text(
                f"las cartas del pase {found.number} ya no están en el descartador",
                f"the cards of round {found.number} are no longer in the discard holder",
            ),
            code="cards_gone",
            rule=reviews.RULE,
            field="number",
        )
    return cards_out(found.log).dealt if deals_anew else None
