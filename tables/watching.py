"""Who asks the detectors, and when: after each round what costs nothing, then by a job whatever is left.

After a round only its own cards are looked at, in memory; a reason for more (`looks_ordered`, a quarter
of the pack out) has `look` run once the round is committed: a fault in the watch never costs a round. The job
(`look_again`) reads every round that came since it last did, asks the same again, and what takes longer:
whether a shoe repeats another. So nothing is missed if the process died after a commit; both may find the
same at once, and it is told once (`shoes.watch.raise_alert`).
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from django.db.models import Q

from audits.by import by_system
from casino.kernel import clock
from casino.kernel.commands import once_committed
from casino.kernel.errors import Busy
from casino.models import Casino
from shoes import suspecting, watch
from shoes.detecting.finding import Finding
from shoes.detecting.order import looks_ordered
from shoes.models import Shoe, ShoeAlert, ShoeOrder
from tables import sequences
from tables.cards_out import Event, order_of
from tables.games import registry
from tables.sequences import RoundCards

log = logging.getLogger(__name__)

LOOKED_BACK = dt.timedelta(days=1)
"""How long after its end a shoe is still looked at: the job may have stood still for a night."""


def after_round(shoe: Shoe | None, told: Sequence[Event]) -> None:
    """Called in the transaction that settles a round, with its shoe as it stands and its log. No query.

    What goes wrong here is logged and costs no round.
    """
    if shoe is None:
        return
    try:
        cards = order_of(told)
        out = shoe.total - shoe.remaining
        quarter = suspecting.is_checkpoint(shoe, out - len(cards), out, reshuffles=_reshuffles(shoe))
        if quarter or looks_ordered(cards, shoe.deck_type):
            once_committed(partial(look, shoe.pk, quarter=quarter))
    except Exception:
        log.exception("%s: its round was logged, but could not be looked at", shoe.label)


def look(shoe_id: int, *, quarter: bool) -> list[ShoeAlert]:
    """Ask about the latest rounds of a shoe, and at a quarter about all its faces; the alerts raised."""
    shoe = Shoe.objects.select_related("casino").get(pk=shoe_id)
    newest = sequences.newest(shoe, suspecting.ROUNDS)
    found = [suspecting.ordered(shoe, newest, reshuffles=_reshuffles(shoe))]
    if quarter:
        found.append(suspecting.unlikely(shoe, shoe.seen))
    return _raise(shoe, found)


def look_again(shoe: Shoe, *, anew: bool = False) -> list[ShoeAlert]:
    """Ask everything about the rounds of a shoe that came since this last did, or about all of them `anew`.

    May run twice and at once. The alerts raised.
    """
    rounds = sequences.of_shoe(shoe)
    cards = sum(len(each.order) for each in rounds)
    kept = ShoeOrder.objects.filter(shoe=shoe).first()
    raised = _raise(shoe, [suspecting.regular(shoe)])
    if kept is not None and kept.cards == cards and not anew:
        return raised
    # Fewer than before: a round was voided as never played, and the order is another.
    read = 0 if kept is None or anew or cards < kept.cards else kept.cards
    row, again = [each.order for each in rounds], _reshuffles(shoe)
    raised += _raise(
        shoe, [*_of_rounds(shoe, rounds, read), *suspecting.repeated(shoe, row, reshuffles=again)]
    )
    grams = suspecting.runs_of(shoe, row, reshuffles=again)
    ShoeOrder.objects.update_or_create(
        shoe=shoe, defaults={"casino_id": shoe.casino_id, "grams": grams, "cards": cards}
    )
    return raised


def _of_rounds(shoe: Shoe, rounds: Sequence[RoundCards], read: int) -> Iterator[Finding | None]:
    """What would have been asked after each round, for those whose cards lie beyond the `read` ones."""
    again, out = _reshuffles(shoe), 0
    seen: Counter[str] = Counter()
    played: list[tuple[str, ...]] = []
    for each in rounds:
        before, out = out, out + len(each.order)
        seen.update(each.faces)
        if each.number:
            played.append(each.order)
        if out <= read or not played:
            continue
        yield suspecting.ordered(shoe, played, reshuffles=again)
        # Beyond the whole pack are cards of discards shuffled again: what came out is no draw from it then.
        if out <= shoe.total and suspecting.is_checkpoint(shoe, before, out, reshuffles=again):
            yield suspecting.unlikely(shoe, seen)


def look_at_all(*, casino: Casino | None = None, since: dt.datetime | None = None, anew: bool = False) -> int:
    """Look again at every shoe in play, or ended `since` then (yesterday's by default); how many were.

    One that cannot be looked at now (its table is in use, a fault) leaves the others alone: the next run
    has it.
    """
    since = since or clock.now() - LOOKED_BACK
    played = Shoe.objects.filter(played_at__isnull=False).select_related("casino").order_by("played_at", "pk")
    due = played.filter(Q(state=Shoe.State.IN_PLAY) | Q(ended_at__gte=since))
    looked = 0
    for shoe in due.filter(casino=casino) if casino else due:
        try:
            look_again(shoe, anew=anew)
            looked += 1
        except Busy:
            log.warning("%s: its table is in use; the next run looks at it", shoe.label)
        except Exception:
            log.exception("%s could not be looked at", shoe.label)
    return looked


def _raise(shoe: Shoe, found: Iterable[Finding | None]) -> list[ShoeAlert]:
    """An alert for the first finding of each detector that raised none yet, each a write of its own."""
    first: dict[str, Finding] = {}
    for finding in found:
        if finding is not None:
            first.setdefault(finding.detector, finding)
    if not first:
        return []
    raised = set(ShoeAlert.objects.filter(shoe=shoe).values_list("detector", flat=True))
    return [
        watch.raise_alert(shoe=shoe, finding=finding, by=by_system(shoe.casino, watch.JOB))
        for detector, finding in first.items()
        if detector not in raised
    ]


def _reshuffles(shoe: Shoe) -> bool:
    return registry.game(shoe.game).reshuffles
