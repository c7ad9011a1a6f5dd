"""What the detectors are asked about a shoe, and how rare an answer must be where it is not dealt out once.

A detector's bound holds for one pack dealt from its first card to its last (`shoes.detecting.ALARM`). A pack
shuffled again after every round, or a machine that takes its cards back, is many packs: there a finding must
be rarer by as many times (`_packs_of`), so that the bound is the shoe's all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from shoes.cards import COVERED
from shoes.detecting import distribution, order, regularity, repeats
from shoes.detecting.finding import ALARM, Finding
from shoes.floor import floor
from shoes.models import Shoe, ShoeAlert, ShoeOrder
from shoes.procedures import MACHINE_SHOE

ROUNDS = 3
"""How many of the latest rounds are looked at for the order of the factory."""
_SHUFFLES = 1_000
"""The most rounds a pack shuffled again after each is played for: a night has some 500."""
_PASSES = 32
"""How often a machine may deal its whole pack before it is emptied: some 10,000 cards of six decks."""
_WENT = 60
"""Assignments of a device that are read: more than the detector looks back at."""


def _packs_of(shoe: Shoe, reshuffles: bool) -> int:
    if reshuffles:
        return _SHUFFLES
    return _PASSES if shoe.method == MACHINE_SHOE else 1


def _rare_enough(finding: Finding | None, times: int) -> Finding | None:
    """The finding with the chance of the whole shoe, if that is still below the alarm."""
    if finding is None or finding.p * times > ALARM:
        return None
    return replace(finding, p=finding.p * times)


def ordered(shoe: Shoe, rounds: Sequence[Sequence[str]], *, reshuffles: bool) -> Finding | None:
    """Whether the newest of `rounds`, with those just before it, keeps the order of the factory (CARD-16)."""
    asked = rounds[-1:] if reshuffles else rounds[-ROUNDS:]
    finding = order.factory_order(asked, shoe.deck_type, shoe.decks_wanted)
    return _rare_enough(finding, _packs_of(shoe, reshuffles))


def is_checkpoint(shoe: Shoe, before: int, after: int, *, reshuffles: bool) -> bool:
    """Whether a quarter of the pack came out between so many cards and so many.

    Never where cards go back into the pack: what came out is no draw from it then.
    """
    dealt_out_once = _packs_of(shoe, reshuffles) == 1 and shoe.total > 0
    return dealt_out_once and distribution.checkpoint(before, after, shoe.total) > 0


def unlikely(shoe: Shoe, seen: Mapping[str, int]) -> Finding | None:
    """Whether the faces seen fit the pack (CARD-42); asked at the checkpoints alone."""
    return distribution.improbable(seen, shoe.deck_type, shoe.decks_wanted)


def runs_of(shoe: Shoe, rounds: Sequence[Sequence[str]], *, reshuffles: bool) -> list[int]:
    """What is kept of a shoe's order, to be found again in a later one."""
    return repeats.grams(_in_a_row(rounds, apart=reshuffles), deck_type=shoe.deck_type)


def _in_a_row(rounds: Iterable[Sequence[str]], *, apart: bool) -> list[str]:
    """The cards of all rounds; between two shuffles stands a card nobody knows, so that no run spans them."""
    row: list[str] = []
    for cards in rounds:
        row += [*cards, COVERED] if apart else cards
    return row


def repeated(shoe: Shoe, rounds: Sequence[Sequence[str]], *, reshuffles: bool) -> list[Finding]:
    """Whether a shoe came out in the order of an earlier one of the house, or repeats itself (CARD-16)."""
    row = _in_a_row(rounds, apart=reshuffles)
    if reshuffles:
        inside = _again(shoe, rounds)
    elif _packs_of(shoe, reshuffles) == 1:
        inside = repeats.repeats_inside(row, shoe.deck_type, shoe.decks_wanted)
    else:
        inside = None  # a machine deals the same cards again: by itself that proves nothing
    found = (_of_earlier(shoe, row, _packs_of(shoe, reshuffles)), inside)
    return [finding for finding in found if finding is not None]


def _of_earlier(shoe: Shoe, row: Sequence[str], packs: int) -> Finding | None:
    """Every pack of this shoe is held against every pack of each earlier one."""
    runs = {*repeats.grams(row, deck_type=shoe.deck_type)}
    runs |= {*repeats.reversed_grams(row, deck_type=shoe.deck_type)}
    if not runs:
        return None
    known = ShoeOrder.objects.filter(casino=shoe.casino_id, shoe__deck_type=shoe.deck_type)
    # Of two shoes in one order the one asked about later repeats the other; it is told of one of them.
    told = ShoeAlert.objects.filter(detector=repeats.CODE, facts__shoe=shoe.label, casino=shoe.casino_id)
    earlier = known.exclude(shoe=shoe.pk).exclude(shoe__in=told.values("shoe"))
    alike = list(earlier.filter(grams__overlap=list(runs)).select_related("shoe").order_by("-shoe_id")[:20])
    if not alike:
        return None
    return repeats.repeated(
        row,
        {each.shoe.label: each.grams for each in alike},
        deck_type=shoe.deck_type,
        decks=max(shoe.decks_wanted, *(each.shoe.decks_wanted for each in alike)),
        stored=earlier.count() * packs * packs,
    )


def _again(shoe: Shoe, rounds: Sequence[Sequence[str]]) -> Finding | None:
    """Of a pack shuffled after each round: whether one of its rounds repeats an earlier one."""
    first: dict[int, int] = {}
    for number, cards in enumerate(rounds, 1):
        own = repeats.grams(cards, deck_type=shoe.deck_type)
        like = next((first[run] for run in own if run in first), None)
        if like is not None:
            return _round_again(shoe, cards, rounds[like - 1], like)
        for run in (*own, *repeats.reversed_grams(cards, deck_type=shoe.deck_type)):
            first.setdefault(run, number)
    return None


def _round_again(shoe: Shoe, cards: Sequence[str], before: Sequence[str], number: int) -> Finding | None:
    """Any two of its shuffles may be alike: so many pairs are asked."""
    told = {f"{shoe.label} · {number}": repeats.grams(before, deck_type=shoe.deck_type)}
    pairs = _SHUFFLES * (_SHUFFLES - 1) // 2
    finding = repeats.repeated(cards, told, deck_type=shoe.deck_type, decks=shoe.decks_wanted, stored=pairs)
    return finding and replace(finding, detector=repeats.CODE_INSIDE)


def regular(shoe: Shoe) -> Finding | None:
    """Whether the box or machine of a shoe goes to the tables of its game by a pattern (CARD-46).

    A shoe renewed at its table was not assigned anew.
    """
    if not shoe.device or shoe.played_at is None:
        return None
    went = Shoe.objects.filter(casino=shoe.casino_id, game=shoe.game, device=shoe.device, renews=None)
    before = went.filter(played_at__lte=shoe.played_at).exclude(played_table="")
    newest = before.order_by("-played_at", "-pk").values_list("played_table", flat=True)[:_WENT]
    tables = {*floor().table_names(shoe.casino, shoe.game), *newest}
    return regularity.too_regular(list(newest)[::-1], len(tables))
