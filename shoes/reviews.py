"""The discard holder opened to settle a disputed play, and closed again (CARD-40).

Nothing else takes a card out of it: a shoe's `discarded` grows when a round is collected, and goes down
only where a round that was never played is taken back out of the count (`counting.unplay`), where the whole
pack is shuffled again (`counting.reshuffled`), or where a machine that serves as shoe gets its cards back
(`counting.returned`, CARD-34). None of the three is a look at the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audits import trail
from audits.by import By
from audits.incident_facts import register_further
from audits.incidents import raise_incident, register_objection
from audits.models import Actor, Incident
from casino.kernel import permissions, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes import actions, counting, incidents, policies
from shoes.locked import lock_shoe
from shoes.models import DiscardReview, Shoe
from shoes.signing import require_different

RULE = "CARD-40"
LONGEST_NAME, LONGEST_WHY, LONGEST_FINDING = 120, 500, 1000


@command(policies.REVIEW)
def open_review(
    *,
    shoe: Shoe,
    round_label: str,
    asked_by: str,
    why: str,
    authorised_by: Actor,
    by: By,
    expected: int | None = None,
) -> DiscardReview:
    """Open the discard holder of a shoe in play to look at a disputed play, with an incident.

    The caller holds the table session's lock and stops the table for the review's `incident`. `expected`: how
    many cards lie there, where the shoe's own count has put them back already. Raises `RuleViolation` GEN-10
    (`same_person`, `not_qualified`), `Refused` (`bad_text`, `bad_name`), `Conflict` (`shoe_not_in_play`,
    `review_open`, `discards_empty`).
    """
    asker = texts.line(asked_by, "asked_by", LONGEST_NAME, rule=RULE)
    reason = texts.prose(why, "why", LONGEST_WHY, rule=RULE)
    _require_another_chief(authorised_by, by)
    shoe = lock_shoe(shoe, by)
    if shoe.state != Shoe.State.IN_PLAY:
        raise counting.not_in_play(shoe)
    if shoe.reviews.filter(closed_at=None).exists():
        raise _open_already()
    lying = shoe.discarded if expected is None else expected
    if not lying:
        raise Conflict(
            Text("el descartador está vacío", "the discard holder is empty"),
            code="discards_empty",
            rule=RULE,
        )
    facts = {"round": round_label, "asked_by": asker, "why": reason, "authorised_by": authorised_by.name}
    incident = _raise_review(shoe, round_label, reason, facts, by)
    review = DiscardReview.objects.create(
        casino=by.casino,
        shoe=shoe,
        table_label=shoe.table_label,
        round_label=round_label,
        asked_by=asker,
        why=reason,
        authorised_by=authorised_by,
        opened_by=by.actor,
        opened_at=by.occurred_at,
        expected=lying,
        incident=incident,
    )
    data = {
        "review": review.pk,
        "round": round_label,
        "asked_by": asker,
        "why": reason,
        "authorised_by": authorised_by.as_dict(),
        "authorised_name": authorised_by.name,
        "expected": lying,
        "incident": incident.label,
    }
    _tell(actions.REVIEW_OPENED, shoe, by, data, [RULE, "GEN-10"])
    return review


def _raise_review(shoe: Shoe, round_label: str, why: str, facts: dict[str, str], by: By) -> Incident:
    what = Text(
        "revisión del descartador de {shoe} por {round}: {why}",
        "review of the discard holder of {shoe} for {round}: {why}",
    )
    return raise_incident(
        kind=incidents.REVIEW,
        summary=what.fill(shoe=shoe.label, round=round_label, why=why),
        subject=trail.Subject("shoe", shoe.pk, shoe.label),
        rules=[RULE, "GEN-08"],
        facts=facts,
        by=by,
        table_label=shoe.table_label,
        freezes=True,
    )


@command(policies.REVIEW)
def close_review(*, review: DiscardReview, found: str, cards_counted: int, by: By) -> DiscardReview:
    """What was found, and how many cards went back into the holder; once.

    The caller holds the table session's lock. Other than the cards there were is an irregularity: an incident
    of its own, `irregularity` of what is returned, which stops the table too (CARD-42). Raises `Conflict`
    (`review_closed`), `Refused` (`bad_text`, `bad_count`).
    """
    said = texts.prose(found, "found", LONGEST_FINDING, rule=RULE)
    if isinstance(cards_counted, bool) or not 0 <= cards_counted <= 1000:
        raise Refused(
            Text("cuente las cartas que volvieron", "count the cards that went back"),
            code="bad_count",
            rule=RULE,
            field="cards_counted",
        )
    shoe = lock_shoe(review.shoe, by)
    review = DiscardReview.objects.select_for_update(of=("self",), no_key=True).get(pk=review.pk)
    if review.closed_at is not None:
        raise Conflict(
            Text("esa revisión ya se cerró", "that review was closed already"),
            code="review_closed",
            rule=RULE,
        )
    review.irregularity = None
    if cards_counted != review.expected:
        review.irregularity = _irregular(shoe, review, cards_counted, said, by)
    review.found, review.cards_counted = said, cards_counted
    review.closed_by, review.closed_at = by.actor, max(by.occurred_at, review.opened_at)
    review.save(update_fields=["found", "cards_counted", "closed_by", "closed_at"])
    data = {
        "review": review.pk,
        "found": said,
        "counted": cards_counted,
        "expected": review.expected,
        "incident": review.irregularity.label if review.irregularity else "",
    }
    rules = [RULE, *(["CARD-42"] if review.irregularity else [])]
    _tell(actions.REVIEW_CLOSED, shoe, by, data, rules)
    return review


def _irregular(shoe: Shoe, review: DiscardReview, counted: int, found: str, by: By) -> Incident:
    expected = review.expected
    return raise_incident(
        kind=incidents.FAULT,
        summary=Text(
            f"el descartador de {shoe.label} guardaba {expected} cartas por el conteo; volvieron {counted}",
            f"the discard holder of {shoe.label} held {expected} cards and {counted} went back",
        ),
        subject=trail.Subject("shoe", shoe.pk, shoe.label),
        rules=["CARD-42", RULE],
        facts={
            "round": review.round_label,
            "expected": expected,
            "counted": counted,
            "found": found,
            "decks": sorted(shoe.decks.values_list("serial", flat=True)),
        },
        by=by,
        table_label=review.table_label,
        freezes=True,
    )


def _require_another_chief(authorised_by: Actor, by: By) -> None:
    require_different(by.actor, authorised_by, field="authorised_by")
    if not permissions.may(authorised_by, policies.REVIEW):
        raise RuleViolation(
            "GEN-10",
            Text(
                "autoriza otro jefe de mesa o jefe de sala",
                "another table supervisor or pit boss authorises it",
            ),
            code="not_qualified",
            field="authorised_by",
        )


def _open_already() -> Conflict:
    return Conflict(
        Text(
            "el descartador ya está abierto: cierre primero esa revisión",
            "the discard holder is open already: close that review first",
        ),
        code="review_open",
        rule=RULE,
    )


def _tell(action: str, shoe: Shoe, by: By, data: dict[str, object], rules: list[str]) -> None:
    subject = trail.Subject("shoe", shoe.pk, shoe.label)
    trail.record(action, stream=shoe.stream, subject=subject, by=by, data=data, rules=rules)


def still_open(incident: Incident) -> Text | None:
    """Why the incident of a review is not settled yet: the cards are still out of their holder."""
    if incident.kind != incidents.REVIEW or not incident.reviews.filter(closed_at=None).exists():
        return None
    return Text(
        "el descartador sigue abierto: cierre primero la revisión, con lo que se encontró y las cartas"
        " contadas",
        "the discard holder is still open: close the review first, with what was found and the cards counted",
    )


def findings(incident: Incident) -> Mapping[str, Any]:
    """What the review of an incident found, once it is closed."""
    if incident.kind != incidents.REVIEW:
        return {}
    closed = incident.reviews.exclude(closed_at=None).first()
    if closed is None:
        return {}
    return {"found": closed.found, "expected": closed.expected, "counted": closed.cards_counted}


register_objection(still_open)
register_further(findings)
explain_constraint("one_open_review_per_shoe", _open_already)
