"""How a round empties the shoe it is played from: its count as a log grows, ends or is voided (CARD-42).

Pure but for `cards_back`, which stores; called by `tables.rounds` under the session's lock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from shoes import counting
from shoes.cards import COVERED
from shoes.models import Shoe
from tables import inforce, storing
from tables.cards_out import cards_out
from tables.discards import returned_through
from tables.games import registry
from tables.games.base import Detail, Event
from tables.holding import Held
from tables.models import Round


def count_whole(shoe: Shoe, current: inforce.InForce, log: Sequence[Event]) -> counting.Count:
    """The cards of a round logged in one act leave the shoe and are discarded."""
    return round_over(count_further(counting.count_of(shoe), (), log), current)


def round_over(count: counting.Count, current: inforce.InForce) -> counting.Count:
    """The count once the round is settled, with the cards nobody named at detail `result`."""
    return counting.end_round(_with_unseen(count, current), reshuffles=current.game.reshuffles)


def count_further(count: counting.Count, before: Sequence[Event], after: Sequence[Event]) -> counting.Count:
    """The count when a log has grown: cards dealt, covered ones named, and cards exposed by mistake and
    burned (CARD-41); those the new events struck out were never out, or are covered again.
    """
    was, now = cards_out(before), cards_out(after)
    count = counting.hide(count, _more(was.faces, now.faces))
    if was.dealt > now.dealt:
        count = counting.put_back(count, [COVERED] * (was.dealt - now.dealt))
    count = counting.unburn(count, _more(was.exposed, now.exposed))
    faces, more = _more(now.faces, was.faces), max(now.dealt - was.dealt, 0)
    count = counting.take(count, [*faces[:more], *[COVERED] * (more - len(faces))])
    burned = _more(now.exposed, was.exposed)
    return counting.burn(counting.show(count, faces[more:]), known=burned, out=len(burned))


def cards_back(held: Held, round: Round) -> dict[str, Any]:
    """The cards of a round nobody dealt, taken out of the count; a shoe that left keeps its own, and a
    machine that got back its discards has them inside already."""
    if held.shoe is None or round.shoe_id != held.shoe.pk or registry.game(held.session.game).reshuffles:
        return {"cards_back": 0}
    gone = cards_out(round.log)
    count = counting.count_of(held.shoe)
    out = 0
    if round.number > returned_through(held.session, held.shoe):
        out = gone.dealt + _unseen(storing.versions_of(round, held.session))
        count = counting.unplay(count, known=gone.faces, out=out)
    counting.change(held.shoe, counting.unburn(count, gone.exposed))
    return {"cards_back": out + len(gone.exposed), "shoe": held.shoe.label}


def _more(cards: Sequence[str], than: Sequence[str]) -> list[str]:
    """The cards there are beyond those of another list, as often as they are more."""
    return list((Counter(cards) - Counter(than)).elements())


def _with_unseen(count: counting.Count, current: inforce.InForce) -> counting.Count:
    unseen = _unseen(current)
    return counting.take_unseen(count, unseen) if unseen else count


def _unseen(current: inforce.InForce) -> int:
    """At detail `result` nobody names the cards; at least the game's fewest came out."""
    return current.game.least_cards if current.terms.detail is Detail.RESULT else 0
