"""The proof of the cards: what every shoe's row says against its steps, its decks and itself (CARD-42)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.verify import Fault, differing, told, wrong
from casino.kernel.words import Text
from casino.models import Casino
from shoes import cards
from shoes.models import Deck, Shoe, ShoeStep
from shoes.ordering import REMOVE
from shoes.points import points_of
from shoes.procedures import procedure_of

_LABEL = "'S-' || lpad(s.number::text, greatest(6, length(s.number::text)), '0')"

_SHOES = f"""
WITH started AS MATERIALIZED {told("shoes.shoe.started")},
played AS MATERIALIZED {told("shoes.shoe.put_in_play")},
stopped AS MATERIALIZED {told("shoes.shoe.stop_card_seen")},
ended AS MATERIALIZED {told("shoes.shoe.ended")},
counted AS MATERIALIZED {told("shoes.shoe.counted")},
renewed AS MATERIALIZED {told("shoes.shoe.renewed")},
machine AS (
    SELECT DISTINCT ON (shoe_id) shoe_id, data ->> 'machine' AS machine FROM shoes_shoestep
    WHERE casino_id = %(casino)s AND step = 'load' AND data ? 'machine' ORDER BY shoe_id, seq DESC
)
SELECT 'shoe:' || coalesce(s.id, t.subject_id) AS place, {
    wrong(
        row="s.id IS NOT NULL",
        started="t.id IS NOT NULL AND t.stream = 'shoe:' || s.id AND t.subject_label = " + _LABEL,
        once="count(*) OVER (PARTITION BY coalesce(s.id, t.subject_id)) = 1",
        started_at="t.occurred = s.started_at",
        started_by="t.actor_id = s.started_by_id",
        game="t.data ->> 'game' = s.game",
        decks="(t.data ->> 'decks')::int = s.decks_wanted AND t.data ->> 'deck_type' = s.deck_type",
        method="coalesce(t.data ->> 'method', '') = s.method",
        device="coalesce(m.machine, t.data ->> 'device') = s.device",
        in_play="(p.id IS NOT NULL) = (s.played_at IS NOT NULL)"
        " AND (s.state <> 'in_play' OR p.id IS NOT NULL)",
        played_at="p.occurred IS NOT DISTINCT FROM s.played_at",
        table="s.state <> 'in_play' OR p.data ->> 'table' = s.table_label",
        played_table="coalesce(p.data ->> 'table', '') = s.played_table",
        stop_marked="(b.id IS NOT NULL) = s.stop_marked",
        ended="(x.id IS NOT NULL) = (s.state = 'ended')",
        state="x.id IS NOT NULL OR CASE WHEN p.id IS NOT NULL THEN s.state = 'in_play'"
        " ELSE s.state IN ('assembling', 'shuffled', 'cut', 'loaded', 'ready') END",
        ended_at="x.occurred IS NOT DISTINCT FROM s.ended_at",
        end_reason="left(coalesce(x.data ->> 'reason', ''), 200) = s.end_reason",
        counted_at="c.occurred IS NOT DISTINCT FROM s.counted_at",
        renews="(w.data ->> 'renewed' IS NULL) = (s.renews_id IS NULL)"
        " AND coalesce(w.data ->> 'renewed', '') = coalesce((SELECT "
        + _LABEL.replace("s.", "o.")
        + " FROM shoes_shoe o WHERE o.id = s.renews_id), '')",
    )
} AS wrong
FROM (SELECT * FROM shoes_shoe WHERE casino_id = %(casino)s) s
FULL JOIN started t ON t.subject_id = s.id
LEFT JOIN machine m ON m.shoe_id = s.id AND s.method = 'machine_shoe'
LEFT JOIN played p ON p.subject_id = s.id
LEFT JOIN stopped b ON b.subject_id = s.id
LEFT JOIN ended x ON x.subject_id = s.id
LEFT JOIN counted c ON c.subject_id = s.id
LEFT JOIN renewed w ON w.subject_id = s.id
"""  # noqa: S608

# Each step is one event of its shoe's stream: the n-th that names a step is the n-th step.
_STEPS = f"""
WITH event AS MATERIALIZED (
    SELECT e.id, e.stream_id, e.seq, e.actor_id, e.occurred, e.subject_id,
           convert_from(e.body, 'UTF8')::jsonb -> 'data' AS data
    FROM audits_event e
    WHERE e.casino_id = %(casino)s AND e.subject_type = 'shoe' AND e.action LIKE 'shoes.%%'
), told AS (
    SELECT *, row_number() OVER (PARTITION BY subject_id ORDER BY seq) AS nth FROM event WHERE data ? 'step'
)
SELECT 'shoe:' || coalesce(p.shoe_id, t.subject_id) || ', ' || coalesce(p.seq, t.nth) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="p.id IS NOT NULL",
        step="t.data ->> 'step' = p.step",
        data="t.data - 'step' - 'reason' - 'incident' = p.data - 'reason'",
        signed_by="t.actor_id = p.signed_by_id",
        at="t.occurred = p.at",
    )
} AS wrong
FROM (SELECT * FROM shoes_shoestep WHERE casino_id = %(casino)s) p
FULL JOIN told t ON t.subject_id = p.shoe_id AND t.nth = p.seq
"""  # noqa: S608

# What decks were not yet examined for, events of the version before do not tell: nothing of it.
_FOUND_SINCE = """(coalesce(t.data -> 'foreign', '[]'), coalesce(t.data -> 'damaged', '[]'),
    coalesce(t.data ->> 'suit_order', '')) = (to_jsonb(i."foreign"), to_jsonb(i.damaged), i.suit_order)"""

_INSPECTIONS = f"""
WITH event AS MATERIALIZED {told("shoes.deck.passed", "shoes.deck.withdrawn")},
told AS (SELECT *, row_number() OVER (PARTITION BY subject_id ORDER BY seq) AS nth FROM event),
made AS (
    SELECT *, row_number() OVER (PARTITION BY deck_id ORDER BY id) AS nth
    FROM shoes_deckinspection WHERE casino_id = %(casino)s
)
SELECT 'deck:' || coalesce(i.deck_id, t.subject_id) || ', ' || coalesce(i.nth, t.nth) AS place, {
    wrong(
        event="t.id IS NOT NULL",
        row="i.id IS NOT NULL",
        passed="(t.action = 'shoes.deck.passed') = i.passed",
        counted="(t.data ->> 'counted')::int = i.counted",
        examined="((t.data ->> 'by_suit_shown')::boolean, (t.data ->> 'backs_checked')::boolean)"
        " = (i.by_suit_shown, i.backs_checked)",
        found="(t.data -> 'missing', t.data -> 'extra', t.data -> 'marked') ="
        " (to_jsonb(i.missing), to_jsonb(i.extra), to_jsonb(i.marked))",
        also=_FOUND_SINCE,
        moment="coalesce(t.data ->> 'moment', 'opening') = i.moment",
        shoe="coalesce(t.data ->> 'shoe', '') = coalesce(" + _LABEL + ", '')",
        inspector="(t.data -> 'inspector' ->> 'id')::bigint = i.inspector_id",
        witness="(t.data -> 'witness' ->> 'id')::bigint = i.witness_id",
        at="t.occurred = i.at",
    )
} AS wrong
FROM made i FULL JOIN told t ON t.subject_id = i.deck_id AND t.nth = i.nth
LEFT JOIN shoes_shoe s ON s.id = i.shoe_id
"""  # noqa: S608


def told_faults(casino: Casino) -> Iterator[Fault]:
    """Shoes, steps of preparation and inspections that are not what their streams tell (REC-06)."""
    for query in (_SHOES, _STEPS, _INSPECTIONS):
        yield from differing(query, casino)


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
    # CARD-12: a deck taken out starts the preparation again with those that stay.
    joined = sum(len(step.data.get("serials", ())) - len(step.data.get("removed", ())) for step in steps)
    began = max((at + 1 for at, step in enumerate(steps) if step.step == REMOVE), default=0)
    if shoe.total != size * joined:
        yield Text(
            f"dice tener {shoe.total} cartas y entraron {joined} barajas de {size}",
            f"claims {shoe.total} cards where {joined} decks of {size} joined",
        )
    if shoe.dealt + shoe.burned + shoe.discarded + shoe.remaining != shoe.total:
        yield Text("sus cartas no suman el total", "its cards do not add up to the total")
    if [step.seq for step in steps] != list(range(1, len(steps) + 1)):
        yield Text("falta un paso de su preparación", "a step of its preparation is missing")
    if shoe.ready_at is not None and shoe.ready_at not in [step.at for step in steps[began:]]:
        yield Text("ningún paso la dejó lista a esa hora", "no step made it ready at that hour")
    if shoe.state != Shoe.State.ENDED and shoe.decks.count() != joined:
        yield Text("no tiene las barajas que entraron", "it does not hold the decks that joined")
    yield from _count_problems(shoe, steps[began:])


def _count_problems(shoe: Shoe, steps: list[ShoeStep]) -> Iterator[Text]:
    out = shoe.dealt + shoe.burned + shoe.discarded
    seen = sum(shoe.seen.values())
    unseen_burned = sum(step.data.get("out", 0) - len(step.data.get("known", ())) for step in steps)
    if sum(step.data.get("out", 0) for step in steps) > shoe.burned:
        yield Text("se quemaron más cartas de las que dice", "more cards were burned than it says")
    faces_up = shoe.count_complete and not procedure_of(shoe.game).deals_covered
    if seen > out - unseen_burned or (faces_up and seen != out - unseen_burned):
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
