"""The proof of the cards: what every shoe's row says against its steps, its decks and itself (CARD-42)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault
from casino.kernel.words import Text
from casino.models import Casino
from shoes import cards
from shoes.models import Deck, Shoe, ShoeStep
from shoes.points import points_of


def shoe_faults(casino: Casino) -> Iterator[Fault]:
    """Shoes whose counters cannot be true, and decks that are where they may not be."""
    shoes = Shoe.objects.filter(casino=casino).prefetch_related("steps", "decks").order_by("pk")
    for shoe in shoes.iterator(chunk_size=500):
        for words in _problems(shoe):
            yield Fault("shoe_broken", shoe.label, words)
    yield from _deck_faults(casino)


def _problems(shoe: Shoe) -> Iterator[Text]:
    steps = list(shoe.steps.all())
    size = len(cards.deck_type(shoe.deck_type).cards)
    joined = sum(len(step.data.get("serials", ())) for step in steps)
    if shoe.total != size * joined:
        yield Text(
            f"dice tener {shoe.total} cartas y entraron {joined} barajas de {size}",
            f"claims {shoe.total} cards where {joined} decks of {size} joined",
        )
    if shoe.dealt + shoe.burned + shoe.discarded + shoe.remaining != shoe.total:
        yield Text("sus cartas no suman el total", "its cards do not add up to the total")
    if [step.seq for step in steps] != list(range(1, len(steps) + 1)):
        yield Text("falta un paso de su preparación", "a step of its preparation is missing")
    if shoe.state != Shoe.State.ENDED and shoe.decks.count() != joined:
        yield Text("no tiene las barajas que entraron", "it does not hold the decks that joined")
    yield from _count_problems(shoe, steps)


def _count_problems(shoe: Shoe, steps: list[ShoeStep]) -> Iterator[Text]:
    out = shoe.dealt + shoe.burned + shoe.discarded
    seen = sum(shoe.seen.values())
    unseen_burned = sum(step.data.get("out", 0) - len(step.data.get("known", ())) for step in steps)
    if sum(step.data.get("out", 0) for step in steps) > shoe.burned:
        yield Text("se quemaron más cartas de las que dice", "more cards were burned than it says")
    if seen > out - unseen_burned or (shoe.count_complete and seen != out - unseen_burned):
        yield Text(f"salieron {out} cartas y se vieron {seen}", f"{out} cards came out and {seen} were seen")
    held = cards.composition(shoe.deck_type, shoe.decks_wanted)
    for card, times in shoe.seen.items():
        most = (
            sum(number for other, number in held.items() if points_of(other) == points_of(card))
            if cards.is_value_card(card)
            else held.get(card, 0)
        )
        if times > most:
            yield Text(f"{card} salió {times} veces de {most}", f"{card} came out {times} times of {most}")


def _deck_faults(casino: Casino) -> Iterator[Fault]:
    inside = Deck.objects.filter(casino=casino, state__in=[Deck.State.PASSED, Deck.State.IN_SHOE])
    for deck in inside.prefetch_related("inspections").order_by("pk").iterator(chunk_size=500):
        last = next(iter(deck.inspections.all()), None)
        if last is None or not last.passed:
            yield Fault(
                "deck_unfit",
                deck.serial,
                Text(
                    "está apta o en un sabot sin inspección aprobada",
                    "is fit or in a shoe without a passed inspection",
                ),
            )
